"""Questions only the owner can settle, through the API; and the prompts that tell of them."""

import asyncio
from typing import Any

import pytest

from tests.conftest import SignIn
from tests.factories import Json, Owner, problem

DAY_1 = "2026-03-01T10:00:00+08:00"
DAY_14 = "2026-03-15T09:59:00+08:00"
DAY_15 = "2026-03-15T10:00:01+08:00"


@pytest.fixture
async def question(owner: Owner) -> Json:
    """豆豆 is allergic to chicken on record; the owner says in chat that it was a mistake."""
    pet = await owner.at("2026-02-20T10:00:00+08:00").pet()
    await owner.record(pet, "allergies", substance="鸡肉")
    await owner.at(DAY_1).post("/chat/turns", {"text": "豆豆对鸡肉不过敏，是我记错了", "client_msg_id": "m1"})
    asked: list[Json] = (await owner.get("/confirmations", status="pending"))["items"]
    assert len(asked) == 1
    return asked[0] | {"pet_id": pet["id"]}


async def answer(owner: Owner, question: Json, given: str) -> Any:
    return await owner.ask("POST", f"/confirmations/{question['id']}/answer", {"answer": given})


async def current_allergies(owner: Owner, question: Json) -> list[str]:
    rows = (await owner.get(f"/pets/{question['pet_id']}/allergies"))["items"]
    return [row["substance"] for row in rows if row["status"] == "active"]


async def test_a_question_shows_what_is_known_and_what_was_said(owner: Owner, question: Json) -> None:
    assert question["subject"] == question["pet_id"]
    assert "鸡肉" in question["old"]["content"]
    assert question["old"]["record_kind"] == "allergies"
    assert question["evidence"][0]["quote"] in "豆豆对鸡肉不过敏，是我记错了"
    assert question["question"]
    assert question["lapses_at"] == "2026-03-15T02:00:00Z"
    assert (question["answer"], question["answered_at"]) == (None, None)
    one = await owner.get(f"/confirmations/{question['id']}")
    assert one == {name: value for name, value in question.items() if name != "pet_id"}


@pytest.mark.parametrize(
    ("given", "status", "allergies"),
    [("accept", "accepted", []), ("keep", "kept", ["鸡肉"]), ("watch", "watching", ["鸡肉"])],
)
async def test_each_answer_does_what_it_says(
    owner: Owner, question: Json, given: str, status: str, allergies: list[str]
) -> None:
    done = await answer(owner, question, given)
    assert (done.status_code, done.json()["status"], done.json()["answer"]) == (200, status, given)
    assert await current_allergies(owner, question) == allergies
    assert (await owner.get("/confirmations", status="pending"))["items"] == []
    assert len((await owner.get("/confirmations", status=status))["items"]) == 1


async def test_the_same_answer_twice_is_fine_and_another_is_too_late(owner: Owner, question: Json) -> None:
    first = await answer(owner, question, "keep")
    again = await answer(owner, question, "keep")
    assert (again.status_code, again.json()) == (200, first.json())
    assert problem(await answer(owner, question, "accept")) == (409, "already_answered")
    assert await current_allergies(owner, question) == ["鸡肉"]


async def test_two_phones_at_once_cannot_both_win(owner: Owner, question: Json) -> None:
    given = ("accept", "keep", "watch", "accept", "keep")
    answers = await asyncio.gather(*(answer(owner, question, one) for one in given))
    won = {one.json()["status"] for one in answers if one.status_code == 200}
    assert len(won) == 1
    assert {one.status_code for one in answers} <= {200, 409}
    assert await current_allergies(owner, question) == ([] if won == {"accepted"} else ["鸡肉"])


async def test_after_fourteen_days_the_question_is_over_and_the_fact_stays(owner: Owner, question: Json) -> None:
    assert len((await owner.at(DAY_14).get("/confirmations", status="pending"))["items"]) == 1
    owner.at(DAY_15)
    assert (await owner.get("/confirmations", status="pending"))["items"] == []
    assert [one["status"] for one in (await owner.get("/confirmations", status="lapsed"))["items"]] == ["lapsed"]
    assert problem(await answer(owner, question, "accept")) == (409, "confirmation_lapsed")
    assert await current_allergies(owner, question) == ["鸡肉"]


async def test_an_unknown_answer_is_refused(owner: Owner, question: Json) -> None:
    assert problem(await answer(owner, question, "maybe")) == (422, "invalid_input")


async def test_questions_are_narrowed_to_a_pet(owner: Owner, question: Json) -> None:
    other = await owner.pet("咪咪", "cat")
    assert len((await owner.get("/confirmations", pet_id=question["pet_id"]))["items"]) == 1
    assert (await owner.get("/confirmations", pet_id=other["id"]))["items"] == []


async def test_the_inbox_tells_of_a_question_and_remembers_when_it_was_read(owner: Owner, question: Json) -> None:
    prompts = (await owner.get("/inbox"))["items"]
    assert [one["link"]["confirmation_id"] for one in prompts] == [question["id"]]
    assert prompts[0]["read_at"] is None
    read = await owner.post(f"/inbox/{prompts[0]['id']}/read")
    again = await owner.at(DAY_14).post(f"/inbox/{prompts[0]['id']}/read")
    assert read["read_at"] == again["read_at"] == "2026-03-01T02:00:00Z"
    assert (await owner.get("/inbox", unread=True))["items"] == []
    assert len((await owner.get("/inbox"))["items"]) == 1


async def test_deleting_what_was_in_question_ends_the_question(owner: Owner, question: Json) -> None:
    await owner.delete(f"/memories/{question['old']['memory_id']}")
    assert (await owner.get("/confirmations", status="pending"))["items"] == []
    assert problem(await answer(owner, question, "accept")) == (409, "already_answered")


async def test_an_answer_to_a_question_that_a_newer_one_replaced_names_the_newer(owner: Owner) -> None:
    pet = await owner.pet("阿福", "dog")
    await owner.at(DAY_1).post("/chat/turns", {"text": "阿福每天早晚各一片呋塞米", "client_msg_id": "a"})
    for number, text in enumerate(("医生让阿福呋塞米减到半片", "阿福呋塞米加到两片了，医生说的")):
        await owner.at(DAY_1).post("/chat/turns", {"text": text, "client_msg_id": f"b{number}"})
    rows = (await owner.get("/confirmations", pet_id=pet["id"]))["items"]
    assert [row["status"] for row in rows] == ["pending", "void"]
    refused = await owner.ask("POST", f"/confirmations/{rows[1]['id']}/answer", {"answer": "accept"})
    assert problem(refused) == (409, "newer_candidate")
    assert refused.json()["confirmation_id"] == rows[0]["id"]
    assert refused.json()["question"] == rows[0]["question"]


async def test_a_question_about_a_pet_that_is_gone_is_unknown(owner: Owner, question: Json) -> None:
    pets = (await owner.get("/pets"))["items"]
    for pet in pets:
        await owner.delete(f"/pets/{pet['id']}")
    refused = await owner.ask("POST", f"/confirmations/{question['id']}/answer", {"answer": "accept"})
    assert problem(refused) == (404, "not_found")
    assert (await owner.get("/confirmations"))["items"] == []


async def test_a_foreign_and_an_unknown_question_are_alike(owner: Owner, question: Json, sign_in: SignIn) -> None:
    stranger = await sign_in("wang")
    for asker, known in ((stranger, question["id"]), (owner, "0197f0a5-9e3d-7164-8a2b-3c4d5e6f7a86")):
        refused = await asker.ask("POST", f"/confirmations/{known}/answer", {"answer": "keep"})
        assert problem(refused) == (404, "not_found")


async def test_a_phone_whose_clock_is_behind_the_question_may_still_answer_it(owner: Owner, question: Json) -> None:
    early = "2020-01-01T00:00:00+08:00"
    answered = await owner.at(early).post(f"/confirmations/{question['id']}/answer", {"answer": "keep"})
    assert answered["status"] == "kept"
    again = await owner.at("2026-12-01T00:00:00+08:00").post(
        f"/confirmations/{question['id']}/answer", {"answer": "keep"}
    )
    assert again["status"] == "kept"


async def test_what_is_watched_is_listed_with_its_evidence(owner: Owner) -> None:
    pet = await owner.pet("煤球", "dog")
    await owner.at(DAY_1).post("/chat/turns", {"text": "煤球对牛肉过敏", "client_msg_id": "a"})
    said = "煤球中午抢了一口牛肉，到现在都好好的"
    await owner.post("/chat/turns", {"text": said, "client_msg_id": "b"})
    (watched,) = (await owner.get("/memories", subject=pet["id"], status="candidate"))["items"]
    (evidence,) = watched["evidence"]
    assert evidence["quote"] == said
    assert evidence["source"] == "chat"
    assert evidence["message_id"]
    assert evidence["said_at"].startswith(DAY_1[:10])
