"""Numbers with their units, as owners write them."""

import pytest

from domain.offline.extractor.quantities import find_quantities


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("一次0.2ml", [(1, "次"), (0.2, "ml")]),
        ("每天两次0.75片", [(2, "次"), (0.75, "片")]),
        ("第3针0.5ml", [(3, "针"), (0.5, "ml")]),
        ("两罐2.5元", [(2, "罐"), (2.5, "元")]),
        ("5斤2", [(5.2, "斤")]),
        ("六公斤一", [(6.1, "kg")]),
        ("一片半", [(1.5, "片")]),
    ],
)
def test_figure_after_a_unit_is_read_whole(text: str, told: list[tuple[float, str]]) -> None:
    assert [(one.number, one.unit) for one in find_quantities(text)] == told
