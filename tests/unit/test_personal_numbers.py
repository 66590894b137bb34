"""Phone numbers, identity numbers and addresses are masked before a line is kept; nothing else is."""

import pytest

from memory.personal_numbers import mask_numbers, mask_value


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("我电话13812345678", "我电话138****5678"),
        ("打 138 1234 5678 找我", "打 138****5678 找我"),
        ("医生微信tel13912345678可以加", "医生微信tel139****5678可以加"),
        ("+86-13812345678", "+86-138****5678"),
        ("手机１３８１２３４５６７８", "手机１３８****５６７８"),
        ("座机 010-87654321", "座机 010-****4321"),
        ("身份证11010519491231002X", "身份证110***********002X"),
        ("住在建国路88号3单元1201室", "住在建国路**号*单元****室"),
        ("寄到幸福花园3栋2单元501", "寄到幸福花园*栋*单元***"),
        ("家在阳光小区12号楼", "家在阳光小区**号楼"),
        ("我们在5栋1202", "我们在*栋****"),
    ],
)
def test_what_leads_to_a_person_is_hidden(said: str, kept: str) -> None:
    assert mask_numbers(said) == kept


@pytest.mark.parametrize(
    "said",
    [
        "豆豆3号打疫苗",
        "我知道3号要驱虫",
        "逛街3号去",
        "体重4.25公斤，吃了250克",
        "芯片900123000012345",
        "2026年3月1日去宠爱路医院",
        "在公园3号遇到一只猫",
        "从3楼跳下来",
        "一天2次，一次1.5片",
    ],
)
def test_days_weights_and_doses_stay(said: str) -> None:
    assert mask_numbers(said) == said


def test_every_text_of_a_value_is_masked() -> None:
    value = {"clinic": "阳光医院13812345678", "number": 4.2, "times": ["08:00"], "deep": {"text": "座机010-87654321"}}
    assert mask_value(value) == {
        "clinic": "阳光医院138****5678",
        "number": 4.2,
        "times": ["08:00"],
        "deep": {"text": "座机010-****4321"},
    }


def test_an_id_is_no_telephone_number() -> None:
    row = {"id": "01a22a68-e133-7139-8049-c7804918eaf5", "keys": ["made of 01a22a68-0138-7012-8049-c7804918eaf5"]}
    alike = {"id": "01a22a68-e138-7012-8049-138012345678", "text": "13800138000-8049"}
    assert mask_value(row) == row
    assert mask_value(alike) == {**alike, "text": "138****8000-8049"}
