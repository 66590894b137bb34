"""What holds for a time only gets its last day; how often and how long already are no ends."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance
from domain.temporary_facts import with_ends

NOW = datetime(2026, 6, 1, 10, tzinfo=ZoneInfo("Asia/Shanghai"))  # a Monday
PETS = (PetProfile("dog", "豆豆", "dog"),)


def ends(text: str) -> set[str]:
    claims = extract(Utterance(text=text, now=NOW, pets=PETS)).claims
    return {str(claim.value["end"]) for claim in with_ends(claims, NOW) if "end" in claim.value}


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("豆豆拔牙后一周只能吃软食", date(2026, 6, 8)),
        ("豆豆术后两周不能洗澡", date(2026, 6, 15)),
        ("豆豆打完疫苗，三天内不能洗澡", date(2026, 6, 4)),
        ("医生说豆豆这周只能吃软食", date(2026, 6, 7)),
        ("豆豆这几天不能剧烈运动，到6月8号", date(2026, 6, 8)),
        ("豆豆一个月内不能剧烈运动", date(2026, 7, 1)),
        ("豆豆这个月只能吃肠胃处方粮", date(2026, 6, 30)),
    ],
)
def test_a_limit_with_a_length_ends(text: str, last: date) -> None:
    assert ends(text) == {last.isoformat()}


@pytest.mark.parametrize(
    "text",
    [
        "豆豆一周只能吃两次零食",
        "豆豆不能吃牛肉",
        "豆豆两周前开始吃软食",
        "豆豆爱吃软食",
        "豆豆每周只吃三次湿粮",
        "豆豆咳嗽三天了",
    ],
)
def test_how_often_and_how_long_already_are_no_ends(text: str) -> None:
    assert ends(text) == set()
