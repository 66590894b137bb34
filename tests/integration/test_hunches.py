"""What repeats is suspected, shown in the weekly review with its counts, and becomes a guess only when it is kept."""

from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI
from sqlmodel import select

from app.options import night_parts_of
from domain.inbox import InboxMessage
from jobs.consolidate import ConsolidateParts, consolidate_owner
from tests.factories import Json, Owner
from tests.fakes.phone import say

FIRST = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)


async def night(app: FastAPI, owner: Owner, now: datetime) -> str | None:
    container = app.state.container
    parts = night_parts_of(container.settings, container.database, container.keys)
    return await consolidate_owner(ConsolidateParts(parts, lambda: now), owner.id)


async def changes_of_food(owner: Owner, times: int = 3) -> None:
    """Each change of food is followed by soft stool two days later."""
    for number in range(times):
        at = FIRST + number * 40 * DAY
        await say(owner.at(at), f"豆豆今天换成了{'皇家渴望冠能'[2 * number : 2 * number + 2]}的粮", f"c{number}")
        await say(owner.at(at + 2 * DAY), "豆豆今天软便", f"e{number}")


async def reviews(owner: Owner) -> list[Json]:
    found: list[Json] = (await owner.get("/reviews"))["items"]
    return found


async def test_soft_stool_after_three_changes_of_food_waits_in_the_review(owner: Owner, app: FastAPI) -> None:
    await owner.pet("豆豆")
    await changes_of_food(owner)
    now = FIRST + 90 * DAY
    assert await night(app, owner, now) == "done"
    (hunch,) = await reviews(owner.at(now))
    assert (hunch["text"], hunch["count"], hunch["status"]) == ("豆豆换粮后三天内软便 ×3", 3, "waiting")
    assert len(hunch["sources"]) == 6
    assert "×3" not in str((await owner.get("/memories", limit=100))["items"]), "it does not enter recall"
    async with app.state.container.database.read() as session:
        prompts = (await session.exec(select(InboxMessage).where(InboxMessage.kind == "review"))).all()
    assert len(prompts) == 1
    assert [line["what"] for line in (await owner.get("/dreams"))["items"][0]["lines"]] == ["pattern"]


async def test_a_hunch_that_is_kept_is_told_as_a_guess(owner: Owner, app: FastAPI) -> None:
    await owner.pet("豆豆")
    await changes_of_food(owner)
    await night(app, owner, FIRST + 90 * DAY)
    (hunch,) = await reviews(owner)
    kept = await owner.post(f"/reviews/{hunch['id']}/keep")
    again = await owner.post(f"/reviews/{hunch['id']}/keep")
    assert kept["memory_id"] == again["memory_id"]
    belief = await owner.get(f"/memories/{kept['memory_id']}")
    assert (belief["kind"], belief["source"], round(belief["confidence"], 2)) == ("belief", "system", 0.67)
    assert await reviews(owner) == []


async def test_a_hunch_that_is_waved_away_does_not_come_back(owner: Owner, app: FastAPI) -> None:
    await owner.pet("豆豆")
    await changes_of_food(owner)
    await night(app, owner, FIRST + 90 * DAY)
    (hunch,) = await reviews(owner)
    await owner.post(f"/reviews/{hunch['id']}/dismiss")
    await say(owner.at(FIRST + 91 * DAY), "豆豆今天软便", "more")
    await night(app, owner, FIRST + 92 * DAY)
    assert await reviews(owner) == []


async def test_deleting_a_source_takes_the_hunch_and_the_line_of_the_diary_along(owner: Owner, app: FastAPI) -> None:
    await owner.pet("豆豆")
    await changes_of_food(owner)
    await night(app, owner, FIRST + 90 * DAY)
    (hunch,) = await reviews(owner)
    await owner.delete(f"/memories/{hunch['sources'][-1]}")
    assert await reviews(owner) == []
    assert "软便" not in str((await owner.get("/dreams"))["items"])
    await night(app, owner, FIRST + 93 * DAY)
    assert await reviews(owner) == [], "two times are no pattern"


@pytest.mark.parametrize(("days", "ends"), [(3, "review"), (4, "belief")])
async def test_a_choice_told_on_four_days_is_a_guess_that_is_voiced_as_one(
    owner: Owner, app: FastAPI, days: int, ends: str
) -> None:
    await owner.pet("豆豆")
    for number in range(days):
        await say(owner.at(FIRST + number * 3 * DAY), "豆豆今天吃了牛肉冻干", f"c{number}")
    await night(app, owner, FIRST + 30 * DAY)
    beliefs = [one for one in (await owner.get("/memories", limit=100))["items"] if one["kind"] == "belief"]
    assert bool(beliefs) == (ends == "belief")
    assert bool(await reviews(owner)) == (ends == "review")
    if beliefs:
        answer = await say(owner.at(FIRST + 31 * DAY), "豆豆经常吃什么冻干？", "q")
        assert "好像" in answer["text"]


async def test_erasing_the_pet_leaves_no_trace_in_diary_and_review(owner: Owner, app: FastAPI) -> None:
    pet = await owner.pet("豆豆")
    await owner.pet("芋圆", "cat")
    await changes_of_food(owner)
    await night(app, owner, FIRST + 90 * DAY)
    await owner.delete(f"/pets/{pet['id']}")
    assert await reviews(owner) == []
    assert "豆豆" not in str((await owner.get("/dreams"))["items"])


async def test_a_hunch_whose_source_was_put_right_is_marked_stale(owner: Owner, app: FastAPI) -> None:
    pet = await owner.pet("豆豆")
    await changes_of_food(owner)
    await night(app, owner, FIRST + 90 * DAY)
    signs = (await owner.get(f"/pets/{pet['id']}/observations"))["items"]
    right = {name: signs[-1][name] for name in ("code", "name", "occurred_at")}
    await owner.at(FIRST + 91 * DAY).put(
        f"/pets/{pet['id']}/observations/{signs[-1]['id']}", {**right, "negated": True}
    )
    await night(app, owner, FIRST + 92 * DAY)
    (hunch,) = await reviews(owner)
    assert hunch["status"] == "stale"
