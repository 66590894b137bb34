"""Pets: added, changed, renamed, erased with everything that is about them."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel

from app.database import Database
from miniprogram_api.examples import RECORD_INPUTS
from tests.conftest import SignIn, on_sqlite
from tests.factories import Owner, problem


async def test_a_pet_is_what_the_owner_entered(owner: Owner) -> None:
    made = await owner.pet(
        "豆豆", nicknames=["豆子"], breed="柯基", sex="male", born_on="2021-05-01", born_on_precision="month"
    )
    assert made == await owner.get(f"/pets/{made['id']}")
    assert made["born_on"] == "2021-05-01"
    assert made["no_known_allergies"] is False
    assert made["version"] == 1


async def test_only_the_given_fields_change_and_null_clears(owner: Owner) -> None:
    pet = await owner.pet("豆豆", breed="柯基", microchip="900123")
    after = await owner.put(f"/pets/{pet['id']}", {"breed": None, "neutered": True, "version": 1})
    assert after == pet | {"breed": None, "neutered": True, "version": 2}


async def test_a_stale_version_is_refused(owner: Owner) -> None:
    pet = await owner.pet()
    await owner.put(f"/pets/{pet['id']}", {"breed": "柯基"})
    answer = await owner.ask("PUT", f"/pets/{pet['id']}", {"breed": "柴犬", "version": 1})
    assert problem(answer) == (409, "stale_version")
    assert answer.json()["current_version"] == 2


@on_sqlite
async def test_a_household_has_at_most_thirty_pets(owner: Owner) -> None:
    for number in range(30):
        await owner.pet(f"豆{number}")
    assert problem(await owner.ask("POST", "/pets", {"name": "多", "species": "cat"})) == (409, "too_many")


async def test_pets_are_paged_in_the_order_they_were_added(owner: Owner) -> None:
    for name in ("甲", "乙", "丙"):
        await owner.pet(name)
    first = await owner.get("/pets", limit=2)
    rest = await owner.get("/pets", limit=2, cursor=first["next_cursor"])
    assert [pet["name"] for pet in first["items"] + rest["items"]] == ["甲", "乙", "丙"]
    assert rest["next_cursor"] is None


async def test_the_same_key_makes_one_pet(owner: Owner) -> None:
    key = {"Idempotency-Key": "k-1"}
    first = await owner.post("/pets", {"name": "豆豆", "species": "dog"}, headers=key)
    again = await owner.post("/pets", {"species": "dog", "name": "豆豆"}, headers=key)
    assert again == first
    other = await owner.ask("POST", "/pets", {"name": "咪咪", "species": "cat"}, headers=key)
    assert problem(other) == (409, "idempotency_key_reused")
    assert len((await owner.get("/pets"))["items"]) == 1


async def test_a_key_belongs_to_its_owner(sign_in: SignIn) -> None:
    key = {"Idempotency-Key": "k-1"}
    lin, wang = await sign_in("lin"), await sign_in("wang")
    first = await lin.post("/pets", {"name": "豆豆", "species": "dog"}, headers=key)
    other = await wang.post("/pets", {"name": "豆豆", "species": "dog"}, headers=key)
    assert first["id"] != other["id"]


async def test_a_call_that_failed_leaves_its_key_free(owner: Owner) -> None:
    key = {"Idempotency-Key": "k-1"}
    pet = await owner.pet()
    too_heavy = await owner.ask("POST", f"/pets/{pet['id']}/weights", {"value": 900}, headers=key)
    assert problem(too_heavy) == (422, "implausible_value")
    assert (await owner.post(f"/pets/{pet['id']}/weights", {"value": 9}, headers=key))["value"] == 9


async def test_two_calls_at_once_with_one_key_make_one_pet(owner: Owner) -> None:
    calls = [
        owner.ask("POST", "/pets", {"name": "豆豆", "species": "dog"}, headers={"Idempotency-Key": "k-1"})
        for _ in range(6)
    ]
    answers = await asyncio.gather(*calls)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert len((await owner.get("/pets"))["items"]) == 1


async def test_a_key_is_free_again_after_a_day(owner: Owner, database: Database) -> None:
    key = {"Idempotency-Key": "k-1"}
    await owner.post("/pets", {"name": "豆豆", "species": "dog"}, headers=key)
    async with database.write() as session:
        aged = text("UPDATE idempotency_keys SET created_at = '2020-01-01T00:00:00.000000Z'")
        await (await session.connection()).execute(aged)
    assert (await owner.post("/pets", {"name": "咪咪", "species": "cat"}, headers=key))["name"] == "咪咪"


async def test_a_new_name_is_used_in_the_lines_of_its_records(owner: Owner) -> None:
    pet = await owner.pet("豆豆")
    await owner.record(pet, "allergies", substance="鸡肉")
    await owner.put(f"/pets/{pet['id']}", {"name": "豆包"})
    card = await owner.get(f"/pets/{pet['id']}/card")
    assert [line["content"] for line in card["items"]] == ["豆包对鸡肉过敏"]


async def test_changing_the_page_ends_what_the_talk_had_asked_about_it(owner: Owner) -> None:
    pet = await owner.pet("豆豆", neutered=False)
    await owner.post("/chat/turns", {"text": "豆豆已经绝育了", "client_msg_id": "m1"})
    assert len((await owner.get("/confirmations", status="pending"))["items"]) == 1
    after = await owner.put(f"/pets/{pet['id']}", {"neutered": True})
    assert after["neutered"] is True
    assert (await owner.get("/confirmations", status="pending"))["items"] == []
    lines = (await owner.get("/memories", subject=pet["id"], status="active"))["items"]
    assert [line["content"] for line in lines if line["attribute"] == "neutered"] == ["豆豆已绝育"]


async def test_no_known_allergies_is_not_said_of_a_pet_that_has_some(owner: Owner) -> None:
    pet = await owner.pet(no_known_allergies=True)
    await owner.record(pet, "allergies", substance="鸡肉")
    assert (await owner.get(f"/pets/{pet['id']}"))["no_known_allergies"] is False
    answer = await owner.ask("PUT", f"/pets/{pet['id']}", {"no_known_allergies": True})
    assert problem(answer) == (409, "allergies_on_record")


async def test_an_erased_pet_leaves_no_row_behind(owner: Owner, database: Database) -> None:
    key = {"Idempotency-Key": "k-1"}
    gone = await owner.post("/pets", {"name": "奥利奥", "species": "dog"}, headers=key)
    stays = await owner.pet("咪咪", "cat")
    for pet in (gone, stays):
        for kind, fields in RECORD_INPUTS.items():
            await owner.record(pet, kind, **fields | {"note": f"{pet['name']}的备注"})
        await owner.post("/memories", {"subject": pet["id"], "content": f"{pet['name']}喜欢玩绳结"})
        await owner.post("/schedules", {"pet_id": pet["id"], "title": f"{pet['name']}打疫苗", "starts_at": _soon()})
    turn = {"text": "今天吐了两次", "client_msg_id": "m1", "pet_id": gone["id"]}
    assert (await owner.ask("POST", "/chat/turns", turn)).status_code == 200
    rows = await _rows(database)
    assert any("奥利奥" in row for row in rows)
    await owner.delete(f"/pets/{gone['id']}")
    assert problem(await owner.ask("GET", f"/pets/{gone['id']}")) == (404, "unknown_pet")
    rows = await _rows(database)
    assert [row for row in rows if gone["id"] in row or "奥利奥" in row] == []
    assert len((await owner.get("/memories", subject=stays["id"], limit=100))["items"]) >= 10


async def test_an_erased_pet_leaves_no_talk_behind(owner: Owner, database: Database) -> None:
    gone, stays = await owner.pet("奥利奥"), await owner.pet("咪咪", "cat")
    words = (
        "奥利奥对鸡肉过敏",
        "奥利奥昨天去阳光医院打了针",
        "鸡肉能吃吗",
        "咪咪怕打雷",
    )
    for number, said in enumerate(words):
        await owner.post("/chat/turns", {"text": said, "client_msg_id": f"m{number}"})
    await owner.post(f"/pets/{gone['id']}/visits", {"clinic": "阳光宠物医院"}, headers={"Idempotency-Key": "k"})
    about = (await owner.get("/memories", subject=gone["id"], limit=100))["items"]
    ids = {gone["id"], *(item["id"] for item in about), *(item["record_id"] for item in about if item["record_id"])}

    await owner.delete(f"/pets/{gone['id']}")

    log = [message["text"] for message in (await owner.get("/chat/messages", limit=100))["items"]]
    assert any("咪咪怕打雷" in said for said in log)
    rows = [row for row in await _rows(database) if not row.startswith("outbox")]
    assert [row for row in rows if any(one in row for one in ids)] == []
    assert [row for row in rows if "奥利奥" in row or "阳光" in row or "鸡肉" in row] == []
    assert (await owner.get("/memories", subject=stays["id"]))["items"]


async def test_what_one_message_said_of_two_pets_stays_with_the_other(owner: Owner) -> None:
    gone, stays = await owner.pet("奥利奥"), await owner.pet("咪咪", "cat")
    await owner.post("/chat/turns", {"text": "奥利奥和咪咪上周都打了疫苗", "client_msg_id": "m"})
    assert len((await owner.get(f"/pets/{stays['id']}/vaccinations"))["items"]) == 1

    await owner.delete(f"/pets/{gone['id']}")

    (kept,) = (await owner.get(f"/pets/{stays['id']}/vaccinations"))["items"]
    assert len(kept["evidence"]) == 1
    assert (await owner.get("/chat/messages"))["items"] == []


@on_sqlite
async def test_an_erased_pet_is_gone_from_the_files_of_the_database(owner: Owner, database: Database) -> None:
    gone = await owner.pet("奥利奥")
    for number in range(3):
        turn = {"text": f"今天吐了{number + 2}次，zyxwabc", "client_msg_id": f"m{number}", "pet_id": gone["id"]}
        await owner.post("/chat/turns", turn)
    await owner.delete(f"/pets/{gone['id']}")

    path = Path(database.url.database or "")
    for file in (path, path.with_name(path.name + "-wal")):
        found = file.read_bytes() if file.exists() else b""
        assert "奥利奥".encode() not in found, file.name
        assert b"zyxwabc" not in found, file.name


def _soon() -> str:
    from datetime import UTC, datetime, timedelta

    return (datetime.now(UTC) + timedelta(days=3)).isoformat()


async def _rows(database: Database) -> list[str]:
    found: list[str] = []
    async with database.read() as session:
        connection = await session.connection()
        for table in SQLModel.metadata.sorted_tables:
            found.extend(f"{table.name}: {row}" for row in await connection.execute(table.select()))
    return found


@pytest.mark.parametrize("status", ["memorial", "lost", "rehomed"])
@on_sqlite
async def test_a_pet_that_is_gone_is_kept(owner: Owner, status: str) -> None:
    pet = await owner.pet()
    assert (await owner.put(f"/pets/{pet['id']}", {"status": status}))["status"] == status
    assert [one["id"] for one in (await owner.get("/pets"))["items"]] == [pet["id"]]


@pytest.mark.parametrize(
    "name", ["\u200b", "\u202e\ufeff", "！？", "不", "它", "猫", "今天", " 过敏 ", "IT", "\u200b我\u200b"]
)
@on_sqlite
async def test_a_name_that_no_talk_could_mean_is_refused(owner: Owner, name: str) -> None:
    refused = await owner.ask("POST", "/pets", {"name": name, "species": "dog"})
    assert problem(refused) == (422, "invalid_input")
    assert refused.json()["errors"][0]["field"] == "name"
    pet = await owner.pet()
    assert problem(await owner.ask("PUT", f"/pets/{pet['id']}", {"nicknames": ["豆子", name]}))[0] == 422


@pytest.mark.parametrize(
    ("given", "kept"),
    [("豆\u200b豆\ufeff", "豆豆"), ("\u202e豆豆", "豆豆"), ("不不", "不不"), ("K9", "K9"), ("7", "7")],
)
@on_sqlite
async def test_a_name_is_kept_without_what_nobody_sees(owner: Owner, given: str, kept: str) -> None:
    assert (await owner.pet(given))["name"] == kept


@on_sqlite
async def test_no_pet_is_born_in_the_future(owner: Owner) -> None:
    owner.at("2026-03-01T08:00:00+08:00")
    body = {"name": "豆豆", "species": "dog", "born_on": "2026-05-01"}
    assert problem(await owner.ask("POST", "/pets", body)) == (422, "implausible_value")
