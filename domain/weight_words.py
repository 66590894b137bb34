"""The body weight that a line tells, with its unit: 12.1kg, 9斤. Pure."""

import re

from memory.text_folding import fold_text

KG_PER_UNIT = {"kg": 1.0, "公斤": 1.0, "千克": 1.0, "斤": 0.5, "克": 0.001, "g": 0.001}

_FIGURE = re.compile(  # over folded text: ４．２kg is 4.2kg
    r"(?<![\d.,])(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>kg|公斤|千克|斤|克|g)"
)
# 体重12.1了: a figure alone is in kilograms, as the record takes it.
_BARE_FIGURE = re.compile(r"体重[^\d,。]{0,4}(\d+(?:\.\d+)?)(?=[了吧啦呢,。!~]|$)")


def weight_told(text: str) -> tuple[str, float] | None:
    """The weight as it is said (12.1kg) and in kilograms; None where the line tells none."""
    folded = fold_text(text)
    if figure := _FIGURE.search(folded):
        return f"{figure['number']}{figure['unit']}", float(figure["number"]) * KG_PER_UNIT[figure["unit"]]
    bare = _BARE_FIGURE.search(folded)
    return (f"{bare[1]}公斤", float(bare[1])) if bare else None
