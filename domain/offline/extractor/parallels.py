"""Two pets told of in the same way: 小七一顿四十克小八三十, 小七喝活水小八喝碗里的死水.

What the rules made of one half says what the other half is about. Only meals, conduct, ways of living and birthdays:
what has medical weight is never taken over from one pet to the other.
"""

import re
from itertools import pairwise

from domain.offline.extractor.quantities import NUMBER
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.threads import Found
from memory.numerals import read_number

_SHARED = ("diet:", "diet.", "behavior:", "other:living", "other:litter", "activity:")
_MEDICAL = ("drug", "drug_name", "drug_word", "condition", "sign", "allergen", "vaccine", "dewormer", "visit", "lab")
_LED_IN = re.compile(
    r"^\x00+(?:那边|这边|呢|就|倒是?|却|则|只|光|也|都|才|偏偏?|更|反而|最|很|特别|超|现在|一直|总|老|天天|每天|还)*"
)
_VERB = re.compile(
    r"不?(?P<verb>爱|喜欢|怕|吃|喝|睡|住|用|要|黏|粘|跟|咬|玩|讨厌|嫌|追|抢|躲|钻|蹲|趴|认|让|会|能|挑|守|待|呆|穿|戴|拉|尿|叫|舔|抓|盯|负责|管)"
)
_NO_HABIT = re.compile(r"了$|没(?:事|反应|问题)|一样|也是$")
_ONLY_A_FIGURE = re.compile(
    rf"\x00+(?:就|才|只|是|要|得|吃|喂|改|也)*({NUMBER})(?:[克gG]|毫升|勺|个|罐|顿|杯|碗|粒)?(?:就够|够了|左右|吧)*"
)
_ONLY_A_DAY = re.compile(r"\x00+(?:呢|的|就|则|生日|是|在)*[^,。\x00]{2,12}")


def with_parallels(found: list[Found], scene: Scene) -> list[Found]:
    """The same readings; a half that no rule understood is read like the other half, of the other pet."""
    if len(scene.utterance.pets) < 2 or len(found) < 2:
        return found
    for place, one in enumerate(found):
        if place and _TAKES_SAME.search(one.reading.text):
            _tell_of_the_same_food(one, found[max(0, place - 3) : place])
    for one, other in pairwise(found):
        if one.reading.sentence != other.reading.sentence:
            continue
        if one.drafts and not other.drafts:
            other.drafts = _like(one, other.reading)
        elif other.drafts and not one.drafts:
            one.drafts = _in_the_same_words(other, one.reading)
    return found


_TAKES_SAME = re.compile(
    r"^(?:但|不过|可)?\x00+(?:那(?:家伙|货)|却|倒是?|反而|反倒|照样|照旧|依旧|仍旧?|还|就|呢|是|[跟和](?=从前|以前|原来|之前|往常|平时)|从前|以前|原来|之前|往常|平时|一样|老样子)*(?:啥事没有?|没事|吃了?没事)?[^,。]{0,3}(?:每天|天天|顿顿|隔天|一天|一顿|一周|一(?:个)?(?:礼拜|星期|月)|每[周月隔]|[两三]天一|当零[食嘴]|当饭|爱得|爱死|爱疯|馋得|抢着|吃得(?:香|欢|可)|离不了|离不开|来者不拒)"
)  # 咪咪没事每天一个, after 鸡蛋豆豆不能吃
_WEAK = ("behavior:habit", "behavior:likes", "other:remark", "diet.amount", "diet:零")


def _tell_of_the_same_food(one: Found, earlier: list[Found]) -> None:
    """The food that another pet must not have or does not like, of the one that takes it all the same."""
    reading = one.reading
    alone = reading.usable and reading.about.explicit and len(reading.about.pets) == 1 and not reading.tone.in_question
    if not alone or reading.has("food", "brand", "allergen", *_MEDICAL):
        return
    if not all(draft.attribute.startswith(_WEAK) for draft in one.drafts):
        return
    own = [other for other in earlier if any(m.pets == reading.about.pets for m in other.reading.about.mentions)]
    for other in (*reversed(own), *reversed(earlier)):  # 菱角那个乳铁蛋白别喂莲藕 comes before what 莲藕 must not have
        named = [hit for hit in other.reading.hits if hit.family in ("food", "allergen", "brand")]
        named = [hit for hit in named if not hit.word.text.endswith(("不耐", "不耐受", "过敏"))]
        kept_off = any(draft.negated or draft.attribute.startswith("allergy:") for draft in other.drafts)
        if named and kept_off and other.reading.about.pets != reading.about.pets:
            food = named[0].word
            value = {"food": food.text}
            one.drafts = [
                Draft(f"diet:{food.allergen or food.text}", reading.start, reading.end, value, about=food.text)
            ]
            return


def _like(told: Found, reading: Reading) -> list[Draft]:
    draft = told.drafts[0]
    if not _may_be_read_so(told, reading):
        return []
    if draft.attribute == "birth_date":
        dated = any(time.on is not None for time in reading.times) and _ONLY_A_DAY.fullmatch(reading.text)
        return [Draft("birth_date", reading.start, reading.end, about="生日")] if dated else []
    if "number" in draft.value:
        figure = _ONLY_A_FIGURE.fullmatch(reading.text)
        number = read_number(figure[1]) if figure else None
        value = {**draft.value, "number": int(number) if number and number == int(number) else number}
        about = str(draft.value.get("food", "一顿"))
        return [Draft(draft.attribute, reading.start, reading.end, value, about=about)] if number else []
    return _in_the_same_words(told, reading)


def _in_the_same_words(told: Found, reading: Reading) -> list[Draft]:
    """The verb of the other half, with what follows it here."""
    draft = told.drafts[0]
    if not _may_be_read_so(told, reading) or not draft.attribute.startswith(_SHARED):
        return []
    rest = _LED_IN.sub("", reading.text)
    verb = _VERB.match(rest)
    if verb is None or verb["verb"] not in told.reading.text or len(rest) <= verb.end() or _NO_HABIT.search(rest):
        return []
    negated = rest.startswith("不") and draft.attribute.startswith("diet:")
    slot = "behavior:habit" if draft.attribute.startswith("behavior:") else draft.attribute
    slot = f"diet:{rest[verb.end() :][:6]}" if draft.attribute.startswith("diet:") else slot
    value = {"text": rest}
    return [Draft(slot, reading.start, reading.end, value, negated, cls=draft.cls, topic=draft.topic)]


def _may_be_read_so(told: Found, reading: Reading) -> bool:
    """Each half names one pet of its own, and nothing medical, doubtful or asked stands in the one to be read."""
    one, other = told.reading.about.pets, reading.about.pets
    apart = len(one) == len(other) == 1 and one != other and reading.about.explicit and reading.text.startswith("\x00")
    plain = reading.usable and not (reading.tone.in_question or reading.tone.wishing or reading.has(*_MEDICAL))
    return apart and plain and not told.drafts[0].owner
