"""What two statements about a pet mean beside each other."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from domain.reading_results import result_in
from domain.statement_comparison import compare, said_of_claim, slot_of, times_a_day
from memory.claims import Claim, Evidence
from memory.slot_relations import Relation, Said, relate
from memory.vocabulary import Risk, SpeechAct
from tests.claims import claim_of

MAY, JUNE = date(2026, 5, 1), date(2026, 6, 1)


def said(
    attribute: str, value: dict[str, Any], on: date | None = None, content: str = "", negated: bool = False
) -> Said:
    claim = claim_of("pet", attribute, content or "一句话", value=value, occurred_on=on, negated=negated)
    return said_of_claim(claim, JUNE)


@pytest.mark.parametrize(
    ("words", "times"),
    [
        ("早晚各一片", 2),
        ("早中晚饭后", 3),
        ("一天四遍", 4),
        ("每天吃两次", 2),
        ("每8小时一次", 3),
        ("隔天一次", 0.5),
        ("睡前", 1),
        ("bid", 2),
        ("每周一次", None),
        ("每天", None),
        ("半片", None),
    ],
)
def test_a_rhythm_is_read_as_times_a_day(words: str, times: float | None) -> None:
    assert times_a_day(words) == times


@pytest.mark.parametrize(
    ("known", "new", "relation"),
    [
        ({"dose_text": "1.25mg", "frequency_text": "早晚"}, {"dose_text": "2.5mg"}, Relation.CONTRADICTS),
        ({"dose_text": "1.25mg", "frequency_text": "早晚"}, {"frequency_text": "一天两次"}, Relation.SAME),
        ({"dose_text": "半片", "frequency_text": "一天一次"}, {"frequency_text": "一天三次"}, Relation.CONTRADICTS),
        ({"dose_text": "一次半片"}, {"dose_text": "半片"}, Relation.SAME),
        ({"product": "拜有利"}, {"product": "恩诺沙星", "dose_text": "一片"}, Relation.SAME),
    ],
)
def test_doses_of_one_drug_are_compared_as_figures(
    known: dict[str, Any], new: dict[str, Any], relation: Relation
) -> None:
    slot = slot_of("medication:x")
    assert relate(said("medication:x", new), said("medication:x", known), slot, compare=compare) is relation


@pytest.mark.parametrize(
    ("known", "new", "relation"),
    [
        ("豆豆肌酐正常", "豆豆肌酐偏高", Relation.COMPATIBLE),
        ("豆豆血压有点高", "豆豆血压正常了", Relation.COMPATIBLE),
        ("豆豆体温40度", "豆豆体温降下来了", Relation.COMPATIBLE),
        ("豆豆细小阳性", "豆豆细小转阴了", Relation.COMPATIBLE),
        ("豆豆肌酐不高", "豆豆肌酐挺正常", Relation.SAME),
        ("豆豆肌酐偏高", "豆豆的肌酐有点高", Relation.SAME),
    ],
)
def test_a_reading_that_came_out_otherwise_is_another_one(known: str, new: str, relation: Relation) -> None:
    slot = slot_of("lab:肌酐")
    first, second = (said(slot.attribute, {"name": "肌酐"}, JUNE, words) for words in (known, new))
    assert relate(second, first, slot, compare=compare) is relation


def test_an_amount_of_the_same_unit_decides_before_doses_counted_otherwise() -> None:
    slot = slot_of("medication:insulin")
    known = said(slot.attribute, {"dose_text": "1单位"}, content="豆豆每天打2次甘精胰岛素，每次1单位")
    new = said(slot.attribute, {"dose_text": "一针"}, content="豆豆甘精胰岛素从今晚起一针打2个单位")
    assert relate(new, known, slot, compare=compare) is Relation.CONTRADICTS


@pytest.mark.parametrize(
    ("known", "new", "relation"),
    [
        ("2期", "3期", Relation.RAISES_DANGER),
        ("IRIS 3", "2期", Relation.CONTRADICTS),
        ("B1", "B2期", Relation.RAISES_DANGER),
        ("二期", "2期", Relation.SAME),
        ("早期", "晚期", Relation.RAISES_DANGER),
        (None, "2期", Relation.SAME),
        ("2期", None, Relation.SAME),
    ],
)
def test_a_worse_stage_raises_the_danger_and_a_better_one_contradicts(
    known: str | None, new: str | None, relation: Relation
) -> None:
    slot = slot_of("condition:ckd")
    before, after = said("condition:ckd", {"stage": known}), said("condition:ckd", {"stage": new})
    assert relate(after, before, slot, compare=compare) is relation


@pytest.mark.parametrize(
    ("known", "new", "relation"),
    [
        ((25.0, "斤", JUNE), (12.5, "kg", JUNE), Relation.SAME),
        ((12.5, "kg", MAY), (12.5, "kg", JUNE), Relation.COMPATIBLE),
        ((12.5, "kg", JUNE), (12.7, "kg", JUNE), Relation.COMPATIBLE),
        ((800.0, "g", JUNE), (0.8, "kg", None), Relation.SAME),
    ],
)
def test_weights_are_compared_in_kilograms_on_their_day(
    known: tuple[float, str, date], new: tuple[float, str, date | None], relation: Relation
) -> None:
    before, after = (said("weight", {"number": number, "unit": unit}, on) for number, unit, on in (known, new))
    assert relate(after, before, slot_of("weight"), compare=compare) is relation


def test_another_figure_for_a_recorded_weight_is_high_risk_and_a_new_weight_is_not() -> None:
    slot = slot_of("weight")
    assert (slot.risk, slot.risk_of_change) == (Risk.LOW, Risk.HIGH)


@pytest.mark.parametrize(
    ("attribute", "known", "new", "relation"),
    [
        ("vaccine:rabies", MAY, MAY, Relation.SAME),
        ("vaccine:rabies", MAY, JUNE, Relation.COMPATIBLE),
        ("deworming:x", MAY, MAY, Relation.SAME),
        ("symptom:cough", JUNE, None, Relation.SAME),
        ("symptom:cough", MAY, None, Relation.COMPATIBLE),
    ],
)
def test_a_happening_is_told_again_only_of_the_same_day(
    attribute: str, known: date, new: date | None, relation: Relation
) -> None:
    slot = slot_of(attribute)
    assert relate(said(attribute, {}, new), said(attribute, {}, known), slot, compare=compare) is relation


@pytest.mark.parametrize(
    ("attribute", "known", "new", "relation"),
    [
        ("behavior:walk", "煤球每天傍晚散步", "煤球散步改到早上了", Relation.CONTRADICTS),
        ("behavior:walk", "煤球每天傍晚散步", "煤球周末去河边散步", Relation.NARROWS),
        ("behavior:walk", "煤球每天傍晚散步", "煤球还是傍晚散步", Relation.SAME),
        ("schedule:bath", "煤球5日洗澡", "洗澡推迟到8日", Relation.CONTRADICTS),
        ("schedule:bath", "煤球5日洗澡", "煤球洗澡要带毛巾", Relation.COMPATIBLE),
    ],
)
def test_a_habit_is_changed_limited_or_confirmed_by_the_words(
    attribute: str, known: str, new: str, relation: Relation
) -> None:
    slot = slot_of(attribute)
    before, after = said(attribute, {}, content=known), said(attribute, {}, content=new)
    assert relate(after, before, slot, compare=compare) is relation


@pytest.mark.parametrize(
    ("known", "new", "relation"),
    [
        ("皇家室内成猫粮", "皇家", Relation.SAME),
        ("皇家", "渴望", Relation.CONTRADICTS),
    ],
)
def test_a_shorter_name_of_the_staple_food_is_the_same_food(known: str, new: str, relation: Relation) -> None:
    slot = slot_of("diet.staple_food")
    before, after = (said("diet.staple_food", {"food": food}) for food in (known, new))
    assert relate(after, before, slot, compare=compare) is relation


@pytest.mark.parametrize("attribute", ["diet.prescription", "neutered", "behavior:fear:雷"])
def test_what_holds_or_does_not_is_contradicted_by_its_denial(attribute: str) -> None:
    slot = slot_of(attribute)
    held = said(attribute, {"food": "低敏处方粮"})
    assert relate(said(attribute, {"food": "粮"}, negated=True), held, slot, compare=compare) is Relation.CONTRADICTS


def test_the_words_of_an_allergen_never_make_two_statements_differ() -> None:
    slot = slot_of("allergy:chicken")
    known, new = (
        said("allergy:chicken", {"substance_name": "鸡肉"}),
        said("allergy:chicken", {"substance_name": "鸡胸"}),
    )
    assert relate(new, known, slot, compare=compare) is Relation.SAME


def test_a_correction_without_a_day_has_none() -> None:
    wrong: Claim = claim_of("pet", "weight", "是3kg", value={"number": 3}, act=SpeechAct.CORRECTION)
    assert said_of_claim(wrong, JUNE).occurred_on is None
    assert isinstance(wrong.evidence, Evidence)


@pytest.mark.parametrize(
    ("known", "new", "relation"),
    [
        ("芋圆舔了洁厕灵", "芋圆舔了水仙花粉", Relation.COMPATIBLE),
        ("芋圆误食了布洛芬", "芋圆偷吃了巧克力", Relation.COMPATIBLE),
        ("芋圆舔了洁厕灵", "芋圆舔了一口洁厕灵", Relation.SAME),
        ("芋圆舔了洁厕灵", "芋圆又舔了一口洁厕灵", Relation.COMPATIBLE),
        ("芋圆误食了东西", "芋圆误食了洋葱", Relation.SAME),
    ],
)
def test_two_poisons_of_one_day_are_two_happenings(known: str, new: str, relation: Relation) -> None:
    one, other = (said("symptom:ate_wrong", {"name": "误食"}, JUNE, words) for words in (known, new))
    assert compare(slot_of("symptom:ate_wrong"), one, other) is relation


@pytest.mark.parametrize(
    ("words", "on", "relation"),
    [
        ("煤球没打过狂犬", None, Relation.CONTRADICTS),
        ("煤球从来没打狂犬", None, Relation.CONTRADICTS),
        ("煤球狂犬不是5月1日打的", MAY, Relation.CONTRADICTS),
        ("煤球6月没打狂犬", JUNE, None),
        ("煤球今年还没打狂犬", None, None),
        ("煤球狂犬加强针没打", None, None),
    ],
)
def test_a_denied_shot_contradicts_the_one_on_record(words: str, on: date | None, relation: Relation | None) -> None:
    known = said("vaccine:rabies", {"product": "狂犬"}, MAY, "煤球打了狂犬")
    assert compare(slot_of("vaccine:rabies"), known, said("vaccine:rabies", {}, on, words, True)) is relation


@pytest.mark.parametrize(("number", "unit", "relation"), [(24, "斤", Relation.CONTRADICTS), (11, "kg", None)])
def test_a_denied_weight_contradicts_that_figure_alone(number: int, unit: str, relation: Relation | None) -> None:
    known = said("weight", {"number": 12, "unit": "kg"}, MAY)
    denied = said("weight", {"number": number, "unit": unit}, JUNE, negated=True)
    assert compare(slot_of("weight"), known, denied) is relation


@pytest.mark.parametrize("words", ["栗子粮没换", "栗子主粮没变", "栗子没换粮"])
def test_a_food_without_a_name_is_the_one_on_record(words: str) -> None:
    slot, food = slot_of("diet.staple_food"), words[2:].replace("没换", "").replace("没变", "")
    known = said(slot.attribute, {"food": "爱肯拿"}, content="栗子换成了爱肯拿")
    assert relate(said(slot.attribute, {"food": food}, content=words), known, slot, compare=compare) is Relation.SAME


def test_two_remarks_have_nothing_in_common() -> None:
    slot = slot_of("other:remark")
    known = said(slot.attribute, {"text": "家里开了加湿器"}, content="栗子家里开了加湿器")
    new = said(slot.attribute, {"text": "从昨晚起一直放音乐"}, content="栗子从昨晚起一直放音乐")
    assert relate(new, known, slot, compare=compare) is Relation.COMPATIBLE


@pytest.mark.parametrize(("words", "relation"), [("第三针搞定", Relation.COMPATIBLE), ("打完了", Relation.SAME)])
def test_the_next_of_a_series_is_another_shot(words: str, relation: Relation) -> None:
    slot = slot_of("vaccine:猫三联")
    known = said(slot.attribute, {"product": "猫三联"}, on=MAY.replace(day=28), content="栗子打了猫三联第二针")
    claim = claim_of("pet", slot.attribute, f"栗子{words}", value={"product": "猫三联"})
    new = said_of_claim(claim, JUNE, datetime(2026, 6, 1, 9, tzinfo=UTC))
    assert relate(new, known, slot, compare=compare) is relation


@pytest.mark.parametrize(
    ("words", "result"),
    [
        ("豆豆肝指标没有异常", "normal"),
        ("豆豆肾指标没有问题", "normal"),
        ("豆豆肾值没啥问题", "normal"),
        ("豆豆肌酐不高", "normal"),
        ("豆豆血压没高", "normal"),
        ("豆豆血糖不稳定", "abnormal"),
        ("豆豆抗体不合格", "abnormal"),
        ("豆豆肝指标不太正常", "abnormal"),
        ("豆豆肝指标有点问题", "abnormal"),
        ("豆豆血压正常偏高", "high"),
        ("豆豆肌酐有点高", "high"),
        ("豆豆红细胞偏低", "low"),
        ("豆豆细小转阴了", "negative"),
        ("豆豆弓形虫弱阳", "positive"),
        ("豆豆体温降下来了", "falling"),
        ("豆豆肌酐180", None),
    ],
)
def test_how_a_reading_came_out_is_read_with_its_denial(words: str, result: str | None) -> None:
    assert result_in(words) == result
