"""Photos: what is taken, where it lies, and that nothing is left of what was deleted."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.container import Container
from jobs.look_at_photos import look_at_photos
from tests.conftest import SignIn
from tests.factories import Json, Owner, problem
from tests.photos import GIF, JPEG, png


async def send(
    owner: Owner, content: bytes, name: str = "photo.jpg", key: str | None = None, **fields: Any
) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return await owner.client.post("/v1/photos", files={"file": (name, content)}, data=fields, headers=headers)


async def sent(owner: Owner, content: bytes, **fields: Any) -> Json:
    answer = await send(owner, content, **fields)
    assert answer.status_code == 201, answer.text
    made: Json = answer.json()
    return made


def container_of(app: FastAPI) -> Container:
    container: Container = app.state.container
    return container


def files(folder: Path) -> list[Path]:
    return [path for path in (folder / "files").rglob("*") if path.is_file()]


@pytest.mark.parametrize(("content", "media_type"), [(png(), "image/png"), (JPEG, "image/jpeg"), (GIF, "image/gif")])
async def test_a_photo_is_known_by_its_bytes_not_its_name(owner: Owner, content: bytes, media_type: str) -> None:
    made = await sent(owner, content, name="whatever.exe")
    assert (made["media_type"], made["size_bytes"], made["status"]) == (media_type, len(content), "pending")


@pytest.mark.parametrize(
    "content",
    [b"", b"hello", b"<html><script>alert(1)</script></html>", b"%PDF-1.4 " + b"0" * 50, b"PK\x03\x04" + b"0" * 50],
)
async def test_what_is_no_photo_is_refused(owner: Owner, content: bytes) -> None:
    assert problem(await send(owner, content)) == (422, "no_photo")
    assert problem(await owner.ask("POST", "/photos", {"file": "x"}))[0] == 422


async def test_a_photo_has_a_limit(owner: Owner) -> None:
    assert problem(await send(owner, png() + b"\x00" * 10 * 1024 * 1024)) == (413, "photo_too_large")


async def test_a_double_tap_keeps_one_photo(owner: Owner, tmp_path: Path) -> None:
    first = await send(owner, png(), key="k-1")
    again = await send(owner, png(), key="k-1")
    without = await send(owner, png())
    assert first.json() == again.json() == without.json()
    assert len(files(tmp_path)) == 1
    assert problem(await send(owner, png(9), key="k-1")) == (409, "idempotency_key_reused")


async def test_a_photo_that_is_refused_after_all_leaves_no_file(
    app: FastAPI, owner: Owner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = await sent(owner, png())
    monkeypatch.setattr("domain.photos.MAX_PHOTOS", 1)
    assert problem(await send(owner, png(9))) == (409, "too_many")
    assert problem(await send(owner, png(8), key="k-1"))[0] == 409
    await look_at_photos(container_of(app).photo_parts())
    assert len(files(tmp_path)) == 1
    answer = await owner.ask("GET", f"/photos/{kept['id']}/file")
    assert answer.content == png()


async def test_where_nobody_can_be_asked_the_first_photo_becomes_the_pets_picture(app: FastAPI, owner: Owner) -> None:
    pet = await owner.pet("豆豆")
    made = await sent(owner, png(), pet_id=pet["id"])
    assert problem(await owner.ask("GET", f"/photos/{made['id']}/file")) == (409, "photo_not_ready")
    await look_at_photos(container_of(app).photo_parts())
    answer = await owner.ask("GET", f"/photos/{made['id']}/file")
    assert (answer.content, answer.headers["content-type"]) == (png(), "image/png")
    assert (await owner.get(f"/pets/{pet['id']}"))["photo"] == made["id"]
    assert [one["id"] for one in (await owner.get("/photos", pet_id=pet["id"]))["items"]] == [made["id"]]


async def test_a_photo_of_another_household_is_unknown(sign_in: SignIn) -> None:
    lin, wang = await sign_in("lin"), await sign_in("wang")
    pet = await lin.pet("豆豆")
    made = await sent(lin, png())
    for path in (f"/photos/{made['id']}", f"/photos/{made['id']}/file"):
        assert problem(await wang.ask("GET", path)) == (404, "unknown_photo")
    assert problem(await wang.ask("DELETE", f"/photos/{made['id']}")) == (404, "unknown_photo")
    assert problem(await send(wang, png(), pet_id=pet["id"])) == (404, "unknown_pet")


async def test_a_file_goes_with_its_last_photo(app: FastAPI, owner: Owner, tmp_path: Path) -> None:
    pet = await owner.pet("豆豆")
    both = [await sent(owner, png(), pet_id=pet["id"]), await sent(owner, png())]
    parts = container_of(app).photo_parts()
    await look_at_photos(parts)
    await owner.delete(f"/photos/{both[0]['id']}")
    await look_at_photos(parts)
    assert (await owner.get(f"/pets/{pet['id']}"))["photo"] is None
    assert len(files(tmp_path)) == 1
    await owner.delete(f"/photos/{both[1]['id']}")
    await look_at_photos(parts)
    assert files(tmp_path) == []


@pytest.mark.parametrize("path", ["/pets/{pet}", "/me"])
async def test_files_go_with_the_pet_and_with_the_account(
    app: FastAPI, owner: Owner, tmp_path: Path, path: str
) -> None:
    pet = await owner.pet("豆豆")
    await sent(owner, png(), pet_id=pet["id"])
    await owner.ask("DELETE", path.format(pet=pet["id"]))
    await look_at_photos(container_of(app).photo_parts())
    assert files(tmp_path) == []


async def test_an_address_for_the_check_is_signed_and_ends(
    app: FastAPI, client: httpx.AsyncClient, owner: Owner
) -> None:
    made = await sent(owner, png())
    assert problem(await client.get(f"/media/{made['id']}")) == (404, "unknown_photo")
    assert problem(await client.get(f"/media/{made['id']}?until=99999999999&sig=0")) == (404, "unknown_photo")
