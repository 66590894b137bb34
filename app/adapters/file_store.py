"""Files in a folder or in an S3-compatible store, both through obstore."""

from pathlib import Path
from typing import TYPE_CHECKING

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, S3Store

from domain.files import FileMissing

if TYPE_CHECKING:
    from obstore.store import S3Config  # a type only: the library has it in its stubs


class ObjectFiles:
    """A FileStore over any store of obstore."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    async def put(self, key: str, content: bytes) -> None:
        """Raises OSError."""
        try:
            await obstore.put_async(self._store, key, content)
        except BaseError as error:
            raise OSError("the file store took no file") from error

    async def get(self, key: str) -> bytes:
        """Raises FileMissing, OSError."""
        try:
            found = await obstore.get_async(self._store, key)
            return bytes(await found.bytes_async())
        except FileNotFoundError:
            raise FileMissing() from None
        except BaseError as error:
            raise OSError("the file store gave no file") from error

    async def delete(self, key: str) -> None:
        """Raises OSError."""
        try:
            await obstore.delete_async(self._store, key)
        except FileNotFoundError:
            return
        except BaseError as error:
            raise OSError("the file store deleted no file") from error

    async def delete_below(self, prefix: str) -> int:
        """Raises OSError."""
        keys = []
        try:
            async for listed in obstore.list(self._store, prefix.rstrip("/")):
                keys += [str(entry["path"]) for entry in listed]
        except BaseError as error:
            raise OSError("the file store cannot be listed") from error
        for key in keys:
            await self.delete(key)
        return len(keys)


def files_in_folder(folder: Path) -> ObjectFiles:
    """Files below this folder, which is made when the first one comes."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return ObjectFiles(LocalStore(folder, mkdir=True))


def files_in_bucket(bucket: str, endpoint: str, region: str, key_id: str, secret: str) -> ObjectFiles:
    """Files in a bucket of S3 or something that speaks like it (MinIO, COS, OSS)."""
    config: S3Config = {"region": region or "us-east-1", "virtual_hosted_style_request": False}
    if endpoint:
        config["endpoint"] = endpoint
    if key_id:
        config["access_key_id"], config["secret_access_key"] = key_id, secret
    plain = endpoint.startswith("http://")
    return ObjectFiles(S3Store(bucket, config=config, client_options={"allow_http": plain}))
