"""When the owner is away, at work or free: trips that lie ahead, shifts, lessons."""

import re
from datetime import date

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor.reading import Reading, Scene

KIN = (
    "老公|老婆|媳妇|爱人|岳母|丈母娘|我[弟妹姐哥]|我妈|我爸|爸妈|婆婆|"
    "老伴儿?|我男人|[她他孩]子?[爸妈]|闺女|女婿|儿媳|外婆|姥姥|姥爷|姑姑|舅舅|大伯|叔叔|男朋友|女朋友|男友|女友|室友|保姆|阿姨|奶奶|爷爷|对象|爸爸|妈妈|儿子|女儿"
)
_MY_TIMES = re.compile(
    r"(?<![趁等当陪跟和让叫把给离])我(?!妈|爸|家的|老公|老婆)[^,。]{0,18}(?:到家|回家|(?:才|再)(?:能)?回(?:来|去|得来)?$|出门|回老家|旅游|出国|度假|外出|住院|坐飞机|有空|没空|休假|放假|培训|进修|实习|团建|探亲|入职|开学|报到|军训|驻场|学习班|不在|休|有课|上[^,。]{0,6}课|结婚|办婚礼|订婚|装修|动手术|接孩子|接娃|接送|送孩子|陪读|驻外|外派|出海|集训|进组|下乡|支教|跑船|值守|轮岗|跑长途|跑车|上班|下班|开会|夜班|加班|健身|不在家|值班|坐班|夜校|忙到|上到[^,。]{1,4}点|休息|上学|起床|睡觉|才醒|在家)"
)


_PLACES = "|".join(sorted(vocabulary("places")["places"], key=len, reverse=True))
_JOURNEY = re.compile(
    rf"(?:飞|去|回|到|赴|跑|上|往返?)(?:了)?(?:一?趟)?[^,。\x00它]{{0,4}}(?:{_PLACES}|老家|[娘婆]家|外地|国外|外省|[东西南北]方|海边)"
    r"|出差|出国|出境|旅游|旅行|度假|探亲|外派|派我去|派去|驻场|出海|跑船|跑长途|在外地|在外面跑|跑展会|住院|坐月子|军训|蜜月|年假|出门(?:[几两三四五六七八九十\d半]|一趟|办事)|出远门|自驾|参展|进修|集训|封闭|进[^,。它]{0,3}组|进山|进厂"
)
_TRAVELLER = re.compile(
    r"[^,。\x00它他她猫狗我]{0,12}(?:我(?:和|跟)?[^,。\x00]{0,4}|我们|咱们?|全家|一家[人子三四]?口?|两口子)?[^,。\x00它他她猫狗我]{0,8}"
)  # who goes where nobody else is named
_ANOTHER_PERSON = re.compile(rf"{KIN}|邻居|朋友|闺蜜|同事|老板|同学|客户|他|她|人家")
_HOLIDAYS = re.compile(
    r"国庆|五一|十一|春节|腊月|正月|小年|过年|除夕|中秋|端午|清明|元旦|寒假|暑假|年假|小?长假|圣诞|年底|年后"
)
_COMES_ALONG = re.compile(r"一起|一块|一道|也去|同行|带上|带着")
_IS_BACK = re.compile(r"回来(?:了|后|的)|刚[^,。]{0,4}回|过[^,。]{0,4}回来|去年|上[次回]|以前|那会")
_MY_TRIP = re.compile(
    r"我(?:要|得|会|准备|打算)?(?:飞|去|回|到)(?!医院|诊所|店|接|拿|买|看|问|给|带|送|取|遛|家|超市|菜)[^,。\x00]{2,6}"
)


def tells_of_my_time(reading: Reading, scene: Scene) -> bool:
    """我周四有课, and the trip that lies ahead (25号我飞新疆)."""
    if _lies_ahead(reading, scene) and (_MY_TRIP.search(reading.text) or _goes_away(reading, scene)):
        return True
    if _is_my_round(reading, scene):
        return True
    if not _tells_when(reading) or _is_past(reading, scene):
        return False
    if _at_work(reading):
        return True
    return _MY_TIMES.search(reading.text) is not None or _goes_on_of_my_time(reading, scene)


_DAYS = "[一二三四五六日天]"
_ROUND = (
    rf"(?:每|逢|隔|每逢|每个|一到|一般)*(?:(?:周|礼拜|星期)(?:{_DAYS}(?:[、跟和到至]|到)?)+(?:(?:周|礼拜|星期|跟|和|到|、){_DAYS})*"
    r"|[一二三四五](?:[、]?[二三四五六七八九]){1,2}[日天]?(?![十百千万点个岁斤公克月号次分年顿片粒针只块成两])|[单双]号|[单双]日|初一|初一十五|每个?周末|工作日|节假日"
    r"|每个?月(?:[初中底]|[\d一二三四五六七八九十]{1,3}号(?:前后|左右)?))"
)
_DAYPART = r"(?:早上|上午|中午|下午|晚上|晚|早|夜里|白天|一整天|整天|全天|都|也|要|得|就|还|固定|基本|一般|必须|会|才)*"
_MY_ROUND = re.compile(
    rf"^(?:反正|平时|最近|现在|因为|其实|以后|对了)*(?:(?:我|本人|咱)(?!家|的|妈|爸|给|带)(?:们|平时|一般|基本|都|是|每次|固定)*{_ROUND}"
    rf"|{_ROUND}{_DAYPART}(?:我|本人|咱)(?!家|的|妈|爸|给|带)(?!们?家))[^,。\x00它他她喂遛铲]{{2,16}}$"
)
_BARE_ROUND = re.compile(
    rf"^{_ROUND}{_DAYPART}[^,。\x00它他她我喂遛铲]{{0,4}}(?:接送?孩子|接送?娃|接送|上课|有课|上班|培训|开会|加班|值班|带学生|直播|摆摊|出摊|进货|盘点|透析|化疗|做礼拜|跳广场舞|打麻将|练车|健身|瑜伽|夜班|晚班|早班|补习)"
)
_OF_CARE = ("visit", "vaccine", "dewormer", "drug", "drug_name", "drug_word", "grooming", "food", "sign", "condition")


_FETCHES = re.compile(
    r"(?:接送?|陪|送|带)(?:娃|孩子|儿子|女儿|闺女|宝宝|孙子|孙女)(?:放学|上学|上课|下课|上[^,。]{0,3}班)"
)
_SOME_ROUND = re.compile(rf"^(?:我|平时|一般)*{_ROUND}")
_AGAIN_AND_AGAIN = re.compile(r"每|逢|(?:周|礼拜|星期)[一二三四五六日天](?:周|礼拜|星期|[、和跟])")
_CARES_FOR_PEOPLE = re.compile(r"陪[^,。]{0,4}(?:老人|妈|爸|奶|爷|孩子|娃|老公|老婆)|产检|透析")


def fetches_children(reading: Reading, scene: Scene) -> bool:
    """周三周五我得接娃放学: what only people's children have, though 娃 may stand for a pet elsewhere."""
    if not any(verb in reading.text for verb in "接陪送带") or _SOME_ROUND.match(reading.text) is None:
        return False
    return _FETCHES.search(scene.folded, reading.start, reading.end) is not None


def _is_my_round(reading: Reading, scene: Scene) -> bool:
    """我礼拜三礼拜五要值夜班, 逢单号我上晚班, 一三五接送孩子: what owners do on days that come round."""
    if (
        reading.about.explicit
        or reading.tone.in_question
        or (
            reading.has(*_OF_CARE)
            and not (_CARES_FOR_PEOPLE.search(reading.text) and _AGAIN_AND_AGAIN.search(reading.text))
        )
        or _is_past(reading, scene)
    ):
        return False
    return _MY_ROUND.match(reading.text) is not None or _BARE_ROUND.match(reading.text) is not None


_WORKS = re.compile(
    r"(?:平时|一般|通常|每[天周晚]|工作日|周[一二三四五六日末]|都|基本)[^,。\x00它他她]{0,12}(?:[上下]班|到家|加班|值班|[早中晚夜大小]班|倒班|坐班|开会|打卡)"
)


def _at_work(reading: Reading) -> bool:
    """平时六点半下班: what only people do, at a time that comes round, and nobody else named."""
    clocked = any(time.recurrence or time.time for time in reading.times) and not reading.has("activity", "food")
    return clocked and _WORKS.search(reading.text) is not None and _ANOTHER_PERSON.search(reading.text) is None


_SHIFTS = re.compile(
    r"^[^,。\x00它他她]{0,10}(?:休息|轮休|上班|下班|[早中晚夜白]班|[大小]夜|坐诊|带课|晚自习|值班|在家|有空|没空|出差|放假|上课|开会|加班|在线)"
)
_ME_AT_FIRST = re.compile(r"^(?:反正|平时|最近|现在)?(?:我|本人)(?!们?家|妈|爸)[^\x00]*$")


def _goes_on_of_my_time(reading: Reading, scene: Scene) -> bool:
    """我上四休二，每周二周五休息: the clause before is about the owner."""
    previous = scene.previous_of(reading)
    same = previous is not None and previous.sentence == reading.sentence
    return bool(same and previous and _ME_AT_FIRST.match(previous.text) and _SHIFTS.match(reading.text))


def _is_past(reading: Reading, scene: Scene) -> bool:
    """都怪我昨天出门忘了关窗: over, and no timetable."""
    told = [time.on for time in reading.times if not time.recurrence]
    return bool(told) and all(on is not None and on < scene.now.date() for on in told)


def _lies_ahead(reading: Reading, scene: Scene) -> bool:
    today = scene.now.date()
    following = scene.next_of(reading)
    times = reading.times
    if following is not None and following.sentence == reading.sentence and _SETS_OUT.search(following.text):
        times = (*times, *following.times)
    ahead = any(max(time.on, time.until or time.on) > today for time in times if time.on is not None)
    holiday = _HOLIDAYS.search(reading.text) is not None
    return ahead or (holiday and re.search(r"[了过]", _HOLIDAYS.sub("", reading.text)) is None)


_SETS_OUT = re.compile(
    r"(?:[号日天]|[周期拜][一二三四五六日天])(?:就|要|得|早上|晚上|一早|下午|上午|中午|凌晨)*(?:走|出发|动身|启程|起飞|离开|上车|进去|入院|住进|的[^,。]{0,4}(?:车|飞机|票|航班|高铁))"
)


def sets_out_on(reading: Reading, scene: Scene) -> date | None:
    """下个月要出差九天，6号走: the day that the trip begins on, told after the month."""
    following = scene.next_of(reading)
    if following is None or following.sentence != reading.sentence or not _SETS_OUT.search(following.text):
        return None
    days = [time.on for time in following.times if time.on is not None]
    month = next((time.on for time in reading.times if time.on is not None), None)
    if not days or month is None:
        return days[0] if days else None
    return days[0] if days[0] >= month.replace(day=1) else month.replace(day=min(days[0].day, DAYS_OF_ANY_MONTH))


DAYS_OF_ANY_MONTH = 28


def next_holiday(reading: Reading, scene: Scene) -> date | None:
    """国庆回湖南老家, said in June: the one to come, where the date was read as the last one."""
    told = next((time.on for time in reading.times if time.on is not None), None)
    if told is None or told >= scene.now.date() or not _HOLIDAYS.search(reading.text):
        return None
    return told.replace(year=told.year + 1) if (told.month, told.day) != (2, 29) else None


def _goes_away(reading: Reading, scene: Scene) -> bool:
    """下周二到周五去成都开会: a journey on which nobody else is said to go."""
    journey = _JOURNEY.search(reading.text)
    if journey is None or reading.has("visit", "vaccine", "dewormer", "grooming") or _IS_BACK.search(reading.text):
        return False
    following = scene.next_of(reading)
    if (
        following is not None
        and following.about.explicit
        and _COMES_ALONG.search(following.text)
        and "我" not in reading.text + following.text
    ):
        return False  # 国庆去云南，豆豆一起: the pet's plan
    before = reading.text[: journey.start()]
    return _TRAVELLER.fullmatch(before) is not None and _ANOTHER_PERSON.search(before) is None


def _tells_when(reading: Reading) -> bool:
    told = bool(reading.times) or re.search(r"每|周|一般|平时", reading.text) is not None
    return told and "那会" not in reading.text


def rhythm(reading: Reading) -> dict[str, object]:
    rhythm = next((time.recurrence for time in reading.times if time.recurrence), None)
    return {"recurrence": rhythm.as_dict()} if rhythm else {"text": reading.text}
