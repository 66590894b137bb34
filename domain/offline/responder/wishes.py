"""Standing wishes of the owner that a rule-based answer can keep: how to be called, how short, where to look first."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from domain.offline.responder.lines import Line

MAX_CALLED = 8  # characters of a form of address; anything longer is no name

_CALLED = re.compile(
    r"(?:叫|称呼)(?:我|主人|自己|她|他)(?:为|作|做|一声)?[“\"「]?([\w·]{1,8}?)[”\"」]?(?:就好|就行|即可|吧|啦)?$"
)
_SHORT = re.compile(r"(?:回复|回答|说话|讲)?[^,，]{0,4}(?:简短|简洁|精简|短一?点|短些|别啰嗦|不要啰嗦|少说|一句话)")
_COMMUNITY_FIRST = re.compile(
    r"先(?:看|问|查|找|听)[^,，]{0,6}(?:社区|经验|网友|论坛|其他(?:主人|养宠|人)|铲屎官|小红书)"
)


@dataclass(frozen=True, slots=True)
class Wishes:
    """called: how to address the owner. Each wish carries the line it stands on."""

    called: str = ""
    called_by: Line | None = None
    short: Line | None = None
    community_first: Line | None = None


def wishes_of(lines: Sequence[Line]) -> Wishes:
    """Read the owner's lines; text that is no such wish changes nothing."""
    called_by = next((line for line in lines if _CALLED.search(line.text)), None)
    match = _CALLED.search(called_by.text) if called_by else None
    return Wishes(
        called=match[1][:MAX_CALLED] if match else "",
        called_by=called_by,
        short=next((line for line in lines if _SHORT.search(line.text)), None),
        community_first=next((line for line in lines if _COMMUNITY_FIRST.search(line.text)), None),
    )
