"""What changed lately, told beside the signs: food, medicine, vaccines. Near in time is no cause. Pure."""

from collections.abc import Sequence
from datetime import date

from domain.insight_signs import sign_insights
from domain.insight_weights import weight_insights
from domain.insights import RANK, Fact, Insight, Subject, day_text

CHANGED_DAYS = 30  # how far back a change is still told
NO_CAUSE = "时间上挨得近，不等于就是原因"

_WORDS = {"diets": "换吃的", "medications": "用药", "vaccinations": "疫苗", "dewormings": "驱虫"}
_TOPICS = {"diets": "diet", "medications": "medical", "vaccinations": "prevention", "dewormings": "prevention"}


def insights(subject: Subject, facts: Sequence[Fact], today: date) -> list[Insight]:
    """All findings, the most pressing first. What changed is told only beside something that was seen."""
    seen = [*weight_insights(subject, facts, today), *sign_insights(subject, facts, today)]
    changed = change_insights(subject, facts, today)
    if not any(one.level != "info" for one in seen):
        changed = [Insight(one.code, one.level, one.topic, one.text, one.rows) for one in changed]
    return sorted([*seen, *changed], key=lambda one: RANK[one.level])


def change_insights(subject: Subject, facts: Sequence[Fact], today: date) -> list[Insight]:
    """One finding for each kind of change of the last weeks."""
    found = []
    for kind, word in _WORDS.items():
        rows = [one for one in facts if one.kind == kind and _days(one, today)]
        if rows:
            rows.sort(key=lambda one: (_days(one, today) or today, one.id), reverse=True)
            told = "、".join(_told(one, today) for one in rows[:3])
            text = f"{subject.name}这段时间有变化（{word}）：{told}"
            found.append(Insight(f"change_{kind}", "info", _TOPICS[kind], text, tuple(rows), NO_CAUSE))
    return found


def _days(fact: Fact, today: date) -> date | None:
    """The latest day within reach on which it began, was given or ended."""
    days = [on for on in (fact.on, fact.ended_on) if on is not None and 0 <= (today - on).days <= CHANGED_DAYS]
    return max(days, default=None)


def _told(fact: Fact, today: date) -> str:
    on = _days(fact, today)
    ended = fact.ended_on is not None and on == fact.ended_on and fact.on != fact.ended_on
    return f"{day_text(on)}{'停了' if ended else ''}{fact.name}" if on else fact.name
