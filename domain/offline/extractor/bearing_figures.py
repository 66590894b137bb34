"""A figure told against the recorded weight, in whatever words: 8.3是我爸养的, 8.3不对，3.8才是; 小数点漏了，是4.4.

The recorded figure is denied or given to somebody else, or the other one is called the right one, or a slip of the
digits is told that leads from the one to the other. Two weighings (上次8.3，这次7.9) are told with none of this.
"""

import re

from domain.text_marks import MARK

_OLD, _NEW = MARK, "\ue001"  # stand for the two figures, so that a pattern is compiled once for all of them
_A_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_OLD_UNIT = r"\s?(?:kg|公斤|千克|斤)?"
_IN_TIME = (
    r"上|去年|前|早|以前|之前|当时|那会|小时候|刚|年初|年底|月初|月底|[冬夏春秋]天|生日|最"
    r"|[\d一二两三四五六七八九十几半]+个?(?:月|周|年|天|岁)"
)
_OF_ITSELF = (
    r"它|他|她|\x00|咱|本|标准|理想|目标|正常|上限|极限|医院|医生|诊所|家里|店里|体检|空腹|饭|吃|斤|公斤|kg|对|真|没|不"
)
_DENIED = re.compile(
    rf"(?:不是|没有?|哪有|哪来的?|哪里?[有是]|谁家?(?:有|是)?|怎么可能(?:有|是)?|不可能(?:有|是)?|[别不]要?再?(?:写|记|按|用|看)|忘掉|忽略|无视)\s?{_OLD}"
    rf"|{_OLD}{_OLD_UNIT}[^,。!！\d]{{0,5}}(?:不对|错|有误|不算|作废|作不得|不作数|划|删|去掉|抹|扔|忽略|无视|瞎|假的|离谱|扯|夸张|不准|胡)"
)
_GIVEN_AWAY = re.compile(
    rf"{_OLD}{_OLD_UNIT}(?:那|这)?(?:个|只|条|头|次|回|位)?(?:数字?|读数)?(?:那|这)?(?:是|系|属于|归|指的?是?|说的是)(?!"
    + _IN_TIME
    + "|"
    + _OF_ITSELF
    + ")[^,。!！?？]"
)
_RIGHT = re.compile(
    rf"{_NEW}{_OLD_UNIT}(?:才|就?对(?:了|的|$)|没错|为准|是对的|是真)"
    rf"|(?:应为|应填|应写|应是|应该(?:是|为|填|写)|[要该想](?:写|填|打|说)的?是?|实为|正确(?:的|值)?是?|明明(?:是|就|只|才)*|真实(?:的|值)?是?|准确(?:的|值)?是?|改[成回为到]|换成|更正[成为]?){_NEW}(?![\d.])"
)
_SLIP_OF_DIGITS = re.compile(
    r"小数点|(?:多|少|漏|丢|忘|落)(?:了|打|敲|按|点|写|输|填|加|掉|记)*(?:一个?|个)?(?:零|0|点|位|小数)|(?:零|0|点|位数?)(?:打|敲|按|写|输)?(?:多|少|漏|丢)|(?:颠|弄|打|写|搞|敲)[倒反](?:了|啦)|[倒反]着(?:写|打|敲)"
)

_ONE_DIGIT = re.compile(
    r"(?:多|少|漏|丢|忘|落)(?:了|打|敲|按|点|写|输|填|加|掉|记)+(?:了)?(?:一?个|前面的?|后面的?)?(?:(?P<digit>[1-9])(?![\d.])|数字?|字)"
    r"|前面(?:少|漏|还有|多)[^,。\d]{0,4}(?:(?P<first>[1-9])(?![\d.])|数字?)"
)
"""A digit was left out or typed too many (少打了个1)."""


def set_against(text: str, recorded: str, figures: list[tuple[str, str]]) -> tuple[str, str | None] | None:
    """The one figure that a message sets against the `recorded` one, and its unit if told; None when it sets none.

    figures: what `text` holds in figures that may be weights, with their units ("" where none is told).
    """
    slip = _ONE_DIGIT.search(text)
    figures = [one for one in figures if slip is None or one[0] != (slip["digit"] or slip["first"])]
    others = list(dict.fromkeys((figure, unit) for figure, unit in figures if figure not in (recorded, "0")))
    if len({figure for figure, _ in others}) != 1:
        return None
    new, unit = max(others, key=lambda one: len(one[1]))
    named = any(figure == recorded for figure, _ in figures)
    right = _says(_RIGHT, text, recorded, new)
    if named and (right or _says(_DENIED, text, recorded, new) or _says(_GIVEN_AWAY, text, recorded, new)):
        return new, unit or None
    told = right or _SLIP_OF_DIGITS.search(text) is not None
    of_one = slip is not None and differs_by_a_digit(new, recorded)
    return (new, unit or None) if of_one or (told and same_digits(new, recorded)) else None


def same_digits(figure: str, recorded: str) -> bool:
    """3.8 for 8.3, 4.4 for 44, 4 for 40: the digits changed places, or a point or a nought was lost."""
    one, other = (sorted(number.replace(".", "").strip("0")) for number in (figure, recorded))
    return one == other and float(figure) != float(recorded)


def differs_by_a_digit(figure: str, recorded: str) -> bool:
    """18.1 for 8.1: one digit was left out, or typed too many."""
    long, short = sorted((figure.replace(".", ""), recorded.replace(".", "")), key=len, reverse=True)
    cut = (long[:place] + long[place + 1 :] for place in range(len(long)))
    return len(long) == len(short) + 1 and short in cut


def _says(pattern: re.Pattern[str], text: str, recorded: str, new: str) -> bool:
    marks = {recorded: _OLD, new: _NEW}
    return pattern.search(_A_FIGURE.sub(lambda figure: marks.get(figure[0], figure[0]), text)) is not None
