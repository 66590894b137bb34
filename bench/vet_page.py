"""The vet's page of a pet with ten years of records, beside a bare template in the same process.

    python -m bench.vet_page [--rows 3000] [--rounds 120] [--database sqlite|postgresql]

Ours is the whole request through the application: the link found, the share checked, every query, the record put
together, the page rendered, the opening logged. The bare template renders a list of a hundred rows through the same
application and template engine. Rounds are interleaved; other work on the machine slows both.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from jinja2 import Environment
from sqlalchemy import text

from app.garbage import leave_out_what_stays
from app.logging import configure_logging
from app.main import create_app
from app.settings import Settings
from domain.owners import scope_of, sign_in_owner
from domain.pets import Pet
from domain.record_kinds import KINDS
from domain.share_secrets import token_of
from domain.shares import ShareFields, create_share
from memory.appends import append
from memory.items import EvidenceRow
from memory.sqltypes import new_id
from tests.postgres_server import postgres_server

TARGET_MS, TARGET_KB = 100, 150
SHARES_OF_ROWS = {"observations": 0.5, "weights": 0.2, "medications": 0.1, "visits": 0.06, "diets": 0.04,
                  "vaccinations": 0.04, "dewormings": 0.06}  # fmt: skip
BARE = Environment(autoescape=True).from_string(
    "<!doctype html><title>{{ name }}</title><ul>{% for row in rows %}<li>{{ row }}</li>{% endfor %}</ul>"
)
FIELDS: dict[str, dict[str, Any]] = {
    "allergies": {"substance": "鸡肉", "category": "food", "reaction": "抓耳朵、起红疹", "criticality": "high"},
    "conditions": {"name": "慢性肾病", "stage": "IRIS 2期"},
    "medications": {"product": "速诺", "dose_text": "一次半片", "frequency_text": "一天两次", "reason": "皮肤感染"},
    "vaccinations": {"product": "狂犬疫苗", "lot_number": "20251103", "clinic": "阳光动物医院"},
    "dewormings": {"product": "大宠爱", "target": "external"},
    "weights": {"value": 12.3, "unit": "kg"},
    "visits": {"clinic": "阳光动物医院", "reason": "呕吐", "diagnosis": "肠胃炎", "treatment": "输液两天"},
    "observations": {"code": "symptom", "name": "吐黄水", "value": 2, "unit": "次"},
    "diets": {"food": "低敏粮", "brand": "皇家", "amount": "60克", "frequency": "一天两顿"},
}
DATES = {"medications": "started_on", "vaccinations": "given_on", "dewormings": "given_on", "visits": "visited_on",
         "diets": "started_on", "weights": "measured_at", "observations": "occurred_at"}  # fmt: skip


async def fill(app: FastAPI, rows: int) -> str:
    """One dog with ten years of rows, each with a quote. Returns the path of its page."""
    container, now = app.state.container, datetime.now(UTC)
    async with container.transactions.write() as session:
        owner = await sign_in_owner(session, "dev", "bench", None, now)
        dog = Pet(household_id=owner.household_id, name="豆豆", species="dog", breed="柯基", created_at=now)
        session.add(dog)
        await session.flush()
        for kind, part in SHARES_OF_ROWS.items():
            count = round(rows * part)
            for number in range(count):
                _add(session, dog, kind, now - timedelta(days=3650 * number / count), ended=number > 6)
        for kind in ("allergies", "conditions"):
            for _ in range(7):
                _add(session, dog, kind, now, ended=False)
        share = await create_share(
            session, scope_of(owner), dog.id, ShareFields(expires_in_hours=24), None, container.keys.shares, now
        )
    return f"/vet/{token_of(share.id, container.keys.shares)}"


def _add(session: Any, dog: Pet, kind: str, at: datetime, *, ended: bool) -> None:
    table, record_id = KINDS[kind].table, new_id()
    dated: dict[str, Any] = {}
    if kind in DATES:
        name = DATES[kind]
        dated = {name: at if name.endswith("_at") else at.date()}
        dated |= {} if name.endswith("_at") else {f"{name}_precision": "day"}
    append(
        session,
        table,
        id=record_id,
        household_id=dog.household_id,
        pet_id=dog.id,
        attribute=kind,
        status="ended" if ended and kind == "medications" else "active",
        source="chat",
        recorded_at=at,
        recorded_by="bench",
        valid_from=at,
        **FIELDS[kind],
        **dated,
    )
    append(
        session,
        EvidenceRow,
        household_id=dog.household_id,
        target_kind=kind,
        target_id=record_id,
        quote="豆豆今天又吐了两次黄水，早上一次晚上一次，精神还可以，饭也吃了",
        said_at=at,
        by="bench",
    )


async def timed(client: httpx.AsyncClient, path: str) -> tuple[float, float, int]:
    """Milliseconds on the wall and of this process's processor, and bytes, of one page."""
    begun, worked = time.perf_counter(), time.process_time()
    answer = await client.get(path)
    spent, work = (time.perf_counter() - begun) * 1000, (time.process_time() - worked) * 1000
    assert answer.status_code == 200, answer.text[:200]
    return spent, work, len(answer.content)


async def measure(settings: Settings, rows: int, rounds: int) -> None:
    """Interleave both pages and print what they took."""
    app = create_app(settings)

    @app.get("/bare", include_in_schema=False)
    async def bare() -> HTMLResponse:
        return HTMLResponse(BARE.render(name="豆豆", rows=["吐黄水 2次 主人口述 2026-03-01"] * 100))

    async with app.router.lifespan_context(app):
        path = await fill(app, rows)
        async with app.state.container.transactions.write() as session:
            await session.exec(text("ANALYZE"))  # as autovacuum does after so many new rows
        leave_out_what_stays()
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://bench") as client:
            pages = {"page": path, "list": f"{path}?list=observations&page=3", "bare": "/bare"}
            times: dict[str, list[float]] = {name: [] for name in pages}
            works: dict[str, list[float]] = {name: [] for name in pages}
            sizes: dict[str, int] = {}
            for _ in range(rounds):
                for name, address in pages.items():
                    spent, work, sizes[name] = await timed(client, address)
                    times[name].append(spent)
                    works[name].append(work)
    kind = "postgresql" if settings.database_url.startswith("postgres") else "sqlite"
    p95 = {name: float(np.percentile(spent[5:], 95)) for name, spent in times.items()}
    for name, spent in times.items():
        told = {"p50_ms": round(float(np.percentile(spent[5:], 50)), 1), "p95_ms": round(p95[name], 1)}
        row = {
            "bench": "vet_page",
            "database": kind,
            "rows": rows,
            "what": name,
            **told,
            "cpu_p50_ms": round(float(np.percentile(works[name][5:], 50)), 1),
            "kB": round(sizes[name] / 1000, 1),
        }
        print(json.dumps(row))
    print(json.dumps({"bench": "vet_page", "database": kind, "p95_ratio_to_bare": round(p95["page"] / p95["bare"], 1),
                      "target_p95_ms": TARGET_MS, "target_kB": TARGET_KB}))  # fmt: skip


@contextmanager
def database_of(kind: str) -> Iterator[str]:
    """The address to measure on; "" is SQLite in the data folder."""
    if kind == "sqlite":
        yield ""
        return
    with postgres_server() as address:
        yield address


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    given = parser.parse_args()
    configure_logging("ERROR")
    with database_of(given.database) as address, tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            env="test",
            data_dir=Path(folder),
            database_url=address,
            embedder="none",
            requests_a_minute=1_000_000,
            _env_file=None,
        )
        if address:
            asyncio.run(_migrate(settings.sql_url))
        asyncio.run(measure(settings, given.rows, given.rounds))


async def _migrate(address: str) -> None:
    from app.database import open_database  # only PostgreSQL waits to be told

    database = open_database(address)
    await database.migrate()
    await database.close()


if __name__ == "__main__":
    main()
