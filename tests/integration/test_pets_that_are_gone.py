"""A pet that died, is lost or lives elsewhere keeps its record, and the service never brings it up by itself."""

from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI

from app.options import night_parts_of
from jobs.consolidate import ConsolidateParts, consolidate_owner
from jobs.follow_up import FollowUpParts, follow_up
from jobs.send_reminders import ReminderParts, send_reminders
from jobs.summarize_talks import summarize_talks
from tests.factories import Json, Owner
from tests.fakes.phone import say

FIRST = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)
NAME = "豆豆"


@pytest.fixture
async def pet(owner: Owner) -> Json:
    """A dog of whom there is much to say: a pattern, an illness, a plan, an overdue vaccine, an allergy."""
    pet = await owner.at(FIRST).pet(NAME, born_on="2020-01-01", born_on_precision="day")
    await owner.pet("芋圆", "cat")
    await owner.record(pet, "vaccinations", product="狂犬疫苗", antigens=["rabies"], given_on="2025-01-01")
    for number in range(3):
        at = FIRST + number * 40 * DAY
        await say(owner.at(at), f"{NAME}今天换成了{'皇家渴望冠能'[2 * number : 2 * number + 2]}的粮", f"c{number}")
        await say(owner.at(at + 2 * DAY), f"{NAME}今天软便", f"e{number}")
    starts = (FIRST + 84 * DAY).isoformat()
    plan = {"title": f"{NAME}复查", "starts_at": starts, "pet_id": pet["id"], "remind_before_minutes": [60]}
    await owner.post("/schedules", plan)
    await say(owner, f"{NAME}对鸡肉过敏", "a")
    await say(owner, f"{NAME}今天吐了两次", "v")
    return pet


async def nights_and_mornings(app: FastAPI, owner: Owner, begin: datetime, days: int) -> None:
    """Everything that the service does by itself, for some days."""
    container = app.state.container
    night = night_parts_of(container.settings, container.database, container.keys)
    for number in range(days):
        now = begin + number * DAY
        await consolidate_owner(ConsolidateParts(night, lambda now=now: now), owner.id)
        await summarize_talks(container.settling_parts(), now)
        await follow_up(FollowUpParts(container.transactions, lambda now=now: now))
        await send_reminders(ReminderParts(container.transactions, container.real_now), now)


@pytest.mark.parametrize("status", ["memorial", "lost", "rehomed"])
async def test_it_is_never_brought_up(app: FastAPI, owner: Owner, pet: Json, status: str) -> None:
    then = FIRST + 83 * DAY
    before = {one["id"] for one in (await owner.get("/inbox", limit=100))["items"]}
    await owner.at(then).put(f"/pets/{pet['id']}", {"status": status})
    await nights_and_mornings(app, owner, then, 4)
    owner.at(then + 4 * DAY)
    prompts = [one for one in (await owner.get("/inbox", limit=100))["items"] if one["id"] not in before]
    assert [one["body"] for one in prompts if NAME in f"{one['title']}{one['body']}"] == []
    for path in ("/chat/opening", "/follow-ups", "/reviews"):
        assert NAME not in str((await owner.get(path))["items"]), path
    assert (await owner.get(f"/pets/{pet['id']}/due"))["items"] == []
    assert (await owner.get(f"/pets/{pet['id']}/insights"))["items"] == []
    answer = await say(owner, "早上好呀", "hello")
    assert NAME not in f"{answer['text']}{answer['alerts']}"
    assert len((await owner.get(f"/pets/{pet['id']}/allergies"))["items"]) == 1, "its record stays"
    asked = await say(owner, f"{NAME}对什么过敏？", "asked")
    assert "鸡肉" in asked["text"], "who asks is answered"


async def test_as_long_as_it_lives_here_all_of_that_is_said(app: FastAPI, owner: Owner, pet: Json) -> None:
    then = FIRST + 83 * DAY
    await nights_and_mornings(app, owner, then, 4)
    owner.at(then + 4 * DAY)
    said = str((await owner.get("/inbox", limit=100))["items"])
    assert said.count(NAME) > 1
    for path in ("/chat/opening", "/reviews"):
        assert NAME in str((await owner.get(path))["items"]), path
