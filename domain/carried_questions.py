"""咪咪呢, 豆豆的: a message that asks the question before again, of another pet. Pure."""

import re
from collections.abc import Sequence

from domain.offline.responder.reading import is_question
from domain.pet_profiles import PetProfile, SaidBefore
from domain.schedule_requests import ASKED_MARKS
from memory.text_folding import fold_text

FARTHEST = 4  # messages of the owner's back: 豆豆多大了, 咪咪呢, 可乐呢

_KINDS = "猫猫|猫咪|猫|狗狗|狗子|狗|兔子|兔"
_PARTICLES = re.compile(r"[那的呢也啊呀哦嘛是说问和还有跟指,，.。?？!！~～\s]*")


def carried(text: str, history: Sequence[SaidBefore], pets: Sequence[PetProfile]) -> str:
    """The whole question that the message asks, or the message itself when it is whole."""
    names = sorted({name for pet in pets for name in (pet.name, *pet.nicknames) if name}, key=lambda name: -len(name))
    whom = re.compile("|".join((*map(re.escape, names), _KINDS)))
    said = [one for one in history if one.role == "user"]
    if not _only_says_whom(text, whom) or (history and any(mark in history[-1].text for mark in ASKED_MARKS)):
        return text
    for before in reversed(said[-FARTHEST:]):
        if not _only_says_whom(before.text, whom):
            return _asked_again(before.text, text, whom) if is_question(before.text) else text
    return text


def _only_says_whom(text: str, whom: re.Pattern[str]) -> bool:
    return whom.search(text) is not None and _PARTICLES.fullmatch(whom.sub("", fold_text(text))) is not None


def _asked_again(question: str, text: str, whom: re.Pattern[str]) -> str:
    meant = "和".join(dict.fromkeys(whom.findall(text)))
    again, replaced = whom.subn(meant, question, count=1)
    return again if replaced else f"{meant}{question}"
