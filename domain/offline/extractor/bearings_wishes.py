"""How an owner wants to be answered, and what is wished for one message alone: 这次写长点没关系, 这条不用分点.

A standing wish is changed by what says so for good. What holds for this once is kept for the day beside it.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from domain.attributes import spec_of
from domain.offline.extractor.bearings_remarks import shares_a_word, slot_of_its_own
from domain.offline.extractor.reading import Draft, Scene
from domain.offline.extractor.threads import MAX_LINE, Found
from domain.pet_profiles import KnownFact
from memory.topics import Topic
from memory.vocabulary import OWNER_SUBJECT, AttributeClass, SpeechAct

_REPLY_STYLE = "preference.reply_style"
WISHED_REPLY = re.compile(
    r"(?:以后|往后|今后|从今)[^,。]{0,4}(?:跟我)?(?:说话|聊天)(?!不)|(?:以后|往后|今后|从今)[^,。]{0,4}(?<!再)(?:写|说|讲|答|列|排|回[答复])(?:成|得|的|给|清|细|全|长|短|简|用|分|先)|(?:以后|往后|今后)[^,。]{0,6}(?:顺序|格式|语气|口吻|称呼|反过来)|(?:以后|往后|今后|后面|之后|从[^,。]{1,4}起).{0,6}(?:说|讲|回答|回复|解释|写).{0,8}(?:就行|就好|就可以|就够)|(?:不用|别|不要|不必)(?:再)?(?:跟我)?(?:讲|说|写|解释|分析|列)|(?:以后|往后|今后|后面|之后|从[^,。]{1,4}起).{0,8}(?:简短|详细|简单|短一?点|长一?点|细一?点)|(?:写|回答|回复|说|讲|答)(?:得|的)?.{0,4}(?:详细|长|细|多|简短|短|简单|少|直接)"
)
CALLED_NOW = re.compile(
    r"(?:叫|喊|称呼|称|唤)我(?!一声|一下|起|的|你|怎么|去|来|看|给|开|喂|出|下|吃|陪|玩|回|醒|遛|家)[^,。了吗]{1,6}|管我叫[^,。]{1,6}"
)
"""What the owner is to be called."""
_ADDRESS = re.compile(r"称呼|(?:叫|喊|称)(?:我|主人|她|他|做|「)")
_THIS_ANSWER = r"这一?[条题]|这个(?:问题|急)|这次|这回|这一次"
_ONCE_ONLY = re.compile(rf"{_THIS_ANSWER}|眼下|着急|赶时间|今天|先")
_NOW_ONLY = re.compile(_THIS_ANSWER)
_FROM_NOW_ON = re.compile(r"以后|往后|今后|从今|往下")
_HOW_TO_ANSWER = re.compile(
    r"(?:不用|别|不必|直接|就|可以|随便|你|先|给我|帮我|麻烦)[^,。不]{0,6}(?:说|讲|写|答|告诉|回|聊|列|叫|看|展开|用|带|加|省)|[写说讲答回]得?(?:长|短|细|详细|简单|专业)|展开[说讲]|[细讲]讲"
)


def is_wish(fact: KnownFact) -> bool:
    """How the owner wants to be answered, which one message may set aside."""
    preference = spec_of(fact.attribute).attribute_class is AttributeClass.PREFERENCE
    return is_reply_style(fact) or (fact.subject == OWNER_SUBJECT and preference)


def is_reply_style(fact: KnownFact) -> bool:
    """A wish about the words of the answers themselves."""
    wished = fact.subject == OWNER_SUBJECT and re.search(r"回答|回复|答复|说话|写得", fact.content) is not None
    return fact.attribute == _REPLY_STYLE or wished


def is_for_once(text: str, message: str = "") -> bool:
    """Whether the words hold for this once; `message`: the whole of it, where the words are a part."""
    once = _ONCE_ONLY.search(text) or _NOW_ONLY.search(message)
    return once is not None and _FROM_NOW_ON.search(message or text) is None


def keep_for_this_once(found: list[Found], habits: Sequence[KnownFact], scene: Scene) -> None:
    """A wish about this answer, of an owner with a standing one: a line of its own that ends with the day."""
    wishes = [fact for fact in habits if is_wish(fact)]
    told = any(one.drafts for one in found) or any(one.reading.about.mentions for one in found)
    if not wishes or told or not is_for_once(scene.folded):
        return
    for one in found:
        shared = any(shares_a_word(fact, one.reading, scene) for fact in wishes)
        if shared or _HOW_TO_ANSWER.search(one.reading.text):
            start, end = found[0].reading.start, found[-1].reading.end
            start, end = (start, end) if end - start <= MAX_LINE else (one.reading.start, one.reading.end)
            one.drafts = [
                Draft(
                    slot_of_its_own(one),
                    start,
                    end,
                    {"end": scene.now.date().isoformat()},
                    topic=Topic.OWNER,
                    act=SpeechAct.STATEMENT,
                    owner=True,
                )
            ]
            return


def widen_a_wish(fact: KnownFact, one: Found, found: list[Found]) -> None:
    """以后不用给数据，说大概就成: what is wished instead stands in the clause that follows."""
    place = one.reading.place + 1
    following = found[place] if place < len(found) else None
    if following is None or not is_reply_style(fact) or following.drafts or not following.reading.usable:
        return
    near = following.reading.end - one.drafts[0].start <= MAX_LINE
    if near and _INSTEAD.search(following.reading.text) and one.drafts[0].act is SpeechAct.DECISION:
        one.drafts[0] = replace(one.drafts[0], end=following.reading.end)


_INSTEAD = re.compile(r"[写说讲答回列给用发叫]")


def is_address(fact: KnownFact) -> bool:
    """What the owner is called: 称呼主人叫「姐」."""
    return fact.subject == OWNER_SUBJECT and _ADDRESS.search(fact.content) is not None
