"""A value that no record may hold is asked back and never put to the owner; a yes to it writes nothing."""

import json
from typing import Any

import pytest
from fastapi import FastAPI

from domain.errors import Implausible
from memory.items import MemoryItem
from tests.conftest import SignIn, on_sqlite
from tests.factories import Json, Owner, problem
from tests.fakes.phone import say
from tests.fakes.slow_assistant import SteppedAssistant, answer_with
from tests.integration.test_import import bring, export_of, zipped

DAY_1, DAY_2 = "2026-03-01T10:00:00+08:00", "2026-03-01T10:02:00+08:00"
YES = "对，改吧"


async def asked_about(owner: Owner, said: str = "芋圆体重其实是52kg，5.2写错了") -> Json:
    """An open question whose new weight has become impossible: the animal turned out to be a cat."""
    pet = await owner.at(DAY_1).pet("芋圆", "other", species_name="猪")
    await say(owner, "芋圆今天体重5.2kg", "first")
    await say(owner, said, "second")
    await owner.put(f"/pets/{pet['id']}", {"species": "cat"})
    (question,) = (await owner.get("/confirmations", status="pending"))["items"]
    return {**question, "pet_id": pet["id"]}


async def weights(owner: Owner, question: Json) -> list[float]:
    rows = (await owner.get(f"/pets/{question['pet_id']}/weights"))["items"]
    return [row["value"] for row in rows if row["status"] == "active"]


async def status_of(owner: Owner, question: Json) -> str:
    return str((await owner.get(f"/confirmations/{question['id']}"))["status"])


@on_sqlite
async def test_a_tap_on_a_value_that_cannot_be_is_refused_and_the_question_stays(owner: Owner) -> None:
    question = await asked_about(owner)
    path = f"/confirmations/{question['id']}/answer"
    refused = await owner.at(DAY_2).ask("POST", path, {"answer": "accept"})

    assert problem(refused) == (422, "implausible_value")
    assert "52kg" in refused.json()["detail"]
    assert (await weights(owner, question), await status_of(owner, question)) == ([5.2], "pending")
    assert (await owner.post(path, {"answer": "keep"}))["status"] == "kept"
    assert await weights(owner, question) == [5.2]


@on_sqlite
async def test_a_yes_in_words_to_a_value_that_cannot_be_is_answered_and_changes_nothing(owner: Owner) -> None:
    question = await asked_about(owner)
    told = await say(owner.at(DAY_2), YES, "yes")

    assert told["status"] == "done"
    assert "52kg" in told["text"]
    assert "没有改" in told["text"]
    assert "已经改成" not in told["text"]
    assert [one["outcome"] for one in told["memories"]] == ["refused"]
    assert (await weights(owner, question), await status_of(owner, question)) == ([5.2], "pending")


@on_sqlite
async def test_the_right_figure_after_it_takes_the_place_of_the_question(owner: Owner) -> None:
    question = await asked_about(owner)
    await say(owner.at(DAY_2), YES, "yes")
    await say(owner, "不对，芋圆体重应该是2.5kg，5.2写错了", "right")
    assert await status_of(owner, question) == "void"
    await say(owner.at("2026-03-01T10:04:00+08:00"), YES, "yes again")
    assert await weights(owner, question) == [2.5]


@pytest.mark.parametrize(
    "said", ["不对，刚才写错了，芋圆是52kg", "芋圆体重其实是52kg，5.2写错了", "好像芋圆有80斤了，邻居说的"]
)
@on_sqlite
async def test_a_weight_that_cannot_be_is_asked_back_and_never_put_as_a_question(owner: Owner, said: str) -> None:
    await owner.at(DAY_1).pet("芋圆", "cat")
    await say(owner, "芋圆今天体重5.2kg", "first")
    told = await say(owner, said, "second")

    assert "核对单位和小数点" in told["text"]
    assert (await owner.get("/confirmations"))["items"] == []
    assert (await owner.get("/memories", status="candidate"))["items"] == []


@pytest.mark.parametrize(
    "value",
    [{"number": "much", "unit": "kg"}, {"number": 2.5e9, "unit": "kg"}, {"number": [1], "unit": {"a": 1}}, {"unit": 3}],
)
@on_sqlite
async def test_a_question_from_a_file_is_answered_whatever_value_it_holds(
    owner: Owner, sign_in: SignIn, value: dict[str, Any]
) -> None:
    await asked_about(owner)
    _, export = await export_of(owner)
    for row in export["memories"]:
        if row["status"] == "candidate":
            row["value"] = value
    other = (await sign_in("other")).at(DAY_2)
    await bring(other, zipped(**{"export.json": json.dumps(export)}))
    told = await say(other, "对，就改成52kg", "yes")
    assert told["status"] == "done"
    for question in (await other.get("/confirmations", status="pending"))["items"]:
        assert question["new"]["memory_id"] in [one["id"] for one in (await other.get("/memories"))["items"]]
        answer = await other.ask("POST", f"/confirmations/{question['id']}/answer", {"answer": "accept"})
        assert answer.status_code < 500, answer.text
    told = await say(other, "芋圆今天体重5.3kg", "next")
    assert (told["status"], told["memories"][0]["outcome"]) == ("done", "added")


@on_sqlite
async def test_a_yes_to_a_question_whose_statement_is_gone_ends_the_question(app: FastAPI, owner: Owner) -> None:
    question = await asked_about(owner)
    async with app.state.container.database.write() as session:
        await session.delete(await session.get(MemoryItem, question["new"]["memory_id"]))
    told = await say(owner.at(DAY_2), YES, "yes")

    assert (told["status"], await status_of(owner, question)) == ("done", "void")
    assert "没有改" in told["text"]


@on_sqlite
async def test_a_turn_that_was_refused_says_why_and_asks_for_no_repetition(app: FastAPI, owner: Owner) -> None:
    answer_with(app, SteppedAssistant(error=Implausible("体重请核对")).let_all_go())
    failed = await say(owner, "在吗")
    told = failed["status"], failed["code"], failed["detail"], failed["retryable"]
    assert told == ("failed", "implausible_value", "体重请核对", False)
