"""One night of one owner, phase by phase: read, plan, then apply in one short transaction.

The plans are `memory.consolidation`'s; here they meet what the domain knows: names of pets, a second reading of what
was said, the questions an owner has to answer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.grounded_clauses import same_matters
from domain.hunches import bring_in_line, found_about, take_up, tell_of_review
from domain.merge_questions import ask_to_merge, kept_apart
from domain.model_chores import NotAsked, Writers
from domain.model_faults import ModelFault
from domain.pets import Pet, pets_of
from domain.second_reading import read_again
from domain.statement_rows import Desk
from domain.turns import Turn
from memory import dream_words as words
from memory.consolidation.answers_of_models import UnusableAnswer, same_pairs
from memory.consolidation.applying import Night, apply_beliefs, apply_departures, apply_merges
from memory.consolidation.archive import Archives
from memory.consolidation.classify import (
    Heard,
    Merge,
    doubtful_pairs,
    plan_beliefs,
    plan_merges,
)
from memory.consolidation.collect import MOST_MESSAGES, News, collect, last_talk
from memory.consolidation.decay import due_lines, plan_departures, removable_ids
from memory.consolidation.extract import MOST_GROWTH, next_reading
from memory.consolidation.filter import Sifted, sift
from memory.consolidation.heard import belief_lines, heard_of_beliefs
from memory.consolidation.losses import Losses, TooMuchLost
from memory.consolidation.runs import Disturbed, Seen, end, hold, sleep_of, take_lease
from memory.consolidation.snapshot import moved_since, sizes
from memory.dreams import CANCELLED, Dream, add_line, counts_of_night, undone_acts
from memory.hunches import Hunch
from memory.intake import MAX_NEW_MEMORIES
from memory.items import MemoryItem
from memory.scope import Scope
from memory.slot_locks import wait_for_turn
from memory.transactions import Transactions
from memory.upgrade import DEFAULT_RULES, UpgradeRules
from memory.vocabulary import Outcome, Tier

log = structlog.get_logger(__name__)

SYSTEM = "system"
JUDGED_WITHIN_S = 60.0  # one call about all doubtful pairs; the lease is five minutes
EVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class NightParts:
    """What a night works with. writers: whose hand for the owner says whether two lines are one; None in basic mode.
    archives: makes the stale summaries of an owner anew and says whether all were made; None leaves them to the nightly
    upgrade."""

    transactions: Transactions
    real_now: Callable[[], datetime]
    tombstone_key: bytes
    writers: Writers | None = None
    archives: Archives | None = None
    rules: UpgradeRules = DEFAULT_RULES
    most_a_turn: int = MAX_NEW_MEMORIES


@dataclass(slots=True)
class NightRun:
    """A night that is going on. `phase` is the last one finished; `trouble` why it stopped, if it did."""

    scope: Scope
    dream_id: str
    phase: str
    now: datetime
    news: News
    losses: Losses
    sifted: tuple[Sifted, ...] = ()
    read: set[str] = field(default_factory=set)  # messages read again
    added: int = 0
    trouble: TooMuchLost | None = None
    failed: bool = False  # a model gave no usable answer; the next night asks it again


async def begin(parts: NightParts, scope: Scope, now: datetime) -> NightRun | None:
    """Take the lease and collect what is new (phase 1). None while another worker holds the night."""
    async with parts.transactions.write() as session:
        dream = await take_lease(session, scope, now, parts.real_now())
    if dream is None:
        return None
    async with parts.transactions.read() as session:
        sleep = await sleep_of(session, scope)
        news = await collect(session, scope, sleep.seen_message_id, sleep.seen_at)
        counts = dream.counts or await counts_of_night(session, scope, dream.night_on)
    counts = counts or {"sizes": sizes(news, now), "taken": {}}
    losses = Losses({Tier(tier): count for tier, count in counts["sizes"].items()})
    losses.taken.update({Tier(tier): count for tier, count in counts["taken"].items()})
    run = NightRun(scope, dream.id, dream.phase or "collect", now, news, losses, sift(news.messages, parts.most_a_turn))
    run.added = counts.get("added", 0)
    return run


async def run_phase(parts: NightParts, run: NightRun, phase: str) -> None:
    """Do one phase and note that it is done. Raises Disturbed, TooMuchLost."""
    await _STEPS[phase](parts, run)
    run.phase = phase


async def close(parts: NightParts, run: NightRun, status: str) -> None:
    """End the night: what it has seen is seen, unless it was cut short. Nothing is written when the lease is lost."""
    async with parts.transactions.write() as session:
        try:
            dream = await hold(session, run.scope, run.dream_id, parts.real_now())
        except Disturbed:
            return
        if run.trouble is not None:
            add_line(dream, words.STOPPED, words.stopped(run.trouble.tier))
        seen = None if status == CANCELLED else _seen(run)
        await end(session, run.scope, dream, status, run.now, seen)


async def _filter(parts: NightParts, run: NightRun) -> None:
    """Phase 2 is worked out when the night begins; here it is noted, with what there was then."""
    async with parts.transactions.write() as session:
        night = await _night(parts, run, session)
        night.dream.counts = {"sizes": {tier.value: count for tier, count in run.losses.sizes.items()}}
        night.note("filter")


async def _extract(parts: NightParts, run: NightRun) -> None:
    """Phase 3: one message a transaction, so that a killed night has read each one in full or not at all."""
    while (reading := next_reading(run.sifted, frozenset(run.read), run.added)) is not None:
        async with parts.transactions.write() as session:
            night = await _night(parts, run, session)
            written = await read_again(session, run.scope, reading, parts.tombstone_key, run.now, night.real_now)
            rows = {one.memory_id: await session.get(MemoryItem, one.memory_id) for one in written if one.memory_id}
            for item in rows.values():
                if item is not None and item.record_id is None:
                    night.made(item, words.LEARNED)
            if any(one.record_id or one.outcome is Outcome.SUPERSEDED for one in written):
                night.dream.counts = {**night.dream.counts, "final": True}
            run.read.add(reading.message.id)
            run.added += len(written)
            if written:
                text = words.learned([one.content for one in written])
                add_line(night.dream, words.LEARNED, text, list(rows), written[0].subject)
            night.dream.counts = {**night.dream.counts, "added": run.added}
            night.note("filter")


async def _classify(parts: NightParts, run: NightRun) -> None:
    """Phase 4: facts told twice become one, guesses are weighed."""
    async with parts.transactions.read() as session:
        pets = await pets_of(session, run.scope)
        names = [name for pet in pets for name in (pet.name, *pet.nicknames)]
        sleep = await sleep_of(session, run.scope)
        run.news = await collect(session, run.scope, sleep.seen_message_id, sleep.seen_at)
    judged, run.failed = await _judged(parts, run, names)
    async with parts.transactions.write() as session:
        night = await _night(parts, run, session)
        desk = _desk(run, session, pets, night.real_now)
        apart, asked_about = await kept_apart(desk)
        undone = await undone_acts(session, run.scope, run.now)
        free = [line for line in run.news.lines if line.id not in asked_about]
        merges = plan_merges(free, run.news.fresh, names, apart | undone.get(words.MERGED, set()), judged)
        await apply_merges(night, [merge for merge in merges if not merge.asks])
        await _ask(night, desk, [merge for merge in merges if merge.asks])
        groundless = await _suspect(night, run, pets)
        await _weigh(night, run, groundless, _alone(undone, *_ABOUT_GUESSES))
        if run.failed:
            add_line(night.dream, words.TROUBLE, words.judge_failed())
        night.note("classify")


async def _decay(parts: NightParts, run: NightRun) -> None:
    """Phase 5: what has lost its weight or its time leaves."""
    async with parts.transactions.write() as session:
        night = await _night(parts, run, session)
        undone = await undone_acts(session, run.scope, run.now)
        due = await due_lines(session, run.scope, run.now)
        removable = await removable_ids(session, run.scope, run.now)
        left = _alone(undone, words.ARCHIVED, words.OVER)
        await apply_departures(night, plan_departures(due, removable, run.now, left, parts.rules))
        night.note("decay")


async def _archive(parts: NightParts, run: NightRun) -> None:
    """Phase 6: the archives of what was touched are made anew from their sources."""
    if parts.archives is None or await parts.archives(run.scope, run.now):
        return
    async with parts.transactions.write() as session:
        night = await _night(parts, run, session)
        add_line(night.dream, words.TROUBLE, words.summary_kept())
        night.note("archive")


async def _snapshot(parts: NightParts, run: NightRun) -> None:
    """Phase 7: how much there is in each layer afterwards, and what the upgrade has moved since the last entry."""
    async with parts.transactions.read() as session:
        sleep = await sleep_of(session, run.scope)
        after = sizes(await collect(session, run.scope, run.news.last_id, run.now), run.now)
        moved = await moved_since(session, run.scope, sleep.seen_at or EVER, (await _dream(session, run)).changes)
    async with parts.transactions.write() as session:
        night = await _night(parts, run, session)
        for (what, subject), items in moved.items():
            told = words.moved_by_upgrade(what, [item.content for item in items])
            add_line(night.dream, what, told, [item.id for item in items], subject)
        night.dream.counts = {**night.dream.counts, "after": after}
        night.note("snapshot")


_STEPS: dict[str, Callable[[NightParts, NightRun], Awaitable[None]]] = {
    "filter": _filter,
    "extract": _extract,
    "classify": _classify,
    "decay": _decay,
    "archive": _archive,
    "snapshot": _snapshot,
}


async def _night(parts: NightParts, run: NightRun, session: AsyncSession) -> Night:
    """The transaction of a phase: the lease is renewed, and the owner is still away. Raises Disturbed."""
    await wait_for_turn(session, run.scope.household_id)
    real_now = parts.real_now()
    dream = await hold(session, run.scope, run.dream_id, real_now)
    running = await session.exec(
        select(Turn.id).where(
            col(Turn.owner_id) == run.scope.owner_id,
            col(Turn.status) == "running",
            col(Turn.lease_until) >= real_now,
        )
    )
    if running.first() is not None or await last_talk(session, run.scope) != run.news.last_talk_at:
        raise Disturbed
    return Night(session, run.scope, dream, run.now, real_now, run.losses)


async def _judged(parts: NightParts, run: NightRun, names: list[str]) -> tuple[frozenset[frozenset[str]], bool]:
    """The pairs a model calls the same, and whether it failed to say. Nothing is held open meanwhile."""
    if parts.writers is None:
        return frozenset(), False
    likely = doubtful_pairs(run.news.lines, run.news.fresh, names)
    pairs = [(one, other) for one, other in likely if same_matters(one.content, other.content, names)]
    hand = await parts.writers.hand_for(run.scope, run.now) if pairs else None
    if hand is None:
        return frozenset(), False
    try:
        async with asyncio.timeout(JUDGED_WITHIN_S):
            return same_pairs(pairs, await hand.judge(pairs)), False
    except NotAsked:
        return frozenset(), False
    except (UnusableAnswer, ModelFault, TimeoutError, OSError, ValueError) as error:
        log.warning("judge_failed", error=type(error).__name__)
        return frozenset(), True


_ABOUT_GUESSES = (words.FADING, words.BECAME_FACT, words.WEAKER, words.SURER)


async def _weigh(night: Night, run: NightRun, groundless: set[str], left_alone: set[str]) -> None:
    """Every guess by all its evidence, as this night's merges have left it. groundless: their sources are gone."""
    await night.session.flush()
    lines = [line for line in await belief_lines(night.session, run.scope) if line.id not in left_alone]
    heard = dict(await heard_of_beliefs(night.session, run.scope, lines))
    heard |= {line.id: Heard(premise_days=0) for line in lines if line.id in groundless}
    await apply_beliefs(night, plan_beliefs(lines, heard))


async def _suspect(night: Night, run: NightRun, pets: Sequence[Pet]) -> set[str]:
    """What the pets about whom something is new let suspect: for the weekly review, or as a guess.

    Returns the guesses whose ground was withdrawn.
    """
    review: list[Hunch] = []
    lost: set[str] = set()
    for pet in pets:
        if pet.id not in run.news.touched or pet.status != "active":
            continue
        found = await found_about(night.session, run.scope, pet, run.now)
        waiting, ripe, groundless = await bring_in_line(night.session, run.scope, pet, found, run.now)
        for hunch in ripe[: max(0, MOST_GROWTH - run.added)]:
            item = await take_up(night.session, run.scope, hunch, SYSTEM, run.now, night.real_now)
            night.made(item, words.GUESSED)
            add_line(night.dream, words.GUESSED, words.guessed(hunch.text, hunch.count), [item.id], pet.id)
            run.added += 1
        for hunch in waiting:
            add_line(night.dream, words.PATTERN, words.pattern(hunch.text), hunch.sources, pet.id)
        lost |= {hunch.memory_id for hunch in groundless if hunch.memory_id}
        review += waiting
    night.dream.counts = {**night.dream.counts, "added": run.added}
    await tell_of_review(night.session, run.scope, review, run.now)
    return lost


async def _ask(night: Night, desk: Desk, merges: list[Merge]) -> None:
    for question in await ask_to_merge(desk, merges):
        old, new = str((question.old or {}).get("content")), str(question.new["content"])
        ids = [question.candidate_id, question.established_id or ""]
        add_line(night.dream, words.ASKED, words.merge_asked(new, old), ids, question.subject)


def _desk(run: NightRun, session: AsyncSession, pets: Sequence[Pet], real_now: datetime) -> Desk:
    return Desk(session, run.scope, {pet.id: pet for pet in pets}, run.now, real_now, by=SYSTEM)


async def _dream(session: AsyncSession, run: NightRun) -> Dream:
    return (await session.exec(select(Dream).where(col(Dream.id) == run.dream_id))).one()


def _alone(undone: dict[str, set[frozenset[str]]], *acts: str) -> set[str]:
    """Lines that the owner brought back from one of these acts."""
    return {one for act in acts for ids in undone.get(act, ()) for one in ids}


def _seen(run: NightRun) -> Seen:
    """What the next night need not look at again: everything, or what lies before the first unread message."""
    messages = [one.message for one in run.sifted]
    unread = next((one.message for one in run.sifted if not one.dominated and one.message.id not in run.read), None)
    left_open = unread is not None or len(messages) == MOST_MESSAGES or run.failed
    before = messages[: messages.index(unread)] if unread else messages
    return Seen(before[-1].id if before else None, None if left_open else run.now, run.news.last_talk_at)
