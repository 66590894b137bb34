"""A pet's card: safety lines from the records in force, then what else is core; each owner has a card of their own."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from domain.allergies import Allergy
from domain.cards import lines_of, owner_card, pet_card
from domain.household_view import HouseholdView
from domain.medications import Medication
from domain.owners import Owner
from domain.pets import Pet, profile_of
from domain.record_kinds import KINDS
from memory.items import MemoryItem
from memory.scope import Scope

NOW = datetime(2026, 5, 20, 4, 0, tzinfo=UTC)
SCOPE = Scope("home", "lin")
DOG = Pet(id="dog", household_id="home", name="豆豆", species="dog", created_at=NOW, no_known_allergies=True)
CAT = Pet(id="cat", household_id="home", name="团子", species="cat", created_at=NOW)


def allergy(record_id: str = "r", pet: str = "dog", **more: Any) -> tuple[Any, Allergy]:
    known = {"substance": "鸡肉", "attribute": "allergy:chicken", "recorded_at": NOW, "recorded_by": "lin", **more}
    return KINDS["allergies"], Allergy(id=record_id, household_id="home", pet_id=pet, **known)


def medication(**more: Any) -> tuple[Any, Medication]:
    known = {"product": "阿莫西林", "attribute": "medication:amoxicillin", "recorded_at": NOW, "recorded_by": "lin"}
    return KINDS["medications"], Medication(id="m", household_id="home", pet_id="dog", **known, **more)


def item(item_id: str, content: str, subject: str = "dog", **more: Any) -> MemoryItem:
    known: dict[str, Any] = {
        "household_id": "home",
        "owner_id": "lin",
        "attribute": "other",
        "attribute_class": "other",
        "topic": "behavior",
        "kind": "fact",
        "memory_type": "semantic",
        "risk": "low",
        "weight_level": 1,
        "confidence": 1.0,
        "tier": "core",
        "status": "active",
        "source": "chat",
        "learned_at": NOW,
        "last_evidence_at": NOW,
    }
    return MemoryItem(id=item_id, content=content, subject=subject, **{**known, **more})


def view(*core: MemoryItem, safety: tuple[Any, ...] = ()) -> HouseholdView:
    owner = Owner(id="lin", household_id="home", appid="dev", openid="o", created_at=NOW)
    pets = [DOG, CAT]
    return HouseholdView(
        revision=1,
        owner=owner,
        consents=frozenset(),
        pets=pets,
        profiles=tuple(profile_of(pet) for pet in pets),
        core=core,
        safety=safety,
        questions=(),
    )


def test_records_come_first_and_their_mirrors_are_not_told_twice() -> None:
    seen = view(
        item("1", "豆豆怕打雷"),
        item("2", "豆豆对鸡肉过敏", record_id="r", record_kind="allergies"),
        safety=(allergy(),),
    )
    card = pet_card(seen, SCOPE, DOG, NOW)
    assert [(line.memory_id, line.text, line.safety) for line in card.lines] == [
        ("2", "豆豆对鸡肉过敏", True),
        ("1", "豆豆怕打雷", False),
    ]
    assert (card.lines[0].record_kind, card.lines[0].record_id) == ("allergies", "r")


def test_a_record_is_told_even_when_memory_has_no_line_of_it() -> None:
    (line,) = pet_card(view(safety=(allergy(),)), SCOPE, DOG, NOW).lines
    assert (line.text, line.safety, line.memory_id) == ("豆豆对鸡肉过敏", True, "r")


@pytest.mark.parametrize(
    ("ended", "told"), [(None, True), (NOW + timedelta(days=1), True), (NOW, False), (NOW - timedelta(days=1), False)]
)
def test_a_medication_is_told_until_it_ends(ended: datetime | None, told: bool) -> None:
    assert bool(pet_card(view(safety=(medication(valid_to=ended),)), SCOPE, DOG, NOW).lines) is told


def test_a_caution_is_marked_as_waiting_for_the_owner() -> None:
    (line,) = pet_card(view(safety=(allergy(status="provisional"),)), SCOPE, DOG, NOW).lines
    assert line.provisional
    assert line.text == "豆豆对鸡肉过敏（待确认）"


def test_a_line_carries_its_date_where_one_is_known() -> None:
    noon = datetime(2026, 3, 1, 4, tzinfo=UTC)
    dated = item("1", "豆豆搬了家", valid_from=noon, valid_from_precision="day")
    vague = item("2", "豆豆换了窝", valid_from=noon, valid_from_precision="unknown")
    assert [line.text for line in pet_card(view(dated, vague), SCOPE, DOG, NOW).lines] == [
        "豆豆搬了家（2026年3月1日）",
        "豆豆换了窝",
    ]


def test_a_date_is_the_owners_local_one() -> None:
    late = datetime(2026, 2, 28, 17, tzinfo=UTC)  # 1 March in Shanghai
    started = allergy(onset_on=date(2026, 3, 1), onset_on_precision="day", valid_from=late)
    (line,) = pet_card(view(safety=(started,)), SCOPE, DOG, NOW).lines
    assert "2026年3月1日" in line.text


def test_another_pets_lines_are_on_its_own_card() -> None:
    seen = view(item("1", "团子怕水", "cat"), safety=(allergy(pet="cat"),))
    assert pet_card(seen, SCOPE, DOG, NOW).lines == ()
    assert [line.text for line in pet_card(seen, SCOPE, CAT, NOW).lines] == ["团子对鸡肉过敏", "团子怕水"]


def test_no_known_allergies_is_a_statement_of_its_own() -> None:
    assert pet_card(view(), SCOPE, DOG, NOW).no_known_allergies
    assert not pet_card(view(), SCOPE, CAT, NOW).no_known_allergies


@pytest.mark.parametrize(
    "gone",
    [
        {"expires_at": NOW},
        {"snoozed_until": NOW + timedelta(days=1)},
        {"status": "superseded"},
        {"status": "candidate"},
    ],
)
def test_what_is_not_served_is_not_on_a_card(gone: dict[str, Any]) -> None:
    assert pet_card(view(item("1", "豆豆怕打雷", **gone)), SCOPE, DOG, NOW).lines == ()
    assert owner_card(view(item("1", "喜欢简短", "owner", **gone)), SCOPE, NOW) == ()


def test_snoozing_a_memory_never_hides_a_danger() -> None:
    mirror = item("2", "豆豆对鸡肉过敏", record_id="r", snoozed_until=NOW + timedelta(days=9))
    assert [line.text for line in pet_card(view(mirror, safety=(allergy(),)), SCOPE, DOG, NOW).lines] == [
        "豆豆对鸡肉过敏"
    ]


def test_each_owner_of_a_household_has_a_card_of_their_own() -> None:
    seen = view(item("1", "小林住杭州", "owner"), item("2", "小王住上海", "owner", owner_id="wang"))
    assert [line.text for line in owner_card(seen, SCOPE, NOW)] == ["小林住杭州"]
    assert [line.text for line in owner_card(seen, Scope("home", "wang"), NOW)] == ["小王住上海"]


def test_lines_of_several_cards_keep_their_order() -> None:
    seen = view(item("1", "豆豆怕打雷"), item("2", "团子怕水", "cat"))
    cards = [pet_card(seen, SCOPE, pet, NOW) for pet in (DOG, CAT)]
    assert [line.memory_id for line in lines_of(cards)] == ["1", "2"]
