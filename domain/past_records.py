"""三月份的时候我们记的是什么, 三月份豆豆一天吃几顿: what was on record earlier, and the lines that say it."""

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from domain.dates.reader import times_asked_about
from memory.as_of import PastLine
from memory.text_folding import fold_text

_ON_RECORD = re.compile(
    r"(?:我们|咱们|你|档案|记录)?(?:里|上)?(?:当时|那时候?)?(?:记|写|存|登记)(?:的|着|了|过)?(?:是|有|些)?(?:什么|啥|哪些|多少|几)"
    r"|(?:当时|那时候?|那会儿?)[^,。]{0,6}(?:档案|记录|记的|记着)|(?:档案|记录)(?:里|上)?(?:是|写的?|有)(?:什么|啥|哪些|多少|几)"
)
_HOW_IT_WAS = re.compile(
    r"(?:吃|喝|喂|遛|用|住|睡|滴|打)(?:的)?(?:是)?(?:什么|啥|几(?:顿|次|回|片|粒|颗|克|勺)|多少|哪)|(?:几|多少)(?:顿|克|勺|片|粒)|(?:一天|每天|每顿|每次|每周|一周)[^,。]{0,6}(?:几|多少)"
)
"""A state that may have changed since: how much, how often, what of. What happened how many times is another matter."""
MOST_PAST_LINES = 6  # told in one answer; the memory page has all of them
_STATES = (
    (re.compile(r"几顿|多少顿|每顿|几克|多少克|几勺|多少勺"), "diet", re.compile(r"顿|克|勺|罐|袋")),
    (re.compile(r"[吃喂](?:的)?(?:是)?(?:什么|啥|哪)(?!药)"), "diet", re.compile(r"粮|罐|主食|冻干|[吃喂换]")),
    (re.compile(r"药|片|粒|滴|针"), "medical", re.compile(r"药|mg|毫克|ml|片|粒|滴|针|单位|在用")),
    (re.compile(r"遛|散步|下楼|出门"), None, re.compile(r"遛|散步|下楼|出门")),
    (re.compile(r"[住睡]"), None, re.compile(r"[住睡]")),
)
"""What is asked of, the archive it stands in (None: any), and the words of a line that tells it."""
_ONCE = re.compile(r"[今昨]天|刚才|刚刚|这次")
_COMMON = frozenset({"时候", "我们", "什么", "记的", "的是", "当时", "档案", "记录", "那时", "份的", "的时"})


def moment_asked_about(text: str, now: datetime) -> datetime | None:
    """The last instant of the time that a message asks of, where it asks how things were; None for every other message.

    now: aware, in the owner's zone.
    """
    folded = fold_text(text)
    on_record = _ON_RECORD.search(folded) is not None
    if not on_record and not _HOW_IT_WAS.search(folded):
        return None
    spans = [told for told in times_asked_about(text, now) if told.on is not None and (on_record or told.until)]
    over = now.date() if on_record else now.date() - timedelta(days=1)
    past = [day for told in spans if (day := told.until or told.on) is not None and day <= over]
    return _end_of(past[0], now) if past else None


def asks_of_the_records(text: str) -> bool:
    """Whether the records themselves are asked of (我们记的是什么), so that having none is an answer."""
    return _ON_RECORD.search(fold_text(text)) is not None


def past_lines(text: str, lines: Sequence[PastLine]) -> tuple[str, ...]:
    """The lines that share the most words with the question, all when it names nothing of them."""
    asked = {one + other for one, other in pairwise(fold_text(text)) if one.isalpha() and other.isalpha()} - _COMMON
    shared = [sum(pair in fold_text(line.content) for pair in asked) for line in lines]
    most = max(shared, default=0)
    chosen = [line for line, count in zip(lines, shared, strict=True) if count == most] if most > 1 else list(lines)
    return tuple(line.content for line in chosen[:MOST_PAST_LINES])


def lines_of_the_state(text: str, lines: Sequence[PastLine]) -> tuple[str, ...]:
    """The lines of that time which tell the state asked of (一天吃几顿), in the order in which they were told."""
    folded = fold_text(text)
    topics = [(topic, told) for asked, topic, told in _STATES if asked.search(folded)]
    fitting = [
        line.content
        for line in lines
        if any(topic in (None, line.topic) and told.search(fold_text(line.content)) for topic, told in topics)
        and not _ONCE.search(fold_text(line.content))
    ]
    return tuple(fitting[:MOST_PAST_LINES])


def _end_of(day: date, now: datetime) -> datetime:
    return datetime.combine(day, time.min, now.tzinfo) + timedelta(days=1) - timedelta(microseconds=1)
