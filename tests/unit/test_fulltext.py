"""The tokenizer and the BM25 arithmetic."""

import math
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.fulltext import bm25_scores, corpus_stats, doc_tokens, token_text, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("吐了", ["吐", "了", "吐了"]),
        ("猫", ["猫"]),
        ("4.2公斤", ["4点2", "公", "斤", "公斤"]),
        ("S100益生菌", ["s100", "100", "益", "生", "菌", "益生", "生菌"]),
        ("驅蟲", ["驱", "虫", "驱虫"]),
        ("ＭＤＲ１", ["mdr1", "mdr", "1"]),
        ("100ml", ["100ml", "100", "ml"]),
        ("Café", ["cafe"]),
        ("，。！？ \n", []),
        ("", []),
        ("😀", []),
    ],
)
def test_a_text_becomes_characters_pairs_and_whole_words(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


def test_pairs_never_cross_punctuation() -> None:
    assert "吐今" not in tokenize("吐，今")


@given(st.text())
def test_every_token_is_letters_and_digits_so_both_databases_store_it_whole(text: str) -> None:
    assert all(token.isalnum() for token in tokenize(text))


@pytest.mark.parametrize("word", ["尿闭", "猫", "4.2", "s100", "驱虫", "café"])
def test_sqlite_finds_each_token_that_was_stored(word: str) -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE lines USING fts5(tokens, tokenize='unicode61')")
    line = "猫尿闭导尿，體重4.2公斤，每天S100益生菌，体内驱虫，主人爱去 Café"
    database.execute("INSERT INTO lines VALUES (?)", (token_text(line),))
    asked = tokenize(word)[-1] if len(word) > 1 else tokenize(word)[0]
    assert database.execute("SELECT count(*) FROM lines WHERE lines MATCH ?", (f'"{asked}"',)).fetchone() == (1,)
    database.close()


def test_bm25_follows_the_published_formula() -> None:
    docs = [doc_tokens("a", ["x", "y"]), doc_tokens("b", ["x", "x", "z", "w"])]
    stats = corpus_stats(docs, document_count=10)
    scores = bm25_scores(["x", "q"], docs, stats)
    idf = math.log(1 + (10 - 2 + 0.5) / (2 + 0.5))
    assert scores["a"] == pytest.approx(idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 3)))
    assert scores["b"] == pytest.approx(idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / 3)))


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    docs = [doc_tokens(str(n), ["common"] + (["rare"] if n == 0 else ["other"])) for n in range(5)]
    scores = bm25_scores(["common", "rare"], docs, corpus_stats(docs))
    assert max(scores, key=lambda key: scores[key]) == "0"


def test_a_synonym_weighs_less_than_the_word_that_was_asked() -> None:
    docs = [doc_tokens("asked", ["绝育"]), doc_tokens("synonym", ["手术"])]
    scores = bm25_scores({"绝育": 1.0, "手术": 0.5}, docs, corpus_stats(docs))
    assert scores["synonym"] == pytest.approx(scores["asked"] / 2)


def test_nothing_shared_is_no_score() -> None:
    docs = [doc_tokens("a", ["x"])]
    assert bm25_scores(["y"], docs, corpus_stats(docs)) == {}
    assert bm25_scores(["y"], [], corpus_stats([])) == {}
