"""The memory page: everything the assistant remembers, and what the owner may do with it."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, field_validator

from domain.owner_deletes import RESTORABLE_FOR, delete_memory, restore_memory
from domain.owner_memories import CardLimits, MemoryEdit, OwnMemory, edit_memory, undo_change, write_memory
from domain.suggested_records import suggest_records
from memory.as_of import PastLine, lines_as_of
from memory.items import MemoryItem
from memory.memory_page import (
    UNASSIGNED,
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
from memory.vocabulary import MemoryStatus, Source, Tier
from miniprogram_api.clock import EARLIEST, LATEST, Now, RealNow
from miniprogram_api.deps import Acting, Call, Looking, SignedIn
from miniprogram_api.examples import PET_ID
from miniprogram_api.idempotent import OnlyOnce
from miniprogram_api.memory_reasons import WhyOut, why_out
from miniprogram_api.memory_shapes import (
    Groups,
    MemoryOut,
    VersionOut,
    WrittenMemory,
    groups_out,
    memories_out,
    version_out,
    written_out,
)
from miniprogram_api.pagination import Page, Paging, cursor_of, page_of
from miniprogram_api.parts import parts_of

router = APIRouter(prefix="/memories", tags=["记忆"])

DELETED, RESTORED = "owner_deleted", "owner_restored"
MAX_SEARCH = 100  # characters


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
    real_now: RealNow,
    subject: Annotated[str | None, Query(max_length=64, description="owner、宠物 id 或 unassigned")] = None,
    tier: Tier | None = None,
    topic: Topic | None = None,
    status: MemoryStatus | None = None,
    source: Source | None = None,
) -> MemoryFilter:
    """What the list is narrowed to; of the deleted those that can still come back."""
    return MemoryFilter(subject, tier, topic, status, source, deleted_since=real_now - RESTORABLE_FOR)


@router.get("", summary="记忆列表和搜索")
async def list_memories(
    wanted: Annotated[MemoryFilter, Depends(filters)],
    paging: Paging,
    opened: Annotated[tuple[Call, str], Depends(listing, scope="function")],
    as_of: Annotated[AwareDatetime | None, Query(description="那个时刻记的是什么；按当时的样子列出")] = None,
) -> Page[MemoryOut]:
    """Newest first; with `q` best first; with `as_of` what was served at that moment, as it was worded then."""
    call, words = opened
    if as_of is not None:
        return await _as_of(call, wanted, as_of, paging)
    if words:
        return await _search(call, wanted, words, paging)
    items = await list_items(call.session, call.scope, wanted, paging.one_more, paging.after)
    shown = await memories_out(call, items)
    return page_of(items, paging, lambda item: shown[item.id])


@router.post("", status_code=201, summary="自己写一条记忆", response_model=WrittenMemory)
async def create_memory(own: NewMemory, call: Acting, once: OnlyOnce) -> Any:
    """Protected: it never moves or fades on its own. Phone and identity numbers are masked."""

    async def create() -> WrittenMemory:
        limits = CardLimits(call.parts.options.pet_card, call.parts.options.owner_card)
        item, card_full = await write_memory(call.session, call.scope, own, limits, call.now, call.real_now)
        suggested = await suggest_records(call.session, call.scope, own.content, own.subject, call.now)
        return written_out(item, card_full, suggested)

    return await once(create)


@router.get("/groups", summary="三类记忆")
async def read_groups(call: Looking) -> Groups:
    """A sentence and a count for each."""
    counts = await count_by_source(call.session, call.scope)
    return groups_out(counts)


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


@router.post("/{memory_id}/undo", summary="撤销最近一次改动")
async def undo_last_change(memory_id: str, call: Acting) -> MemoryOut:
    """The version before holds again, as a new version, whoever made the last one.

    409 `nothing_to_undo` for a memory that was not changed or was put back already, `mirrored` for the mirror of a
    record, `change_stands` when other memories took part or its card is full.
    """
    limits = CardLimits(call.parts.options.pet_card, call.parts.options.owner_card)
    return await _one(call, await undo_change(call.session, call.scope, memory_id, limits, call.now, call.real_now))


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


@router.get("/{memory_id}/why", summary="为什么记得它")
async def explain_memory(memory_id: str, call: Looking) -> WhyOut:
    """The parts of its score, its uses, and what happens to it next."""
    item = await item_of(call.session, call.scope, memory_id)
    options = call.parts.options
    return why_out(item, call.scope, call.now, options.upgrade, options.upgrade_at)


@router.get("/{memory_id}/history", summary="记忆的每个版本")
async def read_history(memory_id: str, call: Looking, paging: Paging) -> Page[VersionOut]:
    """Oldest first."""
    versions = await history_of(call.session, call.scope, memory_id)
    rest = [row for row in versions if row.version > paging.position]
    return page_of(rest, paging, lambda row: version_out(call, row), key="version")


async def _as_of(call: Call, wanted: MemoryFilter, moment: datetime, paging: Paging) -> Page[MemoryOut]:
    """Lines of an earlier time; of the filters, `subject`, `topic` and `tier` hold."""
    lines = [line for line in await lines_as_of(call.session, call.scope, moment) if _is_wanted(line, wanted)]
    begin = paging.position
    page = lines[begin : begin + paging.limit]
    items = [await item_of(call.session, call.scope, line.memory_id) for line in page]
    shown = await memories_out(call, items)
    following = cursor_of(begin + paging.limit) if len(lines) > begin + paging.limit else None
    then = [MemoryOut.model_validate({**shown[line.memory_id].model_dump(), **_then(line)}) for line in page]
    return Page(items=then, next_cursor=following)


def _is_wanted(line: PastLine, wanted: MemoryFilter) -> bool:
    asked = ((wanted.subject, line.subject or UNASSIGNED), (wanted.topic, line.topic), (wanted.tier, line.tier))
    return all(want is None or want == held for want, held in asked)


def _then(line: PastLine) -> dict[str, Any]:
    return {
        "content": line.content,
        "subject": line.subject,
        "topic": line.topic,
        "tier": line.tier,
        "status": line.status,
        "version": line.version,
    }


async def _search(call: Call, wanted: MemoryFilter, words: str, paging: Paging) -> Page[MemoryOut]:
    begin = paging.position
    found = await search_items(call.session, call.scope, wanted, words, begin, paging.one_more)
    items = found[: paging.limit]
    await count_hits(call.session, call.scope, items, call.now)
    shown = await memories_out(call, items)
    following = cursor_of(begin + paging.limit) if len(found) > paging.limit else None
    return Page(items=[shown[item.id] for item in items], next_cursor=following)


async def _one(call: Call, item: MemoryItem) -> MemoryOut:
    return (await memories_out(call, [item]))[item.id]
