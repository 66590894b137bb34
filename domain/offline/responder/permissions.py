"""May it eat, drink, be given this: what the records say against it or of it. Never a permission of our own.

What is dangerous to eat is told from the sourced list, because silence would be the dangerous answer.
"""

import re
from collections.abc import Sequence

from domain.assistant import AnswerSentence
from domain.knowledge.lexicon import EntityMatch, find_entities
from domain.knowledge.toxins import load_toxins
from domain.offline.responder.lines import Line
from domain.offline.responder.poison import WARNINGS, asked_poisons
from domain.offline.responder.reading import Asked
from domain.offline.responder.relevance import answering, entities_in, near_the_best
from domain.offline.responder.voice import quoted, say, tell
from domain.offline.responder.wording import joined
from domain.pet_profiles import SPECIES_LABELS
from domain.safety.denials import denies_allergy
from domain.safety.size_rules import breed_kg, size_risk
from domain.turn_context import PetCard
from memory.text_folding import fold_text

MOST_LINES = 3  # lines told for or against one food

_FINE = re.compile(r"不过敏|阴性|(?<!不)能吃|(?<!不)可以吃|没事|没反应|爱吃|最爱|喜欢")
_DENIED = re.compile(r"阴性|没事|没问题|没反应")
_AGAINST = re.compile(
    r"过敏|不耐受|不能|不可以|禁|忌|别|不再?给|不给|敏感|中毒"
    r"|(?:吃|喝|舔|碰|闻|用|打|滴|涂|喷|踩).{0,14}(?:拉|吐|痒|肿|疹|[红包疱]|软便|不舒服|反应|休克|放屁|胀|响|咳|流泪|泻|发作)"
)
_LIMITS = re.compile(r"处方粮|低脂|低盐|低磷|低碳|水解|禁油|控|只吃|忌|严格|不能吃|限制")
_LIMITING_SLOTS = ("condition", "chronic_condition")
_DRUG_VERBS = re.compile(r"药|针|打|抹|涂|滴|喷|片|消炎|止痛")
_MATTERS = frozenset({"allergen", "toxin", "drug", "drug_class", "dewormer", "vaccine", "food"})


def may_have(asked: Asked, card: PetCard, lines: Sequence[Line]) -> list[AnswerSentence]:
    """What is known of this food or drug for this pet, the warnings first."""
    own = [line for line in lines if line.subject == card.pet.id]
    named = [entity for entity in find_entities(asked.text, asked.names) if entity.kind in _MATTERS]
    relevant = _about_it(asked, own)
    against = [line for line in relevant if _speaks_against(line)]
    of_it = [line for line in relevant if line not in against]
    told = _poison(asked, named, card) + _wrong_size(asked, card) + _against(against)
    if of_it:
        told += tell(of_it[:MOST_LINES], "另外，记录里写着：" if told else "记录里写着：")
    if not relevant:
        told.append(_nothing_about_it(asked, card, own, bool(told)))
    limits = [line for line in own if not against and line not in relevant and _limits_food(line, asked)]
    if limits:
        told.append(say(f"还要留意：{joined(map(quoted, limits[:MOST_LINES]))}。", limits[:MOST_LINES]))
    return told


def is_warning(sentence: AnswerSentence) -> bool:
    """Whether a sentence says not to give something."""
    return sentence.text.startswith(WARNINGS)


def _about_it(asked: Asked, own: Sequence[Line]) -> list[Line]:
    """Lines that name the same thing, by the knowledge base or by the owner's own words."""
    given = frozenset(entity.entity_id for entity in find_entities(asked.text, asked.names) if entity.kind in _MATTERS)
    by_entity = [line for line in own if given & entities_in(line.text, asked.names)]
    words = asked.pairs | asked.short_words
    found = [item for item in answering(asked, own) if any(word in fold_text(item.line.text) for word in words)]
    by_words = near_the_best(found, MOST_LINES) if found else []
    warned = [line for line in own if line.slot == "allergy" and any(word in fold_text(line.text) for word in words)]
    return list(dict.fromkeys([*by_entity, *warned, *by_words]))


def _speaks_against(line: Line) -> bool:
    if _is_denied(line) or (_FINE.search(line.text) and line.slot != "allergy"):
        return False
    return line.slot == "allergy" or bool(_AGAINST.search(_without_names(line.text)))


def _without_names(text: str) -> str:
    """The line without the names of drugs and foods: the 拉 of 用奥美拉唑 is no sign of anything."""
    bare, before = "", 0
    for entity in find_entities(text):
        if entity.kind in _MATTERS:
            bare, before = f"{bare}{fold_text(text)[before : entity.start]}", max(before, entity.end)
    return f"{bare}{fold_text(text)[before:]}"


def _is_denied(line: Line) -> bool:
    """An allergy line that says it is none: told, never as a warning."""
    if line.slot == "allergy" and _DENIED.search(line.text) and "过敏" not in line.text:
        return True
    return denies_allergy(line.text)


def _against(lines: Sequence[Line]) -> list[AnswerSentence]:
    if not lines:
        return []
    told = lines[:MOST_LINES]
    if all(line.doubtful for line in told):
        return [say(f"先别给：{joined(map(_as_guess, told))}，还没确认。", told)]
    return [say(f"别给：{joined(_as_guess(line) if line.guess else quoted(line) for line in told)}。", told)]


def _as_guess(line: Line) -> str:
    return f"我记得好像{quoted(line)}" if line.guess else quoted(line)


def _poison(asked: Asked, named: Sequence[EntityMatch], card: PetCard) -> list[AnswerSentence]:
    if warned := asked_poisons(asked.text, (card.pet,), asked.names):
        return warned
    toxins = {toxin.id: toxin for toxin in load_toxins().toxins}
    for entity in named:
        toxin = toxins.get(entity.entity_id) if entity.kind == "toxin" else None
        if toxin and toxin.danger_for(card.pet.species).severity in ("lethal", "high", "moderate"):
            kind = SPECIES_LABELS[card.pet.species]
            danger = "可能含有对{}有危险的东西" if entity.relation == "may_contain" else "对{}有危险"
            return [say(f"别给：{entity.surface}{danger.format(kind)}。")]
    return []


def _wrong_size(asked: Asked, card: PetCard) -> list[AnswerSentence]:
    risk = size_risk(fold_text(asked.text), card.pet, breed_kg(card.pet))
    return [say(f"别给：{risk}。")] if risk else []


def _limits_food(line: Line, asked: Asked) -> bool:
    if _DRUG_VERBS.search(asked.text):
        return line.slot in (*_LIMITING_SLOTS, "medication")
    return line.slot in _LIMITING_SLOTS or (
        line.slot in ("diet", "diet_preference") and bool(_LIMITS.search(line.text))
    )


def _nothing_about_it(asked: Asked, card: PetCard, own: Sequence[Line], warned: bool) -> AnswerSentence:
    """The record is silent on it: said so, with what it must never have, so that the owner can look at the label."""
    allergies = [line for line in own if line.slot == "allergy" and not _is_denied(line)][:MOST_LINES]
    if warned:
        return say(f"除此之外，{card.pet.name}的记录里没有提到这个，拿不准先问兽医。")
    silence = f"{card.pet.name}的记录里没有提到这个"
    if _DRUG_VERBS.search(asked.text):
        silence += "，用不用、怎么用请听兽医的"
    elif card.no_known_allergies:
        silence = f"{card.pet.name}记录为没有已知过敏，但没有提到过这个，拿不准先少碰，问问兽医"
    else:
        silence += "；我现在是基本模式，只能照档案回答，拿不准先别给，问问兽医"
    known = f"已知的过敏：{joined(map(quoted, allergies))}。" if allergies else ""
    return say(f"{silence}。{known}", allergies)
