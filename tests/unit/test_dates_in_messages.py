"""Whole messages: which words are times, where they stand, and which numbers are none."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from domain.dates import Recurrence, find_times, local_date_text, question_period
from memory.vocabulary import Precision
from tests.steps import steps_of

NOW = datetime(2026, 5, 21, 10, 30, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize(
    "text",
    [
        "上秤4.2公斤，医生说3.8最好",
        "一次喂1/4片，不够再加1/2片",
        "肌酐3.5，BUN 9.8，比值1.6",
        "T4 2.3，ALT 10.2",
        "3岁的英短，2.5岁绝育",
        "打完第2针了，还差第3针",
        "电话13812345678，微信尾号0512",
        "一顿吃30克，水50ml",
        "匹莫苯丹1.25的吃半颗",
        "皇家的2号粮，3号楼楼下那家店",
        "体温38.5度，呼吸28次",
        "有两点想问，一点都没吃，吃了一点点",
        "三个月大的小猫，五月龄打疫苗行吗",
        "白球比0.6，胰腺炎指数5.9",
        "蛋白1.2 血糖5.6 钾4.1",
        "按1:10稀释了擦的",
        "胖了2.3斤，现在11.5",
        "它叫小满，立秋是它弟弟，元宝最乖",
        "花了520块，医保报不了",
        "喂了三次都吐，两周没到",
        "楼上302的狗，12栋",
        "2.0mg/kg的量，0.5片",
        "四周都是墙，周围没人",
        "日本买的罐头，三八一箱",
        "前后腿都疼，后背也有",
        "小孩上初二了，初中离得近",
        "每0小时，隔0天，每半分钟",
        "圣诞快乐，圣诞树倒了",
    ],
)
def test_numbers_that_are_no_times_get_no_date(text: str) -> None:
    dated = [reading for reading in find_times(text, NOW) if reading.on or reading.recurrence or reading.time]
    assert dated == []


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("豆豆昨天吐了两次，今早精神还行", ["2026-05-20", "2026-05-21"]),
        ("4.2公斤，4月20号称的是4.5", ["2026-04-20"]),
        ("第一针3.15 第二针4.6，第三针还没打", ["2026-03-15", "2026-04-06"]),
        ("三联打完了（3.15、4.6两针）", ["2026-03-15", "2026-04-06"]),
        ("驱虫是4.20吃的，一次1/2片", ["2026-04-20"]),
        ("洗牙定在28号，术前一晚禁食", ["2026-05-28"]),
        ("上周三和周五都拉稀", ["2026-05-13", "2026-05-15"]),
        ("3月5号和20号各打一针", ["2026-03-05", "2026-03-20"]),
        ("狂犬今天打了，隔三周再来打下一针", ["2026-05-21", "2026-06-11"]),
        ("下午抽了一下", ["2026-05-21"]),
        ("来例假第三天了", ["2026-05-19"]),
        ("下周一下午两点半带它去骨科，提前八小时断食", ["2026-05-25"]),
        ("3.8kg，5.2打的第二针", ["2026-05-02"]),
        ("今天周四，周六去洗澡", ["2026-05-21", "2026-05-23"]),
    ],
)
def test_every_dated_phrase_of_a_message_is_found(text: str, on: list[str]) -> None:
    assert [str(reading.on) for reading in find_times(text, NOW) if reading.on] == on


def test_readings_point_into_the_text_as_it_was_written() -> None:
    text = "🐶豆豆㏒上個禮拜三 下午３點半打針"
    (reading,) = find_times(text, NOW)
    assert text[reading.start : reading.end] == reading.quote == "上個禮拜三 下午３點半"
    assert (reading.on, reading.time) == (date(2026, 5, 13), "15:30")


def test_a_habit_and_a_date_in_one_message_are_two_readings() -> None:
    dated, habit = find_times("体外驱虫是4月8号滴的，日历上写了每月8号", NOW)
    assert dated.on == date(2026, 4, 8)
    assert habit.recurrence == Recurrence(1, "month", days=(8,))
    assert habit.on is None


def test_a_habit_may_say_when_it_begins() -> None:
    (reading,) = find_times("从明天起每天早上八点喂药", NOW)
    assert (reading.on, reading.time) == (date(2026, 5, 22), "08:00")
    assert reading.recurrence == Recurrence(1, "day", times=("08:00",))


def test_a_bare_part_of_the_day_is_today_only_when_something_happened() -> None:
    assert [str(reading.on) for reading in find_times("早上吐了一滩", NOW)] == ["2026-05-21"]
    assert [reading.on for reading in find_times("晚上一般睡我床上", NOW)] == []


HOSTILE_PIECES = [
    "周",
    "一",
    "1/",
    "每周",
    "3月",
    "上",
    "每周一、",
    "12:30",
    "早上八点",
    "零一二三四五六七八九",
    "1.1、",
    "的",
]
HOSTILE_PIECES += ["一天一", "半个半", "去年的", "每月1号", "大大大", "从昨天到", " ", "5号和", "第一", "\u0301", "㍘"]
HOSTILE = [piece * (4000 // len(piece)) for piece in HOSTILE_PIECES]


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:6] for text in HOSTILE])
def test_a_hostile_message_takes_work_by_its_length(text: str) -> None:
    find_times("昨天", NOW)
    assert steps_of(lambda: find_times(text, NOW)) < 150 * len(text)  # 5号和 takes 107 for a character


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("上周吐了几次", "2026-05-11", "2026-05-17"),
        ("昨天拉的怎么样", "2026-05-20", "2026-05-20"),
        ("上个月体重多少", "2026-04-01", "2026-04-30"),
        ("三月份打过什么疫苗", "2026-03-01", "2026-03-31"),
        ("十一月做了哪些检查", "2025-11-01", "2025-11-30"),
        ("半年前查出来的是啥", "2025-10-07", "2026-01-05"),
        ("两个月前换的什么粮", "2026-03-06", "2026-04-05"),
        ("最近胃口咋样", "2026-04-21", "2026-05-21"),
        ("去年夏天那次", "2025-06-01", "2025-08-31"),
        ("过年那会儿谁在看家", "2026-02-10", "2026-03-04"),
        ("去年春节吃坏肚子是哪只", "2025-01-22", "2025-02-13"),
        ("去年国庆去哪儿了", "2025-10-01", "2025-10-01"),
        ("下个月有什么安排", "2026-06-01", "2026-06-30"),
        ("这大半年瘦了多少", "2025-11-21", "2026-05-21"),
        ("去年打了几针", "2025-01-01", "2025-12-31"),
        ("冬天那次咳嗽", "2025-12-01", "2026-02-28"),
    ],
)
def test_question_names_a_period(text: str, first: str, last: str) -> None:
    period = question_period(text, NOW)
    assert period is not None
    assert (str(period[0]), str(period[1])) == (first, last)


@pytest.mark.parametrize("text", ["豆豆对什么过敏", "每周三吃什么", "一天喂几次"])
def test_question_without_a_period_has_none(text: str) -> None:
    assert question_period(text, NOW) is None


@pytest.mark.parametrize(
    ("rule", "rrule"),
    [
        (Recurrence(3, "month"), "FREQ=MONTHLY;INTERVAL=3"),
        (Recurrence(1, "week", weekdays=(1, 3, 5)), "FREQ=WEEKLY;INTERVAL=1;BYDAY=MO,WE,FR"),
        (Recurrence(1, "month", days=(5, 20)), "FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=5,20"),
        (Recurrence(1, "year", month=3), "FREQ=YEARLY;INTERVAL=1;BYMONTH=3"),
        (Recurrence(1, "day", times=("08:00", "20:00")), "FREQ=DAILY;INTERVAL=1;BYHOUR=8,20;BYMINUTE=0"),
        (Recurrence(1, "day", times=("08:00", "20:30")), "FREQ=DAILY;INTERVAL=1"),
        (Recurrence(8, "hour"), "FREQ=HOURLY;INTERVAL=8"),
        (Recurrence(1, "month", weekdays=(6,), nth=1), "FREQ=MONTHLY;INTERVAL=1;BYDAY=1SA"),
    ],
)
def test_recurrence_is_written_as_a_calendar_rule(rule: Recurrence, rrule: str) -> None:
    assert rule.as_rrule() == rrule


@pytest.mark.parametrize(
    ("precision", "wording"),
    [
        (Precision.DAY, "2026年3月11日"),
        (Precision.MONTH, "2026年3月"),
        (Precision.YEAR, "2026年"),
        (Precision.UNKNOWN, "日期不详"),
    ],
)
def test_a_date_is_worded_no_more_exactly_than_it_is_known(precision: Precision, wording: str) -> None:
    assert local_date_text(date(2026, 3, 11), precision) == wording
