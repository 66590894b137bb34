"""What is recorded is right: units, plausible values, duplicates, partial dates, corrections, and what stands alone."""

from typing import Any

import pytest

from tests.conftest import on_sqlite
from tests.factories import Json, Owner, problem
from tests.fakes.phone import say

NOW = "2026-11-30T10:00:00+08:00"


@pytest.fixture
async def home(owner: Owner) -> Owner:
    """An owner with a dog and a cat."""
    owner.at(NOW)
    await owner.pet("豆豆", "dog")
    await owner.pet("咪咪", "cat")
    return owner


async def pet_named(owner: Owner, name: str) -> Json:
    (pet,) = [one for one in (await owner.get("/pets"))["items"] if one["name"] == name]
    found: Json = pet
    return found


async def records(owner: Owner, name: str, kind: str) -> list[Json]:
    pet = await pet_named(owner, name)
    items: list[Json] = (await owner.get(f"/pets/{pet['id']}/{kind}"))["items"]
    return items


async def talk(owner: Owner, *texts: str) -> Json:
    answer: Json = {}
    for number, text in enumerate(texts):
        answer = await say(owner, text, f"{number}-{text}")
    return answer


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("咪咪今天9斤", 9, "jin"),
        ("咪咪今天称了4.5公斤", 4.5, "kg"),
        ("咪咪今天体重4500克", 4500, "g"),
        ("咪咪今天4.5kg", 4.5, "kg"),
    ],
)
@on_sqlite
async def test_a_weight_keeps_its_unit(home: Owner, text: str, value: float, unit: str) -> None:
    await talk(home, text)
    (record,) = await records(home, "咪咪", "weights")
    assert (record["value"], record["unit"]) == (value, unit)


@pytest.mark.parametrize("text", ["咪咪今天称了45公斤", "咪咪今天体重450斤", "豆豆今天体重1300公斤"])
@on_sqlite
async def test_a_weight_no_such_animal_has_is_asked_back(home: Owner, text: str) -> None:
    answer = await talk(home, text)
    assert "核对" in answer["text"]
    assert [one["outcome"] for one in answer["memories"]] == ["refused"]
    assert await records(home, text[:2], "weights") == []


@pytest.mark.parametrize("text", ["豆豆今天体温80度", "豆豆体温3.9度", "咪咪心率9000"])
@on_sqlite
async def test_a_reading_no_living_animal_has_is_asked_back(home: Owner, text: str) -> None:
    answer = await talk(home, text)
    assert "核对" in answer["text"]
    assert [one["outcome"] for one in answer["memories"]] == ["refused"]
    assert await records(home, text[:2], "observations") == []
    assert "再来问问" not in answer["text"]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("weights", {"value": 45, "unit": "kg"}),
        ("weights", {"value": 4.5, "unit": "stone"}),
        ("vaccinations", {"product": "猫三联", "given_on": "2026-02-30"}),
        ("vaccinations", {"product": "猫三联", "given_on": "2027-05-01"}),
        ("vaccinations", {"product": "猫三联", "given_on": "0202-05-01"}),
        ("medications", {"product": "速诺", "started_on": "2026-11-20", "ended_on": "2026-11-10"}),
        ("observations", {"code": "temperature", "name": "体温", "value": 393, "unit": "℃"}),
        ("observations", {"code": "temperature", "name": "体温", "value": 12, "unit": "℃"}),
    ],
)
@on_sqlite
async def test_an_impossible_record_is_refused_in_chinese(home: Owner, kind: str, fields: Json) -> None:
    pet = await pet_named(home, "咪咪")
    status, _ = problem(await home.ask("POST", f"/pets/{pet['id']}/{kind}", fields))
    assert status == 422


@pytest.mark.parametrize(
    "fields",
    [
        {"starts_at": "2026-11-29T15:00:00+08:00"},
        {"starts_at": "2026-11-01T15:00:00+08:00", "rrule": "FREQ=DAILY;UNTIL=20261120"},
        {"starts_at": "2026-12-01T15:00:00+08:00", "rrule": "FREQ=SECONDLY"},
        {"starts_at": "2026-12-01T15:00:00+08:00", "rrule": "FREQ=DAILY;INTERVAL=0"},
        {"starts_at": "2026-12-01T15:00:00+08:00", "rrule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31"},
        {"starts_at": "2026-12-01T15:00:00+08:00", "rrule": "FREQ=DAILY;COUNT=1000000"},
    ],
)
@on_sqlite
async def test_an_impossible_plan_is_refused_in_chinese(home: Owner, fields: Json) -> None:
    status, _ = problem(await home.ask("POST", "/schedules", {"title": "打疫苗", **fields}))
    assert status == 422


@on_sqlite
async def test_no_known_allergies_is_a_statement_of_its_own(home: Owner) -> None:
    pet = await pet_named(home, "豆豆")
    assert pet["no_known_allergies"] is False
    assert "没有豆豆的过敏记录" in (await talk(home, "豆豆对什么过敏"))["text"]
    await talk(home, "豆豆没有任何已知过敏")
    assert (await pet_named(home, "豆豆"))["no_known_allergies"] is True
    assert "没有已知" in (await say(home, "豆豆对什么过敏", "again"))["text"]
    await say(home, "豆豆对牛肉过敏", "beef")
    assert (await pet_named(home, "豆豆"))["no_known_allergies"] is False


@on_sqlite
async def test_a_microchip_is_kept_and_told(home: Owner) -> None:
    pet = await pet_named(home, "豆豆")
    await home.put(f"/pets/{pet['id']}", {"microchip": "156000012345678"})
    assert (await pet_named(home, "豆豆"))["microchip"] == "156000012345678"
    await talk(home, "咪咪的芯片号是900123000456789")
    assert (await pet_named(home, "咪咪"))["microchip"] == "900123000456789"


@on_sqlite
async def test_a_reaction_to_a_vaccine_is_kept(home: Owner) -> None:
    await talk(home, "豆豆11月28号打了狂犬疫苗，打完脸肿了")
    (shot,) = await records(home, "豆豆", "vaccinations")
    seen = [one["name"] for one in await records(home, "豆豆", "observations")]
    assert "肿" in (shot["reaction"] or "") + "".join(seen)


@on_sqlite
async def test_a_lab_value_keeps_number_and_unit(home: Owner) -> None:
    await talk(home, "咪咪今天验血肌酐180")
    (lab,) = [one for one in await records(home, "咪咪", "observations") if one["code"] == "lab"]
    assert (lab["name"], lab["value"]) == ("肌酐", 180)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("vaccinations", {"product": "狂犬疫苗", "given_on": "2026-03-11", "given_on_precision": "day"}),
        ("dewormings", {"product": "大宠爱", "given_on": "2026-03-11", "given_on_precision": "day"}),
        ("weights", {"value": 12.3, "unit": "kg", "measured_at": "2026-03-11T10:00:00+08:00"}),
        ("allergies", {"substance": "鸡肉", "category": "food"}),
    ],
)
@on_sqlite
async def test_the_same_record_twice_is_recognised(home: Owner, kind: str, fields: Json) -> None:
    pet = await pet_named(home, "豆豆")
    first = await home.record(pet, kind, **fields)
    assert await home.record(pet, kind, **fields) == first
    assert len(await records(home, "豆豆", kind)) == 1
    other = fields | {"note": "另一次"}
    assert (await home.record(pet, kind, **other))["id"] != first["id"]


@on_sqlite
async def test_the_same_words_twice_make_one_record(home: Owner) -> None:
    await talk(home, "豆豆3月11号打了狂犬疫苗", "豆豆3月11号打了狂犬疫苗")
    assert len(await records(home, "豆豆", "vaccinations")) == 1


@pytest.mark.parametrize(
    ("text", "given_on", "precision"),
    [
        ("豆豆今年3月打了狂犬疫苗", "2026-03-01", "month"),
        ("豆豆2024年打了狂犬疫苗", "2024-01-01", "year"),
        ("豆豆3月11号打了狂犬疫苗", "2026-03-11", "day"),
        ("豆豆打过狂犬疫苗", None, "unknown"),
    ],
)
@on_sqlite
async def test_a_partial_date_keeps_its_precision(home: Owner, text: str, given_on: Any, precision: str) -> None:
    await talk(home, text)
    (shot,) = await records(home, "豆豆", "vaccinations")
    assert (shot["given_on"], shot["given_on_precision"]) == (given_on, precision)


@on_sqlite
async def test_a_correction_is_a_new_version(home: Owner) -> None:
    pet = await pet_named(home, "豆豆")
    made = await home.record(pet, "weights", value=12.3, unit="kg", measured_at="2026-11-20T10:00:00+08:00")
    changed = await home.put(f"/pets/{pet['id']}/weights/{made['id']}", {"value": 11.3, "version": 1})
    assert (changed["id"], changed["version"], changed["value"]) == (made["id"], 2, 11.3)
    stale = await home.ask("PUT", f"/pets/{pet['id']}/weights/{made['id']}", {"value": 10, "version": 1})
    assert problem(stale) == (409, "stale_version")


@on_sqlite
async def test_a_large_dogs_food_is_not_for_a_small_one(home: Owner) -> None:
    await home.pet("可乐", "dog", breed="吉娃娃")
    answer = await talk(home, "可乐能吃大型犬成犬粮吗")
    assert "小型犬" in answer["text"]
