"""Records that a line written on the memory page ought to be: an allergy, a condition, a drug.

Safety checks read records, never memory prose. A line that tells of such a fact is kept as the owner wrote it, and the
record it would make is offered beside it, filled in, for one tap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.claim_records import record_fields, record_kind_of, told_by_claim
from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance
from domain.pets import pets_of, profile_of
from memory.scope import Scope
from memory.vocabulary import Certainty


@dataclass(frozen=True, slots=True)
class SuggestedRecord:
    """A form, filled in: `kind` is the word of the path, `fields` its JSON."""

    kind: str
    pet_id: str
    fields: dict[str, Any]


async def suggest_records(
    session: AsyncSession, scope: Scope, content: str, subject: str | None, now: datetime
) -> list[SuggestedRecord]:
    """What this line tells for certain of the household's pets that belongs in a safety record; [] for most lines."""
    pets = [profile_of(pet) for pet in await pets_of(session, scope)]
    return told_records(scope, content, pets, subject, now)


def told_records(
    scope: Scope, content: str, pets: Sequence[PetProfile], focus_pet_id: str | None, now: datetime
) -> list[SuggestedRecord]:
    """The same, from values alone."""
    known = {pet.id for pet in pets}
    said = Utterance(content, scope.local(now), pets, focus_pet_id=focus_pet_id if focus_pet_id in known else None)
    found = []
    for claim in extract(said).claims:
        told = told_by_claim(claim, now, scope)
        kind = record_kind_of(told)
        if kind is None or not kind.safety or claim.subject not in known or claim.certainty is not Certainty.PLAIN:
            continue
        try:
            fields = record_fields(kind, told).model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        except ValidationError:
            continue
        found.append(SuggestedRecord(kind.name, str(claim.subject), fields))
    return found
