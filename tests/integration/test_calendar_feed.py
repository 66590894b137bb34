"""The calendar feed: what calendar apps read, and who may read it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from dateutil.rrule import rrulestr
from icalendar import Calendar

from tests.conftest import SignIn, on_sqlite
from tests.factories import Json, Owner, problem

NOW = "2026-11-30T10:00:00+08:00"
LONG_TITLE = "带豆豆去市中心那家宠物医院复查肾功能和甲状腺，别忘了带上次的化验单和正在吃的药，还有它最喜欢的玩具"


async def feed_of(owner: Owner, url: str) -> httpx.Response:
    """What a calendar app gets, without any sign-in."""
    path = url.partition("://")[2].partition("/")[2]
    return await owner.client.get(f"/{path}", headers={"Authorization": "", "X-Pawsignal-Now": NOW})


async def subscribed(owner: Owner) -> Json:
    made: Json = await owner.at(NOW).post("/calendar-tokens", {})
    return made


async def events_of(owner: Owner) -> list[Any]:
    answer = await feed_of(owner, (await subscribed(owner))["url"])
    assert answer.status_code == 200
    return list(Calendar.from_ical(answer.content).walk("VEVENT"))


@pytest.mark.parametrize(
    ("fields", "start", "rule"),
    [
        ({"starts_at": "2026-12-09T15:00:00+08:00"}, "TZID=Asia/Shanghai:20261209T150000", None),
        (
            {"starts_at": "2026-12-01T08:00:00+08:00", "rrule": "FREQ=DAILY;UNTIL=20261207"},
            "TZID=Asia/Shanghai:20261201T080000",
            "FREQ=DAILY;UNTIL=20261207T155959Z",
        ),
        (
            {"starts_at": "2026-12-01T08:00:00+08:00", "rrule": "FREQ=WEEKLY;BYDAY=SA"},
            "TZID=Asia/Shanghai:20261205T080000",
            "FREQ=WEEKLY;BYDAY=SA",
        ),
        (
            {"starts_at": "2026-12-15T09:30:00+08:00", "all_day": True, "rrule": "FREQ=MONTHLY;UNTIL=20270615"},
            "VALUE=DATE:20261215",
            "FREQ=MONTHLY;UNTIL=20270615",
        ),
    ],
)
@on_sqlite
async def test_a_plan_is_written_as_apps_read_it(owner: Owner, fields: Json, start: str, rule: str | None) -> None:
    await owner.at(NOW).post("/schedules", {"title": "喂药", "remind_before_minutes": [1440, 0], **fields})
    text = (await feed_of(owner, (await subscribed(owner))["url"])).text
    assert f"DTSTART;{start}\r\n" in text
    assert (f"RRULE:{rule}\r\n" in text) if rule else ("RRULE" not in text.partition("BEGIN:VEVENT")[2])
    assert text.count("BEGIN:VALARM") == 2


@on_sqlite
async def test_apps_see_the_same_times_as_we_do(owner: Owner) -> None:
    body = {"title": "喂药", "starts_at": "2026-12-01T08:00:00+08:00", "rrule": "FREQ=WEEKLY;BYDAY=TU,FR;COUNT=5"}
    await owner.at(NOW).post("/schedules", body)
    (event,) = await events_of(owner)
    rule = rrulestr(event["RRULE"].to_ical().decode(), dtstart=event.decoded("DTSTART"))
    ours = (await owner.get("/schedules/occurrences", to="2027-01-30T00:00:00Z"))["items"]
    assert [at.astimezone(UTC) for at in rule] == [datetime.fromisoformat(one["at"]) for one in ours]


@on_sqlite
async def test_the_zone_is_described_for_apps_that_know_none(owner: Owner) -> None:
    await owner.put("/me", {"timezone": "America/New_York"})
    await owner.at(NOW).post(
        "/schedules", {"title": "喂药", "starts_at": "2027-03-01T08:00:00-05:00", "rrule": "FREQ=DAILY"}
    )
    calendar = Calendar.from_ical((await feed_of(owner, (await subscribed(owner))["url"])).content)
    (zone,) = calendar.walk("VTIMEZONE")
    assert zone["TZID"] == "America/New_York"
    (event,) = calendar.walk("VEVENT")
    summer = event.decoded("DTSTART").replace(month=3, day=20)  # after the clocks have changed
    assert summer.utcoffset() == timedelta(hours=-4)


@on_sqlite
async def test_long_chinese_lines_are_folded_between_characters(owner: Owner) -> None:
    await owner.at(NOW).post("/schedules", {"title": LONG_TITLE, "starts_at": "2026-12-09T15:00:00+08:00"})
    answer = await feed_of(owner, (await subscribed(owner))["url"])
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    lines = answer.content.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert all(line.decode() or True for line in lines)
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert event["SUMMARY"] == LONG_TITLE


@on_sqlite
async def test_what_is_due_stands_in_the_calendar(owner: Owner) -> None:
    pet = await owner.at(NOW).pet("豆豆", "dog", born_on="2023-01-01", born_on_precision="day")
    await owner.record(pet, "vaccinations", product="狂犬疫苗", given_on="2025-12-20", given_on_precision="day")
    found = [event for event in await events_of(owner) if "狂犬" in event["SUMMARY"]]
    assert [(event["SUMMARY"], str(event.decoded("DTSTART"))) for event in found] == [
        ("豆豆：狂犬疫苗到期", "2026-12-20")
    ]
    assert "每年一次" in found[0]["DESCRIPTION"]


async def test_a_token_that_is_no_more_or_never_was_is_the_same_404(owner: Owner, sign_in: SignIn) -> None:
    made = await subscribed(owner)
    assert (await feed_of(owner, made["url"])).status_code == 200
    stranger = await sign_in("wang")
    assert problem(await stranger.ask("DELETE", f"/calendar-tokens/{made['id']}")) == (404, "unknown_calendar")
    await owner.delete(f"/calendar-tokens/{made['id']}")
    told = []
    for url in (made["url"], "http://test/calendar.ics?token=nonsense", "http://test/calendar.ics"):
        answer = await feed_of(owner, url)
        told.append((answer.status_code, {**answer.json(), "request_id": ""}))
    assert told == [told[0]] * 3
    assert told[0][0] == 404


@on_sqlite
async def test_the_same_key_gives_the_same_address_which_is_stored_nowhere(owner: Owner, database: Any) -> None:
    headers = {"Idempotency-Key": "k1"}
    first, again = [(await owner.ask("POST", "/calendar-tokens", {}, headers=headers)).json() for _ in range(2)]
    assert first == again
    assert (await owner.get("/calendar-tokens"))["items"] == [{name: first[name] for name in ("id", "created_at")}]
    raw = database.file.read_bytes() if hasattr(database, "file") else b""
    assert first["token"].encode() not in raw


@on_sqlite
async def test_a_pet_that_is_gone_is_not_in_the_calendar(owner: Owner) -> None:
    pet = await owner.at(NOW).pet("豆豆", "dog")
    await owner.post("/schedules", {"pet_id": pet["id"], "title": "豆豆洗澡", "starts_at": "2026-12-09T15:00:00+08:00"})
    await owner.put(f"/pets/{pet['id']}", {"status": "memorial"})
    assert await events_of(owner) == []
