"""What statements become: slot, value, day, archive, for each kind of thing an owner tells."""

from datetime import date, datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance
from memory.claims import Claim
from memory.topics import Topic
from memory.vocabulary import AttributeClass, Precision

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("p", "桃酥", "dog"),)


def claims(text: str) -> dict[str, Claim]:
    return {claim.attribute: claim for claim in extract(Utterance(text, NOW, PETS)).claims}


@pytest.mark.parametrize(
    ("text", "attribute", "attribute_class", "topic"),
    [
        ("桃酥对三文鱼过敏", "allergy:fish", AttributeClass.ALLERGY, Topic.MEDICAL),
        ("桃酥对香水过敏", "allergy:香水", AttributeClass.ALLERGY, Topic.MEDICAL),
        ("桃酥一吃牛肉就拉稀", "allergy:beef", AttributeClass.ALLERGY, Topic.MEDICAL),
        ("桃酥确诊慢性肾病了", "condition:ckd", AttributeClass.CHRONIC_CONDITION, Topic.MEDICAL),
        ("桃酥每天吃卡洛芬一片", "medication:carprofen", AttributeClass.MEDICATION, Topic.MEDICAL),
        ("桃酥今天打了狂犬", "vaccine:狂犬", AttributeClass.VACCINE, Topic.PREVENTION),
        ("昨天给桃酥滴了大宠爱", "deworming:大宠爱", AttributeClass.DEWORMING, Topic.PREVENTION),
        ("桃酥今天称了9.6公斤", "weight", AttributeClass.WEIGHT, Topic.GROWTH),
        ("桃酥昨天吐了两次", "symptom:vomiting", AttributeClass.SYMPTOM, Topic.HEALTH),
        ("桃酥今天拉稀", "symptom:diarrhea", AttributeClass.SYMPTOM, Topic.ELIMINATION),
        ("桃酥上周拍了片", "visit:imaging", AttributeClass.VISIT, Topic.MEDICAL),
        ("桃酥肌酐156", "lab:肌酐", AttributeClass.VISIT, Topic.MEDICAL),
        ("桃酥不吃胡萝卜", "diet:胡萝卜", AttributeClass.DIET_PREFERENCE, Topic.DIET),
        ("桃酥的粮换成渴望了", "diet.staple_food", AttributeClass.DIET_PREFERENCE, Topic.DIET),
        ("桃酥一顿80克", "diet.amount", AttributeClass.DIET_PREFERENCE, Topic.DIET),
        ("桃酥怕打雷", "behavior:fear:打雷", AttributeClass.BEHAVIOR, Topic.BEHAVIOR),
        ("桃酥学会握手了", "behavior:training:握手", AttributeClass.BEHAVIOR, Topic.BEHAVIOR),
        ("昨天给桃酥洗了澡", "grooming:bath", AttributeClass.GROOMING, Topic.LIFESTYLE),
        ("下周三带桃酥打疫苗", "schedule:疫苗", AttributeClass.SCHEDULE, Topic.PREVENTION),
        ("桃酥没绝育", "neutered", AttributeClass.OTHER, Topic.MEDICAL),
        ("我是护士", "owner.life", AttributeClass.OTHER, Topic.OWNER),
        ("我手机尾号4471", "contact.phone", AttributeClass.CONTACT, Topic.OWNER),
        ("以后回答简短一点", "preference.reply_style", AttributeClass.PREFERENCE, Topic.OWNER),
    ],
)
def test_a_statement_gets_its_slot_class_and_archive(
    text: str, attribute: str, attribute_class: AttributeClass, topic: Topic
) -> None:
    claim = claims(text)[attribute]
    assert claim.attribute_class is attribute_class
    assert claim.topic is topic


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("桃酥六公斤一", 6.1, "kg"),
        ("桃酥称了五斤二两", 5.2, "斤"),
        ("桃酥三公斤半", 3.5, "kg"),
        ("桃酥体重９．６ｋｇ", 9.6, "kg"),
        ("桃酥現在重12斤", 12, "斤"),
        ("桃酥9999斤了", 9999, "斤"),
    ],
)
def test_a_weight_keeps_the_owners_unit(text: str, number: float, unit: str) -> None:
    value = claims(text)["weight"].value
    assert (value["number"], value["unit"]) == (number, unit)


def test_a_goal_is_not_a_weight() -> None:
    made = claims("桃酥现在12公斤，医生让控制在10公斤以内")
    assert made["weight"].value["number"] == 12
    assert made["weight_goal"].value["number"] == 10


def test_an_earlier_weight_without_a_unit_takes_that_of_the_later() -> None:
    said = extract(Utterance("桃酥今天12.5斤，上个月还是11.8", NOW, PETS)).claims
    assert [claim.value for claim in said] == [{"number": 12.5, "unit": "斤"}, {"number": 11.8, "unit": "斤"}]


def test_food_is_no_weight() -> None:
    assert "weight" not in claims("桃酥的狗粮买了5公斤")


def test_dose_and_rhythm_in_later_clauses_belong_to_the_medicine() -> None:
    value = claims("桃酥今天开始吃卡洛芬 一天一次一次半片 先吃两周")["medication:carprofen"].value
    assert "半片" in value["dose_text"]
    assert "一天一次" in value["frequency_text"]


def test_a_medicine_no_list_knows_is_known_by_how_it_is_given() -> None:
    assert "medication:库库灵" in claims("医生开了库库灵，一天两次一次一片")


def test_two_signs_of_one_clause_are_two_claims() -> None:
    assert {"symptom:vomiting", "symptom:diarrhea"} <= claims("桃酥今天又吐又拉稀").keys()


def test_a_detail_joins_the_claim_before_it() -> None:
    assert "有毛" in claims("桃酥早上吐了，里面有毛")["symptom:vomiting"].content


def test_the_same_thing_said_twice_is_one_claim() -> None:
    said = extract(Utterance("桃酥凌晨开始吐，到现在吐了五回", NOW, PETS)).claims
    assert len(said) == 1
    assert "五回" in said[0].content


@pytest.mark.parametrize(
    ("text", "attribute", "on"),
    [
        ("桃酥昨天吐了", "symptom:vomiting", date(2026, 4, 14)),
        ("桃酥这个月8号打的狂犬", "vaccine:狂犬", date(2026, 4, 8)),
        ("下周三带桃酥打疫苗", "schedule:疫苗", date(2026, 4, 22)),
    ],
)
def test_a_day_that_is_told_is_kept(text: str, attribute: str, on: date) -> None:
    claim = claims(text)[attribute]
    assert claim.occurred_on == on
    assert claim.occurred_on_precision is Precision.DAY


def test_a_day_that_cannot_be_fixed_is_not_guessed() -> None:
    assert claims("桃酥小时候得过细小")["condition:parvo"].occurred_on is None


def test_a_reminder_keeps_its_rhythm() -> None:
    claim = claims("提醒我每个月5号给桃酥滴外驱")["schedule:外驱"]
    assert claim.value["recurrence"] == {"every": 1, "unit": "month", "days": [5]}


def test_a_drug_allergy_is_an_allergy_and_no_medicine() -> None:
    made = claims("桃酥对阿莫西林过敏")
    assert list(made) == ["allergy:penicillins"]


def test_an_allergy_test_is_read_line_by_line() -> None:
    made = claims("桃酥做了过敏原检测，尘螨三级，牛肉阴性")
    assert not made["allergy:dust_mite"].negated
    assert made["allergy:beef"].negated


def test_a_memory_line_names_the_pet_and_holds_the_owners_words() -> None:
    claim = claims("今天给它打了狂犬")["vaccine:狂犬"]
    assert claim.content == "今天给桃酥打了狂犬"
    assert claim.evidence.quote == "今天给它打了狂犬"


def test_evidence_points_into_the_message_as_it_was_written() -> None:
    text = "😭😭  桃酥　昨天吐了三次！！"
    claim = claims(text)["symptom:vomiting"]
    assert text[claim.evidence.start : claim.evidence.end] == claim.evidence.quote
    assert "吐了三次" in claim.evidence.quote


@pytest.mark.parametrize("text", ["桃酥吃了老鼠药", "桃酥舔了防冻液", "桃酥吃了两块巧克力"])
def test_what_is_poisonous_is_kept_as_swallowed(text: str) -> None:
    assert list(claims(text)) == ["symptom:ate_wrong"]


@pytest.mark.parametrize(
    "text", ["桃酥开了关节宝，一天一次吃一个月", "桃酥吃关节宝，吃半个月", "桃酥每天吃关节宝，先吃两个星期"]
)
def test_how_long_a_drug_is_given_is_no_dose(text: str) -> None:
    doses = [claim.value for claim in claims(text).values() if claim.attribute_class is AttributeClass.MEDICATION]
    assert doses
    assert not any("number" in dose for dose in doses)


def test_also_negative_is_a_denial() -> None:
    said = extract(Utterance("桃酥fiv阴性felv也是阴性", NOW, PETS)).claims
    assert {claim.negated for claim in said} == {True}


def test_a_number_alone_is_the_contact_named_before_it() -> None:
    assert "contact.emergency" in claims("紧急联系人改成我弟吧，10000007719")


def test_a_maybe_cough_is_a_cough_in_doubt() -> None:
    assert claims("桃酥上午好像咳了几声")["symptom:cough"].certainty.value == "hedged"


def test_a_sign_that_got_worse_is_no_weight() -> None:
    assert set(claims("桃酥的泪痕又重了")) == {"symptom:eye_discharge"}


@pytest.mark.parametrize("dose", ["1/4片", "四分之一片", "三分之二片"])
def test_a_part_of_a_tablet_is_no_whole_number_of_them(dose: str) -> None:
    said = claims(f"医生给桃酥开了多西环素 一次{dose} 一天两次")
    assert str(said["medication:doxycycline"].value["dose_text"]).endswith(dose)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("桃酥伤口有点红，但是没流脓", "桃酥没流脓"),
        ("桃酥不吐了，不过还在拉稀", "桃酥还在拉稀"),
        ("桃酥对鸡肉不过敏", "桃酥对鸡肉不过敏"),
    ],
)
def test_a_line_does_not_open_with_the_word_that_ties_it_to_another(text: str, line: str) -> None:
    assert line in {claim.content for claim in claims(text).values()}
