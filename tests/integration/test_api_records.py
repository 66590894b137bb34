"""The nine kinds of record, through their forms."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.record_kinds import KINDS
from miniprogram_api.examples import RECORD_INPUTS
from tests.conftest import on_sqlite
from tests.factories import Owner, problem


@pytest.mark.parametrize("kind", KINDS)
async def test_a_record_is_made_read_changed_listed_and_deleted(owner: Owner, kind: str) -> None:
    pet, fields = await owner.pet(), RECORD_INPUTS[kind]
    path = f"/pets/{pet['id']}/{kind}"
    made = await owner.post(path, fields)
    for name, value in fields.items():
        if not name.endswith("_at"):
            assert made[name] == value
    assert (made["status"], made["source"], made["version"], made["evidence"]) == ("active", "owner", 1, [])
    assert await owner.get(f"{path}/{made['id']}") == made
    changed = await owner.put(f"{path}/{made['id']}", {"note": "补充", "version": 1})
    assert changed == made | {"note": "补充", "version": 2}
    assert problem(await owner.ask("PUT", f"{path}/{made['id']}", {"note": "晚了", "version": 1}))[1] == "stale_version"
    assert (await owner.get(path))["items"] == [changed]
    await owner.delete(f"{path}/{made['id']}")
    assert problem(await owner.ask("GET", f"{path}/{made['id']}")) == (404, "unknown_record")
    assert (await owner.get(path))["items"] == []


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("allergies", {}),
        ("allergies", {"substance": " "}),
        ("allergies", {"substance": "鸡肉", "category": "meat"}),
        ("allergies", {"substance": "鸡肉", "status": "refuted"}),
        ("conditions", {"name": "肾病", "onset_on": "去年"}),
        ("medications", {"product": "药" * 201}),
        ("vaccinations", {"product": "狂犬", "antigens": ["a"] * 13}),
        ("dewormings", {"product": "大宠爱", "target": "inside"}),
        ("weights", {"value": 0}),
        ("weights", {"value": "heavy"}),
        ("weights", {"value": 5, "unit": "lb"}),
        ("weights", {"value": 5, "measured_at": "2026-03-01T08:00:00"}),
        ("observations", {"code": "mood", "name": "开心"}),
        ("observations", {"code": "symptom", "name": "吐", "occurred_at": "2026-03-01T08:00:00"}),
        ("diets", {"food": "粮", "prescription": "maybe"}),
        ("visits", {"note": "很" * 1001}),
    ],
)
@on_sqlite
async def test_an_impossible_record_is_refused(owner: Owner, kind: str, fields: dict[str, object]) -> None:
    pet = await owner.pet()
    assert problem(await owner.ask("POST", f"/pets/{pet['id']}/{kind}", fields))[0] == 422
    assert (await owner.get(f"/pets/{pet['id']}/{kind}"))["items"] == []


@pytest.mark.parametrize(
    ("species", "value", "unit"), [("cat", 45, "kg"), ("dog", 500, "kg"), ("cat", 4, "g"), ("dog", 300, "jin")]
)
@on_sqlite
async def test_a_weight_no_such_animal_has_is_asked_back(owner: Owner, species: str, value: float, unit: str) -> None:
    pet = await owner.pet("咪咪", species)
    answer = await owner.ask("POST", f"/pets/{pet['id']}/weights", {"value": value, "unit": unit})
    assert problem(answer) == (422, "implausible_value")


@on_sqlite
async def test_a_required_field_cannot_be_cleared(owner: Owner) -> None:
    pet = await owner.pet()
    made = await owner.record(pet, "allergies", substance="鸡肉")
    answer = await owner.ask("PUT", f"/pets/{pet['id']}/allergies/{made['id']}", {"substance": None})
    assert problem(answer) == (422, "invalid_input")


async def test_a_record_of_one_pet_is_not_found_under_another(owner: Owner) -> None:
    dog, cat = await owner.pet(), await owner.pet("咪咪", "cat")
    made = await owner.record(dog, "allergies", substance="鸡肉")
    for path in (f"/pets/{cat['id']}/allergies/{made['id']}", f"/pets/{dog['id']}/conditions/{made['id']}"):
        assert problem(await owner.ask("GET", path)) == (404, "unknown_record")
        assert problem(await owner.ask("DELETE", path)) == (404, "unknown_record")


async def test_records_are_paged_newest_first(owner: Owner) -> None:
    pet = await owner.pet()
    made = [await owner.record(pet, "weights", value=10 + number) for number in range(5)]
    seen, cursor = [], None
    while True:
        page = await owner.get(f"/pets/{pet['id']}/weights", limit=2, **({"cursor": cursor} if cursor else {}))
        seen += [row["id"] for row in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == [row["id"] for row in reversed(made)]


async def test_a_current_allergy_stands_on_the_card_at_once_and_leaves_it_when_refuted(owner: Owner) -> None:
    pet = await owner.pet()
    made = await owner.record(pet, "allergies", substance="鸡肉", reaction="抓耳朵")
    card = await owner.get(f"/pets/{pet['id']}/card")
    assert [(line["content"], line["record_id"]) for line in card["items"]] == [
        ("豆豆对鸡肉过敏（抓耳朵）", made["id"])
    ]
    refuted = await owner.put(f"/pets/{pet['id']}/allergies/{made['id']}", {"verification_status": "refuted"})
    assert refuted["status"] == "refuted"
    assert (await owner.get(f"/pets/{pet['id']}/card"))["items"] == []


@pytest.mark.parametrize(
    ("kind", "fields", "status"),
    [
        ("medications", {"product": "速诺", "ended_on": "2026-01-01", "ended_on_precision": "day"}, "ended"),
        ("conditions", {"name": "肠胃炎", "clinical_status": "resolved"}, "ended"),
        ("allergies", {"substance": "鸡肉", "verification_status": "refuted"}, "refuted"),
    ],
)
@on_sqlite
async def test_what_is_over_when_it_is_entered_does_not_count_as_current(
    owner: Owner, kind: str, fields: dict[str, object], status: str
) -> None:
    pet = await owner.pet()
    assert (await owner.post(f"/pets/{pet['id']}/{kind}", fields))["status"] == status
    assert (await owner.get(f"/pets/{pet['id']}/card"))["items"] == []


async def test_the_card_carries_the_latest_weight_only(owner: Owner) -> None:
    pet, now = await owner.pet(), datetime.now(UTC)
    for value, days_ago in ((10, 60), (12, 1), (11, 30)):
        await owner.record(pet, "weights", value=value, measured_at=(now - timedelta(days=days_ago)).isoformat())
    card = await owner.get(f"/pets/{pet['id']}/card")
    assert [line["content"] for line in card["items"]] == ["豆豆体重12kg"]


async def test_the_card_falls_back_to_the_weight_before_when_the_latest_is_deleted(owner: Owner) -> None:
    pet = await owner.pet()
    old = await owner.record(pet, "weights", value=10, measured_at="2026-01-01T08:00:00+08:00")
    slip = await owner.record(pet, "weights", value=100, measured_at="2026-02-01T08:00:00+08:00")
    await owner.put(f"/pets/{pet['id']}/weights/{old['id']}", {"note": "空腹"})  # an old one stays in its archive
    path, shown = f"/pets/{pet['id']}/card", "豆豆体重100kg"
    assert [line["content"] for line in (await owner.get(path))["items"]] == [shown]
    mirror = (await owner.get(path))["items"][0]["memory_id"]
    await owner.delete(f"/pets/{pet['id']}/weights/{slip['id']}")
    assert [line["content"] for line in (await owner.get(path))["items"]] == ["豆豆体重10kg"]
    await owner.post(f"/memories/{mirror}/restore")
    assert [line["content"] for line in (await owner.get(path))["items"]] == [shown]


async def test_the_form_happens_at_the_domain_time(owner: Owner) -> None:
    pet = await owner.pet()
    made = await owner.at("2026-03-01T08:00:00+08:00").record(pet, "weights", value=10)
    assert made["recorded_at"] == "2026-03-01T00:00:00Z"
    assert made["measured_at"] == "2026-03-01T00:00:00Z"


async def test_numbers_that_lead_to_a_person_are_masked_in_a_form_too(owner: Owner) -> None:
    pet = await owner.pet()
    made = await owner.post(f"/pets/{pet['id']}/visits", {"clinic": "阳光医院13812345678", "visited_on": "2026-01-02"})
    assert made["clinic"] == "阳光医院138****5678"
    changed = await owner.put(f"/pets/{pet['id']}/visits/{made['id']}", {"note": "住建国路88号"})
    assert changed["note"] == "住建国路**号"


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("allergies", {"substance": "鸡肉", "onset_on": "2026-03-20"}),
        ("conditions", {"name": "肾病", "onset_on": "2026-03-20"}),
        ("vaccinations", {"product": "狂犬疫苗", "given_on": "2026-03-03"}),
        ("dewormings", {"product": "大宠爱", "given_on": "2027-01-01"}),
        ("weights", {"value": 5, "unit": "kg", "measured_at": "2026-03-03T12:00:00+08:00"}),
        ("visits", {"visited_on": "2099-01-01"}),
        ("medications", {"product": "阿莫西林", "started_on": "2026-02-20", "ended_on": "2026-02-10"}),
        ("diets", {"food": "鸡肉粮", "started_on": "2026-02-20", "ended_on": "2026-02-19"}),
    ],
)
@on_sqlite
async def test_dates_that_cannot_be_right_are_asked_back(owner: Owner, kind: str, fields: dict[str, object]) -> None:
    pet = await owner.pet()
    owner.at("2026-03-01T08:00:00+08:00")
    path = f"/pets/{pet['id']}/{kind}"
    assert problem(await owner.ask("POST", path, fields)) == (422, "implausible_value")
    assert (await owner.get(path))["items"] == []


@on_sqlite
async def test_what_is_planned_or_was_today_elsewhere_is_taken(owner: Owner) -> None:
    pet = await owner.pet()
    owner.at("2026-03-01T23:00:00+08:00")
    made = await owner.record(pet, "medications", product="阿莫西林", started_on="2026-03-09")
    await owner.record(pet, "vaccinations", product="狂犬疫苗", given_on="2026-03-02")
    path = f"/pets/{pet['id']}/medications/{made['id']}"
    assert problem(await owner.ask("PUT", path, {"ended_on": "2026-03-01"})) == (422, "implausible_value")
    assert (await owner.get(path))["ended_on"] is None
