"""What a body does or looks like, told in words that no list of signs holds: 尿的颜色像浓茶, 走路老往一边偏.

Read when no other rule spoke, and only of a pet that the clause or its sentence names. The functions of the body and
what may be said of them stand in `domain/knowledge/vocabulary/bodily.yaml`.
"""

import re
from collections.abc import Iterator

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor.inborn import find_inborn
from domain.offline.extractor.plans import is_future
from domain.offline.extractor.reading import Draft, Reading, Scene, is_unseen
from memory.topics import Topic

_FUNCTIONS = [
    (key, Topic(entry["topic"]), re.compile(entry["pattern"]))
    for key, entry in vocabulary("bodily")["functions"].items()
]
_TOLD = re.compile(vocabulary("bodily")["told"])
_PRAISE = re.compile(vocabulary("bodily")["praise"])
_I_SEE_TO_IT = re.compile(r"注意|留意|盯着|鼓励|哄|想让|提醒|多放|顾不上|管不")  # what a person does about it
_PASSED = frozenset({"urination", "stool_color"})  # 尿倒正常 is told as it is
_IS_FINE = re.compile(r"(?<!不)(?<!不太)(?:挺|很|都|也|还|又|完全|倒)(?:是)?正常(?:的|了|呀|啊)*$")  # 走路挺正常
_NEVER_ONCE = re.compile(
    r"(?:一[次回点滴口声下泡][^,。]{0,3}?|从来?|再也?|压根|根本)[都也就还]*没(?:再|有)?(?:怎么)?(?:漏|失禁|滴|犯|出血?|冒|长|闹|发炎|红|肿|疼|软|稀|瘸|歪|臭|渗|流|淌|憋|堵|带血|吐|咳)过?"
)  # 一回尿都没漏过
REACH = 14  # characters between a function and what is said of it


def find_bodily(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """At most one sign: the first function of the body of which something is told, before or after its word."""
    if not _is_of_one_pet(reading, scene) or is_future(reading, scene):
        return
    if inborn := list(find_inborn(reading, scene)):
        yield from inborn
        return
    if _PRAISE.search(reading.text) or _I_SEE_TO_IT.search(reading.text):
        return
    for key, topic, pattern in _FUNCTIONS:
        function = pattern.search(reading.text)
        if function is None:
            continue
        if reading.text[: function.start()].endswith(("我", "我的")):
            continue  # 趴我肚子上
        around = reading.text[max(0, function.start() - REACH) : function.start()]
        if _TOLD.search(reading.text, function.end(), function.end() + REACH) or _TOLD.search(around):
            name = {"name": reading.text.strip("\x00")}
            walks = key not in _PASSED and _IS_FINE.search(reading.text) is not None
            never = "没" in name["name"] and _NEVER_ONCE.search(name["name"]) is not None
            fine = walks or never or is_unseen(name["name"])
            yield Draft(f"symptom:{key}", reading.start, reading.end, name, fine, topic=topic)
            return


def _is_of_one_pet(reading: Reading, scene: Scene) -> bool:
    """A pet is named here, or earlier in the sentence, and nothing is asked or wished."""
    led = reading.tone.in_question and not (reading.about.explicit and reading.tone.text_end is not None)
    if len(reading.about.pets) != 1 or led or reading.tone.wishing:
        return False
    if reading.about.explicit:
        return True
    before = scene.readings[: reading.place]
    return any(one.about.explicit and one.about.pets == reading.about.pets for one in before)
