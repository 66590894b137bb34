"""Medicines: what is given, how much, how often, since when; stopped, changed, forgotten."""

import re
from collections.abc import Iterator

from domain.offline.extractor.courses import with_its_end
from domain.offline.extractor.reading import Draft, Reading, Scene, is_anothers
from domain.offline.extractor.tablet_strengths import strength_and_count
from domain.offline.extractor.wordlist import Hit
from memory.numerals import AND_A_HALF
from memory.vocabulary import SpeechAct

FREQUENCY = re.compile(
    r"(?:一|每|两|三|隔|(?<![\d.])\d(?!\s?[a-z毫片粒]))(?:天|日|周|个?月|晚|早)?[^,。\d]{0,2}?(?:[一二两三四五六\d])(?:次|回|顿|遍)|早晚|早中晚|隔[一两]?天|每[天日晚早周月]|一日[一二两三]次|睡前|饭[前后]|bid|tid|sid|每\d+(?:个)?小时|每隔|一天[一两三四二](?=[,。]|$)"
)
_DOSE = re.compile(
    r"(?:各|每次|一次)?(?:\d/\d|[一两二三四五\d]个半(?=\s?(?:单位|iu))|(?<!分之)(?<!第)[一二两三四五六七八九十半\d][\d.]*(?:分之[一二三四五六七])?)\s?(?:mg|ml|g|毫克|毫升|片|粒|颗|滴|支|包|袋|个?单位|iu|泵|针|勺|格|喷)(?:"
    + f"{AND_A_HALF})?"
)
_GIVING = re.compile(
    r"吸|添(?!乱|麻烦|堵)|补(?!牙|种|针|办|测|拍)|吃|喂|打|滴|涂|抹|点|上|开|用|停|改|加|减|换|喷|敷|擦|注射|服|输|断|忘|漏|塞|完"
)
_STOPPED = re.compile(
    r"(?<!没)(?<!没有)(?<!不能)(?<!不敢)(?<!别)(?<!不要)(?<!不可)(?<!没敢)(?<!停)停(?!停|[一两二三四五六七\d]+[天周])(?:了|药|掉|用|吃)?|不用(?:再)?(?:吃|打|喂|点|涂)|(?<!没)(?<!没有)(?<!不能)(?<!不敢)(?<!别)(?<!没敢)断(?!断续续)了?|不吃了|吃完了|打完了|不打了|没再吃|不喂了|疗程结束|撤"
)
_ENDS_LATER = re.compile(
    r"(?:吃|打|滴|用|喂)(?:到|满|完|够)[^,。]{1,6}(?:就|再|才)停|再(?:吃|打|滴|用)[^,。]{1,5}(?:就|再)?停|[一两二三四五六七八九十半\d]+(?:天|周|个?月)(?:之?后|就|再|才)*停(?!了|掉|药了|用了)"
)
_HELD_UP = re.compile(r"[断漏](?:了)?(?:大概|差不多|有|快|整整)?[一两三四五六七八九十几半\d]+(?:来)?[天顿次回餐]")
_GOES_ON_AGAIN = re.compile(r"接着|接上|继续|恢复|续上|补上|重新|又(?:开始|吃|喂|打|滴|用)|才(?:拿|买|送|寄|到)")


def is_over(text: str, afterwards: str = "") -> bool:
    """Whether a medicine is stopped. 断了三天，今晚接着吃 was only held up; 吃完这瓶就停 is yet to come."""
    if _STOPPED.search(text) is None or _ENDS_LATER.search(text) is not None:
        return False
    return not (_HELD_UP.search(text) and (not text.endswith("了") or _GOES_ON_AGAIN.search(afterwards)))


_NOT_GIVEN = re.compile(
    r"[吃用打碰喂沾]不得|忌用|禁用|(?:没|未|不|别|不能|不要|禁)(?:再|敢|给|有|在|能|肯|让|愿意|\x00|它|他|她)*(?:上(?!次|周|个|午)|吃|喂|打|滴|涂|用|碰|给|点)"
)
_SINCE = re.compile(r"(?:片|粒|针|药|水|液)?(?:了)?(?:之后|以后|后(?!天|来))")
_NOT_A_DOSE = re.compile(
    r"打(?:完|了)麻药|麻药(?:醒|劲|过了|没过|后|退)|药店|药房|药费|药盒|吃药难|药味|喂药器|药瓶|打药|农药|老鼠药|杀虫|蟑螂药|驱虫药"
)
_IN_THE_HOUSE = re.compile(r"(?:家里|手上|手头|这边|柜子里)(?:还|正好|就|只)?(?:有|剩)|囤了|买了[^,。]{0,8}$")
_KEPT_APART = re.compile(
    r"(?:别|不要|不能)[^,。]{0,3}[跟和与同][^,。]{0,12}(?:放|混|搁|弄|搞)|[跟和与][^,。]{1,10}(?:错开|隔开|分开|间隔)"
)  # 别跟麻花的药放一起
_VERBAL = frozenset({"喂药", "吃药", "用药", "停药", "断药", "上药", "涂药", "打针", "药"})
_SUPPLEMENT = re.compile(r"益生菌|鱼油|化毛|营养膏|卵磷脂|钙")


_REMINDED = re.compile(r"(?:提醒|喊|叫|通知)我[^,。]{0,8}(?:滴|喂|吃|涂|打|上|换)")  # the reminder tells of it


def find_medicines(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """One claim for each medicine of a clause; a verb of giving, a dose or a rhythm makes it one."""
    medicines = reading.of("drug", "drug_name", "drug_word")
    hits = [hit for hit in medicines if not is_anothers(reading, hit) and not _is_a_plant(reading, hit)]
    named = _most_telling([hit for hit in hits if hit.word.text not in _VERBAL], reading)
    if not medicines:
        yield from (with_its_end(draft, reading, scene) for draft in _unknown_medicine(reading, scene))
    if (
        _NOT_A_DOSE.search(reading.text)
        or _IN_THE_HOUSE.search(reading.text)
        or _KEPT_APART.search(reading.text)
        or not hits
        or _swallowed_by_accident(reading, scene)
        or _ONLY_SUPPOSED.search(reading.text)
        or (_REMINDED.search(reading.text) and not _DOSE.search(reading.text))
        or (_ONLY_ADVISED.search(reading.text) and not _TAKEN_UP.search(reading.text))
    ):
        return
    given = _GIVING.search(reading.text) or FREQUENCY.search(reading.text) or _DOSE.search(reading.text)
    if not given and (len(named) != 1 or reading.tone.in_question):
        return  # 它的胰岛素现在打多少
    if reading.tone.in_question and _YET_TO_GIVE.search(reading.text) and not _DOSE.search(reading.text):
        return  # 医生要给它打头孢，可以吗
    if not named and reading.has("sign") and not (FREQUENCY.search(reading.text) or _DOSE.search(reading.text)):
        return  # 上次打针脸肿了: the occasion of what was seen
    if not named and (not _TELLS_OF_GIVING.search(reading.text) or _NEEDS_NONE.search(reading.text)):
        return
    seen: set[str] = set()
    for hit in named or hits[:1]:
        reading.used.add(hit)
        if hit.id not in seen:
            seen.add(hit.id)
            drafted = _medicine(reading, hit, len(named) < 2, scene.folded[reading.end :])
            yield with_its_end(drafted, reading, scene)
    reading.used.update(hits)


_YET_TO_GIVE = re.compile(r"(?:要|想|准备|打算|建议|考虑)给?[^,。了过着]{0,6}(?:打|输|上|吃|用|喂|开)(?![了过着])")
_ONLY_SUPPOSED = re.compile(
    r"(?:觉得|以为|认为|怀疑|记得|印象[里中]|反应|过敏)的?(?:应该|可能|好像|其实)?(?:就)?是[^,。吃喂打滴用给涂]*$"
)
"""觉得是胃复安, 起反应的是胃复安: what it was, not what is given."""
_ONLY_ADVISED = re.compile(
    r"^(?!.*(?:医生|大夫|兽医|院长|医院))[^,。]*(?:推荐|安利|劝我?|撺掇|非让我?|非要我?)[^,。]{0,6}(?:吃|喂|用|打|滴|涂|试)"
)  # 朋友推荐给它吃云南白药: nobody has given it yet
_TAKEN_UP = re.compile(r"在(?:吃|喂|用|滴)|[吃喂用打滴涂]了|[吃喂用打滴]着|就(?:给|喂|用)|开始")
_PLANTS = frozenset({"蒲公英", "金银花", "黄芪", "丹参", "银杏", "阿胶", "芦荟", "薄荷", "艾草", "菊花"})
_TAKEN = re.compile(r"吃|喂|喝|泡|煮|服|灌|用|开了|拌")


def _is_a_plant(reading: Reading, hit: Hit) -> bool:
    """像一朵蒲公英: a plant is a medicine only when it is taken."""
    return hit.word.text in _PLANTS and _TAKEN.search(reading.text) is None


_AND = re.compile(r"(?:[和跟及与加、+]|还有|以及|外加|再加|另外|连同)(?:一?点|一[瓶盒支]|个|些)?")


def _most_telling(named: list[Hit], reading: Reading) -> list[Hit]:
    """滴眼液卡林优 and 关节药卡洛芬 are one medicine: a general word gives way to a name, unless 和 joins the two."""
    by_name = [hit for hit in named if hit.family != "drug_word"]
    known = [hit for hit in by_name if hit.family == "drug"]
    telling = known or by_name or named
    return [hit for hit in named if hit in telling or _is_joined(reading, hit, telling)]


def _is_joined(reading: Reading, hit: Hit, others: list[Hit]) -> bool:
    """护胃药 in 止吐针和护胃药."""
    pairs = [(other, hit) if other.start < hit.start else (hit, other) for other in others]
    between = (reading.text[first.end - reading.start : last.start - reading.start] for first, last in pairs)
    return any(_AND.fullmatch(text) for text in between)


_DRUGS = ("drug", "drug_name", "drug_word")
_SWALLOWED = frozenset({"ate_wrong"})
GOT_AT_IT = re.compile(
    r"把[^,。]{0,4}(?:整|全|一|半|好几)[包盒板瓶袋][^,。]{0,8}(?:嚼|啃|吞|咬|舔|吃|喝)(?:了|掉|光)|(?:扒|翻|叼|拱|够|咬|打翻|踢翻)(?:出来?|下来|走|开|到|翻|破)[^,。]{0,8}(?:吃|舔|喝|吞|嚼)|(?:让|被)\x00+[^,。]{0,6}(?:啃|吃|舔|喝|吞|咬|叼)|把[^,。]{0,12}(?:药|剂|膏|片|[那这][支盒瓶])[^,。]{0,4}(?:嚼|啃|吞|咬|舔|吃|喝)(?:了|掉|光|破)|(?:沾|蹭)了?(?:一身|满身|一脚|到)|打了?个?滚"
)  # 让咪咪扒出来吃了, in what was not given to it


def _swallowed_by_accident(reading: Reading, scene: Scene) -> bool:
    """偷吃了哥哥的药: what happened is an accident, not a treatment; the next clause may only name the drug."""
    if (
        GOT_AT_IT.search(reading.text)
        or any(hit.id in _SWALLOWED for hit in reading.hits)
        or re.search(
            r"叼[去走来出]?[^,。]{0,3}(?:嚼|吃|啃|吞|舔)|舔|偷(?!偷给|偷喂|偷地?给|喂|着给|着喂|摸给)|误|吞",
            reading.text,
        )
    ):
        return True
    previous = scene.previous_of(reading)
    return (
        previous is not None
        and previous.about.pets == reading.about.pets
        and (
            any(is_anothers(previous, hit) for hit in previous.hits if hit.family in _DRUGS)
            or GOT_AT_IT.search(previous.text)
            or any(hit.id in _SWALLOWED for hit in previous.hits)
        )
        and not re.search(r"开|喂|每|一天|还在|在吃|吃着|继续|接着|打了|灌", reading.text)
    )


_PRESCRIBED = re.compile(
    r"(?:开(?!始|心|朗|门|车|水|口)了?|开的|配了?|拿了?)(?:的|了|点|一[盒瓶支]|个|些|[一二两三四五六七十\d]+天的?)?([^,。\x00\d一二两三四五六半每早晚]{2,8})"
)
_STOPS_IT = re.compile(r"止[疼痛吐泻咳痒血]|消炎|退烧|抗过敏|[保护]肝|护胃|利尿|降压|镇静")
_BY_RHYTHM = re.compile(
    r"(?:的|那个|那支|那瓶)([^,。的是一每\x00遛吃喂拉尿洗刷走]{2,6}?)(?:那)?(?:还)?(?:是)?(?:一天|每天|一日)[一二两三四]次"
    r"|^\x00*(?!还是|照旧|照样|继续|现在|改成)([\u4e00-\u9fff]{2,5}?)(?:[一两三四半]|\d)(?:天|周|个月)一(?:针|次|片|粒|支)"
    r"|(?:^\x00*的?|[吃喂打滴用服开](?:了|着|的)?)([^\x00-\x7f的是给喂吃打滴用开一二两三四五六七八九十半每刚昨今早晚次颗片粒了在再]{2,6}?)(?:每次|一次)?[\d.]+(?:mg|毫克|μg|微克|个?单位|iu)"
)
_GOES_ON_BY_USE = re.compile(
    r"^\x00*的?((?:止[疼痛吐泻咳痒血]|消炎|抗炎|利尿|降压|[护保]肝|护胃|抗真菌)(?:的|药)?)(?:还|仍|都)?(?:是|在)?(?:照|继续|接着)(?:样|常|旧)?(?:吃|打|喂|滴|用|服)"
)  # 止痛照吃
_STOPPED_TOO = re.compile(
    r"^(?:还有|另外)?((?!医生|大夫|兽医|现在|目前|后来|已经|可以|昨天|今天|前天|上周|最近|自己|暂时|全部|雨|空调)[\u4e00-\u9fff]{2,4}?)"
    r"(?:单独?|也|都|先|已经|就)+停[了掉]?$"
)  # 维克单停, among other medicines


def _goes_on_of_medicines(reading: Reading, scene: Scene) -> bool:
    previous = scene.previous_of(reading)
    same = previous is not None and previous.about.pets == reading.about.pets and not reading.hits
    return bool(same and previous and previous.has("drug", "drug_name", "drug_word"))


_NAME_AND_DOSE = re.compile(
    r"^\x00*(?:还有|还|再|另外|加|吃|喂|用)?"
    r"((?!体重|规格|浓度|含量|剂量|总共|大概|空腹|中午|饭)(?:(?![每一早晚左右各加减改到喂吃打滴刚的是给用])[\u4e00-\u9fff]){2,6}?)"
    r"(?:是|按|每次|每天|每日|一天|一日|一次|早晚|隔天|睡前|晚上|早上)*"
    r"((?:\d[\d.]*|[一二两三四五六七八九十半]+)(?:mg|毫克|μg|微克))"
)  # 美可坦每天30毫克: nothing but a medicine comes in milligrams
_TELLS_OF_GIVING = re.compile(
    r"在(?:吃|用|喂|打|滴)|没(?:吃|喂|滴|打|涂|上)|停|忘|漏|断|完|开始|不用|不吃|还在|继续|加量|减量|换|一[天日次]|每|早|晚|\d|半|了"
)
_INJECTED = re.compile(
    r"(?:一天|每天|一日|每日|早晚|每12小时|隔天|一周|每周|每两周|每个?月)(?:各|要?打)?[一两二三\d]针"
)  # 糖尿病，一天两针
_NEEDS_NONE = re.compile(
    r"(?:暂时|先|还|目前|也)?不(?:用|需要?|必)[^,。再]{0,2}(?:吃药|用药|打针)(?!了)"
)  # nothing was begun or stopped
_GIVEN_IS = re.compile(r"(?:喂|给|吃|打|滴|用)的(?:就|才|应该|其实)?是")  # 给的是50毫克, of a drug named before
_DOSE_UNITS = frozenset({"mg", "ml", "单位", "μg"})
_PUT_RIGHT = re.compile(
    r"(?:是|给|喂|吃|打|滴)(?:了|的)?[一二两三四五六七八九十半\d.]+[^,。\d]{1,3},?(?:而|可)?不是[一二两三四五六七八九十半\d.]+[^,。\d]{1,3}$"
    r"|不是[一二两三四五六七八九十半\d.]+[^,。\d]{1,3},?(?:而|应该|其实)?是[一二两三四五六七八九十半\d.]+[^,。\d]{1,3}"
)  # 是2粒不是20粒, of a medicine told before
_COUNTED_DOSES = frozenset({"mg", "ml", "单位", "μg", "片", "粒", "颗", "滴", "支", "针", "泵"})
_DRUG_DOSE = re.compile(r"(?:mg|毫克|片|粒|滴|支|单位|ml|毫升)")


_NO_NAME = re.compile(
    r"[上下这]周|周[一二三四五六日天]|从|减|加到|改|[^,。]{0,4}(?:减|改|换|加)(?:成|到|为)|眼下|目前|如今|最近|今[天早晚]|昨[天晚]|后来|暂时|接下来|嗯|恩|对(?!乙)|是|好的|没错|确认|就|那|哦|噢|不是|改|按|以|一次|翻|加倍|[整半一每][片粒颗支瓶盒袋包次管]$"
)
"""What no medicine's name begins with: 嗯就是2.5mg answers, it names nothing."""


def _unknown_medicine(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """医生开了X，一次半片: a name we do not know, made a medicine by how it is given; or an injection of 单位."""
    prescribed = _PRESCRIBED.search(reading.text) or _BY_RHYTHM.search(reading.text)
    if prescribed and _NO_NAME.match(next(group for group in prescribed.groups() if group).strip()):
        prescribed = None
    dosed = (prescribed and _STOPS_IT.search(prescribed[0])) or (
        (_DRUG_DOSE.search(reading.text) or _BY_RHYTHM.search(reading.text))
        and (FREQUENCY.search(reading.text) or _DOSE.search(reading.text))
    )
    amounts = [q for q in reading.quantities() if q.unit == "单位"]
    if prescribed and dosed and not reading.has("vaccine", "dewormer", "lab"):
        name = next(group for group in prescribed.groups() if group).strip()
        dose, frequency = _DOSE.search(reading.text), FREQUENCY.search(reading.text)
        value: dict[str, object] = {"product": name}
        value |= {"dose_text": dose[0]} if dose else {}
        value |= {"frequency_text": frequency[0]} if frequency else {}
        value |= _amount(reading)
        reading.used.update(reading.hits)
        yield Draft(f"medication:{name}", reading.start, reading.end, value)
    elif (stopped := _STOPPED_TOO.match(reading.text)) and _goes_on_of_medicines(reading, scene):
        yield Draft(f"medication:{stopped[1]}", reading.start, reading.end, {"product": stopped[1]}, negated=True)
    elif (goes_on := _GOES_ON_BY_USE.match(reading.text)) and scene.tells_something:
        yield Draft(f"medication:{goes_on[1]}", reading.start, reading.end, {"product": goes_on[1]})
    elif not prescribed and (dosed_name := _dosed_name(reading)):
        value = {"product": dosed_name[1], "dose_text": dosed_name[2]}
        value |= next((q.as_value() for q in reading.quantities() if q.unit in _DOSE_UNITS), {})
        yield Draft(f"medication:{dosed_name[1]}", reading.start, reading.end, value)
    elif (given := _GIVEN_IS.search(reading.text)) and not reading.has("food", "brand"):
        units = _COUNTED_DOSES if reading.tone.act is SpeechAct.CORRECTION else _DOSE_UNITS
        doses = [q for q in reading.quantities() if q.unit in units and q.start - reading.start >= given.start()]
        if doses:
            yield Draft("medication:unnamed", reading.start, reading.end, doses[0].as_value())
    elif _INJECTED.search(reading.text) and not reading.used:
        yield Draft("medication:unnamed", reading.start, reading.end, {"frequency_text": reading.text.strip("\x00")})
    elif amounts and re.search(r"打|针", reading.text):
        yield Draft("medication:unnamed", reading.start, reading.end, amounts[0].as_value())


def find_dose_put_right(reading: Reading, _scene: Scene) -> Iterator[Draft]:
    """是2粒不是20粒: the dose that is meant, of a medicine that nobody names; of food it is no dose."""
    if "不是" not in reading.text or reading.has("food", "brand", "lab") or not _PUT_RIGHT.search(reading.text):
        return
    meant = _amount(reading)
    if meant.get("unit") in _COUNTED_DOSES:
        yield Draft("medication:unnamed", reading.start, reading.end, meant, act=SpeechAct.CORRECTION)


def _dosed_name(reading: Reading) -> re.Match[str] | None:
    named = _NAME_AND_DOSE.match(reading.text)
    return named if named and not reading.hits and not _NO_NAME.match(named[1]) else None


_NAMED_BY = re.compile(
    r"(?:吃|喂|滴|用|打|涂|抹|点|喷|敷)(?:了|着|过)?([^\x00,。的了着过在给每天日早晚次个种些点几一二两三四五六七八九十半\d\s]{2,6})$"
)


def _its_name(reading: Reading, hit: Hit) -> str:
    """速高捷 of 滴速高捷眼药水: what a general word is told apart by, though no list knows it."""
    named = _NAMED_BY.search(reading.before(hit, 9)) if hit.family == "drug_word" else None
    return named[1] if named else ""


def _medicine(reading: Reading, hit: Hit, alone: bool, afterwards: str) -> Draft:
    text = reading.text if alone else _own_part(reading, hit)
    dose, frequency = _after_the_change(_DOSE, text), _after_the_change(FREQUENCY, text)
    value: dict[str, object] = {"product": _its_name(reading, hit) + hit.word.text}
    if hit.family == "drug":
        value["ingredient"] = hit.id
    if dose:
        value["dose_text"] = dose[0]
    if frequency:
        value["frequency_text"] = frequency[0]
    if alone:
        value |= _amount(reading)
    changed = _CHANGED_TO.search(text)
    value |= strength_and_count(text[changed.end() :] if changed else text)
    stopped = is_over(reading.text, afterwards)
    act = SpeechAct.DECISION if stopped else None
    if not alone:
        stopped = _is_replaced(reading, hit) or (stopped and not _REPLACES.search(reading.before(hit)))
    since = _SINCE.match(reading.after(hit, 4)) if "后" in reading.text else None  # 用上它之后床单不用天天洗了
    negated = stopped or _NOT_GIVEN.search(reading.before(hit) if since else reading.text) is not None
    return Draft(f"medication:{_slot(hit)}", reading.start, reading.end, value, negated, act=act)


_TAKEN_BACK = re.compile(r"不是[^,，。是]{0,4}$")
_BUT_BARE = re.compile(r"是(?:的)?(\d+(?:\.\d+)?)(?![\d.])")  # 不是3个单位，是1.3
_UNCOUNTED = ("次", "顿", "度", "元", "kg", "斤")
_TO_A_BARE_NUMBER = re.compile(
    r"(?:改|换|变|加|减|增|降|调|升)(?:成|为|到|回|至)了?(?:每次|一次)?(\d+(?:\.\d+)?)(?![\d.]|[天周月号次顿点小])"
)


def _amount(reading: Reading) -> dict[str, object]:
    """How much is given now: after a change what it was changed to, and never what is taken back (不是20粒)."""
    told = [q for q in reading.quantities() if q.unit not in _UNCOUNTED]
    told = [q for q in told if not reading.text[: q.start - reading.start].endswith("第")]
    meant = [q for q in told if not _TAKEN_BACK.search(reading.text[: q.start - reading.start])]
    if told and not meant and (bare := _BUT_BARE.search(reading.text, told[-1].end - reading.start)):
        return {"number": float(bare[1]), "unit": told[-1].unit, "dose_text": bare[1]}
    changed = _CHANGED_TO.search(reading.text)
    if changed:
        after = [q for q in meant if q.start - reading.start >= changed.end()]
        if not after and (bare := _TO_A_BARE_NUMBER.search(reading.text)):
            number, unit = float(bare[1]), meant[-1].unit if meant else ""
            number = int(number) if number == int(number) else number
            return {"number": number, "unit": unit, "dose_text": bare[0]}
        meant = after or meant
    measured = [q for q in meant if q.unit != "针"]  # 一天打一针，两个单位
    return (measured or meant)[0].as_value() if meant else {}


_REPLACES = re.compile(r"(?:换成|换到|改成|改用|改吃|换了|换|改)(?:了)?$")


def _is_replaced(reading: Reading, hit: Hit) -> bool:
    """爱波克停了换成赛妥敏: the first is over, the second has begun."""
    rest = _own_part(reading, hit)
    return re.search(r"(?:换|改)(?:成|到|用|吃|了)?$", rest) is not None and not _REPLACES.search(reading.before(hit))


_CHANGED_TO = re.compile(r"改(?=[一二两三四半\d])|(?:改|换|变|加|减|增|降|调|升)(?:成|为|到|回|至)")


def _after_the_change(wanted: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Of 从一天一次改成一天两次 what holds now; without a change the first that is said and not taken back."""
    changed = _CHANGED_TO.search(text)
    now = wanted.search(text, changed.end()) if changed else None
    if now or "不是" not in text:
        return now or wanted.search(text)
    return next((found for found in wanted.finditer(text) if not _TAKEN_BACK.search(text[: found.start()])), None)


def _own_part(reading: Reading, hit: Hit) -> str:
    """The clause from this medicine to the next one."""
    later = [other.start for other in reading.of("drug", "drug_name", "drug_word") if other.start > hit.start]
    return reading.text[hit.start - reading.start : (later[0] - reading.start) if later else None]


def _slot(hit: Hit) -> str:
    return "unnamed" if hit.word.text in _VERBAL else hit.id
