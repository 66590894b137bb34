"""旺财，咪咪和奶茶都绝育了: names in a row are one list, whatever stands between them. Pure."""

import re
from collections.abc import Sequence

_ALL_OF_THEM = r"(?=[^,。.!！?？;；]{0,6}(?:都|全|一起|各|也都))"


def with_names_joined(folded: str, names: Sequence[str]) -> str:
    """The text, as long as before, with 、 for the commas inside a list of names of which one thing is told."""
    known = sorted({name for name in names if name}, key=len, reverse=True)
    if len(known) < 2 or not re.search(r"[,，\s]", folded):
        return folded
    name = "|".join(map(re.escape, known))
    run = rf"(?<![^,。.!！?？;；\s])(?:{name})(?:[,，、\s](?:{name}))*"
    listed = re.compile(
        rf"{run}(?:[,，、\s]|和|跟|与|还有)(?:{name}){_ALL_OF_THEM}|{run}[,，\s](?:{name})(?:和|跟|与|还有)(?:{name})"
    )
    return listed.sub(lambda match: re.sub(r"[,，\s]", "、", match[0]), folded)
