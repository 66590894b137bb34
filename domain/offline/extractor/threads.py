"""What the claims of one message do to each other: details join the claim before them, repeats become one, a bare
visit to the clinic gives way to what was found there, and what was taken back is no claim."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from domain.attributes import spec_of
from domain.offline.extractor.medicines import is_over
from domain.offline.extractor.reading import Draft, Reading
from domain.pet_roll import MentionKind
from memory.vocabulary import AttributeClass

MAX_DETAIL = 24  # characters of a clause that may join as a detail; longer ones say something of their own
MAX_LINE = 80  # characters of a memory line
_LOOKS = re.compile(r"有点|色|软|硬|稀|红|肿|臭|干|湿")  # a second answer, not a detail of the first
_NO_DETAIL = re.compile(
    r"^(?:我|你|咱|请|谢|哈|呵|唉|哎|啊|天|吓|急|愁|求|好吧|真是|怎么|不知道|气死|笑死|烦|心疼|太|可怜|救命|希望|但愿|幸好|还好|幸亏|记住|帮|麻烦)|[吗呢么]$|怎么办|谢谢|哈哈|心疼|吓死|愁死|急死|气死|担心|害怕|开心|辛苦"
)
_BARE_VISITS = frozenset(
    f"visit:{name}" for name in ("clinic", "test", "checkup", "recheck", "blood_test", "urine_test", "stool_test")
)
_RESULT = re.compile(
    r"正常|都好|全好|没(?:问题|毛病|事|异常|虫)|阴性|阳性|[阴阳]的|偏[高低]|健康|无异常|绿灯|[取掏夹拿抽切]出|(?:医生|大夫|兽医)[^,。]{0,4}(?:说|讲)[^,。]{3,}|[查诊拍][^,。]{0,2}说[^,。]{2,}"
)
_IS_DONE = re.compile(r"(?:(?:做|查|检|弄|搞)(?:完|好|定)|完事|结束|done|finish(?:ed)?)了?$")
_MEDICAL = (
    AttributeClass.ALLERGY,
    AttributeClass.VISIT,
    AttributeClass.CHRONIC_CONDITION,
    AttributeClass.MEDICATION,
    AttributeClass.SYMPTOM,
    AttributeClass.VACCINE,
)


@dataclass(slots=True)
class Found:
    """A reading and the drafts made of it."""

    reading: Reading
    drafts: list[Draft]


def tied_together(found: list[Found]) -> list[Found]:
    """The drafts of a message after they have met each other; order is kept."""
    _drop_taken_back(found)
    _join_details(found)
    _join_sides(found)
    _join_habits(found)
    _take_in_leads(found)
    _join_plans(found)
    _merge_repeats(found)
    _drop_bare_visits(found)
    _drop_counted_jabs(found)
    return found


_SAID_BEFORE = re.compile(
    r"(?:早上|今早|上午|中午|下午|昨晚)(?:我)?(?:跟|和|给)你(?:说|讲|报|念叨|提)|(?:之前|上次|刚才|刚|前面|前头|刚刚|昨[天儿晚]|上回|前回|早先|先前|那会|当初|当时|登记时?|先前|早前|前阵子|那天|前些[天日]|前[几两]天)(?:我)?(?:[跟和给]你)?(?:说|讲|写|记|填|报|打|录|登|存|点|念叨|唠|聊|提)(?:的|成|过)?"
)
_SLIPPED = re.compile(
    r"[说讲写记填录登报打弄搞看听点存](?:错|岔|串|反|混)|口误|手滑|手误|其实是|应该是|^是|(?:看了眼|看了一眼|翻了翻|凑近|仔细)[^,。]{0,6}是|长得像"
)


_OF_ANOTHER = re.compile(r"^(?:那|这)(?:个)?是(?:我|别人|人家|邻居|隔壁|朋友)[^,。]{0,4}的?$")
_IN_FACT = re.compile(
    r"^(?:其实|原来|结果)(?:那|这)?(?:就|只)?是|^(?:弄|记|搞|说|看|写)(?:混|错|反|岔|串)了?$"
)  # 昨天说它拉肚子，其实是偷吃了火龙果
_NO_IT_IS = re.compile(
    r"^(?:啊|哦|噢|哎|嗯|呃|等等)*(?:不对|错了|说错了?|打错了?|写错了?|口误)[^,。]{0,3}(?:应该)?是"
)  # 海乐妙…不对是爱沃克


_THAT_IS_ANOTHERS = re.compile(
    r"^(?:啊|哦|噢|哎|嗯|呃|等等)*(?:不对|错了|说错了?|打错了?|写错了?)[^,。]{0,2}那(?:个)?是(?:我|猫|狗|他|她|别人|人家|隔壁|\x00)[^,。]{0,4}的"
)  # 吃了两周优思明……不对那是我的药


def _drop_taken_back(found: list[Found]) -> None:
    """上次我说28斤，手滑了，是23斤: the first figure is named only to be taken back."""
    for place, one in enumerate(found):
        if place and one.drafts and _NO_IT_IS.match(one.reading.text):
            families = {draft.attribute.partition(":")[0] for draft in one.drafts}
            before = found[place - 1]
            before.drafts = [d for d in before.drafts if d.attribute.partition(":")[0] not in families]
        if place and _THAT_IS_ANOTHERS.match(one.reading.text):
            found[place - 1].drafts, found[place - 1].reading.reports = [], False
        if not one.drafts or not _SAID_BEFORE.search(one.reading.text):
            continue
        after = found[place + 1 : place + 3]
        if after and _is_what_was_meant(one, after[0]):
            one.drafts, one.reading.reports = [], False
            continue
        said_anew = {_kind_of(draft) for other in after for draft in other.drafts}
        slipped = any(_SLIPPED.search(other.reading.text) for other in (one, *after))
        if slipped and said_anew & {_kind_of(draft) for draft in one.drafts}:
            one.drafts = []


def _is_what_was_meant(one: Found, after: Found) -> bool:
    """说它吃的是皇家，其实是渴望; 报的羊奶粉，那是邻居家的."""
    told = bool(after.drafts) or "说" in one.reading.text
    return (told and _IN_FACT.match(after.reading.text) is not None) or _OF_ANOTHER.match(
        after.reading.text
    ) is not None


def _kind_of(draft: Draft) -> str:
    """diet of diet:carrot, behavior:fear of behavior:fear:thunder: what another of its kind is told in place of."""
    if draft.attribute.startswith("diet"):
        return "diet"
    loose = draft.attribute.startswith("behavior:")
    return draft.attribute.rpartition(":")[0] if loose else draft.attribute


def _join_details(found: list[Found]) -> None:
    """A short clause that makes no claim of its own extends the claims just before it ("早上又吐，里面有毛")."""
    last: Found | None = None
    for one in found:
        if one.drafts:
            last = one
        elif last and _is_detail_of(last, one.reading):
            last.drafts = [_extended(draft, one.reading) for draft in last.drafts]
        else:
            last = None


_OTHER_SIDE = re.compile(r"^(?:这[次回]|今[天早晚])?(?:是|换)?[左右][^,。]{1,4}(?:又|也)(?:开始|犯|来|这样|不行)")


def _join_sides(found: list[Found]) -> None:
    """左耳又开始了，甩头甩得啪啪响: which side it is stands in a clause of its own before the sign."""
    for before, one in pairwise(found):
        side = not before.drafts and before.reading.sentence == one.reading.sentence
        if side and _OTHER_SIDE.search(before.reading.text) and before.reading.usable:
            start = before.reading.start
            one.drafts = [replace(draft, start=start) if _is_sign(draft) else draft for draft in one.drafts]


def _is_sign(draft: Draft) -> bool:
    return draft.attribute.startswith("symptom:")


_YET_SO = re.compile(r"^(?:就是?|倒是?|但|只|光)?(?:拉|尿|咳|喘|吐)了?$|随便[^,。]|随(?:你|人)|都(?:行|可以)$")
"""没吐，拉了 and 不让摸肚子，背随便撸: what is so, after what is not."""


def _is_detail_of(last: Found, reading: Reading) -> bool:
    if any(draft.about and draft.negated for draft in last.drafts) and _LOOKS.search(reading.text):
        return False
    if all(draft.negated for draft in last.drafts) and _YET_SO.search(reading.text):
        return False
    if any(draft.attribute.startswith("contact") for draft in last.drafts) and re.search(r"\d{4}", reading.text):
        return False  # 尾号2265，7340那张给我爸用了
    same = reading.usable and reading.about.pets == last.reading.about.pets and not reading.about.explicit
    near = reading.sentence == last.reading.sentence and len(reading.text) <= MAX_DETAIL
    return same and near and not reading.used and not _NO_DETAIL.search(reading.text)


def _extended(draft: Draft, reading: Reading) -> Draft:
    """开了阿替洛尔，后来说不用吃了: the detail may say that the medicine is over."""
    if reading.end - draft.start > MAX_LINE:
        return draft
    over = draft.attribute.startswith("medication:") and is_over(reading.text)
    if (
        draft.attribute.startswith("lab:")
        and "number" not in draft.value
        and (bare := _BARE_FIGURE.match(reading.text))
    ):
        draft = replace(draft, value={**draft.value, "number": float(bare[1]), "unit": ""})
    figure = _FIGURE.search(reading.text) if draft.attribute.startswith(("visit:", "symptom:", "lab:")) else None
    value = {"number": float(figure[1]), "unit": figure[2] or ""} if figure and "number" not in draft.value else {}
    return replace(draft, end=reading.end, negated=draft.negated or over, value={**draft.value, **value})


def _up_to(draft: Draft, end: int) -> Draft:
    return replace(draft, end=end) if end - draft.start <= MAX_LINE else draft


_BARE_FIGURE = re.compile(r"^[^\d,。]{0,8}?(\d+(?:\.\d+)?)$")  # 测了血糖，饭后俩小时9.1
_FIGURE = re.compile(
    r"^(?:比值|数值|指数|评分|厚度|直径|大小|vhs|la/ao|[a-z/]{2,6})[^,。\d]{0,3}?(\d+\.\d+)\s?(mm|cm|毫米|厘米)?$"
)  # 左房有点大，比值1.7


_HAS_CHANGED = re.compile(r"变[成得了黄绿红黑白稠浓稀大多]")  # 今早又打，鼻涕都变黄了


def _merge_repeats(found: list[Found]) -> None:
    """The same slot said twice of the same pets: one claim over both places, unless day or number tell them apart."""
    seen: dict[tuple[object, ...], tuple[int, int, object]] = {}
    for place, one in enumerate(found):
        kept: list[Draft] = []
        for draft in one.drafts:
            pets, day = one.reading.about.pets, _day(one, draft)
            slot = _slot(draft, seen, pets)
            key = (draft.owner, pets, slot, draft.negated, draft.value.get("site"), _figure(draft))
            earlier = seen.get(key)
            if earlier and slot.startswith("symptom") and earlier[0] != place and _HAS_CHANGED.search(one.reading.text):
                kept.append(draft)
                continue
            near = earlier is not None and earlier[2] is None and place - earlier[0] == 1
            near = near and (slot.startswith("symptom") or IS_GENERAL.match(slot) is not None)
            near = near and not (draft.about and _NUMBERED.match(one.reading.text))  # 疫苗齐了 头针9.12
            if earlier is None or (day is not None and day != earlier[2] and not near):
                seen[key] = (place, len(kept), day)
                kept.append(draft)
            elif place - earlier[0] <= 1 and earlier[0] != place:
                _extend_at(found, earlier[:2], draft)
            elif slot in _MANY_SIGNS and not draft.negated and not _same_name(found, earlier[:2], draft):
                kept.append(draft)
        one.drafts = kept


_HABITS = ("behavior:", "diet", "other:living", "activity:", "grooming:")
_SAYS_MORE = frozenset({"behavior:habit", "diet.pickiness"})  # habits told without a word that names them
_MEALS_A_DAY = re.compile(
    r"^(?:一天|每天|一日|现在|目前)*[一两二三四五\d]?[顿餐]$|^(?:一天|每天|一日|早晚)[^,。]{0,3}[一两二三四五\d][顿餐]$"
)


_OF_THE_PLAN = frozenset({"schedule:接", "schedule:appointment", "schedule:送"})


def _join_plans(found: list[Found]) -> None:
    """下周二去美容，约的下午三点: the hour or the way back is no second plan."""
    last: Found | None = None
    for one in found:
        if last and len(one.drafts) == 1 and one.drafts[0].attribute in _OF_THE_PLAN and _same_plan(last, one):
            value = {**one.drafts[0].value, **last.drafts[-1].value}
            last.drafts = [*last.drafts[:-1], replace(_extended(last.drafts[-1], one.reading), value=value)]
            one.drafts = []
            continue
        if last and one.drafts and _what_is_done_then(last, one):
            last.drafts = [*last.drafts[:-1], _extended(last.drafts[-1], one.reading)]
            one.drafts = []
            continue
        last = one if one.drafts else last


_DONE_THEN = re.compile(r"\x00*(?:顺便|顺带|再|要|想|打算|一起|连|就)*(?:做|剪|洗|修|剃|弄|刷|掏)(?![^,。]*[了过])")


def _what_is_done_then(last: Found, one: Found) -> bool:
    """周六约了美容，做个药浴加剪指甲: what the appointment is for."""
    care = all(draft.attribute.startswith(("grooming:", "visit:treatment")) for draft in one.drafts)
    near = last.drafts[-1].attribute.startswith("schedule:") and last.reading.sentence == one.reading.sentence
    same = last.reading.about.pets == one.reading.about.pets and not one.reading.times
    return care and near and same and _DONE_THEN.match(one.reading.text) is not None


def _same_plan(last: Found, one: Found) -> bool:
    planned = last.drafts[-1].attribute.startswith("schedule:") and last.reading.sentence == one.reading.sentence
    return planned and last.reading.about.pets == one.reading.about.pets and not one.reading.about.explicit


_ANY_OF_IT = re.compile(
    r"统统|通通|一概|任何|全都?不|什么[^,。]{0,3}都不|啥[^,。]{0,3}都不|了[都也]不(?:吃|碰|喝|理|行)$|全(?:都)?(?:扒拉|挑|吐|拨)出来$"
)
MAX_SHOWN = 8  # characters that only show how calm a pet is
_WHENEVER = re.compile(r"^\x00*(?:一|见|每次)[^,。]{1,4}就")


def _join_habits(found: list[Found]) -> None:
    """不肯走井盖，每次都绕着: how a habit shows, told in a clause of its own, is no second habit."""
    last: Found | None = None
    for one in found:
        if last and one.drafts and _tells_more(last, one):
            end = max(draft.end for draft in one.drafts)
            last.drafts = [*last.drafts[:-1], _up_to(last.drafts[-1], end)]
            if last.drafts[-1].end == end:
                one.drafts = []
                continue
        last = one if one.drafts else None


MAX_LEAD = 16  # characters of a clause that only leads up to the habit told after it
_NO_LEAD = re.compile(r"^(?:今天|昨天|刚才|最近)?(?:我|咱)|气死|笑死|无语|哈哈|真是|我说|你看|你说|跟你|猜")


def _take_in_leads(found: list[Found]) -> None:
    """快过年了到处放炮，它一听就钻床底: what sets off the habit, or what it is about, told in the clause before."""
    covered = 0
    for before, one in pairwise(found):
        covered = max([covered, *(draft.end for draft in before.drafts)])
        if len(one.drafts) == 1 and before.reading.start >= covered and _leads_up_to(before, one):
            one.drafts = [replace(one.drafts[0], start=before.reading.start)]


def _leads_up_to(before: Found, one: Found) -> bool:
    lead, draft = before.reading, one.drafts[0]
    same = lead.sentence == one.reading.sentence and lead.about.pets == one.reading.about.pets
    told = lead.usable and lead.reports and not lead.tone.owners_life and not before.drafts
    short = len(lead.text) <= MAX_LEAD and draft.end - lead.start <= MAX_LINE
    idle = _NO_DETAIL.search(lead.text) or _NO_LEAD.search(lead.text)
    return same and told and short and not idle and draft.attribute.startswith("behavior:") and not lead.used


_ANOTHER_LIKING = re.compile(
    r"^\x00*[^,。]{1,3}也(?:护|怕|爱)|^\x00*(?:也|还|又|更|最|就|特别|超)*(?:爱|喜欢|怕|讨厌|嫌|馋|黏)"
)  # 爱玩网球，爱玩绳结


def _tells_more(last: Found, one: Found) -> bool:
    before, draft = last.drafts[-1], one.drafts[0]
    pointed = all(mention.kind is MentionKind.PRONOUN for mention in one.reading.about.mentions)
    same = one.reading.about.pets == last.reading.about.pets and pointed
    near = one.reading.sentence == last.reading.sentence and len(one.drafts) == 1
    alike = before.attribute.startswith(_HABITS) and before.cls is not AttributeClass.SYMPTOM
    meals = draft.attribute == "diet.amount" and _MEALS_A_DAY.search(one.reading.text) is not None
    told = (
        not one.reading.used
        and before.negated == draft.negated
        and not draft.attribute.startswith(("behavior:training", "behavior:fear"))
        and not _ANOTHER_LIKING.match(one.reading.text)
    )
    shown = draft.attribute.startswith("behavior:") and (told or _WHENEVER.match(one.reading.text) is not None)
    if before.about and draft.attribute in _SAYS_MORE and len(last.reading.text) <= MAX_SHOWN:
        return same and near  # 就是这样，停都停不下来, after the assistant's question
    if draft.attribute == "behavior:composed" and len(one.reading.text) <= MAX_SHOWN:
        told = shown = True  # 眼皮都懒得抬
    again = before.negated and before.attribute.startswith("diet") and alike
    again = again and (draft.negated or draft.attribute.startswith("behavior:"))
    if again and same and _ANY_OF_IT.search(one.reading.text):
        return True  # 不碰海鲜！虾啊鱼啊统统不碰
    return same and near and alike and (draft.attribute in _SAYS_MORE or meals or shown)


def _drop_counted_jabs(found: list[Found]) -> None:
    """卫佳五打了两针，头针3.21，二针4.11: the two jabs are told one by one."""
    for place, one in enumerate(found):
        numbered = [
            draft.attribute
            for other in found[place + 1 :]
            for draft in other.drafts
            if draft.about
            and other.reading.about.pets == one.reading.about.pets
            and _NUMBERED.match(other.reading.text)
        ]
        _join_the_last_jab(one, found[place + 1 : place + 2], numbered)
        counted = {slot for slot in numbered if slot.startswith("vaccine:") and numbered.count(slot) > 1}
        if counted and not any(time.on for time in one.reading.times):
            one.drafts = [draft for draft in one.drafts if draft.attribute not in counted or draft.about]


def _join_the_last_jab(one: Found, following: list[Found], numbered: list[str]) -> None:
    """三针妙三多打完了（末针1.4）: one jab told with its day, not two."""
    last = following[0] if following else None
    if last is None or len(numbered) != 1 or [draft.attribute for draft in last.drafts] != numbered:
        return
    whole = [draft for draft in one.drafts if draft.attribute == numbered[0]]
    if whole and not one.reading.times and not last.reading.about.explicit:
        last.drafts = [replace(last.drafts[0], start=whole[0].start)]
        one.drafts = [draft for draft in one.drafts if draft not in whole]


_NUMBERED = re.compile(
    r"(?:\d{1,2}[./月]\d{1,2}[号日]?(?:打的?|是)?)?(?:第?[一二三四]针|头一?针|[首末]针|(?:第[一二三四]|[头首二三四末])[次回])"
)


IS_GENERAL = re.compile(
    r"^medication:(?:unnamed|药)$|^(?:vaccine|deworming):(?:vaccine|dewormer|疫苗|驱虫.*|打虫.*|[内外]驱药?|体[内外][药的]|内外驱|内外同驱|同驱|体内外|体[内外]驱虫)$"
)


# Slots that hold several signs: 嘴角破了, and later 口水带粉色.
_MANY_SIGNS = frozenset(
    f"symptom:{key}" for key in ("mouth_problem", "skin_lesion", "eye_discharge", "ear_problem", "wound")
)


def _same_name(found: list[Found], where: tuple[int, int], later: Draft) -> bool:
    return found[where[0]].drafts[where[1]].value.get("name") == later.value.get("name")


def _slot(draft: Draft, seen: Iterable[tuple[object, ...]], pets: tuple[str, ...]) -> str:
    """驱虫了，用的拜宠清 is one deworming: the name joins the general word said just before."""
    family = draft.attribute.partition(":")[0]
    for key in seen:
        if key[1] == pets and str(key[2]).startswith(f"{family}:") and IS_GENERAL.match(str(key[2])):
            return str(key[2])
    return draft.attribute


def _extend_at(found: list[Found], where: tuple[int, int], later: Draft) -> None:
    drafts = found[where[0]].drafts
    earlier = drafts[where[1]]
    if later.end - earlier.start <= MAX_LINE:
        better = later.attribute if IS_GENERAL.match(earlier.attribute) else earlier.attribute
        value = {**earlier.value, **later.value} if better == later.attribute else {**later.value, **earlier.value}
        drafts[where[1]] = replace(earlier, attribute=better, end=later.end, value=value)


def _figure(draft: Draft) -> object:
    if draft.attribute == "diet.amount":
        return None  # 每顿95克狗粮，一天两顿 is one amount
    if draft.attribute.startswith("diet"):
        return draft.value.get("food")  # the food before and the one after are two claims
    if draft.attribute == "preference.budget":
        return draft.value.get("number")
    return draft.value.get("number") if draft.attribute == "weight" or draft.attribute.startswith("lab:") else None


def _day(one: Found, draft: Draft) -> object:
    """The day that keeps two happenings apart; none for what is no series."""
    if draft.attribute.startswith(("symptom:", "visit:", "vaccine:", "deworming:", "weight")):
        return next((time.on for time in one.reading.times if time.on), None) if one.reading.times else None
    return None


_EVERY_YEAR = re.compile(r"每(?:半|隔?一?)?(?:年|季度?|个?月)")  # 每年都体检 is no single trip


def _drop_bare_visits(found: list[Found]) -> None:
    """去了趟医院, 体检了: worth a memory only when the message does not say what came of it."""
    for one in found:
        if _EVERY_YEAR.search(one.reading.text):
            continue
        if any(draft.attribute in _BARE_VISITS for draft in one.drafts):
            pets = set(one.reading.about.pets)
            told = [d for other in found if not pets or pets & set(other.reading.about.pets) for d in other.drafts]
            all_told = all(
                any(pet in other.reading.about.pets and other.drafts for other in found if other is not one)
                for pet in pets
            )
            if (
                (all_told or not pets)
                and not _RESULT.search(_told_in(one, found))
                and any(_is_medical(draft) for draft in told if draft.attribute not in _BARE_VISITS)
            ):
                done = _IS_DONE.search(one.reading.text) is not None  # 体检做完了
                kept = {"visit:checkup"} if done else set()
                one.drafts = [draft for draft in one.drafts if draft.attribute not in _BARE_VISITS - kept]


def _told_in(one: Found, found: list[Found]) -> str:
    """All that the claims of a clause hold, details of later clauses with it."""
    end = max(draft.end for draft in one.drafts)
    return "".join(other.reading.text for other in found if one.reading.start <= other.reading.start < end)


def _is_medical(draft: Draft) -> bool:
    return (draft.cls or spec_of(draft.attribute).attribute_class) in _MEDICAL
