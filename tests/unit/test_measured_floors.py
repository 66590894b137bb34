"""What was measured of an embedder is kept with its name and size; an unmeasured one falls back and says so."""

from pathlib import Path

import pytest
import structlog

from app.measured_floors import FILE_NAME, floor_of, store_floor
from memory.embedder import RelevanceFloor
from memory.relevance_floors import UNMEASURED

MEASURED = RelevanceFloor(nothing=0.3, sure=0.6, span=0.2)


def test_each_embedder_keeps_its_own_floor(tmp_path: Path) -> None:
    store_floor(tmp_path, "one", 64, MEASURED)
    store_floor(tmp_path, "two", 64, RelevanceFloor(0.1, 0.2, 0.3))
    assert floor_of(tmp_path, "one", 64) == MEASURED
    assert floor_of(tmp_path, "two", 64) == RelevanceFloor(0.1, 0.2, 0.3)


@pytest.mark.parametrize(
    "stored", [None, "", "[]", "{", '{"one-64": 3}', '{"one-64": {"nothing": 1}}', '{"one-32": {}}']
)
def test_an_embedder_nobody_measured_falls_back_and_says_so(tmp_path: Path, stored: str | None) -> None:
    if stored is not None:
        (tmp_path / FILE_NAME).write_text(stored)
    with structlog.testing.capture_logs() as logs:
        assert floor_of(tmp_path, "one", 64) == UNMEASURED
    assert [(one["event"], one["embedder"]) for one in logs] == [("relevance_floor_unmeasured", "one-64")]
