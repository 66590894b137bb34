"""What the owner reads when asked."""

from dataclasses import replace
from datetime import date

import pytest

from memory.confirmation_texts import (
    ANSWER_LABELS,
    MAX_QUOTE_CHARS,
    QuestionParts,
    Quoted,
    chat_question,
    consequences,
    pending_line,
    question_text,
    settled_text,
)
from memory.settlement import Answer
from memory.vocabulary import ConfirmationKind, Source

TODAY = date(2026, 5, 20)
CHANGE = QuestionParts(
    ConfirmationKind.CHANGE,
    new="芝士对虾不过敏",
    today=TODAY,
    old="芝士对虾过敏",
    old_since=date(2025, 3, 2),
    evidence=(
        Quoted("又吃了两只，没起疹子", date(2026, 5, 20)),
        Quoted("偷吃了一只虾，没事", date(2026, 4, 1)),
    ),
)
DANGER = QuestionParts(
    ConfirmationKind.NEW_DANGER, "芝士可能对虾过敏", TODAY, evidence=(Quoted("好像对虾过敏", date(2026, 5, 19)),)
)


def test_a_change_shows_what_is_known_what_was_said_when_and_what_holds_meanwhile() -> None:
    assert question_text(CHANGE) == (
        "现在记的是：芝士对虾过敏（2025年3月2日记下的）。\n"
        "你4月1日说：「偷吃了一只虾，没事」；你5月20日说：「又吃了两只，没起疹子」。\n"
        "要改成「芝士对虾不过敏」吗？\n"
        "在你回答之前，我仍按原来的来。"
    )


def test_a_new_danger_is_served_with_caution_until_it_is_answered() -> None:
    assert question_text(DANGER) == (
        "你5月19日说：「好像对虾过敏」。\n要正式记下「芝士可能对虾过敏」吗？\n在你回答之前，我先按有风险来提醒。"
    )
    assert pending_line(DANGER) == "待确认：芝士可能对虾过敏（确认前先按有风险对待）"


def test_in_chat_the_newest_evidence_is_enough() -> None:
    assert chat_question(CHANGE) == (
        "你5月20日说「又吃了两只，没起疹子」。现在记的是：芝士对虾过敏（2025年3月2日记下的）。要改成「芝士对虾不过敏」吗？"
    )
    assert chat_question(replace(DANGER, evidence=())) == "要正式记下「芝士可能对虾过敏」吗？"


def test_the_pending_line_names_what_still_holds() -> None:
    assert pending_line(CHANGE) == "待确认：有说法是「芝士对虾不过敏」，确认前仍以「芝士对虾过敏」为准"


@pytest.mark.parametrize(
    ("quoted", "speaker"),
    [
        (Quoted("x", TODAY), "你5月20日"),
        (Quoted("x", TODAY, Source.VET, True, "王医生"), "兽医王医生5月20日"),
        (Quoted("x", TODAY, Source.VET, False, "王医生"), "兽医王医生（身份未核实）5月20日"),
        (Quoted("x", TODAY, Source.VET), "兽医（身份未核实）5月20日"),
        (Quoted("x", TODAY, Source.IMPORT), "资料5月20日"),
    ],
)
def test_who_said_it_is_named(quoted: Quoted, speaker: str) -> None:
    assert f"{speaker}说：「x」。" in question_text(replace(CHANGE, evidence=(quoted,)))


def test_long_and_quoted_words_stay_one_line_inside_their_quotes() -> None:
    long = Quoted("他说「没事」\n" + "很" * 60, TODAY)
    line = question_text(replace(CHANGE, evidence=(long,))).split("\n")[1]
    assert line.startswith("你5月20日说：「他说『没事』 很")
    assert line.endswith("…」。")
    assert len(line) <= MAX_QUOTE_CHARS + len("你5月20日说：「」。")


def test_only_the_newest_three_are_quoted_and_the_rest_counted() -> None:
    many = tuple(Quoted(f"第{day}次", date(2026, 4, day)) for day in range(1, 6))
    line = question_text(replace(CHANGE, evidence=many)).split("\n")[1]
    assert "第3次" in line
    assert "第2次" not in line
    assert line.endswith("（另有2条）。")


@pytest.mark.parametrize("kind", list(ConfirmationKind))
def test_every_kind_has_a_question_three_answers_and_words_for_each(kind: ConfirmationKind) -> None:
    parts = replace(CHANGE, kind=kind)
    assert question_text(parts).count("吗？") == 1
    assert set(consequences(kind)) == set(Answer)
    assert all(text.startswith(ANSWER_LABELS[answer]) for answer, text in consequences(kind).items())


@pytest.mark.parametrize(
    ("parts", "answer", "expected"),
    [
        (CHANGE, Answer.ACCEPT, "已更新：芝士对虾不过敏。"),
        (CHANGE, Answer.KEEP, "好的，保持原样：芝士对虾过敏。"),
        (CHANGE, Answer.WATCH, "好的，先不下结论，我继续留意：芝士对虾不过敏。"),
        (DANGER, Answer.KEEP, "好的，已取消这条提醒：芝士可能对虾过敏。"),
    ],
)
def test_what_is_said_after_the_answer(parts: QuestionParts, answer: Answer, expected: str) -> None:
    assert settled_text(parts, answer) == expected
