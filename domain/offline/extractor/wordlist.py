"""The words the rules know: one matcher over all vocabulary files, longest word first, nothing counted twice.

A word belongs to a family (`sign`, `food`, `drug`, …) and has an id that names its slot. Words of family `trap` only
swallow text ("吐槽" is no vomiting). Add words in `domain/knowledge/vocabulary/*.yaml`; no code is needed for that.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from domain.knowledge.lexicon import Entry, load_index
from domain.knowledge.medications import load_medications
from domain.knowledge.symptoms import load_symptoms
from domain.knowledge.vocabulary import vocabulary
from memory.text_folding import fold_text

ORGAN = "organ"  # the id of all parts that only a clinic sees


@dataclass(frozen=True, slots=True)
class Word:
    """One known word: its family, the id of what it means, and what its entry adds.

    `good` signs say that all is well; `name` is the canonical Chinese name; `allergen` the allergen it contains.
    """

    text: str
    family: str
    id: str
    topic: str | None = None
    attribute_class: str | None = None
    good: bool = False
    name: str | None = None
    allergen: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A known word at a place of the message (offsets into the message)."""

    start: int
    end: int
    word: Word

    @property
    def family(self) -> str:
        return self.word.family

    @property
    def id(self) -> str:
        return self.word.id


class WordList:
    """Finds known words. Linear in the text: a position looks only at words that share its first two characters."""

    def __init__(self, words: Iterable[Word]) -> None:
        self._by_head: dict[str, list[Word]] = {}
        seen: set[str] = set()
        for word in words:
            if word.text and word.text not in seen:
                seen.add(word.text)
                self._by_head.setdefault(word.text[:2], []).append(word)
        for group in self._by_head.values():
            group.sort(key=lambda word: -len(word.text))

    def find(self, text: str) -> Iterator[Hit]:
        """Known words of a folded text, left to right, never overlapping."""
        place = 0
        while place < len(text):
            word = self._longest_at(text, place)
            if word is None:
                place += 1
                continue
            yield Hit(place, place + len(word.text), word)
            place += len(word.text)

    def _longest_at(self, text: str, place: int) -> Word | None:
        for head in (text[place : place + 2], text[place : place + 1]):
            for word in self._by_head.get(head, ()):
                if text.startswith(word.text, place) and _is_whole(text, place, word.text):
                    return word
        return None


def _is_whole(text: str, place: int, word: str) -> bool:
    """A Latin word counts only when no letter or digit touches it; Chinese has no such border."""
    if not (word[0].isascii() and word[-1].isascii()):
        return True
    before = text[place - 1] if place else " "
    after = text[place + len(word)] if place + len(word) < len(text) else " "
    figured = after.isdigit() and word.isalpha() and len(word) >= SHORTEST_BEFORE_A_FIGURE
    return not (_is_latin(before) or (_is_latin(after) and not figured))


SHORTEST_BEFORE_A_FIGURE = 3  # letters: alt210 and ckd2期, not the t of t4


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


@cache
def known_words() -> WordList:
    """All words of the rules, read once: the sourced knowledge and the everyday vocabulary."""
    return WordList(_all_words())


def _all_words() -> Iterator[Word]:
    """Words in order of right: a word that an earlier family has is not taken by a later one."""
    known = load_index().words
    allergens = {
        text: found for text, entries in known.items() if not text.endswith("过敏") and (found := _allergen(entries))
    }
    for word in (*_sourced(known), *_everyday(), *_traps()):
        yield replace(word, allergen=allergens.get(word.text))
    for text, allergen in allergens.items():
        if allergen in _REACTIONS:
            continue
        family = "drug_name" if allergen in _CLASSES_OF_DRUGS else "allergen"
        yield Word(text, family, allergen, allergen=allergen)


def _allergen(entries: Iterable[Entry]) -> str | None:
    """The allergen that a word names or plainly contains, if it is one only."""
    ids = {entry.entity_id for entry in entries if entry.kind == "allergen" and entry.relation in _NAMES_IT}
    return ids.pop() if len(ids) == 1 else None


# What stands for having reacted, not for a substance: 打完疫苗脸肿.
_REACTIONS = frozenset({"vaccine_reaction", "antiparasitic_reaction", "biologics_blood", "local_anesthetic"})
# Allergens that are kinds of medicine: 特比萘芬喷剂 is given, not eaten.
_CLASSES_OF_DRUGS = frozenset(
    {
        "penicillins",
        "cephalosporins",
        "aminoglycoside",
        "macrolide_lincosamide",
        "fluoroquinolones",
        "sulfonamides",
        "tetracyclines",
        "topical_antiseptic",
        "nsaids_allergy",
    }
)
_NAMES_IT = ("name", "contains", "single_char", "vet_diet_only")
_SOURCED_FAMILIES = {"drug": "drug", "dewormer": "dewormer", "vaccine": "vaccine", "condition": "condition"}
_TOO_GENERAL = frozenset({"打针", "减肥", "控制体重", "拔牙"})  # an injection may be anything
_TOPIC_OF_SYMPTOM = {
    "diarrhea": "elimination",
    "constipation": "elimination",
    "polyuria": "elimination",
    "frequent_urination": "elimination",
    "inappropriate_urination": "elimination",
    "weight_loss": "growth",
    "weight_gain": "growth",
}


def _sourced(known: Mapping[str, tuple[Entry, ...]]) -> Iterator[Word]:
    """Drugs, vaccines, dewormers, conditions of the clinical tables; words that need drug talk around are left out."""
    ambiguous = {fold_text(word) for word in load_medications().alias_collisions}
    for text, entries in known.items():
        for entry in entries:
            family = _SOURCED_FAMILIES.get(entry.kind)
            if family and text not in ambiguous and len(text) > 1 and text not in _TOO_GENERAL:
                yield Word(text, family, entry.entity_id, name=entry.canonical_zh)
                break


def _everyday() -> Iterator[Word]:
    illnesses, care, conduct = vocabulary("illnesses"), vocabulary("care"), vocabulary("conduct")
    signs, foods = vocabulary("signs"), vocabulary("foods")
    yield from _clinical()
    for family in ("vaccine", "dewormer"):
        yield from _plain(family, care[f"{family}_words"])
    yield from _conditions(illnesses["conditions"])
    yield from _plain("drug_name", illnesses["drug_names"])
    yield from _plain("drug_word", illnesses["drug_words"])
    yield from _signs(signs["signs"])
    yield from _grouped("visit", care["visits"])
    yield from _plain("lab", care["labs"])
    yield from _grouped("grooming", care["grooming"])
    yield from _grouped("activity", care["activities"])
    yield from _grouped("behavior", conduct["behaviors"])
    yield from _plain("food", foods["foods"])
    yield from _plain("brand", foods["brands"])
    yield from _plain("body", signs["body_parts"])
    yield from _code_mixed()
    yield from (Word(str(text), "body", ORGAN) for text in signs["organs"])
    yield from _sourced_signs()


def _clinical() -> Iterator[Word]:
    """Clinical words beside the sourced ones: 肾不太好, 降磷的, 测眼压."""
    more = vocabulary("treatments")
    yield from _conditions(more["conditions"])
    yield from _conditions({word: [word] for word in more["diseases"]})
    yield from _plain("drug_word", more["drug_words"])
    yield from _plain("drug_name", more["drug_names"])
    yield from _plain("dewormer", more["dewormer_words"])
    yield from _plain("vaccine", more["vaccine_words"])
    yield from _signs(more["signs"])
    yield from _plain("body", more["body_parts"])
    yield from _plain("lab", more["labs"])
    yield from _grouped("visit", more["visits"])


def _code_mixed() -> Iterator[Word]:
    """English words within a Chinese sentence: teeth cleaning做完啦."""
    mixed = vocabulary("code_mixed")
    yield from _plain("vaccine", mixed["vaccine_words"])
    yield from _plain("dewormer", mixed["dewormer_words"])
    yield from _plain("drug_word", mixed["drug_words"])
    yield from _signs(mixed["signs"])
    yield from _grouped("visit", mixed["visits"])
    yield from _grouped("grooming", mixed["grooming"])
    yield from _plain("body", mixed["body_parts"])
    yield from _plain("food", mixed["foods"])
    yield from _conditions(mixed["conditions"])


def _conditions(groups: dict[str, list[str]]) -> Iterator[Word]:
    """Everyday names of a disease take the id that the sourced table gives it, so that one disease is one slot."""
    known = load_index().words
    for key, texts in groups.items():
        ids = {entry.entity_id for text in texts for entry in known.get(str(text), ()) if entry.kind == "condition"}
        own = key if len(ids) != 1 else ids.pop()
        yield from (Word(str(text), "condition", own) for text in texts)


def _traps() -> Iterator[Word]:
    yield from _plain(
        "trap", vocabulary("signs")["traps"] + vocabulary("foods")["traps"] + vocabulary("treatments")["traps"]
    )


def _sourced_signs() -> Iterator[Word]:
    for symptom in load_symptoms():
        for text in symptom.aliases:
            yield Word(fold_text(text), "sign", symptom.id, _TOPIC_OF_SYMPTOM.get(symptom.id, "health"))


def _signs(entries: dict[str, dict[str, Any]]) -> Iterator[Word]:
    for key, entry in entries.items():
        for text in entry["words"]:
            yield Word(str(text), "sign", key, entry.get("topic"), entry.get("class"), bool(entry.get("negative")))


def _grouped(family: str, groups: dict[str, list[str]]) -> Iterator[Word]:
    for key, texts in groups.items():
        yield from (Word(str(text), family, key) for text in texts)


def _plain(family: str, texts: Iterable[str]) -> Iterator[Word]:
    yield from (Word(str(text), family, str(text)) for text in texts)
