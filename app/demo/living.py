"""Lives the sample year: forms and chat lines of `household.yaml`, each at its own day, through real code."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import col, select

from app.container import Container
from domain.health_records import Change, create_record
from domain.knowledge.strict_yaml import load_yaml
from domain.owners import POLICIES, Owner, scope_of, set_consent, sign_in_owner
from domain.pets import Pet
from domain.record_kinds import kind_named
from domain.running_turn import TurnRequest
from memory.revision import touch
from memory.scope import Scope
from memory.vocabulary import Precision, Source

STORY = Path(__file__).with_name("household.yaml")
GRANTED = ("long_term_memory",)  # what the sample owner agreed to; the rest stays off until switched on


@dataclass(frozen=True, slots=True)
class Lived:
    """What living the story gave."""

    pets: int
    records: int
    turns: int


async def is_empty(container: Container) -> bool:
    """Whether the sample owner does not exist yet."""
    async with container.transactions.read() as session:
        found = await session.exec(select(Owner.id).where(col(Owner.appid) == "dev").limit(1))
        return found.first() is None


async def live(container: Container, now: datetime) -> Lived:
    """Live the whole story up to `now` (aware). Each chat line is an ordinary turn with its own domain time."""
    story = load_yaml(STORY.name, STORY.read_text(encoding="utf-8"))
    owner = await _sign_in(container, story["owner"], now)
    scope = scope_of(owner)
    pets = await _add_pets(container, scope, story["pets"], now)
    events = sorted([*story["forms"], *story["chat"]], key=lambda event: (-event["ago"], event.get("at", "09:00")))
    turns = 0
    for event in events:
        at = _moment(now, owner.timezone, event["ago"], event.get("at", "09:00"))
        if "text" in event:
            turns += 1
            await _say(container, scope, event["text"], at, f"demo-{turns}")
        else:
            await _fill_in(container, scope, pets[event["pet"]], event, at)
    return Lived(len(pets), len(events) - turns, turns)


async def _sign_in(container: Container, who: dict[str, str], now: datetime) -> Owner:
    begun = now - timedelta(days=366)
    async with container.transactions.write() as session:
        openid = container.keys.seal_identity(who["code"])
        owner = await sign_in_owner(session, "dev", openid, who["nickname"], begun)
        for purpose, policy in POLICIES.items():
            set_consent(session, owner.id, purpose, purpose in GRANTED, policy.version, begun)
        touch(session, owner.household_id)
    return owner


async def _add_pets(
    container: Container, scope: Scope, pets: Iterable[dict[str, Any]], now: datetime
) -> dict[str, Pet]:
    added: dict[str, Pet] = {}
    async with container.transactions.write() as session:
        for told in pets:
            fields = dict(told)
            key, age = fields.pop("key"), timedelta(days=fields.pop("age_days"))
            pet = Pet(
                household_id=scope.household_id,
                born_on=(now - age).date(),
                born_on_precision=Precision.DAY.value,
                created_at=now - timedelta(days=366),
                **fields,
            )
            session.add(pet)
            added[key] = pet
        touch(session, scope.household_id)
    return added


async def _fill_in(container: Container, scope: Scope, pet: Pet, event: dict[str, Any], at: datetime) -> None:
    kind = kind_named(event["kind"])
    fields = dict(event["fields"])
    if "on" in event:
        day: date = scope.local(at).date()
        fields |= {event["on"]: day, f"{event['on']}_precision": Precision.DAY}
    change = Change(scope, scope.owner_id, "owner filled in a form", Source.OWNER, at, container.real_now())
    async with container.transactions.write() as session:
        await create_record(session, change, pet, kind, kind.fields.model_validate(fields))


async def _say(container: Container, scope: Scope, words: str, at: datetime, client_msg_id: str) -> None:
    turn_id = await container.turns.start(scope, TurnRequest(words, client_msg_id, at))
    await container.turns.wait(scope, turn_id)


def _moment(now: datetime, timezone: str, days_ago: int, clock: str) -> datetime:
    day = now.astimezone(ZoneInfo(timezone)).date() - timedelta(days=days_ago)
    return datetime.combine(day, time.fromisoformat(clock), ZoneInfo(timezone)).astimezone(UTC)
