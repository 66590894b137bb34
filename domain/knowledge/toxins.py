"""What is poisonous to dogs and cats, the words for it, and how bad it is (`data/toxins.yaml`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from domain.knowledge.sheets import Row, open_sheet, read_origin

Severity = Literal["lethal", "high", "moderate", "low", "unknown", "none"]
Action = Literal["vet_now", "call_now", "vet_24h", "monitor"]

SEVERITIES: dict[str, Severity] = {
    "lethal": "lethal",
    "high": "high",
    "moderate": "moderate",
    "low": "low",
    "unknown": "unknown",
    "none": "none",
}
ACTIONS: dict[str, Action] = {
    "vet_now": "vet_now",
    "call_now": "call_now",
    "vet_24h": "vet_24h",
    "monitor": "monitor",
}
ACTION_ORDER: tuple[Action, ...] = ("monitor", "vet_24h", "call_now", "vet_now")


@dataclass(frozen=True, slots=True)
class Danger:
    severity: Severity
    action: Action


@dataclass(frozen=True, slots=True)
class Exemption:
    """A registered product used on the species it is made for: no poisoning there."""

    term: str
    species: str


@dataclass(frozen=True, slots=True)
class Toxin:
    """`also_in` are mixed foods that often hold it (look at the label); `not_this` only look like it."""

    id: str
    name_zh: str
    category: str
    aliases: tuple[str, ...]
    also_in: tuple[str, ...]
    danger: Mapping[str, Danger]
    signs: tuple[str, ...]
    owner_advice: str
    not_this: tuple[str, ...]
    exempt: tuple[Exemption, ...]
    source: str
    confidence: str

    def danger_for(self, species: str) -> Danger:
        """For a species that the sources do not rate, the worse of dog and cat."""
        if species in self.danger:
            return self.danger[species]
        return max(self.danger.values(), key=lambda danger: ACTION_ORDER.index(danger.action))


@dataclass(frozen=True, slots=True)
class ExposureWords:
    """Regexes over one clause: was it eaten, is it only asked, was it avoided."""

    exposure_phrases: tuple[str, ...]
    exposure: tuple[str, ...]
    not_exposure: tuple[str, ...]
    question: tuple[str, ...]
    prevention: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToxinSheet:
    toxins: tuple[Toxin, ...]
    traps: tuple[str, ...]
    safe_foods: tuple[str, ...]
    pet_names: tuple[str, ...]
    exposure_words: ExposureWords


@cache
def load_toxins() -> ToxinSheet:
    """All toxins, read once. Raises KnowledgeError with file and line."""
    return open_sheet("toxins.yaml").read(read_toxin_sheet)


def read_toxin_sheet(top: Row) -> ToxinSheet:
    top.only("meta", "global_traps", "toxins", "asked_often_safe", "pet_name_collisions")
    meta = top.row("meta")
    return ToxinSheet(
        toxins=tuple(_read_toxin(row) for row in top.rows("toxins")),
        traps=tuple(row.text("term") for row in top.rows("global_traps")),
        safe_foods=tuple(row.text("term") for row in top.rows("asked_often_safe")),
        pet_names=top.row("pet_name_collisions").texts("terms"),
        exposure_words=ExposureWords(
            exposure_phrases=meta.texts("exposure_patterns"),
            exposure=meta.texts("exposure_regex"),
            not_exposure=meta.texts("not_exposure_regex"),
            question=meta.texts("question_patterns"),
            prevention=meta.texts("prevention_patterns"),
        ),
    )


def _read_toxin(row: Row) -> Toxin:
    row.only(
        *("id", "name_zh", "category", "aliases", "also_in", "principle", "species", "signs", "onset", "owner"),
        *("not_this", "source", "confidence", "note", "exempt"),
    )
    source, confidence = read_origin(row)
    species = row.row("species")
    return Toxin(
        id=row.text("id"),
        name_zh=row.text("name_zh"),
        category=row.text("category"),
        aliases=row.texts("aliases"),
        also_in=row.texts("also_in"),
        danger={kind: _read_danger(species.row(kind)) for kind in species.keys()},  # noqa: SIM118  (a Row is no dict)
        signs=row.texts("signs"),
        owner_advice=row.text("owner"),
        not_this=tuple(trap.text("term") for trap in row.rows("not_this")),
        exempt=tuple(Exemption(item.text("term"), item.text("species")) for item in row.rows("exempt")),
        source=source,
        confidence=confidence,
    )


def _read_danger(row: Row) -> Danger:
    row.only("severity", "action")
    return Danger(row.choice("severity", SEVERITIES), row.choice("action", ACTIONS))
