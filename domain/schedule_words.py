"""The words by which owners speak of what is planned: what it is for, and what it is called. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from domain.dates import TimeReading
from memory.text_folding import fold_text

MAX_TITLE = 40  # characters; what a phone shows in one line of a reminder

KINDS: dict[str, re.Pattern[str]] = {
    "vaccine": re.compile(r"疫苗|狂犬|[二三四五六八]联|加强针|下一针|第[二三四]针|免疫|预防针|抗体"),
    "deworming": re.compile(r"驱虫|内驱|外驱|打虫|大宠爱|海乐妙|福来恩|拜宠|跳蚤药|蜱虫药"),
    "medicine": re.compile(r"(?<!虫)(?<!火)药|滴耳|滴眼|打针|胰岛素|输液|雾化"),
    "visit": re.compile(
        r"复[查诊检]|体检|看(?:病|医生|兽医)|医院|检查|抽血|验血|b超|彩超|心超|造影|拍片|拆线|化疗|[骨皮眼牙内外心肿肤脏]科|专科|门诊|针灸|理疗|挂号|就诊|住院"
    ),
    "surgery": re.compile(r"绝育|手术|洗牙|拔牙"),
    "washing": re.compile(r"洗澡|美容|剃毛|修毛|剪毛|驱蚊"),
    "nails": re.compile(r"指甲"),
    "weighing": re.compile(r"称(?:一下|个|量)?(?:体)?重|量体重|体重"),
    "brushing": re.compile(r"刷牙|梳毛|清耳朵|洗耳朵"),
    "litter": re.compile(r"猫砂|铲屎|尿垫"),
    "feeding": re.compile(r"喂食|喂饭|换粮|禁食|断食|禁水|空腹|喂猫|喂狗"),
    "stay": re.compile(r"寄养|托管"),
    "training": re.compile(r"训练|上课|遛"),
    "birthday": re.compile(r"生日"),
}
"""What a plan is for; two plans of one kind are looked for by the same words."""

OF_ONE_PET = frozenset({"vaccine", "deworming", "medicine", "visit", "surgery", "washing", "nails", "weighing"})
"""Kinds that are nothing without the pet they are meant for."""

OF_SEVERAL = re.compile(
    r"(?:[两俩三仨四五六七八九几]|\d)(?:只|个毛孩子|个(?:宝贝|娃|崽|家伙))|[俩仨](?![天周月年])|它们|他们|她们|全家|毛孩子们|宝贝们|大家|每只|猫狗"
)
"""A plan for more than one pet, without their names: it stays one plan of the household."""

_REMINDER_WORDS = re.compile(
    r"(?:请|麻烦你?|帮我|给我|替我|你)*(?:能不能|可不可以|可以|能|记得|别忘了?|到时候?|到点|设|定|加|建|添加|创建|新建|安排)*"
    r"(?:一?[个条下])?(?:提前)?"
    r"(?:提醒(?:一下)?(?:我们?|咱们?)?(?:一下)?|(?:叫|喊|通知)我(?:一下)?|闹钟|日程)(?:一下)?"
)
_ASIDE = re.compile(
    r"^(?:请|麻烦你?|帮忙|帮我|给我|替我)*(?:记|登记|备注|备忘)(?:一?下|着|住|上|下来)(?:[:，,]|说)?|帮忙"
    r"|记得|别忘了?|帮我|麻烦你?|到时候?|(?:设|定|加|建|记|添加|创建|新建)(?:一?个|一?条|一?下)(?:的)?$|^(?:设|定(?!时|期)|加|建|添加|创建|新建)(?:一?个|一?条)?"
    r"|(?:医生|兽医|大夫)(?:让|说|叫|要求|建议|嘱咐)(?:我们?)?"
    r"|^我?(?:已经)?(?:给它)?(?:预约|约)(?:了|好了?|的)"
    r"|^(?:好的?|嗯|那就?|然后|还有|另外|对了|哦对了)+"
)
_BOOKED = re.compile(
    r"^(?:我们?|咱们?|已经|刚刚?|今天|就)*(?P<before>[^约订定挂排]{0,10}?)"
    r"(?:预?约|预订|订|定(?=[了好的])|挂(?=[了好的])|排(?=[了到在好])(?!便))(?:好|上|到|在)?(?:了|的(?=是)|是)*(?:一?[个次](?!月))?的?(?=.)"
)
_WITH_WHOM = re.compile(r"^(?:给|帮|替)|^[跟和在找].+|.*(?:医院|医生|大夫|店里?|那边)(?:给|那边)?$")
"""给年糕约了…的绝育手术, 医院给排到…做手术: booking it, and where, is no part of what is booked."""
_EDGE = re.compile(
    r"^(?:要|得|该|需要|准备|打算|计划|就|都|再|的|在|从|起|开始|上|于|各)+|(?:吧|哦|啊|呀|哈|吗|呢|嘛|啦|哟|的|了)+$"
)
_PART = re.compile(r"早上|上午|中午|下午|傍晚|晚上")
_CLAUSES = re.compile(r"[^,，。.;；!！?？\n]+")
_SPLIT = re.compile(r"[:：,，。.;；!！?？\n、 ]+")
_DURATION = re.compile(
    r"(?:连续?|喂|吃|打|用|滴|上|持续|坚持|一共|总共|为期|共|先)*(?:\d{1,3}|[一二两三四五六七八九十半]{1,3})个?(?:天|周|星期|礼拜|月)(?:的?量)?$"
)


def kinds_of(text: str) -> frozenset[str]:
    """What a message or a title is about."""
    folded = fold_text(text)
    return frozenset(kind for kind, words in KINDS.items() if words.search(folded))


def title_of(text: str, times: Sequence[TimeReading], on: date | None = None) -> str:
    """带豆豆打疫苗: the message without its times and without asking for the reminder; "" when nothing is left.

    on: the day that is planned. Where several clauses name something to do, the one with that day tells what it is
    (昨天绝育了，十天后拆线 plans the stitches).
    """
    clauses = [_clean(part) for part in _SPLIT.split(_without(text, times))]
    named = [part for part in clauses if part and kinds_of(part)]
    told = _named_with(text, times, on) or named or [part for part in clauses if len(part) > 1]
    meant = [one for one in times if one.on == on] or times
    return f"{_part_of_day(meant)}{told[0]}"[:MAX_TITLE] if told else ""


def _named_with(text: str, times: Sequence[TimeReading], on: date | None) -> list[str]:
    """What the clauses with that day name to do."""
    found: list[str] = []
    for part in _CLAUSES.finditer(text):
        start = part.start()
        inside = [one for one in times if start <= one.start < part.end()]
        if not any(one.on is not None and one.on == on for one in inside):
            continue
        within = [replace(one, start=one.start - start, end=one.end - start) for one in inside if one.end <= part.end()]
        bare = [_clean(piece) for piece in _SPLIT.split(_without(part[0], within))]
        found += [piece for piece in bare if piece and kinds_of(piece)]
    return found


def _without(text: str, times: Sequence[TimeReading]) -> str:
    for one in sorted(times, key=lambda one: -one.start):
        text = f"{text[: one.start]}{text[one.end :]}"
    return text


def _part_of_day(times: Sequence[TimeReading]) -> str:
    """下午, where a part of the day was said and no clock time: it is kept in the title."""
    if any(one.time for one in times) or any(one.recurrence for one in times):
        return ""
    said = [found[0] for one in times if one.on and (found := _PART.search(one.quote))]
    return said[0] if said else ""


def shares_words(title: str, words: str) -> bool:
    """Whether two neighbouring characters of the title are said in `words`."""
    folded = fold_text(title)
    return any(folded[place : place + 2] in words for place in range(len(folded) - 1))


def _unbooked(bare: str) -> str:
    """年糕绝育手术 of 给年糕约了的绝育手术."""
    booked = _BOOKED.match(bare)
    if booked is None:
        return bare
    return f"{_WITH_WHOM.sub('', booked['before'])}{bare[booked.end() :]}"


def _clean(part: str) -> str:
    bare = _REMINDER_WORDS.sub("\x00", part)
    pieces = [piece for piece in bare.split("\x00") if kinds_of(piece)] or bare.split("\x00")
    bare = _unbooked(max(pieces, key=len).strip())
    before = None
    while before != bare:
        before, bare = bare, _EDGE.sub("", _ASIDE.sub("", bare)).strip()
    return "" if _DURATION.fullmatch(bare) else bare
