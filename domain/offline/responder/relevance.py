"""Which of the known lines answer a question: by the thing it asks about, then by the words it shares."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from domain.knowledge.lexicon import find_entities
from domain.offline.responder.lines import Line
from domain.offline.responder.reading import Asked
from domain.offline.responder.things import Thing
from memory.text_folding import fold_text

ABOUT_THE_THING = 2.0  # points for a line that is about the thing asked; more than two shared words
SHARED_PAIR = 1.0  # a shared two-character word
SHARED_SINGLE = 0.4  # a shared telling character: three of them are worth a word
SAME_ENTITY = 1.2  # the same allergen, symptom, drug or disease in other words
AN_ANSWER = 1.0  # from here on a line answers
NEAR_THE_BEST = 0.5  # a further line is told only when it has this share of the best one's points

_SYMPTOMATIC = frozenset({"symptom", "condition", "drug", "allergen", "dewormer", "vaccine", "toxin"})


@dataclass(frozen=True, slots=True)
class Scored:
    line: Line
    points: float


def about(thing: Thing, line: Line) -> bool:
    """Whether a line is about a thing: it fills one of its slots, or its words say so."""
    return line.attribute in thing.slots or line.slot in thing.slots or bool(thing.says.search(fold_text(line.text)))


def answering(asked: Asked, lines: Sequence[Line]) -> list[Scored]:
    """The lines that answer, best first; [] when none does. Named things that no line is about are not answered."""
    entities = _entities(asked.phrase) if asked.phrase else frozenset()
    scored = [Scored(line, _points(asked, entities, line)) for line in lines]
    named = [thing for thing in asked.things if thing.named]
    found = [
        item
        for item in scored
        if item.points >= AN_ANSWER and (not named or any(about(thing, item.line) for thing in named))
    ]
    return sorted(found, key=lambda item: -item.points)


def near_the_best(scored: Sequence[Scored], at_most: int) -> list[Line]:
    """The best line and those close to it."""
    return [item.line for item in scored if item.points >= NEAR_THE_BEST * scored[0].points][:at_most]


def shared_entities(text: str, line: Line) -> frozenset[str]:
    """Ids of what both name: allergens, symptoms, drugs, diseases."""
    return _entities(text) & _entities(line.text)


def _points(asked: Asked, entities: frozenset[str], line: Line) -> float:
    folded = fold_text(line.text)
    points = sum(ABOUT_THE_THING for thing in asked.things if about(thing, line))
    shared = [pair for pair in asked.pairs if pair in folded]
    points += SHARED_PAIR * len(shared)
    covered = set("".join(shared))
    points += SHARED_SINGLE * sum(single in folded for single in asked.singles - covered)
    if entities and not shared:
        points += SAME_ENTITY * len(entities & _entities(line.text))
    return points


@lru_cache(maxsize=4096)
def _entities(text: str) -> frozenset[str]:
    return frozenset(entity.entity_id for entity in find_entities(text) if entity.kind in _SYMPTOMATIC)
