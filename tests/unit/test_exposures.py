"""What a pet swallowed that it should not have."""

import pytest

from domain.exposures import same_substance, swallowed_in


@pytest.mark.parametrize(
    ("words", "substance"),
    [
        ("芋圆舔了洁厕灵", "洁厕灵"),
        ("芋圆误食了一颗布洛芬", "布洛芬"),
        ("煤球偷吃了半块黑巧克力", "黑巧克力"),
        ("煤球吃了两口洋葱，我刚发现", "洋葱"),
        ("煤球吃了不该吃的东西", ""),
        ("煤球误食了", ""),
        ("煤球在咳嗽", ""),
    ],
)
def test_the_substance_is_read_from_the_words(words: str, substance: str) -> None:
    assert swallowed_in(words) == substance


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("洋葱", "洋葱", True),
        ("黑巧克力", "巧克力", True),
        ("老鼠药", "鼠药", True),
        ("", "葡萄", True),
        ("葡萄", "洋葱", False),
        ("洁厕灵", "布洛芬", False),
    ],
)
def test_two_names_are_one_substance_only_when_they_may_mean_it(one: str, other: str, same: bool) -> None:
    assert same_substance(one, other) is same
