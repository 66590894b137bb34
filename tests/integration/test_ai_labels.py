"""Whatever leaves and may hold generated words says so: to people in a line, to programs in fields."""

import io
import json
import re
import zipfile
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.settings import Settings
from tests.conftest import on_sqlite
from tests.factories import Owner
from tests.fakes.phone import hear, say

FIELDS = {
    "Label",
    "ContentProducer",
    "ProduceID",
    "ReservedCode1",
    "ContentPropagator",
    "PropagateID",
    "ReservedCode2",
}
MARK = re.compile(r"(?:AI|人工智能)\s?(?:生成|合成|generated)")
CHECKED = {"application/zip", "text/calendar", "application/fhir+json", "text/event-stream", "application/json"}
NO_WORDS = {"image/jpeg", "image/png", "image/gif", "application/problem+json", "text/plain"}

pytestmark = on_sqlite


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"ai_producer": "91310000TEST"})


def fields_in(text: str) -> Any:
    """The value of the AIGC key, wherever in a file it stands."""
    found = re.search(r'"AIGC":\s*(\{[^{}]*\})', text.replace("&#34;", '"').replace("\r\n ", "").replace("\\", ""))
    assert found is not None, text[:300]
    return json.loads(found[1])


async def leaving(owner: Owner) -> dict[str, str]:
    """What leaves, as text, by a name that tells what it is."""
    dog = await owner.pet("豆豆")
    answer = await say(owner, "豆豆对鸡肉过敏，今天体重12.3公斤", "m-1")
    streamed = await hear(owner, "豆豆能吃鸡胸肉吗", "m-2")
    share = await owner.post(f"/pets/{dog['id']}/shares", {"expires_in_hours": 24})
    calendar = await owner.post("/calendar-tokens", {})
    found = {
        "answer": json.dumps(answer, ensure_ascii=False),
        "answer again": json.dumps(await owner.get(f"/chat/turns/{answer['turn_id']}"), ensure_ascii=False),
        "stream": json.dumps(streamed[-1].data, ensure_ascii=False),
    }
    for name, url in {
        "vet page": share["url"],
        "vet page in English": f"{share['url']}?lang=en",
        "vet list": f"{share['url']}?list=allergies",
        "vet json": f"{share['url']}/record.json",
        "vet fhir": f"{share['url']}/fhir",
        "calendar": calendar["url"],
    }.items():
        found[name] = (await owner.client.get(url, headers={"User-Agent": "Mozilla/5.0 Safari"})).text
    return found | await exported(owner)


async def exported(owner: Owner) -> dict[str, str]:
    """Every text of an export, and the comment of the zip itself."""
    packed = (await owner.ask("GET", "/me/export")).content
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
        return {**texts, "zip": archive.comment.decode()}


async def test_words_and_fields_stand_on_all_that_leaves(owner: Owner) -> None:
    found = await leaving(owner)
    assert {"MEMORY.md", "USER.md", "DREAMS.md", "export.json", "zip"} <= set(found)
    assert any(name.endswith(".jsonl") for name in found)
    for name, text in found.items():
        assert MARK.search(text), name
        fields = fields_in(text)
        assert set(fields) == FIELDS, name
        assert all(isinstance(value, str) for value in fields.values()), name
        assert fields["Label"] in ("1", "2"), name
        assert fields["ProduceID"], name
        assert (fields["ContentProducer"], fields["ContentPropagator"]) == ("91310000TEST",) * 2, name


async def test_a_thing_that_leaves_again_unchanged_keeps_its_number(owner: Owner) -> None:
    first = await leaving(owner)
    assert fields_in(first["answer"]) == fields_in(first["answer again"])
    assert fields_in(first["vet page"])["ProduceID"] == fields_in(first["vet fhir"])["ProduceID"]
    assert fields_in(first["zip"]) == fields_in(first["export.json"]) == fields_in(first["MEMORY.md"])
    assert fields_in((await exported(owner))["zip"]) != fields_in(first["zip"])


async def test_a_record_without_a_word_of_the_chat_carries_no_label(owner: Owner) -> None:
    dog = await owner.pet("豆豆")
    await owner.record(dog, "allergies", substance="鸡肉", category="food")
    share = await owner.post(f"/pets/{dog['id']}/shares", {"expires_in_hours": 24})
    assert "AIGC" not in (await owner.client.get(share["url"], headers={"User-Agent": "Mozilla/5.0"})).text
    assert (await owner.client.get(f"{share['url']}/record.json")).json()["ai_label"] is None


async def test_no_other_kind_of_file_leaves(app: FastAPI, client: httpx.AsyncClient) -> None:
    kinds = {
        kind
        for path in app.openapi()["paths"].values()
        for call in path.values()
        for answer in call["responses"].values()
        for kind in answer.get("content", {})
    }
    assert kinds <= CHECKED | NO_WORDS
