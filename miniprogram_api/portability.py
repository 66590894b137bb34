"""Taking everything along, and bringing it back: one zip with `export.json` and a folder of Markdown."""

import asyncio
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from fastapi import APIRouter, Depends, File, Request, UploadFile
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict
from starlette.background import BackgroundTask

from domain.access_log import note_access
from domain.owner_memories import CardLimits
from domain.owner_profiles import owner_of
from domain.portability.importing import ImportParts, bring_back
from domain.portability.packing import pack_household
from domain.portability.unpacking import Brought, unpack
from miniprogram_api.clock import Now, RealNow
from miniprogram_api.deps import SignedIn
from miniprogram_api.parts import parts_of

ZIP = "application/zip"

router = APIRouter(tags=["我的"])


@router.get(
    "/me/export",
    summary="导出全部数据",
    response_class=FileResponse,
    responses={200: {"content": {ZIP: {"schema": {"type": "string", "format": "binary"}}}}},
)
async def export_everything(request: Request, caller: SignedIn, now: Now, real_now: RealNow) -> FileResponse:
    """`export.json` with everything that is kept, and `MEMORY.md`, `USER.md`, `memory/…`, `DREAMS.md` to read,
    and the photos."""
    transactions = parts_of(request).transactions
    async with transactions.write() as session:
        await owner_of(session, caller.scope)  # an account that is being erased has no export any more
        note_access(session, caller.scope, "owner", "export", real_now)
    folder = TemporaryDirectory(prefix="pawsignal-export-")
    target = Path(folder.name) / "pawsignal-export.zip"
    try:
        parts = parts_of(request)
        await pack_household(transactions, caller.scope, target, now, parts.files, parts.options.ai_producer)
    except BaseException:  # whatever happened, nothing of an owner stays on the disk
        folder.cleanup()
        raise
    return FileResponse(
        target,
        media_type=ZIP,
        filename=f"pawsignal-{caller.scope.local(now).date().isoformat()}.zip",
        headers={"Cache-Control": "no-store"},
        background=BackgroundTask(folder.cleanup),
    )


class ImportedLine(BaseModel):
    """What became of one line of the file, in the words of every write."""

    outcome: str
    content: str
    reason: str | None
    file: str


class ImportOut(BaseModel):
    """`restored`: rows put back as they were, by section of `export.json`; `lines`: what was weighed one by one."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "added": 0,
                    "merged": 12,
                    "candidate": 0,
                    "refused": 1,
                    "restored": {"pets": 1, "messages": 240},
                    "lines": [
                        {
                            "outcome": "refused",
                            "content": "可乐怕打雷",
                            "reason": "没有叫“可乐”的宠物",
                            "file": "MEMORY.md",
                        },
                    ],
                    "notes": ["分享链接不能恢复，请重新分享"],
                }
            ]
        }
    )

    added: int
    merged: int
    candidate: int
    refused: int
    restored: dict[str, int]
    lines: list[ImportedLine]
    notes: list[str]


async def uploaded(file: Annotated[UploadFile, File(description="导出的 zip，或改过后重新压缩的文件夹")]) -> Brought:
    """The file, opened beside the event loop and before any transaction. Raises UnreadableImport."""
    return await asyncio.to_thread(unpack, await file.read())


@router.post("/me/import", summary="导入")
async def import_everything(
    request: Request, caller: SignedIn, brought: Annotated[Brought, Depends(uploaded)], now: Now, real_now: RealNow
) -> ImportOut:
    """In small batches; the same file again changes nothing, and finishes an import that was cut off.

    Says of every line what became of it and why.
    """
    parts = parts_of(request)
    cards = CardLimits(parts.options.pet_card, parts.options.owner_card)
    how = ImportParts(cards, parts.keys.tombstones, now, real_now)
    report = await bring_back(parts.transactions, caller.scope, brought, how, "owner")
    lines = [ImportedLine(**asdict(line)) for line in report.lines]
    counted = Counter(line.outcome for line in lines)
    return ImportOut(
        added=counted["added"] + counted["superseded"],
        merged=counted["merged"],
        candidate=counted["candidate"] + counted["provisional"],
        refused=counted["refused"],
        restored={name: count for name, count in report.counts.items() if count},
        lines=lines,
        notes=report.notes,
    )
