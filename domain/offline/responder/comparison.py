"""Who is heavier: the latest weights of the pets meant, side by side."""

import re

from domain.assistant import AnswerSentence
from domain.offline.responder.lines import Line
from domain.offline.responder.voice import say
from domain.offline.responder.weight_trend import STEADY_SHARE, Weighing, tell_weight, weighings
from domain.turn_context import TurnContext
from memory.text_folding import fold_text

_COMPARES = re.compile(
    r"(?:谁|哪一?[只个条位]|它?们?俩|两只)[^,。?]{0,6}[重轻胖瘦沉](?!了多少|过|度)|比[^,。?]{1,8}[重轻胖瘦沉]|[重轻胖瘦](?:一些|一点|的)(?:是)?(?:谁|哪)|体重[^,。?]{0,4}(?:比较|对比|相比)"
)
_LIGHTER = re.compile(r"[轻瘦]")


def compares_weights(context: TurnContext) -> bool:
    """Whether a question about several pets sets their weights side by side."""
    return len(context.cards) > 1 and bool(_COMPARES.search(fold_text(context.text)))


def compare_weights(context: TurnContext, lines: tuple[Line, ...]) -> list[AnswerSentence]:
    """The latest weight of each pet, then who is heavier or lighter; a missing weight is said. [] without any."""
    today = context.now.date()
    own = {card.pet.name: [line for line in lines if line.subject == card.pet.id] for card in context.cards}
    latest = {name: series[-1] for name, some in own.items() if (series := weighings(some))}
    if not latest:
        return []
    told = [
        sentence
        for name, some in own.items()
        for sentence in tell_weight(name, some, today)[:1] or [say(f"{name}没有体重的记录。")]
    ]
    return [*told, *_verdict(context, latest)] if len(latest) == len(own) else told


def _verdict(context: TurnContext, latest: dict[str, Weighing]) -> list[AnswerSentence]:
    lighter = bool(_LIGHTER.search(fold_text(context.text)))
    ordered = sorted(latest, key=lambda name: latest[name].kilograms, reverse=not lighter)
    first, second = latest[ordered[0]], latest[ordered[1]]
    cited = [weighing.line for weighing in latest.values()]
    if abs(first.kilograms - second.kilograms) < STEADY_SHARE * max(first.kilograms, second.kilograms):
        return [say(f"{ordered[0]}和{ordered[1]}差不多重。", cited)]
    degree = "更" if len(latest) == 2 else "最"
    return [say(f"比下来{ordered[0]}{degree}{'轻' if lighter else '重'}。", cited)]
