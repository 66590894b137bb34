"""Why a memory is remembered: the parts of its score, its uses, and what happens to it next and when."""

from datetime import datetime, time, timedelta
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from memory.items import MemoryItem
from memory.scope import Scope
from memory.upgrade import Move, UpgradeRules, foresee, parts_of_score, standing_of, weight_of
from memory.vocabulary import MemoryStatus, Upgrade
from miniprogram_api.memory_shapes import SignalsOut

What = Literal["stays", "core", "long", "archived"]

EXAMPLE: dict[str, Any] = {
    "score": 0.7431,
    "parts": {"signal": 0.4866, "confidence": 0.95, "weight": 0.6667, "freshness": 0.9057},
    "signals": {"cited": 2, "viewed": 0, "hit": 0},
    "weight_now": 0.6561,
    "upgrade": "pending",
    "next": {
        "what": "long",
        "when": "2026-04-30T03:30:00+08:00",
        "text": "如果之后一直用不到，会从便签墙收进主题档案，仍然找得到",
    },
}

_WHAT: dict[Move, What] = {
    Move.PROMOTED: "core",
    Move.CLIMBED: "core",
    Move.ARCHIVED: "long",
    Move.STEPPED_DOWN: "long",
    Move.FADED: "archived",
    Move.ENDED: "archived",
    Move.UNCONFIRMED: "archived",
}
_TEXT: dict[Move, str] = {
    Move.PROMOTED: "常常用到，今晚整理时会放上身份卡",
    Move.CLIMBED: "又常常用到了，今晚整理时会回到身份卡",
    Move.ARCHIVED: "如果之后一直用不到，会从便签墙收进主题档案，仍然找得到",
    Move.STEPPED_DOWN: "如果之后一直用不到，会从身份卡收进主题档案，仍然找得到",
    Move.FADED: "如果之后一直用不到，会慢慢淡出日常回忆，只在档案里保留",
    Move.ENDED: "到期后自动失效，只在档案里保留",
    Move.UNCONFIRMED: "如果一直没有新的说法印证，会停止观察，只在档案里保留",
}
_STAYS = "会一直留着，不会自己变动"
_OF_RECORD = "来自健康档案，随档案变动"
_GONE = "已经不在使用，只保留历史"


class PartsOut(BaseModel):
    """Each in [0, 1]; the score is 0.35, 0.30, 0.20 and 0.15 of them."""

    signal: float
    confidence: float
    weight: float
    freshness: float


class NextOut(BaseModel):
    """What happens if nobody uses it any more. `when` null: nothing will. `text` may be shown to the owner."""

    what: What
    when: datetime | None
    text: str


class WhyOut(BaseModel):
    """As of the moment of the call; `weight_now` is the decayed weight that orders recall."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    score: float
    parts: PartsOut
    signals: SignalsOut
    weight_now: float
    upgrade: Upgrade
    next: NextOut


def why_out(item: MemoryItem, scope: Scope, now: datetime, rules: UpgradeRules, night: time) -> WhyOut:
    """Explain one memory. night: when the upgrade runs, on the owner's clock."""
    one = standing_of(item)
    parts = parts_of_score(one, now)
    return WhyOut(
        score=round(parts.score, 4),
        parts=PartsOut(**{name: round(getattr(parts, name), 4) for name in PartsOut.model_fields}),
        signals=SignalsOut(cited=item.cited, viewed=item.viewed, hit=item.hit),
        weight_now=round(weight_of(one, now), 4),
        upgrade=Upgrade(item.upgrade),
        next=_next(item, scope, now, rules, night),
    )


def _next(item: MemoryItem, scope: Scope, now: datetime, rules: UpgradeRules, night: time) -> NextOut:
    coming = foresee(standing_of(item), now, rules)
    if coming is not None:
        when = coming.at if coming.move is Move.ENDED else _night_after(max(coming.at, now), scope, night)
        return NextOut(what=_WHAT[coming.move], when=when, text=_TEXT[coming.move])
    served = item.status in (MemoryStatus.ACTIVE.value, MemoryStatus.PROVISIONAL.value)
    text = (_OF_RECORD if item.record_id else _STAYS) if served else _GONE
    return NextOut(what="stays", when=None, text=text)


def _night_after(at: datetime, scope: Scope, night: time) -> datetime:
    """The first upgrade at or after an instant, on the owner's clock."""
    local = scope.local(at)
    tonight = datetime.combine(local.date(), night, local.tzinfo)
    return tonight if tonight >= local else datetime.combine(local.date() + timedelta(days=1), night, local.tzinfo)
