"""Owners' everyday words, one YAML file a field: animals, signs, illnesses, care, foods, conduct, people."""

from functools import cache
from importlib import resources
from typing import Any

from domain.knowledge.strict_yaml import load_yaml
from memory.text_folding import fold_text


@cache
def vocabulary(name: str) -> dict[str, Any]:
    """One vocabulary file, folded (width, case, simplified characters), as plain data. Raises KnowledgeError."""
    text = resources.files("domain.knowledge.vocabulary").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = load_yaml(f"{name}.yaml", fold_text(text))
    return loaded
