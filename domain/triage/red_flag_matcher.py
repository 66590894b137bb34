"""Find red flags in a message: the algorithm that the head of `redflags.yaml` describes, compiled once.

A group fires when one of its words stands in a clause that no veto and no guard takes back (negation, prevention,
the past, a story about somebody else), or when both halves of a pair do.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from domain.knowledge.red_flags import Guard, RedFlag, load_red_flags
from domain.triage.clauses import readings_of
from domain.triage.needed_characters import needed_characters

Hit = tuple[int, int]

_GUARDS_OF_SUBJECT = frozenset(
    {"media", "other_animal", "past_resolved", "told_as_past", "hearsay_question", "owner_self", "joke", "near_miss"}
    | {"that_time", "past_affair", "from_a_book", "false_alarm"}
)
"""Guards that say of a clause as a whole: it is not about this animal now."""


READ = 512  # texts; what was said before in a talk is looked at again in each of its turns


class Message:
    """A whole message, and what has been looked up in it: a guard asks the same again for every hit."""

    def __init__(self, clauses: Sequence[str]) -> None:
        self.text = ",".join(clauses)
        self.characters = frozenset(self.text)
        self._found: dict[re.Pattern[str], bool] = {}

    def has(self, pattern: re.Pattern[str]) -> bool:
        if pattern not in self._found:
            self._found[pattern] = bool(pattern.search(self.text))
        return self._found[pattern]


@lru_cache(maxsize=READ)
def find_red_flags(text: str) -> tuple[RedFlag, ...]:
    """All groups that fire, of every species, in the order of the sheet."""
    matcher = _matcher()
    fired: dict[str, RedFlag] = {}
    for clauses in readings_of(text):
        for group in matcher.fire(clauses):
            fired[group.flag.id] = group.flag
    return tuple(fired.values())


def is_told_of_others(clause: str, message: Message) -> bool:
    """Is the clause about somebody else's animal, a story or the distant past, rather than what happens now?"""
    now = tells_of_now(clause)
    return any(
        guard.silences(clause, (len(clause), len(clause)), message)
        for guard in _matcher().guards
        if guard.id in _GUARDS_OF_SUBJECT and not (guard.overridable and now)
    )


def tells_of_now(clause: str) -> bool:
    """Does the clause place itself in these days (刚才, 今天, 还在, 又犯了)?"""
    return bool(_matcher().now.search(clause))


@cache
def _matcher() -> "_Matcher":
    sheet = load_red_flags()
    return _Matcher(
        groups=[_Group(flag) for flag in sheet.flags],
        guards=[_CompiledGuard(guard) for guard in sheet.guards],
        now=re.compile("|".join(sheet.now_words)),
    )


class _Word:
    """A pattern, which is not even tried on a message without the characters that it cannot do without."""

    def __init__(self, pattern: str) -> None:
        self._pattern = re.compile(pattern)
        self.needed = needed_characters(pattern)
        self.search, self.finditer = self._pattern.search, self._pattern.finditer

    def is_in(self, message: "Message") -> bool:
        if self.needed is not None and self.needed.isdisjoint(message.characters):
            return False
        return self.search(message.text) is not None


class _Group:
    """One red flag with its patterns compiled."""

    def __init__(self, flag: RedFlag) -> None:
        self.flag = flag
        self.words = tuple(_Word(pattern) for pattern in (*_as_one(flag.phrases), *flag.patterns))
        self.pairs = tuple((_Word(first), _Word(second)) for first, second in flag.co_occur)
        self.veto = re.compile("|".join(flag.veto)) if flag.veto else None
        self._mask = re.compile("|".join(map(re.escape, flag.not_phrases))) if flag.not_phrases else None

    def readable(self, clause: str) -> str:
        """The clause with look-alikes blanked out, empty when it is vetoed."""
        if self.veto and self.veto.search(clause):
            return ""
        return self._mask.sub(lambda found: "＿" * len(found.group()), clause) if self._mask else clause


def _as_one(phrases: Sequence[str]) -> tuple[str, ...]:
    longest_first = sorted(phrases, key=len, reverse=True)
    return ("|".join(map(re.escape, longest_first)),) if phrases else ()


class _CompiledGuard:
    def __init__(self, guard: Guard) -> None:
        self.id = guard.id
        self.overridable = guard.overridable
        self._before = re.compile("|".join(f"(?:{pattern})" for pattern in guard.before) or r"(?!)")
        self._before_end = re.compile(f"(?:{self._before.pattern})\\Z")
        self._after = re.compile("|".join(f"(?:{pattern})" for pattern in guard.after) or r"(?!)")
        self._inside_end = re.compile(
            "(?:" + ("|".join(f"(?:{pattern})" for pattern in guard.inside) or r"(?!)") + r")\Z"
        )
        self._clause = re.compile("|".join(f"(?:{pattern})" for pattern in guard.clause) or r"(?!)")
        self._message = re.compile("|".join(f"(?:{pattern})" for pattern in guard.message)) if guard.message else None

    def silences(self, clause: str, hit: Hit, message: Message) -> bool:
        start, end = hit
        if self._before_end.search(clause, 0, start) or self._after.match(clause, end):
            return True
        if self._inside_end.search(clause, start, end):
            return True
        if not self._clause.search(clause):
            return False
        return self._message is None or message.has(self._message)


@dataclass(frozen=True)
class _Matcher:
    groups: Sequence[_Group]
    guards: Sequence[_CompiledGuard]
    now: re.Pattern[str]

    @cached_property
    def _words(self) -> tuple[tuple[int, _Word, _Word | None], ...]:
        """All words of all groups: the place of the group, the word, and the other half of a pair."""
        return tuple(
            (place, first, second)
            for place, group in enumerate(self.groups)
            for first, second in (*((word, None) for word in group.words), *group.pairs)
        )

    @cached_property
    def _words_with(self) -> dict[str, frozenset[int]]:
        """Under each character the words for which it will do; under "" those that need none."""
        table: dict[str, set[int]] = {"": set()}
        for number, (_, word, _second) in enumerate(self._words):
            for character in ("",) if word.needed is None else word.needed:
                table.setdefault(character, set()).add(number)
        return {character: frozenset(numbers) for character, numbers in table.items()}

    def fire(self, clauses: Sequence[str]) -> Iterator[_Group]:
        message = Message(clauses)
        for place in self._possible(message):
            group = self.groups[place]
            if self._fires(group, clauses, message):
                yield group

    def _possible(self, message: Message) -> list[int]:
        """Places of the groups of which a word stands in the message; most are out with a look at its characters."""
        table, text, found = self._words_with, message.text, set()
        numbers = table[""].union(*[table[character] for character in message.characters if character in table])
        for number in numbers:
            place, word, second = self._words[number]
            if place not in found and word.search(text) and (second is None or second.is_in(message)):
                found.add(place)
        return sorted(found)

    def _fires(self, group: _Group, clauses: Sequence[str], message: Message) -> bool:
        readable = [group.readable(clause) for clause in clauses]
        return any(self._says(word, readable, message) for word in group.words) or any(
            self._says(first, readable, message) and self._says(second, readable, message)
            for first, second in group.pairs
        )

    def _says(self, word: _Word, clauses: Sequence[str], message: Message) -> bool:
        return any(
            not self._silenced(clause, (found.start(), found.end()), message)
            for clause in clauses
            for found in word.finditer(clause)
        )

    def _silenced(self, clause: str, hit: Hit, message: Message) -> bool:
        now = bool(self.now.search(clause))
        return any(guard.silences(clause, hit, message) for guard in self.guards if not (guard.overridable and now))
