"""最近怎么样, 要注意什么: safety first, then what is due, then how it has been lately."""

from collections.abc import Sequence
from datetime import date

from domain.assistant import AnswerSentence
from domain.offline.responder.lines import Line
from domain.offline.responder.voice import quoted, say, tell
from domain.offline.responder.weight_trend import tell_weight
from domain.offline.responder.wording import joined, plain
from domain.turn_context import PetCard, TurnContext

MOST_DUE = 3  # due items in one answer
MOST_FINDINGS = 3  # findings over the records in one answer
MOST_RECENT = 3  # recent happenings of one pet
LATELY_DAYS = 90  # what "lately" reaches back
_LATELY_SLOTS = ("symptom", "visit", "lab", "observation", "activity", "behavior")
_LATELY_TOPICS = ("health", "elimination", "medical", "growth")


def overview(context: TurnContext, lines: Sequence[Line]) -> list[AnswerSentence]:
    """Up to four sentences for one pet; with several, the safety lines of all, what is due, then the latest of each."""
    today = context.now.date()
    own = {card.pet.id: [line for line in lines if line.subject == card.pet.id] for card in context.cards}
    cards = _living(context.cards)
    told = [sentence for card in cards for sentence in _safety(card, own[card.pet.id])]
    if context.insights:
        return [*told, *insight_sentences(context), *due_sentence(context.due)]
    lately = [_lately(card, own[card.pet.id], today) for card in cards]
    if len(cards) == 1:
        told += [*lately[0], *due_sentence(context.due)]
    else:
        told += [*due_sentence(context.due), *(sentence for some in lately for sentence in some[:1])]
    return told or [say(_nothing_known(context))]


def insight_sentences(context: TurnContext) -> list[AnswerSentence]:
    """What the records show together, each with the memories of the records behind it."""
    return [AnswerSentence(f"{line.text}。", line.memory_ids) for line in context.insights[:MOST_FINDINGS]]


def _living(cards: Sequence[PetCard]) -> Sequence[PetCard]:
    """Of several pets those that live here now; a pet that is asked for alone is told of whatever became of it."""
    return [card for card in cards if len(cards) == 1 or card.pet.status == "active"] or cards


def due_sentence(due: Sequence[str], opening: str = "接下来：") -> list[AnswerSentence]:
    """What is due, as the rules found it."""
    return [say(f"{opening}{joined(map(plain, due[:MOST_DUE]))}。")] if due else []


def _safety(card: PetCard, own: Sequence[Line]) -> list[AnswerSentence]:
    safety = [line for line in own if line.safety]
    if not safety:
        return [say(f"{card.pet.name}记录为没有已知过敏。")] if card.no_known_allergies else []
    return [say(f"要一直留意的：{joined(map(quoted, safety))}。", safety)]


def recent_lines(own: Sequence[Line], today: date) -> list[Line]:
    """What happened lately to the body, the newest first; weights are told apart."""
    recent = [
        line
        for line in own
        if not line.safety
        and line.attribute != "weight"
        and (line.slot in _LATELY_SLOTS or line.topic in _LATELY_TOPICS)
        and line.on is not None
        and (today - line.on.day).days <= LATELY_DAYS
    ]
    recent.sort(key=lambda line: line.on.day if line.on else today, reverse=True)
    return recent[:MOST_RECENT]


def _lately(card: PetCard, own: Sequence[Line], today: date) -> list[AnswerSentence]:
    return tell(recent_lines(own, today), "最近的记录：") + tell_weight(card.pet.name, own, today)


def _nothing_known(context: TurnContext) -> str:
    names = joined((card.pet.name for card in context.cards), "、")
    return f"{names or '这方面'}最近没有记录，我说不上来；有什么变化告诉我，我就记下。"
