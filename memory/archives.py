"""What an archive says: a short summary of a topic, made from its dated entries and from nothing else. Pure.

A summary is a derivative: it is made anew from the entries each time, never from an older summary, and it names the
entries it was made from. Without a model it is put together from the entries' own words; a model's summary is taken
only when it brings nothing new and leaves most entries standing.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from memory.fulltext import tokenize
from memory.similarity import quantities
from memory.vocabulary import Kind, Precision

MAX_SUMMARY = 300  # characters: what a phone shows above the entries without scrolling
MAX_FACTS = 6
MAX_GROUPS = 4  # kinds of happening told of one topic
MIN_LETTERS = 0.75  # share of a model's characters that stand in the entries; the rest are connecting words
MIN_PAIRS = 0.4  # the same of its character pairs, which also change where two entries meet
MIN_COVERED = 0.5  # share of the entries that a model's summary must still know; below it half was dropped
KNOWN_SHARE = 0.5  # of an entry's characters, for a summary to know it


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an archive. on: the owner's day it is about; None when none is known. ended: it holds no more."""

    memory_id: str
    text: str
    attribute: str
    kind: Kind = Kind.FACT
    on: date | None = None
    precision: Precision = Precision.DAY
    learned_on: date | None = None
    weight_level: int = 2
    ended: bool = False

    @property
    def day(self) -> date:
        """The day it is sorted by."""
        return self.on or self.learned_on or date.min

    @property
    def happened(self) -> bool:
        """A dated happening or measurement rather than something that holds."""
        return self.on is not None or self.kind is Kind.EVENT


@dataclass(frozen=True, slots=True)
class Summary:
    """The text, and the ids of the memories it was made from."""

    text: str
    made_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fold:
    """Entries of one month that are folded away: how many, the first and the last of them, and their ids."""

    month: str  # 2025-03
    count: int
    text: str
    memory_ids: tuple[str, ...]


def summarise(entries: Sequence[Entry], name: str) -> Summary:
    """Put the summary together from the entries' own words; "" for no entries. `name`: the pet's, told once."""
    facts = sorted(
        (entry for entry in entries if not entry.happened and not entry.ended),
        key=lambda entry: (-entry.weight_level, entry.day, entry.memory_id),
    )[:MAX_FACTS]
    groups = _groups([entry for entry in entries if entry.happened and not entry.ended])[:MAX_GROUPS]
    parts = [(entry.text, [entry]) for entry in facts] + [(_told(group), group) for group in groups]
    if not parts:
        ended = sorted((entry for entry in entries if entry.ended), key=lambda entry: entry.day, reverse=True)
        parts = [(f"{entry.text}（已结束）", [entry]) for entry in ended[:MAX_GROUPS]]
    return _joined(parts, name, len(entries))


def fold(entries: Sequence[Entry]) -> list[Fold]:
    """Months of folded entries, the newest first."""
    months: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        months[entry.day.strftime("%Y-%m")].append(entry)
    return [_folded(month, sorted(months[month], key=_order)) for month in sorted(months, reverse=True)]


def is_faithful(text: str, entries: Sequence[Entry], names: Collection[str] = ()) -> bool:
    """Whether a model's summary may be kept: no figure, foreign word or matter that the entries lack, and at least
    half of them still in it."""
    if not 0 < len(text) <= MAX_SUMMARY or not entries:
        return False
    lines = [f"{entry.text} {day_text(entry.on, entry.precision) if entry.on else ''}" for entry in entries]
    said, known = set(tokenize(text)), {token for line in lines for token in tokenize(line)}
    figures = {figure for line in lines for figure, _ in quantities(line)}
    if {figure for figure, _ in quantities(text)} - figures:
        return False
    if {token for token in said if token.isascii()} - known:
        return False
    letters = {token for token in said if len(token) == 1}
    pairs = {token for token in said if len(token) > 1 and not token.isascii()}
    if not pairs or len(pairs & known) < MIN_PAIRS * len(pairs) or len(letters & known) < MIN_LETTERS * len(letters):
        return False
    named = {letter for name in names for letter in name}
    covered = sum(_knows(letters, entry, named) for entry in entries)
    return covered >= MIN_COVERED * len(entries)


def day_text(day: date, precision: Precision) -> str:
    """2026年8月12日, 2026年8月 or 2026年."""
    if precision is Precision.YEAR:
        return f"{day.year}年"
    month = f"{day.year}年{day.month}月"
    return month if precision is Precision.MONTH else f"{month}{day.day}日"


def _groups(happened: Sequence[Entry]) -> list[list[Entry]]:
    """Happenings of the same kind together, each oldest first; the kind with the newest one first."""
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in happened:
        groups[entry.attribute].append(entry)
    ordered = [sorted(group, key=_order) for group in groups.values()]
    return sorted(ordered, key=lambda group: _order(group[-1]), reverse=True)


def _told(group: Sequence[Entry]) -> str:
    """豆豆吐了两次（2026年8月12日，同类共3次，最早在2026年3月1日）"""
    last, first = group[-1], group[0]
    marks = [day_text(last.on, last.precision)] if last.on else []
    if len(group) > 1:
        marks.append(f"同类共{len(group)}次")
        marks += [f"最早在{day_text(first.on, first.precision)}"] if first.on and first.on != last.on else []
    return f"{last.text}（{'，'.join(marks)}）" if marks else last.text


def _joined(parts: Sequence[tuple[str, Sequence[Entry]]], name: str, total: int) -> Summary:
    """Whole parts as long as they fit; the name stands once, at the beginning."""
    text, used = "", []
    for part, entries in parts:
        piece = part.removeprefix(name).lstrip("，, ") if text else part
        longer = f"{text}；{piece}" if text else piece
        if len(longer) > MAX_SUMMARY - len(_rest(total)):
            break
        text = longer
        used += [entry.memory_id for entry in entries]
    left = total - len(used)
    if not text:
        return Summary("")
    return Summary(text + (_rest(left) if left > 0 else "。"), tuple(used))


def _rest(count: int) -> str:
    return f"。另有{count}条记录。"


def _folded(month: str, entries: Sequence[Entry]) -> Fold:
    first, last = entries[0], entries[-1]
    year, number = month.split("-")
    told = first.text if len(entries) == 1 else f"{first.text}……{last.text}"
    text = f"{year}年{int(number)}月共{len(entries)}条：{told}"
    return Fold(month, len(entries), text, tuple(entry.memory_id for entry in entries))


def _knows(letters: Collection[str], entry: Entry, named: Collection[str]) -> bool:
    """Whether most of what an entry says, names apart, still stands in a summary."""
    own = {token for token in tokenize(entry.text) if len(token) == 1} - set(named)
    return len(own & set(letters)) >= KNOWN_SHARE * len(own)


def _order(entry: Entry) -> tuple[date, str]:
    return entry.day, entry.memory_id
