"""One open confirmation, raised at a natural moment: after an answer, about a pet being talked of, once a day."""

from domain.assistant import AnswerSentence
from domain.offline.responder.receipts import ask
from domain.offline.responder.wording import plain
from domain.turn_context import AskedQuestion, TurnContext
from memory.vocabulary import OWNER_SUBJECT


def raised_question(context: TurnContext) -> list[AnswerSentence]:
    """The first open question that fits the moment, or nothing."""
    if context.alerts or any(item.confirmation for item in context.written):
        return []
    fitting = (question for question in context.questions if _fits(question, context))
    return ask(next(fitting, None), "顺便问一句：")


def _fits(question: AskedQuestion, context: TurnContext) -> bool:
    meant = {card.pet.id for card in context.cards}
    asked_already = any(
        said.role == "assistant" and plain(question.question) in plain_all(said.text) for said in context.history
    )
    return (
        not asked_already
        and not question.rests
        and (not meant or question.subject in meant or question.subject == OWNER_SUBJECT)
    )


def plain_all(text: str) -> str:
    """A whole answer on one line, to look for a question in it."""
    return " ".join(text.split())
