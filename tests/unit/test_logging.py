"""Nothing personal reaches a log, ours or a library's."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from app.logging import configure_logging, masked

SECRETS = (
    "13812345678",
    "sk-abcdefghijklmnop",
    "豆豆的秘密",
    "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
    "hunter2",
    "appid-secret",
)


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    configure_logging("INFO", stream)
    yield stream
    configure_logging("WARNING")
    root.handlers[:], root.level = before, level


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_json_with_level_and_time(written: io.StringIO) -> None:
    structlog.get_logger("x").info("started", port=8000)
    (line,) = lines(written)
    assert (line["event"], line["port"], line["level"]) == ("started", 8000, "info")
    assert line["timestamp"]


def test_personal_fields_and_patterns_are_masked(written: io.StringIO) -> None:
    structlog.get_logger("x").warning(
        "told 13812345678", text="豆豆的秘密", openid="oUpF8uMuAJO_M2pxb1Q9zNjWeS6o", note="key sk-abcdefghijklmnop"
    )
    assert not [secret for secret in SECRETS if secret in written.getvalue()]


def test_an_exception_is_named_and_its_message_is_not_repeated(written: io.StringIO) -> None:
    try:
        raise ValueError("豆豆的秘密 13812345678")
    except ValueError:
        structlog.get_logger("x").exception("failed")
        logging.getLogger("library").exception("failed too")
    ours, theirs = lines(written)
    assert ours["error"] == theirs["error"] == "ValueError"
    assert ours["where"][-1].endswith("test_an_exception_is_named_and_its_message_is_not_repeated")
    assert "秘密" not in written.getvalue()


@pytest.mark.parametrize("name", ["httpx", "httpx2", "httpcore", "openai", "sqlalchemy.engine", "aiosqlite"])
def test_talkative_libraries_are_quiet_and_their_addresses_masked(written: io.StringIO, name: str) -> None:
    url = "https://api.weixin.qq.com/sns/jscode2session?appid=wx1&secret=appid-secret"
    logging.getLogger(name).info("HTTP Request: GET %s", url)
    logging.getLogger(name).warning("HTTP Request: GET %s", url)
    (line,) = lines(written)
    assert "appid-secret" not in line["event"]
    assert "api.weixin.qq.com" in line["event"]


def test_the_servers_access_log_is_off(written: io.StringIO) -> None:
    logging.getLogger("uvicorn.access").info("GET /calendar.ics?token=hunter2")
    assert written.getvalue() == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("call +86 138-1234-5678 now", "call *** now"),
        ("id 11010119900307851X", "id ***"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer ***"),
        ("postgresql+asyncpg://me:hunter2@db:5432/paw", "postgresql+asyncpg://db:5432/***"),
        ("a.0197f0a2-6c1e-7b44-9c55-2f1d8a4e7b10.1.1772357400.AbC_d-9", "***"),
        (
            "pet 0197f0a2-6c1e-7b44-9c55-2f1d8a4e7b10 has 900123456789012",
            "pet 0197f0a2-6c1e-7b44-9c55-2f1d8a4e7b10 has 900123456789012",
        ),
        ("2026-03-01T08:00:00Z took 13.5 ms", "2026-03-01T08:00:00Z took 13.5 ms"),
    ],
)
def test_patterns(text: str, expected: str) -> None:
    assert masked(text) == expected
