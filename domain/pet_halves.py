"""两只都去查了，一个没事，一个有白内障…有白内障的是豆豆: which of two pets each half is about, told only afterwards.

A half that is never given a name is about one of the two and it is not said which: nothing of it may be stored under
either of them.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from domain.pet_mentions import About, MentionKind, State
from memory.numerals import read_number

_A_HALF = re.compile(
    r"(?:其中|就|但|而|然后|另外?|还?有|剩下的?|[^,。一\s]{0,3}(?:医生?|大夫|护士)(?=说)|(?:报告|结果)(?=说|显示)|说是?|显示|出来)*(?:一|(?<=有)|那|(?<=另外)|(?<=另))(?:个|只|条|位|份)(?!月|星期|礼拜|周|小时|半|劲|人|晚|早|下午|上午|劲儿|多月)"
)
_IS_NAMED = re.compile(
    r"([^,。]{1,12}?)的?(?:那[个只条位])?(?:就|才|好像|应该|估计|大概|其实|肯定)*[是叫](?:我?家?(?:老[大二三幺]|大的|小的|哥哥|弟弟|姐姐|妹妹))?$"
)
_IS_NAMED_LATER = re.compile(  # 带的那个我看看哈，是馒头
    r"([^,。\s]{1,8}?)的(?:那[个只条位])?[^,。的]{0,12}[,。!…~\s]+(?:就|才|好像|应该)*[是叫]$"
)
_IS_THE_ONE = re.compile(r"^(?:就|才)?是([^,。]{1,12}?)(?:的?那[个只条位]|的|$)")
_DENIED = re.compile(r"[不没未无](?:有|是)?.?")
_LEAD = re.compile(r"^(?:哦|噢|啊|对了|想起来了?|看了?|应该|好像|原来|查了?)+")


def told_apart(folded: str, abouts: Sequence[About], everyone: Sequence[str]) -> list[About]:
    """The same stretches, with the two halves given to the pet that a later clause names, or to nobody."""
    parted: list[About] = []
    halves: list[int] = []
    for about in abouts:
        stretches = _parted(folded, about, everyone)
        halves += range(len(parted), len(parted) + len(stretches)) if len(stretches) > 1 else ()
        parted += stretches
    if halves and (told := _named_apart(folded, parted, everyone, halves)):
        return told
    abouts = [_unsaid_of_whom(folded, about, everyone) for about in abouts]
    if told := _named_apart(folded, abouts, everyone):
        return told
    return _named_at_last(folded, [_one_of_them(folded, about, everyone) for about in abouts], everyone)


_ONE = re.compile(
    r"(?:有一?|其中一|里(?:[面头边])?一|哪)[只个条](?!月|星期|礼拜|周|小时|半[个天年]|人|多月|问题|事|地方|情况|毛病|包|洞|口|玩具)"
)
_IT_IS = re.compile(
    r"(?:哦|噢|啊|对了|看了?|查了?|一看|一查|后来|刚才?|发现|应该|好像|肯定|估计|大概|原来|就|果然|才|其实|八成|多半|没错|说)*是"
)
_NO_MORE = re.compile(r"(?:[呢吧啊呀了哈的]|没错|无疑|没跑|干的|那货|那家伙|这货|那[只个]|这[只个]|小子)*")
REACH = 4  # clauses from one of them to its name


def _named_at_last(folded: str, abouts: list[About], everyone: Sequence[str]) -> list[About]:
    """俩里头有一个老尿床，我看了监控，是豆豆: one of them, and a clause that holds nothing but who."""
    if len(everyone) < 2:
        return abouts
    for place, about in enumerate(abouts):
        names = [one for one in about.mentions if one.kind is MentionKind.NAME and len(one.pets) == 1]
        if len(names) != 1 or len(about.mentions) != 1:
            continue
        before, after = folded[about.start : names[0].start], folded[names[0].end : about.end]
        if not (_IT_IS.fullmatch(before) and _NO_MORE.fullmatch(after)):
            continue
        for back in range(place - 1, max(-1, place - 1 - REACH), -1):
            earlier = abouts[back]
            unnamed = not any(one.kind is MentionKind.NAME for one in earlier.mentions)
            open_yet = earlier.state in (State.UNCLEAR, State.OURS) and len(earlier.pets) != 1 and unnamed
            if open_yet and _ONE.search(folded, earlier.start, earlier.end):
                abouts[back] = replace(earlier, state=State.OURS, pets=names[0].pets, explicit=True)
                abouts[place] = replace(about, state=State.GENERAL, pets=())
                break
    return abouts


_SECOND_HALF = re.compile(
    r"(?:有?一|(?<![只没])有)[个只条位头](?!月|星期|礼拜|周|小时|半|劲|人|晚|早|把)[^,。一]{1,10}?(?P<second>(?:另外?|还?有)?(?:一|(?<=有))[个只条位头](?!月|星期|礼拜|周|小时|半|人))"
)


def _parted(folded: str, about: About, everyone: Sequence[str]) -> list[About]:
    """一个有球虫一个干净, in one breath, as two stretches."""
    ours = about.state in (State.OURS, State.UNCLEAR) and len(about.pets) != 1 and len(everyone) == 2
    named = any(mention.kind is MentionKind.NAME for mention in about.mentions)
    both = _SECOND_HALF.search(folded[about.start : about.end]) if ours and not named else None
    if both is None:
        return [about]
    cuts = [about.start, about.start + both.start("second"), about.end]
    return [
        replace(about, start=left, end=right, mentions=tuple(m for m in about.mentions if left <= m.start < right))
        for left, right in pairwise(cuts)
    ]


def _named_apart(
    folded: str, abouts: Sequence[About], everyone: Sequence[str], halves: Sequence[int] = ()
) -> list[About] | None:
    """The two halves with their pets, or with nobody where none is named; None where there are not two halves."""
    only_if_named = bool(halves)
    halves = halves or [place for place, about in enumerate(abouts) if _is_half(folded, about)]
    if len(halves) != 2 or len(everyone) != 2:
        return None
    owner = _owner_of_a_half(folded, abouts, halves, everyone)
    if owner is None and only_if_named:
        return None
    told = list(abouts)
    for place in halves:
        if owner is None:
            told[place] = replace(told[place], state=State.UNCLEAR, pets=(), candidates=tuple(everyone))
        else:
            pet = owner[1] if place == owner[0] else next(one for one in everyone if one != owner[1])
            told[place] = replace(told[place], state=State.OURS, pets=(pet,), explicit=True)
    if owner is not None:  # the clause that only says whose the half is tells nothing more
        told[owner[2]] = replace(told[owner[2]], state=State.GENERAL, pets=())
    return told


_ONE_AND_ONE = re.compile(
    r"一[个只条位](?!月|星期|礼拜|周|小时|半|劲|人|晚|早|把)[^,。]{1,12}一[个只条位](?!月|星期|礼拜|周|小时|半|人)"
)


_A_PLACE = (
    r"(?:(?:就|给)?(?:关|在|放|睡|去|锁|住|待|搁|拴|圈|蹲)|(?:[东南西北里外左右前后主次][屋边面头间院卧]|楼[上下]|客厅|阳台|厨房"
    r"|卧室|书房|厕所|卫生间|院子|笼[里外子]|门[里外]|屋[里外])[^,。]{0,2}?)"
)
_ONE_HERE_ONE_THERE = re.compile(
    rf"一[个只条]{_A_PLACE}[^,。]{{0,6}}一[个只条]{_A_PLACE}"
)  # 一个关厨房一个关阳台, 一个楼上一个楼下: that they are apart is true of both


def _unsaid_of_whom(folded: str, about: About, everyone: Sequence[str]) -> About:
    """一个吃益生菌一个吃化毛膏: which takes which is not said, so it is told of neither."""
    named = any(mention.kind is MentionKind.NAME for mention in about.mentions)
    if len(everyone) < 2 or named or about.state is not State.OURS:
        return about
    each = _ONE_AND_ONE.search(folded, about.start, about.end)
    if each is None or _ONE_HERE_ONE_THERE.match(folded, each.start()):
        return about
    return replace(about, state=State.UNCLEAR, pets=(), candidates=tuple(everyone))


_ONE_OF_THEM = re.compile(
    r"(?:[两俩三仨四几][只个条]?|它们|他们|家里|这[些俩])(?:猫|狗)?(?:里[面头边]?|当中|之中|中)(?:肯定|绝对|好像|应该|可能|必|准)*(?:有|的)?(?:一|某|哪)[个只条]|其中(?:有)?(?:一|某)[个只条]"
)


def _one_of_them(folded: str, about: About, everyone: Sequence[str]) -> About:
    """两只里有一只拉血: one of them, and nobody knows which."""
    named = any(mention.kind is MentionKind.NAME for mention in about.mentions)
    if len(everyone) < 2 or named or about.state is not State.OURS or len(about.pets) == 1:
        return about
    if _ONE_OF_THEM.search(folded, about.start, about.end) is None:
        return about
    return replace(about, state=State.UNCLEAR, pets=(), candidates=tuple(everyone))


def tells_of_a_half(folded: str, start: int) -> bool:
    """Whether the clause that begins at `start` is about one of two: 有一个阴性, 另外那只A型."""
    return _A_HALF.match(folded, start) is not None


def _is_half(folded: str, about: About) -> bool:
    named = any(mention.kind is MentionKind.NAME for mention in about.mentions)
    ours = about.state in (State.OURS, State.UNCLEAR) and len(about.pets) != 1
    return ours and not named and tells_of_a_half(folded, about.start)


def _owner_of_a_half(
    folded: str, abouts: Sequence[About], halves: Sequence[int], everyone: Sequence[str]
) -> tuple[int, str, int] | None:
    """(place of a half, the pet that it is about, place of the clause that says so in words of that half)."""
    for place, about in enumerate(abouts):
        if place <= halves[-1]:
            continue
        for mention in about.mentions:
            if mention.kind is not MentionKind.NAME or len(mention.pets) != 1 or mention.pets[0] not in everyone:
                continue
            before = _IS_NAMED.search(folded[about.start : mention.start])
            later = _IS_NAMED_LATER.search(folded[abouts[halves[-1]].end : mention.start]) if not before else None
            said = before or later or _IS_THE_ONE.match(folded[mention.end : about.end])
            texts = [folded[abouts[p].start : abouts[p].end] for p in halves]
            shared = _shared_with(said[1], texts) if said else (0, 0)
            if max(shared) >= 2 and shared[0] != shared[1]:  # two characters make a word
                return halves[shared.index(max(shared))], mention.pets[0], place
    return None


def _shared_with(said: str, halves: Sequence[str]) -> tuple[int, int]:
    """For each half the length of the longest piece of `said` that stands in it; 不带 does not hold 带."""
    words = _with_denials(_LEAD.sub("", said))
    one, other = (_with_denials(half) for half in halves)
    if words and (words in one) != (words in other):  # also one character: 阳的那个是布鲁
        return (max(2, len(words)), 0) if words in one else (0, max(2, len(words)))
    figures = [_figure(half) for half in halves] if words in _MORE + _LESS else []
    if len(figures) == 2 and figures[0] is not None and figures[1] is not None:
        return (2, 0) if (figures[0] > figures[1]) == (words in _MORE) else (0, 2)
    if max(shared := (_shared(words, one), _shared(words, other))) >= 2:
        return shared
    letters = set(words) - _EMPTY_LETTERS  # 有虫的是豆豆, of 一个有球虫一个干净
    first, second = letters & set(one) - set(other), letters & set(other) - set(one)
    if not first and not second:  # 怀上的是豆豆, of 一个肚里有货，一个啥也没有
        fine = [_FINE.search(half) is not None for half in halves]
        named_fine = _FINE.search(said) is not None
        return (0, 0) if fine[0] == fine[1] else (2, 0) if fine[0] == named_fine else (0, 2)
    return (2, 0) if first and not second else (0, 2) if second and not first else (0, 0)


def _with_denials(text: str) -> str:
    """不够 as a mark and a letter of its own, so that it holds no 够."""
    return _DENIED.sub(lambda match: "\x00" + chr(ord(match[0][-1]) + _APART), text)


_FINE = re.compile(r"没|无|不(?!行|好|够)|未|正常|阴|干净|健康|挺好|都好|还好|很好|ok|过关|合格|达标")
_EMPTY_LETTERS = frozenset("有的是了那只个条位点不没好一说就还在得\x00")
_APART = 0x20000  # beyond every letter that owners write
_MORE, _LESS = ("重", "沉", "胖", "大", "高", "多", "长"), ("轻", "瘦", "小", "低", "少", "短")
_FIGURE = re.compile(r"\d+(?:\.\d+)?|[一二三四五六七八九十百两]{1,4}(?=公斤|斤|岁|度|厘米|克)")


def _figure(half: str) -> float | None:
    """The only figure of a half; 一个 counts nothing."""
    found = [number for text in _FIGURE.findall(half) if (number := read_number(text)) is not None]
    return float(found[0]) if len(found) == 1 else None


def _shared(words: str, half: str) -> int:
    pieces = (words[i:j] for i in range(len(words)) for j in range(i + 2, len(words) + 1))
    return max((len(piece) for piece in pieces if piece in half), default=0)
