"""Sharing a record with a vet: links, passcodes, who looked, and what a link that does not open says."""

import re
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from fastapi import FastAPI
from sqlmodel import col, select, update

from domain.shares import SECTIONS, ShareOpening, VetShare
from jobs.purge import purge
from tests.factories import Json, Owner, problem

BROWSER = {"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) MicroMessenger/8.0.54"}


@pytest.fixture
async def pet(owner: Owner) -> Json:
    """A dog with an allergy."""
    made = await owner.pet("豆豆", breed="柯基")
    await owner.record(made, "allergies", substance="鸡肉", category="food", reaction="抓耳朵", criticality="high")
    return made


async def share(owner: Owner, pet: Json, **fields: object) -> Json:
    made: Json = await owner.post(f"/pets/{pet['id']}/shares", {"expires_in_hours": 24, **fields})
    return made


async def test_a_vet_opens_the_link_without_an_account(owner: Owner, pet: Json, client: httpx.AsyncClient) -> None:
    made = await share(owner, pet)
    answer = await client.get(made["url"], headers=BROWSER)
    assert answer.status_code == 200
    assert "鸡肉" in answer.text
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "noindex" in answer.headers["x-robots-tag"]
    assert "script" not in answer.headers["content-security-policy"]
    assert "<script" not in answer.text
    assert not re.search(r"""(?:src|href|action)=["']?(?:https?:)?//""", answer.text)


async def test_a_link_has_at_least_128_bits_and_is_stored_hashed(owner: Owner, pet: Json, app: FastAPI) -> None:
    made = await share(owner, pet)
    token = made["url"].rpartition("/")[2]
    assert re.fullmatch(r"[A-Za-z0-9_-]{22,32}", token)
    async with app.state.container.transactions.read() as session:
        row = (await session.exec(select(VetShare))).one()
        assert token not in str(row.model_dump())
    assert made["qr_svg"].startswith("<svg")
    assert made["mini_code_url"] is None
    assert made["sections"] == list(SECTIONS)


async def test_a_repeated_creation_answers_the_same_link(owner: Owner, pet: Json) -> None:
    path, key = f"/pets/{pet['id']}/shares", {"Idempotency-Key": "share-1"}
    first = await owner.post(path, {"expires_in_hours": 1, "passcode": "2580"}, headers=key)
    again = await owner.post(path, {"expires_in_hours": 1, "passcode": "2580"}, headers=key)
    assert first["url"] == again["url"]
    assert len((await owner.get(path))["items"]) == 1


@pytest.mark.parametrize("hours", [0, 721])
async def test_a_share_lives_between_an_hour_and_thirty_days(owner: Owner, pet: Json, hours: int) -> None:
    answer = await owner.ask("POST", f"/pets/{pet['id']}/shares", {"expires_in_hours": hours})
    assert problem(answer) == (422, "invalid_input")


async def test_wrong_expired_revoked_and_unknown_links_look_the_same(
    owner: Owner, pet: Json, client: httpx.AsyncClient, app: FastAPI
) -> None:
    revoked, expired, live = [await share(owner, pet) for _ in range(3)]
    await owner.delete(f"/shares/{revoked['id']}")
    async with app.state.container.transactions.write() as session:
        past = datetime.now(UTC) - timedelta(seconds=1)
        await session.exec(update(VetShare).where(col(VetShare.id) == expired["id"]).values(expires_at=past))
    urls = [revoked["url"], expired["url"], live["url"][:-1] + "~", "http://test/vet/x", "http://test/vet/" + "A" * 24]
    for suffix in ("", "/record.json", "/fhir"):
        answers = [await client.get(url + suffix, headers=BROWSER) for url in urls]
        assert {answer.status_code for answer in answers} == {404}
        told = {answer.text.replace(answer.headers["x-request-id"], "") for answer in answers}
        assert len(told) == 1, suffix
        differing = ("x-request-id", "date")
        kept = [{k: v for k, v in answer.headers.items() if k not in differing} for answer in answers]
        assert all(headers == kept[0] for headers in kept)


async def test_a_revoked_link_is_dead_at_once(owner: Owner, pet: Json, client: httpx.AsyncClient) -> None:
    made = await share(owner, pet)
    assert (await client.get(made["url"])).status_code == 200
    await owner.delete(f"/shares/{made['id']}")
    assert (await client.get(made["url"])).status_code == 404
    shown = await owner.get(f"/shares/{made['id']}")
    assert (shown["status"], shown["url"], shown["qr_svg"]) == ("revoked", None, None)


async def test_owner_sees_who_opened_the_record(owner: Owner, pet: Json, client: httpx.AsyncClient) -> None:
    made = await share(owner, pet, sections=["identity", "alerts"], recipient="阳光动物医院")
    await client.get(made["url"], headers=BROWSER)
    await client.get(f"{made['url']}/record.json", headers=BROWSER)
    listed = (await owner.get(f"/pets/{pet['id']}/shares"))["items"][0]
    assert listed["recipient"] == "阳光动物医院"
    assert listed["opened_count"] == 2
    newest = listed["openings"][0]
    assert (newest["client"], newest["opened_as"]) == ("手机 · 微信", "json")
    assert newest["sections"] == ["identity", "alerts"]


@pytest.mark.parametrize(
    "agent",
    [
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "facebookexternalhit/1.1",
        "TelegramBot (like TwitterBot)",
        "Mozilla/5.0 (compatible; Baiduspider/2.0)",
        "Slackbot-LinkExpanding 1.0",
    ],
)
async def test_a_link_preview_sees_nothing_and_changes_nothing(
    owner: Owner, pet: Json, client: httpx.AsyncClient, agent: str
) -> None:
    made = await share(owner, pet)
    for suffix in ("", "/record.json", "/fhir"):
        answer = await client.get(made["url"] + suffix, headers={"User-Agent": agent})
        assert "豆豆" not in answer.text
        assert "鸡肉" not in answer.text
    assert (await client.head(made["url"])).status_code == 200
    assert (await owner.get(f"/shares/{made['id']}"))["opened_count"] == 0
    assert (await client.get(made["url"], headers=BROWSER)).status_code == 200


async def test_a_passcode_is_asked_for_before_anything_is_shown(
    owner: Owner, pet: Json, client: httpx.AsyncClient
) -> None:
    made = await share(owner, pet, passcode="2580")
    asked = await client.get(made["url"])
    assert asked.status_code == 200
    assert "豆豆" not in asked.text
    assert problem(await client.get(f"{made['url']}/record.json")) == (401, "passcode_needed")
    wrong = await client.post(made["url"], data={"passcode": "0000"})
    assert wrong.status_code == 403
    assert "豆豆" not in wrong.text
    right = await client.post(made["url"], data={"passcode": "2580"})
    assert right.status_code == 303
    assert "鸡肉" in (await client.get(made["url"])).text
    other = await share(owner, pet, passcode="1111")
    assert "鸡肉" not in (await client.get(other["url"])).text
    header = {"X-Vet-Passcode": "2580"}
    client.cookies.clear()
    assert (await client.get(f"{made['url']}/record.json", headers=header)).status_code == 200


@pytest.mark.parametrize("passcode", ["\u200b" * 4, "12\u200b34", "25\u202e80", "   1  ", "\u3164" * 6])
async def test_a_passcode_that_cannot_be_typed_or_read_out_is_refused(owner: Owner, pet: Json, passcode: str) -> None:
    body = {"expires_in_hours": 1, "passcode": passcode}
    assert problem(await owner.ask("POST", f"/pets/{pet['id']}/shares", body))[0] == 422


async def test_guessing_a_passcode_is_stopped_and_the_owner_is_told(
    owner: Owner, pet: Json, client: httpx.AsyncClient
) -> None:
    made = await share(owner, pet, passcode="2580")
    tried = [(await client.post(made["url"], data={"passcode": f"{number:04}"})).status_code for number in range(7)]
    assert tried == [403] * 5 + [429] * 2
    assert (await client.post(made["url"], data={"passcode": "2580"})).status_code == 429
    assert any(one["kind"] == "share" for one in (await owner.get("/inbox"))["items"])


async def test_guessing_links_is_slowed_down(client: httpx.AsyncClient, owner: Owner, pet: Json) -> None:
    made = await share(owner, pet)
    answers = [await client.get(f"http://test/vet/{number:024}") for number in range(40)]
    assert [answer.status_code for answer in answers].count(404) <= 31
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert (await client.get(made["url"])).status_code == 429, "or a guesser would see which guess was right"


async def test_erasing_a_pet_takes_its_shares_and_their_log(owner: Owner, pet: Json, app: FastAPI) -> None:
    made = await share(owner, pet)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test") as vet:
        await vet.get(made["url"], headers=BROWSER)
        await owner.delete(f"/pets/{pet['id']}")
        assert (await vet.get(made["url"], headers=BROWSER)).status_code == 404
    async with app.state.container.transactions.read() as session:
        assert (await session.exec(select(VetShare))).all() == []
        assert (await session.exec(select(ShareOpening))).all() == []


async def test_a_share_and_its_log_go_half_a_year_after_its_end(owner: Owner, pet: Json, app: FastAPI) -> None:
    made = await share(owner, pet)
    container = app.state.container
    async with container.transactions.write() as session:
        long_ago = datetime.now(UTC) - timedelta(days=181)
        await session.exec(update(VetShare).values(expires_at=long_ago))
    await purge(container.purge_parts())
    assert problem(await owner.ask("GET", f"/shares/{made['id']}")) == (404, "unknown_share")
