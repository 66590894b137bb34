"""The household's revision: it rises once in every transaction that changed what a cached view of it shows."""

from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.prepared import Quick, Statement, quick_of

_RAISE_NOW = Statement(text("UPDATE households SET revision = revision + 1 WHERE id = :id"))


def touch(session: AsyncSession, household_id: str) -> None:
    """Say that this transaction changes the household; `raise_touched` does the rest before the commit."""
    session.info.setdefault("touched", set()).add(household_id)


async def raise_touched(session: AsyncSession) -> None:
    """Raise the revision of every touched household. Called once, at the end of a write."""
    touched: set[str] = session.info.pop("touched", set())
    if touched:
        quick = await quick_of(session)
        await quick.run_many(_RAISE_NOW, [{"id": household_id} for household_id in sorted(touched)])


async def raise_revision(quick: Quick, household_id: str) -> None:
    """What `touch` does, for a write of prebuilt statements."""
    await quick.run(_RAISE_NOW, {"id": household_id})
