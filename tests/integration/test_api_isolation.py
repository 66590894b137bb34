"""Another household's id is unknown, whatever the call: made from the OpenAPI document, so no new call is forgotten."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI

from miniprogram_api.examples import RECORD_INPUTS
from tests.conftest import SignIn
from tests.factories import Json, Owner, problem
from tests.photos import png

PUBLIC = {"/v1/auth/wechat", "/v1/auth/refresh", "/v1/policies"}
"""Calls below /v1 that answer without a token."""


@pytest.fixture
async def ids(sign_in: SignIn) -> tuple[dict[str, str], Owner]:
    """What one household holds, by the name of the path parameter, and its owner."""
    lin = await sign_in("lin")
    pet = await lin.pet("绝密豆豆")
    for kind, fields in RECORD_INPUTS.items():
        await lin.record(pet, kind, **fields)
    memory = await lin.post("/memories", {"subject": pet["id"], "content": "绝密豆豆喜欢绳结"})
    starts = "2026-03-04T15:00:00+08:00"
    schedule = await lin.at("2026-03-01T08:00:00+08:00").post(
        "/schedules", {"title": "绝密豆豆打疫苗", "starts_at": starts}
    )
    turns = []
    for number, text in enumerate(("绝密豆豆对牛肉过敏", "绝密豆豆对牛肉不过敏了，是我记错了")):
        turns.append(await lin.post("/chat/turns", {"text": text, "client_msg_id": f"m{number}"}))
    confirmations = (await lin.get("/confirmations"))["items"]
    inbox = (await lin.get("/inbox"))["items"]
    share = await lin.at(None).post(f"/pets/{pet['id']}/shares", {"expires_in_hours": 1, "passcode": "2580"})
    told = {"author": "王医生", "diagnosis": "绝密肠胃炎", "code": "2580"}
    note = await lin.client.post(f"{share['url']}/notes", json=told)
    photo = await lin.client.post("/v1/photos", files={"file": ("photo.png", png())})
    return {
        "pet_id": pet["id"],
        "memory_id": memory["id"],
        "topic": "health",
        "schedule_id": schedule["id"],
        "calendar_id": (await lin.post("/calendar-tokens", {}))["id"],
        "turn_id": turns[0]["turn_id"],
        "confirmation_id": confirmations[0]["id"],
        "message_id": inbox[0]["id"],
        "share_id": share["id"],
        "photo_id": photo.json()["id"],
        "note_id": note.json()["id"],
    }, lin


def operations(app: FastAPI) -> Iterator[tuple[str, str, Json]]:
    """Every call below /v1: method, path, description."""
    document = app.openapi()
    for path, methods in document["paths"].items():
        if path.startswith("/v1/"):
            for method, operation in methods.items():
                yield method.upper(), path, operation


def body_of(app: FastAPI, operation: Json) -> Any:
    """The example of a call's body; None when it takes none."""
    if "requestBody" not in operation:
        return None
    media = operation["requestBody"]["content"].get("application/json")
    if media is None:
        return None
    schema = media["schema"]
    if "$ref" in schema:
        schema = app.openapi()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "example" in schema or schema.get("examples"):
        return schema["example"] if "example" in schema else schema["examples"][0]
    return {name: part["examples"][0] for name, part in schema["properties"].items() if part.get("examples")}


async def test_another_households_id_is_unknown_to_every_call(
    app: FastAPI, ids: tuple[dict[str, str], Owner], sign_in: SignIn
) -> None:
    known, lin = ids
    records = await record_ids(lin, known["pet_id"])
    stranger = await sign_in("wang")
    asked = 0
    for method, path, operation in operations(app):
        names = re.findall(r"{(\w+)}", path)
        if not names:
            continue
        values = known | {"record_id": records.get(path.split("/")[4], "") if "{record_id}" in path else ""}
        missing = [name for name in names if not values.get(name)]
        assert missing == [], f"{method} {path}: give this test an id for {missing}"
        filled = path.removeprefix("/v1").format(**values)
        answer = await stranger.ask(method, filled, body_of(app, operation))
        assert problem(answer)[0] == 404, f"{method} {path} → {answer.status_code} {answer.text}"
        asked += 1
    assert asked > 40


async def test_lists_hold_nothing_of_another_household(
    app: FastAPI, ids: tuple[dict[str, str], Owner], sign_in: SignIn
) -> None:
    known, _ = ids
    stranger = await sign_in("wang")
    for method, path, _operation in operations(app):
        if method != "GET" or "{" in path:
            continue
        answer = await stranger.ask("GET", path.removeprefix("/v1"), params={"q": "绝密"})
        assert answer.is_success, f"{path} → {answer.text}"
        assert "绝密" not in answer.text, path
        assert not any(value in answer.text for value in known.values()), path


async def test_every_call_but_the_public_ones_needs_a_token(app: FastAPI, sign_in: SignIn) -> None:
    stranger = await sign_in("wang")
    del stranger.client.headers["Authorization"]
    for method, path, operation in operations(app):
        if path in PUBLIC:
            continue
        filled = re.sub(r"{\w+}", "x", path.removeprefix("/v1"))
        answer = await stranger.ask(method, filled, body_of(app, operation))
        assert problem(answer) == (401, "not_signed_in"), f"{method} {path}"


async def record_ids(owner: Owner, pet_id: str) -> dict[str, str]:
    """One record of each kind, by kind."""
    return {kind: (await owner.get(f"/pets/{pet_id}/{kind}"))["items"][0]["id"] for kind in RECORD_INPUTS}
