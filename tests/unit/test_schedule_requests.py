"""Requests about plans are read from many wordings: what, for whom, when, how often, until when."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance
from domain.schedule_requests import Act, Said, ScheduleRequest, read_request
from domain.schedule_times import planned

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))  # a Monday
FIVE_DAYS = "FREQ=DAILY;UNTIL=20261204"
PETS = (PetProfile("d", "豆豆", "dog"), PetProfile("m", "咪咪", "cat"))


def read(text: str, history: Sequence[SaidBefore] = ()) -> ScheduleRequest | None:
    said = extract(Utterance(text, NOW, PETS))
    return read_request(Said(text, NOW, PETS, said.claims, bool(said.refusals), history=history))


@pytest.mark.parametrize(
    ("text", "title", "pets", "starts", "rule"),
    [
        ("提醒我明天下午三点带咪咪去医院", "带咪咪去医院", ("m",), "12-01 15:00", None),
        ("周五上午十点带豆豆去绝育", "带豆豆去绝育", ("d",), "12-04 10:00", None),
        ("下个月5号带豆豆体检", "带豆豆体检", ("d",), "12-05", None),
        ("帮我记个日程：12月20号上午9点半咪咪洗牙", "咪咪洗牙", ("m",), "12-20 09:30", None),
        ("每周日晚上八点提醒我给豆豆剪指甲", "给豆豆剪指甲", ("d",), "12-06 20:00", "FREQ=WEEKLY;BYDAY=SU"),
        ("每月1号提醒我给豆豆做体内驱虫", "给豆豆做体内驱虫", ("d",), "12-01", "FREQ=MONTHLY;BYMONTHDAY=1"),
        (
            "每天晚上九点提醒我给咪咪滴眼药水，滴5天",
            "给咪咪滴眼药水",
            ("m",),
            "11-30 21:00",
            "FREQ=DAILY;UNTIL=20261204",
        ),
        ("三天后提醒我带豆豆复查", "带豆豆复查", ("d",), "12-03", None),
        ("我约了12月8号下午两点给咪咪洗澡", "给咪咪洗澡", ("m",), "12-08 14:00", None),
        ("每隔两天提醒我给咪咪换药", "给咪咪换药", ("m",), "11-30", "FREQ=DAILY;INTERVAL=3"),
        (
            "每年3月11号提醒我给豆豆打狂犬疫苗",
            "给豆豆打狂犬疫苗",
            ("d",),
            "03-11",
            "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=11",
        ),
        ("从后天起连续三天晚上七点提醒我给豆豆擦药", "给豆豆擦药", ("d",), "12-02 19:00", "FREQ=DAILY;UNTIL=20261204"),
        (
            "每周一三五早上八点提醒我给咪咪打胰岛素",
            "给咪咪打胰岛素",
            ("m",),
            "12-02 08:00",
            "FREQ=WEEKLY;BYDAY=MO,WE,FR",
        ),
        ("别忘了明天带豆豆打疫苗", "带豆豆打疫苗", ("d",), "12-01", None),
        ("医生让一周后咪咪复查", "咪咪复查", ("m",), "12-07", None),
        ("12月9号 15:00 豆豆 狂犬疫苗", "狂犬疫苗", ("d",), "12-09 15:00", None),
        ("下下周二下午2点半 咪咪 复诊", "复诊", ("m",), "12-15 14:30", None),
        ("明年1月15日上午10:30带豆豆去做心脏彩超", "带豆豆去做心脏彩超", ("d",), "01-15 10:30", None),
        ("后天下午带咪咪去复查", "下午带咪咪去复查", ("m",), "12-02", None),
    ],
)
def test_a_plan_is_read(text: str, title: str, pets: tuple[str, ...], starts: str, rule: str | None) -> None:
    request = read(text)
    assert request is not None
    (plan,) = planned(request.when, NOW)
    shown = f"{plan.starts_at:%m-%d}" if plan.all_day else f"{plan.starts_at:%m-%d %H:%M}"
    assert (request.act, request.title, request.pets, shown, plan.rrule) == (Act.MAKE, title, pets, starts, rule)


@pytest.mark.parametrize(
    ("text", "act", "kinds"),
    [
        ("把豆豆打疫苗的时间改到下周五上午十点", Act.MOVE, {"vaccine"}),
        ("复查推迟一周", Act.MOVE, {"visit"}),
        ("提前到明天", Act.MOVE, set()),
        ("豆豆的洗澡取消", Act.CANCEL, {"washing"}),
        ("不用提醒我喂药了", Act.CANCEL, {"medicine"}),
        ("取消明天的复查", Act.CANCEL, {"visit"}),
        ("刚才那个提醒删掉", Act.CANCEL, set()),
        ("提前一天提醒我", Act.LEAD, set()),
    ],
)
def test_a_change_is_read(text: str, act: Act, kinds: set[str]) -> None:
    request = read(text)
    assert request is not None
    assert (request.act, set(request.kinds)) == (act, kinds)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("记得提醒我给豆豆驱虫", "day"),
        ("周末提醒我带豆豆去洗澡", "day"),
        ("下个月提醒我带豆豆体检", "day"),
        ("每8小时提醒我给豆豆喂药", "clock"),
        ("每天三次提醒我给豆豆滴眼药水", "clock"),
        ("今天早上八点提醒我喂药", "future"),
        ("昨天提醒我喂药", "future"),
    ],
)
def test_what_is_unclear_is_known_to_be(text: str, missing: str) -> None:
    request = read(text)
    assert request is not None
    assert request.when.missing == missing


@pytest.mark.parametrize(
    "text",
    [
        *("改天再说吧", "豆豆每天吃两次饭", "医生提醒我豆豆要减肥", "取消关注吧我不看了", "豆豆换成了鸡肉味的粮"),
        *("不知道要不要下周三带豆豆打疫苗", "下周三打疫苗会不会太早", "邻居家的猫下周三绝育", "豆豆昨天下午三点吐了"),
        *("豆豆12月1号下午三点吐了，去医院了", "我妈提醒我给豆豆穿衣服"),
    ],
)
def test_what_makes_no_plan(text: str) -> None:
    request = read(text)
    assert request is None or (request.act is Act.CANCEL and not request.explicit)


def test_an_answer_is_read_together_with_what_it_answers() -> None:
    asked = (SaidBefore("user", "下周提醒我带豆豆打疫苗"), SaidBefore("assistant", "“带豆豆打疫苗”安排在哪天、几点？"))
    request = read("周三下午三点", asked)
    assert request is not None
    assert (request.title, request.pets, planned(request.when, NOW)[0].starts_at.day) == ("带豆豆打疫苗", ("d",), 9)


# text, act, first start of a plan or what it misses, repetition
ONCE_UNSEEN: list[tuple[str, str | None, str, str | None]] = [
    ("明晚八点叫我给咪咪喂药", "make", "12-01 20:00", None),
    ("麻烦设个提醒，12月18日带豆豆拆线", "make", "12-18", None),
    ("每两周提醒我给豆豆洗一次澡", "make", "12-14", "FREQ=WEEKLY;INTERVAL=2"),
    ("每周一三五早上八点提醒我给咪咪打胰岛素", "make", "12-02 08:00", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
    ("每个月最后一天提醒我给豆豆滴外驱", "make", "11-30", "FREQ=MONTHLY;BYMONTHDAY=-1"),
    ("从后天起连续三天晚上七点提醒我给豆豆擦药", "make", "12-02 19:00", "FREQ=DAILY;UNTIL=20261204"),
    ("半年后提醒我给豆豆体检", "make", "day", None),
    ("大后天上午带咪咪去打第三针", "make", "12-03", None),
    ("豆豆的复查约在下周二下午四点", "make", "12-08 16:00", None),
    ("给我加个日程，咪咪1月3号绝育", "make", "01-03", None),
    ("到点提醒我喂豆豆", "make", "day", None),
    ("每天中午12点提醒我喂咪咪吃药，吃到12月8号", "make", "11-30 12:00", "FREQ=DAILY;UNTIL=20261208"),
    ("把咪咪绝育改到1月10号", "move", "", None),
    ("豆豆洗澡的提醒往后推两天", "move", "", None),
    ("打疫苗那个改成上午十点吧", "move", "", None),
    ("喂药的闹钟关了吧", "cancel", "", None),
    ("豆豆体检不去了，帮我取消", "cancel", "", None),
    ("别提醒我铲屎了", "cancel", "", None),
    ("把所有日程都取消", "cancel", "", None),
    ("咪咪今天打喷嚏三次", None, "", None),
    ("豆豆从下周三开始吃新粮", None, "", None),
    ("医生说可能要一个月后再打疫苗", None, "", None),
    ("我姐让我提醒她给猫打疫苗", None, "", None),
    ("豆豆昨晚八点吃了药", None, "", None),
    ("咪咪每周三次吃罐头", None, "", None),
    ("下周三豆豆就两岁了", None, "", None),
    ("如果下周还吐就带去医院", None, "", None),
    ("你上次提醒我的是哪天", None, "", None),
    ("取消订单怎么操作", None, "", None),
    ("豆豆上周的疫苗取消了没打成", None, "", None),
]


@pytest.mark.parametrize(("text", "act", "when", "rule"), ONCE_UNSEEN)
def test_wordings_that_were_written_before_they_were_tried(
    text: str, act: str | None, when: str, rule: str | None
) -> None:
    request = read(text)
    if request is None or request.act is not Act.MAKE:
        assert (request.act.value if request else None) == act
    elif request.when.missing:
        assert (act, when) == ("make", request.when.missing)
    else:
        plan = planned(request.when, NOW)[0]
        shown = f"{plan.starts_at:%m-%d}" if plan.all_day else f"{plan.starts_at:%m-%d %H:%M}"
        assert (act, when, rule) == ("make", shown, plan.rrule)


@pytest.mark.parametrize("text", ["以后叫我小雨就行，回答短一点", "叫我阿姨吧", "你可以喊我老王", "群里都叫我豆妈"])
def test_a_name_the_owner_wants_to_be_called_by_is_no_reminder(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize("text", ["咪咪多大了", "咪咪三岁了", "豆豆生日哪天", "豆豆能吃苹果吗", "算了", "你真烦"])
def test_a_message_about_something_else_leaves_a_question_about_a_plan_behind(text: str) -> None:
    asked = (SaidBefore("user", "提醒我给豆豆洗澡"), SaidBefore("assistant", "“给豆豆洗澡”安排在哪天、几点？"))
    assert read(text, asked) is None


@pytest.mark.parametrize("text", ["周六上午十点", "明天吧", "后天下午3点行吗"])
def test_a_time_answers_a_question_about_a_plan(text: str) -> None:
    asked = (SaidBefore("user", "提醒我给豆豆洗澡"), SaidBefore("assistant", "“给豆豆洗澡”安排在哪天、几点？"))
    request = read(text, asked)
    assert request is not None
    assert request.answers


def test_a_cancelled_thing_that_owners_plan_is_answered_though_none_stands() -> None:
    request = read("取消周五的洗澡")
    assert request is not None
    assert request.explicit


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("明天早上八点提醒我给咪咪喂药", 0),
        ("后天下午三点的时候记得叫我带豆豆去洗澡", 0),
        ("下周三提醒我给豆豆驱虫", 0),
        ("提醒我明天下午三点带咪咪去医院", None),
        ("12月20号上午9点半咪咪洗牙，提前两小时提醒我", 120),
    ],
)
def test_time_of_the_reminder_is_when_one_is_reminded(text: str, lead: int | None) -> None:
    request = read(text)
    assert request is not None
    assert request.lead == lead
