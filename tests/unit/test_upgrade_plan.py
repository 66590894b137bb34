"""What rises meets a card that holds only so much: condense, then the least recalled goes down, then the newcomer."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.core_budget import CardItem, Limits
from memory.scoring import Signals
from memory.upgrade import Move, Standing
from memory.upgrade_plan import CardState, SubjectPlan, plan_subject
from memory.vocabulary import Kind, MemoryStatus, Tier

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SMALL = Limits(items=3, chars=30)


def on_card(name: str, recalls: int = 0, content: str = "一行字", **more: bool) -> CardItem:
    return CardItem(name, content, recalls, NOW, **more)


def rising(name: str, cited: int = 6, tier: Tier = Tier.SHORT) -> Standing:
    return Standing(name, "dog", Kind.FACT, tier, MemoryStatus.ACTIVE, Signals(cited=cited), 0.95, 2, NOW, NOW)


def plan(
    due: list[Standing], card: list[CardItem], waiting: list[CardItem] | None = None, **more: object
) -> SubjectPlan:
    items = {one.id: on_card(one.id, one.signals.recall_count) for one in due}
    state = CardState(card, waiting or [], items, SMALL)
    return plan_subject(due, state, NOW, **more)  # type: ignore[arg-type]  # passed through


def moves(planned: SubjectPlan) -> dict[str, Move | None]:
    return {verdict.id: verdict.move for verdict in planned.verdicts}


def test_a_card_with_room_takes_what_rises() -> None:
    planned = plan([rising("new")], [on_card("a"), on_card("b")])
    assert moves(planned) == {"new": Move.PROMOTED}
    assert (planned.made_room, planned.turned_away) == ((), ())


def test_the_least_recalled_makes_room_for_a_newcomer() -> None:
    planned = plan([rising("new")], [on_card("a", 9), on_card("b", 1), on_card("c", 5)])
    assert planned.made_room == ("b",)
    assert moves(planned) == {"new": Move.PROMOTED}


def test_where_nothing_may_move_the_newcomer_goes_to_its_archive_and_the_owner_is_told() -> None:
    full = [on_card("a", locked=True), on_card("b", protected=True), on_card("c", safety=True)]
    planned = plan([rising("new")], full)
    assert (planned.made_room, planned.turned_away) == ((), ("new",))
    assert moves(planned) == {"new": Move.TURNED_AWAY}
    assert planned.verdicts[0].tier is Tier.LONG


def test_condensing_comes_before_anything_moves() -> None:
    long_lines = [on_card(name, content="很长很长很长很长很长的一行字") for name in "ab"]
    planned = plan(
        [rising("new")], long_lines, condense=lambda item: item.content.replace("很长", "")[:8] or item.content
    )
    assert planned.made_room == ()
    assert set(planned.condensed) <= {"a", "b"}
    assert planned.condensed


def test_of_several_newcomers_the_most_used_stay() -> None:
    planned = plan([rising("five", 5), rising("nine", 9), rising("four", 4), rising("eight", 8)], [])
    assert moves(planned) == {
        "nine": Move.PROMOTED,
        "eight": Move.PROMOTED,
        "five": Move.PROMOTED,
        "four": Move.MADE_ROOM,
    }


def test_a_records_line_that_found_no_room_enters_first() -> None:
    planned = plan([rising("new", 9)], [on_card("a", 3), on_card("b", 4)], [on_card("allergy", safety=True)])
    assert planned.entered == ("allergy",)
    assert planned.made_room == ("a",)
    assert moves(planned) == {"new": Move.PROMOTED}


def test_a_line_climbs_back_only_over_one_that_was_used_less() -> None:
    full = [on_card("a", 6), on_card("b", 7), on_card("c", 8)]
    assert moves(plan([rising("back", 6, Tier.LONG)], full)) == {"back": None}
    assert plan([rising("back", 6, Tier.LONG)], full).is_quiet
    assert plan([rising("back", 7, Tier.LONG)], full).made_room == ("a",)


def test_a_card_whose_limits_were_lowered_is_brought_back() -> None:
    stale = replace(rising("seen", 0), tier=Tier.LONG)
    planned = plan([stale], [on_card(name, number) for number, name in enumerate("abcde")])
    assert planned.made_room == ("a", "b")


@pytest.mark.parametrize(
    "status", [MemoryStatus.SUPERSEDED, MemoryStatus.CANDIDATE, MemoryStatus.REJECTED, MemoryStatus.DELETED]
)
def test_what_left_service_while_it_stood_on_the_card_is_no_line_of_it(status: MemoryStatus) -> None:
    gone = replace(rising("gone", tier=Tier.CORE), status=status)
    planned = plan([gone, rising("new")], [on_card("a")])
    assert moves(planned) == {"gone": None, "new": Move.PROMOTED}
