"""Creating calls that may be sent twice: the same `Idempotency-Key` and body answer the first result for 24 hours.

The key is claimed in the transaction that creates, so the second of two calls at once waits for the first and then
finds its answer; a call that fails leaves no claim.
"""

import hmac
import json
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any

from fastapi import Depends, Header, Request
from pydantic import BaseModel, Field
from sqlalchemy import Text, cast, delete, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import col, select

from domain.errors import IdempotencyKeyReused
from domain.pet_talk import mentions
from miniprogram_api.deps import Acting, Call
from miniprogram_api.idempotency import KEEP_FOR, IdempotencyRecord

KEY_HEADER = "Idempotency-Key"
MAX_KEY = 100  # characters
OnceKey = Annotated[str, Field(min_length=1, max_length=MAX_KEY)] | None

Create = Callable[[], Awaitable[BaseModel]]


@dataclass(frozen=True, slots=True)
class Once:
    """Runs a creation at most once for the key of this request; without a key, simply runs it."""

    call: Call
    key: str | None
    body_hash: str

    async def __call__(self, create: Create) -> dict[str, Any]:
        """The JSON of what was created, now or the first time. Raises IdempotencyKeyReused."""
        if self.key is None:
            return (await create()).model_dump(mode="json", by_alias=True)
        if not await self._claim(self.key):
            return await self._first_answer(self.key)
        made = (await create()).model_dump(mode="json", by_alias=True)
        await self._keep(self.key, made)
        return made

    async def _claim(self, key: str) -> bool:
        session, owner_id = self.call.session, self.call.scope.owner_id
        await session.exec(
            delete(IdempotencyRecord).where(
                col(IdempotencyRecord.owner_id) == owner_id,
                col(IdempotencyRecord.created_at) < self.call.real_now - KEEP_FOR,
            )
        )
        insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
        claimed = await session.exec(
            insert(IdempotencyRecord)
            .values(owner_id=owner_id, key=key, body_hash=self.body_hash, status=0, created_at=self.call.real_now)
            .on_conflict_do_nothing()
        )
        return bool(claimed.rowcount)

    async def _first_answer(self, key: str) -> dict[str, Any]:
        first = (
            await self.call.session.exec(
                select(IdempotencyRecord).where(
                    col(IdempotencyRecord.owner_id) == self.call.scope.owner_id, col(IdempotencyRecord.key) == key
                )
            )
        ).one()
        if first.body_hash != self.body_hash or first.response is None:
            raise IdempotencyKeyReused()
        return first.response

    async def _keep(self, key: str, made: dict[str, Any]) -> None:
        await self.call.session.exec(
            update(IdempotencyRecord)
            .where(col(IdempotencyRecord.owner_id) == self.call.scope.owner_id, col(IdempotencyRecord.key) == key)
            .values(status=201, response=made)
        )


async def forget_answers(call: Call, about: Collection[str]) -> None:
    """Forget kept answers of this owner that hold one of these ids: what is erased must not be answered again."""
    mine = col(IdempotencyRecord.owner_id) == call.scope.owner_id
    kept = await call.session.exec(
        select(IdempotencyRecord.key, cast(col(IdempotencyRecord.response), Text)).where(mine)
    )
    for key, response in kept.all():
        if mentions(about, response):
            await call.session.exec(delete(IdempotencyRecord).where(mine, col(IdempotencyRecord.key) == key))


async def once_for(
    request: Request,
    call: Acting,
    key: Annotated[OnceKey, Header(alias=KEY_HEADER, description="同一个键和内容 24 小时内只生效一次")] = None,
) -> Once:
    """The once-only runner of this request."""
    told = f"{request.method} {request.url.path}\n{_canonical(await request.body())}"
    return Once(call, key, hmac.new(call.parts.keys.idempotency, told.encode(), sha256).hexdigest())


OnlyOnce = Annotated[Once, Depends(once_for, scope="function")]


def _canonical(body: bytes) -> str:
    """The same for two bodies that say the same with other spaces or another order of fields."""
    try:
        return json.dumps(json.loads(body), sort_keys=True)
    except (ValueError, RecursionError):  # no JSON: the route refuses it
        return body.hex()
