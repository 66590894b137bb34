"""Which way a sentence looks: 周三吐的 is behind us, 周三复查 is ahead."""

import re

from domain.dates.meanings import Direction

BEFORE, AFTER, BEYOND = 14, 24, 30  # characters looked at before and after the phrase, and in the clauses that follow
_CLAUSE_END = re.compile(r"[,。!?;~…\n ]|(?<!\d)\.|\.(?!\d)")
_PLANNED = re.compile(
    r"要(?!是|么)|打算|准备|计划|预约|约[了在好到]|定在|定了|提醒|记得|别忘|该|将|会(?!诊|儿|员)|安排|预计|争取|想去|想带"
    r"|得(?:去|打|带|再|做)|再(?:打|来|去|查|称|补|做|复|喂|吃|测|抽|拍|洗)|到期|之前|截止|的话|麻烦|帮我"
)
_HAPPENED = re.compile(
    r"了(?!解)|[查看拍检做诊](?:完)?(?:,)?(?:医生|大夫)?说|昨[天晚](?![^,。]{0,3}约)|(?<![再先])过(?!敏|滤|程|来|去|年|节|生日|几|两|度|量|期)|没(?!事|问题|关系)|刚|已经?|曾|那[次天回会针]|当[天晚时]|确诊|出生|去世|查出|发现|复发"
    r"|吐|拉[稀肚屎便血的]|咳|喘|抽搐|发烧|腹泻|便血|血尿|瘸|受伤|喷嚏|走丢|捡[到回]|接回|领[养回]|没精神|不吃|阳性|阴性"
    r"|\d ?(?:公斤|千克|斤|kg|度|℃)|一直|突然|又"
)
_APPOINTED = re.compile(r"(?:约|定|订|排|改|推|延|挪)[到在](?:了)?$")  # 绝育约到11号了
_VERB_OF = re.compile(r"^(?!的)[^的]{0,7}[^的新别旧好他她它我你家里多小大]的(?!话|时候)")


def direction_of(plain: str, start: int, end: int, bare: Direction = Direction.BARE) -> Direction:
    """The direction of the clause around `plain[start:end]`; work is bounded by the windows above.

    `bare` is the answer for a verb without any mark: in a question about memories the caller makes it the past.
    """
    after, rest = _clause_after(plain[end : end + AFTER + BEYOND])
    before = _clause_before(plain[max(0, start - BEFORE) : start])
    if _PLANNED.search(after) or _APPOINTED.search(before):
        return Direction.FUTURE
    if _HAPPENED.search(after) or _VERB_OF.match(after):
        return Direction.PAST
    if _PLANNED.search(before):
        return Direction.FUTURE
    if after.strip("的"):  # a bare verb is a plan, unless the story goes on in the past
        told = _HAPPENED.search(rest) is not None and not _PLANNED.search(rest)
        return Direction.PAST if told else bare
    told_before = _HAPPENED.search(before) is not None
    told_after = _HAPPENED.search(rest) is not None and not _PLANNED.search(rest)
    return Direction.PAST if told_before or told_after else Direction.NONE


def _clause_after(window: str) -> tuple[str, str]:
    boundary = _CLAUSE_END.search(window, 0, AFTER)
    if boundary is None:
        return window[:AFTER], ""
    return window[: boundary.start()], window[boundary.end() : boundary.end() + BEYOND]


def _clause_before(window: str) -> str:
    boundaries = list(_CLAUSE_END.finditer(window))
    return window[boundaries[-1].end() :] if boundaries else window
