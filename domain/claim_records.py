"""Which clinical record a statement writes, and the record's fields from the statement's value.

A record is only written for what is so: a denial, a guess or a liking is a line of memory without one. The way back,
from a record's fields to the value a new claim is compared with, is `statement_comparison`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from domain.allergies import AllergyFields
from domain.attributes import spec_of
from domain.conditions import ConditionFields
from domain.dates.script import read_numeral
from domain.dewormings import DewormingFields
from domain.diets import DietFields
from domain.exposures import EXPOSURE_SLOT, exposure_in
from domain.knowledge.allergens import load_allergens
from domain.knowledge.symptoms import symptom_named
from domain.medications import MedicationFields
from domain.observations import TEMPERATURE, ObservationCode, ObservationFields
from domain.reading_results import RESULT_WORDS, result_in
from domain.record_columns import MAX_WORDS, RecordFields
from domain.record_kinds import KINDS, RecordKind
from domain.vaccinations import MAX_DOSE_NUMBER, VaccinationFields
from domain.visits import VisitFields
from domain.weights import WeightFields
from memory.claims import Claim
from memory.intake import start_of_day
from memory.items import MemoryItem
from memory.scope import Scope
from memory.topics import Topic
from memory.vocabulary import AttributeClass, Precision

_JUST_DONE = re.compile(r"(?:做|打|吃|用|滴|驱|种|接种|喂)(?:完|好)?了")
_SOME_TIME = re.compile(r"过|以前|之前|上次|去年|前年|小时候|早就|已经|该|要|没|每|一直|从来")
_NTH_DOSE = re.compile(r"第\s*([一二三四五六七八九十\d]+)\s*[针剂]")
_DIET_RECORDS = ("diet.staple_food", "diet.prescription")
_CLAUSE_END = re.compile(r"[，,。；;！!？?（(\s]|怎么|咋办|要不要|吗")
_WELL = re.compile(r"没|不(?![吃喝爱肯])|正常|干净|清亮|平稳|(?<!不)[挺很]?好(?!动|奇|几|多)|不错")
LONGEST_SIGN = 16  # characters of a sign in the owner's words; a longer clause tells more than the sign
_UNITS = {"kg": "kg", "公斤": "kg", "千克": "kg", "g": "g", "克": "g", "斤": "jin", "jin": "jin"}


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of one statement when its record is written: from a claim, or from the row that kept it."""

    attribute: str
    attribute_class: AttributeClass
    topic: Topic
    content: str
    value: Mapping[str, Any]
    negated: bool
    occurred_on: date | None
    precision: Precision
    said_at: datetime
    scope: Scope

    @property
    def key(self) -> str:
        """The part of the slot's name that says what it is about."""
        return self.attribute.partition(":")[2]


def told_by_claim(claim: Claim, said_at: datetime, scope: Scope) -> Told:
    """A claim as the maker of records sees it."""
    return Told(
        claim.attribute,
        claim.attribute_class,
        claim.topic,
        claim.content,
        claim.value,
        claim.negated,
        claim.occurred_on,
        claim.occurred_on_precision,
        said_at,
        scope,
    )


def told_by_item(item: MemoryItem, scope: Scope) -> Told:
    """A kept statement that comes into force later."""
    return Told(
        item.attribute,
        AttributeClass(item.attribute_class),
        Topic(item.topic),
        item.content,
        item.value,
        item.negated,
        scope.local(item.valid_from).date() if item.valid_from else None,
        Precision(item.valid_from_precision),
        item.last_evidence_at,
        scope,
    )


def record_kind_of(told: Told) -> RecordKind | None:
    """The kind of record this statement writes, None when memory alone keeps it."""
    name = spec_of(told.attribute).record_kind
    if name is None or (told.negated and name != "observations"):
        return None
    if name == "diets" and (
        told.attribute not in _DIET_RECORDS or not _words(told, "food", "product", "name", "brand")
    ):
        return None
    if name == "medications" and told.key == "unnamed" and not _words(told, "dose_text", "frequency_text", "end"):
        return None  # 今天去打针了 tells no drug that it is on
    if name == "weights" and (told.value.get("number") is None or _unit(told) is None):
        return None
    if _tells_it_is_well(told) and symptom_named(told.key) is None:
        return None  # 尿尿正常 denies no sign that has a name
    return KINDS[name]


def record_fields(kind: RecordKind, told: Told) -> RecordFields:
    """The record's fields. Raises pydantic's ValidationError for values no record may hold."""
    return _FIELDS[kind.name](told)


def _allergy(told: Told) -> RecordFields:
    allergen = load_allergens().find(str(told.value.get("substance") or told.key))
    return AllergyFields(
        substance=_words(told, "substance_name", "substance", "name") or told.key,
        category=allergen.category if allergen else "other",
        reaction=_words(told, "reaction"),
        onset_on=told.occurred_on,
        onset_on_precision=_precision(told),
    )


def _condition(told: Told) -> RecordFields:
    return ConditionFields(
        name=_words(told, "name") or told.key,
        stage=_words(told, "stage"),
        onset_on=told.occurred_on,
        onset_on_precision=_precision(told),
    )


def _medication(told: Told) -> RecordFields:
    end = _end_of(told)
    return MedicationFields(
        product=_words(told, "product", "name", "ingredient") or told.key,
        ingredient=_words(told, "ingredient"),
        dose_text=_words(told, "dose_text") or _quantity(told),
        frequency_text=_words(told, "frequency_text"),
        started_on=told.occurred_on,
        started_on_precision=_precision(told),
        ended_on=end,
        ended_on_precision=Precision.DAY if end else Precision.UNKNOWN,
        reason=_words(told, "reason"),
    )


def _given(told: Told) -> tuple[date | None, Precision]:
    """When it was given. 做了体内驱虫, said without a day, was lately: the month of saying it, and no more exact."""
    if told.occurred_on is None and _JUST_DONE.search(told.content) and not _SOME_TIME.search(told.content):
        return told.scope.local(told.said_at).date(), Precision.MONTH
    return told.occurred_on, _precision(told)


def _vaccination(told: Told) -> RecordFields:
    antigens = told.value.get("antigens")
    given_on, precision = _given(told)
    return VaccinationFields(
        product=_words(told, "product", "name") or told.key or "疫苗",
        antigens=list(antigens) if isinstance(antigens, list | tuple) else [],
        given_on=given_on,
        given_on_precision=precision,
        dose_number=_nth_dose(told.content),
        clinic=_words(told, "clinic"),
        reaction=_words(told, "reaction"),
    )


def _nth_dose(content: str) -> int | None:
    """第三针; None where no dose is numbered, or several are."""
    numbered = {read_numeral(said) for said in _NTH_DOSE.findall(content)}
    number = numbered.pop() if len(numbered) == 1 else None
    return number if number and number <= MAX_DOSE_NUMBER else None


def _deworming(told: Told) -> RecordFields:
    target = told.value.get("target")
    given_on, precision = _given(told)
    return DewormingFields(
        product=_words(told, "product", "name") or told.key or "驱虫",
        target=target if target in ("internal", "external", "both") else None,
        given_on=given_on,
        given_on_precision=precision,
    )


def _weight(told: Told) -> RecordFields:
    return WeightFields.model_validate(
        {"value": told.value.get("number"), "unit": _unit(told), "measured_at": _moment(told)}
    )


def _visit(told: Told) -> RecordFields:
    fields = VisitFields(
        clinic=_words(told, "clinic"),
        reason=_words(told, "reason"),
        diagnosis=_words(told, "diagnosis"),
        treatment=_words(told, "treatment"),
        visited_on=told.occurred_on,
        visited_on_precision=_precision(told),
    )
    says_something = fields.clinic or fields.reason or fields.diagnosis or fields.treatment
    return fields if says_something else fields.model_copy(update={"note": told.content})


def _observation(told: Told) -> RecordFields:
    return ObservationFields(
        code=_observation_code(told),
        name=_exposure(told) or _denied_sign(told) or _sign(told) or told.key or told.content[:MAX_WORDS],
        value=told.value.get("number"),
        unit=_words(told, "unit"),
        severity=_words(told, "severity") or _result(told),
        negated=told.negated,
        occurred_at=_moment(told),
    )


def _diet(told: Told) -> RecordFields:
    end = _end_of(told)
    return DietFields(
        food=_words(told, "food", "product", "name", "brand") or told.content,
        brand=_words(told, "brand"),
        amount=_words(told, "amount", "dose_text") or _quantity(told),
        frequency=_words(told, "frequency_text"),
        prescription=told.attribute == "diet.prescription",
        started_on=told.occurred_on,
        started_on_precision=_precision(told),
        ended_on=end,
        ended_on_precision=Precision.DAY if end else Precision.UNKNOWN,
    )


_FIELDS: Mapping[str, Callable[[Told], RecordFields]] = {
    "allergies": _allergy,
    "conditions": _condition,
    "medications": _medication,
    "vaccinations": _vaccination,
    "dewormings": _deworming,
    "weights": _weight,
    "visits": _visit,
    "observations": _observation,
    "diets": _diet,
}


def _exposure(told: Told) -> str:
    """What was swallowed stands in the record: 舔了 alone tells a vet nothing."""
    return exposure_in(told.content)[:MAX_WORDS] if told.attribute == EXPOSURE_SLOT else ""


def _tells_it_is_well(told: Told) -> bool:
    """走路正常, 眼睛都没红: the words deny by themselves, and 没有走路正常 would say the opposite."""
    words = _words(told, "name", "text")
    return told.negated and told.attribute.startswith("symptom") and bool(words and _WELL.search(words))


def _denied_sign(told: Told) -> str | None:
    """跛行 of 走路正常: what a record says was looked for and not there."""
    return symptom_named(told.key) if _tells_it_is_well(told) else None


def _sign(told: Told) -> str | None:
    """A sign with what the owner said of it: 吐了一摊黄水, not the 吐了 by which it was known."""
    name = _words(told, "name", "text")
    place = told.content.find(name) if name else -1
    if name is None or place < 0 or told.negated or not told.attribute.startswith("symptom"):
        return name
    whole = _CLAUSE_END.split(told.content[place:], maxsplit=1)[0]
    return whole if len(whole) <= LONGEST_SIGN else name


def _result(told: Told) -> str | None:
    """偏高 of 肌酐偏高: a reading without a figure says nothing to a vet but how it came out."""
    found = result_in(told.content) if told.attribute.startswith("lab") else None
    return RESULT_WORDS[found] if found else None


def _observation_code(told: Told) -> ObservationCode:
    if told.attribute == f"lab:{TEMPERATURE}" and told.value.get("number") is not None:
        return "temperature"
    if told.attribute.startswith("lab"):
        return "lab"
    if told.topic is Topic.ELIMINATION:
        return "elimination"
    return "symptom"


def _words(told: Told, *keys: str) -> str | None:
    """The first of these keys that holds a text, cut to what a record's field takes."""
    held = next((told.value[key] for key in keys if isinstance(told.value.get(key), str) and told.value[key]), None)
    return None if held is None else str(held)[:MAX_WORDS]


def _quantity(told: Told) -> str | None:
    number = told.value.get("number")
    return None if number is None else f"{number:g}{told.value.get('unit') or ''}"


def _unit(told: Told) -> str | None:
    return _UNITS.get(str(told.value.get("unit") or "kg"))


def _precision(told: Told) -> Precision:
    return told.precision if told.occurred_on else Precision.UNKNOWN


def _moment(told: Told) -> datetime:
    """When it was seen: the moment it was said, or the start of the day it is about."""
    if told.occurred_on is None or told.occurred_on == told.scope.local(told.said_at).date():
        return told.said_at
    return start_of_day(told.occurred_on, told.scope)


def _end_of(told: Told) -> date | None:
    end = told.value.get("end")
    try:
        return date.fromisoformat(end) if isinstance(end, str) else None
    except ValueError:
        return None
