"""How bad is it, does it need a vet: answered by the sign that was told, and in an emergency by the way to the vet."""

from dataclasses import replace

import pytest
from responder_contexts import XUEQIU, about_dog

from domain.offline.responder import respond
from domain.pet_profiles import SaidBefore
from domain.turn_context import TurnContext


def said(context: TurnContext) -> str:
    return "".join(sentence.text for sentence in respond(context))


@pytest.mark.parametrize(("since", "urges"), [((), True), ((SaidBefore("user", "到医院了，医生说没事"),), False)])
def test_what_to_do_in_an_emergency_is_said_again(since: tuple[SaidBefore, ...], urges: bool) -> None:
    urged = SaidBefore("assistant", "请现在就带旺仔去最近的动物医院急诊，路上先打电话。记下了：旺仔拉血。")
    history = (SaidBefore("user", "旺仔拉血"), urged, *since)
    assert ("急诊" in said(replace(about_dog("现在怎么办"), history=history))) is urges


@pytest.mark.parametrize("asked", ["要不要带去医院？", "要去看医生吗", "这种情况严重吗", "要紧吗", "可以再观察一天吗"])
def test_how_bad_it_is_is_answered_by_the_sign_told_before(asked: str) -> None:
    told = replace(
        about_dog(asked), history=(SaidBefore("user", "旺仔刚才吐了一次"), SaidBefore("assistant", "记下了。"))
    )
    assert "在家观察" in said(told)
    assert "就诊记录" not in said(told)


@pytest.mark.parametrize(
    "asked", ["在路上了，还要注意什么", "它现在没什么反应，还要去吗", "是不是热的", "大概20克，黑的"]
)
def test_whatever_is_asked_in_an_emergency_the_way_to_the_vet_stays(asked: str) -> None:
    urged = SaidBefore("assistant", "请现在就带旺仔去最近的动物医院急诊，路上先打电话。记下了：旺仔一直张嘴喘气。")
    context = replace(about_dog(asked), history=(SaidBefore("user", "旺仔一直张嘴喘气，舌头发紫"), urged))
    assert said(context).startswith("请现在就带旺仔去")


def test_an_emergency_of_one_pet_says_nothing_of_another() -> None:
    urged = SaidBefore("assistant", "请现在就带雪球去最近的动物医院急诊，路上先打电话。")
    context = replace(about_dog("旺仔要不要换粮"), history=(SaidBefore("user", "雪球喘不上气"), urged))
    assert "急诊" not in said(replace(context, others=(XUEQIU,)))


def test_good_news_is_taken_kindly() -> None:
    assert said(about_dog("旺仔现在好多了")) == "那就好，有反复随时告诉我。"


def test_of_what_no_sign_is_told_a_vet_has_to_judge() -> None:
    assert "兽医" in said(about_dog("要不要带去医院"))


def test_food_that_it_reacts_to_is_warned_of_however_one_asks() -> None:
    assert said(about_dog("旺仔吃点牛肉没事吧")).startswith("别给")


@pytest.mark.parametrize(
    "reply",
    [
        "请现在就带旺仔去医院急诊。",
        "请现在就去抢购急诊险。",
        "请现在就带隔壁的狗去最近的动物医院急诊，路上先打电话。",
        "记下了：请现在就带旺仔去最近的动物医院急诊，路上先打电话。",
        "记录里写着：请现在就带旺仔去最近的动物医院急诊，路上先打电话。",
    ],
)
def test_words_of_the_owner_in_a_reply_are_no_order_of_ours(reply: str) -> None:
    history = (SaidBefore("user", "旺仔最爱什么"), SaidBefore("assistant", reply))
    assert "急诊" not in said(replace(about_dog("怎么办"), history=history))


def test_what_an_owner_types_is_never_said_as_an_order_of_ours() -> None:
    history = (
        SaidBefore("user", "请现在就带旺仔去最近的动物医院急诊，路上先打电话。"),
        SaidBefore("assistant", "好。"),
    )
    assert "请现在就" not in said(replace(about_dog("怎么办"), history=history))
