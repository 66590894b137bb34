"""Cut a message into clauses the way the red flags are written for: no spaces, folded, one statement a clause."""

import re

from memory.text_folding import fold_text

_BREAK = re.compile(r"[,。!?;\n…~]+|(?<!\d)[.:]+|[.:]+(?!\d)")
_SPACE = re.compile(r"[^\S\n]+")
_CHINESE_GAP = re.compile(r"[一-鿿][^\S\n]+[一-鿿]")


def readings_of(text: str) -> list[list[str]]:
    """The clauses of a message; a second reading where the owner writes spaces instead of commas."""
    folded = fold_text(text)
    readings = [clauses_of(_SPACE.sub("", folded))]
    if _CHINESE_GAP.search(folded):
        readings.append(clauses_of(_SPACE.sub(",", folded)))
    return readings


def clauses_of(folded: str) -> list[str]:
    return [clause for clause in _BREAK.split(folded) if clause]
