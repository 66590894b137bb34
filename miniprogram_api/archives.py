"""The eight archives of a pet: a short summary of each topic, its dated entries, and what each was made from."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from domain.errors import NotFound
from domain.pets import Pet, pet_of
from memory.archive_rows import MODEL, Archive, archived_items, archives_of, entry_of
from memory.archives import Entry, Summary, fold, summarise
from memory.items import MemoryItem
from memory.topics import LABELS, PET_TOPICS, Topic
from memory.vocabulary import Kind, MemoryStatus, Precision
from miniprogram_api.deps import Call, Looking
from miniprogram_api.evidence import EvidenceOut
from miniprogram_api.examples import AT, EVIDENCE, MEMORY_ID, RECORD_ID
from miniprogram_api.memory_shapes import memories_out
from miniprogram_api.pagination import Paging, cursor_of

router = APIRouter(tags=["主题档案"])

MadeBy = Literal["basic", "model"]

SHORT_EXAMPLE: dict[str, Any] = {
    "topic": "health",
    "label": "健康症状",
    "summary": "豆豆吐了两次（2026年3月1日，同类共3次，最早在2025年11月2日）。",
    "made_by": "basic",
    "entries_count": 3,
    "last_on": "2026-03-01",
    "updated_at": AT,
}
ENTRY_EXAMPLE: dict[str, Any] = {
    "memory_id": MEMORY_ID,
    "text": "豆豆吐了两次",
    "on": "2026-03-01",
    "on_precision": "day",
    "kind": "event",
    "status": "active",
    "ended": False,
    "record_kind": "observations",
    "record_id": RECORD_ID,
    "evidence": [{**EVIDENCE, "quote": "豆豆今天吐了两次"}],
}


class ArchiveShort(BaseModel):
    """One archive in the list. `made_by`: basic is put together from the entries' own words."""

    model_config = ConfigDict(json_schema_extra={"examples": [SHORT_EXAMPLE]})

    topic: Topic
    label: str
    summary: str
    made_by: MadeBy
    entries_count: int
    last_on: date | None
    updated_at: datetime | None


class Archives(BaseModel):
    """Always all eight, in their order."""

    items: list[ArchiveShort]
    next_cursor: str | None = None


class EntryOut(BaseModel):
    """One dated entry: the memory it is, and the owner's words behind it. `on` null: no day is known."""

    model_config = ConfigDict(json_schema_extra={"examples": [ENTRY_EXAMPLE]})

    memory_id: str
    text: str
    on: date | None
    on_precision: Precision
    kind: Kind
    status: MemoryStatus
    ended: bool
    record_kind: str | None
    record_id: str | None
    evidence: list[EvidenceOut]


class FoldOut(BaseModel):
    """Entries of a month that are folded away; each can still be read as a memory."""

    month: str
    count: int
    text: str
    memory_ids: list[str]


class ArchiveOut(ArchiveShort):
    """`sources`: the memories the summary was made from. Entries come newest first, a page at a time."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {**SHORT_EXAMPLE, "sources": [MEMORY_ID], "entries": [ENTRY_EXAMPLE], "folded": [], "next_cursor": None}
            ]
        }
    )

    sources: list[str]
    entries: list[EntryOut]
    folded: list[FoldOut]
    next_cursor: str | None


@router.get("/pets/{pet_id}/archives", summary="八个主题档案")
async def list_archives(pet_id: str, call: Looking) -> Archives:
    """A summary and a count for each topic."""
    pet = await pet_of(call.session, call.scope, pet_id)
    stored = await archives_of(call.session, call.scope, pet.id)
    shown = []
    for topic in PET_TOPICS:
        items = await archived_items(call.session, call.scope, pet.id, topic) if topic in stored else []
        entries = [entry_of(item, call.scope) for item in items]
        shown.append(ArchiveShort(**_short(topic, pet, stored.get(topic), entries)[0]))
    return Archives(items=shown)


@router.get("/pets/{pet_id}/archives/{topic}", summary="一个主题档案")
async def read_archive(pet_id: str, topic: Topic, call: Looking, paging: Paging) -> ArchiveOut:
    """The summary, the entries with their sources, and what is folded away by month."""
    pet = await pet_of(call.session, call.scope, pet_id)
    if topic not in PET_TOPICS:
        raise NotFound("没有这个主题档案")
    stored = (await archives_of(call.session, call.scope, pet.id)).get(topic)
    items = await archived_items(call.session, call.scope, pet.id, topic)
    entries = [entry_of(item, call.scope) for item in items]
    short, sources = _short(topic, pet, stored, entries)
    begin, end = paging.position, paging.position + paging.limit
    folded = await archived_items(call.session, call.scope, pet.id, topic, folded=True)
    return ArchiveOut(
        **short,
        sources=list(sources),
        entries=await _entries_out(call, items[begin:end], entries[begin:end]),
        folded=[
            FoldOut(month=one.month, count=one.count, text=one.text, memory_ids=list(one.memory_ids))
            for one in fold([entry_of(item, call.scope) for item in folded])
        ],
        next_cursor=cursor_of(end) if len(items) > end else None,
    )


def _short(
    topic: Topic, pet: Pet, stored: Archive | None, entries: Sequence[Entry]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What list and page share, and the sources of the summary; one that waits to be made anew is put together now."""
    keeps = stored is not None and stored.summary and (stored.stale_at is None or stored.made_by == MODEL)
    if stored is not None and keeps:
        summary, made_by = Summary(stored.summary, tuple(stored.made_from)), stored.made_by
    else:
        summary, made_by = summarise(entries, pet.name), "basic"
    days = [entry.on for entry in entries if entry.on]
    known = {
        "topic": topic,
        "label": LABELS[topic],
        "summary": summary.text,
        "made_by": made_by,
        "entries_count": len(entries),
        "last_on": max(days) if days else None,
        "updated_at": stored.made_at if stored else None,
    }
    return known, summary.made_from


async def _entries_out(call: Call, items: Sequence[MemoryItem], entries: Sequence[Entry]) -> list[EntryOut]:
    shown = await memories_out(call, items)
    return [
        EntryOut(
            memory_id=item.id,
            text=entry.text,
            on=entry.on,
            on_precision=entry.precision,
            kind=entry.kind,
            status=MemoryStatus(item.status),
            ended=entry.ended,
            record_kind=item.record_kind,
            record_id=item.record_id,
            evidence=shown[item.id].evidence,
        )
        for item, entry in zip(items, entries, strict=True)
    ]
