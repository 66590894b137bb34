"""A yes to a change that the assistant asked for in words of its own is the owner's word on exactly that change."""

from datetime import timedelta

import pytest

from app.database import Database
from domain.offline.extractor import extract
from domain.pet_profiles import KnownFact, SaidBefore, Utterance
from domain.pets import profile_of
from domain.remembering import Remembered, SaidMessage, remember
from memory.settlement import Answer
from memory.sqltypes import new_id
from memory.vocabulary import Certainty, SpeechAct
from tests.conftest import on_sqlite
from tests.homes import MONDAY, Home, claim, open_home

LATER = MONDAY + timedelta(days=2)
ALLERGY = "记录显示煤球对鸡肉过敏。确认改为「不过敏」吗？"
WEIGHT = "确认把煤球的体重由8.2kg改为2.8kg吗？"


@pytest.fixture
async def home(database: Database) -> Home:
    opened = await open_home(database)
    await opened.say(
        claim(opened.dog, "allergy:chicken", "煤球对鸡肉过敏", value={"substance": "chicken", "substance_name": "鸡肉"})
    )
    await opened.say(claim(opened.dog, "weight", "煤球体重8.2kg", value={"number": 8.2, "unit": "kg"}))
    return opened


async def reply(home: Home, asked: str, text: str) -> Remembered:
    """The owner's message right after the assistant asked `asked`, read and remembered as a turn does."""
    known = [KnownFact(item.subject, item.attribute, item.content) for item in await home.items()]
    history = [SaidBefore("assistant", asked, LATER)]
    said = extract(
        Utterance(text, home.scope.local(LATER), [profile_of(pet) for pet in home.pets], history=history, known=known)
    )
    async with home.database.write() as session:
        message = SaidMessage(new_id(), None, text, LATER, home.scope, asked=asked)
        return await remember(session, home.pets, message, said.claims, LATER, LATER, put=said.put)


@on_sqlite
@pytest.mark.parametrize("text", ["对，改吧", "是的", "没错，报告上是阴性", "对，吃了好几回都没事"])
async def test_a_yes_makes_the_change_that_was_put(home: Home, text: str) -> None:
    told = await reply(home, ALLERGY, text)
    assert told.answered is not None
    assert told.answered.answer is Answer.ACCEPT
    assert "煤球对鸡肉不过敏" in await home.served()
    assert "煤球对鸡肉过敏" not in await home.served()
    (question,) = await home.confirmations()
    assert (question.status, question.answered_by) == ("accepted", home.scope.owner_id)


@on_sqlite
async def test_a_yes_corrects_the_weight_that_was_put(home: Home) -> None:
    await reply(home, WEIGHT, "对对2.8，才四个月大的小狗")
    served = "；".join(await home.served())
    assert "2.8" in served
    assert "煤球体重8.2kg" not in served


@on_sqlite
@pytest.mark.parametrize(
    "text",
    ["再看看", "应该是吧", "先别改", "我问问医生", "对，但是它还是会吐", "是3.8", "芋圆不过敏", "能改吗？", "嗯？"],
)
async def test_nothing_but_a_yes_changes_what_is_served(home: Home, text: str) -> None:
    await reply(home, ALLERGY, text)
    await reply(home, WEIGHT, text)
    assert {"煤球对鸡肉过敏", "煤球体重8.2kg"} <= set(await home.served())


@on_sqlite
async def test_a_yes_after_an_ordinary_question_changes_nothing(home: Home) -> None:
    await reply(home, "煤球今天吃虾了吗？", "对，吃了")
    assert "煤球对鸡肉过敏" in await home.served()


@on_sqlite
@pytest.mark.parametrize(
    ("text", "given"), [("先别改", Answer.KEEP), ("不，还是过敏的", Answer.KEEP), ("再看看吧", Answer.WATCH)]
)
async def test_a_no_and_a_wait_are_answers_to_what_was_put_as_well(home: Home, text: str, given: Answer) -> None:
    told = await reply(home, ALLERGY, text)
    assert told.answered is not None
    assert told.answered.answer is given
    assert "煤球对鸡肉过敏" in await home.served()


@on_sqlite
async def test_a_yes_takes_the_figures_of_the_question_where_the_noted_words_lacked_them(home: Home) -> None:
    await home.say(
        claim(home.dog, "medication:pimobendan", "煤球每天两次各吃1.25mg匹莫苯丹", value={"ingredient": "pimobendan"})
    )
    told = await home.say(
        claim(home.dog, "medication:pimobendan", "煤球匹莫苯丹换量了", negated=True, act=SpeechAct.DECISION)
    )
    assert told.written[0].confirmation is not None
    await reply(home, "确认把煤球的匹莫苯丹由1.25mg改为2.5mg吗？", "对，今晚开始")
    served = "；".join(await home.served())
    assert "2.5mg" in served
    assert "停用" not in served
    assert "1.25mg" not in served


@on_sqlite
@pytest.mark.parametrize("text", ["对，是芋圆", "就是芋圆", "没错"])
async def test_a_yes_moves_a_danger_to_the_other_pet_as_a_whole(home: Home, text: str) -> None:
    await home.say(
        claim(home.cat, "allergy:chicken", "芋圆对鸡肉过敏", certainty=Certainty.HEDGED, value={"substance": "chicken"})
    )
    await reply(home, "鸡肉过敏记在煤球名下，要改到芋圆名下吗？", text)
    served = await home.served()
    assert "煤球对鸡肉不过敏" in served
    assert "煤球对鸡肉过敏" not in served
    assert any("芋圆" in line and "鸡肉" in line and "不过敏" not in line for line in served)


@on_sqlite
async def test_a_yes_to_a_swap_tells_the_new_danger_though_the_old_one_was_asked_about_alone(home: Home) -> None:
    denial = {"negated": True, "act": SpeechAct.CORRECTION, "value": {"substance": "chicken"}}
    await home.say(claim(home.dog, "allergy:chicken", "煤球鸡肉记错了", **denial))
    await reply(home, "确认把煤球的过敏原由「鸡肉」改为「螃蟹」吗？", "没错")
    served = await home.served()
    assert "煤球对鸡肉过敏" not in served
    assert any("螃蟹" in line for line in served)
