"""没有已知过敏: a statement of its own about a pet, different from never having asked.

It stands on the pet's page. It is taken only from a plain statement about one pet, and never against an allergy that is
on record: then the record stands, and the owner is told so.
"""

import re
from collections.abc import Mapping
from typing import Any

from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.allergies import Allergy
from domain.health_records import CURRENT
from domain.offline.responder.reading import is_question
from domain.pets import pet_of
from domain.strange_animals import is_strange
from domain.turn_context import Written
from memory.revision import touch
from memory.scope import Scope
from memory.text_folding import fold_text
from memory.vocabulary import Outcome

ATTRIBUTE = "no_known_allergies"
ON_RECORD = "allergy_on_record: 档案里还有过敏记录，先核对那一条"
_NOTE = "没有已知的过敏"

_NONE = re.compile(
    r"(?:目前|现在|暂时|至今|从来|一直)?(?:都)?(?:没有?|无|未发现|没发现|没查出)(?:过)?(?:任何|什么|啥|别的)?(?:已知)?(?:的)?(?:食物|药物|药)?(?:和药物|和食物)?"
    r"过敏(?:史|原|源|的(?:东西|食物|药))?(?=$|[,。!，！；;]|的$|了$)"
    r"|(?:对)?(?:什么|啥)(?:东西|食物|药)?(?:都|也)不过敏|从来?(?:没有?|不)过?过敏过?(?=$|[,。!，！；;])"
)
_UNSURE = re.compile(r"好像|可能|应该|大概|似乎|也许|不确定|不知道|如果|要是|希望|听说|医生说可能|测|怀疑")


def says_none(text: str, names: tuple[str, ...]) -> bool:
    """Whether a message states plainly that a pet has no known allergies. names: of our own pets."""
    folded = fold_text(text).strip()
    if is_question(text, told_something=True) or _UNSURE.search(folded) or ("对" in folded and "都不" not in folded):
        return False
    spans = [
        (found.start(), found.end()) for name in names for found in re.finditer(re.escape(fold_text(name)), folded)
    ]
    return _NONE.search(folded) is not None and not is_strange(folded, spans, alone=len(names) == 1)


def is_note_of_none(told: Mapping[str, Any]) -> bool:
    """Whether a receipt of a turn tells that this was written on a pet's page just then."""
    written = told.get("outcome") == Outcome.ADDED.value and told.get("memory_id") is None
    return written and str(told.get("content", "")).endswith(_NOTE)


async def take_back_none(session: AsyncSession, scope: Scope, pet_id: str) -> str:
    """Leave it open again; the line that was taken back. Raises UnknownPet."""
    pet = await pet_of(session, scope, pet_id)
    pet.no_known_allergies = False
    pet.version += 1
    session.add(pet)
    touch(session, scope.household_id)
    return f"{pet.name}{_NOTE}"


async def note_none(session: AsyncSession, scope: Scope, pet_id: str) -> Written:
    """Write it on the pet's page. Against an allergy on record it is refused."""
    pet = await pet_of(session, scope, pet_id)
    content = f"{pet.name}{_NOTE}"
    known = await session.exec(
        select(func.count())
        .select_from(Allergy)
        .where(
            col(Allergy.household_id) == scope.household_id,
            col(Allergy.pet_id) == pet_id,
            col(Allergy.status).in_(CURRENT),
            col(Allergy.deleted_at).is_(None),
        )
    )
    if known.one():
        return Written(Outcome.REFUSED, pet_id, "medical", content, ATTRIBUTE, reason=ON_RECORD)
    if pet.no_known_allergies:
        return Written(Outcome.MERGED, pet_id, "medical", content, ATTRIBUTE)
    pet.no_known_allergies = True
    pet.version += 1
    session.add(pet)
    touch(session, scope.household_id)
    return Written(Outcome.ADDED, pet_id, "medical", content, ATTRIBUTE)
