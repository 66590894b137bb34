"""Telling an owner that a card is full: what found no room went to its archive, and nothing is lost."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from domain.inbox import notify
from domain.owners import Owner, scope_of
from domain.pets import Pet
from memory.items import MemoryItem
from memory.scope import Scope
from memory.vocabulary import OWNER_SUBJECT

CARD_FULL = "card_full"
TITLE = "身份卡满了"
MAX_TOLD = 3  # lines named in one notice


async def tell_no_room(session: AsyncSession, scope: Scope, item: MemoryItem, now: datetime) -> None:
    """The card could not take this line: a danger is checked in every reply all the same, and the owner is told."""
    owner = await session.get(Owner, scope.owner_id)
    if owner is not None and item.subject:
        await tell_card_is_full(session, owner, {item.subject: [item.content]}, now)


async def tell_card_is_full(
    session: AsyncSession, owner: Owner, turned_away: Mapping[str, Sequence[str]], now: datetime
) -> None:
    """One notice a card and local month: a full card is full every night. `turned_away`: lines by subject."""
    month = scope_of(owner).local(now).strftime("%Y-%m")
    for subject, lines in sorted(turned_away.items()):
        pet = None if subject == OWNER_SUBJECT else await session.get(Pet, subject)
        whose = "你自己" if pet is None else pet.name
        told = "、".join(f"“{line}”" for line in lines[:MAX_TOLD])
        more = f"等 {len(lines)} 条" if len(lines) > MAX_TOLD else ""
        body = f"{whose}的身份卡已经放满，{told}{more}先收进了主题档案，没有丢。删掉、改短或解锁几条，就能腾出位置。"
        link = {} if pet is None else {"pet_id": pet.id}
        await notify(session, owner, CARD_FULL, f"{CARD_FULL}:{subject}:{month}", TITLE, body, now, link=dict(link))
