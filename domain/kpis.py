"""What the last turns say of memory: how much of what was injected was used, and why statements were refused."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.turns import Turn

SAMPLE = 2_000  # newest turns: some seconds of reading whatever the size of the service


@dataclass(frozen=True, slots=True)
class TurnNumbers:
    """Over a sample of the newest turns. injected counts recalled memories; what cards always tell is not recalled."""

    turns: int = 0
    injected: int = 0
    used: int = 0
    cited: int = 0
    refused: Mapping[str, int] | None = None

    @property
    def injected_precision(self) -> float | None:
        """Share of the injected memories that replies really used; None when nothing was injected."""
        return self.used / self.injected if self.injected else None


async def turn_numbers(session: AsyncSession, since: datetime, now: datetime, sample: int = SAMPLE) -> TurnNumbers:
    """Read the newest finished turns of the window."""
    rows = await session.exec(
        select(Turn.answer, Turn.trace)
        .where(col(Turn.status) == "done", col(Turn.started_at) >= since, col(Turn.started_at) <= now)
        .order_by(col(Turn.id).desc())
        .limit(sample)
    )
    return count_turns((row[0], row[1]) for row in rows.all())


def count_turns(turns: Iterable[tuple[Mapping[str, Any] | None, Sequence[Any] | None]]) -> TurnNumbers:
    """Count stored answers with their traces."""
    seen = injected = used = cited = 0
    refused: Counter[str] = Counter()
    for answer, trace in turns:
        seen += 1
        given = {line["memory_id"] for line in trace or () if line.get("part") == "recalled" and line.get("memory_id")}
        quoted = {citation["memory_id"] for citation in (answer or {}).get("citations", ())}
        injected, used, cited = injected + len(given), used + len(given & quoted), cited + len(quoted)
        for memory in (answer or {}).get("memories", ()):
            if memory["outcome"] == "refused":
                refused[str(memory.get("reason") or "unknown").partition(":")[0]] += 1
    return TurnNumbers(seen, injected, used, cited, dict(refused))
