"""A conversation that has ended, in one sentence: what was noted and what was asked, in the owner's own words. Pure.

Made of what memory kept of the conversation (lines that were grounded already) and of the owner's questions, quoted;
only when there is neither does it quote a remark. One part a pet, so that a pet's part can be told without the others.
A model may write the sentence instead; `accept_written` takes it only when everything in it was said.
"""

import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from domain.dates import local_date_text
from domain.grounded_clauses import grave_words_stand
from domain.grounded_words import brings_nothing_new
from domain.offline.responder.reading import is_about_talk, is_question
from domain.offline.responder.small_talk import is_small_talk
from domain.offline.responder.wording import cut_words, plain, retold
from domain.pet_profiles import PetProfile
from domain.pet_resolution import pets_named
from memory.numerals import numbers_in
from memory.personal_numbers import mask_numbers
from memory.scope import Scope
from memory.summaries import TalkPart
from memory.text_folding import fold_text
from memory.vocabulary import Precision

MOST_NOTED = 4  # lines of one part; the weightier ones, a summary is one sentence
MOST_ASKED = 2  # questions of one part
LONGEST_QUOTE = 24  # characters of a quoted question or remark
LONGEST_LINE = 40  # characters of one noted line
LONGEST_NOTED = 60  # characters of all noted lines of one part
LONGEST_SUMMARY = 110  # characters of the whole; eight of them and the recalled lines fit 1,000 tokens
ENOUGH_TALK = 12  # characters said beyond small talk that are worth a sentence though nothing was kept
MIN_OWN_CHARACTERS = 0.6  # share of a written sentence's Chinese characters that the owner's words must hold

_CLAUSE_END = re.compile(r"[。!！?？;；\n]+")
_DAYS_AWAY = {"大前天": -3, "前天": -2, "昨天": -1, "今天": 0, "明天": 1, "大后天": 3, "后天": 2}
_DAY_WORD = re.compile("|".join(_DAYS_AWAY))
_CHINESE = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Uttered:
    """One message of the owner. quotable: nothing in it was refused, doubted or deleted since."""

    id: str
    text: str
    quotable: bool = True


@dataclass(frozen=True, slots=True)
class Noted:
    """A line that memory keeps of the conversation. happened_on: the owner's local day, None when unknown."""

    memory_id: str
    subject: str | None
    content: str
    weight_level: int = 2
    happened_on: date | None = None
    precision: Precision = Precision.UNKNOWN


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation to be summarised. ended_at: aware, in the owner's zone."""

    ended_at: datetime
    said: Sequence[Uttered]
    noted: Sequence[Noted]
    pets: Sequence[PetProfile]
    scope: Scope | None = None  # whose it is; a model is asked only for somebody

    @property
    def quotable(self) -> list[Uttered]:
        return [one for one in self.said if one.quotable]


SummaryWriter = Callable[[Talk], Awaitable[str | None]]
"""A model's sentence for a conversation, or None. It is given only what may be quoted. It may raise."""


def worth_a_sentence(said: Iterable[str], noted: int) -> bool:
    """Whether a conversation is worth a summary: something was kept, asked, or told beyond small talk."""
    if noted:
        return True
    telling = [text for text in said if not is_small_talk(text) and not is_about_talk(text)]
    if any(is_question(text) for text in telling):
        return True
    return sum(len(_CHINESE.findall(text)) for text in telling) >= ENOUGH_TALK


def compose(talk: Talk) -> tuple[TalkPart, ...]:
    """The sentence in parts, the household's pets in their order, then the rest; () when it is not worth one."""
    if not worth_a_sentence((one.text for one in talk.quotable), len(talk.noted)):
        return ()
    only = _only_subject(talk)
    asked = _asked(talk, only)
    keys: list[str | None] = [pet.id for pet in talk.pets]
    keys += [*sorted({one.subject for one in talk.noted if one.subject not in keys and one.subject}), None]
    parts = [part for key in keys if (part := _part(talk, key, asked)) is not None]
    return _shortened(parts or _remark(talk, only))


def accept_written(written: str | None, talk: Talk) -> tuple[TalkPart, ...]:
    """A model's sentence as the only part; () unless every number, name and most words of it were said."""
    text = " ".join(mask_numbers(written or "").split())
    if not text or len(text) > LONGEST_SUMMARY or not worth_a_sentence((one.text for one in talk.quotable), 1):
        return ()
    said = fold_text(" ".join([*(one.text for one in talk.quotable), *(_told(one, talk) for one in talk.noted)]))
    folded = fold_text(text)
    named = set(pets_named(text, talk.pets))
    if not numbers_in(folded) <= numbers_in(said) or not named <= _subjects(talk) or not _is_own(folded, said):
        return ()
    names = [name for pet in talk.pets for name in (pet.name, *pet.nicknames)]
    sources = [*(one.text for one in talk.quotable), *(one.content for one in talk.noted)]
    if not brings_nothing_new(text, sources, names) or not grave_words_stand(text, sources, names):
        return ()
    told = plain(with_days(text, talk.ended_at.date()))
    return (TalkPart(frozenset(named or _subjects(talk)), told),)


def with_days(text: str, on: date) -> str:
    """昨天 as the day it was when it was said: a summary is read later."""
    return _DAY_WORD.sub(lambda found: _month_day(on + timedelta(days=_DAYS_AWAY[found[0]])), text)


def _month_day(day: date) -> str:
    return f"{day.month}月{day.day}日"


def whole(parts: Iterable[TalkPart]) -> str:
    """The parts as one sentence, without a full stop."""
    return "；".join(part.text for part in parts)


def about_one(talk: Talk) -> bool:
    """Whether it is about one pet at most: only then no word can be told of the wrong one."""
    return len(_subjects(talk)) <= 1


def _is_own(folded: str, said: str) -> bool:
    letters = _CHINESE.findall(folded)
    return bool(letters) and sum(letter in said for letter in letters) >= MIN_OWN_CHARACTERS * len(letters)


def _subjects(talk: Talk) -> set[str]:
    """Pets and owner that the conversation is about."""
    named = {pet_id for one in talk.said for pet_id in pets_named(one.text, talk.pets)}
    return named | {one.subject for one in talk.noted if one.subject}


def _only_subject(talk: Talk) -> str | None:
    about = _subjects(talk)
    if len(about) == 1:
        return next(iter(about))
    return talk.pets[0].id if not about and len(talk.pets) == 1 else None


def _asked(talk: Talk, only: str | None) -> dict[str | None, list[str]]:
    """Quoted questions by the pet they name; one that names nobody is about the only subject, if there is one."""
    asked: dict[str | None, list[str]] = {}
    for one in talk.quotable:
        for clause in _questions(one.text, talk.pets):
            named = pets_named(clause, talk.pets) or pets_named(one.text, talk.pets)
            key = named[0] if len(named) == 1 else None if named else only
            asked.setdefault(key, []).append(_quote(clause))
    return {key: list(dict.fromkeys(questions)) for key, questions in asked.items()}


def _questions(text: str, pets: Sequence[PetProfile]) -> list[str]:
    clauses = [clause.strip("，, ") for clause in re.split(r"(?<=[。!！?？;；\n])", text)]
    return [
        clause
        for clause in clauses
        if _says_something(clause, pets)
        and is_question(clause)
        and not is_small_talk(clause)
        and not is_about_talk(clause)
    ]


def _says_something(clause: str, pets: Sequence[PetProfile]) -> bool:
    """豆豆呢 alone does not say what was asked."""
    bare = fold_text(clause)
    for name in (fold_text(name) for pet in pets for name in (pet.name, *pet.nicknames)):
        bare = bare.replace(name, "")
    return len(_CHINESE.findall(bare)) > 1


def _quote(clause: str) -> str:
    words = plain(mask_numbers(_CLAUSE_END.sub("", clause)))
    return f"“{cut_words(words, LONGEST_QUOTE)}{'…' if len(words) > LONGEST_QUOTE else ''}”"


def _part(talk: Talk, key: str | None, asked: dict[str | None, list[str]]) -> TalkPart | None:
    noted = sorted((one for one in talk.noted if one.subject == key), key=lambda one: -one.weight_level)[:MOST_NOTED]
    name = next((pet.name for pet in talk.pets if pet.id == key), "")
    told = _listed([_told(one, talk) for one in noted], name)
    questions = asked.get(key, [])[:MOST_ASKED]
    about = "" if told or not name or any(name in one for one in questions) else name
    question = f"{f'问了{about}的事：' if about else '问了'}{'和'.join(questions)}" if questions else ""
    text = "，".join(one for one in (told, question) if one)
    return TalkPart(frozenset({key} if key else _named_in(text, talk)), text) if text else None


def _named_in(text: str, talk: Talk) -> set[str]:
    """A part about nobody alone is about every pet that it names."""
    return set(pets_named(text, talk.pets))


def _told(noted: Noted, talk: Talk) -> str:
    """A line as it is told later: its own day behind it when that is not the day of the talk."""
    day_known = noted.precision is Precision.DAY and noted.happened_on is not None
    text = retold(plain(noted.content), dated=day_known)
    text = mask_numbers(cut_words(text, LONGEST_LINE))
    if noted.happened_on is None or noted.precision is Precision.UNKNOWN:
        return text
    if day_known and noted.happened_on == talk.ended_at.date():
        return text
    when = local_date_text(noted.happened_on, noted.precision)
    return text if when in text else f"{text}（{when}）"


def _listed(lines: Sequence[str], name: str) -> str:
    """豆豆吐了两次、换了冻干: the name once, as many lines as make a sentence."""
    told = ""
    for line in dict.fromkeys(lines):
        longer = f"{told}、{line.removeprefix(name)}" if told else line
        if told and len(longer) > LONGEST_NOTED:
            break
        told = longer
    return told


def _remark(talk: Talk, only: str | None) -> list[TalkPart]:
    """The longest thing told, when nothing was kept and nothing asked."""
    clauses = [
        clause.strip("，, ")
        for one in talk.quotable
        if not is_small_talk(one.text)
        for clause in _CLAUSE_END.split(one.text)
    ]
    longest = max(clauses, key=len, default="")
    if not longest:
        return []
    named = set(pets_named(longest, talk.pets))
    return [TalkPart(frozenset(named or ({only} if only else ())), f"说起{_quote(longest)}")]


def _shortened(parts: Sequence[TalkPart]) -> tuple[TalkPart, ...]:
    kept: list[TalkPart] = []
    for part in parts:
        if kept and len(whole([*kept, part])) > LONGEST_SUMMARY:
            break
        kept.append(part)
    return tuple(kept)


def subjects_of(parts: Collection[TalkPart]) -> set[str]:
    """Everybody that a summary is about."""
    return {subject for part in parts for subject in part.subjects}
