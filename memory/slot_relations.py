"""How a new statement stands to what a slot already holds: values in, one word out.

A slot is one attribute of one subject. Only statements about the same slot ever meet here, so nothing can close a
fact about another pet or another attribute. What needs knowledge of the field (that stage 3 is worse than stage 2,
that 68 斤 are 34 公斤) comes from a `Comparer` of the caller; this module stays generic.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol

from memory.happenings import Telling, is_another
from memory.routines import is_routine
from memory.similarity import same_thing
from memory.text_folding import fold_text
from memory.vocabulary import Cardinality, MemoryStatus, Risk, SpeechAct

DESCRIPTIVE_KEYS = frozenset({"corrects", "reaction", "reaction_seen"})
"""Keys of a value that describe the statement; two of them that differ do not make two statements disagree."""


class Relation(StrEnum):
    SAME = "same"
    COMPATIBLE = "compatible"  # both can be true
    CONTRADICTS = "contradicts"
    NARROWS = "narrows"  # limits when or how far the known fact holds (周末还是晚上, 只有生的不行)
    RAISES_DANGER = "raises_danger"  # makes every later answer more careful than what is known


@dataclass(frozen=True, slots=True)
class Slot:
    """What the catalogue of attributes says of one slot.

    guards: asserted, the slot makes answers more careful (an allergy, a condition, a current drug); denied, less so.
    A slot of one value is told apart by its value's keys only: what differs in the day alone (a birthday, an
    appointment) needs a comparer, or the day among the keys.
    correction_risk: of taking back what was recorded, where it differs (a new weight is low risk, another figure for
    a recorded one is not); None: the same as `risk`.
    """

    attribute: str
    risk: Risk
    cardinality: Cardinality
    guards: bool = False
    correction_risk: Risk | None = None

    @property
    def risk_of_change(self) -> Risk:
        """The risk of contradicting what the slot holds."""
        return self.correction_risk or self.risk


@dataclass(frozen=True, slots=True)
class Said:
    """The content of one statement: the value it gives the slot (keys as in `Claim.value`), or its denial.

    said_at: the owner's local time of saying, which tells one happening from the next; None when it is not known.
    """

    value: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    negated: bool = False
    occurred_on: date | None = None
    content: str = ""
    said_at: datetime | None = None

    @property
    def telling(self) -> Telling:
        """The statement as something that happened at a time."""
        return Telling(self.content, self.occurred_on, self.said_at)


@dataclass(frozen=True, slots=True)
class LiveFact:
    """One row of the slot that is served now, as a fact or as a provisional caution.

    affirmed_at: when it was last said or seen to be so; older news never beats it.
    protected: locked, or written by the owner: only the owner's own word changes it.
    """

    id: str
    said: Said
    affirmed_at: datetime
    status: MemoryStatus = MemoryStatus.ACTIVE
    protected: bool = False


class Comparer(Protocol):
    """The field's own opinion of two statements on one slot; None leaves it to the generic rule."""

    def __call__(self, slot: Slot, known: Said, new: Said) -> Relation | None: ...


def no_opinion(slot: Slot, known: Said, new: Said) -> Relation | None:
    """The comparer of a slot that needs no knowledge of the field."""
    return None


@dataclass(frozen=True, slots=True)
class Standing:
    """The relation to the slot as a whole and the facts it concerns; `lowers`: it would make answers less careful."""

    relation: Relation
    facts: tuple[LiveFact, ...] = ()
    lowers: bool = False


def relate_to_slot(
    new: Said, act: SpeechAct, slot: Slot, facts: Sequence[LiveFact], compare: Comparer = no_opinion
) -> Standing:
    """Compare `new` with every live fact of the slot and name the relation that matters most.

    What would lower a guard is a contradiction even when an equal denial stands in the slot as well. After that:
    the same, a contradiction, a danger, a narrowing; what is none of these can be true beside the rest.
    """
    if slot.cardinality is not Cardinality.ONE and act is SpeechAct.CORRECTION:
        corrected = _standing_of_correction(new, slot, facts, compare)
        if corrected is not None:
            return corrected
    related = [(relate(new, fact.said, slot, act, compare), fact) for fact in facts]
    lowered = tuple(fact for relation, fact in related if _lowers(relation, new, fact.said, slot))
    if lowered:
        return Standing(Relation.CONTRADICTS, lowered, lowers=True)
    for relation in (Relation.SAME, Relation.CONTRADICTS, Relation.RAISES_DANGER, Relation.NARROWS):
        concerned = tuple(fact for found, fact in related if found is relation)
        if concerned:
            return Standing(relation, concerned)
    unopposed = slot.guards and not new.negated
    return Standing(Relation.RAISES_DANGER if unopposed else Relation.COMPATIBLE)


def relate(
    new: Said,
    known: Said,
    slot: Slot,
    act: SpeechAct = SpeechAct.STATEMENT,
    compare: Comparer = no_opinion,
) -> Relation:
    """Name the relation of `new` to one known statement on the same slot."""
    opinion = compare(slot, known, new)
    if opinion is not None:
        return opinion
    if slot.cardinality is Cardinality.SERIES:
        return _relate_in_series(new, known, slot)
    agree = _agree(new, known, slot)
    if slot.cardinality is Cardinality.MANY and not agree:
        return Relation.COMPATIBLE
    if new.negated != known.negated:
        return _relate_opposites(known, slot, agree)
    if new.negated or agree:
        return Relation.SAME
    return Relation.NARROWS if _only_at_times(new, known, act) else Relation.CONTRADICTS


def says_the_same(one: Said, other: Said, slot: Slot, compare: Comparer = no_opinion) -> bool:
    """Whether two statements propose the same thing for the slot; used to recognise a candidate told again."""
    return relate(one, other, slot, compare=compare) is Relation.SAME


def _lowers(relation: Relation, new: Said, known: Said, slot: Slot) -> bool:
    if not slot.guards or known.negated or relation not in (Relation.CONTRADICTS, Relation.NARROWS):
        return False
    return new.negated or relation is Relation.NARROWS


def _relate_opposites(known: Said, slot: Slot, agree: bool) -> Relation:
    """One statement asserts what the other denies; denying 渴望 leaves room for 皇家, denying a drug does not."""
    if slot.guards:
        return Relation.RAISES_DANGER if known.negated else Relation.CONTRADICTS
    return Relation.CONTRADICTS if agree else Relation.COMPATIBLE


def _relate_in_series(new: Said, known: Said, slot: Slot) -> Relation:
    """A series holds one row a happening: only the same value at the same time, or without one, is told again."""
    if new.negated != known.negated or not _agree(new, known, slot):
        return Relation.COMPATIBLE
    if is_routine(new.content, new.occurred_on) != is_routine(known.content, known.occurred_on):
        return Relation.COMPATIBLE  # 每天睡前刷牙 is not said again by 今天刷牙了, nor the other way round
    same_day = new.telling.day is None or new.telling.day == known.telling.day
    again = is_another(known.telling, new.telling)
    return Relation.SAME if same_day and not again else Relation.COMPATIBLE


def _standing_of_correction(new: Said, slot: Slot, facts: Sequence[LiveFact], compare: Comparer) -> Standing | None:
    """Among several rows a correction concerns the one it takes back; in a series that it does not name, the newest."""
    told = tuple(fact for fact in facts if relate(new, fact.said, slot, compare=compare) is Relation.SAME)
    if told:
        return Standing(Relation.SAME, told)
    opposed = [fact for fact in facts if relate(new, fact.said, slot, compare=compare) is Relation.CONTRADICTS]
    named = [fact for fact in facts if _takes_back(new, fact.said)] or opposed
    meant = named or (facts if slot.cardinality is Cardinality.SERIES else ())
    if not meant:
        return None
    newest = max(meant, key=lambda fact: (fact.said.occurred_on or date.min, fact.affirmed_at, fact.id))
    return Standing(Relation.CONTRADICTS, (newest,), lowers=slot.guards and new.negated)


def _takes_back(new: Said, known: Said) -> bool:
    corrected = new.value.get("corrects")
    if corrected is None:
        return False
    held = {_folded(value) for key, value in known.value.items() if key not in DESCRIPTIVE_KEYS}
    if known.occurred_on is not None:
        held.add(known.occurred_on.isoformat())
    return _folded(corrected) in held


def _agree(new: Said, known: Said, slot: Slot) -> bool:
    """Equal on every key that both give.

    With no key in common, a slot of one value whose name or value says what it is about (`allergy:chicken`, a dose
    beside a rhythm) has nothing to disagree on; elsewhere the lines themselves must say the same thing.
    """
    ours, theirs = _comparable(new.value), _comparable(known.value)
    shared = ours.keys() & theirs.keys()
    if shared:
        return all(ours[key] == theirs[key] for key in shared)
    if slot.cardinality is Cardinality.ONE and (ours or theirs or ":" in slot.attribute):
        return True
    return same_thing(new.content, known.content)


def _comparable(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _folded(held) for key, held in value.items() if key not in DESCRIPTIVE_KEYS and held is not None}


def _folded(held: Any) -> Any:
    if isinstance(held, bool):
        return held
    if isinstance(held, int | float):
        return float(held)
    if isinstance(held, str):
        return "".join(fold_text(held).split())
    if isinstance(held, Mapping):
        return tuple(sorted((key, _folded(inner)) for key, inner in held.items()))
    if isinstance(held, Sequence):
        return tuple(_folded(inner) for inner in held)
    return held


def _only_at_times(new: Said, known: Said, act: SpeechAct) -> bool:
    """A rhythm of its own (weekends, a season) beside a fact without one limits the fact; a decision replaces it."""
    if act in (SpeechAct.CORRECTION, SpeechAct.DECISION):
        return False
    return _named_days(new) and not _named_days(known)


def _named_days(said: Said) -> bool:
    recurrence = said.value.get("recurrence")
    return isinstance(recurrence, Mapping) and any(recurrence.get(key) for key in ("weekdays", "days", "month"))
