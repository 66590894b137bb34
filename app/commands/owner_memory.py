"""`capture` and `snapshot`: one owner's memory from the command line. Words go through the policy of the talk."""

import argparse
import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from app.commands import CommandFailed
from app.database import open_database
from app.options import options_of
from app.secret_keys import load_keys
from app.settings import Settings
from domain.access_log import What, note_access
from domain.owner_memories import LONG_TERM_MEMORY, CardLimits
from domain.owners import Owner, has_consent, scope_of
from domain.pets import pets_of
from domain.portability.merging import Desk, Line, merge_line
from memory.core_budget import Limits, count_chars
from memory.core_card import card_of
from memory.scope import Scope
from memory.sqltypes import new_id
from memory.vocabulary import OWNER_SUBJECT

SOURCE = "command line"


def capture(arguments: argparse.Namespace) -> int:
    """Take in one statement, and print what became of it."""
    for line in asyncio.run(_capture(Settings(), arguments.owner, arguments.pet, arguments.text, arguments.now)):
        print(line)
    return 0


def snapshot(arguments: argparse.Namespace) -> int:
    """Print what every reply to this owner knows: the cards, with how full they are."""
    print(asyncio.run(_snapshot(Settings(), arguments.owner, arguments.now)))
    return 0


async def _capture(
    settings: Settings, owner_id: str, pet_name: str | None, text: str, now: datetime | None
) -> list[str]:
    options, at = options_of(settings), now or datetime.now(UTC)
    async with _owner(settings, owner_id, "capture") as (session, scope):
        if not await has_consent(session, scope.owner_id, LONG_TERM_MEMORY):
            raise CommandFailed("this owner has not agreed to long-term memory")
        pets = await pets_of(session, scope)
        named = [pet.id for pet in pets if pet.name == pet_name]
        if pet_name is not None and not named:
            raise CommandFailed(f"this household has no pet called {pet_name}")
        cards = CardLimits(options.pet_card, options.owner_card)
        desk = Desk(session, scope, pets, cards, load_keys(settings).tombstones, at, datetime.now(UTC))
        subject = named[0] if named else OWNER_SUBJECT
        await merge_line(desk, Line(new_id(), text, subject, None, at, file=SOURCE))
    return [f"{told.outcome}: {told.content}{f' ({told.reason})' if told.reason else ''}" for told in desk.told]


async def _snapshot(settings: Settings, owner_id: str, now: datetime | None) -> str:
    options, at = options_of(settings), now or datetime.now(UTC)
    async with _owner(settings, owner_id, "snapshot") as (session, scope):
        parts = [await _card(session, scope, OWNER_SUBJECT, "主人", options.owner_card, at)]
        for pet in await pets_of(session, scope):
            parts.append(await _card(session, scope, pet.id, pet.name, options.pet_card, at))
    return "\n\n".join(parts)


async def _card(session: AsyncSession, scope: Scope, subject: str, title: str, limits: Limits, at: datetime) -> str:
    items = await card_of(session, scope, subject, at)
    used = sum(count_chars(item.content) for item in items)
    head = f"## {title} ({len(items)}/{limits.items} items, {used}/{limits.chars} characters)"
    return "\n".join([head, *(f"- {item.content}" for item in items)])


@asynccontextmanager
async def _owner(settings: Settings, owner_id: str, what: What) -> AsyncIterator[tuple[AsyncSession, Scope]]:
    """One transaction in the scope of an owner, who sees it in the access log. Raises CommandFailed for nobody's id."""
    database = open_database(settings.sql_url)
    try:
        await (database.migrate() if database.dialect == "sqlite" else database.check())
        async with database.write() as session:
            owner = await session.get(Owner, owner_id)
            if owner is None:
                raise CommandFailed(f"there is no owner {owner_id}")
            note_access(session, scope_of(owner), "operator", what, datetime.now(UTC))
            yield session, scope_of(owner)
    finally:
        await database.close()
