"""What a reply is checked against: the facts of the pets at home, as values. The service builds them from records."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from domain.pet_profiles import PetProfile


@dataclass(frozen=True, slots=True)
class AllergyFact:
    """allergens: ids of `knowledge.allergens`; words: what the sheet does not know; provisional: 待确认."""

    allergens: frozenset[str]
    words: tuple[str, ...] = ()
    criticality: str = "unknown"
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class PetFacts:
    """One pet. drugs: ids of current drugs (ingredients); products: names as said; diets: ids of prescription diets.

    conditions: ids of `knowledge.conditions`; cautions: ids of the condition rules of `knowledge.medications`.
    foods: allergen ids of what it eats, so that "its can" can be looked into. age_months: None when unknown.
    """

    profile: PetProfile
    allergies: tuple[AllergyFact, ...] = ()
    conditions: frozenset[str] = frozenset()
    cautions: frozenset[str] = frozenset()
    drugs: frozenset[str] = frozenset()
    products: tuple[str, ...] = ()
    diets: frozenset[str] = frozenset()
    foods: frozenset[str] = frozenset()
    lines: tuple[str, ...] = ()
    age_months: int | None = None

    @property
    def allergens(self) -> frozenset[str]:
        return frozenset(allergen for fact in self.allergies for allergen in fact.allergens)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.profile.name, *self.profile.nicknames)


@dataclass(frozen=True, slots=True)
class SafetyFacts:
    """All pets at home; `about` are the ids of those the talk is about (empty: unclear, then all count).

    known_citations: memory ids that a reply may cite; None when citations are checked elsewhere.
    """

    pets: tuple[PetFacts, ...]
    about: frozenset[str] = frozenset()
    known_citations: frozenset[str] | None = None
    extra_support: tuple[str, ...] = field(default=())

    @property
    def concerned(self) -> tuple[PetFacts, ...]:
        return tuple(pet for pet in self.pets if pet.profile.id in self.about) or self.pets

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for pet in self.pets for name in pet.names)

    def others_than(self, pet: PetFacts) -> Sequence[PetFacts]:
        return [other for other in self.pets if other.profile.id != pet.profile.id]
