"""A medicine that got onto or into the wrong animal: 老咪蹭了一身莫匹罗星, 猫老舔狗身上刚抹的软膏."""

import re
from collections.abc import Iterator

from domain.offline.extractor.reading import Draft, Reading, Scene

_DRUGS = ("drug", "drug_name", "drug_word", "dewormer")
_GOT_ON = re.compile(
    r"(?:沾|蹭|滚|踩|糊|抹|溅|碰|染)(?:了|得|到|上)*(?:一|满|半)?(?:身|脸|嘴|爪|脚|头|腿|肚|背|尾)(?!上)[^,。]{0,6}"
    r"|(?:沾|蹭|碰|舔)(?:到|上|着)了?[^,。]{0,6}"
)
_AT_THE_OTHERS = re.compile(r"(?:舔|啃|嚼|咬|吃|喝|沾|蹭)[^,。\x00]{0,3}\x00+(?:身上|脸上|背上|头上|耳朵|腿上|的|刚)")
_AVOIDED = re.compile(r"别|不要|不能|不许|怕|差点|没(?:让|舔|吃|沾|蹭|碰)|防")


def find_contact(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """What happened to the animal that it was not meant for; what the medicine is to its owner is told elsewhere."""
    drugs = reading.of(*_DRUGS)
    if not drugs or not reading.about.explicit or len(reading.about.pets) != 1 or _AVOIDED.search(reading.text):
        return
    got = _GOT_ON.search(reading.text) or (
        _AT_THE_OTHERS.search(reading.text) if len(reading.about.mentions) > 1 else None
    )
    if got is None or reading.tone.in_question or drugs[0].start - reading.start < got.start():
        return
    reading.used.update(hit for hit in reading.hits if hit.family in (*_DRUGS, "sign", "food", "behavior"))
    yield Draft("symptom:ate_wrong", reading.start, reading.end, {"name": drugs[0].word.text})
