"""The words of a push fit WeChat's templates, whatever an owner calls their pet."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.push_fields import THING_LIMIT, accepts, fitted_text, fitted_time, thing, time_text
from domain.push_messages import Template, Words, digest, fields_of
from tests.fakes.wechat.field_rules import acceptable

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


@pytest.mark.parametrize(
    ("key", "text", "fitted"),
    [
        ("name1", "豆豆🐶二号", "豆豆二号"),
        ("name1", "Lucky", "Lucky"),
        ("name1", "🐶", "毛孩子"),
        ("phrase2", "狂犬疫苗要打了", "狂犬疫苗要"),
        ("phrase2", "DHPP", "毛孩子"),
        ("character_string3", "DHPP 疫苗", "DHPP"),
        ("letter4", "豆豆", "PawSignal"),
    ],
)
def test_other_types_of_field_are_fitted_too(key: str, text: str, fitted: str) -> None:
    assert fitted_text(key, text, "毛孩子") == fitted


KINDS = ["thing", "name", "phrase", "character_string", "letter"]


@given(text=st.text(), key=st.sampled_from(KINDS))
def test_whatever_an_owner_writes_is_taken(text: str, key: str) -> None:
    value = fitted_text(f"{key}1", text, "毛孩子")
    assert accepts(f"{key}1", value)
    assert acceptable(f"{key}1", value)


MOMENTS = st.integers(946_684_800, 32_503_680_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))


@given(at=MOMENTS, key=st.sampled_from(["time", "date", "thing", "character_string"]))
def test_every_moment_is_taken(at: datetime, key: str) -> None:
    value = fitted_time(f"{key}3", at)
    assert accepts(f"{key}3", value)
    assert acceptable(f"{key}3", value)


@pytest.mark.parametrize("key", ["amount1", "enum2", "photo3", ""])
def test_a_text_goes_into_no_other_field(key: str) -> None:
    with pytest.raises(KeyError):
        fitted_text(key, "豆豆", "毛孩子")
