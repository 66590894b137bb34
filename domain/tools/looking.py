"""Tools that look: into memories, into earlier talks, into a pet's records. What they bring may be cited."""

from sqlmodel import col, select

from domain.active_recall import Question
from domain.assistant import ToolResult
from domain.cards import PENDING_MARK, dated
from domain.health_records import records_of
from domain.record_kinds import kind_named
from domain.tools.arguments import ReadRecords, SearchConversations, SearchMemories
from domain.tools.tool_turn import ToolTurn
from memory.items import MemoryItem
from memory.messages import Message
from memory.session_search import SearchQuery, search_messages, snippet_of
from memory.vocabulary import OWNER_SUBJECT

MOST_MESSAGES = 5  # found messages that are told; each is a snippet of 100 characters

_NO_PET = "没有这只宠物。家里有：{names}。"
_NOTHING = "没有记录。"
_ENDED = {"ended": "（已结束）", "refuted": "（已否定）", "superseded": "（已更正）", "provisional": PENDING_MARK}


async def search_memories(turn: ToolTurn, given: SearchMemories) -> ToolResult:
    """What recall brings up for a question of the model's."""
    run, pet = turn.run, turn.profile(given.pet) if given.pet else None
    if given.pet and pet is None:
        return ToolResult(_NO_PET.format(names=turn.names), {})
    found = await turn.parts.recall(
        Question(given.query, run.scope, run.request.now, run.view, (), pet.id if pet else run.request.pet_id)
    )
    lines = {
        line.memory_id: line.text
        for line in found.lines
        if pet is None or line.subject in (pet.id, OWNER_SUBJECT, None)
    }
    return _brought(turn, "找到这些记忆：", lines)


async def search_conversations(turn: ToolTurn, given: SearchConversations) -> ToolResult:
    """What was said before, by the owner or by us, this turn left out."""
    run = turn.run
    async with turn.parts.transactions.quick_scan() as quick:
        hits = await search_messages(quick, run.scope, SearchQuery(given.query))
    found = [one for one in hits.messages if one.id != run.message_id][:MOST_MESSAGES]
    if not found:
        return ToolResult(_NOTHING, {})
    async with turn.parts.transactions.read() as session:
        query = select(Message).where(
            col(Message.household_id) == run.scope.household_id, col(Message.id).in_([one.id for one in found])
        )
        rows = {row.id: row for row in (await session.exec(query)).all()}
    told = []
    for one in found:
        row = rows.get(one.id)
        if row is not None:
            words = "".join(part.text for part in snippet_of(one.text, hits.words))
            who = "主人" if row.role == "user" else "你"
            told.append(f"{run.scope.local(row.said_at):%Y年%m月%d日} {who}说：“{words}”")
    turn.reviewer.learn(dict.fromkeys(told, ""))
    return ToolResult("\n- ".join(["以前聊到过：", *told]), {})


async def read_records(turn: ToolTurn, given: ReadRecords) -> ToolResult:
    """The newest records of one kind, each as its line, with what became of it."""
    pet, run, kind = turn.pet(given.pet), turn.run, kind_named(given.kind)
    if pet is None:
        return ToolResult(_NO_PET.format(names=turn.names), {})
    async with turn.parts.transactions.read() as session:
        rows = await records_of(session, run.scope, pet.id, kind, limit=given.limit)
        query = select(MemoryItem).where(
            col(MemoryItem.household_id) == run.scope.household_id,
            col(MemoryItem.record_kind) == kind.name,
            col(MemoryItem.record_id).in_([row.id for row in rows]),
        )
        mirrors = {item.record_id: item.id for item in (await session.exec(query)).all()}
        lines = {}
        for row in rows:
            fields = kind.read(row)
            text = dated(kind.line(pet.name, fields), row.valid_from, kind.happened(fields)[1].value, run.scope)
            lines[mirrors.get(row.id, row.id)] = text + _ENDED.get(row.status, "")
    if not lines and kind.name == "allergies" and pet.no_known_allergies:
        return ToolResult("主人说过：没有已知的过敏。", {})
    return _brought(turn, f"{pet.name}的{kind.label}记录，新的在前：", lines)


def _brought(turn: ToolTurn, heading: str, lines: dict[str, str]) -> ToolResult:
    """The lines, which the review from now on knows as told and citable."""
    if not lines:
        return ToolResult(_NOTHING, {})
    turn.reviewer.learn({text: memory_id for memory_id, text in lines.items()})
    return ToolResult(heading, lines)
