"""A model's clauses against single sources: true words in untrue sentences are seen through."""

import pytest

from domain.grounded_clauses import Said, grave_words_stand, same_matters, stands_on

NAMES = ("豆豆", "咪咪")
SOURCES = (
    Said("豆豆对鸡肉过敏"),
    Said("豆豆爱吃牛肉冻干"),
    Said("豆豆不能再吃三文鱼了"),
    Said("豆豆早上吃80克粮，晚上吃50克"),
    Said("豆豆今天洗澡了", "2026年3月2日"),
    Said("豆豆今天洗澡了", "2026年4月5日"),
    Said("豆豆今天剪指甲了", "2026年4月6日"),
    Said("豆豆好像怕打雷"),
    Said("豆豆左后腿有点瘸"),
    Said("豆豆追着咪咪跑"),
)


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("豆豆对鸡肉过敏；爱吃牛肉冻干；不能再吃三文鱼", True),
        ("豆豆2026年3月2日、4月5日都洗澡了，4月6日剪指甲", True),
        ("早上吃80克粮，晚上吃50克", True),
        ("豆豆好像怕打雷，左后腿有点瘸", True),
        ("豆豆", True),
        ("豆豆对牛肉过敏", False),  # two sources in one
        ("豆豆对鸡肉和牛肉过敏", False),
        ("豆豆吃三文鱼", False),  # the denial is lost
        ("早上吃50克，晚上吃80克", False),
        ("早上吃80克，晚上吃50毫克", False),
        ("豆豆3月5日洗澡了", False),  # a month and a day that never met
        ("豆豆4月6日洗澡了", False),
        ("豆豆2025年3月2日洗澡了", False),
        ("豆豆怕打雷", False),  # the doubt is lost
        ("豆豆右后腿有点瘸", False),
        ("豆豆怕打雷和猫", False),
        ("豆豆跑着追", False),  # the words in another order
        ("豆豆住院了", False),
        ("豆豆吃S100益生菌", False),
    ],
)
def test_every_clause_is_one_sources_words(text: str, stands: bool) -> None:
    assert stands_on(text, SOURCES, NAMES) is stands


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("豆豆爱吃鸡肉冻干", "豆豆特别爱吃鸡肉冻干", True),
        ("豆豆爱吃鸡肉冻干", "豆豆爱吃鸭肉冻干", False),
        ("豆豆怕打雷", "豆豆怕吸尘器", True),
    ],
)
def test_lines_about_other_foods_or_drugs_have_other_matters(one: str, other: str, same: bool) -> None:
    assert same_matters(one, other, NAMES) is same


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("想知道豆豆能不能吃牛肉冻干，对鸡肉过敏", True),
        ("说了豆豆对鸡肉过敏", True),
        ("豆豆对牛肉过敏", False),
        ("豆豆查出过敏", False),
        ("豆豆做了手术", False),
    ],
)
def test_grave_words_stand_where_one_clause_says_them(text: str, stands: bool) -> None:
    assert grave_words_stand(text, ["豆豆对鸡肉过敏，爱吃牛肉冻干"], NAMES) is stands
