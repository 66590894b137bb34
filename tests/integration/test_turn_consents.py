"""What a turn may keep: nothing without consent, and nothing at all in a temporary chat."""

import asyncio
from pathlib import Path

import pytest
from fastapi import FastAPI

from app.container import open_container
from app.database import Database
from app.settings import Settings
from tests.conftest import SignIn, on_sqlite
from tests.factories import Owner, problem
from tests.fakes.phone import hear, hear_again, say, turn_body
from tests.fakes.slow_assistant import SteppedAssistant, answer_with
from tests.fakes.tables import files_with, row_counts, tables_with

OF_A_TURN = {"turns", "turn_events", "conversations", "messages", "search_documents"}
SAID = "豆豆昨晚偷吃了紫薯蛋挞"
ANSWERED = "紫薯蛋挞的事我听到了。"


async def grown(database: Database, before: dict[str, int]) -> set[str]:
    after = await row_counts(database)
    return {table for table, rows in after.items() if rows != before[table]}


@pytest.mark.parametrize("text", ["豆豆对鸡肉过敏", "豆豆特别怕打雷", "豆豆好像对牛肉过敏", "记住，豆豆每周三洗澡"])
async def test_without_consent_nothing_is_remembered_and_the_answer_says_so(
    sign_in: SignIn, database: Database, text: str
) -> None:
    owner = await sign_in("lin", consent=False)
    pet = await owner.pet("豆豆")
    before = await row_counts(database)
    answer = await say(owner, text, pet_id=pet["id"])

    assert await grown(database, before) <= OF_A_TURN
    assert (answer["memories"], answer["records"], answer["confirmations"]) == ([], [], [])
    assert "记忆没有打开" in answer["text"]
    assert "记下了" not in answer["text"]


async def test_without_consent_no_receipt_is_streamed(sign_in: SignIn) -> None:
    owner = await sign_in("lin", consent=False)
    await owner.pet("豆豆")
    assert {event.name for event in await hear(owner, "豆豆对鸡肉过敏")} == {"turn", "delta", "done"}


async def test_without_consent_an_emergency_is_still_met_with_advice(sign_in: SignIn) -> None:
    owner = await sign_in("lin", consent=False)
    await owner.pet("豆豆")
    assert (await say(owner, "豆豆一直在抽搐，倒地不起"))["alerts"]


async def test_a_consent_counts_from_the_next_message_on(owner: Owner, database: Database) -> None:
    await owner.pet("豆豆")
    assert (await say(owner, "豆豆怕打雷", "m-1"))["memories"]
    await owner.agree(granted=False)
    assert (await say(owner, "豆豆对鸡肉过敏", "m-2"))["memories"] == []
    await owner.agree()
    assert (await say(owner, "豆豆对牛肉过敏", "m-3"))["memories"]
    assert (await row_counts(database))["memory_items"] == 2


async def test_what_was_said_without_consent_is_not_learned_when_it_is_given(
    sign_in: SignIn, database: Database
) -> None:
    owner = await sign_in("lin", consent=False)
    await owner.pet("豆豆")
    await say(owner, "豆豆对鸡肉过敏", "m-1")
    await owner.agree()
    await say(owner, "豆豆对鸡肉过敏", "m-1")
    assert (await row_counts(database))["memory_items"] == 0


async def test_a_temporary_chat_leaves_nothing_in_the_database(app: FastAPI, owner: Owner, database: Database) -> None:
    pet = await owner.pet("豆豆")
    before = await row_counts(database)
    answer_with(app, SteppedAssistant(ANSWERED).let_all_go())
    answer = await say(owner, SAID, pet_id=pet["id"], temporary=True)

    assert answer["text"] == ANSWERED
    assert await grown(database, before) == {"turns"}
    for words in (SAID, "紫薯", ANSWERED):
        assert await tables_with(database, words) == []


@on_sqlite
async def test_a_temporary_chat_leaves_nothing_in_any_file(app: FastAPI, owner: Owner, tmp_path: Path) -> None:
    await owner.pet("豆豆")
    await say(owner, "我们说点别的", "m-1")
    answer_with(app, SteppedAssistant(ANSWERED).let_all_go())
    await say(owner, SAID, "m-2", temporary=True)

    assert files_with(tmp_path, "我们说点别的")
    assert files_with(tmp_path, "紫薯") == []


@pytest.mark.parametrize("text", [SAID, "豆豆一直在抽搐，吃了紫薯", "记住，豆豆爱吃紫薯"])
async def test_the_rules_answer_a_temporary_chat_and_keep_nothing(owner: Owner, database: Database, text: str) -> None:
    await owner.pet("豆豆")
    before = await row_counts(database)
    heard = await hear(owner, text, temporary=True)

    assert heard[-1].name == "done"
    assert heard[-1].data["text"]
    assert (heard[-1].data["memories"], heard[-1].data["records"]) == ([], [])
    assert await grown(database, before) == {"turns"}
    assert await tables_with(database, "紫薯") == []


async def test_a_temporary_chat_reads_nothing(app: FastAPI, owner: Owner) -> None:
    pet = await owner.pet("豆豆")
    await say(owner, "豆豆对鸡肉过敏", "m-1")
    await say(owner, "豆豆好像对牛肉过敏", "m-2")
    await say(owner, "我住在杭州", "m-3")
    assistant = SteppedAssistant("好。").let_all_go()
    answer_with(app, assistant)
    await say(owner, "豆豆能吃鸡肉吗", "m-4", pet_id=pet["id"], temporary=True)

    (context,) = assistant.asked
    assert context.temporary
    assert not context.remembers
    assert not any([context.cards, context.owner_lines, context.others, context.recalled, context.history])
    assert not any([context.questions, context.due, context.summaries, context.written])
    assert "过敏" not in repr(context)


async def test_the_next_message_does_not_know_of_a_temporary_chat(app: FastAPI, owner: Owner) -> None:
    await say(owner, "你好", "m-1")
    await say(owner, SAID, "m-2", temporary=True)
    assistant = SteppedAssistant("好。").let_all_go()
    answer_with(app, assistant)
    await say(owner, "刚才说到哪了", "m-3")

    assert "紫薯" not in repr(assistant.asked)
    assert [said.text for said in assistant.asked[0].history][:1] == ["你好"]


async def test_a_temporary_answer_can_be_read_and_heard_again_in_this_process(owner: Owner) -> None:
    heard = await hear(owner, SAID, temporary=True)
    turn_id = heard[0].data["turn_id"]

    for after in range(len(heard)):
        assert await hear_again(owner, turn_id, after) == heard[after:]
    assert await owner.get(f"/chat/turns/{turn_id}") == heard[-1].data
    assert await say(owner, SAID, temporary=True) == heard[-1].data


async def test_a_temporary_answer_is_nobody_elses(sign_in: SignIn) -> None:
    lin, wang = await sign_in("lin"), await sign_in("wang")
    answer = await say(lin, SAID, temporary=True)
    for path in (f"/chat/turns/{answer['turn_id']}", f"/chat/turns/{answer['turn_id']}/events"):
        assert problem(await wang.ask("GET", path)) == (404, "unknown_turn")


async def test_a_temporary_turn_that_failed_leaves_no_word_and_is_run_again(
    app: FastAPI, owner: Owner, database: Database
) -> None:
    answer_with(app, SteppedAssistant(ANSWERED, error=RuntimeError(SAID)).let_all_go())
    failed = await say(owner, SAID, temporary=True)
    assert (failed["status"], failed["text"]) == ("failed", "")
    assert await tables_with(database, "紫薯") == []

    answer_with(app, SteppedAssistant(ANSWERED).let_all_go())
    assert (await say(owner, SAID, temporary=True))["text"] == ANSWERED
    assert await tables_with(database, "紫薯") == []


async def test_a_temporary_turn_that_was_stopped_leaves_no_word(app: FastAPI, owner: Owner, database: Database) -> None:
    assistant = SteppedAssistant(ANSWERED, "还有。")
    turns = answer_with(app, assistant)
    asking = asyncio.create_task(say(owner, SAID, temporary=True))
    await assistant.waiting.wait()
    (turn_id,) = turns._tasks
    await owner.post(f"/chat/turns/{turn_id}/cancel")
    assert (await asking)["status"] == "done"
    assert await tables_with(database, "紫薯") == []


async def test_another_process_says_that_a_temporary_answer_is_gone(
    owner: Owner, app: FastAPI, settings: Settings
) -> None:
    """It was kept nowhere: the owner is told to say it again, not given an empty answer as if it were whole."""
    heard = await hear(owner, SAID, temporary=True)
    turn_id = heard[0].data["turn_id"]
    async with open_container(settings) as elsewhere:
        app.state.container, here = elsewhere, app.state.container
        try:
            (end,) = await hear_again(owner, turn_id, len(heard) - 1)
            resent = await owner.ask("POST", "/chat/turns", turn_body(SAID, temporary=True))
        finally:
            app.state.container = here
    assert (end.name, end.data["code"], end.data["retryable"]) == ("error", "temporary_answer_gone", False)
    told = resent.json()
    assert (told["status"], told["code"], told["text"]) == ("failed", "temporary_answer_gone", "")
