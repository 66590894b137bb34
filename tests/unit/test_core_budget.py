"""The card's limits: condense, move the least recalled down, turn the newcomer away; never lose anything."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.core_budget import (
    OWNER_CARD,
    PET_CARD,
    CardItem,
    Limits,
    count_chars,
    fits,
    plan_card,
    used_chars,
)

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def item(name: str, chars: int = 10, recalls: int = 5, used: int = 0, **marks: bool) -> CardItem:
    return CardItem(name, "猫" * chars, recalls, DAY + timedelta(days=used), **marks)


def names(items: tuple[CardItem, ...]) -> list[str]:
    return [one.id for one in items]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("豆豆", 2), ("café", 4), ("cafe\u0301", 4), ("𠮷", 1), ("👍", 1), ("a b\n", 4), ("か\u3099", 1)],
)
def test_characters_are_code_points_after_nfc(text: str, expected: int) -> None:
    assert count_chars(text) == expected


def test_the_limits_are_the_contracts() -> None:
    assert (PET_CARD.items, PET_CARD.chars, OWNER_CARD.chars) == (20, 1500, 600)


@pytest.mark.parametrize(
    ("count", "chars", "expected"),
    [(20, 75, True), (20, 76, False), (21, 1, False), (1, 1500, True), (1, 1501, False), (0, 0, True)],
)
def test_a_card_fits_up_to_its_limits(count: int, chars: int, expected: bool) -> None:
    assert fits([item(str(number), chars) for number in range(count)]) is expected


def test_a_newcomer_that_fits_just_enters() -> None:
    plan = plan_card([item("a")], [item("new")])
    assert (names(plan.stays), plan.condensed, plan.moves_down, plan.turned_away) == (["a", "new"], (), (), ())


def test_condensing_comes_first_and_takes_the_longest_line() -> None:
    card = [item("long", 60), item("short", 30)]
    plan = plan_card(
        card, [item("new", 20)], Limits(chars=100), condense=lambda one: one.content[: len(one.content) // 2]
    )
    assert (plan.condensed, plan.moves_down, used_chars(plan.stays)) == (("long",), (), 80)


def test_condensing_never_touches_locked_written_or_safety_lines() -> None:
    card = [item("locked", 40, locked=True), item("own", 40, protected=True), item("safe", 40, safety=True)]
    plan = plan_card(card, [item("new", 20)], Limits(chars=130), condense=lambda one: "短")
    assert (names(plan.stays), plan.condensed) == (["locked", "own", "safe", "new"], ("new",))


@pytest.mark.parametrize("wording", ["", "猫" * 60, "猫" * 99])
def test_a_condensed_line_that_is_empty_or_not_shorter_is_not_taken(wording: str) -> None:
    plan = plan_card([item("a", 60)], [item("new", 60)], Limits(chars=100), condense=lambda one: wording)
    assert plan.condensed == ()
    assert names(plan.moves_down) == ["a"]


def test_condensing_does_not_help_against_too_many_items() -> None:
    called: list[str] = []

    def condense(one: CardItem) -> str:
        called.append(one.id)
        return "短"

    plan = plan_card([item("a"), item("b")], [item("new")], Limits(items=2), condense)
    assert (called, names(plan.moves_down)) == ([], ["a"])


@pytest.mark.parametrize(
    ("card", "leaves"),
    [
        ([item("often", recalls=9), item("rare", recalls=1)], "rare"),
        ([item("recent", used=9), item("stale", used=1)], "stale"),
        ([item("b"), item("a")], "a"),
        ([item("rare", recalls=0, locked=True), item("often", recalls=9)], "often"),
        ([item("rare", recalls=0, protected=True), item("often", recalls=9)], "often"),
        ([item("rare", recalls=0, safety=True), item("often", recalls=9)], "often"),
    ],
)
def test_the_least_recalled_that_may_move_goes_down(card: list[CardItem], leaves: str) -> None:
    plan = plan_card(card, [item("new", recalls=0)], Limits(items=2))
    assert names(plan.moves_down) == [leaves]
    assert plan.stays[-1].id == "new"
    assert not plan.card_is_full


def test_as_many_move_down_as_needed_and_no_more() -> None:
    card = [item(str(number), 30, recalls=number) for number in range(4)]
    plan = plan_card(card, [item("new", 50)], Limits(chars=120))
    assert (names(plan.moves_down), names(plan.stays)) == (["0", "1"], ["2", "3", "new"])


@pytest.mark.parametrize("mark", ["locked", "protected", "safety"])
def test_when_nothing_may_move_the_newcomer_is_turned_away_and_the_owner_told(mark: str) -> None:
    card = [item("a", **{mark: True}), item("b", **{mark: True})]
    plan = plan_card(card, [item("new")], Limits(items=2))
    assert (names(plan.stays), names(plan.turned_away), plan.card_is_full) == (["a", "b"], ["new"], True)


def test_a_newcomer_too_long_for_any_card_moves_nobody() -> None:
    plan = plan_card([item("a")], [item("new", 200)], Limits(chars=100))
    assert (names(plan.stays), plan.moves_down, names(plan.turned_away)) == (["a"], (), ["new"])


def test_safety_enters_before_the_rest_and_displaces_what_may_move() -> None:
    plan = plan_card([item("a")], [item("toy"), item("allergy", safety=True)], Limits(items=2))
    assert names(plan.stays) == ["allergy", "toy"]
    full = plan_card([item("a", locked=True)], [item("toy"), item("allergy", safety=True)], Limits(items=2))
    assert (names(full.stays), names(full.turned_away)) == (["a", "allergy"], ["toy"])


def test_a_card_over_a_lowered_limit_is_brought_back() -> None:
    plan = plan_card([item("a", recalls=1), item("b", recalls=2), item("c", recalls=0)], limits=Limits(items=1))
    assert (names(plan.moves_down), names(plan.stays)) == (["c", "a"], ["b"])


items = st.builds(
    CardItem,
    id=st.uuids().map(str),
    content=st.text(min_size=1, max_size=40),
    recall_count=st.integers(0, 9),
    last_used_at=st.integers(0, 9).map(lambda days: DAY + timedelta(days=days)),
    locked=st.booleans(),
    protected=st.booleans(),
    safety=st.booleans(),
)
cards = st.lists(items, max_size=12)


@given(cards, cards, st.integers(1, 12), st.integers(20, 300), st.booleans())
def test_nothing_is_lost_locked_lines_stay_and_the_budget_holds(
    old: list[CardItem], new: list[CardItem], max_items: int, max_chars: int, may_condense: bool
) -> None:
    limits = Limits(max_items, max_chars)
    condense = (lambda one: one.content[:5]) if may_condense else None
    plan = plan_card(old, new, limits, condense)

    everywhere = names(plan.stays) + names(plan.moves_down) + names(plan.turned_away)
    assert sorted(everywhere) == sorted(one.id for one in (*old, *new))
    fixed = {one.id: one.content for one in old if not one.may_move}
    assert fixed.items() <= {one.id: one.content for one in plan.stays}.items()
    assert fits(plan.stays, limits) or not any(one.may_move for one in plan.stays)
    if fits([one for one in old if not one.may_move], limits):
        assert fits(plan.stays, limits)
    assert plan == plan_card(old, new, limits, condense)


@given(cards, st.integers(1, 12), st.integers(20, 300))
def test_a_second_plan_changes_nothing(old: list[CardItem], max_items: int, max_chars: int) -> None:
    limits = Limits(max_items, max_chars)
    first = plan_card(old, limits=limits)
    assert plan_card(first.stays, limits=limits).stays == first.stays
