"""Every refusal as `application/problem+json`: one table from exception to status, one shape for all of them."""

import sqlite3
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ValidationError
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.requests import Request

from domain import errors as domain_errors
from domain import moderation, photos, repetition, share_tries, wechat
from domain.portability import unpacking
from memory import errors as memory_errors
from miniprogram_api import faults

PROBLEM_TYPE = "urn:pawsignal:problem:"
MEDIA_TYPE = "application/problem+json"

STATUS: dict[type[Exception], int] = {
    faults.NotSignedIn: 401,
    faults.ClientTooOld: 426,
    faults.TooManyRequests: 429,
    faults.DomainTimeRefused: 400,
    faults.BadCursor: 422,
    faults.BodyTooLarge: 413,
    faults.BadText: 422,
    faults.BodyUnreadable: 400,
    faults.PushRefused: 403,
    faults.StorageUnavailable: 503,
    wechat.WeChatNotConfigured: 503,
    wechat.WeChatCodeRefused: 401,
    wechat.WeChatPhoneCodeRefused: 422,
    wechat.WeChatUserBlocked: 403,
    wechat.WeChatTooOften: 429,
    wechat.WeChatFault: 503,
    share_tries.TooManyTries: 429,
    share_tries.WrongPasscode: 403,
    faults.PasscodeNeeded: 401,
    unpacking.UnreadableImport: 422,
    domain_errors.NotFound: 404,
    photos.NoPhoto: 422,
    moderation.WordsNotCleared: 422,
    photos.PhotoTooLarge: 413,
    domain_errors.Implausible: 422,
    repetition.BadRepetition: 422,
    domain_errors.DomainFault: 409,
    memory_errors.NotFound: 404,
    memory_errors.IndexUnavailable: 503,
    memory_errors.MemoryFault: 409,
    sqlite3.OperationalError: 503,
    OperationalError: 503,
    InterfaceError: 503,
    PoolTimeout: 503,
    ConnectionError: 503,
    IntegrityError: 409,
}
"""The nearest class in an exception's line of ancestors decides. What is not in here is a 500."""

DETAILS: dict[str, str] = {
    "not_found": "没有找到",
    "mirrored": "这条记忆来自健康档案，请在对应的档案里修改",
    "stale_version": "内容已在别处修改，请刷新后再试",
    "restore_too_late": "删除已超过十分钟，不能恢复了",
    "already_answered": "这个问题已经有答案了",
    "confirmation_lapsed": "这个问题已经过期，档案保持原样",
    "undo_unsafe": "那晚整理过的记忆后来又有了变化，不能整晚撤销了",
    "change_stands": "这次变化牵涉到别的记忆或身份卡已满，不能单独撤销，可以直接修改这条记忆",
    "nothing_to_undo": "没有可以撤销的改动",
    "newer_candidate": "情况有了新的变化，请看看新的问题再回答",
    "index_unavailable": "检索服务暂时不可用，请稍后再试",
    faults.StorageUnavailable.code: faults.StorageUnavailable.detail,
    "unavailable": "服务暂时不可用，请稍后再试",
    "conflict": "刚才有另一个相同的操作，请刷新后再试",
    "method_not_allowed": "不支持这种操作",
    "unknown_path": "没有这个地址",
    "body_unreadable": faults.BodyUnreadable.detail,
    "body_too_large": faults.BodyTooLarge.detail,
    "internal_error": "服务出错了，请稍后再试",
}
"""Chinese for codes whose exception brings none (memory speaks no language)."""

_CODES_OF_STATUS = {404: "unknown_path", 405: "method_not_allowed", 400: "body_unreadable", 413: "body_too_large"}
_CODES_OF_TYPES: dict[type[Exception], str] = {
    sqlite3.OperationalError: faults.StorageUnavailable.code,
    OperationalError: faults.StorageUnavailable.code,
    InterfaceError: "unavailable",
    PoolTimeout: "unavailable",
    ConnectionError: "unavailable",
    IntegrityError: "conflict",
}
STORAGE_ERRORS = (sqlite3.OperationalError, OperationalError, InterfaceError, PoolTimeout, ConnectionError)
"""What a database raises that cannot work just now."""

RETRYABLE_STATUSES = (429, 500, 502, 503, 504)
RETRYABLE_CODES = ("turn_in_progress", "conflict")

FIELD_MESSAGES: dict[str, str] = {
    "missing": "不能缺少",
    "extra_forbidden": "不认识这个字段",
    "string_too_short": "不能是空的",
    "string_too_long": "太长了",
    "too_long": "太多了",
    "too_short": "太少了",
    "literal_error": "不在可选的值里",
    "enum": "不在可选的值里",
    "string_type": "应该是文字",
    "bool_parsing": "应该是 true 或 false",
    "bool_type": "应该是 true 或 false",
    "timezone_aware": "时间要带时区",
}
_FIELD_FAMILIES = (
    ("date", "不是有效的日期或时间"),
    ("time", "不是有效的日期或时间"),
    ("int", "应该是数字"),
    ("float", "应该是数字"),
    ("finite", "应该是数字"),
    ("greater", "数值太小了"),
    ("less", "数值太大了"),
)


class FieldProblem(BaseModel):
    """One field that was not accepted. The value itself is never repeated."""

    field: str
    message: str


class Problem(BaseModel):
    """The shape of every error. `code` is stable; `detail` can be shown to an owner."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    retryable: bool
    errors: list[FieldProblem] | None = None


_STALE = {
    "type": f"{PROBLEM_TYPE}stale_version",
    "title": "Conflict",
    "status": 409,
    "detail": "内容已在别处修改，请刷新后再试",
    "code": "stale_version",
    "request_id": "0197f0a7-3a5f-7c06-8d4e-5f6a7b8c9da8",
    "retryable": False,
}
_AWAY = _STALE | {
    "type": f"{PROBLEM_TYPE}unavailable",
    "title": "Service Unavailable",
    "status": 503,
    "detail": DETAILS["unavailable"],
    "code": "unavailable",
    "retryable": True,
}
PROBLEM_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {
        "description": description,
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "example": example}},
    }
    for status, description, example in (
        ("4XX", "被拒绝：`code` 不变，`detail` 可以给主人看", _STALE),
        ("5XX", "暂时出错：`retryable` 为 true 时可以稍后重试", _AWAY),
    )
}
"""What OpenAPI says of refusals; it also keeps FastAPI from describing its own."""


def problem(
    request_id: str, status: int, code: str, detail: str, extra: Mapping[str, Any] | None = None
) -> JSONResponse:
    """A finished answer."""
    body = {
        **(extra or {}),
        "type": f"{PROBLEM_TYPE}{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": request_id,
        "retryable": status in RETRYABLE_STATUSES or code in RETRYABLE_CODES,
    }
    return JSONResponse(body, status, headers=_headers(status, extra), media_type=MEDIA_TYPE)


def problem_of(error: Exception, request_id: str) -> JSONResponse:
    """The answer for any exception; what the table does not know is a 500 that tells nothing."""
    if isinstance(error, RequestValidationError | ValidationError):
        return _invalid(request_id, error.errors())
    if isinstance(error, HTTPException) and isinstance(error.__cause__, faults.ApiFault):
        return problem_of(error.__cause__, request_id)  # ours, raised while FastAPI read the body
    if isinstance(error, HTTPException):
        code = _CODES_OF_STATUS.get(error.status_code, "refused")
        answer = problem(request_id, error.status_code, code, _detail(code, None))
        answer.headers.update(error.headers or {})
        return answer
    ancestor = next((kind for kind in type(error).__mro__ if kind in STATUS), None)
    if ancestor is None:
        return problem(request_id, 500, "internal_error", DETAILS["internal_error"])
    code = _CODES_OF_TYPES.get(ancestor) or str(getattr(error, "code", "refused"))
    extra = getattr(error, "extra", None) or getattr(error, "details", None) or {}
    return problem(request_id, STATUS[ancestor], code, _detail(code, error), extra)


def add_error_handlers(app: FastAPI) -> None:
    """Let the table answer for everything that a route raises."""
    for kind in (*STATUS, RequestValidationError, ValidationError, HTTPException):
        app.add_exception_handler(kind, _answer)


def describe_problems(app: FastAPI) -> None:
    """Put the shape of problems into the OpenAPI document, which FastAPI only knows of models that routes return."""
    described = app.openapi

    def openapi() -> dict[str, Any]:
        document = described()
        shape = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        document["components"]["schemas"] |= shape.pop("$defs") | {"Problem": shape}
        return document

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's documented way to extend the document


async def _answer(request: Request, error: Exception) -> JSONResponse:
    answer = problem_of(error, request_id_of(request))
    if answer.status_code in RETRYABLE_STATUSES:
        request.state.failure = error  # the door tells its observer
    return answer


def request_id_of(request: Request) -> str:
    """The id that the door gave this request."""
    return str(getattr(request.state, "request_id", ""))


def _detail(code: str, error: Exception | None) -> str:
    return str(getattr(error, "detail", "") or DETAILS.get(code) or "操作没有成功")


def _invalid(request_id: str, found: Sequence[Any]) -> JSONResponse:
    fields = [FieldProblem(field=_path(one["loc"]), message=_message(one)) for one in found]
    told = "；".join(f"{one.field} {one.message}".strip() for one in fields[:3])
    if any(one["type"] == "json_invalid" for one in found):
        return problem(request_id, 400, faults.BodyUnreadable.code, faults.BodyUnreadable.detail)
    errors = [one.model_dump() for one in fields]
    return problem(request_id, 422, "invalid_input", f"提交的内容有误：{told}", {"errors": errors})


def _path(location: Sequence[Any]) -> str:
    names = [str(part) for part in location if part not in ("body", "query", "path", "header")]
    return ".".join(name for name in names if not name.startswith("function-"))


def _message(one: Mapping[str, Any]) -> str:
    kind = str(one["type"])
    if kind == "value_error":
        return str(one["msg"]).removeprefix("Value error, ")
    return FIELD_MESSAGES.get(kind) or next((text for word, text in _FIELD_FAMILIES if word in kind), "不符合要求")


def _headers(status: int, extra: Mapping[str, Any] | None) -> dict[str, str]:
    if status == HTTPStatus.UNAUTHORIZED:
        return {"WWW-Authenticate": "Bearer"}
    if extra and "retry_after" in extra:
        return {"Retry-After": str(extra["retry_after"])}
    return {}
