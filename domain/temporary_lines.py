"""Lines that hold for a time only, beside what was recalled, whenever leave or advice is asked for. Pure."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from domain.household_view import HouseholdView
from domain.turn_context import RecalledLine
from memory.items import MemoryItem
from memory.scope import Scope
from memory.text_folding import fold_text
from memory.visibility import is_live
from memory.vocabulary import Kind

WHY = "holds for a time, and leave or advice is asked for"

_SEEKS_ADVICE = re.compile(
    r"能不能|可不可以|可以|能(?:吃|喝|喂|洗|跑|跳|玩|去|出|打|做|用|剪|坐|上|给)|行不行|行吗|要不要|该不该|该(?:吃|喂|怎么|做|注意)"
    r"|注意|适合|吃什么|吃啥|喂什么|喂啥|怎么(?:吃|喂|办|照顾|护理|养)|敢不敢|建议|推荐|安排"
)


def with_temporary(
    recalled: Sequence[RecalledLine],
    view: HouseholdView,
    scope: Scope,
    pet_ids: Collection[str],
    text: str,
    now: datetime,
) -> tuple[RecalledLine, ...]:
    """What was recalled; lines that end are marked with their last day.

    When `text` seeks leave or advice, all that holds now for these pets stands before the rest.
    """
    holding = {item.id: item for item in view.temporary if item.subject in pet_ids and is_live(item, now)}
    if not holding:
        return tuple(recalled)
    marked = [_marked(line, _last_day(holding.get(line.memory_id), scope)) for line in recalled]
    if not _SEEKS_ADVICE.search(fold_text(text)):
        return tuple(marked)
    there = {line.memory_id for line in marked}
    added = [_marked(line_of(item, WHY), _last_day(item, scope)) for item in holding.values() if item.id not in there]
    ending = [line for line in marked if line.until is not None]
    return (*ending, *added, *(line for line in marked if line.until is None))


def _last_day(item: MemoryItem | None, scope: Scope) -> date | None:
    if item is None or item.expires_at is None:
        return None
    return scope.local(item.expires_at - timedelta(seconds=1)).date()


def _marked(line: RecalledLine, last: date | None) -> RecalledLine:
    if last is None:
        return line
    return replace(line, text=f"{line.text}（只到{last.month}月{last.day}日）", until=last)


def line_of(item: MemoryItem, why: str) -> RecalledLine:
    """A kept line as one that is told beside what was recalled, and why it is."""
    return RecalledLine(
        memory_id=item.id,
        subject=item.subject,
        text=item.content,
        topic=item.topic,
        attribute=item.attribute,
        kind=Kind(item.kind),
        confidence=item.confidence,
        learned_at=item.learned_at,
        why=why,
    )
