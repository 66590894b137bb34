"""An emergency: go to the vet now, said once more in words; then what the vet must hear, and nothing else."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from domain.assistant import AnswerSentence
from domain.offline.responder.lines import Line, card_lines, recalled_lines
from domain.offline.responder.voice import quoted, say
from domain.offline.responder.wording import joined, plain
from domain.strange_animals import is_strange
from domain.triage import LEVELS, Alert
from domain.triage.advice import CALL_NOW
from domain.turn_context import PetCard, TurnContext, Written
from memory.text_folding import fold_text
from memory.vocabulary import Outcome

_CLAUSE_END = re.compile(r"[,。!?;\n]+")
_VET_SLOTS = ("allergy", "medication", "condition", "chronic_condition")
_IN_FORCE = (Outcome.ADDED, Outcome.MERGED, Outcome.SUPERSEDED, Outcome.PROVISIONAL)
_NOW = "请现在就带{}去最近的动物医院急诊，路上先打电话"
_CALL = "请现在就打电话给最近的动物医院急诊，如果{}已经有症状或电话打不通就直接去"
_ORDERS = "请现在就"  # how both begin
_NO_SMALL_MATTER = "这我在这里判断不了，不能当小事："
_HEADS = rf"(?:晚上好|早上好|中午好|下午好|你好)?[。，]?(?:{_NO_SMALL_MATTER})?"
_HOPES = re.compile(
    r"没(?:什么)?(?:大)?(?:事|问题|关系)[吧吗么]|要紧|碍事|严重[吗么不]|严不严重|会(?:不会)?死|会不会有事|有事[吗么]|能不能好|会好[吗么]"
    r"|(?:用|要|需要|必)(?:不用|不要)?(?:去|看)(?:医院|医生)|明天|等等|观察|缓(?:一)?缓|自己(?:会)?好|能撑|来得及|过(?:两|几)天"
)


def for_the_vet(context: TurnContext) -> list[AnswerSentence]:
    """The way to the vet; then for each pet in danger its allergies, drugs and conditions, or that none are known."""
    anothers = _is_anothers(context)
    cards = () if anothers else _cards_in_danger(context)
    go = say(_go(context, cards))
    if context.temporary:
        return [go, say("把它的过敏、用药和病史当面告诉医生。")]
    if anothers:
        return [go, say("要是说的是你自己家的，告诉我是哪一只，我把它的过敏、用药和病史列给你。")]
    if not cards:
        return [go, say("路上告诉我是哪一只，我把它的过敏、用药和病史列给你。")]
    lines = (*card_lines(context), *recalled_lines(context))
    return [go, *(_what_to_tell(card, lines, _written_of(card, context)) for card in cards)]


def _is_anothers(context: TurnContext) -> bool:
    """Whether the message speaks of somebody else's animal: none of ours goes to the vet then, and no record of it."""
    folded = fold_text(context.text)
    names = (name for pet in (*context.subjects, *context.others) for name in (pet.name, *pet.nicknames) if name)
    if any(fold_text(name) in folded for name in names):
        return False
    first = next((clause for clause in _CLAUSE_END.split(folded) if clause), "")
    return is_strange(first, (), alone=False)


def _go(context: TurnContext, cards: Sequence[PetCard]) -> str:
    """What to do now, in one sentence; to whoever hopes that it is nothing, that this cannot be told from here."""
    gravest = min(context.alerts, key=lambda alert: LEVELS.index(alert.level))
    whom = cards[0].pet.name if len(cards) == 1 else "它"
    opening = _NO_SMALL_MATTER if _HOPES.search(fold_text(context.text)) else ""
    return f"{opening}{_order(gravest, whom)}。"


def _order(alert: Alert, whom: str) -> str:
    if alert.level != "emergency":
        return f"请在一天之内带{whom}去看医生，情况变重就马上去急诊"
    if CALL_NOW in alert.advice:
        return _CALL.format(whom)
    return _NOW.format(whom)


def order_in(reply: str, names: Iterable[str]) -> str:
    """The sentence at the head of a reply of ours that sends one of these pets to an emergency vet now; "" for none.

    Only our very words count: what an owner typed, or called a pet, is none of it.
    """
    if _ORDERS not in reply:
        return ""
    whom = f"(?:{'|'.join(re.escape(name) for name in (*names, '它') if name)})"
    found = re.match(rf"{_HEADS}((?:{_NOW.format(whom)}|{_CALL.format(whom)})。)", reply)
    return found[1] if found else ""


def _cards_in_danger(context: TurnContext) -> Sequence[PetCard]:
    in_danger = {alert.pet_id for alert in context.alerts if alert.pet_id}
    return [card for card in context.cards if card.pet.id in in_danger] or context.cards


def _written_of(card: PetCard, context: TurnContext) -> list[Written]:
    """What this message itself put into the record of the pet and a vet must hear."""
    return [
        item
        for item in context.written
        if item.subject == card.pet.id
        and item.outcome in _IN_FORCE
        and item.attribute.partition(":")[0].partition(".")[0] in _VET_SLOTS
    ]


def _what_to_tell(card: PetCard, lines: Sequence[Line], fresh: Sequence[Written]) -> AnswerSentence:
    name = card.pet.name
    own: dict[str, Line] = {}
    for line in lines:
        if line.subject == card.pet.id and (line.safety or line.slot in _VET_SLOTS):
            own.setdefault(line.memory_id, line)
    none_known = ["没有已知过敏"] if card.no_known_allergies and not fresh else []
    new = [plain(item.content) for item in fresh if item.memory_id not in own]
    if not own and not none_known and not new:
        return say(f"档案里没有{name}的过敏、用药和病史记录，这不代表没有，请当面告诉医生。")
    told = [f"可能{quoted(line)}" if line.guess else quoted(line) for line in own.values()]
    said = say(f"见到医生请说明：{joined([*told, *_not_told(new, own), *none_known])}。", own.values())
    return replace(said, tells_back="record")


def _not_told(new: Sequence[str], own: dict[str, Line]) -> list[str]:
    known = {line.text for line in own.values()}
    return [text for text in new if text not in known]
