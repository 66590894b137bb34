"""What is told of one of several pets, of a half of a pair, of a thief, of a pupil, or of an animal of others."""

from datetime import date, datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
PAIR = (PetProfile("m", "芒果", "dog"), PetProfile("y", "椰子", "cat"))
TURTLE = (PetProfile("m", "芒果", "dog"), PetProfile("k", "墨墨", "other", species_name="turtle"))


def told(text: str, pets: tuple[PetProfile, ...] = PAIR, *before: str) -> set[tuple[str | None, str, bool]]:
    history = tuple(SaidBefore("user", said) for said in before)
    claims = extract(Utterance(text, NOW, pets, history=history)).claims
    return {(claim.subject, claim.attribute, claim.negated) for claim in claims}


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        (
            "俩都做了粪检 一个有球虫一个干净 有虫的是芒果",
            {("m", "condition:giardia", False), ("y", "condition:giardia", True)},
        ),
        (
            "有只眼压高有只正常，高的是椰子",
            {("y", "condition:glaucoma", False), ("m", "condition:glaucoma", True)},
        ),
        (
            "给它俩查了基因，一个带PRA，一个不带，带的那个我看看哈，是芒果",
            {("m", "visit:result", False), ("y", "visit:result", False)},
        ),
        ("两个都称了，一个4.2公斤一个5.6公斤，重的是芒果", {("m", "weight", False), ("y", "weight", False)}),
        (
            "都筛了多囊肾，一个有一个没有，哦有的是椰子",
            {("y", "condition:ckd", False), ("m", "condition:ckd", True)},
        ),
    ],
)
def test_each_half_goes_to_the_pet_that_is_named_afterwards(
    text: str, halves: set[tuple[str | None, str, bool]]
) -> None:
    assert told(text) == halves


@pytest.mark.parametrize(
    "text",
    [
        "芒果在公园让一条哈士奇咬了耳朵，那狗好像有犬窝咳",
        "芒果被邻居家金毛扑倒了，金毛听说有犬瘟",
        "芒果跟楼上泰迪抢球，泰迪主人说它有皮肤病",
        "椰子跟一只三花打起来了，那家伙好像有猫瘟",
        "芒果跟楼下那只黑背咬架，黑背在治犬瘟",
        "芒果跟邻居哈士奇玩，被它咬了，它好像在治螨虫",
    ],
)
def test_an_illness_of_an_animal_that_was_met_is_nobodys_of_ours(text: str) -> None:
    assert not {one for one in told(text) if one[1].startswith("condition:")}


@pytest.mark.parametrize(
    ("text", "learner"),
    [
        ("椰子会握手是芒果教的", "y"),
        ("上楼梯这事儿是椰子手把手教芒果的", "m"),
        ("芒果跟椰子学会了用饮水机", "m"),
        ("芒果定点尿尿全靠椰子带", "m"),
    ],
)
def test_who_learns_is_told_of_not_who_teaches(text: str, learner: str) -> None:
    assert {subject for subject, _, _ in told(text)} == {learner}


@pytest.mark.parametrize(
    "text",
    [
        "椰子的优甲乐芒果吃了三粒",
        "椰子那瓶鱼油被芒果整瓶舔光了",
        "芒果把我的布洛芬吃了一颗",
        "给椰子配的利尿剂，芒果给叼去吃了两粒，呋塞米40的",
        "椰子的甲巯咪唑喂给芒果了",
    ],
)
def test_what_was_got_at_is_no_medicine_of_the_thief(text: str) -> None:
    made = told(text)
    assert not {one for one in made if one[0] == "m" and one[1].startswith("medication:")}
    assert {one for one in made if one[0] == "m" and one[1].startswith("symptom:ate")}


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("虾仁除芒果外都可以给，芒果对虾过敏", {("m", "allergy:crustacean", False), ("y", "diet:crustacean", False)}),
        ("鸡蛋芒果不能吃，过敏，椰子没事每天一个", {("m", "allergy:egg", False), ("y", "diet:egg", False)}),
        (
            "牛肉是芒果的雷区，医生说它对这个过敏，椰子顿顿牛肉罐",
            {("m", "allergy:beef", False), ("y", "diet:beef", False)},
        ),
        ("南瓜它们都爱，就椰子一口不碰", {("m", "diet:南瓜", False), ("y", "diet:南瓜", True)}),
    ],
)
def test_what_one_may_eat_and_the_other_not(text: str, who: set[tuple[str | None, str, bool]]) -> None:
    assert told(text) == who


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "芒果ALT 132，椰子一个箭头没有就是指甲有点劈",
            {("m", "lab:alt"), ("y", "visit:result"), ("y", "symptom:指甲劈")},
        ),
        ("芒果ALT 132，椰子各项都好就是血小板有点低", {("m", "lab:alt"), ("y", "visit:result"), ("y", "lab:血小板")}),
        ("芒果血压160，椰子没查出毛病", {("m", "lab:血压"), ("y", "visit:result")}),
    ],
)
def test_results_side_by_side(text: str, facts: set[tuple[str, str]]) -> None:
    assert {(subject, attribute) for subject, attribute, _ in told(text)} == facts


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("椰子重芒果三斤", "other:weight_compared"),
        ("椰子是芒果的两倍重", "other:weight_compared"),
        ("椰子今早称了七斤整，芒果还要再多八两", "other:weight_compared"),
    ],
)
def test_a_weight_set_beside_another_is_no_weight(text: str, what: str) -> None:
    assert what in {attribute for _, attribute, _ in told(text)}
    assert len([one for one in told(text) if one[1] == "weight"]) == ("七斤" in text)


@pytest.mark.parametrize(
    "text",
    [
        "墨墨缩成一团叫不醒是不是冬眠了，芒果趴边上看",
        "龟这两天不怎么动是不是该换水了，芒果老拍它的缸",
        "乌龟这几天不吃也不动是要冬眠吗，芒果天天盯着它",
        "龟这礼拜一口龟粮没动是不是水太凉，芒果老叼它的龟粮袋",
        "墨墨肚子鼓鼓的是不是怀了",
    ],
)
def test_a_sign_before_a_guess_at_its_cause_is_kept(text: str) -> None:
    assert {subject for subject, attribute, _ in told(text, TURTLE) if attribute.startswith("symptom:")} == {"k"}


@pytest.mark.parametrize(
    ("text", "slot"),
    [("等下，我说反了，吃药的是椰子", "deworming:dewormer"), ("说错啦，打喷嚏的是椰子", "")],
)
def test_a_fact_of_the_wrong_pet_is_told_of_the_right_one(text: str, slot: str) -> None:
    before = "芒果早上吃了驱虫药" if slot else "芒果打喷嚏了"
    slot = slot or "symptom:sneezing"
    assert told(text, PAIR, before) == {("y", slot, False), ("m", slot, True)}


@pytest.mark.parametrize(
    "text",
    [
        "椰子那个小鱼干可别分给芒果",
        "别把椰子的冻干喂芒果",
        "芒果心脏不好要低盐 椰子那个小鱼干可别分给它",
        "椰子的牛肉粒芒果不能吃",
        "芒果糖尿病医生让戒水果",
        "椰子那个羊奶粉别冲给芒果",
    ],
)
def test_what_is_not_for_a_pet_is_kept_from_it(text: str) -> None:
    assert {(who, no) for who, slot, no in told(text) if slot.startswith("diet")} == {("m", True)}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("两个都查了甲状腺 芒果没问题 椰子偏低", {("m", "visit:result"), ("y", "visit:result")}),
        ("芒果血压高，椰子除了耳道有点脏其余全绿", {("m", "condition:hypertension"), ("y", "visit:result")}),
        ("给椰子拌的药粮芒果全给炫了，里面有半片速诺", {("m", "symptom:ate_wrong")}),
        ("喂药喂串了，椰子的赛乐卡给芒果吃了半片", {("m", "symptom:ate_wrong")}),
        ("把药瓶收好别让芒果偷吃", set()),
        ("芒果瘸了是椰子撞的", {("m", "symptom:wound")}),
        ("不小心把椰子的药塞芒果嘴里了 是半片速尿", {("m", "symptom:ate_wrong")}),
        ("除了芒果，我家的都能喝羊奶", {("y", "diet:dairy")}),
        ("谁都能吃鸭胸 芒果例外", {("y", "diet:duck")}),
        ("芒果老去舔它伤口", {("m", "behavior:habit")}),
        ("俩都查了猫瘟抗体，一个够了，一个不够…不够的是芒果", {("m", "visit:result"), ("y", "visit:result")}),
        ("它俩里头肯定有一只在打喷嚏", {(None, "symptom:sneezing")}),
    ],
)
def test_nothing_of_one_pet_goes_to_the_other(text: str, facts: set[tuple[str | None, str]]) -> None:
    made = {(who, slot) for who, slot, _ in told(text)}
    assert facts <= made
    assert made - facts <= {("y", "symptom:ear_problem")}


AGED = (
    PetProfile("o", "老白", "dog", born_on=date(2013, 1, 1)),
    PetProfile("n", "小七", "dog", born_on=date(2025, 1, 1)),
)


@pytest.mark.parametrize("young", ["小年轻", "小丫头", "年幼的那只", "年轻那只"])
def test_the_young_one_is_not_the_old_one(young: str) -> None:
    assert told(f"老爷子最近老咳，{young}昨天刚驱完虫", AGED) == {
        ("o", "symptom:cough", False),
        ("n", "deworming:dewormer", False),
    }


@pytest.mark.parametrize(
    "text", ["椰子瘸了 不对 是芒果瘸了", "我刚说椰子瘸了 其实瘸的是芒果", "收回 不是椰子瘸了 是芒果瘸了"]
)
def test_a_sign_put_right_within_the_message_is_of_the_right_pet(text: str) -> None:
    assert {one for one in told(text) if one[1].startswith("symptom")} == {("m", "symptom:limping", False)}


def test_a_name_beside_a_role_decides() -> None:
    assert {subject for subject, _, _ in told("吐了的是老大椰子")} == {"y"}


@pytest.mark.parametrize("text", ["遛狗碰见个大爷，他的狗对鸡肉过敏", "遛弯的大爷今天又来了，他的狗肾衰"])
def test_somebodys_dog_is_nobody_of_ours_though_the_person_is_called_like_an_old_pet(text: str) -> None:
    pets = (
        PetProfile("q", "老秦", "cat", born_on=date(2011, 1, 1)),
        PetProfile("t", "小唐", "cat", born_on=date(2025, 3, 1)),
    )
    assert extract(Utterance(text, NOW, pets)).claims == ()
