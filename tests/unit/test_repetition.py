"""Which repetition rules are accepted, and when they fall."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.repetition import BadRepetition, occurrences, require_usable

SHANGHAI, NEW_YORK = "Asia/Shanghai", "America/New_York"
START = datetime(2026, 3, 4, 7, 0, tzinfo=UTC)  # a Wednesday, 15:00 in Shanghai


def days(rule: str, span: int = 60, start: datetime = START, timezone: str = SHANGHAI) -> list[str]:
    usable = require_usable(rule, start, timezone)
    return [f"{at:%m-%d}" for at in occurrences(start, usable, timezone, start, start + timedelta(days=span))]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=DAILY;COUNT=3", ["03-04", "03-05", "03-06"]),
        ("FREQ=DAILY;INTERVAL=2;COUNT=3", ["03-04", "03-06", "03-08"]),
        ("FREQ=WEEKLY;COUNT=3", ["03-04", "03-11", "03-18"]),
        ("RRULE:freq=weekly;byday=mo,fr;count=3;", ["03-06", "03-09", "03-13"]),
        ("FREQ=MONTHLY;COUNT=2", ["03-04", "04-04"]),
        ("FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2", ["03-31", "04-30"]),
        ("FREQ=MONTHLY;BYDAY=2SA;COUNT=2", ["03-14", "04-11"]),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=1", ["03-31"]),
        ("FREQ=DAILY;UNTIL=20260306", ["03-04", "03-05", "03-06"]),
        ("FREQ=DAILY;UNTIL=20260306T065959Z", ["03-04", "03-05"]),
    ],
)
def test_a_rule_falls_on_these_days(rule: str, expected: list[str]) -> None:
    assert days(rule) == expected


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "every monday",
        "FREQ=HOURLY",
        "FREQ=MINUTELY;COUNT=5",
        "FREQ=DAILY;BYHOUR=1,2,3",
        "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;COUNT=1001",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=101",
        "FREQ=DAILY;COUNT=3;UNTIL=20270101",
        "FREQ=DAILY;FREQ=DAILY",
        "FREQ=DAILY;UNTIL=20260101",
        "FREQ=DAILY;UNTIL=20261399",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=YEARLY;BYMONTH=13",
        "FREQ=YEARLY;BYMONTH=-1",
        "FREQ=MONTHLY;BYMONTHDAY=32",
        "FREQ=MONTHLY;BYDAY=6MO",
        "FREQ=MONTHLY;BYDAY=1MO;BYSETPOS=2",
        "FREQ=MONTHLY;BYSETPOS=1",
        "FREQ=WEEKLY;BYDAY=1MO",
        "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
        "FREQ=WEEKLY;BYDAY=" + ",".join(["MO"] * 90),
    ],
)
def test_a_rule_that_cannot_be_kept_is_refused(rule: str) -> None:
    with pytest.raises(BadRepetition):
        require_usable(rule, START, SHANGHAI)


def test_a_birthday_on_29_february_comes_in_leap_years() -> None:
    start = datetime(2024, 2, 29, 4, 0, tzinfo=UTC)
    rule = require_usable("FREQ=YEARLY", start, SHANGHAI)
    found = occurrences(start, rule, SHANGHAI, start, start + timedelta(days=366 * 9))
    assert [at.year for at in found] == [2024, 2028, 2032]


def test_a_month_that_never_has_the_day_is_refused() -> None:
    with pytest.raises(BadRepetition):
        require_usable("FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30", datetime(2026, 2, 3, tzinfo=UTC), SHANGHAI)


def test_three_in_the_afternoon_stays_three_when_the_clocks_change() -> None:
    start = datetime(2026, 3, 6, 20, 0, tzinfo=UTC)  # 15:00 in New York; the clocks change on 8 March
    rule = require_usable("FREQ=DAILY;COUNT=4", start, NEW_YORK)
    found = list(occurrences(start, rule, NEW_YORK, start, start + timedelta(days=9)))
    assert [at.hour for at in found] == [20, 20, 19, 19]


def test_a_plan_without_a_rule_falls_once() -> None:
    assert list(occurrences(START, None, SHANGHAI, START, START + timedelta(days=1))) == [START]
    assert list(occurrences(START, None, SHANGHAI, START + timedelta(seconds=1), START + timedelta(days=1))) == []


RULES = st.builds(
    lambda *parts: ";".join(part for part in parts if part),
    st.sampled_from(["FREQ=DAILY", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=YEARLY"]),
    st.sampled_from(["", "INTERVAL=2", "INTERVAL=12", "INTERVAL=100"]),
    st.sampled_from(["", "COUNT=3", "UNTIL=20290101"]),
    st.sampled_from(["", "BYDAY=MO", "BYDAY=MO,SU", "BYDAY=5FR", "BYDAY=-1TU"]),
    st.sampled_from(["", "BYMONTHDAY=31", "BYMONTHDAY=-30", "BYMONTHDAY=29", "BYMONTHDAY=1,15"]),
    st.sampled_from(["", "BYMONTH=2", "BYMONTH=4,6", "BYMONTH=12"]),
    st.sampled_from(["", "BYSETPOS=1", "BYSETPOS=-5"]),
)


@given(RULES, st.datetimes(datetime(2025, 1, 1), datetime(2028, 12, 31), timezones=st.just(UTC)))  # noqa: DTZ001  # bounds are naive by the library's rule
def test_whatever_is_accepted_falls_soon_and_in_order(rule: str, start: datetime) -> None:
    try:
        usable = require_usable(rule, start, SHANGHAI)
    except BadRepetition:
        return
    found = list(occurrences(start, usable, SHANGHAI, start, start + timedelta(days=800)))
    assert all(earlier < later for earlier, later in pairwise(found))
    assert all(at >= start.replace(microsecond=0) for at in found)


@pytest.mark.parametrize(
    "rule",
    ["FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "FREQ=WEEKLY;INTERVAL=3;WKST=SU"],
)
def test_an_old_plan_falls_on_the_days_on_which_it_always_fell(rule: str) -> None:
    began, since = datetime(2019, 5, 4, 7, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)
    whole = [
        at
        for year in range(2019, 2027)
        for at in occurrences(
            began, rule, "Asia/Shanghai", datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
        )
    ]
    window = list(occurrences(began, rule, "Asia/Shanghai", since, since + timedelta(days=40)))
    assert window == [at for at in whole if since <= at < since + timedelta(days=40)]
    gaps = {(later - earlier).days for earlier, later in pairwise(whole)}
    assert gaps <= {1, 3, 11, 21}
