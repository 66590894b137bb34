"""Cut a message into clauses the way the red flags are written for: no spaces, folded, one statement a clause."""

import re
from collections.abc import Iterator

from memory.text_folding import fold_text

MAX_CLAUSE = 300  # characters; what a rule reads at once, for its cost grows with the square of it
OVERLAP = 40  # characters that two pieces of a longer clause share, so that no sign is cut in two

_BREAK = re.compile(r"[,。!?;\n…~]+|(?<!\d)[.:]+|[.:]+(?!\d)")
_SPACE = re.compile(r"[^\S\n]+")
_WORTHLESS_SPACE = re.compile(r"(?<![a-z])[^\S\n]+|[^\S\n]+(?![a-z])")  # "ate chocolate" keeps its blank
_CHINESE_GAP = re.compile(r"[一-鿿][^\S\n]+[一-鿿]")


def readings_of(text: str) -> list[list[str]]:
    """The clauses of a message; a second reading where the owner writes spaces instead of commas."""
    folded = fold_text(text)
    readings = [clauses_of(_WORTHLESS_SPACE.sub("", folded))]
    if _CHINESE_GAP.search(folded):
        readings.append(clauses_of(_SPACE.sub(",", folded)))
    return readings


def clauses_of(folded: str) -> list[str]:
    """The clauses in order, each at most MAX_CLAUSE long; a longer one comes in pieces that overlap."""
    return [piece for clause in _BREAK.split(folded) if clause for piece in _pieces(clause)]


def _pieces(clause: str) -> Iterator[str]:
    yield clause[:MAX_CLAUSE]
    for start in range(MAX_CLAUSE - OVERLAP, len(clause) - OVERLAP, MAX_CLAUSE - OVERLAP):
        yield clause[start : start + MAX_CLAUSE]
