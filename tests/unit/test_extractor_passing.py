"""Everyday news told in passing: who does it, who is meant in a home of two, and what is no ailment of the pet."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance
from memory.claims import Claim

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("p", "桃酥", "dog"),)
COUPLE = (PetProfile("p", "桃酥", "dog"), PetProfile("m", "麻花", "cat"))


def claims(text: str, pets: tuple[PetProfile, ...] = PETS) -> list[Claim]:
    return list(extract(Utterance(text, NOW, pets)).claims)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("桃酥就怕坐电梯，吹风机对着吹也不躲", "behavior:fear:吹风机"),
        ("桃酥又把水碗掀翻了", "behavior:destroying"),
        ("我婆婆昨天非喂它一块腊肠", "diet:pork"),
        ("桃酥两公斤八瘦得很", "weight"),
        ("桃酥早晚各走四十分钟", "activity:walk"),
        ("桃酥是我大学室友送的", "other:origin"),
        ("桃酥的狗证7月底到期", "other:living:papers"),
        ("下周桃酥住我同事小赵家", "schedule:boarding"),
    ],
)
def test_everyday_news_is_kept_in_its_own_slot(text: str, attribute: str) -> None:
    assert attribute in {claim.attribute for claim in claims(text)}


def test_tastes_strung_together_are_told_one_by_one() -> None:
    told = claims("桃酥不爱吃胡萝卜不爱吃苹果就爱吃肉")
    assert [claim.negated for claim in told] == [True, True, False]


def test_the_one_that_lets_nobody_in_is_the_subject() -> None:
    assert {claim.subject for claim in claims("麻花独居惯了不让桃酥进屋", COUPLE)} == {"m"}


@pytest.mark.parametrize(
    "text",
    [
        "我走不动就让我弟替",
        "桃酥都快神经衰弱了",
        "同学聚会喝多了，吐了一路",
        "我儿子过敏性鼻炎又犯了",
        "记一下桃酥的绝育证在第二个抽屉",
    ],
)
def test_peoples_legs_noses_and_papers_are_no_ailment_of_the_pet(text: str) -> None:
    assert not [claim for claim in claims(text) if claim.attribute.startswith(("symptom", "owner.allergy", "neutered"))]


def test_a_pet_that_lives_with_kin_has_not_moved_its_owner() -> None:
    told = claims("桃酥现在住我婆婆家")
    assert [(claim.subject, claim.attribute) for claim in told] == [("p", "other:living:home")]


def test_whom_a_pet_sleeps_apart_from_is_no_new_subject() -> None:
    assert {claim.subject for claim in claims("麻花在发情期，跟桃酥分房睡", COUPLE)} == {"m"}


def test_what_each_of_two_gets_is_told_of_both() -> None:
    assert {claim.subject for claim in claims("桃酥麻花的饭碗都换成不锈钢的了", COUPLE)} == {"p", "m"}


def test_do_not_forget_to_remind_me_is_no_order_to_forget() -> None:
    assert claims("明晚别忘了提醒我给桃酥断食")


@pytest.mark.parametrize("text", ["我一年给桃酥拍了三千张照片", "给桃酥拍了张证件照片"])
def test_photographs_are_no_pictures_of_a_clinic(text: str) -> None:
    assert not [claim for claim in claims(text) if claim.attribute.startswith(("visit", "diet"))]


def test_the_owner_and_the_pet_share_an_unpunctuated_line() -> None:
    told = claims("我下个月去广州出差一周桃酥放我妈家")
    assert [claim.subject for claim in told] == ["owner", "p"]


def test_two_fears_in_a_breath_are_two() -> None:
    told = {claim.attribute for claim in claims("桃酥怕打雷还怕吹风机")}
    assert told == {"behavior:fear:打雷", "behavior:fear:吹风机"}


def test_whoever_cannot_bear_a_pets_hair_is_no_pet() -> None:
    told = claims("报备一下我有哮喘，吸到狗皮屑就犯")
    assert not [claim for claim in told if claim.attribute.startswith("allergy")]


def test_fright_is_told_once() -> None:
    assert [claim.attribute for claim in claims("桃酥一听推子响就吓得拉了")] == ["behavior:fear:听推子响"]


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("桃酥没有鸡肉干就不动嘴", "diet:chicken"),
        ("桃酥晚饭应该是160克不是210", "diet.amount"),
        ("桃酥又把沙发挠了个洞", "behavior:destroying"),
    ],
)
def test_meals_and_furniture_keep_their_slot(text: str, attribute: str) -> None:
    assert [claim.attribute for claim in claims(text)] == [attribute]


def test_what_a_guest_fed_is_dated_by_the_clause_before() -> None:
    told = claims("昨晚我爸妈过来吃饭，趁我洗碗我爸给桃酥夹了块红烧肉")
    assert [claim.occurred_on for claim in told] == [(NOW - timedelta(days=1)).date()]


def test_other_pets_may_have_what_the_named_one_may_not() -> None:
    told = claims("虾仁我家别的毛孩子都能吃，就桃酥不成", COUPLE)
    assert "m" in {claim.subject for claim in told}


def test_the_rest_may_eat_what_one_may_not() -> None:
    told = claims("除了桃酥，家里的都能喝酸奶", COUPLE)
    assert {claim.subject for claim in told} == {"m"}


def test_who_looks_after_a_pet_is_told_with_the_number() -> None:
    told = claims("我下个月要出差九天，桃酥交给室友管，她电话10000004567")
    assert [claim.attribute for claim in told] == ["owner.timetable", "contact.emergency"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("桃酥一顿四十克麻花五十", "麻花五十（一顿）"),
        ("桃酥2月3号生的麻花是6月18", "麻花是6月18（生日）"),
        ("桃酥喝活水麻花喝碗里的死水", "麻花喝碗里的死水"),
    ],
)
def test_two_pets_told_of_in_the_same_way_are_each_understood(text: str, told: str) -> None:
    assert told in {claim.content for claim in claims(text, COUPLE)}


def test_no_medicine_or_sign_is_taken_over_to_the_other_pet() -> None:
    assert all(claim.subject == "p" for claim in claims("桃酥吃速诺半片麻花吃了没事", COUPLE))
