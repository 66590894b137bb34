"""What was done or found at a clinic: 上周五做的B超, 肌酐182, 导了尿, 住院两天今天接回来."""

import re
from collections.abc import Iterator

from domain.observations import TEMPERATURE
from domain.offline.extractor.courses import with_its_end
from domain.offline.extractor.illnesses import OF_THE_PARENTS
from domain.offline.extractor.other_times import figure_of_another_time, is_as_much
from domain.offline.extractor.plans import is_future
from domain.offline.extractor.reading import Draft, Reading, Scene, denied
from domain.offline.extractor.temperatures import find_temperature
from domain.offline.extractor.wordlist import Hit
from domain.pet_halves import tells_of_a_half
from domain.reading_results import result_in
from memory.numerals import read_number
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_DONE = re.compile(
    r"[就只]是|[戴靠]|周|在(?:做|泡|住|打|输|吊|吸|挂)|了|过|完|的(?!话)|刚|已|今天|昨|上周|上个|前天|去|年|月|号|结果|正常|没|天|做|查|拍|测|降|升|高|低|出|第|次|阳|阴|指标|说|花|恢复|顺利|成功|苏醒|[一二两三四五六七八九十\d][颗根块处针段]"
)
_LOOKED = frozenset({"imaging", "blood_test", "stool_test", "urine_test"})
_STAYS = frozenset({"hospital_stay", "catheter", "infusion", "neutering"})  # told beside the disease they are for
_DRUGS = ("drug", "drug_name", "drug_word")
_WAYS_IN = frozenset({"皮下", "雾化", "灌肠"})  # how a medicine is given, told with it
_HANDED_OVER = re.compile(r"(?:报告|化验单|单子|片子|病历)[^,。]{0,4}(?:发|传|给你|拍给)")
_WENT = re.compile(r"[去到从在看挂送抱带跑回住接]|急诊")
_SAYS = re.compile(r"(?:那边)?[说讲让叫]")  # 医院说三个月一回
_NOT_DONE = re.compile(r"(?:还没|没|没有|不|未|不用|不打算|不想|别|从没)(?:去|做|有|带|敢|能|打算|想)*(?:看)?$")
_LAB_NUMBER = re.compile(
    r"[^\d,。;]{0,6}?(?:从\d[\d.]*[^\d]{0,4}?(?:降|升|涨|掉|变|到)[^\d]{0,2})?(\d+(?:\.\d+)?)(?!\d|[天月号日年周岁])\s?(%|mmol/l|μmol/l|umol/l|u/l|g/l|mmhg|度|℃|次)?"
)
_RESULT = re.compile(
    r"爆表|飙|正常|(?:参考|安全|理想)(?:值|范围|区间)|够|达标|合格|不足|过关|偏大|偏厚|增厚|略高|略低|略大|稍高|稍低|negative|positive|ok|弱阳|转阴|偏高|偏低|高了|低了|阳|阴|没(?:问题|毛病|事|异常|虫|查)|无异常|结果|超标|杂音|结晶|比上次|升|降|高|低|不太好|红线|有点|很好|没看到|偏快|偏慢|不齐|漏跳|都没有|(?:测|查|验|做)(?:过|了)|[一二两三四五六七八九十几\d][万千百]|加号|\\+"
)


# Treatments whose verb takes words between its two halves: 输了两天液, 拔了两颗坏牙. (id, pattern)
_SEPARATED = (
    ("infusion", re.compile(r"[输补](?:了|过|完|着)[^,。液]{0,4}液|[挂吊](?:了|过|完|着)[^,。水]{0,4}水")),
    (
        "surgery",
        re.compile(
            r"打(?:了|过|的|上)[^,。]{0,3}(?:钢板|钢钉|骨钉|髓内针|支架)|拆(?:了|的|完|过)[^,。线]{0,2}线|缝(?:了|过|的)?[^,。针]{1,3}针|开(?:了|过|完)[^,。刀]{0,2}刀|(?:摘|切|截|取)(?:了|除|掉|过|完)+[^,。]{0,6}(?:脾|子宫|卵巢|睾丸|蛋蛋|胆囊|肾|眼球|瘤|肿块|结石|钢[板钉]|肠|趾|肢|尾巴)|(?:脾|子宫|卵巢|睾丸|胆囊|眼球|瘤子?|肿块|结石|钢[板钉]|线头|异物)[^,。]{0,6}(?:摘|切|取)(?:了|除|掉|出来)|(?:[换除补合建定]|手)术后?(?:已经|快|都)*第?[一二两三四五六七八九十半\d]+(?:天|周|个?月|年)"
        ),
    ),
    (
        "dental",
        re.compile(
            r"牙(?:给|都|也)?(?:洗|拔)(?:了|完|好|掉)|拔(?:了|掉|过|完|的)[^,。牙]{0,6}(?:牙|犬齿|臼齿)|洗(?:了|过|完|的)[^,。牙]{0,2}牙|(?:全口|[上下门乳犬臼]牙)[^,。]{0,2}(?:都|全)?拔|(?<![要得需该能])拔(?:了|掉|过|完)?(?:俩|仨|[一二两三四五六七八九十\d]+[颗个])(?:牙|$)"
        ),
    ),
    ("blood_test", re.compile(r"[抽验查](?:了|过|完|个|的)[^,。血]{0,3}血")),
    ("test", re.compile(r"抽(?:了|过|完|的)[^,。]{0,3}(?:骨髓|腹水|胸水|积液|脑脊液|组织)")),
    ("urine_test", re.compile(r"[验查](?:了|过|完|个)[^,。]{0,2}(?:尿|便)(?!便)")),
    ("imaging", re.compile(r"[拍照](?:了|过|完|个|的)[^,。]{0,5}(?:(?<!照)(?<!图)(?<!名)(?<!影)片|x光|ct)")),
    ("hospital_stay", re.compile(r"住(?:了|过|完|的)[^,。院]{0,5}院")),
    (
        "hospital_stay",
        re.compile(r"(?:住|观察|留)(?:了|过)?[^,。]{0,3}[晚夜宿天][^,。]{0,8}(?:(?:领|接|抱)(?:回|出)|刚?回(?:家|来))"),
    ),
    (
        "treatment",
        re.compile(
            r"[戴带](?:着|了|上|个|满)?[^,。]{0,8}(?:(?<![项颈脖])圈(?!圈)|头套)|(?:白圈|头圈|头套|脖套)[^,。]{0,5}(?:戴|摘)|(?:打|绑|缠|上)(?:着|了)[^,。]{0,3}(?:石膏|夹板|绷带)|(?:绷带|纱布|敷料|药布)[^,。]{0,3}(?:每|隔|一天|两天|天天|早晚)[^,。]{0,4}换|[换拆](?:了|过)[^,。]{0,2}(?:绷带|纱布|敷料)|[做扎打](?:了|过|完)[^,。]{0,5}(?:雾化|针灸|理疗|水疗|氧)|吸(?:了|的|过|着)[^,。]{0,3}氧|[进住](?:了|的|过)?氧[舱箱]|上(?:了|的)?呼吸机"
        ),
    ),
    (
        "rest",
        re.compile(
            r"(?:关笼|笼养|笼休|静养|卧床|[限禁](?:制|止)?(?:剧烈)?(?:运动|活动))[^,。]{0,6}(?:天|周|月|礼拜|星期)"
            r"|(?:天|周|月|礼拜|星期)[^,。内]{0,4}(?:关笼|笼养|笼休|静养|卧床|不能(?:剧烈)?(?:运动|跑跳|跳))"
        ),
    ),
    (
        "clinic",
        re.compile(
            r"看(?:了|过|的)(?!一集|一期|个视频)[^,。]{0,6}(?:医生|大夫|门诊|专家|急诊|中医|专科)|挂(?:了|的)[^,。]{0,4}号"
        ),
    ),
)
_LEFT_WHOLE = re.compile(r"没(?:有)?(?:做)?(?:绝育|阉|结扎|去势)")  # 没阉也没打算阉
_LASTS = frozenset({"treatment", "rest", "hospital_stay"})  # what goes on for a while, and has a last day
# A test no list holds, made one by its outcome: 猫抓病阴性.
_OUTCOME = re.compile(
    r"(?:阴性|阳性|弱阳|negative|positive)|(?:检|测|试纸|抗[原体]|pcr|板子?)[^。]{0,8}(?:阴的?|阳的?|[一两]道杠)$"
)


_BALLS_GONE = re.compile(
    r"(?<![鸡鸭鹅鹑皮])蛋蛋?(?:已经?|都|也|刚|上[周个]月?|去年|早就?|终于|给|被|刚刚)+(?:嘎|噶|割|摘|切|没)(?!(?:到|吃|动))了?|(?:嘎|噶)(?:了$|完(?![蛋]))|(?<![鸡鸭鹅鹑皮])(?:蛋蛋|铃铛|小丸子)(?:没|摘|割|切|卸)(?:了|掉)|(?<!没)(?<!不)(?<!未)(?<!要)(?<!想)(?:净(?:了|完)?身(?!高|体|材|价|上)(?=完|了|成|$)|净身|去(?:了|完)势(?!力))|(?<!不)(?:(?:当|成|做|变)(?:了|成)?(?:小公公|太监)|是(?:小公公|太监)了)|(?<!没)(?<!不)绝育(?:手术)?[^,。没不想要等后]{0,8}(?:搞定|完事|收工|拿下|圆满)"
)  # 蛋已嘎
_VET_LOOKED = re.compile(
    r"(?:医生|大夫|兽医)(?:也|都|给|帮|\x00|它|他|她)*(?:照|看|摸|听|量|检查|查|捏|按)(?:过|了)[^,。]{0,8}(?:说|是|都)*(?:没(?:事|问题|毛病|有?杂音|异常|发炎)|正常|通畅|健康|还行|挺好|不错|好着)"
)


_NEVER_DONE = re.compile(r"(?:没有?|未)$")  # 没拔过牙


def _separated(reading: Reading, scene: Scene) -> Iterator[Draft]:
    if OF_THE_PARENTS.search(reading.text):
        return
    ill = bool(reading.used) and reading.has("condition")  # 切过一个肥大细胞瘤 is told by what was cut out
    for key, pattern in _SEPARATED:
        cut_out = ill and key == "surgery"
        if (
            (match := pattern.search(reading.text))
            and not cut_out
            and (key != "hospital_stay" or "院" in match[0] or _of_an_illness(scene))
        ):
            reading.used.update(hit for hit in reading.of("body", "sign") if hit.end <= reading.start + match.end())
            no = _found_nothing(reading) or _NEVER_DONE.search(reading.text, 0, match.start()) is not None
            done = Draft(f"visit:{key}", reading.start, reading.end, {"name": match[0]}, no)
            yield with_its_end(done, reading, scene) if key in _LASTS else done
            return
    if (operated := _OPERATED.search(reading.text)) and (told_ill := illness_before(reading, scene)):
        yield Draft("visit:surgery", reading.start, reading.end, {"name": operated[0]}, about=told_ill.word.text)
        return
    told_of_half = reading.about.explicit and tells_of_a_half(scene.folded, reading.start)
    if (gone := _BALLS_GONE.search(reading.text)) and not reading.used:
        reading.used.update(reading.of("allergen", "food"))
        neutered = {"neutered": True, "text": gone[0]}
        yield Draft("neutered", reading.start, reading.end, neutered, cls=AttributeClass.VISIT, topic=Topic.MEDICAL)
        return
    if (looked := _VET_LOOKED.search(reading.text)) and not reading.used:
        yield Draft("visit:test", reading.start, reading.end, {"text": looked[0]}, _found_nothing(reading))
        return

    before = scene.previous_of(reading)
    told_before = (
        before is not None and any(hit.family == "condition" for hit in before.used) and len(reading.text) <= 4
    )
    if told_before and not reading.about.explicit:
        return  # 心丝虫测了，阴性
    if _OUTCOME.search(reading.text) and not (reading.used or told_of_half) and "过敏" not in scene.folded:
        yield Draft("visit:test", reading.start, reading.end, {"text": reading.text}, _found_nothing(reading))


_OPERATED = re.compile(
    r"[左右两][边侧][^,。]{0,4}(?:摘|切|做|拿|取)(?:了|掉|过)|(?:摘|切|做|取)(?:了|掉|过)(?:掉)?[左右两一][边侧]"
)  # 隐睾，左边的已经摘了


def illness_before(reading: Reading, scene: Scene) -> Hit | None:
    """The illness that was just told of a pet of this clause."""
    for earlier in reversed(scene.readings[max(0, reading.place - REACH_OF_ILLNESS) : reading.place]):
        ill = [hit for hit in earlier.hits if hit.family == "condition"]
        if ill and set(earlier.about.pets) & set(reading.about.pets):
            return ill[-1]
    return None


REACH_OF_ILLNESS = 3  # clauses


def _of_an_illness(scene: Scene) -> bool:
    """住了三晚刚领回家, where the talk is of an illness and not of a boarding."""
    return any(one.has("condition", "visit", "sign", *_DRUGS) for one in scene.readings)


_ONLY_A_TIME = re.compile(r"之?[前后](?!腿)|那[天年会时]|的时候|时(?!间|长)|完第")  # 绝育前, 手术那天


_NEW_AT_HOME = re.compile(r"接回来(?:的?(?:头|第|当|那)[一二两三几]?[天会阵]|[^,。]{0,2}时|的时候|[听见看]|才\d|\d)")
_ILL_THERE = ("院", "手术", "医", "病", "输液")


def _of_an_illness_before(scene: Scene) -> bool:
    return any(word in scene.folded for word in _ILL_THERE)


def find_clinic(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """Lab values one by one, then at most one claim of what was done."""
    future = is_future(reading, scene) and _LEFT_WHOLE.search(reading.text) is None
    labs = [*find_temperature(reading, scene), *_labs(reading)] if not future else []
    yield from labs
    if not (labs or future or reading.has("sign", "lab")):
        yield from _vital(reading, scene)
        yield from _measured_again(reading, scene)
    hits = [] if _HANDED_OVER.search(reading.text) else reading.of("visit")
    if reading.has(*_DRUGS):
        hits = [hit for hit in hits if hit.word.text not in _WAYS_IN]
    if not (future or labs or any(hit.id != "clinic" for hit in hits)):
        yield from _separated(reading, scene)
    if future or not hits:
        return
    hit = min(hits, key=lambda h: h.id == "clinic")
    if hit.word.text == "接回来" and _NEW_AT_HOME.search(reading.text) and not _of_an_illness_before(scene):
        return
    if hit.word.text == "手术" and _goes_on(reading, scene):
        return  # how the operation went, a detail of the clause before
    told = reading.has("body") or _RESULT.search(reading.text) or re.search(r"\d", reading.text)
    seen = (hit.id in _LOOKED and told) or hit.id == "hospital_stay"
    if (
        not (seen or _is_listed(reading, hit) or _DONE.search(reading.text))
        and len(reading.text) > len(hit.word.text) + 3
    ):
        return
    if hit.id == "clinic" and (not _WENT.search(reading.text) or _SAYS.match(reading.after(hit, 3))):
        return
    found = bool(reading.used) and reading.has("condition")
    reading.used.update(hits)
    if labs or (found and hit.id not in _STAYS and not _is_listed(reading, hit)):
        return
    if _ONLY_A_TIME.match(reading.after(hit, 3)):
        return
    advised = re.search(r"建议|推荐|最好|[要得]$|需要?$", reading.before(hit)) is not None
    if hit.id == "neutering":
        yield from () if advised else (_neutering(reading, hit),)
    elif not advised and not _NOT_DONE.search(reading.before(hit)):
        done = Draft(f"visit:{hit.id}", reading.start, reading.end, {"name": hit.word.text}, _found_nothing(reading))
        yield with_its_end(done, reading, scene) if hit.id in _LASTS else done


def _is_listed(reading: Reading, hit: Hit) -> bool:
    """口炎、拔牙、绝育: one of a list of what it went through."""
    return reading.before(hit).endswith("、") or reading.after(hit, 1) == "、"


_VET_SAYS = re.compile(r"(?:医生|大夫|兽医|院长)[^,。说]{0,6}?(?:说|讲|觉得|认为|判断|判定|看(?:了|过)|摸(?:了|着))")
_OUT_OF_ORDER = re.compile(
    r"(?:有点|偏|略|稍|太|比较|很|轻微|明显|边缘值?)(?:大|小|长|短|厚|薄|硬|高|低|红|肿|松|弱|差|窄|宽|歪)|变形|增生|磨损|退化|值[偏有]?[点些]?[高低]|异位|畸形"
)


_ORGAN = re.compile(
    r"(?:心脏|肝|肾|脾|胆|肺|气管|前列腺|子宫|卵巢|膀胱|淋巴|甲状腺|髋|关节)[^,。]{0,4}(?:有点|偏|略|稍微?)(?:大|小|厚|薄|高|低|肿|松)"
)


def find_vet_findings(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """医生看过说软腭有点长: what a vet found of a part of the body, whatever it is called; of an organ anyone may."""
    organ = _ORGAN.search(reading.text) if reading.about.explicit and not is_future(reading, scene) else None
    if organ and any(one.has("visit") for one in scene.readings):
        yield Draft("visit:finding", reading.start, reading.end, {"name": organ[0]})
        return
    said = _VET_SAYS.search(reading.text)
    found = _OUT_OF_ORDER.search(reading.text, said.end()) if said else None
    if said and found and 2 <= found.start() - said.end() <= MAX_FINDING and not is_future(reading, scene):
        yield Draft("visit:finding", reading.start, reading.end, {"name": reading.text[said.end() :]})


MAX_FINDING = 10  # characters between who says it and what is wrong: the name of the part


def _goes_on(reading: Reading, scene: Scene) -> bool:
    previous = scene.previous_of(reading)
    return previous is not None and previous.has("visit") and not reading.about.explicit


_A_MINUTE = re.compile(r"(?:一|每|1)分钟[^,。\d]{0,4}(\d{2,3})(?:多|来)?[下次]")
_COUNTED = re.compile(r"呼吸|心率|心跳|喘气|脉搏|胸口|肚子起伏")


def _vital(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """一分钟34下 where breaths are counted: measured, though the clause does not say of what."""
    counted, rate = _COUNTED.search(scene.folded[: reading.end]), _A_MINUTE.search(reading.text)
    if counted and rate:
        name = {"name": counted[0], "number": int(rate[1]), "unit": "次"}
        yield Draft(f"lab:{counted[0]}", reading.start, reading.end, name, topic=Topic.HEALTH, about=counted[0])


_AGAIN = re.compile(
    r"(?:再|复|又|重新)(?:去)?[查测验量](?:了|的|出来)?(?:一次|一下|一回)?(?:就|已经|都)?(?:降到|升到|涨到|掉到|是|到|变成|只有|才|还是|还有|成)?了?(\d+(?:\.\d+)?)(?:了|多|$)"
    r"|^\x00*(?:今天|昨天|前天|上周|这周|这次|现在|后来|周[一二三四五六日天])?(?:就|已经|又|才)?(?:降|升|涨|掉|回落|回|飙)(?:到|回|至)了?(\d+(?:\.\d+)?)了?$"
)


def _measured_again(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """压积24，补铁半个月，再查到31了: the same value, told before by name."""
    again = _AGAIN.search(reading.text)
    figure = (again[1] or again[2]) if again else figure_of_another_time(reading)
    if figure is None:
        return
    for earlier in reversed(scene.readings[: reading.place]):
        measured = [hit for hit in earlier.hits if hit.family == "lab" and _LAB_NUMBER.match(earlier.after(hit, 14))]
        if measured and earlier.about.pets == reading.about.pets:
            word = measured[-1].word.text
            told, number = _LAB_NUMBER.match(earlier.after(measured[-1], 14)), read_number(figure)
            if number is None or (again is None and not (told and is_as_much(number, float(told[1])))):
                return
            unit = "℃" if word == TEMPERATURE else (told[2] if told else None) or ""
            value = {"name": word, "number": int(number) if number == int(number) else number, "unit": unit}
            yield Draft(f"lab:{word}", reading.start, reading.end, value, topic=Topic.MEDICAL, about=word)
            return


def _found_nothing(reading: Reading) -> bool:
    return re.search(r"没(?:虫|事|问题|毛病|异常|查出|发现)|阴性|negative|未见|无异常", reading.text) is not None


def _neutering(reading: Reading, hit: Hit) -> Draft:
    told = reading.before(hit, 8) + hit.word.text
    negated = re.search(r"没|不|未|还(?:没|未|在)", told) is not None and not _BALLS_GONE.search(reading.text)
    cls = AttributeClass.OTHER if negated else AttributeClass.VISIT
    return Draft(
        "neutered", reading.start, reading.end, {"neutered": not negated}, negated, cls=cls, topic=Topic.MEDICAL
    )


def _named_twice(hit: Hit, hits: list[Hit]) -> bool:
    """肝指标ALT高到210 is one value: the figure belongs to the later name."""
    return any(0 <= other.start - hit.end <= 1 for other in hits)


WHERE_A_RESULT_STANDS = 10  # characters behind the name of what was measured


def _labs(reading: Reading) -> Iterator[Draft]:
    hits = reading.of("lab")
    measured = [hit for hit in hits if _LAB_NUMBER.match(reading.after(hit, 14)) and not _named_twice(hit, hits)]
    reading.used.update(hits if measured else [])
    ill = any(hit.family == "condition" for hit in reading.used)  # 心脏没杂音 is told as that
    for hit in measured or ([] if ill else hits[:1]):
        number = _LAB_NUMBER.match(reading.after(hit, 14))
        if number is None and not _RESULT.search(reading.text):
            continue
        reading.used.add(hit)
        value: dict[str, object] = {"name": hit.word.text}
        if number and (read := read_number(number[1])) is not None:
            value |= {"number": int(read) if read == int(read) else read, "unit": number[2] or ""}
        negated = denied(reading, hit) and number is None and not result_in(reading.after(hit, WHERE_A_RESULT_STANDS))
        yield Draft(
            f"lab:{hit.word.text}",
            reading.start,
            reading.end,
            value,
            negated and "没" in reading.text,
            topic=Topic.MEDICAL,
        )
