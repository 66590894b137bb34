"""A model server that does what a test (or a person) tells it to, over real HTTP on loopback.

It speaks what OpenAI-compatible endpoints speak: Chat Completions with token-by-token streaming, tool calls, JSON
schema and JSON mode, and embeddings. `replies` says what can be answered, every failure included; `asked` what was
sent to it; `server` runs it; `played` is the script for trying it by hand (`python -m tests.fakes.model_server`).
"""

from tests.fakes.model_server.asked import Asked
from tests.fakes.model_server.replies import Reply, ToolCall
from tests.fakes.model_server.server import FakeModel, running_model

__all__ = ["Asked", "FakeModel", "Reply", "ToolCall", "running_model"]
