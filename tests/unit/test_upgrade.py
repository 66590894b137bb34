"""What a night decides about one memory, corner by corner."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.scoring import Signals
from memory.upgrade import DEFAULT_RULES, Move, Standing, foresee, judge, next_review, weight_of
from memory.vocabulary import Kind, MemoryStatus, Tier, Upgrade

LEARNED = datetime(2026, 3, 1, 4, tzinfo=UTC)
DAY = timedelta(days=1)


def memory(**given: object) -> Standing:
    known: dict[str, object] = {
        "id": "one",
        "subject": "dog",
        "kind": Kind.FACT,
        "tier": Tier.SHORT,
        "status": MemoryStatus.ACTIVE,
        "signals": Signals(),
        "confidence": 0.95,
        "weight_level": 2,
        "learned_at": LEARNED,
        "touched_at": LEARNED,
    }
    return Standing(**known | given)  # type: ignore[arg-type]  # a table of fields


@pytest.mark.parametrize(
    ("standing", "days", "move", "upgrade"),
    [
        (memory(), 1, None, Upgrade.PENDING),
        (memory(weight_level=1, confidence=0.9), 10, None, Upgrade.NONE),
        (memory(weight_level=1, confidence=0.9), 30, None, Upgrade.NONE),  # on the day itself it is not older yet
        (memory(weight_level=1, confidence=0.9), 31, Move.ARCHIVED, Upgrade.NONE),
        (memory(weight_level=3), 46, None, Upgrade.PENDING),
        (memory(weight_level=3), 47, Move.ARCHIVED, Upgrade.NONE),
        (memory(weight_level=3, signals=Signals(viewed=2)), 59.9, None, Upgrade.PENDING),
        (memory(weight_level=3, signals=Signals(viewed=2)), 60, Move.ARCHIVED, Upgrade.NONE),
        (memory(weight_level=3, signals=Signals(cited=2)), 0, Move.PROMOTED, Upgrade.NONE),
        (memory(weight_level=3, signals=Signals(cited=1, viewed=9)), 0, None, Upgrade.PENDING),  # too few citations
        (memory(weight_level=3, signals=Signals(cited=2), subject=None), 0, None, Upgrade.PENDING),  # no card to go to
        (memory(kind=Kind.BELIEF, weight_level=3, signals=Signals(cited=9)), 0, None, Upgrade.PENDING),
        (memory(kind=Kind.BELIEF, confidence=0.6), 38, Move.FADED, Upgrade.NONE),
        (memory(kind=Kind.EVENT, confidence=0.95), 17, None, Upgrade.NONE),
        (memory(kind=Kind.EVENT, confidence=0.95), 18, Move.FADED, Upgrade.NONE),
        (memory(kind=Kind.EVENT, weight_level=3, safety=True), 400, Move.ARCHIVED, Upgrade.NONE),  # it never fades
        (memory(settled=True), 4000, None, Upgrade.NONE),
        (memory(mirror=True, tier=Tier.LONG), 4000, None, Upgrade.NONE),
        (memory(mirror=True, tier=Tier.LONG, signals=Signals(cited=9)), 0, None, Upgrade.NONE),
        (memory(tier=Tier.CORE), 90, None, Upgrade.NONE),
        (memory(tier=Tier.CORE), 91, Move.STEPPED_DOWN, Upgrade.NONE),
        (memory(tier=Tier.CORE, safety=True), 4000, None, Upgrade.NONE),
        (memory(tier=Tier.CORE, settled=True), 4000, None, Upgrade.NONE),
        (memory(tier=Tier.LONG, signals=Signals(cited=4)), 5, Move.CLIMBED, Upgrade.NONE),
        (memory(tier=Tier.LONG, signals=Signals(cited=40), weight_level=3), 31, None, Upgrade.NONE),  # no fresh use
        (memory(tier=Tier.LONG), 323, None, Upgrade.NONE),
        (memory(tier=Tier.LONG), 324, Move.FADED, Upgrade.NONE),
        (memory(expires_at=LEARNED + 7 * DAY), 6.9, None, Upgrade.PENDING),
        (memory(expires_at=LEARNED + 7 * DAY), 7, Move.ENDED, Upgrade.NONE),
        (memory(status=MemoryStatus.CANDIDATE), 60, None, Upgrade.NONE),
        (memory(status=MemoryStatus.CANDIDATE), 61, Move.UNCONFIRMED, Upgrade.NONE),
        (memory(status=MemoryStatus.SUPERSEDED), 4000, None, Upgrade.NONE),
        (memory(status=MemoryStatus.DELETED), 4000, None, Upgrade.NONE),
    ],
)
def test_a_night_decides_by_score_age_and_use(
    standing: Standing, days: float, move: Move | None, upgrade: Upgrade
) -> None:
    verdict = judge(standing, LEARNED + timedelta(days=days))
    assert (verdict.move, verdict.upgrade) == (move, upgrade)


def test_a_clock_set_back_counts_as_today() -> None:
    assert judge(memory(), LEARNED - 400 * DAY).parts.freshness == 1.0


standings = st.builds(
    memory,
    kind=st.sampled_from(Kind),
    tier=st.sampled_from(Tier),
    status=st.sampled_from(MemoryStatus),
    subject=st.sampled_from(["dog", "owner", None]),
    signals=st.builds(Signals, *(st.integers(0, 12) for _ in range(3))),
    confidence=st.floats(0, 1),
    weight_level=st.integers(1, 3),
    touched_at=st.floats(0, 500).map(lambda days: LEARNED + timedelta(days=days)),
    expires_at=st.none() | st.floats(0, 500).map(lambda days: LEARNED + timedelta(days=days)),
    settled=st.booleans(),
    safety=st.booleans(),
    mirror=st.booleans(),
)


@given(standings, st.floats(0, 900))
def test_what_is_foreseen_happens_then_and_nothing_happens_before(standing: Standing, days: float) -> None:
    now = max(standing.touched_at, LEARNED + timedelta(days=days))
    if judge(standing, now).move is not None:
        return
    coming = foresee(standing, now)
    if coming is None:
        assert judge(standing, now + 5000 * DAY).move is None
        return
    assert judge(standing, coming.at - timedelta(minutes=2)).move is None
    assert judge(standing, max(coming.at, now)).move is coming.move


@given(standings, st.floats(0, 900))
def test_a_memory_is_always_reviewed_later_or_never(standing: Standing, days: float) -> None:
    now = LEARNED + timedelta(days=days)
    review_at = judge(standing, now).review_at
    assert review_at is None or review_at > now


@given(standings, st.floats(0, 900))
def test_a_second_look_in_the_same_night_changes_nothing(standing: Standing, days: float) -> None:
    now = LEARNED + timedelta(days=days)
    first = judge(standing, now)
    again = judge(replace(standing, tier=first.tier, status=first.status, upgrade=first.upgrade), now)
    assert (again.tier, again.status, again.upgrade, again.move) == (first.tier, first.status, first.upgrade, None)


@given(standings, st.floats(0, 5000))
def test_what_is_protected_never_moves(standing: Standing, days: float) -> None:
    protected = replace(standing, settled=True, expires_at=None, status=MemoryStatus.ACTIVE)
    verdict = judge(protected, LEARNED + timedelta(days=days))
    assert (verdict.tier, verdict.status, verdict.move) == (standing.tier, MemoryStatus.ACTIVE, None)
    assert weight_of(protected, LEARNED + timedelta(days=days)) == pytest.approx(standing.weight_level / 3)


@given(st.integers(1, 3), st.floats(0.9, 1.0))
def test_every_band_can_be_reached_by_a_fact(level: int, confidence: float) -> None:
    one = memory(weight_level=level, confidence=confidence)
    assert judge(replace(one, signals=Signals(cited=6)), LEARNED).move is Move.PROMOTED
    assert judge(replace(one, signals=Signals(viewed=1)), LEARNED).upgrade is Upgrade.PENDING
    assert judge(one, LEARNED + 61 * DAY).move is Move.ARCHIVED


def test_changed_settings_change_what_happens() -> None:
    rules = replace(DEFAULT_RULES, thresholds=replace(DEFAULT_RULES.thresholds, core_citations=1, core_score=0.6))
    used = memory(signals=Signals(cited=1))
    assert judge(used, LEARNED).move is None
    assert judge(used, LEARNED, rules).move is Move.PROMOTED
    sooner = replace(DEFAULT_RULES, thresholds=replace(DEFAULT_RULES.thresholds, pending_days=5))
    assert judge(memory(), LEARNED + 6 * DAY, sooner).move is Move.ARCHIVED
    assert next_review(memory(), LEARNED, sooner) == LEARNED + 5 * DAY
