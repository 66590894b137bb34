"""The review of every reply before an owner sees it: deterministic, pure, fast enough for each sentence of a stream.

Where to look: what is checked against `facts` (from free lines: `memory_lines`); does a clause recommend or warn
`stance`; what the reply recommends to whom `reading`; the rules `food_rules`, `drug_rules`, `sharing_rules`,
`emergency_rules`, `claim_rules`; verdict and repaired text `findings`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from domain.safety.claim_rules import find_invented_facts, unknown_citations
from domain.safety.drug_rules import find_drug_risks
from domain.safety.emergency_rules import alerts_of, find_emergency_risks, find_played_down
from domain.safety.facts import AllergyFact, PetFacts, SafetyFacts
from domain.safety.findings import Finding, Review, Verdict, make_review
from domain.safety.food_rules import find_food_risks
from domain.safety.memory_lines import MemoryLine, facts_from_lines
from domain.safety.reading import Reading, read_reply
from domain.safety.sharing_rules import find_sharing_risks
from domain.triage import Alert

__all__ = [
    "AllergyFact",
    "Finding",
    "MemoryLine",
    "PetFacts",
    "Review",
    "SafetyFacts",
    "Verdict",
    "facts_from_lines",
    "review",
    "review_sentence",
    "unknown_citations",
]


def review(reply: str, facts: SafetyFacts, question: str = "", alerts: Sequence[Alert] | None = None) -> Review:
    """Check a whole reply. Findings carry spans of `reply`; `safe_text` is the reply, or what may be shown instead.

    alerts: what `triage` said of the question, where the caller has it; None = find out here.
    """
    reading = read_reply(reply, question, facts)
    told = alerts_of(question, facts) if alerts is None else alerts
    return make_review(reply, _unique([*_findings(reading, facts), *find_emergency_risks(reading, told)]))


def review_sentence(
    sentence: str,
    facts: SafetyFacts,
    question: str = "",
    said_before: str = "",
    alerts: Sequence[Alert] | None = None,
) -> Review:
    """Check one sentence of a stream in the light of what has been said; findings carry spans of `sentence`.

    In an emergency a sentence fails when it plays it down. That nobody was sent to the vet can only be said of a whole
    reply: `review` it when it ends (the alert of `triage` has been shown before the first sentence anyway).
    """
    reading = read_reply(said_before + sentence, question, facts)
    told = alerts_of(question, facts) if alerts is None else alerts
    begin = len(said_before)
    found = [*_findings(reading, facts), *find_played_down(reading, told, begin)]
    ours = [replace(item, start=item.start - begin, end=item.end - begin) for item in found if item.start >= begin]
    return make_review(sentence, _unique(ours))


def _findings(reading: Reading, facts: SafetyFacts) -> Iterator[Finding]:
    yield from find_food_risks(reading)
    yield from find_drug_risks(reading, facts)
    yield from find_sharing_risks(reading, facts)
    yield from find_invented_facts(reading, facts)


def _unique(findings: Sequence[Finding]) -> list[Finding]:
    """One finding a risk, in the order of the text."""
    seen: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        seen.setdefault((finding.rule, finding.risk_zh), finding)
    return sorted(seen.values(), key=lambda finding: finding.start)
