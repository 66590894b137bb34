"""Emergencies in an owner's message, before anything else."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Alert:
    """One red flag: what was seen, how urgent, and what to do now, in Chinese for the owner."""

    level: Literal["emergency", "urgent", "watch"]
    sign: str
    advice: str
    rule_id: str
    pet_id: str | None = None
