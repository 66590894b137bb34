"""What is done again and again (每天睡前刷牙) holds like a fact; it is no happening and fades like none."""

import re
from datetime import date

_ROUTINE = re.compile(r"每[天日晚早周月年次]|每个?(?:星期|礼拜|月)|平时|经常|总是|一直|从来|习惯")


def is_routine(content: str, occurred_on: date | None) -> bool:
    """Whether a line tells what is usual rather than what happened on a day."""
    return occurred_on is None and _ROUTINE.search(content) is not None
