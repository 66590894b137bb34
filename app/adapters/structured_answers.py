"""Answers in JSON: asked for by schema, checked with pydantic, and given back once when they do not fit."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from app.adapters.model_client import ModelClient
from app.adapters.model_requests import ModelRequest, Shape
from domain.model_faults import BadAnswer, ModelFault
from domain.token_use import Tokens

MOST_ERRORS_TOLD = 5
_FENCED = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)

Wanted = TypeVar("Wanted", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Structured(Generic[Wanted]):
    """A checked answer, what it cost, and whether it had to be given back once."""

    value: Wanted
    tokens: Tokens
    repaired: bool = False
    model: str = ""


async def ask_structured(
    client: ModelClient, request: ModelRequest, wanted: type[Wanted], until: float
) -> Structured[Wanted]:
    """The answer as `wanted`, after one repair round at most. Raises ModelAway, BadAnswer (shape, refusal), each with
    what its answers cost."""
    shaped = replace(request, shape=Shape(wanted.__name__, closed(wanted.model_json_schema())))
    first = await client.complete(shaped, until)
    try:
        return Structured(read(first.text, wanted), first.tokens, model=first.model)
    except ValueError as error:
        again = replace(shaped, messages=[*request.messages, *_given_back(first.text, error)])
    try:
        second = await client.complete(again, until)
    except ModelFault as fault:
        raise fault.costing(first.model, first.tokens) from None
    try:
        return Structured(read(second.text, wanted), first.tokens + second.tokens, True, second.model)
    except ValueError:
        raise BadAnswer("shape").costing(second.model, first.tokens + second.tokens) from None


def read(text: str, wanted: type[Wanted]) -> Wanted:
    """The value in an answer that may have a fence or words around it. Raises ValueError (pydantic's among them)."""
    fenced = _FENCED.search(text)
    body = fenced[1] if fenced else text[text.find("{") : text.rfind("}") + 1]
    return wanted.model_validate(json.loads(body))


def closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema as strict endpoints want it: every property required, no others allowed, defaults left out."""
    return {key: _closed(value) for key, value in _strict(schema).items()}


def _closed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _closed(inner) for key, inner in _strict(value).items()}
    if isinstance(value, list):
        return [_closed(inner) for inner in value]
    return value


def _strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    if schema.get("type") != "object" or not isinstance(schema.get("properties"), Mapping):
        return {key: value for key, value in schema.items() if key != "default" or isinstance(value, Mapping)}
    return {**schema, "required": list(schema["properties"]), "additionalProperties": False}


def _given_back(text: str, error: ValueError) -> list[dict[str, str]]:
    """The unfit answer and what is wrong with it, without quoting values."""
    if isinstance(error, ValidationError):
        problems = [f"{'.'.join(str(part) for part in one['loc'])}: {one['type']}" for one in error.errors()]
    else:
        problems = ["不是 JSON"]
    told = "；".join(problems[:MOST_ERRORS_TOLD])
    return [
        {"role": "assistant", "content": text[:4000]},
        {"role": "user", "content": f"上面的输出不符合要求（{told}）。请只输出一个符合要求的 JSON 对象。"},
    ]
