"""A plan is called by what is planned, not by how it was booked."""

from datetime import datetime, timedelta, timezone

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
    ],
)
def test_booking_is_no_part_of_the_title(text: str, title: str) -> None:
    assert title_of(text, planned_times(text, NOW)) == title
