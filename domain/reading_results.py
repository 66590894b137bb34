"""What a reading came out as, where no figure is told: 正常, 偏高, 降下来了, 阴性. Pure."""

import re

from memory.text_folding import fold_text

_RESULTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "normal",
        re.compile(
            r"不[高低快慢]|(?<!不)(?<!没)正常(?!的话)|没(?:问题|毛病|事|异常|超标)|无异常|达标|合格|很好|不错|(?<!不)ok|稳定"
        ),
    ),
    ("negative", re.compile(r"阴|negative|没查出|没看到|转阴")),
    ("positive", re.compile(r"阳|positive|加号|\+")),
    ("falling", re.compile(r"降|回落|掉下|退了|退下")),
    ("rising", re.compile(r"升|飙|涨|上去了")),
    ("high", re.compile(r"高|超标|红线|偏快|偏大|太快|有点快|快了")),
    ("low", re.compile(r"低|不足|不够|偏慢|偏小|太慢|有点慢")),
    ("abnormal", re.compile(r"不正常|异常|不太好|有问题|不好|不齐|漏跳")),
)


RESULT_WORDS = {
    "normal": "正常",
    "negative": "阴性",
    "positive": "阳性",
    "falling": "下降",
    "rising": "上升",
    "high": "偏高",
    "low": "偏低",
    "abnormal": "异常",
}


def result_in(words: str) -> str | None:
    """normal, high, low, rising, falling, positive, negative or abnormal; None where the words tell none."""
    folded = fold_text(words)
    return next((name for name, pattern in _RESULTS if pattern.search(folded)), None)


def came_out_otherwise(known: str, new: str) -> bool:
    """肌酐偏高 after 肌酐正常, or 体温正常 after 体温40度: another reading, not another word for that one."""
    result = result_in(new)
    return result is not None and result != result_in(known)
