"""Taking everything along: complete, readable, without secrets, and of one household only."""

import io
import json
import zipfile

from tests.conftest import SignIn, on_sqlite
from tests.factories import Json, Owner
from tests.photos import GIF, png


async def taken_along(owner: Owner) -> dict[str, str]:
    answer = await owner.ask("GET", "/me/export")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


async def lived(owner: Owner) -> Json:
    owner.at("2026-03-01T20:00:00+08:00")
    pet = await owner.pet(nicknames=["豆宝"], breed="柯基", sex="male", neutered=True)
    await owner.post("/memories", {"subject": "owner", "content": "早上六点遛狗"})
    for number, said in enumerate(("豆豆对鸡肉过敏", "豆豆喜欢啃绳结", "谢谢你", "豆豆今天吐了两次")):
        await owner.post("/chat/turns", {"text": said, "client_msg_id": f"{number}"})
    return pet


async def test_everything_is_in_the_file(owner: Owner) -> None:
    pet = await lived(owner)
    files = await taken_along(owner)
    export = json.loads(files["export.json"])
    assert (export["format"], export["version"]) == ("pawsignal-export", 1)
    assert [one["name"] for one in export["pets"]] == ["豆豆"]
    assert [one["substance"] for one in export["allergies"]] == ["鸡肉"]
    assert len(export["messages"]) == 8
    memories = {one["id"] for one in export["memories"]}
    assert memories == {one["id"] for one in (await owner.get("/memories", limit=100))["items"]}
    assert {one["item_id"] for one in export["memory_versions"]} == memories
    told = {one["target_id"] for one in export["evidence"]}
    assert export["allergies"][0]["id"] in told
    assert told & memories
    assert pet["id"] in files["export.json"]


async def test_the_folder_is_nice_to_read(owner: Owner) -> None:
    await lived(owner)
    files = await taken_along(owner)
    assert {"MEMORY.md", "USER.md", "DREAMS.md", "memory/2026-03-01.md", "memory/2026-03-01.jsonl"} <= set(files)
    assert "## 豆豆" in files["MEMORY.md"]
    assert "狗，柯基，公，已绝育，也叫豆宝" in files["MEMORY.md"]
    assert "### 身份证" in files["MEMORY.md"]
    assert "鸡肉过敏" in files["MEMORY.md"]
    assert "遛狗" in files["USER.md"]
    assert "- 20:00 我：豆豆对鸡肉过敏" in files["memory/2026-03-01.md"]
    assert "AI生成" in files["MEMORY.md"] + files["DREAMS.md"]
    kinds = {json.loads(line)["type"] for line in files["memory/2026-03-01.jsonl"].splitlines()}
    assert kinds == {"ai_label", "message", "memory"}


async def test_nothing_of_another_household_and_no_secret_is_in_it(owner: Owner, sign_in: SignIn) -> None:
    await lived(owner)
    await owner.put("/me", {"phone_code": "dev:13812345678"})
    stranger = await sign_in("stranger")
    theirs = await stranger.pet("可乐")
    await stranger.post("/chat/turns", {"text": "可乐怕打雷", "client_msg_id": "x"})
    everything = "".join((await taken_along(owner)).values())
    for word in ("可乐", theirs["id"], stranger.id, "13812345678", "openid", "token_hash"):
        assert word not in everything
    assert "138****5678" in everything


@on_sqlite
async def test_the_pictures_are_taken_along(owner: Owner) -> None:
    made = [(await owner.client.post("/v1/photos", files={"file": ("p", one)})).json() for one in (png(), GIF)]
    gone = (await owner.client.post("/v1/photos", files={"file": ("p", png(9))})).json()
    await owner.delete(f"/photos/{gone['id']}")
    answer = await owner.ask("GET", "/me/export")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        held = {name: archive.read(name) for name in archive.namelist() if name.startswith("photos/")}
    assert held == {f"photos/{made[0]['id']}.png": png(), f"photos/{made[1]['id']}.gif": GIF}
    again = await owner.client.post("/v1/me/import", files={"file": ("e.zip", answer.content)})
    assert again.status_code == 200, again.text


@on_sqlite
async def test_what_was_deleted_is_not_taken_along(owner: Owner) -> None:
    await lived(owner)
    memory = next(one for one in (await owner.get("/memories"))["items"] if "绳结" in one["content"])
    await owner.delete(f"/memories/{memory['id']}")
    export = json.loads((await taken_along(owner))["export.json"])
    assert memory["id"] not in {one["id"] for one in export["memories"]}
    assert memory["id"] not in {one["item_id"] for one in export["memory_versions"]}


@on_sqlite
async def test_an_account_without_anything_can_be_taken_along(owner: Owner) -> None:
    files = await taken_along(owner)
    assert json.loads(files["export.json"])["pets"] == []
