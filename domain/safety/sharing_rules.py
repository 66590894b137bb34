"""What belongs to another pet: its medicine, its prescription diet, food of another species or life stage."""

import re
from collections.abc import Iterator, Sequence

from domain.knowledge.allergens import load_allergens
from domain.pet_profiles import SPECIES_LABELS
from domain.safety.facts import PetFacts, SafetyFacts
from domain.safety.findings import Finding
from domain.safety.memory_lines import ADULT_MONTHS
from domain.safety.reading import Reading
from domain.safety.stance import Clause, Stance
from domain.triage import species_of
from memory.text_folding import fold_word

_MEDICINE = re.compile(r"药|滴剂|滴|项圈|片|针|胶囊|眼药水|耳药|驱虫|处方|支|瓶|盒|胰岛素")
_FOOD = re.compile(r"粮|罐|猫条|零食|饭|碗|食|冻干|剩")
_BOTH = re.compile(r"两只|俩|两个|它们|他们|都")
_REFUSAL = re.compile(r"别|不(?:合适|适合|能|要|建议|推荐|可以|行|够|足)|缺|超过|偏低|太高|跟不上")
_EATING = re.compile(r"粮|罐|猫条|零食|饭|碗|食|冻干|剩|吃|喂")
_SHARE = re.compile(
    r"一起(?:吃|喂|用|打|滴)|一块(?:儿)?(?:吃|喂)|都(?:吃|喂|用|给)|共用|合着|混(?:着|在)?(?:吃|喂)|一样的|同一(?:种|款|袋)|分(?:点|一|半|给|两)|匀|通用|顺便|换着吃|统一|合吃|同吃|跟着(?:一起)?吃|两只都|俩都|干脆"
)
_HANDED = re.compile(
    r"(?:分|匀|拨|倒|掰|拿|挤|剪)(?:给|出|个|点)?[^,]{0,4}?[一半两几点些][^,]{0,2}?(?:片|粒|颗|点|勺|支|口|碗|把|滴|袋|包|罐|过去)"
)
_DOG_FOOD, _CAT_FOOD = re.compile(r"狗粮|犬粮|狗罐头|狗吃的粮"), re.compile(r"猫粮|猫罐头|猫吃的粮|猫条")
_OTHER_FOOD = re.compile(r"[狗犬猫]粮|[狗犬猫](?:罐头|吃的)")
_FOR_ADULTS = re.compile(r"成(?:猫|犬|年)|绝育|减肥|减重|老年|体重管理|低脂|处方")
_SEPARATE = re.compile(
    r"分(?:开|房间|盆|碗|时段|区)|各吃各|隔开|单独|收好|收起|错开|还是吃|自己的|各自|治病|的病|看好|防着"
)
_A_BITE = re.compile(r"偶尔|一口|一两口|几粒|误吃|偷吃")


def find_sharing_risks(reading: Reading, facts: SafetyFacts) -> Iterator[Finding]:
    """All findings about giving one pet what is another's."""
    for position, clause in enumerate(reading.clauses):
        proposed = _proposed_at(reading, position) is Stance.RECOMMENDS or _hands_over(clause)
        if not proposed or reading.vet_decides[position]:
            continue
        for pet in reading.takers[position]:
            for other in facts.others_than(pet):
                yield from _handed_over(clause, pet, other)
            if not _eats_at_home(clause.text, pet, reading.takers[position]):
                yield from _food_of_another_species(clause, clause.text, pet)
    if len(facts.pets) > 1 or _OTHER_FOOD.search(reading.question):
        yield from _agreed_sharing(reading, facts)


def _hands_over(clause: Clause) -> bool:
    """分它半片, 匀一勺过去: a part of it is to be given, without any word of praise or leave."""
    found = _HANDED.search(clause.text)
    return found is not None and clause.verdict is not Stance.WARNS and not _REFUSAL.search(clause.text)


def _proposed_at(reading: Reading, position: int) -> Stance | None:
    """What a clause says, or the next one of its sentence that says anything ("乌云那袋粮香，匀一碗给糖糖")."""
    sentence = reading.clauses[position].sentence
    following = (clause for clause in reading.clauses[position:] if clause.sentence == sentence)
    return next((clause.verdict for clause in following if clause.verdict is not None), None)


def _handed_over(clause: Clause, pet: PetFacts, other: PetFacts) -> Iterator[Finding]:
    for name in other.names:
        folded = fold_word(name)
        belongs = re.search(f"{re.escape(folded)}(?:的|那|这|剩|用的|吃的|在吃的|平时)[^,]{{0,12}}", clause.text)
        if folded in clause.text and belongs:
            yield from _belongings(clause, belongs.group(), pet, other)


def _belongings(clause: Clause, thing: str, pet: PetFacts, other: PetFacts) -> Iterator[Finding]:
    mine, theirs = pet.profile.name, other.profile.name
    products = [product for product in other.products if fold_word(product) in clause.text]
    if products or (_MEDICINE.search(thing) and not _FOOD.search(thing)):
        what = products[0] if products else "药"
        yield Finding("other_pet", f"{what}是给{theirs}的，不能拿给{mine}用", clause.start, clause.end)
    elif _FOOD.search(thing):
        yield from _food_of(clause, pet, other)


def _agreed_sharing(reading: Reading, facts: SafetyFacts) -> Iterator[Finding]:
    """The question proposes to share, and the reply says yes; or the reply proposes it itself."""
    question = reading.question
    if any(_keeps_apart(clause) for clause in reading.clauses):
        return
    if reading.endorsed is Stance.RECOMMENDS and reading.verdict_clause is not None:
        yield from _shared(question, reading.verdict_clause, facts)
    for position, clause in enumerate(reading.clauses):
        agreed = clause.verdict is Stance.RECOMMENDS and not reading.vet_decides[position]
        if agreed and _SHARE.search(clause.text):
            yield from _shared(question + clause.text, clause, facts)


def _keeps_apart(clause: Clause) -> bool:
    if _SEPARATE.search(clause.text):
        return True
    return clause.verdict is Stance.WARNS and bool(_REFUSAL.search(clause.text))


def _shared(talk: str, clause: Clause, facts: SafetyFacts) -> Iterator[Finding]:
    for pet in facts.concerned:
        for other in facts.others_than(pet):
            names_other = _BOTH.search(talk) is not None or any(fold_word(name) in talk for name in other.names)
            if names_other and (_SHARE.search(talk) or _takes_from(talk, other)) and _EATING.search(talk):
                yield from _food_of(clause, pet, other)
            if names_other and _takes_from(talk, other) and _MEDICINE.search(talk) and other.products:
                risk = f"{other.products[0]}是给{other.profile.name}的，不能拿给{pet.profile.name}用"
                if not _FOOD.search(talk) or any(fold_word(product) in talk for product in other.products):
                    yield Finding("other_pet", risk, clause.start, clause.end)
        if not _eats_at_home(clause.text, pet, facts.concerned):
            yield from _food_of_another_species(clause, talk, pet)


def _takes_from(talk: str, other: PetFacts) -> bool:
    return any(
        re.search(f"{re.escape(fold_word(name))}(?:的|那|剩|用的|吃的|吃剩|换下|戴过|用过|没用完|用剩)", talk)
        for name in other.names
    )


def _food_of(clause: Clause, pet: PetFacts, other: PetFacts) -> Iterator[Finding]:
    """What is wrong with this pet eating the other's food, if anything is known to be."""
    mine, theirs = pet.profile.name, other.profile.name
    shared_allergens = pet.allergens & other.foods
    if shared_allergens:
        names = "、".join(item.name_zh for item in load_allergens().allergens if item.id in shared_allergens)
        yield Finding("other_pet", f"{theirs}的食物含{names}，{mine}过敏", clause.start, clause.end)
    if other.diets - pet.diets:
        yield Finding("other_pet", f"处方粮是给{theirs}治病的，{mine}不适合吃", clause.start, clause.end)
    if pet.diets - other.diets:
        yield Finding("other_pet", f"{mine}要吃自己的处方粮，不能跟{theirs}混着吃", clause.start, clause.end)
    if species_of(pet.profile) != species_of(other.profile):
        yield Finding("other_pet", f"{theirs}的粮不是给{_label(pet)}的，营养不合适", clause.start, clause.end)
    young, grown = _is_young(pet), _is_young(other)
    if young != grown and (young or grown):
        yield Finding("other_pet", f"{mine}和{theirs}年龄段不同，粮要分开", clause.start, clause.end)
    if pet.conditions - other.conditions and not (other.diets - pet.diets):
        yield Finding("other_pet", f"{mine}有病要忌口，不能跟{theirs}吃一样的", clause.start, clause.end)


def _is_young(pet: PetFacts) -> bool:
    return pet.age_months is not None and pet.age_months < ADULT_MONTHS


def _label(pet: PetFacts) -> str:
    return SPECIES_LABELS.get(pet.profile.species, "宠物")


def _eats_at_home(said: str, pet: PetFacts, concerned: Sequence[PetFacts]) -> bool:
    """Cat food that is spoken of where both are meant is for the cat, dog food for the dog."""
    species = {species_of(other.profile) for other in concerned} - {species_of(pet.profile)}
    return ("cat" in species and bool(_CAT_FOOD.search(said))) or ("dog" in species and bool(_DOG_FOOD.search(said)))


def _food_of_another_species(clause: Clause, talk: str, pet: PetFacts) -> Iterator[Finding]:
    if clause.verdict is not Stance.RECOMMENDS or _A_BITE.search(clause.text):
        return
    species = species_of(pet.profile)
    if species == "cat" and _DOG_FOOD.search(talk) and not _CAT_FOOD.search(clause.text):
        yield Finding("other_pet", "狗粮缺牛磺酸，猫不能当主食吃", clause.start, clause.end)
    if species == "dog" and _CAT_FOOD.search(talk) and not _DOG_FOOD.search(clause.text):
        yield Finding("other_pet", "猫粮脂肪和蛋白太高，狗长期吃不合适", clause.start, clause.end)
