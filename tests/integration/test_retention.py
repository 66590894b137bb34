"""What is kept for a time goes when its time is over, and the owner sees who looked."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func
from sqlmodel import col, select

from app.cli import main
from app.database import Database
from app.options import kept_of
from app.settings import Settings
from domain.access_log import Access
from domain.inbox import InboxMessage
from domain.turns import Turn, TurnEvent
from jobs.retention import RetentionParts, forget_old
from tests.conftest import SignIn, on_sqlite
from tests.factories import Owner, problem
from tests.fakes.phone import hear_again, say

Command = Callable[..., Awaitable[tuple[int, str]]]


async def counts(database: Database) -> dict[str, int]:
    async with database.read() as session:
        tables = {"events": TurnEvent.turn_id, "inbox": InboxMessage.id, "accesses": Access.id}
        found = {name: (await session.exec(select(func.count(col(key))))).one() for name, key in tables.items()}
        traces = select(func.count(col(Turn.id))).where(col(Turn.trace).is_not(None))
        return found | {"traces": (await session.exec(traces)).one()}


async def after(database: Database, settings: Settings, days: int) -> dict[str, int]:
    later = datetime.now(UTC) + timedelta(days=days)
    await forget_old(RetentionParts(database, lambda: later, kept_of(settings)))
    return await counts(database)


async def test_each_class_of_data_goes_when_its_time_is_over(
    owner: Owner, database: Database, settings: Settings
) -> None:
    await owner.pet("豆豆")
    await say(owner, "豆豆对鸡肉过敏")
    asked = await say(owner, "豆豆对鸡肉不过敏了，是我记错了", "m-2")
    assert (await owner.ask("GET", "/me/export")).is_success
    before = await counts(database)
    assert all(before.values())
    assert await after(database, settings, 6) == before
    assert (await after(database, settings, 8))["events"] == 0
    assert (await owner.get(f"/chat/turns/{asked['turn_id']}"))["text"] == asked["text"]
    (whole,) = await hear_again(owner, asked["turn_id"])
    assert (whole.name, whole.data["text"]) == ("done", asked["text"])
    assert (await after(database, settings, 91))["traces"] == 0
    kept = await after(database, settings, 360)
    assert (kept["inbox"], kept["accesses"]) == (before["inbox"], before["accesses"])
    gone = await after(database, settings, 370)
    assert (gone["inbox"], gone["accesses"]) == (0, 0)
    assert len((await owner.get("/chat/messages"))["items"]) == 4


async def test_the_owner_sees_who_exported_imported_and_opened_a_link(owner: Owner, sign_in: SignIn) -> None:
    pet = await owner.pet("豆豆")
    packed = (await owner.ask("GET", "/me/export")).content
    share = await owner.post(f"/pets/{pet['id']}/shares", {"expires_in_hours": 1, "recipient": "阳光动物医院"})
    assert (await owner.client.get(f"{share['url']}/record.json")).is_success
    back = await owner.ask("POST", "/me/import", files={"file": ("export.zip", packed, "application/zip")})
    assert back.is_success, back.text
    seen = (await owner.get("/me/access-log"))["items"]
    told = [(one["who"], one["what"]) for one in seen]
    assert told == [("owner", "import"), ("vet", "share_opened"), ("owner", "export")]
    assert "阳光动物医院" in seen[1]["detail"]
    first = await owner.get("/me/access-log", limit=2)
    rest = await owner.get("/me/access-log", limit=2, cursor=first["next_cursor"])
    assert [*first["items"], *rest["items"]] == seen
    assert (await (await sign_in("wang")).get("/me/access-log"))["items"] == []


@pytest.fixture
def command(settings: Settings, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """`pawsignal` on the database of this test: exit code and what it printed."""
    for name in ("env", "data_dir", "database_url", "embedder"):
        monkeypatch.setenv(f"PAWSIGNAL_{name.upper()}", str(getattr(settings, name)))

    async def run(*words: str) -> tuple[int, str]:
        code = await asyncio.to_thread(main, words)
        told = capfd.readouterr()
        return code, told.out + told.err

    return run


async def test_an_operator_acts_for_an_owner_and_the_owner_sees_it(
    owner: Owner, command: Command, tmp_path: Path
) -> None:
    await owner.pet("豆豆")
    await say(owner, "豆豆喜欢玩绳结")
    packed = str(tmp_path / "out.zip")
    assert (await command("export", owner.id, packed))[0] == 0
    assert "is there already" in (await command("export", owner.id, packed))[1]
    code, told = await command("import", owner.id, packed)
    assert (code, "rows are back" in told) == (0, True)
    looks = [(one["who"], one["what"]) for one in (await owner.get("/me/access-log"))["items"]]
    assert looks == [("operator", "import"), ("operator", "export")]


async def test_an_operator_erases_an_owner_who_is_named_twice(owner: Owner, command: Command) -> None:
    await owner.pet("豆豆")
    code, told = await command("erase", owner.id)
    assert (code, "nothing was erased" in told) == (2, True)
    assert (await owner.get("/pets"))["items"]
    code, told = await command("erase", owner.id, "--yes", owner.id)
    receipt = told.split("Receipt: ")[1].strip()
    assert code == 0
    assert (await owner.client.get(f"/v1/erasures/{receipt}")).json()["status"] in ("running", "done")
    assert problem(await owner.ask("GET", "/me")) == (401, "not_signed_in")
    assert (await command("erase", owner.id, "--yes", owner.id)) == (2, f"pawsignal: there is no owner {owner.id}\n")


@on_sqlite
async def test_a_file_that_is_no_export_is_refused_in_one_sentence(
    owner: Owner, command: Command, tmp_path: Path
) -> None:
    (tmp_path / "no.zip").write_bytes(b"no zip")
    for name in ("no.zip", "nowhere.zip"):
        code, told = await command("import", owner.id, str(tmp_path / name))
        assert (code, told.count("\n"), "cannot be read" in told) == (2, 1, True)
