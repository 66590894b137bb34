"""Which lines may be merged, and which never."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.similarity import Difference, Line, bigram_likeness, difference, quantities, same_thing, wording_difference
from memory.vocabulary import AttributeClass, Kind

D = Difference


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("芝士喜欢又圆又软的垫子", "芝士喜欢又软又圆的垫子"),
        ("芝士怕吸尘器", "芝士怕吸尘器啦。"),
        ("芝士打了三针疫苗", "芝士打了3针疫苗"),
        ("芝士每顿吃2.50克益生菌", "芝士每顿吃2.5g益生菌"),
        ("芝士喜歡曬太陽", "芝士喜欢晒太阳"),
        ("ＡＣＡＮＡ 猫粮", "acana猫粮"),
    ],
)
def test_the_same_thing_in_other_words_order_or_script(one: str, other: str) -> None:
    assert same_thing(one, other)
    assert same_thing(other, one)


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("芝士体重4.2公斤", "芝士体重4.5公斤", D.NUMBER),
        ("芝士体重4.2公斤", "芝士体重4.2斤", D.NUMBER),
        ("一次两片", "一次半片", D.NUMBER),
        ("每隔十二小时滴一次", "每隔二十小时滴一次", D.NUMBER),
        ("10月15日洗牙", "10月16日洗牙", D.NUMBER),
        ("每周三洗澡", "每周五洗澡", D.NUMBER),
        ("昨天洗澡", "今天洗澡", D.DATE),
        ("夏天爱喝水", "冬天爱喝水", D.DATE),
        ("怕打雷", "不怕打雷", D.NEGATION),
        ("爱吃罐头", "没爱吃罐头", D.NEGATION),
        ("左前腿跛", "右前腿跛", D.SIDE),
        ("早上遛弯", "晚上遛弯", D.SIDE),
        ("公猫", "母猫", D.SIDE),
    ],
)
def test_digits_dates_units_negation_and_sides_are_never_the_same(one: str, other: str, why: Difference) -> None:
    assert wording_difference(one, other) is why
    assert not same_thing(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("芝士爱吃鸡肉罐头", "芝士爱吃牛肉罐头"),
        ("比起鸡肉更爱牛肉", "比起牛肉更爱鸡肉"),
        ("芝士追布丁", "布丁追芝士"),
        ("芝士喜欢在阳台的纸箱里晒太阳", "芝士喜欢在客厅的纸箱里晒太阳"),
    ],
)
def test_a_changed_or_swapped_noun_is_left_to_the_judge(one: str, other: str) -> None:
    assert wording_difference(one, other) is None
    assert not same_thing(one, other)


LINE = Line("pet-1", "芝士喜欢纸箱")


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (Line("pet-1", "芝士喜欢纸箱"), None),
        (Line("pet-2", "芝士喜欢纸箱"), D.SUBJECT),
        (Line(None, "芝士喜欢纸箱"), D.SUBJECT),
        (Line("pet-1", "芝士喜欢纸箱", AttributeClass.WEIGHT), D.EVENT),
        (Line("pet-1", "芝士喜欢纸箱", AttributeClass.VACCINE), D.EVENT),
        (Line("pet-1", "芝士喜欢纸箱", kind=Kind.EVENT), D.EVENT),
        (Line("pet-1", "芝士喜欢纸箱", negated=True), D.NEGATION),
        (Line("pet-1", "芝士喜欢纸箱", occurred_on=date(2026, 1, 1)), D.DATE),
        (Line("pet-1", "布丁喜欢纸箱"), D.NAME),
    ],
)
def test_what_can_never_be_merged(other: Line, why: Difference | None) -> None:
    assert difference(LINE, other, ["芝士", "布丁"]) is why
    assert difference(other, LINE, ["芝士", "布丁"]) is why


def test_two_weighings_of_one_day_are_never_merged() -> None:
    weighing = Line("pet-1", "芝士体重4.2公斤", AttributeClass.WEIGHT, occurred_on=date(2026, 1, 1))
    assert difference(weighing, weighing) is D.EVENT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("每天两次，每次2.50毫克", {("2", "次"): 1, ("2.5", "mg"): 1}),
        ("十二斤", {("12", "斤"): 1}),
        ("两百五十克", {("250", "g"): 1}),
        ("二〇二五年", {("2025", "年"): 1}),
        ("一片半", {("1", "片"): 1, ("0.5", ""): 1}),
        ("早上8:30吃药", {("8:30", ""): 1}),
        ("没有数字", {}),
    ],
)
def test_figures_are_read_with_their_units(text: str, expected: dict[tuple[str, str], int]) -> None:
    assert dict(quantities(text)) == expected


def test_likeness_runs_from_nothing_to_equal() -> None:
    assert bigram_likeness("芝士怕打雷", "芝士怕打雷。") == 1.0
    assert bigram_likeness("吃鱼", "洗澡") == 0.0
    assert 0.5 < bigram_likeness("芝士怕打雷", "芝士很怕打雷") < 1.0
    assert bigram_likeness("猫", "猫") == 1.0


@given(
    st.text(alphabet="芝士布丁吃喝不左右12半片kg。 ", max_size=20),
    st.text(alphabet="芝士布丁吃喝不左右12半片kg。 ", max_size=20),
)
def test_the_guard_is_symmetric_and_reflexive(one: str, other: str) -> None:
    assert wording_difference(one, one) is None
    assert same_thing(one, one)
    assert same_thing(one, other) == same_thing(other, one)
    assert 0.0 <= bigram_likeness(one, other) <= 1.0
