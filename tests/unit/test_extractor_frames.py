"""General frames of a sentence, whatever its words: antithesis, lists with one verb, what is told in passing."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))  # a Wednesday
ALONE = (PetProfile("p", "桃酥", "dog"),)
COUPLE = (*ALONE, PetProfile("m", "麻花", "cat"))


def told(text: str, pets: tuple[PetProfile, ...] = ALONE) -> list[tuple[str | None, str, bool]]:
    """Who, which slot, denied or not."""
    return [(claim.subject, claim.attribute, claim.negated) for claim in extract(Utterance(text, NOW, pets)).claims]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("桃酥会坐不会趴", "behavior:training:坐", "behavior:training:趴"),
        ("桃酥爱吃南瓜不爱吃西兰花", "diet:南瓜", "diet:西兰花"),
        ("桃酥怕打雷不怕吹风机", "behavior:fear:打雷", "behavior:fear:吹风机"),
    ],
)
def test_what_it_does_and_what_it_does_not_are_two_facts(text: str, first: str, second: str) -> None:
    assert told(text) == [("p", first, False), ("p", second, True)]


@pytest.mark.parametrize("text", ["桃酥只吃罐头不吃干粮", "桃酥吃了不消化"])
def test_an_exclusion_stays_one_fact(text: str) -> None:
    assert len(told(text)) <= 1


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("绝育约好了：桃酥20号，麻花21号", "schedule:绝育"),
        ("俩都该打狂犬了，桃酥下周三，麻花下周四", "schedule:狂犬"),
    ],
)
def test_a_list_gives_each_pet_its_own_day(text: str, slot: str) -> None:
    own = {subject for subject, attribute, _ in told(text, COUPLE) if attribute == slot}
    assert {"p", "m"} <= own


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("桃酥五个月", "age"),
        ("桃酥路边捡的，医生看牙口说两岁左右", "age"),
        ("桃酥是美短", "other:breed"),
        ("桃酥是我从菜市场门口抱来的小黑狗", "other:origin"),
        ("桃酥五岁那年摘了子宫", "visit:surgery"),
        ("桃酥拔了俩", "visit:dental"),
        ("桃酥趁快递敲门溜出去了", "behavior:escaping"),
        ("桃酥头一回坐地铁", "other:living:outing"),
        ("桃酥的犬证办下来了", "other:living:papers"),
        ("桃酥指甲我每两周剪一次", "grooming:nails"),
        ("桃酥就是懒", "behavior:habit"),
        ("桃酥嘛，人来疯", "behavior:habit"),
    ],
)
def test_what_is_told_in_passing_is_kept(text: str, slot: str) -> None:
    assert ("p", slot, False) in told(text)


def test_kin_are_told_of_the_first_pet() -> None:
    assert told("麻花是桃酥生的", COUPLE) == [("m", "other:origin", False)]


def test_of_a_corrected_stage_the_second_holds() -> None:
    [claim] = extract(Utterance("桃酥髌骨不是三级，是二级", NOW, ALONE)).claims
    assert (claim.negated, claim.value.get("stage")) == (False, "二级")


@pytest.mark.parametrize("text", ["你记的那个甲减不是桃酥的", "上次说的糖尿病不是麻花的"])
def test_an_illness_that_is_said_to_be_anothers_is_nobodys(text: str) -> None:
    assert not any(slot.startswith("condition") for _, slot, _ in told(text, COUPLE))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("桃酥对牛肉起反应，嘴肿了", [("p", "allergy:beef", False)]),
        ("桃酥昨天咬了快递小哥，没流血", [("p", "behavior:biting", False)]),
        ("桃酥被黄蜂叮了，鼻子肿老高", [("p", "symptom:swelling", False)]),
    ],
)
def test_what_came_of_a_happening_is_told_with_it(text: str, expected: list[tuple[str, str, bool]]) -> None:
    assert told(text) == expected


def test_a_mishap_is_quoted_with_the_sign_it_left() -> None:
    [claim] = extract(Utterance("桃酥被黄蜂叮了，鼻子肿老高", NOW, ALONE)).claims
    assert "黄蜂" in claim.content


@pytest.mark.parametrize("text", ["医生摸了说桃酥气管有点窄", "桃酥打呼噜，大夫看过说会厌偏长"])
def test_what_a_vet_found_is_a_fact_of_its_own(text: str) -> None:
    assert ("p", "visit:finding", False) in told(text)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("你别老叫我“家长”", "preference.reply_style"),
        ("我老公是宠物医生", "owner.life"),
        ("我28号以后才回来", "owner.timetable"),
    ],
)
def test_what_owners_say_of_themselves(text: str, slot: str) -> None:
    assert [(slot, True)] == [(attribute, subject == "owner") for subject, attribute, _ in told(text)]


def test_what_must_not_be_said_is_quoted() -> None:
    [claim] = extract(Utterance("你别每次都说“建议就医”", NOW, ALONE)).claims
    assert "建议就医" in claim.content


@pytest.mark.parametrize("text", ["都怪我昨天出门太急", "等桃酥老了我就辞职陪它", "用牛奶给我自己泡了个脚"])
def test_the_owners_past_day_and_wishes_are_nothing(text: str) -> None:
    assert told(text) == []


def test_antibodies_against_an_illness_are_no_illness() -> None:
    slots = [slot for _, slot, _ in told("桃酥抗体报告出来了，犬瘟合格，细小偏低")]
    assert slots
    assert not any(slot.startswith("condition") for slot in slots)


def test_each_substance_of_an_allergy_test_has_its_own_grade() -> None:
    said = told("桃酥过敏原结果：牛肉强阳性、玉米弱阳性、鸡蛋阴性")
    assert said == [("p", "allergy:beef", False), ("p", "allergy:corn", False), ("p", "allergy:egg", True)]


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("桃酥大名叫桃酥饼，小名酥酥", "other:name"),
        ("麻花隔离在我妈家", "other:living:home"),
        ("桃酥换了个大笼子", "other:living:home"),
        ("桃酥的饭碗垫高了八厘米", "other:living:gear"),
        ("桃酥换了款低敏粮叫啥优品来着", "diet.prescription"),
        ("桃酥左后腿我每天用热毛巾敷十分钟", "grooming:massage"),
    ],
)
def test_names_homes_and_care(text: str, slot: str) -> None:
    assert slot in [attribute for _, attribute, _ in told(text, COUPLE)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("桃酥没吐，拉了，水一样的", [("symptom:vomiting", True), ("symptom:diarrhea", False)]),
        ("桃酥不喜欢人碰尾巴，下巴随便撸", [("behavior:likes:人碰尾巴", True), ("behavior:permitting", False)]),
    ],
)
def test_what_is_so_is_no_detail_of_what_is_not(text: str, expected: list[tuple[str, bool]]) -> None:
    assert [(slot, no) for _, slot, no in told(text)] == expected


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("桃酥一边咕噜一边踩被子", "behavior"),
        ("我每周五带桃酥上班", "other:living:outing"),
        ("桃酥趁我收快递溜出去了", "behavior:escaping"),
        ("桃酥刚坐完月子，生了四只崽", "symptom:pregnancy"),
    ],
)
def test_deeds_in_passing(text: str, slot: str) -> None:
    assert any(attribute.startswith(slot) for _, attribute, _ in told(text))


def test_an_answer_is_to_the_sentence_that_asks() -> None:
    asked = SaidBefore("assistant", "桃酥绝育了吗？发情期会这样叫的。")
    [claim, *_] = extract(Utterance("还没呢，打算国庆后做", NOW, ALONE, history=(asked,))).claims
    assert (claim.attribute, claim.negated) == ("neutered", True)


@pytest.mark.parametrize("text", ["桃酥吃了两片布洛芬……不对那是我的药", "桃酥周三打疫苗，错了那是隔壁的"])
def test_what_is_said_to_be_anothers_after_all_is_dropped(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize("text", ["隔壁老李家大黄昨天被车撞了", "楼上三花跑我家串门，吐了一地"])
def test_what_befalls_a_neighbours_animal_is_not_ours(text: str) -> None:
    assert told(text) == []


def test_the_other_two_of_three_are_meant() -> None:
    three = (*COUPLE, PetProfile("n", "年糕", "cat"))
    said = told("就年糕做了绝育，俩小子排到下个月", three)
    assert {subject for subject, slot, _ in said if slot == "schedule:绝育"} == {"p", "m"}


def test_who_walks_the_pet_meanwhile_is_told_of_the_pet() -> None:
    assert {subject for subject, _, _ in told("这几天桃酥暂由我弟遛")} == {"p"}
