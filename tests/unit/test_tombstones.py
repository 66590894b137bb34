"""What was deleted is recognised by a keyed hash, in whatever words it was said before."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.slot_relations import Said
from memory.tombstones import Tombstone, is_buried, value_hash

AT = datetime(2026, 6, 1, tzinfo=UTC)
SECRET = b"a secret of these tests"


def stone(said: Said, attribute: str = "allergy:shrimp", subject: str | None = "pet") -> Tombstone:
    return Tombstone(
        household_id="household",
        subject=subject,
        attribute=attribute,
        value_hash=value_hash(attribute, said, SECRET),
        deleted_at=AT,
    )


@pytest.mark.parametrize(
    ("said_at", "buried"), [(AT - timedelta(days=1), True), (AT, True), (AT + timedelta(seconds=1), False)]
)
def test_only_a_message_said_after_the_deletion_can_teach_it_again(said_at: datetime, buried: bool) -> None:
    said = Said(content="对虾过敏")
    assert is_buried([stone(said)], "pet", "allergy:shrimp", said, SECRET, said_at) is buried


@pytest.mark.parametrize(
    ("subject", "attribute", "said"),
    [
        ("other", "allergy:shrimp", Said()),
        ("pet", "allergy:crab", Said()),
        ("pet", "allergy:shrimp", Said(negated=True)),
        ("pet", "allergy:shrimp", Said(value={"stage": "2期"})),
    ],
)
def test_another_pet_slot_denial_or_value_is_not_what_was_deleted(subject: str, attribute: str, said: Said) -> None:
    assert not is_buried([stone(Said())], subject, attribute, said, SECRET, AT)


def test_descriptions_and_wording_do_not_hide_a_deleted_danger() -> None:
    told_again = Said(value={"reaction": "起疹子"}, content="一吃虾就起疹子")
    assert is_buried([stone(Said(content="对虾过敏"))], "pet", "allergy:shrimp", told_again, SECRET, AT)


def test_the_hash_needs_the_secret_and_tells_nothing_of_the_value() -> None:
    said = Said(value={"text": "13800000000"})
    assert value_hash("contact.phone", said, SECRET) != value_hash("contact.phone", said, b"another secret")
    assert "138" not in value_hash("contact.phone", said, SECRET)
