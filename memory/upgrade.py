"""The nightly upgrade of one memory: what its score decides, and what happens to it next. Values in, values out.

Short-term memories rise to the card, are watched on, or go to their archive; a line of the card that nobody used for
long steps down; an archived line that keeps being used climbs back; what has faded leaves everyday recall and stays in
the archive. What is locked, written by the owner or in force for safety never moves on its own, and a line that
mirrors a record stands where its record puts it.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from math import log2

from memory.decay import days_until_faded, has_faded, weight_now
from memory.items import MemoryItem
from memory.scoring import (
    DEFAULT_THRESHOLDS,
    FRESHNESS_HALF_LIFE_DAYS,
    FRESHNESS_SHARE,
    Band,
    ScoreParts,
    Signals,
    Thresholds,
    decide_band,
    explain,
)
from memory.visibility import SAFETY_CLASSES, SERVED
from memory.vocabulary import Kind, MemoryStatus, Tier, Upgrade

SECONDS_A_DAY = 86_400.0
STALE_CORE_DAYS = 90.0  # about the half-life of a fact (87 days): unused that long, a line leaves the card
CLIMB_WITHIN_DAYS = 30.0  # a climb needs a use this fresh, so that what stepped down as stale does not bounce back
_SLACK = timedelta(minutes=1)  # past a threshold, where the comparison is certain
_SOONEST = timedelta(hours=12)  # whatever was reviewed is not reviewed again in the same night


class Move(StrEnum):
    """Why the upgrade changed a memory; kept as the reason of the new version."""

    PROMOTED = "promoted"  # to the card
    CLIMBED = "climbed_back"  # from the archive to the card
    ARCHIVED = "to_archive"  # from short-term to its topic's archive
    STEPPED_DOWN = "stale_on_card"
    MADE_ROOM = "card_full"  # the least recalled line of a full card
    TURNED_AWAY = "card_full_newcomer"
    CONDENSED = "condensed"
    FADED = "faded"
    ENDED = "ended_as_told"  # its own words said until when it holds
    UNCONFIRMED = "never_confirmed"
    OVERFLOW = "too_many_short"
    FOLDED = "folded"  # the oldest of a topic that holds too many entries


@dataclass(frozen=True, slots=True)
class UpgradeRules:
    """The numbers of the nightly upgrade; days each."""

    thresholds: Thresholds = DEFAULT_THRESHOLDS
    stale_core_days: float = STALE_CORE_DAYS
    climb_within_days: float = CLIMB_WITHIN_DAYS


DEFAULT_RULES = UpgradeRules()


@dataclass(frozen=True, slots=True)
class Standing:
    """One memory as the upgrade sees it.

    touched_at: its last use or evidence. settled: locked or written by the owner, so it neither moves nor fades.
    safety: a fact in force that never fades nor leaves a card. mirror: rendered from a record, which alone says where
    it stands. Without a subject there is no card.
    """

    id: str
    subject: str | None
    kind: Kind
    tier: Tier
    status: MemoryStatus
    signals: Signals
    confidence: float
    weight_level: int
    learned_at: datetime
    touched_at: datetime
    upgrade: Upgrade = Upgrade.NONE
    expires_at: datetime | None = None
    settled: bool = False
    safety: bool = False
    mirror: bool = False

    def days_idle(self, now: datetime) -> float:
        return max(0.0, (now - self.touched_at).total_seconds() / SECONDS_A_DAY)

    def age_days(self, now: datetime) -> float:
        return max(0.0, (now - self.learned_at).total_seconds() / SECONDS_A_DAY)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a memory stands after the night. move None: it stays. review_at: when it must be looked at again."""

    id: str
    tier: Tier
    status: MemoryStatus
    upgrade: Upgrade
    parts: ScoreParts
    move: Move | None = None
    review_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What becomes of a memory if nobody uses it any more; `at` is when that may be decided."""

    move: Move
    at: datetime


def standing_of(item: MemoryItem) -> Standing:
    """A stored memory as the upgrade sees it."""
    return Standing(
        id=item.id,
        subject=item.subject,
        kind=Kind(item.kind),
        tier=Tier(item.tier),
        status=MemoryStatus(item.status),
        signals=Signals(item.cited, item.viewed, item.hit),
        confidence=item.confidence,
        weight_level=item.weight_level,
        learned_at=item.learned_at,
        touched_at=max(item.last_evidence_at, item.last_used_at or item.last_evidence_at),
        upgrade=Upgrade(item.upgrade),
        expires_at=item.expires_at,
        settled=item.locked or item.protected,
        safety=item.attribute_class in SAFETY_CLASSES and item.status in SERVED,
        mirror=item.record_id is not None,
    )


def parts_of_score(one: Standing, now: datetime) -> ScoreParts:
    """The four parts of its score at `now`."""
    return explain(one.signals, one.confidence, one.weight_level, one.days_idle(now))


def weight_of(one: Standing, now: datetime) -> float:
    """Its decayed weight at `now`."""
    return weight_now(one.weight_level, one.kind, one.days_idle(now), exempt=one.settled or one.safety)


def judge(one: Standing, now: datetime, rules: UpgradeRules = DEFAULT_RULES) -> Verdict:
    """Decide about one memory. Whether the card has room for it is not asked here."""
    move = _move(one, now, rules)
    tier, status = _where(one, move)
    watched = move is None and _is_watched(one, now, rules)
    after = replace(one, tier=tier, status=status)
    return Verdict(
        id=one.id,
        tier=tier,
        status=status,
        upgrade=Upgrade.PENDING if watched else Upgrade.NONE,
        parts=parts_of_score(one, now),
        move=move,
        review_at=next_review(after, now, rules),
    )


def next_review(one: Standing, now: datetime, rules: UpgradeRules = DEFAULT_RULES) -> datetime | None:
    """When something changes by itself, later than this night; None when only a use or a word of the owner can."""
    coming = foresee(one, now, rules)
    return None if coming is None else max(coming.at, now + _SOONEST)


def foresee(one: Standing, now: datetime, rules: UpgradeRules = DEFAULT_RULES) -> Foreseen | None:
    """The next change of a memory that nobody uses any more; None when there is none."""
    coming = sorted(_changes_ahead(one, now, rules), key=lambda change: change.at)
    return coming[0] if coming else None


def _changes_ahead(one: Standing, now: datetime, rules: UpgradeRules) -> list[Foreseen]:
    if one.status is MemoryStatus.CANDIDATE and not one.settled:
        return [Foreseen(Move.UNCONFIRMED, _later(one.touched_at, rules.thresholds.pending_days))]
    if one.status not in SERVED:
        return []
    ahead = [Foreseen(Move.ENDED, one.expires_at)] if one.expires_at is not None else []
    if one.settled or one.mirror:
        return ahead
    if not one.safety:
        ahead.append(Foreseen(Move.FADED, _later(one.touched_at, days_until_faded(one.weight_level, one.kind))))
    if (rise := _rise(one, now, rules)) is not None:
        ahead.append(Foreseen(rise, now))
    elif one.tier is Tier.SHORT:
        ahead.append(Foreseen(Move.ARCHIVED, _leaves_short_at(one, now, rules.thresholds)))
    elif one.tier is Tier.CORE and not one.safety:
        ahead.append(Foreseen(Move.STEPPED_DOWN, _later(one.touched_at, rules.stale_core_days)))
    return ahead


def _move(one: Standing, now: datetime, rules: UpgradeRules) -> Move | None:
    if one.status is MemoryStatus.CANDIDATE:
        over = one.days_idle(now) > rules.thresholds.pending_days
        return Move.UNCONFIRMED if over and not one.settled else None
    if one.status not in SERVED:
        return None
    if one.expires_at is not None and one.expires_at <= now:
        return Move.ENDED
    if one.settled or one.mirror:
        return None
    if has_faded(weight_of(one, now)):
        return Move.FADED
    return _rise(one, now, rules) or _descent(one, now, rules)


def _rise(one: Standing, now: datetime, rules: UpgradeRules) -> Move | None:
    """Whether it has earned a place on the card."""
    if one.tier is Tier.CORE or one.subject is None or _band(one, now, rules) is not Band.CORE:
        return None
    if one.tier is Tier.SHORT:
        return Move.PROMOTED
    return Move.CLIMBED if one.days_idle(now) <= rules.climb_within_days else None


def _descent(one: Standing, now: datetime, rules: UpgradeRules) -> Move | None:
    if one.tier is Tier.CORE:
        stale = one.days_idle(now) > rules.stale_core_days and not one.safety
        return Move.STEPPED_DOWN if stale else None
    leaves = one.tier is Tier.SHORT and _band(one, now, rules) is Band.ARCHIVE
    return Move.ARCHIVED if leaves else None


def _band(one: Standing, now: datetime, rules: UpgradeRules) -> Band:
    score, age = parts_of_score(one, now).score, one.age_days(now)
    cited = one.signals.cited if one.subject is not None else 0
    return decide_band(score, cited, one.kind, age, rules.thresholds)


def _is_watched(one: Standing, now: datetime, rules: UpgradeRules) -> bool:
    movable = one.status in SERVED and not one.settled and not one.mirror
    return movable and one.tier is Tier.SHORT and _band(one, now, rules) is Band.PENDING


def _where(one: Standing, move: Move | None) -> tuple[Tier, MemoryStatus]:
    match move:
        case None:
            return one.tier, one.status
        case Move.PROMOTED | Move.CLIMBED:
            return Tier.CORE, one.status
        case Move.FADED | Move.ENDED | Move.UNCONFIRMED | Move.FOLDED:
            return Tier.LONG, MemoryStatus.ARCHIVED
        case _:
            return Tier.LONG, one.status


def _leaves_short_at(one: Standing, now: datetime, thresholds: Thresholds) -> datetime:
    """When the band of an unused short-term memory becomes ARCHIVE: its score is below .50 and it is old, or watching
    ends."""
    parts = parts_of_score(one, now)
    missing = thresholds.pending_score - (parts.score - FRESHNESS_SHARE * parts.freshness)
    watched_until = one.learned_at + timedelta(days=thresholds.pending_days)
    if missing <= 0:
        return watched_until
    drop_days = max(0.0, FRESHNESS_HALF_LIFE_DAYS * log2(FRESHNESS_SHARE / missing))
    return min(watched_until, max(_later(one.touched_at, drop_days), _later(one.learned_at, thresholds.short_days)))


def _later(since: datetime, days: float) -> datetime:
    return since + timedelta(days=days) + _SLACK
