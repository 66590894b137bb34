"""What a pet fears alone, and the rest that leaves it calm: 就忌惮吹风机，旁的全不往心里去，电钻响一天它眼都不睁."""

import re
from dataclasses import replace

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor.formerly import was_before
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.threads import MAX_LINE, Found
from domain.pet_mentions import MentionKind
from memory.vocabulary import AttributeClass

_FEARS = r"(?:害?怕(?!不)|怵|怂|憷|犯怵|发怵|发憷|忌惮|忌讳|躲着?|受不了|见不得|听不得|腿软|哆嗦)"
_BUT_FOR = r"(?:除了|就|只|光|单|唯独|独独|偏偏|唯一|独一样|也就)"
_ONE = re.compile(
    rf"(?:一(?:见|看见|听见?|碰到?|闻到?)(?P<seen>[^,。\x00它]{{1,6}})就(?:哆嗦|腿软|发抖|抖|钻|躲|跑|怂))|"
    rf"{_BUT_FOR}(?:对|见着?|看见|听见)?(?:(?P<before>[^,。\x00它怕]{{1,8}}?)就)?{_FEARS}(?:的)?(?:就|是)*(?P<thing>[^,。它]{{1,14}})?"
    rf"|最{_FEARS}(?:的)?(?:就|是)*(?P<most>[^,。它]{{1,10}})"
)
_REST = re.compile(
    r"(?:别的|其他|其它|旁的|其余|剩下的|啥|什么|谁|哪个|天)[^,。]{0,10}(?:不怕|不怵|不怂|不慌|不躲|不在乎|无所谓|没事|淡定|往心里|没(?:听|看)见|当回?一?事|敢|不理)"
)
_CALM = re.compile(
    r"照(?:样|旧|常)?(?:[^,。]{0,3}(?:睡|吃|玩|啃|舔|打呼|躺))|该[吃睡玩]|眼(?:睛|皮)?都[不懒没]|头都[不懒没]|不带(?:抬|躲|怕|动)|当(?:它)?(?:个)?(?:听个?响|没听见|催眠曲|背景音|耳旁风|听戏)"
    r"|睡得|打呼噜|没反应|没见[^,。]{0,3}(?:动|躲)|纹丝不动|淡定|随便[^,。]{0,2}(?:摸|抱|撸|弄)|(?:都|也|倒|压根|根本)?不(?:怕|怵|躲|理|慌)|无动于衷"
)
_STILL = re.compile(r"^(?:照样|照旧|照常|照)[^,。]{1,5}$")  # 照样啃骨头, with what leaves it calm
_KNOWN = sorted((fear for fear in vocabulary("conduct")["fears"] if len(fear) > 1), key=len, reverse=True)
_CUT = re.compile(r"(?:啥|什么|谁|别的|其他|旁的|其余|全|都|那一?样|这一?样|[,。])")
_MARKS = ("除了", "就", "只", "光", "单", "唯", "独", "偏", "最", "也就")
_FEAR_CHARS = frozenset("怕怵怂憷惮讳躲受见听腿哆")


def with_exceptions(found: list[Found], scene: Scene) -> list[Found]:
    """The same readings, where a message sets one fear against the rest: a fear, and what leaves the pet calm."""
    if not _may_hold(scene.folded) or not _sets_one_apart(found, scene):
        return found
    last: Found | None = None
    for one in found:
        text = one.reading.text
        if not one.reading.usable or not one.reading.reports or _is_not_of_fears(one):
            continue
        calm = _CALM.search(text)
        if feared := _fear(one.reading):
            one.drafts = [feared]
            last = one
        elif _REST.search(text):
            one.drafts = []
            if last is not None and one.reading.end - last.drafts[-1].start <= MAX_LINE:
                last.drafts = [replace(last.drafts[-1], end=one.reading.end)]
        elif last is not None and _STILL.match(text):
            last.drafts = [replace(draft, end=one.reading.end) for draft in last.drafts]
            one.drafts = []
        elif calm and calm.start() and (thing := text[: calm.start()].strip("\x00")):
            one.drafts = [_calm_at(one.reading, thing)]
            last = one
    return found


def _may_hold(folded: str) -> bool:
    return any(mark in folded for mark in _MARKS) and not _FEAR_CHARS.isdisjoint(folded)


def _sets_one_apart(found: list[Found], scene: Scene) -> bool:
    """One is feared, and of something else it is said that it is not; no fear of the past (刚来见谁都哆嗦)."""
    fears = any(_ONE.search(one.reading.text) and not was_before(one.reading, scene) for one in found)
    calm = any(_REST.search(one.reading.text) or _CALM.search(one.reading.text) for one in found)
    same = len({one.reading.about.pets for one in found if one.reading.about.pets}) == 1
    named = {m.start for one in found for m in one.reading.about.mentions if m.kind is MentionKind.NAME}
    return fears and calm and same and len(named) <= 1


def _is_not_of_fears(one: Found) -> bool:
    """A clause with medical weight, or one about the owner, is told as it was."""
    return any(
        draft.owner or draft.attribute.startswith(("medication", "vaccine", "allergy", "condition", "weight"))
        for draft in one.drafts
    )


def _fear(reading: Reading) -> Draft | None:
    told = _ONE.search(reading.text)
    if told is None:
        return None
    words = _CUT.split(told["thing"] or told["most"] or told["seen"] or told["before"] or "")[0].strip("\x00")
    if not words or words.startswith(("你", "他", "不", "没")):
        return None
    value = {"name": f"怕{words}"}
    return Draft(f"behavior:fear:{words}", reading.start, reading.end, value, cls=AttributeClass.BEHAVIOR)


def _calm_at(reading: Reading, thing: str) -> Draft:
    known = next((fear for fear in _KNOWN if fear in thing), "")
    name = known or re.split(r"[响吵放闹]|一(?:天|晚|整)|怼", thing)[0] or thing
    value = {"name": f"怕{name}"}
    slot = f"behavior:fear:{name}"
    return Draft(slot, reading.start, reading.end, value, True, AttributeClass.BEHAVIOR, about=f"不怕{name}")
