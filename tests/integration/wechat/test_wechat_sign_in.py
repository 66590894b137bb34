"""Signing in with a code of WeChat, and the phone number behind a button."""

import asyncio

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.database import Database
from tests.factories import Owner, problem
from tests.fakes.wechat.server import FakeWeChat
from tests.fakes.wechat.world import OPENID, World

LOGIN, PHONE = "/sns/jscode2session", "/wxa/business/getuserphonenumber"


def code_of(world: World, openid: str | None = None) -> str:
    return world.code("login", world.person(openid).openid)


async def sign_in(client: httpx.AsyncClient, code: str) -> httpx.Response:
    return await client.post("/v1/auth/wechat", json={"code": code})


async def test_the_same_person_is_the_same_owner(client: httpx.AsyncClient, fake: FakeWeChat) -> None:
    person = fake.world.person()
    answers = [await sign_in(client, code_of(fake.world, person.openid)) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json()["owner"]["id"] == answers[1].json()["owner"]["id"]


async def test_one_code_sent_many_times_at_once_is_one_sign_in(client: httpx.AsyncClient, fake: FakeWeChat) -> None:
    code = code_of(fake.world)
    answers = await asyncio.gather(*(sign_in(client, code) for _ in range(5)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["refresh_token"] for answer in answers}) == 1
    assert fake.world.calls(LOGIN) == 1
    assert (await sign_in(client, code)).json()["refresh_token"] == answers[0].json()["refresh_token"]


async def test_a_cold_start_with_three_codes_makes_one_owner(client: httpx.AsyncClient, fake: FakeWeChat) -> None:
    person = fake.world.person()
    codes = [code_of(fake.world, person.openid) for _ in range(3)]
    answers = await asyncio.gather(*(sign_in(client, code) for code in codes))
    assert len({answer.json()["owner"]["id"] for answer in answers}) == 1


async def test_a_code_that_another_replica_used_asks_to_sign_in_again(
    client: httpx.AsyncClient, fake: FakeWeChat
) -> None:
    code = code_of(fake.world)
    fake.world.codes[code].used = True
    assert problem(await sign_in(client, code)) == (401, "wechat_code_refused")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("errcode:40029", (401, "wechat_code_refused")),
        ("errcode:40163", (401, "wechat_code_refused")),
        ("system_busy", (401, "wechat_code_refused")),
        ("errcode:40226", (403, "wechat_user_blocked")),
        ("errcode:45011", (429, "wechat_too_often")),
        ("errcode:40125", (503, "wechat_misconfigured")),
        ("errcode:40164", (503, "wechat_misconfigured")),
        ("errcode:61234", (503, "wechat_unavailable")),
        ("http_502", (503, "wechat_unavailable")),
        ("http_200_html", (503, "wechat_unavailable")),
        ("empty_body", (503, "wechat_unavailable")),
        ("malformed_json", (503, "wechat_unavailable")),
        ("reset_mid_body", (503, "wechat_unavailable")),
    ],
)
async def test_what_wechat_refuses_has_a_stable_code_and_is_asked_once(
    client: httpx.AsyncClient, fake: FakeWeChat, kind: str, expected: tuple[int, str]
) -> None:
    fake.inject(LOGIN, kind)
    answer = await sign_in(client, code_of(fake.world))
    assert problem(answer) == expected
    assert fake.world.calls(LOGIN) == 1
    assert ("retry-after" in answer.headers) == (expected[0] == 429)


@pytest.mark.parametrize("kind", ["bom", "extra_fields", "errcode_as_string", "text_plain"])
async def test_odd_forms_of_a_success_are_taken(client: httpx.AsyncClient, fake: FakeWeChat, kind: str) -> None:
    fake.inject(LOGIN, kind)
    assert (await sign_in(client, code_of(fake.world))).status_code == 200


async def test_no_session_key_and_no_plain_openid_is_stored(
    client: httpx.AsyncClient, fake: FakeWeChat, database: Database
) -> None:
    person = fake.world.person()
    await sign_in(client, code_of(fake.world, person.openid))
    async with database.read() as session:
        connection = await session.connection()
        rows = [*await connection.execute(text("SELECT * FROM owners"))]
        rows += [*await connection.execute(text("SELECT * FROM sign_in_sessions"))]
    held = str(rows)
    assert person.session_key
    assert person.session_key not in held
    assert person.openid not in held


async def test_a_phone_number_comes_by_its_own_code_and_is_shown_masked(
    owner: Owner, fake: FakeWeChat, app: FastAPI, database: Database
) -> None:
    person = fake.world.person(OPENID)
    code = fake.world.code("phone", person.openid)
    answers = await asyncio.gather(*(owner.ask("PUT", "/me", {"phone_code": code}) for _ in range(2)))
    assert [answer.json()["phone"] for answer in answers] == ["138****5678"] * 2
    assert fake.world.counters["phone_billed"] == 1
    async with database.read() as session:
        row = (await (await session.connection()).execute(text("SELECT phone_encrypted FROM owners"))).one()
    assert "13812345678" not in row.phone_encrypted
    assert app.state.container.keys.open(row.phone_encrypted) == "+8613812345678"


async def test_numbers_that_wechat_bills_are_asked_for_ten_times_an_hour(owner: Owner, fake: FakeWeChat) -> None:
    codes = [fake.world.code("phone", OPENID) for _ in range(11)]
    answers = [await owner.ask("PUT", "/me", {"phone_code": code}) for code in codes]
    assert [answer.status_code for answer in answers[:-1]] == [200] * 10
    assert problem(answers[-1]) == (429, "too_many_requests")
    assert fake.world.counters["phone_billed"] == 10


@pytest.mark.parametrize("kind", ["login", "phone"])
async def test_a_code_of_the_wrong_kind_or_a_used_one_does_not_sign_anybody_out(
    owner: Owner, fake: FakeWeChat, kind: str
) -> None:
    code = fake.world.code(kind, OPENID)
    fake.world.codes[code].used = True
    assert problem(await owner.ask("PUT", "/me", {"phone_code": code})) == (422, "wechat_phone_code_refused")


async def test_bodies_are_plain_utf8_without_escapes(owner: Owner, fake: FakeWeChat) -> None:
    await owner.ask("PUT", "/me", {"phone_code": "豆豆"})
    (sent,) = [one for one in fake.world.requests if one.path == PHONE]
    assert sent.body == '{"code":"豆豆"}'.encode()
    assert list(sent.query) == ["access_token"]
