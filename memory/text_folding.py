"""Fold text for comparison without moving a single offset: width, case, and traditional to simplified characters.

`fold_text(text)[i]` is always the folded form of `text[i]`, so a span found in the folded text is a span of the
owner's own words. What would change the length (ligatures, "ß" upper-cased, a composed fraction) stays as it is.
"""

import unicodedata
from functools import cache, lru_cache
from importlib import resources

FOLDED = 256  # texts; a turn folds the same fifteen or so eighty times over


@lru_cache(maxsize=FOLDED)
def fold_text(text: str) -> str:
    """Return `text` folded character by character; same length, idempotent."""
    if text.isascii():
        return text.lower()
    return text.translate(_fold_table())


@lru_cache(maxsize=1024)
def fold_word(word: str) -> str:
    """`fold_text` for short words that are asked for again and again, such as names."""
    return fold_text(word)


class _FoldTable(dict[int, int]):
    """Code point → folded code point, worked out the first time a character is met (`str.translate` asks us)."""

    def __init__(self, simplified: dict[str, str]) -> None:
        super().__init__()
        self._simplified = simplified

    def __missing__(self, code_point: int) -> int:
        folded = ord(self._fold(chr(code_point)))
        self[code_point] = folded
        return folded

    def _fold(self, character: str) -> str:
        for step in (_normalize, str.lower, self._simplify):
            stepped = step(character)
            character = stepped if len(stepped) == 1 else character
        return character

    def _simplify(self, character: str) -> str:
        return self._simplified.get(character, character)


def _normalize(character: str) -> str:
    return unicodedata.normalize("NFKC", character)


@cache
def _fold_table() -> _FoldTable:
    return _FoldTable(_simplified_characters())


def _simplified_characters() -> dict[str, str]:
    """Traditional → simplified, one character each, from OpenCC's table (its first choice where it gives several)."""
    table = resources.files("opencc").joinpath("dictionary", "TSCharacters.txt").read_text(encoding="utf-8")
    pairs = (line.split("\t") for line in table.splitlines() if "\t" in line)
    return {traditional: choices.split(" ")[0] for traditional, choices in pairs if len(traditional) == 1}
