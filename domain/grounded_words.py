"""Whether a model's text names no matter that its sources lack, and denies nothing that they do not deny. Pure."""

import re
from collections.abc import Sequence

from domain.knowledge.lexicon import find_entities
from memory.text_folding import fold_text

_DENIED = re.compile(r"[不没无未别勿禁忌]有?(?P<what>[\u3400-\u9fff]{2})")
_EITHER = re.compile(r"([\u3400-\u9fff])[不没]\1")


def brings_nothing_new(text: str, sources: Sequence[str], names: Sequence[str] = ()) -> bool:
    """False for a drug, food, illness or name of the household that no source has, and for a denial turned round.

    names: of all pets of the household.
    """
    told, said = _settled(fold_text(text)), _settled(fold_text("\n".join(sources)))
    if any(fold_text(name) in told and fold_text(name) not in said for name in names):
        return False
    if {one.canonical_zh for one in find_entities(text, names)} - {
        one.canonical_zh for source in sources for one in find_entities(source, names)
    }:
        return False
    if any(found[0] not in said for found in _DENIED.finditer(told)):
        return False
    return all(found[0] in told or found["what"] not in told for found in _DENIED.finditer(said))


def _settled(text: str) -> str:
    """能不能吃 asks and denies nothing."""
    return _EITHER.sub(r"\1", text)
