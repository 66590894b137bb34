"""Words that sound like another are read as the other (喷涕, 眼使, 河水): the rules see what was meant, a claim keeps
what was typed."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from domain.knowledge.vocabulary import vocabulary
from memory.claims import Claim
from memory.grounding import WORD_KEYS

_MEANT: dict[str, str] = {typed: meant for meant, slips in vocabulary("slips")["slips"].items() for typed in slips}
_BY_HEAD: dict[str, list[str]] = {}
for _typed in _MEANT:
    _BY_HEAD.setdefault(_typed[:2], []).append(_typed)


def as_meant_to_type(folded: str, names: Iterable[str]) -> str:
    """The same text, of the same length, with slips of the keyboard put right; what stands in a pet's name stays."""
    found = [folded[place : place + 2] for place in range(len(folded) - 1) if folded[place : place + 2] in _BY_HEAD]
    for typed in sorted({one for head in found for one in _BY_HEAD[head]}, key=len, reverse=True):
        if typed in folded and not any(typed in name for name in names):
            folded = folded.replace(typed, _MEANT[typed])
    return folded


def as_typed(claims: tuple[Claim, ...], folded: str, meant: str) -> tuple[Claim, ...]:
    """The same claims with owners' own words in their values, where those were put right for the rules."""
    places = [place for place in range(len(folded)) if folded[place] != meant[place]]
    if not places:
        return claims
    words = {meant[max(0, p - 1) : p + 2]: folded[max(0, p - 1) : p + 2] for p in places}
    words |= {meant[p : p + 2]: folded[p : p + 2] for p in places}
    words |= {meant[max(0, p - 1) : p + 1]: folded[max(0, p - 1) : p + 1] for p in places}
    return tuple(replace(claim, value=_typed_value(claim.value, words)) for claim in claims)


def _typed_value(value: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    told = dict(value)
    for key in WORD_KEYS:
        if isinstance(text := told.get(key), str):
            for meant, typed in words.items():
                text = text.replace(meant, typed)
            told[key] = text
    return told
