"""Which of the known lines answer a question: by the thing it asks about, then by the words it shares."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from domain.attributes import spec_of
from domain.knowledge.lexicon import find_entities
from domain.knowledge.question_cues import load_question_cues
from domain.knowledge.synonyms import other_words
from domain.offline.responder.lines import Line
from domain.offline.responder.reading import Asked
from domain.offline.responder.things import Thing
from memory.text_folding import fold_text

ABOUT_THE_THING = 2.0  # points for a line about a named thing; as much as two shared words
FILLS_THE_SLOT = 1.2  # for a line of the class that a loose thing (用药, 症状) stands for: an answer
SOUNDS_LIKE_IT = 0.8  # for words of a loose thing alone: not yet an answer
ASKED_CLASS = 0.4  # for a line of the class that the wording asks for
SHARED_PAIR = 1.0  # a shared two-character word
OTHER_WORD = 0.7  # a word that means the same
ASKED_BACK = 1.2  # for a line whose whole wording the question repeats
SHORTEST_SAID = 3  # characters of such a wording
SHARED_SINGLE = 0.4  # a shared telling character: three of them are worth a word
SAME_ENTITY = 1.2  # the same allergen, symptom, drug or disease in other words
RECALLED_FIRST = (0.3, 0.2, 0.1)  # what recall put first is likelier meant; decides between equals
RELATED = 0.7  # from here on a line that does not answer has something to do with the question
AN_ANSWER = 1.0  # from here on a line answers
NEAR_THE_BEST = 0.7  # a further line is told only when it has this share of the best one's points

_SYMPTOMATIC = frozenset({"symptom", "condition", "drug", "allergen", "dewormer", "vaccine", "toxin"})


@dataclass(frozen=True, slots=True)
class Scored:
    """`shares`: the line has a word of the question, or names the same thing in other words."""

    line: Line
    points: float
    shares: bool = False


def about(thing: Thing, line: Line) -> bool:
    """Whether a line is about a thing: it fills one of its slots, or its words say so."""
    return line.attribute in thing.slots or line.slot in thing.slots or bool(thing.says.search(fold_text(line.text)))


def answering(asked: Asked, lines: Sequence[Line]) -> list[Scored]:
    """The lines that answer, best first; [] when none does. Named things that no line is about are not answered."""
    reader = _Reader(asked)
    named = [thing for thing in asked.things if thing.named]
    found: list[Scored] = []
    recalled = 0
    for line in lines:
        points, shares = reader.points(line)
        if points >= AN_ANSWER and (not named or any(about(thing, line) for thing in named)):
            found.append(Scored(line, points + _first_bonus(recalled, line), shares))
        recalled += line.recalled
    return _newest_readings_first(sorted(_of_the_head(asked, found), key=lambda item: -item.points))


def _newest_readings_first(scored: list[Scored]) -> list[Scored]:
    """体温40.3 before the 体温39.2 of this morning: of several readings of one thing the newest is asked for."""
    ordered = list(scored)
    for slot in {item.line.attribute for item in scored if item.line.slot == "lab"}:
        places = [place for place, item in enumerate(scored) if item.line.attribute == slot]
        newest = sorted((scored[place] for place in places), key=_told_at, reverse=True)
        for place, item in zip(places, newest, strict=True):
            ordered[place] = item
    return ordered


def _told_at(item: Scored) -> tuple[date, str]:
    """The day it was measured; ids of one day are in the order in which they were written."""
    return item.line.on.day if item.line.on else date.min, item.line.memory_id


def related(asked: Asked, lines: Sequence[Line]) -> list[Line]:
    """Recalled lines that at least touch the question by a word, a name in other words, or two telling characters."""
    reader = _Reader(asked)
    return [line for line in lines if line.recalled and reader.points(line)[0] >= RELATED]


def _of_the_head(asked: Asked, found: list[Scored]) -> list[Scored]:
    """打喷嚏那次吃的什么药 asks for a drug: where drugs are known, lines about sneezing are no answer."""
    folded = fold_text(asked.text)
    slots = {slot for thing in asked.things if thing.head.search(folded) for slot in thing.slots}
    filling = [item for item in found if item.line.attribute in slots or item.line.slot in slots]
    return filling or found


def near_the_best(scored: Sequence[Scored], at_most: int) -> list[Line]:
    """The best line and those close to it; beside a line in the owner's words only others in those words."""
    best = scored[0]
    near = [item for item in scored if item.points >= NEAR_THE_BEST * best.points and item.shares >= best.shares]
    return [item.line for item in near][:at_most]


def entities_in(text: str, names: tuple[str, ...] = ()) -> frozenset[str]:
    """Ids of the allergens, symptoms, drugs, diseases, vaccines and poisons that a text names."""
    return _entities(text, names)


def unknown_names(asked: Asked, lines: Sequence[Line]) -> tuple[str, ...]:
    """What the question calls by name and no line knows, in the owner's words."""
    unknown = [
        entity.surface.removesuffix("过敏")
        for entity in asked.specific
        if not any(
            entity.entity_id in _entities(line.text, asked.names)
            or any(word in fold_text(line.text) for word in (entity.surface, *other_words(entity.surface)))
            for line in lines
        )
    ]
    return tuple(dict.fromkeys(unknown))


class _Reader:
    """One question, ready to be held against many lines."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.entities = _entities(asked.words, asked.names) if asked.words else frozenset()
        self.folded = folded = fold_text(asked.text)
        self.classes = {intent.attribute_class for intent in load_question_cues().intents if intent.asks.search(folded)}
        self.other_words = [word for word in other_words(asked.words) if len(word) > 1]

    def points(self, line: Line) -> tuple[float, bool]:
        """What a line is worth, and whether it shares words with the question."""
        folded = fold_text(line.text)
        points = sum(_thing_points(thing, line, folded) for thing in self.asked.things)
        points += ASKED_CLASS * (spec_of(line.attribute).attribute_class in self.classes)
        shared = [pair for pair in self.asked.pairs if pair in folded]
        points += SHARED_PAIR * len(shared)
        singles = SHARED_SINGLE * sum(single in folded for single in self.asked.singles - set("".join(shared)))
        if shared:
            return points + singles, True
        if self._is_asked_back(folded):
            return points + ASKED_BACK, True
        alike = any(word in folded for word in self.other_words)
        same = bool(self.entities) and bool(self.entities & _entities(line.text, self.asked.names))
        return points + max(singles, OTHER_WORD * alike, SAME_ENTITY * same), alike or same

    def _is_asked_back(self, folded: str) -> bool:
        """会坐下吗 asks 豆豆会坐下 back, word for word, however common its words are."""
        said = folded
        for name in self.asked.names:
            said = said.removeprefix(name)
        return len(said) >= SHORTEST_SAID and said in self.folded


def _thing_points(thing: Thing, line: Line, folded: str) -> float:
    fills = line.attribute in thing.slots or line.slot in thing.slots
    says = bool(thing.says.search(folded))
    if thing.named:
        return ABOUT_THE_THING * (fills or says)
    return FILLS_THE_SLOT if fills else SOUNDS_LIKE_IT * says


def _first_bonus(place: int, line: Line) -> float:
    return RECALLED_FIRST[place] if line.recalled and place < len(RECALLED_FIRST) else 0.0


@lru_cache(maxsize=4096)
def _entities(text: str, names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(entity.entity_id for entity in find_entities(text, names) if entity.kind in _SYMPTOMATIC)
