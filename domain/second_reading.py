"""Reading a message once more at night, because it held more than its turn could keep.

It goes the way of every message: extraction, grounding, the conflict policy. What it taught before is answered again,
not written again; what the owner deleted since stays deleted.
"""

from datetime import datetime

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.offline.extractor import extract
from domain.owners import Owner
from domain.pet_profiles import SaidBefore, Utterance
from domain.pets import pets_of, profile_of
from domain.remembering import Limits, SaidMessage, remember
from domain.turn_context import Written
from memory.consolidation.collect import HeardMessage
from memory.consolidation.extract import Reading
from memory.evidence import MEMORY
from memory.items import EvidenceRow
from memory.messages import Message
from memory.scope import Scope
from memory.vocabulary import Outcome

TALK_BEFORE = 6  # messages of the same conversation that a pronoun may point into

NEW = (Outcome.ADDED, Outcome.CANDIDATE, Outcome.PROVISIONAL, Outcome.SUPERSEDED)


async def read_again(
    session: AsyncSession, scope: Scope, reading: Reading, secret: bytes, now: datetime, real_now: datetime
) -> list[Written]:
    """Keep what did not fit, at most `reading.room` new lines. Returns what is new; the caller commits."""
    message = reading.message
    talk = await _talk_before(session, scope, message)
    pets = await pets_of(session, scope)
    owner = await session.get(Owner, scope.owner_id)
    heard = Utterance(
        text=message.text,
        now=scope.local(message.said_at),
        pets=tuple(profile_of(pet) for pet in pets),
        owner_name=owner.nickname if owner else None,
        history=talk,
        focus_pet_id=message.pet_id,
    )
    last = talk[-1] if talk else None
    said = SaidMessage(
        message.id,
        message.conversation_id,
        message.text,
        message.said_at,
        scope,
        asked=last.text if last and last.role == "assistant" else "",
    )
    before = await _taught(session, scope, message.id)
    remembered = await remember(
        session,
        pets,
        said,
        extract(heard).claims,
        now,
        real_now,
        secret_key=secret,
        limits=Limits(message.lines_made + reading.room),
    )
    return [one for one in remembered.written if one.outcome in NEW and one.memory_id not in before]


async def _taught(session: AsyncSession, scope: Scope, message_id: str) -> frozenset[str]:
    """Lines that the message was evidence of before."""
    rows = await session.exec(
        select(EvidenceRow.target_id).where(
            col(EvidenceRow.household_id) == scope.household_id,
            col(EvidenceRow.message_id) == message_id,
            col(EvidenceRow.target_kind) == MEMORY,
        )
    )
    return frozenset(rows.all())


async def _talk_before(session: AsyncSession, scope: Scope, message: HeardMessage) -> list[SaidBefore]:
    """What was said in the conversation before this message, oldest first."""
    rows = await session.exec(
        select(Message)
        .where(
            col(Message.household_id) == scope.household_id,
            col(Message.conversation_id) == message.conversation_id,
            col(Message.id) < message.id,
        )
        .order_by(col(Message.id).desc())
        .limit(TALK_BEFORE)
    )
    return [
        SaidBefore("assistant" if row.role == "assistant" else "user", row.text, row.said_at)
        for row in reversed(rows.all())
    ]
