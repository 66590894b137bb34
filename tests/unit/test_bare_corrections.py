"""A correction that names only what is otherwise puts the last statement right; nothing medical is put right so."""

from datetime import date, datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance
from memory.vocabulary import SpeechAct

NOW = datetime(2026, 11, 30, 19, tzinfo=timezone(timedelta(hours=8)))
PETS = (
    PetProfile("w", "旺财", "dog", sex="male", born_on=date(2019, 3, 2)),
    PetProfile("m", "咪咪", "cat", sex="female", born_on=date(2022, 6, 1)),
    PetProfile("n", "奶茶", "cat", sex="male", born_on=date(2024, 6, 1)),
)


def after(before: str, text: str) -> list[tuple[str | None, str, bool]]:
    """Subject, line and whether it is denied, of each correction."""
    history = [SaidBefore("user", before), SaidBefore("assistant", "记下了。")]
    claims = extract(Utterance(text, NOW, PETS, history=history)).claims
    assert all(claim.act is SpeechAct.CORRECTION for claim in claims)
    return [(claim.subject, claim.content, claim.negated) for claim in claims]


@pytest.mark.parametrize(
    ("before", "text", "line"),
    [
        ("奶茶晚上跑酷，三点准时拆家", "不对，是凌晨四点", "奶茶凌晨四点准时拆家"),
        ("奶茶一天吃60克粮", "说错了是80克", "奶茶一天吃80克粮"),
        ("旺财每天早上七点遛", "记错了，是早上八点", "旺财每天早上八点遛"),
        ("旺财每天遛三次", "说错了，两次", "旺财每天遛两次"),
        ("旺财晚上睡阳台", "不是阳台，是客厅", "旺财晚上睡客厅"),
        ("旺财是我老公遛", "不是我老公，是我爸遛", "主人：旺财是我爸遛"),
        ("咪咪吃皇家", "不对，是渴望", "咪咪吃渴望"),
        ("咪咪吃皇家", "不是皇家是渴望", "咪咪吃渴望"),
        ("旺财每周六洗澡", "不是周六，是周日", "旺财每周日洗澡"),
        ("旺财在小区东门上厕所", "说错了，西门", "旺财在小区西门上厕所"),
    ],
)
def test_the_last_statement_is_told_again_with_the_new_words(before: str, text: str, line: str) -> None:
    assert [told for _, told, denied in after(before, text) if not denied] == [line]


def test_what_another_name_stood_in_is_taken_back() -> None:
    assert after("旺财怕打雷", "不是打雷，是怕鞭炮") == [
        ("w", "旺财怕鞭炮", False),
        ("w", "旺财怕打雷（说错了）", True),
    ]


def test_what_was_told_of_the_wrong_pet_is_told_of_the_right_one() -> None:
    told = after("咪咪不爱喝牛奶，只喝羊奶", "哦不对，是奶茶不爱喝")
    assert told == [("n", "奶茶不爱喝牛奶", True), ("m", "咪咪不爱喝牛奶（说错了）", False)]
    assert after("奶茶喜欢逗猫棒", "不对，是咪咪喜欢")[0] == ("m", "咪咪喜欢逗猫棒", False)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("咪咪吃皇家", "不对"),
        ("咪咪吃皇家", "刚才说错了"),
        ("奶茶晚上不睡觉", "不是吧"),
        ("咪咪每天吃一片阿莫西林", "不是一片，是两片"),
        ("咪咪对鸡肉过敏", "不是鸡肉，是牛肉"),
    ],
)
def test_what_says_nothing_new_or_is_medical_is_not_put_right_here(before: str, text: str) -> None:
    history = [SaidBefore("user", before), SaidBefore("assistant", "记下了。")]
    claims = extract(Utterance(text, NOW, PETS, history=history)).claims
    assert not any("说错了" in claim.content for claim in claims)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("奶茶用豆腐砂，咪咪用膨润土", "刚才说错了，奶茶用的是松木砂"),
        ("奶茶吃皇家，咪咪吃渴望", "说错了，奶茶吃的是爱肯拿"),
    ],
)
def test_a_slip_about_one_pet_takes_nothing_from_another(before: str, text: str) -> None:
    assert [(subject, denied) for subject, _, denied in after(before, text)] == [("n", False)]


@pytest.mark.parametrize(
    ("before", "text", "subjects"),
    [
        ("", "它俩处得不好老打架咪咪欺负奶茶", {"m", "n"}),
        ("咪咪吐了两次", "它俩都绝育了", {"m", "n"}),
        ("咪咪和旺财一起去公园了", "它俩都打了狂犬", {"m", "w"}),
        ("", "旺财和它俩不一样，它俩不吃鱼", {"m", "n"}),
        ("", "咪咪和奶茶老打架，它们一见面就哈气", {"m", "n"}),
        ("", "它俩都绝育了", {None}),
        ("旺财今天吐了", "它俩都绝育了", {None}),
        ("", "它们都绝育了", {"w", "m", "n"}),
    ],
)
def test_two_of_three_pets_are_those_spoken_of_or_it_is_unclear(
    before: str, text: str, subjects: set[str | None]
) -> None:
    history = [SaidBefore("user", before)] if before else []
    claims = extract(Utterance(text, NOW, PETS, history=history)).claims
    assert {claim.subject for claim in claims} == subjects


@pytest.mark.parametrize("text", ["旺财不是狗是猪", "不是旺财是咪咪", "奶茶不是怕人，是胆小"])
def test_what_names_no_breed_puts_no_breed_right(text: str) -> None:
    assert not any(claim.attribute == "breed" for claim in extract(Utterance(text, NOW, PETS)).claims)


@pytest.mark.parametrize(
    "text",
    [
        "旺财今天不对鸡肉感兴趣",
        "旺财从来不对小孩龇牙",
        "旺财今天不对劲",
        "旺财尿的味道不对味",
        "旺财不对陌生人叫",
        "旺财和咪咪一直不对付",
    ],
)
def test_not_towards_something_is_no_slip_of_the_owner(text: str) -> None:
    history = [SaidBefore("user", "旺财对鸡肉过敏"), SaidBefore("assistant", "记下了。")]
    claims = extract(Utterance(text, NOW, PETS, history=history)).claims
    assert not any(claim.act is SpeechAct.CORRECTION for claim in claims)
