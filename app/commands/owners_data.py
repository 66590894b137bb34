"""`export`, `import` and `erase`: what an operator does for an owner who asked; the owner sees it in the access log."""

import argparse
import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

from sqlmodel.ext.asyncio.session import AsyncSession

from app.commands import CommandFailed
from app.database import Database, open_database
from app.files import open_files
from app.options import machine_clock, options_of
from app.secret_keys import load_keys
from app.settings import Settings
from domain.access_log import What, Who, note_access
from domain.account_erasure import erase_account
from domain.errors import DomainFault
from domain.owner_memories import CardLimits
from domain.owners import Owner, scope_of
from domain.portability.importing import ImportParts, bring_back
from domain.portability.packing import pack_household
from domain.portability.unpacking import UnreadableImport, unpack

OPERATOR: Who = "operator"


def export(arguments: argparse.Namespace) -> int:
    """Write everything that is kept about an owner to a zip file."""
    target = Path(arguments.file)
    if target.exists():
        raise CommandFailed(f"{target} is there already: name another file")
    asyncio.run(_export(Settings(), arguments.owner, target))
    print(f"{target} holds everything of {arguments.owner}.")
    return 0


def bring(arguments: argparse.Namespace) -> int:
    """Take a zip file of an export, or of a folder edited by hand, into an owner's household."""
    print(asyncio.run(_bring(Settings(), arguments.owner, Path(arguments.file))))
    return 0


def erase(arguments: argparse.Namespace) -> int:
    """Erase an owner's account. Nothing can bring it back."""
    if arguments.yes != arguments.owner:
        raise CommandFailed("nothing was erased: repeat the owner's id with --yes, this cannot be taken back")
    receipt = asyncio.run(_erase(Settings(), arguments.owner))
    print(f"{arguments.owner} is erased; a running service clears vectors and files. Receipt: {receipt}")
    return 0


async def _export(settings: Settings, owner_id: str, target: Path) -> None:
    async with _opened(settings) as database:
        await _noted(database, owner_id, "export", machine_clock())
        async with database.read() as session:
            scope = scope_of(await _owner(session, owner_id))
        await pack_household(database, scope, target, machine_clock(), open_files(settings), settings.ai_producer)


async def _bring(settings: Settings, owner_id: str, source: Path) -> str:
    try:
        brought = await asyncio.to_thread(lambda: unpack(source.read_bytes()))
    except (OSError, UnreadableImport) as error:
        raise CommandFailed(f"{source} cannot be read: {error}") from error
    options, now = options_of(settings), machine_clock()
    cards = CardLimits(options.pet_card, options.owner_card)
    async with _opened(settings) as database:
        secret = load_keys(settings).tombstones
        try:
            async with database.read() as session:
                scope = scope_of(await _owner(session, owner_id))
            report = await bring_back(database, scope, brought, ImportParts(cards, secret, now, now), OPERATOR)
        except DomainFault as refused:
            raise CommandFailed(f"the import was refused: {refused.code}; what it took in before stays") from refused
    outcomes = Counter(line.outcome for line in report.lines)
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())) or "no single lines"
    return f"{sum(report.counts.values())} rows are back; {told}."


async def _erase(settings: Settings, owner_id: str) -> str:
    async with _opened(settings) as database, database.write() as session:
        made = await erase_account(session, await _owner(session, owner_id), machine_clock())
    return made.receipt


async def _noted(database: Database, owner_id: str, what: What, now: datetime) -> None:
    async with database.write() as session:
        note_access(session, scope_of(await _owner(session, owner_id)), OPERATOR, what, now)


async def _owner(session: AsyncSession, owner_id: str) -> Owner:
    owner = await session.get(Owner, owner_id)
    if owner is None:
        raise CommandFailed(f"there is no owner {owner_id}")
    return owner


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[Database]:
    database = open_database(settings.sql_url)
    try:
        await database.migrate()
        yield database
    finally:
        await database.close()
