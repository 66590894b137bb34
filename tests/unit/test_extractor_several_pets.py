"""Several pets in one message: what holds for all of them, what differs, and who is meant by a role or a colour."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance
from memory.claims import Claim

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
BIG = PetProfile("big", "大麦", "dog", breed="阿拉斯加", sex="male")
SMALL = PetProfile("small", "小米粒", "dog", breed="吉娃娃", sex="male")
CAT = PetProfile("cat", "芸豆", "cat", breed="暹罗", sex="female")
DOGS = (BIG, SMALL)
MIXED = (BIG, CAT)
ELDER = PetProfile("elder", "石榴", "cat", sex="male")
ONE = PetProfile("one", "莲子", "cat", sex="female")
OTHER = PetProfile("other", "芡实", "cat", sex="female")
THREE = (ELDER, ONE, OTHER)


def claims(text: str, pets: tuple[PetProfile, ...], history: str = "") -> tuple[Claim, ...]:
    said = (SaidBefore("user", history),) if history else ()
    return extract(Utterance(text, NOW, pets, history=said)).claims


def told(text: str, pets: tuple[PetProfile, ...], history: str = "") -> set[tuple[str | None, str]]:
    return {(claim.subject, claim.attribute.partition(":")[0]) for claim in claims(text, pets, history)}


@pytest.mark.parametrize(
    ("text", "pets"),
    [
        ("俩小子今儿一块打了狂犬", DOGS),
        ("晚上给这对活宝打了狂犬", DOGS),
        ("上周带一猫一狗去打了狂犬", MIXED),
        ("今天上午两只一起打的狂犬", DOGS),
        ("周末猫狗俩都打了狂犬", MIXED),
    ],
)
def test_what_both_got_is_told_of_each(text: str, pets: tuple[PetProfile, ...]) -> None:
    assert told(text, pets) == {(pet.id, "vaccine") for pet in pets}


@pytest.mark.parametrize(
    "text",
    [
        "大麦小米粒今天一起打了狂犬，用的都是瑞比克",
        "俩都滴了外驱，大宠爱那款",
        "给它俩把内驱都喂了，一狗一粒米尔贝肟",
        "大麦和小米粒八联都打完了（3.2、3.23各一针）",
    ],
)
def test_the_kind_or_the_days_of_what_both_got_are_no_second_statement(text: str) -> None:
    made = claims(text, DOGS)
    assert sorted(claim.subject or "" for claim in made) == ["big", "small"]


@pytest.mark.parametrize(
    "text",
    [
        "两兄弟同一天来的家，22年11月3号，小米粒有脐疝",
        "它俩都是22年11月3号从救助站领的，小米粒有脐疝",
        "俩是22年11月3号接回来的，小米粒有脐疝",
    ],
)
def test_the_day_both_came_home_is_told_of_each_and_is_no_day_of_an_illness(text: str) -> None:
    made = {(claim.subject, claim.attribute): claim.occurred_on for claim in claims(text, DOGS)}
    assert {key for key, day in made.items() if day} == {("big", "other:origin"), ("small", "other:origin")}
    assert ("small", "condition:hernia") in made


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("大麦12公斤，小米粒才3公斤，现在都是错开喂", {"big", "small"}),
        ("每顿都得一个关厨房一个关阳台吃", {"big", "small"}),
        ("晚上我都把小米粒关卧室睡", {"small"}),
        ("我就在阳台给小米粒另放了个食盆", {"small"}),
        ("大麦老抢小米粒的饭，如今吃饭我都隔着门放", {"big", "small"}),
        ("大麦抢饭，只好分盆喂了", {"big", "small"}),
    ],
)
def test_pets_kept_apart_are_a_way_of_living(text: str, who: set[str]) -> None:
    apart = {claim.subject for claim in claims(text, DOGS) if claim.attribute == "other:living:apart"}
    assert apart == who


@pytest.mark.parametrize(
    "text",
    [
        "只能让小米粒先去我哥那住两周",
        "小米粒托给朋友带几天了",
        "后天起小米粒搬去我表妹家待到月底",
        "明天让我闺女把小米粒接走住十来天",
        "我把小米粒弄我爸那去了",
        "小米粒被我爸牵回老家了",
    ],
)
def test_a_pet_that_lives_with_others_for_a_while_is_a_plan(text: str) -> None:
    assert told(text, DOGS) == {("small", "schedule")}


@pytest.mark.parametrize(
    ("text", "history", "who"),
    [
        ("老爷子今天吐了两次", "石榴最大我们叫它老爷子", {"elder"}),
        ("老爸今天吐了两次", "石榴是爸爸，莲子芡实是它闺女", {"elder"}),
        ("两个丫头今天都吐了", "", {"one", "other"}),
        ("姐妹俩今天都吐了", "", {"one", "other"}),
        ("咖啡色那只今天吐了", "石榴白色，莲子咖啡色，芡实是三花", {"one"}),
        ("三花今天吐了", "石榴白色，莲子咖啡色，芡实是三花", {"other"}),
        ("小白今天又吐了", "石榴白色，莲子咖啡色，芡实是三花", {"elder"}),
        ("除了石榴，另外两个今天都吐了", "", {"one", "other"}),
    ],
)
def test_words_of_the_household_point_at_its_pets(text: str, history: str, who: set[str]) -> None:
    assert {claim.subject for claim in claims(text, THREE, history)} == who


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("芸豆蹭了一身大麦的药膏", "cat"),
        ("大麦把芸豆的化毛膏舔光了", "big"),
        ("猫老舔狗身上刚抹的红霉素软膏", "cat"),
        ("大麦堵着碗不让芸豆上前", "big"),
    ],
)
def test_the_one_that_acts_is_the_one_that_is_told_of(text: str, who: str) -> None:
    first = next(claim for claim in claims(text, MIXED) if not claim.attribute.startswith("medication"))
    assert first.subject == who


@pytest.mark.parametrize("text", ["芸豆蹭了一脸派瑞松", "大麦把驱虫药啃了一半", "芸豆沾了一身体外驱虫滴剂"])
def test_a_medicine_that_was_got_at_was_not_given(text: str) -> None:
    assert {attribute for _, attribute in told(text, MIXED)} == {"symptom"}


def test_how_each_took_what_both_did_is_kept() -> None:
    made = told("元旦带俩去拍了证件照，大麦一直傻笑，芸豆缩在包里不出来", MIXED)
    assert {("big", "other"), ("cat", "other"), ("big", "behavior"), ("cat", "behavior")} <= made


def test_eyes_are_no_pets() -> None:
    made = claims("大麦生下来右眼就瞎的，小米粒俩眼好好的", DOGS)
    assert [(claim.subject, claim.attribute) for claim in made] == [("big", "other:inborn")]


@pytest.mark.parametrize(
    "text",
    [
        "大的狂犬打好了3.2打的，小的月份不够，大夫说十天后再打",
        "大个子狂犬打了，小不点月龄不够医生说再过一个月",
        "大个头狂犬打了，小个头太轻医生不让打",
        "大块头狂犬打好了，小的改天",
    ],
)
def test_what_the_other_is_still_too_young_for_is_put_off(text: str) -> None:
    assert told(text, DOGS) == {("big", "vaccine"), ("small", "schedule")}


@pytest.mark.parametrize(
    ("text", "dose_of"),
    [("大麦早上两片，小米粒早晚各半片，都是甲硝唑", {"big": "两片", "small": "半片"})],
)
def test_a_drug_named_last_is_that_of_each_dose(text: str, dose_of: dict[str, str]) -> None:
    made = {claim.subject: claim.content for claim in claims(text, DOGS)}
    assert made.keys() == dose_of.keys()
    assert all(dose in made[pet] and "甲硝唑" in made[pet] for pet, dose in dose_of.items())


def test_each_gets_its_own_product_and_not_the_others() -> None:
    made = {
        (claim.subject, claim.attribute)
        for claim in claims("三个都驱虫了，猫用的大宠爱狗用的尼可信", (*THREE[:2], BIG))
    }
    assert made == {("elder", "deworming:大宠爱"), ("one", "deworming:大宠爱"), ("big", "deworming:尼可信")}


@pytest.mark.parametrize("text", ["小米粒猫三联第一针打了，老爷子体检肝指标高", "小米粒拉稀了，胖的体重又涨了"])
def test_who_is_pointed_at_by_another_word_is_not_the_one_before(text: str) -> None:
    assert len(claims(text, DOGS)) == 1 or {claim.subject for claim in claims(text, DOGS)} == {"big", "small"}
