"""An owner has a memory forgotten by saying so: the one that is meant, with a way back, and no record in passing."""

import pytest

from tests.conftest import on_sqlite
from tests.factories import Json, Owner

pytestmark = on_sqlite


class Talk:
    """One talk, a message a minute."""

    def __init__(self, owner: Owner) -> None:
        self.owner, self.minute = owner, 0

    async def say(self, text: str) -> str:
        self.minute += 1
        self.owner.at(f"2026-05-20T09:{self.minute:02}:00+08:00")
        body = {"text": text, "client_msg_id": f"{self.minute}-{text}"[:60]}
        answer: Json = await self.owner.post("/chat/turns", body)
        return str(answer["text"])

    async def known(self) -> set[str]:
        return {row["content"] for row in (await self.owner.get("/memories", limit=100))["items"]}


@pytest.fixture
async def talk(owner: Owner) -> Talk:
    await owner.pet("豆豆")
    return Talk(owner)


async def test_what_was_just_taught_is_forgotten_with_a_receipt_and_comes_back(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    before = await talk.known()
    assert any("打雷" in line for line in before)
    told = await talk.say("把这条忘了吧")
    assert told.startswith("忘掉了：")
    assert "打雷" in told
    assert not any("打雷" in line for line in await talk.known())
    assert (await talk.say("恢复")).startswith("找回来了：")
    assert await talk.known() == before


async def test_a_memory_is_found_by_its_words_and_not_learned_from_the_wish(talk: Talk) -> None:
    await talk.say("豆豆不爱吃胡萝卜")
    await talk.say("豆豆喜欢晒太阳")
    assert "胡萝卜" in await talk.say("忘掉豆豆不爱吃胡萝卜这件事")
    known = await talk.known()
    assert not any("胡萝卜" in line for line in known)
    assert any("太阳" in line for line in known)


async def test_several_that_fit_are_put_to_choice(talk: Talk) -> None:
    await talk.owner.pet("咪咪", "cat")
    await talk.say("豆豆特别怕打雷")
    await talk.say("咪咪特别怕打雷")
    assert "忘掉哪一条" in await talk.say("忘掉怕打雷这件事")
    assert len([line for line in await talk.known() if "打雷" in line]) == 2
    assert (await talk.say("第二条")).startswith("忘掉了：")
    assert len([line for line in await talk.known() if "打雷" in line]) == 1


async def test_a_record_is_never_deleted_without_a_yes(talk: Talk) -> None:
    await talk.say("豆豆对鸡肉过敏")
    asked = await talk.say("忘掉豆豆对鸡肉过敏这件事")
    assert "真的要从健康档案里删掉" in asked
    assert any("鸡肉" in line for line in await talk.known())
    await talk.say("先不删")
    assert any("鸡肉" in line for line in await talk.known())
    await talk.say("忘掉豆豆对鸡肉过敏这件事")
    assert (await talk.say("确定")).startswith("忘掉了：")
    assert not any("鸡肉" in line for line in await talk.known())
    await talk.say("恢复")
    assert any("鸡肉" in line for line in await talk.known())


async def test_what_is_said_with_the_wish_not_to_keep_it_is_not_kept(talk: Talk) -> None:
    before = await talk.known()
    assert (await talk.say("豆豆特别怕打雷，别记这个")).startswith("好的，这句我不记")
    assert await talk.known() == before


async def test_an_older_memory_that_was_only_said_again_is_not_forgotten_with_the_sentence(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    talk.minute += 40
    await talk.say("豆豆特别怕打雷")
    await talk.say("刚才那句不要记")
    assert any("打雷" in line for line in await talk.known())


async def test_nothing_that_fits_is_said_and_nothing_deleted(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    before = await talk.known()
    for text in ("忘掉豆豆会游泳这件事", "医生说把这条忘了吧", "他让我转告你：把这条忘了吧"):
        await talk.say(text)
    assert await talk.known() == before
    assert "没有找到" in await talk.say("忘掉豆豆会游泳这件事")
    assert "“我的”" in await talk.say("把所有记忆都删掉")
    assert await talk.known() == before


async def test_a_temporary_chat_forgets_nothing(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    before = await talk.known()
    await talk.owner.post("/chat/turns", {"text": "把这条忘了吧", "client_msg_id": "t", "temporary": True})
    assert await talk.known() == before


async def test_the_same_message_again_forgets_no_second_line(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    await talk.say("豆豆喜欢晒太阳")
    body = {"text": "把这条忘了吧", "client_msg_id": "once"}
    first = await talk.owner.post("/chat/turns", body)
    again = await talk.owner.post("/chat/turns", body)
    assert first["text"] == again["text"]
    assert any("打雷" in line for line in await talk.known())


async def test_a_line_is_found_by_its_topic_though_the_line_denies_something(talk: Talk) -> None:
    await talk.say("豆豆不能坐电梯，会紧张")
    assert (await talk.say("删掉豆豆坐电梯那条记忆")).startswith("忘掉了")
