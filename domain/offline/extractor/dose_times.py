"""Doses that differ by the time of the day: 早上2个单位，晚上1.5个单位 is one dose, and neither half alone."""

import re
from collections.abc import Sequence
from dataclasses import replace

from domain.attributes import spec_of
from memory.claims import Claim
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass

_TIME = r"(?:早上|早晨|上午|中午|下午|傍晚|晚上|夜里|睡前|早|晚)"
_ONE = (
    rf"{_TIME}(?:饭[前后])?(?:各?[打吃喂滴用]|各)?\s?"
    r"(?:\d{1,4}(?:\.\d{1,3})?|[一二两三四五六半])\s?(?:个?单位|iu|片|粒|颗|ml|毫升|mg|毫克|滴|包|袋|支)半?"
)
_BY_TIME = re.compile(rf"{_ONE}(?:[,、\s和]?{_ONE}){{1,3}}")


def with_doses_by_time(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims; a drug that is given in other amounts at other times of the day keeps all of them as its dose."""
    return tuple(map(_with_all_doses, claims))


def _with_all_doses(claim: Claim) -> Claim:
    if spec_of(claim.attribute).attribute_class is not AttributeClass.MEDICATION:
        return claim
    told = _BY_TIME.search(fold_text(claim.content))
    if told is None:
        return claim
    others = {name: value for name, value in claim.value.items() if name not in ("number", "unit", "dose_text")}
    return replace(claim, value={**others, "dose_text": told[0].replace(",", "，")})
