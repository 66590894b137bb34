"""A food that is told of in one clause and forbidden in another: 牛肉是豆豆的雷区，医生说它对这个过敏."""

import re
from collections.abc import Iterator

from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.wordlist import Hit

_TO_THIS = re.compile(r"对(?:这个?|那个?|它|此|这(?:玩意儿?|东西|类))(?:也|很|特别|严重|有点)*过敏")
_IS_A_DANGER = re.compile(r"是\x00+(?:它|他|她)?的(?:雷区?|大?忌|禁忌|禁区|死穴|克星|毒药|过敏原)")
_FOODS = ("food", "allergen", "brand")


def find_avoided(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """An allergy to what the clause before names, or a food called a danger to the pet."""
    previous = scene.previous_of(reading)
    if _TO_THIS.search(reading.text) and previous is not None and previous.about.pets == reading.about.pets:
        if foods := _foods_of(previous):
            substance = foods[-1].word.allergen or foods[-1].id
            value = {"substance": substance, "substance_name": foods[-1].word.text}
            yield Draft(f"allergy:{substance}", previous.start, reading.end, value)
        return
    following = scene.next_of(reading)
    told_better = following is not None and _TO_THIS.search(following.text) is not None
    foods = _foods_of(reading) if _IS_A_DANGER.search(reading.text) and not told_better else []
    for hit in foods[:1]:
        value = {"food": hit.word.text}
        yield Draft(f"diet:{hit.word.allergen or hit.word.text}", reading.start, reading.end, value, negated=True)


def _foods_of(reading: Reading) -> list[Hit]:
    return [hit for hit in reading.hits if hit.family in _FOODS]
