"""Whether two statements of one slot tell of one shot, deworming, sign or visit, or of two. Pure.

What happened again is a row of its own; the same told twice is one. How far apart two of a kind are is the field's.
"""

import re

from memory.happenings import is_another, says_again
from memory.slot_relations import Relation, Said
from memory.text_folding import fold_text

_SHOTS_APART = 14  # days: a series is given every two to four weeks
_DEWORMINGS_APART = 7  # days: weekly is the closest that labels allow
_ONE_MORE = re.compile(r"又|再|补|加强|第?[二三四五六2-6两][针次回]|另外?一|(?:最后|末了?)一?针|尾针")
_WHICH = re.compile(r"(?:第?([一二三四五六1-6])|(首|头一?|最后一|末|尾|加强))针")
_DIGITS = str.maketrans("123456", "一二三四五六")
_SAME_VISIT = 3  # days within which a visit that is told without a day is the last one


def compare_signs(known: Said, new: Said) -> Relation | None:
    """The same sign on the same day is one happening unless a figure, a count, the time or 又 tells of another."""
    if new.occurred_on is None or known.occurred_on is None:
        return None
    if new.occurred_on != known.occurred_on or _figures_differ(known, new):
        return Relation.COMPATIBLE
    return Relation.COMPATIBLE if is_another(known.telling, new.telling) else Relation.SAME


def _compare_doses(known: Said, new: Said, apart: int) -> Relation | None:
    """No pet gets one vaccine twice a day; told without a day it is the one on record only while that is lately."""
    ours, theirs = new.telling.day, known.telling.day
    if ours is None or theirs is None:
        return None
    if new.occurred_on is None:
        near = abs((ours - theirs).days) < apart and not _tell_of_two(known, new)
        return Relation.SAME if near else Relation.COMPATIBLE
    if new.occurred_on != known.occurred_on or _figures_differ(known, new):
        return Relation.COMPATIBLE
    return Relation.SAME


def _tell_of_two(known: Said, new: Said) -> bool:
    """第三针搞定, of one whose second is on record: each tells which of the series it was, and they differ."""
    ours, theirs = (_WHICH.search(fold_text(said.content).translate(_DIGITS)) for said in (new, known))
    return ours is not None and theirs is not None and ours[0].removeprefix("第") != theirs[0].removeprefix("第")


def compare_vaccines(known: Said, new: Said) -> Relation | None:
    """The same shot is not given twice within days: another day near the recorded one is another day for that shot."""
    return _moved_day(known, new, _SHOTS_APART) or _compare_doses(known, new, _SHOTS_APART)


def compare_dewormings(known: Said, new: Said) -> Relation | None:
    """As with shots, at their own distance."""
    return _moved_day(known, new, _DEWORMINGS_APART) or _compare_doses(known, new, _DEWORMINGS_APART)


def _moved_day(known: Said, new: Said, apart: int) -> Relation | None:
    """A day closer to the recorded one than two of a kind may follow, unless the words tell of one more.

    The first of a month may stand for a month whose day nobody told, so it is never near anything.
    """
    if new.occurred_on is None or known.occurred_on is None or 1 in (new.occurred_on.day, known.occurred_on.day):
        return None
    days = abs((new.occurred_on - known.occurred_on).days)
    one_more = _ONE_MORE.search(fold_text(new.content)) or _figures_differ(known, new)
    return Relation.CONTRADICTS if 0 < days < apart and not one_more else None


def compare_visits(known: Said, new: Said) -> Relation | None:
    """A visit told without a day is the one on record only while that is lately."""
    ours, theirs = new.telling.day, known.telling.day
    if new.occurred_on is not None or ours is None or theirs is None or new.negated != known.negated:
        return None
    lately = 0 < (ours - theirs).days <= _SAME_VISIT and dict(new.value) == dict(known.value)
    return Relation.SAME if lately and not says_again(new.content) else None


def _figures_differ(known: Said, new: Said) -> bool:
    shared = new.value.keys() & known.value.keys()
    return any(new.value[key] != known.value[key] for key in shared)


def counted_otherwise(known: Said, new: Said) -> bool:
    """A quarter of a tablet and 18.75mg may be one dose; the same rhythm or none is told beside it."""
    theirs, ours = ({dose.lstrip(" 0123456789.") for dose in said.value.get("dose", ())} for said in (known, new))
    same_rhythm = new.value.get("times_a_day") in (None, known.value.get("times_a_day"))
    return bool(theirs and ours) and theirs.isdisjoint(ours) and same_rhythm
