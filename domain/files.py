"""Where files lie: a folder or a store of objects. Rows in SQL say what they are; a key says where.

Keys begin with what the file is and the household it belongs to (`photos/<household>/<hash>`), so that all files of a
household can be found without asking SQL.
"""

from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import insert
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.outbox import OutboxRow
from memory.sqltypes import new_id

FILE_TOPIC = "file_gone"  # outbox: a file, or with a "/" at its end all files below it, may go


class FileMissing(Exception):
    """There is no file under this key."""


class FileStore(Protocol):
    """Keeps files by key. Every method may raise OSError when the store cannot be reached."""

    async def put(self, key: str, content: bytes) -> None:
        """Keep a file; the same key again replaces it."""
        ...

    async def get(self, key: str) -> bytes:
        """Raises FileMissing."""
        ...

    async def delete(self, key: str) -> None:
        """Forget a file; one that is not there is forgotten already."""
        ...

    async def delete_below(self, prefix: str) -> int:
        """Forget all files whose keys begin so. Returns how many there were."""
        ...


async def let_files_go(session: AsyncSession, household_id: str, keys: list[str], real_now: datetime) -> None:
    """Delete files after this transaction's commit."""
    rows: list[dict[str, Any]] = [
        {
            "id": new_id(),
            "household_id": household_id,
            "topic": FILE_TOPIC,
            "key": key,
            "payload": {},
            "created_at": real_now,
            "available_at": real_now,
            "attempts": 0,
        }
        for key in dict.fromkeys(keys)
    ]
    if rows:
        await session.exec(insert(OutboxRow), params=rows)
