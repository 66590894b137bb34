"""`upgrade-memory`: the nightly upgrade at once. No index is opened; a running service drains what follows."""

import argparse
import asyncio
import json
from datetime import UTC, datetime

from sqlmodel import col, select

from app.chores import opened_writers
from app.commands import CommandFailed
from app.database import Database, open_database
from app.options import upgrade_parts_of
from app.settings import Settings
from domain.owners import Owner
from jobs.upgrade_memory import UpgradeReport, upgrade_now


def run(arguments: argparse.Namespace) -> int:
    """Upgrade all that is due, and print what was done as one JSON object."""
    now = arguments.now or datetime.now(UTC)
    report = asyncio.run(_upgrade(Settings(), now, arguments.owner))
    done = {"owners": report.owners, "reviewed": report.upgraded.reviewed, "moves": dict(report.upgraded.moves)}
    done["archives"] = report.archives.made
    print(json.dumps(done, ensure_ascii=False))
    return 0


async def _upgrade(settings: Settings, now: datetime, owner_id: str | None) -> UpgradeReport:
    database = open_database(settings.sql_url)
    try:
        await (database.migrate() if database.dialect == "sqlite" else database.check())
        if owner_id is not None:
            await _require_owner(database, owner_id)
        async with opened_writers(settings, database) as writers:
            return await upgrade_now(upgrade_parts_of(settings, database, writers=writers), now, owner_id)
    finally:
        await database.close()


async def _require_owner(database: Database, owner_id: str) -> None:
    async with database.read() as session:
        known = (await session.exec(select(Owner.id).where(col(Owner.id) == owner_id))).first()
    if known is None:
        raise CommandFailed(f"there is no owner {owner_id}")
