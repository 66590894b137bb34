"""The review of every reply before an owner sees it: deterministic, pure, fast enough for each sentence of a stream.

Where to look: what is checked against `facts` (from free lines: `memory_lines`); a reply as it streams `StreamReview`;
does a clause recommend or warn `stance`; what the reply recommends to whom `reading`; what is no
allergy `denials`; the rules `food_rules`,
`drug_rules`, `sharing_rules`, `emergency_rules`, `claim_rules`; verdict and repaired text `findings`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from domain.safety.claim_rules import find_invented_facts, unknown_citations
from domain.safety.drug_rules import find_drug_risks
from domain.safety.emergency_rules import alerts_of, find_emergency_risks, find_played_down, is_serious, sends_to_vet
from domain.safety.facts import AllergyFact, PetFacts, SafetyFacts
from domain.safety.findings import Finding, Review, Verdict, make_review
from domain.safety.food_rules import find_food_risks
from domain.safety.memory_lines import MemoryLine, facts_from_lines
from domain.safety.reading import Reading, SoFar, read_question, read_reply
from domain.safety.sharing_rules import find_sharing_risks
from domain.safety.size_rules import find_size_risks
from domain.safety.stance import Stance
from domain.triage import Alert

__all__ = [
    "AllergyFact",
    "Finding",
    "MemoryLine",
    "PetFacts",
    "Review",
    "SafetyFacts",
    "StreamReview",
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
    reading = read_reply(reply, read_question(question, facts), facts)
    told = alerts_of(question, facts) if alerts is None else alerts
    return make_review(reply, _unique([*_findings(reading, facts), *find_emergency_risks(reading, told)]))


def review_sentence(
    sentence: str,
    facts: SafetyFacts,
    question: str = "",
    said_before: str = "",
    alerts: Sequence[Alert] | None = None,
) -> Review:
    """Check one sentence in the light of what was said before it. For a whole stream `StreamReview` costs less."""
    stream = StreamReview(facts, question, alerts)
    if said_before:
        stream.check(said_before)
    return stream.check(sentence)


class StreamReview:
    """The review of one reply, sentence by sentence: the question is read once, earlier sentences are remembered.

    In an emergency a sentence fails when it plays it down. That nobody was sent to the vet shows only when the reply
    ends: `finish` says so (the alert of `triage` has been shown before the first sentence anyway).
    """

    def __init__(self, facts: SafetyFacts, question: str = "", alerts: Sequence[Alert] | None = None) -> None:
        self._facts = facts
        self._asked = read_question(question, facts)
        self._alerts = alerts_of(question, facts) if alerts is None else alerts
        self._before = SoFar()
        self._said: list[str] = []

    def check(self, sentence: str) -> Review:
        """The review of the next sentence; findings carry spans of it."""
        reading = read_reply(sentence, self._asked, self._facts, self._before)
        found = [
            *_findings(reading, self._facts),
            *find_played_down(reading, self._alerts, self._before.sent_to_vet),
        ]
        self._remember(reading)
        return make_review(sentence, _unique(found))

    def learn(self, lines: Sequence[str]) -> None:
        """Let later sentences rest on these lines as well."""
        self._facts = replace(self._facts, extra_support=(*self._facts.extra_support, *lines))

    def finish(self) -> Review:
        """The review of the whole reply: what no single sentence could show."""
        reply = "".join(self._said)
        if not is_serious(self._asked.text, self._alerts):
            return make_review(reply, ())
        reading = read_reply(reply, self._asked, self._facts)
        return make_review(reply, _unique(list(find_emergency_risks(reading, self._alerts))))

    def _remember(self, reading: Reading) -> None:
        self._said.append(reading.reply)
        silent = reading.verdict_clause is None or reading.verdict_clause.verdict is None
        self._before = SoFar(
            endorsed=self._before.endorsed if silent else reading.endorsed,
            warned=self._before.warned | reading.warned,
            warns=self._before.warns or any(clause.verdict is Stance.WARNS for clause in reading.clauses),
            sent_to_vet=self._before.sent_to_vet or sends_to_vet(reading),
        )


def _findings(reading: Reading, facts: SafetyFacts) -> Iterator[Finding]:
    yield from find_food_risks(reading, facts)
    yield from find_drug_risks(reading, facts)
    yield from find_sharing_risks(reading, facts)
    yield from find_size_risks(reading, facts)
    yield from find_invented_facts(reading, facts)


def _unique(findings: Sequence[Finding]) -> list[Finding]:
    """One finding a risk, in the order of the text."""
    seen: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        seen.setdefault((finding.rule, finding.risk_zh), finding)
    return sorted(seen.values(), key=lambda finding: finding.start)
