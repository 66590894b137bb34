"""Which memories say what an owner wants forgotten. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from memory.items import MemoryItem
from memory.text_folding import fold_text

ENOUGH = 0.6  # of the pairs of characters that the owner said stand in the line; two thirds name it, half may be chance
CLOSE = 0.2  # behind the best line: it may have been meant as well
_EMPTY = re.compile(r"[的地得了它他她这那个条件事我\s,，。.、]")
_NEGATIONS = re.compile(r"[不没未]|无(?!论)|(?<![特个分])别|非(?!常)")
IN_ORDER = 0.8  # what the characters in order weigh beside their pairs: 怕雷 names 怕打雷


def plain_words(words: str, names: Iterable[str]) -> str:
    """The words without the pets' names and what says nothing by itself."""
    folded = fold_text(words)
    for name in sorted(map(fold_text, names), key=len, reverse=True):
        folded = folded.replace(name, "")
    return _EMPTY.sub("", folded)


def fitting(words: str, items: Sequence[MemoryItem], names: Iterable[str]) -> list[MemoryItem]:
    """The lines that say these words, best first; what is denied fits only denials, unless nothing else does.

    words: `plain_words`.
    """
    known = list(names)
    scored = [(_share(words, plain_words(item.content, known)), item) for item in items]
    if not any(share >= ENOUGH for share, _ in scored) and not _NEGATIONS.search(words):
        scored = [(_named_by(words, plain_words(item.content, known)), item) for item in items]  # 坐电梯那条
    best = max((share for share, _ in scored), default=0.0)
    close = [(share, item) for share, item in scored if share >= max(ENOUGH, best - CLOSE)]
    return [item for _, item in sorted(close, key=lambda one: (-one[0], one[1].id))]


def _share(words: str, line: str) -> float:
    """How much of the words stands in the line, in [0, 1]."""
    if bool(_NEGATIONS.search(words)) != bool(_NEGATIONS.search(line)):
        return 0.0
    return _named_by(words, line)


def _named_by(words: str, line: str) -> float:
    asked, told = _pairs(words), _pairs(line)
    in_pairs = sum((asked & told).values()) / max(1, sum(asked.values()))
    return max(in_pairs, IN_ORDER * _in_order(words, line) / max(1, len(words)))


def _in_order(words: str, line: str) -> int:
    """How many characters of the words stand in the line in this order: the longest common subsequence."""
    best = [0] * (len(line) + 1)
    for character in words:
        before = 0
        for place, other in enumerate(line, 1):
            before, best[place] = best[place], max(best[place], best[place - 1], before + (character == other))
    return best[-1]


def _pairs(text: str) -> Counter[str]:
    return Counter(one + other for one, other in pairwise(text)) if len(text) > 1 else Counter(text)
