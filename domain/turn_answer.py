"""The shape of a turn's answer: what the JSON response and the `done` event carry, built up as the turn goes on."""

from dataclasses import dataclass, field
from typing import Any, Literal

from domain.ai_labels import ANSWER, PRODUCER, AiLabel
from domain.assistant import AnswerSentence, Mode
from domain.token_use import Tokens
from domain.triage import Alert
from domain.turn_context import AskedQuestion, TurnContext, Written
from domain.turn_store import TurnRow

Moderation = Literal["off", "passed", "review", "unchecked", "replaced"]
"""What was thought of the words of a turn: nobody is asked, harmless, doubtful, nobody answered, taken back."""

SNIPPET_CHARS = 60  # of a cited memory, enough to recognise it

_API_STATUS = {"done": "done", "running": "running", "failed": "failed", "cancelled": "done"}


@dataclass(slots=True)
class TurnAnswer:
    """The answer so far. `text` is authoritative: it is what was reviewed and stored."""

    mode: Mode = "basic"
    sentences: list[AnswerSentence] = field(default_factory=list)
    alerts: tuple[Alert, ...] = ()
    written: tuple[Written, ...] = ()
    schedules: tuple[dict[str, Any], ...] = ()
    cancelled: bool = False
    moderation: Moderation = "off"
    tokens: Tokens = field(default_factory=Tokens)
    producer: str = PRODUCER  # who answers for the words, as their label names it

    @property
    def text(self) -> str:
        return "".join(sentence.text for sentence in self.sentences)

    @property
    def cited(self) -> list[str]:
        """Ids of the memories that the answer used, in order, once each."""
        return list(dict.fromkeys(memory_id for sentence in self.sentences for memory_id in sentence.citations))

    def as_json(self, turn_id: str, message_id: str, context: TurnContext | None, status: str) -> dict[str, Any]:
        """The answer as it is stored and sent; `status` is the row's word."""
        snippets = _snippets(context)
        confirmations = [written.confirmation for written in self.written if written.confirmation]
        return {
            "turn_id": turn_id,
            "message_id": message_id,
            "status": _API_STATUS[status],
            "text": self.text,
            "ai_generated": True,
            "ai_label": AiLabel(ANSWER, turn_id, self.producer).as_json(),
            "citations": [
                {"memory_id": memory_id, "snippet": snippets.get(memory_id, "")[:SNIPPET_CHARS]}
                for memory_id in self.cited
            ],
            "alerts": [alert_data(alert) for alert in self.alerts],
            "memories": [written_data(written) for written in self.written],
            "records": [
                {"kind": written.record_kind, "id": written.record_id, "outcome": written.outcome.value}
                for written in self.written
                if written.record_id
            ],
            "confirmations": [confirmation_data(question) for question in confirmations],
            "schedules": list(self.schedules),
            "mode": self.mode,
            "usage": {
                "prompt_tokens": self.tokens.prompt_tokens,
                "completion_tokens": self.tokens.completion_tokens,
            },
            "cancelled": self.cancelled,
            "moderation": self.moderation,
        }


def answer_data(turn: TurnRow, producer: str = PRODUCER) -> dict[str, Any]:
    """The JSON answer of a stored turn, whatever its state."""
    empty = TurnAnswer(producer=producer).as_json(turn.id, turn.message_id or "", None, turn.status)
    return {**empty, **(turn.answer or {})}


def alert_data(alert: Alert) -> dict[str, Any]:
    """An alert as clients see it."""
    return {"level": alert.level, "sign": alert.sign, "advice": alert.advice, "pet_id": alert.pet_id}


def written_data(written: Written) -> dict[str, Any]:
    """A receipt: what became of one statement."""
    return {
        "memory_id": written.memory_id,
        "outcome": written.outcome.value,
        "subject": written.subject,
        "topic": written.topic,
        "content": written.content,
        "reason": written.reason,
        "record_kind": written.record_kind,
        "record_id": written.record_id,
    }


def confirmation_data(question: AskedQuestion) -> dict[str, Any]:
    """An open question as it stands in a turn; the whole of it is at `GET /confirmations`."""
    return {
        "id": question.confirmation_id,
        "subject": question.subject,
        "attribute": question.attribute,
        "question": question.question,
    }


def _snippets(context: TurnContext | None) -> dict[str, str]:
    if context is None:
        return {}
    lines = [(line.memory_id, line.text) for line in context.recalled]
    lines += [(line.memory_id, line.text) for line in context.owner_lines]
    lines += [(line.memory_id, line.text) for card in context.cards for line in card.lines]
    lines += [(memory_id, line.text) for line in context.insights for memory_id in line.memory_ids]
    return dict(reversed(lines))
