"""A weight is read from a line whatever its unit."""

import pytest

from domain.weight_words import weight_told


@pytest.mark.parametrize(
    ("line", "words", "kilograms"),
    [
        ("旺仔体重12.1kg", "12.1kg", 12.1),
        ("咪咪９斤", "9斤", 4.5),
        ("旺仔体重12.1了", "12.1公斤", 12.1),
        ("刚出生那只320克", "320克", 0.32),
    ],
)
def test_weight_is_read_with_its_unit(line: str, words: str, kilograms: float) -> None:
    assert weight_told(line) == (words, pytest.approx(kilograms))


@pytest.mark.parametrize("line", ["咪咪瘦了", "4.2号体检", "喂了50毫升"])
def test_line_without_a_weight_tells_none(line: str) -> None:
    assert weight_told(line) is None
