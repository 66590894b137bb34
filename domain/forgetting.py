"""Forgetting by chat: the one memory meant is deleted as it is on the memory page, or the owner is asked.

What is told is told after the commit. A trace of evidence (`FORGOTTEN`, never a source) says which message did it, so a
message that is read again does nothing a second time, and 恢复 within ten minutes finds what to bring back. A record is
never deleted in passing: the owner is asked first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import col, delete, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.forget_choice import fitting, plain_words
from domain.forget_requests import ASK_MARK, SURE_MARK, Forget, ForgetRequest, is_about_forgetting
from domain.health_records import Change
from domain.late_extraction import EXTRACT_TOPIC
from domain.owner_deletes import RESTORABLE_FOR, delete_memory, restore_memory
from domain.record_kinds import kind_named
from domain.turns import Turn
from memory.errors import RestoreTooLate
from memory.evidence import MEMORY
from memory.item_writes import add_evidence
from memory.items import EvidenceRow, MemoryItem
from memory.memory_page import MemoryFilter, search_items
from memory.messages import Message
from memory.outbox import OutboxRow
from memory.scope import Scope
from memory.visibility import VISIBLE
from memory.vocabulary import OWNER_SUBJECT, MemoryStatus, Source

FORGOTTEN = "forgotten"
REASON, RESTORED = "owner_forgot_in_chat", "owner_restored_in_chat"
LOOKED_BACK = 6  # messages of the owner's in which 这条 may have been taught
MOST_FOUND = 20  # lines that share the words, looked at
MOST_CHOICES = 5  # lines put to choice

UNDO_HINT = "十分钟内说“恢复”，就能找回来。"
_NOTHING_FOUND = "没有找到说的是这件事的记忆，什么也没有删。换个说法，或者到记忆页里找找看。"
_NOTHING_TAUGHT = "刚才那句我没有记下什么，不用删。想忘掉哪件事，直接说“忘掉……这件事”。"
_NOT_KEPT = "好的，这句我不记。"
_NOT_READ_ON = "好的，刚才那句我不会记。"
_TOO_MUCH = "一次忘掉这么多，请到“我的”里操作：可以删除一只宠物的全部资料，或者注销账号。"
TOO_LATE = "已经过了十分钟，找不回来了。需要的话，再告诉我一次就好。"


@dataclass(frozen=True, slots=True)
class Asking:
    """The message that asks, and what it is worked with.

    words: the wish as said. pets: names by id. secret: keys the tombstones.
    """

    scope: Scope
    message_id: str
    words: str
    conversation_id: str | None
    pets: dict[str, str]
    now: datetime
    real_now: datetime
    secret: bytes

    def trace_of(self, item: MemoryItem, outcome: str, reason: str | None = None) -> EvidenceRow:
        """Which message did this to the line; it counts for nothing else."""
        return EvidenceRow(
            household_id=self.scope.household_id,
            target_kind=MEMORY,
            target_id=item.id,
            message_id=self.message_id,
            conversation_id=self.conversation_id,
            quote=self.words,
            said_at=self.now,
            by=self.scope.owner_id,
            outcome=outcome,
            reason=reason,
            counts=False,
        )

    def change(self, reason: str) -> Change:
        return Change(self.scope, self.scope.owner_id, reason, Source.OWNER, self.now, self.real_now)

    def line(self, item: MemoryItem) -> str:
        """“豆豆：不吃鸡肉”, the name left out where the line has it."""
        name = self.pets.get(item.subject or "", "")
        return f"“{item.content if not name or name in item.content else f'{name}：{item.content}'}”"


async def forget(session: AsyncSession, wish: ForgetRequest, asking: Asking) -> str:
    """What is told of a wish, which is carried out in the caller's transaction; "" when it meant something else."""
    if done := await _done_by(session, asking):
        return _told(done, asking)
    if wish.what is Forget.EVERYTHING:
        return _TOO_MUCH
    if wish.what is Forget.THIS:
        return _NOT_KEPT
    if wish.what is Forget.WORDS:
        return await _forget_chosen(session, wish, await _saying(session, wish, asking), asking) or _NOTHING_FOUND
    if wish.what is Forget.SAID:
        return await _forget_said(session, wish, asking)
    return await _forget_chosen(session, wish, await _shown(session, asking), asking) or _NOTHING_FOUND


async def _forget_said(session: AsyncSession, wish: ForgetRequest, asking: Asking) -> str:
    """What the last message taught, and nothing else did; what is still to be read from it is not read."""
    last = await _messages_before(session, asking, 1)
    unread = await _stop_reading(session, last)
    items = [item for item in await _taught_by(session, asking, last) if await _is_of_it_alone(session, item, last)]
    told = await _forget_all(session, wish, items, asking) if items else ""
    return told or (_NOT_READ_ON if unread else _NOTHING_TAUGHT)


async def _forget_chosen(
    session: AsyncSession, wish: ForgetRequest, items: Sequence[MemoryItem], asking: Asking
) -> str:
    """The one line that fits; several are put to choice."""
    if wish.pick is not None:
        items = items[wish.pick - 1 : wish.pick]
    if len(items) > 1 and not wish.all_of_them:
        choices = "\n".join(f"{place}. {asking.line(item)}" for place, item in enumerate(items[:MOST_CHOICES], 1))
        return f"有几条都像，要{ASK_MARK}？说“第几条”就行：\n{choices}"
    return await _forget_all(session, wish, items[:MOST_CHOICES], asking)


async def _forget_all(session: AsyncSession, wish: ForgetRequest, items: Sequence[MemoryItem], asking: Asking) -> str:
    """Delete lines that are memory's own, ask about those that are told from a record."""
    of_records = [item for item in items if item.record_kind and not wish.sure]
    going = [item for item in items if item not in of_records]
    for item in going:
        await delete_memory(session, asking.change(REASON), item.id, asking.secret)
        add_evidence(session, MEMORY, item.id, asking.trace_of(item, FORGOTTEN))
    return _told(going, asking) + _asked_about(of_records, asking)


def _told(items: Sequence[MemoryItem], asking: Asking) -> str:
    return f"忘掉了：{'、'.join(map(asking.line, items))}。{UNDO_HINT}" if items else ""


def _asked_about(items: Sequence[MemoryItem], asking: Asking) -> str:
    if not items:
        return ""
    lines = "、".join(f"{asking.line(item)}（{kind_named(item.record_kind or '').label}）" for item in items)
    return f"{lines}在健康档案里，删了以后提醒和安全检查都不再看它。{SURE_MARK}吗？说“确定”就删。"


async def _saying(session: AsyncSession, wish: ForgetRequest, asking: Asking) -> Sequence[MemoryItem]:
    """The memories that say these words, of the pets that are named if any are."""
    named = {pet_id for pet_id, name in asking.pets.items() if name in wish.words}
    words = plain_words(wish.words, asking.pets.values())
    found = await search_items(session, asking.scope, MemoryFilter(), words, 0, MOST_FOUND) if words else []
    of_them = [item for item in found if not named or item.subject in named]
    return fitting(words, of_them, asking.pets.values())


async def _shown(session: AsyncSession, asking: Asking) -> Sequence[MemoryItem]:
    """What the last message taught; else what its answer told; else what an earlier message taught."""
    messages = await _messages_before(session, asking, LOOKED_BACK)
    await _stop_reading(session, messages[:1])
    for place, message in enumerate(messages):
        if taught := await _taught_by(session, asking, [message]):
            return taught
        if place == 0 and (told := await _told_in_answer(session, asking, message)):
            return told
    return []


async def _messages_before(session: AsyncSession, asking: Asking, limit: int) -> Sequence[Message]:
    """The owner's messages of this talk that ask for nothing of the kind, newest first."""
    query = select(Message).where(
        col(Message.household_id) == asking.scope.household_id,
        col(Message.owner_id) == asking.scope.owner_id,
        col(Message.conversation_id) == (asking.conversation_id or ""),
        col(Message.role) == "user",
        col(Message.id) < asking.message_id,
    )
    rows = await session.exec(query.order_by(col(Message.id).desc()).limit(LOOKED_BACK))
    return [row for row in rows.all() if not is_about_forgetting(row.text)][:limit]


async def _taught_by(session: AsyncSession, asking: Asking, messages: Sequence[Message]) -> Sequence[MemoryItem]:
    """The living lines with words of these messages behind them, and those of their records."""
    said = select(EvidenceRow.target_id).where(
        col(EvidenceRow.household_id) == asking.scope.household_id,
        col(EvidenceRow.message_id).in_([message.id for message in messages]),
        col(EvidenceRow.counts).is_(True),
    )
    query = select(MemoryItem).where(
        col(MemoryItem.household_id) == asking.scope.household_id,
        col(MemoryItem.status).in_(VISIBLE),
        or_(col(MemoryItem.id).in_(said), col(MemoryItem.record_id).in_(said)),
    )
    return (await session.exec(query.order_by(col(MemoryItem.id)))).all()


async def _is_of_it_alone(session: AsyncSession, item: MemoryItem, messages: Sequence[Message]) -> bool:
    """Whether nothing else was ever said for this line."""
    of_it = [message.id for message in messages]
    targets = [one for one in (item.id, item.record_id) if one]
    others = select(EvidenceRow.id).where(
        col(EvidenceRow.household_id) == item.household_id,
        col(EvidenceRow.target_id).in_(targets),
        col(EvidenceRow.counts).is_(True),
        or_(col(EvidenceRow.message_id).is_(None), col(EvidenceRow.message_id).not_in(of_it)),
    )
    return (await session.exec(others.limit(1))).first() is None


async def _told_in_answer(session: AsyncSession, asking: Asking, message: Message) -> Sequence[MemoryItem]:
    """The lines that the answer to this message cited."""
    turn = await session.get(Turn, message.turn_id) if message.turn_id else None
    cited = [one["memory_id"] for one in ((turn.answer if turn else None) or {}).get("citations", ())]
    query = select(MemoryItem).where(
        col(MemoryItem.household_id) == asking.scope.household_id,
        col(MemoryItem.status).in_(VISIBLE),
        col(MemoryItem.id).in_(cited),
    )
    own = or_(col(MemoryItem.subject).is_(None), col(MemoryItem.subject) != OWNER_SUBJECT)
    mine = or_(own, col(MemoryItem.owner_id) == asking.scope.owner_id)
    return (await session.exec(query.where(mine).order_by(col(MemoryItem.id)))).all() if cited else []


async def _stop_reading(session: AsyncSession, messages: Sequence[Message]) -> bool:
    """A model reads nothing more from these messages; whether it was going to."""
    gone = await session.exec(
        delete(OutboxRow).where(
            col(OutboxRow.topic) == EXTRACT_TOPIC, col(OutboxRow.key).in_([message.id for message in messages])
        )
    )
    return bool(gone.rowcount)


async def _done_by(session: AsyncSession, asking: Asking) -> Sequence[MemoryItem]:
    """What this message has forgotten in an earlier run of its turn."""
    return await _traced(session, asking, col(EvidenceRow.message_id) == asking.message_id)


async def bring_back(session: AsyncSession, asking: Asking) -> str:
    """Restore what the last such message forgot; "" where none did within the day."""
    since = asking.now - timedelta(days=1)
    forgotten = await _traced(session, asking, col(EvidenceRow.said_at) > since)
    if not forgotten:
        return ""
    latest = max(item.deleted_at for item in forgotten if item.deleted_at is not None)
    going = [item for item in forgotten if item.deleted_at == latest]
    if asking.real_now - latest > RESTORABLE_FOR:
        return TOO_LATE
    try:
        for item in going:
            await restore_memory(session, asking.change(RESTORED), item.id, asking.secret)
    except RestoreTooLate:
        return TOO_LATE
    return f"找回来了：{'、'.join(map(asking.line, going))}。"


async def _traced(session: AsyncSession, asking: Asking, which: object) -> Sequence[MemoryItem]:
    """The lines that are deleted, with a trace of the owner's wish of this kind."""
    traces = select(EvidenceRow.target_id).where(
        col(EvidenceRow.household_id) == asking.scope.household_id,
        col(EvidenceRow.by) == asking.scope.owner_id,
        col(EvidenceRow.outcome) == FORGOTTEN,
        which,  # type: ignore[arg-type]  # a column's comparison
    )
    query = select(MemoryItem).where(
        col(MemoryItem.household_id) == asking.scope.household_id,
        col(MemoryItem.status) == MemoryStatus.DELETED.value,
        col(MemoryItem.id).in_(traces),
    )
    return (await session.exec(query.order_by(col(MemoryItem.id)))).all()
