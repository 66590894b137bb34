"""Feedback on an answer teaches trust, and never changes a medical fact."""

import pytest

from tests.conftest import SignIn, on_sqlite
from tests.factories import Json, Owner, problem


async def ask(owner: Owner, text: str, number: int) -> Json:
    told: Json = await owner.post("/chat/turns", {"text": text, "client_msg_id": f"said-{number}"})
    return told


@pytest.fixture
async def answer(owner: Owner) -> Json:
    """An answer that used a memory."""
    await owner.pet()
    await ask(owner, "豆豆喜欢啃绳结玩具", 1)
    told = await ask(owner, "豆豆喜欢什么玩具？", 2)
    assert told["citations"]
    return told


async def wrong(owner: Owner, answer: Json) -> Json:
    body = {"kind": "wrong", "memory_id": answer["citations"][0]["memory_id"]}
    made: Json = await owner.post(f"/chat/turns/{answer['turn_id']}/feedback", body)
    return made


async def test_a_wrong_memory_is_trusted_less_once(owner: Owner, answer: Json) -> None:
    memory_id = answer["citations"][0]["memory_id"]
    before = (await owner.get(f"/memories/{memory_id}"))["confidence"]
    first, second = await wrong(owner, answer), await wrong(owner, answer)
    assert first["correction"]["trust_lowered"] is True
    assert second["correction"]["trust_lowered"] is False
    after = (await owner.get(f"/memories/{memory_id}"))["confidence"]
    assert after == pytest.approx(before * 0.6, abs=0.01)
    versions = (await owner.get(f"/memories/{memory_id}/history"))["items"]
    assert versions[-1]["reason"] == "owner_said_wrong"


async def test_a_tap_never_changes_a_medical_fact(owner: Owner) -> None:
    pet = await owner.pet()
    await owner.record(pet, "allergies", substance="鸡肉", category="food")
    told = await ask(owner, "豆豆对什么过敏？", 1)
    before = (await owner.get(f"/memories/{told['citations'][0]['memory_id']}"))["confidence"]
    made = await wrong(owner, told)
    assert made["correction"]["record_kind"] == "allergies"
    assert made["correction"]["trust_lowered"] is False
    assert made["correction"]["confidence"] == before
    (allergy,) = (await owner.get(f"/pets/{pet['id']}/allergies"))["items"]
    assert allergy["status"] == "active"


@on_sqlite
async def test_a_helpful_answer_is_kept_and_offers_nothing(owner: Owner, answer: Json) -> None:
    made = await owner.post(f"/chat/turns/{answer['turn_id']}/feedback", {"kind": "helpful"})
    assert made == {"kind": "helpful", "correction": None}


async def test_feedback_on_what_was_not_used_is_refused(owner: Owner, answer: Json, sign_in: SignIn) -> None:
    path = f"/chat/turns/{answer['turn_id']}/feedback"
    other = {"kind": "wrong", "memory_id": "0197f0a3-11d1-7d90-a1c4-0e7f3b6a5c22"}
    assert problem(await owner.ask("POST", path, other)) == (404, "not_found")
    assert problem(await owner.ask("POST", path, {"kind": "sideways"})) == (422, "invalid_input")
    stranger = await sign_in("stranger")
    assert problem(await stranger.ask("POST", path, {"kind": "wrong"})) == (404, "unknown_turn")
