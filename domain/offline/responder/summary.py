"""A summary for the vet: allergies, diseases and drugs, diet, the latest weight, what has been lately; all cited."""

from collections.abc import Sequence
from datetime import date

from domain.assistant import AnswerSentence
from domain.offline.responder.lines import Line
from domain.offline.responder.overview import recent_lines
from domain.offline.responder.voice import quoted, say
from domain.offline.responder.weight_trend import tell_weight
from domain.offline.responder.wording import joined
from domain.turn_context import PetCard

MOST_OF_A_KIND = 4  # lines of one part; a vet reads a page, not an archive

_ALLERGIES = ("allergy",)
_DISEASES = ("condition", "chronic_condition")
_DRUGS = ("medication",)
_DIET = ("diet", "diet_preference")


def summary(card: PetCard, lines: Sequence[Line], today: date) -> list[AnswerSentence]:
    """Five sentences at most; a part that is not recorded is said to be missing where a vet would ask for it."""
    own = [line for line in lines if line.subject == card.pet.id]
    told = [
        *known_to_vet(card, own),
        _part("饮食", _of(own, *_DIET)),
        *(tell_weight(card.pet.name, own, today)[:1] or [say("体重没有记录。")]),
        _part("最近的情况", recent_lines(own, today)),
    ]
    return [sentence for sentence in told if sentence is not None]


def known_to_vet(card: PetCard, own: Sequence[Line]) -> tuple[AnswerSentence, AnswerSentence]:
    """Two sentences of one pet's `own` lines: its allergies, then its diseases and drugs, or that none is recorded."""
    ill = _part(f"{card.pet.name}的病史和在用的药", _of(own, *_DISEASES, *_DRUGS))
    return _allergies(card, own), ill or say(f"{card.pet.name}的病史和用药没有记录。")


def _allergies(card: PetCard, own: Sequence[Line]) -> AnswerSentence:
    known = _part(f"{card.pet.name}的过敏", _of(own, *_ALLERGIES))
    if known:
        return known
    missing = "记录为没有已知过敏" if card.no_known_allergies else "没有过敏记录，这不等于不过敏"
    return say(f"{card.pet.name}{missing}。")


def _of(own: Sequence[Line], *slots: str) -> list[Line]:
    return [line for line in own if line.slot in slots]


def _part(label: str, lines: Sequence[Line]) -> AnswerSentence | None:
    told = sorted(lines, key=lambda line: not line.safety)[:MOST_OF_A_KIND]
    return say(f"{label}：{joined(_told(line) for line in told)}。", told) if told else None


def _told(line: Line) -> str:
    return f"可能{quoted(line)}" if line.guess else quoted(line)
