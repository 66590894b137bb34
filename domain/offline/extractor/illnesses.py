"""Signs and conditions: 昨天吐了两次, 左眼红肿, 确诊甲亢, 再没便秘, 前列腺没毛病."""

import re
from collections.abc import Iterator

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor import sign_traps as traps
from domain.offline.extractor.body_parts import find_body_sign, find_sound_part, seen_at_a_clinic
from domain.offline.extractor.formerly import was_before
from domain.offline.extractor.plans import is_future
from domain.offline.extractor.reading import Draft, Reading, Scene, denied, is_anothers, is_unseen
from domain.offline.extractor.sign_traps import denies_another, is_a_temper, is_no_sign_here
from domain.offline.extractor.stages import STAGE, other_side
from domain.offline.extractor.test_results import found_none, only_tested, outcome_after
from domain.offline.extractor.wordlist import ORGAN, Hit
from domain.triage.poison_matcher import find_poisonings
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_UNKNOWN_DISEASE = re.compile(
    r"(?:(?:医生|大夫|兽医|院长)(?:[^,。说]{0,3})说|确诊|诊断|查出|得了|患有|患了|检查出)(?:来|为|是|有|的|了|它|他|她|\x00)*([^,。\x00不没说]{1,6}?(?:综合征|过长|脱位|不全|突出|增生|肥大|塌陷|积液|感染|溃疡|脱垂|狭窄|囊肿|硬化|撕裂|断裂|衰竭|畸形|水肿|凝血病|缺乏症?|突变|症|炎|瘤|癌)|[a-z]{2,5}\d?(?:凝血病|突变|阳性|缺陷|缺乏症?))"
)
_OFTEN_SAID = re.compile(
    r"(?:怕|预防|防止|避免|小心|注意|担心|会不会|容易|查(?!出|到|了)|检查(?!出|到|了)|排除)[^,。出]{0,4}$"
)
_NO_ILLNESS = re.compile(r"(?:没有?|无|未|不是|排除|没得)")


OF_THE_PARENTS = re.compile(
    r"(?:爸妈|爹妈|爹娘|父母|爸爸|妈妈|种公|种母|外婆|外公|奶奶|爷爷|祖上|上几代)[^,。]{0,8}(?:没[有得一]|活到|长寿|基因|筛查|检测|遗传|[查验测做拍评][过了]|[阴阳](?:性|的)|携带)"
)


def _is_a_part_only(reading: Reading, hit: Hit, scene: Scene) -> bool:
    """髋关节拍过片没毛病, 下个月拍髋关节: the name of a part, not of an illness."""
    part = _A_PART.search(hit.word.text) is not None
    if part and re.match(r"的?(?:片|x光|b超|ct|造影)", reading.after(hit, 4)):
        return True  # 拍了髋关节片
    return part and (_LOOKED_FINE.search(reading.text) is not None or is_future(reading, scene))


_ONLY_ONE = re.compile(
    r"(?:只有|就|少|缺|剩)[^,。]{0,2}(?:一|1)(?:颗|个|只)(?:肾|睾丸|蛋蛋|眼睛?|耳朵)|独眼|单肾|独肾|先天(?:性)?(?:缺|没有)[^,。]{1,4}"
)
_OF_A_TITRE = re.compile(r"合格|达标|够|不足|[偏略过][高低]|有保护|没保护|(?:都|也)[高低]")  # 猫瘟合格, of antibodies
_A_PART = re.compile(r"^(?:髋关节?|髌骨|椎间盘|二尖瓣|十字韧带|前十字韧带|半月板|鼻泪管|甲状旁腺|前庭)$")
_LOOKED_FINE = re.compile(r"(?:查|拍|做|看|摸|检)[^,。]{0,8}(?:没(?:啥|什么)?(?:毛病|问题|事|异常)|正常)")


def find_conditions(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """Diseases that a clause names as this pet's, present or denied."""
    if _OF_A_TITRE.search(reading.text) and "抗体" in scene.folded[: reading.end] and reading.has("condition"):
        name = "".join(dict.fromkeys(hit.word.text for hit in reading.of("condition")))
        reading.used.update(reading.of("condition", "vaccine", "lab"))
        yield Draft(f"lab:抗体:{name}", reading.start, reading.end, {"name": f"{name}抗体"}, topic=Topic.MEDICAL)
        return
    if OF_THE_PARENTS.search(reading.text):
        yield from _of_its_parents(reading)
        return
    hits = [hit for hit in reading.of("condition") if not is_anothers(reading, hit)]
    if hits and _KIN_IS_ILL.search(reading.text[: hits[0].start - reading.start]):
        yield from _of_its_parents(reading)
        return
    apart = all(_ORGANS_ILL.get(hit.word.text[:1]) is None and hit.word.text[:2] not in _ORGANS_ILL for hit in hits)
    staged = _STAGED.search(reading.text) if apart and ("期" in reading.text) else None
    told = [(hit.start - reading.start, hit.end - reading.start) for hit in hits]
    if staged and not any(
        start < staged.end() and staged.start() < end for start, end in told
    ):  # 慢性肾病二期 has a name
        reading.used.update(reading.of("lab", "body"))
        value = {"name": "心脏病" if staged[1] == "心脏" else "肾病", "stage": staged[2]}
        yield Draft(f"condition:{_ORGANS_ILL[staged[1]]}", reading.start, reading.end, value)
    if not hits and (named := _UNKNOWN_DISEASE.search(reading.text)):
        negated = _NO_ILLNESS.search(reading.text[: named.start(1)]) is not None
        yield Draft(f"condition:{named[1]}", reading.start, reading.end, {"name": named[1]}, negated)
    if not hits and (one := _ONLY_ONE.search(reading.text)) and reading.about.explicit:
        yield Draft(f"condition:{one[0]}", reading.start, reading.end, {"name": one[0]})
    if not hits and (other := other_side(reading, scene)):
        yield other
    for hit in hits:
        if _LIKENED.search(reading.before(hit)) or (_is_a_part_only(reading, hit, scene)):
            continue
        if _OFTEN_SAID.search(reading.before(hit)) and "排除" not in reading.before(hit):
            continue
        bare = only_tested(reading, hit)
        outcome = outcome_after(reading, scene) if bare else None
        if bare and outcome is None:
            continue
        if denied(reading, hit) and _told_with_another(reading, hit, scene):
            reading.used.add(hit)
            continue
        reading.used.add(hit)
        if _NOT_THIS_PETS.search(reading.after(hit, 12)):
            continue
        meant = _NOT_THIS_STAGE.search(reading.text)
        stage = STAGE.search(reading.text, meant.end() if meant else 0)
        value = {"name": hit.word.text} | ({"stage": stage[1]} if stage else {})
        negated = found_none(outcome) if outcome else denied(reading, hit) and meant is None
        yield Draft(f"condition:{hit.id}", reading.start, outcome.end if outcome else reading.end, value, negated)


_NOT_THIS_STAGE = re.compile(
    rf"不是[^,。]{{0,8}}?{STAGE.pattern}[^,。]{{0,4}},?(?:而是|应该是|其实是|是)(?={STAGE.pattern})"
)
# 那个甲减不是小丸子的: another pet's, whose is told elsewhere.
_NOT_THIS_PETS = re.compile(r"^[^,。]{0,4}不是[^,。]{1,6}的(?:$|[,。])")


def _told_with_another(reading: Reading, hit: Hit, scene: Scene) -> bool:
    """没螨虫没真菌: that nothing was found is one line, unless memory knows of this one."""
    known = {fact.attribute for fact in scene.utterance.known}
    before = [other for other in reading.used if other.family == "condition" and other.end <= hit.start]
    return f"condition:{hit.id}" not in known and any(denied(reading, other) for other in before)


_KIN_IS_ILL = re.compile(
    r"\x00的?(?:它|亲)?(?:妈妈?|爸爸?|爹|娘|爸妈|父母|兄弟|姐妹)(?:当年|以前|也|都|就|后来)*(?:是|有|得|患|因为|死于)[^,。]{0,4}$"
)  # 豆豆妈妈是多囊肾没的
_ORGANS_ILL = {"心脏": "heart_disease", "肾": "ckd", "肾脏": "ckd"}
_STAGED = re.compile(r"(心脏|肾脏|肾)(?:病)?(?:已经|现在|是|到|到了|还是|在)*([abcd][12]?期|[一二三四1-4]期)")


def _of_its_parents(reading: Reading) -> Iterator[Draft]:
    """豆豆爸爸查过多囊肾没问题: what it may have inherited, no illness of its own."""
    ills = reading.of("condition")
    if (ills or re.search(r"活到|长寿|没得过", reading.text)) and not reading.has("lab"):
        reading.used.update(reading.hits)
        name = {"name": ills[0].word.text if ills else reading.text.strip("\x00")}
        yield Draft("other:parents", reading.start, reading.end, name, topic=Topic.MEDICAL)


_FOR_ITS_TASTE = re.compile(r"(?:嫌|受不了|不喜欢|不爱)[^,。]{0,4}(?:腥|味|硬|干|大|凉|苦|膻|烫|噎)")  # 嫌腥不肯吃
UNLESS = re.compile(
    r"^\x00*(?:要是|如果)?没有?[^,。\x00]{0,4}(?:就|\x00*[理碰闻]都)不(?:吃|动|碰|闻|张嘴|理|喝)|^\x00*(?:要是|如果)?(?:不(?:拌|加|混|放|掺|给|哄|喂|陪)[^,。]{0,4}|光(?:给|吃|是)?[^,。]{0,3}|单独[^,。]{0,3})(?:就|都|闻都|碰都)?不(?:吃|动|碰|闻|张嘴|理|喝)"
)  # 拌半勺南瓜泥，不拌不张嘴


def find_signs(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """What a clause says the pet shows; a sign of well-being speaks of the sign before it and is not kept alone."""
    seen: set[str] = set()
    ids = {hit.id for hit in reading.hits}
    if _HABITUAL_THEFT.search(reading.text) or _UNTIL.search(reading.text) or UNLESS.match(reading.text):
        return
    if bitten := traps.bitten_by(reading.text):
        seen.update(("wound", "skin"))
        reading.used.update(reading.of("sign", "activity", "behavior", "body"))
        yield Draft("symptom:wound", reading.start, reading.end, {"name": bitten})
    for hit in reading.of("sign"):
        if _shows_nothing(reading, hit, scene):
            continue
        reading.used.add(hit)
        if hit.word.text == "没拉" and denies_another(reading, hit):
            continue  # 一次稀便都没拉, 没吐没拉
        if hit.word.text == "没尿" and _NOT_OF_THE_STREAM.match(reading.after(hit, 3)):
            continue  # 没尿血 and 没尿床: it passes water
        if hit.word.text == "没拉" and (absent := _NOT_PASSED.match(reading.after(hit, 3))):
            slot = next(key for key, found in absent.groupdict().items() if found)
            seen.update(("stool", slot))
            value = {"name": f"拉{absent[0]}"}
            yield Draft(f"symptom:{slot}", reading.start, reading.end, value, negated=True)
            continue
        if hit.id == "stool" and traps.none_passed(reading.text):
            if "stool" not in seen:
                seen.add("stool")
                name = {"name": "没拉"}
                yield Draft("symptom:constipation", reading.start, reading.end, name, topic=Topic.ELIMINATION)
            continue
        if hit.word.text == "没拉" and _after_eating(reading, scene):
            seen.add("stool")
            value = {"name": "没拉"}
            yield Draft("symptom:diarrhea", reading.start, reading.end, value, negated=True, topic=Topic.ELIMINATION)
            continue
        if _told_by_another_claim(reading, scene, hit):
            continue
        group = _GROUPS.get(hit.id, hit.id)
        if (
            group in seen
            or hit.word.good
            or (hit.id, True) in {("wound", "heat" in ids), ("itching", _HURT.search(reading.text) is not None)}
            or was_before(reading, scene)
            or (hit.id == "ill" and denied(reading, hit))
        ):
            continue
        seen.add(group)
        yield _sign(reading, hit, scene)
    if not seen and not reading.used:
        yield from _patterned(reading, scene)
    but_for = "就" in reading.text and all(hit.family in ("lab", "visit") for hit in reading.used)
    but_that = "不是" in reading.text and all(hit.family == "condition" for hit in reading.used)
    if not seen and (but_for or but_that or not reading.used):  # 不是肾结石，是膀胱里有沙; 指标都正常就是牙上有点黄垢
        yield from find_body_sign(reading, scene)
    if not seen and not reading.used:
        yield from find_sound_part(reading)
    if not seen and not reading.used:
        yield from _poison_eaten(reading, scene)


def _shows_nothing(reading: Reading, hit: Hit, scene: Scene) -> bool:
    """Whether the word is said here of a food, a thing, a likeness or a fright, and not of what the pet shows."""
    return bool(
        (hit.id == "appetite_loss" and _FOR_ITS_TASTE.search(reading.text))
        or _LIKENED.search(reading.before(hit))
        or _belongs_to_food(reading, hit)
        or _is_worse(reading, hit)
        or (hit.id in ("hair_loss", "wound", "skin_lesion") and _OF_A_THING.search(reading.text))
        or (hit.id == "wound" and _is_no_wound(reading, hit))
        or is_no_sign_here(reading, hit, scene)
        or _took_what_was_given(reading, scene, hit)
        or (hit.id in ("tremor", "seizure") and _FRIGHTENED.search(reading.text))
        or (hit.id == "ate_wrong" and _GNAWED_OPEN.search(reading.text))
        or (hit.id == "stool" and not _STOOL_TOLD.search(reading.text))
    )


_NOT_OF_THE_STREAM = re.compile(r"(?:过|再)?(?:血|床|窝|在|到|沙发|外面)")
# 没拉稀, 没拉血: what was not passed, and no constipation.
_NOT_PASSED = re.compile(r"(?:过|再)?(?:(?P<diarrhea>稀|肚子?|水|软)|(?P<bloody_stool>血|黑便)|(?P<parasites_seen>虫))")
_LIKENED = re.compile(r"(?<!好)(?<!不)(?<!是)像$|好似$|一样$")  # 像咳 is a likeness, 好像咳 a doubt
_GNAWED = re.compile(r"(?:啃|咬|扯|撕|拽|抓|掏|嚼|拉|弄|挣|坐|压|踩)$")


def _is_no_wound(reading: Reading, hit: Hit) -> bool:
    """把耳机啃断了 breaks a thing, 优思弗断了三天 a treatment."""
    if hit.word.text not in ("断了", "破了", "裂了", "裂开"):
        return False
    treated = hit.word.text == "断了" and reading.has("drug", "drug_name", "drug_word", "food", "brand")
    return treated or ("把" in reading.text and _GNAWED.search(reading.before(hit)) is not None)


_TOOK_IT = frozenset({"吞下", "咽下去", "吞了", "吞进去"})


def _took_what_was_given(reading: Reading, scene: Scene, hit: Hit) -> bool:
    """一起喂了海乐妙，全吞下去了没吐: how a medicine was taken."""
    previous = scene.previous_of(reading)
    near = [
        one for one in scene.readings[max(0, reading.place - 2) : reading.place] if one.sentence == reading.sentence
    ]
    given = any(one.has("drug", "drug_name", "drug_word", "dewormer") and "喂" in one.text for one in near)
    taken = any(word in reading.text for word in _TOOK_IT)
    return previous is not None and given and taken and (hit.word.text in _TOOK_IT or denied(reading, hit))


_OF_A_THING = re.compile(
    r"(?:地毯|沙发|毯子?|窗帘|衣服|裤子|被子|床单|毛衣|墙皮?|抓板|垫子?|鞋|包)[^,。]{0,3}(?:都|全|又|也)?被"
)  # 地毯都被蹭秃了
_GNAWED_OPEN = re.compile(
    r"把[^,。]{1,8}(?:啃|咬|嚼)(?:了|出)?(?:个|一个|几个)?(?:大|小)?(?:洞|稀烂|烂|坏|断|豁口|牙印|两半|几截)"
)  # a thing that is wrecked, not eaten
_FRIGHTENED = re.compile(r"(?:吓|怕|激动|兴奋|紧张|害怕)(?:得|到|的)?[^,。]{0,4}(?:抖|哆嗦|打颤)|抖成筛")
_SWALLOWS = re.compile(r"[吃舔喝吞啃嚼食服]|咬(?!人|手|我|他|她|它)")


def _poison_eaten(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """咪咪吃了百合: no wrong is said to be done, the thing is wrong enough. Without a pet it may be the owner's tea."""
    swallows = _SWALLOWS.search(reading.text)
    if swallows is None or reading.has("sign"):
        return
    if not any("\x00" in earlier.text for earlier in scene.readings[: reading.place + 1]):
        return
    for poisoning in find_poisonings(reading.text.replace("\x00", " ")):
        if poisoning.scene == "exposure" and not poisoning.may_contain:
            value = {"name": reading.text[swallows.start() :].strip("\x00 ")}
            reading.used.update(reading.of("food", "brand", "allergen", "behavior"))
            yield Draft("symptom:ate_wrong", reading.start, reading.end, value)
            return


_UNTIL = re.compile(r"到[^,。]{1,10}为止")  # 抹到结痂掉了为止 tells how long
_HURT = re.compile(r"(?:把|被|给)[^,。]{0,8}(?:挠|抓)(?:破|伤|出血|花|烂)")  # no itching
_HABITUAL_THEFT = re.compile(r"(?:老|总|爱|喜欢|天天|经常|动不动)[^,。]{0,3}(?:偷|抢)")
_STOOL_TOLD = re.compile(r"软|硬|稀|黑|绿|臭|多|少|大|小|正常|成形|成型|[一两三四五\d]|没|干|黄|白|毛")
_GROUPS = {
    "bloody_stool": "stool",
    "stool": "stool",
    "constipation": "stool",
    "stool_color": "stool",
    "urinary_block": "urine",
    "urination": "urine",
    "frequent_urination": "urine",
    "polyuria": "urine",
    "hematuria": "urine",
    "inappropriate_urination": "urine",
    "itching": "skin",
    "skin_lesion": "skin",
    "hair_loss": "skin",
    "limping": "leg",
    "fracture": "leg",
    "weakness_hind": "leg",
    "hiding_pain": "pain",
    "wound": "wound",
    "bleeding": "wound",
    "eye_discharge": "eye",
    "eye_redness": "eye",
    "ear_problem": "ear",
    "seizure": "seizure",
    "tremor": "seizure",
    "weight_change": "weight",
    "weight_loss": "weight",
    "weight_gain": "weight",
}


def _told_by_another_claim(reading: Reading, scene: Scene, hit: Hit) -> bool:
    """又胖了，11斤8两 is the weight; 拍片没骨折 is what the picture showed, 没骨裂没脱臼 one finding."""
    following = scene.next_of(reading)
    if hit.id.startswith("weight") and following is not None and following.about.pets == reading.about.pets:
        return any(q.unit in ("kg", "斤") for q in following.quantities())
    ruled_out = any(other.family == "condition" and denied(reading, other) for other in reading.used)
    looked = reading.has("visit") and _ONLY_SINCE.search(reading.text) is None
    return (looked or ruled_out) and denied(reading, hit)


_ONLY_SINCE = re.compile(
    r"自(?:从|打)|(?:完|[之以]?后|到现在)[^,。看查]{0,6}?(?:再也?|就|都|也)没"
)  # 自打做完手术就没瘸过


def _after_eating(reading: Reading, scene: Scene) -> bool:
    """没拉 after something was eaten means that it did no harm."""
    previous = scene.previous_of(reading)
    return previous is not None and re.search(r"吃|喝|舔|喂", previous.text) is not None and len(reading.text) < 8


def _is_worse(reading: Reading, hit: Hit) -> bool:
    """泪痕又重了 tells how bad the sign before is, not how heavy the pet."""
    if hit.word.text not in ("重了", "轻了"):
        return False
    return any(other.family in ("sign", "condition") and other.end <= hit.start for other in reading.hits)


_ENDS_IN_EATING = re.compile(r"(?:吃|碰|喝)$")


def _belongs_to_food(reading: Reading, hit: Hit) -> bool:
    """不肯吃胡萝卜 tells of the carrot, not of the appetite; 不让碰油 of the fat."""
    if not _ENDS_IN_EATING.search(hit.word.text):
        return False
    return any(
        other.family in ("food", "brand", "allergen") and 0 <= other.start - hit.end <= 2 for other in reading.hits
    )


_PATTERNS = [
    (key, re.compile("|".join(group)))
    for field in ("bodily", "signs")
    for key, group in vocabulary(field)["patterns"].items()
]


def _patterned(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """Signs that are said in several words."""
    for key, pattern in _PATTERNS:
        match = None if key == "hiding_pain" and is_a_temper(reading.text) else pattern.search(reading.text)
        of_an_organ = key == "urinary_stones" or any(hit.id == ORGAN for hit in reading.hits)
        if match and not (of_an_organ and seen_at_a_clinic(reading, scene)):
            reading.used.update(hit for hit in reading.of("body", "food", "behavior"))
            topic = Topic.ELIMINATION if key in _OF_THE_TOILET else None
            fine = _NO_MORE.search(reading.text[: match.start()]) is not None or is_unseen(
                reading.text[match.start() :]
            )
            yield Draft(f"symptom:{key}", reading.start, reading.end, {"name": match[0]}, fine, topic=topic)
            return


_EDIBLE = ("food", "allergen", "drug", "drug_name", "drug_word")
_OF_THE_TOILET = frozenset({"stool_color", "urination", "diarrhea", "bloody_stool"})
_NO_MORE = re.compile(r"(?:没再?|再也没|再没|没有再?|不再|从没|从来没|未再?)(?:怎么|有)?$")


def _sign(reading: Reading, hit: Hit, scene: Scene) -> Draft:
    topic = Topic(hit.word.topic) if hit.word.topic else None
    cls = AttributeClass(hit.word.attribute_class) if hit.word.attribute_class else None
    if hit.id == "stool" and not denied(reading, hit) and traps.stool_is_wrong(reading.text):
        cls = AttributeClass.SYMPTOM  # 便便还稀
    slot = "symptom" if cls in (None, AttributeClass.SYMPTOM) else str(cls)
    about = _what_was_eaten(reading, scene) if hit.id == "ate_wrong" else _where_told(reading, scene)
    if hit.id in ("appetite_loss", "ate_wrong"):
        reading.used.update(reading.of("food", "brand", "allergen"))
    value, negated = {"name": hit.word.text}, denied(reading, hit)
    return Draft(f"{slot}:{hit.id}", reading.start, reading.end, value, negated, cls, topic, about=about)


def _what_was_eaten(reading: Reading, scene: Scene) -> str:
    """拿了块榴莲，它舔了两口: the thing stands in the clause before."""
    near = [] if reading.has(*_EDIBLE) else scene.readings[max(0, reading.place - 2) : reading.place][::-1]
    eaten = (hit for one in near if one.sentence == reading.sentence for hit in one.hits if hit.family in _EDIBLE)
    return next((hit.word.text for hit in eaten), "")


_NAMES_THE_PLACE = re.compile(r"^\x00*(?:其实|应该|说错了?)?(?:是|不是)[^,。]{0,4}[左右前后]")


def _where_told(reading: Reading, scene: Scene) -> str:
    """是右腿，不是左腿，不敢落地: the place was put right in a clause of its own."""
    if reading.has("body"):
        return ""
    for earlier in reversed(scene.readings[max(0, reading.place - 3) : reading.place]):
        if earlier.about.pets == reading.about.pets and _NAMES_THE_PLACE.search(earlier.text):
            meant = [
                hit.word.text
                for hit in earlier.hits
                if hit.family == "body" and not earlier.text[: hit.start - earlier.start].endswith("不是")
            ]
            if meant:
                return meant[0]
    return ""
