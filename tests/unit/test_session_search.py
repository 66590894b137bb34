"""What a query looks for, and which place of a message is shown."""

import pytest

from memory.session_search import (
    MAX_FOUND,
    Found,
    Part,
    _full_matches,
    _loose_matches,
    phrases_of,
    snippet_of,
    spans_of,
)


@pytest.mark.parametrize(
    ("words", "phrases"),
    [
        ("疫苗", ["疫苗"]),
        (" 豆豆  疫苗！", ["豆豆", "疫苗"]),
        ("S100益生菌", ["s100", "益生菌"]),
        ("IRIS 2期", ["iris", "2", "期"]),
        ("4.2kg", ["4.2", "kg"]),
        ("體重", ["体重"]),
        ("ＡＢＣ１２", ["abc12"]),
        ("疫苗 疫苗", ["疫苗"]),
        ("！？…", []),
        ("", []),
    ],
)
def test_a_query_is_cut_into_runs(words: str, phrases: list[str]) -> None:
    assert phrases_of(words) == phrases


def test_spans_are_places_in_the_owners_own_text() -> None:
    message = "體重4.2KG，体重正常"
    assert [message[start:end] for start, end in spans_of(message, ["体重", "4.2kg"])] == ["體重4.2KG", "体重"]


def test_overlapping_words_are_marked_once() -> None:
    assert spans_of("打疫苗了", ["打疫", "疫苗"]) == ((0, 3),)


def test_a_long_message_is_cut_around_the_first_match() -> None:
    message = "前" * 50 + "疫苗" + "后" * 200
    parts = snippet_of(message, ["疫苗"])
    assert (parts[0], parts[-1]) == (Part("…", False), Part("…", False))
    assert Part("疫苗", True) in parts
    assert len("".join(part.text for part in parts)) == 102


def test_a_snippet_is_the_message_when_it_is_short() -> None:
    assert snippet_of("豆豆打了疫苗", ["疫苗"]) == [Part("豆豆打了", False), Part("疫苗", True)]
    assert snippet_of("豆豆", ["疫苗"]) == [Part("豆豆", False)]


def test_words_in_a_row_come_before_words_apart_and_the_newer_of_two_alike_first() -> None:
    newest_first = [Found("3", "益生菌用的是S100"), Found("2", "买了S100益生菌"), Found("1", "吃了S100益生菌")]
    assert [one.id for one in _full_matches(newest_first, ["s100", "益生菌"])] == ["2", "1", "3"]


def test_what_only_shares_characters_is_no_full_match() -> None:
    assert _full_matches([Found("1", "豆豆吐了，药豆")], ["豆豆药"]) == []


def test_very_common_words_stay_newest_first() -> None:
    many = [Found(str(number), "豆豆" * (1 + number % 3)) for number in range(MAX_FOUND + 1, 0, -1)]
    assert [one.id for one in _full_matches(many, ["豆豆"])] == [one.id for one in many]


def test_a_message_with_most_of_the_words_is_found_and_one_with_a_common_word_alone_is_not() -> None:
    found = [Found("1", "豆豆疫苗反应大"), *(Found(str(number), "豆豆睡觉") for number in range(2, 30))]
    assert [one.id for one in _loose_matches(found, ["豆豆", "疫苗", "反应"])] == ["1"]
