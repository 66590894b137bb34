"""A weight told by another pet's has its day: 咪咪比豆豆轻两斤，豆豆前天称的十一斤.

What it comes to is not added up, for a figure that nobody said is no claim."""

from dataclasses import replace

from domain.offline.extractor.reading import Scene
from domain.offline.extractor.threads import Found

_SLOT = "other:weight_compared"


def with_weights_dated(found: list[Found], scene: Scene) -> list[Found]:
    """The drafts of a message, those that compare two weights on the day of the one weighing that it tells of."""
    for one in found:
        for place, draft in enumerate(one.drafts):
            if draft.attribute == _SLOT and (beside := _weighed_beside(one, found)) is not None:
                days = [time.on for time in beside.reading.times if time.on and time.on <= scene.now.date()]
                one.drafts[place] = replace(draft, on=draft.on or (days[0] if days else scene.now.date()))
    return found


def _weighed_beside(one: Found, found: list[Found]) -> Found | None:
    """The clause of the one weighing of another pet."""
    weighed = [
        other
        for other in found
        if other.reading.about.pets != one.reading.about.pets
        and any(draft.attribute == "weight" for draft in other.drafts)
    ]
    return weighed[0] if len(weighed) == 1 and len(one.reading.about.pets) == 1 else None
