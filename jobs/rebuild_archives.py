"""Archive summaries made anew, each from its entries and in a short transaction of its own.

A model writes them when there is one, with no transaction open. One that fails, is late, invents or drops half of the
entries changes nothing: the old summary stays (or the plain one is made) and the next night tries again.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.pets import Pet
from memory.archive_rows import BASIC, MODEL, Archive, archived_items, entry_of, keep_summary, stale_archives
from memory.archives import Entry, Summary, is_faithful, summarise
from memory.scope import Scope
from memory.topics import LABELS, Topic
from memory.transactions import Transactions

log = structlog.get_logger(__name__)

TIMEOUT_S = 30.0  # for one topic: it is night, nobody waits
MAX_SHOWN = 60  # entries a model is shown, the newest; the plain summary knows them all


class ArchiveWriter(Protocol):
    """Something that sums up the entries of one topic in natural Chinese."""

    async def write(self, name: str, label: str, entries: Sequence[Entry]) -> str:
        """At most `archives.MAX_SUMMARY` characters, made of these entries alone."""
        ...


@dataclass(slots=True)
class Rebuilt:
    """How many summaries were made anew, and how often the old one stayed because the new one was no good."""

    made: int = 0
    kept: int = 0


async def rebuild_archives(
    transactions: Transactions, scope: Scope, now: datetime, writer: ArchiveWriter | None = None
) -> Rebuilt:
    """Make every stale summary of this owner's pets anew."""
    done = Rebuilt()
    async with transactions.read() as session:
        stale = [(row.subject, row.topic) for row in await stale_archives(session, scope, now)]
        names = await _names(session, scope)
    for subject, topic in stale:
        text = None if writer is None else await _written(transactions, scope, subject, topic, names, writer)
        async with transactions.write() as session:
            kept = await _rebuild(session, scope, (subject, topic), names.get(subject, ()), text, now)
            if kept and writer is not None:
                await _try_again_next_night(session, scope, subject, topic, now)
        done.kept += kept and writer is not None
        done.made += not kept or writer is None
    return done


async def _rebuild(
    session: AsyncSession,
    scope: Scope,
    place: tuple[str, str],
    names: Sequence[str],
    text: str | None,
    now: datetime,
) -> bool:
    """Store the summary of one topic as its entries are now. True when a model's was asked for or fails and is not
    used."""
    archive = await _archive(session, scope, *place)
    if archive is None:
        return False
    entries = [entry_of(item, scope) for item in await archived_items(session, scope, *place)]
    if text is not None and is_faithful(text, entries[:MAX_SHOWN], names):
        made_from = tuple(entry.memory_id for entry in entries[:MAX_SHOWN])
        keep_summary(session, archive, Summary(text, made_from), MODEL, len(entries), now)
        return False
    if archive.made_by == BASIC or not archive.summary or not entries:
        keep_summary(session, archive, summarise(entries, names[0] if names else ""), BASIC, len(entries), now)
    return bool(entries)


async def _written(
    transactions: Transactions,
    scope: Scope,
    subject: str,
    topic: str,
    names: dict[str, tuple[str, ...]],
    writer: ArchiveWriter,
) -> str | None:
    """What the model made of the entries; None when it could not."""
    async with transactions.read() as session:
        entries = [entry_of(item, scope) for item in await archived_items(session, scope, subject, topic)]
    if not entries:
        return None
    try:
        async with asyncio.timeout(TIMEOUT_S):
            text = await writer.write(names.get(subject, ("",))[0], LABELS[Topic(topic)], entries[:MAX_SHOWN])
    except Exception as error:  # whatever a model does, the archive stays readable
        log.warning("archive_not_written", topic=topic, error=type(error).__name__)
        return None
    return " ".join(text.split())


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


async def _try_again_next_night(session: AsyncSession, scope: Scope, subject: str, topic: str, now: datetime) -> None:
    archive = await _archive(session, scope, subject, topic)
    if archive is not None:
        archive.stale_at = now
        session.add(archive)


async def _names(session: AsyncSession, scope: Scope) -> dict[str, tuple[str, ...]]:
    pets = await session.exec(select(Pet).where(col(Pet.household_id) == scope.household_id))
    return {pet.id: (pet.name, *pet.nicknames) for pet in pets.all()}
