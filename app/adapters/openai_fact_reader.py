"""Reads facts from owners' words with the small model. Implements `domain.model_claims.FactReader`."""

from collections.abc import Sequence

from app.adapters.fact_prompt import Facts, fact_messages
from app.adapters.model_client import ModelClient
from app.adapters.model_requests import ModelRequest
from app.adapters.structured_answers import ask_structured
from domain.model_claims import Fact, FactsRead, ToRead

MOST_ANSWER_TOKENS = 700  # about ten facts


class OpenAIFactReader:
    """One call for all messages given; the answer is checked by schema and given back once when it does not fit."""

    def __init__(self, client: ModelClient) -> None:
        self._client = client

    async def read(self, messages: Sequence[ToRead], until: float) -> FactsRead:
        """Facts of each message. Raises ModelAway, BadAnswer."""
        request = ModelRequest("extract", fact_messages(messages), MOST_ANSWER_TOKENS, temperature=0.0)
        answer = await ask_structured(self._client, request, Facts, until)
        found: list[list[Fact]] = [[] for _ in messages]
        for one in answer.value.facts:
            if 0 <= one.message < len(messages):
                found[one.message].append(Fact(one.about, one.kind, one.quote, one.name, one.number, one.negated))
        return FactsRead(tuple(map(tuple, found)), answer.tokens, answer.model)
