"""How far an illness has gone, and on which side: B2期, 成熟期; 右眼白内障成熟期，左眼刚开始."""

import re

from domain.offline.extractor.reading import Draft, Reading, Scene

STAGE = re.compile(
    r"([一二三四1-4](?:期|级)|(?<![a-z])[abcd][12]?期?(?![a-z])"
    r"|iris ?\d|第[一二三四1-4]期|[iv]{1,3}级|成熟期|早期|中期|晚期|初期|末期)"
)
_SIDE = re.compile(r"[左右](?:侧|边)?(?:前|后)?(?:眼|耳|腿|膝|肩|肘|髋|爪|边|侧|肾|脚)")
_HOW_BAD = re.compile(
    r"^\x00*[左右](?:侧|边)?(?:前|后)?(?:眼|耳|腿|膝|肩|肘|髋|爪|边|侧|肾|脚)[^,。]{0,5}?(?:也|刚|又|才)(?:刚)?(?:开始|犯|有|得|发|查出|长|起|是|冒|露)"
    r"|^\x00*[左右](?:侧|边)?(?:前|后)?(?:眼|耳|腿|膝|肩|肘|髋|爪|边|侧|肾|脚)[^,。]{0,2}?(?:也|是|才|刚|还|就|已经|有点)*"
    r"(?:[一二三四1-4][级期度]|轻微|轻些|好些|好一?点|轻度|中度|重度|刚开始|早期|中期|晚期|初期|成熟期|轻一?点|重一?点|严重)"
)


def other_side(reading: Reading, scene: Scene) -> Draft | None:
    """右眼白内障成熟期，左眼刚开始: the same illness on the other side."""
    previous = scene.previous_of(reading)
    told = _HOW_BAD.search(reading.text)
    if previous is None or told is None or previous.about.pets != reading.about.pets:
        return None
    ill = [hit for hit in previous.hits if hit.family == "condition"]
    if not ill or not _SIDE.search(previous.text) or reading.has("condition", "sign"):
        return None
    stage = STAGE.search(reading.text)
    side = told[0].replace("\x00", "")[:1]
    reading.used.update(reading.of("body"))
    value = {"name": ill[0].word.text, "site": side} | ({"stage": stage[1]} if stage else {})
    return Draft(f"condition:{ill[0].id}", reading.start, reading.end, value, about=ill[0].word.text)
