"""Runs one tool call: finds the tool, checks what the model wrote as its arguments, answers mistakes in words."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from pydantic import ValidationError

from domain.assistant import ToolResult
from domain.errors import DomainFault
from domain.tools.arguments import TOOLS
from domain.tools.looking import read_records, search_conversations, search_memories
from domain.tools.planning import cancel_schedule, create_schedule, list_schedules
from domain.tools.tool_turn import ToolTurn
from domain.tools.writing import (
    log_measurement,
    log_medication,
    log_symptom,
    log_vaccination,
    propose_correction,
    remember,
)
from memory.errors import MemoryFault

MOST_CALLS = 24  # of one turn: six rounds of four; more is a model that has lost its way
MOST_PROBLEMS = 5
_CHANGED = "这条记忆刚刚有了变化，请直接回答主人"

log = structlog.get_logger(__name__)

_RUN: dict[str, Callable[[ToolTurn, Any], Awaitable[ToolResult]]] = {
    "remember": remember,
    "search_memories": search_memories,
    "search_conversations": search_conversations,
    "read_records": read_records,
    "log_measurement": log_measurement,
    "log_symptom": log_symptom,
    "log_medication": log_medication,
    "log_vaccination": log_vaccination,
    "propose_correction": propose_correction,
    "create_schedule": create_schedule,
    "list_schedules": list_schedules,
    "cancel_schedule": cancel_schedule,
}


class Toolbox:
    """The tools of one turn. Calls of one round run one after the other, in the order of their answers."""

    def __init__(self, turn: ToolTurn) -> None:
        self._turn = turn
        self._lock = asyncio.Lock()
        self._calls = 0

    async def __call__(self, name: str, arguments: str) -> ToolResult:
        """What the tool answers; a mistake of the model is an answer, too."""
        async with self._lock:
            self._calls += 1
            if self._calls > MOST_CALLS:
                return _problem("这一轮用工具太多了，请直接回答主人")
            if name not in TOOLS:
                return _problem(f"没有这个工具。可用的有：{'、'.join(TOOLS)}")
            try:
                given = TOOLS[name][0].model_validate(json.loads(arguments or "{}"))
            except ValidationError as error:
                return _problem(f"参数不对：{_problems(error)}")
            except ValueError:
                return _problem("参数不是 JSON 对象")
            log.info("tool_called", tool=name)
            try:
                return await _RUN[name](self._turn, given)
            except DomainFault as fault:
                return _problem(fault.detail)
            except MemoryFault:
                return _problem(_CHANGED)


def _problems(error: ValidationError) -> str:
    """Which arguments are wrong and how, without their values."""
    told = [f"{'.'.join(map(str, one['loc'])) or '整体'} {one['msg']}" for one in error.errors(include_input=False)]
    return "；".join(told[:MOST_PROBLEMS])


def _problem(words: str) -> ToolResult:
    return ToolResult(f"出错：{words}", {})
