"""A plan is called by what is planned, not by how it was booked."""

from datetime import date, datetime, timedelta, timezone

import pytest

from domain.schedule_times import planned_times
from domain.schedule_words import title_of

NOW = datetime(2026, 11, 30, 20, tzinfo=timezone(timedelta(hours=8)))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("给年糕约了下周三下午三点的绝育手术", "年糕绝育手术"),
        ("跟医院约好了下周三带年糕去绝育", "带年糕去绝育"),
        ("医院给排到12月8号做手术", "做手术"),
        ("订了周日的美容", "美容"),
        ("给可乐挂了周四的皮肤科", "可乐皮肤科"),
        ("约的是下周二下午两点的绝育", "绝育"),
        ("定时给年糕喂药，每天早上8点提醒我", "定时给年糕喂药"),
        ("帮我记一下明天下午三点带年糕打疫苗", "带年糕打疫苗"),
        ("记一下后天给年糕洗澡", "给年糕洗澡"),
        ("帮忙记着12月5号年糕打狂犬", "年糕打狂犬"),
    ],
)
def test_booking_is_no_part_of_the_title(text: str, title: str) -> None:
    assert title_of(text, planned_times(text, NOW)) == title


@pytest.mark.parametrize(
    ("text", "on", "title"),
    [
        ("奶茶昨天下午绝育了，医生说戴圈十天，十天后拆线", date(2026, 12, 10), "拆线"),
        ("今天打了第一针疫苗，21天后复查抗体", date(2026, 12, 21), "复查抗体"),
        ("上周刚洗完牙，下周三要带去体检", date(2026, 12, 9), "带去体检"),
        ("明天要体检，后天洗澡", date(2026, 12, 2), "洗澡"),
    ],
)
def test_title_is_what_the_planned_day_is_for(text: str, on: date, title: str) -> None:
    assert title_of(text, planned_times(text, NOW), on) == title
