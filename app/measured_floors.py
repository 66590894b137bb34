"""Relevance floors of embedders that do not come with the service: measured by a command, kept in the data folder.

`python -m bench.relevance_floor endpoint` measures and stores; the service reads them at its start.
"""

import json
from dataclasses import asdict
from pathlib import Path

import structlog

from memory.embedder import RelevanceFloor
from memory.relevance_floors import UNMEASURED

FILE_NAME = "relevance_floors.json"

log = structlog.get_logger(__name__)


def floor_of(folder: Path, embedder_name: str, dimension: int, known: RelevanceFloor | None = None) -> RelevanceFloor:
    """What was measured of this embedder here, else what is `known` of it from elsewhere.

    UNMEASURED, with a warning in the log, when neither is there.
    """
    identity = _identity(embedder_name, dimension)
    try:
        return RelevanceFloor(**{name: float(figure) for name, figure in _stored(folder)[identity].items()})
    except (KeyError, TypeError, ValueError, AttributeError, OSError) as error:
        if known is not None:
            return known
        log.warning("relevance_floor_unmeasured", embedder=identity, error=type(error).__name__)
        return UNMEASURED


def store_floor(folder: Path, embedder_name: str, dimension: int, floor: RelevanceFloor) -> Path:
    """Keep a measurement beside those of other embedders. Returns the file."""
    path = folder / FILE_NAME
    folder.mkdir(parents=True, exist_ok=True)
    stored = {**(_stored(folder) if path.exists() else {}), _identity(embedder_name, dimension): asdict(floor)}
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(stored, indent=2), encoding="utf-8")
    fresh.replace(path)
    return path


def _stored(folder: Path) -> dict[str, dict[str, float]]:
    read: dict[str, dict[str, float]] = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
    return read


def _identity(embedder_name: str, dimension: int) -> str:
    return f"{embedder_name}-{dimension}"
