"""A stored line as the plans of a night see it: plain values, taken from its row once."""

from dataclasses import dataclass
from datetime import date, datetime

from memory.items import MemoryItem
from memory.scope import Scope
from memory.similarity import Line
from memory.vocabulary import AttributeClass, Kind, MemoryStatus, Risk, Tier


@dataclass(frozen=True, slots=True)
class NightLine:
    """One line of memory. `on` is the owner's local day of what happened; `used_at` the last use or evidence."""

    id: str
    subject: str | None
    attribute: str
    attribute_class: AttributeClass
    content: str
    kind: Kind
    risk: Risk
    tier: Tier
    status: MemoryStatus
    topic: str
    negated: bool
    confidence: float
    weight_level: int
    recall_count: int
    learned_at: datetime
    used_at: datetime
    on: date | None = None
    expires_at: datetime | None = None
    locked: bool = False
    protected: bool = False
    mirror: bool = False  # rendered from a record, which is the truth
    premises: tuple[str, ...] = ()
    version: int = 1

    @property
    def guarded(self) -> bool:
        """The owner's own: nothing happens to it without being asked."""
        return self.locked or self.protected

    @property
    def compared(self) -> Line:
        """What the same-thing guard looks at."""
        return Line(self.subject, self.content, self.attribute_class, self.kind, self.negated, self.on)


def night_line(item: MemoryItem, scope: Scope) -> NightLine:
    """The values of a row."""
    return NightLine(
        id=item.id,
        subject=item.subject,
        attribute=item.attribute,
        attribute_class=AttributeClass(item.attribute_class),
        content=item.content,
        kind=Kind(item.kind),
        risk=Risk(item.risk),
        tier=Tier(item.tier),
        status=MemoryStatus(item.status),
        topic=item.topic,
        negated=item.negated,
        confidence=item.confidence,
        weight_level=item.weight_level,
        recall_count=item.cited + item.viewed + item.hit,
        learned_at=item.learned_at,
        used_at=max(item.last_evidence_at, item.last_used_at or item.last_evidence_at),
        on=scope.local(item.valid_from).date() if item.valid_from else None,
        expires_at=item.expires_at,
        locked=item.locked,
        protected=item.protected,
        mirror=item.record_id is not None,
        premises=tuple(item.premises or ()),
        version=item.version,
    )
