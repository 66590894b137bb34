"""Ways into the mini-program from outside: round codes to scan and links to tap. Made once, then kept.

A code lives for ever, so it only carries a token that we can let die; a link ends within thirty days.
"""

import re
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Protocol

from domain.files import FileMissing, FileStore

SCENE = re.compile(r"[0-9A-Za-z\-._~!#$'()*+,/:;=?@]{1,32}")  # `&` is documented and refused in the field
MAX_QUERY = 1024  # characters
LINK_DAYS = 30  # the longest that WeChat gives
RENEW_LINK_BEFORE = timedelta(days=1)
KEPT_LINKS = 5_000  # in this process

CONFIRMATION_PAGE = "pages/confirmation/index"


class Linker(Protocol):
    """Who makes codes and links. Every call may raise a WeChatFault."""

    async def mini_code(self, scene: str, page: str) -> bytes:
        """A picture (JPEG or PNG)."""
        ...

    async def url_link(self, page: str, query: str, days: int) -> str:
        """An https address that opens the mini-program for so many days."""
        ...


class BadScene(ValueError):
    """A code cannot carry this."""


class MiniLinks:
    """Codes are kept as files below their household, links in memory."""

    def __init__(self, linker: Linker, files: FileStore, real_now: Callable[[], datetime]) -> None:
        self._linker = linker
        self._files = files
        self._now = real_now
        self._links: OrderedDict[tuple[str, str], tuple[str, datetime]] = OrderedDict()

    async def code(self, household_id: str, scene: str, page: str) -> bytes:
        """The picture of a code that opens `page` with this scene. Raises BadScene, WeChatFault, OSError."""
        if not SCENE.fullmatch(scene):
            raise BadScene("a scene has 1 to 32 letters, digits and a few marks")
        key = f"mini-codes/{household_id}/{sha256(f'{page}?{scene}'.encode()).hexdigest()}"
        try:
            return await self._files.get(key)
        except FileMissing:
            picture = await self._linker.mini_code(scene, page)
            await self._files.put(key, picture)
            return picture

    async def link(self, page: str, query: str) -> str:
        """An address that opens `page` with this query for a month. Raises ValueError, WeChatFault."""
        if len(query) > MAX_QUERY:
            raise ValueError("the query of a link has at most 1,024 characters")
        known = self._links.get((page, query))
        if known is not None and known[1] > self._now():
            return known[0]
        made = await self._linker.url_link(page, query, LINK_DAYS)
        self._links[(page, query)] = (made, self._now() + timedelta(days=LINK_DAYS) - RENEW_LINK_BEFORE)
        if len(self._links) > KEPT_LINKS:
            self._links.popitem(last=False)
        return made

    async def confirmation_link(self, confirmation_id: str) -> str:
        """An address that opens one question in the mini-program. Raises WeChatFault."""
        return await self.link(CONFIRMATION_PAGE, f"id={confirmation_id}")


def codes_of(household_id: str) -> str:
    """What the keys of all codes of a household begin with."""
    return f"mini-codes/{household_id}/"
