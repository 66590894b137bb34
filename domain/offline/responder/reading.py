"""What an owner's message asks: its form (when, next, how often, which pet, may it eat, …), its things, its own words.

Read by question type, never by sentence: a form is a pattern of question words, a thing is a row of `things`, and
what is left after names and question words are taken out are the words a line must share to be an answer.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from domain.knowledge.lexicon import EntityMatch, find_entities
from domain.offline.responder.tables import any_of, read_table
from domain.offline.responder.things import Thing, things_asked
from domain.pet_profiles import PetProfile
from domain.triage.how_bad import asks_how_bad
from memory.text_folding import fold_text

READ = 256  # texts; a turn asks the same of its message at six places


class Form(StrEnum):
    """The type of a question; PLAIN is any other (what, whether, how much)."""

    OVERVIEW = "overview"
    SUMMARY = "summary"  # all that a vet must know of a pet
    RECAP = "recap"  # what did we talk about
    MAY_HAVE = "may_have"  # may it eat, drink, be given
    WHICH_PET = "which_pet"
    NEXT = "next"
    WHEN = "when"
    HOW_OFTEN = "how_often"
    ADVICE = "advice"  # asks for a judgement
    REASON = "reason"  # why, how
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read. `pairs` and `singles`: two-character words and telling characters a line may share.

    phrase: what is asked about when it is one word of the owner, else "". words: all that is no question word.
    names: what the pets are called; a pet called 布丁 is no food.
    specific: drugs, diseases, allergens, past symptoms asked about by name; when no line knows them, that is said.
    short_words: words of one character (肝, 蛋), enough to tell one food from another.
    presumes: it takes for granted that something was (上次…, 什么时候…的).
    """

    text: str
    form: Form
    things: tuple[Thing, ...]
    pairs: frozenset[str]
    singles: frozenset[str]
    phrase: str
    words: str = ""
    names: tuple[str, ...] = ()
    presumes: bool = False
    specific: tuple[EntityMatch, ...] = ()
    short_words: frozenset[str] = frozenset()
    medical: bool = False


_TABLE = read_table("reading")
_QUESTION, _NO_QUESTION = any_of(_TABLE["question"]), any_of(_TABLE["no_question"])
_QUESTION_TAIL = any_of(_TABLE["question_tail"])
_PRESUMES, _MEDICAL = any_of(_TABLE["presumes"]), any_of(_TABLE["medical"])
_FORMS = tuple((Form(name), any_of(patterns)) for name, patterns in _TABLE["forms"].items())
_EMPTY = any_of(sorted(map(re.escape, _TABLE["empty_words"]), key=lambda word: -len(word)))
_OVERVIEW_WORDS = frozenset(_TABLE["overview_words"])
_WORD_PARTS = re.compile(r"[\u3400-\u9fff]+|[a-z0-9.]+")
_MAY_HAVE, _ABOUT_TALK = dict(_FORMS)[Form.MAY_HAVE], dict(_FORMS)[Form.RECAP]
_CLAUSE_END = re.compile(r"[,。.!?;！？；\n]+")
_OPEN = re.compile(r"多少|几|什么|啥(?!的)|哪|怎么|咋|谁|为何")
_LIGHT_VERBS = "打吃喝用做弄买放叫看开"
_TELLING = re.compile(r"[\u3400-\u9fff]")


@lru_cache(maxsize=READ)
def is_question(text: str, *, told_something: bool = False) -> bool:
    """Whether a part of the message asks. After a statement a bare ending (…吧, …没) is doubt, not a question."""
    folded = fold_text(text).strip()
    return any(
        _asks(part) or (not told_something and _QUESTION_TAIL.search(part.rstrip("啊呀呢哦哈的~")))
        for part in re.split(r"[。!;；\n]|(?<=[?？])|[,，]", folded)
        if part
    )


def is_about_talk(text: str) -> bool:
    """Whether a question is about the conversations themselves (上次我们聊到哪了, 什么时候聊过绝育)."""
    return bool(_ABOUT_TALK.search(fold_text(text)))


def _asks(part: str) -> bool:
    return bool(_QUESTION.search(part)) and ("?" in part or not _NO_QUESTION.search(part))


def read_question(text: str, pets: Sequence[PetProfile]) -> Asked:
    """Read the question in `text`; `pets` are those whose names are no words of the question."""
    return _read(text, tuple(sorted({fold_text(name) for pet in pets for name in (pet.name, *pet.nicknames) if name})))


@lru_cache(maxsize=READ)
def _read(text: str, names: tuple[str, ...]) -> Asked:
    folded = re.sub(r"\s+", ",", fold_text(text).strip()).replace("，", ",")
    bare = _without_names(folded, names)
    pieces = [piece for part in _WORD_PARTS.findall(bare) for piece in _EMPTY.split(part) if piece]
    things = things_asked(bare)
    presumes = bool(_PRESUMES.search(bare))
    specific = _specific(bare, things, presumes)
    return Asked(
        text=text,
        form=_form(bare, pieces, things),
        things=things,
        pairs=_pairs(bare, pieces),
        singles=frozenset(character for piece in pieces for character in _TELLING.findall(piece)),
        phrase=pieces[0] if len(pieces) == 1 and len(pieces[0]) > 1 else "",
        words="".join(pieces),
        names=names,
        short_words=frozenset(piece for piece in pieces if len(piece) == 1),
        presumes=presumes,
        specific=specific,
        medical=bool(_MEDICAL.search(bare) or specific) or asks_how_bad(bare),
    )


def _without_names(folded: str, names: Iterable[str]) -> str:
    for name in sorted(names, key=lambda name: -len(name)):
        folded = folded.replace(name, "它")
    return folded


_POINTS_OUT = re.compile(r"(?:的|不好的?)?(?:那|这)?(?:只|个|位|条)")
_ASKED_BY_NAME = frozenset({"drug", "condition"})


def _specific(bare: str, things: Sequence[Thing], presumes: bool) -> tuple[EntityMatch, ...]:
    """Names that the answer must know; not those that only point a pet out (糖尿病那只)."""
    kinds = set(_ASKED_BY_NAME)
    kinds |= {"allergen"} if any(thing.label == "过敏" for thing in things) else set()
    kinds |= {"symptom"} if presumes else set()
    found = [entity for entity in find_entities(bare) if entity.kind in kinds and entity.relation != "may_contain"]
    named = [thing for thing in things if thing.named and thing.label != "过敏"]
    return tuple(
        entity
        for entity in found
        if not _POINTS_OUT.match(bare, entity.end) and not any(thing.asks.search(entity.surface) for thing in named)
    )


def _pairs(bare: str, pieces: Sequence[str]) -> frozenset[str]:
    """Neighbouring characters inside a piece, Latin words, numbers, and a light verb with its object (打雷)."""
    inside = {piece[i : i + 2] for piece in pieces for i in range(len(piece) - 1)}
    words = {piece for piece in pieces if piece.isascii() and len(piece) > 1}
    acts = {verb + piece[0] for piece in pieces for verb in _LIGHT_VERBS if verb + piece in bare}
    return frozenset(inside | words | acts)


def _form(bare: str, pieces: Sequence[str], things: Sequence[Thing]) -> Form:
    if asks_how_bad(bare) and not _MAY_HAVE.search(bare):
        return Form.ADVICE
    for form, pattern in _FORMS:
        if pattern.search(bare) and _is_really(form, bare, pieces, things):
            return form
    return Form.PLAIN


def _is_really(form: Form, bare: str, pieces: Sequence[str], things: Sequence[Thing]) -> bool:
    """剪指甲要注意啥 asks of nails, not of everything; 不能吃啥 asks for a list, not for leave to eat."""
    if form is Form.SUMMARY:
        return not any(thing.named for thing in things)
    if form is Form.OVERVIEW:
        return not things and all(piece in _OVERVIEW_WORDS for piece in pieces)
    return form is not Form.MAY_HAVE or any(
        _MAY_HAVE.search(clause) and not _OPEN.search(clause) for clause in _CLAUSE_END.split(bare)
    )
