"""Whether writes reach the disk: a full or locked one lets reads go on, and must be seen from outside all the same."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy.exc import InterfaceError, OperationalError

LATELY = 60.0  # seconds; then a probe may send somebody here again, whose write tells anew
_REFUSED = (sqlite3.OperationalError, OperationalError, InterfaceError, OSError)


class WriteHealth:
    """What became of the last write of this process. `clock`: monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failed_at: float | None = None

    @property
    def failing(self) -> bool:
        """A write was refused in the last minute, and none has gone through since."""
        return self._failed_at is not None and self._clock() - self._failed_at < LATELY

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Around one write. What the domain refuses says nothing of the disk."""
        try:
            yield
        except _REFUSED:
            self._failed_at = self._clock()
            raise
        self._failed_at = None
