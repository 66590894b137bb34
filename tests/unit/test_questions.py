"""What a question asks for, by its wording."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from domain.knowledge.errors import KnowledgeError
from domain.knowledge.question_cues import load_question_cues, read_question_cues
from domain.knowledge.sheets import Sheet
from domain.knowledge.synonyms import load_synonyms, other_words, read_synonym_sheet
from domain.questions import read_question, search_words

NOW = datetime(2026, 6, 3, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize(
    ("text", "attribute_class"),
    [
        ("橙子现在多重", "weight"),
        ("这阵子轻了没", "weight"),
        ("狂犬打过了吧", "vaccine"),
        ("上回外驱是啥时候", "deworming"),
        ("几号驱的虫", "deworming"),
        ("驱过虫没", "deworming"),
        ("哪天打的疫苗", "vaccine"),
        ("他俩谁重", "weight"),
        ("各多少斤", "weight"),
        ("眼膏一天几次", "medication"),
        ("草莓能给它尝尝么", "allergy"),
        ("哪种罐头不能碰", "allergy"),
        ("化验出来怎么样", "visit"),
        ("半夜又吐了吗", "symptom"),
        ("一天几顿", "diet_preference"),
        ("听见门铃会躲吗", "behavior"),
        ("多久梳毛一次", "grooming"),
        ("每天遛多久", "activity"),
        ("复诊约在几号", "schedule"),
        ("接种的医生周几在", "contact"),
    ],
)
def test_the_wording_tells_what_kind_of_answer_is_asked_for(text: str, attribute_class: str) -> None:
    assert attribute_class in read_question(text, NOW).wanted.classes


@pytest.mark.parametrize("text", ["打晃那回是怎么缓过来的", "打架那次为什么", "换的那个叫什么"])
def test_how_and_what_ask_for_no_permission(text: str) -> None:
    assert "allergy" not in read_question(text, NOW).wanted.classes


def test_small_talk_asks_for_nothing_that_memory_keeps() -> None:
    assert read_question("今天好累", NOW).wanted.classes == {}


@pytest.mark.parametrize(
    ("text", "across"),
    [
        ("昨晚是谁吐的", True),
        ("哪只没打针", True),
        ("哪个最胖", True),
        ("哪条腿瘸", False),
        ("走哪个门", False),
        ("打哪个电话", False),
        ("哪天复查", False),
    ],
)
def test_which_one_looks_across_the_pets(text: str, across: bool) -> None:
    assert read_question(text, NOW).looks_across is across


def test_a_time_in_the_question_becomes_a_period() -> None:
    wanted = read_question("上个月吐过几次", NOW).wanted
    assert wanted.period == (date(2026, 5, 1), date(2026, 5, 31))


def test_a_change_asks_for_a_trend_and_a_list_for_many() -> None:
    assert read_question("瘦下来没有", NOW).wanted.trend
    assert not read_question("现在几斤", NOW).wanted.trend
    assert read_question("要注意些什么", NOW).wanted.many
    assert read_question("吃的什么药，一天几次", NOW).wanted.many
    assert not read_question("几号洗牙", NOW).wanted.many


def test_synonyms_are_searched_at_lower_weight_than_the_owners_own_words() -> None:
    words = search_words("小妞哪天挨刀")
    assert words["挨刀"] == 1.0
    assert 0 < words["绝育"] < 1.0


def test_words_that_say_nothing_are_not_searched() -> None:
    assert "的" not in search_words("它的药呢")
    assert "药" in search_words("它的药呢")


def test_a_synonym_group_names_at_least_two_different_words() -> None:
    assert all(len(set(group)) >= 2 for group in load_synonyms())
    assert "挨刀" not in other_words("哪天挨刀")


def test_a_broken_synonym_sheet_names_its_line() -> None:
    with pytest.raises(KnowledgeError, match=r"synonyms.yaml:3: groups.1"):
        Sheet("synonyms.yaml", "groups:\n- [a, b]\n- [c]\n").read(read_synonym_sheet)


def test_a_broken_pattern_names_its_sheet() -> None:
    broken = "intents: []\ntrend: {patterns: ['(']}\nwhich_one: [谁]\npast: [上次]\nasks: [吗]\nmany: [都]\n"
    with pytest.raises(KnowledgeError, match=r"question_cues.yaml:2"):
        Sheet("question_cues.yaml", broken).read(read_question_cues)


def test_every_intent_names_archives() -> None:
    assert all(intent.topics for intent in load_question_cues().intents)


@pytest.mark.parametrize(
    ("text", "known"), [("它还好吗", True), ("汤圆还好吗", True), ("那只怎么了", True), ("股票还好吗", False)]
)
def test_a_question_may_point_at_somebody_of_the_household(text: str, known: bool) -> None:
    assert read_question(text, NOW, ["汤圆"]).wanted.known_subject is known


@pytest.mark.parametrize(
    ("text", "attribute_class"),
    [
        ("抹面包的黄油舔两口", "symptom"),  # 包 in bread
        ("下次抽血安排了吗", "symptom"),
        ("耳朵那毛病好了没", "grooming"),
        ("嘴唇长好没", "weight"),
        ("那个油叫什么", "behavior"),
        ("哪怕一口也行", "behavior"),
        ("拆线拆了没", "behavior"),
    ],
)
def test_a_character_inside_another_word_asks_for_nothing(text: str, attribute_class: str) -> None:
    assert attribute_class not in read_question(text, NOW).wanted.classes


@pytest.mark.parametrize(
    ("text", "attribute_class"),
    [
        ("能分一口燕麦粥吗", "allergy"),
        ("舔两口要紧不", "allergy"),
        ("买这款罐头合适吗", "allergy"),
        ("控粮那么久掉秤见效没", "weight"),
        ("滴背是几号", "deworming"),
        ("该打哪针了", "vaccine"),
        ("眼睛点的啥", "medication"),
        ("超过多少钱要问我", "preference"),
    ],
)
def test_owners_ask_for_the_same_in_many_words(text: str, attribute_class: str) -> None:
    assert attribute_class in read_question(text, NOW).wanted.classes


def test_a_word_that_points_at_a_pet_hardly_counts_in_the_search() -> None:
    words = search_words("老大腿不利索")
    assert words["老大"] < words["利索"]
