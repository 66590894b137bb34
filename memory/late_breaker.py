"""A breaker for a part that keeps coming late: after some late answers in a row it is left alone for a while."""

import time
from collections.abc import Callable
from dataclasses import dataclass

LATE_IN_A_ROW = 3  # one slow answer is chance, three are a state
REST_S = 30.0  # how long nobody waits for the slow part; then one call tries it again


@dataclass(slots=True)
class LateBreaker:
    """Counts late answers in a row. Used from one event loop; `clock` is monotonic seconds."""

    late_in_a_row: int = LATE_IN_A_ROW
    rest_s: float = REST_S
    clock: Callable[[], float] = time.monotonic
    _late: int = 0
    _rests_until: float = float("-inf")

    @property
    def resting(self) -> bool:
        """Whether nobody is to ask it now; looking does not use up the one call that tries it again."""
        return self._late >= self.late_in_a_row and self.clock() < self._rests_until

    def allows(self) -> bool:
        """Whether the part may be asked now. After a rest one call may, and the next ones once that came in time."""
        if self._late < self.late_in_a_row:
            return True
        if self.clock() < self._rests_until:
            return False
        self._rests_until = self.clock() + self.rest_s
        return True

    def note(self, *, in_time: bool) -> None:
        """How the last call went; a failure counts as late."""
        if in_time:
            self._late = 0
            return
        self._late += 1
        if self._late >= self.late_in_a_row:
            self._rests_until = self.clock() + self.rest_s
