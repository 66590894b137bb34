"""The gate, the fusion, the order and the choice of memories: values in, values out."""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date

import pytest

from memory.embedder import RelevanceFloor
from memory.ranking import RecallItem, Scored, Signals, Wanted, choose, freshness, score
from memory.ranking_weights import Marks, RankingWeights

TODAY = date(2026, 6, 1)
FLOOR = RelevanceFloor(nothing=0.80, sure=0.90, span=0.10)
NOTHING_ASKED = Wanted()


def item(
    item_id: str,
    subject: str | None = "cat",
    attribute_class: str = "behavior",
    on: date | None = date(2026, 5, 1),
    confidence: float = 1.0,
    weight_now: float = 1.0,
) -> RecallItem:
    return RecallItem(item_id, subject, "behavior", "x", attribute_class, "fact", item_id, on, confidence, weight_now)


def ids(scored: list[Scored]) -> list[str]:
    return [one.item.id for one in scored]


def ranked(signals: dict[str, Signals], wanted: Wanted = NOTHING_ASKED, *items: RecallItem) -> list[Scored]:
    return score(items or [item(key) for key in signals], signals, wanted, FLOOR, TODAY)


@pytest.mark.parametrize(
    ("best", "keyword", "wanted", "passes"),
    [
        (0.95, 0.0, NOTHING_ASKED, True),  # surely about it
        (0.85, 0.0, NOTHING_ASKED, False),  # between: no word shared, nothing asked for
        (0.85, 3.0, NOTHING_ASKED, True),  # between, with a rare shared word
        (0.85, 0.5, NOTHING_ASKED, False),  # between, with a common character only
        (0.86, 0.0, Wanted(classes={"weight": 1.0}), True),  # nearer to sure, and it asks for what memory keeps
        (0.82, 0.0, Wanted(classes={"weight": 1.0}), False),  # nearer to nothing: a word like 几点 is in any talk
        (0.70, 9.0, Wanted(classes={"weight": 1.0}), False),  # nothing to do with the memories
    ],
)
def test_a_nonsense_question_gets_nothing(best: float, keyword: float, wanted: Wanted, passes: bool) -> None:
    assert bool(ranked({"a": Signals(best, keyword)}, wanted)) is passes


def test_a_memory_far_below_the_best_hit_is_no_answer() -> None:
    assert ids(ranked({"near": Signals(0.95), "far": Signals(0.80)})) == ["near"]


def test_a_good_keyword_hit_counts_though_its_meaning_seems_far() -> None:
    found = ranked({"near": Signals(0.95, 1.0), "word": Signals(0.80, 6.0)})
    assert set(ids(found)) == {"near", "word"}


def test_a_keyword_hit_of_zero_never_wipes_out_the_dense_score() -> None:
    found = ranked({"a": Signals(0.95, 0.0), "b": Signals(0.88, 5.0)})
    assert ids(found)[0] == "a"


def test_without_an_embedder_keywords_alone_decide() -> None:
    signals = {"strong": Signals(None, 6.0), "half": Signals(None, 3.5), "weak": Signals(None, 1.0)}
    found = score([item(key) for key in signals], signals, NOTHING_ASKED, None, TODAY)
    assert ids(found) == ["strong", "half"]


def test_what_is_asked_for_goes_before_what_only_sounds_alike() -> None:
    signals = {"sounds": Signals(0.95), "asked": Signals(0.94)}
    rows = [item("sounds"), item("asked", attribute_class="grooming")]
    assert ids(ranked(signals, Wanted(classes={"grooming": 1.0}), *rows)) == ["asked", "sounds"]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (item("a", on=date(2026, 5, 30)), item("b", on=date(2024, 5, 30))),
        (item("a", confidence=0.95), item("b", confidence=0.4)),
        (item("a", weight_now=1.0), item("b", weight_now=0.1)),
    ],
    ids=["fresher", "surer", "weightier"],
)
def test_between_equals_the_fresher_the_surer_and_the_weightier_goes_first(
    better: RecallItem, worse: RecallItem
) -> None:
    signals = {"a": Signals(0.95), "b": Signals(0.95)}
    assert ids(ranked(signals, NOTHING_ASKED, worse, better)) == ["a", "b"]


def test_freshness_lifts_nothing_over_the_gate_and_outweighs_no_relevance() -> None:
    old_answer, fresh_noise = item("old", on=date(2022, 1, 1)), item("fresh", on=TODAY)
    found = ranked({"old": Signals(0.95), "fresh": Signals(0.90)}, NOTHING_ASKED, old_answer, fresh_noise)
    assert ids(found) == ["old", "fresh"]


def test_a_story_of_the_past_is_not_pushed_down_for_its_age() -> None:
    signals = {"old": Signals(0.95), "new": Signals(0.95)}
    rows = [item("old", on=date(2023, 1, 1)), item("new", on=TODAY)]
    old, new = ranked(signals, Wanted(past=True), *rows)
    assert old.order == new.order


def test_the_newest_weighing_answers_how_heavy_now() -> None:
    rows = [item(f"w{month}", attribute_class="weight", on=date(2026, month, 1)) for month in (1, 3, 5)]
    signals = {row.id: Signals(0.92) for row in rows}
    assert ids(ranked(signals, Wanted(classes={"weight": 1.0}), *rows))[0] == "w5"


@pytest.mark.parametrize(
    ("period", "compared_with"),
    [(None, "w4"), ((date(2026, 1, 10), TODAY), "w1")],
    ids=["with the one before", "with the start of the period"],
)
def test_a_trend_needs_the_newest_and_what_it_is_compared_with(
    period: tuple[date, date] | None, compared_with: str
) -> None:
    rows = [item(f"w{month}", attribute_class="weight", on=date(2026, month, 1)) for month in (1, 3, 4, 5)]
    signals = {row.id: Signals(0.92) for row in rows}
    found = ranked(signals, Wanted(classes={"weight": 1.0}, trend=True, period=period), *rows)
    assert ids(found)[:2] == ["w5", compared_with]


def test_a_habit_of_today_surfaces_unasked() -> None:
    rows = [item("habit"), item("other")]
    assert ids(ranked({"habit": Signals(falls_today=True), "other": Signals(0.5)}, NOTHING_ASKED, *rows)) == ["habit"]


PLAIN = RankingWeights(nothing=-4.5, marks=Marks(dense=4.0, shared=2.0, asked=1.0, unlike=-1.0, aside=-3.0))
"""Weights to reckon with: the nearest of all has nearly even odds, a shared word two more."""


def scored(
    item_id: str,
    dense: float,
    subject: str | None = "cat",
    attribute_class: str = "behavior",
    keyword: float = 3.0,
) -> Scored:
    """A candidate; odds as in a household where the best cosine is 0.95."""
    signals = Signals(dense, keyword)
    odds = -4.5 + 4.0 * (1 - (0.95 - dense) / FLOOR.span) + 2.0 * (keyword >= 1)
    return Scored(item(item_id, subject, attribute_class), signals, 1 / (1 + math.exp(-odds)), 1.0, odds)


def chosen(
    found: Sequence[Scored],
    subjects: Collection[str | None] = frozenset({"cat"}),
    wanted: Wanted = NOTHING_ASKED,
    told: Collection[str] = (),
    doubtful: bool = False,
    aside: Collection[str] = (),
) -> list[str]:
    return ids(choose(found, subjects, wanted, FLOOR, told=told, doubtful=doubtful, aside=aside, weights=PLAIN))


def test_at_most_five_and_only_those_that_are_likely() -> None:
    many = [scored(str(number), 0.95 - number / 1000) for number in range(9)]
    assert chosen(many) == ["0", "1", "2", "3", "4"]
    assert chosen([scored("a", 0.95), scored("b", 0.85)]) == ["a"]
    assert chosen([]) == []


def test_a_question_for_several_things_lets_more_in() -> None:
    found = [scored("a", 0.95), scored("b", 0.855)]  # chance of b: 0.09
    assert chosen(found, wanted=Wanted(many=True)) == ["a", "b"]
    assert chosen(found, wanted=Wanted(many=False)) == ["a"]


def test_what_is_far_behind_the_best_is_no_answer_beside_it() -> None:
    steep = RankingWeights(nothing=-1.0, marks=Marks(dense=8.0))
    found = [scored("a", 0.95), scored("b", 0.88)]  # odds 7.0 and 1.4
    assert ids(choose(found, {"cat"}, NOTHING_ASKED, FLOOR, weights=steep)) == ["a"]
    assert ids(choose(found[1:], {"cat"}, NOTHING_ASKED, FLOOR, weights=steep)) == ["b"]


def test_another_pets_memories_stay_out_however_well_they_fit() -> None:
    found = [scored("dog's", 0.98, subject="dog"), scored("cat's", 0.95), scored("nobody's", 0.93, subject=None)]
    assert chosen(found, {"cat", None}) == ["cat's", "nobody's"]


def test_a_memory_is_weighed_among_those_of_the_pets_meant() -> None:
    found = [scored("dog's", 0.98, subject="dog"), scored("cat's", 0.88, keyword=0.0)]
    assert chosen(found) == ["cat's"]


def test_what_the_card_tells_is_not_repeated_but_still_sets_the_bar() -> None:
    found = [scored("on the card", 0.95), scored("near", 0.93), scored("far", 0.85)]
    assert chosen(found, told={"on the card"}) == ["near"]


@pytest.mark.parametrize("attribute_class", ["allergy", "chronic_condition", "medication"])
def test_in_doubt_a_medical_fact_is_told_only_when_nothing_fits_better(attribute_class: str) -> None:
    best = [scored("fact", 0.95, attribute_class=attribute_class), scored("habit", 0.92)]
    second = [scored("habit", 0.95), scored("fact", 0.92, attribute_class=attribute_class)]
    assert chosen(best, doubtful=True) == ["fact", "habit"]
    assert chosen(second, doubtful=True) == ["habit"]
    assert chosen(second, doubtful=False) == ["habit", "fact"]


def test_in_doubt_no_medical_fact_is_told_beside_another_pets_like_it() -> None:
    rivals = [scored("fact", 0.95, attribute_class="medication"), scored("other", 0.94, "dog")]
    apart = [scored("fact", 0.95, attribute_class="medication"), scored("other", 0.90, "dog")]
    assert chosen(rivals, doubtful=True) == []
    assert chosen(apart, doubtful=True) == ["fact"]


@pytest.mark.parametrize(
    ("second", "wanted", "told"),
    [
        (scored("b", 0.88), NOTHING_ASKED, True),  # shares a word with the question
        (scored("b", 0.88, keyword=0.0), NOTHING_ASKED, False),
        (scored("b", 0.93, keyword=0.0), NOTHING_ASKED, True),
        (scored("b", 0.93, keyword=0.0), Wanted(classes={"weight": 1.0}), False),  # of another class than is asked for
        (scored("b", 0.93, attribute_class="weight", keyword=0.0), Wanted(classes={"weight": 1.0}), True),
    ],
)
def test_nearness_of_meaning_alone_must_be_nearer_than_with_a_shared_word(
    second: Scored, wanted: Wanted, told: bool
) -> None:
    assert ("b" in chosen([scored("a", 0.95), second], wanted=wanted)) is told


def test_a_class_asked_for_by_the_meaning_of_the_question_goes_first() -> None:
    found = [scored("sounds", 0.94, keyword=0.0), scored("asked", 0.935, attribute_class="weight", keyword=0.0)]
    assert chosen(found)[0] == "sounds"
    by_meaning = replace(PLAIN, marks=replace(PLAIN.marks, meant=3.0))
    meant = Wanted(meant={"weight": 0.8, "behavior": 0.1})
    assert ids(choose(found, {"cat"}, meant, FLOOR, weights=by_meaning))[0] == "asked"


def test_the_owners_affairs_stand_aside_where_a_pet_is_meant() -> None:
    found = [scored("pet", 0.95), scored("trip", 0.90, "owner")]
    assert chosen(found, {"cat", "owner"}, aside={"trip"}) == ["pet"]
    assert chosen(found, {"cat", "owner"}) == ["pet", "trip"]


@pytest.mark.parametrize(("days", "fresh"), [(0, 1.0), (180, 0.5), (360, 0.25)])
def test_freshness_halves_every_half_year(days: int, fresh: float) -> None:
    assert freshness(date.fromordinal(TODAY.toordinal() - days), TODAY) == pytest.approx(fresh)


def test_the_future_is_as_fresh_as_today() -> None:
    assert freshness(date(2027, 1, 1), TODAY) == 1.0


def test_a_question_that_points_at_somebody_of_the_household_is_no_nonsense() -> None:
    between = {"a": Signals(0.85)}
    assert ranked(between, Wanted(known_subject=True))
    assert not ranked(between, Wanted(known_subject=False))


def test_a_habit_of_today_keeps_a_place_beside_five_answers() -> None:
    answers = [scored(str(number), 0.95) for number in range(6)]
    habits = [Scored(item(name, "owner"), Signals(falls_today=True), 0.01, 0.01) for name in ("habit", "another")]
    assert chosen([*answers, *habits], {"cat", "owner"}) == ["0", "1", "2", "3", "another"]
