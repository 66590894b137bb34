"""What lies ahead: appointments, reminders, things put off: 下周三打疫苗, 三个月后复查, 每月5号称体重的提醒."""

import re
from collections.abc import Iterator
from functools import lru_cache

from domain.offline.extractor.courses import with_its_end
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.stays import STAY
from memory.topics import Topic

_AHEAD = re.compile(
    r"(?:让|建议|要求|叫|嘱咐)[^,。]{0,6}(?:复查|复诊|定期|再来)|明天|后天|大后天|明晚|明早|下(?:下)?(?:周|个?礼拜|个?星期|个?月|次|回)|(?:这|本)?周末(?:要|去|带)|月底(?:要|去|前|打|复)|年后|年底前|明年|预约|约了|约的|约好|定在|定了|定的|排到|打算|准备|计划|安排|将要|待会|过(?:几天|两天|一?阵|\S个月)|到期|该(?:打|驱|洗|复|剪|做|去|滴|吃|补|体检)|(?:就|才)(?:能|可以)[^,。]{0,3}(?:出院|拆线|回家|停药)|[要得](?:做)?(?:手术|住院|拔牙|洗牙|截肢|摘除)|要(?:去|带|打|做|复查|洗|驱|补|提前|断食|禁食|空腹)|提前[^,。]{1,6}(?:断|禁|空腹)|等[^,。]{1,8}再|再(?:说|打|做|去|看看)"
)
_LATER = re.compile(
    r"(?:[一二两俩三四五六半\d]+)个?(?:天|周|月|星期|礼拜)后(?:再|回去|去|来|重新)|(?:隔|过)[^,。]{1,3}(?:天|周|个?月|年)(?:再)?(?:打|做|查|去|补|驱)(?!一?[次针片回])|(?:[一二两三四五六半\d]+)(?:个)?(?:月|周|年)(?:再|来)?(?:复查|复诊|回诊|再查)|(?:[一二两三四五六半\d]+)(?:个)?(?:月|周|星期|礼拜|天|年)(?:之?后|以后)|(?:让|说|建议|叫)[^,。]{0,10}(?:后|再)(?:再)?(?:来|去|复|查|打|看|拍|做|测|抽|验|照|补|驱|称|剪|洗)"
)
_REMIND = re.compile(
    r"提醒|帮我记着|给我记着|记着(?=每|[^,。]{0,4}[号周天月])|闹钟|定个|设个|设置|记得(?:叫|喊|通知)|日程|别让我忘|叫我"
)
_BOOKED = re.compile(
    r"[定订约][在到了]?(?=[下这本]{0,2}个?(?:周|礼拜|星期)|\d|明天|后天|月底|[一二三四五六七八九十]+[号月])|约了|预约|约好|约的|排到|排在|(?:定了|定好|定的)(?=[^,。]{0,6}(?:周|礼拜|星期|号|月|点|天))|排了|排的|订了|订的|排到|挂的|挂了[^,。]{0,4}号"
)
_ONLY_BOOKED = re.compile(r"\x00*(?:已经|刚|都)?(?:约好|约上|订好|定好|排好|预约好|约|订|定)了?")
_PUT_OFF = re.compile(r"缓缓|缓一缓|推迟|延后|延到|改期|改到|改约|取消|先不|暂时不|暂缓|再说|再等|往后推")
_DONE = re.compile(
    r"(?:打|驱|做|滴|喂|种|补)过(?!敏|几天|两天|一?阵)|搞定|完事|拿下|齐活|又换了|(?<!该)换上了?|(?:打|做|洗|剪|驱|滴|查|称|去|看|喂|吃|拆|补|种)(?:完|过)?了(?!吗)|刚|已经|昨|前天|上周|上个|今天(?:打|做|洗|剪|驱|滴|查|称|去|吃|第)|去[^,。]{1,6}了$"
)
_THING = re.compile(
    r"复测|复量|(?:[眼牙骨皮肤内外产口腔心脏神经肿瘤猫犬异宠中医急诊]{1,3}科)(?=找|看|挂|复|门诊|那边|$|[^,。]{0,2}(?:医生|大夫|主任|教授|院长|专家))|找[^,。]{1,6}(?:医生|大夫|主任|院长|专家|教授)|预产期|dental|extract(?:ion)?|recheck|surgery|vaccine|booster|看[^,。]{1,4}科|挂[^,。]{0,4}号|(?:医生|大夫|主任|教授|院长)(?:那[儿里边]?|这[儿里边]?)?(?:[看查做打拍](?!了|过|完)[^,。]{0,4}|的号)|拔管|管子|拍[^,。了]{0,3}片|[一-鿿]{2}那针|拆(?:夹板|石膏|绷带|钢板|钢钉|引流|留置针|纱布)|测(?:眼压|血糖|血压|抗体|肌酐)|取样|切片|送检|化验|[冲洗清掏]耳道|耳道[冲清]洗|出院|穿刺|活检|心超|超声|彩超|核磁|造影|胃镜|肠镜|内镜|胸片|验血|验尿|尿检|血检|粪检|面诊|会诊|眼底|抗体|心丝虫药?|犬心保|体内外驱虫|洗(?:一?[个次回遍]|[两三])澡|剪(?:一?[个次回]|[两三]次)指甲|刷(?:一?[次回遍])牙|梳(?:一?[次回遍])毛|打针换药|挂水|输液|补液|皮下|雾化|接种|断食|断粮|断水|停食|停水|禁食|禁水|空腹|下一针|第[二三四]针|疫苗|狂犬|三联|四联|六联|八联|加强针|驱虫|内驱|外驱|大宠爱|复查|复诊|体检|绝育|手术|洗牙|拆线|洗澡|美容|剪指甲|剃毛|称体重|体重|寄养(?!店|的|家庭|中心|那边|老板)"
    r"|训犬师|训练课|课|吃药|换药|打针|抽血|b超|拔牙|复检|换粮|办证|芯片|免疫|喂药|生日|滴耳|拍片|化疗|输液|训练|散步|铲屎|猫砂|刷牙|梳毛|滤芯|滤棉|换水|换砂|买[狗猫]?粮|囤粮|续(?:期|费|证|保|$)|查(?=一|肝|肾|血)"
)
_DEED = re.compile(
    r"去(?:取|拆|换)|拆(?=$|了$)|[后再](?:再|回)*(?:去|来|过去|回去)(?:一趟|一次|看看|看|瞧瞧)?$|(?:再(?:去|来|回去)|回去|过去)(?:看|拍|查|抽|测|做|照|验|量|打|洗)|[回再]去?再?[量称测验]|摸一遍|重新(?:量|测|查|拍|抽|验)|[去来再]查|再(?:拍|做|测|查|看(?!看|情况|吧|着)|抽|来|验|照|补)|复拍|拔(?:了|掉|$|[一二两三四\d]颗)|下[次回]|称|喂|遛|滴|医院|(?<![少多漏错])打(?!不|错|印|(?:今|明|后|昨|这|下|上|[一二三四五六七八九十\d])[^,。]{0,5}起|算|电话|字|扰|车|包|开|扫|架|呼|雷|球|工|折|听|滚|盹|招呼|喷)|检查|接|送"
)


_OUTING = re.compile(r"带\x00+(?:去|到)?[^,。]{2,8}")  # 下下周六带它去拍证件照, when the day is told


def _thing(text: str) -> re.Match[str] | None:
    """What is planned: a named thing before a bare deed."""
    return _THING.search(text) or _DEED.search(text)


_MY_LESSON = re.compile(r"我(?!家|们家)(?![^,。]*(?:带|训练|狗|猫))[^,。]{0,12}课")
_UNDECIDED = re.compile(r"想(?!让)|考虑|犹豫|纠结|要不要|还没想好|没想好|看情况|不知道要不要|在想")
_TOPICS: tuple[tuple[Topic, re.Pattern[str]], ...] = (
    (
        Topic.PREVENTION,
        re.compile(r"第[一二三四]针|[首尾补]针|疫苗|狂犬|[三四五六八]联|加强|驱|大宠爱|免疫|抗体|福来恩|拜宠"),
    ),
    (
        Topic.MEDICAL,
        re.compile(
            r"再[拍测验抽照查量]|[^,。]科|去[拆取]|预产|复查|复诊|体检|绝育|手术|洗牙|拆线|医院|药|针|抽血|b超|拔牙|检查|拍片|化疗|输液|滴|造口|复检|血检|转诊|穿刺|活检|出院|造影|心超|超声|ct|核磁|x光|胸片|化验|专家|门诊|拔[一二两三四\d]颗|再拍|复拍|再测|看牙|看眼|医生|大夫"
        ),
    ),
    (Topic.GROWTH, re.compile(r"称|体重|生日")),
    (Topic.DIET, re.compile(r"粮|喂|吃|喝|碳水|罐|肉")),
    (Topic.ELIMINATION, re.compile(r"猫砂|铲屎|尿|便")),
    (Topic.BEHAVIOR, re.compile(r"训练|上课")),
)


def is_future(reading: Reading, scene: Scene) -> bool:
    """Whether a clause speaks of what is to come and not of what was done."""
    by_words = _told_as_future(reading.text)
    if by_words is not None:
        return by_words
    today = scene.now.date()
    if any(time.on and time.on > today for time in reading.times):
        return True
    return _AHEAD.search(reading.text) is not None


@lru_cache(maxsize=128)  # a dozen rules ask it of the same clause
def _told_as_future(text: str) -> bool | None:
    """By the words alone: done, or yet to come; None where they do not say."""
    if _DONE.search(text):
        return False
    return True if _REMIND.search(text) or _LATER.search(text) or _PUT_OFF.search(text) else None


def find_plans(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """One appointment, reminder or postponement a clause. A wish without a day ("想给它换粮") is none."""
    repeated = any(time.recurrence for time in reading.times)
    lesson = (
        repeated
        and _MY_LESSON.search(reading.text) is None
        and re.search(
            r"每(?:隔)?[^,。]{1,4}(?:都|就|要|得|会)?(?:去|带|回)[^,。]{0,3}(?:修|磨|剪|洗|清|查|摸|拍|测|验|复|体检|检查|做)|课(?!程|本)|(?:叮嘱|让|建议|要求|说)[^,。]{0,12}(?:查|体检|驱|打|洗)",
            reading.text,
        )
        is not None
    )
    before = scene.previous_of(reading)
    reminded = _REMIND.search(reading.text) is not None or (
        repeated and before is not None and before.sentence == reading.sentence and _asks_only(before)
    )
    stay = STAY.search(reading.text)
    if fasting := _fasting(reading, scene):
        yield fasting
        return
    if not (
        is_future(reading, scene)
        or stay
        or lesson
        or (repeated and (reminded or _told_before(reading, scene, repeated)))
    ):
        return
    dated = any(time.on for time in reading.times) or repeated
    if re.search(r"生日(?:是|:|在)?", reading.text) and not reminded:
        return
    if _ONLY_BOOKED.fullmatch(reading.text) and (after := scene.next_of(reading)) and is_future(after, scene):
        return  # 约好了，5月7号去…
    if "带你" in reading.text or (_is_bare(reading) and not dated):
        return
    if _UNDECIDED.search(reading.text) and not dated:
        return
    thing = _thing(reading.text) or _told_before(reading, scene, repeated) or _advised_before(reading, scene)
    thing = thing or _done_with_another(reading, scene) or (_REMINDED_OF.search(reading.text) if dated else None)
    ordered = None if thing else _ordered_before(reading, scene) or _operation_ahead(reading, scene)
    thing = thing or ordered
    thing = thing or (_OUTING.search(reading.text) if dated else None)
    booked = _BOOKED.search(reading.text)
    if not (thing or stay or booked) or not (
        dated
        or reminded
        or stay
        or _LATER.search(reading.text)
        or _PUT_OFF.search(reading.text)
        or _AHEAD.search(reading.text)
    ):
        return
    reading.used.update(reading.of("visit", "vaccine", "dewormer", "grooming", "activity", "drug_word", "behavior"))
    named = thing or stay or booked
    value = _when(reading) | {"name": named[0] if named else ""}
    negated = re.search(r"不(?:打算|准备|想)|取消", reading.text) is not None
    name = thing[0] if thing else "boarding" if stay else "appointment"
    about = thing[0] if thing and thing[0] not in reading.text else ""
    topic = Topic.MEDICAL if ordered else _topic(reading.text + about)
    yield Draft(f"schedule:{name}", reading.start, reading.end, value, negated, topic=topic, about=about)


_REMINDED_OF = re.compile(
    r"(?<=提醒我)[^,。\x00]{2,10}$|(?<=\x00)[^,。\x00提]{2,8}?(?=的?(?:提醒|闹钟|日程))"
)  # 每月1号给豆豆洗耳朵的提醒


def _asks_only(reading: Reading) -> bool:
    """帮我记个提醒, with what for in the next clause."""
    return _REMIND.search(reading.text) is not None and _thing(reading.text) is None


def _done_with_another(reading: Reading, scene: Scene) -> re.Match[str] | None:
    """猫的排到下礼拜, after 狗体检做完了: the same thing, for another pet."""
    previous = scene.previous_of(reading)
    if previous is None or previous.about.pets == reading.about.pets or not previous.has("visit", "grooming"):
        return None
    return _THING.search(previous.text)


_FASTS = re.compile(
    r"(?:之?前|头天|前晚)[^,。]{0,10}(?:水|饭|食|粮|东西|零食)[^,。]{0,3}(?:不能|别|不要|不许|不让)(?:再)?(?:给|喂|吃|喝|碰)|(?:当天|那天|出门前|出发前|来之前|前一?晚|前一天|头天|早上|当晚|提前|手术前|去之前|前[一二两三四五六八十\d]+(?:个)?小时)[^,。]{0,10}(?:(?:别|不要|不能|不许|不让|不)(?:再)?(?:喂|吃|喝|给)|(?:别|不要|不能)(?:再)?(?:滴|涂|抹|洗|用药))|(?:[来去做]|就诊|手术|检查)?之?前(?:[一二两三四五六七八九十\d]+(?:天|个?礼拜|周|个?小时|个?钟头|晚))?[^,。]{0,3}(?:得|要|必须|先|需要)*(?:停|断)|(?:前|提前|去之前|头天|当天)[^,。]{0,8}(?:空腹|禁食|断食|断粮|禁水|停食)|[禁断][食水]|(?:早饭|早餐|晚饭)[^,。]{0,3}(?:别|不要|不能|不)(?:喂|吃|给)"
)


_FAST_ORDERED = re.compile(
    r"(?:医生|大夫|兽医|接下来|先|得|要|还)[^,。]{0,10}[禁断][食水]|[禁断][食水]+[^,。]{0,3}[一二两三四六八十\d]+个?(?:天|小时|顿)"
)
_A_DOSE_OF = re.compile(r"[一两三\d](?:次|片|粒|颗|滴)")  # 早七点空腹一次 is how a medicine is given
_OF_FOOD = re.compile(r"[吃喂喝食水粮饭]|空腹")


def _fasting(reading: Reading, scene: Scene) -> Draft | None:
    """当天早饭别喂, after an appointment; 接下来三天禁食, ordered by itself."""
    previous = scene.previous_of(reading)
    if not _FASTS.search(reading.text) or _A_DOSE_OF.search(reading.text):
        return None
    ordered = _FAST_ORDERED.search(reading.text) is not None and _DONE.search(reading.text) is None
    near = [
        one for one in scene.readings[max(0, reading.place - 2) : reading.place] if one.sentence == reading.sentence
    ]
    booked = (previous is not None and is_future(previous, scene)) or any(is_future(one, scene) for one in near)
    if not ordered and not booked:
        return None
    reading.used.update(reading.hits)
    name = {"name": "空腹"}
    about = "" if re.search(r"[禁断][食水]|空腹", reading.text) or not _OF_FOOD.search(reading.text) else "空腹"
    draft = Draft("schedule:空腹", reading.start, reading.end, name, topic=Topic.MEDICAL, about=about)
    return with_its_end(draft, reading, scene)


_PREVENTED = ("vaccine", "dewormer")


def _prevented(reading: Reading) -> str:
    return next(hit.word.text for hit in reading.hits if hit.family in _PREVENTED)


def _told_before(reading: Reading, scene: Scene, repeated: bool) -> re.Match[str] | None:
    """每月8号 after a deworming is when the next ones are due."""
    told = any(hit.family not in ("trap", "visit") for hit in reading.hits)
    before = [other for other in scene.readings[max(0, reading.place - 2) : reading.place] if other.has(*_PREVENTED)]
    if not repeated or told or not before:
        return None
    return _thing(before[-1].text) or re.search(re.escape(_prevented(before[-1])), before[-1].text)


_GOES_THEN = re.compile(r"(?:点|半|[号日一二三四五六天])(?:再)?(?:过?去|做|来|弄)$")  # 下下周二下午两点半去


def _advised_before(reading: Reading, scene: Scene) -> re.Match[str] | None:
    """约了下周六, after "医生建议洗牙": what the appointment is for."""
    previous = scene.previous_of(reading)
    if (
        previous is None
        or not (_BOOKED.search(reading.text) or (reading.times and _GOES_THEN.search(reading.text)))
        or not re.search(r"建议|要|需要|得|让|[说讲]", previous.text)
    ):
        return None
    return _thing(previous.text)


_ORDERED = re.compile(
    r"(?:^|(?:医生|大夫|兽医|院长)[^,。]{0,3})(?:说|讲|让|建议|要求|得|需要)(?:要|得|该|最好|再)*([^,。]{1,10})$"
)


_MUST_BE = re.compile(
    r"(?:得|要|需要?|必须|建议|该|只能)((?:全|都|做|一起|尽快)*[拔切摘割缝做打换洗冲取拍抽][掉除了]?)$"
)


def _ordered_before(reading: Reading, scene: Scene) -> re.Match[str] | None:
    """定下周二, after 大夫说切整排."""
    previous = scene.previous_of(reading)
    if previous is None or not reading.times or not _BOOKED.search(reading.text):
        return None
    found = _MUST_BE.search(previous.text) or _ORDERED.search(previous.text)
    return re.search(re.escape(found[1]), previous.text) if found else None


_TO_BE_DONE = re.compile(r"(?:[左右两][边侧]|另一[边侧]|剩下的)?[^,。]{0,10}[做切摘取](?=$|掉$)")


def _operation_ahead(reading: Reading, scene: Scene) -> re.Match[str] | None:
    """髌骨脱位，右边年后做: what is to be done about the illness told just before."""
    before = scene.readings[max(0, reading.place - 3) : reading.place]
    same = [one for one in before if set(one.about.pets) & set(reading.about.pets)]
    return _TO_BE_DONE.search(reading.text) if any(one.has("condition") for one in same) else None


def _is_bare(reading: Reading) -> bool:
    """下次, with nothing said of what for."""
    return "下次" in reading.text and _THING.search(reading.text) is None


def _when(reading: Reading) -> dict[str, object]:
    value: dict[str, object] = {}
    for time in reading.times:
        if time.time:
            value["time"] = time.time
        if time.recurrence:
            value["recurrence"] = time.recurrence.as_dict()
            if len(time.recurrence.times) > 1:
                value["times"] = list(time.recurrence.times)
        if time.until:
            value["end"] = time.until.isoformat()
    return value


def _topic(text: str) -> Topic:
    return next((topic for topic, pattern in _TOPICS if pattern.search(text)), Topic.LIFESTYLE)
