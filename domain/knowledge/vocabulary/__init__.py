"""Owners' everyday words, one YAML file a field: animals, signs, illnesses, care, foods, conduct."""

from functools import cache
from importlib import resources
from typing import Any

import yaml

from memory.text_folding import fold_text


@cache
def vocabulary(name: str) -> dict[str, Any]:
    """One vocabulary file, folded (width, case, simplified characters), as plain data."""
    text = resources.files("domain.knowledge.vocabulary").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loaded: dict[str, Any] = yaml.load(fold_text(text), Loader=loader)  # noqa: S506 both are safe loaders
    return loaded
