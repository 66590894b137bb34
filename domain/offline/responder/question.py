"""A question with all that its answer may use, and what every kind of answer asks of it."""

from dataclasses import dataclass

from domain.offline.responder.lines import Line
from domain.offline.responder.reading import Asked
from domain.offline.responder.relevance import answering, near_the_best, related
from domain.offline.responder.wishes import Wishes
from domain.offline.responder.wording import cut_words, joined
from domain.pet_profiles import PetProfile
from domain.turn_context import TurnContext
from memory.text_folding import fold_text
from memory.vocabulary import OWNER_SUBJECT

LONGEST_PHRASE = 12  # characters of the owner's words named as missing

MOST_RELATED = 2  # lines told when none answers outright


@dataclass(frozen=True, slots=True)
class Question:
    """A question with all that its answer may use."""

    asked: Asked
    context: TurnContext
    lines: tuple[Line, ...]
    wishes: Wishes

    @property
    def pets(self) -> tuple[PetProfile, ...]:
        return self.context.subjects

    def lines_about(self, subject: str) -> list[Line]:
        return [line for line in self.lines if line.subject == subject]


def whose(question: Question) -> str:
    return "" if question.context.about_owner else joined((pet.name for pet in question.pets), "、")


def related_lines(question: Question) -> list[Line]:
    """What recall thought nearest and touches the question; nothing is told only because something was recalled."""
    meant = OWNER_SUBJECT if question.context.about_owner else None
    near = related(question.asked, question.lines)
    return [line for line in near if meant is None or line.subject == meant][:MOST_RELATED]


def best_lines(question: Question, at_most: int) -> list[Line]:
    found = answering(question.asked, question.lines)
    return near_the_best(found, at_most) if found else []


def label_of(asked: Asked) -> str:
    """What is asked about, in one word: the narrowest named thing, else the first."""
    named = [thing for thing in asked.things if thing.named] or list(asked.things)
    if not named:
        return cut_words(asked.phrase, LONGEST_PHRASE)
    thing = named[0]
    match = thing.asks.search(fold_text(asked.text)) if thing.label == "多联疫苗" else None
    return f"{match[0]}疫苗" if match else thing.label
