"""What an owner's message asks: its form (when, next, how often, which pet, may it eat, …), its things, its own words.

Read by question type, never by sentence: a form is a pattern of question words, a thing is a row of `things`, and
what is left after names and question words are taken out are the words a line must share to be an answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from domain.offline.responder.tables import any_of, read_table
from domain.offline.responder.things import Thing, things_asked
from domain.pet_profiles import PetProfile
from memory.text_folding import fold_text


class Form(StrEnum):
    """The type of a question; PLAIN is any other (what, whether, how much)."""

    OVERVIEW = "overview"
    RECAP = "recap"  # what did we talk about
    MAY_HAVE = "may_have"  # may it eat, drink, be given
    WHICH_PET = "which_pet"
    NEXT = "next"
    WHEN = "when"
    HOW_OFTEN = "how_often"
    ADVICE = "advice"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read. `pairs` and `singles`: two-character words and telling characters a line may share.

    phrase: what is asked about, in the owner's words, "" when nothing but question words was said.
    presumes: it takes for granted that something was (上次…, 什么时候…的).
    """

    text: str
    form: Form
    things: tuple[Thing, ...]
    pairs: frozenset[str]
    singles: frozenset[str]
    phrase: str
    presumes: bool = False
    medical: bool = False


_TABLE = read_table("reading")
_QUESTION, _NO_QUESTION = any_of(_TABLE["question"]), any_of(_TABLE["no_question"])
_PRESUMES, _MEDICAL = any_of(_TABLE["presumes"]), any_of(_TABLE["medical"])
_FORMS = tuple((Form(name), any_of(patterns)) for name, patterns in _TABLE["forms"].items())
_EMPTY = any_of(sorted(map(re.escape, _TABLE["empty_words"]), key=lambda word: -len(word)))
_OVERVIEW_WORDS = frozenset(_TABLE["overview_words"])
_WORD_PARTS = re.compile(r"[\u3400-\u9fff]+|[a-z0-9.]+")
_TELLING = re.compile(r"[\u3400-\u9fff]")


def is_question(text: str) -> bool:
    """Whether the message, or its last part, asks something."""
    folded = fold_text(text).strip()
    return any(
        _QUESTION.search(part) and not (_NO_QUESTION.search(part) and not re.search(r"[?？]", part))
        for part in re.split(r"[。!;；\n]|(?<=[?？])|[,，]", folded)
        if part
    )


def read_question(text: str, pets: Sequence[PetProfile]) -> Asked:
    """Read the question in `text`; `pets` are those whose names are no words of the question."""
    folded = re.sub(r"\s+", ",", fold_text(text).strip()).replace("，", ",")
    bare = _without_names(folded, pets)
    pieces = [piece for part in _WORD_PARTS.findall(bare) for piece in _EMPTY.split(part) if piece]
    things = things_asked(bare)
    return Asked(
        text=text,
        form=_form(bare, pieces, things),
        things=things,
        pairs=_pairs(bare, pieces),
        singles=frozenset(character for piece in pieces for character in _TELLING.findall(piece)),
        phrase="".join(pieces),
        presumes=bool(_PRESUMES.search(bare)),
        medical=bool(_MEDICAL.search(bare)),
    )


def _without_names(folded: str, pets: Sequence[PetProfile]) -> str:
    names = sorted({fold_text(name) for pet in pets for name in (pet.name, *pet.nicknames) if name}, key=len)
    for name in reversed(names):
        folded = folded.replace(name, "它")
    return folded


def _pairs(bare: str, pieces: Sequence[str]) -> frozenset[str]:
    """Neighbouring characters inside a piece, whole Latin words and numbers, and pairs a small verb is part of."""
    inside = {piece[i : i + 2] for piece in pieces for i in range(len(piece) - 1)}
    words = {piece for piece in pieces if piece.isascii() and len(piece) > 1}
    return frozenset(inside | words)


def _form(bare: str, pieces: Sequence[str], things: Sequence[Thing]) -> Form:
    for form, pattern in _FORMS:
        if pattern.search(bare) and not (form is Form.OVERVIEW and _asks_of_something(pieces, things)):
            return form
    return Form.PLAIN


def _asks_of_something(pieces: Sequence[str], things: Sequence[Thing]) -> bool:
    """剪指甲要注意啥 asks of nails; 最近要注意啥 asks of everything."""
    return bool(things) or any(piece not in _OVERVIEW_WORDS and len(piece) > 1 for piece in pieces)
