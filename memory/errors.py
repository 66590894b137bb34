"""What memory refuses, as one small tree:

MemoryFault
├── NotFound             no such thing in this household (another household's id looks the same)
├── Mirrored             the line is rendered from a record; the record is what can be edited
├── StaleVersion         somebody else edited it first
├── RestoreTooLate       deleted more than ten minutes ago
├── AlreadyAnswered      a confirmation has another answer, or none is possible any more
│   └── ConfirmationLapsed
├── UndoUnsafe           what a night changed was changed again since
├── ChangeStands         the last change of a memory cannot be taken back by itself
│   └── NothingToUndo    it has not been changed, or its last change was taken back already
├── NewerCandidate       the question changed while it was being answered
└── IndexUnavailable     the vector engine cannot be used now
    └── IndexLocked      another process has the embedded vector folder open
"""

from typing import Any


class MemoryFault(Exception):
    """Root of what memory refuses. `code` is the stable word that clients see."""

    code = "memory_fault"

    def __init__(self, message: str = "", **details: Any) -> None:
        super().__init__(message or self.code)
        self.details = details


class NotFound(MemoryFault):
    code = "not_found"


class Mirrored(MemoryFault):
    """Details: `record_kind`, `record_id`."""

    code = "mirrored"


class StaleVersion(MemoryFault):
    """Details: `current_version`."""

    code = "stale_version"


class RestoreTooLate(MemoryFault):
    code = "restore_too_late"


class AlreadyAnswered(MemoryFault):
    code = "already_answered"


class ConfirmationLapsed(AlreadyAnswered):
    code = "confirmation_lapsed"


class NewerCandidate(MemoryFault):
    """Details: `question`, `confirmation_id`."""

    code = "newer_candidate"


class UndoUnsafe(MemoryFault):
    code = "undo_unsafe"


class ChangeStands(MemoryFault):
    code = "change_stands"


class NothingToUndo(ChangeStands):
    code = "nothing_to_undo"


class IndexUnavailable(MemoryFault):
    code = "index_unavailable"


class IndexLocked(IndexUnavailable):
    code = "index_locked"
