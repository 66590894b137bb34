"""The last change of a memory is taken back as a new version."""

import asyncio
import io
import zipfile

import pytest

from tests.conftest import on_sqlite
from tests.factories import Json, Owner, problem
from tests.fakes.phone import say

CARD_ITEMS = 20


@pytest.fixture
async def pet(owner: Owner) -> Json:
    return await owner.pet()


async def written(owner: Owner, pet: Json, content: str = "豆豆喜欢飞盘", **more: str) -> str:
    made = await owner.post("/memories", {"subject": pet["id"], "content": content, **more})
    return str(made["id"])


async def test_an_edit_is_taken_back_and_history_keeps_both(owner: Owner, pet: Json) -> None:
    memory = await written(owner, pet)
    await owner.put(f"/memories/{memory}", {"content": "豆豆喜欢绳结", "topic": "behavior"})
    back = await owner.post(f"/memories/{memory}/undo")
    assert (back["content"], back["topic"], back["version"]) == ("豆豆喜欢飞盘", "lifestyle", 3)
    history = (await owner.get(f"/memories/{memory}/history"))["items"]
    assert [row["reason"] for row in history] == ["owner_wrote", "owner_edited", "owner_undid"]
    assert [one["id"] for one in (await owner.get("/memories", q="飞盘"))["items"]] == [memory]
    assert (await owner.get("/memories", q="绳结"))["items"] == []


@pytest.mark.parametrize(
    ("call", "body", "field"),
    [("lock", None, "locked"), ("snooze", {"until": "2099-01-01T00:00:00+08:00"}, "snoozed_until")],
)
async def test_a_lock_and_a_snooze_are_taken_back(
    owner: Owner, pet: Json, call: str, body: Json | None, field: str
) -> None:
    memory = await written(owner, pet)
    before = (await owner.get(f"/memories/{memory}"))[field]
    assert (await owner.post(f"/memories/{memory}/{call}", body))[field] != before
    assert (await owner.post(f"/memories/{memory}/undo"))[field] == before


async def test_a_line_of_chat_is_a_line_of_chat_again(owner: Owner, pet: Json) -> None:
    await say(owner, "豆豆喜欢玩绳结")
    (before,) = (await owner.get("/memories"))["items"]
    edited = await owner.put(f"/memories/{before['id']}", {"content": "豆豆只玩红色的绳结"})
    assert (edited["source"], edited["protected"]) == ("owner", True)
    back = await owner.post(f"/memories/{before['id']}/undo")
    same = ("content", "source", "protected", "tier", "status", "confidence", "kind", "upgrade", "expires_at")
    assert {name: back[name] for name in same} == {name: before[name] for name in same}


async def test_where_nothing_can_be_taken_back_it_is_said(owner: Owner, pet: Json) -> None:
    memory = await written(owner, pet)
    undo = f"/memories/{memory}/undo"
    assert problem(await owner.ask("POST", undo)) == (409, "nothing_to_undo")
    await owner.put(f"/memories/{memory}", {"content": "豆豆喜欢绳结"})
    await owner.post(undo)
    assert problem(await owner.ask("POST", undo)) == (409, "nothing_to_undo")
    record = await owner.record(pet, "allergies", substance="鸡肉")
    mirror = next(one for one in (await owner.get("/memories"))["items"] if one["record_id"])
    answer = await owner.ask("POST", f"/memories/{mirror['id']}/undo")
    assert problem(answer) == (409, "mirrored")
    assert (answer.json()["record_kind"], answer.json()["record_id"]) == ("allergies", record["id"])
    await owner.delete(f"/memories/{memory}")
    assert problem(await owner.ask("POST", undo)) == (404, "not_found")
    assert problem(await owner.ask("DELETE", f"/memories/{memory}")) == (404, "not_found"), "deleted twice"


@on_sqlite
async def test_two_taps_take_one_change_back(owner: Owner, pet: Json) -> None:
    memory = await written(owner, pet)
    await owner.put(f"/memories/{memory}", {"content": "豆豆喜欢绳结"})
    answers = await asyncio.gather(*(owner.ask("POST", f"/memories/{memory}/undo") for _ in range(3)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
    assert (await owner.get(f"/memories/{memory}"))["content"] == "豆豆喜欢飞盘"


@pytest.mark.parametrize("by", ["chat", "form"])
async def test_a_card_of_locked_lines_takes_no_allergy_but_it_is_served_and_the_owner_is_told(
    owner: Owner, pet: Json, by: str
) -> None:
    for number in range(CARD_ITEMS):
        memory = await written(owner, pet, f"豆豆的第{number}件要紧事", tier="core")
        await owner.post(f"/memories/{memory}/lock")
    if by == "chat":
        await say(owner, "豆豆对鸡肉过敏")
    else:
        await owner.record(pet, "allergies", substance="鸡肉")
    assert len((await owner.get(f"/pets/{pet['id']}/allergies"))["items"]) == 1
    core = (await owner.get("/memories", subject=pet["id"], tier="core", limit=50))["items"]
    assert (len(core), all(one["locked"] for one in core)) == (CARD_ITEMS, True)
    told = [one for one in (await owner.get("/inbox"))["items"] if one["kind"] == "card_full"]
    assert len(told) == 1
    assert "鸡肉" in told[0]["body"]
    answer = await say(owner, "豆豆能吃鸡肉干吗？", "m-2")
    assert "过敏" in answer["text"]
    assert (answer["status"], bool(answer["citations"])) == ("done", True)


@on_sqlite
async def test_an_export_during_the_erasure_is_whole_or_refused(owner: Owner, pet: Json) -> None:
    await written(owner, pet)
    exported, erased = await asyncio.gather(owner.ask("GET", "/me/export"), owner.ask("DELETE", "/me"))
    assert erased.status_code == 202
    if exported.is_success:
        with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
            assert archive.testzip() is None
    else:
        assert problem(exported)[0] in (401, 404)
    assert problem(await owner.ask("GET", "/me/export")) == (401, "not_signed_in")


@on_sqlite
async def test_a_file_of_more_than_50_mb_is_refused(owner: Owner) -> None:
    huge = b"\0" * (50 * 1024 * 1024 + 1)
    answer = await owner.ask("POST", "/me/import", files={"file": ("export.zip", huge, "application/zip")})
    assert problem(answer) == (413, "body_too_large")
