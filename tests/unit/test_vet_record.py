"""Parts of a vet's record that no browser is needed for: other pets' names, the curve, and a page that stays small."""

import re
from datetime import date, timedelta

import httpx
import pytest
from fastapi import FastAPI

from bench.vet_page import TARGET_KB, fill
from domain.vet_other_pets import OtherPets
from miniprogram_api.vet_pages.page import FIRST_SCREEN, MOST
from miniprogram_api.vet_pages.weight_chart import HEIGHT, MAX_POINTS, WIDTH, chart_of
from tests.conftest import on_sqlite


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("豆豆吐了两次，精神还好", "豆豆吐了两次，精神还好"),
        ("咪咪吐了三次，拉稀。豆豆没事", "（略）豆豆没事"),
        ("豆豆和咪咪一起去的", "豆豆和另一只宠物一起去的"),
        ("咪咪先发病，豆豆第二天也吐", "（略）豆豆第二天也吐"),
        ("被咪咪抓伤", "（略）"),
        ("小豆豆的弟弟也来了", "小豆豆的弟弟也来了"),
    ],
)
def test_nothing_of_another_pet_is_left(text: str, kept: str) -> None:
    assert OtherPets(("咪咪", "咪"), ("豆豆", "小豆豆")).without(text) == kept


def test_a_name_inside_the_pets_own_name_is_no_other_pet() -> None:
    pets = OtherPets(("豆",), ("豆豆",))
    assert not pets.named_in("豆豆吐了")
    assert pets.named_in("豆吐了")


@pytest.mark.parametrize("count", [2, 5, 400])
def test_the_curve_stays_inside_its_frame(count: int) -> None:
    curve = [(date(2026, 1, 1) + timedelta(days=day), 12 + day % 3 / 10) for day in range(count)]
    chart = chart_of(curve)
    assert chart is not None
    assert len(chart.points) == min(count, MAX_POINTS)
    assert all(0 <= mark.x <= WIDTH and 0 <= mark.y <= HEIGHT for mark in chart.points)
    assert chart.points[-1].text.startswith(curve[-1][0].isoformat())


@pytest.mark.parametrize("weighings", [[], [(date(2026, 1, 1), 12.0)]])
def test_less_than_two_weighings_are_no_curve(weighings: list[tuple[date, float]]) -> None:
    assert chart_of(weighings) is None


def test_all_weighings_of_one_day_do_not_divide_by_nothing() -> None:
    assert chart_of([(date(2026, 1, 1), 12.0), (date(2026, 1, 1), 12.0)]) is not None


@on_sqlite
async def test_ten_years_of_records_fit_a_small_page_and_older_ones_are_a_link_away(app: FastAPI) -> None:
    path = await fill(app, 3000)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test") as vet:
        page = (await vet.get(path)).text
        assert len(page.encode()) <= TARGET_KB * 1000
        assert page.count('<li class="row">') <= min(100, sum(MOST.values()))
        lists = re.findall(r'<ul class="brief">(.*?)</section>', page, re.DOTALL)
        assert all(len(re.findall(r"<li><(?:details|span class=.line)", card)) <= FIRST_SCREEN for card in lists)
        assert "另有 1 →" in page
        seen: set[str] = set()
        address = "?list=weights"
        while address:
            listed = (await vet.get(path + address)).text
            assert listed.count('<li class="row">') <= 100
            seen |= set(re.findall(r'<time datetime="([^"]+)">', listed))
            older = re.search(r'<a href="(\?list=weights&amp;page=\d+)">更早', listed)
            address = older[1].replace("&amp;", "&") if older else ""
        assert len(seen) == 600, "one weighing about every six days, none lost between the pages"
