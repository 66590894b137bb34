"""Text of others as quoted data: one line, between 「」, without anything that could pass for our own words. Pure."""

import re
import unicodedata

MOST_CHARS = 400  # of one quoted line; a memory is a sentence
_OWN_MARKS = str.maketrans({"「": "“", "」": "”", "【": "〔", "】": "〕"})
_TEMPLATE = re.compile(
    r"<\|[^|<>]{0,40}\|>|</?(?:s|system|user|assistant|tool|tool_call|tool_response|think)>|\[/?INST\]", re.I
)
_CITATION = re.compile(r"\[\s*m\d+(?:\s*[,，、]\s*m\d+)*\s*\]", re.I)


def quoted(text: str, most: int = MOST_CHARS) -> str:
    """「text」 on one line, at most `most` characters of it."""
    return f"「{plain(text, most)}」"


def plain(text: str, most: int = MOST_CHARS) -> str:
    """The text without what no eye sees (zero width, direction, tags), chat-template marks and our own marks."""
    seen = "".join(" " if character in "\n\r\t" else character for character in text if _is_seen(character))
    bare = _CITATION.sub("", _TEMPLATE.sub(" ", seen)).translate(_OWN_MARKS)
    short = " ".join(bare.split(" ")).strip()
    return short if len(short) <= most else f"{short[: most - 1]}…"


def _is_seen(character: str) -> bool:
    """Whether a character is one that people write: format, control and private characters are not."""
    return character in "\n\r\t" or unicodedata.category(character) not in ("Cf", "Cc", "Co", "Cs", "Cn")
