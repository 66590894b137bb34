"""Turns of phrase in messages about health: tests and their outcome, days told afterwards, drugs by their endings."""

from datetime import date, datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance
from memory.claims import Claim

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
ONE = (PetProfile("p", "桃酥", "dog"),)
TWO = (*ONE, PetProfile("q", "年糕", "cat"))


def told(text: str, pets: tuple[PetProfile, ...] = ONE) -> list[Claim]:
    return list(extract(Utterance(text, NOW, pets)).claims)


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("桃酥的弓形虫查了，阴的", {("condition:toxoplasma", True)}),
        ("桃酥心丝虫测了，弱阳", {("condition:heartworm", False)}),
        ("桃酥今天一粒屎没拉", {("symptom:constipation", False)}),
        ("以前喂鸡肉那会儿桃酥成天打喷嚏，现在一个都没打过了", {("symptom:sneezing", True)}),
        ("桃酥在吃卡托普利，一天一次", {("medication:卡托普利", False)}),
        ("桃酥吃肾衰宁两个月了", {("medication:肾衰宁", False)}),
        ("桃酥头孢吃吃停停", {("medication:cef_other", False)}),
        ("桃酥让隔壁那只柯基咬了屁股", {("symptom:wound", False)}),
        ("桃酥夜里咳得睡不着", {("symptom:cough", False)}),
        ("桃酥肾三期加高血压", {("condition:ckd", False), ("condition:hypertension", False)}),
        ("桃酥只吃苜蓿不吃鸡肉", {("diet:苜蓿", False)}),
        ("卡洛芬桃酥疼了才给", {("medication:carprofen", False)}),
        ("桃酥吃了虾浑身起疙瘩", {("allergy:crustacean", False)}),
        ("桃酥没上激素，先用的环孢素", {("medication:激素", True), ("medication:ciclosporin", False)}),
        ("桃酥就是便便还偏软发绿", {("symptom:diarrhea", False)}),
        ("给桃酥刮了皮屑化验，没真菌", {("condition:fungal", True)}),
        ("桃酥换了粮以后泪痕再没长过", {("symptom:eye_discharge", True)}),
        ("说一百遍别翻垃圾桶，桃酥又去翻垃圾桶了", {("behavior:scavenging", False)}),
        ("桃酥今天自己去按铃！教了小半个月", {("behavior:training", False)}),
        ("桃酥让电瓶车蹭了右后脚", {("symptom:wound", False)}),
        ("桃酥没做绝育，往后也没这打算", {("neutered", True)}),
        ("桃酥后半夜又吐了一次带血丝的", {("symptom:vomiting", False)}),
        ("桃酥隐睾，左边的已经摘了", {("condition:cryptorchid", False), ("visit:surgery", False)}),
        ("桃酥断过腿打了钢板", {("visit:surgery", False)}),
        ("皮肤科做的点刺，屋尘螨++，花生-", {("allergy:dust_mite", False), ("allergy:peanut_nut", True)}),
        ("桃酥环孢素每天0.4毫升拌罐头", {("medication:ciclosporin", False)}),
        ("桃酥左后腿不敢着地，又说可能是地滑", {("symptom:limping", False)}),
        ("桃酥今早又吐，混着没化的粮", {("symptom:vomiting", False)}),
        ("给桃酥滴了大宠爱，体外的那种", {("deworming:大宠爱", False)}),
        ("桃酥昨天起软便，狗粮碰都不碰", {("symptom:diarrhea", False), ("symptom:appetite_loss", False)}),
        ("桃酥拉稀两天了，也可能是赶上换粮", {("symptom:diarrhea", False)}),
        (
            "桃酥吞了个橡皮筋，吐了一回，现在又活蹦乱跳满屋跑",
            {("symptom:ate_wrong", False), ("symptom:vomiting", False)},
        ),
    ],
)
def test_a_turn_tells_what_it_means_and_no_more(text: str, slots: set[tuple[str, bool]]) -> None:
    assert {(claim.attribute, claim.negated) for claim in told(text)} == slots


@pytest.mark.parametrize(
    ("text", "attribute", "on"),
    [
        ("桃酥狂犬打好了（3.21）", "vaccine:狂犬", date(2026, 3, 21)),
        ("桃酥老甩头，上周五开始的", "symptom:itching", date(2026, 4, 10)),
        ("桃酥上午都喂了拜宠清", "deworming:拜宠清", date(2026, 4, 15)),
        ("刚从医院回来，桃酥右耳有点发炎", "symptom:ear_problem", date(2026, 4, 15)),
        ("完了桃酥偷吃了一颗降压药", "symptom:ate_wrong", date(2026, 4, 15)),
        ("桃酥这俩月掉秤了，从10斤2两掉到8斤7两", "weight", date(2026, 4, 15)),
        ("桃酥上回滴的是3/22的大宠爱，下回4月22", "deworming:大宠爱", date(2026, 3, 22)),
        ("桃酥上周三吃的拜宠清，这周还没轮到", "deworming:拜宠清", date(2026, 4, 8)),
        ("桃酥狂犬之前写的4.2打的，其实是4.12", "vaccine:狂犬", date(2026, 4, 12)),
        ("桃酥后半夜又吐了", "symptom:vomiting", date(2026, 4, 15)),
        ("桃酥从中午起就往砂盆跑，尿不出", "symptom:urinary_block", date(2026, 4, 15)),
        ("才从眼科出来，桃酥眼压28", "lab:眼压", date(2026, 4, 15)),
        ("桃酥洗牙约了4.28", "schedule:洗牙", date(2026, 4, 28)),
        ("桃酥洗牙约到21号了", "schedule:洗牙", date(2026, 4, 21)),
        ("桃酥查了凝血，让二十一天后来复查", "schedule:复查", date(2026, 5, 6)),
    ],
)
def test_the_day_is_found_where_it_is_told(text: str, attribute: str, on: date) -> None:
    assert {claim.attribute: claim.occurred_on for claim in told(text)}.get(attribute) == on


@pytest.mark.parametrize("text", ["医院护士说最近细小特别多", "小区里最近猫瘟传得挺凶"])
def test_what_goes_round_and_what_it_costs_leave_nothing(text: str) -> None:
    assert told(text) == []


def test_one_of_two_that_nobody_saw_is_nobodys() -> None:
    assert [claim.subject for claim in told("两只里有一只拉血，不知道是谁", TWO)] == [None]


def test_the_two_halves_of_one_clause_go_to_their_pets() -> None:
    claims = told("心丝虫的检测俩一起送的，一只阴性一只阳性，阳性的是年糕", TWO)
    assert {(claim.subject, claim.attribute, claim.negated) for claim in claims} == {
        ("p", "condition:heartworm", True),
        ("q", "condition:heartworm", False),
    }


def test_what_the_keeper_of_the_other_dog_says_is_not_of_ours() -> None:
    claims = told("桃酥让一条黄狗咬了，黄狗主人说它没打过狂犬")
    assert [claim.attribute for claim in claims] == ["symptom:wound"]


def test_what_the_other_eats_without_harm_is_no_dislike() -> None:
    claims = told("桃酥吃了鹿肉浑身起疙瘩，年糕怎么吃都没事", TWO)
    assert not any(claim.subject == "q" and claim.attribute.startswith("diet") and claim.negated for claim in claims)


def test_the_medicine_named_in_brackets_is_the_one_that_was_licked() -> None:
    claims = told("桃酥把年糕的耳药舔了个干净（伊曲康唑那支）", TWO)
    given = [claim for claim in claims if claim.attribute.startswith("medication:")]
    assert [(claim.subject, claim.value["product"]) for claim in given] == [("q", "伊曲康唑")]


def test_the_same_value_measured_again_keeps_its_name() -> None:
    values = [
        claim.value["number"] for claim in told("桃酥肌酐320，输液一周，再查降到210了") if "肌酐" in claim.attribute
    ]
    assert values == [320, 210]


def test_who_was_away_while_somebody_else_watched_tells_nothing_of_the_owner() -> None:
    assert [claim.attribute for claim in told("保姆说桃酥上午吐了点白沫，我人在外地没看见")] == ["symptom:vomiting"]
