"""One spelling for all: full-width, traditional and Chinese-numeral writing read alike, offsets kept."""

import unicodedata
from dataclasses import dataclass

_TRADITIONAL = (
    "週禮點鐘鍾號個兩後這歲時間從開農陰陽曆臘聖誕國慶節勞動兒婦師"
    "範萬過還幾來貳叄肆伍陸柒捌玖壹廿卅淩內連續輪體滿現處暑穀驚蟄種"
)
_SIMPLIFIED = (
    "周礼点钟钟号个两后这岁时间从开农阴阳历腊圣诞国庆节劳动儿妇师"
    "范万过还几来二三四五六七八九一廿卅凌内连续轮体满现处暑谷惊蛰种"
)
_TO_SIMPLIFIED = str.maketrans(_TRADITIONAL, _SIMPLIFIED)
_JOINERS = str.maketrans({"〜": "~", "～": "~", "–": "-", "—": "-", "−": "-", "〇": "零", "○": "零"})


@dataclass(frozen=True, slots=True)
class Script:
    """A text in one spelling. `origins[i]` is the offset, in the original, of the character behind `plain[i]`."""

    original: str
    plain: str
    origins: tuple[int, ...]

    def slice_of(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the original for `plain[start:end]` (end not included, start < end)."""
        return self.origins[start], self.origins[end - 1] + 1


def read_script(text: str) -> Script:
    """NFKC, lower case and simplified, character by character, so that every character keeps its place."""
    letters: list[str] = []
    origins: list[int] = []
    for offset, character in enumerate(text):
        for letter in unicodedata.normalize("NFKC", character).lower().translate(_TO_SIMPLIFIED).translate(_JOINERS):
            letters.append(letter)
            origins.append(offset)
    return Script(text, "".join(letters), tuple(origins))


DIGITS = "零一二三四五六七八九"
NUMERAL = r"(?:\d{1,3}(?!\d)|[零一二三四五六七八九十百两俩仨]{1,5})"
"""Pattern of a count up to three digits long. Every pattern of this package repeats within fixed bounds only."""

_DIGIT_VALUES = {letter: value for value, letter in enumerate(DIGITS)} | {"两": 2, "俩": 2, "仨": 3}


def read_numeral(text: str) -> int | None:
    """12, 十二, 一百二十, 二零 -> int; None for what is no single number (三四, 二十三十).

    Digits written out one by one (二零二五) are read as such.
    """
    if text.isdecimal():
        return int(text)
    if not any(letter in "十百" for letter in text):
        return _read_digit_row(text)
    total, digit, ceiling = 0, None, 1000
    for letter in text:
        if letter in "十百":
            power = 100 if letter == "百" else 10
            if power >= ceiling or digit == 0:
                return None
            total, digit, ceiling = total + (1 if digit is None else digit) * power, None, power
        elif letter == "零":
            digit = None
        elif digit is not None or letter not in _DIGIT_VALUES:
            return None
        else:
            digit = _DIGIT_VALUES[letter]
    return total + (digit or 0)


def _read_digit_row(text: str) -> int | None:
    if any(letter not in _DIGIT_VALUES for letter in text):
        return None
    if len(text) == 1:
        return _DIGIT_VALUES[text]
    if len(text) == 2 and "零" not in text:  # 三四天 is "three or four", not 34
        return None
    return int("".join(str(_DIGIT_VALUES[letter]) for letter in text))
