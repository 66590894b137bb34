"""A model's text against its sources: new matters, other pets, denials turned round."""

import pytest

from domain.grounded_words import brings_nothing_new

SOURCES = ("豆豆对鸡肉过敏", "豆豆不吃牛肉", "豆豆吐了两次", "豆豆怕打雷")


@pytest.mark.parametrize(
    ("text", "is_grounded"),
    [
        ("豆豆对鸡肉过敏，怕打雷", True),
        ("豆豆怕打雷，吐了两次，不吃牛肉", True),
        ("豆豆怕不怕打雷", True),
        ("豆豆对鸡肉过敏，吃了阿莫西林", False),
        ("豆豆对鸡肉和三文鱼过敏", False),
        ("咪咪对鸡肉过敏", False),
        ("豆豆吃牛肉", False),
        ("豆豆不怕打雷", False),
        ("豆豆没有过敏", False),
    ],
)
def test_nothing_comes_in_that_the_sources_lack(text: str, is_grounded: bool) -> None:
    assert brings_nothing_new(text, SOURCES, ("豆豆", "咪咪")) is is_grounded
