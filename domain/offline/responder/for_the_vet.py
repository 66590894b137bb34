"""An emergency: the advice has gone out already; what the records know that a vet must hear follows, nothing else."""

from collections.abc import Sequence

from domain.assistant import AnswerSentence
from domain.offline.responder.lines import Line, card_lines, recalled_lines
from domain.offline.responder.voice import quoted, say
from domain.offline.responder.wording import joined
from domain.turn_context import PetCard, TurnContext

_VET_SLOTS = ("allergy", "medication", "condition", "chronic_condition")


def for_the_vet(context: TurnContext) -> list[AnswerSentence]:
    """One sentence a pet in danger: its allergies, drugs and conditions, or that none are recorded."""
    cards = _cards_in_danger(context)
    if context.temporary:
        return [say("按上面的提醒先去医院，把它的过敏、用药和病史当面告诉医生。")]
    if not cards:
        return [say("按上面的提醒先去医院；路上告诉我是哪一只，我把它的过敏、用药和病史列给你。")]
    lines = (*card_lines(context), *recalled_lines(context))
    return [_what_to_tell(card, lines) for card in cards]


def _cards_in_danger(context: TurnContext) -> Sequence[PetCard]:
    in_danger = {alert.pet_id for alert in context.alerts if alert.pet_id}
    return [card for card in context.cards if card.pet.id in in_danger] or context.cards


def _what_to_tell(card: PetCard, lines: Sequence[Line]) -> AnswerSentence:
    name = card.pet.name
    own: dict[str, Line] = {}
    for line in lines:
        if line.subject == card.pet.id and (line.safety or line.slot in _VET_SLOTS):
            own.setdefault(line.memory_id, line)
    none_known = ["没有已知过敏"] if card.no_known_allergies else []
    if not own and not none_known:
        return say(f"档案里没有{name}的过敏、用药和病史记录，这不代表没有，请当面告诉医生。")
    told = [f"可能{quoted(line)}" if line.guess else quoted(line) for line in own.values()]
    return say(f"见到医生请说明：{joined([*told, *none_known])}。", own.values())
