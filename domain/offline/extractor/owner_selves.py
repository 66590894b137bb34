"""What owners say they are: a trade, studies, an age, a bodily limit (我跑货运的没空看, 我幼师, 我七十二了)."""

import re

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor.reading import Reading, Scene

_TRADES = "|".join(sorted(vocabulary("people")["trades"], key=len, reverse=True))
_STATES = "|".join(sorted(vocabulary("people")["states"], key=len, reverse=True))
_STUDIES = "|".join(sorted(vocabulary("people")["studies"], key=len, reverse=True))
_LEAD = r"^(?:其实|反正|因为|毕竟|对了|主要|平时|最近|现在|目前|而且|还有|另外|说起来|不瞒你说|谁让|谁叫|像|就)*"
_ME = r"(?:我|本人|咱|俺)(?!家|们家|妈|爸|的|弟|妹|姐|哥|爷|奶)(?:这人|这个|一个|一|们|俩|自己|本身|本来)*"
_BY = (
    r"(?:也|就|才|还|又|刚|在|正|以前|现在|从前|原来|是|算|不过|个|一个|一名|一介|名|"
    r"当|做|干|搞|学|教|念|读|老|大老爷们|大男人|女的|男的)*"
)
_OTHERS = r"[^,。它他她猫狗兔\x00给带喂了过把让叫说]"  # nothing about somebody else, nor of what was done
_GOES_ON = r"(?:$|[一没不看听天经每整懂忙也很都等老常总平着眼那这出出带就挣收赚累习职所哪时的了呢啊吧哈做])"
_HAS_A_TRADE = re.compile(
    rf"{_LEAD}(?:{_ME}{_BY}(?:{_OTHERS}{{0,10}}?[当做干搞学教念读])?{_OTHERS}{{0,6}}?(?:{_TRADES})(?:的|出身|一枚|一个|一名|一只)?{_GOES_ON}"
    rf"|{_ME}{_BY}(?:在{_OTHERS}{{1,6}})?(?:做|干|搞|学|卖|跑|教|修|开|送|写|画|拍|种|带|摆|管|练|拉|站|守){_OTHERS}{{1,6}}的(?!时候|时|话|那|猫|狗|药|粮|饭|东西|地方|人|车){_GOES_ON}"
    rf"|{_ME}{_BY}(?:{_STUDIES})|{_ME}(?:以前|现在|退休前)?(?:是)?教[^,。它他她\x00了过会给]{{0,3}}(?:书|课|语文|数学|英语|化学|物理|生物|历史|地理|政治|音乐|美术|体育|钢琴|舞蹈|幼儿|小学|初中|高中|大学))"
)
_IS_LIKE_THAT = re.compile(
    rf"{_LEAD}{_ME}{_OTHERS}{{0,4}}?(?:{_STATES})|{_LEAD}{_ME}(?:今年|都|已经|也|快|才|刚|过了|是)*"
    r"(?:[2-9]\d|[二三四五六七八九]十[一二三四五六七八九]?)(?:岁|多岁|好几|来岁|了|的人|多的人|多了|几了|出头)"
)
_BARE_TRADE = re.compile(
    rf"^(?:是|退休|在职|全职|专职|一介|一枚|个)*{_OTHERS}{{0,4}}?(?:{_TRADES}|{_STUDIES})(?:的|一枚|一个|出身)?$"
)


_HEADS = frozenset(word[:2] for group in vocabulary("people").values() for word in group)
_WORKS_AT = re.compile(r"的|\d|十")  # 我跑货运的, 我六十八了


def _may_tell(text: str) -> bool:
    """Whether a clause holds the beginning of a known word at all; spares most clauses the patterns."""
    return any(text[place : place + 2] in _HEADS for place in range(len(text))) or _WORKS_AT.search(text) is not None


def tells_what_owner_is(reading: Reading, scene: Scene) -> bool:
    """A clause in which owners say what they are, or only name it after having spoken of themselves."""
    text = reading.text
    if reading.about.explicit or "\x00" in text or not _may_tell(text):
        return False
    if "我" in text or "本人" in text or "咱" in text or "俺" in text:
        return _HAS_A_TRADE.match(text) is not None or _IS_LIKE_THAT.match(text) is not None
    previous = scene.previous_of(reading)
    return (
        previous is not None and _OF_ME_BEFORE.match(previous.text) is not None and _BARE_TRADE.match(text) is not None
    )


_OF_ME_BEFORE = re.compile(rf"{_LEAD}{_ME}")
