"""Every refusal has one shape; strange input is refused at the door; ids, versions and limits hold."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.container import open_container
from app.database import Database
from app.main import create_app
from app.settings import Settings
from memory.prepared import Statement
from miniprogram_api.door import MAX_JSON_BYTES, clean_json
from miniprogram_api.rate_limits import RateLimits
from tests.conftest import on_sqlite
from tests.factories import Owner, problem, sign_in_as

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/v1/nowhere", (404, "unknown_path")),
        ("GET", "/nowhere", (404, "unknown_path")),
        ("PATCH", "/v1/pets", (405, "method_not_allowed")),
        ("POST", "/v1/me", (405, "method_not_allowed")),
        ("GET", "/v1/pets/none", (404, "unknown_pet")),
        ("GET", "/v1/pets/none/allergies", (404, "unknown_pet")),
        ("GET", "/v1/pets/none/nothing", (404, "unknown_path")),
        ("GET", "/v1/memories/none", (404, "not_found")),
        ("GET", "/v1/confirmations/none", (404, "not_found")),
        ("GET", "/v1/schedules/none", (404, "unknown_schedule")),
        ("GET", "/v1/pets?limit=0", (422, "invalid_input")),
        ("GET", "/v1/pets?limit=many", (422, "invalid_input")),
        ("GET", "/v1/pets?cursor=!!!", (422, "bad_cursor")),
        ("GET", "/v1/memories?q=%00", (422, "bad_text")),
        ("GET", "/v1/pets/%00", (404, "unknown_path")),
        ("GET", "/v1/pets/%ff", (404, "unknown_path")),
    ],
)
@on_sqlite
async def test_refusals_are_problems(owner: Owner, method: str, path: str, expected: tuple[int, str]) -> None:
    assert problem(await owner.client.request(method, path)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"name": "\\ud800", "species": "dog"}', (422, "bad_text")),
        (b'{"name": "a", "species": "dog", "nicknames": ["\\udfff"]}', (422, "bad_text")),
        (b'{"\\ud800": 1}', (422, "bad_text")),
        (b'{"name": NaN}', (422, "bad_text")),
        (b'{"name": 1e999}', (422, "bad_text")),
        (b'{"name": "\xff"}', (400, "body_unreadable")),
        (b'{"name": ', (400, "body_unreadable")),
        (b"", (422, "invalid_input")),
        (b"[]", (422, "invalid_input")),
        (b"null", (422, "invalid_input")),
        (b'"text"', (422, "invalid_input")),
        (b"[" * 50_000, (400, "body_unreadable")),
        (b'{"species": "dog"}', (422, "invalid_input")),
        (b'{"name": "  ", "species": "dog"}', (422, "invalid_input")),
        (b'{"name": "\\u0000", "species": "dog"}', (422, "invalid_input")),
        (b'{"name": "a", "species": "dragon"}', (422, "invalid_input")),
        (b'{"name": "a", "species": "dog", "age": 3}', (422, "invalid_input")),
        (b'{"name": "a", "species": "dog", "born_on": "2021-13-01"}', (422, "invalid_input")),
        (b" " * (MAX_JSON_BYTES + 1), (413, "body_too_large")),
    ],
)
@on_sqlite
async def test_strange_bodies_are_refused_at_the_door(owner: Owner, body: bytes, expected: tuple[int, str]) -> None:
    assert problem(await owner.ask("POST", "/pets", content=body, headers=JSON)) == expected
    assert (await owner.get("/pets"))["items"] == []


async def test_a_body_of_another_kind_is_refused(owner: Owner) -> None:
    answer = await owner.ask("POST", "/pets", content=b"name=a", headers={"content-type": "text/plain"})
    assert problem(answer) == (422, "invalid_input")


@pytest.mark.parametrize("kind", ["application/JSON", "Application/Merge-Patch+Json", "text/plain", "", None])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"name": "\\ud800", "species": "dog"}', (422, "bad_text")),
        (b'{"name": NaN}', (422, "bad_text")),
        (b" " * (MAX_JSON_BYTES + 1), (413, "body_too_large")),
        (b"[" * 50_000, (400, "body_unreadable")),
        (b'{"name": "a", "nicknames": ' + b"[" * 40 + b"]" * 40 + b"}", (400, "body_unreadable")),
        (b'"' + b'\\"' * 100_000 + b"[" * 50, None),
    ],
)
@on_sqlite
async def test_no_content_type_leads_around_the_door(
    owner: Owner, kind: str | None, body: bytes, expected: tuple[int, str] | None
) -> None:
    headers = {"idempotency-key": "once"} | ({"content-type": kind} if kind is not None else {})
    answer = await owner.ask("POST", "/pets", content=body, headers=headers)
    assert problem(answer) == expected if expected else answer.status_code in (400, 422)


@pytest.mark.parametrize("body", [b'{"name": "\\ud800"}', b"[" * 50_000, b"\xff\xfe", b'"' * 9])
@on_sqlite
async def test_a_file_where_none_is_wanted_is_refused(owner: Owner, body: bytes) -> None:
    headers = {"idempotency-key": "once", "content-type": "application/octet-stream"}
    assert problem(await owner.ask("POST", "/pets", content=body, headers=headers)) == (422, "invalid_input")


def test_brackets_within_texts_are_no_depth() -> None:
    body = b'{"name": "' + b"[{" * 99 + b'\\""}'
    assert clean_json(body) == body


async def test_control_characters_are_stripped_and_emoji_stay(owner: Owner) -> None:
    made = await owner.post("/pets", {"name": "豆\x00\x1b\x7f豆\u0085🐶", "species": "dog"})
    assert made["name"] == "豆豆🐶"


@pytest.mark.parametrize("emoji", ["👨\u200d👩\u200d👧", "🏴\U000e0067\U000e0062\U000e007f"])
def test_what_nobody_sees_is_stripped_and_what_joins_emoji_stays(emoji: str) -> None:
    body = f'{{"substance": "鸡\u200b\U000e0041肉{emoji}", "passcode": "12\u200b34"}}'
    assert json.loads(clean_json(body.encode())) == {"substance": f"鸡肉{emoji}", "passcode": "12\u200b34"}


async def test_fields_are_named_and_values_are_not_repeated(owner: Owner) -> None:
    answer = await owner.ask("POST", "/pets", {"name": "13812345678" * 3, "species": "dog"})
    assert problem(answer) == (422, "invalid_input")
    assert answer.json()["errors"] == [{"field": "name", "message": "太长了"}]
    assert "13812345678" not in answer.text


async def test_the_request_id_is_answered_and_a_strange_one_is_replaced(client: httpx.AsyncClient) -> None:
    given = await client.get("/healthz", headers={"X-Request-Id": "phone-1"})
    strange = await client.get("/healthz", headers={"X-Request-Id": "a b" * 40})
    assert given.headers["x-request-id"] == "phone-1"
    assert len(strange.headers["x-request-id"]) == 36


async def test_an_old_client_is_told_to_update(settings: Settings, owner: Owner) -> None:
    app = create_app(settings.model_copy(update={"min_client_version": "1.10.0"}))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            old = await client.get("/v1/policies", headers={"X-Client-Version": "1.9.9"})
            assert problem(old) == (426, "client_too_old")
            assert old.json()["min_version"] == "1.10.0"
            for version in ("1.10.0", "1.10", "v2.0-beta"):
                assert (await client.get("/v1/policies", headers={"X-Client-Version": version})).status_code in (
                    200,
                    426,
                )
            assert (await client.get("/v1/policies", headers={"X-Client-Version": "1.10.0"})).status_code == 200
            assert (await client.get("/v1/policies")).status_code == 200


@on_sqlite
async def test_too_many_calls_are_told_when_to_come_back(app: FastAPI, owner: Owner) -> None:
    app.state.container.rate_limits = RateLimits(2)
    for _ in range(2):
        assert (await owner.ask("GET", "/pets")).status_code == 200
    refused = await owner.ask("GET", "/pets")
    assert problem(refused) == (429, "too_many_requests")
    assert refused.json()["retryable"] is True
    assert 1 <= int(refused.headers["retry-after"]) <= 30


@pytest.mark.parametrize("given", ["yesterday", "2026-03-01T08:00:00", "0001-01-01T00:00:00+00:00", "2026-03-01", ""])
@on_sqlite
async def test_a_domain_time_must_be_an_instant(owner: Owner, given: str) -> None:
    assert problem(await owner.at(given).ask("GET", "/pets")) == (400, "domain_time_refused")


@on_sqlite
async def test_production_refuses_a_domain_time_and_the_dev_sign_in(database: Database, tmp_path: Path) -> None:
    settings = Settings(
        env="production",
        secret_key="a secret that nobody would guess!",
        wechat_appid="wx1",
        wechat_secret="s",
        data_dir=tmp_path,
        database_url=database.url.render_as_string(),
        embedder="none",
        _env_file=None,
    )
    app = create_app(settings, open_container)
    async with app.router.lifespan_context(app):
        app.state.container.wechat = None
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            now = {"X-Pawsignal-Now": "2026-03-01T08:00:00+08:00"}
            assert problem(await client.get("/v1/policies", headers=now)) == (400, "domain_time_refused")
            answer = await client.post("/v1/auth/wechat", json={"code": "dev:lin"})
            assert problem(answer) == (503, "wechat_not_configured")


@on_sqlite
async def test_an_unforeseen_error_tells_nothing(app: FastAPI, owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_arguments: object) -> None:
        raise RuntimeError("豆豆的秘密 13812345678")

    monkeypatch.setattr("miniprogram_api.pets.pets_of", fail)
    answer = await owner.ask("GET", "/pets")
    assert problem(answer) == (500, "internal_error")
    assert "秘密" not in answer.text
    text = (await owner.client.get("/metrics")).text
    assert 'pawsignal_unhandled_errors_total{error="RuntimeError"} 1.0' in text
    assert 'route="/v1/pets",status="500"' in text


@on_sqlite
async def test_a_database_that_is_away_is_told_to_be_tried_again(
    app: FastAPI, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_arguments: object) -> None:
        raise ConnectionRefusedError("db.internal:5432")

    monkeypatch.setattr("miniprogram_api.pets.pets_of", fail)
    answer = await owner.ask("GET", "/pets")
    assert problem(answer) == (503, "unavailable")
    assert answer.json()["retryable"] is True


async def test_the_process_tells_how_it_is(client: httpx.AsyncClient, database: Database) -> None:
    assert (await client.get("/healthz")).json() == {"status": "alive"}
    ready = (await client.get("/readyz")).json()
    assert ready["parts"]["database"] == {"state": "ok", "kind": database.dialect}
    assert ready["parts"]["model"] == {"state": "basic"}
    assert "pawsignal_http_requests_total" in (await client.get("/metrics")).text


async def test_a_failed_commit_is_a_failed_answer(
    app: FastAPI, sign_in: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test") as client:
        owner = await sign_in_as(client, "lin")

        async def break_down(*_arguments: object) -> None:
            raise ConnectionResetError()

        monkeypatch.setattr("app.database.raise_touched", break_down)
        assert problem(await owner.ask("POST", "/pets", {"name": "豆豆", "species": "dog"})) == (503, "unavailable")
        monkeypatch.undo()
        assert (await owner.get("/pets"))["items"] == []


@on_sqlite
async def test_a_full_disk_is_told_and_the_advice_in_an_emergency_still_arrives(app: FastAPI, owner: Owner) -> None:
    pet = await owner.pet()
    database: Database = app.state.container.database
    async with database.quick_write() as quick:
        await quick.run(Statement(text("PRAGMA max_page_count=1")), {})
    said = {"text": "它刚才抽搐了，口吐白沫" + "，快救救它" * 700, "client_msg_id": "m-1"}

    refused = await owner.ask("POST", "/chat/turns", said)
    assert problem(refused) == (503, "storage_unavailable")
    assert refused.json()["retryable"] is True
    assert refused.json()["alerts"][0]["level"] == "emergency"
    assert (await owner.client.get("/readyz")).status_code == 503
    assert (await owner.get("/pets"))["items"][0]["id"] == pet["id"]

    async with database.quick_write() as quick:
        await quick.run(Statement(text("PRAGMA max_page_count=1000000")), {})
    assert (await owner.post("/chat/turns", said))["status"] == "done"
    assert (await owner.client.get("/readyz")).status_code == 200


@on_sqlite
async def test_a_locked_database_is_told_to_be_tried_again(
    app: FastAPI, owner: Owner, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.quick_sql.BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(database.url.database or "")) as other:
        other.execute("BEGIN IMMEDIATE")
        refused = await owner.ask("POST", "/chat/turns", {"text": "你好", "client_msg_id": "m-1"})
        other.rollback()
    assert problem(refused) == (503, "storage_unavailable")
    assert refused.json()["alerts"] == []
    assert (await owner.post("/chat/turns", {"text": "你好", "client_msg_id": "m-1"}))["status"] == "done"
