"""A shorter wording is taken only when nothing is lost and nothing invented; a condenser that fails changes nothing."""

import asyncio
from collections.abc import Mapping

import pytest

from memory.condensing import accepted_wordings, keeps_all

LINE = "豆豆特别喜欢在晚饭之前吃两块鸡肉冻干，不能超过两块"


class Writer:
    """A condenser that answers what it is told to."""

    def __init__(self, answer: Mapping[str, str] | Exception | None) -> None:
        self.answer, self.asked = answer, dict[str, str]()

    async def condense(self, lines: Mapping[str, str]) -> Mapping[str, str]:
        self.asked = dict(lines)
        if isinstance(self.answer, Exception):
            raise self.answer
        if self.answer is None:
            await asyncio.sleep(60)
        return self.answer or {}


@pytest.mark.parametrize(
    ("line", "wording", "taken"),
    [
        (LINE, "豆豆爱在晚饭前吃两块鸡肉冻干，不能超两块", True),
        (LINE, LINE, False),  # not shorter
        (LINE, "", False),
        (LINE, "豆豆爱在晚饭前吃三块鸡肉冻干，不能超三块", False),  # another figure
        (LINE, "豆豆爱在晚饭前吃两块鸡肉冻干，能超两块", False),  # negation lost
        (LINE, "咪咪爱在晚饭前吃两块鸡肉冻干，不能超两块", False),  # another pet
        (LINE, "豆豆爱吃鸡肉冻干", False),  # half of it is gone
        (LINE, "豆豆爱在晚饭前吃两块牛肉冻干，不能超两块", False),  # a word that was never said
        ("豆豆每次都要吃S100益生菌一包才行", "豆豆每次要吃S100益生菌一包", True),
        ("豆豆每次都要吃S100益生菌一包才行", "豆豆每次要吃S200益生菌一包", False),
        ("豆豆体重是4.2kg，看起来还是偏瘦的", "豆豆体重4.2kg，看起来偏瘦", True),
        ("豆豆体重是4.2kg，看起来还是偏瘦的", "豆豆体重4.5kg，看起来偏瘦", False),
        ("豆豆是在10月15日那天做的绝育手术", "豆豆10月15日做的绝育手术", True),
        ("豆豆是在10月15日那天做的绝育手术", "豆豆10月16日做的绝育手术", False),
        ("豆豆左边的后腿走路的时候有点瘸", "豆豆左后腿走路有点瘸", True),
        ("豆豆左边的后腿走路的时候有点瘸", "豆豆右后腿走路有点瘸", False),
    ],
)
def test_a_wording_says_what_the_line_says(line: str, wording: str, taken: bool) -> None:
    assert keeps_all(line, wording, ["豆豆", "咪咪"]) is taken


@pytest.mark.parametrize(
    "answer", [RuntimeError("no"), {}, {"one": "瞎写的"}, {"other": "豆豆爱在晚饭前吃两块鸡肉冻干"}]
)
async def test_a_condenser_that_fails_or_answers_nonsense_changes_nothing(
    answer: Mapping[str, str] | Exception,
) -> None:
    assert await accepted_wordings(Writer(answer), {"one": LINE}, ["豆豆"]) == {}


async def test_a_condenser_that_is_late_is_not_waited_for() -> None:
    assert await accepted_wordings(Writer(None), {"one": LINE}, ["豆豆"], timeout_s=0.01) == {}


async def test_the_longest_lines_are_asked_for_first_and_no_more_than_a_card_holds() -> None:
    writer = Writer({})
    await accepted_wordings(writer, {f"{number:02}": "字" * (number + 1) for number in range(40)}, [])
    assert sorted(writer.asked) == [f"{number:02}" for number in range(20, 40)]
