"""An animal of others that a message met once goes on being spoken of: 那条好像有犬窝咳, 金毛听说有犬瘟, 对方没打疫苗.

Nothing of it may be told of a pet of the household.
"""

import re
from collections.abc import Sequence

from domain.strange_animals import BREED_WORDS, STRANGER, STRANGER_OWNER

_MET_ONE = re.compile(
    r"(?:跟|和|被|让|叫|给|遇到|碰到|碰见|遇见|看见|来了?)(?:了)?(?:个)?(?:一|别人|人家|邻居|楼下|隔壁|没拴绳|流浪|野|[只条](?=[^,。]{0,6}[猫狗犬]))[^,。]{0,6}[条只家猫狗犬]"
)
_BREED_OF_OTHERS = re.compile(
    rf"(?:{STRANGER_OWNER}|[一有那个到见][条只]|[遇碰看][到见]个?)[^,。]{{0,4}}?(?P<breed>{BREED_WORDS})"
)
_NOUN_OF_OTHERS = re.compile(
    r"(?:楼[上下]|隔壁|对门|对面|邻居|小区里?|公园里?|老[\u4e00-\u9fff])(?:[^,。]{0,3}的|家的?)?(?:那|一)?[只条]?(?P<noun>[\u4e00-\u9fff]{2})(?=咬|打|扑|撞|抢|挠|追|干|玩|把|掐|吵|闹|按)"
)
_LEADS_UP = r"(?:听[^,。]{0,4}说|说是?|据说|好像|后来|结果|但|不过|而且|他们?说|那边|这|那[条只个])*"
_LEAD = re.compile(_LEADS_UP)
_IT = re.compile(
    _LEADS_UP
    + r"(?:对方|人家|[它他]家那?[条只]|那[条只头个](?!时|月|星期|礼拜|[左右前后]?(?:耳|眼|腿|脚|爪|手))"
    + r"|那(?:狗|猫|犬|货|家伙|东西)|[它他那]的?主人|(?:狗|猫)的?主人)"
)
_IT_IS_SAID = re.compile(r"(?:而且|但|不过)?(?:它|他|她)?(?:自己)?(?:好像|听说|据说|说是|可能|怕是|八成|似乎|估计)")
_ILL_OR_UNGUARDED = re.compile(r"[猫犬]瘟|疫苗|狂犬|艾滋|白血|细小|窝咳|螨|癣|皮肤病|鼻支|传染|虫")


class OtherAnimals:
    """The animals of others that one message speaks of, and where they were met.

    ours: how the breeds of this household are written; an animal of such a breed may be ours again.
    """

    def __init__(self, folded: str, ours: Sequence[re.Pattern[str]]) -> None:
        met = [match.end() for words in (_MET_ONE, STRANGER, _BREED_OF_OTHERS) if (match := words.search(folded))]
        self._met_at = min(met, default=len(folded))
        named = [match["breed"] for match in _BREED_OF_OTHERS.finditer(folded)] if met else []
        named += [match["noun"] for match in _NOUN_OF_OTHERS.finditer(folded)]
        self._kinds = tuple(kind for kind in named if not any(words.search(kind) for words in ours))

    def go_on_in(self, text: str, start: int) -> bool:
        """Whether a clause without a name of ours that begins at `start` goes on about such an animal."""
        if self._kinds and text.startswith(self._kinds, _end(_LEAD.match(text))):
            return True
        if start <= self._met_at:
            return False
        return _IT.match(text) is not None or (
            _IT_IS_SAID.match(text) is not None and _ILL_OR_UNGUARDED.search(text) is not None
        )


def _end(match: re.Match[str] | None) -> int:
    return match.end() if match else 0
