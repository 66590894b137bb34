"""Several plans in one message, each with its own time and its own thing to do: 后天打疫苗，下周五绝育. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace

from domain.schedule_requests import Act, Said, ScheduleRequest, read_part, read_request
from domain.schedule_words import OF_ONE_PET
from memory.claims import Claim

MOST_PLANS = 5  # of one message; whoever tells more sends a list to read, not to plan
_PARTS = re.compile(r"[^,，。.;；!！\n]+")


def read_requests(said: Said) -> tuple[ScheduleRequest, ...]:
    """The requests of a message: one for each part where every part is a plan of its own, else the one of the whole."""
    whole = read_request(said)
    if whole is None or whole.act is not Act.MAKE or whole.answers:
        return (whole,) if whole is not None else ()
    parts = list(_parts(said, explicit=whole.explicit))
    if not 1 < len(parts) <= MOST_PLANS or any(part is None for part in parts):
        return (whole,)
    return tuple(_of_the_same_pet([part for part in parts if part is not None]))


def _parts(said: Said, *, explicit: bool) -> Iterator[ScheduleRequest | None]:
    for match in _PARTS.finditer(said.text):
        claims = [claim for claim in said.claims if _stands_in(claim, match)]
        part = read_part(replace(said, text=match[0], claims=claims), explicit=explicit)
        yield part if part is not None and part.kinds and part.when.said and not part.when.missing else None


def _stands_in(claim: Claim, part: re.Match[str]) -> bool:
    return part.start() <= claim.evidence.start and claim.evidence.end <= part.end()


def _of_the_same_pet(parts: list[ScheduleRequest]) -> Iterator[ScheduleRequest]:
    """后天带豆豆打疫苗，下周五洗澡: the pet named before is meant where a part names none."""
    pets: tuple[str, ...] = ()
    for part in parts:
        meant = part.pets or (pets if part.kinds & OF_ONE_PET else ())
        yield replace(part, pets=meant)
        pets = meant or pets
