"""Two drafts of one clause that the same words gave: the one that only shows the other, a thing taken for a sign, a
food that is only a likeness (肿成猪头)."""

import re
from dataclasses import replace

from domain.offline.extractor.reading import Draft, Reading
from domain.offline.extractor.threads import Found


def without_twins(one: Found) -> list[Draft]:
    """Drafts of one clause without those that the same words already gave."""
    kept: list[Draft] = []
    for draft in (_as_a_swelling(draft, one.reading) for draft in one.drafts):
        if not any(_is_twin(earlier, draft, one.reading) for earlier in kept):
            kept.append(draft)
    if _BITTEN_OPEN.search(one.reading.text) and any(draft.attribute == "symptom:ate_wrong" for draft in kept):
        kept = [draft for draft in kept if draft.attribute != "symptom:wound"]
    return kept


_LIKE = re.compile(r"[肿鼓胀](?:得|到)?(?:成了?|像|跟)(?:一?[个颗只粒])?$")


def _as_a_swelling(draft: Draft, reading: Reading) -> Draft:
    """脸肿得跟猪头似的, 爪子肿成馒头: how big it got, no food and no allergy to it."""
    if not draft.attribute.startswith(("diet", "allergy:")):
        return draft
    name = draft.value.get("substance_name") or draft.value.get("food")
    place = reading.text.find(name) if isinstance(name, str) and name else -1
    if place <= 0 or not _LIKE.search(reading.text[:place]):
        return draft
    swollen = Draft("symptom:swelling", draft.start, draft.end, {"name": "肿"}, act=draft.act)
    return replace(swollen, certainty=draft.certainty, on=draft.on)


_BITTEN_OPEN = re.compile(r"把[^,。]{1,12}(?:咬|啃|扒|挠)(?:破|开|烂|碎)")  # 把药瓶咬破了舔了些: a bottle has no wound


def _is_twin(earlier: Draft, draft: Draft, reading: Reading) -> bool:
    if earlier.attribute == draft.attribute == "symptom:swelling" and earlier.negated == draft.negated:
        return True
    if (earlier.start, earlier.end, earlier.owner) != (draft.start, draft.end, draft.owner):
        return False
    slots = (earlier.attribute, draft.attribute)
    if all(slot.startswith("condition:") for slot in slots):
        return earlier.negated and draft.negated and _ALL_ABSENT.search(reading.text) is not None
    if slots[0].startswith("deworming:") and slots[1].startswith(("condition:", "symptom:parasites")):
        return not _WORMS_SEEN.search(reading.text)
    if slots[0] == "weight" and slots[1] in ("symptom:weight_change", "symptom:appetite_loss"):
        return True  # 就剩36斤半了
    if slots[1] == "activity:walk" or (slots[0].startswith("lab:") and slots[1].startswith("vaccine:")):
        return True  # 遛弯踩到碎玻璃, 查过猫瘟抗体
    if set(slots) == {"symptom:heat", "behavior:barking"}:
        return True  # 发情嚎到第四天
    if slots == ("symptom:polydipsia", "diet.pickiness"):
        return True  # 干净水碗不喝
    if slots[0].startswith("medication:") and slots[1] == "schedule:空腹" and draft.about:
        return True  # 眼药水得提前停一天
    if slots[1].startswith("symptom:") and slots[0].startswith(("allergy:", "medication:", "schedule:")):
        return _overlap(_word_of(earlier, reading), _word_of(draft, reading))  # 跳蚤唾液强阳
    if slots[0].startswith("symptom:") and slots[1].startswith("diet:"):
        return "摸" in reading.text and _FEELS.fullmatch(str(draft.value.get("food"))) is not None
    if not all(slot.startswith(("symptom:", "behavior:")) for slot in slots) or earlier.negated != draft.negated:
        return False
    if slots[1] in _URGENT or slots[1].startswith("symptom:ate"):
        return False
    first, second = _word_of(earlier, reading), _word_of(draft, reading)
    return first is not None and second is not None and _is_shown_by(first, second, reading.text)


_URGENT = frozenset(
    f"symptom:{key}"
    for key in ("dyspnea", "seizure", "collapse", "cyanosis", "urinary_block", "bloody_stool", "hematuria")
)  # never left out for another sign
_ALL_ABSENT = re.compile(r"都(?:是)?(?:没|阴|不是|不像|排除|正常)|也没|全阴")
_WORMS_SEEN = re.compile(r"[有见看拉吐打排](?:到|见|出|着|了)|发现|爬")


def _word_of(draft: Draft, reading: Reading) -> tuple[int, int] | None:
    """Where in the clause the word stands that the draft was made of."""
    name = next((draft.value[key] for key in _NAMED_BY if isinstance(draft.value.get(key), str)), "")
    place = reading.text.find(name) if name and reading.text.count(name) == 1 else -1
    return (place, place + len(name)) if place >= 0 else None


_NAMED_BY = ("name", "substance", "product", "food")
_FEELS = re.compile(r"[凉冰热烫软硬干湿]的?")


def _overlap(first: tuple[int, int] | None, second: tuple[int, int] | None) -> bool:
    return first is not None and second is not None and first[0] < second[1] and second[0] < first[1]


_UP_TO = re.compile(r"(?:得|到)[^,。似样]{0,5}")


def _is_shown_by(first: tuple[int, int], second: tuple[int, int], text: str) -> bool:
    """肿得睁不开, 咳得跟要吐似的: the second word only says how much; 哆嗦 is one sign under whatever name."""
    first, second = sorted((first, second))
    return second[0] < first[1] or _UP_TO.fullmatch(text, first[1], second[0]) is not None
