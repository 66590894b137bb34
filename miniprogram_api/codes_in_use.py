"""Codes of WeChat that come twice: a double tap, or a phone that lost the answer.

A code works once at WeChat. Whoever brings the same one again within seconds gets the first answer, from this process;
on another replica the second is refused by WeChat, and the phone asks for a new code.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from hashlib import sha256
from typing import Any, TypeVar

KEEP_SECONDS = 15.0  # how long a phone tries again by itself
MOST = 2_000  # kept answers

Answer = TypeVar("Answer")


class CodesInUse:
    """What was made of each code lately. Only its hash is kept."""

    def __init__(self) -> None:
        self._made: OrderedDict[str, tuple[float, asyncio.Task[Any]]] = OrderedDict()

    async def once(self, kind: str, code: str, make: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
        """The answer for this code: made now, on its way, or made moments ago. A failure is not kept.

        It is made to its end also when the phone that asked first has gone away.
        """
        key, now = sha256(f"{kind} {code}".encode()).hexdigest(), asyncio.get_running_loop().time()
        self._forget_old(now)
        if key not in self._made:
            self._made[key] = (now, asyncio.create_task(make()))
        task: asyncio.Task[Answer] = self._made[key][1]
        try:
            return await asyncio.shield(task)
        except BaseException:
            if task.done() and self._made.get(key, (0.0, None))[1] is task:
                del self._made[key]
            raise

    def _forget_old(self, now: float) -> None:
        while self._made:
            key, (at, _task) = next(iter(self._made.items()))
            if now - at < KEEP_SECONDS and len(self._made) < MOST:
                return
            del self._made[key]
