"""撤销 takes back the newest change, be it a plan, a memory, a record, an answer or a deletion, and says which."""

import pytest

from tests.conftest import on_sqlite
from tests.factories import Json, Owner
from tests.integration.test_forgetting import Talk

pytestmark = on_sqlite

PLAN = "下周三下午三点带豆豆打疫苗"


@pytest.fixture
async def talk(owner: Owner) -> Talk:
    await owner.pet("豆豆")
    return Talk(owner)


async def plans(talk: Talk) -> list[str]:
    return [one["title"] for one in (await talk.owner.get("/schedules"))["items"]]


async def records(talk: Talk, kind: str) -> list[Json]:
    (pet,) = (await talk.owner.get("/pets"))["items"]
    rows: list[Json] = (await talk.owner.get(f"/pets/{pet['id']}/{kind}"))["items"]
    return [row for row in rows if row["status"] in ("active", "provisional")]


@pytest.mark.parametrize("words", ["撤销", "等等，撤销上一步", "刚说的不算", "刚才说的都不算数"])
async def test_a_memory_told_after_a_plan_is_taken_back_and_the_plan_stays(talk: Talk, words: str) -> None:
    await talk.say(PLAN)
    before = await talk.known()
    await talk.say("豆豆特别怕打雷")
    told = await talk.say(words)
    assert "打雷" in told
    assert await talk.known() == before
    assert await plans(talk) == ["带豆豆打疫苗"]


async def test_a_plan_made_after_a_memory_is_taken_back_and_the_memory_stays(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    before = await talk.known()
    await talk.say(PLAN)
    assert "已撤销" in await talk.say("撤销")
    assert (await plans(talk), await talk.known()) == ([], before)


@pytest.mark.parametrize("words", ["撤销", "刚才那个改回来吧", "还是改回去", "刚说的不算"])
async def test_a_memory_that_was_changed_is_as_it_was(talk: Talk, words: str) -> None:
    await talk.say("豆豆现在吃皇家的粮")
    before = await talk.known()
    await talk.say(PLAN)
    await talk.say("豆豆换成渴望的粮了")
    assert await talk.known() != before
    told = await talk.say(words)
    assert told.startswith("改回来了：")
    assert "皇家" in told
    assert await talk.known() == before
    assert await plans(talk) == ["带豆豆打疫苗"]
    assert "皇家" in await talk.say("豆豆吃什么粮")


async def test_a_record_just_told_is_taken_back_and_can_be_found_again(talk: Talk) -> None:
    await talk.say(PLAN)
    await talk.say("豆豆对鸡肉过敏")
    assert "鸡肉" in await talk.say("撤销")
    assert await records(talk, "allergies") == []
    assert await plans(talk) == ["带豆豆打疫苗"]
    assert (await talk.say("恢复")).startswith("找回来了：")
    assert [row["substance"] for row in await records(talk, "allergies")] == ["鸡肉"]


async def test_a_yes_to_a_question_is_taken_back_and_the_question_is_open_again(talk: Talk) -> None:
    await talk.say("豆豆对鸡肉过敏")
    await talk.say("豆豆对鸡肉不过敏，是我记错了")
    await talk.say("对，改吧")
    assert await records(talk, "allergies") == []
    told = await talk.say("撤销")
    assert told.startswith("改回来了：")
    assert [row["substance"] for row in await records(talk, "allergies")] == ["鸡肉"]
    assert len((await talk.owner.get("/confirmations", status="pending"))["items"]) == 1
    assert "过敏" in await talk.say("豆豆能吃鸡肉吗")


async def test_a_statement_that_raised_a_question_is_withdrawn_with_it(talk: Talk) -> None:
    await talk.say("豆豆对鸡肉过敏")
    await talk.say("豆豆对鸡肉不过敏，是我记错了")
    await talk.say("刚说的不算")
    assert (await talk.owner.get("/confirmations", status="pending"))["items"] == []
    assert [row["substance"] for row in await records(talk, "allergies")] == ["鸡肉"]


async def test_an_edit_on_the_memory_page_is_taken_back_before_an_older_plan(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    (memory,) = (await talk.owner.get("/memories"))["items"]
    await talk.say(PLAN)
    talk.minute += 1
    talk.owner.at(f"2026-05-20T09:{talk.minute:02}:00+08:00")
    await talk.owner.put(f"/memories/{memory['id']}", {"content": "豆豆不怕打雷了"})
    assert (await talk.say("撤销")).startswith("改回来了：")
    assert (await talk.owner.get(f"/memories/{memory['id']}"))["content"] == memory["content"]
    assert await plans(talk) == ["带豆豆打疫苗"]


async def test_a_deletion_on_the_memory_page_comes_back(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    (memory,) = (await talk.owner.get("/memories"))["items"]
    talk.minute += 1
    talk.owner.at(f"2026-05-20T09:{talk.minute:02}:00+08:00")
    await talk.owner.delete(f"/memories/{memory['id']}")
    assert (await talk.say("恢复")).startswith("找回来了：")
    assert await talk.known() == {memory["content"]}


async def test_what_the_pets_page_was_told_is_open_again(talk: Talk) -> None:
    await talk.say("豆豆是母的")
    (pet,) = (await talk.owner.get("/pets"))["items"]
    assert pet["sex"] == "female"
    await talk.say("撤销")
    (pet,) = (await talk.owner.get("/pets"))["items"]
    assert pet["sex"] == "unknown"


async def test_no_known_allergies_is_taken_back_before_an_older_plan(talk: Talk) -> None:
    await talk.say(PLAN)
    await talk.say("豆豆没有已知过敏")
    assert (await talk.owner.get("/pets"))["items"][0]["no_known_allergies"]
    await talk.say("撤销")
    assert not (await talk.owner.get("/pets"))["items"][0]["no_known_allergies"]
    assert await plans(talk) == ["带豆豆打疫苗"]


async def test_twice_takes_nothing_older_back(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    await talk.say("豆豆喜欢晒太阳")
    await talk.say("撤销")
    known = await talk.known()
    assert "已经撤销" in await talk.say("撤销")
    assert await talk.known() == known
    assert any("打雷" in line for line in known)


async def test_what_was_found_again_goes_again_at_the_word_and_can_be_found_once_more(talk: Talk) -> None:
    await talk.say("豆豆对鸡肉过敏")
    await talk.say("撤销")
    await talk.say("恢复")
    assert "鸡肉" in await talk.say("撤销")
    assert await records(talk, "allergies") == []
    assert "已经撤销" in await talk.say("撤销")
    assert (await talk.say("恢复")).startswith("找回来了：")
    assert [row["substance"] for row in await records(talk, "allergies")] == ["鸡肉"]


async def test_a_slip_without_more_is_asked_about(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    before = await talk.known()
    told = await talk.say("刚才说错了")
    assert "打雷" in told
    assert "撤销" in told
    assert await talk.known() == before
    await talk.say("撤销")
    assert await talk.known() == set()


async def test_to_change_back_what_was_only_told_is_asked_about(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    before = await talk.known()
    assert "要撤销" in await talk.say("还是改回去")
    assert await talk.known() == before
    assert "打雷" in await talk.say("刚说的不算")
    assert await talk.known() == set()
    assert "已经撤销" in await talk.say("还是改回去")


async def test_where_nothing_was_changed_it_is_said(talk: Talk) -> None:
    assert "没有可以撤销的" in await talk.say("撤销")
    await talk.say("豆豆特别怕打雷")
    await talk.say("今天天气真好")
    assert "没有改动" in await talk.say("刚说的不算")
    assert any("打雷" in line for line in await talk.known())
    talk.minute += 40
    assert "没有可以撤销的" in await talk.say("撤销")
    assert any("打雷" in line for line in await talk.known())


async def test_what_was_taken_back_is_learned_again_when_it_is_said_anew(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    await talk.say("撤销")
    assert await talk.known() == set()
    await talk.say("豆豆特别怕打雷")
    assert any("打雷" in line for line in await talk.known())


async def test_the_same_message_again_takes_nothing_more_back(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    await talk.say("豆豆喜欢晒太阳")
    body = {"text": "撤销", "client_msg_id": "once"}
    first = await talk.owner.post("/chat/turns", body)
    again = await talk.owner.post("/chat/turns", body)
    assert first["text"] == again["text"]
    assert any("打雷" in line for line in await talk.known())


async def test_a_follow_up_goes_with_the_sign_it_asks_about(talk: Talk) -> None:
    await talk.say("豆豆今天吐了两次")
    assert len((await talk.owner.get("/follow-ups"))["items"]) == 1
    await talk.say("刚说的不算")
    assert (await talk.owner.get("/follow-ups"))["items"] == []


async def test_a_temporary_chat_takes_nothing_back(talk: Talk) -> None:
    await talk.say("豆豆特别怕打雷")
    before = await talk.known()
    await talk.owner.post("/chat/turns", {"text": "撤销", "client_msg_id": "t", "temporary": True})
    assert await talk.known() == before
