"""Closing an account: no row and no byte of it stays, nothing brings it back, and a receipt tells how far it is."""

import asyncio
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from sqlmodel import SQLModel, select

from app.database import Database
from app.settings import Settings
from domain.account_erasure import Erasure
from jobs.finish_erasures import finish_erasures
from jobs.look_at_photos import look_at_photos
from jobs.sync_vectors import sync_vectors
from tests.conftest import SignIn, on_sqlite
from tests.factories import Json, Owner, problem
from tests.fakes.slow_assistant import SteppedAssistant, answer_with

LONGEST_SECONDS = 30  # what follows takes a fraction of one
WORD = "鹧鸪紫苏"  # a word that nothing else in the service contains
WHERE = [
    f"{WORD}今天吐了两次，没精神",
    f"{WORD}对鸡肉过敏",
    f"{WORD}最喜欢啃{WORD}牌的磨牙棒",
    f"每周三下午三点带{WORD}去散步",
    f"{WORD}可能对牛肉过敏，我不确定",
]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """With the bundled embedder, so that there are vectors to forget."""
    return settings.model_copy(update={"embedder": "auto"})


async def live(owner: Owner) -> Json:
    """Put the word wherever it can go."""
    await owner.put("/me", {"nickname": WORD, "preferences": {"favourite": WORD}})
    pet = await owner.pet(WORD, nicknames=[f"小{WORD}"])
    for number, said in enumerate(WHERE):
        await owner.post("/chat/turns", {"text": said, "client_msg_id": f"{number}"})
    await owner.post("/memories", {"subject": pet["id"], "content": f"{WORD}怕吹风机", "tier": "core"})
    await owner.record(pet, "visits", reason=WORD, clinic=f"{WORD}医院", visited_on="2026-01-05")
    await owner.post("/schedules", {"title": f"给{WORD}洗澡", "starts_at": "2027-01-01T10:00:00+08:00"})
    await owner.post(f"/pets/{pet['id']}/shares", {"expires_in_hours": 24, "recipient": WORD})
    deleted = await owner.post("/memories", {"subject": "owner", "content": f"{WORD}一号"})
    await owner.delete(f"/memories/{deleted['id']}")
    return pet


async def finish(app: FastAPI) -> int:
    """The work that follows, as the scheduler would do it (and beside it). Returns how many erasures are done."""
    container = app.state.container
    async with asyncio.timeout(LONGEST_SECONDS):
        while True:
            await sync_vectors(container.vector_parts())
            await look_at_photos(container.photo_parts())
            await finish_erasures(container.erasure_parts())
            async with container.database.read() as session:
                erasures = (await session.exec(select(Erasure))).all()
            if all(one.done_at for one in erasures):
                break
            await asyncio.sleep(0.05)  # the scheduler is at one of them
    await container.database.checkpoint()
    return len(erasures)


async def rows_with(database: Database, *words: str) -> list[str]:
    async with database.read() as session:
        connection = await session.connection()
        return [
            f"{table.name}: {row}"
            for table in SQLModel.metadata.sorted_tables
            for row in await connection.execute(table.select())
            if any(word in str(row) for word in words)
        ]


def files_with(folder: Path, *words: str) -> list[str]:
    wanted = [word.encode() for word in words] + [word.encode("utf-16-le") for word in words]
    return [
        str(file.relative_to(folder))
        for file in sorted(folder.rglob("*"))
        if file.is_file() and any(word in file.read_bytes() for word in wanted)
    ]


async def test_no_row_of_any_table_and_no_byte_of_the_data_folder_holds_the_account(
    app: FastAPI, owner: Owner, database: Database, tmp_path: Path, sign_in: SignIn
) -> None:
    neighbour = await sign_in("neighbour")
    stays = await neighbour.pet("可乐")
    await neighbour.post("/memories", {"subject": stays["id"], "content": "可乐喜欢绳结"})
    pet = await live(owner)
    await sync_vectors(app.state.container.vector_parts())
    assert await rows_with(database, WORD)
    household = pet["id"]

    answer = await owner.ask("DELETE", "/me")
    assert answer.status_code == 202
    assert await rows_with(database, WORD, household, owner.id) == []
    assert await finish(app) == 1

    assert await rows_with(database, WORD, household, owner.id) == []
    assert files_with(tmp_path, WORD, household, owner.id) == []
    assert [item["content"] for item in (await neighbour.get("/memories"))["items"]] == ["可乐喜欢绳结"]
    assert await app.state.container.vector_index.count() == 1


async def test_the_receipt_tells_how_far_it_is_without_a_sign_in(
    app: FastAPI, owner: Owner, client: httpx.AsyncClient
) -> None:
    await owner.post("/memories", {"subject": "owner", "content": "喜欢早上遛狗"})
    receipt = (await owner.ask("DELETE", "/me")).json()["receipt"]
    running = (await client.get(f"/v1/erasures/{receipt}")).json()
    assert (running["status"], running["done_at"]) == ("running", None)
    await finish(app)
    assert (await client.get(f"/v1/erasures/{receipt}")).json()["status"] == "done"
    assert problem(await client.get("/v1/erasures/guessed-receipt")) == (404, "unknown_receipt")


async def test_tokens_are_dead_at_once_and_signing_in_again_makes_a_new_owner(owner: Owner, sign_in: SignIn) -> None:
    await owner.pet()
    await owner.ask("DELETE", "/me")
    assert problem(await owner.ask("GET", "/me")) == (401, "not_signed_in")
    assert problem(await owner.ask("DELETE", "/me")) == (401, "not_signed_in")
    refreshed = await owner.ask("POST", "/auth/refresh", {"refresh_token": owner.tokens["refresh_token"]})
    assert refreshed.status_code == 401
    again = await sign_in("lin")
    assert again.id != owner.id
    assert (await again.get("/pets"))["items"] == []


async def test_a_turn_that_runs_while_the_account_is_closed_brings_nothing_back(
    app: FastAPI, owner: Owner, database: Database, sign_in: SignIn
) -> None:
    await owner.pet(WORD)
    assistant = SteppedAssistant(f"{WORD}很好。", "放心。")
    answer_with(app, assistant)
    turn = asyncio.create_task(owner.ask("POST", "/chat/turns", {"text": f"{WORD}怕打雷", "client_msg_id": "late"}))
    await assistant.waiting.wait()
    await owner.ask("DELETE", "/me")
    assistant.let_all_go()
    await turn
    await finish(app)
    assert await rows_with(database, WORD, owner.id) == []


@on_sqlite
async def test_two_taps_close_the_account_once(owner: Owner) -> None:
    answers = await asyncio.gather(*(owner.ask("DELETE", "/me") for _ in range(3)))
    codes = sorted(answer.status_code for answer in answers)
    assert codes[0] == 202
    assert set(codes[1:]) <= {401, 404}
