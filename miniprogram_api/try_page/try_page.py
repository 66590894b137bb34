"""Serves the development page and, beside it, the trace of a turn. Production answers 404 to all of it."""

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import FileResponse
from pydantic import BaseModel

from domain.turn_store import turn_of
from memory.prepared import quick_of
from miniprogram_api.deps import Looking
from miniprogram_api.parts import parts_of

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",  # the browser itself refuses innerHTML: owners' text is data
        "trusted-types 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
FOLDER = Path(__file__).parent
ASSETS = {path.name: path for path in FOLDER.iterdir() if path.suffix in MEDIA_TYPES}
"""Every file that may be asked for; a name that is not here is a 404, so no path can leave the folder."""


class Trace(BaseModel):
    """What a turn's answer was made from: how the pets were told apart and what was searched (`step`), then each line
    of the prompt in its order (`part, text, why, memory_id`); what was trimmed stands at the end."""

    items: list[dict[str, Any]]


def only_in_development(request: Request) -> None:
    """Raises 404 where nobody may sign in without WeChat."""
    if not parts_of(request).options.dev_sign_in:
        raise HTTPException(404)


router = APIRouter(dependencies=[Depends(only_in_development)], include_in_schema=False)


@router.get("/try")
async def show_page() -> FileResponse:
    """The page."""
    return _file("page.html")


@router.get("/try/{name}")
async def show_asset(name: str) -> FileResponse:
    """A style, a script or the icon."""
    if name not in ASSETS:
        raise HTTPException(404)
    return _file(name)


@router.get("/v1/chat/turns/{turn_id}/trace")
async def read_trace(turn_id: str, call: Looking) -> Trace:
    """Why each line of the context was there; a temporary turn keeps none. Raises UnknownTurn."""
    turn = await turn_of(await quick_of(call.session), call.scope, turn_id)
    return Trace(items=turn.trace or [])


def _file(name: str) -> FileResponse:
    return FileResponse(ASSETS[name], media_type=MEDIA_TYPES[ASSETS[name].suffix], headers=HEADERS)
