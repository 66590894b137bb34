"""The second half of a slot's name, from an owner's words: 鸡胸肉 and 鸡肉 fill the same slot.

A record that was filled in by hand and a sentence of a chat must meet in one slot, so both are named by the word list
of the extractor; what no list knows is named by its own folded words.
"""

from domain.offline.extractor.wordlist import Hit, known_words
from memory.text_folding import fold_text

MAX_KEY = 40  # characters; a slot is a name, not a sentence

_FAMILIES: dict[str, frozenset[str]] = {
    "condition": frozenset({"condition"}),
    "medication": frozenset({"drug", "supplement"}),
    "vaccine": frozenset({"vaccine"}),
    "deworming": frozenset({"dewormer"}),
    "symptom": frozenset({"sign"}),
}


def slot_key(prefix: str, words: str) -> str:
    """`prefix:key` for what `words` name (`allergy`, `condition`, `medication`, `vaccine`, `deworming`, `symptom`…)."""
    folded = fold_text(words)
    hits = list(known_words().find(folded))
    known = _allergen(hits) if prefix == "allergy" else _of_family(hits, prefix)
    return f"{prefix}:{known or ''.join(folded.split())[:MAX_KEY]}"


def _allergen(hits: list[Hit]) -> str | None:
    named = [hit.word.allergen for hit in hits if hit.word.allergen]
    drugs = [hit.id for hit in hits if hit.family == "drug"]
    return next(iter(named + drugs), None)


def _of_family(hits: list[Hit], prefix: str) -> str | None:
    families = _FAMILIES.get(prefix, frozenset())
    return next((hit.id for hit in hits if hit.family in families), None)
