"""What a model may do in one turn, and what it has done: tools, tokens, time. Implements `domain.assistant.Hands`."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from domain.assistant import ToolResult, ToolSpec
from domain.claimed_changes import Deed, deeds_on_plans
from domain.token_use import Tokens
from domain.turn_context import TurnContext, Written
from memory.vocabulary import Outcome

_KEPT = (Outcome.ADDED, Outcome.MERGED, Outcome.SUPERSEDED, Outcome.PROVISIONAL)
_NO_TOOL = "出错：这次聊天里没有工具可用"


@dataclass(slots=True)
class TurnHands:
    """One turn's hands. spent_out: the owner's hard budget of the day is used up. spoke: the model was heard."""

    until: float
    cheap: bool = False
    spent_out: bool = False
    tools: Sequence[ToolSpec] = ()
    toolbox: Callable[[str, str], Awaitable[ToolResult]] | None = None
    spoke: bool = False
    written: list[Written] = field(default_factory=list)  # by tools
    arranged: list[str] = field(default_factory=list)  # what became of plans, in sentences of ours
    done: set[Deed] = field(default_factory=set)
    tokens: dict[str, Tokens] = field(default_factory=dict)  # by model

    async def use(self, name: str, arguments: str) -> ToolResult:
        """Run a tool; a mistake of the model is answered, never raised."""
        return await self.toolbox(name, arguments) if self.toolbox is not None else ToolResult(_NO_TOOL, {})

    def spent(self, tokens: Tokens, model: str) -> None:
        """Count what a call cost."""
        self.tokens[model] = self.tokens.get(model, Tokens()) + tokens

    @property
    def total(self) -> Tokens:
        """All tokens of the turn's answer."""
        return sum(self.tokens.values(), Tokens())

    def deeds(self, context: TurnContext) -> set[Deed]:
        """What was really done in this turn, by rules or by tools."""
        kept = any(one.outcome in _KEPT for one in (*context.written, *self.written))
        return self.done | deeds_on_plans(context.plans_changed) | ({Deed.RECORDED} if kept else set())
