"""A vet leaves a note: it raises dangers at once, removes none, and the owner says who wrote it."""

import asyncio

import httpx
import pytest
from fastapi import FastAPI
from sqlmodel import select

from domain.vet_notes import VetNote
from tests.factories import Json, Owner, problem

NOTE = {"author": "王医生", "clinic": "阳光动物医院", "diagnosis": "急性肠胃炎", "treatment": "补液，止吐"}


@pytest.fixture
async def pet(owner: Owner) -> Json:
    made = await owner.pet("豆豆")
    await owner.record(made, "allergies", substance="鸡肉", category="food", criticality="high")
    await owner.record(made, "medications", product="泼尼松", frequency_text="一天一次")
    return made


@pytest.fixture
async def share(owner: Owner, pet: Json) -> Json:
    made: Json = await owner.post(f"/pets/{pet['id']}/shares", {"expires_in_hours": 24, "passcode": "2580"})
    return made


async def leave(client: httpx.AsyncClient, share: Json, **fields: object) -> Json:
    answer = await client.post(f"{share['url']}/notes", json={**NOTE, "code": "2580", **fields})
    assert answer.status_code == 201, answer.text
    made: Json = answer.json()
    return made


async def records(owner: Owner, pet: Json, kind: str) -> list[Json]:
    found: list[Json] = (await owner.get(f"/pets/{pet['id']}/{kind}"))["items"]
    return found


async def test_a_note_is_an_unverified_visit_that_the_owner_sees_at_once(
    owner: Owner, pet: Json, share: Json, client: httpx.AsyncClient
) -> None:
    note = await leave(client, share, next_on="2026-12-05")
    assert note["status"] == "unverified"
    visit = (await records(owner, pet, "visits"))[0]
    assert (visit["source"], visit["verified"]) == ("vet", False)
    assert (visit["clinic"], visit["diagnosis"], visit["next_on"]) == ("阳光动物医院", "急性肠胃炎", "2026-12-05")
    told = (await owner.get("/inbox"))["items"][0]
    assert (told["kind"], told["link"]["vet_note_id"]) == ("vet_note", note["id"])
    assert "身份还没有核实" in told["body"]
    client.headers["X-Vet-Passcode"] = "2580"
    shown = (await client.get(f"{share['url']}/record.json")).json()
    assert shown["history"]["visits"][0]["confidence"] == "unverified"


async def test_a_new_danger_is_in_force_at_once(
    owner: Owner, pet: Json, share: Json, client: httpx.AsyncClient
) -> None:
    await leave(client, share, allergies=[{"substance": "头孢", "reaction": "面部肿胀"}], conditions=["慢性肾病"])
    allergies = {one["substance"]: one for one in await records(owner, pet, "allergies")}
    assert allergies["头孢"]["status"] == "active"
    assert (allergies["头孢"]["source"], allergies["头孢"]["verified"]) == ("vet", False)
    assert "慢性肾病" in [one["name"] for one in await records(owner, pet, "conditions")]


async def test_free_text_raises_a_danger_too(owner: Owner, pet: Json, share: Json, client: httpx.AsyncClient) -> None:
    await leave(client, share, note="对阿莫西林过敏，面部肿胀")
    assert "阿莫西林" in [one["substance"] for one in await records(owner, pet, "allergies")]


@pytest.mark.parametrize(
    "fields",
    [
        {"not_allergic_to": ["鸡肉"]},
        {"medications_stopped": ["泼尼松"]},
        {"note": "对鸡肉不过敏，可以正常吃"},
        {"not_allergic_to": ["鸡肉"], "note": "豆豆对鸡肉不过敏", "medications_stopped": ["泼尼松"]},
    ],
)
async def test_a_note_never_removes_a_danger(
    owner: Owner, pet: Json, share: Json, client: httpx.AsyncClient, fields: Json
) -> None:
    await leave(client, share, **fields)
    assert [one["status"] for one in await records(owner, pet, "allergies")] == ["active"]
    assert [one["status"] for one in await records(owner, pet, "medications")] == ["active"]


async def test_once_the_owner_knows_who_wrote_it_a_change_asks_the_owner(
    owner: Owner, pet: Json, share: Json, client: httpx.AsyncClient
) -> None:
    note = await leave(client, share, not_allergic_to=["鸡肉"])
    assert (await owner.get("/confirmations"))["items"] == []
    confirmed = await owner.post(f"/vet-notes/{note['id']}/confirm", {"author": "王建国医生"})
    assert (confirmed["status"], confirmed["author"]) == ("confirmed", "王建国医生")
    visit = (await records(owner, pet, "visits"))[0]
    assert (visit["source"], visit["verified"]) == ("vet", True)
    question = (await owner.get("/confirmations"))["items"][0]
    assert question["attribute"] == "allergy:chicken"
    assert [one["status"] for one in await records(owner, pet, "allergies")] == ["active"], (
        "still the owner's to decide"
    )
    again = await owner.post(f"/vet-notes/{note['id']}/confirm", {})
    assert again["status"] == "confirmed"


async def test_what_an_owner_knows_nothing_of_is_taken_back(
    owner: Owner, pet: Json, share: Json, client: httpx.AsyncClient
) -> None:
    note = await leave(client, share, allergies=[{"substance": "头孢"}])
    await owner.post(f"/vet-notes/{note['id']}/reject")
    assert [one["substance"] for one in await records(owner, pet, "allergies")] == ["鸡肉"]
    assert await records(owner, pet, "visits") == []
    assert (await owner.get(f"/pets/{pet['id']}/vet-notes"))["items"][0]["status"] == "rejected"


async def test_a_note_needs_the_passcode_or_a_one_time_code(owner: Owner, pet: Json, client: httpx.AsyncClient) -> None:
    made = await owner.post(f"/pets/{pet['id']}/shares", {"expires_in_hours": 24})
    url = f"{made['url']}/notes"
    assert problem(await client.post(url, json=NOTE)) == (403, "wrong_passcode")
    code = (await owner.post(f"/shares/{made['id']}/note-code"))["code"]
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    assert problem(await client.post(url, json={**NOTE, "code": wrong})) == (403, "wrong_passcode")
    assert (await client.post(url, json={**NOTE, "code": code})).status_code == 201
    assert problem(await client.post(url, json={**NOTE, "code": code})) == (403, "wrong_passcode"), "once only"


async def test_guessing_the_one_time_code_is_stopped(owner: Owner, pet: Json, client: httpx.AsyncClient) -> None:
    made = await owner.post(f"/pets/{pet['id']}/shares", {"expires_in_hours": 24})
    code = (await owner.post(f"/shares/{made['id']}/note-code"))["code"]
    url = f"{made['url']}/notes"
    for number in range(1, 6):
        guess = f"{(int(code) + number) % 1_000_000:06}"
        assert (await client.post(url, json={**NOTE, "code": guess})).status_code == 403
    assert problem(await client.post(url, json={**NOTE, "code": code})) == (429, "too_many_requests")


async def test_a_share_takes_five_notes_a_day(owner: Owner, pet: Json, share: Json, client: httpx.AsyncClient) -> None:
    for _ in range(5):
        await leave(client, share)
    sixth = await client.post(f"{share['url']}/notes", json={**NOTE, "code": "2580"})
    assert problem(sixth) == (409, "too_many")


@pytest.mark.parametrize(
    "fields",
    [
        {"diagnosis": "长" * 201},
        {"note": "长" * 1001},
        {"author": " "},
        {"allergies": [{"substance": "头孢"}] * 6},
        {"diagnosis": None, "treatment": None},
        {"visited_on": "1800-01-01"},
    ],
)
async def test_a_note_is_short_and_says_something(client: httpx.AsyncClient, share: Json, fields: Json) -> None:
    answer = await client.post(f"{share['url']}/notes", json={**NOTE, "code": "2580", **fields})
    assert problem(answer) == (422, "invalid_input")


@pytest.mark.parametrize("fields", [{"author": "\u200b\u200f"}, {"allergies": [{"substance": "\ufeff"}]}])
async def test_invisible_characters_are_no_name(client: httpx.AsyncClient, share: Json, fields: Json) -> None:
    answer = await client.post(f"{share['url']}/notes", json={**NOTE, "code": "2580", **fields})
    assert answer.status_code == 422


async def test_the_pages_own_form_leaves_a_note_without_script(
    owner: Owner, pet: Json, share: Json, client: httpx.AsyncClient
) -> None:
    form = {"author": "王医生", "diagnosis": "外耳炎", "allergies": "头孢、牛肉", "next_on": "", "code": "2580"}
    answer = await client.post(f"{share['url']}/note-form", data=form)
    assert answer.status_code == 303
    assert answer.headers["location"].endswith("note=sent#note")
    assert {one["substance"] for one in await records(owner, pet, "allergies")} == {"鸡肉", "头孢", "牛肉"}
    wrong = await client.post(f"{share['url']}/note-form", data={**form, "code": "0000"})
    assert wrong.status_code == 403
    assert "口令" in wrong.text


@pytest.mark.parametrize("one_time", [True, False], ids=["one-time code", "passcode"])
async def test_a_button_pressed_twice_leaves_one_note_and_shows_success_twice(
    owner: Owner, pet: Json, share: Json, client: httpx.AsyncClient, one_time: bool
) -> None:
    code = (await owner.post(f"/shares/{share['id']}/note-code"))["code"] if one_time else "2580"
    form = {"author": "王医生", "diagnosis": "外耳炎", "code": code}
    presses = [client.post(f"{share['url']}/note-form", data=form) for _ in range(2)]
    answers = [*await asyncio.gather(*presses), await client.post(f"{share['url']}/note-form", data=form)]
    assert [answer.status_code for answer in answers] == [303, 303, 303]
    assert all(answer.headers["location"].endswith("note=sent#note") for answer in answers)
    assert len(await records(owner, pet, "visits")) == 1
    other = await client.post(f"{share['url']}/note-form", data={**form, "diagnosis": "皮炎"})
    assert other.status_code == (403 if one_time else 303)


async def test_numbers_of_people_are_masked_in_a_note(
    owner: Owner, pet: Json, share: Json, client: httpx.AsyncClient
) -> None:
    await leave(client, share, note="有事打13812345678")
    assert "13812345678" not in str(await records(owner, pet, "visits"))


async def test_erasing_a_pet_takes_its_notes(
    owner: Owner, pet: Json, share: Json, client: httpx.AsyncClient, app: FastAPI
) -> None:
    await leave(client, share)
    await owner.delete(f"/pets/{pet['id']}")
    async with app.state.container.transactions.read() as session:
        assert (await session.exec(select(VetNote))).all() == []
    assert (await owner.get("/inbox"))["items"] == []
