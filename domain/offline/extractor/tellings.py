"""What a pet does or how it lives, told in plain verbs that no other rule knows: 把卫生纸扯得满地都是, 睡阳台的窝.

Read last and only where a pet of the household is the one who does it. The verbs are patterns in
`domain/knowledge/vocabulary/conduct.yaml` (`deeds`, `living`, `toilet`).
"""

import re
from collections.abc import Iterator

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor.plans import is_future
from domain.offline.extractor.reading import Draft, Reading, Scene
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_DEEDS = [(key, re.compile(pattern)) for key, pattern in vocabulary("conduct")["deeds"].items()]
_LIVING = [(key, re.compile(pattern)) for key, pattern in vocabulary("conduct")["living"].items()]
_TOILET = re.compile(vocabulary("conduct")["toilet"])
_LIKENED = re.compile(
    r"像(?!是)|好似|似的|仿佛|简直|跟[^,。]{1,8}一样|怕不是|是不是|哈哈|笑死|hhh|成精|的样子$|宇宙|人生|哲学|大人|陛下|爱情"
)
_PERSON_DOES = re.compile(
    r"(?<![把给让叫被跟对向着了咬抓舔蹭黏粘追扑陪找压踩坐骑吼凶哈理看见听等趁知道])我(?!家|们家|的|妈|爸|床|枕)|我(?:给|买)"
)
_PAST_LIFE = re.compile(r"刚(?:来|捡|接|到家|领养)|以前|小时候|从前|曾经|那会|当年")


def find_told(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """At most one claim: a toilet habit, a way of living, or a deed; nothing when a person may be the doer."""
    if not _pet_is_the_doer(reading, scene) or is_future(reading, scene):
        return
    text = reading.text
    if match := _TOILET.search(text):
        yield Draft("behavior:toilet", reading.start, reading.end, {"text": match[0]}, topic=Topic.ELIMINATION)
    elif living := next(((key, match) for key, pattern in _LIVING if (match := pattern.search(text))), None):
        key, match = living
        cls = AttributeClass.ACTIVITY if key == "outing" else AttributeClass.OTHER
        yield Draft(f"other:living:{key}", reading.start, reading.end, {"text": match[0]}, cls=cls)
    elif deed := next(((key, match) for key, pattern in _DEEDS if (match := pattern.search(text))), None):
        yield Draft(f"behavior:{deed[0]}", reading.start, reading.end, {"text": deed[1][0].strip("\x00")})


def _pet_is_the_doer(reading: Reading, scene: Scene) -> bool:
    """A pet is named in the clause or the sentence, and nothing speaks of a person, a likeness or a time long gone."""
    if len(reading.about.pets) != 1 or reading.tone.in_question or reading.tone.wishing:
        return False
    if _LIKENED.search(scene.folded) or _PERSON_DOES.search(reading.text) or _PAST_LIFE.search(reading.text):
        return False
    previous = scene.previous_of(reading)
    if reading.about.explicit or previous is None:
        return reading.about.explicit
    silent = previous.usable and not previous.used and previous.about.explicit
    return silent and previous.sentence == reading.sentence and previous.about.pets == reading.about.pets
