"""What a pet licked, ate or swallowed that it should not have, from the words that tell of it."""

import re
from functools import cache

from domain.knowledge.toxins import load_toxins
from memory.text_folding import fold_text

EXPOSURE_SLOT = "symptom:ate_wrong"

_SWALLOWED = re.compile(
    r"(?:误食|误吞|误服|偷吃|偷喝|乱吃|捡吃|偷着吃|偷偷吃|吞下|舔食?|吃|吞|啃|喝|咬|嚼)(?:了|过|到|下|进|掉|破|碎)*"
    r"(?:[一二两三四五六七八九十几半\d.]+(?:口|下|颗|片|块|粒|点|些|只|根|个|小|大|把|勺|瓶|包|整)+|点儿?|些)*(?:了)?(?:的)?"
    r"(?P<what>[^,，。;；!！?？\s了吗呢吧]{1,12})"
)
_UNNAMED = re.compile(r"(?:什么|不该|东西|不知道|脏东西|异物)")


def swallowed_in(text: str) -> str:
    """What was swallowed, as the owner named it; empty when the words do not name it."""
    told = _SWALLOWED.search(fold_text(text))
    return "" if told is None or _UNNAMED.search(told["what"]) else told["what"]


def exposure_in(text: str) -> str:
    """How and what was swallowed, in the words that tell it (舔了防冻液); empty when they do not name it."""
    told = _SWALLOWED.search(fold_text(text))
    return told[0] if told is not None and swallowed_in(text) else ""


def same_substance(one: str, other: str) -> bool:
    """Whether two names may mean one substance: 百合 and 百合花粉, 老鼠药 and 灭鼠药. An unnamed one may be any."""
    if not one or not other or one in other or other in one:
        return True
    ours, theirs = _toxins_in(one), _toxins_in(other)
    return bool(ours & theirs)


def _toxins_in(name: str) -> frozenset[str]:
    return frozenset(toxin for word, toxin in _words() if word in name)


@cache
def _words() -> tuple[tuple[str, str], ...]:
    return tuple(
        (fold_text(word), toxin.id)
        for toxin in load_toxins().toxins
        for word in (toxin.name_zh, *toxin.aliases)
        if len(word) > 1
    )
