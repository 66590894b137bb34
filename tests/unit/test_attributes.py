"""The catalogue of slots: every slot has a home, a risk and a wording."""

import pytest

from domain.attributes import CLASSES, SLOTS, spec_of
from memory.topics import Topic
from memory.vocabulary import AttributeClass, Cardinality, Risk

RECORD_KINDS = {
    "allergies",
    "conditions",
    "medications",
    "vaccinations",
    "dewormings",
    "weights",
    "visits",
    "observations",
    "diets",
}


@pytest.mark.parametrize("attribute_class", list(AttributeClass))
def test_every_class_of_the_vocabulary_has_a_spec(attribute_class: AttributeClass) -> None:
    assert spec_of(str(attribute_class)).attribute_class is attribute_class


@pytest.mark.parametrize(
    ("attribute", "risk"),
    [
        ("allergy:chicken", Risk.HIGH),
        ("condition:ckd", Risk.HIGH),
        ("medication:amoxicillin", Risk.HIGH),
        ("diet.prescription", Risk.HIGH),
        ("vaccine:狂犬", Risk.HIGH),
        ("deworming:大宠爱", Risk.HIGH),
        ("neutered", Risk.HIGH),
        ("species", Risk.HIGH),
        ("sex", Risk.HIGH),
        ("weight", Risk.LOW),
        ("birth_date", Risk.LOW),
        ("contact.phone", Risk.LOW),
        ("diet.staple_food", Risk.LOW),
        ("behavior:fear:打雷", Risk.LOW),
        ("owner.allergy:猫毛", Risk.LOW),
    ],
)
def test_what_may_hurt_a_pet_is_high_risk_and_the_rest_is_low(attribute: str, risk: Risk) -> None:
    assert spec_of(attribute).risk is risk


def test_record_kinds_are_those_of_the_surface() -> None:
    kinds = {spec.record_kind for spec in (*CLASSES.values(), *SLOTS.values())} - {None}
    assert kinds == RECORD_KINDS


@pytest.mark.parametrize("attribute", ["allergy:chicken", "condition:ckd", "medication:x"])
def test_safety_slots_guard_every_later_answer_and_hold_one_value(attribute: str) -> None:
    spec = spec_of(attribute)
    assert spec.guards
    assert spec.weight_level == 3
    assert spec.cardinality is Cardinality.ONE


@pytest.mark.parametrize("attribute", ["weight", "visit:imaging", "vaccine:狂犬", "symptom:vomiting"])
def test_dated_happenings_are_series(attribute: str) -> None:
    assert spec_of(attribute).cardinality is Cardinality.SERIES


def test_an_unknown_slot_is_other_and_never_an_error() -> None:
    assert spec_of("no.such:slot").attribute_class is AttributeClass.OTHER


def test_owner_slots_live_in_the_owners_archive() -> None:
    for attribute in ("contact.phone", "owner.residence", "preference.reply_style", "owner.allergy:猫毛"):
        assert spec_of(attribute).topic is Topic.OWNER


@pytest.mark.parametrize(
    ("attribute", "value", "negated", "line"),
    [
        ("allergy:chicken", {"substance_name": "鸡肉", "reaction": "起疹"}, False, "豆豆对鸡肉过敏（起疹）"),
        ("allergy:chicken", {"substance_name": "鸡肉"}, True, "豆豆对鸡肉不过敏"),
        ("condition:ckd", {"name": "慢性肾病", "stage": "2期"}, False, "豆豆有慢性肾病 2期"),
        (
            "medication:x",
            {"product": "速诺", "dose_text": "半片", "frequency_text": "一天两次"},
            False,
            "豆豆在用速诺，半片 一天两次",
        ),
        ("medication:x", {"product": "速诺"}, True, "豆豆停用速诺"),
        ("weight", {"number": 5.2, "unit": "斤"}, False, "豆豆体重5.2斤"),
        ("diet:beef", {"food": "牛肉"}, True, "豆豆不吃牛肉"),
    ],
)
def test_a_line_is_written_from_structured_fields(
    attribute: str, value: dict[str, object], negated: bool, line: str
) -> None:
    assert spec_of(attribute).render("豆豆", value, negated) == line
