"""The word tables beside this package (`*.yaml`): patterns as lists of alternatives, folded like the text they meet."""

import re
from collections.abc import Sequence
from importlib import resources
from typing import Any

import yaml


def read_table(name: str) -> dict[str, Any]:
    """One table as plain data."""
    text = resources.files("domain.offline.responder").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    table: dict[str, Any] = yaml.safe_load(text)
    return table


def any_of(alternatives: Sequence[str]) -> re.Pattern[str]:
    """One pattern of all alternatives; no alternatives match nothing."""
    return re.compile("|".join(alternatives) if alternatives else r"(?!)")
