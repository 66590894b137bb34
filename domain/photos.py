"""Photos of pets: kept as files, shown only after WeChat has judged them. All times but `created_at` are real time."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256

from sqlalchemy import ForeignKey, Index, or_
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import DomainFault, NotFound, TooMany
from domain.files import let_files_go
from domain.moderation import Suggest, Verdict
from domain.owners import Owner
from domain.pets import Pet, pet_of
from memory.scope import Scope
from memory.sqltypes import UtcDateTime, new_id

MAX_PHOTO_BYTES = 10 * 1024 * 1024  # what WeChat's check takes
MAX_PHOTOS = 500  # a household
KINDS = {"image/jpeg": "jpg", "image/png": "png", "image/gif": "gif"}  # what WeChat's check and every phone reads
MOST_CHECKS = 4  # askings; then a person has to look
CHECK_AGAIN_AFTER = timedelta(minutes=45)  # WeChat promises a verdict within thirty
FIRST_PAUSE = timedelta(minutes=1)  # after an asking that failed, five times as long each time


class PhotoStatus(StrEnum):
    """Where a photo stands. A doubt leaves it pending: somebody has to look."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"


class Photo(SQLModel, table=True):
    """One photo. `checks` counts askings; `trace_id` is WeChat's of the last one."""

    __tablename__ = "photos"
    __table_args__ = (
        Index("ix_photos_household", "household_id", "id"),
        Index("ix_photos_waiting", "status", "check_at"),
    )

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str = Field(sa_column_args=[ForeignKey("owners.id", ondelete="CASCADE")])
    pet_id: str | None = Field(default=None, index=True, sa_column_args=[ForeignKey("pets.id", ondelete="CASCADE")])
    file_key: str = Field(index=True)
    media_type: str
    size_bytes: int
    status: str = PhotoStatus.PENDING.value
    trace_id: str | None = Field(default=None, index=True)
    checks: int = 0
    check_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    judged_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    created_at: datetime = Field(sa_type=UtcDateTime)


class UnknownPhoto(NotFound):
    code = "unknown_photo"
    detail = "没有找到这张照片"


class PhotoNotReady(DomainFault):
    """Extra: `status`."""

    code = "photo_not_ready"
    detail = "照片还在审核中，请稍后再看"


class NoPhoto(DomainFault):
    code = "no_photo"
    detail = "只能上传 JPG、PNG 或 GIF 图片"


class PhotoTooLarge(DomainFault):
    code = "photo_too_large"
    detail = "照片不能超过 10 MB"


def file_key_of(household_id: str, content: bytes, media_type: str) -> str:
    """The same for the same photo, so that sending it twice keeps one file."""
    return f"photos/{household_id}/{sha256(content).hexdigest()}.{KINDS[media_type]}"


def folder_of(household_id: str) -> str:
    """What the keys of all photos of a household begin with."""
    return f"photos/{household_id}/"


async def add_photo(session: AsyncSession, photo: Photo, scope: Scope, real_now: datetime) -> Photo:
    """Keep the row of a photo whose file is stored; the same one of the same pet again is the one there is.

    Raises UnknownPet, TooMany.
    """
    if photo.pet_id is not None:
        await pet_of(session, scope, photo.pet_id)
    mine = await photos_of(session, scope, MAX_PHOTOS)
    for known in mine:
        if (known.file_key, known.pet_id) == (photo.file_key, photo.pet_id):
            return known
    if len(mine) >= MAX_PHOTOS:
        raise TooMany(f"照片最多保存 {MAX_PHOTOS} 张")
    photo.check_at = real_now
    session.add(photo)
    return photo


async def photos_of(
    session: AsyncSession, scope: Scope, limit: int, before: str | None = None, pet_id: str | None = None
) -> Sequence[Photo]:
    """The household's photos, newest first; `before` is the id to go on from."""
    query = select(Photo).where(col(Photo.household_id) == scope.household_id)
    if before is not None:
        query = query.where(col(Photo.id) < before)
    if pet_id is not None:
        query = query.where(col(Photo.pet_id) == pet_id)
    return (await session.exec(query.order_by(col(Photo.id).desc()).limit(limit))).all()


async def photo_of(session: AsyncSession, scope: Scope, photo_id: str) -> Photo:
    """One photo of this household. Raises UnknownPhoto."""
    mine = (col(Photo.household_id) == scope.household_id) & (col(Photo.id) == photo_id)
    photo = (await session.exec(select(Photo).where(mine))).one_or_none()
    if photo is None:
        raise UnknownPhoto()
    return photo


async def delete_photo(session: AsyncSession, scope: Scope, photo_id: str, real_now: datetime) -> None:
    """Forget a photo, also where it is a pet's picture; its file follows. Raises UnknownPhoto."""
    photo = await photo_of(session, scope, photo_id)
    await _let_go(session, [photo], real_now)


async def delete_photos_of_owner(session: AsyncSession, owner: Owner, real_now: datetime) -> None:
    """Forget all that this person has sent."""
    photos = (await session.exec(select(Photo).where(col(Photo.owner_id) == owner.id))).all()
    await _let_go(session, photos, real_now)


async def let_photos_of_pet_go(session: AsyncSession, scope: Scope, pet_id: str, real_now: datetime) -> None:
    """Let the files of a pet's photos follow its row, which takes theirs with it."""
    mine = (col(Photo.household_id) == scope.household_id) & (col(Photo.pet_id) == pet_id)
    keys = (await session.exec(select(Photo.file_key).where(mine))).all()
    await let_files_go(session, scope.household_id, list(keys), real_now)


async def file_is_used(session: AsyncSession, file_key: str) -> bool:
    """Whether any photo still lies in this file."""
    return (await session.exec(select(Photo.id).where(col(Photo.file_key) == file_key).limit(1))).first() is not None


async def waiting_photos(session: AsyncSession, real_now: datetime, limit: int) -> Sequence[Photo]:
    """Photos that WeChat has to be asked about now, oldest first."""
    query = (
        select(Photo)
        .where(
            col(Photo.status) == PhotoStatus.PENDING.value,
            col(Photo.judged_at).is_(None),
            col(Photo.checks) < MOST_CHECKS,
            or_(col(Photo.check_at).is_(None), col(Photo.check_at) <= real_now),
        )
        .order_by(col(Photo.check_at))
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return (await session.exec(query)).all()


async def judge_photo(session: AsyncSession, trace_id: str, verdict: Verdict | None, real_now: datetime) -> bool:
    """Note WeChat's verdict on a photo; None when it could not fetch it: then it is asked again.

    False when no photo has this trace id (yet).
    """
    photo = (await session.exec(select(Photo).where(col(Photo.trace_id) == trace_id))).first()
    if photo is None:
        return False
    if verdict is None:
        photo.check_at = real_now
    else:
        photo.judged_at = real_now
        photo.status = STATUS_OF[verdict.suggest].value
        if verdict.suggest is Suggest.PASS:
            await _show(session, photo)
    session.add(photo)
    return True


async def approve_unasked(session: AsyncSession, photo: Photo, real_now: datetime) -> None:
    """Let a photo be seen where nobody can be asked: development without WeChat."""
    photo.status, photo.judged_at = PhotoStatus.APPROVED.value, real_now
    session.add(photo)
    await _show(session, photo)


STATUS_OF = {
    Suggest.PASS: PhotoStatus.APPROVED,
    Suggest.REVIEW: PhotoStatus.PENDING,
    Suggest.RISKY: PhotoStatus.REJECTED,
}


async def _show(session: AsyncSession, photo: Photo) -> None:
    """The first photo of a pet is its picture."""
    pet = await session.get(Pet, photo.pet_id) if photo.pet_id else None
    if pet is not None and pet.photo is None:
        pet.photo = photo.id
        session.add(pet)


async def _let_go(session: AsyncSession, photos: Sequence[Photo], real_now: datetime) -> None:
    for photo in photos:
        pet = await session.get(Pet, photo.pet_id) if photo.pet_id else None
        if pet is not None and pet.photo == photo.id:
            pet.photo = None
            session.add(pet)
        await session.delete(photo)
        await let_files_go(session, photo.household_id, [photo.file_key], real_now)
