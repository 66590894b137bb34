"""The owner's page: profile, phone, quiet hours, consents."""

import pytest
from sqlalchemy import text
from sqlmodel import col, select

from app.database import Database
from domain.owners import POLICIES, Consent, Policy
from tests.conftest import on_sqlite
from tests.factories import Owner, problem


async def test_only_the_given_fields_change(owner: Owner) -> None:
    before = await owner.get("/me")
    after = await owner.put("/me", {"nickname": "小林", "quiet_hours": {"from": "23:30:00", "to": "07:00"}})
    assert after == before | {"nickname": "小林", "quiet_hours": {"from": "23:30", "to": "07:00"}}
    assert await owner.get("/me") == after
    assert (await owner.put("/me", {"nickname": None}))["nickname"] is None


async def test_a_phone_number_is_shown_masked_and_stored_sealed(owner: Owner, database: Database) -> None:
    assert (await owner.put("/me", {"phone_code": "dev:13812345678"}))["phone"] == "138****5678"
    async with database.read() as session:
        rows = str([*await (await session.connection()).execute(text("SELECT * FROM owners"))])
    assert "13812345678" not in rows
    assert "12345678" not in rows
    assert (await owner.put("/me", {"phone_code": None}))["phone"] is None


@pytest.mark.parametrize(
    "given",
    [
        {"timezone": "Mars/Olympus"},
        {"quiet_hours": {"from": "22:00"}},
        {"quiet_hours": {"from": "25:00", "to": "08:00"}},
        {"nickname": "很" * 31},
        {"preferences": {"x": "很" * 5000}},
        {"openid": "mine now"},
    ],
)
@on_sqlite
async def test_an_impossible_profile_is_refused(owner: Owner, given: dict[str, object]) -> None:
    assert problem(await owner.ask("PUT", "/me", given)) == (422, "invalid_input")


async def test_nothing_is_granted_before_it_is_asked(owner: Owner) -> None:
    granted = {one["purpose"]: one["granted"] for one in (await owner.get("/me/consents"))["items"]}
    assert granted == {"long_term_memory": True, "model_provider": False, "push": False}  # the helper agreed to one


async def test_a_consent_can_be_taken_back(owner: Owner) -> None:
    await owner.agree("push")
    await owner.agree("push", granted=False)
    rows = {one["purpose"]: one for one in (await owner.get("/me/consents"))["items"]}
    assert rows["push"]["granted"] is False
    assert rows["push"]["at"] is not None


async def test_agreeing_to_an_old_text_is_refused_and_withdrawing_never(owner: Owner) -> None:
    old = {"purpose": "push", "version": "2020-01", "granted": True}
    answer = await owner.ask("PUT", "/me/consents", old)
    assert problem(answer) == (409, "outdated_policy")
    assert answer.json()["current_version"] == POLICIES["push"].version
    assert (await owner.ask("PUT", "/me/consents", old | {"granted": False})).status_code == 200


async def test_the_texts_can_be_read_before_signing_in(owner: Owner) -> None:
    del owner.client.headers["Authorization"]
    texts = (await owner.get("/policies"))["items"]
    assert {one["purpose"] for one in texts} == {"long_term_memory", "model_provider", "push"}
    assert all(one["version"] == POLICIES[one["purpose"]].version and one["text"] for one in texts)


@on_sqlite
async def test_a_new_text_of_one_purpose_asks_again_for_that_purpose_alone(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    await owner.agree("push")
    await owner.pet("豆豆")
    monkeypatch.setitem(POLICIES, "long_term_memory", Policy("2027-03", "新的条款"))
    rows = {one["purpose"]: one for one in (await owner.get("/me/consents"))["items"]}
    assert (rows["long_term_memory"]["granted"], rows["long_term_memory"]["outdated"]) == (False, True)
    assert (rows["push"]["granted"], rows["push"]["outdated"]) == (True, False)
    texts = {one["purpose"]: one["version"] for one in (await owner.get("/policies"))["items"]}
    assert texts["long_term_memory"] == "2027-03" != texts["push"]

    told = await owner.post("/chat/turns", {"text": "豆豆怕打雷", "client_msg_id": "old"})
    assert told["memories"] == []
    await owner.agree()
    told = await owner.post("/chat/turns", {"text": "豆豆怕打雷呢", "client_msg_id": "new"})
    assert told["memories"]


@on_sqlite
async def test_every_decision_is_kept_with_the_version_it_was_about(owner: Owner, database: Database) -> None:
    await owner.agree("push")
    await owner.agree("push", granted=False)
    async with database.read() as session:
        rows = await session.exec(select(Consent).where(col(Consent.purpose) == "push").order_by(col(Consent.id)))
        assert [(row.granted, row.version) for row in rows.all()] == [(True, "2026-11"), (False, "2026-11")]
