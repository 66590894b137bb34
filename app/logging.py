"""What is logged: JSON lines without personal data.

Tokens, WeChat ids, phone numbers, texts and full addresses never reach a log. Two nets hold that: fields are kept only
when their name is harmless, and every text that stays is masked by pattern. Libraries that print whole URLs (secrets
included) are kept to warnings and masked too; the openai SDK brings its own copy of httpx, called `httpx2`.
"""

import logging
import re
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

FORBIDDEN_FIELDS = frozenset(
    (
        "access_token",
        "answer",
        "api_key",
        "authorization",
        "body",
        "code",
        "content",
        "cookie",
        "detail",
        "header",
        "headers",
        "key",
        "nickname",
        "openid",
        "params",
        "password",
        "phone",
        "prompt",
        "query",
        "quote",
        "refresh_token",
        "reply",
        "secret",
        "session_key",
        "sql",
        "text",
        "token",
        "unionid",
        "url",
    )
)

TALKATIVE_LOGGERS = (
    "apscheduler",
    "httpx",
    "httpx2",
    "httpcore",
    "httpcore2",
    "openai",
    "sqlalchemy",
    "aiosqlite",
    "asyncio",
)

_MASKS = (
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]+"), r"\1 ***"),
    (re.compile(r"\b[ar]\.[0-9a-f-]{36}\.\d+\.\d+\.[\w-]+"), "***"),  # our own tokens
    (re.compile(r"\b(sk|pk)-[\w-]{8,}"), "***"),
    (re.compile(r"(https?|postgres(?:ql)?(?:\+\w+)?)://(?:[^\s/@]*@)?([^\s/?#'\"]+)[^\s'\"]*"), r"\1://\2/***"),
    (re.compile(r"(?<!\d)(?:\+?86[- ]?)?1[3-9]\d(?:[- ]?\d{4}){2}(?!\d)"), "***"),  # mobile numbers
    (re.compile(r"(?<!\d)\d{17}[\dXx](?!\d)"), "***"),  # identity numbers
    (re.compile(r"\bo[\w-]{27}\b"), "***"),  # WeChat openids
)


def configure_logging(level: str, stream: TextIO | None = None) -> None:
    """Send everything, ours and the libraries', through one JSON formatter to `stream` (default: stderr)."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        name_the_failure,
        drop_personal_fields,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                mask_texts,
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in TALKATIVE_LOGGERS:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    access = logging.getLogger("uvicorn.access")  # it prints paths with their queries; ours names the route
    access.handlers[:], access.propagate, access.disabled = [], False, True
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers[:] = []
        logging.getLogger(name).propagate = True


def drop_personal_fields(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Leave out every field whose name promises something personal."""
    for name in [name for name in event if name.lower() in FORBIDDEN_FIELDS]:
        event[name] = "***"
    return event


def mask_texts(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Mask what looks like a token, phone number, id or address in the texts that stay."""
    for name, value in event.items():
        if isinstance(value, str) and name != "timestamp":
            event[name] = masked(value)
    return event


def masked(text: str) -> str:
    """`text` with tokens, numbers and addresses replaced by ***; of an address the host stays."""
    for pattern, replacement in _MASKS:
        text = pattern.sub(replacement, text)
    return text


def name_the_failure(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace an exception by its type and the places it passed: its message may quote what an owner wrote."""
    info = event.pop("exc_info", None)
    error = info if isinstance(info, BaseException) else (info[1] if isinstance(info, tuple) else None)
    if info is True:
        error = sys.exc_info()[1]
    if error is not None:
        event["error"] = type(error).__name__
        event["where"] = places(error)
    return event


def places(error: BaseException, most: int = 8) -> list[str]:
    """The innermost `most` places an exception passed, as file:line function."""
    frames = traceback.extract_tb(error.__traceback__)[-most:]
    return [f"{'/'.join(frame.filename.split('/')[-2:])}:{frame.lineno} {frame.name}" for frame in frames]
