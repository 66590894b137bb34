"""What a model may contribute to a night, and the strict reading of its answers. No vendor, no prompt.

A judge says of pairs whether they are the same thing; a writer words a summary of lines. Both only propose: an answer
with an unknown id, a missing pair, a dropped memory or a number, day or name that no line holds is no answer at all,
and then everything stays as it is until the next night.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from memory.consolidation.lines import NightLine
from memory.numerals import numbers_in
from memory.similarity import wording_difference
from memory.text_folding import fold_text

Pair = tuple[NightLine, NightLine]
Verdicts = Mapping[tuple[str, str], bool]

Judge = Callable[[Sequence[Pair]], Awaitable[Verdicts]]
"""Says of each pair whether both lines state the same. Keys are the pairs' ids in the order given."""


class UnusableAnswer(Exception):
    """A model's answer breaks the rules; the message names the rule, never the text."""


@dataclass(frozen=True, slots=True)
class Source:
    """One memory that a summary is made from. `day` is the local day of what happened."""

    id: str
    text: str
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A summary as a model words it, and the ids it says to have used."""

    text: str
    used: tuple[str, ...]


Writer = Callable[[Sequence[Source]], Awaitable[Draft]]


def same_pairs(pairs: Sequence[Pair], verdicts: Verdicts) -> frozenset[frozenset[str]]:
    """The pairs that a judge calls the same. Raises UnusableAnswer."""
    asked = {(one.id, other.id) for one, other in pairs}
    if set(verdicts) - asked:
        raise UnusableAnswer("unknown pair")
    if asked - set(verdicts):
        raise UnusableAnswer("pair left out")
    if any(not isinstance(verdict, bool) for verdict in verdicts.values()):
        raise UnusableAnswer("verdict is not yes or no")
    return frozenset(frozenset(pair) for pair, same in verdicts.items() if same)


def checked_draft(draft: Draft, sources: Sequence[Source], names: Collection[str], most_chars: int) -> str:
    """The text of a draft that uses every source and invents nothing. Raises UnusableAnswer.

    names: of all pets of the household; a draft may only name those that its sources name.
    """
    text, known = draft.text.strip(), {source.id for source in sources}
    if not text or len(text) > most_chars:
        raise UnusableAnswer("empty or too long")
    if set(draft.used) - known:
        raise UnusableAnswer("unknown id")
    if known - set(draft.used):
        raise UnusableAnswer("memory left out")
    told = " ".join([*(source.text for source in sources), *(_day_words(source.day) for source in sources)])
    if not numbers_in(fold_text(text)) <= numbers_in(fold_text(told)):
        raise UnusableAnswer("number that no memory holds")
    if any(name in text and name not in told for name in names):
        raise UnusableAnswer("name that no memory holds")
    if len(sources) == 1 and wording_difference(text, sources[0].text) is not None:
        raise UnusableAnswer("says something else")
    return text


def _day_words(day: date | None) -> str:
    return "" if day is None else f"{day.year}年{day.month}月{day.day}日 {day.isoformat()}"
