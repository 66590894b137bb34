"""What the clauses of one happening do to each other: what came out holds blood, a trip to the clinic tells its reason,
a picture gives way to what it showed, and a medicine that was got at belongs to another pet."""

import re
from dataclasses import replace

from domain.offline.extractor.contents_told import drop_what_only_shows, join_what_it_holds
from domain.offline.extractor.inborn import is_whole_beside
from domain.offline.extractor.mishaps import told_as_mishaps
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.slips_of_pets import without_slips
from domain.offline.extractor.threads import Found
from domain.pet_halves import tells_of_a_half
from domain.pet_mentions import MentionKind
from memory.topics import Topic
from memory.vocabulary import Certainty

_IN_THE_STOOL = frozenset(f"symptom:{key}" for key in ("diarrhea", "stool", "stool_color", "bloody_stool"))
_EATEN_UP = re.compile(r"[吃吞咽舔]|药")
_TAKEN_TO_A_VET = re.compile(r"送(?:去|的|医|急|到)|急诊|连夜")
_BARE_PICTURE = re.compile(
    r"^(?:到了?医院)?\x00*(?:总算|终于|刚|已经|今天|上午|下午|中午|早上|晚上|请假|给|带|抱|也|就)*\x00*(?:去|做|拍|照)?(?:了|上了?|完)?(?:个|张)?[^,。\d]{0,3}(?:片子?|b超|心超|ct|核磁|x光|彩超|超声)(?:拍|做|照)?(?:完|好|了|出来|上)*$"
)
_BARE_TEST = re.compile(r"^\x00*[^,。\d]{1,8}(?:也|都|刚)?(?:测|查|验|做|化验)(?:了|过|完)(?:一下)?$")  # 抗体测了
_FOUND = re.compile(r"比[^,。]{1,6}|医生|大夫|兽医|结果|显示|说|没|发现|看到|片子|报告")
_DRUGS = ("drug", "drug_name", "drug_word", "dewormer")
MAX_GAP = 3  # characters of a bare answer


def told_as_one(found: list[Found], scene: Scene) -> list[Found]:
    """The drafts of a message after the clauses of each happening have been put together."""
    for place in range(1, len(found)):
        join_what_it_holds(found[place - 1], found[place])
        _join_what_came_of_it(found[place - 1], found[place])
    for place, one in enumerate(found):
        drop_what_only_shows(one)
        _drop_what_weighs_less(one)
        _drop_that_it_is_fine(one, found[:place])
        _drop_that_it_is_whole(found[place - 1] if place else None, one)
        _tell_as_loss_of_appetite(one, found)
        _tell_with_the_operation(found[place - 1] if place else None, one)
        _tell_with_the_loss_of_appetite(found[place - 1] if place else None, one)
        _tell_with_the_suspicion(found[place - 1] if place else None, one)
        _tell_with_the_reaction(found[place - 1] if place else None, one)
        _drop_bare_answer(one, found[place + 1 :])
        _drop_that_nothing_came_of_it(one, found[place + 1 : place + 2])
        _end_what_was_cleared(found[place - 1] if place else None, one)
        _drop_the_reason(one, found[:place])
        _drop_the_picture(one, found[place + 1 : place + 2], scene)
        _drop_the_test_of_both(one, found[place + 1 :], scene)
        _drop_how_it_was_found(found[place - 1] if place else None, one)
        _drop_what_is_told_again(one, found[place + 1 : place + 2])
    return without_slips(told_as_mishaps(found, scene))


_MISHAP = re.compile(
    r"被[^,。]{1,8}(?:蛰|蜇|叮|咬|撞|轧|碾|压|夹|砸|踩|烫|刮|划|绊|挤|抓|挠)|(?:撞|摔|磕|夹|踩|扎|卡|跌|绊|轧)(?:到|了|在|上|着|伤|下|断|折|坏|裂)|^\x00*(?:就是?|倒是?|但|只|又)*(?:拉|吐|尿|咳)了?$"
)
_OF_A_FIGHT = frozenset({"symptom:itching", "symptom:wound", "behavior:aggressive", "behavior:biting"})
_FOUGHT = re.compile(
    r"[被让叫][^,。]{1,14}[咬抓挠扑撞啄]|[干打咬掐]了?一?(?:架|仗)|打起来|咬起来|[挠掐咬]上|[咬抓挠扑撞啄](?:了|到|伤)\x00"
)
_UNHURT = frozenset({"symptom:wound", "symptom:bleeding", "symptom:pain"})


def _join_what_came_of_it(before: Found, one: Found) -> None:
    """被马蜂蛰了，嘴肿了; 对海鲜起反应，脸肿; 咬了邻居的裤腿，没破皮: what came of it is told with what happened."""
    lead, drafts = before.reading, one.drafts
    same = lead.about.pets == one.reading.about.pets and lead.sentence == one.reading.sentence
    if (
        not same
        or len(drafts) != 1
        or not drafts[0].attribute.startswith(("symptom:", "visit:surgery"))
        or _is_named_anew(one.reading)
    ):
        return
    draft, brief = drafts[0], len(one.reading.text) <= MAX_OUTCOME
    fought = all(d.attribute in _OF_A_FIGHT for d in before.drafts) and _FOUGHT.search(lead.text) is not None
    if before.drafts and fought and draft.attribute == "symptom:wound" and not draft.negated:
        before.drafts, one.drafts = [], [replace(draft, start=lead.start)]
        return
    if not before.drafts and lead.usable and lead.reports and _MISHAP.search(lead.text) and not draft.negated:
        one.drafts = [replace(draft, start=lead.start)]
    elif before.drafts and brief and (_is_reaction(before) or (draft.negated and _went_well(before, draft))):
        before.drafts = [replace(d, end=max(d.end, draft.end)) for d in before.drafts]
        one.drafts = []


MAX_OUTCOME = 12  # characters of a clause that only tells what came of the one before


def _is_named_anew(reading: Reading) -> bool:
    return any(mention.kind is MentionKind.NAME for mention in reading.about.mentions)


def _is_reaction(one: Found) -> bool:
    return all(draft.attribute.startswith("allergy:") and not draft.negated for draft in one.drafts)


def _went_well(before: Found, draft: Draft) -> bool:
    medical = any(d.attribute.startswith(("symptom:", "condition:", "visit:")) for d in before.drafts)
    return draft.attribute in _UNHURT and not medical


_IS_BECAUSE_OF = re.compile(
    r"(?:咳嗽?|吐|拉稀|瘸|喘|痒|掉毛|流泪|便血|尿血|抽)(?:都|就|其实)?是[^,。]{2,10}(?:炎|病|症|癣|螨|虫|塌陷|结石)"
)
_GUESSED = re.compile(r"(?:怀疑|疑似|像|可能)(?:就)?是")


_FINE_AGAIN = re.compile(
    r"(?:现在|这会儿?|转头|转眼|回头|今天|又|照样|照旧|还是)[^,。]{0,6}(?:跟没事|没事(?:人|猫|狗|儿)|活蹦乱跳|生龙活虎|满血|撒欢|跑酷|满地跑|满屋跑|满院子?跑|上蹿下跳|该吃吃|追着自己)"
)
_CAME_TO_HARM = ("symptom:", "other:ate", "condition:")


def _drop_that_it_is_fine(one: Found, earlier: list[Found]) -> None:
    """吞了块午餐肉，吐了一回，现在又跟没事猫似的跑酷: how well it is again is no habit."""
    harmed = any(draft.attribute.startswith(_CAME_TO_HARM) for other in earlier for draft in other.drafts)
    if harmed and _FINE_AGAIN.search(one.reading.text):
        one.drafts = [draft for draft in one.drafts if not draft.attribute.startswith(("behavior:", "activity:"))]


def _drop_that_it_is_whole(before: Found | None, one: Found) -> None:
    """小锤生下来右眼就瞎的，小钉眼睛好好的: that the other is sound is no finding of its own."""
    if before is not None and is_whole_beside(before.reading, one.reading):
        one.drafts = [draft for draft in one.drafts if not (draft.negated and draft.attribute.startswith("symptom:"))]


_DAILY_FOOD = frozenset(
    {"草", "干草", "提草", "提摩西", "粮", "饭", "猫粮", "狗粮", "罐头", "湿粮", "主粮", "龟粮", "谷子", "小米", "饲料"}
)
_OF_LATELY = re.compile(r"今|昨|这[两几]天|最近|从|起|突然|又|现在")


def _tell_as_loss_of_appetite(one: Found, found: list[Found]) -> None:
    """盲便拉一地，提草碰都不碰: that the daily food is left is a sign beside other signs, no taste."""
    if len(one.drafts) != 1 or not one.drafts[0].negated or str(one.drafts[0].value.get("food")) not in _DAILY_FOOD:
        return
    same = [
        other
        for other in found
        if other is not one
        and other.reading.sentence == one.reading.sentence
        and other.reading.about.pets == one.reading.about.pets
    ]
    ill = any(draft.attribute.startswith("symptom:") and not draft.negated for other in same for draft in other.drafts)
    lately = any(_OF_LATELY.search(other.reading.text) for other in (one, *same))
    if ill and lately and one.drafts[0].attribute.startswith("diet"):
        draft = one.drafts[0]
        name = {"name": draft.value["food"]}
        lost = Draft("symptom:appetite_loss", draft.start, draft.end, name, topic=Topic.DIET, about=draft.about)
        one.drafts = [lost]


_BROKEN = re.compile(r"破|血|肿|伤|青|皮|疼")
_AGAINST_IT = re.compile(r"(?:打|补|接种|种)(?:了|过|完|的|上)?[^,。]{2,8}(?:疫苗|苗)")  # 打了犬窝咳的滴鼻疫苗
_CUT_OUT = frozenset({"symptom:swelling", "symptom:skin_lesion", "symptom:wound"})


def _drop_what_weighs_less(one: Found) -> None:
    """体检那天9.8公斤 is a weight; 有个小疙瘩怀疑是腺瘤 what was felt, not what it may be."""
    slots = [draft.attribute for draft in one.drafts]
    told_better = any(slot in _IN_THE_STOOL and slot != "symptom:stool" for slot in slots)
    if told_better:
        one.drafts = [draft for draft in one.drafts if draft.attribute not in ("other:stool", "symptom:stool")]
    if "behavior:destroying" in slots:  # 把水盆掀了: the bowl is no taste
        one.drafts = [draft for draft in one.drafts if draft.attribute != "diet.pickiness"]
    if "behavior:destroying" in slots and not _EATEN_UP.search(one.reading.text):
        one.drafts = [draft for draft in one.drafts if draft.attribute not in ("symptom:ate_wrong", "symptom:wound")]
    if "symptom:wound" in slots and "眼角破" in one.reading.text:
        one.drafts = [draft for draft in one.drafts if draft.attribute != "symptom:eye_discharge"]
    if "symptom:limping" in slots and "摔" in one.reading.text and not _BROKEN.search(one.reading.text):
        one.drafts = [draft for draft in one.drafts if draft.attribute != "symptom:wound"]  # 打滑摔了一跤
    if "symptom:wound" in slots and "被" in one.reading.text:
        one.drafts = [draft for draft in one.drafts if draft.attribute != "symptom:itching"]  # 被橘猫挠了鼻梁
    if any(slot.startswith("allergy:") for slot in slots) and "不让碰" in one.reading.text:
        one.drafts = [draft for draft in one.drafts if draft.attribute != "symptom:hiding_pain"]
    if "behavior:timid" in slots:
        one.drafts = [draft for draft in one.drafts if not draft.attribute.endswith("抖")]
    if any(slot.startswith("condition:") for slot in slots):
        one.drafts = [draft for draft in one.drafts if draft.attribute not in ("visit:clinic", "visit:hospital_stay")]
    if any(slot.startswith("vaccine:") for slot in slots) and _AGAINST_IT.search(one.reading.text):
        one.drafts = [draft for draft in one.drafts if not draft.attribute.startswith("condition:")]
    if any(slot.startswith("diet") for slot in slots):
        one.drafts = [draft for draft in one.drafts if draft.attribute != "behavior:habit"]  # 要有牛肉才肯上桌
    if "other:living:apart" in slots:  # 家里放了两个水盆, 给它挪到车库住几天
        away = any(slot.startswith("schedule:") for slot in slots)
        less = ("diet.pickiness", "other:living:apart") if away else ("diet.pickiness",)
        one.drafts = [draft for draft in one.drafts if draft.attribute not in less]
    if "other:origin" in slots:  # 24年10月6号接回来的: it was in no hospital
        one.drafts = [draft for draft in one.drafts if draft.attribute != "visit:hospital_stay"]
    if "visit:rest" in slots:
        one.drafts = [draft for draft in one.drafts if draft.attribute != "activity:restriction"]  # 静养两周不让跑
    if any(draft.attribute.startswith("schedule:") and "recurrence" in draft.value for draft in one.drafts):
        one.drafts = [draft for draft in one.drafts if draft.attribute not in ("visit:test", "visit:checkup")]
    if "weight" in slots:
        one.drafts = [draft for draft in one.drafts if draft.attribute != "visit:checkup"]
    if any(slot.startswith("medication:") for slot in slots):
        one.drafts = [draft for draft in one.drafts if draft.attribute != "visit:emergency"]  # 送的急诊打的安定
    found = [slot for slot in slots if slot.startswith(("symptom:", "condition:"))]
    if found and "拍" in one.reading.text:
        one.drafts = [draft for draft in one.drafts if draft.attribute != "visit:imaging"]  # 拍片说骨折了
    if _IS_BECAUSE_OF.search(one.reading.text) and any(slot.startswith("condition:") for slot in slots):
        one.drafts = [draft for draft in one.drafts if not draft.attribute.startswith("symptom:")]
    if "visit:surgery" in slots:  # 囊肿一并切了: told by what was done
        one.drafts = [draft for draft in one.drafts if draft.attribute not in _CUT_OUT]

    if _GUESSED.search(one.reading.text) and any(slot.startswith("symptom:") for slot in slots):
        one.drafts = [draft for draft in one.drafts if not draft.attribute.startswith("condition:")]


def _tell_with_the_operation(before: Found | None, one: Found) -> None:
    """做过肠套叠手术，住了一星期院: the stay is told with what it was for."""
    if before is None or (
        [draft.attribute for draft in one.drafts] != ["visit:hospital_stay"] and not _IS_OUT.match(one.reading.text)
    ):
        return
    if one.reading.times or any(not draft.attribute.startswith(("visit:", "symptom:")) for draft in one.drafts):
        return
    same = before.reading.about.pets == one.reading.about.pets and before.reading.sentence == one.reading.sentence
    told = ("visit:surgery", "condition:", "medication:") if one.drafts else ("visit:surgery", "condition:")
    operated = [draft for draft in before.drafts if draft.attribute.startswith(told)]
    if same and operated and not one.reading.about.explicit:
        before.drafts = [replace(d, end=one.reading.end) if d in operated else d for d in before.drafts]
        one.drafts = []


_IS_OUT = re.compile(
    r"^是(?:个)?(?:良性|恶性)?[^,。]{1,5}(?:瘤子?|囊肿|增生|结节)$|^(?:到现在|这些年|至今|后来|之后)[^,。]{0,3}(?:没|再没|没再)再?(?:长|犯|发|复发|堵|闹)过?$|^(?:后来|早就|已经)*(?:取出来|拆了|取了|拆掉)[^,。]{0,6}了?$"
)
_AFTER_IT = re.compile(
    r"^(?:最近|这|前)?(?:[一两三几]?[次回顿])?(?:每次|一)?(?:吃|用|洗|喝|趴|扒|闻|蹭|穿|戴|进|加|换|铺|垫|抹|涂)(?:完|过|了|两口|几口|就|一|去|上|以后)|^(?:这两天|最近|这几天)|^[^,。\x00]{1,6}(?:就|老|总)"
)


_NOR = re.compile(r"[^,。]{1,6}[也都](?:不|没)(?:闻|吃|碰|理|看|动|喝)")


def _tell_with_the_loss_of_appetite(before: Found | None, one: Found) -> None:
    """没吃过一粒粮了，零食也不闻: one loss of appetite."""
    if before is None or len(one.drafts) != 1 or not _NOR.search(one.reading.text) or one.reading.about.explicit:
        return
    lost = [draft for draft in before.drafts if draft.attribute == "symptom:appetite_loss"]
    left = one.drafts[0].attribute.startswith("diet") and one.drafts[0].negated
    if lost and left and before.reading.about.pets == one.reading.about.pets:
        before.drafts = [replace(d, end=one.reading.end) if d in lost else d for d in before.drafts]
        one.drafts = []


def _tell_with_the_suspicion(before: Found | None, one: Found) -> None:
    """是不是对新罐头有点敏感？吃完老挠下巴: what makes the owner suspect it is told with it."""
    if before is None or not one.drafts or not before.drafts or one.reading.about.explicit:
        return
    last = before.drafts[-1]
    hedged = Certainty.HEDGED in (last.certainty, before.reading.tone.certainty)
    suspected = hedged and last.attribute.startswith(("allergy:", "symptom:intolerance"))
    signs = all(draft.attribute.startswith(("symptom:", "behavior:", "diet")) for draft in one.drafts)
    same = before.reading.about.pets == one.reading.about.pets
    if suspected and signs and same and _AFTER_IT.match(one.reading.text):
        before.drafts = [*before.drafts[:-1], replace(last, end=max(draft.end for draft in one.drafts))]
        one.drafts = []


def _tell_with_the_reaction(before: Found | None, one: Found) -> None:
    """就它不能碰芒果，舔一下满脸起包: what it must not have is told by what it does."""
    if before is None or len(one.drafts) != 1 or not one.drafts[0].attribute.startswith("allergy:"):
        return
    reaction = one.drafts[0]
    kept_from = [d for d in before.drafts if d.attribute.startswith("diet") and d.negated]
    same = before.reading.about.pets == one.reading.about.pets and before.reading.sentence == one.reading.sentence
    if same and reaction.about and any(str(d.value.get("food")) == reaction.about for d in kept_from):
        one.drafts = [replace(reaction, start=before.reading.start, about="")]
        before.drafts = [d for d in before.drafts if d not in kept_from]


_NOTHING_CAME = re.compile(r"^\x00+(?:倒是?|就|却|吃了)*没(?:事|反应|问题)(?:儿)?$")


def _drop_that_nothing_came_of_it(one: Found, following: list[Found]) -> None:
    """牛肉别给咪咪，豆豆没事，每天二两牛肉: that it eats it says so."""
    after = following[0] if following else None
    if after is None or after.reading.about.pets != one.reading.about.pets or not _NOTHING_CAME.match(one.reading.text):
        return
    if any(draft.attribute.startswith("diet") and not draft.negated for draft in after.drafts):
        one.drafts = []


def _drop_bare_answer(one: Found, later: list[Found]) -> None:
    """红 两只前爪缝里都红: the first word only says yes to what the rest tells."""
    word = one.reading.text.strip("\x00有嗯是的,")
    word = "" if word in ("一个", "一只", "一条") else word  # one of two halves
    said = any(other.drafts and word in other.reading.text for other in later)
    if said and word and len(one.reading.text) <= MAX_GAP and any(draft.about for draft in one.drafts):
        one.drafts = []


_CLEARED = re.compile(
    r"(?:复查|复诊|再查|重新查|复检|b超|化验|拍片|检查)[^,。没]{0,4}?(?:都|也|已经|全)*(?:清了|没了|干净了|转阴了?|阴了|消了|好了)"
)


def _end_what_was_cleared(before: Found | None, one: Found) -> None:
    """去年有过结石，复查清了: what the next look no longer found is over."""
    if before is None or one.reading.about.pets != before.reading.about.pets or not _CLEARED.search(one.reading.text):
        return
    ill = [draft for draft in before.drafts if draft.attribute.startswith("condition:") and not draft.negated]
    if ill and one.reading.sentence == before.reading.sentence and not one.reading.has("condition"):
        over = [replace(d, negated=True, end=one.reading.end) for d in ill]
        before.drafts = [d for d in before.drafts if d not in ill] + over
        one.drafts = [draft for draft in one.drafts if not draft.attribute.startswith("visit:")]


def _drop_the_reason(one: Found, earlier: list[Found]) -> None:
    """第二次胰腺炎了，周四吐到站不住送的急诊: the sign is told with the trip."""
    ill = any(draft.attribute.startswith("condition:") for other in earlier for draft in other.drafts)
    rest = [draft for draft in one.drafts if not draft.attribute.startswith("symptom:")]
    if ill and rest and _TAKEN_TO_A_VET.search(one.reading.text):
        one.drafts = rest


def _drop_the_picture(one: Found, following: list[Found], scene: Scene) -> None:
    """总算做了B超，医生说结节没长: what it showed is what counts."""
    dated = any(time.on and time.on != scene.now.date() for time in one.reading.times)
    tested = _BARE_TEST.match(one.reading.text) is not None
    if dated or not (tested or any(draft.attribute == "visit:imaging" for draft in one.drafts)):
        return
    after = following[0] if following else None
    if after and tested and any(d.attribute.startswith("lab:") for d in after.drafts):
        one.drafts = [draft for draft in one.drafts if not draft.attribute.startswith(("lab:", "visit:"))]
        return
    if after is None or not after.drafts or after.reading.about.pets != one.reading.about.pets:
        return
    if _BARE_PICTURE.match(one.reading.text) and _FOUND.search(after.reading.text):
        one.drafts = [draft for draft in one.drafts if draft.attribute != "visit:imaging"]


def _drop_the_test_of_both(one: Found, later: list[Found], scene: Scene) -> None:
    """两只都验了抗体，一只够，一只不够: each has its own result."""
    halves = [other for other in later if tells_of_a_half(scene.folded, other.reading.start) and other.drafts]
    told = {pet for other in halves for pet in other.reading.about.pets}
    if scene.folded[one.reading.end : one.reading.end + 1] == ":" and len(one.reading.about.pets) > 1:
        after = [
            other for other in later if other.reading.about.explicit and other.drafts
        ]  # 三个都拍了片: each by name
        told = {pet for other in after for pet in other.reading.about.pets if len(other.reading.about.pets) == 1}
        told = set(one.reading.about.pets) if len(told) > 1 else set()
    if len(told) > 1 and told == set(one.reading.about.pets or told):
        one.drafts = [draft for draft in one.drafts if not draft.attribute.startswith(("visit:", "lab:", "condition:"))]
        tested = [hit.word.text for hit in one.reading.hits if hit.family in ("lab", "vaccine", "condition")]
        for other in halves if tested else ():
            other.drafts = [_naming(draft, tested[-1], other.reading.text) for draft in other.drafts]


def _naming(draft: Draft, test: str, text: str) -> Draft:
    """一个不够得补一针: what was tested for is named in the lead only."""
    results = draft.attribute.startswith(("visit:", "schedule:", "vaccine:", "lab:"))
    return replace(draft, about=test) if results and test not in text else draft


_FOUND_BY = re.compile(r"(?:查|拍|测|检|验|看|照|确诊|发现|诊断|做)(?:出来|出|的检测|的检查)?的?$")


def _drop_how_it_was_found(before: Found | None, one: Found) -> None:
    """有心肌病，前年心超查出来的: when and how an illness was found is told with it."""
    if before is None or not one.drafts or any(not d.attribute.startswith("visit:") for d in one.drafts):
        return
    same = before.reading.about.pets == one.reading.about.pets and before.reading.sentence == one.reading.sentence
    ill = [draft for draft in before.drafts if draft.attribute.startswith("condition:")]
    if same and ill and not one.reading.about.explicit and _FOUND_BY.search(one.reading.text):
        before.drafts = [replace(d, end=one.reading.end) if d in ill else d for d in before.drafts]
        one.drafts = []


_NOT_FOR = re.compile(r"(?:别|不要|不能)[^,。]{0,2}给\x00+")


def _drop_what_is_told_again(one: Found, following: list[Found]) -> None:
    """豆豆那个小鱼干别给咪咪，咪咪心衰医生让忌盐: one thing that it must not have, told by its reason."""
    after = following[0] if following else None
    if after is None or not _NOT_FOR.search(one.reading.text) or after.reading.about.pets != one.reading.about.pets:
        return
    if any(draft.attribute.startswith("diet") and draft.negated for draft in after.drafts):
        one.drafts = [draft for draft in one.drafts if not (draft.attribute.startswith("diet") and draft.negated)]
