"""Extraction by model beside the rules, with a model that answers the gold, invents facts, or mixes up the pets.

    python -m bench.model_extraction [--file tests/evaluation/extraction_dev.jsonl] [--alone]

Every message goes the way of a turn: rules, one call to a fake model over real HTTP, the gates, grounding, the merge.
`--alone` leaves the rules' claims out, so that the gates alone stand between the model and memory.
Also printed: the tokens of one call, prompt and answer, by our own counter, which is never too low for Chinese.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.adapters.model_client import ModelClient
from app.adapters.model_endpoint import EndpointAddress, ModelEndpoint
from app.adapters.openai_fact_reader import OpenAIFactReader
from app.evaluation.cases import ExtractionCase, read_extraction_cases, read_records
from app.evaluation.extraction_suite import memory_of, utterance_of
from app.evaluation.scoring import Record, ScoreReport, score
from bench.gold_model import GoldModel, Manner
from domain.model_claims import ToRead, added_by_model, may_be_read
from domain.offline.extractor import Extraction, extract
from tests.fakes.model_server import FakeModel, running_model

FILE = Path("tests/evaluation/extraction_dev.jsonl")
MANNERS: tuple[Manner, ...] = ("perfect", "inventing", "wrong_pet")
SECONDS = 20.0


@dataclass
class Outcome:
    """One run. tokens: of each call. refused: what of the model's facts was not kept, by reason."""

    report: ScoreReport
    tokens: list[int] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    told: int = 0
    invented: int = 0
    added: int = 0


async def run(path: Path, manner: Manner, *, alone: bool = False) -> Outcome:
    """Read all messages of a file with a model of this manner, beside the rules or alone."""
    gold, cases = list(read_records(path)), list(read_extraction_cases(path))
    model, fake = GoldModel(gold, cases, manner), FakeModel()
    fake.always(model.answer, lane="chore")
    async with running_model(fake):
        client = ModelClient([ModelEndpoint(EndpointAddress("fake", fake.address, "key", "big", "small"))])
        outcome = Outcome(ScoreReport("extraction", ()))
        predictions = [await _predict(case, OpenAIFactReader(client), outcome, alone) for case in cases]
        await client.close()
    outcome.report = score("extraction", gold, predictions)
    outcome.calls, outcome.told, outcome.invented = len(fake.asked), model.told, model.invented
    return outcome


async def _predict(case: ExtractionCase, reader: OpenAIFactReader, outcome: Outcome, alone: bool) -> Record:
    utterance = utterance_of(case)
    said = Extraction() if alone else extract(utterance)
    claims = list(said.claims)
    if may_be_read(utterance):
        until = asyncio.get_running_loop().time() + SECONDS
        read = await reader.read([ToRead(utterance.text, utterance.pets)], until)
        added = added_by_model(read.facts[0], utterance, said.claims)
        claims += added.claims
        outcome.refused.update(refusal.reason for refusal in added.refusals)
        outcome.added += len(added.claims)
        outcome.tokens.append(read.tokens.total)
    return {"id": case.id, "memories": [memory_of(claim) for claim in claims], "clarify": said.clarify}


def row_of(manner: Manner, outcome: Outcome) -> dict[str, object]:
    """What is printed of a run."""
    tokens = sorted(outcome.tokens)
    return {
        "bench": "model_extraction",
        "manner": manner,
        "told": outcome.told,
        "invented": outcome.invented,
        "added": outcome.added,
        "calls": outcome.calls,
        "tokens_mean": round(sum(tokens) / len(tokens)),
        "tokens_p95": tokens[int(len(tokens) * 0.95) - 1],
        "refused": dict(outcome.refused.most_common()),
        **figures(outcome.report),
    }


RATIOS = ("precision", "recall")
COUNTS = ("dangerous scope errors", "must_not violations (memories)")


def figures(report: ScoreReport) -> dict[str, float]:
    """The figures with a bar, by name."""
    ratios = {name: round(report[name].value or 0.0, 4) for name in RATIOS}
    return ratios | {name: report[name].numerator for name in COUNTS}


async def _main(path: Path, manners: Sequence[Manner], *, alone: bool) -> None:
    for manner in manners:
        print(json.dumps(row_of(manner, await run(path, manner, alone=alone)), ensure_ascii=False))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--alone", action="store_true")
    given = parser.parse_args()
    asyncio.run(_main(given.file, MANNERS, alone=given.alone))


if __name__ == "__main__":
    main()
