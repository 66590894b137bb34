"""Two households that sound alike: the same three names of pets, the same things said, and one word each of its own.

`House.ids` holds what a household owns by the name of the path parameter; a parameter that means different things in
different calls is named by the call (`NAMED_BY_CALL`).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from fastapi import FastAPI

from domain.owners import Owner as OwnerRow
from jobs.look_at_photos import look_at_photos
from memory.dreams import DONE, Dream
from memory.hunches import REPEATS, Hunch
from miniprogram_api.examples import RECORD_INPUTS
from tests.factories import Json, Owner
from tests.photos import png

NAMES = ("豆豆", "豆豆儿", "小豆豆")
MARCH = datetime(2026, 3, 1, tzinfo=UTC)
PARAMETER = re.compile(r"{(\w+)}")

NAMED_BY_CALL = {"/v1/inbox/{message_id}/read": {"message_id": "inbox_id"}}
"""A path parameter that is not what its name says elsewhere."""


@dataclass(frozen=True)
class House:
    """One household: `word` stands in everything that was written there and nowhere else."""

    owner: Owner
    word: str
    pets: list[Json]
    ids: Mapping[str, str]
    records: Mapping[str, str]

    def fill(self, path: str) -> str:
        """A path below /v1 with ids of this household. A parameter without one fails: give this module an id for it."""
        parts = path.split("/")
        known = {**self.ids, "record_id": self.records.get(parts[4] if len(parts) > 4 else "", "")}
        filled = {name: known.get(NAMED_BY_CALL.get(path, {}).get(name, name), "") for name in PARAMETER.findall(path)}
        missing = [name for name, value in filled.items() if not value]
        assert missing == [], f"{path}: give tests/confusable_households.py an id for {missing}"
        return path.removeprefix("/v1").format(**filled)

    def is_told_in(self, text: str) -> bool:
        """Whether a text holds this household's word or one of its ids."""
        own = [pet["id"] for pet in self.pets]
        hidden = [value for name, value in self.ids.items() if name != "topic"]
        return any(value in text for value in (self.word, *own, *hidden, *self.records.values(), self.owner.id))


async def open_house(app: FastAPI, owner: Owner, word: str) -> House:
    """Fill a new owner's household with one of everything, by the calls a phone makes."""
    pets = [await owner.pet(name) for name in NAMES]
    first = pets[0]
    records = {
        kind: (await owner.record(first, kind, **fields, note=f"{word}记下的"))["id"]
        for kind, fields in RECORD_INPUTS.items()
    }
    for pet in pets:
        memory = await owner.post("/memories", {"subject": pet["id"], "content": f"{pet['name']}喜欢{word}牌的绳结"})
    owner.at("2026-03-01T20:00:00+08:00")
    plan = {"title": f"{word}带豆豆打疫苗", "starts_at": "2026-03-04T15:00:00+08:00", "pet_id": first["id"]}
    schedule = await owner.post("/schedules", plan)
    turn: Json = {}
    said = (f"豆豆昨天吐了两次，吃的是{word}牌", "豆豆对牛肉过敏", "豆豆对牛肉不过敏了，是我记错了")
    for number, text in enumerate(said):
        body = {"text": text, "client_msg_id": f"{word}{number}", "pet_id": first["id"]}
        turn = await owner.post("/chat/turns", body)
    follow_ups = await owner.get("/follow-ups")
    share = await owner.at(None).post(f"/pets/{first['id']}/shares", {"expires_in_hours": 1, "passcode": "2580"})
    told = {"author": f"{word}医生", "diagnosis": f"{word}肠胃炎", "code": "2580"}
    note = await owner.client.post(f"{share['url']}/notes", json=told)
    photo = await owner.client.post("/v1/photos", files={"file": ("photo.png", png())}, data={"pet_id": first["id"]})
    await look_at_photos(app.state.container.photo_parts())
    ids = {
        "pet_id": first["id"],
        "memory_id": memory["id"],
        "topic": "health",
        "schedule_id": schedule["id"],
        "calendar_id": (await owner.post("/calendar-tokens", {}))["id"],
        "turn_id": turn["turn_id"],
        "message_id": turn["message_id"],
        "confirmation_id": (await owner.get("/confirmations"))["items"][0]["id"],
        "follow_up_id": follow_ups["items"][0]["id"],
        "inbox_id": (await owner.get("/inbox"))["items"][0]["id"],
        "share_id": share["id"],
        "photo_id": photo.json()["id"],
        "note_id": note.json()["id"],
        **await _night(app, owner, first, memory["id"], word),
    }
    return House(owner, word, pets, ids, records)


async def _night(app: FastAPI, owner: Owner, pet: Json, memory_id: str, word: str) -> dict[str, str]:
    """A line in the diary and a hunch, as a night leaves them."""
    async with app.state.container.transactions.write() as session:
        home = (await session.get_one(OwnerRow, owner.id)).household_id
        line = {"what": "merged", "text": f"{word}合成了一条", "memory_ids": [memory_id], "subject": pet["id"]}
        dream = Dream(
            household_id=home,
            owner_id=owner.id,
            status=DONE,
            night_on=date(2026, 3, 1),
            started_at=MARCH,
            finished_at=MARCH,
            lines=[line],
        )
        hunch = Hunch(
            household_id=home,
            owner_id=owner.id,
            subject=pet["id"],
            kind=REPEATS,
            key=word,
            attribute="diet_preference",
            topic="diet",
            text=f"豆豆总吃{word} ×3",
            count=3,
            sources=[memory_id],
            found_at=MARCH,
            changed_at=MARCH,
        )
        session.add_all([dream, hunch])
        return {"dream_id": dream.id, "review_id": hunch.id}


def operations(app: FastAPI) -> Iterator[tuple[str, str, Json]]:
    """Every call below /v1 of the OpenAPI document: method, path, description."""
    for path, methods in app.openapi()["paths"].items():
        if path.startswith("/v1/"):
            for method, operation in methods.items():
                yield method.upper(), path, operation


def body_of(app: FastAPI, operation: Json) -> Any:
    """The example of a call's body; None when it takes none, or a file."""
    if "requestBody" not in operation:
        return None
    media = operation["requestBody"]["content"].get("application/json")
    if media is None:
        return None
    schema = media["schema"]
    if "$ref" in schema:
        schema = app.openapi()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "example" in schema or schema.get("examples"):
        return schema["example"] if "example" in schema else schema["examples"][0]
    return {name: part["examples"][0] for name, part in schema["properties"].items() if part.get("examples")}
