"""The `recall` suite: which memories a question brings back, for whom, and what the safety card tells anyway.

Each case is a household of its own in a throw-away database, starting with an empty core. The code is that of a chat
turn (`domain.turn_recall`): reading the question, the arms over SQL and vectors, resolution and choice.
"""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from app.adapters.edge_vector_index import EdgeVectorIndex
from app.database import Database, open_database
from app.evaluation.cases import RecallCase
from app.evaluation.recall_household import RecallHousehold, add_vectors, move_in
from domain.turn_recall import Situation, recall_for
from memory.embedder import Embedder
from memory.local_embedder import load_local_embedder
from memory.recall import RecallStores
from memory.recall_rows import SqlKeywordSource, SqlLiveItems
from memory.vector_index import VectorIndex

Prediction = dict[str, Any]
NO_HURRY_S = 5.0  # an evaluation measures quality: a busy machine must not cut its arms short


async def predict_recall(cases: Iterable[RecallCase]) -> list[Prediction]:
    """One prediction a case, in order: per question `pets`, `injected` and `always`. The bundled embedder is used, as
    the embedded default has it."""
    embedder = load_local_embedder()
    try:
        return await predict_recall_with(embedder, cases)
    finally:
        if embedder is not None:
            embedder.close()


async def predict_recall_with(embedder: Embedder | None, cases: Iterable[RecallCase]) -> list[Prediction]:
    """The same with this embedder; None: keywords only."""
    async with throw_away(embedder) as (database, vectors):
        return [await _predict(database, embedder, vectors, case) for case in cases]


@asynccontextmanager
async def throw_away(embedder: Embedder | None) -> AsyncIterator[tuple[Database, VectorIndex | None]]:
    """A database and, with an embedder, a vector index that are gone afterwards."""
    with TemporaryDirectory(prefix="pawsignal-recall-") as folder:
        database = open_database(f"sqlite+aiosqlite:///{Path(folder) / 'cases.db'}")
        await database.migrate()
        vectors = EdgeVectorIndex(Path(folder), embedder.name, embedder.dimension) if embedder else None
        try:
            if vectors is not None:
                await vectors.ensure()
            yield database, vectors
        finally:
            if vectors is not None:
                await vectors.close()
            await database.close()


async def _predict(
    database: Database, embedder: Embedder | None, vectors: VectorIndex | None, case: RecallCase
) -> Prediction:
    household = await move_in(database, case)
    if embedder is not None and vectors is not None:
        await add_vectors(household, embedder, vectors)
    stores = RecallStores(SqlKeywordSource(database), SqlLiveItems(database), embedder, vectors)
    return {"id": case.id, "questions": [await _answer(case, household, q, stores) for q in case.questions]}


async def _answer(case: RecallCase, household: RecallHousehold, question: str, stores: RecallStores) -> Prediction:
    today = case.now.date()
    answered = await recall_for(
        Situation(
            household_id=household.scope.household_id,
            text=question,
            now=household.scope.local(case.now),
            pets=household.pets,
            owner_name=case.owner_name,
            told_by_cards=lambda pets: household.safety_card(pets, today),
        ),
        stores,
        NO_HURRY_S,
    )
    resolution = answered.resolution
    told = [] if resolution.unclear else household.safety_card(resolution.pets, today)
    return {
        "pets": [*household.names(resolution.pets), *(["owner"] if resolution.about_owner else [])],
        "injected": [household.own_ids[scored.item.id] for scored in answered.chosen],
        "always": [household.own_ids[key] for key in told],
    }
