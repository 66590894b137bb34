"""An import holds the writer for a few lines at a time; cut off anywhere, it is finished by sending the file again."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi import FastAPI
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.database import Database
from domain.owner_memories import CardLimits, ConsentNeeded
from domain.owners import Owner as OwnerRow
from domain.owners import scope_of
from domain.portability.import_batches import LINES_A_BATCH, ImportParts, ImportReport
from domain.portability.importing import bring_back
from domain.portability.unpacking import unpack
from memory.core_budget import OWNER_CARD, PET_CARD
from memory.items import MemoryItem
from memory.scope import Scope
from tests.conftest import SignIn, on_sqlite
from tests.factories import Owner
from tests.integration.test_import import bring, export_of, lived, zipped

pytestmark = on_sqlite

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
LINES = 3 * LINES_A_BATCH + 3
PAGE = "## 豆豆\n" + "".join(f"- 豆豆喜欢第{number}个绳结玩具\n" for number in range(LINES))


class PoweredOff(Exception):
    """The process dies here."""


class Watched:
    """A database whose writes are counted, with how many memories each added; it dies in the write of this number."""

    def __init__(self, database: Database, dies_in: int | None = None, then: Any = None) -> None:
        self.database, self.dies_in, self.then = database, dies_in, then
        self.added: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.database, name)

    async def count(self) -> int:
        async with self.database.read() as session:
            return (await session.exec(select(func.count(col(MemoryItem.id))))).one()

    @asynccontextmanager
    async def write(self, *, short: bool = False) -> AsyncIterator[AsyncSession]:
        before = await self.count()
        async with self.database.write(short=short) as session:
            yield session
            if len(self.added) == self.dies_in:
                raise PoweredOff()
        self.added.append(await self.count() - before)
        if self.then is not None and len(self.added) == 2:
            await self.then()


async def scope_here(app: FastAPI, owner: Owner) -> Scope:
    async with app.state.container.transactions.read() as session:
        row = await session.get(OwnerRow, owner.id)
        assert row is not None
        return scope_of(row)


async def take_in(app: FastAPI, owner: Owner, packed: bytes, watched: Watched) -> ImportReport:
    how = ImportParts(CardLimits(PET_CARD, OWNER_CARD), b"secret", NOW, NOW)
    return await bring_back(watched, await scope_here(app, owner), unpack(packed), how, "owner")


async def contents(owner: Owner) -> list[str]:
    found: list[str] = []
    cursor = ""
    while True:
        page = await owner.get("/memories", limit=50, **({"cursor": cursor} if cursor else {}))
        found += [row["content"] for row in page["items"]]
        if not page["next_cursor"]:
            return sorted(found)
        cursor = page["next_cursor"]


async def test_a_folder_is_taken_in_a_few_lines_at_a_time(app: FastAPI, owner: Owner) -> None:
    await owner.pet()
    watched = Watched(app.state.container.database)
    report = await take_in(app, owner, zipped(**{"MEMORY.md": PAGE}), watched)
    assert (len(report.lines), sum(watched.added)) == (LINES, LINES)
    assert max(watched.added) <= LINES_A_BATCH


@pytest.mark.parametrize("dies_in", [0, 1, 3])
async def test_a_folder_that_was_cut_off_is_finished_by_the_same_file(app: FastAPI, owner: Owner, dies_in: int) -> None:
    await owner.pet()
    packed = zipped(**{"MEMORY.md": PAGE})
    watched = Watched(app.state.container.database, dies_in)
    with pytest.raises(PoweredOff):
        await take_in(app, owner, packed, watched)
    assert len(await contents(owner)) == max(0, dies_in - 1) * LINES_A_BATCH  # the first write only opens the import
    report = (await bring(owner, packed)).json()
    assert report["added"] == LINES - max(0, dies_in - 1) * LINES_A_BATCH
    assert len(await contents(owner)) == LINES
    assert (await bring(owner, packed)).json()["added"] == 0


@pytest.mark.parametrize("dies_in", [1, 3, 5])
async def test_an_export_that_was_cut_off_is_finished_by_the_same_file(
    app: FastAPI, owner: Owner, sign_in: SignIn, dies_in: int
) -> None:
    await lived(owner)
    packed, before = await export_of(owner)
    other = (await sign_in("other")).at("2026-03-02T20:00:00+08:00")
    with pytest.raises(PoweredOff):
        await take_in(app, other, packed, Watched(app.state.container.database, dies_in))
    await bring(other, packed)
    _, after = await export_of(other)
    kept = [name for name in before if isinstance(before[name], list) and name not in ("owners", "consents")]
    assert {name: len(before[name]) for name in kept} == {name: len(after[name]) for name in kept}


async def test_what_is_said_of_a_pet_that_is_there_is_finished_by_the_same_file(
    app: FastAPI, owner: Owner, sign_in: SignIn
) -> None:
    await lived(owner)
    packed, _ = await export_of(owner)
    whole, cut = [(await sign_in(name)).at("2026-03-02T20:00:00+08:00") for name in ("whole", "cut")]
    for one in (whole, cut):
        await one.pet()
    await bring(whole, packed)
    watched = Watched(app.state.container.database, 7)
    with pytest.raises(PoweredOff):
        await take_in(app, cut, packed, watched)
    assert len(await contents(cut)) < len(await contents(whole))
    await bring(cut, packed)
    assert await contents(cut) == await contents(whole)


async def test_a_pet_comes_back_with_everything_or_not_at_all(app: FastAPI, owner: Owner, sign_in: SignIn) -> None:
    await lived(owner)
    packed, export = await export_of(owner)
    histories = sum(bool(export[name]) for name in ("conversations", "turns", "messages", "conversation_summaries"))
    other = await sign_in("other")
    histories += sum(bool(export[name]) for name in ("dreams", "inbox"))
    with pytest.raises(PoweredOff):
        await take_in(app, other, packed, Watched(app.state.container.database, 1 + histories))
    assert (await other.get("/pets"))["items"] == []
    assert await contents(other) == []


async def test_nothing_more_is_kept_once_the_owner_no_longer_agrees(app: FastAPI, owner: Owner) -> None:
    await owner.pet()

    async def withdraw() -> None:
        policies = (await owner.get("/policies"))["items"]
        version = next(one["version"] for one in policies if one["purpose"] == "long_term_memory")
        await owner.put("/me/consents", {"purpose": "long_term_memory", "version": version, "granted": False})

    watched = Watched(app.state.container.database, then=withdraw)
    with pytest.raises(ConsentNeeded):
        await take_in(app, owner, zipped(**{"MEMORY.md": PAGE}), watched)
    assert len(await contents(owner)) == LINES_A_BATCH


async def test_the_same_line_twice_in_a_file_is_one(app: FastAPI, owner: Owner) -> None:
    await owner.pet()
    page = "## 豆豆\n- 豆豆怕打雷\n- 豆豆怕打雷\n- 豆豆 怕打雷\n"
    report = (await bring(owner, zipped(**{"MEMORY.md": page}))).json()
    assert (report["added"], report["merged"]) == (1, 2)
    assert json.dumps(report["lines"], ensure_ascii=False).count("merged") == 2
