"""Taking everything along: one zip with `export.json` and a folder of Markdown."""

from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from domain.portability.packing import pack_household
from miniprogram_api.clock import Now
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
async def export_everything(request: Request, caller: SignedIn, now: Now) -> FileResponse:
    """`export.json` with everything that is kept, and `MEMORY.md`, `USER.md`, `memory/…`, `DREAMS.md` to read."""
    folder = TemporaryDirectory(prefix="pawsignal-export-")
    target = Path(folder.name) / "pawsignal-export.zip"
    await pack_household(parts_of(request).transactions, caller.scope, target, now)
    return FileResponse(
        target,
        media_type=ZIP,
        filename=f"pawsignal-{caller.scope.local(now).date().isoformat()}.zip",
        headers={"Cache-Control": "no-store"},
        background=BackgroundTask(folder.cleanup),
    )
