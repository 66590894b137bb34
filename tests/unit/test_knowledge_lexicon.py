"""What a text names is found: the longest word, whole words in Latin, no look-alikes, offsets of the owner's text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.knowledge import lexicon
from domain.knowledge.lexicon import Index, find_entities, find_food_groups, load_index
from memory.text_folding import fold_text
from tests.steps import steps_of

NAMED = [
    ("它对雞胸肉凍乾過敏", {("allergen", "chicken")}),
    ("ＣＨＩＣＫＥＮ配方", {("allergen", "chicken")}),
    ("洋葱汤", {("toxin", "onion")}),
    ("撒了点葱", {("toxin", "leek_chives")}),
    ("喂了牛奶巧克力", {("allergen", "dairy"), ("toxin", "chocolate")}),
    ("医生开了速诺", {("allergen", "penicillins"), ("drug", "amoxiclav"), ("drug", "速诺")}),
    ("刚滴了大宠爱", {("allergen", "antiparasitic_reaction"), ("dewormer", "大宠爱")}),
    ("查出慢性肾病", {("condition", "ckd")}),
    ("昨天窜稀了", {("symptom", "diarrhea"), ("red_flag", "diarrhea")}),
    ("吃了超可信", {("allergen", "antiparasitic_reaction"), ("dewormer", "超可信")}),
    ("两只小鸡腿", {("allergen", "chicken")}),
    ("吃的是希尔斯k/d", {("diet", "renal")}),
]


@pytest.mark.parametrize(("text", "expected"), NAMED)
def test_the_thing_is_found(text: str, expected: set[tuple[str, str]]) -> None:
    assert expected <= {(match.kind, match.entity_id) for match in find_entities(text)}


@pytest.mark.parametrize(
    "text",
    [
        "鸡皮疙瘩都起来了",
        "巧克力色的拉布拉多",
        "这个牌子超可信的",
        "veggie unicorn",
        "葡萄糖",
        "奶凶奶凶的",
        "薰衣草味的猫砂",
        "体重84斤",
        "一只奶牛猫",
        "牛油果绿的衣服",
    ],
)
def test_a_look_alike_is_not_found(text: str) -> None:
    assert [match for match in find_entities(text) if match.kind in {"allergen", "toxin", "drug", "dewormer"}] == []


def test_the_span_is_a_piece_of_the_owners_text() -> None:
    for match in find_entities("豆豆對雞肉過敏，吃了ＣＨＩＣＫＥＮ就吐"):
        assert match.surface == "豆豆對雞肉過敏，吃了ＣＨＩＣＫＥＮ就吐"[match.start : match.end]


def test_a_pet_called_like_a_food_is_not_the_food() -> None:
    assert find_entities("可乐今天很乖", pet_names=["可乐"]) == ()
    assert [match.start for match in find_entities("可乐偷吃了可乐", pet_names=["可乐"])] == [5]


def test_foods_belong_to_the_groups_that_conditions_avoid() -> None:
    groups = {match.entity_id for match in find_food_groups("喂点五花肉")}
    assert groups == {"high_fat", "gut_irritant", "calories"}


def test_the_longest_word_of_a_family_wins_and_families_do_not_compete() -> None:
    found = {(match.kind, match.surface) for match in find_entities("牛奶巧克力")}
    assert found == {("allergen", "牛奶"), ("toxin", "牛奶巧克力")}


def test_the_index_is_built_by_a_few_steps_an_entry() -> None:
    load_index()
    entries = list(lexicon._all_entries())
    assert steps_of(lambda: Index(lexicon._all_entries(), frozenset())) < 40 * len(entries)  # it takes 19


@given(st.text(max_size=60))
def test_folding_keeps_every_offset(text: str) -> None:
    assert len(fold_text(text)) == len(text)


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold_text(fold_text(text)) == fold_text(text)


@pytest.mark.parametrize(
    ("text", "folded"), [("雞肉ＡＢｃ", "鸡肉abc"), ("①㎏ﬁ", "1㎏ﬁ"), ("乾糧", "干粮"), ("　", " "), ("A", "a")]
)
def test_width_case_and_script_are_folded(text: str, folded: str) -> None:
    assert fold_text(text) == folded
