"""What is told in several clauses is one memory: a medicine with its dose, a visit with what it showed."""

from datetime import date, datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance
from memory.claims import Claim

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("p", "桃酥", "dog"),)


def claims(text: str, *history: str) -> tuple[Claim, ...]:
    said = tuple(SaidBefore("assistant" if place % 2 else "user", one) for place, one in enumerate(history))
    return extract(Utterance(text, NOW, PETS, history=said)).claims


@pytest.mark.parametrize(
    ("text", "slot", "words"),
    [
        ("桃酥眼药水一直滴着呢，左眼每天三次", "medication:眼药水", ("左眼", "三次")),
        ("桃酥打今天起吃肝药了 水飞蓟 空腹一天一次一片 先吃一个月看看", "medication:silymarin", ("空腹", "一片")),
        ("桃酥在打胰岛素，甘精，早7单位晚6单位", "medication:甘精", ("7", "6")),
        ("桃酥最近在喝止咳糖浆，每次2毫升，一天三次", "medication:止咳糖浆", ("2毫升", "三次")),
        ("桃酥从周五起打干扰素了，隔天一针，打五针", "medication:interferon_omega", ("隔天", "五针")),
        ("桃酥开始吃伊曲康唑了，皮肤科开的，今天第一顿，半粒，每天一次", "medication:itraconazole", ("半粒", "每天")),
        ("桃酥今天开始抹湿疹膏了，曲安奈德，一天两次薄薄一层", "medication:triamcinolone", ("湿疹膏", "两次")),
        ("桃酥补血针先没打呢，医生讲等红细胞掉了再打", "medication:补血针", ("再打",)),
        ("桃酥上周二去照的心超，左房有点大", "lab:左房", ("上周二", "大")),
        ("桃酥看了牙，建议拔四颗，约的5月2号", "schedule:拔四颗", ("建议", "5月2号")),
    ],
)
def test_what_one_telling_says_of_a_thing_is_one_claim(text: str, slot: str, words: tuple[str, ...]) -> None:
    told = [claim for claim in claims(text) if claim.attribute.partition(":")[0] == slot.partition(":")[0]]
    assert len(told) == 1, told
    assert told[0].attribute == slot
    assert all(word in told[0].content for word in words)


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("桃酥心脏的药三种，匹莫苯丹一天两次，呋塞米一天一次", {"medication:pimobendan", "medication:furosemide"}),
        ("桃酥在吃多西环素，每天遛两次", {"medication:doxycycline", "activity:walk"}),
        ("桃酥昨天从柜子上摔下来把腿摔骨折了", {"symptom:fracture"}),
        ("桃酥预约了下周三刘医生的心超", {"schedule:心超"}),
        ("桃酥被蜜蜂蛰了前爪，肿成馒头打了一针", {"symptom:swelling"}),
    ],
)
def test_nothing_is_told_twice_and_nothing_else_is_lost(text: str, slots: set[str]) -> None:
    told = {claim.attribute for claim in claims(text)}
    assert told <= slots
    assert told & slots


@pytest.mark.parametrize(
    ("text", "before", "number", "unit", "on"),
    [
        ("手滑了，喂的是0.5毫升，小数点没按上", "刚给桃酥喂了5毫升糖浆", 0.5, "ml", date(2026, 4, 15)),
        ("哎多写个零，是50毫克", "昨晚给桃酥喂了500毫克加巴喷丁", 50, "mg", date(2026, 4, 14)),
        ("天呐打快了，2个单位，多了个0", "桃酥今早打了20个单位胰岛素", 2, "单位", date(2026, 4, 15)),
        ("啊不对，打的是2个单位", "桃酥今早打了20个单位胰岛素", 2, "单位", date(2026, 4, 15)),
    ],
)
def test_a_dose_is_put_right_in_the_words_that_told_it(
    text: str, before: str, number: float, unit: str, on: date
) -> None:
    [told] = claims(text, before, "这个剂量偏大，请再核对一下？")
    assert (told.value["number"], told.value["unit"]) == (number, unit)
    assert not told.negated
    assert told.occurred_on == on


@pytest.mark.parametrize(
    ("text", "slot", "on"),
    [
        ("昨天我妈来家里喂了桃酥一块月饼，晚上就开始吐了", "symptom:vomiting", date(2026, 4, 14)),
        ("桃酥昨晚吐了，早上又吐", "symptom:vomiting", date(2026, 4, 14)),
        ("昨天下午桃酥流了鼻血，今早又流，右边鼻孔", "symptom:nosebleed", date(2026, 4, 15)),
        ("桃酥发情第三天了", "symptom:heat", date(2026, 4, 13)),
        ("桃酥月初喂了超可信，刚又滴了福来恩", "deworming:福来恩", date(2026, 4, 15)),
        ("桃酥前天起换成他克莫司了", "medication:他克莫司", date(2026, 4, 13)),
        ("桃酥卫佳五上周六打的", "vaccine:卫佳伍", date(2026, 4, 11)),
        ("桃酥today打了rabies", "vaccine:rabies", date(2026, 4, 15)),
        ("桃酥一个月再抽血复查", "schedule:抽血", date(2026, 5, 15)),
        ("刚带桃酥看完皮肤，大夫说是脓皮症", "condition:dermatitis", date(2026, 4, 15)),
    ],
)
def test_the_day_is_that_of_the_telling(text: str, slot: str, on: date) -> None:
    told = [claim.occurred_on for claim in claims(text) if claim.attribute == slot]
    assert on in told, [(claim.attribute, claim.occurred_on) for claim in claims(text)]


@pytest.mark.parametrize(
    ("text", "slot", "negated"),
    [
        ("桃酥大前天起流清鼻涕，昨天擦了十来回，今早倒一点没流了", "symptom:nasal_discharge", True),
        ("桃酥前天夜里开始吐，昨天吐了四回，今早能吃能玩了", "symptom:better", False),
        ("桃酥礼拜天夜里开始尿血，今儿早上这泡倒是黄的清亮了", "symptom:better", False),
        ("桃酥大前天起尿频，一天十来趟，今天好些了", "symptom:better", False),
    ],
)
def test_a_sign_that_got_better_is_told_as_such(text: str, slot: str, negated: bool) -> None:
    last = claims(text)[-1]
    assert (last.attribute, last.negated) == (slot, negated)
    assert last.occurred_on == NOW.date()


def test_what_is_in_it_is_no_sign_of_its_own() -> None:
    assert [claim.attribute for claim in claims("桃酥打喷嚏带出一点血丝")] == ["symptom:sneezing"]
    assert [claim.attribute for claim in claims("桃酥昨晚咳了几声像要吐又没吐出来")] == ["symptom:cough"]


def test_a_compared_weight_has_the_day_of_the_weighing() -> None:
    pets = (*PETS, PetProfile("q", "麻团", "dog"))
    told = extract(Utterance("麻团比桃酥轻两斤，桃酥前天称的十一斤", NOW, pets)).claims
    assert {claim.occurred_on for claim in told} == {date(2026, 4, 13)}
    assert [claim.value.get("number") for claim in told if claim.subject == "q"] == [None]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("桃酥卫佳捌两针都打完了 3.15一针 4.5一针", [date(2026, 3, 15), date(2026, 4, 5)]),
        ("桃酥的英特威四联打了两次 头次2.10 二次3.8", [date(2026, 2, 10), date(2026, 3, 8)]),
        ("桃酥三针都打齐了（最后一针4.2）", [date(2026, 4, 2)]),
        ("桃酥疫苗齐了 头针2.12 二针3.10", [date(2026, 2, 12), date(2026, 3, 10)]),
    ],
)
def test_each_jab_of_a_series_has_its_day(text: str, days: list[date]) -> None:
    assert [claim.occurred_on for claim in claims(text) if claim.attribute.startswith("vaccine:")] == days


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("桃酥一顿65克，得拌半包鲜封包，光干粮闻闻就走", ["diet.amount", "diet:鲜封包"]),
        ("桃酥每餐60克，上面必须盖点酸奶块", ["diet.amount", "diet:dairy"]),
        (
            "桃酥眼睛鼓出来了，让单独住一笼，跑轮先撤掉",
            ["symptom:眼睛鼓", "activity:restriction", "activity:跑轮"],
        ),
        (
            "桃酥流眼泪，粑粑串成串，牧草剩了一大把",
            ["symptom:eye_discharge", "symptom:stool_color", "symptom:appetite_loss"],
        ),
    ],
)
def test_each_thing_told_in_a_clause_of_its_own_is_kept(text: str, slots: list[str]) -> None:
    assert [claim.attribute for claim in claims(text)] == slots


def test_what_is_still_soft_is_not_denied_by_what_is_fine_before_it() -> None:
    assert [claim.negated for claim in claims("桃酥拉的头一截正常后半截还是稀")] == [False]


def test_a_sign_that_may_not_wait_is_kept_beside_others() -> None:
    told = [claim.attribute for claim in claims("桃酥今天一整天喘得厉害，牙龈发白，站都站不起来")]
    assert told == ["symptom:dyspnea", "symptom:mouth_problem", "symptom:limping"]


def test_a_shot_against_an_allergy_is_no_allergy() -> None:
    assert [claim.attribute for claim in claims("桃酥打了脱敏针")] == ["medication:脱敏针"]


def test_what_was_eaten_is_named_by_the_clause_before() -> None:
    [told] = claims("我儿子前天把巧克力掉地上一颗，桃酥捡着吃了")
    assert "巧克力" in told.content
    assert told.occurred_on == date(2026, 4, 13)


def test_what_is_forbidden_before_an_appointment_is_told_beside_it() -> None:
    told = claims("桃酥下个月5号做绝育，找外科的何院长，前一晚九点以后不能吃喝")
    assert [claim.attribute for claim in told] == ["schedule:绝育", "schedule:空腹"]
    told = claims("桃酥后天复查眼睛，当天别滴药")
    assert [claim.attribute for claim in told] == ["schedule:复查", "schedule:空腹"]


def test_a_weekday_before_an_hour_is_read_as_such() -> None:
    [told] = claims("桃酥约了这周六十点半复查")
    assert told.occurred_on == date(2026, 4, 18)
    assert told.value["time"] == "10:30"


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("桃酥后天去心脏科孙大夫那儿复查，出门前别喂早饭", "schedule:空腹"),
        ("桃酥在医院吊了几天水，今天才抱回家", "visit:infusion"),
        ("桃酥昨天傍晚叼走半根煮玉米，芯儿都嚼了", "symptom:ate_wrong"),
        ("桃酥拉了五六趟，水一样还带泡沫", "symptom:diarrhea"),
    ],
)
def test_what_is_told_in_passing_is_kept(text: str, slot: str) -> None:
    assert slot in [claim.attribute for claim in claims(text)]
