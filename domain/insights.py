"""最近该注意什么: findings over a pet's records, each with the rows behind it. Pure; it never names an illness.

Where to look: weights `insight_weights`; appetite, elimination, activity and other signs `insight_signs`; what changed
shortly before `insight_changes`; the rows `insight_rows`.
"""

from dataclasses import dataclass
from datetime import date
from typing import Literal

Level = Literal["urgent", "soon", "watch", "info"]
"""urgent: a vet within a day; soon: within the week; watch: keep an eye on it; info: worth knowing."""

RANK: dict[str, int] = {"urgent": 0, "soon": 1, "watch": 2, "info": 3}


@dataclass(frozen=True, slots=True)
class Fact:
    """One record as the rules see it. kind, id: of the record. on: its local day, None when no day is known.

    code: of an observation. text: the line the record is rendered to, without the pet's name. kg: of a weight.
    """

    kind: str
    id: str
    on: date | None
    text: str
    code: str = ""
    name: str = ""
    value: float | None = None
    kg: float | None = None
    negated: bool = False
    ended_on: date | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose records they are. born_on: None when it is not known to the month."""

    name: str
    species: str
    born_on: date | None = None

    def months(self, today: date) -> int | None:
        """Age in months, None when unknown."""
        born = self.born_on
        return (
            None if born is None else (today.year - born.year) * 12 + today.month - born.month - (today.day < born.day)
        )


@dataclass(frozen=True, slots=True)
class Insight:
    """One finding. code: what kind; topic: one of the eight; rows: the records it rests on, newest first.

    advice: what to do, "" for what is only worth knowing. source: of the threshold, "" when there is none.
    """

    code: str
    level: Level
    topic: str
    text: str
    rows: tuple[Fact, ...]
    advice: str = ""
    source: str = ""


def day_text(on: date) -> str:
    """11月28日"""
    return f"{on.month}月{on.day}日"
