"""Doses that change, treatments that pause or end, weights set against each other, and what is taken back."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance
from memory.claims import Claim

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("桃酥", "桃酥", "dog"), PetProfile("麻花", "麻花", "cat"))


def claims(text: str, pets: int = 1, *said: str) -> list[Claim]:
    history = tuple(SaidBefore("assistant" if place % 2 else "user", line) for place, line in enumerate(said))
    return list(extract(Utterance(text, NOW, PETS[:pets], history=history)).claims)


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("桃酥的加巴喷丁从每次50mg减到25了", 25, "mg"),
        ("桃酥的胰岛素从2个单位加到2.5个单位了", 2.5, "单位"),
        ("桃酥泼尼松不是一天10mg，是一天5mg", 5, "mg"),
        ("说错了，桃酥胰岛素打的不是三个单位是一个半单位", 1.5, "单位"),
        ("写错了写错了，桃酥早上吃的是2粒不是20粒", 2, "粒"),
        ("桃酥胰岛素早上那针不是3个单位，是1.3", 1.3, "单位"),
        ("桃酥的胰岛素换成长效的了，一天就打一针，两个单位", 2, "单位"),
        ("桃酥在吃泼尼松，隔一天一次，一次四分之一片", 0.25, "片"),
        ("桃酥的抗生素一天两次，每次一片半", 1.5, "片"),
    ],
)
def test_the_dose_is_the_one_that_holds_now(text: str, number: float, unit: str) -> None:
    assert [(claim.value.get("number"), claim.value.get("unit")) for claim in claims(text)] == [(number, unit)]


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("桃酥的优思弗断了三天，快递到了，今晚接着吃", False),
        ("桃酥的优思弗断了三天，药刚补上", False),
        ("桃酥的消炎药吃完这盒就停", False),
        ("桃酥的优思弗停了", True),
        ("桃酥的抗生素吃满两周停药了", True),
        ("医生给桃酥开了阿替洛尔，后来说不用吃了", True),
    ],
)
def test_an_interruption_is_no_end(text: str, over: bool) -> None:
    assert {claim.negated for claim in claims(text) if claim.attribute.startswith("medication")} == {over}


@pytest.mark.parametrize(
    ("text", "slot", "end"),
    [
        ("桃酥得戴两周伊丽莎白圈", "visit:treatment", "2026-04-28"),
        ("桃酥要关笼静养四周", "visit:rest", "2026-05-12"),
        ("医生说桃酥接下来三天禁食", "schedule:空腹", "2026-04-17"),
        ("桃酥限制运动十天", "visit:rest", "2026-04-24"),
    ],
)
def test_what_lasts_for_a_while_has_a_last_day(text: str, slot: str, end: str) -> None:
    assert [(claim.attribute, claim.value.get("end")) for claim in claims(text)] == [(slot, end)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("桃酥九斤，麻花比它还沉一斤三两", [("桃酥", "weight"), ("麻花", "other:weight_compared")]),
        ("麻花6.3公斤，比桃酥大两斤", [("麻花", "weight"), ("麻花", "other:weight_compared")]),
        ("麻花比桃酥足足重了2.5kg", [("麻花", "other:weight_compared")]),
        ("桃酥今早称的比昨天少了二两", [("桃酥", "symptom:weight_change")]),
        ("桃酥7.2了，麻花才刚够五斤", [("桃酥", "weight"), ("麻花", "weight")]),
        ("麻花比出院那天重了半公斤", [("麻花", "symptom:weight_change")]),
        ("桃酥瘦了八两", [("桃酥", "symptom:weight_change")]),
    ],
)
def test_a_difference_is_no_weight(text: str, told: list[tuple[str, str]]) -> None:
    assert [(claim.subject, claim.attribute) for claim in claims(text, 2)] == told


@pytest.mark.parametrize(
    ("text", "slot", "negated"),
    [
        ("桃酥对头孢起反应了", "allergy:cephalosporins", False),
        ("桃酥对舒泰反应特别大", "allergy:local_anesthetic", False),
        ("桃酥牛奶过敏这事儿是我搞错了", "allergy:dairy", True),
        ("桃酥心脏没杂音了", "condition:heart_disease", True),
        ("桃酥跳蚤过敏性皮炎又犯了", "condition:flea_allergy", False),
        ("桃酥今年第二次抽", "symptom:seizure", False),
        ("桃酥呼吸一分钟五十多下", "symptom:dyspnea", False),
        ("桃酥的血小板只有八万多，大夫说偏低", "lab:血小板", False),
        ("桃酥一蹲盆就叫", "symptom:urinary_block", False),
        ("桃酥今天打狂犬，证号尾数0832", "vaccine:狂犬", False),
        ("镇静药里那个乙酰丙嗪千万不能给桃酥上", "medication:acepromazine", True),
        ("桃酥没螨虫没真菌", "condition:mites", True),
        ("桃酥舌头发紫", "symptom:cyanosis", False),
        ("桃酥昨晚在枕头上撒了一泡", "symptom:inappropriate_urination", False),
        ("猫舍说桃酥爸爸查过多囊肾没问题", "other:parents", False),
        ("桃酥拉西两回", "symptom:diarrhea", False),
        ("我家那金枪鱼罐头桃酥沾一口就满脸抓", "allergy:fish", False),
        ("桃酥扑人的毛病早没了", "behavior:aggressive", True),
        ("桃酥打完首针猫三联", "vaccine:猫三联", False),
        ("桃酥打了八联，都是卫佳的", "vaccine:八联", False),
        ("桃酥到今天一次稀便都没拉过", "symptom:diarrhea", True),
        ("大夫交代过桃酥甲氧氯普胺绝对碰不得", "medication:metoclopramide", True),
        ("桃酥心脏B1期", "condition:heart_disease", False),
        ("桃酥妈妈是多囊肾没的", "other:parents", False),
        ("打疫苗那天桃酥脸肿得像猪头", "symptom:swelling", False),
        ("桃酥带去拍片说骨折了", "symptom:fracture", False),
        ("桃酥咳嗽是支气管炎", "condition:asthma", False),
        ("桃酥食量也小了", "symptom:appetite_loss", False),
        ("桃酥生化全正常", "visit:blood_test", False),
        ("桃酥下个月6号下午四点去看皮肤科", "schedule:看皮肤科", False),
        ("桃酥再观察一天就能出院", "schedule:出院", False),
        ("桃酥开了三天止疼一天一次", "medication:止疼", False),
        ("桃酥到现在没吐没拉", "symptom:vomiting", True),
        ("桃酥把一整包驱虫药嚼了", "symptom:ate_wrong", False),
        ("桃酥打完麻药一直流口水", "symptom:mouth_problem", False),
        ("桃酥的血压仪测出来收缩压165", "lab:收缩压", False),
        ("桃酥的药膏早晚抹一次，抹到结痂掉了为止", "medication:药膏", False),
        ("桃酥没阉也没打算阉", "neutered", True),
        ("去年住地下室那会儿桃酥下巴总长黑粉刺，搬走以后再没冒过", "symptom:skin_lesion", True),
        ("桃酥今天去做了teeth clean", "visit:dental", False),
        ("桃酥鼓膜穿孔了", "symptom:鼓膜穿孔", False),
    ],
)
def test_a_medical_clause_is_told_once_in_its_own_slot(text: str, slot: str, negated: bool) -> None:
    assert [(claim.attribute, claim.negated) for claim in claims(text)] == [(slot, negated)]


@pytest.mark.parametrize(
    ("text", "day"),
    [("桃酥乳腺肿瘤，大夫说切整排，定下周二", "2026-04-21"), ("桃酥怀上了，预产期6月3号", "2026-06-03")],
)
def test_a_day_to_come_is_a_plan_of_its_own(text: str, day: str) -> None:
    told = {claim.attribute.partition(":")[0]: claim.occurred_on for claim in claims(text)}
    assert str(told.pop("schedule")) == day
    assert set(told.values()) == {None}


def test_the_third_jab_of_a_course_is_no_vaccine() -> None:
    told = [claim.attribute for claim in claims("桃酥皮下打了头孢，连打五天，今天第三针")]
    assert told == ["medication:cef_other"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("俩都抽血查了心丝虫，有一个阴性，另一个阳性…翻到单子了，阳性的是桃酥", [("麻花", True), ("桃酥", False)]),
        ("桃酥左耳慢性耳炎两年了，右耳今年也开始了", [("桃酥", False), ("桃酥", False)]),
        ("桃酥麻花都查了血型，麻花贫血，桃酥没毛病", [("麻花", False), ("桃酥", True)]),
    ],
)
def test_what_was_tested_is_found_only_where_it_was_found(text: str, told: list[tuple[str, bool]]) -> None:
    ill = [claim for claim in claims(text, 2) if claim.attribute.startswith("condition")]
    assert [(claim.subject, claim.negated) for claim in ill] == told


def test_an_unknown_name_with_a_dose_is_a_medicine() -> None:
    told = {
        claim.attribute: claim.value.get("number") for claim in claims("桃酥是库欣，曲洛斯坦30毫克一天一次吃四个月了")
    }
    assert told == {"condition:cushing": None, "medication:曲洛斯坦": 30}


def test_a_corrected_dose_is_that_of_the_medicine_told_before() -> None:
    said = ("桃酥昨晚吃的加巴喷丁500毫克", "500毫克？请核对一下。")
    told = claims("打多了一个零，昨晚给的是50毫克", 1, *said)
    assert [(claim.attribute, claim.value["number"]) for claim in told] == [("medication:gabapentin", 50)]


def test_a_stay_is_told_beside_the_trip_that_led_to_it() -> None:
    told = claims("桃酥癫痫又犯了，周日半夜送的急诊打的安定，观察了一宿今天领回来的")
    assert [claim.attribute for claim in told][1:] == ["medication:安定", "visit:hospital_stay"]


def test_halves_are_told_of_whom_they_are_named_for() -> None:
    told = claims("带去验血型了，两只不一样，有只是B型，另外那只A型…看下条码，B型的是麻花", 2)
    assert [(claim.subject, claim.content.partition("（")[0][2:]) for claim in told] == [
        ("麻花", "有只是B型"),
        ("桃酥", "另外那只A型"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "朋友推荐给桃酥吃云南白药，我没敢",
        "我舅家养的俩天天打架 一个把另一个眼皮都挠破了 我家这对从来不红脸",
        "桃酥的疫苗本让孩子撕了",
    ],
)
def test_others_fights_and_lost_papers_leave_nothing(text: str) -> None:
    assert claims(text, 2) == []


def test_a_measure_in_the_next_clause_is_the_figure_of_what_was_seen() -> None:
    assert [claim.value.get("number") for claim in claims("桃酥左房有点大，比值1.7")] == [1.7]


def test_asking_for_a_reminder_is_no_doubt() -> None:
    told = claims("每周二和周六提醒我给桃酥刷牙吧，早上遛完回来那会儿")
    assert [(claim.attribute, claim.certainty.value) for claim in told] == [("schedule:刷牙", "plain")]


def test_a_sign_that_changes_is_told_again() -> None:
    told = claims("桃酥前天流清鼻涕，今早又流，鼻涕都变黄了")
    assert [claim.attribute for claim in told] == ["symptom:nasal_discharge"] * 2


def test_each_of_two_that_were_tested_is_told_by_its_half() -> None:
    told = claims("两只都做了猫艾滋检查，有一个是阴性，还有一个阳的…对下编号，阳的是麻花", 2)
    assert {(claim.subject, claim.negated) for claim in told} == {("麻花", False), ("桃酥", True)}
    told = claims("都带去查甲状腺了，一只T4低得离谱，一只没毛病…看了眼报告，低的那只叫麻花", 2)
    assert {(claim.subject, claim.content[2:]) for claim in told} == {
        ("麻花", "一只T4低得离谱"),
        ("桃酥", "一只没毛病（t4）"),
    }


def test_a_pet_that_was_mistaken_for_another_is_put_right() -> None:
    said = ("桃酥刚才抽搐了", "抽搐了多长时间？")
    told = {(claim.subject, claim.negated) for claim in claims("认错了，回看录像抽的那只是麻花，桃酥在睡觉", 2, *said)}
    assert told == {("麻花", False), ("桃酥", True)}


def test_what_is_booked_for_one_is_what_was_done_with_the_other() -> None:
    told = {(claim.subject, claim.attribute) for claim in claims("狗体检今天做完了，猫的排到下礼拜", 2)}
    assert told == {("桃酥", "visit:checkup"), ("麻花", "schedule:体检")}


def test_a_reminder_may_be_asked_for_in_the_clause_before() -> None:
    told = claims("帮我记个提醒，每个月10号25号给桃酥的饮水机换次滤芯")
    assert [claim.value["recurrence"]["days"] for claim in told] == [[10, 25]]


def test_a_goal_without_a_unit_is_no_weight() -> None:
    told = claims("桃酥半岁的时候四公斤整，现在都7.3了，兽医说别超过6.8")
    assert [(claim.attribute, claim.value["number"]) for claim in told] == [
        ("weight", 4),
        ("weight", 7.3),
        ("weight_goal", 6.8),
    ]


def test_one_takes_this_one_takes_that_is_told_of_neither() -> None:
    told = claims("桃酥拉稀，麻花便秘，一个吃益生菌一个吃化毛膏", 2)
    assert {claim.subject for claim in told if claim.attribute.startswith("medication")} == {None}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("桃酥绝育了，麻花没有", [("neutered", False), ("neutered", True)]),
        ("桃酥从来没打过疫苗，麻花打齐了三针", [("vaccine:vaccine", True), ("vaccine:vaccine", False)]),
        ("桃酥不是肾结石，是膀胱里有沙", [("condition:stones", True), ("symptom:膀胱有沙", False)]),
    ],
)
def test_what_is_set_against_it_is_told_too(text: str, told: list[tuple[str, bool]]) -> None:
    assert [(claim.attribute, claim.negated) for claim in claims(text, 2 if "麻花" in text else 1)] == told
