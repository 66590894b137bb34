"""How evidence is shown: the owner's or vet's own words behind a record, memory or question."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel

from memory.items import EvidenceRow
from memory.vocabulary import Source


class EvidenceOut(BaseModel):
    """One saying. `by` is an owner's id, or the name a vet gave; an unverified vet is 身份未核实."""

    message_id: str | None
    quote: str
    said_at: datetime
    source: Source
    verified: bool
    by: str


def evidence_out(rows: Sequence[EvidenceRow]) -> list[EvidenceOut]:
    """Evidence as clients see it."""
    return [EvidenceOut.model_validate(row, from_attributes=True) for row in rows]
