"""The assistant without a model: rules that answer from the context, sentence by sentence."""

from collections.abc import AsyncIterator

from domain.assistant import AnswerSentence, Mode
from domain.offline.responder import respond
from domain.turn_context import TurnContext


class OfflineAssistant:
    """Implements `domain.assistant.Assistant` in basic mode; needs no network and keeps no state."""

    @property
    def mode(self) -> Mode:
        return "basic"

    async def answer(self, context: TurnContext) -> AsyncIterator[AnswerSentence]:
        """The sentences of `respond`, in order."""
        for sentence in respond(context):
            yield sentence
