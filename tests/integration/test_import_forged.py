"""A file whose every value is forged in turn: what is let in can be read, changed and deleted like everything else."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from fastapi import FastAPI

from domain.portability.schema import SECTIONS
from tests.conftest import SignIn, on_sqlite
from tests.confusable_households import open_house, operations
from tests.factories import Json, Owner
from tests.integration.test_import import bring, export_of, zipped

FORGED: tuple[Any, ...] = ("root", "", {}, [], [{}], {"a": 1}, -1, 2**31, True, "2026-03-01", "x" * 3000)
KEPT = {"id", "item_id", "target_id", "record_id", "turn_id", "message_id", "conversation_id", "schedule_id", "pet_id"}
"""Columns that say where a row belongs; forged, the row is refused or nowhere to be seen."""


def forged_rows(export: Json) -> Iterator[tuple[str, Json]]:
    """A copy of a row for each column and forged value."""
    number = 0
    for section in SECTIONS:
        rows = export[section.name]
        for column in rows[-1] if rows and section.name != "owners" else ():
            for value in FORGED if column not in KEPT else ():
                number += 1
                own = {"id": str(UUID(int=(0x0197F0A311D17D90A1C4 << 48) + number))} if "id" in rows[-1] else {}
                hangs = {"once_key": f"f{number}"} if section.name == "signals" else {}
                yield section.name, {**rows[-1], **own, **hangs, column: value}


@on_sqlite
async def test_nothing_forged_breaks_a_page(app: FastAPI, sign_in: SignIn) -> None:
    first = await open_house(app, await sign_in("lin"), "鹧鸪紫苏")
    _, export = await export_of(first.owner)
    for name, row in list(forged_rows(export)):
        export[name].append(row)
    other = await sign_in("other")
    answer = await bring(other, zipped(**{"export.json": json.dumps(export)}))
    assert answer.status_code == 200, answer.text
    assert answer.json()["refused"] > 2000
    await _look_at_everything(app, other)


@on_sqlite
async def test_a_line_of_a_record_that_is_not_there_is_refused(app: FastAPI, sign_in: SignIn) -> None:
    first = await open_house(app, await sign_in("lin"), "鹧鸪紫苏")
    _, export = await export_of(first.owner)
    mirror = next(row for row in export["memories"] if row["record_kind"])
    nowhere = {"id": "0197f0a3-11d1-7d90-a1c4-0e7f3b6a5c01", "record_id": "0197f0a3-11d1-7d90-a1c4-0e7f3b6a5c02"}
    export["memories"].append({**mirror, **nowhere, "content": "豆豆对什么都不过敏"})
    other = await sign_in("other")
    report = (await bring(other, zipped(**{"export.json": json.dumps(export)}))).json()
    assert [line["content"] for line in report["lines"] if line["outcome"] == "refused"] == ["豆豆对什么都不过敏"]
    assert all("什么都" not in row["content"] for row in (await other.get("/memories", limit=100))["items"])


async def _look_at_everything(app: FastAPI, owner: Owner) -> None:
    failed: list[tuple[str, ...]] = []
    pets = [pet["id"] for pet in (await owner.get("/pets"))["items"]]
    memories = [row["id"] for row in (await owner.get("/memories", limit=100))["items"]]
    for method, path, _ in operations(app):
        if method != "GET":
            continue
        for subject in pets if "{pet_id}" in path else [""]:
            for memory in memories if "{memory_id}" in path else [""]:
                filled = path.removeprefix("/v1").replace("{pet_id}", subject).replace("{memory_id}", memory)
                filled = filled.replace("{topic}", "health")
                if "{" in filled:
                    continue
                answer = await owner.ask("GET", filled, params={"limit": 100})
                if answer.status_code >= 500:
                    failed.append((filled, answer.text[:100]))
    for question in (await owner.get("/confirmations", status="pending", limit=100))["items"]:
        answer = await owner.ask("POST", f"/confirmations/{question['id']}/answer", {"answer": "accept"})
        if answer.status_code >= 500:
            failed.append(("answer", answer.text[:200]))
    for text in ("豆豆最近怎么样", "豆豆能吃鸡肉吗", "我们聊过疫苗吗", "下个月有什么安排"):
        await owner.post("/chat/turns", {"text": text, "client_msg_id": text})
    for memory in memories:
        answer = await owner.ask("DELETE", f"/memories/{memory}")
        if answer.status_code not in (204, 404):  # a record takes its line along
            failed.append(("DELETE", memory, answer.text[:200]))
    assert failed == []
