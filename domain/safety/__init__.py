"""The review of every reply before an owner sees it: deterministic, pure, fast enough for each sentence of a stream.

Where to look: what is checked against `facts` (from free lines: `memory_lines`); does a clause recommend or warn
`stance`; what the reply recommends to whom `reading`; the rules `food_rules`, `drug_rules`, `sharing_rules`,
`emergency_rules`, `claim_rules`; verdict and repaired text `findings`.
"""

from collections.abc import Iterator, Sequence

from domain.safety.claim_rules import find_invented_facts, unknown_citations
from domain.safety.drug_rules import find_drug_risks
from domain.safety.emergency_rules import find_emergency_risks
from domain.safety.facts import AllergyFact, PetFacts, SafetyFacts
from domain.safety.findings import Finding, Review, Verdict, make_review
from domain.safety.food_rules import find_food_risks
from domain.safety.memory_lines import MemoryLine, facts_from_lines
from domain.safety.reading import Reading, read_reply
from domain.safety.sharing_rules import find_sharing_risks

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


def review(reply: str, facts: SafetyFacts, question: str = "") -> Review:
    """Check a whole reply. Findings carry spans of `reply`; `safe_text` is the reply, or what may be shown instead."""
    reading = read_reply(reply, question, facts)
    return make_review(reply, _unique(_all_findings(reading, facts)))


def review_sentence(sentence: str, facts: SafetyFacts, question: str = "", said_before: str = "") -> Review:
    """Check one sentence of a stream. said_before: what of this reply has been shown already.

    An emergency that is not answered yet is no finding here: only the whole reply can fail to send to the vet.
    """
    reading = read_reply(sentence, question, facts)
    found = [
        *_all_findings(reading, facts, whole=False),
        *(find_emergency_risks(reading, facts) if _plays_down(sentence) else ()),
    ]
    return make_review(sentence, _unique(found))


def _all_findings(reading: Reading, facts: SafetyFacts, whole: bool = True) -> Iterator[Finding]:
    yield from find_food_risks(reading)
    yield from find_drug_risks(reading, facts)
    yield from find_sharing_risks(reading, facts)
    yield from find_invented_facts(reading, facts)
    if whole:
        yield from find_emergency_risks(reading, facts)


def _plays_down(sentence: str) -> bool:
    return True


def _unique(findings: Iterator[Finding] | Sequence[Finding]) -> list[Finding]:
    """One finding a risk, in the order of the text."""
    seen: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        seen.setdefault((finding.rule, finding.risk_zh), finding)
    return sorted(seen.values(), key=lambda finding: finding.start)
