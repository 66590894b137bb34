"""Emergencies in what an owner writes, found before anything else is done.

Pure: text and pets in, alerts out. Where to look: signs `red_flag_matcher`, poison `poison_matcher`, what tells of one
thing `complaints`, whether an owner asks how bad it is `how_bad`, the words of an alert `advice`, how a message is cut
`clauses`. No alert does not mean that all is well.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from domain.knowledge.red_flags import RedFlag, Urgency, load_red_flags
from domain.knowledge.toxins import Action
from domain.pet_profiles import SPECIES_LABELS, PetProfile
from domain.triage.advice import advise_on_flag, advise_on_poison, sign_of
from domain.triage.complaints import Told, told_already
from domain.triage.poison_matcher import Poisoning, find_poisonings
from domain.triage.red_flag_matcher import find_red_flags
from memory.text_folding import fold_text

Level = Literal["emergency", "urgent", "watch"]
LEVELS: tuple[Level, ...] = ("emergency", "urgent", "watch")

_LEVEL_OF_URGENCY: dict[Urgency, Level] = {"emergency": "emergency", "within_24h": "urgent", "observe": "watch"}
_LEVEL_OF_ACTION: dict[Action, Level] = {
    "vet_now": "emergency",
    "call_now": "emergency",
    "vet_24h": "urgent",
    "monitor": "watch",
}
YOUNG_MONTHS = 6  # below it, vomiting and diarrhoea are a step more urgent (combine_rules of redflags.yaml)
_WORSE_WHEN_YOUNG: dict[str, Level] = {
    "repeated_vomit": "emergency",
    "single_vomit": "urgent",
    "diarrhea": "urgent",
    "anorexia_cat": "emergency",
}
_WORSE_WITH_LETHARGY = frozenset({"repeated_vomit", "diarrhea", "fever", "single_vomit"})
LOW_SUGAR = "hypoglycemia"
_MAY_BE_LOW_SUGAR = frozenset({"lethargy", "vestibular", "seizure", "tremor", "collapse", "paralysis"})
_WEAK = re.compile(r"发软|软了|软绵绵|没力气|走路晃|走不稳|摇摇晃晃|晃晃悠悠|打晃|站不稳|迷迷糊糊|瘫|发抖|哆嗦")
_WELL = re.compile(r"不(?:抖|晃|软)|没(?:有)?(?:抖|晃|发软)")
_YOUNG_WORDS = re.compile(
    r"幼(?:犬|猫)|奶(?:狗|猫)|小奶|狗崽|猫崽|(?:两|三|四|2|3|4)个?月(?:大|龄|的)|刚满月|没断奶|刚断奶"
)
_SAID_NAME = re.compile(
    r"(?:名字叫|名叫|名字是|取名叫?|起名叫?|[狗猫犬只条毛短]叫)(?P<named>[\u4e00-\u9fff]{2,3}?)(?=[,。!?\s的今刚才现是对吃]|$)"
    r"|(?:^|[,。!?])(?P<being>[\u4e00-\u9fff]{2,3}?)(?:对[^,。]{1,6}过敏|是(?:我|咱)们?家?的?|今?年?[\d一二三四五六七八九十]{1,3}个?[岁月]大?)"
)

_OTHER_SPECIES: tuple[tuple[str, str], ...] = (
    ("兔", "rabbit"),
    ("rabbit", "rabbit"),
    ("豚鼠", "guinea_pig"),
    ("荷兰猪", "guinea_pig"),
    ("guinea", "guinea_pig"),
    ("龙猫", "guinea_pig"),
    ("仓鼠", "hamster"),
    ("金丝熊", "hamster"),
    ("hamster", "hamster"),
    ("鹦鹉", "bird"),
    ("玄凤", "bird"),
    ("鸟", "bird"),
    ("bird", "bird"),
    ("parrot", "bird"),
)
_SPECIES_WORDS: dict[str, re.Pattern[str]] = {
    "dog": re.compile(r"狗|犬|汪"),
    "cat": re.compile(r"(?<!熊)(?<!龙)猫|喵"),
    "rabbit": re.compile(r"兔"),
    "bird": re.compile(r"鹦鹉|鸟"),
    "hamster": re.compile(r"仓鼠"),
    "guinea_pig": re.compile(r"豚鼠|荷兰猪|龙猫"),
}


@dataclass(frozen=True, slots=True)
class Alert:
    """level: emergency (now), urgent (within 24 hours), watch (at home, with what to look for).

    rule_id: `flag:<group>` or `toxin:<id>` of the knowledge files. pet_id: None when several pets may be meant.
    """

    level: Level
    sign: str
    advice: str
    rule_id: str
    pet_id: str | None = None


def triage(
    text: str,
    pets: Sequence[PetProfile] = (),
    focus_pet_id: str | None = None,
    today: date | None = None,
    young: Collection[str] = (),
    on_insulin: Collection[str] = (),
) -> tuple[Alert, ...]:
    """The alerts that a message calls for, gravest first; empty for nearly all messages.

    focus_pet_id: the pet of the talk, meant when the message names none. today: for the pets' ages; without it only
    the words of the message, and `young` (ids of pets that are), tell that an animal is. on_insulin: ids of pets that
    are given it; weakness may be low sugar there.
    """
    meant = _pets_meant(text, pets, focus_pet_id)
    alerts = [
        *_sign_alerts(text, meant, today, young),
        *_low_sugar_alerts(text, [pet for pet in meant if pet.id in on_insulin]),
        *_poison_alerts(text, meant, pets),
    ]
    return tuple(sorted(_one_a_sign(alerts), key=lambda alert: LEVELS.index(alert.level)))


def prepare() -> None:
    """Compile all rules and build all indexes, so that the first message need not wait for it (about 0.2 s)."""
    triage("")
    find_poisonings("百合")


def species_of(pet: PetProfile) -> str:
    """dog, cat, or for the others what the knowledge files call it (rabbit, bird, …); "other" when unknown."""
    if pet.species != "other":
        return pet.species
    said = fold_text(pet.species_name or "") + fold_text(pet.breed or "")
    return next((species for word, species in _OTHER_SPECIES if word in said), "other")


def _pets_meant(text: str, pets: Sequence[PetProfile], focus_pet_id: str | None) -> list[PetProfile]:
    active = [pet for pet in pets if pet.status == "active"]
    folded = fold_text(text)
    named = [pet for pet in active if any(fold_text(name) in folded for name in (pet.name, *pet.nicknames) if name)]
    if named:
        return named
    of_species = [pet for pet in active if (word := _SPECIES_WORDS.get(species_of(pet))) and word.search(folded)]
    focused = [pet for pet in of_species or active if pet.id == focus_pet_id]
    return focused or of_species or active


def _sign_alerts(text: str, meant: Sequence[PetProfile], today: date | None, young: Collection[str]) -> Iterator[Alert]:
    flags = find_red_flags(text)
    ids = {flag.id for flag in flags}
    for flag in flags:
        concerned = [pet for pet in meant if _concerns(flag, pet)]
        if meant and not concerned:
            continue
        only = concerned[0] if len(concerned) == 1 else None
        level = _level_of(flag, ids, _is_young(text, concerned, today, young))
        advice = advise_on_flag(flag, only.name if only else None, level)
        yield Alert(level, sign_of(flag), advice, f"flag:{flag.id}", only.id if only else None)


def _low_sugar_alerts(text: str, on_insulin: Sequence[PetProfile]) -> Iterator[Alert]:
    """没精神，走路晃 of a pet on insulin: low sugar until a vet has measured it (ISFM 2025, AAHA 2018)."""
    if len(on_insulin) != 1:
        return
    told = {flag.id for flag in find_red_flags(text)}
    weak = _WEAK.search(fold_text(text)) is not None and not _WELL.search(fold_text(text))
    if LOW_SUGAR in told or not (told & _MAY_BE_LOW_SUGAR or weak):
        return
    flag = next(flag for flag in load_red_flags().flags if flag.id == LOW_SUGAR)
    (pet,) = on_insulin
    advice = advise_on_flag(flag, pet.name, "emergency")
    yield Alert("emergency", sign_of(flag), advice, f"flag:{flag.id}", pet.id)


def _concerns(flag: RedFlag, pet: PetProfile) -> bool:
    """A species that the sheet does not know by itself is taken for both dog and cat."""
    species = species_of(pet)
    return species in flag.species or (species not in {"dog", "cat"} and {"dog", "cat"} <= set(flag.species))


def _level_of(flag: RedFlag, fired: set[str], young: bool) -> Level:
    level = _LEVEL_OF_URGENCY[flag.urgency]
    if young and flag.id in _WORSE_WHEN_YOUNG:
        return min(level, _WORSE_WHEN_YOUNG[flag.id], key=LEVELS.index)
    if "lethargy" in fired and flag.id in _WORSE_WITH_LETHARGY:
        return min(level, "urgent", key=LEVELS.index)
    return level


def _is_young(text: str, pets: Sequence[PetProfile], today: date | None, young: Collection[str]) -> bool:
    if _YOUNG_WORDS.search(text) or (pets and all(pet.id in young for pet in pets)):
        return True
    births = [pet.born_on for pet in pets if pet.born_on]
    return bool(births and today and all((today - born).days < YOUNG_MONTHS * 30 for born in births))


def _poison_alerts(text: str, meant: Sequence[PetProfile], pets: Sequence[PetProfile]) -> Iterator[Alert]:
    names = [*(name for pet in pets for name in (pet.name, *pet.nicknames)), *_names_told(text)]
    only = meant[0] if len(meant) == 1 else None
    for species in sorted({species_of(pet) for pet in meant}) or ["dog"]:
        eaten = [found for found in find_poisonings(text, names, species) if found.scene == "exposure"]
        for poisoning in _named_once(eaten, fold_text(text)):
            yield _poison_alert(poisoning, species, only)


def _names_told(text: str) -> Iterator[str]:
    """可乐 in 我家金毛叫可乐 and 可乐对牛肉过敏: an animal that nobody has added yet may bear the name of a poison."""
    return (found["named"] or found["being"] for found in _SAID_NAME.finditer(fold_text(text)))


def _named_once(eaten: Sequence[Poisoning], folded: str) -> list[Poisoning]:
    """84消毒液 is one thing, though 84 and 消毒液 are two words of the sheet: the first of them tells of it."""
    surfaces = [fold_text(poisoning.surface) for poisoning in eaten]
    return [
        poisoning
        for poisoning, surface in zip(eaten, surfaces, strict=True)
        if not any(before != surface and before + surface in folded for before in surfaces)
    ]


def _poison_alert(poisoning: Poisoning, species: str, only: PetProfile | None) -> Alert:
    action = poisoning.action_for(species)
    advice = advise_on_poison(poisoning, only.name if only else None, SPECIES_LABELS.get(species, "它"), action)
    sign = f"误食或接触{poisoning.surface}"
    return Alert(_LEVEL_OF_ACTION[action], sign, advice, f"toxin:{poisoning.toxin.id}", only.id if only else None)


def _one_a_sign(alerts: Sequence[Alert]) -> list[Alert]:
    """One alert a complaint, the gravest; the general suspicion of poison gives way to the poison that was named."""
    best: dict[str, Alert] = {}
    for alert in alerts:
        known = best.get(alert.rule_id)
        if known is None or LEVELS.index(alert.level) < LEVELS.index(known.level):
            best[alert.rule_id] = alert
    if any(rule.startswith("toxin:") and alert.level == "emergency" for rule, alert in best.items()):
        best.pop("flag:poison", None)
    said = told_already([Told(rule, LEVELS.index(alert.level), alert.pet_id) for rule, alert in best.items()])
    return [alert for rule, alert in best.items() if rule not in said]
