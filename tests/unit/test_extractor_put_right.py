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


@pytest.mark.parametrize(
    ("text", "left"),
    [("桃酥皮肤刮片做完了，没螨没真菌，就是皮太干", "皮太干"), ("桃酥耳朵看过了，没耳螨没发炎，单纯是耳屎多", "耳屎")],
)
def test_what_is_left_when_nothing_was_found_is_a_fact_of_its_own(text: str, left: str) -> None:
    slots = told(text)
    assert any(negated for _, negated, _ in slots)
    assert any(left in line and not negated for _, negated, line in slots)


@pytest.mark.parametrize("text", ["桃酥真菌螨虫都没看着", "桃酥对牛奶不是过敏", "桃酥从没对海鲜过敏过"])
def test_what_was_not_found_is_denied(text: str) -> None:
    slots = told(text)
    assert slots
    assert all(negated for _, negated, _ in slots)


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("桃酥改成睡前加一小顿以后就没吐过黄水了", {"diet.pickiness", "symptom:vomiting"}),
        ("打国庆起桃酥就没打过喷嚏 加湿器开上真管用", {"other:living:gear", "symptom:sneezing"}),
        ("卖家说桃酥爸妈都没有多囊肾", {"other:parents"}),
        ("印象里年前吧还是年后，桃酥补过一针三联？", {"vaccine:三联"}),
    ],
)
def test_a_change_what_helps_descent_and_a_dim_memory_are_told(text: str, slots: set[str]) -> None:
    assert {slot for slot, _, _ in told(text)} == slots


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("上门喂猫的小哥发消息讲桃酥今天打了好几个喷嚏", ["symptom:sneezing"]),
        (
            "桃酥原先用豆腐砂的时候老往盆外头尿，换成矿砂以后一回都没乱尿过",
            ["symptom:inappropriate_urination", "other:litter"],
        ),
        ("桃酥以前是一天遛一趟，今年开春后改成早晚各一趟，早六点半晚八点半", ["activity:walk"]),
        ("过年没带桃酥回老家", []),
    ],
)
def test_a_change_is_told_by_what_was_changed(text: str, slots: list[str]) -> None:
    assert [slot for slot, negated, _ in told(text) if not negated] == slots


@pytest.mark.parametrize("text", ["柑橘类桃酥统统不吃", "罐头桃酥一律不吃，哪个牌子都不吃", "桃酥没拔过牙"])
def test_what_is_refused_or_was_never_done_is_denied(text: str) -> None:
    slots = told(text)
    assert slots
    assert all(negated for _, negated, _ in slots)
