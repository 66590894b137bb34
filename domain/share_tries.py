"""Guessing is slowed down: tries at a share's passcode or note code are counted before they are looked at.

After every fifth wrong try the share rests for a quarter of an hour; after twenty it takes none any more and the owner
makes a new one. A four-digit passcode is found by such a guesser in one of five hundred shares.
"""

import asyncio
from datetime import datetime, timedelta

from sqlalchemy import case, literal, or_, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import DomainFault
from domain.inbox import notify
from domain.owners import Owner
from domain.share_secrets import hash_passcode, is_passcode, new_note_code
from domain.shares import VetShare
from memory.sqltypes import UtcDateTime
from memory.transactions import Transactions

TRIES_BEFORE_REST = 5
REST = timedelta(minutes=15)
MAX_TRIES = 20
NOTE_CODE_LIFE = timedelta(minutes=10)
WARNING = "有人多次输错分享口令"


class TooManyTries(DomainFault):
    """Extra: retry_after, whole seconds."""

    code = "too_many_requests"
    detail = "输错的次数太多了，请稍后再试，或请主人重新分享"


class WrongPasscode(DomainFault):
    code = "wrong_passcode"
    detail = "口令不对，请和主人核对"


async def try_passcode(transactions: Transactions, share: VetShare | None, given: str, real_now: datetime) -> None:
    """Compare a passcode; nobody's takes as long. Raises TooManyTries, WrongPasscode."""
    await _try(transactions, share, given, share.passcode_hash if share else None, real_now)


async def try_note_code(transactions: Transactions, share: VetShare, given: str, real_now: datetime) -> None:
    """Compare the code that lets a vet leave one note: the owner's six digits, or the passcode. Raises as above."""
    alive = share.note_code_until is not None and real_now < share.note_code_until
    one_time = share.note_code_hash if alive and len(given) == len(new_note_code()) else None
    await _try(transactions, share, given, one_time or share.passcode_hash, real_now, uses_up=one_time is not None)


async def new_code(transactions: Transactions, share: VetShare, real_now: datetime) -> tuple[str, datetime]:
    """A fresh one-time code for a note and the time it ends; an older one dies."""
    code, ends = new_note_code(), real_now + NOTE_CODE_LIFE
    hashed = await asyncio.to_thread(hash_passcode, code)
    async with transactions.write() as session:
        await session.exec(
            update(VetShare)
            .where(col(VetShare.id) == share.id)
            .values(note_code_hash=hashed, note_code_until=ends, tries=0, paused_until=None)
        )
    return code, ends


async def _try(
    transactions: Transactions,
    share: VetShare | None,
    given: str,
    stored: str | None,
    real_now: datetime,
    *,
    uses_up: bool = False,
) -> None:
    if share is not None:
        async with transactions.write() as session:
            await _count(session, share, real_now)
    right = await asyncio.to_thread(is_passcode, given, stored)
    if share is None or not right:
        raise WrongPasscode()
    async with transactions.write() as session:
        spent = {"note_code_hash": None, "note_code_until": None} if uses_up else {}
        unspent = col(VetShare.note_code_hash) == stored if uses_up else col(VetShare.id) == share.id
        done = await session.exec(
            update(VetShare)
            .where(col(VetShare.id) == share.id, unspent)
            .values(tries=0, paused_until=None, **spent)
            .execution_options(synchronize_session=False)
        )
    if not done.rowcount:
        raise WrongPasscode()  # another note has used the code meanwhile


async def _count(session: AsyncSession, share: VetShare, real_now: datetime) -> None:
    """Take one try, at most so many: counting and looking are one statement, so tries at once are counted too."""
    tried = col(VetShare.tries) + 1
    rests, rested = tried % TRIES_BEFORE_REST == 0, literal(real_now + REST, UtcDateTime())
    counted = await session.exec(
        update(VetShare)
        .where(
            col(VetShare.id) == share.id,
            col(VetShare.tries) < MAX_TRIES,
            or_(col(VetShare.paused_until).is_(None), col(VetShare.paused_until) <= real_now),
        )
        .values(tries=tried, paused_until=case((rests, rested), else_=col(VetShare.paused_until)))
        .execution_options(synchronize_session=False)
    )
    if not counted.rowcount:
        raise TooManyTries(retry_after=int(REST.total_seconds()))
    tries = (await session.exec(select(VetShare.tries).where(col(VetShare.id) == share.id))).one()
    if tries == TRIES_BEFORE_REST:
        await _warn(session, share, real_now)


async def _warn(session: AsyncSession, share: VetShare, real_now: datetime) -> None:
    owner = await session.get(Owner, share.owner_id)
    if owner is not None:
        body = "一个健康档案分享的口令被连续输错。不认识的人拿到了链接的话，可以随时撤销它。"
        link = {"share_id": share.id, "pet_id": share.pet_id}
        await notify(session, owner, "share", f"share_tries:{share.id}", WARNING, body, real_now, link=link)
