"""A word of warning when the owner tells that a pet got what it is allergic to: the receipt alone would be silence."""

import re
from collections.abc import Sequence

from domain.assistant import AnswerSentence
from domain.offline.responder.lines import Line
from domain.offline.responder.relevance import entities_in
from domain.offline.responder.voice import quoted, say
from domain.offline.responder.wording import joined
from domain.safety.denials import denies_allergy
from domain.turn_context import TurnContext
from memory.vocabulary import Outcome

_GOT = re.compile(r"(?:吃|喂|喝|舔|啃|尝)(?:了|过|掉|到|完|下)|偷吃|误食|给它?吃")
_ALL_WELL = re.compile(r"没事|没(?:什么|啥|有)?反应|不过敏|正常")
_LOOK_FOR = "这一两天看看有没有抓挠、红疹、呕吐、拉稀；脸肿或喘不上气就马上去医院。"
_TAKEN_NOTE_OF = (Outcome.ADDED, Outcome.MERGED, Outcome.SUPERSEDED)


def allergen_told(context: TurnContext, lines: Sequence[Line]) -> list[AnswerSentence]:
    """What the records say against what was just eaten, with what to look for."""
    if not _GOT.search(context.text) or _ALL_WELL.search(context.text):
        return []
    against = [
        line
        for item in context.written
        if item.outcome in _TAKEN_NOTE_OF and item.attribute.startswith("diet")
        for line in lines
        if line.slot == "allergy" and line.subject == item.subject and not denies_allergy(line.text)
        if entities_in(line.text) & entities_in(item.content)
    ]
    if not against:
        return []
    told = list(dict.fromkeys(against))
    return [say(f"留意一下：{joined(map(quoted, told))}。{_LOOK_FOR}", told)]
