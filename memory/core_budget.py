"""The limits of the core card and the plan that keeps them. Values in, a plan out; nothing is moved here.

At most 20 items and 1,500 characters a pet; the owner's own card has 600 characters. Characters are Unicode code
points after NFC, counted by `count_chars` and nothing else, so what an owner sees and what is enforced cannot differ.

Over budget: (1) condense; (2) if it still does not fit, the least recalled item that may move goes down to its
long-term archive; (3) if nothing may move, the newcomer goes to long-term instead and the owner is told that the card
is full. Nothing is refused, cut or lost. Locked items, what the owner wrote, and active safety records never move.
"""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

MAX_CORE_ITEMS = 20  # what a person can check at a glance
MAX_CORE_CHARS = 1500  # code points; what fits the budget of one turn
MAX_OWNER_CARD_CHARS = 600  # code points; about what 1,375 characters of English cost in tokens


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one card holds."""

    items: int = MAX_CORE_ITEMS
    chars: int = MAX_CORE_CHARS


PET_CARD = Limits()
OWNER_CARD = Limits(chars=MAX_OWNER_CARD_CHARS)


@dataclass(frozen=True, slots=True)
class CardItem:
    """One line of a card, or one that wants to be.

    protected: written by the owner or kept at the owner's wish.
    safety: mirrors an active allergy, condition or current medication.
    """

    id: str
    content: str
    recall_count: int
    last_used_at: datetime
    locked: bool = False
    protected: bool = False
    safety: bool = False

    @property
    def may_move(self) -> bool:
        return not (self.locked or self.protected or self.safety)


Condense = Callable[[CardItem], str]
"""A shorter wording of one line; the plan takes it only when it is really shorter."""


@dataclass(frozen=True, slots=True)
class CardPlan:
    """What is to be done so that the newcomers fit.

    stays: the card afterwards, in the old order, newcomers last.
    condensed: ids whose wording in `stays` is shorter than it was.
    moves_down: old items that go to their long-term archive, least recalled first.
    turned_away: newcomers that go to long-term instead; the owner is told that the card is full.
    """

    stays: tuple[CardItem, ...]
    condensed: tuple[str, ...] = ()
    moves_down: tuple[CardItem, ...] = ()
    turned_away: tuple[CardItem, ...] = ()

    @property
    def card_is_full(self) -> bool:
        return bool(self.turned_away)


def count_chars(text: str) -> int:
    """Count Unicode code points after NFC: one for 「é」 however it was typed, one for a Chinese character."""
    return len(unicodedata.normalize("NFC", text))


def used_chars(items: Sequence[CardItem]) -> int:
    """The characters of a card: the sum over its lines, separators not counted."""
    return sum(count_chars(item.content) for item in items)


def fits(items: Sequence[CardItem], limits: Limits = PET_CARD) -> bool:
    """Whether these items are a card within its limits."""
    return len(items) <= limits.items and used_chars(items) <= limits.chars


def plan_card(
    card: Sequence[CardItem],
    newcomers: Sequence[CardItem] = (),
    limits: Limits = PET_CARD,
    condense: Condense | None = None,
) -> CardPlan:
    """Plan how the newcomers enter the card. Items keep their order; the same input gives the same plan.

    Safety newcomers come first. One that is turned away is still served: safety lines are read from their records,
    never from the card. A card that is already over its limits (a setting was lowered) is brought back with no
    newcomer at all; what may not move stays, even over the limit.
    """
    plan = _make_room(CardPlan(stays=tuple(card)), limits, condense)
    for newcomer in sorted(newcomers, key=lambda item: not item.safety):
        plan = _admit(plan, newcomer, limits, condense)
    return plan


def _admit(plan: CardPlan, newcomer: CardItem, limits: Limits, condense: Condense | None) -> CardPlan:
    entered = _make_room(replace(plan, stays=(*plan.stays, newcomer)), limits, condense, newcomer.id)
    if fits(entered.stays, limits):
        return entered
    return replace(plan, turned_away=(*plan.turned_away, newcomer))


def _make_room(plan: CardPlan, limits: Limits, condense: Condense | None, newcomer_id: str | None = None) -> CardPlan:
    """Condense, then move down the least recalled until the card fits or nothing may move any more."""
    if fits(plan.stays, limits):
        return plan
    plan = _condense(plan, limits, condense)
    while not fits(plan.stays, limits):
        leaving = _least_recalled(plan.stays, newcomer_id)
        if leaving is None:
            break
        stays = tuple(item for item in plan.stays if item is not leaving)
        plan = replace(plan, stays=stays, moves_down=(*plan.moves_down, leaving))
    return plan


def _condense(plan: CardPlan, limits: Limits, condense: Condense | None) -> CardPlan:
    """Shorten the longest lines first, and only as many as needed. The owner's and records' words stay as they are."""
    if condense is None or used_chars(plan.stays) <= limits.chars:
        return plan
    stays = list(plan.stays)
    shortened = list(plan.condensed)
    for item in sorted(plan.stays, key=lambda one: -count_chars(one.content)):
        if used_chars(stays) <= limits.chars:
            break
        wording = condense(item) if item.may_move else item.content
        if 0 < count_chars(wording) < count_chars(item.content):
            stays[stays.index(item)] = replace(item, content=wording)
            shortened.append(item.id)
    return replace(plan, stays=tuple(stays), condensed=tuple(dict.fromkeys(shortened)))


def _least_recalled(items: Sequence[CardItem], newcomer_id: str | None) -> CardItem | None:
    """The old item that goes first: fewest recalls, then longest unused, then by id."""
    movable = [item for item in items if item.may_move and item.id != newcomer_id]
    return min(movable, key=lambda item: (item.recall_count, item.last_used_at, item.id), default=None)
