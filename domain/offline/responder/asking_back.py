"""When it cannot be told which pet is meant: ask, and say what was kept unassigned meanwhile."""

from domain.assistant import AnswerSentence
from domain.offline.responder.voice import say
from domain.offline.responder.wording import joined, or_list, plain
from domain.turn_context import TurnContext
from memory.vocabulary import Outcome


def ask_which_pet(context: TurnContext) -> list[AnswerSentence]:
    """The question with the candidates' names, after what was stored without a pet."""
    told = []
    kept = [
        plain(item.content) for item in context.written if item.subject is None and item.outcome is not Outcome.REFUSED
    ]
    if kept:
        told.append(say(f"先记下了“{joined(kept)}”，还没算在谁头上。"))
    return [*told, say(_question(context))]


def doubt_about_pet(context: TurnContext) -> list[AnswerSentence]:
    """After an answer about a pet that was only the likeliest: how to set it right; not after one about all."""
    everybody = len(context.cards) > 1 and not context.others
    if not (context.unclear and context.cards) or everybody:
        return []
    return [say(f"我当你说的是{joined((card.pet.name for card in context.cards), '、')}，不是的话告诉我是哪一只。")]


def _question(context: TurnContext) -> str:
    living = [pet for pet in context.others if pet.status == "active"] or list(context.others)
    names = [plain(pet.name) for pet in living]
    if len(names) > 1:
        return f"你说的是{or_list(names)}？"
    return f"你说的是{names[0]}吗？" if names else "你说的是哪一只？"
