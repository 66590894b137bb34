"""Findings over records: thresholds by species and age, the rows behind each, and no word of an illness."""

from datetime import date, timedelta

import pytest

from domain.insight_changes import insights
from domain.insights import Fact, Insight, Subject
from domain.knowledge.conditions import load_conditions

TODAY = date(2026, 11, 30)
CAT, OLD_CAT = Subject("咪咪", "cat", date(2022, 5, 1)), Subject("咪咪", "cat", date(2014, 5, 1))
DOG, PUPPY = Subject("豆豆", "dog", date(2021, 5, 1)), Subject("豆豆", "dog", date(2026, 8, 1))


def weight(kg: float, days_ago: int) -> Fact:
    return Fact("weights", f"w{days_ago}", TODAY - timedelta(days=days_ago), f"体重{kg}kg", kg=kg)


def sign(
    name: str,
    days_ago: int,
    code: str = "symptom",
    *,
    negated: bool = False,
    value: float | None = None,
    note: str = "",
) -> Fact:
    on = TODAY - timedelta(days=days_ago)
    return Fact("observations", f"o{name}{days_ago}{note}", on, name, code, name, value, negated=negated)


def codes(found: list[Insight]) -> list[tuple[str, str]]:
    return [(one.code, one.level) for one in found]


@pytest.mark.parametrize(
    ("subject", "weights", "expected"),
    [
        (CAT, [(4.6, 28), (4.3, 1)], [("weight_loss", "soon")]),  # 6.5% in a month
        (CAT, [(4.6, 28), (4.5, 1)], []),  # 2.2%: less than a scale and a full stomach
        (CAT, [(4.6, 28), (4.4, 1)], []),  # 4.3%
        (CAT, [(5.0, 150), (4.4, 1)], [("weight_loss", "urgent")]),  # 12% in half a year
        (CAT, [(4.6, 80), (4.3, 1)], []),  # 6.5% in 80 days, a young cat
        (OLD_CAT, [(4.6, 80), (4.3, 1)], [("weight_loss", "soon")]),  # the same, an old one
        (Subject("咪咪", "cat"), [(4.6, 80), (4.3, 1)], []),  # of unknown age
        (DOG, [(12.0, 3), (11.2, 1)], [("weight_loss", "urgent")]),  # 6.7% in two days
        (DOG, [(12.0, 28), (12.8, 1)], [("weight_gain", "watch")]),
        (PUPPY, [(5.0, 28), (6.5, 1)], []),  # it grows
        (PUPPY, [(5.0, 6), (4.7, 1)], [("weight_loss", "urgent")]),  # it must not shrink
        (DOG, [(12.0, 400), (11.9, 120)], [("weight_out_of_date", "info")]),
        (DOG, [(12.0, 1)], []),
        (DOG, [], []),
    ],
)
def test_a_weight_is_judged_by_species_age_and_time(
    subject: Subject, weights: list[tuple[float, int]], expected: list[tuple[str, str]]
) -> None:
    assert codes(insights(subject, [weight(*one) for one in weights], TODAY)) == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ([sign("不吃饭", 1)], [("sign_appetite", "watch")]),
        ([sign("不吃饭", 1), sign("吃得少", 4, "appetite")], [("sign_appetite", "soon")]),
        ([sign("拉稀", 2)], [("sign_elimination", "watch")]),
        ([sign("便血", 2)], [("sign_elimination", "urgent")]),
        ([sign("没精神", 2), sign("没精神", 3)], [("sign_activity", "soon")]),
        ([sign("呕吐", 5)], [("sign_symptom", "watch")]),
        ([sign("呕吐", 5), sign("呕吐", 1, negated=True)], []),
        ([sign("呕吐", 40)], []),
        ([sign("体温", 1, "temperature", value=39.8)], [("temperature", "watch")]),
        ([sign("体温", 1, "temperature", value=40.5)], [("temperature", "urgent")]),
        ([sign("体温", 1, "temperature", value=38.6)], []),
        ([sign("尿不出", 1)], [("sign_elimination", "urgent")]),
    ],
)
def test_signs_of_the_last_weeks_are_gathered(facts: list[Fact], expected: list[tuple[str, str]]) -> None:
    assert codes(insights(CAT, facts, TODAY)) == expected


def test_notes_of_one_day_are_counted_and_count_as_one_day() -> None:
    notes = [sign("呕吐", 1, note=note) for note in "abc"]
    (found,) = insights(CAT, notes, TODAY)
    assert (found.level, found.text) == ("watch", "咪咪最近身体有记录：11月29日呕吐（记了3次）")
    assert len(found.rows) == 3
    (often,) = insights(CAT, [*notes, sign("呕吐", 4)], TODAY)
    assert (often.level, often.text) == ("soon", "咪咪最近身体有记录：11月29日呕吐（记了3次）、11月26日呕吐")
    (over,) = insights(CAT, [sign("腹泻", 1), *notes, sign("呕吐", 1, negated=True, note="d")], TODAY)
    assert over.code == "sign_elimination"


def test_a_change_is_told_beside_the_sign_and_called_no_cause() -> None:
    food = Fact("diets", "d1", TODAY - timedelta(days=6), "吃渴望", name="渴望六种鱼")
    drug = Fact(
        "medications", "m1", TODAY - timedelta(days=60), "用速诺", name="速诺", ended_on=TODAY - timedelta(days=3)
    )
    found = insights(CAT, [sign("不吃饭", 1), food, drug], TODAY)
    assert codes(found) == [("sign_appetite", "watch"), ("change_diets", "info"), ("change_medications", "info")]
    assert found[1].text == "咪咪这段时间有变化（换吃的）：11月24日渴望六种鱼"
    assert found[2].text == "咪咪这段时间有变化（用药）：11月27日停了速诺"
    assert "不等于就是原因" in found[1].advice
    assert [[row.id for row in one.rows] for one in found] == [["o不吃饭1"], ["d1"], ["m1"]]


def test_no_finding_names_an_illness() -> None:
    facts = [weight(5.0, 150), weight(4.2, 1), sign("不吃饭", 1), sign("喝水变多", 2), sign("尿频", 3), sign("呕吐", 4)]
    told = "".join(one.text + one.advice for one in insights(OLD_CAT, facts, TODAY))
    names = [
        name for condition in load_conditions().conditions.values() for name in (condition.name_zh, *condition.aliases)
    ]
    assert [name for name in names if name in told] == []


def test_every_finding_rests_on_rows() -> None:
    facts = [weight(5.0, 150), weight(4.2, 1), sign("不吃饭", 1), sign("体温", 1, "temperature", value=41.0)]
    assert all(one.rows for one in insights(CAT, facts, TODAY))
