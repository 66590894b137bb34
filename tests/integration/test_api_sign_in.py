"""Signing in, rotating, revoking."""

import asyncio

import httpx
import pytest
from sqlalchemy import text

from app.database import Database
from tests.conftest import SignIn
from tests.factories import Owner, problem


async def test_the_same_wechat_identity_is_the_same_owner(sign_in: SignIn) -> None:
    first, again, other = await sign_in("lin"), await sign_in("lin"), await sign_in("wang")
    assert first.id == again.id
    assert other.id != first.id


async def test_a_call_without_a_token_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/me")
    assert problem(answer) == (401, "not_signed_in")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda token: token[:-1] + ("A" if token[-1] != "A" else "B"),
        lambda token: "r" + token[1:],
        lambda token: token.replace(".1.", ".2.", 1),
        lambda token: "",
        lambda token: "a.b.c",
        lambda token: "no token at all",
        lambda token: "令牌",
    ],
)
async def test_a_changed_token_is_refused(owner: Owner, spoil: object) -> None:
    token = spoil(owner.tokens["access_token"])  # type: ignore[operator]  # a lambda of the table
    answer = await owner.ask("GET", "/me", headers=[("Authorization", f"Bearer {token}".encode())])
    assert problem(answer)[0] == 401


async def test_refreshing_gives_a_new_pair_and_the_old_token_answers_the_same_pair(owner: Owner) -> None:
    old = {"refresh_token": owner.tokens["refresh_token"]}
    first = await owner.post("/auth/refresh", old)
    again = await owner.post("/auth/refresh", old)
    assert first["refresh_token"] != owner.tokens["refresh_token"]
    assert {first["access_token"], first["refresh_token"]} == {again["access_token"], again["refresh_token"]}
    assert (await owner.ask("GET", "/me")).status_code == 200  # calls that were on their way still work


async def test_an_old_refresh_token_revokes_the_sign_in(owner: Owner) -> None:
    first = {"refresh_token": owner.tokens["refresh_token"]}
    second = {"refresh_token": (await owner.post("/auth/refresh", first))["refresh_token"]}
    third = {"refresh_token": (await owner.post("/auth/refresh", second))["refresh_token"]}
    assert problem(await owner.ask("POST", "/auth/refresh", first)) == (401, "refresh_token_reused")
    assert problem(await owner.ask("POST", "/auth/refresh", third)) == (401, "refresh_token_reused")
    assert problem(await owner.ask("GET", "/me")) == (401, "not_signed_in")


async def test_the_previous_token_is_dead_after_a_minute(owner: Owner, database: Database) -> None:
    old = {"refresh_token": owner.tokens["refresh_token"]}
    await owner.post("/auth/refresh", old)
    long_ago = "2020-01-01T00:00:00.000000Z"
    async with database.write() as session:
        await (await session.connection()).execute(text(f"UPDATE sign_in_sessions SET rotated_at = '{long_ago}'"))  # noqa: S608  # a constant
    assert problem(await owner.ask("POST", "/auth/refresh", old)) == (401, "refresh_token_reused")


async def test_two_refreshes_at_once_answer_one_pair(owner: Owner) -> None:
    old = {"refresh_token": owner.tokens["refresh_token"]}
    answers = await asyncio.gather(*(owner.ask("POST", "/auth/refresh", old) for _ in range(6)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["refresh_token"] for answer in answers}) == 1


async def test_two_first_sign_ins_at_once_make_one_owner(client: httpx.AsyncClient) -> None:
    calls = [client.post("/v1/auth/wechat", json={"code": "dev:new"}) for _ in range(6)]
    answers = await asyncio.gather(*calls)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["owner"]["id"] for answer in answers}) == 1


async def test_an_access_token_does_not_refresh(owner: Owner) -> None:
    answer = await owner.ask("POST", "/auth/refresh", {"refresh_token": owner.tokens["access_token"]})
    assert problem(answer) == (401, "not_signed_in")


async def test_signing_out_ends_this_device_only(sign_in: SignIn) -> None:
    phone, tablet = await sign_in("lin"), await sign_in("lin")
    await phone.post("/auth/logout")
    assert problem(await phone.ask("GET", "/me")) == (401, "not_signed_in")
    assert (await tablet.ask("GET", "/me")).status_code == 200


async def test_wechat_is_asked_only_when_it_is_configured(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/auth/wechat", json={"code": "0a1B2c"})
    assert problem(answer) == (503, "wechat_not_configured")


async def test_no_token_and_no_plain_identity_is_stored(owner: Owner, database: Database) -> None:
    async with database.read() as session:
        connection = await session.connection()
        rows = [*await connection.execute(text("SELECT * FROM owners"))]
        rows += [*await connection.execute(text("SELECT * FROM sign_in_sessions"))]
    held = str(rows)
    assert owner.tokens["access_token"].rpartition(".")[2] not in held
    assert [row.openid for row in rows[:1]] != ["lin"]
