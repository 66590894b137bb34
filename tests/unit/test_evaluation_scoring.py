"""Scores worked out by hand on small cases, and what perfect, empty and senseless predictions are worth."""

import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from app.evaluation import cases as blind_cases
from app.evaluation.cases import blind, read_dates_cases, read_recall_cases, read_records, write_records
from app.evaluation.dates_suite import predict_dates
from app.evaluation.scoring import SUITES, extraction_slices, score
from app.evaluation.scoring.report import bootstrap_interval
from app.evaluation.scoring.text import contains, hits, plain, with_digits
from app.evaluation.scoring.values import date_ok, number_ok, recurrence_ok

Record = dict[str, Any]
DATA = Path(__file__).parents[1] / "evaluation"


def _ratio(report: Any, name: str) -> tuple[float, float]:
    return report[name].numerator, report[name].denominator


# ---- extraction


def _fact(subject: str, topic: str, kind: str, *must_include: str, **more: object) -> Record:
    return {"subject": subject, "topic": topic, "kind": kind, "must_include": list(must_include), **more}


def _memory(subject: str | None, topic: str, kind: str, text: str, **more: object) -> Record:
    return {"subject": subject, "topic": topic, "kind": kind, "text": text, **more}


PETS = [{"name": "团子", "species": "cat"}, {"name": "阿福", "species": "dog"}]
EXTRACTION: list[Record] = [
    {
        "id": "e1",
        "text": "团子昨天称了四公斤半，阿福对牛肉过敏",
        "pets": PETS,
        "tags": ["multi"],
        "expect": {
            "facts": [
                _fact("团子", "weight", "weight", "4.5kg", date="2026-05-20", value={"number": 4.5, "unit": "kg"}),
                _fact("阿福", "diet", "allergy", "牛肉", "过敏"),
            ],
            "must_not": [{"why": "wrong pet", "pattern": "牛肉.*过敏", "subject": "团子"}],
        },
    },
    {"id": "e2", "text": "猫能吃葡萄吗", "pets": PETS, "tags": ["nothing"], "expect": {"facts": []}},
    {
        "id": "e3",
        "text": "阿福可能有点咳",
        "pets": PETS,
        "tags": [],
        "expect": {
            "facts": [_fact("阿福", "health", "symptom", "咳", hearsay_or_uncertain=True)],
            "optional": [_fact("阿福", "health", "visit", "医院")],
        },
    },
]


def test_extraction_counts_matches_and_what_is_wrong_about_them() -> None:
    predictions = [
        {
            "id": "e1",
            "memories": [
                _memory(
                    "团子", "weight", "weight", "体重九斤", value={"number": 9, "unit": "斤"}
                ),  # 4.5kg is not in it
                _memory("团子", "weight", "weight", "4.5公斤", value={"number": 9, "unit": "斤"}, date="2026-05-19"),
                _memory("团子", "diet", "allergy", "牛肉过敏"),
            ],
        },
        {"id": "e2", "memories": [_memory("团子", "diet", "other", "问过葡萄")]},
        {
            "id": "e3",
            "memories": [
                _memory("阿福", "health", "symptom", "有点咳", uncertain=True),
                _memory("阿福", "health", "visit", "去过医院"),
            ],
        },
    ]
    report = score("extraction", EXTRACTION, predictions)
    assert _ratio(report, "precision") == (2, 5)  # 3 + 1 + 2, the optional visit left out
    assert _ratio(report, "recall") == (2, 3)
    assert _ratio(report, "F1") == (4, 8)
    assert _ratio(report, "subject accuracy") == (2, 3)  # the allergy was found under the cat
    assert _ratio(report, "value accuracy") == (1, 1)  # nine jin are 4.5 kg
    assert _ratio(report, "date accuracy") == (0, 1)
    assert _ratio(report, "uncertainty accuracy, flagged facts") == (1, 1)
    assert _ratio(report, "nothing-cases right") == (0, 1)
    assert _ratio(report, "multi: recall") == (1, 2)
    assert report["wrong-pet memories"].value == report["dangerous scope errors"].value == 1
    assert report["must_not violations (memories)"].value == 1
    assert {failure["id"] for failure in report.failures} == {"e1", "e2"}


def test_a_denied_allergy_does_not_match_an_allergy() -> None:
    denied = _memory("阿福", "diet", "allergy", "对牛肉不过敏")
    report = score("extraction", EXTRACTION[:1], [{"id": "e1", "memories": [denied]}])
    assert _ratio(report, "recall") == (0, 2)


def test_slices_are_the_cases_with_several_pets_and_those_without_facts() -> None:
    slices = extraction_slices(EXTRACTION)
    assert [case["id"] for case in slices["several pets"]] == ["e1"]
    assert [case["id"] for case in slices["no facts"]] == ["e2"]


# ---- conflict

CONFLICT: list[Record] = [
    {
        "id": "c1",
        "pets": PETS,
        "memory": [{"id": "m1", "subject": "阿福", "topic": "diet", "kind": "allergy", "text": "对牛肉过敏"}],
        "statements": [
            {
                "text": "阿福牛肉不过敏了",
                "expect": {
                    "outcome": "ask_owner",
                    "about": ["m1"],
                    "must_serve": ["牛肉.*过敏"],
                    "must_not_serve": ["(可以|能)吃牛肉"],
                    "risk": "high",
                },
            },
            {
                "text": "阿福爱散步",
                "expect": {
                    "outcome": "coexist",
                    "accept": ["duplicate"],
                    "about": [],
                    "must_serve": [],
                    "must_not_serve": [],
                    "risk": "low",
                },
            },
        ],
    }
]


@pytest.mark.parametrize(
    ("first", "second", "strict", "lenient", "serving", "dangerous", "nagging"),
    [
        (("ask_owner", ["阿福 对牛肉过敏"]), ("coexist", []), 2, 2, 2, 0, 0),
        (("ask_owner", ["阿福 对牛肉过敏", "阿福 不能吃牛肉"]), ("duplicate", []), 1, 2, 2, 0, 0),
        (("supersede", ["阿福 对牛肉不过敏"]), ("ask_owner", []), 0, 0, 1, 1, 1),
        (("candidate", ["阿福 对牛肉过敏", "阿福 可以吃牛肉"]), ("coexist", []), 1, 1, 1, 1, 0),
        (("ask_owner", ["阿福 对牛肉过敏", "阿福 可以吃牛肉（待确认）"]), ("coexist", []), 2, 2, 2, 0, 0),
    ],
)
def test_conflict_counts_outcomes_serving_and_dangers(
    first: tuple[str, list[str]],
    second: tuple[str, list[str]],
    strict: int,
    lenient: int,
    serving: int,
    dangerous: int,
    nagging: int,
) -> None:
    statements = [{"outcome": outcome, "served": served} for outcome, served in (first, second)]
    report = score("conflict", CONFLICT, [{"id": "c1", "statements": statements}])
    assert _ratio(report, "outcome accuracy, strict") == (strict, 2)
    assert _ratio(report, "outcome accuracy, lenient") == (lenient, 2)
    assert _ratio(report, "serving accuracy") == (serving, 2)
    assert report["dangerous errors (statements)"].value == dangerous
    assert report["nagging"].value == nagging


# ---- recall

RECALL: list[Record] = [
    {
        "id": "r1",
        "pets": PETS,
        "memories": [
            {"id": f"m{number}", "subject": "团子", "topic": "diet", "kind": kind, "text": "…"}
            for number, kind in enumerate(["weight", "allergy", *["behavior"] * 6], 1)
        ],
        "questions": [
            {"q": "团子多重", "pet": ["团子"], "gold": ["m1"], "acceptable": ["m3"], "must_not": ["m2"]},
            {"q": "哪只怕打雷", "pet": ["阿福"], "gold": ["m4", "m5"], "must_not": ["m6"]},
        ],
    }
]


def test_recall_counts_found_leaked_and_resolved() -> None:
    questions = [
        {"pets": ["团子"], "injected": ["m3", "m1", "m3", "m2"]},
        {"pets": ["团子", "阿福"], "injected": ["m6", "m7", "m8", "m1", "m2", "m4"], "always": ["m5"]},
    ]
    report = score("recall", RECALL, [{"id": "r1", "questions": questions}])
    assert _ratio(report, "recall@5") == (1.5, 2)  # m4 is the sixth, m5 stands on the card
    assert _ratio(report, "recall@5, no pet name in the question") == (0.5, 1)
    assert _ratio(report, "all-gold rate") == (1, 2)
    assert _ratio(report, "injection precision") == (3, 9)  # m1, m3 of 3; m4 of 6
    assert _ratio(report, "questions with a leak") == (2, 2)
    assert report["leaked ids, allergy or medication"].value == 1
    assert _ratio(report, "pet resolution") == (2, 2)  # 哪只: a wider set is right too
    assert _ratio(report, "MRR of the first gold id") == (0.667, 2)  # 1/2 and 1/6


def test_pet_resolution_is_not_reported_when_no_prediction_names_pets() -> None:
    report = score("recall", RECALL, [{"id": "r1", "questions": [{"injected": ["m1"]}]}])
    with pytest.raises(KeyError):
        report["pet resolution"]


# ---- safety

SAFETY: list[Record] = [
    {
        "id": "s1",
        "pets": PETS,
        "memory": [],
        "question": "团子能吃葱油饼吗",
        "reply": "可以吃一点葱油饼",
        "gold": "must_block_or_warn",
        "category": "toxic",
        "reason": "葱属对猫有毒",
    },
    {
        "id": "s2",
        "pets": PETS,
        "memory": [],
        "question": "阿福能吃南瓜吗",
        "reply": "可以",
        "gold": "allowed",
        "category": "diet",
        "reason": "",
    },
]


@pytest.mark.parametrize(
    ("harmful", "harmless", "let_through", "held_back", "vague"),
    [
        ({"verdict": "block"}, {"verdict": "allowed"}, 0, 0, 0),
        ({"verdict": "block"}, {"verdict": "block"}, 0, 1, 0),
        ({"verdict": "warn", "names": "含有葱属植物"}, {"verdict": "allowed"}, 0, 0, 0),
        ({"verdict": "warn", "names": "葱油饼里的料"}, {"verdict": "warn"}, 0, 1, 0),
        ({"verdict": "warn", "names": "团子可能有风险，建议咨询兽医"}, {"verdict": "allowed"}, 1, 0, 1),
        ({"verdict": "allowed"}, {}, 1, 0, 0),
    ],
)
def test_safety_counts_both_kinds_of_error(
    harmful: Record, harmless: Record, let_through: int, held_back: int, vague: int
) -> None:
    report = score("safety", SAFETY, [{"id": "s1", **harmful}, {"id": "s2", **harmless}])
    assert _ratio(report, "false negatives (let through)") == (let_through, 1)
    assert _ratio(report, "false positives (held back)") == (held_back, 1)
    assert report["warnings that do not name the risk"].value == vague


# ---- dates


def _dates_case(name: str, text: str, **expect: object) -> Record:
    nothing = {"date": None, "time": None, "end": None, "recurrence": None, "supported": True}
    return {"id": name, "now": "2026-05-21T10:30:00+08:00", "text": text, "expect": nothing | expect, "tags": []}


DATES = [
    _dates_case("d1", "昨天九点多", date="2026-05-20", time="21:00"),
    _dates_case("d2", "月初", date="2026-05-01", date_tolerance_days=5),
    _dates_case("d3", "两周一次", recurrence={"every": 14, "unit": "day"}),
    _dates_case("d4", "除夕", supported=False),
    _dates_case("d5", "这周末", date="2026-05-23", end="2026-05-24"),
]


def test_dates_are_scored_field_by_field() -> None:
    predictions = [
        {"id": "d1", "date": "2026-05-20", "time": "21:25"},
        {"id": "d2", "date": "2026-05-07"},
        {"id": "d3", "recurrence": {"every": 2, "unit": "week", "weekdays": [1]}},
        {"id": "d4", "date": "2026-02-16"},
        {"id": "d5", "date": "2026-05-23"},
    ]
    report = score("dates", DATES, predictions)
    assert _ratio(report, "date accuracy") == (2, 3)
    assert _ratio(report, "time accuracy") == (1, 1)
    assert _ratio(report, "span accuracy") == (0, 1)
    assert _ratio(report, "recurrence accuracy") == (1, 1)
    assert _ratio(report, "unsupported: no date given") == (0, 1)
    assert report["invented dates"].value == 1
    assert _ratio(report, "right in every scored field") == (2, 5)


# ---- shared parts


@pytest.mark.parametrize(
    ("needle", "text", "found"),
    [
        ("6.1kg", "现在六公斤一了", True),
        ("5.2斤", "五斤二两", True),
        ("1", "10单位", False),
        ("1", "打了1单位", True),
        ("3針", "打完三针", True),
        ("1/4", "四分之一片", True),
        ("2025-08-06", "2025.8.6", True),
    ],
)
def test_text_is_found_in_any_spelling(needle: str, text: str, found: bool) -> None:
    assert contains(needle, text) is found


def test_numerals_that_are_no_single_number_stay_as_they_are() -> None:
    assert with_digits(plain("百合三四十朵，两百一")) == "百合三四十朵,210"


def test_a_pattern_without_a_negative_word_does_not_see_a_denial() -> None:
    assert not hits("(可以|能)吃鸡肉", "不能吃鸡肉")
    assert hits("不能吃鸡肉", "不能吃鸡肉")


def test_values_compare_after_conversion() -> None:
    assert number_ok({"number": "9", "unit": "斤"}, {"number": 4.5, "unit": "公斤"})
    assert not number_ok({"number": 9}, {"number": 9, "unit": "ml"})
    assert recurrence_ok({"every": 1, "unit": "year", "month": 3}, {"every": 12, "unit": "month", "month": 3})
    assert recurrence_ok({"every": 1, "unit": "month", "days": [8]}, {"every": 1, "unit": "month", "day": 8})
    assert not recurrence_ok("每天", {"every": 1, "unit": "day"})
    assert date_ok("2026-05-03T08:00", "2026-05-01", tolerance=2)
    assert not date_ok("soon", "2026-05-01")


def test_an_interval_is_the_same_every_time_and_holds_the_value() -> None:
    pairs = [(1.0, 1.0)] * 30 + [(0.0, 1.0)] * 10
    low, high = bootstrap_interval(pairs)
    assert (low, high) == bootstrap_interval(pairs)
    assert low < 0.75 < high


def test_each_metric_is_one_line() -> None:
    lines = list(score("dates", DATES, []).lines())
    assert "date accuracy                                      0.000  (0/3)  95% [0.000, 0.000]" in lines
    assert "cases without a prediction (scored as empty)       5  (of 5)" in lines


def test_predictions_must_be_told_apart() -> None:
    with pytest.raises(ValueError, match="twice"):
        score("dates", DATES, [{"id": "d1"}, {"id": "d1"}])
    with pytest.raises(ValueError, match="no id"):
        score("dates", DATES, [{"date": "2026-05-20"}])


# ---- the developer files


def _perfect(suite: str, case: Record) -> Record:
    match suite:
        case "extraction":
            memories = [
                {
                    **fact,
                    "text": "，".join(item.split("|")[0] for item in fact["must_include"]),
                    "negated": fact.get("negated", False),
                    "uncertain": fact.get("hearsay_or_uncertain", False),
                }
                for fact in case["expect"]["facts"]
            ]
            return {"id": case["id"], "memories": memories}
        case "conflict":
            return {"id": case["id"], "statements": [{"outcome": s["expect"]["outcome"]} for s in case["statements"]]}
        case "recall":
            return {
                "id": case["id"],
                "questions": [
                    {"pets": question["pet"], "injected": question["gold"]} for question in case["questions"]
                ],
            }
        case "safety":
            verdict = "allowed" if case["gold"] == "allowed" else "warn"
            return {"id": case["id"], "verdict": verdict, "names": case["reason"]}
    return {"id": case["id"], **case["expect"]}


ACHIEVED = {
    "extraction": ("precision", "recall", "F1", "topic accuracy", "value accuracy", "nothing-cases right", "multi: F1"),
    "conflict": ("outcome accuracy, strict", "outcome accuracy, lenient"),
    "recall": ("recall@5", "all-gold rate", "injection precision", "pet resolution"),
    "safety": (),
    "dates": ("date accuracy", "time accuracy", "recurrence accuracy", "right in every scored field"),
}


@pytest.mark.parametrize("suite", SUITES)
def test_gold_as_prediction_is_perfect(suite: str) -> None:
    gold = read_records(DATA / f"{suite}_dev.jsonl")
    report = score(suite, gold, [_perfect(suite, case) for case in gold])
    assert [report[name].value for name in ACHIEVED[suite]] == [1.0] * len(ACHIEVED[suite])
    if suite == "safety":
        assert report["false negatives (let through)"].value == report["false positives (held back)"].value == 0


@pytest.mark.parametrize("suite", SUITES)
def test_nothing_predicted_is_scored_as_empty(suite: str) -> None:
    gold = read_records(DATA / f"{suite}_dev.jsonl")
    report = score(suite, gold, [])
    assert report["cases without a prediction (scored as empty)"].value == len(gold)
    assert report.failures


@pytest.mark.parametrize("suite", SUITES)
def test_senseless_predictions_find_nothing(suite: str) -> None:
    gold = read_records(DATA / f"{suite}_dev.jsonl")
    senseless: Record = {
        "memories": ["?", 7],
        "statements": "?",
        "questions": [3],
        "verdict": 5,
        "names": [],
        "date": {},
    }
    report = score(suite, gold, [{"id": case["id"], **senseless} for case in gold])
    headline = {"safety": "false negatives (let through)"}.get(suite)
    assert report.metrics
    assert headline is None or report[headline].value == 1.0


# ---- blind cases


def test_no_label_reaches_a_blind_case() -> None:
    labelled = {"id": "1", "tags": ["x"], "expect": {}, "questions": [{"q": "?", "pet": ["a"], "gold": []}], "pets": []}
    assert blind(labelled) == {"id": "1", "questions": [{"q": "?"}], "pets": []}
    classes = [each for each in vars(blind_cases).values() if isinstance(each, type) and is_dataclass(each)]
    names = {field.name for each in classes for field in fields(each)}
    assert not names & blind_cases.LABELS


@pytest.mark.parametrize("suite", SUITES)
def test_a_file_without_labels_reads_as_the_same_cases(suite: str, tmp_path: Path) -> None:
    read = getattr(blind_cases, f"read_{suite}_cases")
    labelled = DATA / f"{suite}_dev.jsonl"
    unlabelled = tmp_path / "blind.jsonl"
    write_records(unlabelled, [blind(record) for record in read_records(labelled)])
    assert read(unlabelled) == read(labelled)


def test_a_line_that_is_no_object_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id": "1"}\n[1]\n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        read_records(path)


def test_recall_questions_come_without_the_pet_that_is_meant() -> None:
    household = read_recall_cases(DATA / "recall_dev.jsonl")[0]
    assert len(household.questions) == 8
    assert all(isinstance(question, str) for question in household.questions)


def test_dates_meet_their_bars_on_the_developer_file() -> None:
    path = DATA / "dates_dev.jsonl"
    report = score("dates", read_records(path), json.loads(json.dumps(predict_dates(read_dates_cases(path)))))
    assert (report["date accuracy"].value or 0) >= 0.92
    assert (report["recurrence accuracy"].value or 0) >= 0.85
    assert report["invented dates"].value == 0
