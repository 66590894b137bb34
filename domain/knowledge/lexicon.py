"""Find what a text names: allergens, poisons, drugs, vaccines, conditions, symptoms, foods.

All names and aliases of the knowledge files are in one index. In each family of words the longest match wins and
matches do not overlap ("葱" is not found inside "洋葱", nor "鸡" inside "鸡皮疙瘩": look-alikes are words too, which
eat their piece of text and report nothing). Different families may both speak: 牛奶巧克力 is dairy and chocolate.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from domain.knowledge.allergens import Allergen, load_allergens
from domain.knowledge.conditions import load_conditions
from domain.knowledge.medications import load_medications
from domain.knowledge.red_flags import load_red_flags
from domain.knowledge.symptoms import load_symptoms
from domain.knowledge.toxins import load_toxins
from domain.knowledge.vaccines import load_vaccines
from memory.text_folding import fold_text, fold_word

Kind = Literal[
    "allergen",
    "toxin",
    "drug",
    "drug_class",
    "dewormer",
    "vaccine",
    "condition",
    "symptom",
    "red_flag",
    "food",
    "food_group",
    "diet",
    "brand",
    "trap",
]
Relation = Literal["name", "contains", "may_contain", "vet_diet_only", "caution_ask_vet", "single_char", "product"]


@dataclass(frozen=True, slots=True)
class EntityMatch:
    """`text[start:end] == surface`. One span may name several entities, each is a match of its own.

    relation: "name" it is the thing; "contains" a food or product with it (鸡胸肉 → chicken); "may_contain" depends on
    the label; "product" a brand whose ingredients are drugs; the other values say what the sheet decided.
    """

    start: int
    end: int
    surface: str
    entity_id: str
    kind: Kind
    canonical_zh: str
    relation: Relation = "name"


@dataclass(frozen=True, slots=True)
class Entry:
    """What one word stands for. Only words of the same family compete for a piece of text."""

    family: str
    kind: Kind
    entity_id: str
    canonical_zh: str
    relation: Relation = "name"


FLAVOUR_IS_THE_THING = frozenset({"onion", "garlic", "leek_chives", "xylitol", "essential_oil", "tea_tree_oil"})
"""Toxins whose "…味" is made of the thing itself; every other flavour, scent or colour word is no poison."""

_FLAVOUR = re.compile(r"味|香型|色")
_SHAPE = re.compile(r"形状|造型|样子|图案")
_DRUG_TALK = re.compile(
    r"吃|打|滴|喂|开了|开的|药|针|片|粒|用|停|涂|抹|剂|mg|ml|毫|每月|驱|掰|成分|规格|体重|跳蚤|蜱|虫"
)
_EATEN = re.compile(
    r"(?:吃|啃|喝|舔|嚼|吞|咬)(?:了|到|掉|下|过)?(?:[一二两三几半好\d]*[颗粒点些块口片瓣朵根]+)?(?:我|爸|妈|别人|主人|桌上|家里)*的?$"
)
SCANNED = 512  # texts; what an owner says, and what is answered, is asked by triage, recall, answers and review
_COLLISION_REACH = 8  # characters around an ambiguous drug name in which somebody must talk of medicine


_CALLED_SO = re.compile(
    r"(?:[只条个家名字也就名它他她猫狗犬]|名字|小名|外号)叫(?:做)?(?P<name>[^,，。的了着过]{1,4}?)(?=的|[,，。!！?？]|$)"
)
"""一只叫可乐的金毛: the name of an animal, not the drink."""


def find_entities(text: str, pet_names: Sequence[str] = ()) -> tuple[EntityMatch, ...]:
    """Everything the text names, in order of appearance. Pets called 可乐 or 葡萄 are not taken for the thing."""
    return _find(load_index(), text, pet_names)


def find_food_groups(text: str, pet_names: Sequence[str] = ()) -> tuple[EntityMatch, ...]:
    """The food groups (high_fat, sugar, …) of the foods that the text names; for what a condition should avoid."""
    return _find(load_food_index(), text, pet_names)


def _find(index: "Index", text: str, pet_names: Sequence[str]) -> tuple[EntityMatch, ...]:
    folded = fold_text(text)
    named = [*_name_spans(folded, pet_names), *(match.span("name") for match in _CALLED_SO.finditer(folded))]
    return tuple(
        EntityMatch(start, end, text[start:end], entry.entity_id, entry.kind, entry.canonical_zh, entry.relation)
        for start, end, entry in _scanned(index, folded)
        if entry.kind != "trap" and not (named and any(start < stop and begin < end for begin, stop in named))
    )


@lru_cache(maxsize=SCANNED)
def _scanned(index: "Index", folded: str) -> tuple[tuple[int, int, "Entry"], ...]:
    return tuple(index.scan(folded))


@cache
def load_index() -> "Index":
    """The index over all knowledge files, built once."""
    return Index(_all_entries(), frozenset(map(fold_text, load_medications().alias_collisions)))


@cache
def load_food_index() -> "Index":
    """The index over the food groups alone, built once."""
    return Index(_food_group_entries(), frozenset())


class Index:
    """Words by their first two characters, so that most positions of a text cost one dictionary look-up."""

    def __init__(self, entries: Iterable[tuple[str, Entry]], ambiguous: frozenset[str]) -> None:
        collected: dict[str, dict[Entry, None]] = defaultdict(dict)
        for word, entry in entries:
            collected[fold_text(word).strip()][entry] = None
        self.words: dict[str, tuple[Entry, ...]] = {word: tuple(found) for word, found in collected.items() if word}
        lengths: dict[str, set[int]] = defaultdict(set)
        for word in self.words:
            if len(word) > 1:
                lengths[word[:2]].add(len(word))
        self._lengths = {pair: tuple(sorted(found, reverse=True)) for pair, found in lengths.items()}
        singles = "".join(word for word in self.words if len(word) == 1)
        self._single = re.compile(f"[{re.escape(singles)}]") if singles else None
        self._ambiguous = ambiguous

    def scan(self, folded: str) -> list[tuple[int, int, Entry]]:
        """(start, end, entry) of the longest words of each family, ordered by start."""
        found = self._longest_of_each_family(folded)
        if self._single:
            found += self._uncovered_singles(folded, found)
        found.sort(key=lambda hit: (hit[0], -hit[1]))
        return found

    def _longest_of_each_family(self, folded: str) -> list[tuple[int, int, Entry]]:
        found: list[tuple[int, int, Entry]] = []
        taken: dict[str, int] = {}
        spans: dict[str, tuple[int, int]] = {}
        for start, end, entries in self._all_words(folded):
            for entry in entries:
                family = entry.family
                if start >= taken.get(family, 0) or spans.get(family) == (start, end):
                    taken[family] = end
                    spans[family] = (start, end)
                    if not _is_flavour_only(folded, end, entry):
                        found.append((start, end, entry))
        return found

    def _all_words(self, folded: str) -> Iterator[tuple[int, int, tuple[Entry, ...]]]:
        lengths, words = self._lengths, self.words
        for start in range(len(folded) - 1):
            for length in lengths.get(folded[start : start + 2], ()):
                word = folded[start : start + length]
                entries = words.get(word)
                if entries and self._stands_alone(folded, start, start + length, word):
                    yield start, start + length, entries

    def _stands_alone(self, folded: str, start: int, end: int, word: str) -> bool:
        """Latin words and numbers are whole words (a plural -s or -es is allowed); ambiguous names need drug talk."""
        if _is_latin(word[0]) and start and _is_latin(folded[start - 1]):
            return False
        if _is_latin(word[-1]) and not re.match(r"(?:e?s)?(?![a-z0-9])", folded[end : end + 3]):
            return False
        if word not in self._ambiguous:
            return True
        around = folded[max(0, start - _COLLISION_REACH) : start] + " " + folded[end : end + _COLLISION_REACH]
        return bool(_DRUG_TALK.search(around))

    def _uncovered_singles(self, folded: str, found: Sequence[tuple[int, int, Entry]]) -> list[tuple[int, int, Entry]]:
        if not self._single:
            return []
        covered = {position for start, end, _ in found for position in range(start, end)}
        return [
            (hit.start(), hit.end(), entry)
            for hit in self._single.finditer(folded)
            if hit.start() not in covered
            for entry in self.words[hit.group()]
            if not _is_flavour_only(folded, hit.end(), entry)
        ]


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _is_flavour_only(folded: str, end: int, entry: Entry) -> bool:
    """奶茶色, 咖啡味 and 蛋糕形状 are no thing to eat."""
    if _SHAPE.match(folded, end):
        return True
    return entry.kind == "toxin" and entry.entity_id not in FLAVOUR_IS_THE_THING and bool(_FLAVOUR.match(folded, end))


def _name_spans(folded: str, pet_names: Sequence[str]) -> list[tuple[int, int]]:
    """Where a pet is called by its name; not where the thing of that name was eaten ("葡萄吃了颗葡萄")."""
    return [
        (start, start + len(name))
        for name in {fold_word(name) for name in pet_names if name}
        for start in _positions(folded, name)
        if not _EATEN.search(folded, max(0, start - 8), start)
    ]


def _positions(folded: str, name: str) -> Iterator[int]:
    start = folded.find(name)
    while start >= 0:
        yield start
        start = folded.find(name, start + 1)


def _all_entries() -> Iterator[tuple[str, Entry]]:
    yield from _allergen_entries()
    yield from _toxin_entries()
    yield from _drug_entries()
    yield from _vaccine_entries()
    yield from _health_entries()
    yield from _diet_entries()


TRAP = "trap"


def _trap(family: str) -> Entry:
    return Entry(family, "trap", TRAP, TRAP)


def _allergen_entries() -> Iterator[tuple[str, Entry]]:
    sheet = load_allergens()
    for allergen in sheet.allergens:
        yield from _entries_of_allergen(allergen)
    for allergen in sheet.allergens:
        for word in allergen.not_contains:
            yield word, _trap("allergen")
    names = {allergen.id: allergen.name_zh for allergen in sheet.allergens}
    for word, members in sheet.groups:
        for member in members:
            yield word, Entry("allergen", "allergen", member, names[member])
    for word in _figures_of_speech():
        yield word, _trap("allergen")


def _figures_of_speech() -> tuple[str, ...]:
    """鸡皮疙瘩, 葡萄大小: look-alikes in every family (where such a word is a real thing of a family, it stays one)."""
    return load_allergens().traps + load_toxins().traps


def _entries_of_allergen(allergen: Allergen) -> Iterator[tuple[str, Entry]]:
    def entry(relation: Relation) -> Entry:
        return Entry("allergen", "allergen", allergen.id, allergen.name_zh, relation)

    for word in (*allergen.aliases, allergen.name_zh):
        yield word, entry("name")
    for word in allergen.contains:
        yield word, entry("contains")
    for word in allergen.may_contain:
        yield word, entry("may_contain")
    for special in allergen.special:
        relation: Relation = "contains" if special.decision == "treat_as_contains" else special.decision
        for word in special.terms:
            yield word, entry(relation)
    for character in allergen.single_chars:
        yield character, entry("single_char")


def _toxin_entries() -> Iterator[tuple[str, Entry]]:
    sheet = load_toxins()
    for toxin in sheet.toxins:
        for word in toxin.aliases:
            yield word, Entry("toxin", "toxin", toxin.id, toxin.name_zh)
        for word in toxin.also_in:
            yield word, Entry("toxin", "toxin", toxin.id, toxin.name_zh, "may_contain")
        for word in toxin.not_this:
            yield word, _trap("toxin")
    for word in _figures_of_speech():
        yield word, _trap("toxin")
    for word in sheet.safe_foods:
        yield word, Entry("toxin", "food", word, word)


GENERIC_DEWORMERS = ("驱虫药", "体内驱虫", "体外驱虫", "内驱", "外驱", "驱虫滴剂", "驱虫")
GENERIC_VACCINES = ("疫苗",)


def _drug_entries() -> Iterator[tuple[str, Entry]]:
    sheet = load_medications()
    for drug in sheet.drugs.values():
        names = (part.split("(")[0] for part in drug.name_zh.split("/"))
        for word in (*names, *drug.aliases):
            if len(word) > 1:  # "铝" of "磷结合剂/碳酸钙/铝/镧" is no name on its own
                yield word, Entry("drug", "drug", drug.id, drug.name_zh)
        for word in drug.not_this:
            yield word, _trap("drug")
    for product in sheet.products.values():
        kind: Kind = "dewormer" if product.kind.endswith("deworming") else "drug"
        for word in (product.name, *product.aliases):
            yield word, Entry("drug", kind, product.name, product.name, "product")
    for class_id, words in sheet.class_words.items():
        for word in words:
            yield word, Entry("drug", "drug_class", class_id, sheet.class_names[class_id])
    for word in GENERIC_DEWORMERS:
        yield word, Entry("drug", "dewormer", "dewormer", "驱虫药")


def _vaccine_entries() -> Iterator[tuple[str, Entry]]:
    sheet = load_vaccines()
    for product in sheet.products:
        for word in (product.name, *product.aliases):
            yield word, Entry("drug", "vaccine", product.name, product.name, "product")
    for generic in sheet.generic_terms:
        yield generic.term, Entry("drug", "vaccine", generic.term, generic.term)
    for word in GENERIC_VACCINES:
        yield word, Entry("drug", "vaccine", "vaccine", "疫苗")


def _health_entries() -> Iterator[tuple[str, Entry]]:
    for symptom in load_symptoms():
        for word in symptom.aliases:
            yield word, Entry("symptom", "symptom", symptom.id, symptom.name_zh)
        for word in symptom.not_this:
            yield word, _trap("symptom")
    for condition in load_conditions().conditions.values():
        for word in (condition.name_zh, *condition.aliases):
            yield word, Entry("condition", "condition", condition.id, condition.name_zh)
    for flag in load_red_flags().flags:
        for word in flag.phrases:
            yield word, Entry("red_flag", "red_flag", flag.id, flag.title)


def _food_group_entries() -> Iterator[tuple[str, Entry]]:
    """Each group is a family of its own: 芝士片 of one does not hide 芝士 of another."""
    for group in load_conditions().food_groups.values():
        for word in group.terms:
            yield word, Entry(group.id, "food_group", group.id, group.name_zh)
    look_alikes = (word for allergen in load_allergens().allergens for word in allergen.not_contains)
    for word in (*_figures_of_speech(), *look_alikes):
        for group_id in load_conditions().food_groups:
            yield word, _trap(group_id)


def _diet_entries() -> Iterator[tuple[str, Entry]]:
    sheet = load_conditions()
    for diet in sheet.diets.values():
        for word in (diet.name_zh, *diet.aliases):
            yield word, Entry("diet", "diet", diet.id, diet.name_zh)
    for word in sheet.brands:
        yield word, Entry("brand", "brand", word, word)
