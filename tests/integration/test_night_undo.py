"""Every kind of move a night makes can be taken back, also after the upgrade of the same night, and is not redone."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from app.database import Database
from jobs.upgrade_memory import UpgradeParts, upgrade_due
from memory.dreams import undo
from memory.vocabulary import Certainty, MemoryStatus
from tests.conftest import on_sqlite
from tests.homes import MONDAY, Home, claim, open_home
from tests.nights import agree, dreams, keep, live_set, sleep, told

pytestmark = on_sqlite
DAY = timedelta(days=1)
NIGHT = MONDAY + timedelta(hours=15)  # 23:00 in Shanghai
UPGRADE = MONDAY + timedelta(hours=17, minutes=30)  # 03:30


async def _merged(home: Home) -> None:
    await keep(home, "煤球怕吹风机", cited=2)
    await keep(home, "煤球怕吹风机", "behavior:b", viewed=1, tier="long")


async def _thunder(home: Home, times: int) -> None:
    for day in range(times):
        doubtful = claim(home.dog, "behavior:fear:thunder", "煤球好像怕打雷", certainty=Certainty.HEDGED)
        await home.say(doubtful, at=MONDAY + (day - times) * DAY)


async def _became_fact(home: Home) -> None:
    await _thunder(home, 3)


async def _surer(home: Home) -> None:
    await _guess(home, days=4, confidence=0.4)


async def _weaker(home: Home) -> None:
    await _guess(home, days=1, confidence=0.8)


async def _fading(home: Home) -> None:
    await _guess(home, days=0, confidence=0.6)


async def _guess(home: Home, days: int, confidence: float) -> None:
    """A guess with premises on so many days that still stand, and one that does not."""
    standing = [
        await keep(home, f"煤球第{day}次吃冻干", "diet:freeze", kind="event", valid_from=MONDAY - day * DAY)
        for day in range(days)
    ]
    gone = await keep(home, "煤球今天吃了冻干", "diet:freeze", status=MemoryStatus.REJECTED.value)
    premises = [one.id for one in (*standing, gone)]
    made = {"kind": "belief", "confidence": confidence, "premises": premises, "source": "system"}
    await keep(home, "煤球好像爱吃冻干", "habit:diet:freeze", **made)


async def _archived(home: Home) -> None:
    long_ago = MONDAY - 40 * DAY
    await keep(home, "煤球追了一只蝴蝶", kind="event", weight_level=1, last_evidence_at=long_ago, learned_at=long_ago)


async def _over(home: Home) -> None:
    await keep(home, "煤球一周内不能洗澡", expires_at=MONDAY)


MOVES = {
    "merged": _merged,
    "became_fact": _became_fact,
    "surer": _surer,
    "weaker": _weaker,
    "fading": _fading,
    "archived": _archived,
    "over": _over,
}


async def everything(home: Home) -> list[dict[str, object]]:
    """All rows whole; what only ever grows, and what the upgrade notes of its own, aside."""
    rows = [item.model_dump(mode="json") for item in await home.items()]
    aside = {"version", "score", "score_parts", "scored_at", "review_at", "upgrade"}
    return [{name: value for name, value in row.items() if name not in aside} for row in rows]


@pytest.mark.parametrize("upgraded", [False, True])
@pytest.mark.parametrize(("what", "prepare"), MOVES.items(), ids=MOVES)
async def test_what_a_night_did_is_taken_back(
    database: Database, what: str, prepare: Callable[[Home], Awaitable[None]], upgraded: bool
) -> None:
    home = await open_home(database)
    await agree(home)
    await prepare(home)
    before = await everything(home)
    assert await sleep(home, NIGHT) == "done"
    assert await told(home) == [what]
    assert await everything(home) != before
    if upgraded:
        await upgrade_due(UpgradeParts(database, lambda: UPGRADE), UPGRADE)
    (dream,) = await dreams(home)
    async with database.write() as session:
        await undo(session, home.scope, dream.id, NIGHT + DAY, NIGHT + DAY)
    assert await everything(home) == before
    await home.say(claim(home.cat, "behavior:x", "芋圆爱晒太阳"), at=MONDAY + DAY)
    served = await live_set(home)
    await sleep(home, NIGHT + DAY)
    assert await live_set(home) == served
