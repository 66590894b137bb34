"""6.25 and 3/8: dates only where the words around say so, for weights, doses and lab values look the same."""

import re

from domain.dates.meanings import CalendarDate, Meaning
from domain.dates.rules import Match, rule

WINDOW = 8  # characters looked at on either side
_SHORT_DATE = r"(?P<month>1[0-2]|0?[1-9])(?P<mark>[./])(?P<day>3[01]|[12]\d|0?[1-9])(?![\d%])(?!\.\d)"
_A_DATE = r"\d{1,2}[./]\d{1,2}"
_MEASURED = (
    "体重|重|称|瘦到|胖到|[降升涨掉减高低]到|肌酐|指标|剂量|一次|每次|[每一]顿|[早晚比约各吃喂打开]|半径|体温|温度"
)
_NO_DATE_BEFORE = re.compile(rf"(?:{_MEASURED}|\b[a-z]{{1,6}}\d?|\d)[是为: ]?$")
_DATE_BEFORE = re.compile(
    r"(?:第[一二三四五六七八九\d]{1,2}[针次回剂]|[头首末二三四][针次回剂]|头一[针次回]|最后一[针次回]|[三四五六八]联|狂犬|疫苗|[内外]驱|驱虫"
    r"|绝育|拆线|日期|生日|时间)[是为:在 ]{0,2}$|[打喂滴驱种](?:了|的|好|完)*(?:都)?是$"
    r"|[打滴喂驱](?:的|了)是$|约(?:了|在|到|好)了?$|排(?:到|在)了?$"
)
_DONE = "刚?[打做吃滴喂驱称查住拆换洗接生拍抽去来抹戴套缝剪]|出生|开始|到家|绝育|复[查诊]|确诊|手术|体检"
_WHEN = "那[天次]|当天|[早晚]上|上午|下午|中午|凌晨|晚"
_PREVENTED = "(?:第?[一二三四]|[头首末])针|[三四五六八十]联|狂犬|[内外]驱|驱虫|疫苗"
_DATE_AFTER = re.compile(
    rf" ?(?:[号日]|{_PREVENTED}|{_DONE}|{_WHEN})|[、和]{_A_DATE}|到\d|[~-]{_A_DATE}(?![\d.]|公斤|千克|斤|k|%)"
    rf"|(?:一起|一块儿?|一同|同一天)(?:{_DONE})"
)
_LIST_BEFORE = re.compile(r"\d[./]\d{1,2}[、和到~-]$")
_OPENS = re.compile(r"[(（](?:都是|是|都|就)?$")
_TOLD_OF = re.compile(rf"(?:{_PREVENTED}|{_DONE})[^,。(（]{{0,4}}[(（](?:都是|是|都|就)?$")  # 狂犬都打好了（6.13）
_PUT_RIGHT = re.compile(r"(?:其实|应该|实际上?|正确的?)是$")
_SAID_FIRST = re.compile(rf"{_A_DATE}(?:{_DONE})的")  # 狂犬是4.2打的，其实是4.12
_UNIT_AFTER = re.compile(" ?(?:[公千]?斤|kg|g|克|片|颗|粒|mg|毫|ml|%|度|元|块)")


def _read_short_date(match: Match) -> Meaning | None:
    before = match.string[max(0, match.start() - WINDOW) : match.start()]
    after = match.string[match.end() : match.end() + WINDOW]
    put_right = _PUT_RIGHT.search(before) is not None and _SAID_FIRST.search(match.string, 0, match.start()) is not None
    named = put_right or (_DATE_BEFORE.search(before) is not None and _UNIT_AFTER.match(after) is None)
    listed = _LIST_BEFORE.search(before) is not None and _UNIT_AFTER.match(after) is None
    if _NO_DATE_BEFORE.search(before) and not (named or listed):
        return None
    bracketed = (
        _OPENS.search(before) is not None and after.startswith((")", "）")) and _TOLD_OF.search(before) is not None
    )
    alone = not before.strip() and not after.strip()
    if not (alone or named or listed or bracketed or _DATE_AFTER.match(after)):
        return None
    return CalendarDate(month=int(match["month"]), day=int(match["day"]))


SHORT_DATE_RULE = rule("0123456789", rf"(?<![\d./]){_SHORT_DATE}(?!/)", _read_short_date)
