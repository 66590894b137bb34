"""What an owner, or two devices of one, may do at a bad moment: nothing is doubled, half done, or somebody else's."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

import domain.portability.hand_edits
import domain.portability.import_batches
from tests.conftest import SignIn, on_sqlite
from tests.factories import Json, Owner, problem
from tests.integration.test_import import bring, export_of, lived, zipped

pytestmark = on_sqlite


@pytest.fixture
async def pet(owner: Owner) -> Json:
    return await owner.pet("豆豆")


async def contents(owner: Owner) -> list[str]:
    return sorted(row["content"] for row in (await owner.get("/memories", limit=100))["items"])


async def test_deleting_twice_finds_nothing_the_second_time(owner: Owner, pet: Json) -> None:
    memory = await owner.post("/memories", {"subject": pet["id"], "content": "豆豆怕吹风机"})
    record = await owner.record(pet, "allergies", substance="鸡肉", category="food")
    for path in (f"/memories/{memory['id']}", f"/pets/{pet['id']}/allergies/{record['id']}", f"/pets/{pet['id']}"):
        await owner.delete(path)
        assert problem(await owner.ask("DELETE", path))[0] == 404


async def test_two_devices_that_delete_and_restore_at_once_end_in_one_of_both(owner: Owner, pet: Json) -> None:
    memory = await owner.post("/memories", {"subject": pet["id"], "content": "豆豆怕吹风机"})
    path = f"/memories/{memory['id']}"
    await owner.delete(path)
    answers = await asyncio.gather(*(owner.ask("POST", f"{path}/restore") for _ in range(2)), owner.ask("DELETE", path))
    assert {answer.status_code for answer in answers} <= {200, 204, 404}
    kept = await contents(owner)
    assert kept in ([], ["豆豆怕吹风机"])
    assert (await owner.ask("GET", path)).status_code == (200 if kept else 404)


async def test_of_two_devices_that_edit_the_same_version_one_is_told(owner: Owner, pet: Json) -> None:
    memory = await owner.post("/memories", {"subject": pet["id"], "content": "豆豆怕吹风机"})
    edits = [{"content": f"豆豆不怕吹风机了{number}", "version": memory["version"]} for number in range(2)]
    answers = await asyncio.gather(*(owner.ask("PUT", f"/memories/{memory['id']}", edit) for edit in edits))
    assert sorted(answer.status_code for answer in answers) == [200, 409]


async def test_two_devices_that_import_the_same_file_double_nothing(owner: Owner, sign_in: SignIn) -> None:
    await lived(owner)
    packed, _ = await export_of(owner)
    other = await sign_in("other")
    other.at("2026-03-02T20:00:00+08:00")
    answers = await asyncio.gather(bring(other, packed), bring(other, packed))
    assert [answer.status_code for answer in answers] == [200, 200]
    assert await contents(other) == await contents(owner)
    assert len((await other.get("/pets"))["items"]) == 1


async def test_an_import_that_cannot_be_noted_leaves_nothing(
    owner: Owner, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lived(owner)
    packed, _ = await export_of(owner)
    other = await sign_in("other")

    def out_of_disk(*_: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(domain.portability.import_batches, "note_access", out_of_disk)
    assert (await bring(other, packed)).status_code == 500
    monkeypatch.undo()
    assert (await other.get("/pets"))["items"] == []
    assert await contents(other) == []
    assert (await other.get("/chat/messages"))["items"] == []
    other.at("2026-03-02T20:00:00+08:00")
    assert (await bring(other, packed)).status_code == 200


async def test_an_export_while_the_account_is_erased_is_whole_or_refused(
    app: FastAPI, owner: Owner, tmp_path: Path
) -> None:
    await lived(owner)
    answers = await asyncio.gather(
        *(owner.ask("GET", "/me/export") for _ in range(3)), owner.ask("DELETE", "/me"), owner.ask("GET", "/me/export")
    )
    assert answers[3].status_code == 202
    for answer in (*answers[:3], answers[4]):
        assert answer.status_code in (200, 401, 404), answer.text
        assert answer.status_code != 200 or answer.content.startswith(b"PK")
    assert problem(await owner.ask("GET", "/me/export")) == (401, "not_signed_in")


async def test_a_hostile_folder_touches_nothing_of_others_and_breaks_nothing(owner: Owner, sign_in: SignIn) -> None:
    other = await sign_in("other")
    theirs = await other.pet("可乐")
    secret = await other.post("/memories", {"subject": theirs["id"], "content": "可乐怕打雷"})
    mine = await owner.pet("豆豆")
    record = await owner.record(mine, "allergies", substance="鸡肉", category="food")
    page = "\r\n".join(
        [
            "## 豆豆",
            f"- 豆豆不怕打雷 <!-- id:{secret['id']} -->",  # another owner's memory
            f"- 豆豆对什么都不过敏 <!-- id:{record['id']} -->",
            "- <!-- id:00000000-0000-0000-0000-000000000000 -->",
            "- <script>alert(1)</script> <!-- id:x --> --> <!--",
            "- \u202e倒着的字\u200b",
            f"- {'长' * 5000}",
            "#" * 300,
            f"## {theirs['id']}",
            "- 可乐不怕打雷了",
            "## owner",
            "- 冒充主人",
            "## ../../etc/passwd",
            "- x",
            *(f"{' ' * 500}- {number}" for number in range(50)),
        ]
    )
    answer = await bring(owner, zipped(**{"MEMORY.md": page, "USER.md": "# 主人\n- 电话13812345678\n"}))
    assert answer.status_code == 200, answer.text
    assert await contents(other) == ["可乐怕打雷"]
    (allergy,) = (await owner.get(f"/pets/{mine['id']}/allergies"))["items"]
    assert allergy["status"] == "active"
    assert all("13812345678" not in line and len(line) <= 300 for line in await contents(owner))
    assert not any("可乐" in line for line in await contents(owner))


async def test_lines_beyond_the_most_that_is_read_are_told(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    await owner.pet("豆豆")
    monkeypatch.setattr(domain.portability.hand_edits, "MAX_LINES", 2)
    page = "## 豆豆\n- 豆豆怕打雷\n- 豆豆怕吹风机\n- 豆豆怕吸尘器\n- 豆豆怕水\n"
    report = (await bring(owner, zipped(**{"MEMORY.md": page}))).json()
    assert await contents(owner) == ["豆豆怕吹风机", "豆豆怕打雷"]
    assert any("还有 2 行" in note for note in report["notes"])
