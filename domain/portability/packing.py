"""An export as one zip file: `export.json` and the Markdown folder, made beside the event loop."""

import asyncio
import json
import zipfile
from datetime import datetime
from pathlib import Path

from domain.portability.exporting import Export, export_household
from domain.portability.folder import folder_of
from memory.scope import Scope
from memory.transactions import Transactions

EXPORT_JSON = "export.json"


async def pack_household(transactions: Transactions, scope: Scope, target: Path, now: datetime) -> None:
    """Write everything that is kept about a household to the zip file `target`."""
    async with transactions.read() as session:
        export = await export_household(session, scope, now)
    await asyncio.to_thread(pack, export, target)


def pack(export: Export, target: Path) -> None:
    """Write an export to the zip file `target`."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(EXPORT_JSON, json.dumps(export, ensure_ascii=False, indent=1))
        for path, text in folder_of(export).items():
            archive.writestr(path, text)
