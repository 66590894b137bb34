"""Schedules and when they fall."""

import pytest

from tests.conftest import on_sqlite
from tests.factories import Owner, problem

NOW = "2026-03-01T08:00:00+08:00"
START = "2026-03-04T15:00:00+08:00"


async def test_a_schedule_is_made_read_changed_and_deleted(owner: Owner) -> None:
    pet = await owner.at(NOW).pet()
    made = await owner.post(
        "/schedules",
        {"pet_id": pet["id"], "title": "打疫苗", "starts_at": START, "remind_before_minutes": [60, 1440, 60]},
    )
    assert (made["starts_at"], made["timezone"], made["source"]) == ("2026-03-04T07:00:00Z", "Asia/Shanghai", "owner")
    assert made["remind_before_minutes"] == [1440, 60]
    path = f"/schedules/{made['id']}"
    changed = await owner.put(path, {"pet_id": None, "rrule": "RRULE:freq=weekly;byday=we", "version": 1})
    assert changed == made | {"pet_id": None, "rrule": "FREQ=WEEKLY;BYDAY=WE", "version": 2}
    assert problem(await owner.ask("PUT", path, {"title": "x", "version": 1})) == (409, "stale_version")
    assert (await owner.get("/schedules"))["items"] == [changed]
    await owner.delete(path)
    assert problem(await owner.ask("GET", path)) == (404, "unknown_schedule")
    assert (await owner.get("/schedules"))["items"] == []


async def test_every_repetition_falls_on_its_own(owner: Owner) -> None:
    owner.at(NOW)
    await owner.post("/schedules", {"title": "驱虫", "starts_at": START, "rrule": "FREQ=MONTHLY"})
    await owner.post("/schedules", {"title": "洗澡", "starts_at": "2026-03-05T10:00:00+08:00"})
    found = await owner.get("/schedules/occurrences", **{"from": NOW, "to": "2026-05-05T00:00:00+08:00"})
    assert [(one["title"], one["at"], one["repeats"]) for one in found["items"]] == [
        ("驱虫", "2026-03-04T07:00:00Z", True),
        ("洗澡", "2026-03-05T02:00:00Z", False),
        ("驱虫", "2026-04-04T07:00:00Z", True),
        ("驱虫", "2026-05-04T07:00:00Z", True),
    ]
    assert len((await owner.get("/schedules/occurrences"))["items"]) == 2


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"rrule": "FREQ=HOURLY"}, (422, "bad_repetition")),
        ({"rrule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, (422, "bad_repetition")),
        ({"rrule": "FREQ=DAILY;COUNT=99999"}, (422, "bad_repetition")),
        ({"starts_at": "2026-03-04T15:00:00"}, (422, "invalid_input")),
        ({"starts_at": "0001-01-01T00:00:00+14:00"}, (422, "invalid_input")),
        ({"starts_at": "9999-12-31T23:59:59-12:00"}, (422, "invalid_input")),
        ({"starts_at": "2060-01-01T00:00:00Z"}, (422, "implausible_value")),
        ({"title": " "}, (422, "invalid_input")),
        ({"remind_before_minutes": [-1]}, (422, "invalid_input")),
        ({"pet_id": "none"}, (404, "unknown_pet")),
        ({"timezone": "UTC"}, (422, "invalid_input")),
    ],
)
@on_sqlite
async def test_an_impossible_schedule_is_refused(
    owner: Owner, fields: dict[str, object], expected: tuple[int, str]
) -> None:
    body = {"title": "打疫苗", "starts_at": START} | fields
    assert problem(await owner.at(NOW).ask("POST", "/schedules", body)) == expected
    assert (await owner.get("/schedules"))["items"] == []


@pytest.mark.parametrize(
    ("window", "status"),
    [
        ({"from": NOW, "to": "2027-03-02T08:00:00+08:00"}, 200),
        ({"from": NOW, "to": "2027-03-03T08:00:00+08:00"}, 422),
        ({"from": NOW, "to": "2026-02-01T00:00:00Z"}, 422),
        ({"from": "0001-01-01T00:00:00+14:00"}, 422),
        ({"from": "9999-12-31T23:59:59-12:00"}, 422),
        ({"from": "2026-03-01T08:00:00"}, 422),
        ({"from": "soon"}, 422),
    ],
)
@on_sqlite
async def test_a_window_is_at_most_a_year(owner: Owner, window: dict[str, str], status: int) -> None:
    answer = await owner.at(NOW).ask("GET", "/schedules/occurrences", params=window)
    assert answer.status_code == status
    if status != 200:
        problem(answer)


@on_sqlite
async def test_a_household_has_at_most_two_hundred_schedules(owner: Owner) -> None:
    owner.at(NOW)
    for number in range(200):
        await owner.post("/schedules", {"title": f"第{number}个", "starts_at": START})
    answer = await owner.ask("POST", "/schedules", {"title": "多", "starts_at": START})
    assert problem(answer) == (409, "too_many")


@on_sqlite
async def test_a_year_of_many_daily_plans_is_read_page_by_page(owner: Owner) -> None:
    owner.at(NOW)
    for number in range(4):
        await owner.post("/schedules", {"title": f"喂药{number}", "starts_at": START, "rrule": "FREQ=DAILY"})
    window = {"from": NOW, "to": "2027-03-01T00:00:00+08:00"}
    seen, cursor, pages = [], None, 0
    while pages == 0 or cursor:
        page = await owner.get("/schedules/occurrences", **window, **({"cursor": cursor} if cursor else {}))
        seen += [(one["at"], one["schedule_id"]) for one in page["items"]]
        cursor, pages = page["next_cursor"], pages + 1
        assert len(page["items"]) <= 500
    assert pages == 3
    assert len(set(seen)) == len(seen) == 4 * 362
    assert seen == sorted(seen)
    first = await owner.get("/schedules/occurrences", **window, limit=3)
    assert [(one["at"], one["schedule_id"]) for one in first["items"]] == seen[:3]


@pytest.mark.parametrize("cursor", ["OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "YWJj", "%"])
@on_sqlite
async def test_a_made_up_position_is_refused(owner: Owner, cursor: str) -> None:
    answer = await owner.ask("GET", "/schedules/occurrences", params={"cursor": cursor})
    assert problem(answer) == (422, "bad_cursor")
