"""How a memory fades while nobody uses it. Values in, values out; ages are given in days.

weight_now = weight_level / 3 · e^(−rate · days since the last use or evidence), with a rate a day by kind. It orders
recall, and below 0.05 the memory is archived. Safety facts and locked memories do not decay.
"""

from math import exp, inf, log

from memory.scoring import weight_part
from memory.vocabulary import Kind

DAILY_RATE: dict[Kind, float] = {
    Kind.FACT: 0.008,  # half is left after 87 days
    Kind.SUMMARY: 0.025,  # 28 days
    Kind.BELIEF: 0.07,  # 10 days
    Kind.EVENT: 0.15,  # 5 days
}

ARCHIVE_BELOW = 0.05


def weight_now(weight_level: int, kind: Kind, days_idle: float, *, exempt: bool = False) -> float:
    """Return the decayed weight in (0, 1].

    days_idle: days since the last use or evidence; a clock set back counts as today.
    exempt: a safety fact or a locked memory.
    """
    weight = weight_part(weight_level)
    return weight if exempt else weight * exp(-DAILY_RATE[kind] * max(0.0, days_idle))


def has_faded(weight: float) -> bool:
    """Whether a decayed weight is so low that the memory goes to the archive."""
    return weight < ARCHIVE_BELOW


def days_until_faded(weight_level: int, kind: Kind, *, exempt: bool = False) -> float:
    """Return how many unused days a memory lasts from its last use or evidence; infinite when it never fades."""
    return inf if exempt else log(weight_part(weight_level) / ARCHIVE_BELOW) / DAILY_RATE[kind]
