"""What owners allow to be pushed is counted once, however often it is told."""

import asyncio
from datetime import UTC, datetime, timedelta

from app.database import Database
from domain.owners import sign_in_owner
from domain.subscriptions import (
    GrantAnswer,
    GrantSource,
    count_down,
    remaining,
    stop_template,
    stopped_templates,
    use_up,
)
from domain.tap_ledger import Tap, note_tap
from memory.prepared import quick_of
from tests.factories import Owner, problem

NOW = datetime(2026, 5, 20, 4, 0, tzinfo=UTC)
TEMPLATE = "dev-confirmation"


async def someone(database: Database) -> str:
    async with database.write() as session:
        return (await sign_in_owner(session, "app", "lin", "小林", NOW)).id


async def told(
    database: Database,
    owner_id: str,
    source: GrantSource,
    *,
    answer: GrantAnswer = GrantAnswer.ACCEPT,
    key: str | None = None,
    after: timedelta = timedelta(),
) -> int:
    async with database.write() as session:
        return await note_tap(await quick_of(session), Tap(owner_id, TEMPLATE, answer, source, NOW + after, key))


async def test_a_tap_told_by_phone_and_event_counts_once_in_either_order(database: Database) -> None:
    owner_id = await someone(database)
    assert await told(database, owner_id, GrantSource.PHONE) == 1
    for _ in range(3):
        assert await told(database, owner_id, GrantSource.EVENT, key="e1") == 1
    assert await told(database, owner_id, GrantSource.EVENT, key="e2") == 2
    assert await told(database, owner_id, GrantSource.PHONE) == 2
    assert await told(database, owner_id, GrantSource.PHONE) == 3


async def test_both_reports_at_once_count_once(database: Database) -> None:
    owner_id = await someone(database)
    await asyncio.gather(
        told(database, owner_id, GrantSource.PHONE), told(database, owner_id, GrantSource.EVENT, key="e")
    )
    async with database.read() as session:
        assert await remaining(session, owner_id, TEMPLATE) == 1


async def test_a_late_event_is_another_tap(database: Database) -> None:
    owner_id = await someone(database)
    await told(database, owner_id, GrantSource.PHONE)
    assert await told(database, owner_id, GrantSource.EVENT, key="e", after=timedelta(minutes=11)) == 2


async def test_switching_off_ends_what_was_allowed_and_a_plain_no_does_not(database: Database) -> None:
    owner_id = await someone(database)
    await told(database, owner_id, GrantSource.PHONE)
    assert await told(database, owner_id, GrantSource.PHONE, answer=GrantAnswer.REJECT) == 1
    late = timedelta(hours=1)
    assert await told(database, owner_id, GrantSource.EVENT, answer=GrantAnswer.REJECT, key="r", after=late) == 0


async def test_the_ledger_never_goes_below_nothing(database: Database) -> None:
    owner_id = await someone(database)
    await told(database, owner_id, GrantSource.PHONE)
    async with database.write() as session:
        for _ in range(2):
            await count_down(session, owner_id, TEMPLATE, NOW)
        assert await remaining(session, owner_id, TEMPLATE) == 0
        await use_up(session, owner_id, "unknown", NOW)
        assert await remaining(session, owner_id, "unknown") == 0


async def test_a_template_is_stopped_once(database: Database) -> None:
    async with database.write() as session:
        for _ in range(2):
            await stop_template(session, TEMPLATE, 43107, NOW)
        assert await stopped_templates(session) == {TEMPLATE}


async def test_a_phone_reports_what_was_tapped(owner: Owner) -> None:
    offered = (await owner.get("/subscriptions/templates"))["items"]
    assert [(row["key"], row["remaining"]) for row in offered] == [
        ("confirmation", 0),
        ("reminder", 0),
        ("follow_up", 0),
    ]
    tapped = {TEMPLATE: "accept", "dev-reminder": "reject", "dev-follow_up": "acceptWithAudio"}
    for _ in range(2):
        told = await owner.post("/subscriptions/grants", {"results": tapped}, headers={"Idempotency-Key": "tap-1"})
        assert [row["remaining"] for row in told["items"]] == [1, 0, 1]
    other = await owner.ask(
        "POST", "/subscriptions/grants", {"results": {TEMPLATE: "ban"}}, headers={"Idempotency-Key": "tap-1"}
    )
    assert problem(other) == (409, "idempotency_key_reused")


async def test_an_old_template_id_is_passed_over_and_nonsense_is_refused(owner: Owner) -> None:
    told = await owner.post("/subscriptions/grants", {"results": {"gone": "accept", TEMPLATE: "accept"}})
    assert told["items"][0]["remaining"] == 1
    for results in ({}, {TEMPLATE: "maybe"}, {str(number): "accept" for number in range(6)}):
        refused = await owner.ask("POST", "/subscriptions/grants", {"results": results})
        assert problem(refused)[0] == 422
