"""What is told beside a known danger is held back as a doubt about it, unless it surely leaves the danger as it is."""

from datetime import date, datetime

import pytest

from domain.attributes import spec_of
from domain.near_dangers import held_back
from domain.offline.extractor import extract
from domain.pet_profiles import KnownFact, PetProfile, Utterance
from memory.claims import Claim, Evidence
from memory.items import MemoryItem
from memory.vocabulary import MemoryStatus, SpeechAct
from tests.claims import claim_of

NOW = datetime.fromisoformat("2026-06-20T10:00:00+08:00")
DOG = PetProfile("dog", "栗子", "dog")
CHICKEN = KnownFact("dog", "allergy:chicken", "栗子对鸡肉过敏，吃了起红疹")
KIDNEY = KnownFact("dog", "condition:ckd", "栗子慢性肾病IRIS 2期")
PILL = KnownFact("dog", "medication:pimobendan", "栗子每天早晚各吃1.25mg匹莫苯丹")
FOOD = KnownFact("dog", "diet.prescription", "栗子医生要求只吃肾脏处方粮")
NEUTERED = KnownFact("dog", "neutered", "栗子已绝育")
RABIES = KnownFact("dog", "vaccine:狂犬疫苗", "栗子2026年3月4日打了狂犬疫苗")
WEIGHT = KnownFact("dog", "weight", "栗子体重8.2kg")


def row_of(fact: KnownFact, **more: object) -> MemoryItem:
    spec = spec_of(fact.attribute)
    known: dict[str, object] = {"subject": fact.subject, "attribute": fact.attribute, "content": fact.content}
    known |= {"attribute_class": spec.attribute_class.value, "topic": spec.topic.value, "risk": spec.risk.value}
    return MemoryItem(household_id="home", owner_id="owner", **{**known, **more})


def heard(fact: KnownFact, text: str) -> list[Claim]:
    """What is written of a message, in a home that knows one fact."""
    claims = extract(Utterance(text=text, now=NOW, pets=(DOG,), known=[fact])).claims
    return held_back(claims, [row_of(fact)], {"dog": ("栗子",)})


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        *((CHICKEN, text) for text in ("鸡肉可以重新上桌了", "给栗子把鸡肉加回食谱了", "栗子又开始吃鸡肉粮了")),
        *((CHICKEN, text) for text in ("这周起栗子的主粮换成鸡肉味的", "栗子晚饭是水煮鸡胸", "栗子鸡肉照吃不误")),
        *((CHICKEN, text) for text in ("鸡肉这个限制医生给取消了", "邻居给的鸡肉干栗子吃了一个月，毛亮得很")),
        *((CHICKEN, text) for text in ("栗子皮肤科复查说鸡肉可以逐步引入", "鸡肉不再是栗子的禁忌")),
        *((KIDNEY, text) for text in ("医生说栗子可以不用管肾了", "医生说栗子肾功能和正常猫一样")),
        *((PILL, text) for text in ("药收起来了", "药扔了", "栗子告别药罐子了", "药加了半颗")),
        *((PILL, text) for text in ("栗子上个月起就没吃了", "药用不上了")),
        *((FOOD, text) for text in ("栗子现在吃皇家成犬粮", "栗子吃猫条了", "栗子可以吃了", "肾粮不吃了")),
        *((FOOD, text) for text in ("栗子现在什么都吃", "处方粮告一段落")),
        *((RABIES, text) for text in ("狂犬失效了", "狂犬不用每年打", "给狂犬日期往后挪十天")),
        (WEIGHT, "体重写错了"),
    ],
)
def test_new_words_beside_a_danger_are_a_doubt_about_it_and_no_line_of_their_own(fact: KnownFact, text: str) -> None:
    claims = [claim for claim in heard(fact, text) if not claim.attribute.startswith("symptom")]
    assert claims
    assert {(claim.attribute, claim.negated) for claim in claims} == {(fact.attribute, True)}


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        *((CHICKEN, text) for text in ("给栗子换了不含鸡肉的粮", "栗子馋鸡腿馋得直叫", "栗子闻到炸鸡就往桌上扑")),
        *((CHICKEN, text) for text in ("栗子现在吃鸭肉配方", "栗子鸡肉罐头我都送人了", "栗子吃了火鸡肉也痒")),
        *((KIDNEY, text) for text in ("栗子肌酐这次178", "栗子肾指标稳定", "今天量血压138，正常啦")),
        *((PILL, text) for text in ("栗子今天药吃得很乖", "栗子吃药要用肉丸子裹着", "栗子早上的药晚喂了一小时")),
        *((PILL, text) for text in ("出门给栗子带上药了", "栗子现在听到药瓶响就躲", "药忘带了，明早补")),
        *((FOOD, text) for text in ("栗子现在一天分四顿吃", "栗子胃口好多了", "栗子喝水比以前多")),
        (NEUTERED, "栗子绝育完性格温顺多了"),
        *((RABIES, text) for text in ("狂犬证办好了", "打狂犬那天栗子很乖", "狂犬又打了一针")),
    ],
)
def test_signs_doses_supplies_and_what_keeps_the_danger_away_stay_news(fact: KnownFact, text: str) -> None:
    claims = heard(fact, text)
    assert claims
    assert not any(claim.attribute == fact.attribute and claim.negated for claim in claims)


@pytest.mark.parametrize(
    "text", ["栗子一顿32克，一天喂三顿", "栗子木屑也别用了换厕纸", "栗子一见保安就炸毛钻床底，喊半天都不出来"]
)
def test_meals_the_home_and_conduct_are_no_change_of_a_drug(text: str) -> None:
    assert PILL.attribute not in {claim.attribute for claim in heard(PILL, text)}


def test_lines_that_share_only_the_day_and_the_clinic_share_no_danger() -> None:
    told = KnownFact("dog", "condition:conjunctivitis", "栗子今天去医院看了结膜炎")
    assert [claim.attribute for claim in heard(told, "栗子今天剃毛了")] == ["grooming:trim"]


def test_a_permission_is_the_owners_word_and_all_else_a_hint() -> None:
    (allowed,) = heard(CHICKEN, "栗子皮肤科复查说鸡肉可以吃")
    (told,) = heard(CHICKEN, "栗子晚饭是水煮鸡胸")
    assert (allowed.act, told.act) == (SpeechAct.STATEMENT, SpeechAct.OBSERVATION)


def test_a_pet_that_is_called_like_a_food_does_not_eat_itself() -> None:
    dog = PetProfile("dog", "鸡腿", "dog")
    line = claim_of("dog", "other:散步", "鸡腿散步去了")
    row = row_of(CHICKEN)
    assert held_back([line], [row], {dog.id: (dog.name,)}) == [line]


@pytest.mark.parametrize("more", [{"status": MemoryStatus.SUPERSEDED.value}, {"negated": True}, {"subject": "cat"}])
def test_what_is_over_denied_or_another_pets_holds_nothing_back(more: dict[str, object]) -> None:
    line = claim_of("dog", "diet:chicken", "栗子晚饭是水煮鸡胸", occurred_on=date(2026, 6, 20))
    assert held_back([line], [row_of(CHICKEN, **more)], {"dog": ("栗子",)}) == [line]


def test_an_ending_is_about_the_drug_that_another_clause_names() -> None:
    line = claim_of("dog", "other:remark", "栗子这个月起都停了", evidence=Evidence("这个月起都停了", 0, 7))
    (claim,) = held_back([line], [row_of(PILL)], {"dog": ("栗子",)}, "匹莫苯丹太贵了，这个月起都停了")
    assert (claim.attribute, claim.negated) == (PILL.attribute, True)
    assert held_back([line], [row_of(PILL)], {"dog": ("栗子",)}, "游泳课太贵了，这个月起都停了") == [line]


@pytest.mark.parametrize(
    "text", ["老伴说狂犬是五月份打的", "狂犬到底是3月还是5月打的，老头子说五月", "闺女讲狂犬疫苗是4月2号打的"]
)
def test_another_day_of_a_known_shot_by_hearsay_is_a_doubt_and_no_second_shot(text: str) -> None:
    shots = [claim for claim in heard(RABIES, text) if claim.attribute.startswith("vaccine")]
    assert [(shot.negated, shot.occurred_on) for shot in shots] == [(True, None)]


@pytest.mark.parametrize(
    "text", ["狂犬是3月7号打的，我上次说错一天", "刚翻了本子，狂犬是3月7号打的，我之前给你说成8号了"]
)
def test_a_slip_of_the_owner_is_no_hearsay(text: str) -> None:
    (shot,) = [claim for claim in heard(RABIES, text) if claim.attribute.startswith("vaccine")]
    assert not shot.negated
    assert shot.occurred_on is not None


def test_a_shot_that_somebody_of_the_family_saw_given_is_a_shot() -> None:
    assert not heard(RABIES, "老伴带它打的狂犬，今天打的")[0].negated


@pytest.mark.parametrize("text", ["栗子的耳朵好了", "栗子耳朵全好啦", "耳朵已经好了", "栗子耳朵好得很"])
def test_the_part_that_is_treated_gets_well_without_a_word_of_the_drops(text: str) -> None:
    drops = KnownFact("dog", "medication:耳肤灵", "栗子在用耳肤灵滴耳朵")
    assert not any(claim.attribute == drops.attribute for claim in heard(drops, text))
