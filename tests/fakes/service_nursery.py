"""Starts real services quickly: loads the product once, then forks a process for each that is asked for.

Run as a program. Each line on stdin is `{"folder": …, "port": …, "blocked_in": …}`; the pid of the new service is the
answer. The child runs `pawsignal serve` as the command line does, in a process of its own that can be killed.
`blocked_in` makes every turn stand still: in its recall, before its first sentence, or before its second one.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI

import app.cli
import app.commands.serve
import app.container
from app.main import OpenContainer, create_app
from app.settings import Settings
from domain.assistant import AnswerSentence

FIRST_SENTENCE = "先说一句。"


class BlockedRecall:
    """An active recall that never comes back."""

    def __init__(self, *_parts: Any, **_more: Any) -> None: ...

    def use(self, *_stores: Any, **_more: Any) -> None: ...

    async def begin(self, _text: str) -> None: ...

    async def __call__(self, _question: Any) -> Any:
        await asyncio.Event().wait()


class BlockedAssistant:
    """An assistant that stops before its sentence number `spoken`."""

    mode = "basic"
    spoken = 0

    async def answer(self, _context: Any) -> AsyncIterator[AnswerSentence]:
        for _ in range(self.spoken):
            yield AnswerSentence(FIRST_SENTENCE)
        await asyncio.Event().wait()


class AssistantBlockedLater(BlockedAssistant):
    spoken = 1


BLOCKS: dict[str, tuple[str, type]] = {
    "recall": ("TurnRecall", BlockedRecall),
    "the first sentence": ("OfflineAssistant", BlockedAssistant),
    "the second sentence": ("OfflineAssistant", AssistantBlockedLater),
}


def serve(folder: str, port: int, blocked_in: str | None) -> int:
    """In the child: be the service."""
    os.environ["PAWSIGNAL_DATA_DIR"] = folder
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    if blocked_in is not None:
        setattr(app.container, *BLOCKS[blocked_in])
    return app.cli.main(["serve", "--port", str(port)])


def main() -> None:
    """In the parent: load everything that takes its time, then one fork a line."""
    app.container._warm_up()
    parts: dict[str, OpenContainer] = {}
    application = create_app(Settings(), lambda settings: parts["opened"](settings))

    def made_already(_settings: Settings, opened: OpenContainer) -> FastAPI:
        parts["opened"] = opened
        return application

    app.commands.serve.create_app = made_already  # type: ignore[attr-defined]  # that takes its time too
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the dead
    for line in sys.stdin:
        wanted = json.loads(line)
        pid = os.fork()
        if pid == 0:
            os._exit(serve(**wanted))
        print(pid, flush=True)  # noqa: T201  # the answer


if __name__ == "__main__":
    main()
