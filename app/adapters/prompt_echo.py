"""A model that recites its prompt instead of answering: small models do, and none of those words is meant for an owner.

Pure. Heads, clock and rules of our own prompt give it away, and so do the marks of a chat template, the owner's part of
a talk that goes on by itself, and questions of ours: a yes to one that a model asks would answer the open one. What a
note of the prompt means to be told (that a temporary talk leaves nothing) is no echo.
"""

import re

from app.adapters.answer_text import cleaned
from app.adapters.prompt_words import (
    AGAIN_IN_CHINESE,
    ASKED_BY_US,
    CALLED_BEFORE,
    FORGETFUL,
    NO_MORE_TOOLS,
    RULES,
    UNCLEAR,
)

LEAST_CHARS = 10  # of a recited rule; shorter ones are words that people use too

_MARK = re.compile(
    r"[【〔](?:资料|此刻|注意|日程|到期的事|想起的记忆|最近聊过的|档案里的发现|本轮已记下|还没回答的确认"
    r"|家里的宠物|主人这次说的话|系统已经提示过主人|从档案看到的[^】〕]{0,10}|[^【】〔〕]{0,20}名片)[】〕]"
    r"|^[-\s]*\d{4}年\d{1,2}月\d{1,2}日 星期. \d{1,2}:\d\d$|\d:\d\d，距上次聊天 \d+ [分小天]"
    r"|^[-\s“\"]*(?:主人|用户|user|human)\s*[:：]"
    r"|要(?:改成|正式记下)[“「]|要以它为准吗|合成一条吗|在你回答之前，我(?:仍按|先按)"
    r"|\[/?INST\]|<</?SYS>>",
    re.IGNORECASE,
)
_RULES = tuple(
    rule
    for text in (RULES, UNCLEAR, FORGETFUL, ASKED_BY_US, AGAIN_IN_CHINESE, NO_MORE_TOOLS, CALLED_BEFORE)
    for part in re.split(r"[。；\n]", text)
    if len(rule := cleaned(part)[0].strip(" -（）")) >= LEAST_CHARS
)


def is_prompt_echo(text: str) -> bool:
    """Whether a sentence is a piece of the prompt."""
    return _MARK.search(text.strip()) is not None or any(rule in text for rule in _RULES)
