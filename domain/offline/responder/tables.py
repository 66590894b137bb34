"""The word tables beside this package (`*.yaml`): patterns as lists of alternatives, folded like the text they meet."""

import re
from collections.abc import Sequence
from importlib import resources
from typing import Any

from domain.knowledge.strict_yaml import load_yaml


def read_table(name: str) -> dict[str, Any]:
    """One table as plain data. Raises KnowledgeError."""
    text = resources.files("domain.offline.responder").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    table: dict[str, Any] = load_yaml(f"{name}.yaml", text)
    return table


def any_of(alternatives: Sequence[str]) -> re.Pattern[str]:
    """One pattern of all alternatives; no alternatives match nothing."""
    return re.compile("|".join(alternatives) if alternatives else r"(?!)")
