"""The pets of one household as a text may name them: names and nicknames, species, breeds."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from domain.knowledge.vocabulary import vocabulary
from domain.pet_profiles import PetProfile
from memory.text_folding import fold_text

ANIMALS = vocabulary("animals")
SPECIES: dict[str, re.Pattern[str]] = {name: re.compile(words) for name, words in ANIMALS["species"].items()}
BREEDS = {breed: re.compile("|".join(words)) for breed, words in ANIMALS["breeds"].items()}


class MentionKind(StrEnum):
    NAME = "name"
    SPECIES = "species"
    ROLE = "role"
    GROUP = "group"
    REST = "rest"  # 另一只, 别的, 其他的
    PRONOUN = "pronoun"
    STRANGER = "stranger"  # an animal of somebody else, of the past, of the news


@dataclass(frozen=True, slots=True)
class Mention:
    """Words at [start:end] that point at pets; `pets` is empty when they fit nobody or several equally well."""

    start: int
    end: int
    kind: MentionKind
    pets: tuple[str, ...] = ()
    unclear: bool = False


class PetRoll:
    """The pets of one household, ready for look-ups in folded text."""

    def __init__(self, pets: Sequence[PetProfile]) -> None:
        self.pets = tuple(pets)
        self.by_id = {pet.id: pet for pet in self.pets}
        self.alive = tuple(pet for pet in self.pets if pet.status == "active") or self.pets
        names = [(fold_text(name), pet.id) for pet in self.pets for name in (pet.name, *pet.nicknames) if name]
        self._breeds = [
            (breed, found)
            for breed, words in BREEDS.items()
            if (found := tuple(pet.id for pet in self.alive if pet.breed and words.search(pet.breed)))
        ]
        self._names = sorted(names, key=lambda pair: -len(pair[0]))

    def names_in(self, text: str) -> list[Mention]:
        """Names and nicknames, longest first, so that 小豆豆 is not also 豆豆. Linear in text × names."""
        taken = bytearray(len(text))
        found: list[Mention] = []
        for name, _ in self._names:
            start = text.find(name)
            while start >= 0:
                end = start + len(name)
                followed = any(text.startswith(other, end) for other, _ in self._names)
                if not any(taken[start:end]) and (followed or _stands_alone(text, start, end)):
                    taken[start:end] = b"\x01" * len(name)
                    bearers = self.told_apart(self._bearers(name), text[max(0, start - NEAR) : end + NEAR])
                    found.append(Mention(start, end, MentionKind.NAME, bearers, unclear=len(bearers) > 1))
                start = text.find(name, end)
        return sorted(found, key=lambda mention: mention.start)

    def _bearers(self, name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(pet_id for other, pet_id in self._names if other == name))

    def told_apart(self, bearers: tuple[str, ...], around: str) -> tuple[str, ...]:
        """Of several that are called alike (from before it was refused) those of the kind told beside the name."""
        if len(bearers) < 2:
            return bearers
        here = tuple(one for one in bearers if self.by_id[one].status == "active") or bearers
        kinds = {kind for kind, words in _KIND_TOLD.items() if words.search(around)}
        of_kind = tuple(one for one in here if self.by_id[one].species in kinds)
        return of_kind or here

    def of_species(self, species: str) -> tuple[str, ...]:
        return tuple(pet.id for pet in self.alive if species_of(pet) == species)

    def breeds(self) -> list[tuple[str, tuple[str, ...]]]:
        """The breeds of this household with the pets that are of them."""
        return self._breeds


NEAR = 4  # characters beside a name in which its kind may be told: 猫咪豆豆, 豆豆（狗）, 豆豆那只猫
_KIND_TOLD = {"cat": re.compile(r"猫|喵"), "dog": re.compile(r"狗|犬|汪")}


def species_of(pet: PetProfile) -> str:
    """dog, cat, or the key of the vocabulary's species that a species name of another animal fits."""
    if pet.species != "other":
        return pet.species
    name = pet.species_name or ""
    return next((key for key, words in SPECIES.items() if key == name or words.search(name)), name)


_MAKES_A_THING = re.compile(
    r"粉(?!嫩)|蛋糕|汤(?!喝)|酱|味(?!道)|饼干|面包(?!虫)|奶茶|配方|食谱|做法|口味"
)  # 胡椒粉 is no 胡椒


_ORDERED = re.compile(
    r"(?:我|咱|咱们|我们|晚上|中午|早上|早饭|午饭|晚饭|夜宵|外卖|食堂)(?:也|都|就|还|好|突然|今天|现在|刚|又|只|不|没|想|要|去|爱|喜欢|来|最)*(?:吃|喝|买|点|煮|炒|炖|啃|做)(?:了|的|点|过|的是|完)?(?:[一两三四五半几\d]?[碗份杯个块盘笼斤根])?$"
    r"|(?:吃|喝|点|买|来)了?[一两三四五半几\d]?[杯碗瓶份]$|(?:糖炒|油炸|红烧|凉拌|爆炒|清蒸|现烤|手工|[烤炸蒸煮炒煎卤焖])$"
)  # what a person orders or eats is food, whatever the pet is called
MAX_ORDER = 16  # characters before a name that may hold an order


def _stands_alone(text: str, start: int, end: int) -> bool:
    if _MAKES_A_THING.match(text, end) or _ORDERED.search(text[max(0, start - MAX_ORDER) : start]):
        return False
    if not (text[start].isascii() and text[end - 1].isascii()):
        return True
    around = text[start - 1 : start] + text[end : end + 1]
    return not any(character.isascii() and character.isalnum() for character in around)


@lru_cache(maxsize=64)
def roll_of(pets: tuple[PetProfile, ...]) -> PetRoll:
    return PetRoll(pets)
