"""`kpis`: how well memory does, as one JSON object; with questions also how much of what was planted it finds."""

import argparse
import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from app.commands import CommandFailed
from app.database import open_database
from app.evaluation.suites import evaluate
from app.kpis import measure
from app.metrics import KPI_DAYS
from app.settings import Settings
from domain.kpis import TurnNumbers
from memory.kpis import StoreNumbers

WINDOW_DAYS = KPI_DAYS
ROUND = 4


def run(arguments: argparse.Namespace) -> int:
    """Print the numbers."""
    now = arguments.now or datetime.now(UTC)
    found = asyncio.run(_numbers(Settings(), now, timedelta(days=arguments.days)))
    told: dict[str, Any] = as_json(*found)
    if arguments.questions is not None:
        told["planted"] = _planted(Path(arguments.questions))
    print(json.dumps(told, ensure_ascii=False))
    return 0


def as_json(store: StoreNumbers, turns: TurnNumbers) -> dict[str, Any]:
    """The numbers under the names of the metrics."""
    precision = turns.injected_precision
    return {
        "served": store.served,
        "tiers": dict(store.tiers),
        "archived": store.archived,
        "active_households": store.active_households,
        "active_days": store.active_days,
        "learned": store.learned,
        "growth_per_active_day": round(store.growth_per_active_day, ROUND),
        "size_per_active_household": round(store.size_per_active_household, ROUND),
        "stale_rate": round(store.stale_rate, ROUND),
        "conflict_rate": round(store.conflict_rate, ROUND),
        "promotions": store.promotions,
        "moves": dict(store.moves),
        "turns": turns.turns,
        "injected": turns.injected,
        "injected_precision": None if precision is None else round(precision, ROUND),
        "refused": dict(turns.refused or {}),
    }


async def _numbers(settings: Settings, now: datetime, window: timedelta) -> tuple[StoreNumbers, TurnNumbers]:
    database = open_database(settings.sql_url)
    try:
        await (database.migrate() if database.dialect == "sqlite" else database.check())
        return await measure(database, now - window, now)
    finally:
        await database.close()


def _planted(questions: Path) -> dict[str, Any]:
    """Recall over a file of planted questions (the format of `eval recall`)."""
    if not questions.is_file():
        raise CommandFailed(f"{questions} is no file")
    report = asyncio.run(evaluate("recall", questions)).report
    return {metric.name: metric.value for metric in report.metrics} if report else {}
