"""The day of what is told without one, and days that are only compared with."""

from datetime import date, datetime, timedelta, timezone

import pytest

from domain.dates import find_times
from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance
from memory.claims import Claim

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
TODAY = NOW.date()
PETS = (PetProfile("p", "桃酥", "dog"), PetProfile("m", "麻花", "cat"))


def claims(text: str) -> list[Claim]:
    return list(extract(Utterance(text, NOW, PETS)).claims)


@pytest.mark.parametrize(
    ("text", "attribute", "day"),
    [
        ("今天折腾了一天，桃酥心超总算做完，医生说比上次稳定，就是ALT高到210", "lab:", TODAY),
        ("上午排了俩钟头队，桃酥复查了肾，肌酐降到210比上个月强", "lab:", TODAY),
        ("桃酥把麻花的皮肤药叼走吞了一粒，麻花是上周四确诊的", "symptom", TODAY),
        ("下个月我要去外地培训十二天，6号走", "owner.timetable", date(2026, 5, 6)),
    ],
)
def test_what_is_told_of_today_is_dated_today(text: str, attribute: str, day: date) -> None:
    told = [claim for claim in claims(text) if claim.attribute.startswith(attribute)]
    assert day in {claim.occurred_on for claim in told}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("下周二回去拆线", date(2026, 4, 21)),
        ("狂犬都打好了（4.11一起打的）", date(2026, 4, 11)),
        ("狂犬都打好了（都是4.11）", date(2026, 4, 11)),
        ("内驱喂了是3.28", date(2026, 3, 28)),
    ],
)
def test_a_day_is_read_before_the_way_back_and_in_brackets(text: str, day: date) -> None:
    assert [time.on for time in find_times(text, NOW)] == [day]


def test_a_dose_after_what_was_given_is_no_day() -> None:
    assert not find_times("喂的是2.5毫克", NOW)
