"""Telling what was learned from a message after its reply: in the turn's answer, and in the inbox."""

from collections.abc import Sequence

from sqlmodel.ext.asyncio.session import AsyncSession

from domain.inbox import notify
from domain.owners import Owner
from domain.turn_answer import confirmation_data, written_data
from domain.turn_context import Written
from domain.turns import Turn
from memory.messages import Message
from memory.vocabulary import Outcome

KIND = "remembered"
TITLE = "又记下了一些"
MOST_TOLD = 3  # lines named in one notice
_NEW = (Outcome.ADDED, Outcome.SUPERSEDED, Outcome.PROVISIONAL)


async def tell_late(session: AsyncSession, message: Message, written: Sequence[Written]) -> None:
    """Add receipts to the answer of the message's turn, and one notice of what is new, in the caller's transaction."""
    told = [one for one in written if one.outcome is not Outcome.REFUSED]
    turn = await session.get(Turn, message.turn_id) if message.turn_id and told else None
    if turn is not None and turn.answer is not None:
        turn.answer = _with_receipts(turn.answer, told)
        session.add(turn)
    fresh = [one.content for one in told if one.outcome in _NEW]
    owner = await session.get(Owner, message.owner_id) if fresh else None
    if owner is not None:
        lines = "、".join(f"“{line}”" for line in fresh[:MOST_TOLD])
        more = f"等 {len(fresh)} 条" if len(fresh) > MOST_TOLD else ""
        link: dict[str, object] = {"turn_id": message.turn_id, "message_id": message.id}
        body = f"刚才的话里还记下了{lines}{more}。不对的话，可以在记忆里改掉或删掉。"
        await notify(session, owner, KIND, f"{KIND}:{message.id}", TITLE, body, message.said_at, link=link)


def _with_receipts(answer: dict[str, object], told: Sequence[Written]) -> dict[str, object]:
    def more(name: str, rows: list[dict[str, object]]) -> list[object]:
        known = answer.get(name)
        return [*(known if isinstance(known, list) else []), *rows]

    return {
        **answer,
        "memories": more("memories", [written_data(one) for one in told]),
        "records": more(
            "records",
            [
                {"kind": one.record_kind, "id": one.record_id, "outcome": one.outcome.value}
                for one in told
                if one.record_id
            ],
        ),
        "confirmations": more(
            "confirmations", [confirmation_data(one.confirmation) for one in told if one.confirmation is not None]
        ),
    }
