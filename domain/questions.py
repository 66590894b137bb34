"""Read a question: the words to search, what is asked for, and whether it looks across pets. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from domain.dates import question_period
from domain.knowledge.pet_cues import load_pet_cues
from domain.knowledge.question_cues import load_question_cues
from domain.knowledge.synonyms import other_words, single_words
from memory.fulltext import query_tokens
from memory.ranking import Wanted
from memory.text_folding import fold_text

SYNONYM_WEIGHT = 0.5  # of the owner's own word
POINTING_WORD_WEIGHT = 0.3  # of 老大: it says who is asked about, and stands in the line that tells who that is
SINGLE_WORD_WEIGHT = 0.5  # of 药 or 咳, which are words though they are one character


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """A question, read. `words` are search tokens with weights; `looks_across`: which of the pets is asked."""

    text: str
    words: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    wanted: Wanted = field(default_factory=Wanted)
    looks_across: bool = False


def read_question(text: str, now: datetime, names: Collection[str] = ()) -> QuestionReading:
    """What `text` asks for; `now` is aware, in the owner's time zone. names: of the pets and the owner."""
    folded = fold_text(text)
    cues = load_question_cues()
    asked = [intent for intent in cues.intents if intent.asks.search(folded)]
    share = 1.0
    wanted = Wanted(
        classes={intent.attribute_class.value: share for intent in asked},
        topics={topic.value: share for intent in asked for topic in intent.topics},
        known_subject=bool(cues.points.search(folded)) or any(fold_text(name) in folded for name in names),
        period=question_period(text, now),
        trend=bool(cues.trend.search(folded)),
        past=bool(cues.past.search(folded)),
        many=len(cues.asks.findall(folded)) > 1 or bool(cues.many.search(folded)),
    )
    return QuestionReading(text, search_words(text), wanted, bool(cues.which_one.search(folded)))


def search_words(text: str) -> dict[str, float]:
    """Tokens of the question, and at lower weight those of words that mean the same."""
    words = query_tokens(text)
    words |= {token: SINGLE_WORD_WEIGHT for token in words if token in single_words()}
    words |= {token: POINTING_WORD_WEIGHT for token in words if token in load_pet_cues().birth_order}
    for word in other_words(text):
        for token, weight in query_tokens(word).items():
            if len(token) > 1 or token == word:
                words.setdefault(token, SYNONYM_WEIGHT * weight)
    return words
