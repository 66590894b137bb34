"""Which record a statement writes, and with which fields."""

from datetime import UTC, date, datetime

import pytest

from domain.claim_records import Told, record_fields, record_kind_of, told_by_claim
from memory.scope import Scope
from memory.vocabulary import Precision
from tests.claims import claim_of

SAID_AT = datetime(2026, 6, 1, 2, 0, tzinfo=UTC)
SCOPE = Scope("household", "owner")


def told(attribute: str, content: str = "一句话", **more: object) -> Told:
    return told_by_claim(claim_of("pet", attribute, content, **more), SAID_AT, SCOPE)


@pytest.mark.parametrize(
    ("attribute", "more", "kind"),
    [
        ("allergy:chicken", {}, "allergies"),
        ("allergy:chicken", {"negated": True}, None),
        ("condition:ckd", {}, "conditions"),
        ("medication:x", {}, "medications"),
        ("medication:x", {"negated": True}, None),
        ("vaccine:rabies", {}, "vaccinations"),
        ("deworming:x", {}, "dewormings"),
        ("weight", {"value": {"number": 3.0, "unit": "kg"}}, "weights"),
        ("weight", {"value": {}}, None),
        ("weight", {"value": {"number": 3.0, "unit": "米"}}, None),
        ("symptom:cough", {"negated": True}, "observations"),
        ("symptom:limping", {"negated": True, "value": {"name": "走路正常"}}, "observations"),
        ("symptom:urination", {"negated": True, "value": {"name": "尿尿正常"}}, None),
        ("lab:crea", {"value": {"number": 261}}, "observations"),
        ("visit", {}, "visits"),
        ("diet.staple_food", {"value": {"food": "渴望"}}, "diets"),
        ("diet.staple_food", {"value": {}}, None),
        ("diet:南瓜", {"value": {"food": "南瓜"}}, None),
        ("behavior:fear", {}, None),
    ],
)
def test_only_what_is_so_becomes_a_record(attribute: str, more: dict[str, object], kind: str | None) -> None:
    found = record_kind_of(told(attribute, **more))
    assert (found.name if found else None) == kind


@pytest.mark.parametrize(
    ("attribute", "value", "expected"),
    [
        (
            "allergy:chicken",
            {"substance": "chicken", "substance_name": "鸡肉", "reaction": "起疹子"},
            {"substance": "鸡肉", "category": "food", "reaction": "起疹子"},
        ),
        ("condition:ckd", {"name": "慢性肾病", "stage": "2期"}, {"name": "慢性肾病", "stage": "2期"}),
        (
            "medication:x",
            {"product": "速诺", "dose_text": "半片", "frequency_text": "一天两次", "end": "2026-06-08"},
            {"product": "速诺", "dose_text": "半片", "frequency_text": "一天两次", "ended_on": date(2026, 6, 8)},
        ),
        ("medication:x", {"ingredient": "doxycycline", "number": 2.5, "unit": "mg"}, {"dose_text": "2.5mg"}),
        ("vaccine:rabies", {"product": "狂犬疫苗"}, {"product": "狂犬疫苗", "given_on": date(2026, 5, 30)}),
        ("deworming:x", {"product": "大宠爱", "target": "external"}, {"target": "external"}),
        ("weight", {"number": 12.0, "unit": "斤"}, {"value": 12.0, "unit": "jin"}),
        ("symptom:cough", {"name": "咳嗽", "number": 3, "unit": "次"}, {"name": "咳嗽", "value": 3, "unit": "次"}),
        (
            "lab:体温",
            {"name": "体温", "number": 38.4, "unit": "℃"},
            {"code": "temperature", "name": "体温", "value": 38.4, "unit": "℃"},
        ),
        ("diet.prescription", {"food": "低敏粮"}, {"food": "低敏粮", "prescription": True}),
    ],
)
def test_a_value_fills_the_fields_of_its_record(
    attribute: str, value: dict[str, object], expected: dict[str, object]
) -> None:
    day = {"occurred_on": date(2026, 5, 30), "occurred_on_precision": Precision.DAY}
    statement = told(attribute, value=value, **day)
    kind = record_kind_of(statement)
    assert kind is not None
    fields = record_fields(kind, statement).model_dump()

    assert {name: fields[name] for name in expected} == expected


def test_what_is_seen_today_happened_when_it_was_said() -> None:
    statement = told("weight", value={"number": 3.0, "unit": "kg"}, occurred_on=date(2026, 6, 1))
    kind = record_kind_of(statement)
    assert kind is not None
    assert record_fields(kind, statement).model_dump()["measured_at"] == SAID_AT


def test_a_visit_that_tells_nothing_else_keeps_the_owners_words() -> None:
    statement = told("visit", "煤球去看了医生")
    kind = record_kind_of(statement)
    assert kind is not None
    assert record_fields(kind, statement).model_dump()["note"] == "煤球去看了医生"


def test_a_record_of_something_swallowed_names_it() -> None:
    statement = told("symptom:ate_wrong", value={"name": "舔了"}, content="芋圆舔了洁厕灵")
    kind = record_kind_of(statement)
    assert kind is not None
    assert record_fields(kind, statement).model_dump()["name"] == "舔了洁厕灵"


@pytest.mark.parametrize(
    ("attribute", "words", "name"),
    [
        ("symptom:limping", "走路正常", "跛行"),
        ("symptom:appetite_loss", "食欲正常", "食欲差"),
        ("symptom:skin_lesion", "皮肤都没红", "皮肤问题"),
        ("symptom:嘴巴臭", "嘴巴臭", "嘴巴臭"),
        ("symptom:appetite_loss", "不吃", "不吃"),
    ],
)
def test_a_record_of_what_is_well_names_the_sign_that_is_not_there(attribute: str, words: str, name: str) -> None:
    statement = told(attribute, value={"name": words}, negated=True)
    kind = record_kind_of(statement)
    assert kind is not None
    fields = record_fields(kind, statement).model_dump()
    assert (fields["name"], fields["negated"]) == (name, True)


@pytest.mark.parametrize(
    ("content", "number"),
    [
        ("布丁上周打了妙三多第三针", 3),
        ("妙三多第2针打完了", 2),
        ("卫佳伍第 一 针", 1),
        ("打了妙三多", None),
        ("妙三多打了三针", None),
        ("妙三多第二针和第三针都打了", None),
        ("第12针", None),
    ],
)
def test_which_dose_of_its_series_a_vaccination_was(content: str, number: int | None) -> None:
    statement = told("vaccine:妙三多", content, value={"product": "妙三多"})
    kind = record_kind_of(statement)
    assert kind is not None
    fields = record_fields(kind, statement)
    assert fields.model_dump()["dose_number"] == number


@pytest.mark.parametrize(
    ("surface", "content", "name"),
    [
        ("吐了一", "年糕今天早上吐了一摊黄水", "吐了一摊黄水"),
        ("总舔", "可乐最近两天总舔爪子，舔得红红的", "总舔爪子"),
        ("吐了", "年糕吐了怎么办", "吐了"),
        ("咳嗽", "咳嗽的时候脖子伸得老长然后干呕一阵子又好了", "咳嗽"),
    ],
)
def test_a_sign_is_written_with_what_the_owner_said_of_it(surface: str, content: str, name: str) -> None:
    statement = told("symptom:vomiting", content, value={"name": surface})
    kind = record_kind_of(statement)
    assert kind is not None
    assert record_fields(kind, statement).model_dump()["name"] == name


def test_a_reading_without_a_figure_keeps_how_it_came_out() -> None:
    statement = told("lab:肌酐", "豆豆肌酐偏高", value={"name": "肌酐"})
    kind = record_kind_of(statement)
    assert kind is not None
    fields = record_fields(kind, statement)
    assert (fields.model_dump()["severity"], kind.line("豆豆", fields)) == ("偏高", "豆豆肌酐偏高")
