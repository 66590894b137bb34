"""Whose data a call may touch. Every query takes it; there is no query without it."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Scope:
    """The household that everything is filtered by, and the owner who acts in it."""

    household_id: str
    owner_id: str
    timezone: str = "Asia/Shanghai"

    def local(self, at: datetime) -> datetime:
        """The instant in the owner's time zone."""
        return at.astimezone(ZoneInfo(self.timezone))
