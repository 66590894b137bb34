"""What a reading came out as, where no figure is told: 正常, 偏高, 降下来了, 阴性. Pure."""

import re

from memory.text_folding import fold_text

_NOT = r"(?:不(?:太|大|怎么|是很|算)?|没有?|未|无)"
_RESULTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "high",
        re.compile(r"正常[^,，。]{0,2}偏高|(?<!没)(?<!没有)(?<!不)超标|红线|偏[高快大]|[太有]点?快|快了|(?<!不)高了"),
    ),
    ("low", re.compile(r"正常[^,，。]{0,2}偏低|偏[低慢小]|不足|不够|[太有]点?慢|低了")),
    (
        "abnormal",
        re.compile(
            r"不(?:太|大|怎么|是很|算)?(?:正常|稳定|好|合格|达标|ok)|(?<!没)(?<!没啥)(?<!没什么)有(?:点|些)?(?:问题|异常|毛病)|不齐|漏跳"
        ),
    ),
    (
        "normal",
        re.compile(
            rf"{_NOT}(?:啥|什么|任何)?(?:问题|毛病|事|异常|超标|[高低快慢大小升降])|正常|达标|合格|很好|不错|(?<![a-z])ok|稳定"
        ),
    ),
    ("negative", re.compile(r"阴|negative|没查出|没看到")),
    ("positive", re.compile(r"阳|positive|加号|\+")),
    ("falling", re.compile(r"降|回落|掉下|退了|退下")),
    ("rising", re.compile(r"升|飙|涨|上去了")),
    ("high", re.compile(r"高|超标")),
    ("low", re.compile(r"低")),
    ("abnormal", re.compile(r"异常")),
)
"""The first that fits: what is denied (没有异常, 不稳定) stands before the bare word that it holds."""

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
