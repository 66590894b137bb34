"""两只都去查了，一个没事，一个有白内障…有白内障的是豆豆: which of two pets each half is about, told only afterwards.

A half that is never given a name is about one of the two and it is not said which: nothing of it may be stored under
either of them.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from domain.pet_mentions import About, MentionKind, State

_A_HALF = re.compile(
    r"(?:其中|就|但|而|然后|另外?|还?有|剩下的?)*(?:一|(?<=有)|那|(?<=另外)|(?<=另))(?:个|只|条|位|份)(?!月|星期|礼拜|周|小时|半|劲|人|晚|早|下午|上午|劲儿|多月)"
)
_IS_NAMED = re.compile(r"([^,。]{1,12}?)的?(?:那[个只条位])?(?:就|才)?[是叫]$")
_IS_THE_ONE = re.compile(r"^(?:就|才)?是([^,。]{1,12}?)(?:的?那[个只条位]|的)")
_ONE_WORD = ("阳", "阴", "肿", "高", "低", "红", "瘸", "胖", "瘦", "公", "母")
"""What one character tells of a half: 阳的那个是布鲁."""
_LEAD = re.compile(r"^(?:哦|噢|啊|对了|想起来了?|看了?|应该|好像|原来|查了?)+")


def told_apart(folded: str, abouts: Sequence[About], everyone: Sequence[str]) -> list[About]:
    """The same stretches, with the two halves given to the pet that a later clause names, or to nobody."""
    abouts = [_unsaid_of_whom(folded, about, everyone) for about in abouts]
    halves = [place for place, about in enumerate(abouts) if _is_half(folded, about)]
    if len(halves) != 2 or len(everyone) != 2:
        return [_one_of_them(folded, about, everyone) for about in abouts]
    owner = _owner_of_a_half(folded, abouts, halves, everyone)
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


_ONE_HERE_ONE_THERE = re.compile(
    r"一[个只条](?:就|给)?(?:关|在|放|睡|去|锁|住|待|搁)[^,。]{1,6}一[个只条](?:就|给)?(?:关|在|放|睡|去|锁|住|待|搁)"
)  # 一个关厨房一个关阳台: that they are apart is true of both


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
    r"(?:[两俩三仨四几][只个条]?|它们|他们|家里|这[些俩])(?:猫|狗)?(?:里面?|当中|之中|中)(?:有|的)?(?:一|某|哪)[个只条]|其中(?:有)?(?:一|某)[个只条]"
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
            after = _IS_THE_ONE.match(folded[mention.end : about.end])
            said = before or after
            shared = [_shared(said[1], folded[abouts[p].start : abouts[p].end]) if said else 0 for p in halves]
            if max(shared) >= 2 and shared[0] != shared[1]:  # two characters make a word
                return halves[shared.index(max(shared))], mention.pets[0], place
    return None


def _shared(said: str, half: str) -> int:
    """Length of the longest piece of `said` that stands in `half`."""
    words = _LEAD.sub("", said)
    if words in _ONE_WORD:
        return 2 if words in half else 0
    pieces = (words[i:j] for i in range(len(words)) for j in range(i + 2, len(words) + 1))
    return max((len(piece) for piece in pieces if piece in half), default=0)
