"""Writes that a cancel does not cut in two."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Done = TypeVar("Done")


async def whole(write: "Coroutine[Any, Any, Done] | asyncio.Future[Done]") -> Done:
    """Let a write that has begun come to its end before a cancel is heard: what is stored is also told, and once."""
    task = asyncio.ensure_future(write)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        task.result()
        raise
