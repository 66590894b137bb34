"""One request as it reached the model server: what left the service, word for word."""

import json
from dataclasses import dataclass
from typing import Any, Literal

Lane = Literal["chat", "chore", "embeddings"]


@dataclass(frozen=True)
class Asked:
    """path: below the address. raw: the body as it came. headers: names in lower case. at: monotonic seconds."""

    path: str
    raw: bytes
    headers: dict[str, str]
    at: float = 0.0

    @property
    def body(self) -> dict[str, Any]:
        """The parsed body."""
        parsed: dict[str, Any] = json.loads(self.raw)
        return parsed

    @property
    def lane(self) -> Lane:
        """chat: streamed answers to an owner. chore: everything else that is asked of a chat model."""
        if self.path.endswith("/embeddings"):
            return "embeddings"
        return "chat" if self.body.get("stream") else "chore"

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.body.get("messages", [])
        return found

    @property
    def system(self) -> str:
        """The text of the first message."""
        return str(self.messages[0].get("content", "")) if self.messages else ""

    @property
    def last(self) -> str:
        """The text of the last message."""
        return str(self.messages[-1].get("content", "")) if self.messages else ""

    @property
    def tools(self) -> list[str]:
        """Names of the tools that were offered."""
        return [tool["function"]["name"] for tool in self.body.get("tools", [])]

    @property
    def tool_results(self) -> list[str]:
        """What the tools answered so far."""
        return [str(message["content"]) for message in self.messages if message["role"] == "tool"]

    @property
    def format(self) -> str:
        """`json_schema`, `json_object_schema` (JSON mode with a schema beside it), `json_object` or ``""``."""
        form = self.body.get("response_format", {})
        return f"{form['type']}_schema" if "schema" in form else str(form.get("type", ""))

    @property
    def words(self) -> str:
        """The whole body with JSON's escapes undone, for looking whether something left the service."""
        return json.dumps(self.body, ensure_ascii=False)
