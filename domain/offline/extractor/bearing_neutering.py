"""What speaks against the neutering on record: heat and young, and an entry that is called wrong."""

import re
from collections.abc import Sequence

from domain.offline.extractor.bearing import Bearing, doubted, reach
from domain.offline.extractor.bearing_words import ASKED, IN_HEAT
from domain.offline.extractor.threads import Found
from domain.pet_profiles import KnownFact
from memory.vocabulary import Certainty, SpeechAct


def neutered(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing | None:
    """Heat or young of one that is neutered: watched, for it is seen or asked about, and mostly something else."""
    reading = found[place].reading
    if (wrong := _wrongly_neutered(fact, found, place)) is not None:
        return wrong
    if not IN_HEAT.search(reading.text) or re.search(r"[未没]绝|还没|没有绝", fact.content):
        return None
    asked = reading.tone.why_not == "question" or ASKED.search(reading.text)
    doubt = Certainty.QUESTION if asked else Certainty.HEDGED
    first = place - 1 if place and any(draft.attribute == "neutered" for draft in found[place - 1].drafts) else place
    return Bearing(fact, first, place, negated=True, act=SpeechAct.OBSERVATION, certainty=doubt)


_WRONGLY = re.compile(
    r"(?:绝育|结扎|去势)[^,。]{0,8}(?:错|不对|有误|不实|不准)|(?:错|误)(?:填|写|勾|选|点|记)[^,。]{0,6}(?:绝育|结扎)"
)


def _wrongly_neutered(fact: KnownFact, found: list[Found], place: int) -> Bearing | None:
    """之前填的已绝育是错的: the entry itself is called wrong."""
    text = found[place].reading.text
    if not _WRONGLY.search(text) or re.search(r"[未没]绝|还没|没有绝", fact.content):
        return None
    last = place + 1 if place < reach(found, place) and re.search(r"没|蛋", found[place + 1].reading.text) else place
    sure = doubted(found[place].reading) if re.search(r"可能|好像|会不会|是不是|[?？]", text) else Certainty.PLAIN
    return Bearing(fact, place, last, negated=True, act=SpeechAct.CORRECTION, certainty=sure)
