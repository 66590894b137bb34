"""A year of a household, lived in minutes: three pets, some 2,500 messages, every night as in life, the truth known.

    python -m bench.year_of_a_household [--months 12] [--embedder auto|none] [--json]

Turns run through the real service with an injected clock; the nightly upgrade, the sleep, the conversation summaries
and the vectors run when they would. Each month tells what memory holds and what it served wrong. Facts lost and wrong
facts served must be 0, duplicates at most 1 %, and a hundred planted facts are asked for at the end (recall ≥ 0.95).
"""

import argparse
import asyncio
import json
import re
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import func
from sqlmodel import col, select

from app.container import Container, open_container
from app.logging import configure_logging
from app.settings import Settings
from bench.household_script import PETS, Planted, Script
from domain.confirming import answer
from domain.owners import POLICIES, scope_of, set_consent, sign_in_owner
from domain.pets import Pet
from domain.running_turn import TurnRequest
from jobs.consolidate import ConsolidateParts, consolidate
from jobs.summarize_talks import SettlingParts, summarize_talks
from jobs.sync_vectors import sync_vectors
from jobs.upgrade_memory import upgrade_due
from memory.archive_rows import Archive
from memory.confirmations import Confirmation
from memory.core_budget import PET_CARD, count_chars
from memory.items import MemoryItem
from memory.revision import touch
from memory.scope import Scope
from memory.settlement import Answer
from memory.similarity import same_thing
from memory.visibility import SERVED, VISIBLE
from memory.vocabulary import OWNER_SUBJECT, ConfirmationStatus, Kind, MemoryStatus, Tier

FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC) - timedelta(hours=8)  # midnight in Shanghai
DAYS_A_MONTH = 30
TALK_FROM, TALK_FOR = timedelta(hours=9), timedelta(hours=12)
CLOCK_STEP = timedelta(minutes=30)  # between looks of the jobs that wait for quiet
NIGHT = timedelta(hours=27, minutes=31)  # 03:31 of the next day
PATIENT_MS = 5_000  # of recall: this is about what memory holds, not about a machine that lives a day in a second
_SERIES = ("weights", "observations", "vaccinations", "dewormings", "visits")
GONE = (MemoryStatus.DELETED.value,)
_KG = re.compile(r"(\d+(?:\.\d+)?)kg")


@dataclass
class Month:
    """One line of the report."""

    month: int
    messages: int = 0
    active_days: int = 0
    tiers: dict[str, int] = field(default_factory=dict)
    core_fill: float = 0.0  # of the fullest card, items or characters
    promotions: int = 0
    moves: dict[str, int] = field(default_factory=dict)
    archives: int = 0  # summaries
    entries: int = 0
    lost: int = 0
    wrong: int = 0
    duplicates: float = 0.0
    growth: float = 0.0  # new memories an active day


@dataclass
class Life:
    """The household while it lives."""

    container: Container
    scope: Scope
    pets: dict[str, Pet]
    script: Script
    now: datetime = FIRST_DAY
    sent: int = 0
    kept: dict[str, str] = field(default_factory=dict)  # every memory that was ever accepted, by id
    wrong: list[str] = field(default_factory=list)
    not_understood: list[str] = field(default_factory=list)
    moves: Counter[str] = field(default_factory=Counter)

    async def say(self, text: str) -> dict[str, Any]:
        """One turn; what it says was kept is noted."""
        self.sent += 1
        turns = self.container.turns
        turn_id = await turns.start(self.scope, TurnRequest(text, f"year-{self.sent}", self.now))
        told = await turns.wait(self.scope, turn_id)
        for memory in told["memories"]:
            if memory["memory_id"] and memory["outcome"] != "refused":
                self.kept.setdefault(memory["memory_id"], memory["content"])
        return told


async def live(months: int, embedder: str, folder: Path) -> tuple[list[Month], dict[str, Any]]:
    """Live the months and report; the second value is the examination on the last day."""
    settings = Settings(env="test", data_dir=folder, embedder=embedder, recall_deadline_ms=PATIENT_MS, _env_file=None)  # type: ignore[arg-type, call-arg]
    async with open_container(settings) as container:
        life = await _move_in(container, Script(months * DAYS_A_MONTH if months < 12 else 365))
        report: list[Month] = []
        month = Month(1)
        for day in range(life.script.days):
            await _day(life, day, month)
            if ((day + 1) % DAYS_A_MONTH == 0 and len(report) < months - 1) or day == life.script.days - 1:
                await _close(life, month)
                report.append(month)
                month = Month(month.month + 1)
        return report, await _examine(life)


async def _move_in(container: Container, script: Script) -> Life:
    async with container.transactions.write() as session:
        owner = await sign_in_owner(session, "app", "dev:year", "小周", FIRST_DAY)
        set_consent(session, owner.id, "long_term_memory", True, POLICIES["long_term_memory"].version, FIRST_DAY)
        pets = {
            name: Pet(household_id=owner.household_id, name=name, species=species, created_at=FIRST_DAY)
            for name, species in PETS
        }
        session.add_all(pets.values())
        touch(session, owner.household_id)
    return Life(container, scope_of(owner), pets, script)


async def _day(life: Life, day: int, month: Month) -> None:
    """The owner talks, answers what was asked, and goes to bed; the night's work runs."""
    morning = FIRST_DAY + day * timedelta(days=1)
    lines = life.script.day(day)
    for place, line in enumerate(lines):
        life.now = morning + TALK_FROM + TALK_FOR * place / max(1, len(lines))
        told = await life.say(line.text)
        if line.planted and not _was_kept(told):
            life.not_understood.append(line.text)
            life.script.not_understood(line.planted, day)
    if lines:
        month.messages += len(lines)
        month.active_days += 1
        await _answer_questions(life)
    await _night(life, morning)


def _was_kept(told: dict[str, Any]) -> bool:
    return any(memory["memory_id"] and memory["outcome"] != "refused" for memory in told["memories"])


async def _night(life: Life, morning: datetime) -> None:
    container = life.container
    for at in (morning + timedelta(hours=23, minutes=45), morning + NIGHT):
        life.now = at
        await summarize_talks(SettlingParts(container.database, container.real_now), at)
        parts = container.consolidate_parts()
        await consolidate(ConsolidateParts(parts.night, lambda at=at: at))  # type: ignore[misc]
    done = await upgrade_due(container.upgrade_parts(), morning + NIGHT)
    assert done.failed == 0, "a night failed; the log above says why"  # a bench, where nothing may fail
    life.moves.update(done.upgraded.moves)
    await sync_vectors(container.vector_parts())


async def _answer_questions(life: Life) -> None:
    """The owner answers by the truth: what the script changed is accepted, what it only doubted is kept as it was."""
    async with life.container.transactions.read() as session:
        pending = (
            await session.exec(
                select(Confirmation).where(
                    col(Confirmation.household_id) == life.scope.household_id,
                    col(Confirmation.status) == ConfirmationStatus.PENDING.value,
                )
            )
        ).all()
    for question in pending:
        given = Answer.KEEP if question.attribute.startswith("allergy") else Answer.ACCEPT
        async with life.container.transactions.write() as session:
            await answer(session, life.scope, question.id, given, life.now, life.container.real_now())


async def _close(life: Life, month: Month) -> None:
    """Count what memory holds, and ask what it must know."""
    await _probe(life)
    items = await _items(life)
    served = [item for item in items if item.status in SERVED]
    month.tiers = dict(Counter(item.tier for item in served)) | {
        "archived": sum(item.status == MemoryStatus.ARCHIVED.value for item in items)
    }
    month.core_fill = max(_fill(served, pet.id) for pet in life.pets.values())
    month.moves = dict(life.moves)
    month.promotions = life.moves["promoted"] + life.moves["climbed_back"]
    life.moves.clear()
    month.lost = len(_lost(life, items))
    month.wrong = len(life.wrong)
    month.duplicates = len(_duplicates(served)) / max(1, len(served))
    month.growth = _born(items, life.now) / max(1, month.active_days)
    month.entries = sum(item.tier == Tier.LONG.value for item in items)
    async with life.container.transactions.read() as session:
        filled = select(func.count()).select_from(Archive).where(col(Archive.summary) != "")
        month.archives = (await session.exec(filled)).one()


async def _items(life: Life) -> list[MemoryItem]:
    async with life.container.transactions.read() as session:
        rows = await session.exec(select(MemoryItem).where(col(MemoryItem.household_id) == life.scope.household_id))
        return list(rows.all())


def _fill(served: list[MemoryItem], pet_id: str) -> float:
    card = [item for item in served if item.subject == pet_id and item.tier == Tier.CORE.value]
    chars = sum(count_chars(item.content) for item in card)
    return max(len(card) / PET_CARD.items, chars / PET_CARD.chars)


def _lost(life: Life, items: list[MemoryItem]) -> list[str]:
    """Accepted memories that are neither there, nor merged into, corrected by or turned into another that is; and
    planted facts that no memory holds any more."""
    by_id = {item.id: item for item in items}
    lost = []
    for memory_id, content in life.kept.items():
        item = by_id.get(memory_id)
        if (
            item is None
            or item.status in GONE
            or (item.status == MemoryStatus.SUPERSEDED.value and not item.reason and item.record_id is None)
        ):
            lost.append(content)
    return lost + [fact.told for fact in life.script.told if not _is_there(life, fact, items)]


def _is_there(life: Life, fact: Planted, items: list[MemoryItem]) -> bool:
    """Whether a memory of that pet that still exists holds the words of a planted fact."""
    pet = life.pets.get(fact.pet)
    subject = OWNER_SUBJECT if pet is None else pet.id
    there = [item.content for item in items if item.subject == subject and item.status in VISIBLE]
    return any(all(word in content for word in fact.words) for content in there)


def _duplicates(served: list[MemoryItem]) -> list[str]:
    """Served lines that say what an earlier one says; happenings, measurements and remarks of a day are none."""
    lasting = [item for item in served if item.kind == Kind.FACT.value and item.record_kind not in _SERIES]
    facts = [item for item in lasting if "今天" not in item.content]
    return [
        one.content
        for place, one in enumerate(facts)
        if any(same_thing(one.content, other.content) and one.subject == other.subject for other in facts[:place])
    ]


def _born(items: list[MemoryItem], now: datetime) -> int:
    return sum(item.learned_at > now - timedelta(days=DAYS_A_MONTH) for item in items)


async def _probe(life: Life) -> None:
    """Ask what has changed or must be safe, the morning after; a wrong answer is noted, a missing one is not wrong."""
    life.now += timedelta(hours=5)
    for name, truth in life.script.truth.items():
        told = (await life.say(f"{name}现在吃什么粮？"))["text"]
        if any(old in told for old in truth.earlier_staples) and truth.staple not in told:
            life.wrong.append(f"{name} {told}")
        told = (await life.say(f"{name}现在多重？"))["text"]
        if truth.weight_kg and not any(float(kg) == truth.weight_kg for kg in _KG.findall(told)[:1]):
            life.wrong.append(f"{name} {truth.weight_kg}kg: {told}")
        for substance in truth.allergies:
            told = (await life.say(f"{name}能吃{substance}吗？"))["text"]
            if "过敏" not in told:
                life.wrong.append(f"{name} {substance}: {told}")
        for drug in truth.stopped:
            told = (await life.say(f"{name}现在在吃什么药？"))["text"]
            if f"在用{drug}" in told:
                life.wrong.append(f"{name} {drug}: {told}")
        life.now += timedelta(minutes=10)


async def _examine(life: Life) -> dict[str, Any]:
    """Ask for every planted fact; it is recalled when the reply stands on a memory that holds its words."""
    missed: list[str] = []
    life.now += timedelta(hours=1)
    facts = life.script.told
    for fact in facts:
        life.now += timedelta(minutes=1)
        told = await life.say(fact.asked)
        if not _stands_on(told, fact):
            missed.append(f"{fact.told} | {fact.asked} | {told['text']}")
    found, items = len(facts) - len(missed), await _items(life)
    return {
        "asked": len(facts),
        "recalled": found,
        "recall": round(found / max(1, len(facts)), 3),
        "missed": missed,
        "not_understood": life.not_understood,
        "wrong": life.wrong,
        "lost": _lost(life, items),
        "duplicates": _duplicates([item for item in items if item.status in SERVED]),
    }


def _stands_on(told: dict[str, Any], fact: Planted) -> bool:
    return any(all(word in cited["snippet"] for word in fact.words) for cited in told["citations"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--months", type=int, default=12)
    parser.add_argument("--embedder", default="auto", choices=["auto", "none"])
    parser.add_argument("--keep", type=Path, help="a folder for the database, to look into afterwards")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    configure_logging("ERROR")
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        kept = arguments.keep or Path(folder)
        months, examined = asyncio.run(live(arguments.months, arguments.embedder, kept))
    for month in months:
        print(_row(month))
    print(json.dumps(examined, ensure_ascii=False, indent=None if arguments.json else 1))
    if arguments.json:
        print(json.dumps([asdict(month) for month in months], ensure_ascii=False))
    print(f"{sum(month.messages for month in months)} messages in {time.perf_counter() - started:.0f} s")


def _row(month: Month) -> str:
    tiers = " ".join(f"{name} {month.tiers.get(name, 0)}" for name in ("short", "core", "long", "archived"))
    return (
        f"month {month.month:2}: {month.messages} messages, {tiers}, card {month.core_fill:.0%}, "
        f"promoted {month.promotions}, archives {month.archives} with {month.entries} entries, "
        f"lost {month.lost}, wrong {month.wrong}, duplicates {month.duplicates:.1%}, "
        f"growth {month.growth:.1f} a day, moves {month.moves}"
    )


if __name__ == "__main__":
    main()
