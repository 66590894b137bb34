"""The words of a push fit WeChat's templates, whatever an owner calls their pet."""

from datetime import UTC, datetime

import pytest

from domain.push_messages import THING_LIMIT, Template, Words, digest, fields_of, thing, time_text

MORNING = datetime(2026, 3, 1, 1, 0, tzinfo=UTC)
TEMPLATE = Template("confirmation", "t1", "档案变更待确认")


@pytest.mark.parametrize(
    ("text", "fitted"),
    [
        ("豆豆", "豆豆"),
        ("豆豆🐶", "豆豆"),
        ("👨‍👩‍👧", "毛孩子"),
        ("", "毛孩子"),
        ("豆\x00豆\n二号", "豆 豆 二号"),
        ("一" * 20, "一" * 20),
        ("一" * 21, "一" * 19 + "…"),
        ("𠮷" * 11, "𠮷" * 9 + "…"),
        ("☀️小太阳", "小太阳"),
    ],
)
def test_a_thing_is_fitted_to_its_limit(text: str, fitted: str) -> None:
    assert thing(text, "毛孩子") == fitted
    assert len(fitted.encode("utf-16-le")) <= 2 * THING_LIMIT


def test_every_field_of_a_template_is_filled() -> None:
    words = Words("", "", MORNING)
    assert fields_of(TEMPLATE, words) == {
        "thing1": "毛孩子",
        "thing2": "档案变更待确认",
        "time3": "2026年3月1日 09:00",
    }


def test_times_are_told_as_in_china() -> None:
    assert time_text(datetime(2026, 12, 31, 16, 5, tzinfo=UTC)) == "2027年1月1日 00:05"


def test_several_prompts_become_one_digest() -> None:
    assert digest(["豆豆", "", "豆豆", "咪咪"], ["打疫苗", "驱虫", "洗澡", "复诊"], MORNING) == Words(
        "豆豆、咪咪", "4条：打疫苗", MORNING
    )
    assert digest([""], ["打疫苗"], MORNING) == Words("毛孩子", "打疫苗", MORNING)
