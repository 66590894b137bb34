"""Deleting a message: its words are gone everywhere, what it taught too if asked, and a late copy teaches nothing."""

from datetime import UTC, datetime, timedelta

import pytest

from app.database import Database
from jobs.purge import PurgeParts, purge
from tests.conftest import SignIn, on_sqlite
from tests.factories import Json, Owner, problem
from tests.integration.test_account_erasure import rows_with

WORD = "鹧鸪紫苏"


async def say(owner: Owner, text: str, number: int = 1) -> Json:
    told: Json = await owner.post("/chat/turns", {"text": text, "client_msg_id": f"said-{number}"})
    return told


async def contents(owner: Owner) -> list[str]:
    return [item["content"] for item in (await owner.get("/memories"))["items"]]


@pytest.fixture
async def pet(owner: Owner) -> Json:
    return await owner.pet()


async def test_a_message_goes_with_its_answer_and_what_was_learned_stays(
    owner: Owner, pet: Json, database: Database
) -> None:
    told = await say(owner, "豆豆喜欢啃绳结，哈哈太好笑了")
    memory = next(item for item in (await owner.get("/memories"))["items"] if "绳结" in item["content"])
    await owner.delete(f"/chat/messages/{told['message_id']}")
    assert (await owner.get("/chat/messages"))["items"] == []
    assert (await owner.get("/chat/search", q="绳结"))["items"] == []
    kept = await owner.get(f"/memories/{memory['id']}")
    assert kept["content"] == memory["content"]
    assert [(one["message_id"], one["quote"]) for one in kept["evidence"]] == [(None, "（原话已删除）")]
    assert await rows_with(database, "太好笑了") == []


async def test_what_it_taught_is_forgotten_when_asked(owner: Owner, pet: Json) -> None:
    told = await say(owner, "豆豆喜欢啃绳结")
    await say(owner, "豆豆怕打雷", 2)
    await owner.ask("DELETE", f"/chat/messages/{told['message_id']}", params={"forget_memories": "true"})
    left = await contents(owner)
    assert any("打雷" in content for content in left)
    assert not any("绳结" in content for content in left)


async def test_a_record_goes_with_the_message_that_taught_it(owner: Owner, pet: Json) -> None:
    told = await say(owner, "豆豆对鸡肉过敏")
    assert len((await owner.get(f"/pets/{pet['id']}/allergies"))["items"]) == 1
    await owner.ask("DELETE", f"/chat/messages/{told['message_id']}", params={"forget_memories": "true"})
    assert (await owner.get(f"/pets/{pet['id']}/allergies"))["items"] == []
    assert await contents(owner) == []


async def test_what_was_said_twice_is_kept(owner: Owner, pet: Json) -> None:
    told = await say(owner, "豆豆对鸡肉过敏")
    await say(owner, "豆豆对鸡肉过敏，别忘了", 2)
    await owner.ask("DELETE", f"/chat/messages/{told['message_id']}", params={"forget_memories": "true"})
    assert len((await owner.get(f"/pets/{pet['id']}/allergies"))["items"]) == 1


async def test_sending_a_deleted_message_again_teaches_nothing(owner: Owner, pet: Json, database: Database) -> None:
    told = await say(owner, f"豆豆喜欢啃{WORD}")
    await owner.ask("DELETE", f"/chat/messages/{told['message_id']}", params={"forget_memories": "true"})
    again = await say(owner, f"豆豆喜欢啃{WORD}")
    assert (again["turn_id"], again["text"], again["memories"]) == (told["turn_id"], "这次对话已经删除了。", [])
    assert (await owner.get("/chat/messages"))["items"] == []
    assert await contents(owner) == []


async def test_no_row_holds_the_word_once_it_cannot_be_restored(owner: Owner, pet: Json, database: Database) -> None:
    told = await say(owner, f"豆豆喜欢啃{WORD}牌的磨牙棒")
    await owner.ask("DELETE", f"/chat/messages/{told['message_id']}", params={"forget_memories": "true"})
    await purge(PurgeParts(database, lambda: datetime.now(UTC) + timedelta(minutes=11)))
    assert await rows_with(database, WORD) == []


@on_sqlite
async def test_an_answer_can_be_deleted_alone(owner: Owner, pet: Json) -> None:
    await say(owner, "豆豆喜欢啃绳结")
    answer = next(one for one in (await owner.get("/chat/messages"))["items"] if one["role"] == "assistant")
    await owner.delete(f"/chat/messages/{answer['id']}")
    assert [one["role"] for one in (await owner.get("/chat/messages"))["items"]] == ["user"]


async def test_deleting_twice_or_another_households_message_finds_nothing(
    owner: Owner, pet: Json, sign_in: SignIn
) -> None:
    told = await say(owner, "豆豆喜欢啃绳结")
    path = f"/chat/messages/{told['message_id']}"
    stranger = await sign_in("stranger")
    assert problem(await stranger.ask("DELETE", path)) == (404, "not_found")
    await owner.delete(path)
    assert problem(await owner.ask("DELETE", path)) == (404, "not_found")
