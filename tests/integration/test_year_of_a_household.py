"""A month of the simulated year, as it runs in `bench/`: nothing is lost, nothing wrong is served, nothing twice."""

from pathlib import Path

from bench.year_of_a_household import live


async def test_a_month_of_a_household_loses_nothing_and_serves_nothing_wrong(tmp_path: Path) -> None:
    months, examined = await live(1, "none", tmp_path)
    assert months[0].messages > 150
    assert months[0].promotions > 0
    assert months[0].duplicates <= 0.01
    assert (examined["lost"], examined["wrong"]) == ([], [])
    assert examined["recall"] >= 0.95, examined["missed"]
