"""What two lines about one habit, liking or appointment mean beside each other: changed, limited, confirmed, or both.

Habits are told in too many words for values of their own, so the words themselves are compared.
"""

import re
from itertools import pairwise

from domain.change_words import (
    AT_TIMES,
    CHANGED,
    COMES_BACK,
    EVERY_YEAR,
    NO_LONGER_WISHED,
    PONDERED,
    REPLACED,
    SEASON,
    STILL_SO,
    SURPRISING,
)
from domain.habit_places import done_elsewhere
from domain.rhythms import figures_differ
from memory.happenings import is_another, just_done
from memory.similarity import same_thing
from memory.slot_relations import DESCRIPTIVE_KEYS, Relation, Said
from memory.text_folding import fold_text

_OF_A_DAY = re.compile(r"[今昨明]|[前后]天|刚|[周号日月]|星期|礼拜|[了过](?:$|[,，。!])|\d")
_WHEN = ("recurrence", "time", "times")  # when it is done, not what
_SAME_APPOINTMENT = 14  # days within which two days of one kind of appointment are the same one, moved
_NAMES = ("food", "product", "brand", "name", "text")
_NAMELESS = re.compile(r"[主口猫狗犬干湿老]?粮食?")  # 粮没换 names no food
_MOVED_TO_A_DAY = re.compile(r"(?:改|换|挪|调)(?:到|成|在|为)?[^,，。]{0,3}(?:周|星期|礼拜)[一二三四五六日末天]")
_MOVED = re.compile(
    r"(?:挪|改|调|放|移|推|提前?)(?:到|在|成)[^,，。]{0,3}(?:早|晚|上午|中午|下午|傍晚|睡前|饭|[\d一二两三四五六七八九十]点)"
)


def compare_diets(known: Said, new: Said) -> Relation | None:
    """皇家 and 皇家肠道粮 are the same food unless an amount or a rhythm differs."""
    if PONDERED.search(fold_text(new.content)) and not new.negated and not known.negated:
        return Relation.CONTRADICTS
    if (seasonal := _with_the_seasons(known, new)) is not None:
        return seasonal
    if _only_at_times(known, new):
        return Relation.NARROWS
    words = fold_text(new.content)
    names = ("" if _NAMELESS.fullmatch(_name_of(said)) else _name_of(said) for said in (new, known))
    ours, theirs = (name.rstrip("粮罐") for name in names)  # 处方粮 is the 肝脏处方 on record
    if SURPRISING.search(words) and not new.negated and not known.negated:
        return Relation.CONTRADICTS
    if not ours and not new.negated and figures_differ(fold_text(known.content), fold_text(new.content)):
        return Relation.CONTRADICTS
    if not ours and not new.negated and STILL_SO.search(words):
        return Relation.SAME
    if not ours and not new.negated and CHANGED.search(words):
        return Relation.CONTRADICTS
    if not ours or new.negated:
        return None
    if not theirs:
        return Relation.SAME if ours in fold_text(known.content) else Relation.CONTRADICTS
    if not (ours in theirs or theirs in ours):
        return Relation.CONTRADICTS if known.value.keys() != new.value.keys() and CHANGED.search(words) else None
    if CHANGED.search(words) and (ours != theirs or _MOVED.search(words)):
        return Relation.CONTRADICTS
    other = [key for key in new.value.keys() & known.value.keys() if key not in _NAMES]
    return Relation.SAME if all(new.value[key] == known.value[key] for key in other) else None


def compare_appointments(known: Said, new: Said) -> Relation | None:
    """Another day near the one on record moves the appointment; a far one is the next of its kind."""
    words = fold_text(new.content)
    apart = abs((new.occurred_on - known.occurred_on).days) if new.occurred_on and known.occurred_on else None
    if apart and apart <= _SAME_APPOINTMENT and not new.negated and "又" not in words:
        return Relation.CONTRADICTS
    return compare_habits(known, new)


def compare_habits(known: Said, new: Said) -> Relation | None:
    """A habit that is changed, limited or confirmed by the words alone; other words stand beside it."""
    words = fold_text(new.content)
    if _are_two_happenings(known, new):
        return Relation.COMPATIBLE
    if (seasonal := _with_the_seasons(known, new)) is not None:
        return seasonal
    if _only_at_times(known, new):
        return Relation.NARROWS
    if any(pattern.search(words) for pattern in (CHANGED, NO_LONGER_WISHED, PONDERED, REPLACED)):
        return Relation.CONTRADICTS
    if not new.negated and (figures_differ(fold_text(known.content), words) or done_elsewhere(known.content, words)):
        return Relation.CONTRADICTS
    if SURPRISING.search(words) and not new.negated:
        return Relation.CONTRADICTS
    if STILL_SO.search(words) and (not _names_something(new) or _names_the_same(known, new)):
        return Relation.SAME
    if _is_lasting(known) and _is_lasting(new) and same_thing(known.content, new.content):
        return Relation.SAME
    if new.occurred_on is not None and known.occurred_on is not None and new.occurred_on != known.occurred_on:
        return Relation.COMPATIBLE
    return None


def _with_the_seasons(known: Said, new: Said) -> Relation | None:
    """入冬就不碰水，年年如此 limits the liking for water; 天暖和了又往水里跳 says it again."""
    words = fold_text(new.content)
    if new.negated or _names_something(new) or SEASON.search(fold_text(known.content)):
        return None
    if EVERY_YEAR.search(words):
        return Relation.NARROWS
    back = COMES_BACK.search(words) is not None and not re.search(r"改|换|不再", words)
    return Relation.SAME if back and SEASON.search(words) else None


def _are_two_happenings(known: Said, new: Said) -> bool:
    """早上遛了一次 and 下午又遛了一次 are no habit that changed."""
    dated = new.occurred_on is not None and new.occurred_on == known.occurred_on
    done = just_done(new.content) and just_done(known.content) and new.negated == known.negated
    return dated and done and is_another(known.telling, new.telling)


def _is_lasting(said: Said) -> bool:
    """晚上睡在窝里 tells how it is, whatever day was read into it; 今天洗澡了 tells of a day, and so does 洗澡了."""
    words = fold_text(said.content)
    return not said.negated and _OF_A_DAY.search(words) is None


def _only_at_times(known: Said, new: Said) -> bool:
    words = _MOVED_TO_A_DAY.sub("", fold_text(new.content))  # 改到周五了 is the new day, not an exception
    at_times = AT_TIMES.search(words) is not None
    return at_times and AT_TIMES.search(fold_text(known.content)) is None and not new.negated


def _names_something(said: Said) -> bool:
    return any(key not in DESCRIPTIVE_KEYS and key not in _WHEN for key in said.value)


def _names_the_same(known: Said, new: Said) -> bool:
    """还是穿胸背, of 改用胸背了."""
    held, name = fold_text(known.content), _name_of(new)
    return any(one + other in held for one, other in pairwise(name))


def _name_of(said: Said) -> str:
    return next((fold_text(str(said.value[key])) for key in _NAMES if said.value.get(key)), "")
