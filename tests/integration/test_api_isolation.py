"""Two households with pets of the same names: whatever one asks for, nothing of the other is told or touched.

Every call is made from the OpenAPI document, so that a new one is covered by itself, and fails here as long as
`tests/confusable_households.py` has no id for its path.
"""

import re
from typing import Any

import pytest
from fastapi import FastAPI

from domain.owners import Owner, scope_of
from domain.portability.exporting import export_household
from tests.conftest import SignIn
from tests.confusable_households import MARCH, PARAMETER, House, body_of, open_house, operations
from tests.factories import Json, problem

PUBLIC = {"/v1/auth/wechat", "/v1/auth/refresh", "/v1/policies", "/v1/erasures/{receipt}"}
"""Calls below /v1 that answer without a token; a receipt is a secret of its own."""
WORDS = ("鹧鸪紫苏", "鹧鸪紫藤")


@pytest.fixture
async def houses(app: FastAPI, sign_in: SignIn) -> tuple[House, House]:
    return await open_house(app, await sign_in("lin"), WORDS[0]), await open_house(app, await sign_in("wang"), WORDS[1])


async def test_the_ids_of_another_household_are_unknown_to_every_call_and_nothing_is_touched(
    app: FastAPI, houses: tuple[House, House]
) -> None:
    theirs, mine = houses
    before = await everything_of(app, theirs)
    asked = 0
    for method, path, operation in operations(app):
        if path in PUBLIC or not PARAMETER.search(path):
            continue
        answer = await mine.owner.ask(method, theirs.fill(path), body_of(app, operation))
        assert problem(answer)[0] == 404, f"{method} {path} → {answer.status_code} {answer.text}"
        assert not theirs.is_told_in(re.sub(r'"instance":"[^"]*"', "", answer.text)), f"{method} {path} {answer.text}"
        asked += 1
    assert asked > 80
    assert await everything_of(app, theirs) == before


async def test_an_unknown_id_and_another_households_id_are_refused_in_the_same_words(
    app: FastAPI, houses: tuple[House, House]
) -> None:
    theirs, mine = houses
    for method, path, operation in operations(app):
        if path in PUBLIC or not PARAMETER.search(path):
            continue
        filled, body = theirs.fill(path), body_of(app, operation)
        nobodys = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "01a22a57-0000-7000-8000-000000000000", filled)
        foreign, unknown = [await mine.owner.ask(method, one, body) for one in (filled, nobodys)]
        assert _refusal(foreign) == _refusal(unknown), f"{method} {path}"


async def test_no_list_search_or_export_holds_anything_of_another_household(
    app: FastAPI, houses: tuple[House, House]
) -> None:
    theirs, mine = houses
    for method, path, operation in operations(app):
        if method != "GET" or PARAMETER.search(path):
            continue
        for given in _questions(operation, theirs):
            answer = await mine.owner.ask("GET", path.removeprefix("/v1"), params=given)
            assert answer.is_success or problem(answer)[0] in (404, 422), f"{path} {given} → {answer.text}"
            assert not theirs.is_told_in(_echo_free(answer.text, given)), f"{path} {given}"
    assert not theirs.is_told_in(await everything_of(app, mine))


async def test_ids_of_another_household_in_a_body_lead_nowhere(app: FastAPI, houses: tuple[House, House]) -> None:
    theirs, mine = houses
    before = await everything_of(app, theirs)
    bodies = 0
    for method, path, operation in operations(app):
        body = body_of(app, operation)
        if path in PUBLIC or not isinstance(body, dict):
            continue
        for name in {"subject", "pet_id", "memory_id"} & _fields(app, operation):
            value = {"subject": "pet_id"}.get(name, name)
            answer = await mine.owner.ask(method, mine.fill(path), {**body, name: theirs.ids[value]})
            assert answer.status_code in (404, 409, 422), f"{method} {path} {name} → {answer.status_code} {answer.text}"
            bodies += 1
    assert bodies >= 4
    assert await everything_of(app, theirs) == before


async def test_pets_of_the_same_name_are_told_apart_in_chat(app: FastAPI, houses: tuple[House, House]) -> None:
    theirs, mine = houses
    asked = (
        "豆豆最近怎么样？",
        f"{theirs.word}牌的绳结谁喜欢？",
        "上次豆豆吐是什么时候",
        "小豆豆喜欢什么",
        "我们聊过疫苗吗",
    )
    for number, text in enumerate(asked):
        answer = await mine.owner.post("/chat/turns", {"text": text, "client_msg_id": f"q{number}"})
        told = await mine.owner.get(f"/chat/turns/{answer['turn_id']}/trace")
        assert not theirs.is_told_in(_echo_free(f"{answer} {told}", {"q": theirs.word})), text


async def test_every_call_but_the_public_ones_needs_a_token(app: FastAPI, sign_in: SignIn) -> None:
    stranger = await sign_in("wang")
    del stranger.client.headers["Authorization"]
    for method, path, operation in operations(app):
        if path in PUBLIC:
            continue
        filled = re.sub(r"{\w+}", "x", path.removeprefix("/v1"))
        answer = await stranger.ask(method, filled, body_of(app, operation))
        assert problem(answer) == (401, "not_signed_in"), f"{method} {path}"


async def everything_of(app: FastAPI, house: House) -> str:
    """All that is kept about a household, in one text."""
    async with app.state.container.transactions.read() as session:
        scope = scope_of(await session.get_one(Owner, house.owner.id))
        return str(await export_household(session, scope, MARCH))


def _questions(operation: Json, theirs: House) -> list[dict[str, Any]]:
    """Without filters, and with each filter set to what only the other household has."""
    names = {one["name"] for one in operation.get("parameters", []) if one["in"] == "query"}
    ids = {"subject": "pet_id", "pet_id": "pet_id", "before": "message_id"}
    needed = {one["name"] for one in operation.get("parameters", []) if one["in"] == "query" and one.get("required")}
    base = dict.fromkeys(needed & {"q"}, theirs.word)
    base |= {name: at for name, at in (("from", "2026-01-01"), ("to", "2026-12-31")) if name in needed}
    asked = [base, *({**base, name: theirs.ids[ids[name]]} for name in sorted(names & ids.keys()))]
    return [*asked, *([{**base, "q": theirs.word}] if "q" in names else [])]


def _fields(app: FastAPI, operation: Json) -> set[str]:
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    if "$ref" in schema:
        schema = app.openapi()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return set(schema.get("properties", {}))


def _echo_free(text: str, given: dict[str, Any]) -> str:
    """Without what the caller wrote themselves."""
    for value in given.values():
        text = text.replace(str(value), "")
    return text


def _refusal(answer: Any) -> dict[str, Any]:
    body = answer.json()
    return {name: body[name] for name in ("status", "code", "title", "detail", "retryable")} | {
        "keys": sorted(body),
        "size": len(answer.content),
    }
