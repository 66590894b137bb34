"""A transaction that erases says so: after its commit the database wipes what the erased text left in its files."""

from sqlmodel.ext.asyncio.session import AsyncSession

_ERASES = "erases"


def leave_no_trace(session: AsyncSession) -> None:
    """Say that this transaction erases what an owner wrote."""
    session.info[_ERASES] = True


def has_erased(session: AsyncSession) -> bool:
    """Whether this transaction said so. Asked once, after its commit."""
    return bool(session.info.pop(_ERASES, False))
