"""What only a body in danger shows, told in owners' plain words and often without a name: 肚子鼓得跟皮球一样.

Whoever writes in such an hour names nobody and uses no word of medicine. `grave` patterns make a message a report by
themselves; `beside` ones are signs only in a sentence that holds a grave one. The table is
`domain/knowledge/vocabulary/alarms.yaml`.
"""

import re
from collections.abc import Iterator

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor.reading import Draft, Reading, Scene
from memory.topics import Topic

_TABLE = vocabulary("alarms")
_HINT = re.compile(f"[{_TABLE['hints']}]")
_GRAVE = tuple((key, re.compile("|".join(patterns))) for key, patterns in _TABLE["grave"].items())
_BESIDE = tuple((key, re.compile("|".join(patterns))) for key, patterns in _TABLE["beside"].items())
_ANY_GRAVE = re.compile("|".join(f"(?:{pattern.pattern})" for _, pattern in _GRAVE))
_OF_PEOPLE = re.compile(
    r"我(?!家|们家|的?床|的?被|的?枕|[一半两三几]|看|摸|叫|喊|抱|捞|推|给|怎么|回|按)|(?:老公|老婆|我妈|我爸|孩子|同事|同学|爷爷|奶奶)(?![^,。]{0,3}(?:看|说|摸|叫|喊|发现))"
)
_IN_FUN = re.compile(
    r"笑(?:得|死|到)|气得|馋|哈哈|累成|困成|瘫(?:在|着)[^,。]{0,4}(?:沙发|床)|(?:撑|吃)得|轮胎|气球|煤气|手机|电脑"
)
_PEOPLES_TROUBLES = re.compile(
    r"我感冒|感冒真|上火|空调|物业|客服|剖腹|产房|医保|痔疮|爬山|健身|跑完?步|火锅|啤酒|喝酒|白酒|酒局|减肥|低血糖|楼梯|痛经|姨妈|车胎|暖气"
)
REACH = 3  # clauses before or after a grave sign
_TOPICS = {"urinary_block": Topic.ELIMINATION, "hematuria": Topic.ELIMINATION, "fluids": Topic.DIET}


def is_alarm(reading: Reading, scene: Scene) -> bool:
    """Whether a clause tells of a body in danger: of an animal, in earnest, neither asked nor supposed."""
    text = reading.text
    if not reading.usable or not _HINT.search(text):
        return False
    if _ANY_GRAVE.search(text) is None or _PEOPLES_TROUBLES.search(scene.folded):
        return False
    return not (_OF_PEOPLE.search(text) or _IN_FUN.search(text))


def is_in_danger(reading: Reading, scene: Scene) -> bool:
    """Whether a clause tells such a sign, or how it came to it beside one: 关车里闷了半小时，软成一滩了."""
    return _sign_of(reading, scene) is not None


def find_alarm(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """At most one sign, where no other rule knew one."""
    key = _sign_of(reading, scene)
    if key is not None:
        name = {"name": reading.text.strip("\x00")}
        yield Draft(f"symptom:{key}", reading.start, reading.end, name, topic=_TOPICS.get(key, Topic.HEALTH))


def _sign_of(reading: Reading, scene: Scene) -> str | None:
    text = reading.text
    if not reading.usable or not _HINT.search(text):
        return None
    table = _GRAVE if is_alarm(reading, scene) else ()
    if not table and not (_OF_PEOPLE.search(text) or _IN_FUN.search(text)):
        around = scene.readings[max(0, reading.place - REACH) : reading.place + REACH + 1]
        near = (one for one in around if one.sentence == reading.sentence and one is not reading)
        table = _BESIDE if any(is_alarm(one, scene) for one in near) else ()
    return next((key for key, pattern in table if pattern.search(text)), None)
