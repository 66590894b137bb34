"""What observations of the last weeks tell: appetite, elimination, activity, other signs, temperature. Pure."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date

from domain.insights import Fact, Insight, Level, Subject, day_text
from domain.knowledge.lexicon import find_entities

LATELY_DAYS = 30
MOST_TOLD = 4  # signs named in one finding, the newest
OFTEN_DAYS = 7  # twice within a week is no single event any more
FEVER = {"dog": 39.5, "cat": 39.5}  # ℃, from which one measures again (vitals.yaml, temp_dog and temp_cat)
HIGH_FEVER = 40.0  # from which a vet should see it within a day
COLD = 37.2  # at or below, the same

_APPETITE = frozenset({"appetite_loss", "appetite_gain", "polydipsia", "low_water"})
_ELIMINATION = frozenset(
    {
        *("diarrhea", "bloody_stool", "constipation", "polyuria", "frequent_urination"),
        *("urinary_block", "hematuria", "inappropriate_urination"),
    }
)
_ACTIVITY = frozenset({"lethargy", "weakness_hind", "limping"})
_URGENT = frozenset({"urinary_block", "hematuria", "bloody_stool", "dyspnea", "seizure", "collapse"})
_TOPICS = {"appetite": "diet", "elimination": "elimination", "activity": "behavior", "symptom": "health"}
_WORDS = {"appetite": "吃喝", "elimination": "排泄", "activity": "精神活动", "symptom": "身体"}
_ADVICE: dict[Level, str] = {
    "urgent": "这类情况别等，尽快联系兽医",
    "soon": "一周里不止一次，约兽医看看；加重就马上去",
    "watch": "再观察，反复或加重就让兽医看看",
    "info": "",
}


def sign_insights(subject: Subject, facts: Sequence[Fact], today: date) -> list[Insight]:
    """One finding for each kind of sign seen lately and not denied since, and one for the temperature."""
    recent = [
        one for one in facts if one.kind == "observations" and one.on and 0 <= (today - one.on).days <= LATELY_DAYS
    ]
    found = [_sign(subject, group, rows, today) for group, rows in _grouped(recent).items()]
    return [one for one in (*found, _temperature(subject, recent)) if one is not None]


def group_of(code: str, name: str) -> tuple[str, str]:
    """Which kind of sign an observation is, and what it is: ("elimination", "diarrhea")."""
    sign = next((one.entity_id for one in find_entities(name) if one.kind == "symptom"), name)
    for group, signs in (("appetite", _APPETITE), ("elimination", _ELIMINATION), ("activity", _ACTIVITY)):
        if sign in signs or code == group:
            return group, sign
    return "symptom", sign


def _grouped(recent: Sequence[Fact]) -> Mapping[str, list[Fact]]:
    """Rows by group, newest first, without signs that the newest row of them denies."""
    by_sign: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for one in sorted(recent, key=lambda one: (one.on or date.min, one.id), reverse=True):
        if one.code not in ("temperature", "lab"):
            by_sign[group_of(one.code, one.name)].append(one)
    groups: dict[str, list[Fact]] = defaultdict(list)
    for (group, _), rows in by_sign.items():
        if not rows[0].negated:
            groups[group] += [row for row in rows if not row.negated]
    return groups


def _sign(subject: Subject, group: str, rows: Sequence[Fact], today: date) -> Insight | None:
    if not rows:
        return None
    newest = sorted(rows, key=lambda one: (one.on or date.min, one.id), reverse=True)
    told = "、".join(_told(newest)[:MOST_TOLD])
    level = _level(newest, today)
    text = f"{subject.name}最近{_WORDS[group]}有记录：{told}"
    return Insight(f"sign_{group}", level, _TOPICS[group], text, tuple(newest), _ADVICE[level])


def _told(newest: Sequence[Fact]) -> list[str]:
    """Each sign of each day once, with how often it was noted: 5月3日呕吐（记了2次）."""
    noted = Counter((one.on, one.name) for one in newest if one.on)
    return [
        f"{day_text(on)}{name}{f'（记了{times}次）' if times > 1 else ''}" for (on, name), times in noted.items() if on
    ]


def _level(rows: Sequence[Fact], today: date) -> Level:
    """Days count, not notes: what is told three times in one evening is one evening."""
    week = [one for one in rows if one.on and (today - one.on).days < OFTEN_DAYS]
    if any(group_of(one.code, one.name)[1] in _URGENT for one in week):
        return "urgent"
    return "soon" if len({one.on for one in week}) > 1 else "watch"


def _temperature(subject: Subject, recent: Sequence[Fact]) -> Insight | None:
    """The latest temperature, when it lies outside."""
    taken = [one for one in recent if one.code == "temperature" and one.value is not None]
    if not taken or subject.species not in FEVER:
        return None
    latest = max(taken, key=lambda one: (one.on or date.min, one.id))
    value = latest.value or 0.0
    if COLD < value < FEVER[subject.species] or latest.on is None:
        return None
    level: Level = "urgent" if value >= HIGH_FEVER or value <= COLD else "watch"
    advice = "24小时内让兽医看看" if level == "urgent" else "安静时再量一次"
    text = f"{subject.name}{day_text(latest.on)}体温{value:g}℃，{'偏低' if value <= COLD else '偏高'}"
    return Insight("temperature", level, "health", text, (latest,), advice, "temp_dog/temp_cat：MSD Vet Manual 2024")
