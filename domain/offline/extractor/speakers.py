"""Who says it is no part of what is told: 寄养店老板说它吐了 books no boarding, 洗澡店的人讲 tells no bath."""

import re

from domain.offline.extractor.reading import Reading

_SPEAKER = re.compile(
    r"^\x00*(?:刚才|昨天|今天|上次|上回)?(?:寄养|洗澡|美容|训练|遛狗|日托|托管|洗护)"
    r"(?:店|那边|那里|的|中心|家庭|所|人家|师|员|里|机构)+(?:人|小哥|小妹|姐姐?|老板娘?|阿姨|大哥|师傅|店员|老师)*"
    r"(?:也|都|还|跟我|和我|给我)*(?=说|讲|告诉|反映|反馈|发消息|打电话)"
)
_SAYS = "说讲告反发打"


def without_speaker(reading: Reading) -> None:
    """Take the known words of the one who speaks out of a reading (in place), before any rule sees them."""
    if not any(mark in reading.text for mark in _SAYS):
        return
    speaker = _SPEAKER.match(reading.text)
    if speaker is not None:
        end = reading.start + speaker.end()
        reading.hits = [hit for hit in reading.hits if hit.start >= end]
