"""What is told of a known pet beside everything a rule knows the kind of: 指甲昨天剪了, 左耳又开始甩.

Kept as it was told, or as the known line said again; never more than one line a message.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from domain.attributes import spec_of
from domain.offline.extractor.bearing_mentions import mentions_drug
from domain.offline.extractor.bearing_words import UNDECIDED
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.threads import MAX_LINE, Found
from domain.pet_mentions import MentionKind
from domain.pet_profiles import KnownFact
from memory.text_folding import fold_text
from memory.topics import Topic
from memory.vocabulary import AttributeClass, Certainty, SpeechAct

THIS_ONCE = re.compile(
    r"这[周两几]天?|今儿|昨儿|居然|竟然|难得|昨晚|昨天|今天|今早|今晚|前天|刚才|刚刚|这次|头一回|第一次"
)
_GOES_WELL = re.compile(r"还行|挺好|不错|稳定|照旧|一样|没变|有效|管用|安稳|正常")
MAX_REMARK = 12  # characters of a remark that name its slot
COMMON_WORDS = frozenset(
    {"每天", "今天", "昨天", "一天", "早上", "早晨", "现在", "医生", "主人", "一次", "两次", "喜欢", "一个", "一点"}
    | {"小时", "的时", "时候", "有点", "每次", "最近", "自己"}
)


_HOW_MANY = re.compile(r"几(?:克|毫升|片|粒|斤|公斤|两|顿|次|包|勺|罐|袋)[啊呀呢哦]?$")  # 每顿吃几克 asks


def keep_remarks(found: list[Found], scene: Scene) -> None:
    """指甲昨天剪了, of one whose claws are cut every month: told of something known, it is kept as it was told."""
    if _keep_number(found, scene):
        return
    if any(one.drafts for one in found) or any(one.reading.tone.why_not for one in found):
        return
    if any(_HOW_MANY.search(one.reading.text) for one in found):
        return
    for one in found:
        own = [fact for fact in scene.utterance.known if fact.subject in one.reading.about.pets]
        linked = [
            fact
            for fact in own
            if (shares_a_word(fact, one.reading, scene) and not fact.attribute.startswith("allergy:"))
            or (fact.attribute.startswith("medication:") and mentions_drug(fact, one.reading, own))
        ]
        measured = len(scene.utterance.pets) == 1 and is_a_reading(one.reading)
        fit = (
            (one.reading.reports or measured)
            and one.reading.usable
            and not (one.reading.tone.wishing or one.reading.tone.in_question)
            and not UNDECIDED.search(one.reading.text)
        )
        if fit and (settled := _ends_a_danger(one, own)):
            one.drafts = settled
            return
        if fit and (linked or (scene.utterance.known and (measured or _is_news_of_care(one.reading)))):
            one.drafts = [_remark(linked[0], one) if linked else _news(one)]
            return
    _keep_an_order(found, scene)


_ENDS = re.compile(
    r"停|断|戒|撤|不再?(?:吃|喂|打|用|过敏|给)|换|减|改成|痊愈|治好|(?<![商说约定想谈备排买弄收讲聊吃量])好了|阴性|不用|不需要|删|取消"
)


_GETS_WELL = re.compile(r"痊愈|治好|好了")


def _ends_a_danger(one: Found, own: Sequence[KnownFact]) -> list[Draft]:
    """Words of ending or changing, in a clause that no rule has read, beside a known danger: watched, never kept as
    news of its own, for it would be served as if the danger were settled."""
    if not _ENDS.search(one.reading.text):
        return []
    guarded = [fact for fact in own if spec_of(fact.attribute).guards]
    drugs = [fact for fact in guarded if fact.attribute.startswith("medication:")]
    if not _ENDS.search(_GETS_WELL.sub("", one.reading.text)):  # 耳朵好了: an ear gets well, and no drops do
        guarded, drugs = [fact for fact in guarded if fact not in drugs], []
    meant = drugs if len(drugs) == 1 else guarded
    if len(meant) != 1:
        return []
    start, end = one.reading.start, one.reading.end
    doubt = Certainty.HEDGED
    return [Draft(meant[0].attribute, start, end, {}, negated=True, act=SpeechAct.OBSERVATION, certainty=doubt)]


def _keep_number(found: list[Found], scene: Scene) -> bool:
    """Whether the message tells again of a number that is known, and of nothing else."""
    drafts = [draft for one in found for draft in one.drafts]
    contacts = [fact.content for fact in scene.utterance.known if fact.attribute.startswith("contact")]
    known = {code for content in contacts for code in _CODE.findall(fold_text(content))}
    if any(not draft.attribute.startswith("contact") or _is_new(draft, known) for draft in drafts):
        return False
    for one in found:
        if again := _contact_again(one, found, scene):
            for other in found:
                other.drafts = [again] if other is one else []
            return True
    return False


def _is_new(draft: Draft, known: set[str]) -> bool:
    """Another number than those on record."""
    return not set(_CODE.findall(fold_text(str(draft.value.get("text", ""))))) <= known


def _contact_again(one: Found, found: list[Found], scene: Scene) -> Draft | None:
    """打8865找我就行: a number that is known already. What else is told of it (半夜也打得通) stands beside it."""
    told = set(_CODE.findall(scene.folded))
    for fact in scene.utterance.known:
        known = set(_CODE.findall(fold_text(fact.content)))
        if not fact.attribute.startswith("contact") or not known & set(_CODE.findall(one.reading.text)):
            continue
        start, end = found[0].reading.start, found[-1].reading.end
        said = _REPEATS_A_NUMBER.sub("", _CODE.sub("", scene.folded))
        if told <= known and len(said) >= ENOUGH_OF_A_NUMBER and end - start <= MAX_LINE:
            return Draft(slot_of_its_own(one), start, end, {}, topic=Topic.OWNER, act=SpeechAct.OBSERVATION, owner=True)
        if len(told - known) == 1 and _NOT_CALLED.search(scene.folded) and _CALLED.search(scene.folded):
            (text,) = told - known
            start, end = found[0].reading.start, found[-1].reading.end
            act = SpeechAct.DECISION
            return Draft(fact.attribute, start, end, {"text": text}, act=act, owner=True)  # 3302停机了，打7745找我
        if told - known and _NOT_CALLED.search(one.reading.text):
            continue  # 换号6027，3154别打了: another number is told, so the known one is not told again
        return Draft(fact.attribute, one.reading.start, one.reading.end, {}, act=SpeechAct.OBSERVATION, owner=True)
    return None


_NOT_CALLED = re.compile(r"别打|不用|停|过户|注销|作废|空号|打不通|给了|给我?[^,，。]{1,3}(?:用|了)|丢|废|欠费|换")
_CALLED = re.compile(r"打|找我|我?现在(?:是|用|的)|我的?是|联系|拨|新号|号码?是|用这个")
ENOUGH_OF_A_NUMBER = 3  # characters that tell something of a number beside the number: 微信同号
_REPEATS_A_NUMBER = re.compile(
    r"手机|电话|号码|尾号|微信号?(?=是|[:：]|$)|联系我?|找我|我的|还是|没变|没换|记住|[这那]个|[就是号的了哈啊呀]|\W"
)
_CODE = re.compile(r"[a-z][a-z0-9_.-]{3,}|\d{4,}")
_CARE = re.compile(
    r"犯病|发作|复发|干掉|炫了|[玩逛游拆缝走跳站趴痘疹红吃喝拉尿睡药针毛耳眼爪皮牙腿粮罐遛洗窝砂叫咬抓甩舔挠吐痒肿瘦胖跑躲怕]|出(?:去|门)|精神|状态|指标|胃口|食欲|体温|血压|抗体|测|便便|肚子|体检|医院|复查"
)
_ITS_PLACE = re.compile(
    r"[今昨前]?[天儿晚早]?(?:医生|大夫|兽医)?[说讲夸]?(?:早上|上午|中午|下午|晚上|刚才|刚刚|刚|最近|现在|又|没|我)*(?:给|带|把|让|替|陪)?\x00+(?![粉汤水蛋糕面包饼粥说])"
)
"""Where the name of a pet stands when the clause is about it: first, or as the one that is fed or led."""
_MEASURED = re.compile(
    r"(?:降|升|回|恢复)(?:到|至|了)[^,。]{0,4}(?:正常|\d)|(?:正常|参考)(?:值)?(?:范围|区间)|控制得|稳住|达标|(?:目标|理想|安全)(?:值|范围|区间)|(?:比|较)(?:上次|之前|上回)[^,。]{0,4}[高低好降升]|偏[高低]|合格|指标[^,。]{0,4}(?:稳|还行|不错|正常|可以|漂亮|好)"
)
_NORMAL = re.compile(
    r"\x00*(?:这[次回]|今[天早]|复查|刚|最新|的)*[^,。\x00]{0,3}(?:[磷钾钠钙氯镁氨酶酐氮脂糖]|蛋白|糖胺|红素|胆汁酸|比重|比值?|电解质|细胞|血小板|t[34]|tsh|sdma|alt|alp|ast|ggt|crp|saa|hct|pcv|bnp|皮质醇|抗体|滴度)"
    r"(?:这[次回]|终于|已经|也|都|又|值)*(?:正常|回来|回正|降下来|升上来|降了|升了|合格|过关|没超|不高|不低)(?:了|啦|咯|范围)*"
)
"""钠钾比正常了: a value of the blood or the urine, and nothing else."""
_JUST_NOW = re.compile(r"了|过(?!敏)|着|又|没|[今昨]|前天|刚|最近|这[几两]天|开始|正在|稳|正常|挺好|不错|还行")


def _is_news_of_care(reading: Reading) -> bool:
    """可乐左耳又开始甩: a pet that is named, and something of its body or its care that happened."""
    happened = _JUST_NOW.search(reading.text) is not None and not reading.tone.in_question
    named = any(mention.kind is MentionKind.NAME for mention in reading.about.mentions)
    placed = _ITS_PLACE.match(reading.text) is not None
    return happened and named and placed and _CARE.search(reading.text) is not None


def is_a_reading(reading: Reading) -> bool:
    """磷降到正常了, of the only pet: what was measured, with nobody's name and nothing of the owner's own life."""
    measured = _MEASURED.search(reading.text) or _NORMAL.fullmatch(reading.text)
    return measured is not None and not (reading.tone.owners_life or reading.tone.in_question)


_ORDERED = re.compile(
    r"(?:医生|大夫|兽医|院长|医院|主治|护士)[^,。我]{0,4}(?:让|叫|交代|叮嘱|嘱咐|建议|要求|吩咐|说(?:要|得|给|可以给))(?![^,。]{0,4}我)|[遵按]医嘱"
)
_BEGUN = re.compile(r"起[就都已]?|开始|已经|[用换装垫安铺买备]上|照[办做着]|安排|每[天顿餐晚]|[全都]换|了$|着呢?$")


def _keep_an_order(found: list[Found], scene: Scene) -> None:
    """大夫交代改用慢食碗，今天起就用上了: what the only pet's vet asked for and its owner does, with nobody's name."""
    told = [one for one in found if one.reading.usable]
    spoken = len(scene.utterance.pets) == 1 and bool(scene.utterance.known) and len(told) == len(found) > 0
    begun = _ORDERED.search(scene.folded) and _BEGUN.search(scene.folded) and not UNDECIDED.search(scene.folded)
    if not spoken or not begun or any(one.reading.tone.owners_life for one in found):
        return
    start, last = told[0].reading.start, told[-1]
    if last.reading.end - start <= MAX_LINE:
        topic = Topic.LIFESTYLE
        slot, end = slot_of_its_own(told[0]), last.reading.end
        last.drafts = [Draft(slot, start, end, {}, topic=topic, act=SpeechAct.OBSERVATION)]


def _news(one: Found) -> Draft:
    """A line of its own about what nobody asked and no rule knows the kind of."""
    start, end = one.reading.start, one.reading.end
    return Draft(slot_of_its_own(one), start, end, {}, topic=Topic.LIFESTYLE, act=SpeechAct.OBSERVATION)


def _remark(fact: KnownFact, one: Found) -> Draft:
    """The same again when the words only confirm, else a line of its own beside what is known."""
    start, end = one.reading.start, one.reading.end
    if _GOES_WELL.search(one.reading.text) and not THIS_ONCE.search(one.reading.text):
        return Draft(fact.attribute, start, end, {}, act=SpeechAct.OBSERVATION)
    topic = spec_of(fact.attribute).topic
    return Draft(slot_of_its_own(one), start, end, {}, topic=topic, act=SpeechAct.OBSERVATION)


def slot_of_its_own(one: Found) -> str:
    """Named by its first words, without the blanks that stand for names (no database keeps a NUL)."""
    return f"other:{one.reading.text.replace(chr(0), '')[:MAX_REMARK]}"


def shares_a_word(fact: KnownFact, reading: Reading, scene: Scene) -> bool:
    """Whether a clause holds two characters in a row of a known line that tell what it is about."""
    names = tuple(fold_text(pet.name) for pet in scene.utterance.pets)
    loosely = spec_of(fact.attribute).attribute_class is AttributeClass.BEHAVIOR
    telling = _telling_words(fact.content, names, loosely)
    said = scene.folded[reading.start : reading.end]  # with the words for pets, which may stand in others (逗猫棒)
    return telling is not None and telling.search(said) is not None


@lru_cache(maxsize=4096)
def _telling_words(content: str, names: tuple[str, ...], loosely: bool) -> re.Pattern[str] | None:
    """Any two characters in a row of a known line, names and common words apart; `loosely`: 打那么大雷 is 打雷."""
    known = fold_text(content)
    for name in names:
        known = known.replace(name, "\x00")
    pairs = {one + other for one, other in pairwise(known) if one.isalpha() and other.isalpha()} - COMMON_WORDS
    between = ".{0,3}" if loosely else ""
    return re.compile("|".join(f"{pair[0]}{between}{pair[1]}" for pair in sorted(pairs))) if pairs else None
