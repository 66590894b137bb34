"""Lists are read a page at a time: `?limit=&cursor=` in, `{"items": [...], "next_cursor": ...}` out.

A cursor is opaque to clients. It holds what the next page begins after: an id (newest first), or a position in a
ranked list.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Depends, Query
from pydantic import BaseModel

from miniprogram_api.faults import BadCursor

DEFAULT_LIMIT = 20
MAX_LIMIT = 100
MAX_CURSOR = 200  # characters
MAX_DIGITS = 9  # of a position: a billion rows are more than any list of ours has, and fit every integer

Item = TypeVar("Item")


class Page(BaseModel, Generic[Item]):
    """One page; `next_cursor` is null on the last one."""

    items: list[Item]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True)
class PageQuery:
    """How much is asked for, and after what."""

    limit: int
    after: str | None

    @property
    def one_more(self) -> int:
        """What to read, so that it shows whether there is a next page."""
        return self.limit + 1

    @property
    def position(self) -> int:
        """The cursor as a position in a ranked list. Raises BadCursor."""
        if self.after is None:
            return 0
        if not self.after.isdecimal() or len(self.after) > MAX_DIGITS:
            raise BadCursor()
        return int(self.after)


Cursor = Annotated[str | None, Query(max_length=MAX_CURSOR, description="上一页的 next_cursor")]


async def page_query(
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT, description="每页条数")] = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> PageQuery:
    """The paging of a request. Raises BadCursor."""
    return PageQuery(limit, mark_of(cursor))


def mark_of(cursor: str | None) -> str | None:
    """What a cursor holds; None without one. Raises BadCursor."""
    return _read(cursor) if cursor else None


Paging = Annotated[PageQuery, Depends(page_query)]


def page_of(rows: Sequence[Any], paging: PageQuery, shape: Callable[[Any], Item], key: str = "id") -> Page[Item]:
    """The page made of up to `limit + 1` rows read after the cursor; `key` names the column the cursor holds."""
    shown = rows[: paging.limit]
    more = len(rows) > paging.limit
    return Page(items=[shape(row) for row in shown], next_cursor=cursor_of(getattr(shown[-1], key)) if more else None)


def cursor_of(mark: object) -> str:
    """The opaque form of an id or a position."""
    return urlsafe_b64encode(str(mark).encode()).decode().rstrip("=")


def _read(cursor: str) -> str:
    try:
        mark = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except ValueError:
        raise BadCursor() from None
    if not mark.replace("-", "").isalnum():
        raise BadCursor()
    return mark
