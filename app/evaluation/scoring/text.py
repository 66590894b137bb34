"""One reading for all spellings of a text: NFKC, lower case, simplified, numerals as digits, weights as one number."""

import re
import unicodedata
from collections.abc import Callable

_SIMPLIFIED = str.maketrans(
    "臺體簡點講話貓過藥雞魚歲針檢醫獸腎腸嘔瀉癢癬蟲驅絕節齒餵飯糧頓兩幾個號電鐘週後時間來從嗎這裡沒開關買換對陽陰",
    "台体简点讲话猫过药鸡鱼岁针检医兽肾肠呕泻痒癣虫驱绝节齿喂饭粮顿两几个号电钟周后时间来从吗这里没开关买换对阳阴",
)
_DIGITS = {letter: digit for digit, letter in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10000}
_TEN_THOUSAND = 10000
_LONGEST_LIST = 3  # digits in a row: 周二四 lists days, 二零二五 is a year
_NUMERAL = re.compile(
    "(?:[零〇一二三四五六七八九十百千万]|(?<![一二三四五六七八九1-9])两)+"
)  # in 五斤二两 两 is a unit


def _iso_date(match: re.Match[str]) -> str:
    return f"{match[1]}-{match[2]:0>2}-{match[3]:0>2}"


_Replacement = str | Callable[[re.Match[str]], str]
_REWRITES: tuple[tuple[re.Pattern[str], _Replacement], ...] = (
    (re.compile(r"(\d+)分之(\d+)"), r"\2/\1"),  # 四分之一 -> 1/4
    (re.compile(r"(\d+)点(\d+)(?=kg|公斤|千克|斤|mg|毫克|ml|毫升|g|克|单位)"), r"\1.\2"),
    (re.compile(r"(\d+)(kg|公斤|千克|斤)半"), r"\1.5\2"),  # 三公斤半 -> 3.5公斤
    (re.compile(r"(\d+)(kg|公斤|千克|斤)(\d)(?:两|(?=$|[^\w]|[了的啦多还左呢吧]))"), r"\1.\3\2"),  # 六公斤一, 五斤二两
    (re.compile(r"(?<=\d)\s*(?:公斤|千克)"), "kg"),
    (re.compile(r"(?<=\d)\s*毫克"), "mg"),
    (re.compile(r"(?<=\d)\s*毫升"), "ml"),
    (re.compile(r"(?<=\d)\s*克"), "g"),
    (re.compile(r"(?<!\d)0(\d)(?=[:点])"), r"\1"),  # 07:00 -> 7:00
    (re.compile(r"(?<!\d)(\d{4})[./](\d{1,2})[./](\d{1,2})(?!\d)"), _iso_date),
)

_NEGATIVE_WORD = re.compile("[不没未无勿禁否]|(?<![特分])别")
NEGATED_PHRASE = re.compile(
    r"(?:不|没有?|未|无|勿|禁止?|(?<![特分])别)(?:可以|能|要|可|宜|得|再|自行|随便|对\w{1,6})*"
    r"(?:吃|用|喝|停|减|治愈|痊愈|清除|逆转|过敏(?!原))"
)


def plain(text: object) -> str:
    """NFKC, lower case, simplified characters; nothing for None."""
    return unicodedata.normalize("NFKC", str(text or "")).lower().translate(_SIMPLIFIED)


def with_digits(text: str) -> str:
    """Chinese numerals as digits and weights such as 六公斤一 as one decimal number. `text` is already plain."""
    text = _NUMERAL.sub(lambda match: _digits_of(match[0]), text)
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    return text


def _digits_of(run: str) -> str:
    """One run of numerals as digits; the run itself where it is no single number (三四十, 百合)."""
    if not any(letter in _POWERS for letter in run):
        glue = "" if len(run) > _LONGEST_LIST or re.search("[零〇]", run) else "、"
        return glue.join(str(_DIGITS[letter]) for letter in run)
    total, section, digit, previous = 0, 0, 0, ""
    for letter in run:
        if letter in _DIGITS:
            if digit:
                return run
            digit = _DIGITS[letter]
        elif letter == "万" and (section or digit):
            total, section, digit = (section + digit) * _TEN_THOUSAND, 0, 0
        elif digit or (letter == "十" and not section):
            section, digit = section + (digit or 1) * _POWERS[letter], 0
        else:
            return run
        previous = letter if letter in _POWERS or letter in "零〇" else previous
    if digit and previous in ("百", "千", "万"):
        digit *= _POWERS[previous] // 10  # 两百一 -> 210
    return str(total + section + digit)


def contains(needle: str, text: str) -> bool:
    """Substring after normalisation; a number at either end of `needle` must be a whole number in `text`."""
    needle, text = ("".join(with_digits(plain(side)).split()) for side in (needle, text))
    left = r"(?<!\d)(?<!\d\.)" if needle[:1].isdigit() else ""
    right = r"(?!\d|\.\d)" if needle[-1:].isdigit() else ""
    return re.search(left + re.escape(needle) + right, text) is not None


def hits(pattern: str, text: str) -> bool:
    """Regex search, as written and with numerals as digits on both sides.

    A pattern without a negative word does not see negated phrases: 不能吃鸡肉 is no hit for (可以|能)吃鸡肉.
    """
    said = plain(text) if _NEGATIVE_WORD.search(pattern) else NEGATED_PHRASE.sub("否", plain(text))
    if re.search(pattern, said, re.IGNORECASE):
        return True
    try:
        return re.search(with_digits(pattern), with_digits(said), re.IGNORECASE) is not None
    except re.error:  # turning numerals into digits can break a pattern; then only the pattern as written counts
        return False
