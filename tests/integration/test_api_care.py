"""What is due, the opening of the day, and the chat's answer from the same rules."""

import pytest

from tests.conftest import SignIn
from tests.factories import Json, Owner, problem
from tests.fakes.phone import say

NOW = "2026-11-20T10:00:00+08:00"


async def rabies(owner: Owner, day: str, name: str = "豆豆", **fields: object) -> Json:
    """A grown dog with one rabies shot on record."""
    pet = await owner.at(NOW).pet(name, "dog", born_on="2022-03-01", born_on_precision="day", **fields)
    await owner.record(pet, "vaccinations", product="狂犬疫苗", given_on=day, given_on_precision="day")
    return pet


async def due_of(owner: Owner, pet: Json, **params: object) -> list[Json]:
    items: list[Json] = (await owner.get(f"/pets/{pet['id']}/due", **params))["items"]
    return [item for item in items if item["rests_on"] == "dose"]


async def test_what_is_due_names_its_rule_and_source(owner: Owner) -> None:
    pet = await rabies(owner, "2025-12-20")
    (due,) = await due_of(owner, pet)
    assert (due["what"], due["due_on"], due["due_on_precision"], due["status"]) == (
        "狂犬疫苗",
        "2026-12-20",
        "day",
        "due",
    )
    assert (due["rule"], due["rule_text"]) == ("cn_rabies_dog", "每年一次")
    assert "动物防疫法" in due["source"]


@pytest.mark.parametrize(("day", "days", "found"), [("2026-01-20", 60, 0), ("2026-01-20", 61, 1), ("2025-01-20", 0, 1)])
async def test_the_window_hides_what_is_further_away_and_never_what_is_overdue(
    owner: Owner, day: str, days: int, found: int
) -> None:
    pet = await rabies(owner, day)
    assert len(await due_of(owner, pet, within_days=days)) == found


@pytest.mark.parametrize("days", [-1, 731])
async def test_a_window_out_of_bounds_is_refused(owner: Owner, days: int) -> None:
    pet = await rabies(owner, "2025-12-20")
    answer = await owner.ask("GET", f"/pets/{pet['id']}/due", params={"within_days": days})
    assert problem(answer)[0] == 422


async def test_another_households_pet_is_unknown(owner: Owner, sign_in: SignIn) -> None:
    pet = await rabies(owner, "2025-12-20")
    stranger = await sign_in("wang")
    assert problem(await stranger.ask("GET", f"/pets/{pet['id']}/due"))[0] == 404


async def test_a_deleted_record_and_another_kind_of_animal_leave_nothing_due(owner: Owner) -> None:
    pet = await rabies(owner, "2025-12-20")
    (record,) = (await owner.get(f"/pets/{pet['id']}/vaccinations"))["items"]
    await owner.delete(f"/pets/{pet['id']}/vaccinations/{record['id']}")
    assert await due_of(owner, pet, within_days=730) == []
    rabbit = await owner.pet("团团", "other")
    assert (await owner.get(f"/pets/{rabbit['id']}/due", within_days=730))["items"] == []


async def test_the_day_opens_with_what_is_due_and_what_is_asked(owner: Owner) -> None:
    pet = await rabies(owner, "2025-11-25")
    await say(owner, "豆豆对鸡肉过敏", "m-1")
    await say(owner, "豆豆对鸡肉不过敏，是我记错了", "m-2")
    items = (await owner.get("/chat/opening"))["items"]
    assert [item["kind"] for item in items] == ["confirmation", "due"]
    assert items[1] == {"kind": "due", "text": "豆豆的狂犬疫苗还有5天到期。", "subject": pet["id"], "id": None}


async def test_the_day_opens_with_nothing_far_away_and_never_with_more_than_three(owner: Owner) -> None:
    await rabies(owner, "2025-12-05")
    assert (await owner.get("/chat/opening"))["items"] == []
    for name in ("旺仔", "可乐", "布丁", "年糕"):
        await rabies(owner, "2025-11-15", name)
    items = (await owner.get("/chat/opening"))["items"]
    assert [item["text"][2:] for item in items] == ["的狂犬疫苗已经过了5天，别忘了安排。"] * 3


async def test_a_pet_that_died_is_never_brought_up(owner: Owner) -> None:
    pet = await rabies(owner, "2025-11-25")
    await owner.put(f"/pets/{pet['id']}", {"status": "memorial"})
    assert (await owner.get("/chat/opening"))["items"] == []
    assert (await owner.get(f"/pets/{pet['id']}/due"))["items"] == []


async def test_the_chat_tells_the_due_day_and_its_rule(owner: Owner) -> None:
    await rabies(owner, "2025-12-20")
    answer = await say(owner, "豆豆下次疫苗什么时候打")
    assert "豆豆的狂犬疫苗2026年12月20日到期（还有30天，按“每年一次”算）" in answer["text"]


async def test_the_chat_tells_what_presses_when_asked_how_things_are(owner: Owner) -> None:
    await rabies(owner, "2025-12-10")
    assert "2026年12月10日到期" in (await say(owner, "豆豆最近怎么样", "m-1"))["text"]


async def test_a_temporary_chat_looks_at_no_record(owner: Owner) -> None:
    pet = await rabies(owner, "2025-12-20")
    asked = {"text": "狂犬疫苗什么时候到期", "client_msg_id": "m-1", "pet_id": pet["id"], "temporary": True}
    assert "2026年12月20日" not in str((await owner.post("/chat/turns", asked))["text"])
