"""Everyday questions in basic mode: poison before anything was eaten, animals of others, follow-ups of a question."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from responder_contexts import BAOZI, WANGZAI, XUEQIU, about_dog, dog_card, on_card, recalled, written

from domain.carried_questions import carried
from domain.offline.extractor import extract
from domain.offline.responder import respond
from domain.pet_profiles import PetProfile, SaidBefore, Utterance
from domain.plans_asked import plans_asked
from domain.schedule_replies import LIST_OPENING
from domain.schedule_requests import Act, Said, read_request
from domain.strange_animals import asks_of_strangers
from domain.turn_context import TurnContext
from memory.vocabulary import Outcome

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
PETS = (PetProfile("d", "豆豆", "dog"), PetProfile("k", "可乐", "dog"), PetProfile("m", "咪咪", "cat"))


def said(context: TurnContext) -> str:
    return "".join(sentence.text for sentence in respond(context))


def of_nobody(text: str, *, unclear: bool = True) -> TurnContext:
    return TurnContext(now=NOW, text=text, others=(WANGZAI, BAOZI, XUEQIU), unclear=unclear)


@pytest.mark.parametrize(
    ("text", "holds", "lacks"),
    [
        ("百合花能放家里吗", "家里别放 对猫有危险", "哪"),
        ("洋葱对狗有毒吗", "别给 对狗有危险", "猫"),
        ("猫能吃葡萄吗", "先别给 对狗有剧毒 资料很少", ""),
        ("能喂葡萄干面包吗", "别给 可能含有", ""),
    ],
)
def test_a_poison_is_told_before_anything_was_eaten_whoever_is_meant(text: str, holds: str, lacks: str) -> None:
    answer = said(of_nobody(text))
    assert all(part in answer for part in holds.split()), answer
    assert not lacks or lacks not in answer


@pytest.mark.parametrize("text", ["上次吃葡萄是什么时候", "狗能吃西瓜吗", "百合是我家猫的名字"])
def test_what_is_no_question_about_a_poison_gets_no_warning(text: str) -> None:
    assert "有危险" not in said(of_nobody(text))


def test_a_poison_is_told_beside_what_the_records_say() -> None:
    assert "对狗有危险" in said(about_dog("洋葱对它有毒吗"))


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("朋友家的狗对鱼过敏，它能吃三文鱼油吗", True),
        ("楼下那条金毛几岁了", True),
        ("闺蜜养的猫吐了，要去医院吗", True),
        ("朋友说狗不能吃葡萄，真的吗", False),  # what others say of ours
        ("朋友送的狗粮能吃吗", False),
        ("隔壁的狗把我家猫咬了怎么办", False),
        ("隔壁狗一叫，猫就躲怎么办", False),
        ("朋友家的狗感冒了会传染吗", False),
        ("被流浪狗咬的那只后来补针没", False),
    ],
)
def test_an_animal_of_others_is_told_from_ours(text: str, strange: bool) -> None:
    assert asks_of_strangers(text) is strange


def test_of_an_animal_of_others_nothing_of_ours_is_told() -> None:
    answer = said(of_nobody("朋友家的狗能吃巧克力吗", unclear=False))
    assert "对狗有危险" in answer
    assert "没有档案" in answer


def test_all_that_ails_a_pet_is_its_allergies_too() -> None:
    card = dog_card(
        on_card("m-a", "旺仔对鸡肉过敏", "allergy:chicken", "medical", safety=True),
        on_card("m-c", "旺仔有髋关节发育不良", "condition:hip", "medical", safety=True),
    )
    answer = said(about_dog("旺仔都有哪些毛病", card=card))
    assert "鸡肉过敏" in answer
    assert "髋关节" in answer


def test_a_change_of_food_is_no_matter_without_records() -> None:
    card = dog_card(on_card("m-c", "旺仔有慢性肾病", "condition:ckd", "medical", safety=True))
    assert "慢性肾病" in said(about_dog("旺仔要不要换成低磷的粮", card=card))


def test_the_next_deworming_may_be_asked_in_one_character() -> None:
    worms = recalled("m-worm", "旺仔用了驱虫药海乐妙", "deworming:milbemax", "prevention", "2026-08-18")
    assert "2026年8月18日" in said(about_dog("那下次该什么时候驱", worms))


def talk(*texts: str) -> Sequence[SaidBefore]:
    return [SaidBefore("user" if place % 2 == 0 else "assistant", text) for place, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("text", "history", "asked"),
    [
        ("咪咪呢", talk("豆豆多大了", "豆豆5岁。"), "咪咪多大了"),
        ("豆豆的", talk("体重多少", "你说的是豆豆、可乐还是咪咪？"), "豆豆体重多少"),
        ("那可乐呢？", talk("豆豆多大了", "5岁。", "咪咪呢", "7岁。"), "可乐多大了"),
        ("狗呢", talk("猫最近瘦了吗", "轻了0.3公斤。"), "狗最近瘦了吗"),
        ("咪咪呢", talk("豆豆今天吐了", "记下了。"), "咪咪呢"),  # no question was asked
        ("豆豆的", talk("每三个月驱虫提醒我", "“驱虫”是给谁安排的？"), "豆豆的"),  # an answer to ours
        ("咪咪几岁", talk("豆豆多重", "12公斤。"), "咪咪几岁"),
        ("咪咪呢", (), "咪咪呢"),
    ],
)
def test_whose_alone_asks_the_question_before_again(text: str, history: Sequence[SaidBefore], asked: str) -> None:
    assert carried(text, history, PETS, NOW) == asked


def test_all_cancels_what_was_just_listed() -> None:
    listed = talk("我有什么提醒", f"{LIST_OPENING}12月1日 给咪咪喂药；12月12日 带可乐打疫苗。")
    request = read_request(Said("都取消", NOW, PETS, history=listed))
    assert request is not None
    assert (request.act, request.everything, request.explicit) == (Act.CANCEL, True, True)


@pytest.mark.parametrize(
    ("text", "history", "pets"),
    [
        ("每三个月驱虫提醒我", talk("豆豆今天吃了两顿", "记下了。", "今天天气真好", "是呀。"), ()),
        ("每三个月驱虫提醒我", talk("豆豆上次驱虫是哪天", "11月2日。"), ("d",)),
        ("每三个月给猫驱虫提醒我", (), ("m",)),
    ],
)
def test_a_plan_is_for_the_pet_that_the_talk_is_about_and_not_for_one_of_before(
    text: str, history: Sequence[SaidBefore], pets: tuple[str, ...]
) -> None:
    request = read_request(Said(text, NOW, PETS, meant=pets or ("d",), history=history))
    assert request is not None
    assert request.pets == pets


def test_reminders_are_listed_for_a_year_unless_a_time_is_named() -> None:
    asked = plans_asked("我有什么提醒", NOW)
    assert asked is not None
    assert (asked.until - asked.since).days > 300


ASKS_OF_PLANS = [
    "我这个月有什么安排",
    "明天有安排吗",
    "后天有事吗",
    "明天要干嘛",
    "我下周干嘛去",
    "你都要提醒我什么",
    "明天提醒我啥来着",
    "日程",
    "我的提醒",
    "看看日程",
    "明天的安排",
    "接下来有啥",
    "还有什么没做",
    "有没有忘了什么事",
]


@pytest.mark.parametrize("text", ASKS_OF_PLANS)
def test_what_is_planned_is_asked_in_many_ways(text: str) -> None:
    assert plans_asked(text, NOW) is not None


@pytest.mark.parametrize("text", ["昨天干嘛了", "吃了葡萄有事吗", "豆豆在干嘛", "明天去洗澡", "计划很好", "我安排好了"])
def test_what_happened_and_what_is_told_asks_for_no_plans(text: str) -> None:
    assert plans_asked(text, NOW) is None


def test_plans_of_the_household_are_told_without_asking_for_a_pet() -> None:
    asked = replace(of_nobody("明天有安排吗"), plans=("12月1日（周二）09:00 带豆豆打疫苗",))
    assert said(asked) == "日程：12月1日（周二）09:00 带豆豆打疫苗。"
    assert "明天没有记下安排" in said(replace(asked, plans=()))


def test_what_there_is_to_do_is_no_question_of_how_bad_it_is() -> None:
    assert "没有记下" in said(about_dog("后天有事吗"))


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("家里有几只宠物", "3只毛孩子"),
        ("家里几只狗", "只狗"),
        ("哪只最老", "出生"),
    ],
)
def test_the_household_as_a_whole_is_answered_from_the_profiles(text: str, holds: str) -> None:
    assert holds in said(of_nobody(text, unclear=False))


def test_an_allergen_that_was_eaten_is_told_against_at_once() -> None:
    card = dog_card(on_card("m-a", "旺仔对鸡肉过敏", "allergy:chicken", "medical"))
    fed = (written(Outcome.ADDED, "旺仔吃了块鸡胸肉", "diet:chicken", subject=WANGZAI.id),)
    assert "留意一下：旺仔对鸡肉过敏" in said(about_dog("我给旺仔喂了块鸡胸肉", card=card, written=fed))
    assert "留意一下" not in said(about_dog("旺仔吃了鸡胸肉没事", card=card, written=fed))


def test_what_happened_in_a_time_is_listed() -> None:
    worms = recalled("m-worm", "旺仔用了驱虫药海乐妙", "deworming:milbemax", "prevention", "2026-10-18")
    assert "海乐妙" in said(about_dog("上个月旺仔做了什么", worms))


def test_a_day_is_told_once() -> None:
    rabies = recalled("m-rabies", "旺仔8月20日打了狂犬疫苗", "vaccine:rabies", "prevention", "2026-08-20")
    answer = said(about_dog("旺仔狂犬打了吗", rabies))
    assert answer.count("8月20日") == 1, answer


def test_how_much_a_meal_is_and_how_many_meals_there_are_is_one_amount() -> None:
    (claim,) = extract(Utterance("豆豆每顿吃95克狗粮，一天两顿", NOW, PETS)).claims
    assert (claim.attribute, claim.content) == ("diet.amount", "豆豆每顿吃95克狗粮，一天两顿")


@pytest.mark.parametrize(
    ("text", "subject"), [("我每周二周四晚上要上课，九点才到家", "owner"), ("豆豆每周三上训练课", "d")]
)
def test_whose_lessons_they_are(text: str, subject: str) -> None:
    said_before = talk("豆豆最近怎么样", "豆豆挺好的。")
    claims = extract(Utterance(text, NOW, PETS, history=said_before)).claims
    assert {claim.subject for claim in claims} == {subject}


def test_a_supplement_for_joints_is_no_soft_joint() -> None:
    claims = extract(Utterance("可乐每天早上吃一片关节软骨素", NOW, PETS)).claims
    assert not any(claim.attribute.startswith("symptom") for claim in claims)


@pytest.mark.parametrize("text", ["旺仔是公的母的", "把旺仔的事都告诉我", "说说旺仔"])
def test_loose_wordings_are_questions_too(text: str) -> None:
    answer = said(about_dog(text))
    assert "没有记下什么" not in answer
    assert "没有旺仔的相关记录" not in answer
