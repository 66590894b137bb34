"""What stands between two pets of one home: a bowl that only one may touch, rooms apart, a turn that is put off."""

from datetime import date, datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance
from memory.claims import Claim

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
OLD = PetProfile("old", "石榴", "dog", sex="male", born_on=date(2013, 5, 1))
YOUNG = PetProfile("young", "芡实", "dog", sex="male", born_on=date(2026, 1, 2))
TWO = (OLD, YOUNG)
THREE = (
    PetProfile("first", "大麦", "dog", sex="male"),
    PetProfile("second", "莲子", "dog", sex="male"),
    PetProfile("third", "芸豆", "dog", sex="male"),
)


def claims(text: str, pets: tuple[PetProfile, ...] = TWO, history: str = "") -> tuple[Claim, ...]:
    said = (SaidBefore("user", history),) if history else ()
    return extract(Utterance(text, NOW, pets, history=said)).claims


def of(pet: str, made: tuple[Claim, ...]) -> list[tuple[str, bool]]:
    return [(claim.attribute.partition(":")[0], claim.negated) for claim in made if claim.subject == pet]


@pytest.mark.parametrize(
    "text",
    [
        "石榴那碗羊肝别让芡实舔",
        "石榴的处方粮千万别让芡实偷吃",
        "不许芡实碰石榴的鸭肉干",
        "石榴那份鱼汤可别叫芡实喝",
        "石榴盆里的牛肉别让芡实够着",
    ],
)
def test_what_is_kept_from_the_other_is_told_of_the_other(text: str) -> None:
    made = claims(text)
    assert [(claim.subject, claim.negated) for claim in made] == [("young", True)]
    assert made[0].attribute.startswith("diet")


@pytest.mark.parametrize(
    "text",
    ["石榴那碗羊肝别让芡实舔，石榴还跟从前一样一周两回", "石榴的羊肝别给芡实，石榴还是老样子三天一块"],
)
def test_the_one_whose_food_it_is_goes_on_with_it(text: str) -> None:
    made = claims(text)
    assert of("young", made) == [("diet", True)]
    assert of("old", made) == [("diet", False)]


@pytest.mark.parametrize(
    "text",
    [
        "石榴老抢芡实的饭，现在喂饭一个客厅一个阳台隔开",
        "石榴护食，喂饭得一个里屋一个外屋",
        "石榴老欺负芡实，现在一个楼上一个楼下",
    ],
)
def test_rooms_apart_are_told_of_both(text: str) -> None:
    apart = {claim.subject for claim in claims(text) if claim.attribute == "other:living:apart"}
    assert apart == {"old", "young"}


def test_whose_bowl_it_eats_from_is_no_new_subject() -> None:
    made = claims("石榴成天去芡实盆里蹭吃")
    assert {claim.subject for claim in made} == {"old"}


@pytest.mark.parametrize(
    "text", ["老爷子早晚各一片强心药，奶娃娃第二针疫苗约在30号", "老头子早晚一片强心药，小娃儿第二针约在30号"]
)
def test_the_babe_is_the_young_one(text: str) -> None:
    assert {claim.subject: claim.attribute.partition(":")[0] for claim in claims(text)} == {
        "old": "medication",
        "young": "schedule",
    }


@pytest.mark.parametrize(
    "text", ["石榴狂犬打齐了，芡实还在吃激素，大夫让它那针往后推", "石榴打完狂犬了，芡实拉稀，医生说它先缓缓"]
)
def test_the_jab_of_the_other_is_put_off(text: str) -> None:
    assert ("schedule", False) in of("young", claims(text))


@pytest.mark.parametrize("text", ["两个弟弟没有红薯干就不走", "俩弟弟没有红薯干就赖着"])
def test_what_brothers_do_not_move_without_is_their_taste(text: str) -> None:
    made = claims(text, THREE, "老大是大麦，莲子芸豆是它俩弟弟")
    assert {(claim.subject, claim.attribute, claim.negated) for claim in made} == {
        ("second", "diet:potato", False),
        ("third", "diet:potato", False),
    }


def test_a_red_bump_is_no_red_envelope() -> None:
    made = claims("除了石榴，咱家的都能喂羊肉，石榴一吃肚皮上就起红包")
    assert {(claim.subject, claim.attribute) for claim in made} == {("young", "diet:lamb"), ("old", "allergy:lamb")}


@pytest.mark.parametrize(
    "text",
    [
        "给两只都拍了髋关节，有一只挺好，还有一只窝偏浅…我看下，浅的是芡实",
        "两只都查了猫艾猫白，有一个全阴，另一个白血病弱阳…弱阳的是芡实",
    ],
)
def test_each_half_says_what_was_looked_at(text: str) -> None:
    fine = next(claim for claim in claims(text) if claim.subject == "old")
    assert any(word in fine.content for word in ("髋", "猫艾", "猫白"))


@pytest.mark.parametrize(
    "text",
    [
        "有一个爱啃沙发，是芡实",
        "俩里头有一个老尿床，我看了监控，是芡实",
        "有一只半夜老叫，刚才发现是芡实",
        "俩狗有一个耳朵发臭，一查是芡实",
    ],
)
def test_one_of_two_is_the_one_that_is_named_at_last(text: str) -> None:
    assert {claim.subject for claim in claims(text)} == {"young"}


@pytest.mark.parametrize(
    "text", ["芡实让石榴踩了一脚，前腿有点瘸", "芡实昨天叫石榴咬了一口，耳朵破了", "芡实给石榴挠了一爪子，眼皮破了"]
)
def test_who_was_hurt_is_not_the_one_who_did_it(text: str) -> None:
    assert {claim.subject for claim in claims(text)} == {"young"}


@pytest.mark.parametrize(
    ("text", "told_of"),
    [
        ("三只都驱过虫了，就莲子吐了一回", {"first", "second", "third"}),
        ("三只都打了狂犬，就莲子没精神", {"first", "second", "third"}),
        ("三只都打了狂犬，就莲子没打", {"first", "third"}),
    ],
)
def test_only_what_is_denied_of_one_leaves_it_out(text: str, told_of: set[str]) -> None:
    prevention = [one for one in claims(text, THREE) if one.attribute.startswith(("vaccine", "deworming"))]
    assert {claim.subject for claim in prevention if not claim.negated} == told_of


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("两只都做了过敏原，石榴鸡肉三级，芡实全阴", "过敏原"),
        ("俩都查了心脏，石榴二级杂音，芡实好好的", "心脏"),
        ("给俩都量了体温，石榴烧到40度，芡实没事", "体温"),
        ("带俩去做B超，石榴肾上有囊肿，芡实干干净净", "b超"),
    ],
)
def test_a_bare_outcome_tells_what_was_looked_at(text: str, word: str) -> None:
    assert any(claim.attribute == "visit:result" and word in claim.content for claim in claims(text)), claims(text)


def test_after_an_operation_all_well_is_no_result() -> None:
    assert of("young", claims("俩都绝育了，石榴舔伤口，芡实没事")) == [("neutered", False)]
