"""What differs between pets of whom one thing was told: 五一带俩去拍了证件照，可乐一直傻笑，雪碧缩在包里不出来.

Read last, of clauses that no rule understood: how each one took it is its conduct. So is what stands beside a weight in
one clause (5.8公斤还总堵着碗).
"""

import re

from domain.offline.extractor.plans import is_future
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.tellings import find_told
from domain.offline.extractor.threads import Found
from domain.pet_mentions import MentionKind
from memory.vocabulary import AttributeClass

_BESIDES = re.compile(r"(?:还|又|也|却|偏)[^,。]{0,2}(?:总|老|天天|一直|成天|整天|动不动|没事|净|爱|抢|霸|堵|欺)")
_HOLLOW = re.compile(
    r"^\x00*(?:也|就|都|一直|全程|依旧|倒是?|反而|却|还|呢|那边|这边)*(?:没(?:事|啥|什么|有|去|打|做|问题|反应|动静)?|啥事|什么事|屁事|一样|同样|同上|正常|挺好|不错|还行|还好|好好的|没|不用[^,。]{0,3}|不需要|再说|再议|算了|待定|老样子|照旧|还是那样|可以|行)"
    r"|^\x00+(?:搁|在|放|睡|关|去)[^,。]{1,4}$|(?:没事|没问题|一样|也是|再说|正常|还行|还可以|还好|不错)(?:的|了|儿)?$"
)
_NO_CONDUCT = re.compile(
    r"\d|斤|号|月(?!子)|下[周次个回]|明[天后]|后天|约|打算|准备|钱|块|贵|医生|大夫|药(?!浴)|针|检查|确诊|过敏|吗|呢|什么|怎么|为啥|[打用滴喂种]的|看戏|看热闹|无辜|可能|应该|好像|听说|据说|[叫是]$|^\x00+(?:是|叫|今年|才)"
)
MIN_CONDUCT = 3  # characters, without the pet's name
MAX_CONDUCT = 20


def with_contrasts(found: list[Found], scene: Scene) -> list[Found]:
    """The same readings, with how each of several took what was told of them all."""
    if len(scene.utterance.pets) < 2:
        return found
    shared: set[str] = set()
    for one in found:
        if len(one.reading.about.pets) > 1 and one.reading.usable and (one.drafts or one.reading.about.explicit):
            shared |= set(one.reading.about.pets)
        elif not one.drafts and _tells_how(one.reading, shared, scene):
            text = {"text": one.reading.text.strip("\x00")}
            start, end = one.reading.start, one.reading.end
            one.drafts = [Draft("behavior:manner", start, end, text, cls=AttributeClass.BEHAVIOR)]
        elif [draft.attribute for draft in one.drafts] == ["weight"] and _BESIDES.search(one.reading.text):
            one.drafts += [draft for draft in find_told(one.reading, scene) if draft.attribute.startswith("behavior:")]
    return found


_CONDUCT = re.compile(
    r"在[^,。]{1,6}[里旁上下边外头前]|一直|到处|急得|直(?:叫|转|哼|跳|抖|往)|不敢|不肯|躲|缩|趴|闹|跟着|劝架?|守|围着|装死|嫌|一路|全程|活蹦乱跳|撒欢|淡定"
)
_AT_A_MEAL = re.compile(r"[吃喝碰舔啃粒片袋勺]")  # what it takes is told by other rules
REACH = 2  # clauses to the one that tells of the other pet


def _beside_the_other(reading: Reading, scene: Scene) -> bool:
    """美短昨天绝了育，孟买急得在笼子外头转: conduct, set beside what the sentence tells of another pet by name."""
    if _CONDUCT.search(reading.text) is None or _AT_A_MEAL.search(reading.text):
        return False
    near = scene.readings[max(0, reading.place - REACH) : reading.place + REACH]
    told = [one for one in near if one.sentence == reading.sentence and one.used and one.about.explicit]
    return any(one.about.pets and not set(one.about.pets) & set(reading.about.pets) for one in told)


def _tells_how(reading: Reading, shared: set[str], scene: Scene) -> bool:
    """Whether a plain clause is about one of those, by name or role, and tells what it did."""
    text = reading.text
    pointed = any(
        mention.kind in (MentionKind.NAME, MentionKind.ROLE, MentionKind.SPECIES) for mention in reading.about.mentions
    )
    ours = reading.usable and reading.about.explicit and pointed and text.startswith("\x00")
    if not ours or len(reading.about.pets) != 1:
        return False
    if not (set(reading.about.pets) <= shared or _beside_the_other(reading, scene)):
        return False
    if reading.tone.in_question or reading.tone.wishing or reading.tone.owners_life or is_future(reading, scene):
        return False
    told = len(text.replace("\x00", ""))
    return MIN_CONDUCT <= told <= MAX_CONDUCT and not (_HOLLOW.search(text) or _NO_CONDUCT.search(text))
