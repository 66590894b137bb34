"""The answer to 我叫什么 and the like: the owner's own line, turned round, or that it was never told."""

from domain.assistant import AnswerSentence
from domain.offline.responder.lines import Line, lines_of
from domain.offline.responder.voice import say
from domain.offline.responder.wishes import Wishes
from domain.owner_questions import OwnerFact, asked_of_owner
from domain.turn_context import TurnContext
from memory.vocabulary import OWNER_SUBJECT

_NEVER_TOLD = {
    OwnerFact.NAME: "你还没告诉过我你的名字。",
    OwnerFact.ADDRESS: "你还没告诉过我怎么称呼你；想让我怎么叫，说“以后叫我……”就行。",
    OwnerFact.RESIDENCE: "你还没告诉过我住在哪儿。",
}


def tell_owner_fact(context: TurnContext, wishes: Wishes) -> list[AnswerSentence]:
    """One sentence; none where the message asks for nothing of the kind."""
    fact = asked_of_owner(context.text) if not context.written and context.remembers else None
    if fact is None:
        return []
    if fact is OwnerFact.ADDRESS and wishes.called and wishes.called_by is not None:
        return [say(f"你让我叫你{wishes.called}。", (wishes.called_by,))]
    slot = OwnerFact.NAME if fact is OwnerFact.ADDRESS else fact
    line = next((line for line in lines_of(context) if _holds(line, slot)), None)
    return [say(f"{_turned_round(line.text)}。", (line,))] if line else [say(_NEVER_TOLD[fact])]


def _holds(line: Line, slot: OwnerFact) -> bool:
    return line.subject == OWNER_SUBJECT and line.attribute == slot.value


def _turned_round(text: str) -> str:
    """我叫小林 → 你叫小林"""
    return text.rstrip("。.!！").replace("我", "你", 1)
