"""Drugs that a reply recommends, changes or stops: against species, breed, condition, other drugs; or without a vet."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from domain.knowledge.breeds import load_breeds
from domain.knowledge.lexicon import find_entities
from domain.knowledge.medications import Drug, Interaction, load_medications
from domain.pet_profiles import SPECIES_LABELS
from domain.safety.claim_rules import is_told
from domain.safety.emergency_rules import sends_to_vet
from domain.safety.facts import PetFacts, SafetyFacts
from domain.safety.findings import Finding
from domain.safety.memory_lines import ingredients_of
from domain.safety.reading import Mention, Reading, sentence_text
from domain.safety.stance import Clause
from domain.triage import species_of
from memory.text_folding import fold_text, fold_word

DRUG_KINDS = frozenset({"drug", "drug_class", "dewormer"})
_AMOUNT = r"(?:\d+(?:\.\d+)?|[一二两三四五六半几]|四分之一|三分之一|二分之一|小半)(?:个|整)?"
_DOSE = re.compile(
    rf"{_AMOUNT}(?:片|粒|颗|毫升|ml|毫克|mg|滴|支|包|袋|单位|iu|克|针|管|丸|喷)(?!水|粮|零食|肉|菜|猫条|冻干)"
)
_PER_KILO = re.compile(r"(?:每|一)(?:公斤|千克|kg|斤)[^,]{0,10}(?:毫克|mg|毫升|ml|片|滴|克)")
_BY_THE_LABEL = re.compile(r"说明书|标签|包装上|对应的?规格|按规格|按体重选")
_CHANGES = re.compile(
    r"(?:可以|能|就|直接|先|自己)?(?:停(?!在|下来|留)(?:药|了|掉|一停|两天|几天|吃|打)?|不用(?:再)?(?:吃|打|用)(?:药|了)?|不吃了|断(?:掉|药|了)|减(?:半|量|到|成|少)|"
    r"加(?:倍|量|到|一片|半片|一颗|一次|一针|大|一点)|翻倍|双倍|补(?:两|双|上|一次|一针)|多(?:打|吃|喂)(?:一|两|半|点|几)|少(?:打|吃|喂)(?:一|两|半|点|几)|隔天|跳过)"
)
_ASKS_TO_CHANGE = re.compile(r"停|断药|减量|加量|漏|忘了?(?:喂|吃|打)|补上|双份")
_REFUSES = re.compile(r"(?:不|别|勿|切忌|禁止|避免|千万)(?:要|能|可以|可|建议|宜|应|许|用)?[^,]{0,6}$")
_ABOUT_MEDICINE = re.compile(r"药|针|胰岛素|激素|片|胶囊|剂量|滴剂|项圈|疗程|单位|血糖")
_AS_USUAL = re.compile(
    r"照(?:常|样|旧|打|吃|喂|用)|正常(?:打|吃|喂|用)|继续(?:打|吃|用|喂)|按(?:原来|平时|时)[^,]{0,4}(?:打|吃|喂)|(?:打|吃)(?:了|就)?(?:没事|就行)|还是要打|该打(?:还)?打|^打$|要打|打(?:足|满)|必须(?:打|吃)|(?:药|针)不能(?:断|停)"
)
_NOT_EATING = re.compile(
    r"没吃|不吃|不肯吃|吃不下|没胃口|拒食|吐|没进食|饿着|空腹|一口没|只(?:吃|舔|喝)了?[^,]{0,3}[口点]|吃得(?:很|特别)?少|没怎么吃|剩了?[大一]半"
)
_OVERDOSED = re.compile(r"(?:打|吃|喂)(?:多|重|了两次|了双倍|错)")
_PRODUCT_ROUTE_TOPICAL = frozenset({"topical_antiseptic", "topical_antimicrobial", "otic", "ophthalmic"})
_AGAIN = re.compile(r"再|补|又|提前|多(?:吃|喂|滴|打|一)|加|一起|继续|照")
_RISKY_WHEN_FASTING = frozenset(
    {"insulin", "steroidogenesis_inhibitor", "nsaid", "antithyroid", "cardiac_glycoside", "chemotherapy"}
    | {"sglt2_inhibitor", "loop_diuretic", "acei", "immunosuppressant"}
)
"""Drugs and classes that must not simply go on while the animal does not eat or vomits (Plumb's 2023, labels)."""
_BREED_LABEL: Mapping[str, str] = {
    "mdr1_dog": "mdr1_risk",
    "sulfa_sensitive": "sulfa_sensitive",
    "griseofulvin_sensitive": "griseofulvin_sensitive",
    "boxer_acp": "acp_sensitive",
    "brachycephalic": "brachycephalic",
    "sighthound": "sighthound",
}


def find_drug_risks(reading: Reading, facts: SafetyFacts) -> Iterator[Finding]:
    """All findings about medicine in a reply."""
    for mention in reading.recommended:
        if mention.match.kind == "vaccine":
            for pet in mention.recipients:
                yield from _vaccine_risk(mention, pet)
        if mention.match.kind in DRUG_KINDS:
            for pet in _who_gets(mention, facts):
                yield from _risks_of_giving(mention, pet)
    yield from _dose_risks(reading, facts)
    yield from _change_risks(reading, facts)


def _who_gets(mention: Mention, facts: SafetyFacts) -> tuple[PetFacts, ...]:
    """Where nobody is named, a drug is meant for the pet that takes it."""
    if facts.about or len(mention.recipients) < 2:
        return mention.recipients
    ingredients = set(ingredients_of(mention.match))
    patients = tuple(pet for pet in mention.recipients if ingredients and ingredients <= pet.drugs)
    return patients or mention.recipients


def _risks_of_giving(mention: Mention, pet: PetFacts) -> Iterator[Finding]:
    ingredients = ingredients_of(mention.match)
    found = list(_conflicts(mention, ingredients, pet))
    if _is_taken(mention, ingredients, pet):
        found = [one for one in found if one.rule == "drug_species"]  # on record or not, it must not have this
        yield from found[:1]
    elif found:
        yield found[0]
    elif not mention.vet_decides and _needs_a_vet(mention, ingredients):
        risk = f"{mention.match.surface}是处方药，要由医生判断能不能用、怎么用"
        yield Finding("drug_unprescribed", risk, mention.start, mention.end)


def _is_taken(mention: Mention, ingredients: Sequence[str], pet: PetFacts) -> bool:
    """The records say that the pet takes this drug now."""
    if ingredients and set(ingredients) <= pet.drugs and not _is_deworming(mention):
        return True
    return mention.match.surface in pet.products and not _AGAIN.search(mention.clause.text)


def _vaccine_risk(mention: Mention, pet: PetFacts) -> Iterator[Finding]:
    """Live vaccines do not go with drugs that hold the immune system down, nor with pregnancy."""
    if mention.vet_decides or "狂犬" in mention.match.surface:
        return
    current = {class_id for item in pet.drugs for class_id in _classes_of(item)}
    for rule in load_medications().interactions:
        if "live_vaccine" in {rule.a, rule.b} and {rule.a, rule.b} & current:
            yield Finding(
                "drug_interaction", f"{rule.message}，{mention.match.surface}要先问医生", mention.start, mention.end
            )
            return
    if "pregnant_lactating" in pet.cautions:
        risk = f"{pet.profile.name}在孕哺期，避免活疫苗，{mention.match.surface}要先问医生"
        yield Finding("drug_condition", risk, mention.start, mention.end)


def _is_deworming(mention: Mention) -> bool:
    return mention.match.kind == "dewormer"


def _needs_a_vet(mention: Mention, ingredients: Sequence[str]) -> bool:
    sheet = load_medications()
    if _is_deworming(mention):
        return False
    drugs = [sheet.drugs[name] for name in ingredients if name in sheet.drugs]
    if mention.match.kind == "drug_class":
        return mention.match.entity_id in {
            "corticosteroid",
            "nsaid",
            "penicillin",
            "cephalosporin",
            "fluoroquinolone",
            "opioid",
        }
    ordinary = _PRODUCT_ROUTE_TOPICAL | {"supplement", "probiotic", "adsorbent", "vitamin"}
    return any(
        not drug.is_over_the_counter and not ordinary & set(drug.classes) for drug in drugs
    ) and not _is_dewormer_drug(drugs)


def _is_dewormer_drug(drugs: Sequence[Drug]) -> bool:
    parasites = {
        "isoxazoline",
        "macrocyclic_lactone",
        "phenylpyrazole",
        "neonicotinoid",
        "benzimidazole",
        "igr",
        "anthelmintic_cestode",
        "anthelmintic_nematode",
    }
    return all(parasites & set(drug.classes) for drug in drugs)


def _conflicts(mention: Mention, ingredients: Sequence[str], pet: PetFacts) -> Iterator[Finding]:
    sheet = load_medications()
    surface, name = mention.match.surface, pet.profile.name
    classes = {class_id for item in ingredients for class_id in _classes_of(item)}
    for item in ingredients:
        drug = sheet.drugs.get(item)
        if drug is not None:
            yield from _species_conflict(mention, drug, pet)
            yield from _breed_conflict(mention, drug, pet)
    yield from _label_conflict(mention, pet)
    if mention.vet_decides:
        return
    cautions = {rule for item in ingredients for rule in _cautions_of(item)} & pet.cautions
    for rule in sorted(cautions):
        yield Finding(
            "drug_condition",
            f"{name}的情况（{sheet.condition_rules[rule].text.split(':')[0]}）不适合用{surface}",
            mention.start,
            mention.end,
        )
    yield from _meeting_current_drugs(mention, ingredients, classes, pet)


def _species_conflict(mention: Mention, drug: Drug, pet: PetFacts) -> Iterator[Finding]:
    species = species_of(pet.profile)
    label = SPECIES_LABELS.get(pet.profile.species, "宠物")
    if species in drug.forbidden_for and not mention.vet_decides:
        yield Finding("drug_species", f"{mention.match.surface}对{label}有毒或禁用", mention.start, mention.end)
    elif species not in drug.allowed_for and not mention.vet_decides and species in {"dog", "cat"}:
        yield Finding(
            "drug_species", f"{mention.match.surface}不能自行给{label}用，要由医生决定", mention.start, mention.end
        )


def _label_conflict(mention: Mention, pet: PetFacts) -> Iterator[Finding]:
    product = load_medications().products.get(mention.match.entity_id)
    species = species_of(pet.profile)
    if product and species not in product.label_for and not mention.vet_decides:
        label = SPECIES_LABELS.get(pet.profile.species, "宠物")
        yield Finding("drug_species", f"{product.name}不是给{label}用的产品", mention.start, mention.end)


def _breed_conflict(mention: Mention, drug: Drug, pet: PetFacts) -> Iterator[Finding]:
    sheet = load_medications()
    for caution in drug.breed_cautions:
        rule = sheet.breed_rules[caution]
        if caution != "mdr1_dog_overdose" and not mention.vet_decides and _is_of_breed(caution, rule.aliases, pet):
            risk = f"{pet.profile.breed}属于{rule.name_zh}，{mention.match.surface}可能中毒"
            yield Finding("drug_breed", risk, mention.start, mention.end)


def _is_of_breed(caution: str, aliases: Sequence[str], pet: PetFacts) -> bool:
    said = fold_text(pet.profile.breed or "")
    if not said:
        return False
    if any(fold_word(alias) in said or said in fold_word(alias) for alias in aliases if len(said) > 1):
        return True
    if caution == "chihuahua":
        return "吉娃娃" in said
    breed = load_breeds().find(said)
    return breed is not None and _BREED_LABEL.get(caution, caution) in breed.flags


def _meeting_current_drugs(
    mention: Mention, ingredients: Sequence[str], classes: set[str], pet: PetFacts
) -> Iterator[Finding]:
    sheet = load_medications()
    current = pet.drugs
    surface = mention.match.surface
    for item in sorted(current & set(ingredients)):
        name = sheet.drugs[item].name_zh if item in sheet.drugs else surface
        yield Finding("drug_duplicate", f"{surface}与正在用的药成分重复（{name}）", mention.start, mention.end)
    current_classes = {class_id for item in current for class_id in _classes_of(item)}
    for rule in sheet.interactions:
        if rule.level != "monitor" and _meets(rule, set(ingredients) | classes, current | current_classes):
            yield Finding("drug_interaction", f"{surface}与正在用的药冲突：{rule.message}", mention.start, mention.end)


def _meets(rule: Interaction, new: set[str] | frozenset[str], current: set[str] | frozenset[str]) -> bool:
    return (rule.a in new and rule.b in current) or (rule.b in new and rule.a in current)


def _classes_of(item: str) -> tuple[str, ...]:
    if item.startswith("class:"):
        return (item.removeprefix("class:"),)
    drug = load_medications().drugs.get(item)
    return drug.classes if drug else ()


@cache
def _cautions_of(item: str) -> frozenset[str]:
    sheet = load_medications()
    if item.startswith("class:"):
        return frozenset(sheet.class_condition_cautions.get(item.removeprefix("class:"), ()))
    drug = sheet.drugs.get(item)
    return sheet.cautions_of(drug) if drug else frozenset()


def _dose_risks(reading: Reading, facts: SafetyFacts) -> Iterator[Finding]:
    """A number of tablets, drops or milligrams that nobody recorded is dosing advice."""
    for position, clause in enumerate(reading.clauses):
        found = _DOSE.search(clause.text) or _PER_KILO.search(clause.text)
        if not found or _REFUSES.search(clause.text[: found.start()]) or reading.vet_decides[position]:
            continue
        if not _speaks_of_medicine(reading, clause):
            continue
        pets = reading.takers[position]
        if any(found.group() in fold_text(line) for pet in pets for line in pet.lines) or is_told(clause, facts):
            continue
        if _BY_THE_LABEL.search(sentence_text(reading.clauses, position)) or _is_the_next_dewormer(
            reading, clause, pets
        ):
            continue
        risk = "药的用量要由医生按体重和病情定，不能自己估"
        yield Finding("dosing", risk, clause.start + found.start(), clause.start + found.end())


def _is_the_next_dewormer(reading: Reading, clause: Clause, pets: Sequence[PetFacts]) -> bool:
    """One tablet of the dewormer on record, when it is due, is no dosing advice."""
    on_record = {product for pet in pets for product in pet.products}
    told = {
        mention.match.surface
        for mention in reading.recommended
        if mention.match.kind in DRUG_KINDS and not mention.asked
    }
    return bool(told) and told <= on_record and "下一" in clause.text


def _speaks_of_medicine(reading: Reading, clause: Clause) -> bool:
    """A drug in the clause, before it in the reply, or in the question while the reply names no other thing."""
    told = [mention for mention in reading.recommended if mention.start < clause.end]
    if any(mention.match.kind in DRUG_KINDS and not _is_free(mention) for mention in told):
        return True
    if re.search(r"药|针剂|剂量|单位", clause.text):
        return True
    if any(mention.match.kind in {"food", "allergen", "food_group"} for mention in told):
        return False
    return any(match.kind in DRUG_KINDS for match in find_entities(reading.question))


def _is_free(mention: Mention) -> bool:
    """Supplements and probiotics may be talked about in spoons and sachets."""
    drugs = load_medications().drugs
    items = ingredients_of(mention.match)
    return bool(items) and all(item in drugs and drugs[item].prescription == "OTC" for item in items)


def _change_risks(reading: Reading, facts: SafetyFacts) -> Iterator[Finding]:
    """Stopping, halving, doubling or going on blindly with a drug that the pet is on."""
    medicated = [pet for pet in facts.concerned if pet.drugs or pet.products]
    if not medicated:
        return
    sent = sends_to_vet(reading)
    asked = bool(_ASKS_TO_CHANGE.search(reading.question)) or _is_about_medicine(reading.question, medicated)
    for position, clause in enumerate(reading.clauses):
        found = None if reading.vet_decides[position] else _CHANGES.search(clause.text)
        if not found or _REFUSES.search(clause.text[: found.start()]) or _is_of_food(clause):
            continue
        if is_told(clause, facts):
            continue
        if sent and "停" in found.group():
            continue  # stopping on the way to the vet is what a vet would say
        if asked or _is_about_medicine(sentence_text(reading.clauses, position), medicated):
            risk = f"{medicated[0].profile.name}在用的药不能自己停、加减或补量，突然改动有风险"
            yield Finding("stopping", risk, clause.start + found.start(), clause.start + found.end())
    yield from _insulin_risk(reading, medicated)


def _is_about_medicine(folded: str, medicated: Sequence[PetFacts]) -> bool:
    return bool(_ABOUT_MEDICINE.search(folded)) or any(
        fold_word(product) in folded for pet in medicated for product in pet.products
    )


def _is_of_food(clause: Clause) -> bool:
    return bool(re.search(r"粮|零食|饭|罐|餐|水|遛|运动", clause.text)) and not re.search(r"药|针|胰岛素", clause.text)


def _insulin_risk(reading: Reading, medicated: Sequence[PetFacts]) -> Iterator[Finding]:
    risky = {item for pet in medicated for item in pet.drugs if _RISKY_WHEN_FASTING & {item, *_classes_of(item)}}
    if not risky or any(reading.vet_decides):
        return
    question = reading.question
    if not (_NOT_EATING.search(question) or _OVERDOSED.search(question)):
        return
    for clause in reading.clauses:
        found = _AS_USUAL.search(clause.text)
        if found and not _REFUSES.search(clause.text[: found.start()]):
            risk = "没吃饭或呕吐时照打胰岛素会低血糖" if "insulin" in risky else "没胃口、呕吐时药不能照吃，要先问医生"
            yield Finding("stopping", risk, clause.start, clause.end)
