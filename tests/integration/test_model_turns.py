"""A turn with a model behind it: what leaves, what comes back, and that every failure still ends in a useful answer."""

import re
from itertools import pairwise

import pytest

from app.settings import Settings
from domain.answering import AWAY, CUT_OFF, NOT_USABLE
from tests.conftest import SignIn, on_sqlite, with_model
from tests.factories import Json, Owner
from tests.fakes.model_server import FakeModel, Reply
from tests.fakes.phone import hear, say

SAID = "多喝水就好。可以换成鸭肉罐头！"
ASKED = "豆豆最近胃口怎么样"
ENGLISH = "Sure! Here is what I think about the dog and its food today."


@pytest.fixture
def settings(settings: Settings, model: FakeModel) -> Settings:
    return with_model(settings, model)


@pytest.fixture
async def owner(sign_in: SignIn) -> Owner:
    """Somebody who lets a model answer, with a dog that is allergic to chicken."""
    owner = await sign_in("lin")
    await owner.agree("model_provider")
    dog = await owner.pet("豆豆", breed="柯基")
    await owner.record(dog, "allergies", substance="鸡肉", category="food")
    return owner


def useful(answer: Json) -> bool:
    """Whether an answer says something in Chinese without any mark of ours in it."""
    return bool(re.search(r"[\u4e00-\u9fff]{4}", answer["text"])) and not re.search(r"\[m\d|【|「", answer["text"])


async def test_the_models_words_reach_the_owner(model: FakeModel, owner: Owner) -> None:
    model.will(Reply(SAID))
    answer = await say(owner, ASKED)
    assert (answer["text"], answer["mode"], answer["ai_generated"]) == (SAID, "model", True)
    assert answer["usage"]["prompt_tokens"] > 0
    assert answer["usage"]["completion_tokens"] > 0


async def test_a_model_gets_the_card_the_clock_and_the_question(model: FakeModel, owner: Owner) -> None:
    owner.at("2026-05-20T19:05:00+08:00")
    await say(owner, ASKED)
    (asked,) = model.asked
    assert "豆豆：狗，柯基" in asked.system
    assert "2026年5月20日 星期三 19:05" in asked.last
    assert re.search(r"\[m1\] 「豆豆对鸡肉过敏", asked.last)
    assert asked.last.endswith(f"【主人这次说的话】\n「{ASKED}」")


async def test_a_citation_becomes_the_memorys_id_and_is_not_shown(model: FakeModel, owner: Owner) -> None:
    model.will(Reply("豆豆对鸡肉过敏[m1]，别喂鸡肉。"))
    answer = await say(owner, ASKED)
    assert answer["text"] == "豆豆对鸡肉过敏，别喂鸡肉。"
    assert len(answer["citations"]) == 1
    assert "鸡肉" in answer["citations"][0]["snippet"]


async def test_without_consent_nothing_leaves(sign_in: SignIn, model: FakeModel) -> None:
    owner = await sign_in("lin")
    await owner.pet("豆豆")
    answer = await say(owner, ASKED)
    assert answer["mode"] == "basic"
    assert useful(answer)
    assert model.asked == []
    await owner.agree("model_provider")
    await say(owner, ASKED, "m-2")
    assert len(model.asked) == 1
    await owner.agree("model_provider", granted=False)
    await say(owner, ASKED, "m-3")
    assert len(model.asked) == 1


PRIVATE = ("13812345678", "138 1234 5678", "110101199003078515", "建国路88号", "5号楼2单元601")


@pytest.mark.parametrize("private", PRIVATE)
async def test_numbers_and_addresses_are_hidden_before_anything_leaves(
    model: FakeModel, owner: Owner, private: str
) -> None:
    await say(owner, f"我住朝阳区{private}，豆豆昨天吐了，你记住")
    await say(owner, f"我的联系方式是{private}，豆豆能吃什么", "m-2")
    await owner.post("/memories", {"subject": "owner", "content": f"紧急联系：{private}", "topic": "owner"})
    await say(owner, "我的联系方式是什么", "m-3")
    assert model.asked
    assert not model.heard(private)


async def test_ids_never_leave(model: FakeModel, owner: Owner) -> None:
    await say(owner, ASKED)
    assert model.of("chat")
    assert not any(re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", one.words) for one in model.asked)


async def test_the_beginning_of_the_prompt_stays_the_same_in_a_conversation(model: FakeModel, owner: Owner) -> None:
    for number in range(20):
        await say(owner, f"豆豆今天第{number}次散步要多久", f"m-{number}")
    heads = [asked.messages[:-1] for asked in model.asked]
    assert len({head[0]["content"] for head in heads}) == 1
    moved = [number for number, (before, after) in enumerate(pairwise(heads)) if after[: len(before)] != before]
    assert moved == [10, 15]  # the talk that is told moves on in leaps


FAILURES = {
    "silent": Reply.silent(),
    "429": Reply.too_many(),
    "429 for a minute": Reply.too_many(60),
    "500": Reply.error(500),
    "401": Reply.error(401),
    "400": Reply.error(400),
    "cut": Reply.cut(SAID, 0),
    "cut in the first sentence": Reply.cut(SAID, 2),
    "garbled": Reply.garbled(),
    "error event": Reply.failing_inside(SAID, 1),
    "refusal": Reply.refuses(),
    "refusal in words": Reply("抱歉，我无法回答这个问题。"),
    "filtered": Reply.filtered(),
    "blank": Reply(""),
    "only spaces": Reply(" \n\n "),
    "only a thought": Reply("<think>我想想"),
    "only marks": Reply("[m1]。**"),
    "its own prompt": Reply("- 2026年5月20日 星期三 20:00\n〔注意〕\n- 多喝水"),
    "a chat template": Reply("[INST]豆豆怎么样[/INST]多喝水就好。"),
    "our own notice": Reply(NOT_USABLE),
    "a heading and nothing below it": Reply("【主人说的话】\n〔回答〕：\n"),
    "both sides of a talk": Reply("主人：好的，谢谢。\n助手：不客气。"),
    "a phrase without end": Reply("- 今天晚上12.3公斤  " * 40),
    "the owner's own words": Reply(
        "- “豆豆能吃鸡胸肉吗，豆豆今天体重12.3公斤”\n- 豆豆能吃鸡胸肉吗，豆豆今天体重12.3公斤。"
    ),
    "english": Reply(ENGLISH),
    "japanese": Reply("わんちゃんのごはんについてお答えします。"),
}


@on_sqlite
@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES.keys())
async def test_a_model_that_fails_is_replaced_by_the_basic_mode_which_says_so(
    model: FakeModel, owner: Owner, failure: Reply
) -> None:
    model.always(failure)
    answer = await say(owner, "豆豆能吃鸡胸肉吗，豆豆今天体重12.3公斤")
    assert (answer["status"], answer["mode"]) == ("done", "basic")
    assert AWAY in answer["text"] or NOT_USABLE in answer["text"]
    assert "过敏" in answer["text"]  # what the offline assistant knows
    assert [one["outcome"] for one in answer["memories"]] == ["added"]  # nothing of the message is lost
    assert answer["text"].count("记下了") == 1
    assert useful(answer)


@pytest.mark.parametrize(
    "failure",
    [Reply.cut(SAID, 5), Reply.garbled(SAID, 5), Reply.failing_inside(SAID, 5), Reply.stalled(SAID, 5)],
    ids=["cut", "garbled", "error event", "stalled"],
)
async def test_what_was_told_before_a_failure_stays_and_the_break_is_named(
    model: FakeModel, owner: Owner, failure: Reply
) -> None:
    model.will(failure)
    answer = await say(owner, ASKED)
    assert answer["text"] == f"多喝水就好。{CUT_OFF}"
    assert (answer["status"], answer["mode"]) == ("done", "model")


async def test_an_answer_in_another_language_is_asked_for_again(model: FakeModel, owner: Owner) -> None:
    model.will(Reply(ENGLISH), Reply(SAID))
    answer = await say(owner, ASKED)
    assert answer["text"] == SAID
    assert "简体中文" in model.of("chat")[1].last


async def test_traditional_characters_become_simplified_ones(model: FakeModel, owner: Owner) -> None:
    model.will(Reply("多喝點水，觀察兩天。"))
    assert (await say(owner, ASKED))["text"] == "多喝点水，观察两天。"


async def test_an_answer_without_end_is_ended(model: FakeModel, owner: Owner) -> None:
    model.will(Reply.endless(), Reply("".join(f"第{number}点是每天散步。" for number in range(1000)), piece=50))
    assert len((await say(owner, ASKED))["text"]) < 200
    assert len((await say(owner, ASKED, "m-2"))["text"]) <= 1600


@on_sqlite
async def test_an_answer_that_goes_on_into_the_prompt_ends_before_it(model: FakeModel, owner: Owner) -> None:
    model.will(Reply("多喝水就好。\n〔注意〕\n- 主人没有说清是哪只宠物。"))
    assert (await say(owner, ASKED))["text"] == "多喝水就好。"


@on_sqlite
async def test_a_sentence_is_told_once(model: FakeModel, owner: Owner) -> None:
    model.will(Reply("- 多喝水就好。\n“多喝水就好”。观察两天。多喝水就好。再看看。"))
    assert (await say(owner, ASKED))["text"] == "- 多喝水就好。观察两天。"


@on_sqlite
async def test_what_a_model_lets_the_owner_say_is_not_told(model: FakeModel, owner: Owner) -> None:
    model.will(Reply("助手：多喝水就好。\n用户：好的\n助手：不客气。"))
    assert (await say(owner, ASKED))["text"] == "多喝水就好。"


async def test_a_thought_is_not_told(model: FakeModel, owner: Owner) -> None:
    model.will(Reply("<think>主人在问胃口。\n我查一下。</think>" + SAID))
    assert (await say(owner, ASKED))["text"] == SAID


async def test_an_invented_citation_takes_its_sentence_with_it(model: FakeModel, owner: Owner) -> None:
    model.will(Reply("豆豆上周拉肚子了[m77]。多喝水就好。"))
    assert (await say(owner, ASKED))["text"] == "多喝水就好。"


@pytest.mark.parametrize("claim", ["已经帮你把鸡肉过敏删掉了。", "好的，我帮你设置了提醒。", "我会准时提醒你。"])
async def test_a_change_that_did_not_happen_is_not_claimed(model: FakeModel, owner: Owner, claim: str) -> None:
    model.will(Reply(claim + "多喝水就好。"))
    assert (await say(owner, ASKED))["text"] == "多喝水就好。"


async def test_a_models_harmful_advice_does_not_reach_the_owner(model: FakeModel, owner: Owner) -> None:
    model.will(Reply("可以喂豆豆鸡胸肉冻干。"))
    answer = await say(owner, ASKED)
    assert "可以喂豆豆鸡胸肉冻干" not in answer["text"]
    assert "过敏" in answer["text"]


async def test_receipts_stand_before_the_models_words_and_the_question_behind(model: FakeModel, owner: Owner) -> None:
    model.will(Reply(SAID))
    answer = await say(owner, "豆豆好像对牛肉过敏")
    receipt, _, question = answer["text"].partition(SAID)
    assert "牛肉" in receipt
    assert question.endswith("？")
    assert "系统在你回答之后去问" in model.of("chat")[0].last


async def test_an_emergency_is_answered_without_waiting_for_a_model(model: FakeModel, owner: Owner) -> None:
    answer = await say(owner, "豆豆一直在抽搐，倒地不起")
    assert answer["alerts"]
    assert answer["mode"] == "basic"
    assert model.asked == []


async def test_a_temporary_chat_tells_the_model_nothing_of_the_household(model: FakeModel, owner: Owner) -> None:
    answer = await say(owner, "狗能吃葡萄吗", temporary=True)
    assert useful(answer)
    assert not model.heard("豆豆")


async def test_a_stream_carries_the_models_sentences_one_by_one(model: FakeModel, owner: Owner) -> None:
    model.will(Reply(SAID, pace=0.05))
    heard = await hear(owner, ASKED)
    assert [event.data["text"] for event in heard if event.name == "delta"] == ["多喝水就好。", "可以换成鸭肉罐头！"]
    assert heard[-1].data["mode"] == "model"


async def test_the_same_warning_is_told_once(model: FakeModel, owner: Owner) -> None:
    model.will(Reply("可以喂鸡胸肉。每天喂一点鸡胸肉就行。"))
    answer = await say(owner, "豆豆能吃鸡胸肉吗")
    assert answer["text"].count("不能照做") == 1
