"""From a claim to the rows that keep it: the generic half of remembering, which knows no record and no veterinary fact.

What is decided about a claim is `conflict_policy`; what is known already is `slot_book`; clinical records are the
domain's. A new memory enters the short tier; it expires by itself only when its own words say when it ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from memory.claims import Claim
from memory.items import EvidenceRow, MemoryItem
from memory.personal_numbers import mask_numbers, mask_value
from memory.routines import is_routine
from memory.scope import Scope
from memory.slot_relations import Said
from memory.slot_state import Sighting, Statement
from memory.topics import Topic
from memory.vocabulary import (
    Certainty,
    Kind,
    MemoryStatus,
    Outcome,
    Precision,
    Risk,
    Source,
    SpeechAct,
    Tier,
)

MAX_NEW_MEMORIES = 5  # a message; what does not fit stays in the log for the next consolidation
MAX_GUESS = 0.8  # confidence of what was said with doubt; above .85 it would count as a fact
TOLD_AGAIN = 0.3  # share of the remaining doubt that one more telling takes away


@dataclass(frozen=True, slots=True)
class SaidMessage:
    """One message as evidence. `said_at` is domain time; `by` is the owner, or the name a vet gave."""

    id: str
    conversation_id: str | None
    text: str
    said_at: datetime
    scope: Scope
    verified: bool = False
    by: str | None = None
    asked: str = ""  # the assistant's question that the message answers; its words may stand in a claim
    before: str = ""  # the owner's own words just before; a correction may take them up

    @property
    def speaker(self) -> str:
        return self.by or self.scope.owner_id

    @property
    def day(self) -> date:
        """The owner's local day."""
        return self.scope.local(self.said_at).date()


def masked(claim: Claim) -> Claim:
    """The claim as it may be kept: phone and identity numbers and addresses hidden in line, value and quote.

    The message log alone keeps the owner's words.
    """
    quote = mask_numbers(claim.evidence.quote)
    return replace(
        claim,
        content=mask_numbers(claim.content),
        value=mask_value(claim.value),
        evidence=replace(claim.evidence, quote=quote),
    )


def statement_of(claim: Claim, said: Said, message: SaidMessage, source: Source) -> Statement:
    """The claim as the conflict policy weighs it."""
    return Statement(
        said=said,
        sighting=Sighting(message.said_at, message.day, message.conversation_id, source, message.verified),
        certainty=claim.certainty,
        act=claim.act,
        first_hand=claim.first_hand,
    )


def line_of(
    claim: Claim, message: SaidMessage, source: Source, risk: Risk, status: MemoryStatus, now: datetime, *, guess: bool
) -> MemoryItem:
    """A new line of memory for this claim. `guess`: it was said with doubt and must be voiced as such."""
    kept = claim.act is SpeechAct.KEEP
    told = _kind_told(claim)
    is_belief = guess and told is Kind.FACT
    return MemoryItem(
        household_id=message.scope.household_id,
        owner_id=message.scope.owner_id,
        subject=claim.subject,
        attribute=claim.attribute,
        attribute_class=claim.attribute_class.value,
        value=dict(claim.value),
        negated=claim.negated,
        certainty=claim.certainty.value,
        content=claim.content,
        topic=claim.topic.value,
        kind=(Kind.BELIEF if is_belief else told).value,
        memory_type=claim.memory_type.value,
        risk=risk.value,
        weight_level=claim.weight_level,
        confidence=min(claim.confidence, MAX_GUESS) if guess else claim.confidence,
        tier=Tier.SHORT.value,
        status=status.value,
        source=(Source.OWNER if kept else source).value,
        protected=kept,
        valid_from=start_of_day(claim.occurred_on, message.scope) if claim.occurred_on else None,
        valid_from_precision=claim.occurred_on_precision.value if claim.occurred_on else Precision.UNKNOWN.value,
        learned_at=now,
        expires_at=_end_told(claim, message.scope),
        last_evidence_at=message.said_at,
    )


def evidence_of(
    claim: Claim, message: SaidMessage, source: Source, outcome: Outcome, reason: str, *, counts: bool = True
) -> EvidenceRow:
    """The words a row stands on, without their target, and what became of them."""
    return EvidenceRow(
        household_id=message.scope.household_id,
        target_kind="memory",
        target_id="",
        message_id=message.id,
        conversation_id=message.conversation_id,
        quote=claim.evidence.quote,
        said_at=message.said_at,
        source=source.value,
        verified=message.verified,
        by=message.speaker,
        outcome=outcome.value,
        reason=reason,
        counts=counts,
    )


def affirm(item: MemoryItem, claim: Claim, said_at: datetime, scope: Scope) -> bool:
    """Let one more telling strengthen a line. True when the line itself changed: a guess said plainly is a fact now."""
    item.last_evidence_at = max(item.last_evidence_at, said_at)
    item.review_at = said_at
    item.confidence = min(1.0, round(item.confidence + TOLD_AGAIN * (1 - item.confidence), 4))
    if claim.certainty is not Certainty.PLAIN or not claim.first_hand:
        return False
    was_guess = item.kind == Kind.BELIEF.value or item.certainty != Certainty.PLAIN.value
    if was_guess and item.status == MemoryStatus.ACTIVE.value:
        reword(item, claim, scope)
        return True
    return False


def reword(item: MemoryItem, claim: Claim, scope: Scope) -> None:
    """Let a row that comes into force say what the plain words say, not what the first doubtful ones said."""
    item.content, item.value, item.certainty = claim.content, dict(claim.value), claim.certainty.value
    item.kind, item.confidence = claim.kind.value, claim.confidence
    if claim.occurred_on is not None:
        item.valid_from = start_of_day(claim.occurred_on, scope)
        item.valid_from_precision = claim.occurred_on_precision.value


def by_priority(claims: Sequence[Claim], risks: Sequence[Risk]) -> list[int]:
    """Places of the claims in the order they may take a memory: high risk first, then the surest."""
    return sorted(
        range(len(claims)), key=lambda place: (risks[place] is not Risk.HIGH, -claims[place].confidence, place)
    )


def start_of_day(day: date, scope: Scope) -> datetime:
    """The owner's local midnight as an instant."""
    return datetime.combine(day, time.min, ZoneInfo(scope.timezone)).astimezone(UTC)


def _kind_told(claim: Claim) -> Kind:
    """What is done every day (每天睡前刷牙) holds like a fact; only what happened on a day fades like a happening."""
    routine = claim.kind is Kind.EVENT and is_routine(claim.content, claim.occurred_on)
    return Kind.FACT if routine else claim.kind


def _end_told(claim: Claim, scope: Scope) -> datetime | None:
    """When what holds for a time is over (术后一周软食); a happening has an end as well, but stays remembered."""
    end = claim.value.get("end")
    if not isinstance(end, str) or claim.kind is Kind.EVENT or claim.topic is Topic.GROWTH:
        return None
    try:
        return start_of_day(date.fromisoformat(end) + timedelta(days=1), scope)
    except ValueError:
        return None
