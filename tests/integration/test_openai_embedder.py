"""Embeddings by endpoint over real HTTP: what leaves, what is refused, and that a failure only costs the dense arm."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import numpy as np
import pytest

import app.adapters.model_endpoint
from app.adapters.model_client import ModelClient
from app.adapters.model_endpoint import EndpointAddress, ModelEndpoint, Patience
from app.adapters.openai_embedder import OpenAIEmbedder, embedder_name
from app.container import Container
from app.settings import Settings, UnsafeSettings
from jobs.sync_vectors import rebuild, sync_vectors
from memory.embedder import EmbedderUnavailable
from memory.late_breaker import LateBreaker
from tests.conftest import SignIn, on_sqlite, with_model
from tests.factories import Owner
from tests.fakes.model_server import FakeModel, Reply
from tests.fakes.phone import say
from tests.fakes.slow_assistant import SetClock
from tests.fakes.stub_embedder import DIMENSION, hashed

LINES = [f"第{number}条：豆豆怕打雷" for number in range(7)]
TOLD, ASKED = "豆豆特别怕打雷", "豆豆怕什么"


@pytest.fixture
async def embedder(model: FakeModel) -> AsyncIterator[OpenAIEmbedder]:
    address = EndpointAddress("embeddings", model.address, "sk-test", "", embedding_model="BAAI/bge-m3")
    client = ModelClient([ModelEndpoint(address, Patience(connect=0.3, read=0.3))])
    yield OpenAIEmbedder(client, "BAAI/bge-m3", DIMENSION, 3)
    await client.close()


async def test_lines_go_out_in_batches_and_come_back_in_order(model: FakeModel, embedder: OpenAIEmbedder) -> None:
    model.always(Reply(rows=lambda rows: rows[::-1]), lane="embeddings")
    vectors = await embedder.embed_passages(LINES)
    assert np.allclose(vectors, hashed(LINES), atol=1e-6)
    assert [len(one.body["input"]) for one in model.of("embeddings")] == [3, 3, 1]
    assert {one.model for one in model.asked} == {"BAAI/bge-m3"}


async def test_nothing_is_asked_for_no_text_and_a_blank_one_is_still_a_text(
    model: FakeModel, embedder: OpenAIEmbedder
) -> None:
    assert (await embedder.embed_queries([])).shape == (0, DIMENSION)
    assert model.asked == []
    assert (await embedder.embed_queries(["", " "])).shape == (2, DIMENSION)
    assert all(text.strip() for text in model.asked[0].body["input"])


def changed(**fields: Any) -> Callable[[list[Any]], list[Any]]:
    return lambda rows: [*rows[:-1], {**rows[-1], **fields}]


@pytest.mark.parametrize(
    "rows",
    [
        lambda rows: rows[:-1],
        lambda rows: [*rows, rows[0]],
        changed(index=0),
        changed(index=9),
        changed(index=None),
        changed(embedding=[1.0] * (DIMENSION - 1)),
        changed(embedding=[float("nan")] * DIMENSION),
        changed(embedding=[float("inf")] * DIMENSION),
        changed(embedding=[0.0] * DIMENSION),
        changed(embedding=["x"] * DIMENSION),
        changed(embedding=None),
    ],
    ids=["one too few", "one too many", "twice", "beyond", "no index", "size", "nan", "inf", "zero", "words", "none"],
)
async def test_vectors_that_cannot_be_trusted_are_refused(
    model: FakeModel, embedder: OpenAIEmbedder, rows: Callable[[list[Any]], list[Any]]
) -> None:
    model.always(Reply(rows=rows), lane="embeddings")
    with pytest.raises(EmbedderUnavailable):
        await embedder.embed_queries(LINES[:3])


@pytest.mark.parametrize(
    "failure", [Reply.error(503), Reply.too_many(0.1), Reply.garbled(), Reply.cut("", 0), Reply.silent()]
)
async def test_an_endpoint_that_stumbles_is_asked_again(
    model: FakeModel, embedder: OpenAIEmbedder, failure: Reply
) -> None:
    model.will(failure, lane="embeddings")
    assert np.allclose(await embedder.embed_passages(LINES[:1]), hashed(LINES[:1]), atol=1e-6)


async def test_lines_that_fail_do_not_cut_off_a_question_and_the_reverse(
    model: FakeModel, embedder: OpenAIEmbedder
) -> None:
    model.always(lambda asked: Reply.error(503) if len(asked.body["input"]) > 1 else Reply(), lane="embeddings")
    for _ in range(2):
        with pytest.raises(EmbedderUnavailable):
            await embedder.embed_passages(LINES)
    assert len(await embedder.embed_queries(LINES[:1])) == 1
    model.always(lambda asked: Reply.error(503) if len(asked.body["input"]) == 1 else Reply(), lane="embeddings")
    for _ in range(2):
        with pytest.raises(EmbedderUnavailable):
            await embedder.embed_queries(LINES[:1])


@pytest.mark.parametrize("status", [400, 401, 404, 422])
async def test_an_endpoint_that_refuses_us_is_asked_once(
    model: FakeModel, embedder: OpenAIEmbedder, status: int
) -> None:
    model.always(Reply.error(status), lane="embeddings")
    with pytest.raises(EmbedderUnavailable):
        await embedder.embed_passages(LINES[:1])
    assert len(model.asked) == 1


@pytest.mark.parametrize("model_name", ["BAAI/bge-m3", "../../etc", "向量", "a" * 300, ""])
def test_a_models_name_is_fit_for_a_folder(model_name: str) -> None:
    name = embedder_name(model_name)
    assert len(name) < 80
    assert "/" not in name
    assert not name.startswith(".")
    assert name == embedder_name(model_name) != embedder_name(model_name + "x")


def test_a_model_without_a_dimension_is_refused() -> None:
    with pytest.raises(UnsafeSettings, match="PAWSIGNAL_EMBEDDING_DIMENSION"):
        Settings(env="test", embedding_model="m", _env_file=None)


class TestInTheService:
    """The whole service with an endpoint that embeds and no model that answers."""

    @pytest.fixture
    def settings(self, settings: Settings, model: FakeModel, monkeypatch: pytest.MonkeyPatch) -> Settings:
        monkeypatch.setattr(app.adapters.model_endpoint, "LateBreaker", lambda: LateBreaker(rest_s=0.0))
        embeds: dict[str, Any] = {"embedder": "auto", "embedding_model": "m", "embedding_dimension": DIMENSION}
        embeds |= {"model_read_seconds": 0.1, "daily_tokens_soft": 100, "daily_tokens_hard": 200}
        return with_model(settings, model, **embeds).model_copy(update={"model": ""})

    @pytest.fixture
    def container(self, request: pytest.FixtureRequest) -> Container:
        found: Container = request.getfixturevalue("app").state.container
        found.real_now = SetClock()
        return found

    @pytest.fixture
    async def owner(self, container: Container, sign_in: SignIn) -> Owner:
        owner = await sign_in("lin")
        await owner.pet("豆豆")
        return owner

    @staticmethod
    async def held(container: Container) -> int:
        await sync(container)
        assert container.vector_index is not None
        return await container.vector_index.count()

    @on_sqlite
    async def test_no_text_of_an_owner_without_consent_leaves(
        self, container: Container, model: FakeModel, owner: Owner
    ) -> None:
        await say(owner, TOLD, "m-1")
        assert await self.held(container) == 0
        assert "打雷" in (await say(owner, ASKED, "m-2"))["text"]
        assert model.asked == []

    @on_sqlite
    async def test_consent_brings_vectors_and_its_end_takes_them(
        self, container: Container, model: FakeModel, owner: Owner
    ) -> None:
        await say(owner, TOLD, "m-1")
        await owner.agree("model_provider")
        assert await self.held(container) >= 1
        await say(owner, ASKED, "m-2")
        assert model.heard(ASKED)
        await owner.agree("model_provider", granted=False)
        asked = len(model.asked)
        assert await self.held(container) == 0
        assert await rebuild(container.vector_parts()) == 0
        await say(owner, ASKED, "m-3")
        assert len(model.asked) == asked

    @on_sqlite
    async def test_what_is_embedded_counts_in_its_owners_day(
        self, container: Container, model: FakeModel, owner: Owner, sign_in: SignIn
    ) -> None:
        await owner.agree("model_provider")
        other = await sign_in("wang")
        await say(owner, TOLD, "m-1")
        asked = (await owner.get("/me"))["usage_today"]["prompt_tokens"]
        assert asked == len(TOLD)
        await self.held(container)
        kept = (await owner.get("/me"))["usage_today"]["prompt_tokens"]
        assert kept >= asked + len(TOLD)
        await rebuild(container.vector_parts())
        assert (await owner.get("/me"))["usage_today"]["prompt_tokens"] > kept
        assert (await other.get("/me"))["usage_today"]["prompt_tokens"] == 0
        told = (await owner.client.get("/metrics")).text
        for purpose in ("embed_question", "embed_passages"):
            assert f'pawsignal_model_tokens_total{{kind="prompt",purpose="{purpose}"}}' in told

    @on_sqlite
    async def test_a_day_that_has_cost_what_it_may_is_searched_by_words(
        self, container: Container, model: FakeModel, owner: Owner
    ) -> None:
        await owner.agree("model_provider")
        await say(owner, TOLD, "m-1")
        await say(owner, f"{ASKED}呀" * 40, "m-2")
        asked = len(model.asked)
        assert asked == 2
        assert "打雷" in (await say(owner, ASKED, "m-3"))["text"]
        assert len(model.asked) == asked

    @on_sqlite
    @pytest.mark.parametrize("private", ["13812345678", "110101199003078515", "5号楼2单元601"])
    async def test_personal_numbers_are_hidden(
        self, container: Container, model: FakeModel, owner: Owner, private: str
    ) -> None:
        await owner.agree("model_provider")
        await say(owner, f"记住豆豆的联系方式是{private}", "m-1")
        await sync(container)
        assert model.asked
        assert not model.heard(private)

    @on_sqlite
    async def test_an_emergency_is_not_sent_anywhere(
        self, container: Container, model: FakeModel, owner: Owner
    ) -> None:
        await owner.agree("model_provider")
        await say(owner, "豆豆刚吃了巧克力，现在抽搐了", "m-1")
        assert model.asked == []

    @on_sqlite
    @pytest.mark.parametrize("failure", [Reply.error(503), Reply.silent(), Reply(rows=lambda rows: rows[:-1])])
    async def test_an_endpoint_that_is_away_costs_the_dense_arm_only_and_is_caught_up_with(
        self, container: Container, model: FakeModel, owner: Owner, failure: Reply
    ) -> None:
        await owner.agree("model_provider")
        model.always(failure, lane="embeddings")
        await say(owner, TOLD, "m-1")
        assert await self.held(container) == 0
        assert "打雷" in (await say(owner, ASKED, "m-2"))["text"]
        model.always(Reply(), lane="embeddings")
        assert await self.held(container) >= 1


async def sync(container: Container) -> None:
    """Work off what waits, also what was put off after a failure."""
    clock = container.real_now
    assert isinstance(clock, SetClock)
    clock.pass_by(seconds=120)
    await sync_vectors(container.vector_parts())
