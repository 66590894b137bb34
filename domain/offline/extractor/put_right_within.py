"""What a message puts right in itself, whatever it is about: 红的是右眼皮, 不是比瑞吉是比乐, 芯片尾号不是77是71."""

import re
from collections.abc import Iterator
from dataclasses import replace

from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.threads import MAX_LINE, Found
from memory.topics import Topic
from memory.vocabulary import AttributeClass, SpeechAct

_MARKS = (
    "错",
    "反",
    "岔",
    "串",
    "混",
    "误",
    "正",
    "不是",
    "不对",
    "颠倒",
    "改",
    "写的",
    "作废",
    "旧方案",
    "的量",
    "的事",
)
_PUTS_RIGHT = re.compile(
    r"[说讲写记打搞弄看填登报认听点](?:的)?(?:错|反|岔|串|混|颠倒|瓦特)|(?<!有)错(?:边|了|位|一位|行|一[个位])|手误|手滑|口误|更正|纠正|订正|澄清|作废"
    r"|不是[^,。是]{1,10}[,\s]?(?:而|其实|应该)?是(?!不是|我|吗)|(?:是|用|吃|在)[^,。是]{1,10}[,\s]?(?:而|可|并)?不是(?!很|吗|我|特别)[^,。]{1,8}"
    r"|(?:我|之前|前头|上次|刚才?)(?:写|说|报|讲|填)的[^,。]{1,8}是|(?:那|都|就|量)是[^,。]{0,12}(?:写的|旧方案|那会儿?|那阵子?|时候|的量|的事)|是[^,。]{0,12}(?:旧方案|那会儿?才给的量)"
)
_IS_RIGHT = re.compile(
    r"^\x00*(?P<what>[^,。]{0,14}?)(?:应该|其实|原来|实际上?|才|就|得|这)*(?<!都)是(?!我|你|只|个|条|[红黄蓝绿黑白粉紫灰]|一样|不是|吗|因为|在|说|想|怎)(?P<right>[^,。是]{1,16})$"
)
_NOT_THAT = re.compile(r"^(?:而|可|并|才)?(?:不是|并非)(?!吗|很|太|特别|因为|我)[^,。是]{1,12}(?:哈|啊|了|哦)?$")
_OF_THE_WRONG = re.compile(
    r"^[^,。]{0,10}?(?:那个?|这个?)?(?:就|都)?(?:是|写成|填成|打成)[^,。]{0,12}(?:瞎填|乱填|写的|报的|旧方案|上一?[袋包罐次个]|记岔|看错|看串|看颠倒|看反|手滑|填错|打错|那会儿?|那阵子?|时候|的量|的事|加一起)(?:了|的|才给的量)*$"
    r"|^(?:之前|早先|上回|上次|先前|原先|前头|刚才)[^,。]{0,8}(?:是|给|报|填|写|说|登)[^,。]{0,12}(?:瞎|错|岔|串|反|混|颠倒|手滑|作废)[^,。]{0,4}$"
)
_WHATEVER = re.compile(r"(?:不管|不论|无论|甭管|管它)(?:是)?[^,。]{1,8}还是[^,。]{1,8}")  # 不管罐头还是零食
_AN_ID = re.compile(r"芯片|[狗犬猫]证|证号|免疫证|编号|电子耳标|脚环")
_LITTER = re.compile(r"砂")
_EATEN = re.compile(r"吃|喂|喝|粮|罐|零食|牌子|袋子|包装|冻干|奶粉")
_BODILY = re.compile(r"[肿红秃痒破裂断掉疼瘸肿鼓烂流瞎浑]|伤|血|包|疙瘩|皮|牙")
_FOODS = ("food", "brand", "allergen")


def puts_something_right(scene: Scene) -> bool:
    """Whether a message that names no pet puts right what only a pet has: a food, a part of the body, a figure."""
    if not any(mark in scene.folded for mark in _MARKS) or not _PUTS_RIGHT.search(scene.folded):
        return False
    told = [one for one in scene.readings if one.usable and not one.tone.owners_life]
    return any(one.has("body", "dewormer", "vaccine", *_FOODS) or _AN_ID.search(one.text) for one in told) or any(
        q.unit in ("kg", "斤", "g", "ml") for one in told for q in one.quantities()
    )


def find_put_right(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """What is so after all, of a thing that this clause or the one before names; only in a message that puts right."""
    if "是" not in reading.text or not any(mark in scene.folded for mark in _MARKS):
        return
    right = _IS_RIGHT.match(_NOT_IT.sub("", reading.text))
    if right is None or not _PUTS_RIGHT.search(scene.folded) or _OF_THE_WRONG.match(reading.text):
        return
    before = scene.previous_of(reading)
    led = before is not None and before.sentence == reading.sentence and before.usable and not right["what"]
    start = before.start if led and before is not None and reading.end - before.start <= MAX_LINE else reading.start
    about = scene.folded[start : reading.end]
    kind = _kind(reading, about)
    if kind is None or reading.tone.in_question or len(reading.about.pets) != 1:
        return
    slot, cls, topic, key = kind
    value = {key: right["right"].strip("\x00")}
    yield Draft(slot, start, reading.end, value, cls=cls, topic=topic, act=SpeechAct.CORRECTION)


_NOT_IT = re.compile(r"(?:而)?不是[^,。是]{1,10}[,\s]?(?=(?:而|其实|应该)?是)|(?:,|\s)?(?:而|可)?不是[^,。是]{1,10}$")


def _kind(reading: Reading, about: str) -> tuple[str, AttributeClass, Topic, str] | None:
    """Slot, class, topic and key of what is put right, by the words around it."""
    if _AN_ID.search(about) and re.search(r"\d{2,}", reading.text):
        return "other:id", AttributeClass.OTHER, Topic.GROWTH, "text"
    if _LITTER.search(about):
        return "other:litter", AttributeClass.OTHER, Topic.ELIMINATION, "name"
    if reading.has("drug", "drug_name", "drug_word", "vaccine", "dewormer", "condition", "lab"):
        return None
    if reading.has(*_FOODS) or _EATEN.search(about):
        return "diet.staple_food", AttributeClass.DIET_PREFERENCE, Topic.DIET, "food"
    if reading.has("body", "sign") and _BODILY.search(about):
        return "symptom:put_right", AttributeClass.SYMPTOM, Topic.HEALTH, "text"
    return None


def without_the_wrong(found: list[Found]) -> list[Found]:
    """是大宠爱，不是福来恩; 皇家是上一袋: what it is not goes with what it is, what was wrong is no claim."""
    last: Found | None = None
    for one in found:
        text = one.reading.text
        near = last is not None and last.reading.sentence == one.reading.sentence
        if one.drafts and near and last is not None and "不是" in text and _NOT_THAT.match(text):
            last.drafts = [_reaching(draft, one.reading.end) for draft in last.drafts]
            one.drafts = []
        elif one.drafts and last is not None and "是" in text and _is_no_claim(one, near):
            one.drafts = []
        last = one if one.drafts else last
    return found


def _is_no_claim(one: Found, near: bool) -> bool:
    """皇家是上一袋, 不管罐头还是零食: only what was wrong, or that it is all the same."""
    wrong = near and not one.reading.about.explicit and _OF_THE_WRONG.match(one.reading.text) is not None
    return wrong or _WHATEVER.fullmatch(one.reading.text) is not None


def _reaching(draft: Draft, end: int) -> Draft:
    return replace(draft, end=end) if end - draft.start <= MAX_LINE else draft
