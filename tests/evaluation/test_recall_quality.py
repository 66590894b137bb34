"""Recall on our own questions, by the code of a chat turn over a throw-away database: bars, with head-room for luck."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.evaluation.cases import read_recall_cases
from app.evaluation.recall_suite import predict_recall, predict_recall_with
from app.evaluation.scoring import ScoreReport, score

SMALL_TALK = (
    *(
        "你好",
        "哈哈哈",
        "谢谢你",
        "晚安",
        "今天股票怎么样",
        "帮我写首诗",
        "一加一等于几",
        "推荐一部电影",
        "怎么做红烧肉",
    ),
    *("世界杯谁赢了", "把这段话翻成英文", "房贷利率多少", "明天下雨吗", "讲个笑话", "怎么学钢琴", "快递到哪了"),
)
OWN = Path(__file__).parent / "recall_own.jsonl"


def gold() -> list[dict[str, Any]]:
    return [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]


def ratio(report: ScoreReport, name: str) -> float:
    value = report[name].value
    assert value is not None
    return value


@pytest.mark.timeout(300)
async def test_questions_bring_back_what_answers_them_and_nothing_of_another_pet() -> None:
    report = score("recall", gold(), await predict_recall(read_recall_cases(OWN)))
    assert ratio(report, "recall@5") >= 0.92
    assert ratio(report, "injection precision") >= 0.50
    assert ratio(report, "pet resolution, no pet name in the question") >= 0.90
    assert ratio(report, "questions with an allergy or medication leak") <= 0.02
    assert ratio(report, "questions with a leak") <= 0.05


@pytest.mark.timeout(300)
async def test_small_talk_and_nonsense_bring_back_next_to_nothing() -> None:
    cases = [replace(case, questions=SMALL_TALK) for case in read_recall_cases(OWN)[:4]]
    predictions = await predict_recall(cases)
    told = [bool(answer["injected"]) for prediction in predictions for answer in prediction["questions"]]
    assert sum(told) <= 0.2 * len(told)


async def test_without_an_embedder_words_alone_still_answer_most() -> None:
    report = score("recall", gold(), await predict_recall_with(None, read_recall_cases(OWN)))
    assert ratio(report, "recall@5") >= 0.64
    assert ratio(report, "questions with an allergy or medication leak") <= 0.03
