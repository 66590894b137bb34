"""Plans in chat: made, moved, cancelled, asked for, taken back; unclear ones are asked about and never guessed."""

from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest
from sqlmodel import select

from app.database import Database
from domain.cancelled_plans import forget_cancelled_plans
from domain.schedules import Schedule
from tests.conftest import on_sqlite
from tests.factories import Json, Owner
from tests.fakes.phone import hear, say

NOW = "2026-11-30T10:00:00+08:00"  # a Monday


@pytest.fixture
async def home(owner: Owner) -> Owner:
    """An owner with a dog and a cat, on a Monday morning."""
    owner.at(NOW)
    await owner.pet("豆豆", "dog")
    await owner.pet("咪咪", "cat")
    return owner


async def talk(owner: Owner, *texts: str) -> Json:
    """Say one thing after another; the last answer."""
    answer: Json = {}
    for text, number in zip(texts, count(), strict=False):
        answer = await say(owner, text, f"{text}-{number}")
    return answer


async def plans(owner: Owner) -> list[tuple[str, str, str | None]]:
    """Title, start and repetition of what stands in the calendar, oldest first."""
    found: list[Any] = (await owner.get("/schedules"))["items"]
    return [(one["title"], one["starts_at"], one["rrule"]) for one in reversed(found)]


VACCINE = ("带豆豆打疫苗", "2026-12-09T07:00:00Z", None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("下周三下午三点带豆豆打疫苗", [VACCINE]),
        ("每三个月提醒我给咪咪驱虫", [("给咪咪驱虫", "2027-02-27T16:00:00Z", "FREQ=MONTHLY;INTERVAL=3")]),
        ("每天早上八点给豆豆喂药，喂一周", [("给豆豆喂药", "2026-12-01T00:00:00Z", "FREQ=DAILY;UNTIL=20261207")]),
        (
            "每天早上八点和晚上八点给豆豆喂药，连喂3天",
            [
                ("给豆豆喂药", "2026-12-01T00:00:00Z", "FREQ=DAILY;UNTIL=20261203"),
                ("给豆豆喂药", "2026-11-30T12:00:00Z", "FREQ=DAILY;UNTIL=20261202"),
            ],
        ),
        ("12月15号带咪咪去复查", [("带咪咪去复查", "2026-12-14T16:00:00Z", None)]),
        ("每周六上午十点提醒我给豆豆洗澡", [("给豆豆洗澡", "2026-12-05T02:00:00Z", "FREQ=WEEKLY;BYDAY=SA")]),
        ("提醒我明天早上九点买猫粮", [("买猫粮", "2026-12-01T01:00:00Z", None)]),
        ("两小时后提醒我喂豆豆吃药", [("喂豆豆吃药", "2026-11-30T04:00:00Z", None)]),
    ],
)
@on_sqlite
async def test_a_plan_that_is_told_goes_into_the_calendar(home: Owner, text: str, expected: list[Any]) -> None:
    answer = await talk(home, text)
    assert await plans(home) == expected
    assert [one["outcome"] for one in answer["schedules"]] == ["created"] * len(expected)
    assert "已安排：" in answer["text"]
    assert not any(one["content"].startswith("下周") for one in answer["memories"])


@pytest.mark.parametrize(
    "text",
    [
        "想下周三带豆豆打疫苗",
        "如果下周三有空就带豆豆打疫苗",
        "朋友家的狗下周三打疫苗",
        "下周三要不要带豆豆打疫苗？",
        "豆豆上周三打了疫苗",
        "豆豆每天早上八点吃饭",
        "昨天提醒我了吗",
        "豆豆换成鸡肉味的粮了",
        "豆豆生日改成5月3号",
        "医生没提醒我下周复查",
    ],
)
@on_sqlite
async def test_what_is_no_plan_makes_none(home: Owner, text: str) -> None:
    assert (await talk(home, text))["schedules"] == []
    assert await plans(home) == []


async def test_the_receipt_comes_after_the_plan_is_stored(home: Owner) -> None:
    heard = await hear(home, "下周三下午三点带豆豆打疫苗")
    names = [event.name for event in heard]
    (event,) = [event for event in heard if event.name == "schedule"]
    assert names.index("schedule") < names.index("delta")
    assert heard[-1].data["schedules"] == [event.data]
    stored = await home.get(f"/schedules/{event.data['id']}")
    assert (stored["title"], stored["starts_at"], stored["source"]) == (*VACCINE[:2], "chat")
    assert stored["remind_before_minutes"] == [1440, 60]


@pytest.mark.parametrize(
    ("asked", "expected", "answer", "made"),
    [
        ("提醒我带豆豆打疫苗", "哪天、几点", "下周三下午三点", VACCINE),
        ("下周提醒我带豆豆打疫苗", "哪天、几点", "周三下午三点", VACCINE),
        ("下周三下午三点打疫苗", "豆豆还是咪咪", "豆豆", ("打疫苗", *VACCINE[1:])),
        ("周三或者周四提醒我带豆豆打疫苗", "哪天、几点", "下周三下午三点", VACCINE),
        (
            "每天两次提醒我给豆豆喂药，喂3天",
            "几点",
            "早上八点和晚上八点",
            ("给豆豆喂药", "2026-12-01T00:00:00Z", "FREQ=DAILY;UNTIL=20261203"),
        ),
        ("今天早上八点提醒我给豆豆喂药", "已经过去", "明天早上八点", ("给豆豆喂药", "2026-12-01T00:00:00Z", None)),
        ("明天早上九点提醒我", "做什么", "给豆豆剪指甲", ("给豆豆剪指甲", "2026-12-01T01:00:00Z", None)),
    ],
)
@on_sqlite
async def test_what_is_unclear_is_asked_and_not_guessed(
    home: Owner, asked: str, expected: str, answer: str, made: Any
) -> None:
    question = await talk(home, asked)
    assert expected in question["text"]
    assert await plans(home) == []
    await talk(home, answer)
    assert (await plans(home))[0] == made


@pytest.mark.parametrize(
    ("text", "starts_at"),
    [
        ("改到周五", "2026-12-11T07:00:00Z"),
        ("改到周五下午四点", "2026-12-11T08:00:00Z"),
        ("改成下午四点", "2026-12-09T08:00:00Z"),
        ("推迟三天", "2026-12-12T07:00:00Z"),
        ("豆豆的疫苗改到12月20号", "2026-12-20T07:00:00Z"),
        ("打疫苗提前到12月3号上午十点", "2026-12-03T02:00:00Z"),
    ],
)
@on_sqlite
async def test_a_plan_is_moved(home: Owner, text: str, starts_at: str) -> None:
    answer = await talk(home, "下周三下午三点带豆豆打疫苗", text)
    assert await plans(home) == [(VACCINE[0], starts_at, None)]
    assert [one["outcome"] for one in answer["schedules"]] == ["moved"]
    await talk(home, "撤销")
    assert await plans(home) == [VACCINE]


@on_sqlite
async def test_a_habit_moves_to_another_weekday(home: Owner) -> None:
    await talk(home, "每周六上午十点提醒我给豆豆洗澡", "改到周日")
    assert await plans(home) == [("给豆豆洗澡", "2026-12-06T02:00:00Z", "FREQ=WEEKLY;BYDAY=SU")]


@pytest.mark.parametrize("text", ["疫苗的提醒取消吧", "取消豆豆的疫苗", "疫苗不用提醒了", "把打疫苗的日程删掉"])
@on_sqlite
async def test_a_plan_is_cancelled_and_brought_back(home: Owner, text: str) -> None:
    answer = await talk(home, "下周三下午三点带豆豆打疫苗", "12月15号带咪咪去复查", text)
    assert [title for title, _, _ in await plans(home)] == ["带咪咪去复查"]
    assert "已取消" in answer["text"]
    await talk(home, "撤销")
    assert VACCINE in await plans(home)


@on_sqlite
async def test_several_plans_that_fit_are_put_to_choice(home: Owner) -> None:
    made = ("下周三下午三点带豆豆打疫苗", "下周四下午三点带咪咪打疫苗")
    question = await talk(home, *made, "疫苗的提醒取消吧")
    assert "哪一个" in question["text"]
    assert len(await plans(home)) == 2
    await talk(home, "第二个")
    assert await plans(home) == [VACCINE]


@on_sqlite
async def test_undo_takes_back_what_was_just_made(home: Owner) -> None:
    answer = await talk(home, "下周三下午三点带豆豆打疫苗", "撤销")
    assert await plans(home) == []
    assert "已撤销" in answer["text"]


@on_sqlite
async def test_a_cancellation_that_fits_nothing_says_so(home: Owner) -> None:
    assert "没有找到" in (await talk(home, "疫苗的提醒取消吧"))["text"]


@on_sqlite
async def test_the_same_plan_is_made_once(home: Owner) -> None:
    answer = await talk(home, "下周三下午三点带豆豆打疫苗", "下周三下午三点带豆豆打疫苗")
    assert await plans(home) == [VACCINE]
    assert "已经有" in answer["text"]


@pytest.mark.parametrize(
    ("text", "told", "untold"),
    [
        ("下个月有什么安排", ["打疫苗", "复查"], ["洗澡"]),
        ("下周有什么安排", ["打疫苗"], ["复查", "洗澡"]),
        ("豆豆有什么日程", ["打疫苗"], ["复查"]),
        ("咪咪什么时候复查", ["12月15日"], ["打疫苗"]),
    ],
)
@on_sqlite
async def test_plans_are_asked_for(home: Owner, text: str, told: list[str], untold: list[str]) -> None:
    made = ("下周三下午三点带豆豆打疫苗", "12月15号带咪咪去复查", "明年2月1号给豆豆洗澡")
    answer = (await talk(home, *made, text))["text"]
    assert [word for word in told if word not in answer] == []
    assert [word for word in untold if word in answer] == []


@on_sqlite
async def test_what_is_due_is_told_for_all_pets_when_none_is_named(home: Owner) -> None:
    await talk(home, "豆豆去年12月10号打了狂犬疫苗", "咪咪去年12月20号打了狂犬疫苗")
    answer = (await talk(home, "有什么快到期的吗"))["text"]
    assert "豆豆" in answer
    assert "咪咪" in answer
    assert "还是" not in answer


@on_sqlite
async def test_the_next_deworming_counts_from_the_last_one(home: Owner) -> None:
    await talk(home, "咪咪10月20号驱虫了", "每三个月提醒我给咪咪驱虫")
    assert await plans(home) == [("给咪咪驱虫", "2027-01-19T16:00:00Z", "FREQ=MONTHLY;INTERVAL=3")]


@on_sqlite
async def test_a_temporary_chat_plans_nothing(home: Owner) -> None:
    answer = await say(home, "下周三下午三点带豆豆打疫苗", temporary=True)
    assert answer["schedules"] == []
    assert await plans(home) == []


@on_sqlite
async def test_another_household_moves_nothing_of_ours(home: Owner, sign_in: Any) -> None:
    await talk(home, "下周三下午三点带豆豆打疫苗")
    other = await sign_in("wang")
    other.at(NOW)
    await talk(other, "疫苗的提醒取消吧", "改到周五", "撤销")
    assert await plans(home) == [VACCINE]


@on_sqlite
async def test_what_was_cancelled_goes_for_good_after_a_day(home: Owner, database: Database) -> None:
    await talk(home, "下周三下午三点带豆豆打疫苗", "12月15号带咪咪去复查", "疫苗的提醒取消吧")
    cancelled_at = datetime.fromisoformat(NOW)
    for later, left in ((timedelta(hours=2), 2), (timedelta(days=2), 1)):
        async with database.write() as session:
            await forget_cancelled_plans(session, cancelled_at + later)
        async with database.read() as session:
            assert len((await session.exec(select(Schedule))).all()) == left


@on_sqlite
async def test_todays_plans_are_said_first(home: Owner) -> None:
    await talk(home, "今天下午三点带豆豆打疫苗", "明天带咪咪去复查", "下周三给豆豆洗澡")
    said = (await home.get("/chat/opening"))["items"]
    assert [one["text"] for one in said[:2]] == ["今天15:00 带豆豆打疫苗。", "明天 带咪咪去复查。"]


@on_sqlite
async def test_what_is_planned_for_today_is_not_recorded_as_done(home: Owner) -> None:
    answer = await talk(home, "今天下午三点带豆豆打疫苗")
    assert (answer["records"], len(answer["schedules"])) == ([], 1)


@on_sqlite
async def test_what_was_done_is_recorded_beside_the_next_reminder(home: Owner) -> None:
    answer = await talk(home, "豆豆今天打了狂犬疫苗，明年11月30号上午十点提醒我再打")
    assert [one["kind"] for one in answer["records"]] == ["vaccinations"]
    assert [one["starts_at"] for one in answer["schedules"]] == ["2027-11-30T02:00:00Z"]


async def test_another_rhythm_begins_on_the_day_that_stands_and_is_no_habit_beside(home: Owner) -> None:
    """剪指甲的改成每两周一次: the next time stays, and nothing else is kept of the words."""
    answer = await talk(home, "提醒我周日给豆豆剪指甲", "剪指甲的改成每两周一次")
    assert await plans(home) == [("给豆豆剪指甲", "2026-12-05T16:00:00Z", "FREQ=WEEKLY;INTERVAL=2")]
    assert answer["memories"] == []


async def test_two_plans_of_one_message_are_made_and_told_with_one_hint(home: Owner) -> None:
    answer = await talk(home, "后天上午带豆豆去打疫苗，大后天咪咪绝育")
    assert [title for title, _, _ in await plans(home)] == ["上午带豆豆去打疫苗", "咪咪绝育"]
    assert answer["text"].count("撤销") == 1


async def test_a_plan_that_is_not_there_cannot_be_moved_and_the_owner_is_told_so(home: Owner) -> None:
    answer = await talk(home, "打疫苗那个提前到明天下午三点")
    assert "没有找到要改的那个安排" in answer["text"]
    assert await plans(home) == []


async def test_a_clock_time_after_the_receipt_is_that_of_the_new_plan(home: Owner) -> None:
    await talk(home, "下周三提醒我买狗粮", "早上9点吧")
    assert await plans(home) == [("买狗粮", "2026-12-09T01:00:00Z", None)]


@pytest.mark.parametrize(
    "words",
    [
        "不对，是早上九点",
        "说错了，早上9点",
        "哎不对，应该是早上9点",
        "是早上九点，不是八点",
        "不是早上八点，是早上九点",
    ],
)
async def test_a_slip_in_the_clock_time_moves_the_plan_and_makes_no_other(home: Owner, words: str) -> None:
    await talk(home, "下周三早上八点提醒我买狗粮", words)
    assert await plans(home) == [("买狗粮", "2026-12-09T01:00:00Z", None)]


async def test_a_slip_in_the_clock_time_of_every_day_moves_every_day(home: Owner) -> None:
    await talk(home, "提醒我每天早上8点给豆豆喂药", "不对，是早上九点")
    ((title, starts_at, rrule),) = await plans(home)
    assert (title, starts_at[11:16], rrule is None) == ("给豆豆喂药", "01:00", False)


async def test_a_reminder_that_lacks_its_day_is_asked_about_and_tells_nothing_of_a_pet(home: Owner) -> None:
    answer = await talk(home, "咪咪今天很乖", "提醒我买狗粮")
    assert "哪天" in answer["text"]
    assert answer["memories"] == []
    assert await plans(home) == []
    made = await say(home, "下周三", "then")
    assert "咪咪" not in made["text"]


async def test_what_was_just_set_is_called_off_by_not_calling(home: Owner) -> None:
    answer = await talk(home, "明天早上七点叫我遛狗", "不用叫了")
    assert answer["text"].startswith("已取消")


async def test_all_of_the_list_is_cancelled_at_a_word(home: Owner) -> None:
    await talk(home, "后天带豆豆洗澡", "下周一带咪咪打疫苗", "都有哪些提醒", "全取消")
    assert await plans(home) == []


async def test_a_plan_of_no_known_kind_is_found_by_its_words(home: Owner) -> None:
    answer = await talk(home, "12月20号提醒我去闺女家", "我啥时候去闺女家")
    assert "12月20日" in answer["text"]
