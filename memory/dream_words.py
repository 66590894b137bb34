"""What the dream diary says, in the owner's words. Pure; lines quote memories as the owner sees them."""

from collections.abc import Sequence

from memory.vocabulary import Tier

MERGED, ASKED, BECAME_FACT, WEAKER, SURER = "merged", "asked", "became_fact", "weaker", "surer"
FADING, REMOVED, ARCHIVED, OVER, LEARNED = "fading", "removed", "archived", "over", "learned"
RISEN, MOVED_DOWN = "risen", "moved_down"
GUESSED, PATTERN, SUMMARISED, TROUBLE, STOPPED = "guessed", "pattern", "summarised", "trouble", "stopped"

MOST_QUOTED = 3  # lines named in one sentence; the rest is counted

_LAYERS = {Tier.CORE: "身份证", Tier.SHORT: "便签墙", Tier.LONG: "档案柜"}


def merged(gone: str, into: str) -> str:
    """Two lines became one."""
    if gone == into:
        return f"「{_bare(into)}」记了两遍，合成了一条，来源都留着。"
    return f"「{_bare(gone)}」和「{_bare(into)}」说的是一回事，合成了后一条，来源都留着。"


def merge_asked(gone: str, into: str) -> str:
    """Two lines look the same, and the owner is asked."""
    return f"「{_bare(gone)}」和「{_bare(into)}」像是一回事，因为是你亲自写下或锁定的，先问过你再合。"


def became_fact(line: str) -> str:
    """A guess was confirmed often enough."""
    return f"「{_bare(line)}」听到了好几次，不再当作猜测，记成确定的了。"


def moved(line: str, surer: bool) -> str:
    """A guess gained or lost some of its confidence."""
    if surer:
        return f"「{_bare(line)}」又有了新的依据，比之前更有把握，还先当作猜测。"
    return f"「{_bare(line)}」出现了相反的情况，没那么有把握了。"


def fading(line: str) -> str:
    """A guess is marked for deletion."""
    return f"「{_bare(line)}」多半不成立，标成了即将删除，一周后不再保留；想留着就打开它改一改。"


def removed(count: int) -> str:
    """Guesses that nobody stood up for are gone; their words are not repeated."""
    return f"有{count}条没有得到证实的猜测到期了，已经删掉。"


def archived(lines: Sequence[str]) -> str:
    """Lines that nobody used for long went to the archive."""
    return f"{_quoted(lines)}很久没有提起，收进了档案，问起来还找得到。"


def over(lines: Sequence[str]) -> str:
    """What held for a time only is over."""
    return f"{_quoted(lines)}到期了，不再照着提醒，收进了档案。"


def moved_by_upgrade(what: str, lines: Sequence[str]) -> str:
    """What the nightly upgrade moved since the last entry."""
    match what:
        case "risen":
            return f"{_quoted(lines)}常常用到，升到了身份证上。"
        case "moved_down":
            return f"{_quoted(lines)}最近不常用到，从手边移进了档案柜。"
        case "over":
            return over(lines)
        case _:
            return archived(lines)


def learned(lines: Sequence[str]) -> str:
    """Lines that did not fit the turn they were said in."""
    return f"有一次你一口气说了很多，当时没记完，这次补记了{_quoted(lines)}。"


def guessed(line: str, days: int) -> str:
    """A new guess and what it rests on."""
    return f"从你{days}次提到的情况里，我猜「{_bare(line)}」，先当作猜测。"


def pattern(text: str) -> str:
    """Something that happened together several times, waiting for the owner's look."""
    return f"留意到：{text}。放进了本周的回顾里，等你看看是不是有关系。"


def summary_kept() -> str:
    """A model failed to write; nothing was replaced."""
    return "整理概要时没有得到可靠的结果，旧的概要原样留着，明晚再试。"


def judge_failed() -> str:
    """A model failed to compare lines; nothing was merged because of it."""
    return "有几条记忆看着相近，这次没能比对清楚，都原样留着，明晚再看。"


def stopped(tier: Tier) -> str:
    """A run that would have taken too much stopped."""
    return f"这次整理会让{_LAYERS[tier]}一下少掉四分之一以上，不太对劲，就停下来了，没有动它们。"


def _quoted(lines: Sequence[str]) -> str:
    named = "".join(f"「{_bare(line)}」" for line in lines[:MOST_QUOTED])
    return named if len(lines) <= MOST_QUOTED else f"{named}等{len(lines)}条"


def _bare(line: str) -> str:
    return line.strip().rstrip("。.!！").translate(str.maketrans("「」", "『』"))
