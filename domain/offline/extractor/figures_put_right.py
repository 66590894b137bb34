"""A figure of what was said just before, put right by itself: 拔了两颗 / 不对，是三颗."""

import re
from collections.abc import Sequence
from dataclasses import replace

from domain.offline.extractor.quantities import NUMBER, Quantity, find_quantities
from domain.offline.extractor.same_day import dated_as_put_right
from domain.pet_profiles import Utterance
from memory.claims import Claim, Evidence
from memory.numerals import read_number
from memory.text_folding import fold_text
from memory.vocabulary import Certainty, SpeechAct

_SLIP = r"(?:不对|错了|[说写打记输]错了?|口误|手滑|更正|纠正|不是)"
_ONLY_A_FIGURE = re.compile(
    rf"(?:[哦噢啊呃额嗯等,。!~\s]|抱歉|不好意思|刚才|刚刚|上面|我)*{_SLIP}[了啦,。!~\s]*(?:[^,。是]{{1,6}}[,\s])?"
    r"(?:应该|其实|而)?(?:是)?(?P<told>[^,。]{2,8}?)(?:才对|吧|的|了|哈|哦|啊)*[。!~\s]*"
)
"""Nothing but that it was a slip, and the right figure with its unit."""
LONGEST = 48  # characters of a message that puts a dose right; whoever writes more tells something whole
_SPAN = re.compile(rf"(?P<number>{NUMBER})(?P<unit>天|周|个月|年|岁|小时|分钟|遍|圈|公里|盒|楼|回)")


def restated(right: str, earlier: Sequence[str]) -> str:
    """The owner's last words with the right figure in them; "" where they count nothing in its unit, or two things.

    earlier: the owner's messages before, the newest first.
    """
    meant = _one_figure(right)
    for text in earlier:
        folded = fold_text(text)
        same = [figure for figure in _figures(folded) if meant and figure.unit == meant.unit]
        if same:
            old, words = same[0], text if len(text) == len(folded) else folded
            return f"{words[: old.start]}{right}{words[old.end :]}" if len(same) == 1 else ""
    return ""


def told_again(claims: Sequence[Claim], utterance: Utterance, right: str) -> tuple[Claim, ...]:
    """The claims of the restated words that hold the right figure, told as corrections by this message."""
    quote = Evidence(utterance.text, 0, len(utterance.text))
    again = [
        replace(claim, evidence=quote, act=SpeechAct.CORRECTION, certainty=Certainty.PLAIN, first_hand=True)
        for claim in claims
        if right in fold_text(claim.content)
    ]
    return dated_as_put_right(again, utterance)


_SLIPPED = re.compile(
    r"手[滑抖误快]|打快|[说写打记输敲按看报点][错岔多少]|多(?:写|打|敲|按|输|点|了)|少(?:写|打|敲|按|输|点|了)|小数点|零头|口误|不对|不是|没有\d[\d.]*那么|哪[儿里]?有那么"
)
_DOSE = rf"(?P<told>{NUMBER}(?:分之[一二三四五])?\s?(?:个?单位|iu|mg|毫克|μg|微克|ml|毫升|片|粒|颗|滴|支|针|泵|包))"
_ONE_DOSE = re.compile(rf"(?:^|[,。!！~\s]){_DOSE}")  # 打快了，2个单位
_MEANT_DOSE = re.compile(rf"(?<!不)(?<!不都)(?:是|应该|[喂吃打滴用给涂]了)(?:了|的)?{_DOSE}")


def right_figure(folded: str) -> str:
    """三颗 of 不对，是三颗, 0.5毫升 of 手滑了，喂的是0.5毫升; "" where the message puts no figure right."""
    told = _ONLY_A_FIGURE.fullmatch(folded)
    if told and _one_figure(told["told"]):
        return told["told"]
    slipped = len(folded) <= LONGEST and _SLIPPED.search(folded) is not None
    meant = (list(_MEANT_DOSE.finditer(folded)) or list(_ONE_DOSE.finditer(folded))) if slipped else []
    return meant[0]["told"] if len(meant) == 1 and _one_figure(meant[0]["told"]) else ""


def _one_figure(words: str) -> Quantity | None:
    """The figure that the words are, and nothing else."""
    found = _figures(words)
    whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(words))
    return found[0] if whole else None


def _figures(folded: str) -> list[Quantity]:
    """What is counted or measured, lengths of time and ways among it."""
    spans = (
        Quantity(span.start(), span.end(), number, span["unit"])
        for span in _SPAN.finditer(folded)
        if (number := read_number(span["number"])) is not None
    )
    return [*find_quantities(folded), *spans]
