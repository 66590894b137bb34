"""What can go wrong between us and a model, as one small tree. `reason` is a closed word for metrics and traces.

ModelFault
├── ModelAway            nobody answers now: connection, timeout, rate limit, server error, broken or cut stream
│   └── ModelMisconfigured   the endpoint refuses us: key, address or model name; asking again does not help
└── BadAnswer            an answer came and cannot be used: refusal, blank, another language, another shape, no end
"""

from typing import Literal, Self

from domain.token_use import Tokens

AwayReason = Literal[
    "connection", "timeout", "rate_limited", "server_error", "stream_error", "malformed", "cut", "resting", "refused_us"
]
BadReason = Literal["refusal", "blank", "language", "shape", "endless", "rounds", "form", "echo"]


class ModelFault(Exception):
    """Root. Its message never quotes what was sent or answered. spent: tokens of answers that came all the same."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.spent: dict[str, Tokens] = {}  # by model

    def costing(self, model: str, tokens: Tokens) -> Self:
        """The same fault, with what an answer had cost before it."""
        self.spent[model] = self.spent.get(model, Tokens()) + tokens
        return self


class ModelAway(ModelFault):
    """retry_after: seconds the endpoint asks us to wait, None when it does not say."""

    def __init__(self, reason: AwayReason, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class ModelMisconfigured(ModelAway):
    """status: the HTTP status by which we were refused."""

    def __init__(self, status: int) -> None:
        super().__init__("refused_us")
        self.status = status


class BadAnswer(ModelFault):
    def __init__(self, reason: BadReason) -> None:
        super().__init__(reason)
