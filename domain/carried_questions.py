"""咪咪呢, 豆豆的, 那牛肉呢, 下周呢: the question before, asked again of another pet, food, drug or time. Pure."""

import re
from collections.abc import Sequence
from datetime import datetime

from domain.dates import TimeReading, find_times
from domain.knowledge.lexicon import EntityMatch, find_entities
from domain.offline.responder.reading import is_question
from domain.pet_profiles import PetProfile, SaidBefore
from domain.schedule_requests import ASKED_MARKS
from memory.text_folding import fold_text

FARTHEST = 4  # messages of the owner's back: 豆豆多大了, 咪咪呢, 可乐呢

_TAKEN = frozenset({"allergen", "toxin", "food", "drug", "drug_class", "dewormer"})
_ALLERGY = "过敏"  # 鸡肉过敏 is one word of the lexicon
_FOOD = "\x00"
_ASKS_ON = re.compile(rf"(?:那|换成|如果是|要是|还有)*{_FOOD}(?:也|可以|能|行)*(?:呢|咧|嘞|吗)[啊呀哈]?[?？~～。\s]*")
_KINDS = "猫猫|猫咪|猫|狗狗|狗子|狗|兔子|兔"
_PARTICLES = re.compile(r"[那的呢也啊呀哦嘛是说问和还有跟指,，.。?？!！~～\s]*")


_ASKS = re.compile(r"[呢咧嘞吗]|有没有")  # what every such message holds
_ANOTHER_TIME = re.compile(r"(?:那么?|还有|[,，\s])*(?:的|有)?(?:呢|咧|嘞|有吗|有没有|吗)[啊呀哈]?[?？~～。\s]*")


def carried(text: str, history: Sequence[SaidBefore], pets: Sequence[PetProfile], now: datetime) -> str:
    """The whole question that the message asks, or the message itself when it is whole. now: local."""
    names = sorted({name for pet in pets for name in (pet.name, *pet.nicknames) if name}, key=lambda name: -len(name))
    whom = re.compile("|".join((*map(re.escape, names), _KINDS)))
    said = [one for one in history if one.role == "user"]
    if other_food := _of_another_food(text, said, names):
        return other_food
    if other_time := _at_another_time(text, said, now):
        return other_time
    if not _only_says_whom(text, whom) or (history and any(mark in history[-1].text for mark in ASKED_MARKS)):
        return text
    for before in reversed(said[-FARTHEST:]):
        if not _only_says_whom(before.text, whom):
            return _asked_again(before.text, text, whom) if is_question(before.text) else text
    return text


def _of_another_food(text: str, said: Sequence[SaidBefore], names: Sequence[str]) -> str | None:
    """The question before with 牛肉 in place of its food, for 那牛肉呢; None where it asked of none or of several."""
    foods = _foods(text, names)
    if len(foods) != 1 or _ASKS_ON.fullmatch(text.replace(foods[0].surface, _FOOD, 1)) is None:
        return None
    for before in reversed(said[-FARTHEST:]):
        asked = _foods(before.text, names)
        if asked and _ASKS_ON.fullmatch(before.text.replace(asked[0].surface, _FOOD, 1)):
            continue  # 那鸡肉呢, and now 那牛肉呢
        if len(asked) != 1 or not is_question(before.text):
            return None
        return before.text.replace(asked[0].surface.removesuffix(_ALLERGY), foods[0].surface, 1)
    return None


def _at_another_time(text: str, said: Sequence[SaidBefore], now: datetime) -> str | None:
    """The question before with 下周 in place of its time, for 那下周呢; None where it asked of no one time."""
    meant = _only_time(text, now)
    if meant is None:
        return None
    for before in reversed(said[-FARTHEST:]):
        if _only_time(before.text, now) is not None:
            continue  # 下周呢, and now 那下个月呢
        times = find_times(before.text, now)
        if len(times) != 1 or not is_question(before.text):
            return None
        return before.text[: times[0].start] + meant.quote + before.text[times[0].end :]
    return None


def _only_time(text: str, now: datetime) -> TimeReading | None:
    """The time that a message names, if it names nothing else."""
    if not _ASKS.search(fold_text(text)):
        return None
    times = find_times(text, now)
    if len(times) != 1:
        return None
    rest = text[: times[0].start] + text[times[0].end :]
    return times[0] if _ANOTHER_TIME.fullmatch(fold_text(rest)) else None


def _foods(text: str, names: Sequence[str]) -> list[EntityMatch]:
    """What can be eaten or given that the text names, each word once."""
    found = [one for one in find_entities(text, names) if one.kind in _TAKEN]
    return list({one.surface: one for one in found}.values())


def _only_says_whom(text: str, whom: re.Pattern[str]) -> bool:
    return whom.search(text) is not None and _PARTICLES.fullmatch(whom.sub("", fold_text(text))) is not None


def _asked_again(question: str, text: str, whom: re.Pattern[str]) -> str:
    meant = "和".join(dict.fromkeys(whom.findall(text)))
    again, replaced = whom.subn(meant, question, count=1)
    return again if replaced else f"{meant}{question}"
