"""The alerts of what an owner writes, with what the household knows: how old its pets are and which are on insulin."""

import re
from collections.abc import Sequence
from datetime import date, datetime

from domain.household_view import HouseholdView
from domain.pet_profiles import PetProfile, SaidBefore
from domain.text_marks import NAME, with_names_masked
from domain.triage import Alert, triage
from memory.scope import Scope
from memory.text_folding import fold_text

INSULIN = "medication:insulin"
LONGEST = 30  # characters; whoever writes more tells something whole

_ASIDE = r"(?:[哦噢啊呀嗯呃哎,.。!~\s]|抱歉|不好意思|等等|等下|刚才|刚刚|我|你)*"
_SLIP = r"(?:(?:[说写打记弄搞]错|错|不对)(?:名字|宠物)?了?|口误|更正|名字[写打]错了?)"
_NOT_IT = r"(?:不是[^,。是]{1,20}?[,\s]*(?:而|其实)?)"
_END = r"(?:[吧啦啊呀的哈哦才对了,.。!~\s]|不是[^,。是]{1,20})*"


def alerts_of(
    text: str, view: HouseholdView, scope: Scope, now: datetime, focus_pet_id: str | None = None
) -> tuple[Alert, ...]:
    """The alerts a message calls for, gravest first. focus_pet_id: the pet of the page it is written from."""
    today = scope.local(now).date()
    return triage(text, view.profiles, focus_pet_id, today, on_insulin=_on_insulin(view, today))


def _on_insulin(view: HouseholdView, today: date) -> frozenset[str]:
    given = (row for _, row in view.safety if row.attribute == INSULIN)
    return frozenset(row.pet_id for row in given if not _is_over(getattr(row, "ended_on", None), today))


def _is_over(ended_on: date | None, today: date) -> bool:
    return ended_on is not None and ended_on < today


def retold(text: str, history: Sequence[SaidBefore], pets: Sequence[PetProfile]) -> str:
    """What the owner told last, of the pet that this message says was meant: 旺财抽搐了 / 不对，是咪咪 is 咪咪抽搐了.

    "" for every message that says more than which pet it is.
    """
    folded = fold_text(text)
    before = next((fold_text(said.text) for said in reversed(history) if said.role == "user"), "")
    right = next((pet for pet in pets if len(folded) <= LONGEST and _is_only(folded, pet, before)), None)
    if right is None or not before:
        return ""
    wrong = [name for pet in pets if pet.id != right.id for name in _names(pet) if name in before]
    for name in sorted(wrong, key=len, reverse=True):
        before = before.replace(name, right.name)
    return before if right.name in before else f"{right.name}{before}"


_ONLY = re.compile(
    rf"{_ASIDE}(?:(?:{_SLIP}{_ASIDE})+{_NOT_IT}?|{_NOT_IT}|说的|指的)(?:应该)?"
    rf"(?:应该)?(?:是|指)?{NAME}(?P<did>[^,。是的了]{{0,6}}?){_END}"
)


def _is_only(folded: str, pet: PetProfile, before: str) -> bool:
    """Whether a message says only that it is this pet, or that this one did what was told before (是咪咪吞的)."""
    found = _ONLY.fullmatch(with_names_masked(folded, _names(pet)))
    return found is not None and found["did"] in before


def _names(pet: PetProfile) -> tuple[str, ...]:
    return tuple(fold_text(name) for name in (pet.name, *pet.nicknames) if name)
