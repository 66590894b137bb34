"""A model's stream as sentences: cut at once, without marks, in simplified Chinese."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.adapters.answer_text import LONGEST_SENTENCE, Sentence, SentenceCutter, is_other_language, is_refusal


def cut(text: str, piece: int = 3) -> list[Sentence]:
    cutter = SentenceCutter()
    found = [one for start in range(0, len(text), piece) for one in cutter.add(text[start : start + piece])]
    rest = cutter.rest()
    return [*found, rest] if rest else found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("多喝水。再看看！", ["多喝水。", "再看看！"]),
        ("体重12.3公斤，正常。", ["体重12.3公斤，正常。"]),
        ("没有句号", ["没有句号"]),
        ("一、少食多餐\n二、多喝水", ["一、少食多餐\n", "二、多喝水"]),
        ("**注意**：别喂葡萄。", ["注意：别喂葡萄。"]),
        ("<think>想一想。\n再想</think>多喝水。", ["多喝水。"]),
        ("先说。<think>想</think>再说。", ["先说。", "再说。"]),
        ("<think>想不完", []),
        ("小于号<不是标签。", ["小于号<不是标签。"]),
        ("<|im_start|>多喝水。<|im_end|>", ["多喝水。"]),
        ("「多喝水」。", ["“多喝水”。"]),
        ("觀察兩天。", ["观察两天。"]),
    ],
)
@pytest.mark.parametrize("piece", [1, 3, 50])
def test_a_stream_is_cut_into_clean_sentences(text: str, told: list[str], piece: int) -> None:
    assert [one.text for one in cut(text, piece)] == told


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("对鸡肉过敏[m1]。", [("m1",)]),
        ("对鸡肉过敏【m1，m12】。", [("m1", "m12")]),
        ("对鸡肉过敏（m1）。", [("m1",)]),
        ("对鸡肉过敏[M1][m1]。", [("m1",)]),
        ("对鸡肉过敏。[m1]别喂。", [(), ("m1",)]),
        ("对鸡肉过敏。[m1]", [(), ("m1",)]),
        ("M1芯片很快。", [()]),
        ("别喂[m", [()]),
    ],
)
def test_citations_are_taken_out_and_kept(text: str, cited: list[tuple[str, ...]]) -> None:
    found = cut(text, 1)
    assert [one.cited for one in found] == cited
    assert not any(re.search(r"\[m|[\[【（]m\d", one.text, re.IGNORECASE) for one in found)


def test_the_first_sentence_comes_with_its_full_stop() -> None:
    cutter = SentenceCutter()
    assert cutter.add("多喝水") == []
    assert cutter.add("。") == [Sentence("多喝水。")]


def test_a_sentence_without_end_is_cut_at_a_comma() -> None:
    told = cut("每天都要记得给它换水，" * 60)
    assert len(told) > 3
    assert all(len(one.text) <= LONGEST_SENTENCE + 1 for one in told)


@given(st.text(alphabet="豆水m1[]【】,。<think>/|*「」 \n", max_size=60), st.integers(1, 7))
@example("<|>1", 1)
@example("<<|>|>豆", 2)
def test_no_mark_of_ours_ever_reaches_the_owner(text: str, piece: int) -> None:
    for one in cut(text, piece):
        assert not re.search(r"[\[【]\s*m\d+\s*[\]】]", one.text)
        assert "「" not in one.text
        assert "<|" not in one.text or "|>" not in one.text


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("多喝水就好。", False),
        ("皇家 Royal Canin Gastrointestinal 处方粮可以。", False),
        ("12.3kg", False),
        ("Please see a veterinarian today.", True),
        ("わんちゃんのごはんです。", True),
        ("Bitte gehen Sie zum Tierarzt。", True),
    ],
)
def test_another_language_is_noticed(text: str, other: bool) -> None:
    assert is_other_language(text) is other


@pytest.mark.parametrize(
    ("text", "refuses"),
    [
        ("抱歉，我无法回答这个问题。", True),
        ("作为一个AI，我不能提供医疗建议。", True),
        ("很抱歉，它不能吃葡萄。", False),
        ("抱歉，档案里没有记录。", False),
    ],
)
def test_a_refusal_in_words_is_noticed(text: str, refuses: bool) -> None:
    assert is_refusal(text) is refuses
