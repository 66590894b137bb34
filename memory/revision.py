"""The household's revision: it rises once in every transaction that changed what a cached view of it shows."""

from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession

_RAISE = text("UPDATE households SET revision = revision + 1 WHERE id = :id")


def touch(session: AsyncSession, household_id: str) -> None:
    """Say that this transaction changes the household; `raise_touched` does the rest before the commit."""
    session.info.setdefault("touched", set()).add(household_id)


async def raise_touched(session: AsyncSession) -> None:
    """Raise the revision of every touched household. Called once, at the end of a write."""
    touched: set[str] = session.info.pop("touched", set())
    if touched:
        connection = await session.connection()
        await connection.execute(_RAISE, [{"id": household_id} for household_id in sorted(touched)])
