"""How memories are shown: one line with its signals and evidence, its versions, and the three groups."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from domain.suggested_records import SuggestedRecord
from memory.evidence import MEMORY, evidence_of
from memory.items import EvidenceRow, MemoryItem, MemoryVersion
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
from miniprogram_api.deps import Call
from miniprogram_api.evidence import EvidenceOut, evidence_out
from miniprogram_api.examples import AT, EVIDENCE, MEMORY_ID, OWNER_ID, PET_ID

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


class SuggestedRecordOut(BaseModel):
    """A form filled in from the line: `POST /v1/pets/{pet_id}/{kind}` with `fields` makes the record."""

    kind: str
    pet_id: str
    fields: dict[str, Any]


class WrittenMemory(MemoryOut):
    """`card_full`: it was asked onto the card, but nothing there may move, so it went to its archive.

    `suggested_records`: the line tells of an allergy, condition or drug; only its record is checked in every reply.
    """

    model_config = ConfigDict(
        json_schema_extra={"examples": [{**EXAMPLE, "source": "owner", "card_full": False, "suggested_records": []}]}
    )

    card_full: bool
    suggested_records: list[SuggestedRecordOut]


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


async def memories_out(call: Call, items: Sequence[MemoryItem]) -> Mapping[str, MemoryOut]:
    """By id, each with its evidence; that of a mirror stands with its record."""
    targets: dict[str, dict[str, str]] = {}
    for item in items:
        targets.setdefault(item.record_kind or MEMORY, {})[item.record_id or item.id] = item.id
    said: dict[str, list[EvidenceRow]] = {}
    for kind, ids in targets.items():
        for target_id, rows in (await evidence_of(call.session, call.scope, kind, ids)).items():
            said[ids[target_id]] = rows
    return {item.id: memory_out(item, said.get(item.id, [])) for item in items}


def memory_out(item: MemoryItem, evidence: Sequence[EvidenceRow]) -> MemoryOut:
    """One memory as clients see it."""
    known = {name: getattr(item, name) for name in MemoryOut.model_fields if name not in ("signals", "evidence")}
    signals = SignalsOut(cited=item.cited, viewed=item.viewed, hit=item.hit)
    return MemoryOut.model_validate({**known, "signals": signals, "evidence": evidence_out(evidence)})


def written_out(item: MemoryItem, card_full: bool, suggested: Sequence[SuggestedRecord]) -> WrittenMemory:
    """What came of a line the owner wrote."""
    offers = [SuggestedRecordOut(kind=one.kind, pet_id=one.pet_id, fields=one.fields) for one in suggested]
    return WrittenMemory(**memory_out(item, []).model_dump(), card_full=card_full, suggested_records=offers)


def version_out(call: Call, row: MemoryVersion) -> VersionOut:
    """One version, told from the side of the owner who asks."""
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


def groups_out(counts: Mapping[str, int]) -> Groups:
    """The three groups, from the number of memories of each source."""
    return Groups(items=[_group(counts, *row) for row in _GROUPS])


def _group(
    counts: Mapping[str, int],
    group: Literal["auto", "own", "system"],
    label: str,
    sentence: str,
    sources: tuple[Source, ...],
) -> GroupOut:
    count = sum(counts.get(source.value, 0) for source in sources)
    return GroupOut(group=group, label=label, sentence=sentence.format(count), count=count, sources=list(sources))
