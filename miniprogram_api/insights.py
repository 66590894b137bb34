"""A pet's dated events, and what is worth an owner's attention: findings with the rows behind each."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from domain.errors import Implausible
from domain.insight_rows import TimelineEvent, insights_of, timeline_of
from domain.insights import Insight, Level
from domain.pets import pet_of
from memory.prepared import quick_of
from memory.vocabulary import Precision
from miniprogram_api.deps import Looking
from miniprogram_api.examples import RECORD_ID
from miniprogram_api.pagination import Page, Paging, cursor_of

router = APIRouter(prefix="/pets/{pet_id}", tags=["护理"])

TopicWord = Literal["diet", "health", "medical", "prevention", "growth", "elimination", "behavior", "lifestyle"]
_EVENT: dict[str, Any] = {
    "on": "2026-02-20",
    "precision": "day",
    "at": "2026-02-20T01:30:00Z",
    "topic": "growth",
    "text": "豆豆体重12.3kg",
    "record_kind": "weights",
    "record_id": RECORD_ID,
    "status": "active",
}
_ROW: dict[str, Any] = {"record_kind": "weights", "record_id": RECORD_ID, "on": "2026-02-20", "text": "体重12.3kg"}


class EventOut(BaseModel):
    """One dated event; `on` is a local day, as exact as `precision` says."""

    model_config = ConfigDict(from_attributes=True, json_schema_extra={"examples": [_EVENT]})

    on: date
    precision: Precision
    at: datetime | None
    topic: TopicWord
    text: str
    record_kind: str
    record_id: str
    status: Literal["active", "provisional", "ended", "refuted", "superseded"]


class RowOut(BaseModel):
    """A record that a finding rests on."""

    model_config = ConfigDict(json_schema_extra={"examples": [_ROW]})

    record_kind: str
    record_id: str
    on: date | None
    text: str


class InsightOut(BaseModel):
    """One finding: what the records show, never an illness. `rows` are the records behind it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "code": "weight_loss",
                    "level": "soon",
                    "topic": "growth",
                    "text": "豆豆体重28天里从12.3kg到11.5kg，轻了6.5%（1月23日→2月20日）",
                    "advice": "一周内让兽医看看",
                    "source": "loss_1m_5：AAHA 2021 营养与体重管理",
                    "rows": [_ROW],
                }
            ]
        }
    )

    code: str
    level: Level
    topic: TopicWord
    text: str
    advice: str
    source: str
    rows: list[RowOut]


@router.get("/timeline", summary="时间线")
async def list_timeline(
    pet_id: str,
    call: Looking,
    paging: Paging,
    since: Annotated[date | None, Query(alias="from", description="从哪天起")] = None,
    until: Annotated[date | None, Query(alias="to", description="到哪天为止（含）")] = None,
    topic: Annotated[TopicWord | None, Query(description="只看一个主题")] = None,
) -> Page[EventOut]:
    """Dated events from the records, newest first."""
    if since is not None and until is not None and since > until:
        raise Implausible("结束日期早于开始日期，请核对")
    pet = await pet_of(call.session, call.scope, pet_id)
    events = await timeline_of(await quick_of(call.session), call.scope, pet, since, until, topic)
    end = paging.position + paging.limit
    shown = [_event(one) for one in events[paging.position : end]]
    return Page(items=shown, next_cursor=cursor_of(end) if len(events) > end else None)


@router.get("/insights", summary="最近该注意什么")
async def list_insights(pet_id: str, call: Looking) -> Page[InsightOut]:
    """Weight, appetite, elimination, activity, other signs and recent changes, the most pressing first."""
    pet = await pet_of(call.session, call.scope, pet_id)
    found = await insights_of(await quick_of(call.session), call.scope, pet, call.now)
    return Page(items=[_insight(one) for one in found])


def _event(event: TimelineEvent) -> EventOut:
    return EventOut.model_validate(event)


def _insight(found: Insight) -> InsightOut:
    rows = [RowOut(record_kind=row.kind, record_id=row.id, on=row.on, text=row.text) for row in found.rows]
    return InsightOut(
        code=found.code,
        level=found.level,
        topic=found.topic,
        text=found.text,
        advice=found.advice,
        source=found.source,
        rows=rows,
    )
