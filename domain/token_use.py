"""What a call to a model was for, and what it cost."""

from dataclasses import dataclass
from typing import Literal

Purpose = Literal["reply", "extract", "summarise", "judge", "condense"]
"""reply: answering the owner. The others are chores off the reply path."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of one or more calls. cached_tokens: the part of the prompt that the endpoint had in its cache."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
        )

    @property
    def total(self) -> int:
        return self.prompt_tokens + self.completion_tokens
