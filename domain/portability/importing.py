"""Bringing back what was taken along, a bounded batch at a time, so that nobody waits long for the writer.

A pet that the household does not have comes back as it was, with everything that hangs on it, in one transaction. What
is said of a pet that it has, or of the owner, goes through the policy of the talk (`merging`), a few lines a
transaction; talk and other history is added where it is missing. Importing the same file again changes nothing, and
finishes an import that was cut off.
"""

from domain.access_log import Who
from domain.portability.export_rows import bring_back_export
from domain.portability.folder_lines import bring_back_pages
from domain.portability.import_batches import ImportParts, ImportReport, open_import
from domain.portability.unpacking import Brought
from memory.scope import Scope
from memory.transactions import Transactions

__all__ = ["ImportParts", "ImportReport", "bring_back"]


async def bring_back(
    transactions: Transactions, scope: Scope, brought: Brought, parts: ImportParts, by: Who
) -> ImportReport:
    """Take in a file, in transactions of its own. by: whom the access log names.

    Raises ConsentNeeded, and NotFound when the owner is erased meanwhile. What was taken in until then stays.
    """
    importing = await open_import(transactions, scope, brought.notes, parts, by)
    if brought.export is not None:
        await bring_back_export(importing, brought.export)
    else:
        await bring_back_pages(importing, brought.pages)
    return importing.report
