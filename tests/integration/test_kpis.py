"""Memory's numbers: derived from rows, the same on the command line and for Prometheus."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI

from app.cli import main
from app.database import Database
from app.kpis import measure
from domain.kpis import count_turns
from jobs.upgrade_memory import upgrade_now
from tests.conftest import on_sqlite
from tests.factories import Owner
from tests.integration.test_memory_life import DAY, MORNING, TOY, say


async def lived(app: FastAPI, owner: Owner) -> datetime:
    """A week of talk: a toy that is asked for, a bath, a question, and a statement that is not kept."""
    await owner.pet()
    await say(owner, TOY, MORNING)
    for day in (1, 2, 3):
        await say(owner, "豆豆喜欢玩什么？", MORNING + day * DAY)
    await say(owner, "豆豆今天洗澡了", MORNING + 3 * DAY + timedelta(minutes=1))
    await upgrade_now(app.state.container.upgrade_parts(), MORNING + 4 * DAY)
    return MORNING + 5 * DAY


async def test_the_numbers_come_from_what_was_stored_and_said(app: FastAPI, owner: Owner, database: Database) -> None:
    now = await lived(app, owner)
    store, turns = await measure(database, now - 30 * DAY, now)
    assert dict(store.tiers) == {"core": 1, "short": 1}
    assert (store.learned, store.active_households, store.active_days) == (2, 1, 4)
    assert store.growth_per_active_day == 0.5
    assert (store.promotions, store.stale, store.candidates) == (1, 0, 0)
    assert (turns.turns, turns.injected, turns.used) == (5, 4, 3)
    assert turns.injected_precision == 0.75
    later, _ = await measure(database, now + 200 * DAY, now + 230 * DAY)
    assert (later.learned, later.active_days, later.stale_rate) == (0, 0, 1.0)


def test_what_was_injected_and_not_used_lowers_precision_and_refusals_are_counted_by_reason() -> None:
    trace = [
        {"part": "recalled", "memory_id": "a"},
        {"part": "recalled", "memory_id": "b"},
        {"part": "pet_card", "memory_id": "c"},
    ]
    answer = {
        "citations": [{"memory_id": "a"}, {"memory_id": "c"}],
        "memories": [
            {"outcome": "refused", "reason": "implausible_value: 称重"},
            {"outcome": "refused", "reason": "implausible_value: 日期"},
            {"outcome": "added", "reason": None},
        ],
    }
    counted = count_turns([(answer, trace), (None, None)])
    assert (counted.turns, counted.injected, counted.used, counted.cited) == (2, 2, 1, 2)
    assert counted.injected_precision == 0.5
    assert counted.refused == {"implausible_value": 2}
    assert count_turns([]).injected_precision is None


@on_sqlite
async def test_prometheus_is_told(app: FastAPI, owner: Owner) -> None:
    await lived(app, owner)
    text = (await owner.client.get("/metrics")).text
    assert 'pawsignal_memory_items{tier="core"} 1.0' in text
    assert "pawsignal_memory_stale_rate" in text
    assert "豆豆" not in text


def test_the_command_prints_one_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAWSIGNAL_DATA_DIR", str(tmp_path))
    assert main(["kpis", "--now", "2026-03-01T08:00:00+08:00"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["served"], told["injected_precision"], told["refused"]) == (0, None, {})
    assert main(["upgrade-memory", "--now", "2026-03-01T08:00:00+08:00"]) == 0
    assert json.loads(capsys.readouterr().out)["reviewed"] == 0
    assert main(["upgrade-memory", "--owner", "nobody"]) == 2
    assert "no owner nobody" in capsys.readouterr().err
