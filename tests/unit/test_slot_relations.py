"""How a new statement stands to what is known."""

from datetime import UTC, date, datetime

import pytest

from memory.slot_relations import LiveFact, Relation, Said, Slot, relate, relate_to_slot, says_the_same
from memory.vocabulary import Cardinality, Risk, SpeechAct

ONE = Slot("diet.staple_food", Risk.LOW, Cardinality.ONE)
MANY = Slot("preference", Risk.LOW, Cardinality.MANY)
SERIES = Slot("weight", Risk.LOW, Cardinality.SERIES)
GUARD = Slot("medication:prednisolone", Risk.HIGH, Cardinality.ONE, guards=True)

SAME, BESIDE, AGAINST = Relation.SAME, Relation.COMPATIBLE, Relation.CONTRADICTS
DAY, NEXT_DAY = date(2026, 3, 1), date(2026, 3, 2)


def food(name: str, negated: bool = False) -> Said:
    return Said({"food": name}, negated)


def kilos(number: float, day: date | None = DAY) -> Said:
    return Said({"number": number, "unit": "kg"}, occurred_on=day)


@pytest.mark.parametrize(
    ("slot", "known", "new", "expected"),
    [
        (ONE, food("冠能"), food("冠能"), SAME),
        (ONE, food("Acana"), food(" acana "), SAME),
        (ONE, food("冠能"), food("爱肯拿"), AGAINST),
        (ONE, food("冠能"), food("冠能", negated=True), AGAINST),
        (ONE, food("冠能"), food("爱肯拿", negated=True), BESIDE),
        (ONE, food("冠能"), Said({"amount": "80克"}), SAME),  # a detail that nothing speaks against
        (MANY, food("苹果"), food("香蕉"), BESIDE),
        (MANY, food("苹果"), food("苹果"), SAME),
        (MANY, food("苹果"), food("苹果", negated=True), AGAINST),
        (MANY, Said(content="怕打雷"), Said(content="怕打雷啦"), SAME),
        (MANY, Said(content="怕打雷"), Said(content="怕吹风机"), BESIDE),
        (SERIES, kilos(5.2), kilos(5.2), SAME),
        (SERIES, kilos(5.2), kilos(5.20, None), SAME),
        (SERIES, kilos(5.2), kilos(5.2, NEXT_DAY), BESIDE),
        (SERIES, kilos(5.2), kilos(5.4), BESIDE),
        (GUARD, Said(), Said(), SAME),
        (GUARD, Said({"dose_text": "5mg"}), Said({"dose_text": "10mg"}), AGAINST),
        (GUARD, Said({"dose_text": "5mg"}), Said({"frequency_text": "一天一次"}), SAME),
        (GUARD, Said({"dose_text": "5mg"}), Said({"dose_text": "10mg"}, negated=True), AGAINST),
        (GUARD, Said(negated=True), Said(), Relation.RAISES_DANGER),
        (GUARD, Said({"reaction": "起疹"}), Said({"reaction": "脸肿"}), SAME),
    ],
)
def test_relation_of_two_statements(slot: Slot, known: Said, new: Said, expected: Relation) -> None:
    assert relate(new, known, slot) is expected


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (SpeechAct.STATEMENT, Relation.NARROWS),
        (SpeechAct.DECISION, Relation.CONTRADICTS),
        (SpeechAct.CORRECTION, Relation.CONTRADICTS),
    ],
)
def test_a_rhythm_of_its_own_narrows_unless_it_is_a_decision(act: SpeechAct, expected: Relation) -> None:
    weekend = Said({"time": "20:00", "recurrence": {"weekdays": [6, 7]}})
    assert relate(weekend, Said({"time": "07:00"}), ONE, act) is expected


def fact(identifier: str, said: Said) -> LiveFact:
    return LiveFact(identifier, said, datetime(2026, 3, 5, tzinfo=UTC))


def test_a_denial_opposes_the_danger_even_when_an_equal_denial_is_known() -> None:
    facts = [fact("fine", Said(negated=True)), fact("danger", Said())]
    standing = relate_to_slot(Said(negated=True), SpeechAct.STATEMENT, GUARD, facts)
    assert (standing.relation, standing.facts, standing.lowers) == (AGAINST, (facts[1],), True)


def test_what_is_told_again_wins_over_what_it_opposes() -> None:
    facts = [fact("fine", Said(negated=True)), fact("danger", Said())]
    standing = relate_to_slot(Said(), SpeechAct.STATEMENT, GUARD, facts)
    assert (standing.relation, standing.facts) == (SAME, (facts[1],))


def test_an_unopposed_danger_raises_and_an_unopposed_denial_does_not() -> None:
    assert relate_to_slot(Said(), SpeechAct.STATEMENT, GUARD, []).relation is Relation.RAISES_DANGER
    assert relate_to_slot(Said(negated=True), SpeechAct.STATEMENT, GUARD, []).relation is BESIDE


SCALE = [fact("march", kilos(5.2)), fact("april", kilos(5.6, date(2026, 4, 1)))]


@pytest.mark.parametrize(
    ("corrects", "expected"),
    [(5.2, "march"), ("2026-03-01", "march"), (5.6, "april"), (None, "april"), (9.9, "april")],
)
def test_a_correction_in_a_series_concerns_the_row_it_takes_back(corrects: object, expected: str) -> None:
    new = Said({"number": 6.5, "unit": "kg", "corrects": corrects})
    standing = relate_to_slot(new, SpeechAct.CORRECTION, SERIES, SCALE)
    assert (standing.relation, [one.id for one in standing.facts]) == (AGAINST, [expected])


def test_a_correction_to_what_is_already_recorded_is_told_again() -> None:
    assert relate_to_slot(kilos(5.2), SpeechAct.CORRECTION, SERIES, SCALE).relation is SAME


def test_a_correction_of_an_empty_series_is_a_first_row() -> None:
    assert relate_to_slot(kilos(5.2), SpeechAct.CORRECTION, SERIES, []).relation is BESIDE


def test_a_correction_among_many_concerns_only_what_it_names() -> None:
    toys = [fact("ball", food("网球")), fact("rope", food("绳结"))]
    named = Said({"food": "飞盘", "corrects": "网球"})
    assert relate_to_slot(named, SpeechAct.CORRECTION, MANY, toys).facts == (toys[0],)
    assert relate_to_slot(food("飞盘"), SpeechAct.CORRECTION, MANY, toys).relation is BESIDE


def test_the_field_has_the_first_word() -> None:
    def half_kilos_are_jin(slot: Slot, known: Said, new: Said) -> Relation | None:
        in_kilos = [one.value["number"] / (2 if one.value["unit"] == "jin" else 1) for one in (known, new)]
        return SAME if in_kilos[0] == in_kilos[1] else None

    jin = Said({"number": 10.4, "unit": "jin"}, occurred_on=DAY)
    assert says_the_same(jin, kilos(5.2), SERIES, half_kilos_are_jin)
    assert not says_the_same(jin, kilos(5.2), SERIES)
