"""旺财，咪咪和奶茶都绝育了: names in a row are one list, whatever stands between them. Pure."""

import re
from collections.abc import Sequence

from domain.text_marks import NAME, with_names_masked

_ALL_OF_THEM = r"(?=[^,，。.!！?？;；]{0,6}(?:都|全|一起|各|也都))"
_RUN = rf"(?<![^,，。.!！?？;；\s]){NAME}(?:[,，、\s]{NAME})*"
_LISTED = re.compile(
    rf"{_RUN}(?:[,，、\s]|和|跟|与|还有){NAME}{_ALL_OF_THEM}|{_RUN}[,，\s]{NAME}(?:和|跟|与|还有){NAME}"
)
_BETWEEN = re.compile(r"[,，\s]")


def with_names_joined(folded: str, names: Sequence[str]) -> str:
    """The text, as long as before, with 、 for the commas inside a list of names of which one thing is told."""
    if len(names) < 2 or not _BETWEEN.search(folded):
        return folded
    masked = with_names_masked(folded, names)
    joined = list(folded)
    for listed in _LISTED.finditer(masked):
        for comma in _BETWEEN.finditer(masked, *listed.span()):
            joined[comma.start()] = "、"
    return "".join(joined)
