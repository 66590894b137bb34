"""Recall on our own questions, by the code of a chat turn over a throw-away database: bars, with head-room for luck."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.evaluation.cases import read_recall_cases
from app.evaluation.recall_suite import predict_recall, predict_recall_with
from app.evaluation.scoring import ScoreReport, score

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


async def test_without_an_embedder_words_alone_still_answer_most() -> None:
    report = score("recall", gold(), await predict_recall_with(None, read_recall_cases(OWN)))
    assert ratio(report, "recall@5") >= 0.64
    assert ratio(report, "questions with an allergy or medication leak") <= 0.03
