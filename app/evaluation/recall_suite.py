"""The `recall` suite: which memories a question brings back, for whom, and what the safety card tells anyway.

Each household starts with an empty core. The code is that of a chat turn (`domain.turn_recall`): reading the question,
the arms, resolution and choice.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from app.adapters.edge_vector_index import EdgeVectorIndex
from app.evaluation.cases import RecallCase
from app.evaluation.recall_household import RecallHousehold, household_of
from domain.turn_recall import Answered, Situation, recall_for
from memory.embedder import Embedder
from memory.local_embedder import load_local_embedder
from memory.recall import RecallStores
from memory.vector_index import VectorIndex, VectorPoint

Prediction = dict[str, Any]


async def predict_recall(cases: Iterable[RecallCase], embedder: Embedder | None = None) -> list[Prediction]:
    """One prediction a case, in order: per question `pets`, `injected` and `always`.

    embedder None: the best bundled one, as the embedded default has it.
    """
    local = load_local_embedder() if embedder is None else None
    used = embedder or local
    try:
        with TemporaryDirectory() as folder:
            index = EdgeVectorIndex(Path(folder), used.name, used.dimension) if used else None
            if index is not None:
                await index.ensure()
            predictions = [await predict_household(case, used, index) for case in cases]
            if index is not None:
                await index.close()
    finally:
        if local is not None:
            local.close()
    return predictions


async def predict_household(case: RecallCase, embedder: Embedder | None, vectors: VectorIndex | None) -> Prediction:
    """The answers to one household's questions."""
    household = household_of(case)
    if embedder is not None and vectors is not None:
        await _index(household, embedder, vectors)
    stores = RecallStores(keywords=household, items=household, embedder=embedder, vectors=vectors)
    return {"id": case.id, "questions": [await _answer(case, household, q, stores) for q in case.questions]}


async def _index(household: RecallHousehold, embedder: Embedder, vectors: VectorIndex) -> None:
    passages = household.passages()
    embedded = await embedder.embed_passages(list(passages.values()))
    await vectors.upsert(
        [
            VectorPoint(key, vector.tolist(), household.household_id, item.subject, item.topic, item.kind)
            for (key, item), vector in zip(household.items.items(), embedded, strict=True)
        ]
    )


async def _answer(case: RecallCase, household: RecallHousehold, question: str, stores: RecallStores) -> Prediction:
    answered = await recall_for(
        Situation(
            household_id=household.household_id,
            text=question,
            now=case.now,
            pets=household.pets,
            owner_name=case.owner_name,
            told_by_cards=lambda pets: household.safety_card(pets, case.now.date()),
        ),
        stores,
    )
    resolution = answered.resolution
    told = [] if resolution.unclear else household.safety_card(resolution.pets, case.now.date())
    return {
        "pets": _who(answered),
        "injected": [household.own_ids[scored.item.id] for scored in answered.chosen],
        "always": [household.own_ids[key] for key in told],
    }


def _who(answered: Answered) -> Sequence[str]:
    resolution = answered.resolution
    return sorted(resolution.pets) + (["owner"] if resolution.about_owner else [])
