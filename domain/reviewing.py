"""The safety review of one answer as it streams: each sentence is checked before the owner sees it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from domain.assistant import AnswerSentence
from domain.turn_context import TurnContext

ReviewSentence = Callable[[str, str, TurnContext], str]
"""(sentence, question, context) → the sentence that may be shown: itself, or a plain warning."""


@dataclass(frozen=True, slots=True)
class Reviewer:
    """Reviews the sentences of one turn."""

    context: TurnContext
    review: ReviewSentence

    def check(self, sentence: AnswerSentence) -> AnswerSentence:
        """The sentence as it may be shown. A replaced one keeps no citation: it is ours, not the memory's."""
        shown = self.review(sentence.text, self.context.text, self.context)
        return sentence if shown == sentence.text else replace(sentence, text=shown, citations=())


def review_against_records(sentence: str, question: str, context: TurnContext) -> str:
    return sentence
