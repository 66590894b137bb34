"""The safety review of one answer as it streams: each sentence is checked against the records before it is shown."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

import structlog

from domain.assistant import AnswerSentence
from domain.household_view import HouseholdView
from domain.knowledge.lexicon import find_entities
from domain.safety import Finding, MemoryLine, SafetyFacts, StreamReview, facts_from_lines, review
from domain.safety.findings import exposure_of, warning_of
from domain.turn_context import TurnContext

log = structlog.get_logger(__name__)

HARMS_IN_A_PLAN = frozenset({"toxin", "drug_species", "drug_breed", "drug_condition", "drug_interaction"})
"""Rules that speak when the owner's own words are told back; the others look for advice, which a receipt is not."""

_GIVEN = frozenset({"drug", "drug_class", "toxin", "dewormer"})
_EATEN = frozenset({"food", "allergen"})
_OF_AN_ALLERGY = re.compile(
    r"[^，。；]*(?:过敏|不耐受|没(?:再)?[吃喂碰给]|不(?:能|敢|再|给|让)?[吃喂碰用]|别[吃喂碰给]|[戒停断忌]|换掉)[^，。；]*"
)
"""Clauses of a receipt that tell of keeping something away from a pet, or of what it does not bear."""
_TAKEN = re.compile(r"[吃喝舔啃尝咬吞]|[喂打用滴涂抹输开](?:了|过|完|的|上)|偷")


class Reviewer:
    """Reviews the sentences of one turn. Every finding is logged with the rule that fired, never with the words."""

    def __init__(self, view: HouseholdView, context: TurnContext, turn_id: str) -> None:
        self._turn_id = turn_id
        self._known = frozenset(_memory_ids(context))
        self._names = [name for pet in view.profiles for name in (pet.name, *pet.nicknames)]
        told_of = {written.subject for written in context.written}
        self._meant = [pet.name for pet in view.profiles if pet.id in told_of] or [pet.name for pet in view.profiles]
        self._facts = _facts(view, context)
        self._alerted = "".join(alert.advice for alert in context.alerts)
        self._warned: frozenset[str] = frozenset()  # what stood in for sentences; the same warning is told once
        self._stream = StreamReview(self._facts, context.text, context.alerts)

    def check(self, sentence: AnswerSentence) -> tuple[AnswerSentence, ...]:
        """The sentence as it may be shown. A replaced one keeps no citation: it is ours, not the memory's."""
        if sentence.tells_back in ("question", "record", "notice"):
            return (self._with_known_citations(sentence),)
        if sentence.tells_back in ("receipt", "recap"):
            return (self._with_known_citations(sentence), *self._warnings(sentence.text))
        found = self._stream.check(sentence.text)
        self._log(found.findings)
        if found.safe_text != sentence.text:
            told_before, self._warned = found.safe_text in self._warned, self._warned | {found.safe_text}
            return () if told_before else (AnswerSentence(found.safe_text),)
        return (self._with_known_citations(sentence),)

    def learn(self, lines: Mapping[str, str]) -> None:
        """Take what a tool has brought up for known: text → memory id, "" for what cannot be cited."""
        self._known |= {memory_id for memory_id in lines.values() if memory_id}
        self._stream.learn(tuple(lines))

    def _warnings(self, receipt: str) -> tuple[AnswerSentence, ...]:
        """What must be said beside a receipt: giving what the owner speaks of would harm this pet, or it was given."""
        told = _OF_AN_ALLERGY.sub("", receipt)
        found = self._findings_of(told, _GIVEN | _EATEN if _TAKEN.search(told) else _GIVEN)
        reacts = [finding.risk_zh for finding in found if finding.rule == "allergen" and _TAKEN.search(told)]
        harmful: dict[int, Finding] = {}
        for finding in found:
            if finding.rule in HARMS_IN_A_PLAN:
                harmful.setdefault(finding.start, finding)
        fresh = {finding.risk_zh: finding for finding in harmful.values()}.values()
        self._log([*fresh, *(finding for finding in found if finding.risk_zh in reacts)])
        warned = (AnswerSentence(exposure_of(list(dict.fromkeys(reacts)))),) if reacts else ()
        return (*warned, AnswerSentence(warning_of(list(fresh)))) if fresh and not reacts else warned

    def _findings_of(self, told: str, kinds: frozenset[str]) -> Sequence[Finding]:
        """What the rules say of giving each thing that is told of to each pet that is meant."""
        given = [entity.surface for entity in find_entities(told, self._names) if entity.kind in kinds]
        untold = [surface for surface in dict.fromkeys(given) if surface not in self._alerted]
        plan = "".join(f"可以给{name}用{surface}。" for surface in untold for name in self._meant)
        return review(plan, self._facts).findings if plan else ()

    def _log(self, findings: Sequence[Finding]) -> None:
        for finding in findings:
            log.info("review_fired", turn_id=self._turn_id, rule=finding.rule, level=finding.level)

    def _with_known_citations(self, sentence: AnswerSentence) -> AnswerSentence:
        if self._known.issuperset(sentence.citations):
            return sentence
        return replace(sentence, citations=tuple(one for one in sentence.citations if one in self._known))


def _facts(view: HouseholdView, context: TurnContext) -> SafetyFacts:
    """What the records say of every pet at home, and all lines that an answer of this turn may rest on."""
    facts = _facts_of_household(view, context.now.date())
    told = [line.text for line in context.recalled] + [written.content for written in context.written]
    told += [line.text for line in context.owner_lines] + [line.text for card in context.cards for line in card.lines]
    found = [line.text for line in context.insights]
    return replace(
        facts,
        about=frozenset(pet.id for pet in context.subjects),
        extra_support=(*facts.extra_support, *told, *context.due, *context.plans, *found),
    )


def _facts_of_household(view: HouseholdView, today: date) -> SafetyFacts:
    """The same for every turn until the household changes or the day does."""
    key = (SafetyFacts, today)
    if key not in view.derived:
        view.derived[key] = facts_from_lines(_lines_of(view), view.profiles, today=today)
    facts: SafetyFacts = view.derived[key]
    return facts


def _lines_of(view: HouseholdView) -> list[MemoryLine]:
    """Records in force, and what else the cards carry (what a pet eats)."""
    names = {pet.id: pet.name for pet in view.pets}
    records = [
        MemoryLine(row.pet_id, kind.attribute_class.value, kind.line(names[row.pet_id], kind.read(row)))
        for kind, row in view.safety
    ]
    mirrored = {row.id for _, row in view.safety}
    carried = [
        MemoryLine(item.subject, item.attribute_class, item.content)
        for item in view.core
        if item.subject in names and item.record_id not in mirrored
    ]
    return records + carried


def _memory_ids(context: TurnContext) -> list[str]:
    carried = [line.memory_id for card in context.cards for line in card.lines]
    carried += [line.memory_id for line in context.owner_lines]
    carried += [memory_id for line in context.insights for memory_id in line.memory_ids]
    return carried + [line.memory_id for line in context.recalled]
