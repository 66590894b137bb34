"""An export as one zip file: `export.json`, the Markdown folder and the photos, made beside the event loop."""

import asyncio
import json
import zipfile
from datetime import datetime
from pathlib import Path

from domain.ai_labels import PRODUCER
from domain.files import FileMissing, FileStore
from domain.photos import KINDS, MAX_PHOTOS, photos_of
from domain.portability.exporting import Export, export_household
from domain.portability.folder import folder_of
from memory.scope import Scope
from memory.transactions import Transactions

EXPORT_JSON = "export.json"
PHOTO_FOLDER = "photos"


async def pack_household(
    transactions: Transactions,
    scope: Scope,
    target: Path,
    now: datetime,
    files: FileStore | None = None,
    producer: str = PRODUCER,
) -> None:
    """Write everything that is kept about a household to the zip file `target`; pictures only where `files` has them.

    producer: as in `export_household`.
    Raises OSError when the pictures cannot be read.
    """
    async with transactions.read() as session:
        export = await export_household(session, scope, now, producer)
        photos = await photos_of(session, scope, MAX_PHOTOS)
    await asyncio.to_thread(pack, export, target)
    if files is None:
        return
    for photo in photos:
        try:
            picture = await files.get(photo.file_key)
        except FileMissing:  # it was deleted while we wrote
            continue
        await asyncio.to_thread(_add_picture, target, f"{PHOTO_FOLDER}/{photo.id}.{KINDS[photo.media_type]}", picture)


def pack(export: Export, target: Path) -> None:
    """Write an export to the zip file `target`."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = json.dumps(export["ai_label"], ensure_ascii=False).encode()
        archive.writestr(EXPORT_JSON, json.dumps(export, ensure_ascii=False, indent=1))
        for path, text in folder_of(export).items():
            archive.writestr(path, text)


def _add_picture(target: Path, name: str, picture: bytes) -> None:
    with zipfile.ZipFile(target, "a", zipfile.ZIP_STORED) as archive:
        archive.writestr(name, picture)
