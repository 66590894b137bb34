"""Parts of the body: with something wrong (左眼红, 门牙断了一颗), looked at and sound (膝盖没问题). Pure."""

import re
from collections.abc import Iterator

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.sign_traps import hurts_somebody
from domain.offline.extractor.wordlist import ORGAN

_BODY_SIGNS = [word for field in ("signs", "code_mixed", "treatments") for word in vocabulary(field)["body_signs"]]
_BODY_SIGN = re.compile("|".join(sorted(map(re.escape, _BODY_SIGNS), key=len, reverse=True)))
_NOT_WRONG = re.compile(r"(?:没有?|无|未|不是|排除|不(?:再|怎么|太|那么)?$)")
_SEEN_TO = re.compile(r"(?:帮|给|顺手|顺便)[^,。]{0,3}(?:清|掏|洗|擦|挤|剪|修)(?:理|干净)?了")  # cared for: a grooming
_IS_FINE = re.compile(
    r"^[^,。]{0,3}(?:都|也|倒|就)?(?:没(?:啥|什么)?(?:问题|事|毛病|异常|大碍)|正常|好好的|健康|干净了|不流了|消了|消肿了|退了)"
)
_ALSO_CHARMS = frozenset({"软", "白", "蓝", "灰", "垂", "粘"})  # 肚皮软乎乎的好摸
_CHARMING = re.compile(vocabulary("bodily")["praise"])


def find_body_sign(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """A part of the body with something wrong: 左眼红, 肚子硬硬的, 门牙断了一颗."""
    for hit in reading.of("body"):
        reach = 16 if hit.word.text.isascii() else 8  # English words are longer
        if reading.before(hit, 2).endswith(("我", "我的")):
            continue
        wrong = _BODY_SIGN.search(reading.after(hit, reach).replace("软骨", "＿＿"))  # 关节软骨素 is no soft joint
        if (
            wrong is None
            or _SEEN_TO.search(reading.text)
            or hurts_somebody(reading.text)
            or (wrong[0] in _ALSO_CHARMS and _CHARMING.search(reading.text))
            or (hit.id == ORGAN and seen_at_a_clinic(reading, scene))
        ):
            continue
        reading.used.update(reading.of("body"))
        kept = hit.word.text == "乳牙"  # 乳牙没掉 is what is wrong
        negated = _NOT_WRONG.search(reading.after(hit, reach)[: wrong.start()]) is not None and not kept
        yield Draft(
            f"symptom:{hit.word.text}{wrong[0]}",
            reading.start,
            reading.end,
            {"name": f"{hit.word.text}{wrong[0]}"},
            negated,
        )
        return


def find_sound_part(reading: Reading) -> Iterator[Draft]:
    """膝盖没问题: a part of the body that was looked at."""
    for hit in reading.of("body"):
        if hit.id != ORGAN and reading.about.explicit and _IS_FINE.match(reading.after(hit, 10)):
            reading.used.add(hit)
            yield Draft(f"symptom:{hit.word.text}", reading.start, reading.end, {"name": hit.word.text}, negated=True)
            return


def seen_at_a_clinic(reading: Reading, scene: Scene) -> bool:
    """做的B超，左肾有点小: what the picture showed is a detail of the visit."""
    previous = scene.previous_of(reading)
    same = previous is not None and previous.sentence == reading.sentence and previous.has("visit", "lab")
    return same and previous is not None and previous.about.pets == reading.about.pets
