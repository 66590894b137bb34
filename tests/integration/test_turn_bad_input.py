"""What a turn refuses, in words an owner understands, and that a refusal writes nothing."""

import json
from typing import Any

import httpx
import pytest

from app.database import Database
from tests.conftest import SignIn, on_sqlite
from tests.factories import Json, Owner, problem
from tests.fakes.phone import say, turn_body
from tests.fakes.tables import row_counts

TURNS = "/chat/turns"
FULL = "豆" * 4000

BAD_BODIES: list[tuple[str, Any]] = [
    ("no text", {"client_msg_id": "m"}),
    ("no id", {"text": "你好"}),
    ("an empty text", turn_body("")),
    ("spaces only", turn_body(" \t\n\u3000 ")),
    ("control characters only", turn_body("\x00\x07\x1b")),
    ("a text that is too long", turn_body(FULL + "豆")),
    ("a text that is none", turn_body(3)),  # type: ignore[arg-type]  # that is the point
    ("no text but null", turn_body(None)),  # type: ignore[arg-type]  # the same
    ("a list of texts", turn_body(["你好"])),  # type: ignore[arg-type]  # the same
    ("an empty id", turn_body("你好", "")),
    ("an id that is too long", turn_body("你好", "m" * 65)),
    ("an unknown field", turn_body("你好", role="system")),
    ("a mode that is none", turn_body("你好", temporary="perhaps")),
    ("a list", [turn_body("你好")]),
    ("a number", 7),
    ("null", None),
]

BAD_BYTES: list[tuple[str, bytes, str]] = [
    ("a lone surrogate", b'{"text": "\\ud800 \xe4\xbd\xa0", "client_msg_id": "m"}', "application/json"),
    ("a lone low surrogate", b'{"text": "\\udc00", "client_msg_id": "m"}', "application/json"),
    ("a surrogate in the id", b'{"text": "hi", "client_msg_id": "m\\udfff"}', "application/json"),
    ("a surrogate in a name", b'{"text": "hi", "client_msg_id": "m", "\\ud800": 1}', "application/json"),
    ("not a number", b'{"text": NaN, "client_msg_id": "m"}', "application/json"),
    ("half a body", b'{"text": "', "application/json"),
    ("nothing", b"", "application/json"),
    ("no JSON", b"text=hi&client_msg_id=m", "application/json"),
    ("a form", b"text=hi&client_msg_id=m", "application/x-www-form-urlencoded"),
    ("broken UTF-8", b'{"text": "\xff\xfe", "client_msg_id": "m"}', "application/json"),
    ("a surrogate as plain text", b'{"text": "\\ud800", "client_msg_id": "m"}', "text/plain"),
    ("a surrogate of no kind", b'{"text": "\\ud800", "client_msg_id": "m"}', ""),
    ("very deep JSON", b'{"text": ' + b"[" * 50_000 + b"]" * 50_000 + b"}", "application/json"),
    ("a body without an end", b'{"text": "' + b"a" * 300_000 + b'"}', "application/json"),
]


async def refused(owner: Owner, body: Any = None, **more: Any) -> tuple[int, str, Json]:
    sent = more or {"content": json.dumps(body), "headers": {"content-type": "application/json"}}
    answer = await owner.ask("POST", TURNS, **sent)
    status, code = problem(answer)
    return status, code, answer.json()


@pytest.mark.parametrize(("_what", "body"), BAD_BODIES, ids=[what for what, _ in BAD_BODIES])
async def test_a_body_that_is_no_message_is_refused_and_nothing_is_written(
    owner: Owner, database: Database, _what: str, body: Any
) -> None:
    before = await row_counts(database)
    status, code, _ = await refused(owner, body)
    assert (status, code) == (422, "invalid_input")
    assert await row_counts(database) == before


@on_sqlite
@pytest.mark.parametrize(("_what", "raw", "kind"), BAD_BYTES, ids=[what for what, _, _ in BAD_BYTES])
async def test_bytes_that_are_no_message_are_refused_and_nothing_is_written(
    owner: Owner, database: Database, _what: str, raw: bytes, kind: str
) -> None:
    before = await row_counts(database)
    headers = {"content-type": kind} if kind else {}
    status, _, body = await refused(owner, content=raw, headers=headers)
    assert status in (400, 413, 415, 422)
    assert body["retryable"] is False
    assert await row_counts(database) == before


async def test_a_text_that_is_too_long_is_told_how_long_it_may_be(owner: Owner) -> None:
    _, _, told = await refused(owner, turn_body(FULL + "豆"))
    assert "4000" in told["detail"]
    assert "4001" in told["detail"]
    assert "豆豆" not in told["detail"]


@on_sqlite
@pytest.mark.parametrize("text", [FULL, "🐶" * 4000, "a" * 4000, "\n" * 3999 + "好"])
async def test_the_longest_text_is_accepted_and_kept_whole(owner: Owner, text: str) -> None:
    await say(owner, text)
    kept = (await owner.get("/chat/messages"))["items"][-1]["text"]
    assert kept == text


@on_sqlite
@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("你\x00好\x07", "你好"),
        ("第一行\n第二行\t完", "第一行\n第二行\t完"),
        ("\x1b[31m红\x1b[0m", "[31m红[0m"),
        ("家\u200d人👨\u200d👩\u200d👧", "家\u200d人👨\u200d👩\u200d👧"),
        ("'; DROP TABLE turns; --", "'; DROP TABLE turns; --"),
        ("<script>alert(1)</script>{{7*7}}%s", "<script>alert(1)</script>{{7*7}}%s"),
        ("\U0002f800\u0301é", "\U0002f800\u0301é"),
    ],
)
async def test_odd_characters_are_kept_as_they_are_except_for_controls(owner: Owner, sent: str, kept: str) -> None:
    assert (await say(owner, sent))["status"] == "done"
    assert (await owner.get("/chat/messages"))["items"][-1]["text"] == kept


@on_sqlite
@pytest.mark.parametrize("unseen", ["\u200b", "\u00ad", "\u2060", "\ufeff", "\u202e", "\U000e0041"])
async def test_a_poison_is_seen_through_characters_that_nobody_sees(owner: Owner, unseen: str) -> None:
    await owner.post("/pets", {"name": "豆豆", "species": "dog"})
    answer = await say(owner, unseen.join("豆豆吃了巧克力"))
    assert [alert["level"] for alert in answer["alerts"]] == ["emergency"]


@on_sqlite
async def test_the_same_message_with_and_without_control_characters_is_one_turn(owner: Owner) -> None:
    assert await say(owner, "你好\x07") == await say(owner, "你好")


@pytest.mark.parametrize("pet_id", ["no-such-pet", "", "0199f3c2-1f6a-7cc1-9d0e-5b1a2c3d4e5f", "豆豆", "' OR 1=1"])
async def test_an_unknown_pet_is_not_found_and_nothing_is_written(
    owner: Owner, database: Database, pet_id: str
) -> None:
    before = await row_counts(database)
    status, code, _ = await refused(owner, turn_body("你好", pet_id=pet_id))
    assert (status, code) == (404, "unknown_pet")
    assert await row_counts(database) == before


@pytest.mark.parametrize("temporary", [False, True])
async def test_another_households_pet_is_not_found_and_nothing_is_written(
    sign_in: SignIn, database: Database, temporary: bool
) -> None:
    lin, wang = await sign_in("lin"), await sign_in("wang")
    pet = await wang.pet("豆豆")
    before = await row_counts(database)
    status, code, _ = await refused(lin, turn_body("豆豆怕打雷", pet_id=pet["id"], temporary=temporary))
    assert (status, code) == (404, "unknown_pet")
    assert await row_counts(database) == before


async def test_a_message_about_a_deleted_pet_is_not_found(owner: Owner) -> None:
    pet = await owner.pet("豆豆")
    await say(owner, "豆豆怕打雷", "m-1", pet_id=pet["id"])
    await owner.delete(f"/pets/{pet['id']}")
    assert (await refused(owner, turn_body("豆豆怕打雷", "m-2", pet_id=pet["id"])))[:2] == (404, "unknown_pet")


async def test_a_refused_message_may_be_sent_again_in_a_better_form(owner: Owner) -> None:
    await refused(owner, turn_body("豆豆怕打雷", "m-1", pet_id="no-such-pet"))
    assert (await say(owner, "豆豆怕打雷", "m-1"))["status"] == "done"


@pytest.mark.parametrize("turn_id", ["none", "0199f3c2-1f6a-7cc1-9d0e-5b1a2c3d4e5f", "%F0%9F%90%B6", "a" * 500])
@pytest.mark.parametrize(("method", "rest"), [("GET", ""), ("GET", "/events"), ("POST", "/cancel")])
async def test_a_turn_that_is_none_is_not_found(owner: Owner, turn_id: str, method: str, rest: str) -> None:
    assert problem(await owner.ask(method, f"{TURNS}/{turn_id}{rest}")) == (404, "unknown_turn")


@on_sqlite
@pytest.mark.parametrize("accept", ["text/event-stream", "application/json", "*/*", "text/html"])
async def test_a_refusal_is_a_problem_whatever_was_asked_for(owner: Owner, accept: str) -> None:
    answer = await owner.ask("POST", TURNS, turn_body(""), headers={"Accept": accept})
    assert problem(answer) == (422, "invalid_input")


@on_sqlite
async def test_who_is_not_signed_in_says_nothing(client: httpx.AsyncClient, database: Database) -> None:
    before = await row_counts(database)
    assert problem(await client.post(f"/v1{TURNS}", json=turn_body("你好"))) == (401, "not_signed_in")
    assert await row_counts(database) == before
