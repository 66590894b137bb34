"""Medical statements in owners' own words: bodies and their functions, allergies, courses, weights, English words."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance
from memory.claims import Claim
from memory.vocabulary import AttributeClass

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("p", "桃酥", "dog"),)


def claims(text: str, pets: tuple[PetProfile, ...] = PETS) -> list[Claim]:
    return list(extract(Utterance(text, NOW, pets)).claims)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("桃酥小便颜色跟酱油似的", "symptom:urination"),
        ("桃酥夜里总起来找水", "symptom:polydipsia"),
        ("桃酥一抱腰就嗷嗷叫", "symptom:pain"),
        ("桃酥拱着背走路", "symptom:pain"),
        ("桃酥耳朵里一股馊味", "symptom:ear_problem"),
        ("桃酥胸口冒出来一个小肉瘤", "symptom:swelling"),
        ("桃酥眼睛老有黄色的分泌物", "symptom:eye_discharge"),
        ("桃酥呼吸变得不规律", "symptom:dyspnea"),
        ("桃酥蹲了半天一滴都没尿出来", "symptom:urinary_block"),
    ],
)
def test_what_a_body_does_is_a_sign_though_no_list_holds_it(text: str, attribute: str) -> None:
    assert attribute in {claim.attribute for claim in claims(text) if not claim.negated}


@pytest.mark.parametrize("text", ["桃酥的眼睛真大真好看", "桃酥跑起来跟火箭似的", "桃酥肚皮软乎乎的好摸"])
def test_fond_words_about_a_body_are_no_sign(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("桃酥是牛肉过敏体质", "allergy:beef"),
        ("桃酥麻药过敏", "allergy:麻药"),
        ("桃酥对新换的垫料过敏", "allergy:垫料"),
        ("桃酥用了两次酮康唑香波", "medication:topical_antiseptic"),
        ("桃酥肾脏不太好", "condition:ckd"),
        ("桃酥每周打一针，打六针", "medication:unnamed"),
        ("桃酥今天的药还没喂", "medication:unnamed"),
        ("桃酥只做了体外", "deworming:做了体外"),
        ("桃酥的dental cleaning做完了", "visit:dental"),
        ("桃酥gums有点red", "symptom:gumsred"),
        ("桃酥一个月涨了400克", "symptom:weight_change"),
        ("桃酥二十斤三两了见啥都往嘴里塞着吃", "weight"),
        ("桃酥从15公斤减到了13公斤", "weight"),
        ("大夫让桃酥三个月后再拍", "schedule:再拍"),
    ],
)
def test_clinical_words_find_their_slot(text: str, attribute: str) -> None:
    assert attribute in {claim.attribute for claim in claims(text)}


def test_the_later_rhythm_holds_after_a_change() -> None:
    assert claims("桃酥利尿药从一天一次改成一天两次")[0].value["frequency_text"] == "一天两次"


def test_the_later_weight_is_the_one_that_is_kept() -> None:
    assert [claim.value["number"] for claim in claims("桃酥从15公斤减到了13公斤")] == [13]


def test_the_first_and_second_jab_are_two_vaccinations() -> None:
    told = claims("桃酥卫佳五打了两针 头针3.21 二针4.11")
    assert {str(claim.occurred_on) for claim in told if claim.attribute.startswith("vaccine")} >= {
        "2026-03-21",
        "2026-04-11",
    }


def test_the_rest_is_nobody() -> None:
    assert all("其桃酥" not in claim.content for claim in claims("桃酥血检alt230，其他都正常"))


@pytest.mark.parametrize(
    ("text", "slot", "negated"),
    [
        ("桃酥打完疫苗脸肿了要去医院吗", "symptom:swelling", False),
        ("桃酥吃了阿莫西林能喝羊奶吗", "medication:amoxicillin", False),
        ("桃酥肌酐200算高吗", "lab:肌酐", False),
        ("桃酥后腿没力气是怎么回事", "symptom:lethargy", False),
        ("流浪狗咬了桃酥一口", "symptom:wound", False),
        ("桃酥咬了一口百合叶子", "symptom:ate_wrong", False),
        ("桃酥这周一次都没抽", "symptom:seizure_again", True),
        ("桃酥心丝虫检测阴性", "condition:heartworm", True),
        ("桃酥膝盖没问题", "symptom:膝盖", True),
        ("桃酥爱波克停了换成赛妥敏了", "medication:lokivetmab", False),
        ("桃酥爱波克停了换成赛妥敏了", "medication:oclacitinib", True),
        ("桃酥吃了一年的甲状腺素", "medication:甲状腺素", False),
        ("桃酥隔三周打第二针", "schedule:第二针", False),
    ],
)
def test_the_fact_is_told_as_it_stands(text: str, slot: str, negated: bool) -> None:
    assert (slot, negated) in {(claim.attribute, claim.negated) for claim in claims(text)}


@pytest.mark.parametrize(
    "text",
    ["桃酥的兄弟得了细小没了", "没有找到桃酥的心脏病药", "桃酥可以停药了吗", "桃酥能打疫苗吗", "累瘫了，先睡了"],
)
def test_kin_lost_things_and_bare_questions_leave_nothing(text: str) -> None:
    assert claims(text) == []


def test_what_the_parents_were_screened_for_is_only_heard() -> None:
    told = claims("卖家说桃酥爸妈都做过基因筛查没有肥心")
    assert [(claim.attribute, claim.first_hand) for claim in told] == [("lab:基因", False)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("桃酥右腿髌骨脱位三级，左腿二级", 2),
        ("桃酥不是对鱼油过敏，就是嫌腥不肯吃", 2),
        ("桃酥上月底吃的犬心保，今天的索来多到期又换了根新的", 2),
        ("桃酥绝育约了30号，前一晚十点后禁食禁水", 2),
        ("桃酥耳血肿抽了三次", 1),
        ("桃酥下个月要去做髋关节X光复查", 1),
        ("桃酥淋巴瘤缓解期", 1),
        ("桃酥刮片有螨虫，打了一针", 1),
        ("桃酥尿完还蹲着滴几滴", 1),
        ("桃酥走路像喝醉了一样", 1),
        ("桃酥左后腿打着石膏", 1),
        ("桃酥被吹成了一朵炸开的蒲公英", 0),
        ("今天可把我累散架了，到家泡面都没力气泡", 0),
    ],
)
def test_as_many_claims_as_facts(text: str, expected: int) -> None:
    told = [(claim.attribute, claim.negated) for claim in claims(text)]
    assert len(told) == expected, told


def test_a_remission_is_no_cure() -> None:
    assert [claim.negated for claim in claims("桃酥淋巴瘤缓解期")] == [False]


def test_a_weight_beside_a_count_of_days_is_of_today() -> None:
    weights = [claim for claim in claims("桃酥传腹打441第56天了，体重涨到3.1公斤") if claim.attribute == "weight"]
    assert [claim.occurred_on for claim in weights] == [NOW.date()]


@pytest.mark.parametrize(
    ("text", "attribute", "negated"),
    [
        ("桃酥碰不得红薯", "diet:potato", True),
        ("发现桃酥碰不得红薯，吃一回屁股那圈就红肿一回", "allergy:potato", False),
        ("桃酥沾不得鱼，吃一次痒一次", "allergy:fish", False),
        ("桃酥罐头改吃K9了，巅峰涨价吃不起", "diet.staple_food", False),
    ],
)
def test_what_must_not_be_touched_and_what_is_too_dear(text: str, attribute: str, negated: bool) -> None:
    assert (attribute, negated) in [(claim.attribute, claim.negated) for claim in claims(text)]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("桃酥刚接回来那天才1.4公斤，今天抱着称了下6.8了", [1.4, 6.8]),
        ("桃酥刚抱来时称的2.3公斤，现在两岁多长到15.6了", [2.3, 15.6]),
        ("桃酥罐头不是一天85克是60克", [60]),
    ],
)
def test_each_figure_is_what_it_was_said_of(text: str, figures: list[float]) -> None:
    assert [claim.value.get("number") for claim in claims(text)] == figures


TWO = (PetProfile("p", "桃酥", "dog"), PetProfile("q", "米饼", "dog"))


@pytest.mark.parametrize(
    ("text", "attribute", "negated"),
    [
        ("桃酥拔了牙三颗，全麻拔牙四颗", "visit:dental", False),
        ("桃酥股骨头切除术后两个月", "visit:surgery", False),
        ("桃酥3.1到3.4住的院", "visit:hospital_stay", False),
        ("桃酥腿上的绷带隔天换", "visit:treatment", False),
        ("桃酥左肾里三颗石头", "symptom:urinary_stones", False),
        ("桃酥脾脏有点大", "symptom:swelling", False),
        ("后背上我摸到花生大两个硬的，桃酥八岁", "symptom:swelling", False),
        ("桃酥38.6度", "lab:体温", False),
        ("桃酥三十九度二", "lab:体温", False),
        ("桃酥的呼吸我数了，睡着一分钟28下", "lab:呼吸", False),
        ("桃酥查出甲减，优甲素每天200微克", "medication:优甲素", False),
        ("医生摸过肚子说没事，桃酥能吃", "visit:test", True),
        ("桃酥绝育日期：2025年9月3日", "neutered", False),
        ("桃酥对羊肉过敏，牛肉怎么吃都没事", "allergy:beef", True),
        ("桃酥验孕出来了，没怀", "symptom:pregnancy", True),
        ("桃酥蛋蛋已经嘎了", "neutered", False),
        ("桃酥术后止痛用的美洛昔康，三天停", "medication:meloxicam", False),
        ("桃酥的洗剂一周一回，伊曲先停", "medication:伊曲", True),
        ("桃酥就是走路往右边歪，是不是我多心了", "symptom:limping", False),
        ("桃酥今天休息区换药，晚上约了剧本杀：桃酥耳螨没了", "condition:ear_mites", True),
    ],
)
def test_what_was_measured_or_done_is_told_in_plain_words(text: str, attribute: str, negated: bool) -> None:
    assert (attribute, negated) in {(claim.attribute, claim.negated) for claim in claims(text)}


@pytest.mark.parametrize(
    ("text", "cls", "number", "unit"),
    [
        ("桃酥体温39.2度", AttributeClass.VISIT, 39.2, "℃"),
        ("桃酥量了体温38度5", AttributeClass.VISIT, 38.5, "℃"),
        ("桃酥体温三十九度二", AttributeClass.VISIT, 39.2, "℃"),
        ("桃酥体温三八四", AttributeClass.VISIT, 38.4, "℃"),
        ("桃酥体温386，挺好", AttributeClass.VISIT, 38.6, "℃"),
        ("桃酥体温一直在39度左右", AttributeClass.VISIT, 39, "℃"),
        ("桃酥体温从40度降到38.5度了", AttributeClass.VISIT, 38.5, "℃"),
        ("给桃酥量了一下，38.9度", AttributeClass.VISIT, 38.9, "℃"),
        ("桃酥39.6度", AttributeClass.SYMPTOM, 39.6, "℃"),
        ("桃酥体温40.1还在吐", AttributeClass.SYMPTOM, 40.1, "℃"),
        ("桃酥肛温103.5华氏度", AttributeClass.SYMPTOM, 103.5, "℉"),
        ("桃酥体温只有36.2度", AttributeClass.SYMPTOM, 36.2, "℃"),
        ("桃酥体温80度", AttributeClass.SYMPTOM, 80, "℃"),
    ],
)
def test_a_temperature_keeps_its_figure_and_is_a_sign_when_it_is_one(
    text: str, cls: AttributeClass, number: float, unit: str
) -> None:
    told = {claim.attribute: claim for claim in claims(text)}["lab:体温"]
    assert (told.attribute_class, dict(told.value)) == (cls, {"name": "体温", "number": number, "unit": unit})


@pytest.mark.parametrize("text", ["桃酥体温没到39度", "桃酥体温计买了3个", "桃酥体温一天量3次"])
def test_a_figure_beside_the_word_is_not_always_a_temperature(text: str) -> None:
    assert not any("number" in claim.value for claim in claims(text))


@pytest.mark.parametrize(
    "text", ["水温38度", "桃酥泡澡水温39度", "桃酥的粮规格还是100毫克的", "桃酥泡温水半小时一次剪一点"]
)
def test_a_figure_of_something_else_is_no_vital_and_no_dose(text: str) -> None:
    told = {claim.attribute.partition(":")[0] for claim in claims(text)}
    assert not told & {"lab", "medication", "symptom"}


@pytest.mark.parametrize(
    ("text", "subject", "attribute", "negated"),
    [
        ("桃酥得了猫癣，米饼也被传上了", "q", "condition:fungal", False),
        ("桃酥得了猫癣，米饼没传上", "q", "condition:fungal", True),
        ("桃酥打的狂犬是三月二号，米饼是五号", "q", "vaccine:狂犬", False),
        ("桃酥八岁，米饼三岁，绝育都做了", "p", "neutered", False),
        ("桃酥看到米饼舔毛也学样，现在肚子舔秃了", "p", "symptom:itching", False),
    ],
)
def test_what_is_left_out_goes_to_the_pet_that_is_meant(text: str, subject: str, attribute: str, negated: bool) -> None:
    told = {(claim.subject, claim.attribute, claim.negated) for claim in claims(text, TWO)}
    assert (subject, attribute, negated) in told


@pytest.mark.parametrize(
    ("text", "certainty"),
    [
        ("桃酥不能吃鸡肉，过敏", "plain"),
        ("桃酥别喂鸡肉了，过敏", "plain"),
        ("桃酥戒了鸡肉，医生说是食物过敏", "plain"),
        ("桃酥不能吃鸡肉，好像过敏", "hedged"),
        ("桃酥不能吃鸡肉了，医生怀疑食物过敏", "hedged"),
        ("医生说桃酥可能食物过敏，鸡肉先停了", "hedged"),
    ],
)
def test_a_food_kept_away_because_of_an_allergy_is_the_allergen(text: str, certainty: str) -> None:
    (claim,) = claims(text)
    assert (claim.attribute, claim.negated, claim.certainty.value) == ("allergy:chicken", False, certainty)


@pytest.mark.parametrize(
    "text", ["桃酥不给吃鸡肉，不是过敏，是上火", "桃酥不吃鸡肉，对牛肉过敏", "桃酥最近皮肤过敏，鸡肉先停了"]
)
def test_a_food_kept_away_for_another_reason_is_no_allergen(text: str) -> None:
    assert "allergy:chicken" not in {claim.attribute for claim in claims(text)}


@pytest.mark.parametrize("name", ["红包", "年薪"])
def test_a_name_that_is_a_word_of_jokes_makes_no_joke(name: str) -> None:
    pet = (PetProfile("p", name, "cat"),)
    assert [claim.attribute for claim in claims(f"{name}昨天吐了两次", pet)] == ["symptom:vomiting"]


def test_each_pet_has_an_answer_of_its_own() -> None:
    asked = (SaidBefore("assistant", "桃酥和米饼都绝育了吗？"),)
    told = extract(Utterance("桃酥做了，米饼还没", NOW, TWO, history=asked)).claims
    assert {(claim.subject, claim.attribute, claim.negated) for claim in told} == {
        ("p", "neutered", False),
        ("q", "neutered", True),
    }


def test_a_test_that_was_done_is_no_illness() -> None:
    asked = (SaidBefore("assistant", "桃酥做过心丝虫检测吗？"),)
    told = extract(Utterance("做过，快检，阴的，体检时候顺便", NOW, PETS, history=asked)).claims
    assert not [claim for claim in told if claim.attribute.startswith("condition") and not claim.negated]
    assert [claim.attribute for claim in told][:1] == ["visit:test"]


def test_an_illness_that_the_next_look_no_longer_found_is_over() -> None:
    (claim,) = claims("桃酥上次查出膀胱结石，复查也清了")
    assert (claim.attribute, claim.negated) == ("condition:urinary_stones", True)


@pytest.mark.parametrize(
    ("text", "dose", "number", "unit"),
    [
        ("桃酥吃泼尼松5mg半片", "5mg半片", 0.5, "片"),
        ("桃酥吃泼尼松，5mg半片，一天一次", "5mg半片", 0.5, "片"),
        ("桃酥吃速诺50mg的四分之一片一天两次", "50mg的四分之一片", 0.25, "片"),
        ("桃酥吃泼尼松半片5mg的", "半片5mg的", 0.5, "片"),
        ("桃酥吃加巴喷丁100mg两粒", "100mg两粒", 2, "粒"),
        ("桃酥吃匹莫苯丹1.25mg一片", "1.25mg一片", 1.25, "mg"),
        ("桃酥的甲巯咪唑5mg每次半片，一天两次", "5mg每次半片", 0.5, "片"),
        ("桃酥的泼尼松减到5mg的四分之一片", "5mg的四分之一片", 0.25, "片"),
        ("桃酥的泼尼松从5mg一片减到半片", "半片", 0.5, "片"),
    ],
)
def test_how_much_a_tablet_holds_is_not_how_much_is_given(text: str, dose: str, number: float, unit: str) -> None:
    (told,) = claims(text)
    assert (told.value["dose_text"], told.value["number"], told.value["unit"]) == (dose, number, unit)


@pytest.mark.parametrize(
    ("text", "name", "stage"),
    [
        ("桃酥确诊慢性肾病二期", "慢性肾病", "二期"),
        ("桃酥确诊CKD2期", "ckd", "2期"),
        ("桃酥肾脏已经三期了", "肾病", "三期"),
        ("桃酥心脏B2期", "心脏病", "b2期"),
    ],
)
def test_an_illness_is_called_by_its_name_beside_its_stage(text: str, name: str, stage: str) -> None:
    (told,) = claims(text)
    assert (told.value["name"], told.value["stage"]) == (name, stage)


@pytest.mark.parametrize(
    ("text", "slot"), [("桃酥ALT210", "lab:alt"), ("桃酥SDMA16", "lab:sdma"), ("桃酥T4 3.2", "lab:t4")]
)
def test_a_figure_may_touch_the_name_of_its_value(text: str, slot: str) -> None:
    assert [claim.attribute for claim in claims(text)] == [slot]


@pytest.mark.parametrize(
    ("text", "attribute", "negated"),
    [
        ("桃酥对麻醉药不良反应，醒得很慢", "allergy:麻醉药", False),
        ("桃酥吃头孢不良反应大，拉稀", "allergy:cephalosporins", False),
        ("桃酥对多西环素有不良反应", "allergy:tetracyclines", False),
        ("桃酥打疫苗没有不良反应", "vaccine:vaccine", False),
        ("桃酥没有打疫苗", "vaccine:vaccine", True),
    ],
)
def test_a_bad_reaction_is_of_the_drug_and_none_denies_no_shot(text: str, attribute: str, negated: bool) -> None:
    assert (attribute, negated) in {(claim.attribute, claim.negated) for claim in claims(text)}


@pytest.mark.parametrize(
    ("text", "attribute", "told"),
    [
        ("桃酥体重3.6公斤，上个月3.4", "weight", [(3.6, "2026-04-15"), (3.4, "2026-03-01")]),
        ("桃酥今天称3.6公斤，上次3.4", "weight", [(3.6, "2026-04-15"), (3.4, None)]),
        ("桃酥去年26，今天28斤了", "weight", [(26, "2025-01-01"), (28, "2026-04-15")]),
        ("桃酥肌酐180，上个月200", "lab:肌酐", [(180, None), (200, "2026-03-01")]),
        ("桃酥今天体温39.3，昨天38.6", "lab:体温", [(39.3, "2026-04-15"), (38.6, "2026-04-14")]),
        ("桃酥血糖空腹5.2，饭后9.1", "lab:血糖", [(5.2, None), (9.1, None)]),
        ("桃酥3.6公斤，昨天吐了2次", "weight", [(3.6, "2026-04-15")]),
    ],
)
def test_a_bare_figure_of_another_time_is_a_reading_of_its_own(
    text: str, attribute: str, told: list[tuple[float, str | None]]
) -> None:
    found = [claim for claim in claims(text) if claim.attribute == attribute]
    assert [(one.value["number"], one.occurred_on and one.occurred_on.isoformat()) for one in found] == told


def test_a_weight_of_now_keeps_today_beside_one_of_before() -> None:
    first = claims("桃酥目前体重十二斤，上月底十二斤半")[0]
    assert (first.attribute, first.occurred_on) == ("weight", NOW.date())
