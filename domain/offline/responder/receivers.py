"""Who would get it: 可乐的冻干分给豆豆 asks of 豆豆; 可乐 only says whose it is."""

import re
from collections.abc import Sequence

from domain.pet_profiles import PetProfile
from domain.turn_context import PetCard, TurnContext
from memory.text_folding import fold_text

_GETS = r"(?:给|喂|让)"
_OWNS = r"(?:的|那|这|剩|吃剩|用的|吃的)"


def receiving_cards(context: TurnContext) -> tuple[Sequence[PetCard], str]:
    """The cards of the pets that would get it, and the name of a receiver whose card is not here ("" when all are)."""
    folded = fold_text(context.text)
    cards = [card for card in context.cards if not _only_owns(card.pet, folded)]
    absent = next((pet.name for pet in context.others if _is_given(pet, folded)), "")
    given = [card for card in cards if _is_given(card.pet, folded)]
    return given or ([] if absent else cards or context.cards), "" if given else absent


def _names(pet: PetProfile) -> list[str]:
    return [re.escape(fold_text(name)) for name in (pet.name, *pet.nicknames) if name]


def _is_given(pet: PetProfile, folded: str) -> bool:
    return any(re.search(rf"{_GETS}{name}(?!{_OWNS})", folded) for name in _names(pet))


def _only_owns(pet: PetProfile, folded: str) -> bool:
    """Named, and every time only as the one that a thing belongs to."""
    named = [name for name in _names(pet) if re.search(name, folded)]
    return bool(named) and not any(re.search(rf"{name}(?!{_OWNS})", folded) for name in named)
