"""Numbers with units as owners write them: 六公斤一, 五斤二两, 4.2kg, 半片, 四分之一片, 早2晚1.5个单位."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.numerals import DIGITS, read_number

_PLAIN_TWO = r"两(?=[个片粒颗千百点公斤克勺包袋支滴针顿次杯碗毫升单瓶罐条根])"  # 两 as a number, not as 50 grams
NUMBER = (
    r"(?:\d+(?:\.\d+)?|[零一二三四五六七八九十百千]+(?:点[零一二三四五六七八九]+)?"
    rf"|两[百千][零一二三四五六七八九十百]*|{_PLAIN_TWO}|半)"
)
_SAME_UNITS = {
    "公斤": "kg",
    "千克": "kg",
    "市斤": "斤",
    "克": "g",
    "毫克": "mg",
    "毫升": "ml",
    "个单位": "单位",
    "iu": "单位",
}
_SAME_UNITS |= {"块": "元", "块钱": "元", "℃": "度"}
_OWN_UNITS = "kg 斤 g 两 磅 mg ml 单位 片 粒 颗 滴 支 针 包 袋 勺 泵 元 度 罐 碗 杯 个 次 顿 根 条 μg"
_UNITS = _SAME_UNITS | {unit: unit for unit in _OWN_UNITS.split()}
_SPAN = "个(?!月|星期|礼拜|周|小时|钟|半|疗程)"  # 吃一个月 tells how long, not how much
_UNIT = "|".join(_SPAN if unit == "个" else re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))
_QUANTITY = re.compile(
    rf"(?<!(?<!\d)[-−负])(?P<whole>[二三四五六七八九十]分之[一二三四五六七八九]|\d/\d|[一两二三四五\d]个半(?=\s?(?:单位|iu))|{NUMBER})\s?(?P<unit>{_UNIT})(?P<tail>半(?![年天个小夜月路])|[一二三四五六七八九\d](?:两|(?![\d/一-鿿个]|\.\d)|(?=[了的啦多还左呢吧瘦胖重轻都就才却又])))?"
)
_IN_TENTHS = frozenset({"公斤", "千克", "kg", "斤", "度"})
_HALVED = (_IN_TENTHS - {"度"}) | set("片粒颗勺袋包支碗杯罐根条")
WEIGHT_UNITS = frozenset({"kg", "斤", "g", "磅"})


@dataclass(frozen=True, slots=True)
class Quantity:
    """`number` `unit` at [start:end]; units are spelled one way (公斤 → kg, 个单位 → 单位, 克 → g)."""

    start: int
    end: int
    number: float
    unit: str

    def as_value(self) -> dict[str, object]:
        number = int(self.number) if self.number == int(self.number) else self.number
        return {"number": number, "unit": self.unit}


def find_quantities(folded: str) -> Iterator[Quantity]:
    """Every number that carries a unit, left to right."""
    for match in _QUANTITY.finditer(folded):
        halved = match["whole"].endswith("个半")
        number = read_number(match["whole"].removesuffix("个半"))
        if number is None:
            continue
        number += 0.5 if halved else _tail(match["tail"] or "", match["unit"])
        yield Quantity(match.start(), match.end(), round(number, 4), _UNITS[match["unit"]])


def _tail(tail: str, unit: str) -> float:
    """半 after what can be halved: half a unit; 一 and 二两 after a weight unit: tenths of it."""

    if tail == "半":
        return 0.5 if unit in _HALVED else 0.0
    if unit not in _IN_TENTHS:
        return 0.0
    digit = tail[:1]
    return (DIGITS.get(digit, int(digit) if digit.isdigit() else 0)) / 10 if digit else 0.0
