"""What holds for a time only: 拔牙后一周软食, 术后两周不能洗澡, 这周只能吃软食. Pure.

A statement that limits what a pet eats or does, and says for how long, gets its last day; it bends advice until then
and expires by itself. How often something is done (一周吃两次) and how long something has lasted (三天了) are no ends.
"""

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from domain.attributes import spec_of
from domain.dates.reader import find_times
from memory.claims import Claim
from memory.numerals import read_number
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass, Kind, Precision

DAYS_OF = {"天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7, "个星期": 7, "个礼拜": 7, "个月": 30, "月": 30}
LONGEST_DAYS = 180  # a limit that lasts longer is a way of life
LEAST_LEFT = 4  # characters of a line that lost its limit: a name and a verb
STAPLE_FOOD = "diet.staple_food"

_CLASSES = frozenset(
    {
        AttributeClass.DIET_PREFERENCE,
        AttributeClass.ACTIVITY,
        AttributeClass.GROOMING,
        AttributeClass.BEHAVIOR,
        AttributeClass.OTHER,
    }
)
_LIMITS = re.compile(
    r"只能|只可|只吃|不能|不可以|不要|不许|不准|别|禁|忌|少|避免|暂时|先|软食|流食|流质|湿粮|处方粮|静养|休息|笼养|戴圈"
    r"|伊丽莎白圈|头套|限制|清淡|空腹|断食|停"
)
_LASTS = re.compile(
    r"(?P<before>[每隔上前过去]{0,2})(?P<count>\d+|半|[一二两三四五六七八九十]+)(?P<unit>个?星期|个?礼拜|个月|周|天|日)"
    r"(?P<after>.?)"
)
_NO_END = frozenset("前大龄了没未次顿餐回遍号")
_HOW_OFTEN = re.compile(r"(?:\d+|[一二两三四五六七八九十几])(?:次|顿|餐|回|遍)")
_WITHIN = re.compile(r"(?:之|以)?内|里")
_THIS_MONTH = re.compile(r"(?:这|本)(?:一)?个?月(?!\d)")
_THIS_WEEK = re.compile(r"(?:这|本)(?:一)?(?:周|星期|礼拜)(?![一二三四五六日天末几])")
_UNTIL = re.compile(r"到(?P<day>[^,，。;；到]{2,12}?)(?:之前|以前|为止|止|$|[,，。;；])")


def with_ends(claims: Sequence[Claim], said_at: datetime) -> list[Claim]:
    """The claims, those that hold for a time with their last day under `end`. said_at: the owner's local time.

    What else the same clause tells (打完疫苗一周内别洗澡) is told without the limit, which must not outlive its end.
    """
    told = [_with_end(claim, said_at) for claim in claims]
    limits = {new.evidence.quote for old, new in zip(claims, told, strict=True) if new is not old}
    return [
        _without_limit(new) if new is old and new.evidence.quote in limits else new
        for old, new in zip(claims, told, strict=True)
    ]


def _without_limit(claim: Claim) -> Claim:
    """The line up to where the limit begins; the whole of it where nothing would be left."""
    length = next((found for one in (_LASTS, _THIS_WEEK, _THIS_MONTH) if (found := one.search(claim.content))), None)
    before = claim.content[: length.start()].rstrip("，, 的") if length else ""
    return replace(claim, content=before) if len(before) >= LEAST_LEFT else claim


def _with_end(claim: Claim, said_at: datetime) -> Claim:
    if not _may_end(claim):
        return claim
    said = fold_text(claim.evidence.quote)
    if not _LIMITS.search(said):
        return claim
    end = _last_day(said, claim, said_at)
    if end is None or not 0 <= (end - said_at.date()).days <= LONGEST_DAYS:
        return claim
    began = claim.occurred_on if claim.occurred_on is not None and claim.occurred_on <= said_at.date() else None
    return replace(
        claim,
        attribute=_beside_the_staple(claim),
        value={**claim.value, "end": end.isoformat()},
        occurred_on=began,
        occurred_on_precision=claim.occurred_on_precision if began else Precision.UNKNOWN,
    )


def _beside_the_staple(claim: Claim) -> str:
    """What is eaten for a time does not take the place of what is eaten."""
    food = str(claim.value.get("food") or claim.value.get("brand") or "")
    return f"diet:{food}" if claim.attribute == STAPLE_FOOD and food else claim.attribute


def _may_end(claim: Claim) -> bool:
    """A way of living; other records have days of their own, and happenings stay remembered."""
    if claim.kind is Kind.EVENT or claim.attribute_class not in _CLASSES or claim.value.get("end") is not None:
        return False
    spec = spec_of(claim.attribute)
    return spec.record_kind in (None, "diets")


def _last_day(said: str, claim: Claim, said_at: datetime) -> date | None:
    today = said_at.date()
    if (until := _UNTIL.search(said)) is not None:
        days = [reading.on for reading in find_times(until["day"], said_at) if reading.on is not None]
        return days[0] if days else None
    if _THIS_WEEK.search(said):
        return today + timedelta(days=6 - today.weekday())
    if _THIS_MONTH.search(said):
        return today.replace(day=monthrange(today.year, today.month)[1])
    for match in _LASTS.finditer(said):
        often = _HOW_OFTEN.search(said, match.start("after")) and not _WITHIN.match(said, match.start("after"))
        if not often and (length := _days(match)):
            began = claim.occurred_on if claim.occurred_on is not None and claim.occurred_on <= today else today
            return began + timedelta(days=length)
    return None


def _days(match: "re.Match[str]") -> int:
    if match["before"] or match["after"] in _NO_END:
        return 0
    count = read_number(match["count"])
    return round(count * DAYS_OF[match["unit"]]) if count else 0
