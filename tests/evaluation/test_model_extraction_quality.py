"""The bars of extraction by model: a model may add to the rules, and neither invents nor moves a fact into memory."""

import pytest

from bench.gold_model import Manner
from bench.model_extraction import FILE, figures, run

MOST_TOKENS = 0.2 * 9_650  # a turn; a fifth of what the memory library we compare with spends


@pytest.mark.parametrize(
    ("manner", "least_precision", "least_recall"),
    [("perfect", 0.95, 0.95), ("inventing", 0.93, 0.93), ("wrong_pet", 0.93, 0.93)],
)
async def test_what_a_model_adds_stands_in_the_owners_words(
    manner: Manner, least_precision: float, least_recall: float
) -> None:
    outcome = await run(FILE, manner)
    found = figures(outcome.report)
    assert outcome.added > 0
    assert found["precision"] >= least_precision
    assert found["recall"] >= least_recall
    assert found["dangerous scope errors"] == 0
    assert max(outcome.tokens) <= MOST_TOKENS


async def test_the_gates_alone_keep_out_what_a_model_invents() -> None:
    outcome = await run(FILE, "inventing", alone=True)
    assert outcome.invented > 0
    assert figures(outcome.report)["precision"] >= 0.93
