"""What one run may take out of a layer: never more than a quarter. A plan beyond that is taken for a fault."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from memory.vocabulary import Tier

MOST_LOST = 0.25  # of a layer's lines in one run; OpenClaw measured its own rewrites against the same share
ALWAYS_ALLOWED = 4  # lines: a quarter of a small layer is less than one evening of repeating oneself


class TooMuchLost(Exception):
    """A run would take more out of a layer than one night may."""

    def __init__(self, tier: Tier) -> None:
        super().__init__(tier.value)
        self.tier = tier


@dataclass(slots=True)
class Losses:
    """Lines by layer when the run began, and what it has taken out of each so far."""

    sizes: Mapping[Tier, int]
    taken: Counter[Tier] = field(default_factory=Counter)

    def take(self, tiers: Iterable[Tier]) -> None:
        """Note that one line of each of these layers leaves. Raises TooMuchLost before anything is noted."""
        planned = self.taken + Counter(tiers)
        for tier, count in planned.items():
            if count > self.allowed(tier):
                raise TooMuchLost(tier)
        self.taken = planned

    def allowed(self, tier: Tier) -> int:
        """How many lines of this layer may leave in one run."""
        return max(ALWAYS_ALLOWED, int(self.sizes.get(tier, 0) * MOST_LOST))

    def room(self, tier: Tier) -> int:
        """How many more may leave."""
        return self.allowed(tier) - self.taken[tier]
