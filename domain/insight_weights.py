"""What a series of weights tells, by the thresholds for the species and the age. Pure."""

from collections.abc import Sequence
from datetime import date

from domain.insights import Fact, Insight, Level, Subject, day_text
from domain.knowledge.weight_changes import WeightRule, load_weight_rules

NOISE_SHARE = 0.02  # of the weight: the scale and a full stomach (vitals.yaml, `noise`)
NOISE_KG = {"cat": 0.10, "dog": 0.20}
OUT_OF_DATE_DAYS = 90  # since the last weighing; the guidelines weigh grown animals every quarter

_LEVELS: dict[str, Level] = {"within_24h": "urgent", "vet_24_72h": "urgent", "vet_soon": "soon", "review_diet": "watch"}
_ADVICE = {
    "within_24h": "24小时内让兽医看看",
    "vet_24_72h": "3天内让兽医看看",
    "vet_soon": "一周内让兽医看看",
    "review_diet": "核对一下每天喂多少，下次看兽医时提一句",
}


def weight_insights(subject: Subject, facts: Sequence[Fact], today: date) -> list[Insight]:
    """The most pressing loss or gain, and that nobody has weighed lately."""
    series = sorted((one for one in facts if one.kg and one.on), key=lambda one: (one.on or today, one.id))
    if not series:
        return []
    found = [insight for rule in _rules_for(subject, today) if (insight := _broken(rule, subject, series, today))]
    found.sort(key=lambda one: (_ORDER[one[0].level], -one[0].min_pct))
    changed = [found[0][1]] if found else []
    return changed or _out_of_date(subject, series[-1], today)


_ORDER = {level: place for place, level in enumerate(_LEVELS)}


def _rules_for(subject: Subject, today: date) -> list[WeightRule]:
    months = subject.months(today)
    return [rule for rule in load_weight_rules() if subject.species in rule.species and _is_of_age(rule, months)]


def _is_of_age(rule: WeightRule, months: int | None) -> bool:
    """A rule for an age is for that age; with an unknown one only the rules for grown animals count."""
    first, before = rule.months
    if months is None:
        return first in (0, 12)
    return first <= months and (before is None or months < before)


def _broken(
    rule: WeightRule, subject: Subject, series: Sequence[Fact], today: date
) -> tuple[WeightRule, Insight] | None:
    """Whether the latest weight lies far enough from the highest (lowest) of the window before it."""
    latest = series[-1]
    if latest.on is None or latest.kg is None or (today - latest.on).days > rule.window_days:
        return None
    window = [one for one in series[:-1] if one.on and 0 < (latest.on - one.on).days <= rule.window_days]
    if not window:
        return None
    sign = -1 if rule.direction == "loss" else 1
    first = max(window, key=lambda one: (-sign * (one.kg or 0), one.on or today))
    assert first.kg is not None  # noqa: S101  # the series holds weights only
    change = latest.kg - first.kg
    share = 100 * sign * change / first.kg
    if share <= 0 or share < rule.min_pct or abs(change) < _noise(subject, first.kg):
        return None
    return rule, _insight(rule, subject, first, latest, share)


def _noise(subject: Subject, kg: float) -> float:
    return max(NOISE_SHARE * kg, NOISE_KG.get(subject.species, 0.0))


def _insight(rule: WeightRule, subject: Subject, first: Fact, latest: Fact, share: float) -> Insight:
    assert first.on is not None  # noqa: S101  # both are dated
    assert latest.on is not None  # noqa: S101
    way = "轻了" if rule.direction == "loss" else "重了"
    days = (latest.on - first.on).days
    text = (
        f"{subject.name}体重{days}天里从{first.kg:g}kg到{latest.kg:g}kg，{way}{share:.1f}%"
        f"（{day_text(first.on)}→{day_text(latest.on)}）"
    )
    code = f"weight_{rule.direction}"
    return Insight(
        code, _LEVELS[rule.level], "growth", text, (latest, first), _ADVICE[rule.level], f"{rule.id}：{rule.source}"
    )


def _out_of_date(subject: Subject, latest: Fact, today: date) -> list[Insight]:
    days = (today - latest.on).days if latest.on else 0
    if days <= OUT_OF_DATE_DAYS:
        return []
    text = f"{subject.name}上次称体重是{days}天前（{latest.kg:g}kg）"
    return [Insight("weight_out_of_date", "info", "growth", text, (latest,), "方便时称一次，才看得出趋势")]
