"""Open confirmations that are left alone for now: put once today already, or the talk is about an emergency.

The inbox has them all the same, and what the owner says of the matter itself is answered with the question.
"""

from datetime import datetime, time

from domain.running_turn import Run, TurnParts
from domain.turn_alerts import alerts_of
from memory.confirmations import Confirmation
from memory.messages import told_since

LONGEST_OPENING = 40  # characters of a confirmation by which its text is found in an answer
GRAVE = ("emergency", "urgent")


async def resting_questions(run: Run, parts: TurnParts) -> frozenset[str]:
    """Ids of the questions that are not to be raised in this turn; reads nothing while no question is open."""
    if not run.view.questions:
        return frozenset()
    if _is_an_emergency(run):
        return frozenset(row.id for row in run.view.questions)
    day = run.scope.local(run.request.now)
    async with parts.transactions.quick_read() as quick:
        told = await told_since(quick, run.scope, datetime.combine(day.date(), time.min, day.tzinfo))
    today = [" ".join(text.split()) for text in told]
    return frozenset(row.id for row in run.view.questions if any(_opening_of(row) in text for text in today))


def _opening_of(question: Confirmation) -> str:
    """The first words of a confirmation on one line."""
    return " ".join(question.question.split())[:LONGEST_OPENING]


def _is_an_emergency(run: Run) -> bool:
    """Whether anything that the owner said in this talk calls for a vet."""
    words = [said.text for said in run.history if said.role == "user"]
    heard = (alert for text in words for alert in alerts_of(text, run.view, run.scope, run.request.now))
    return any(alert.level in GRAVE for alert in (*run.answer.alerts, *heard))
