"""Lines that deny an allergy: 旺仔对鸡肉不过敏 warns of nothing, though it names an allergen and the word 过敏."""

import re
from collections.abc import Iterable, Iterator

from memory.text_folding import fold_text

_DENIAL = "|".join(
    (
        r"(?:没有?|不(?:再|会|是|算)?)(?:对[^,。;]{1,8})?过敏",
        r"过敏(?:原)?(?:检测|测试)?[^,。;]{0,4}(?:阴性|已?排除|已?否定|已?解除)",
        r"排除了?[^,。;]{0,8}过敏",
        r"脱敏",
    )
)
_DENIES = re.compile(_DENIAL)
_STATEMENT = re.compile(rf"[^,。;!?\n]*?(?:{_DENIAL})")
_ALLERGIC = re.compile(r"过敏")


def denies_allergy(text: str) -> bool:
    """Whether a line says of an allergy only that it is none."""
    folded = fold_text(text)
    return bool(_DENIES.search(folded)) and not _ALLERGIC.search(_DENIES.sub("", folded))


def denials_in(lines: Iterable[str]) -> Iterator[str]:
    """The folded statements of such lines, as far as the denial goes: 旺仔对鸡肉不过敏."""
    for line in lines:
        if "敏" in line and denies_allergy(line):
            yield from (found.group() for found in _STATEMENT.finditer(fold_text(line)))
