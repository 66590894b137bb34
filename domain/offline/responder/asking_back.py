"""When it cannot be told which pet is meant: ask, and say what was kept unassigned meanwhile."""

import re
from collections.abc import Sequence

from domain.assistant import AnswerSentence
from domain.knowledge.lexicon import find_entities
from domain.knowledge.question_cues import load_question_cues
from domain.offline.responder.reading import is_question, read_question
from domain.offline.responder.voice import say
from domain.offline.responder.wording import joined, or_list, plain
from domain.pet_profiles import PetProfile
from domain.questions import read_question as read_wanted
from domain.turn_context import TurnContext
from memory.text_folding import fold_text
from memory.vocabulary import Outcome

_OF_AN_ANIMAL = re.compile(r"[耳爪尾毛嘴牙肚腿舔甩叫咬挠抓趴躲喂遛笼窝粮砂蹭]|睡|玩|拆家|喝水")
_ASKS_FOR_WORK = re.compile(r"(?:讲|唱|写|编|画|翻译|算)(?:个|一|首|篇|成|段|道|点)")


def ask_which_pet(context: TurnContext) -> list[AnswerSentence]:
    """The question with the candidates' names, after what was stored without a pet."""
    told = []
    kept = [
        plain(item.content) for item in context.written if item.subject is None and item.outcome is not Outcome.REFUSED
    ]
    if kept:
        told.append(say(f"先记下了“{joined(kept)}”，还没算在谁头上。"))
    return [*told, say(_question(context))]


def found_its_pet(context: TurnContext) -> bool:
    """Whether all that was written is about a pet after all, as with words that put right what was said before."""
    kept = [item for item in context.written if item.outcome is not Outcome.REFUSED]
    return bool(kept) and all(item.subject is not None for item in kept)


def is_off_topic(context: TurnContext) -> bool:
    """Whether a question has nothing to do with the household: memory knows nothing near it, and it names no animal,
    no thing that is kept on record and no trouble."""
    if context.recalled or context.written:
        return False
    asked = read_question(context.text, context.others)
    if asked.things or asked.medical or asked.specific or find_entities(context.text):
        return False
    if _OF_AN_ANIMAL.search(context.text) or read_wanted(context.text, context.now).wanted.classes:
        return False
    asks = is_question(context.text) or _ASKS_FOR_WORK.search(context.text)
    return bool(asks) and not load_question_cues().points.search(fold_text(context.text))


def doubt_about_pet(context: TurnContext) -> list[AnswerSentence]:
    """After an answer about a pet that was only the likeliest: how to set it right; not after one about all."""
    everybody = len(context.cards) > 1 and not context.others
    if not (context.unclear and context.cards) or everybody:
        return []
    return [say(f"我当你说的是{joined((card.pet.name for card in context.cards), '、')}，不是的话告诉我是哪一只。")]


def _question(context: TurnContext) -> str:
    living = [pet for pet in context.others if pet.status == "active"] or list(context.others)
    names = _told_apart(living)
    if len(names) > 1:
        return f"你说的是{or_list(names)}？"
    return f"你说的是{names[0]}吗？" if names else "你说的是哪一只？"


_KINDS = {"dog": "狗", "cat": "猫"}


def _told_apart(pets: Sequence[PetProfile]) -> list[str]:
    """Their names; of those that are called alike the breed or the kind as well."""
    names = [plain(pet.name) for pet in pets]
    return [
        f"{name}（{plain(pet.breed or pet.species_name or _KINDS.get(pet.species, '另一只'))}）"
        if names.count(name) > 1
        else name
        for name, pet in zip(names, pets, strict=True)
    ]
