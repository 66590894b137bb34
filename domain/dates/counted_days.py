"""The words for days counted from today: 昨天, 三周后, 再过十天, 这三天, 拉了三天了, 第五天了."""

from domain.dates.amounts import AMOUNT, DAYS_A_UNIT, Amount, read_amount
from domain.dates.meanings import Direction, Meaning, NoDate, Shift, Stretch
from domain.dates.rules import NUMERAL_STARTS, Match, rule
from domain.dates.script import NUMERAL, read_numeral

_DAY_WORDS = {"大大前": -4, "大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3, "大大后": 4}
_ENGLISH = {"today": 0, "tonight": 0, "this morning": 0, "yesterday": -1, "last night": -1, "tomorrow": 1}
_PART_FOLLOWS = "(?=晚|早|夜|晨|半夜|凌晨|上午|下午|中午|傍晚|一早)"


def _read_day_word(match: Match) -> Meaning:
    return Shift("day", days=_DAY_WORDS[match[1]])


def _read_offset(match: Match) -> Meaning | None:
    amount = read_amount(match)
    if amount is None:
        return None
    sign = -1 if match["side"] == "前" else 1
    return Shift(amount.unit, sign * amount.days, sign * amount.months, sign * amount.minutes)


def _read_wait(match: Match) -> Meaning | None:
    amount = read_amount(match)
    if amount is None:
        return None
    if match[1] == "过" and amount == Amount("day", days=2):  # 过两天 is "some day soon"
        return NoDate()
    return Shift(amount.unit, amount.days, amount.months, amount.minutes)


def _read_stretch(match: Match) -> Meaning | None:
    amount = read_amount(match)
    if amount is None or amount.minutes or (match[1] == "这" and match["count"] in ("一", "1")):
        return None
    toward = {"这": Direction.NONE, "接": Direction.FUTURE, "未": Direction.FUTURE, "今": Direction.FUTURE}.get(
        match[1][0], Direction.PAST
    )
    return Stretch(amount.days, amount.months, toward)


def _read_since(match: Match) -> Meaning | None:
    amount = read_amount(match)
    return None if amount is None or amount.minutes else Shift(amount.unit, -amount.days, -amount.months)


def _read_day_count(match: Match) -> Meaning | None:
    """第三天了: it began two days ago."""
    count = read_numeral(match[1])
    if not count or count < 2:
        return None
    return Shift("day", days=-(count - 1) * DAYS_A_UNIT[match[2]])


DAY_WORD_RULES = (
    rule(
        "大前昨今明后",
        f"(?![前后]半夜)(大大前|大前|大大后|大后|前|昨|今|明|后)(?:天|日(?!本)|儿个?|个儿|{_PART_FOLLOWS})",
        _read_day_word,
    ),
    rule("刚", "刚[刚才]", lambda _match: Shift("day")),
    rule("ytl", f"(?<![a-z])(?:{'|'.join(_ENGLISH)})(?![a-z])", lambda match: Shift("day", days=_ENGLISH[match[0]])),
    rule("现目", "(?<=[到至])(?:现在|目前)", lambda _match: Shift("day")),
)
_ONCE_MORE = "(?:回|过)?[来去]?(?:抽|查|复|打|拍|做|补|验|测|量|换|称|驱|照)(?![^,。]{0,6}(?:正常|好了|没))"
"""What is done again after a while: 一个月再抽血; 两周再查就正常了 tells of the past."""
OFFSET_RULES = (
    rule(NUMERAL_STARTS + "半", rf"(?<![第.\d]){AMOUNT}(?:之|以)?(?P<side>前|后)(?![腿肢爪脚掌面])", _read_offset),
    rule("再过等", f"(再过|再等|再隔|等|(?<![刚才都快])过){AMOUNT}(?![内半])", _read_wait),
    rule("满", f"(满){AMOUNT}(?=再|之?后|去)", _read_wait),
    rule(NUMERAL_STARTS + "半", rf"(?<![第.\d了过隔每]){AMOUNT}(?P<side>再)(?={_ONCE_MORE})", _read_offset),
    rule("隔", f"(隔){AMOUNT}(?=再|后|以后|之后)", _read_wait),
    rule(
        "这最近过接未今",
        f"(这|最近这?|近|过去这?|过去的|接下来这?的?|未来|今后){AMOUNT}(?![龄大])",
        _read_stretch,
    ),
)
_SINCE = rf"(?<![第.\d快])(?P<count>{NUMERAL})个?(?P<half>(?!))?(?P<unit>天|周|星期|礼拜)(?P<tail>(?!))?"
SINCE_RULES = (
    rule(NUMERAL_STARTS, rf"{_SINCE}(?=[了喽啦咯](?![就吗])|都?没(?![到满])[^,。]{{1,3}}(?:了|$))", _read_since),
    rule("第", f"第({NUMERAL})个?(天|周|星期|礼拜)(?=了)", _read_day_count),
    rule("第", f"(?<=术后|药后|用药|吃药|服药|例假|换粮|住院)第({NUMERAL})个?(天)$", _read_day_count),
)
