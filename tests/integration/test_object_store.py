"""Photos in a bucket, over real HTTP, against a store that checks signatures as S3 does."""

from collections.abc import AsyncIterator

import pytest

from app.adapters.file_store import ObjectFiles, files_in_bucket
from domain.files import FileMissing
from tests.fakes.object_store import BUCKET, KEY_ID, REGION, SECRET, ObjectStore, store_app
from tests.fakes.phone import on_a_socket

HOME = "photos/01a2-household/"


@pytest.fixture
def store() -> ObjectStore:
    return ObjectStore()


@pytest.fixture
async def address(store: ObjectStore) -> AsyncIterator[str]:
    async with on_a_socket(store_app(store)) as listening:  # type: ignore[arg-type]  # any ASGI application
        yield listening


@pytest.fixture
def files(address: str) -> ObjectFiles:
    return files_in_bucket(BUCKET, address, REGION, KEY_ID, SECRET)


async def test_a_file_comes_back_as_it_was_and_goes(files: ObjectFiles, store: ObjectStore) -> None:
    key, content = f"{HOME}豆豆 +1.jpg", bytes(range(256)) * 40
    await files.put(key, content)
    assert await files.get(key) == content
    await files.delete(key)
    await files.delete(key)
    with pytest.raises(FileMissing):
        await files.get(key)
    assert (store.objects, store.refused) == ({}, 0)


async def test_all_files_of_a_household_go_however_many_pages_they_fill(files: ObjectFiles, store: ObjectStore) -> None:
    for number in range(5):
        await files.put(f"{HOME}{number}.png", b"x")
    await files.put("photos/01a2-household2/0.png", b"x")
    assert await files.delete_below(HOME) == 5
    assert list(store.objects) == ["photos/01a2-household2/0.png"]


async def test_a_store_that_fails_for_a_moment_is_asked_again(files: ObjectFiles, store: ObjectStore) -> None:
    store.failing = 1
    await files.put(f"{HOME}1.png", b"x")
    assert await files.get(f"{HOME}1.png") == b"x"


async def test_a_wrong_secret_is_told_without_it(address: str, store: ObjectStore) -> None:
    wrong = files_in_bucket(BUCKET, address, REGION, KEY_ID, "another-secret")
    with pytest.raises(OSError, match="the file store took no file") as told:
        await wrong.put(f"{HOME}1.png", b"x")
    assert "another-secret" not in repr(told.value)
    assert store.objects == {}
    assert store.refused
