"""Taking in the lines of a folder that was edited by hand, a few lines a transaction.

Read, think, write: what the lines state is read with no transaction open, which is most of the work.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256

from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import DomainFault
from domain.owner_memories import edit_memory
from domain.pets import Pet, pets_of, profile_of
from domain.portability.folder import UNASSIGNED
from domain.portability.hand_edits import HandLine, count_unread, hand_lines
from domain.portability.import_batches import LINES_A_BATCH, Importing, in_batches
from domain.portability.merging import Desk, Line, Told, merge_line, read_line
from memory.claims import Claim
from memory.errors import MemoryFault
from memory.items import MemoryItem
from memory.scope import Scope
from memory.topics import Topic
from memory.vocabulary import OWNER_SUBJECT, MemoryStatus, Outcome

KEY_CHARS = 32  # of the hash that makes the same hand-written line the same statement


async def bring_back_pages(importing: Importing, pages: Mapping[str, str]) -> None:
    """Take in the lines of a folder that was edited by hand."""
    for some in in_batches(hand_lines(pages), LINES_A_BATCH):
        await _take_hand_lines(importing, some)
    if unread := count_unread(pages):
        importing.report.notes.append(f"文件太长，还有 {unread} 行没有读，请分几次导入")


async def _take_hand_lines(importing: Importing, some: Sequence[HandLine]) -> None:
    """Read, think, write: what the lines state is read with no transaction open."""
    scope = importing.scope
    async with importing.transactions.read() as session:
        pets = await pets_of(session, scope)
        lines = [(hand, _line_of(hand, pets, importing.parts.now)) for hand in some]
        new = [line is not None and not await _is_ours(session, importing, hand, line) for hand, line in lines]
    read: list[tuple[HandLine, Line | None, tuple[Claim, ...] | None]] = []
    for (hand, line), is_new in zip(lines, new, strict=True):
        profiles = [profile_of(pet) for pet in pets]
        read.append((hand, line, read_line(line, scope, profiles) if line is not None and is_new else None))
        await asyncio.sleep(0)  # reading a line takes as long as reading a message
    async with importing.batch() as desk:
        for hand, line, claims in read:
            await _take_hand_line(desk, hand, line, claims)


async def _is_ours(session: AsyncSession, importing: Importing, hand: HandLine, line: Line) -> bool:
    """Whether the household has this line already, or its id: there is nothing to read of it."""
    if hand.memory_id is not None and await _item(session, importing.scope, hand.memory_id) is not None:
        return True
    return await importing.known.has_line(session, importing.scope, line.subject, line.content)


def _line_of(hand: HandLine, pets: Sequence[Pet], now: datetime) -> Line | None:
    """The line with its subject; None where no pet has the name it stands under, or two have."""
    names = {pet.name: pet.id for pet in pets}
    if sum(pet.name == hand.subject for pet in pets) > 1:
        return None
    nobody = hand.subject is None or hand.subject == UNASSIGNED
    subject = None if nobody else names.get(hand.subject or "", hand.subject)
    if subject not in (None, OWNER_SUBJECT, *names.values()):
        return None
    key = sha256(f"{hand.subject}/{hand.content}".encode()).hexdigest()[:KEY_CHARS]
    topic = hand.topic or (Topic.OWNER if subject == OWNER_SUBJECT else None)
    return Line(key, hand.content, subject, topic, now, hand.tier, hand.file)


async def _take_hand_line(desk: Desk, hand: HandLine, line: Line | None, claims: Sequence[Claim] | None) -> None:
    item = await _item(desk.session, desk.scope, hand.memory_id) if hand.memory_id else None
    if item is not None:
        await _edit(desk, hand, item)
    elif line is None:
        desk.told.append(Told(Outcome.REFUSED.value, hand.content, _no_such(desk, hand), hand.file))
    else:
        await merge_line(desk, line, claims)


def _no_such(desk: Desk, hand: HandLine) -> str:
    several = any(pet.name == hand.subject for pet in desk.pets)
    return f"有两只都叫“{hand.subject}”，分不清是谁" if several else f"没有叫“{hand.subject}”的宠物"


async def _item(session: AsyncSession, scope: Scope, item_id: str) -> MemoryItem | None:
    item = await session.get(MemoryItem, item_id)
    return item if item is not None and item.household_id == scope.household_id else None


async def _edit(desk: Desk, line: HandLine, item: MemoryItem) -> None:
    """The owner's own change of a line that we wrote: as on the memory page, records are changed in their place."""
    if item.status == MemoryStatus.DELETED.value:
        desk.told.append(Told(Outcome.REFUSED.value, line.content, "这条已经删除了；想再记住，请直接告诉我", line.file))
        return
    if " ".join(item.content.split()) == line.content:
        desk.told.append(Told(Outcome.MERGED.value, line.content, file=line.file))
        return
    try:
        fields = {"content": line.content}
        await edit_memory(desk.session, desk.scope, item.id, fields, None, desk.now, desk.real_now)
    except MemoryFault:
        told = Told(Outcome.REFUSED.value, line.content, "这条来自健康档案或已经删除，请在对应的档案里修改", line.file)
    except DomainFault as fault:
        told = Told(Outcome.REFUSED.value, line.content, fault.detail, line.file)
    else:
        desk.known.add_line(item.id, item.subject, line.content)
        told = Told(Outcome.SUPERSEDED.value, line.content, file=line.file)
    desk.told.append(told)
