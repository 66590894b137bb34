"""Weights, goals, age, birthday, sex: 现在71斤, 上个月还是74.5, 医生让控制在4.5以内, 3月15日出生."""

import re
from collections.abc import Iterator

from domain.offline.extractor.arrivals import arrival
from domain.offline.extractor.other_times import figure_of_another_time, is_as_much
from domain.offline.extractor.quantities import WEIGHT_UNITS, Quantity
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.pet_roll import BREEDS
from memory.numerals import read_number
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_WEIGHING = re.compile(r"称|秤|体重|斤|公斤|kg|千克|重|胖|瘦|掉|涨|长到|减到|克")
_NOT_WEIGHT = re.compile(
    r"吃|喂|一顿|每顿|(?<![头第])一天|每天|袋|(?<!皮)包|粮|冻干|猫砂|狗粮|猫粮|罐|囤|买|驱|那款|适用|(?:斤|kg)(?:的|装|那种|那款|规格|体重段|用的)|规格|以下用|以上用|块钱|预算|一斤[^,。]{0,5}(?:以内|以下|左右)|一勺|肉|喝|水"
)
_CLEARLY_WEIGHT = re.compile(r"体重|称|秤|胖|瘦|重了|轻了|上秤|减肥")
_GOAL = re.compile(
    r"(?:别|不要|不能)超|[降减瘦]回|目标|控制在|控制到|减到|想(?:让|要|减|瘦)|希望|争取|标准(?:体重)?|理想|最好|以内|以下|不超过|别超|最(?:合适|合适不过|理想|标准)|应该(?:在|是)|减肥到|要减|医生(?:让|说|建议)[^,。]{0,6}(?:减|控|到)|计划(?:减|瘦)|养到|喂到|稳在|维持在|保持在|控到|稳定在"
)
_BARE = re.compile(
    r"(?:今年|去年|前年|这个月|这月|月初|月底|入冬|入秋|开春|年初|夏天|已经|就|不?超过|别超|不超|还是|还|才|是|到|在|只有|都|有|变|[长养涨掉降胖瘦干飙蹿窜冲升减控][到回]|[降减瘦掉控]回|[吃长养喂胖]成|,|体重|[称秤]了?一?下|称了?|秤|称得|称出来|这周|上周|今天|^|^\x00+(?:才|都|已经|有)?|[称秤](?:的|得|了)?\x00+)(\d{1,3}(?:\.\d+)?)(?!\d|[号月年日点:岁个天次片粒颗单mk%度块元毫周顿罐])"
)
_CHANGE = re.compile(
    r"(?:比[^,。]{1,6}(?:重|轻|胖|瘦)|掉|瘦|胖|轻|涨|长|减|增|少|多|重(?=了|小|大))了?(?:小|大|差不多|快|大概|整整|足足)?$"
)
_CHANGED_BY = re.compile(r"(?:掉|瘦|胖|涨|长|重|轻|减)了?[^,。]{0,4}(?:斤|两|公斤|kg)")
_FROM_TO = re.compile(r"从\d[\d.]*[^,。\d]{0,4}到\d")  # 从8.9到8.6, after 掉了六两
_MONTHS_OLD = re.compile(
    r"(?:满|快|刚|才|都|今年|已经)?(\d+|[一二两三四五六七八九十]+)(?:个半?月大(?!概|约)|个月(?:多)?大(?!概|约)|岁半?(?!的时候|那年|时)|周岁)"
)
_AGE_OF_PET = re.compile(
    r"\x00+(?:现在|今年|都|才|刚|快|已经|也|是|大概|差不多|满|约)*(\d+|[一二两三四五六七八九十]+)(?:个半?多?月|岁半?)(?:了|多|大|左右|出头|不到)*$"
)  # 小土七个月
_BY_ITS_TEETH = re.compile(
    r"(?:看牙口?|牙口|骨龄|(?:医生|大夫|兽医)[^,。]{0,3}(?:估|推测|判断|猜))[^,。]{0,6}?((?:\d|[一二两三四五六七八九十半])+(?:岁|个月)?(?:[到至~-](?:\d|[一二两三四五六七八九十])+)?(?:岁半?|个半?月))"
)  # 看牙口说一岁左右, whenever it was looked at
_BORN = re.compile(r"生日|出生|(?<![医先学])生的(?!病)|破壳|[年月日号]生$")
_ADOPTED = re.compile(r"到家|接回家|领养(?:的|回|来)|捡(?:的|到|回)|买回来|抱回来")
_SEX = re.compile(
    r"是(?:个|只|条|位)?(?:小)?(?:(公|男)(?:的|猫|狗|孩|宝|生)|(母|女)(?:的|猫|狗|孩|宝|生)|(弟弟|儿子|小伙子|带把的|gg)|(妹妹|姑娘|闺女|女儿|mm))"
)
_THEN = re.compile(r"那会|那年|那时|时候|当时|以前")
_CHIP = re.compile(r"芯片")
_CHIP_NUMBER = re.compile(r"(?<!\d)\d{15}(?!\d)|(?<![\da-z])[\da-f]{9,10}(?![\da-z])")  # ISO 11784, and the older kinds


# Where a pet comes from and how big it is besides its weight.
_ORIGIN = re.compile(
    r"(?:领养|捡|买|抱养|收养|救助|别人送|朋友送|赠送|是我?[^,。\x00它]{1,7}[送给])(?:的(?!时候|那天|第)|来的?|回来的?|回家的?)(?:只|条|个)?(?:小|大|奶|流浪)?[黑白黄橘花灰三狸土]?[猫狗犬兔鼠鸟龟]?$|\x00[^,。]{0,4}从[^,。\x00]{2,12}(?:捡|抱|领|买|救|接)(?:来|回)|\x00+(?:也)?是\x00+(?:(?:亲)?(?:生|下)的|的(?:亲|大|小|二)*(?:儿子|闺女|女儿|妈妈?|爸爸?|哥哥?|弟弟?|姐姐?|妹妹?|崽|孩子|娃))|(?:接|抱|领|捡|带)(?:回来|回家|到家)(?:的|了)?$|(?:和|跟|与)[^,。]{1,6}的?(?:串串?|混血|杂交)|是(?:个|只|条)?[^,。]{0,4}串串?$|(?<![猫狗任])(?:妈妈?|爸爸?|爹|娘)是(?!个|我|你|谁|她|他)[^,。的]{2,6}$"
)
_BLOOD = re.compile(r"(?<!不)是(?:ab?|b|dea ?\d\.?\d?[^,。]{0,3})型|血型[^,。没查验测]{0,3}(?:ab?|b|dea)")
_MEASURE = re.compile(
    r"(?:肩高|体长|身长|身高|胸围|颈围|背长|腿长)[^,。\d]{0,3}\d|体型评分[^,。]{0,2}\d|bcs[^,。]{0,2}\d|穿[^,。]{0,6}(?:[smlx]+|加大|小|大|中|\d+)码|穿[smlx]{1,4}(?=就|够|正好|合适|的|$)|体重(?:没变|不变|稳定|持平|没涨|没掉|没长|没动)"
)
_OTHER_NAME = re.compile(
    r"(?:大名|小名|全名|学名|英文名|外号|昵称|花名|曾用名|本名)(?:也|还)?(?:是|叫|有|:)[^,。]+|\x00+(?:原来|原先|以前|之前|刚来时?|一开始|在家|平时)(?:是)?叫(?![我得个唤声])[^,。了得]{1,6}$"
)
_HOME_DAY = re.compile(
    r"领养日|到家日|(?:到家|回家|来(?:我|咱)们?家|领养|接回来?)的?(?:日子|日期|时间)|接回家(?:的)?(?:日子|那天|纪念)|(?:领养|到家|入家门)[^,。]{0,3}(?:纪念日|周年)|[日号年月]的?(?:到家|进家门|来(?:的)?我?家|领养|接回(?:来|家))的?$"
)
_ROUND_AGE = re.compile(r"满(?:周岁|月|百天)(?!再|后|以后|之后|酒)|百天|[一两三四五六七八九十\d]+周(?:龄|大)")


def find_growth(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """Weights (each its own claim), a goal weight, and what the ID card holds."""
    weights = list(_weights(reading, scene))
    yield from weights
    if any(time.on for time in reading.times) and (_BORN.search(reading.text) or _birthday_told(reading, scene)):
        yield Draft("birth_date", reading.start, reading.end, {}, topic=Topic.GROWTH)
    elif sex := _SEX.search(reading.text):
        yield Draft("sex", reading.start, reading.end, {"sex": "male" if sex[1] or sex[3] else "female"})
    elif _CHIP.search(reading.text) and re.search(
        r"\d{6,}|打|植|有|(?:号|尾号|后[三四五六]位|末[三四五六]位)[^,。\d]{0,4}\d{2,}", reading.text
    ):
        number = _CHIP_NUMBER.search(reading.text)
        unchipped = re.search(r"(?:没|未|没有|不)(?:打|植|装|埋|上)", reading.text) is not None
        yield Draft("microchip", reading.start, reading.end, {"chip": number[0]} if number else {}, unchipped)
    elif blood := _BLOOD.search(reading.text) if "血" in scene.folded else None:
        yield Draft("other:blood_type", reading.start, reading.end, {"text": blood[0]}, topic=Topic.MEDICAL)
    elif (name := _OTHER_NAME.search(reading.text)) and not reading.used:
        yield Draft("other:name", reading.start, reading.end, {"text": name[0]}, topic=Topic.GROWTH)
    elif home := _HOME_DAY.search(reading.text) or arrival(reading, scene):
        yield Draft("other:origin", reading.start, reading.end, {"text": home[0]}, topic=Topic.GROWTH)
    elif measure := _MEASURE.search(reading.text):
        yield Draft("other:measure", reading.start, reading.end, {"text": measure[0]}, topic=Topic.GROWTH)
    elif age := _BY_ITS_TEETH.search(reading.text):
        yield Draft("age", reading.start, reading.end, {"text": age[1]})
    elif not reading.used and (breed := _breed(reading)):
        yield breed
    elif not reading.used and (origin := _ORIGIN.search(reading.text)) and reading.about.explicit:
        yield Draft("other:origin", reading.start, reading.end, {"text": origin[0]}, topic=Topic.GROWTH)
    elif not (weights or reading.used or _THEN.search(reading.text)) and (round_age := _ROUND_AGE.search(reading.text)):
        yield Draft("age", reading.start, reading.end, {"text": round_age[0]})
    elif (
        not weights
        and not reading.used
        and (age := _MONTHS_OLD.search(reading.text) or _AGE_OF_PET.search(reading.text))
        and len(reading.text) < 14
        and not _THEN.search(reading.text)
        and not _leads_on(reading, scene)
    ):
        yield Draft("age", reading.start, reading.end, {"text": age[0]})


_IS_A = re.compile(r"\x00+(?:也|都|其实|就|本来)*(?:是|算)(?:个|只|条|一只|一条|纯种|正宗)*([^,。\x00]{2,6})$")


def _breed(reading: Reading) -> Draft | None:
    """大卫是折耳: what kind of cat or dog it is, told with nothing else."""
    told = _IS_A.search(reading.text)
    if told is None or not any(words.search(told[1]) for words in BREEDS.values()):
        return None
    return Draft("other:breed", reading.start, reading.end, {"text": told[1]}, topic=Topic.GROWTH)


def _leads_on(reading: Reading, scene: Scene) -> bool:
    """两岁多因为青光眼摘过一只眼: when it was, and no age of today."""
    following = scene.next_of(reading)
    return following is not None and following.text.startswith("因为") and following.start == reading.end


_IS_THE_DAY = re.compile(r"^\x00*(?:不是[^,。]{1,8},)?(?:应该|其实|正确的)?是")


def _birthday_told(reading: Reading, scene: Scene) -> bool:
    """生日登记错了，桃桃是11月20: the day stands in the clause after the word."""
    before = scene.readings[max(0, reading.place - 2) : reading.place]
    return _IS_THE_DAY.match(reading.text) is not None and any("生日" in other.text for other in before)


_COMPARED = re.compile(
    r"比(?P<whom>[^,。比]{1,8}?)(?:还|要|都|又|也|可|足足|整整|差不多|大概|快)*"
    r"(?P<by>(?:重|轻|胖|瘦|沉|多|少|大|小)了?(?:出|有|小|快|大概|整整|足足|差不多|将近|了)*"
    r"[一二两三四五六七八九十百半\d.]+(?:公斤|千克|kg|斤|两|克)[一二两三四五六七八九半\d]?两?)"
)  # 比它还沉一斤三两, 比上个月少了二两
_N = r"[一二两三四五六七八九十半\d.]+"
_SET_BESIDE = re.compile(
    rf"\x00+(?:要|能|可)?[重轻沉]\x00+[^,。]{{0,2}}{_N}(?:公斤|斤|kg|两)|差(?:了|不多|着|出|它|他|她|\x00+)?{_N}(?:公斤|斤|kg|两)|(?:是|有|顶|才|只)(?:\x00+|它|他|她)的?(?:{_N}倍|一半|两个)"
    rf"|^\x00+(?:就|则|还|却|要|得|是|再|比较)*(?:多|重|沉|轻|少)(?:出|了|个)?(?:大概|差不多)?{_N}(?:公斤|斤|kg|两)"
)  # 芝麻重元宵三斤, 芝麻只有元宵一半重, 两只差三斤, 元宵还要再重八两
_AN_EARLIER_DAY = re.compile(r"[天月周年次回]|之前|以前|原来|从前|刚来|礼拜|星期|那会|那时|绝育|手术|节前")


def _weights(reading: Reading, scene: Scene) -> Iterator[Draft]:
    by_ounces = _CHANGED_BY.search(reading.text) is not None  # 瘦了八两
    amounts = [q for q in reading.quantities() if q.unit in WEIGHT_UNITS or (by_ounces and q.unit == "两")]
    if not amounts and "两" in reading.text and (then := _ounces_then(reading)):
        yield from (_weight(reading, q) for q in then)
        return
    if "比" in reading.text and (compared := _COMPARED.search(reading.text)) and not _is_fed(reading):
        reading.used.update(hit for hit in reading.of("sign") if hit.id.startswith("weight"))
        slot = "symptom:weight_change" if _AN_EARLIER_DAY.search(compared["whom"]) else "other:weight_compared"
        yield Draft(slot, reading.start, reading.end, {"text": compared["by"]}, topic=Topic.GROWTH)
        amounts = [q for q in amounts if q.end - reading.start <= compared.start()]
        yield from (
            _weight(reading, q) for q in amounts[:1] if not _CHANGE.search(reading.text[: q.start - reading.start])
        )
        return
    if _SET_BESIDE.search(reading.text) and not _is_fed(reading):
        yield Draft("other:weight_compared", reading.start, reading.end, {"text": reading.text}, topic=Topic.GROWTH)
        return
    if not amounts:
        beside = _beside_a_weight(reading, scene)
        yield from (_weight(reading, beside),) if beside else _bare_weight(reading, scene)
        return
    if not _WEIGHING.search(reading.text) or (_is_fed(reading) and not _OF_THE_PET.search(reading.text)):
        return
    amounts = amounts[:1] if _is_fed(reading) else amounts  # 它7斤，那颗是20到40公斤的
    grams = all(q.unit == "g" for q in amounts)
    if (
        grams
        and _CAME_HOME_WITH.search(reading.text) is None
        and not (_CLEARLY_WEIGHT.search(reading.text) or _GAINED_GRAMS.search(reading.text))
    ):
        return  # grams are food unless somebody weighs
    if _FROM_A_TO_B.search(reading.text):
        amounts = amounts[-1:]
    for amount in amounts:
        yield _weight(reading, amount)


def _ounces_then(reading: Reading) -> list[Quantity]:
    """刚捡来那天就八两: a few ounces, when the pet was new, told in 斤 as any weight is."""
    ounces = [q for q in reading.quantities() if q.unit == "两"]
    new = [q for q in ounces if _THEN_ONLY.search(reading.text[: q.start - reading.start])]
    return [Quantity(q.start, q.end, round(q.number / OUNCES, 2), "斤") for q in new]


def _is_fed(reading: Reading) -> bool:
    return _NOT_WEIGHT.search(reading.text) is not None and _CLEARLY_WEIGHT.search(reading.text) is None


# 煤球十三斤二了见啥吃啥: the figure stands right after the pet, or after what is told of its weight now.
_OF_THE_PET = re.compile(
    r"\x00(?:现在|今天|都|已经|才|刚|也|有|快|这会儿|如今|就)*[\d一二两三四五六七八九十.]+(?:公斤|千克|kg|斤)"
    r"(?!(?:的|重)?(?:猫|狗|犬|幼)?(?:粮|肉|罐|冻干|鸡|牛|鱼))"
)
OUNCES = 10  # 两 in a 斤
_CAME_HOME_WITH = re.compile(
    r"(?:[抱接捡领买带](?:[来回家]|[的养]|那[天会])|刚到|到家|进门|来家|出生|生下来|落地|满月|断奶|头一?天|第[一二三]天)[^,。吃喂喝]{0,6}?(?:\d|[一二三四五六七八九两百])+\s?(?:克|g)(?!的|粮|肉)"
)  # 刚抱来才900克
_THEN_ONLY = re.compile(
    r"(?:[抱接捡领买带](?:[来回家]|[的养]|那[天会])|到家|进门|来家|刚来|来的|出生|生下来|落地|满月|断奶)[^,。吃喂喝\x00]{0,6}?(?:才|就|只有?|还|不到|约|大概|\x00)*$"
)
_GAINED_GRAMS = re.compile(r"(?:涨|长|掉|瘦|胖|轻|重)[了到]?[\d一二两三四五六七八九十百]+(?:克|g)")
_FROM_A_TO_B = re.compile(
    r"从[\d一二两三四五六七八九十.]+(?:公斤|千克|kg|斤)半?[^,。]{0,4}(?:减|掉|瘦|涨|长|胖|降|升|养|喂|吃|飙|蹿)到"
)


def _weight(reading: Reading, amount: Quantity) -> Draft:
    reading.used.update(hit for hit in reading.of("sign") if hit.id.startswith("weight"))
    before = reading.text[: amount.start - reading.start]
    value = amount.as_value()
    if _GOAL.search(reading.text) and not re.search(r"(?:减|瘦|养|喂)到(?:[^,。]{1,8}[了啦咯]|了)", reading.text):
        return Draft(
            "weight_goal", reading.start, reading.end, value, cls=AttributeClass.PREFERENCE, topic=Topic.GROWTH
        )
    if _CHANGE.search(before):
        return Draft("symptom:weight_change", reading.start, reading.end, value, topic=Topic.GROWTH)
    negated = re.search(r"不是$|没有$|没到$", before) is not None
    return Draft("weight", reading.start, reading.end, value, negated)


# 这周6.8，上周7.1, and 称了一圈，元宝4.8金宝5.5: figures that can only be weights, without a unit.
_SERIES = re.compile(
    r"(?:这周|今天|现在|本周|这次|这个月)(?:是|才|都)?\d{1,2}\.\d[^,。]{0,3},(?:再)?上(?:周|次|个?月|礼拜)(?:是|还)?[^,。\d]{0,3}\d{1,2}\.\d"
)
_ROUND = re.compile(r"[称秤][^,。\d]{0,6},[^,。\d]{1,6}\d{1,2}\.\d[^,。\d]{1,6}\d{1,2}\.\d")


_NAMED_FIGURE = re.compile(r"\x00+(?:现在)?(?:才|都|也|已经|是|有|得)?\d{1,2}\.\d了?$")  # 瘦瘦才4.2，胖胖都8.8了
_GROWN_TO = re.compile(r"[长涨胖瘦掉养干飙蹿窜吃喂冲升][到成]了?\d|[降减瘦掉控][回到]\d")


def _bare_weight(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """A number without a unit beside an earlier weight, or after words of weighing: 上个月还是74.5, 胖到5.1."""
    match = _BARE.search(reading.text)
    if match is None or reading.has("lab", "drug", "drug_name", "drug_word"):
        return
    told = _SERIES.search(scene.folded) is not None or _ROUND.search(scene.folded) is not None
    told = told or (any(_WEIGHED.search(one.text) for one in scene.readings) and _is_series(scene))
    told = told or sum(_NAMED_FIGURE.search(other.text) is not None for other in scene.readings) > 1
    earlier = [
        q
        for other in scene.readings
        if other.start <= reading.start
        for q in other.quantities()
        if q.unit in WEIGHT_UNITS
    ]
    previous = scene.previous_of(reading)
    changed = previous is not None and _CHANGED_BY.search(previous.text) and _FROM_TO.search(reading.text)
    fits = (
        _CLEARLY_WEIGHT.search(reading.text)
        or (told and "." in match[1])
        or (earlier and _GROWN_TO.search(reading.text))
        or changed
        or (earlier and scene.previous_of(reading) and _talks_of_weight(scene, reading))
        or (_ONLY_A_FIGURE.match(reading.text) and (earlier := _weighed_next(reading, scene)))
    )
    number = read_number(match[1])
    if not fits or number is None or (not earlier and "." not in match[1]):
        return
    unit = earlier[-1].unit if earlier else "kg"
    if unit == "g":
        return
    start = reading.start + match.start(1)
    yield _weight(reading, Quantity(start, start + len(match[1]), number, unit))


def _beside_a_weight(reading: Reading, scene: Scene) -> Quantity | None:
    """3.6公斤，上个月3.4 and 上个月3.4，这个月3.6公斤: the unit is told with the other figure."""
    figure = figure_of_another_time(reading)
    number = read_number(figure) if figure else None
    if figure is None or number is None:
        return None
    before = scene.readings[max(0, reading.place - 2) : reading.place]
    following = scene.next_of(reading)
    for other in (*reversed(before), *((following,) if following else ())):
        if other.sentence != reading.sentence or _is_fed(other) or not _WEIGHING.search(other.text):
            continue
        for known in reversed([q for q in other.quantities() if q.unit in ("kg", "斤")]):
            if is_as_much(number, known.number):
                start = reading.start + reading.text.index(figure)
                return Quantity(start, start + len(figure), number, known.unit)
    return None


_WEIGHED = re.compile(r"[称秤]|体重|胖|瘦")
_PART_OF_SERIES = re.compile(
    r"^\x00*(?:[上这本去今前]个?[月年周次回]|现在|今天|昨天|入[冬秋夏]|开春|[年月][初中底]|[一二三四五六七八九十\d]+月|刚来|到家)[^,。\d]{0,6}\d{1,2}\.\d(?:了|吧|多)?$"
)


def _is_series(scene: Scene) -> bool:
    """上个月称还是5.2，这个月就4.7了: a figure each for several days."""
    return sum(_PART_OF_SERIES.match(one.text) is not None for one in scene.readings) > 1


_ONLY_A_FIGURE = re.compile(r"^\x00+(?:现在|今天|都|已经|才|刚|有)*\d{1,2}\.\d{1,2}(?:了|多|啦)*$")


def _weighed_next(reading: Reading, scene: Scene) -> list[Quantity]:
    """糖糖7.2了，米粒才五斤: the figure before a weight is one, too."""
    following = scene.next_of(reading)
    if following is None or following.sentence != reading.sentence or _NOT_WEIGHT.search(following.text):
        return []
    return [q for q in following.quantities() if q.unit in ("kg", "斤")]


def _talks_of_weight(scene: Scene, reading: Reading) -> bool:
    """Whether one of the three clauses before weighs somebody."""
    before = scene.readings[max(0, reading.place - 3) : reading.place]
    return any(
        _CLEARLY_WEIGHT.search(earlier.text)
        or (any(q.unit in ("kg", "斤") for q in earlier.quantities()) and not _NOT_WEIGHT.search(earlier.text))
        for earlier in before
    )
