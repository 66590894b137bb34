"""What is poisonous, told before anything was eaten: from the sourced list, for the animals in question.

Silence would be the dangerous answer, so this is told whether or not a record speaks of it, and also while it is
unclear which pet is meant.
"""

import re
from collections.abc import Iterable, Sequence

from domain.assistant import AnswerSentence
from domain.knowledge.lexicon import find_entities
from domain.knowledge.toxins import Toxin
from domain.offline.responder.reading import is_question
from domain.offline.responder.voice import say
from domain.pet_profiles import SPECIES_LABELS, PetProfile
from domain.triage import species_of
from domain.triage.poison_matcher import Poisoning, find_poisonings
from memory.text_folding import fold_text

MOST_SIGNS = 3  # of a poisoning, enough to know it by
WARNINGS = ("别给", "先别给", "家里别放")  # how each warning begins

_SEVERE = ("lethal", "high", "moderate")
_SPECIES_WORDS = {"cat": re.compile("猫|喵"), "dog": re.compile("狗|犬|汪")}
_STANDS_ABOUT = re.compile(r"放|养|插|摆|种|熏|喷洒|点(?:一|个|根|蚊|香|上|烟花|鞭炮|爆竹)|家里有")
_FEARS = re.compile(r"怕|胆小|躲|吓")
_IS_GIVEN = re.compile(r"吃|喝|舔|咬|啃|嚼|闻|给|喂|能|可以|行不|放|养|种|点|中毒|有毒|危险")
"""怕烟花吗 asks what a pet is like, as long as nothing is given, kept or lit."""

_HOW_MUCH = re.compile(
    r"(?:给|喂|吃|喝|用|打|滴|一次|每次|一天)(?!了|过)[^,，。?？了过]{0,6}(?:多少|几(?:片|粒|颗|滴|毫升|ml|毫克|mg|克|包))|剂量|用量"
)
_NO_DOSE = "没有可以自己给的用量，要用药先问医生。"
_ASKS_OF_RECORDS = re.compile(r"上次|上回|那次|哪天|什么时候|几号|几次|记得|记录")


def asked_poisons(text: str, pets: Sequence[PetProfile], names: Sequence[str]) -> list[AnswerSentence]:
    """A warning for each poison that a question names, for these pets or the species it speaks of; [] for none.

    names: what the pets are called; a pet called 葡萄 is no poison.
    """
    if not is_question(text) or _ASKS_OF_RECORDS.search(text):
        return []
    if _FEARS.search(text) and not _IS_GIVEN.search(text):
        return []
    found: dict[str, list[tuple[Poisoning, str]]] = {}
    asked = _leave_asked(text, names)
    for species in _species_asked(text, pets):
        for poisoning in find_poisonings(asked, names, species):
            if poisoning.scene == "question":
                found.setdefault(poisoning.toxin.id, []).append((poisoning, species))
    warned = [say(words) for named in found.values() if (words := _worst(named, text))]
    return [*warned, say(_NO_DOSE)] if warned and _HOW_MUCH.search(text) else warned


def _leave_asked(text: str, names: Sequence[str]) -> str:
    """布洛芬给它吃多少 asks for leave to give it."""
    if not _HOW_MUCH.search(text):
        return text
    poisons = dict.fromkeys(entity.surface for entity in find_entities(text, names) if entity.kind == "toxin")
    return "，".join((text, *(f"能给它吃{poison}吗" for poison in poisons)))


def _worst(asked: Sequence[tuple[Poisoning, str]], text: str) -> str:
    """The warning for all whom it harms badly; the doubtful one only where it harms nobody badly."""
    poisoning = asked[0][0]
    hurt = [species for one, species in asked if one.toxin.danger_for(species).severity in _SEVERE]
    return warning(poisoning, hurt or [species for _, species in asked], text)


def warning(poisoning: Poisoning, species: Sequence[str], text: str) -> str:
    """One sentence on a poison for species that it harms alike, "" when it does them no harm."""
    toxin, kind = poisoning.toxin, "和".join(SPECIES_LABELS.get(one, "它") for one in species)
    verb = "家里别放" if _STANDS_ABOUT.search(fold_text(text)) else "别给"
    severity = toxin.danger_for(species[0]).severity
    if severity in _SEVERE and poisoning.may_contain:
        return (
            f"{verb}：{poisoning.surface}可能含有对{kind}有危险的东西（{_short(toxin)}），先看清配料，拿不准就不要给。"
        )
    if severity in _SEVERE:
        return f"{verb}：{poisoning.surface}对{kind}有危险，{_signs(toxin)}万一已经碰了、吃了，马上联系兽医。"
    if severity in ("low", "unknown") and (others := _severe_for(toxin, species[0])):
        return f"先别给：{poisoning.surface}对{others}有剧毒，对{kind}的资料很少，没有可靠的安全量，按有毒对待。"
    return ""


def _signs(toxin: Toxin) -> str:
    return f"中毒后可能{'、'.join(toxin.signs[:MOST_SIGNS])}。" if toxin.signs else ""


def _short(toxin: Toxin) -> str:
    return toxin.name_zh.split("/")[0].split("(")[0].split("（")[0]


def _severe_for(toxin: Toxin, species: str) -> str:
    kinds: Iterable[str] = (kind for kind in toxin.danger if kind != species)
    severe = [SPECIES_LABELS[kind] for kind in kinds if toxin.danger[kind].severity in ("lethal", "high")]
    return "和".join(severe)


def _species_asked(text: str, pets: Sequence[PetProfile]) -> list[str]:
    """The species the question speaks of, else those of the pets."""
    said = [species for species, word in _SPECIES_WORDS.items() if word.search(text)]
    return said or sorted({species_of(pet) for pet in pets if pet.status == "active"})
