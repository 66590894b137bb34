"""The memory page: everything the assistant remembers, and what the owner may do with it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, field_validator

from domain.owner_deletes import delete_memory, restore_memory
from domain.owner_memories import CardLimits, MemoryEdit, OwnMemory, edit_memory, write_memory
from memory.evidence import MEMORY, evidence_of
from memory.items import EvidenceRow, MemoryItem, MemoryVersion
from memory.memory_page import (
    MemoryFilter,
    count_by_source,
    count_hits,
    history_of,
    item_of,
    list_items,
    lock_item,
    search_items,
    snooze_item,
    view_item,
)
from memory.topics import Topic
from memory.vocabulary import (
    AttributeClass,
    Kind,
    MemoryStatus,
    MemoryType,
    Precision,
    Risk,
    Source,
    Tier,
    Upgrade,
)
from miniprogram_api.clock import EARLIEST, LATEST, Now, RealNow
from miniprogram_api.deps import Acting, Call, Looking, SignedIn
from miniprogram_api.evidence import EvidenceOut, evidence_out
from miniprogram_api.examples import AT, EVIDENCE, MEMORY_ID, OWNER_ID, PET_ID
from miniprogram_api.idempotent import OnlyOnce
from miniprogram_api.pagination import Page, Paging, cursor_of, page_of
from miniprogram_api.parts import parts_of

router = APIRouter(prefix="/memories", tags=["记忆"])

DELETED, RESTORED = "owner_deleted", "owner_restored"
MAX_SEARCH = 100  # characters

EXAMPLE: dict[str, Any] = {
    "id": MEMORY_ID,
    "version": 1,
    "subject": PET_ID,
    "content": "豆豆喜欢玩绳结，不爱飞盘",
    "tier": "long",
    "topic": "behavior",
    "kind": "fact",
    "memory_type": "semantic",
    "attribute": "behavior",
    "attribute_class": "behavior",
    "risk": "low",
    "weight_level": 2,
    "confidence": 0.95,
    "status": "active",
    "upgrade": "none",
    "source": "chat",
    "locked": False,
    "protected": False,
    "record_kind": None,
    "record_id": None,
    "supersedes": None,
    "valid_from": None,
    "valid_from_precision": "unknown",
    "valid_to": None,
    "learned_at": AT,
    "expires_at": None,
    "snoozed_until": None,
    "signals": {"cited": 2, "viewed": 1, "hit": 0},
    "evidence": [{**EVIDENCE, "quote": "豆豆就爱玩那根绳结，飞盘理都不理"}],
}


class SignalsOut(BaseModel):
    """Uses by the owner: cited in a reply, opened, returned by a search."""

    cited: int
    viewed: int
    hit: int


class MemoryOut(BaseModel):
    """One memory. Those with `record_kind` mirror a record and are edited there."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    id: str
    version: int
    subject: str | None
    content: str
    tier: Tier
    topic: Topic
    kind: Kind
    memory_type: MemoryType
    attribute: str
    attribute_class: AttributeClass
    risk: Risk
    weight_level: int
    confidence: float
    status: MemoryStatus
    upgrade: Upgrade
    source: Source
    locked: bool
    protected: bool
    record_kind: str | None
    record_id: str | None
    supersedes: str | None
    valid_from: datetime | None
    valid_from_precision: Precision
    valid_to: datetime | None
    learned_at: datetime
    expires_at: datetime | None
    snoozed_until: datetime | None
    signals: SignalsOut
    evidence: list[EvidenceOut]


class WrittenMemory(MemoryOut):
    """`card_full`: it was asked onto the card, but nothing there may move, so it went to its archive."""

    model_config = ConfigDict(json_schema_extra={"examples": [{**EXAMPLE, "source": "owner", "card_full": False}]})

    card_full: bool


class NewMemory(OwnMemory):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"subject": PET_ID, "content": "豆豆洗澡怕吹风机，要先开小风", "topic": "lifestyle"}]
        },
    )


class MemoryChange(MemoryEdit):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"content": "豆豆喜欢玩绳结和网球", "version": 1}]}
    )

    version: int | None = Field(default=None, ge=1)


class Snooze(BaseModel):
    model_config = ConfigDict(extra="forbid")

    until: AwareDatetime | None = Field(examples=["2026-04-01T00:00:00+08:00"], description="null 结束“先别提”")

    @field_validator("until")
    @classmethod
    def _is_in_reach(cls, value: datetime | None) -> datetime | None:
        if value is not None and not EARLIEST <= value < LATEST:
            raise ValueError("年份看起来不对")
        return value


class VersionOut(BaseModel):
    """What a memory looked like, who made it so, and why."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "version": 1,
                    "at": AT,
                    "by": "owner",
                    "by_id": OWNER_ID,
                    "reason": "owner_wrote",
                    "content": "豆豆喜欢玩绳结",
                    "subject": PET_ID,
                    "topic": "behavior",
                    "tier": "long",
                    "status": "active",
                    "locked": False,
                    "confidence": 1.0,
                }
            ]
        }
    )

    version: int
    at: datetime
    by: Literal["owner", "system", "other"]
    by_id: str
    reason: str
    content: str
    subject: str | None
    topic: Topic
    tier: Tier
    status: MemoryStatus
    locked: bool
    confidence: float


class GroupOut(BaseModel):
    """自动记的 / 你写的 / 系统整理的."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "group": "auto",
                    "label": "自动记的",
                    "sentence": "聊天时从你的话里自动记下的，共 12 条，随时可以改或删。",
                    "count": 12,
                    "sources": ["chat", "vet"],
                }
            ]
        }
    )

    group: Literal["auto", "own", "system"]
    label: str
    sentence: str
    count: int
    sources: list[Source]


class Groups(BaseModel):
    items: list[GroupOut]


_GROUPS: tuple[tuple[Literal["auto", "own", "system"], str, str, tuple[Source, ...]], ...] = (
    ("auto", "自动记的", "聊天时从你的话里自动记下的，共 {} 条，随时可以改或删。", (Source.CHAT, Source.VET)),
    ("own", "你写的", "你亲手写下或改过的，共 {} 条，不会被自动改动。", (Source.OWNER, Source.IMPORT)),
    ("system", "系统整理的", "把零散的记录整理成的小结，共 {} 条，每条都能看到来源。", (Source.SYSTEM,)),
)


async def listing(
    request: Request,
    caller: SignedIn,
    now: Now,
    real_now: RealNow,
    q: Annotated[str | None, Query(max_length=MAX_SEARCH, description="搜索词；搜到的会计为一次使用")] = None,
) -> AsyncIterator[tuple[Call, str]]:
    """A call that writes only when a search is to be counted."""
    parts = parts_of(request)
    words = (q or "").strip()
    async with parts.transactions.write() if words else parts.transactions.read() as session:
        yield Call(session, caller.scope, now, real_now, parts), words


async def filters(
    subject: Annotated[str | None, Query(max_length=64, description="owner、宠物 id 或 unassigned")] = None,
    tier: Tier | None = None,
    topic: Topic | None = None,
    status: MemoryStatus | None = None,
    source: Source | None = None,
) -> MemoryFilter:
    """What the list is narrowed to."""
    return MemoryFilter(subject, tier, topic, status, source)


@router.get("", summary="记忆列表和搜索")
async def list_memories(
    wanted: Annotated[MemoryFilter, Depends(filters)],
    paging: Paging,
    opened: Annotated[tuple[Call, str], Depends(listing, scope="function")],
) -> Page[MemoryOut]:
    """Newest first; with `q` best first."""
    call, words = opened
    if words:
        return await _search(call, wanted, words, paging)
    items = await list_items(call.session, call.scope, wanted, paging.one_more, paging.after)
    shown = await _shapes(call, items)
    return page_of(items, paging, lambda item: shown[item.id])


@router.post("", status_code=201, summary="自己写一条记忆", response_model=WrittenMemory)
async def create_memory(own: NewMemory, call: Acting, once: OnlyOnce) -> Any:
    """Protected: it never moves or fades on its own. Phone and identity numbers are masked."""

    async def create() -> WrittenMemory:
        limits = CardLimits(call.parts.options.pet_card, call.parts.options.owner_card)
        item, card_full = await write_memory(call.session, call.scope, own, limits, call.now, call.real_now)
        return WrittenMemory(**_shape(item, []).model_dump(), card_full=card_full)

    return await once(create)


@router.get("/groups", summary="三类记忆")
async def read_groups(call: Looking) -> Groups:
    """A sentence and a count for each."""
    counts = await count_by_source(call.session, call.scope)
    return Groups(items=[_group(counts, *row) for row in _GROUPS])


@router.get("/{memory_id}", summary="一条记忆")
async def read_memory(memory_id: str, call: Looking) -> MemoryOut:
    """With its evidence. Opening it for the owner to read is `POST /view`."""
    return await _one(call, await item_of(call.session, call.scope, memory_id))


@router.put("/{memory_id}", summary="修改记忆")
async def update_memory(memory_id: str, given: MemoryChange, call: Acting) -> MemoryOut:
    """Makes a version and protects it. The mirror of a record answers 409 `mirrored` and names the record."""
    fields = {name: getattr(given, name) for name in given.model_fields_set - {"version"}}
    item = await edit_memory(call.session, call.scope, memory_id, fields, given.version, call.now, call.real_now)
    return await _one(call, item)


@router.delete("/{memory_id}", status_code=204, summary="删除记忆（10 分钟内可以恢复）")
async def remove_memory(memory_id: str, call: Acting) -> None:
    """Durable: it is not learned again from what was said before. Deleting a mirror deletes its record."""
    await delete_memory(call.session, call.change(DELETED), memory_id, call.parts.keys.tombstones)


@router.post("/{memory_id}/restore", summary="恢复刚删除的记忆")
async def bring_back(memory_id: str, call: Acting) -> MemoryOut:
    """Within ten minutes of real time; later 409 `restore_too_late`."""
    secret = call.parts.keys.tombstones
    return await _one(call, await restore_memory(call.session, call.change(RESTORED), memory_id, secret))


@router.post("/{memory_id}/view", summary="打开记忆")
async def open_memory(memory_id: str, call: Acting) -> MemoryOut:
    """Counts as one use a day."""
    return await _one(call, await view_item(call.session, call.scope, memory_id, call.now))


@router.post("/{memory_id}/lock", summary="锁定")
async def lock_memory(memory_id: str, call: Acting) -> MemoryOut:
    """It neither moves nor fades any more; mirrors may be locked too."""
    return await _one(call, await lock_item(call.session, call.scope, memory_id, True, call.now, call.real_now))


@router.post("/{memory_id}/unlock", summary="解锁")
async def unlock_memory(memory_id: str, call: Acting) -> MemoryOut:
    """It lives on by the usual rules."""
    return await _one(call, await lock_item(call.session, call.scope, memory_id, False, call.now, call.real_now))


@router.post("/{memory_id}/snooze", summary="这条先别提")
async def snooze_memory(memory_id: str, given: Snooze, call: Acting) -> MemoryOut:
    """It is not brought up before `until`; the safety checks still know it."""
    item = await snooze_item(call.session, call.scope, memory_id, given.until, call.now, call.real_now)
    return await _one(call, item)


@router.get("/{memory_id}/history", summary="记忆的每个版本")
async def read_history(memory_id: str, call: Looking, paging: Paging) -> Page[VersionOut]:
    """Oldest first."""
    versions = await history_of(call.session, call.scope, memory_id)
    rest = [row for row in versions if row.version > paging.position]
    return page_of(rest, paging, lambda row: _version(call, row), key="version")


async def _search(call: Call, wanted: MemoryFilter, words: str, paging: Paging) -> Page[MemoryOut]:
    begin = paging.position
    found = await search_items(call.session, call.scope, wanted, words, begin, paging.one_more)
    items = found[: paging.limit]
    await count_hits(call.session, call.scope, items, call.now)
    shown = await _shapes(call, items)
    following = cursor_of(begin + paging.limit) if len(found) > paging.limit else None
    return Page(items=[shown[item.id] for item in items], next_cursor=following)


async def _one(call: Call, item: MemoryItem) -> MemoryOut:
    return (await _shapes(call, [item]))[item.id]


async def _shapes(call: Call, items: Sequence[MemoryItem]) -> Mapping[str, MemoryOut]:
    """By id, each with its evidence; that of a mirror stands with its record."""
    targets: dict[str, dict[str, str]] = {}
    for item in items:
        targets.setdefault(item.record_kind or MEMORY, {})[item.record_id or item.id] = item.id
    said: dict[str, list[EvidenceRow]] = {}
    for kind, ids in targets.items():
        for target_id, rows in (await evidence_of(call.session, call.scope, kind, ids)).items():
            said[ids[target_id]] = rows
    return {item.id: _shape(item, said.get(item.id, [])) for item in items}


def _shape(item: MemoryItem, evidence: Sequence[EvidenceRow]) -> MemoryOut:
    known = {name: getattr(item, name) for name in MemoryOut.model_fields if name not in ("signals", "evidence")}
    signals = SignalsOut(cited=item.cited, viewed=item.viewed, hit=item.hit)
    return MemoryOut.model_validate({**known, "signals": signals, "evidence": evidence_out(evidence)})


def _version(call: Call, row: MemoryVersion) -> VersionOut:
    by: Literal["owner", "system", "other"] = "owner" if row.changed_by == call.scope.owner_id else "other"
    known = {
        name: row.snapshot[name] for name in ("content", "subject", "topic", "tier", "status", "locked", "confidence")
    }
    return VersionOut(
        version=row.version,
        at=row.at,
        by="system" if row.changed_by == "system" else by,
        by_id=row.changed_by,
        reason=row.reason,
        **known,
    )


def _group(
    counts: Mapping[str, int],
    group: Literal["auto", "own", "system"],
    label: str,
    sentence: str,
    sources: tuple[Source, ...],
) -> GroupOut:
    count = sum(counts.get(source.value, 0) for source in sources)
    return GroupOut(group=group, label=label, sentence=sentence.format(count), count=count, sources=list(sources))
