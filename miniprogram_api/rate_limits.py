"""How often one owner may call: a token bucket for each, in this process.

Several replicas each keep their own buckets, so the limit of the service is the setting times the replicas: it is
there against a loop in a client, not to bill anybody.
"""

import math
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from miniprogram_api.faults import TooManyRequests

MAX_BUCKETS = 50_000  # owners; about 10 MB
BURST = 60  # requests at once: opening the mini-program asks for a dozen things


class RateLimits:
    """Buckets by owner id; the one that was asked longest ago is forgotten first."""

    def __init__(self, a_minute: float, burst: int | None = None, clock: Callable[[], float] = monotonic) -> None:
        self._per_second = a_minute / 60
        self._burst = float(min(a_minute, max(BURST, a_minute // 4))) if burst is None else float(burst)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, owner_id: str) -> None:
        """Raises TooManyRequests when nothing is left; counts nothing."""
        now = self._clock()
        left, asked_at = self._buckets.get(owner_id, (self._burst, now))
        left += (now - asked_at) * self._per_second
        if left < 1:
            raise TooManyRequests(retry_after=max(1, math.ceil((1 - left) / self._per_second)))

    def take(self, owner_id: str) -> None:
        """Count one request. Raises TooManyRequests with `retry_after` seconds."""
        now = self._clock()
        left, asked_at = self._buckets.pop(owner_id, (self._burst, now))
        left = min(self._burst, left + (now - asked_at) * self._per_second)
        refused = left < 1
        self._buckets[owner_id] = (left if refused else left - 1, now)
        if len(self._buckets) > MAX_BUCKETS:
            self._buckets.popitem(last=False)
        if refused:
            raise TooManyRequests(retry_after=max(1, math.ceil((1 - left) / self._per_second)))
