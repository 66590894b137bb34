"""The timeline and the findings of a pet, over the API and in chat."""

import pytest

from tests.conftest import on_sqlite
from tests.factories import Json, Owner, problem
from tests.fakes.phone import say

NOW = "2026-11-30T10:00:00+08:00"


@pytest.fixture
async def cat(owner: Owner) -> Json:
    """A grown cat that has lost weight, eats little since yesterday and got another food last week."""
    pet = await owner.at(NOW).pet("咪咪", "cat", born_on="2020-05-01", born_on_precision="day")
    for value, at in ((4.6, "2026-11-02T09:00:00+08:00"), (4.3, "2026-11-29T09:00:00+08:00")):
        await owner.record(pet, "weights", value=value, unit="kg", measured_at=at)
    await owner.record(pet, "observations", code="appetite", name="吃得少", occurred_at="2026-11-29T20:00:00+08:00")
    await owner.record(pet, "diets", food="渴望六种鱼", started_on="2026-11-24", started_on_precision="day")
    await owner.record(pet, "vaccinations", product="猫三联", given_on="2026-10-01", given_on_precision="month")
    return pet


@on_sqlite
async def test_findings_name_the_records_behind_them(owner: Owner, cat: Json) -> None:
    found = (await owner.get(f"/pets/{cat['id']}/insights"))["items"]
    assert [(one["code"], one["level"]) for one in found] == [
        ("weight_loss", "soon"),
        ("sign_appetite", "watch"),
        ("change_diets", "info"),
    ]
    for one in found:
        for row in one["rows"]:
            record = await owner.get(f"/pets/{cat['id']}/{row['record_kind']}/{row['record_id']}")
            assert record["id"] == row["record_id"]


@on_sqlite
async def test_the_timeline_is_newest_first_and_can_be_narrowed(owner: Owner, cat: Json) -> None:
    path = f"/pets/{cat['id']}/timeline"
    events = (await owner.get(path))["items"]
    assert [(one["record_kind"], one["on"]) for one in events] == [
        ("observations", "2026-11-29"),
        ("weights", "2026-11-29"),
        ("diets", "2026-11-24"),
        ("weights", "2026-11-02"),
        ("vaccinations", "2026-10-01"),
    ]
    assert events[-1]["precision"] == "month"
    assert [one["topic"] for one in (await owner.get(path, topic="growth"))["items"]] == ["growth", "growth"]
    between = (await owner.get(path, **{"from": "2026-11-02", "to": "2026-11-24"}))["items"]
    assert [one["record_kind"] for one in between] == ["diets", "weights"]
    first = await owner.get(path, limit=2)
    rest = await owner.get(path, limit=3, cursor=first["next_cursor"])
    assert first["items"] + rest["items"] == events
    wrong = await owner.ask("GET", path, params={"from": "2026-11-24", "to": "2026-11-02"})
    assert problem(wrong) == (422, "implausible_value")


@pytest.mark.parametrize("text", ["咪咪最近该注意什么", "咪咪最近不爱吃粮是怎么回事", "最近该注意什么"])
@on_sqlite
async def test_a_question_gathers_what_the_records_show(owner: Owner, cat: Json, text: str) -> None:
    answer = await say(owner, text)
    assert "4.6kg到4.3kg" in answer["text"]
    assert "吃得少" in answer["text"]
    assert "渴望六种鱼" in answer["text"]
    cited = {one["memory_id"] for one in answer["citations"]}
    mirrored = [one for one in (await owner.get("/memories", limit=100))["items"] if one["id"] in cited]
    assert {one["record_kind"] for one in mirrored} >= {"weights", "observations", "diets"}


@on_sqlite
async def test_a_pet_that_died_has_no_findings(owner: Owner, cat: Json) -> None:
    await owner.put(f"/pets/{cat['id']}", {"status": "memorial"})
    assert (await owner.get(f"/pets/{cat['id']}/insights"))["items"] == []


@on_sqlite
@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("咪咪体温38.6度", []),
        ("咪咪肛温101.5华氏度", []),
        ("咪咪肛温103.6华氏度", ["watch"]),
        ("咪咪体温40.6", ["urgent"]),
    ],
)
async def test_a_temperature_told_in_chat_is_judged_in_celsius(owner: Owner, text: str, levels: list[str]) -> None:
    pet = await owner.at(NOW).pet("咪咪", "cat", born_on="2020-05-01", born_on_precision="day")
    await say(owner.at(NOW), text, "t")
    found = (await owner.get(f"/pets/{pet['id']}/insights"))["items"]
    assert [one["level"] for one in found if one["code"] == "temperature"] == levels
