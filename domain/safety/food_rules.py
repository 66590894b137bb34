"""Food, plants and household things that a reply recommends: against allergies, poisons, conditions, other species."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Literal

from domain.knowledge.allergens import load_allergens
from domain.knowledge.conditions import load_conditions
from domain.knowledge.lexicon import find_entities
from domain.knowledge.other_species import Avoided, load_other_species
from domain.knowledge.toxins import Toxin, load_toxins
from domain.pet_profiles import SPECIES_LABELS
from domain.safety.denials import denials_in
from domain.safety.emergency_rules import sends_to_vet
from domain.safety.facts import AllergyFact, PetFacts, SafetyFacts
from domain.safety.findings import Finding
from domain.safety.reading import Mention, Reading
from domain.safety.stance import Clause, Stance, stance_on
from domain.triage import species_of
from memory.text_folding import fold_word

_VET_DIET = re.compile(r"处方|深度水解|医生|兽医")
_ON_THE_BODY = re.compile(
    r"喂|吃|喝|舔|涂|抹|擦|敷|滴|喷(?=[^,]{0,3}(?:背|身|毛|脖|耳|脚|它|点))|洗(?:澡|它|身|爪|脚|毛)|泡(?:澡|脚|爪)|浴|冲洗(?:伤|眼|耳)|灌|驱|止痒|给它"
)
_BY_CONTACT = frozenset({"household", "pesticide"})
_IN_THE_AIR = frozenset({"essential_oil", "tea_tree_oil", "mosquito_coil", "permethrin", "charcoal_grill"})
_GIVEN = re.compile(r"可以|给它|给他|喂|吃(?=点|一|两|半|些)|喝(?=点|一|些)|涂|灌")
_OUTWARDLY = re.compile(r"浸泡|泡|洗|冲|擦|敷")
_PASSED_BY_VETS = frozenset({"human_drug"})


_LABEL_CHECKED = re.compile(
    r"(?:看|翻|核对|确认|留意|注意|挑|选)[^,]{0,6}(?:配料|成分|标注|标签|不含)|不含|没有[^,]{1,8}的|配料表?(?:里)?(?:只有|干净|没有)"
)
_IS_MADE = re.compile(r"做|蒸|烤|煮|烘|自制|手工")
_LEFT_OUT = re.compile(r"(?:别|不要?|不能|无需|不用|避免|去掉)(?:再)?(?:用|放|加|掺|添|含|带)")
_KEPT_APART = re.compile(
    r"关[^,]{0,8}(?:房|门|笼|卧室)|隔离|通风|干透|晾干|(?:别|不要|不能)让[^,]{0,6}(?:舔|碰|进|靠近|踩)|[移挪抱]到|清水[^,]{0,4}[擦拖冲]|锁"
)


def find_food_risks(reading: Reading, facts: SafetyFacts) -> Iterator[Finding]:
    """Findings of all recommended things, for every pet that would get them."""
    told_to_go = sends_to_vet(reading)
    label_checked = _says(reading, _LABEL_CHECKED)
    kept_apart = _says(reading, _KEPT_APART)
    for mention in reading.recommended:
        if mention.match.relation == "may_contain" and label_checked:
            continue
        if _is_made_without(mention, reading):
            continue
        if kept_apart and _is_household(mention) and not _ON_THE_BODY.search(_sentence_of(reading, mention)):
            continue
        only_told = _tells_a_known_denial(mention, facts)
        for pet in mention.recipients:
            yield from () if only_told else _allergen_risk(mention, pet)
            if not told_to_go or _GIVEN.search(mention.clause.text):
                yield from _toxin_risk(mention, pet, reading)
            yield from _condition_risk(mention, pet)
    for pet in {pet.profile.id: pet for takers in reading.takers for pet in takers}.values():
        yield from _species_risk(reading, pet)
        yield from _unlisted_allergen_risk(reading, pet)


def _tells_a_known_denial(mention: Mention, facts: SafetyFacts) -> bool:
    """旺仔对鸡肉不过敏 in the words of a line at hand, with no advice behind it, proposes no chicken."""
    clause = mention.clause
    if mention.asked or "敏" not in clause.text:
        return False
    for denial in denials_in(facts.extra_support):
        begin = clause.text.find(denial)
        end = begin + len(denial)
        if begin >= 0 and begin <= mention.start - clause.start < end:
            return not any(start >= end for start, _, _ in clause.cues)
    return False


def _says(reading: Reading, words: re.Pattern[str]) -> bool:
    return any(words.search(clause.text) for clause in reading.clauses)


def _is_made_without(mention: Mention, reading: Reading) -> bool:
    """蒸个小蛋糕，别用面粉: the sentence itself takes the allergen out of what is to be made."""
    if mention.match.kind != "allergen" or mention.match.relation == "name" or not _IS_MADE.search(mention.clause.text):
        return False
    sentence = (clause for clause in reading.clauses if clause.sentence == mention.clause.sentence)
    without = (clause for clause in sentence if clause is not mention.clause and _LEFT_OUT.search(clause.text))
    return any(
        other.kind == "allergen" and other.entity_id == mention.match.entity_id
        for clause in without
        for other in find_entities(clause.text)
    )


def _is_household(mention: Mention) -> bool:
    return mention.match.kind == "toxin" and _toxins()[mention.match.entity_id].category in _BY_CONTACT


def _allergen_risk(mention: Mention, pet: PetFacts) -> Iterator[Finding]:
    match = mention.match
    if match.kind != "allergen" or "过敏" in match.surface:
        return
    allergy = next((fact for fact in pet.allergies if match.entity_id in fact.allergens), None)
    if allergy is None:
        return
    is_drug = _allergen_categories().get(match.entity_id) == "drug"
    if match.relation == "vet_diet_only" and _VET_DIET.search(mention.clause.text):
        return
    if match.relation == "may_contain" and is_drug:
        return
    if mention.vet_decides and (is_drug or match.relation in {"may_contain", "vet_diet_only"}):
        return
    is_around = _allergen_categories().get(match.entity_id) == "environment" and match.relation == "may_contain"
    level: Literal["warn", "block"] = "warn" if is_around else "block"
    if match.relation == "caution_ask_vet":
        if mention.vet_decides or is_drug:
            return
        level = "warn"
    yield Finding("allergen", _allergy_words(pet, mention, allergy), mention.start, mention.end, level)


def _allergy_words(pet: PetFacts, mention: Mention, allergy: AllergyFact) -> str:
    known = "可能对" if allergy.provisional else "对"
    substance, surface = mention.match.canonical_zh, mention.match.surface
    said = f"{pet.profile.name}{known}{substance}过敏"
    if surface in substance:
        return said
    return f"{said}，{surface}{'可能含' if mention.match.relation == 'may_contain' else '含'}{substance}"


def _toxin_risk(mention: Mention, pet: PetFacts, reading: Reading) -> Iterator[Finding]:
    if mention.match.kind != "toxin":
        return
    toxin = _toxins()[mention.match.entity_id]
    species = species_of(pet.profile)
    danger = toxin.danger_for(species)
    mild = danger.severity in {"low", "unknown", "none"}
    if danger.action == "monitor" or (
        mild and (toxin.category == "household" or mention.match.relation == "may_contain")
    ):
        return
    if toxin.id == "salt" and _OUTWARDLY.search(mention.clause.text):
        return
    if (
        not _reaches_the_pet(toxin, mention, reading)
        or _is_exempt(toxin, mention, species)
        or _is_pet_product(mention, species)
    ):
        return
    on_record = mention.match.surface in pet.products and danger.severity != "lethal"
    if toxin.category in _PASSED_BY_VETS and (mention.vet_decides or on_record):
        return
    kind = SPECIES_LABELS.get(pet.profile.species, "宠物")
    says = "可能含" if mention.match.relation == "may_contain" else "就是"
    name = (
        toxin.name_zh if mention.match.surface in toxin.name_zh else f"{mention.match.surface}（{says}{toxin.name_zh}）"
    )
    yield Finding("toxin", f"{name}对{kind}有毒", mention.start, mention.end)


def _reaches_the_pet(toxin: Toxin, mention: Mention, reading: Reading) -> bool:
    """Cleaning the floor with bleach is no poisoning; rubbing it on the coat is."""
    if toxin.category not in _BY_CONTACT or toxin.id in _IN_THE_AIR:
        return True
    if toxin.category == "pesticide" and any(danger.severity == "lethal" for danger in toxin.danger.values()):
        return True
    return bool(_ON_THE_BODY.search(_sentence_of(reading, mention)))


def _sentence_of(reading: Reading, mention: Mention) -> str:
    """The sentence of the reply, and the question where the thing was named only there."""
    told = ",".join(
        clause.text
        for clause in reading.clauses
        if clause.sentence == mention.clause.sentence and not _KEPT_APART.search(clause.text)
    )
    return f"{told},{reading.question}" if mention.asked else told


def _is_pet_product(mention: Mention, species: str) -> bool:
    """宠物专用驱蚊喷雾 is made for pets; 狗用滴剂 is not made for a cat."""
    before = mention.clause.text[: max(0, mention.start - mention.clause.start)] if not mention.asked else ""
    made_for = {"dog": "狗狗?|犬", "cat": "猫咪?"}.get(species, "兔")
    return bool(re.search(rf"(?:宠物|{made_for})(?:专用|用)?的?$", before))


def _is_exempt(toxin: Toxin, mention: Mention, species: str) -> bool:
    return any(
        fold_word(item.term) == fold_word(mention.match.surface) and item.species == species for item in toxin.exempt
    )


def _condition_risk(mention: Mention, pet: PetFacts) -> Iterator[Finding]:
    sheet = load_conditions()
    match = mention.match
    for name in sorted(pet.conditions | _conditions_of_diets(pet)):
        condition = sheet.conditions[name]
        avoids = match.kind == "food_group" and match.entity_id in condition.avoid
        new_food = (
            name == "elimination_trial" and match.kind in {"allergen", "food"} and match.relation != "vet_diet_only"
        )
        if (avoids or new_food) and not mention.vet_decides:
            risk = f"{pet.profile.name}有{condition.name_zh}，{condition.why}，{match.surface}不合适"
            yield Finding("diet_condition", risk, mention.start, mention.end)


def _conditions_of_diets(pet: PetFacts) -> frozenset[str]:
    """A hydrolysed diet under way stands for a food trial, even where nobody wrote so."""
    return frozenset({"elimination_trial"}) if "hydrolyzed" in pet.diets else frozenset()


def _species_risk(reading: Reading, pet: PetFacts) -> Iterator[Finding]:
    """What rabbits, rodents and birds must not get is looked for by its own words, outside clauses that warn."""
    for avoided in avoided_by(species_of(pet.profile)):
        for clause, start, term in _recommended_words(reading, avoided.terms):
            yield Finding("toxin", f"{term}：{avoided.why}", clause.start + start, clause.start + start + len(term))
        for mention in reading.recommended:
            if mention.asked and mention.match.surface in avoided.terms:
                yield Finding("toxin", f"{mention.match.surface}：{avoided.why}", mention.start, mention.end)


def _recommended_words(reading: Reading, words: Iterable[str]) -> Iterator[tuple[Clause, int, str]]:
    for clause in reading.clauses:
        if clause.verdict is not Stance.WARNS:
            for word in words:
                start = clause.text.find(fold_word(word))
                if start >= 0 and stance_on(clause, start, start + len(word)) is Stance.RECOMMENDS:
                    yield clause, start, word


def _unlisted_allergen_risk(reading: Reading, pet: PetFacts) -> Iterator[Finding]:
    """A substance that the sheet does not know is looked for by its own word, outside clauses that warn."""
    words = sorted({word for fact in pet.allergies for word in fact.words if len(word) > 1})
    for clause, start, word in _recommended_words(reading, words):
        begin = clause.start + start
        yield Finding("allergen", f"{pet.profile.name}对{word}过敏", begin, begin + len(word))


@cache
def _toxins() -> Mapping[str, Toxin]:
    return {toxin.id: toxin for toxin in load_toxins().toxins}


@cache
def _allergen_categories() -> Mapping[str, str]:
    return {allergen.id: allergen.category for allergen in load_allergens().allergens}


def avoided_by(species: str) -> tuple[Avoided, ...]:
    """What a species other than dog and cat must not get."""
    return load_other_species().get(species, ())
