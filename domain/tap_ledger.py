"""Taps in WeChat's popup, counted in the ledger of `subscriptions` by prebuilt statements: in a storm they come by the
hundred a second."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select, update
from sqlmodel import col

from domain.subscriptions import (
    MOST_GRANTS,
    SAME_TAP,
    GrantAnswer,
    GrantSource,
    SubscriptionAnswer,
    SubscriptionGrant,
)
from memory.prepared import Quick, Statement, by_dialect, insert_of, row_of


@dataclass(frozen=True, slots=True)
class Tap:
    """One report of one tap. event_key: of a callback event, which may be delivered several times; at: real time."""

    owner_id: str
    template_id: str
    answer: GrantAnswer
    source: GrantSource
    at: datetime
    event_key: str | None = None


_GRANT = (
    col(SubscriptionGrant.owner_id) == bindparam("owner"),
    col(SubscriptionGrant.template_id) == bindparam("template"),
)
_REPORTS = col(SubscriptionAnswer.owner_id) == bindparam("owner")

_MAKE = insert_of(SubscriptionGrant, ignore_conflicts=True)
_LOCK = Statement(select(col(SubscriptionGrant.remaining)).where(*_GRANT).with_for_update())
_KNOWN = Statement(
    select(col(SubscriptionAnswer.id)).where(_REPORTS, col(SubscriptionAnswer.event_key) == bindparam("event_key"))
)
_TWIN = Statement(
    select(col(SubscriptionAnswer.id))
    .where(
        _REPORTS,
        col(SubscriptionAnswer.template_id) == bindparam("template"),
        col(SubscriptionAnswer.answer) == bindparam("answer"),
        col(SubscriptionAnswer.source) != bindparam("source"),
        col(SubscriptionAnswer.paired).is_(False),
        col(SubscriptionAnswer.at) >= bindparam("since"),
    )
    .order_by(col(SubscriptionAnswer.at))
    .limit(1)
)
_PAIR = Statement(update(SubscriptionAnswer).where(col(SubscriptionAnswer.id) == bindparam("twin")).values(paired=True))
_ADD = insert_of(SubscriptionAnswer)
_COUNT_UP = Statement(
    update(SubscriptionGrant)
    .where(*_GRANT, col(SubscriptionGrant.remaining) < MOST_GRANTS)
    .values(remaining=col(SubscriptionGrant.remaining) + 1, changed_at=bindparam("at"))
)
_USE_UP = Statement(update(SubscriptionGrant).where(*_GRANT).values(remaining=0, changed_at=bindparam("at")))


async def note_tap(quick: Quick, tap: Tap) -> int:
    """Note one tap and return how many messages remain. A tap that was reported before changes nothing.

    The grant's row is made and locked first: the two reports of one tap come one after the other.
    """
    grant = {"owner": tap.owner_id, "template": tap.template_id}
    made = {"owner_id": tap.owner_id, "template_id": tap.template_id, "remaining": 0, "changed_at": tap.at}
    await quick.run(by_dialect(_MAKE, quick), made)
    (held,) = await quick.rows(_LOCK, grant)
    if tap.event_key is not None and await quick.rows(_KNOWN, {"owner": tap.owner_id, "event_key": tap.event_key}):
        return int(held.remaining)
    is_twin = await _pair(quick, tap)
    told = {"answer": tap.answer.value, "source": tap.source.value, "event_key": tap.event_key, "at": tap.at}
    row = row_of(SubscriptionAnswer, owner_id=tap.owner_id, template_id=tap.template_id, paired=is_twin, **told)
    await quick.run(by_dialect(_ADD, quick), row)
    if is_twin:
        return int(held.remaining)
    return await _count(quick, tap, int(held.remaining))


async def _pair(quick: Quick, tap: Tap) -> bool:
    """Whether the other side has reported this tap, and not yet been taken for another one."""
    asked = {"owner": tap.owner_id, "template": tap.template_id, "answer": tap.answer.value}
    twins = await quick.rows(_TWIN, {**asked, "source": tap.source.value, "since": tap.at - SAME_TAP})
    for twin in twins:
        await quick.run(_PAIR, {"twin": twin.id})
    return bool(twins)


async def _count(quick: Quick, tap: Tap, held: int) -> int:
    changed = {"owner": tap.owner_id, "template": tap.template_id, "at": tap.at}
    if tap.answer is GrantAnswer.ACCEPT:
        return held + min(await quick.run(_COUNT_UP, changed), 1)
    if tap.answer is GrantAnswer.BAN or (tap.answer is GrantAnswer.REJECT and tap.source is GrantSource.EVENT):
        await quick.run(_USE_UP, changed)
        return 0
    return held
