"""Events of WeChat that tell of taps in its popup or its settings, noted many at once."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam, select
from sqlmodel import col

from domain.owners import Owner
from domain.subscriptions import GrantAnswer, GrantSource
from domain.tap_ledger import Tap, note_tap
from domain.wechat_events import DueEvent
from domain.wechat_messages import CHANGE, POPUP, PushedMessage, text_of
from memory.prepared import Quick, Statement
from memory.transactions import Transactions

TAPS = (POPUP, CHANGE)
CLOCKS_DIFFER = timedelta(minutes=2)  # between WeChat's and ours

_OWNER = Statement(
    select(col(Owner.id), col(Owner.created_at)).where(
        col(Owner.appid) == bindparam("appid"), col(Owner.openid) == bindparam("openid")
    )
)


@dataclass(frozen=True, slots=True)
class EventParts:
    """What works events off. seal_identity: how a stored openid is looked up."""

    transactions: Transactions
    appid: str
    seal_identity: Callable[[str], str]
    open: Callable[[str], str]
    real_now: Callable[[], datetime]


async def note_taps(quick: Quick, parts: EventParts, events: Sequence[DueEvent]) -> None:
    """Count what these events tell; of one person in the order they came, of different people in a fixed order.

    With that order two workers lock the grants of the same people alike.
    """
    told = [(PushedMessage(json.loads(parts.open(event.sealed))), event) for event in events]
    for message, event in sorted(told, key=lambda one: one[0].openid):
        owner_id = await _owner_id(quick, parts, message)
        if owner_id is not None:
            for tap in _taps(message, owner_id, event.dedupe_key, parts.real_now()):
                await note_tap(quick, tap)


def is_about(message: PushedMessage, created_at: datetime) -> bool:
    """Whether an event is about this account, and not about an older one of the same person that is gone."""
    return message.made_at is None or message.made_at >= created_at - CLOCKS_DIFFER


async def _owner_id(quick: Quick, parts: EventParts, message: PushedMessage) -> str | None:
    if not message.openid:
        return None
    asked = {"appid": parts.appid, "openid": parts.seal_identity(message.openid)}
    for owner in await quick.rows(_OWNER, asked):
        if is_about(message, owner.created_at):
            return str(owner.id)
    return None


def _taps(message: PushedMessage, owner_id: str, event_key: str, at: datetime) -> Iterator[Tap]:
    for number, item in enumerate(message.items):
        said, template_id = text_of(item, "SubscribeStatusString").lower(), text_of(item, "TemplateId")
        if template_id and said in (GrantAnswer.ACCEPT, GrantAnswer.REJECT):
            yield Tap(owner_id, template_id, GrantAnswer(said), GrantSource.EVENT, at, f"{event_key}-{number}")
