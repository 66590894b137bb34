"""What it is after all, when nothing worse was found: 没螨没真菌，就是皮太干; 查完没虫，单纯是耳屎多."""

import re
from collections.abc import Iterator

from domain.offline.extractor.reading import Draft, Reading, Scene
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_ONLY_THAT = re.compile(
    r"^(?:医生|大夫|兽医|人家)?(?:说|讲)?(?:就是|只是|只不过是?|不过是|单纯(?:就?是)?|纯粹是?|无非是?|纯属|说白了(?:就)?是)"
    r"(?!不|没|说|想|要|我|你|因为|个|怕|嫌|爱|喜欢|挑|馋|讨厌)(?P<what>[^,。\x00]{2,12}?)(?:而已|罢了|的)?$"
)
_FREE = re.compile(r"没|无|阴性|正常|不是|排除|未见")
_LOOKED = re.compile(r"查|验|检|拍|照|看过|镜|化验|刮片|b超|片子|血|尿|便|结果|报告|医生|大夫|[虫螨菌藓癣]|炎|病")
REACH = 2  # clauses back to what was looked for


def find_only_that(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """What is left when the clauses before say that nothing was found."""
    if "是" not in reading.text and "单纯" not in reading.text and "纯" not in reading.text:
        return
    only = _ONLY_THAT.match(reading.text)
    if only is None or reading.tone.in_question or len(reading.about.pets) != 1:
        return
    before = [one for one in scene.readings[max(0, reading.place - REACH) : reading.place] if one.usable]
    same = [one for one in before if one.sentence == reading.sentence and one.about.pets == reading.about.pets]
    told = "".join(one.text for one in same)
    if _FREE.search(told) and _LOOKED.search(told):
        value = {"text": only["what"]}
        yield Draft("visit:finding", reading.start, reading.end, value, cls=AttributeClass.VISIT, topic=Topic.HEALTH)
