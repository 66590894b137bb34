"""Several clauses of one happening, halves of a pair, medicines that were got at, and who is only like a pet."""

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


def told(text: str, pets: tuple[PetProfile, ...] = COUPLE) -> set[tuple[str | None, str, bool]]:
    return {(claim.subject, claim.attribute, claim.negated) for claim in claims(text, pets)}


def test_a_half_is_given_to_the_pet_that_is_named_afterwards() -> None:
    said = told("两只都查了心脏，一个没问题，一个有二尖瓣反流…我想想，有反流的是麻花")
    assert ("m", "condition:heart_disease", False) in said
    assert ("p", "condition:heart_disease", False) not in said


def test_a_half_that_is_never_named_is_nobodys() -> None:
    assert all(subject is None for subject, _, _ in told("俩都查了，一个有白内障，一个没有"))


def test_results_of_a_pair_go_to_the_right_ones() -> None:
    found = {claim.subject: claim.content for claim in claims("俩都验了血型，一个A型，一个B型，B型的是麻花", COUPLE)}
    assert "A型" in found["p"]
    assert "B型" in found["m"]


def test_a_medicine_that_was_got_at_stays_its_owners() -> None:
    said = told("桃酥把麻花的降压药舔了一片（氨氯地平那个）")
    assert ("m", "medication:amlodipine", False) in said
    assert not any(subject == "p" and slot.startswith("medication") for subject, slot, _ in said)


def test_blood_in_what_was_passed_again_is_one_sign_with_it() -> None:
    assert [claim.content for claim in claims("桃酥今早又拉，里头带鲜血")] == ["桃酥今早又拉，里头带鲜血"]


def test_a_picture_gives_way_to_what_it_showed() -> None:
    found = {(claim.attribute, claim.negated) for claim in claims("桃酥片子拍完了，没骨折，就是扭了一下")}
    assert found == {("symptom:fracture", True), ("symptom:limping", False)}


def test_no_sign_is_seen_tomorrow() -> None:
    assert [claim.occurred_on for claim in claims("桃酥左眼好像比右眼小一圈，明天再看看")] == [None]


def test_a_weight_of_back_then_is_not_of_today() -> None:
    assert [claim.occurred_on for claim in claims("桃酥刚接来那天才1.1公斤")] == [None]


@pytest.mark.parametrize(
    "text",
    [
        "遛弯碰见一只跟桃酥一模一样的柯基，人家刚做完手术，走路一瘸一拐",
        "帮同事看两天他家的泰迪，今早在我家吐了一地",
        "楼上大爷的京巴摔断了腿",
        "楼下修车师傅养的黑背误食老鼠药没救过来",
        "都传那橘猫得过猫瘟",
        "礼拜三我要去医院做透析",
        "滴眼药的时候把桃酥认成麻花了，一滴没滴",
        "就当桃酥三十公斤，该喂多少",
        "我记得桃酥殿下吐气如兰",
        "跟你吐个槽",
        "我到现在一口水都没喝",
    ],
)
def test_others_and_what_did_not_happen_leave_nothing(text: str) -> None:
    assert claims(text, COUPLE if "麻花" in text else PETS) == []


@pytest.mark.parametrize(
    ("text", "slot", "negated"),
    [
        ("桃酥苯巴比妥一直没断，早晚各一片", "medication:phenobarbital", False),
        ("桃酥关节药还是隔天一粒", "medication:关节药", False),
        ("桃酥就没再拉过血了", "symptom:bloody_stool", True),
        ("桃酥查过艾滋白血都没有", "lab:艾滋白血", True),
        ("桃酥下个月6号做心超", "schedule:心超", False),
        ("桃酥左膝开始退化了", "symptom:左膝退化", False),
        ("桃酥今天去剪nail了", "grooming:nails", False),
        ("桃酥二十斤了见啥吃啥", "weight", False),
    ],
)
def test_words_around_do_not_hide_the_fact(text: str, slot: str, negated: bool) -> None:
    assert ("p", slot, negated) in told(text, PETS)


def test_advice_to_neuter_is_no_neutering() -> None:
    assert not any(claim.attribute == "neutered" for claim in claims("医生说桃酥前列腺增大建议做绝育"))


def test_breakfast_is_left_out_before_an_appointment() -> None:
    said = claims("桃酥下周六上午九点做心超，当天早饭别喂")
    assert [claim.attribute for claim in said] == ["schedule:心超", "schedule:空腹"]


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("桃酥有肥厚型心肌病，前年心超查出来的", {"condition:heart_disease"}),
        ("桃酥早上又尿，带小血块", {"symptom:hematuria", "symptom:bloody_stool"}),
        ("桃酥一顿60克，拌半勺南瓜泥，不拌不张嘴", {"diet.amount", "diet:南瓜泥"}),
        ("桃酥接回来那会儿才9.5公斤皮包骨，大夫说最好稳在12左右", {"weight", "weight_goal"}),
        ("桃酥止疼药还没上，医生说疼得走不了再用", {"medication:止疼药"}),
        ("桃酥内驱是3月3号喂的海乐妙，手机上设了每三个月提醒一回", {"deworming:海乐妙", "schedule:内驱"}),
        ("桃酥做了过敏原皮试，屋尘弱阳，大豆阴性", {"allergy:屋尘", "allergy:soy", "visit:test"}),
        ("桃酥到现在叫名字也没反应", {"symptom:unresponsive"}),
        ("桃酥驱的是拜宠清20公斤那种", {"deworming:拜宠清"}),
        ("桃酥血压飙到185，两周后回去重新量", {"lab:血压", "schedule:重新量"}),
        ("桃酥髋关节拍过片没毛病", {"visit:imaging"}),
    ],
)
def test_what_belongs_together_is_told_once(text: str, slots: set[str]) -> None:
    assert {claim.attribute for claim in claims(text)} <= slots


@pytest.mark.parametrize("text", ["开了一下午会脑壳疼，甲方又改需求", "跑了一天腿都快断了", "得了细小的狗能救回来几成"])
def test_the_owners_day_and_general_odds_leave_nothing(text: str) -> None:
    assert claims(text) == []


def test_an_owner_who_reacts_at_a_touch_is_allergic() -> None:
    assert [claim.attribute for claim in claims("我自己一碰猫毛就起荨麻疹")] == ["owner.allergy:猫毛"]


def test_halves_told_by_illness_leave_no_bare_test() -> None:
    said = told("俩一块做的心超，一个有轻度反流，一个啥事没有，有反流的是麻花")
    assert said == {("m", "condition:heart_disease", False), ("p", "condition:heart_disease", True)}


def test_a_dewormer_that_was_got_at_is_no_deworming() -> None:
    said = told("桃酥的驱虫药让麻花啃了半块（拜宠清）")
    assert not any(subject == "m" and slot.startswith("deworming") for subject, slot, _ in said)
    assert ("m", "symptom:ate_wrong", False) in said


def test_whose_turn_is_put_off_is_named_a_clause_before() -> None:
    assert any(
        subject == "m" and slot.startswith("schedule")
        for subject, slot, _ in told("桃酥打好三联了（5.11、6.1两针），麻花正在喂崽，医生说断奶以后再说")
    )


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("桃酥天生只有一颗肾", "condition:只有一颗肾"),
        ("桃酥的尿味是不是比从前冲了", "symptom:urination"),
        ("桃酥韧带抻着了", "symptom:limping"),
        ("桃酥周四晚上七点去拆夹板", "schedule:拆夹板"),
    ],
)
def test_rarer_words_are_heard(text: str, slot: str) -> None:
    assert slot in {claim.attribute for claim in claims(text)}


def test_a_near_miss_takes_the_rest_of_its_sentence_with_it() -> None:
    assert claims("差点把桃酥的心脏药塞麻花嘴里，药片都碰到牙了，幸亏它没咽", COUPLE) == []


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        (
            "桃酥跟一条阿拉斯加咬起来了，听人说那条没打过狂犬",
            {"behavior:aggressive", "symptom:wound", "behavior:biting"},
        ),
        ("昨晚给桃酥喂了海乐妙，全吞下去了没吐", {"deworming:海乐妙"}),
        ("去年开春体检桃酥还9.8公斤", {"weight"}),
        ("美容师说桃酥屁股边上有个小疙瘩怀疑是腺瘤", {"symptom:swelling"}),
        ("下午带桃酥去做B超，医生说膀胱里有结石", {"condition:urinary_stones"}),
        ("桃酥关节药还是早上一粒", {"medication:关节药"}),
    ],
)
def test_nothing_is_made_of_what_goes_along(text: str, slots: set[str]) -> None:
    assert {claim.attribute for claim in claims(text)} <= slots


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("桃酥应该驱过一次虫", "deworming:dewormer"),
        ("桃酥昨天把牙洗了", "visit:dental"),
        ("桃酥今早鼻孔底下挂着黄的", "symptom:nasal_discharge"),
        ("桃酥早饭闻了闻就走了", "symptom:appetite_loss"),
        ("桃酥接回来时2.3公斤，现在长到15.6了", "weight"),
    ],
)
def test_plain_words_are_heard(text: str, slot: str) -> None:
    assert slot in {claim.attribute for claim in claims(text)}


def test_a_chip_that_was_not_implanted_is_denied() -> None:
    assert [(claim.attribute, claim.negated) for claim in claims("桃酥没打芯片")] == [("microchip", True)]


def test_a_pill_that_is_missing_was_swallowed_by_the_one_that_made_off_with_it() -> None:
    said = claims("坏了麻花的优甲乐少了一粒！监控里是桃酥叼走吃的", COUPLE)
    assert any(claim.subject == "p" and "优甲乐" in claim.content for claim in said)
    assert not any(claim.subject == "p" and claim.attribute.startswith("medication") for claim in said)


def test_a_medicine_named_as_anothers_is_given_to_that_one() -> None:
    said = told("狗刚舔了一口猫的多西环素")
    assert {slot for subject, slot, _ in said if subject == "m"} == {"medication:doxycycline"}
    assert not any(subject == "p" and slot.startswith("medication") for subject, slot, _ in said)


def test_a_sign_that_subsided_today_is_a_second_fact() -> None:
    said = [(claim.attribute, claim.negated) for claim in claims("桃酥从前天起一直咳，今天上午倒消停了")]
    assert said == [("symptom:cough", False), ("symptom:cough", True)]


def test_what_falls_due_every_month_and_what_was_given_last_are_told_apart() -> None:
    said = claims("每月9号都得喂犬心保，上回是4月9喂的")
    assert [claim.attribute for claim in said] == ["schedule:犬心保", "deworming:犬心保"]
    assert said[1].occurred_on is not None


def test_jabs_with_the_date_before_are_told_one_by_one() -> None:
    said = claims("桃酥四联打齐了 2.11第一针 3.4第二针")
    assert [str(claim.occurred_on) for claim in said] == ["2026-02-11", "2026-03-04"]


def test_a_birthday_of_both_is_told_of_each() -> None:
    assert {subject for subject, _, _ in told("同一天捡的，生日都是去年9月20，桃酥有隐睾，麻花没有")} == {"p", "m"}


@pytest.mark.parametrize("text", ["谁知桃酥半路尿了一泡", "你猜怎么着，桃酥把垃圾桶翻了"])
def test_a_turn_of_phrase_is_no_question(text: str) -> None:
    assert claims(text) != []


def test_whether_it_reacts_is_doubted_and_not_denied() -> None:
    [claim] = claims("桃酥是不是对新换的罐头有点敏感")
    assert not claim.negated
    assert claim.certainty == "hedged"


def test_what_is_smeared_off_anothers_medicine_is_no_treatment() -> None:
    said = told("猫拿爪子蹭了点狗耳朵里的药膏（耳特净那个）")
    assert not any(subject == "m" and slot.startswith("medication") for subject, slot, _ in said)
    assert ("p", "medication", False) in {(who, slot.partition(":")[0], no) for who, slot, no in said}


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("桃酥四岁做过肠套叠手术，住了一星期院", ["condition:gut_blockage"]),
        ("就桃酥不能碰芒果，舔一下满脸起包", ["allergy:芒果"]),
        ("约好了，5月7号下午带桃酥去做心超", ["schedule:心超"]),
        ("桃酥又把我纱窗抓了个洞", ["behavior:destroying"]),
    ],
)
def test_what_tells_the_same_is_told_once(text: str, slots: list[str]) -> None:
    assert [claim.attribute for claim in claims(text)] == slots


@pytest.mark.parametrize("text", ["除了吸尘器桃酥啥也不怕", "桃酥除了躲吸尘器，别的都不理"])
def test_the_one_thing_it_fears_is_kept_as_feared(text: str) -> None:
    assert ("behavior:fear:吸尘器", False) in {(claim.attribute, claim.negated) for claim in claims(text)}


def test_a_noise_that_leaves_it_asleep_is_not_feared() -> None:
    [claim] = claims("隔壁电钻响桃酥照样睡")
    assert (claim.attribute, claim.negated) == ("behavior:fear:电钻", True)


def test_the_topic_of_a_sentence_is_no_supposition() -> None:
    assert [claim.attribute for claim in claims("体外的话4月2刚滴完大宠爱")] == ["deworming:大宠爱"]


def test_what_makes_the_owner_suspect_it_is_told_with_the_suspicion() -> None:
    [claim] = claims("桃酥是不是对新换的罐头有点敏感？吃完老挠下巴")
    assert "下巴" in claim.content
    assert claim.certainty == "hedged"


def test_the_last_jab_in_brackets_is_the_course_told_before() -> None:
    [claim] = claims("桃酥三针妙三多打完了（末针4.1）")
    assert str(claim.occurred_on) == "2026-04-01"


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("桃酥不见奶酪不进笼", "diet:dairy"),
        ("桃酥做的食物不耐受报告，羊肉高度", "allergy:lamb"),
        ("桃酥今天下了四只小的", "symptom:birth"),
        ("太棒了桃酥，又一副耳机阵亡", "behavior:destroying"),
    ],
)
def test_turns_of_phrase_are_heard(text: str, slot: str) -> None:
    assert slot in {claim.attribute for claim in claims(text)}


def test_the_one_that_reacts_is_the_exception() -> None:
    said = told("花生酱家里谁舔都没事，唯独麻花舔了嘴就肿")
    assert not any(subject == "m" and not slot.startswith("allergy") for subject, slot, _ in said)


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("狗把猫的眼药膏舔了一口", {("p", "symptom:ate_wrong")}),
        ("随便敲一行试试 小李两岁 二十斤 疫苗全打完了", set()),
        ("将来麻花真瘫了可怎么好", set()),
        ("要我能跟麻花似的不用上班就好了", set()),
        ("麻花换了低敏的鸭肉粮以后消停的", {("m", "diet:duck")}),
        ("桃酥从早上起没吃过一粒粮，零食也不闻", {("p", "symptom:appetite_loss")}),
        ("桃酥四联打齐了，头针2.22二针3.13", {("p", "vaccine:四联")}),
        ("俩同窝，去年12月3号生的", {("p", "birth_date"), ("m", "birth_date")}),
    ],
)
def test_what_is_meant_is_kept_and_nothing_else(text: str, slots: set[tuple[str, str]]) -> None:
    assert {(subject, slot) for subject, slot, _ in told(text)} == slots


def test_the_teller_who_saw_little_is_no_pet() -> None:
    said = claims("阿姨说桃酥下午抽了一下，她离得远没看真切")
    assert len(said) == 1


def test_a_visit_that_was_advised_before_is_told_with_its_day() -> None:
    said = claims("大夫说桃酥得做个穿刺 下下周二下午两点半去")
    assert ("schedule:穿刺", "2026-04-28") in {(claim.attribute, str(claim.occurred_on)) for claim in said}


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("桃酥昨天做了体检 说牙龈有一处增生 要取样化验 定的下周四上午九点半", "schedule:取样"),
        ("桃酥资料里的生日选错了，不是5月30，是3月30", "birth_date"),
        ("桃酥对南瓜深恶痛绝", "diet:南瓜"),
        ("桃酥天不怕地不怕，打雷都能当催眠曲听", "behavior:fear:打雷"),
    ],
)
def test_rarer_turns_are_heard(text: str, slots: str) -> None:
    assert slots in {claim.attribute for claim in claims(text)}


def test_a_name_told_after_a_pill_was_stolen_is_no_treatment_of_the_thief() -> None:
    said = told("出事了桃酥把麻花的甲状腺药连壳嚼了一颗！左甲状腺素0.2毫克的！")
    assert not any(subject == "p" and slot.startswith("medication") for subject, slot, _ in said)


def test_a_near_miss_noticed_halfway_leaves_nothing() -> None:
    assert claims("迷迷糊糊给桃酥喂心脏药，喂到一半发现手里搂的是麻花，得亏还没塞进嘴", COUPLE) == []


def test_what_both_went_through_is_told_of_each() -> None:
    said = told("上午一块送去洗了澡，麻花跳出来满店跑")
    assert {subject for subject, slot, _ in said if slot.startswith("grooming")} == {"p", "m"}
