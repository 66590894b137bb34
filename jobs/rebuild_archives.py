"""Archive summaries made anew, each from its entries and in a short transaction of its own.

A model writes them when there is one, with no transaction open. One that fails, is late, invents or drops half of the
entries changes nothing: the old summary stays (or the plain one is made) and the next night tries again, a few times.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.grounded_clauses import RELATIVE_DAY, Said, stands_on
from domain.grounded_words import brings_nothing_new
from domain.model_chores import NotAsked
from domain.pets import Pet
from memory.archive_rows import BASIC, MODEL, Archive, archived_items, entry_of, keep_summary, stale_archives, try_again
from memory.archives import Entry, Summary, day_text, is_faithful, summarise
from memory.scope import Scope
from memory.topics import LABELS, Topic
from memory.transactions import Transactions

log = structlog.get_logger(__name__)

TIMEOUT_S = 30.0  # for one topic: it is night, nobody waits
ALL_TOPICS_S = 180.0  # for all topics of an owner; the lease of a night is five minutes
MAX_SHOWN = 60  # entries a model is shown, the newest; the plain summary knows them all
MOST_TRIES = 7  # nights; then the plain summary stands until an entry changes


class ArchiveWriter(Protocol):
    """Something that sums up the entries of one topic in natural Chinese."""

    async def write(self, name: str, label: str, entries: Sequence[Entry]) -> str:
        """At most `archives.MAX_SUMMARY` characters, made of these entries alone. May raise."""
        ...


@dataclass(slots=True)
class Rebuilt:
    """How many summaries were made anew, and how often the old one stayed because the new one was no good."""

    made: int = 0
    kept: int = 0


@dataclass(frozen=True, slots=True)
class _Names:
    """Names by pet, the pet's own name first, and those of the whole household."""

    by_pet: dict[str, tuple[str, ...]]

    def of(self, subject: str) -> tuple[str, ...]:
        return self.by_pet.get(subject, ())

    @property
    def all(self) -> tuple[str, ...]:
        return tuple(name for names in self.by_pet.values() for name in names)


@dataclass(frozen=True, slots=True)
class _Written:
    """What a model made of the entries it was shown; text None when it could not."""

    shown: tuple[Entry, ...]
    text: str | None


async def rebuild_archives(
    transactions: Transactions, scope: Scope, now: datetime, writer: ArchiveWriter | None = None
) -> Rebuilt:
    """Make every stale summary of this owner's pets anew. writer: None when the owner's words are no model's to see."""
    done = Rebuilt()
    until = asyncio.get_running_loop().time() + ALL_TOPICS_S
    async with transactions.read() as session:
        stale = [(row.subject, row.topic) for row in await stale_archives(session, scope, now)]
        names = await _names(session, scope)
    for place in stale:
        written = None
        if writer is not None:
            written = await _written(transactions, scope, place, names, writer, until)
        async with transactions.write() as session:
            kept = await _rebuild(session, scope, place, names, written, now)
        done.kept += kept
        done.made += not kept
    return done


async def _rebuild(
    session: AsyncSession,
    scope: Scope,
    place: tuple[str, str],
    names: _Names,
    written: _Written | None,
    now: datetime,
) -> bool:
    """Store the summary of one topic as its entries are now. True when a model's was asked for and is not used."""
    archive = await _archive(session, scope, *place)
    if archive is None:
        return False
    entries = await _entries(session, scope, place)
    if written is not None and written.text is not None and _is_taken(written.text, written.shown, entries, names):
        made_from = tuple(entry.memory_id for entry in written.shown)
        keep_summary(session, archive, Summary(written.text, made_from), MODEL, len(entries), now)
        return False
    tries = archive.tries
    if written is None or archive.made_by == BASIC or not archive.summary or not entries:
        name = next(iter(names.of(archive.subject)), "")
        keep_summary(session, archive, summarise(entries, name), BASIC, len(entries), now)
    if written is None or not entries:
        return False
    archive.tries = tries
    try_again(session, archive, now)
    return True


def _is_taken(text: str, shown: Sequence[Entry], entries: Sequence[Entry], names: _Names) -> bool:
    """Whether a model's summary stands on what it was shown, and that still is what there is."""
    if list(shown) != _shown(entries) or RELATIVE_DAY.search(text):
        return False
    sources = [Said(entry.text, _when(entry)) for entry in shown]
    lines = [f"{one.text} {one.when}" for one in sources]
    return (
        is_faithful(text, shown, names.all)
        and brings_nothing_new(text, lines, names.all)
        and stands_on(text, sources, names.all)
    )


async def _written(
    transactions: Transactions,
    scope: Scope,
    place: tuple[str, str],
    names: _Names,
    writer: ArchiveWriter,
    until: float,
) -> _Written | None:
    """What a model makes of the entries; None when it is not asked."""
    subject, topic = place
    async with transactions.read() as session:
        archive = await _archive(session, scope, subject, topic)
        shown = _shown(await _entries(session, scope, place))
    if not shown or archive is None or archive.tries >= MOST_TRIES:
        return None
    try:
        async with asyncio.timeout_at(min(until, asyncio.get_running_loop().time() + TIMEOUT_S)):
            text = await writer.write(next(iter(names.of(subject)), ""), LABELS[Topic(topic)], shown)
    except NotAsked:
        return None
    except Exception as error:  # whatever a model does, the archive stays readable
        log.warning("archive_not_written", topic=topic, error=type(error).__name__)
        return _Written(tuple(shown), None)
    return _Written(tuple(shown), " ".join(text.split()))


def _shown(entries: Sequence[Entry]) -> list[Entry]:
    """What a model is told: what ended is not among it, a summary would tell it as true."""
    return [entry for entry in entries if not entry.ended][:MAX_SHOWN]


def _when(entry: Entry) -> str:
    return day_text(entry.on, entry.precision) if entry.on else ""


async def _entries(session: AsyncSession, scope: Scope, place: tuple[str, str]) -> list[Entry]:
    return [entry_of(item, scope) for item in await archived_items(session, scope, *place)]


async def _archive(session: AsyncSession, scope: Scope, subject: str, topic: str) -> Archive | None:
    return (
        await session.exec(
            select(Archive).where(
                col(Archive.household_id) == scope.household_id,
                col(Archive.subject) == subject,
                col(Archive.topic) == topic,
            )
        )
    ).one_or_none()


async def _names(session: AsyncSession, scope: Scope) -> _Names:
    pets = await session.exec(select(Pet).where(col(Pet.household_id) == scope.household_id))
    return _Names({pet.id: (pet.name, *pet.nicknames) for pet in pets.all()})
