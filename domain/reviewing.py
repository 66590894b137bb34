"""The safety review of one answer as it streams: each sentence is checked against the records before it is shown."""

from dataclasses import replace
from datetime import date

import structlog

from domain.assistant import AnswerSentence
from domain.household_view import HouseholdView
from domain.safety import MemoryLine, SafetyFacts, StreamReview, facts_from_lines
from domain.turn_context import TurnContext

log = structlog.get_logger(__name__)


class Reviewer:
    """Reviews the sentences of one turn. Every finding is logged with the rule that fired, never with the words."""

    def __init__(self, view: HouseholdView, context: TurnContext, turn_id: str) -> None:
        self._turn_id = turn_id
        self._known = frozenset(_memory_ids(context))
        self._stream = StreamReview(_facts(view, context), context.text, context.alerts)

    def check(self, sentence: AnswerSentence) -> AnswerSentence:
        """The sentence as it may be shown. A replaced one keeps no citation: it is ours, not the memory's."""
        if sentence.tells_back:
            return self._with_known_citations(sentence)
        found = self._stream.check(sentence.text)
        for finding in found.findings:
            log.info("sentence_repaired", turn_id=self._turn_id, rule=finding.rule, level=finding.level)
        if found.safe_text != sentence.text:
            return AnswerSentence(found.safe_text)
        return self._with_known_citations(sentence)

    def _with_known_citations(self, sentence: AnswerSentence) -> AnswerSentence:
        return replace(sentence, citations=tuple(one for one in sentence.citations if one in self._known))


def _facts(view: HouseholdView, context: TurnContext) -> SafetyFacts:
    """What the records say of every pet at home, and all lines that an answer of this turn may rest on."""
    facts = _facts_of_household(view, context.now.date())
    told = [line.text for line in context.recalled] + [written.content for written in context.written]
    told += [line.text for line in context.owner_lines] + [line.text for card in context.cards for line in card.lines]
    return replace(
        facts,
        about=frozenset(pet.id for pet in context.subjects),
        extra_support=(*facts.extra_support, *told, *context.due),
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
    return carried + [line.memory_id for line in context.recalled]
