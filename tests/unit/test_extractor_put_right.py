"""What a message puts right in itself, and what was so once and is over."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))  # a Wednesday
ALONE = (PetProfile("p", "桃酥", "cat"),)


def told(text: str) -> list[tuple[str, bool, str]]:
    """Which slot, denied or not, and the line."""
    return [(one.attribute, one.negated, one.content) for one in extract(Utterance(text, NOW, ALONE)).claims]


@pytest.mark.parametrize(
    ("text", "attribute", "right"),
    [
        ("啊不是左耳 是右耳痒 我镜像看反了", "symptom:itching", "右耳"),
        ("搞错边了，红的是右眼皮", "symptom:put_right", "右眼皮"),
        ("手误，零食是鸭肉干不是鸡肉干", "diet:零食", "鸭肉干"),
        ("桃酥的芯片尾号不是77是71", "microchip", "71"),
        ("狗证号尾数纠正一下，是3390", "other:id", "3390"),
        ("搞混了 驱虫用的是大宠爱 不是福来恩", "deworming:大宠爱", "大宠爱"),
        ("我之前说桃酥喝的是舒化奶，其实那是我喝的，它喝的羊奶粉", "diet:dairy", "羊奶粉"),
        ("前回我说桃酥喂的是渴望 弄混了 是冠能的", "diet.staple_food", "冠能"),
        ("体重写错一位，是5.6公斤，不是56", "weight", "5.6公斤"),
    ],
)
def test_what_is_right_is_told_once(text: str, attribute: str, right: str) -> None:
    [(slot, negated, line)] = told(text)
    assert (slot, negated) == (attribute, False)
    assert right in line


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("用了新的砂 桃酥打喷嚏就没有过了", "symptom:sneezing"),
        ("桃酥原先喂生骨肉，三天两头拉肚子，换回熟食就没拉过", "symptom:diarrhea"),
    ],
)
def test_what_never_came_again_is_denied(text: str, slot: str) -> None:
    assert (slot, True) in {(one, negated) for one, negated, _ in told(text)}


def test_a_figure_each_for_several_days_is_a_weight_each() -> None:
    assert [slot for slot, _, _ in told("桃酥上个月称还是5.2，这个月就4.7了")] == ["weight", "weight"]


def test_where_an_old_injury_was_operated_is_one_fact() -> None:
    lines = [line for _, _, line in told("桃酥小时候摔断过腿，打过钢钉，现在每天吃关节粮")]
    assert any("摔断" in line and "钢钉" in line for line in lines)
