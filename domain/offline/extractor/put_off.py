"""A jab of one pet that is put off, after what the others got: 咪咪三联打齐了，豆豆还在吃激素，大夫让它那针往后推."""

import re
from collections.abc import Iterator

from domain.offline.extractor.reading import Draft, Reading, Scene
from memory.topics import Topic

_PUT_OFF = re.compile(
    r"(?:押后|往后(?:推|挪|放|延|靠|排|拖|顺)|推后|延后|延期|推迟|顺延|暂缓|缓(?:一?缓|着|缓再|几天|一阵)|先(?:缓|等等|放放|搁)|搁(?:一?搁|着)"
    r"|(?:先|暂时)(?:不|别)(?:打|补|种|驱|做|滴)|(?:以后|之后|再)(?:补打?|打|种|驱)|靠后|不着急打)"
)
_GIVEN = ("vaccine", "dewormer")
REACH = 5  # clauses back to the jab that the others had


def find_put_off(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """An appointment without a day, of the one pet that a clause is about; nothing where it names a jab of its own."""
    if len(scene.utterance.pets) < 2 or len(reading.about.pets) != 1 or reading.tone.in_question:
        return
    if _PUT_OFF.search(reading.text) is None or reading.has("drug", "drug_name", "drug_word", "condition", "food"):
        return
    for earlier in reversed(scene.readings[max(0, reading.place - REACH) : reading.place]):
        given = [hit for hit in earlier.hits if hit.family in _GIVEN]
        if given and earlier.usable and earlier.about.pets != reading.about.pets:
            word = given[0].word.text
            name = {"name": word}
            yield Draft(f"schedule:{word}", reading.start, reading.end, name, topic=Topic.PREVENTION, about=word)
            return
