"""Read free lines of memory into safety facts ("雪球吃牛奶就拉稀", kind allergy), where no records are at hand."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from domain.knowledge.allergens import load_allergens
from domain.knowledge.conditions import load_conditions
from domain.knowledge.lexicon import EntityMatch, find_entities
from domain.knowledge.medications import load_medications
from domain.pet_profiles import PetProfile
from domain.safety.facts import AllergyFact, PetFacts, SafetyFacts
from memory.text_folding import fold_text


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """subject: the pet's name or id; kind: an attribute class (`memory.vocabulary.AttributeClass`)."""

    subject: str
    kind: str
    text: str


_CLAUSES = re.compile(r"[,，。;；!！?？\n]+|但是|但|不过(?!敏)")
_NOT_ALLERGIC = re.compile(
    r"不(?:再)?过敏|没(?:有)?过敏|排除了?|没(?:有)?反应|没事|没问题|耐受(?<!不耐受)|阴性|脱敏|可以吃|能吃(?<!不能吃)|正常"
)
_RULED_OUT_BEFORE = re.compile(r"排除了?|不是|并非")
_ALLERGIC = re.compile(
    r"过敏|不耐受|起疹|脸肿|红疹|不能吃|吃不了|(?:吃|喝|碰|打)[^,]{0,8}(?:就|会|后|完)(?:吐|拉|痒|肿|软便|起|红|流泪)"
)
_DOUBT = re.compile(r"怀疑|疑似|可能|好像|似乎|也许|待确认|不确定|听说|说不定")
_STOPPED = re.compile(
    r"已?停(?:药|用|了|掉)|停服|不再(?:吃|用|打)|吃完了|用完了|结束|疗程结束|(?:以前|之前|去年|前年|曾经)[^,]{0,8}(?:吃过|用过|打过)"
)
_OVER = re.compile(
    r"(?:已经?|早)?(?:痊愈|治好|好了|康复|没有了|治愈)|没有[^,]{0,4}(?:病|炎|衰)|排除(?!试验|性|饮食|法)|不是|阴性"
)
_DIET_KINDS = frozenset({"diet_preference", "diet"})
_DRUG_KINDS = frozenset({"medication", "deworming"})
_AGE = re.compile(r"(\d+|[一二两三四五六七八九十]+)(?:个[半多]?月大?|个?月龄|月大)(?!份|初|底|中|号)")
_YOUNG = re.compile(r"幼猫|幼犬|奶猫|奶狗|小奶|未成年|没断奶")
_NUMERALS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
YOUNG_AGE_MONTHS = 4  # what "幼猫" is taken for when no age is said
ADULT_MONTHS = 12
MONTH_DAYS = 30


def facts_from_lines(
    lines: Sequence[MemoryLine],
    pets: Sequence[PetProfile],
    about: Sequence[str] = (),
    today: date | None = None,
) -> SafetyFacts:
    """The facts that the lines hold for each pet. about: ids of the pets the talk is about."""
    return SafetyFacts(
        pets=tuple(
            _facts_of(pet, [line for line in lines if line.subject in {pet.id, pet.name}], today) for pet in pets
        ),
        about=frozenset(about),
        extra_support=tuple(line.text for line in lines),
    )


def _facts_of(pet: PetProfile, lines: Sequence[MemoryLine], today: date | None) -> PetFacts:
    names = (pet.name, *pet.nicknames)
    told = [(line, find_entities(line.text, names)) for line in lines]
    conditions = frozenset(_conditions(told))
    age = _age_months(pet, lines, today)
    return PetFacts(
        profile=pet,
        allergies=tuple(_allergies(told)),
        conditions=conditions,
        cautions=cautions_of(conditions, (line.text for line in lines), pet, age),
        drugs=frozenset(_drugs(told)),
        products=tuple(
            match.surface
            for line, found in told
            if _is_drug_line(line)
            for match in found
            if match.kind in {"drug", "dewormer"}
        ),
        diets=frozenset(
            match.entity_id
            for line, found in told
            for match in found
            if match.kind == "diet" and not _STOPPED.search(line.text)
        ),
        foods=frozenset(_foods(told)),
        lines=tuple(line.text for line in lines),
        age_months=age,
    )


def _allergies(told: Sequence[tuple[MemoryLine, Sequence[EntityMatch]]]) -> Iterator[AllergyFact]:
    cleared = {
        match.entity_id
        for line, found in told
        for match in found
        if match.kind == "allergen" and _is_cleared(line.text, match)
    }
    for line, found in told:
        folded = fold_text(line.text)
        if line.kind != "allergy" and not ("过敏" in folded or "不耐受" in folded):
            continue
        allergens = frozenset(
            match.entity_id
            for match in found
            if match.kind == "allergen" and match.relation != "may_contain" and match.entity_id not in cleared
        ) - _reaction_words(folded, found)
        words = () if allergens or cleared else tuple(_substances(folded))
        if allergens or words:
            yield AllergyFact(allergens, words, provisional=bool(_DOUBT.search(folded)))


def _reaction_words(folded: str, found: Sequence[EntityMatch]) -> frozenset[str]:
    """What to leave out: a reaction to a vaccine is named by a vaccine, 过敏 by itself names nothing."""
    is_of_vaccine = "疫苗" in folded or any(match.kind == "vaccine" for match in found)
    return frozenset() if is_of_vaccine else frozenset({"vaccine_reaction"})


def _substances(folded: str) -> Iterator[str]:
    for found in re.finditer(r"对([^,。的]{1,8}?)(?:过敏|不耐受)|([^,。对的]{1,6}?)过敏", folded):
        yield found.group(1) or found.group(2)


def _is_cleared(text: str, match: EntityMatch) -> bool:
    folded = fold_text(text)
    start, end = _clause_around(folded, match.start)
    clause = folded[start:end]
    after = folded[match.end : end]
    before = folded[start : match.start]
    if _RULED_OUT_BEFORE.search(before):
        return True
    return bool(_NOT_ALLERGIC.search(after) or re.search(r"不过敏|没有?过敏", clause)) and not _ALLERGIC_AFTER.search(
        after
    )


_ALLERGIC_AFTER = re.compile(r"(?<!不)(?<!没)(?<!有)过敏")


def _clause_around(folded: str, position: int) -> tuple[int, int]:
    start = 0
    for found in _CLAUSES.finditer(folded):
        if found.start() >= position:
            return start, found.start()
        start = found.end()
    return start, len(folded)


def _conditions(told: Sequence[tuple[MemoryLine, Sequence[EntityMatch]]]) -> Iterator[str]:
    for line, found in told:
        folded = fold_text(line.text)
        for match in found:
            if match.kind == "condition":
                start, end = _clause_around(folded, match.start)
                if not _OVER.search(folded[start:end]) and not _is_finished_trial(match, folded[start:end]):
                    yield match.entity_id


def _is_finished_trial(match: EntityMatch, clause: str) -> bool:
    return match.entity_id == "elimination_trial" and bool(re.search(r"做过|做了|做完|结束|完成|查过", clause))


def cautions_of(
    conditions: frozenset[str], texts: Iterator[str] | Sequence[str], pet: PetProfile, age_months: int | None
) -> frozenset[str]:
    """Ids of the drug rules that hold for a pet: from its conditions, from the words of its lines, from its age."""
    known = load_conditions().conditions
    cautions = {rule for name in conditions for rule in known[name].drug_rules}
    folded = "\n".join(fold_text(text) for text in texts)
    cautions |= {rule_id for rule_id, aliases in _rule_words() if any(alias in folded for alias in aliases)}
    if age_months is not None and age_months < ADULT_MONTHS:
        cautions |= {"growing_animal", "puppy_under_12m"}
        cautions |= {"puppy_kitten_under_12w"} if age_months < 3 else set()
        cautions |= {"puppy_kitten_under_6w"} if age_months < 2 else set()
    elif age_months is not None:
        cautions -= {"growing_animal", "puppy_under_12m", "puppy_kitten_under_6w", "puppy_kitten_under_12w"}
    return frozenset(cautions)


@cache
def _rule_words() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The drug rules with the words that name their conditions, folded once."""
    rules = load_medications().condition_rules.values()
    return tuple((rule.id, tuple(fold_text(alias) for alias in rule.aliases)) for rule in rules)


def _is_drug_line(line: MemoryLine) -> bool:
    return line.kind in _DRUG_KINDS and not _STOPPED.search(fold_text(line.text))


def _drugs(told: Sequence[tuple[MemoryLine, Sequence[EntityMatch]]]) -> Iterator[str]:
    for line, found in told:
        if _is_drug_line(line):
            for match in found:
                yield from ingredients_of(match)


def ingredients_of(match: EntityMatch) -> tuple[str, ...]:
    """The drug ids that a named drug, product or class stands for (a class stands for itself: `class:<id>`)."""
    sheet = load_medications()
    if match.entity_id in sheet.products:
        return sheet.products[match.entity_id].ingredients
    if match.kind == "drug_class":
        return (f"class:{match.entity_id}",)
    return (match.entity_id,) if match.entity_id in sheet.drugs else ()


def _foods(told: Sequence[tuple[MemoryLine, Sequence[EntityMatch]]]) -> Iterator[str]:
    foods = {allergen.id for allergen in load_allergens().allergens if allergen.category == "food"}
    for line, found in told:
        if line.kind in _DIET_KINDS:
            yield from (match.entity_id for match in found if match.kind == "allergen" and match.entity_id in foods)


def _age_months(pet: PetProfile, lines: Sequence[MemoryLine], today: date | None) -> int | None:
    if pet.born_on and today:
        return max(0, (today - pet.born_on).days // MONTH_DAYS)
    for line in lines:
        folded = fold_text(line.text)
        if found := _AGE.search(folded):
            return _number(found.group(1))
        if _YOUNG.search(folded):
            return YOUNG_AGE_MONTHS
    return None


def _number(said: str) -> int:
    if said.isdigit():
        return int(said)
    return sum(_NUMERALS.get(character, 0) for character in said)
