"""Fingers tap twice: every POST of the document, sent twice at once, is one act with one answer."""

import asyncio
import json
from typing import Any
from uuid import uuid4

import httpx
from fastapi import FastAPI

from tests.conftest import on_sqlite
from tests.confusable_households import House, body_of, open_house, operations
from tests.factories import Json, Owner
from tests.fakes.phone import on_a_socket
from tests.fakes.wechat.server import FakeWeChat
from tests.fakes.wechat.world import OPENID, TEMPLATE_IDS
from tests.photos import png

LOGOUT = "/v1/auth/logout"  # the second tap may find the token dead
NOT_DONE = {
    "/v1/chat/turns/{turn_id}/feedback",
    "/v1/confirmations/{confirmation_id}/answer",
    "/v1/dreams/{dream_id}/undo",
    "/v1/me/import",
    "/v1/memories/{memory_id}/restore",
    "/v1/memories/{memory_id}/undo",
}
"""Acts that this household has nothing to do for; both taps are told so."""


async def tapped(client: httpx.AsyncClient, path: str, **sent: Any) -> list[tuple[int, Json]]:
    """Both answers of two taps at once; a request has an id of its own."""
    headers = {"Idempotency-Key": str(uuid4())}
    answers = await asyncio.gather(*(client.post(path, headers=headers, **sent) for _ in range(2)))
    told = [(one.status_code, json.loads(one.content) if one.content else {}) for one in answers]
    for _, answer in told:
        answer.pop("request_id", None)
    return told


def sent_to(app: FastAPI, path: str, operation: Json, house: House, fake: FakeWeChat) -> Json:
    """What a phone sends: the example of the document with ids of this household in it."""
    given: dict[str, Any] = {
        "/v1/auth/wechat": {"code": fake.world.code("login", OPENID)},
        "/v1/auth/refresh": {"refresh_token": house.owner.tokens["refresh_token"]},
        "/v1/subscriptions/grants": {"results": {TEMPLATE_IDS["reminder"]: "accept"}},
    }
    if path == "/v1/photos":
        return {"files": {"file": ("p.png", png(3))}}
    if path == "/v1/me/import":
        return {"files": {"file": ("e.zip", b"PK")}}
    body = given.get(path) or body_of(app, operation)
    if isinstance(body, dict):
        mine = {**house.ids, "subject": house.ids["pet_id"]}
        body = {name: mine.get(name, value) for name, value in body.items()}
        body |= {"name": "芋泥"} if path == "/v1/pets" else {}  # no second 豆豆 in one home
    return {} if body is None else {"json": body}


@on_sqlite
async def test_every_post_that_is_tapped_twice_is_one_act(app: FastAPI, owner: Owner, fake: FakeWeChat) -> None:
    house = await open_house(app, owner, "鹧鸪紫苏")
    done, apart = set(), []
    async with (
        on_a_socket(app) as address,
        httpx.AsyncClient(base_url=address, headers=owner.client.headers, timeout=30) as client,
    ):
        for method, path, operation in operations(app):
            if method != "POST" or path == LOGOUT:
                continue
            first, second = await tapped(client, f"/v1{house.fill(path)}", **sent_to(app, path, operation, house, fake))
            if first != second or first[0] >= 500:
                apart.append((path, first, second))
            if first[0] < 300:
                done.add(path)
            elif path not in NOT_DONE:
                apart.append((path, first, second))
        assert {status for status, _ in await tapped(client, LOGOUT)} <= {204, 401}
    assert apart == []
