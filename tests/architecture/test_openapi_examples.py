"""The OpenAPI document shows every call with an example that is true to its own schema."""

from typing import Any

import pytest
from fastapi import FastAPI
from jsonschema_rs import Draft202012Validator

Json = dict[str, Any]
MEDIA = "application/json"


@pytest.fixture
def document(application: tuple[FastAPI, object]) -> Json:
    """The document as clients load it."""
    return application[0].openapi()


def test_every_call_shows_what_to_send_and_what_comes_back(document: Json) -> None:
    bare = []
    for name, operation in _operations(document):
        body = operation.get("requestBody", {}).get("content", {}).get(MEDIA)
        if body is not None and not _examples(document, body):
            bare.append(f"{name}: request")
        for status, answer in operation["responses"].items():
            media = answer.get("content", {}).get(MEDIA)
            if status.startswith("2") and media is not None and not _examples(document, media):
                bare.append(f"{name}: {status}")
    assert bare == []


def test_examples_are_true_to_their_schemas(document: Json) -> None:
    wrong = []
    for name, schema in document["components"]["schemas"].items():
        validator = Draft202012Validator({**schema, "components": document["components"]}, validate_formats=True)
        for example in [*schema.get("examples", []), *([schema["example"]] if "example" in schema else [])]:
            whole = _with_nulls(schema, example)
            wrong += [f"{name}: {error.message} in {example}" for error in validator.iter_errors(whole)]
    assert wrong == []


def test_every_call_has_a_chinese_title_and_tells_of_refusals(document: Json) -> None:
    for name, operation in _operations(document):
        if not name.split(" ")[1].startswith("/v1/"):
            continue
        assert "4XX" in operation["responses"] or "default" in operation["responses"], name


def test_no_call_uses_patch(document: Json) -> None:
    assert not any("patch" in methods for methods in document["paths"].values())


def _with_nulls(schema: Json, example: Json) -> Json:
    """The example as it was written: FastAPI leaves nulls out of the document."""
    parts = schema.get("properties", {}).items()
    return {**{name: None for name, part in parts if {"type": "null"} in part.get("anyOf", [])}, **example}


def _operations(document: Json) -> list[tuple[str, Json]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def _examples(document: Json, media: Json) -> bool:
    """Whether the media type, its schema, or every part of the schema carries an example."""
    if "example" in media or "examples" in media:
        return True
    return _shown(document, media.get("schema", {}))


def _shown(document: Json, schema: Json) -> bool:
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "example" in schema or schema.get("examples"):
        return True
    if "items" in schema.get("properties", {}):
        return _shown(document, schema["properties"]["items"]["items"])
    parts = schema.get("properties", {}).values()
    return bool(parts) and all(_shown(document, part) or part.get("type") == "null" for part in parts)
