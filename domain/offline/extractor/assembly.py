"""From drafts to claims: the subject's name, the day, the wording, what the slot's catalogue says."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from domain.attributes import spec_of
from domain.dates import TimeReading
from domain.offline.extractor.arrivals import is_of_its_beginning
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.same_day import (
    began_on,
    day_put_right,
    is_only_compared,
    later_that_day,
    was_found_today,
)
from domain.pet_mentions import MentionKind, State, species_of
from memory.claims import Claim, Evidence
from memory.vocabulary import OWNER_SUBJECT, Certainty, Precision, SpeechAct

_CONFIDENCE = {Certainty.PLAIN: 0.95, Certainty.HEDGED: 0.6, Certainty.HEARSAY: 0.5, Certainty.QUESTION: 0.3}
_NEVER_DATED = frozenset({"weight_goal", "age", "sex"})


def claims_of(reading: Reading, drafts: Iterable[Draft], scene: Scene) -> list[Claim]:
    """One claim for each draft and pet that the clause is about; the subject is None when it is unclear which."""
    claims: list[Claim] = []
    for draft in drafts:
        subjects: tuple[str | None, ...]
        if draft.owner:
            subjects = (OWNER_SUBJECT,)
        elif bearers := _of_the_vaccines_kind(draft, reading, scene):
            subjects = bearers
        else:
            unclear = reading.about.state is State.UNCLEAR
            subjects = reading.about.pets or ((_known_bearer(draft, reading, scene),) if unclear else ())
        claims.extend(_claim(draft, subject, reading, scene) for subject in subjects)
    return claims


_KINDS_OF_VACCINES = {"猫": "cat", "犬": "dog", "狗": "dog", "兔": "rabbit"}


def _of_the_vaccines_kind(draft: Draft, reading: Reading, scene: Scene) -> tuple[str, ...]:
    """昨天打了猫三联, in a home of one cat and one dog: the vaccine's name tells whose it was when nobody is named."""
    if not draft.attribute.startswith("vaccine:") or reading.about.explicit:
        return ()
    species = _KINDS_OF_VACCINES.get(str(draft.value.get("product", ""))[:1])
    fitting = tuple(pet.id for pet in scene.utterance.pets if species and species_of(pet) == species)
    return fitting if len(fitting) == 1 else ()


def _known_bearer(draft: Draft, reading: Reading, scene: Scene) -> str | None:
    """The only pet of whom this slot, or this drug, is known when it is not said which is meant (甲巯咪唑忘喂了)."""
    slots = {draft.attribute} if draft.attribute.partition(":")[0] in _TELLING_SLOTS else set()
    slots |= {f"medication:{draft.value['ingredient']}"} if "ingredient" in draft.value else set()
    possible = reading.about.candidates or tuple(pet.id for pet in scene.utterance.pets)
    bearers = {fact.subject for fact in scene.utterance.known if fact.attribute in slots - {"medication:unnamed"}}
    known = [pet for pet in possible if pet in bearers]
    return known[0] if len(known) == 1 else None


def _claim(draft: Draft, subject: str | None, reading: Reading, scene: Scene) -> Claim:
    spec = spec_of(draft.attribute)
    certainty = draft.certainty or reading.tone.certainty
    on, precision = _when(draft, reading, scene)
    quote = scene.utterance.text[draft.start : draft.end]
    return Claim(
        subject=subject,
        attribute=draft.attribute,
        attribute_class=draft.cls or spec.attribute_class,
        topic=draft.topic or spec.topic,
        content=_content(draft, subject, reading, scene),
        evidence=Evidence(quote, draft.start, draft.end),
        value={key: quote if _holds_blank(told) else told for key, told in draft.value.items()} | _rhythm(draft, scene),
        negated=draft.negated,
        certainty=certainty,
        act=draft.act or reading.tone.act,
        kind=spec.kind,
        memory_type=spec.memory_type,
        confidence=_CONFIDENCE[certainty],
        weight_level=spec.weight_level,
        occurred_on=on,
        occurred_on_precision=precision,
        first_hand=reading.tone.first_hand,
    )


_RHYTHMIC = ("grooming", "deworming", "activity", "visit:treatment")  # what is done again and again


def _rhythm(draft: Draft, scene: Scene) -> dict[str, object]:
    """每月1号跟15号剪指甲: how often, when the claim's own words say so."""
    if not draft.attribute.startswith(_RHYTHMIC) or "recurrence" in draft.value:
        return {}
    inside = (time.recurrence for time in scene.times if draft.start <= time.start < draft.end and time.recurrence)
    told = next(inside, None)
    return {"recurrence": told.as_dict()} if told else {}


def _holds_blank(told: object) -> bool:
    """Words in which a pet's name was blanked; the quote has them whole."""
    return isinstance(told, str) and "\x00" in told


def _when(draft: Draft, reading: Reading, scene: Scene) -> tuple[date | None, Precision]:
    """The day told in the claim's own words, or just before it in the sentence; just now is today."""
    if draft.on:
        return draft.on, Precision.DAY
    if draft.attribute in _NEVER_DATED:
        return None, Precision.UNKNOWN
    if draft.attribute == "weight" and _AT_PRESENT.search(reading.text):
        return scene.now.date(), Precision.DAY  # 目前12斤，上月底12斤半
    told = [time for time in scene.times if draft.start <= time.start < draft.end]
    if (began := began_on(draft, reading, scene)) is not None:
        return began, Precision.DAY
    if not told and draft.attribute != "weight" and _JUST_DONE.search(reading.text):
        return scene.now.date(), Precision.DAY
    if told and draft.attribute.startswith(_HAPPENINGS):
        that_day = later_that_day(told, _told_before(reading, scene))
        if that_day is not None:
            return that_day, Precision.DAY
    if not told and draft.attribute.startswith(_HAPPENINGS):
        told = _told_before(reading, scene, only_days=draft.attribute.startswith(("weight", "lab")))
    if not told and draft.attribute.startswith("diet") and _WAS_FED.search(reading.text):
        told = _told_before(reading, scene)
    told = [time for time in told if not is_only_compared(scene, time)]
    told = told or (_told_after(reading, scene) if draft.attribute.startswith(_HAPPENINGS) else [])
    if draft.attribute.startswith(_PAST_ONLY):
        told = [time for time in told if not _is_yet_to_come(time, scene.folded)]
    end = None if draft.attribute == "visit:hospital_stay" else draft.value.get("end")
    dated = [time for time in told if time.on is not None and time.on.isoformat() != end]
    if draft.attribute == "weight":
        dated = [time for time in dated if not _UP_TO_NOW.match(time.quote)]
        told = told if dated else [time for time in told if not _UP_TO_NOW.match(time.quote)]
    if draft.attribute.startswith(_PAST_ONLY):
        dated = [time for time in dated if time.on is not None and time.on <= scene.now.date()]
    if dated:
        corrected = draft.attribute == "birth_date" and "不是" in reading.text  # 不是5月30，是3月30
        days = [time for time in dated if time.precision is Precision.DAY] or dated
        time = days[-1] if corrected or draft.attribute.startswith(("vaccine", "deworming")) else dated[0]
        return time.on, time.precision
    if draft.attribute.startswith(_PAST_ONLY):
        told = [time for time in told if time.on is None or time.on <= scene.now.date()]
    if not told and draft.attribute.startswith(_FOUND_THERE) and _JUST_BACK.search(scene.folded):
        return scene.now.date(), Precision.DAY
    if not dated and was_found_today(draft, reading, scene):
        return scene.now.date(), Precision.DAY
    right = _puts_right(draft, reading, scene) and not told
    if right and (day := day_put_right(scene.utterance, draft.attribute)) is not None:
        return day, Precision.DAY
    if (
        draft.attribute.startswith(_TAKEN)
        and not told
        and _GOT_DRUG.search(reading.text)
        and _HAS_GOT_AT_IT.search(reading.text)
    ):
        return scene.now.date(), Precision.DAY
    weighed = draft.attribute == "weight" and _BACK_THEN.search(reading.text) is None
    now = draft.attribute != "weight" and _JUST_NOW.search(reading.text) is not None
    if not told and (weighed or now):
        return scene.now.date(), Precision.DAY
    return None, Precision.UNKNOWN


_TELLING_SLOTS = frozenset({"medication", "condition", "behavior", "diet"})  # slots that tell pets apart
_PAST_ONLY = (
    "symptom",
    "weight",
    "lab",
    "visit",
    "vaccine",
    "deworming",
    "condition",
    "other:pregnancy",
)  # what was seen has happened; 明天再看看 is no day of it
_BACK_THEN = re.compile(
    r"那天|那会|那时|那年|的时候|当时|刚(?:接|来|捡|到家|领|抱|买)|(?:[抱接捡领买带][来回]家?|到家|进门|来家|满月)[^,。]{0,2}(?:才|[头第][一二两三几]?天|时|的?时候|当天)|小时候|以前|之前|原来|出生|上一?[次回]|前一?[次回]"
)
_UP_TO_NOW = re.compile(r"这[俩两几半三]|最近|近[一两三几]|过去")  # 这俩月掉秤了: a span up to today
_IS_NEXT = re.compile(r"下[一]?[次回针][是在到]?$")  # 上次滴的是3/22的，下回4月22
_AT_PRESENT = re.compile(r"目前|现在|眼下|当前|如今|这[回次]")
_JUST_DONE = re.compile(r"刚(?!好|开始|满|来|接|出院|到家)")
_JUST_NOW = re.compile(r"刚(?!好|开始|满|来)|刚才|刚刚|现在|这会儿")


def _is_yet_to_come(time: TimeReading, folded: str) -> bool:
    """下回4月22, 这个月还没轮到: no day of what was done."""
    before = _IS_NEXT.search(folded, max(0, time.start - 4), time.start)
    return before is not None or _NOT_YET.match(folded, time.end) is not None


_NOT_YET = re.compile(r"(?:还|都|也)?没(?:轮|到|打|滴|喂|驱|吃|做)")


def _puts_right(draft: Draft, reading: Reading, scene: Scene) -> bool:
    """拉稀的是点点不是咪咪, right after 咪咪拉稀了: it was told as it happened."""
    corrected = SpeechAct.CORRECTION in (draft.act, reading.tone.act) or "不是" in scene.folded
    slipped = _SLIPPED.search(scene.folded) is not None
    return bool(scene.utterance.history) and (corrected or slipped)


_SLIPPED = re.compile(r"[看认听说写打记][错岔走]|走眼|手[滑抖误]")
_FOUND_THERE = ("visit", "condition", "lab", "symptom", "grooming")
_JUST_BACK = re.compile(
    r"刚刚?(?:带|抱|陪|领|送)\x00*[^,。]{0,8}(?:看完|回来|检查|复查|做完|去[^,。]{0,5}科|看了)|(?<!以)(?:刚刚?|才)(?:到家|回到家|进门|进家)|(?<!以)(?:刚刚?|才)(?:从|打|出|自)[^,。]{0,8}(?:医院|诊所|门诊|宠医|急诊|[眼牙骨内外]科|皮肤科)|(?:医院|诊所|门诊)(?:刚刚?|才)(?:出来|回来|到家)|刚刚?(?:看|检查|体检|复查|拍)完|看完病[^,。]{0,4}(?:刚|才|到家|回)"
)  # 刚从医院回来: what was found there was found today
_TAKEN = ("symptom:ate", "behavior:", "symptom:swallowed")
_GOT_DRUG = re.compile(r"吞|嚼|舔|偷吃|偷喝|叼|扒|翻出|啃|喝了|吃了|蹭了")
_HAS_GOT_AT_IT = re.compile(
    r"^(?!.*(?:吃过|以前|之前|小时候|上次|那次|有次|有一次|经常|老是?|总|爱|每次|曾|那年|从小|动不动|天天|又)).*了"
)  # an accident with no day is told as soon as it is seen
_WAS_FED = re.compile(
    r"给\x00+[^,。]{0,4}(?:吃|喂|喝|夹|塞|扔|掰|舔)了|(?:喂|塞)了?\x00|偷吃了"
)  # 我爸给它夹了块红烧肉
_HAPPENINGS = (
    "symptom",
    "visit",
    "lab",
    "vaccine",
    "deworming",
    "weight",
    "grooming",
    "behavior",
    "medication",
    "condition",
    "neutered",
)


_COUNTS_DAYS = re.compile(r"第[\d一二三四五六七八九十百]+[天周月针]|[天周月年]了$")
"""打441第56天: how long it has gone on is not when the weight beside it was taken."""


def _told_before(reading: Reading, scene: Scene, only_days: bool = False) -> list[TimeReading]:
    """The times of the nearest earlier clause of the sentence that speaks of the same pet and has any."""
    place = reading.place
    for earlier in reversed(scene.readings[max(0, place - 2) : place]):
        same = not earlier.about.pets or set(earlier.about.pets) & set(reading.about.pets)
        compared = all(is_only_compared(scene, time) for time in earlier.times)
        if earlier.times and is_of_its_beginning(earlier, reading):
            return []
        if earlier.sentence == reading.sentence and same and not compared:
            return [] if only_days and _COUNTS_DAYS.search(earlier.text) else list(earlier.times)
    return []


_ONLY_WHEN = re.compile(
    r"(?:就|都|是|大概|差不多|好像|应该|从|打|自|在|也|\x00)*(?:开始|起|起头|发现|出现|有|弄|摔|做|查|打|拍|测|发生|得|犯|病|滴|喂|吃|确诊|诊断)?(?:的事儿?|的时候|的|了|吧|啦|呢)*"
)
REACH_AFTER = 2  # clauses


def _told_after(reading: Reading, scene: Scene) -> list[TimeReading]:
    """狂犬都打好了（6.13）, 就右边 红肿的 昨晚开始的: the day stands in a clause that holds nothing else."""
    for later in scene.readings[reading.place + 1 : reading.place + 1 + REACH_AFTER]:
        if later.about.explicit or (later.sentence != reading.sentence and not scene.utterance.history):
            return []
        if later.times:
            rest = list(later.text)
            for time in later.times:
                rest[time.start - later.start : time.end - later.start] = ""
            alone = all(time.recurrence is None for time in later.times)
            return list(later.times) if alone and _ONLY_WHEN.fullmatch("".join(rest)) else []
    return []


def _content(draft: Draft, subject: str | None, reading: Reading, scene: Scene) -> str:
    """The owner's words of the clause with the subject's name in them."""
    line = _ASKED_TO_KEEP.sub("", _line(draft, subject, reading, scene))
    if line.startswith(("他", "她")) and (kin := _KIN_BEFORE.search(scene.utterance.text[: draft.start])):
        line = f"我{kin[1]}{line[1:]}"  # 我老公叫大伟，他每天遛豆豆
    about = draft.about or ("生日" if draft.attribute == "birth_date" and "生" not in line else "")
    return f"{line}（{about}）" if about else line


_KIN_BEFORE = re.compile(
    r"(?:^|[,，。！!\s])(?:对了|还有)*我家?"
    r"(老公|老婆|媳妇|对象|男朋友|女朋友|爱人|先生|太太|爸爸?|妈妈?|姐姐?|妹妹?|哥哥?|弟弟?|婆婆|公公|室友|阿姨)"
    r"(?:的?名字)?(?:叫|姓|是)[^,，。]{1,8}[,，\s]$"
)
_TO_KEEP = (
    r"(?:请|麻烦你?|帮我|给我|替我|你)*(?:记住|记一下|记下来?|记着|记好|备注一下)(?:了|一下|哈|啊|吧|啦|[,，:：\s])*"
)
_ASKED_TO_KEEP = re.compile(rf"^{_TO_KEEP}(?=.)")
"""记住, which asks for a line to be kept and is no part of it."""


_LED_IN_BY = re.compile(r"^(?:但是?(?![愿凡])|不过(?!敏)|可是|而且|另外(?![那一两几])|并且|随后)[，,]?(?=.{2})")
"""但是没流脓: the word that ties a clause to the one before is no part of the line."""


def _line(draft: Draft, subject: str | None, reading: Reading, scene: Scene) -> str:
    text = _ASKED_TO_KEEP.sub("", scene.utterance.text[draft.start : draft.end].strip())
    if led := _LED_IN_BY.match(text):
        draft = replace(draft, start=draft.start + led.end())
        text = text[led.end() :]
    if draft.owner:
        return text if text.startswith(("我", "主人")) else f"主人：{text}"
    name = next((pet.name for pet in scene.utterance.pets if pet.id == subject), None)
    if name is None:
        return f"（未说明是哪只）{text}"
    for mention in reading.about.mentions:
        if draft.start <= mention.start and mention.end <= draft.end and subject in mention.pets:
            left, right = mention.start - draft.start, mention.end - draft.start
            original = scene.utterance.text[draft.start : draft.end]
            if name in original and len(mention.pets) == 1 and mention.kind is MentionKind.NAME:
                return text
            rest = original[right:]
            if mention.kind is MentionKind.NAME and (denied := _NOT_THIS_ONE.search(original[:left])):
                return f"{original[: denied.start()]}是{name}{rest}"  # 不是雪糕尿的，是芋圆
            rest = rest.removeprefix("都") if len(mention.pets) > 1 else rest  # 它俩都该洗澡了, told of one of them
            return f"{original[:left]}{name}{rest}".strip()
    if name not in text and any(pet.name in text for pet in scene.utterance.pets):
        text = _FOR_IT.sub(name, text)  # 可乐的羊肉卷别给它
    return _with_name_for_pronoun(text, name, draft, reading) or (text if name in text else f"{name}{text}")


_FOR_IT = re.compile(r"(?<=[给喂让])[它他她](?!们)")


_HURTS = ("咬", "抓", "挠", "扑", "撞", "踢", "踩", "追", "传", "打", "啄")
_NOT_THIS_ONE = re.compile(r"(?:不是|并非)$")


def _with_name_for_pronoun(text: str, name: str, draft: Draft, reading: Reading) -> str:
    """今天给它打了狂犬 → 今天给豆豆打了狂犬; nothing when the clause has no pronoun or names the pet anyway."""
    if name in text or len(reading.about.pets) != 1:
        return ""
    for mention in reading.about.mentions:
        if mention.kind is MentionKind.PRONOUN and draft.start <= mention.start and mention.end <= draft.end:
            left, right = mention.start - draft.start, mention.end - draft.start
            if text[:left].endswith(("被", "让", "叫", "挨")) and text[right:].startswith(_HURTS):
                return ""  # 被它咬了: somebody else
            return f"{text[:left]}{name}{text[right:]}"
    return ""
