"""Are the knowledge files sound? `check_knowledge` is what `pawsignal knowledge check` prints."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from domain.knowledge.allergens import load_allergens
from domain.knowledge.breeds import load_breeds
from domain.knowledge.conditions import load_conditions
from domain.knowledge.errors import KnowledgeError
from domain.knowledge.lexicon import load_food_index, load_index
from domain.knowledge.medications import load_medications
from domain.knowledge.other_species import load_other_species
from domain.knowledge.pet_cues import load_pet_cues
from domain.knowledge.question_cues import load_question_cues
from domain.knowledge.red_flags import load_red_flags
from domain.knowledge.symptoms import load_symptoms
from domain.knowledge.synonyms import load_synonyms
from domain.knowledge.topic_words import load_topics
from domain.knowledge.toxins import load_toxins
from domain.knowledge.vaccines import load_vaccines
from domain.knowledge.weight_changes import load_weight_rules

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """error: the service must not start with it; warning: a person should look at it."""

    severity: Severity
    file: str
    problem: str


def load_knowledge() -> None:
    """Read every file and build every index. Raises KnowledgeError with file and line of the first mistake."""
    for load in _LOADERS:
        load()


def check_knowledge() -> list[Finding]:
    """All findings, errors first. A file that cannot be read ends the check with that one error."""
    try:
        load_knowledge()
    except KnowledgeError as error:
        return [Finding("error", error.file, f"line {error.line}: {error.problem}")]
    found = [*_repeated_ids(), *_dangling_ids(), *_broken_patterns(), *_clashes()]
    return sorted(found, key=lambda finding: (finding.severity != "error", finding.file, finding.problem))


_LOADERS: tuple[Callable[[], object], ...] = (
    load_allergens,
    load_toxins,
    load_medications,
    load_vaccines,
    load_red_flags,
    load_symptoms,
    load_conditions,
    load_breeds,
    load_weight_rules,
    load_other_species,
    load_topics,
    load_index,
    load_food_index,
    load_synonyms,
    load_question_cues,
    load_pet_cues,
)


def _repeated_ids() -> Iterator[Finding]:
    listed: tuple[tuple[str, Iterable[str]], ...] = (
        ("allergens.yaml", (allergen.id for allergen in load_allergens().allergens)),
        ("toxins.yaml", (toxin.id for toxin in load_toxins().toxins)),
        ("redflags.yaml", (flag.id for flag in load_red_flags().flags)),
        ("symptoms.yaml", (symptom.id for symptom in load_symptoms())),
        ("vitals.yaml", (breed.id for breed in load_breeds().breeds)),
    )
    for file, ids in listed:
        seen: set[str] = set()
        for name in ids:
            if name in seen:
                yield Finding("error", file, f"the id {name} is used twice")
            seen.add(name)


def _dangling_ids() -> Iterator[Finding]:
    allergens = {allergen.id for allergen in load_allergens().allergens}
    for word, members in load_allergens().groups:
        for member in members:
            if member not in allergens:
                yield Finding("error", "allergens.yaml", f"the group {word} names {member}, which does not exist")
    sheet = load_medications()
    for allergen in load_allergens().allergens:
        for other, _ in allergen.cross_reactive:
            if other not in allergens:
                yield Finding("error", "allergens.yaml", f"{allergen.id} crosses with {other}, which does not exist")
    known = sheet.class_names.keys() | sheet.drugs.keys()
    for drug in sheet.drugs.values():
        if drug.allergy_class and drug.allergy_class not in allergens:
            yield Finding("error", "medications.yaml", f"{drug.id} names no allergen: {drug.allergy_class}")
        for name in sorted(sheet.cautions_of(drug) - sheet.condition_rules.keys()):
            yield Finding("error", "medications.yaml", f"{drug.id} has a caution without a rule: {name}")
        for name in drug.classes:
            if name not in sheet.class_names:
                yield Finding("error", "medications.yaml", f"{drug.id} is of an unknown class: {name}")
    for rule in sheet.interactions:
        for side in (rule.a, rule.b):
            if side not in known:
                yield Finding("error", "medications.yaml", f"an interaction names {side}, no class and no drug")


def _broken_patterns() -> Iterator[Finding]:
    for flag in load_red_flags().flags:
        pairs = (pattern for pair in flag.co_occur for pattern in pair)
        yield from _unreadable("redflags.yaml", flag.id, (*flag.patterns, *flag.veto, *pairs))
    for guard in load_red_flags().guards:
        yield from _unreadable("redflags.yaml", guard.id, (*guard.before, *guard.after, *guard.clause, *guard.message))
    words = load_toxins().exposure_words
    yield from _unreadable("toxins.yaml", "exposure", (*words.exposure, *words.not_exposure))


def _unreadable(file: str, name: str, patterns: Iterable[str]) -> Iterator[Finding]:
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            yield Finding("error", file, f"{name}: {pattern!r} is no regex ({error})")


def _clashes() -> Iterator[Finding]:
    """One word that names two things of one family; a brand and its own ingredient are the same thing."""
    products = load_medications().products
    for word, entries in load_index().words.items():
        named: dict[str, set[str]] = defaultdict(set)
        for entry in entries:
            if entry.kind != "trap" and entry.relation in {"name", "product"}:
                named[entry.family].add(entry.entity_id)
        for family, ids in named.items():
            ingredients = {drug for name in ids & products.keys() for drug in products[name].ingredients}
            if len(ids - ingredients) > 1:
                yield Finding("warning", family, f"{word} names {', '.join(sorted(ids))}")
