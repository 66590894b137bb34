"""Shares of a pet's record with a vet: who may look, at which parts, for how long, and who has looked.

A share is found by the hash of its link's token. Wrong, expired, revoked and unknown are the same `UnknownShare`. All
times are those of the machine: a link is a key, not a part of the pet's story.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal, get_args

from pydantic import field_validator
from sqlalchemy import ForeignKey, bindparam, func
from sqlmodel import Field, SQLModel, col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import NotFound, TooMany
from domain.owners import Owner
from domain.pet_names import INVISIBLE
from domain.pets import pet_of
from domain.share_secrets import hash_token, token_of
from memory.prepared import Quick, by_dialect, insert_of, row_of, whole_rows
from memory.scope import Scope
from memory.sqltypes import Json, UtcDateTime, new_id

Section = Literal[
    "identity", "alerts", "medications", "conditions", "prevention", "growth", "visits", "observations", "diet"
]
SECTIONS: tuple[Section, ...] = get_args(Section)
MIN_PASSCODE = 4  # characters that can be seen
MAX_HOURS = 30 * 24
MAX_LIVE_SHARES = 20  # of one pet at one time; a second clinic and a boarding house are three
KEPT_AFTER_END = timedelta(days=180)  # the owner can look up who has looked; then share and log go
OPENINGS_SHOWN = 50  # of a share, newest first

OpenedAs = Literal["page", "json", "fhir"]


class UnknownShare(NotFound):
    code = "unknown_share"
    detail = "没有找到这个分享"


class VetShare(SQLModel, table=True):
    """One link. `tries` counts passcodes and note codes tried since the last right one."""

    __tablename__ = "vet_shares"

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str = Field(sa_column_args=[ForeignKey("owners.id", ondelete="CASCADE")])
    pet_id: str = Field(index=True, sa_column_args=[ForeignKey("pets.id", ondelete="CASCADE")])
    token_hash: str = Field(unique=True)
    sections: list[str] = Field(sa_type=Json)
    quotes: bool = True
    recipient: str | None = None
    passcode_hash: str | None = None
    note_code_hash: str | None = None
    note_code_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    tries: int = 0
    paused_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    created_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(index=True, sa_type=UtcDateTime)
    revoked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)

    def is_live(self, real_now: datetime) -> bool:
        """Whether the link opens."""
        return self.revoked_at is None and real_now < self.expires_at


class ShareOpening(SQLModel, table=True):
    """One look at a share: when, with what kind of device, and which parts were shown."""

    __tablename__ = "vet_share_openings"

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    share_id: str = Field(index=True, sa_column_args=[ForeignKey("vet_shares.id", ondelete="CASCADE")])
    at: datetime = Field(sa_type=UtcDateTime)
    client: str
    opened_as: str
    sections: list[str] = Field(sa_type=Json)


_BY_TOKEN = whole_rows(VetShare, col(VetShare.token_hash) == bindparam("token_hash"))
_OWNER = whole_rows(Owner, col(Owner.id) == bindparam("owner"))
_NOTE_OPENING = insert_of(ShareOpening)


class ShareFields(SQLModel):
    """What an owner decides about a share. sections: all when absent. quotes: their own words go along as evidence."""

    model_config = {"extra": "forbid"}

    expires_in_hours: int = Field(ge=1, le=MAX_HOURS)
    sections: list[Section] | None = Field(default=None, min_length=1, max_length=len(SECTIONS))
    passcode: str | None = Field(default=None, min_length=MIN_PASSCODE, max_length=32)
    recipient: str | None = Field(default=None, min_length=1, max_length=60)
    quotes: bool = True

    @field_validator("passcode")
    @classmethod
    def _can_be_typed(cls, value: str | None) -> str | None:
        """Without outer spaces; what nobody sees on a keyboard or a screen is refused, not left out."""
        stripped = value.strip() if value is not None else None
        if stripped is not None and (INVISIBLE.search(stripped) or not all(one.isprintable() for one in stripped)):
            raise ValueError("口令里有看不见的字符，请重新输入")
        if stripped is not None and len(stripped) < MIN_PASSCODE:
            raise ValueError("口令至少 4 位")
        return stripped


async def create_share(
    session: AsyncSession,
    scope: Scope,
    pet_id: str,
    fields: ShareFields,
    passcode_hash: str | None,
    key: bytes,
    real_now: datetime,
) -> VetShare:
    """A new share of one pet; `key` derives its token. Raises UnknownPet, and TooMany for too many live ones."""
    pet = await pet_of(session, scope, pet_id)
    live = select(func.count()).where(
        col(VetShare.pet_id) == pet.id, col(VetShare.revoked_at).is_(None), col(VetShare.expires_at) > real_now
    )
    if (await session.exec(live)).one() >= MAX_LIVE_SHARES:
        raise TooMany(f"同时有效的分享最多 {MAX_LIVE_SHARES} 个，请先撤销不用的")
    share_id = new_id()
    chosen = fields.sections or SECTIONS
    share = VetShare(
        id=share_id,
        household_id=scope.household_id,
        owner_id=scope.owner_id,
        pet_id=pet.id,
        token_hash=hash_token(token_of(share_id, key)),
        sections=[section for section in SECTIONS if section in chosen],
        quotes=fields.quotes,
        recipient=fields.recipient,
        passcode_hash=passcode_hash,
        created_at=real_now,
        expires_at=real_now + timedelta(hours=fields.expires_in_hours),
    )
    session.add(share)
    await session.flush()
    return share


async def share_of(session: AsyncSession, scope: Scope, share_id: str) -> VetShare:
    """One share of this household, dead or alive. Raises UnknownShare."""
    share = (
        await session.exec(
            select(VetShare).where(col(VetShare.household_id) == scope.household_id, col(VetShare.id) == share_id)
        )
    ).one_or_none()
    if share is None:
        raise UnknownShare()
    return share


async def shares_of(
    session: AsyncSession, scope: Scope, pet_id: str, limit: int, before: str | None = None
) -> Sequence[VetShare]:
    """Shares of one pet, newest first; `before` is the id to go on from. Raises UnknownPet."""
    await pet_of(session, scope, pet_id)
    query = select(VetShare).where(col(VetShare.household_id) == scope.household_id, col(VetShare.pet_id) == pet_id)
    if before is not None:
        query = query.where(col(VetShare.id) < before)
    return (await session.exec(query.order_by(col(VetShare.id).desc()).limit(limit))).all()


async def live_share(quick: Quick, token: str, real_now: datetime) -> tuple[VetShare, Scope]:
    """The share that this token opens now, and the scope of the owner who made it.

    Raises UnknownShare for every other token, whatever is wrong with it.
    """
    found = await quick.rows(_BY_TOKEN, {"token_hash": hash_token(token)})
    share = VetShare(**found[0]._asdict()) if found else None
    if share is None or not share.is_live(real_now):
        raise UnknownShare()
    owners = await quick.rows(_OWNER, {"owner": share.owner_id})
    return share, Scope(share.household_id, share.owner_id, owners[0].timezone)


async def revoke_share(session: AsyncSession, scope: Scope, share_id: str, real_now: datetime) -> None:
    """The link opens no more; revoking twice changes nothing. Raises UnknownShare."""
    share = await share_of(session, scope, share_id)
    share.revoked_at = share.revoked_at or real_now
    share.note_code_hash = share.note_code_until = None
    session.add(share)


async def note_opening(
    quick: Quick, share: VetShare, client: str, opened_as: OpenedAs, sections: Sequence[str], at: datetime
) -> None:
    """Keep that somebody looked. client: a coarse word, never an address or a full user agent."""
    row = row_of(
        ShareOpening,
        household_id=share.household_id,
        share_id=share.id,
        at=at,
        client=client,
        opened_as=opened_as,
        sections=list(sections),
    )
    await quick.run(by_dialect(_NOTE_OPENING, quick), row)


async def openings_of(
    session: AsyncSession, shares: Sequence[VetShare]
) -> Mapping[str, tuple[int, Sequence[ShareOpening]]]:
    """For each share how often it was opened, and the newest openings."""
    found: dict[str, tuple[int, Sequence[ShareOpening]]] = {}
    for share in shares:
        mine = col(ShareOpening.share_id) == share.id
        count = (await session.exec(select(func.count()).select_from(ShareOpening).where(mine))).one()
        newest = select(ShareOpening).where(mine).order_by(col(ShareOpening.id).desc()).limit(OPENINGS_SHOWN)
        found[share.id] = (count, (await session.exec(newest)).all() if count else ())
    return found


async def forget_old_shares(session: AsyncSession, real_now: datetime) -> int:
    """Delete shares whose end lies long back, with their logs. Returns 0: all of them go at once."""
    await session.exec(delete(VetShare).where(col(VetShare.expires_at) < real_now - KEPT_AFTER_END))
    return 0
