"""Signs and conditions: 昨天吐了两次, 左眼红肿, 确诊甲亢, 再没便秘, 前列腺没毛病."""

import re
from collections.abc import Iterator

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor.reading import Draft, Reading, Scene, denied
from domain.offline.extractor.wordlist import Hit
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_BODY_SIGN = re.compile("|".join(sorted(map(re.escape, vocabulary("signs")["body_signs"]), key=len, reverse=True)))
_STAGE = re.compile(
    r"([一二三四1-4](?:期|级)|[abcd][12]?期?|iris ?\d|第[一二三四1-4]期|[iv]{1,3}级|成熟期|早期|中期|晚期|初期|末期)"
)
_OFTEN_SAID = re.compile(r"(?:怕|预防|防止|避免|小心|注意|担心|会不会|容易|查|检查|排除)[^,。]{0,4}$")
_NO_ILLNESS = re.compile(r"(?:没有?|无|未|不是|排除|没得)")


def find_conditions(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """Diseases that a clause names as this pet's, present or denied."""
    for hit in reading.of("condition"):
        if _OFTEN_SAID.search(reading.before(hit)) and "排除" not in reading.before(hit):
            continue
        reading.used.add(hit)
        stage = _STAGE.search(reading.text)
        value = {"name": hit.word.text} | ({"stage": stage[1]} if stage else {})
        yield Draft(f"condition:{hit.id}", reading.start, reading.end, value, denied(reading, hit))


def find_signs(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """What a clause says the pet shows; a sign of well-being speaks of the sign before it and is not kept alone."""
    seen: set[str] = set()
    for hit in reading.of("sign"):
        reading.used.add(hit)
        if hit.id in seen or hit.word.good:
            continue
        seen.add(hit.id)
        yield _sign(reading, hit)
    if not seen and not reading.used:
        yield from _body_sign(reading)


def _sign(reading: Reading, hit: Hit) -> Draft:
    topic = Topic(hit.word.topic) if hit.word.topic else None
    cls = AttributeClass(hit.word.attribute_class) if hit.word.attribute_class else None
    slot = "symptom" if cls in (None, AttributeClass.SYMPTOM) else str(cls)
    return Draft(
        f"{slot}:{hit.id}", reading.start, reading.end, {"name": hit.word.text}, denied(reading, hit), cls, topic
    )


def _body_sign(reading: Reading) -> Iterator[Draft]:
    """A part of the body with something wrong: 左眼红, 肚子硬硬的, 门牙断了一颗."""
    for hit in reading.of("body"):
        wrong = _BODY_SIGN.search(reading.after(hit, 8))
        if wrong is None:
            continue
        reading.used.update(reading.of("body"))
        negated = _NO_ILLNESS.search(reading.after(hit, 8)[: wrong.start()]) is not None
        yield Draft(
            f"symptom:{hit.word.text}{wrong[0]}",
            reading.start,
            reading.end,
            {"name": f"{hit.word.text}{wrong[0]}"},
            negated,
        )
        return
