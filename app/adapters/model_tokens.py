"""Tokens of one call: as the endpoint counted them, or estimated, never too low, when it does not say."""

import json
from collections.abc import Sequence
from typing import Any

from app.adapters.model_requests import ModelRequest
from domain.token_budget import count_tokens
from domain.token_use import Tokens

TOKENS_A_MESSAGE = 4  # what chat templates put around each message


def tokens_of_answer(usage: Any, request: ModelRequest, answered: str) -> Tokens:
    """From the endpoint's `usage` object (None when it sent none)."""
    told = usage if isinstance(usage, dict) else {}
    prompt, completion = told.get("prompt_tokens"), told.get("completion_tokens")
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return Tokens(prompt_tokens(request), count_tokens(answered))
    details = told.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return Tokens(prompt, completion, cached if isinstance(cached, int) else 0)


def tokens_of_embedding(usage: Any, texts: Sequence[str]) -> Tokens:
    """From the `usage` of an embedding (None when the endpoint sent none)."""
    told = getattr(usage, "prompt_tokens", None)
    return Tokens(told if isinstance(told, int) else sum(map(count_tokens, texts)))


def prompt_tokens(request: ModelRequest) -> int:
    """An estimate of what the request costs before it is sent."""
    words = [_words(message) for message in request.messages]
    tools = json.dumps(list(request.tools), ensure_ascii=False) if request.tools else ""
    shape = json.dumps(request.shape.schema) if request.shape else ""
    return sum(count_tokens(one) + TOKENS_A_MESSAGE for one in words) + count_tokens(tools) + count_tokens(shape)


def _words(message: Any) -> str:
    calls: Sequence[Any] = message.get("tool_calls") or ()
    return str(message.get("content") or "") + "".join(str(call) for call in calls)
