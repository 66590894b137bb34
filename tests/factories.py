"""Owners, pets and records for tests, made through the public API as a phone would make them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx

from domain.owners import POLICIES

Json = dict[str, Any]


@dataclass
class Owner:
    """A signed-in owner. `at` sets the domain time of later calls."""

    id: str
    client: httpx.AsyncClient
    tokens: Json

    def at(self, moment: str | datetime | None) -> "Owner":
        """From now on calls happen at this domain time (ISO 8601 with an offset); None means the real time."""
        self.client.headers.pop("X-Pawsignal-Now", None)
        if moment is not None:
            self.client.headers["X-Pawsignal-Now"] = moment if isinstance(moment, str) else moment.isoformat()
        return self

    async def ask(self, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response:
        """One call below `/v1`, whatever it answers."""
        if body is not None:
            more["json"] = body
        return await self.client.request(method, f"/v1{path}", **more)

    async def get(self, path: str, **params: Any) -> Any:
        """The JSON of a call that must succeed."""
        return _json(await self.ask("GET", path, params=params))

    async def post(self, path: str, body: Any = None, **more: Any) -> Any:
        """The JSON of a call that must succeed."""
        return _json(await self.ask("POST", path, body, **more))

    async def put(self, path: str, body: Any) -> Any:
        """The JSON of a call that must succeed."""
        return _json(await self.ask("PUT", path, body))

    async def delete(self, path: str) -> None:
        """A deletion that must succeed."""
        _json(await self.ask("DELETE", path))

    async def pet(self, name: str = "豆豆", species: str = "dog", **fields: Any) -> Json:
        """A new pet."""
        made: Json = await self.post("/pets", {"name": name, "species": species, **fields})
        return made

    async def record(self, pet: Json, kind: str, **fields: Any) -> Json:
        """A new record of a pet, entered in a form."""
        made: Json = await self.post(f"/pets/{pet['id']}/{kind}", fields)
        return made

    async def agree(self, purpose: str = "long_term_memory", granted: bool = True) -> None:
        """Grant or withdraw a consent."""
        await self.put("/me/consents", {"purpose": purpose, "version": POLICIES[purpose].version, "granted": granted})


async def sign_in_as(client: httpx.AsyncClient, name: str, *, consent: bool = True) -> Owner:
    """Sign `dev:<name>` in on this client."""
    tokens = _json(await client.post("/v1/auth/wechat", json={"code": f"dev:{name}"}))
    client.headers["Authorization"] = f"Bearer {tokens['access_token']}"
    owner = Owner(tokens["owner"]["id"], client, tokens)
    if consent:
        await owner.agree()
    return owner


def problem(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of a refusal, checked to have the one shape all of them have."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    body = answer.json()
    assert {"type", "title", "status", "detail", "code", "request_id", "retryable"} <= body.keys()
    assert body["status"] == answer.status_code
    assert body["request_id"] == answer.headers["x-request-id"]
    assert any("\u4e00" <= character <= "\u9fff" for character in body["detail"]), body["detail"]
    return answer.status_code, body["code"]


def _json(answer: httpx.Response) -> Any:
    assert answer.is_success, f"{answer.request.method} {answer.request.url.path} → {answer.status_code} {answer.text}"
    return answer.json() if answer.content else None
