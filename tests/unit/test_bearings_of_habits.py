"""What became of a known way of living: trained away, done elsewhere from now on, or only wished otherwise."""

from datetime import datetime

import pytest

from domain.attributes import spec_of
from domain.habit_places import done_elsewhere
from domain.near_dangers import held_back
from domain.offline.extractor import extract
from domain.pet_profiles import KnownFact, PetProfile, Utterance
from memory.claims import Claim
from memory.items import MemoryItem
from memory.vocabulary import Certainty, SpeechAct

NOW = datetime.fromisoformat("2026-06-01T20:00:00+08:00")
DOG = PetProfile("dog", "栗子", "dog")
THUNDER = KnownFact("dog", "behavior:fear:打雷", "栗子怕打雷，一打雷就钻床底")
SOFA = KnownFact("dog", "behavior:destroying", "栗子抓沙发")
LEAD = KnownFact("dog", "behavior:habit", "栗子出门爆冲")
SWEETS = KnownFact("dog", "condition:diabetes", "栗子糖尿病，禁甜食")


def told(known: KnownFact, text: str) -> list[Claim]:
    return list(extract(Utterance(text=text, now=NOW, pets=[DOG], known=[known])).claims)


def served(known: KnownFact, text: str) -> list[Claim]:
    spec = spec_of(known.attribute)
    row = MemoryItem(
        household_id="home",
        owner_id="owner",
        subject=known.subject,
        attribute=known.attribute,
        content=known.content,
        attribute_class=spec.attribute_class.value,
        topic=spec.topic.value,
        risk=spec.risk.value,
    )
    return held_back(told(known, text), [row], {"dog": ("栗子",)})


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (THUNDER, "脱敏做了俩月，栗子现在打雷照睡，回回都这样"),
        (THUNDER, "栗子打雷这关过了，连着三场雷雨都趴窝里打呼"),
        (THUNDER, "栗子如今听见打雷眼皮都不抬，习惯了"),
        (SOFA, "自从装了抓柱栗子再没挠过沙发"),
        (SOFA, "栗子抓沙发的毛病改了"),
        (LEAD, "报了训练班，栗子现在随行特别稳"),
        (LEAD, "栗子出门不冲了，练了两个月"),
    ],
)
def test_a_failing_that_was_trained_away_is_over(known: KnownFact, text: str) -> None:
    assert [(claim.attribute, claim.negated, claim.act) for claim in told(known, text)] == [
        (known.attribute, True, SpeechAct.STATEMENT)
    ]


@pytest.mark.parametrize(
    "text",
    ["打雷没以前那么怕了，不过栗子还是会躲", "栗子要是不怕打雷就好了", "邻居家的狗练了俩月，打雷一点都不怕"],
)
def test_a_failing_that_is_only_better_or_wished_away_is_not_over(text: str) -> None:
    assert not any(claim.negated and claim.act is SpeechAct.STATEMENT for claim in told(THUNDER, text))


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("栗子睡在客厅狗窝", "栗子这阵子夜里都上我床睡"),
        ("栗子在阳台尿垫上厕所", "栗子学会憋着出门尿了，尿垫全撤了"),
        ("栗子在阳台上厕所", "栗子现在大小便都去小区树底下"),
        ("栗子用塑料碗喝水", "栗子喝水升级成饮水机了"),
        ("栗子用塑料饭盆", "栗子开始用慢食碗吃饭了"),
        ("栗子出门坐猫包", "栗子太沉了，出门都用推车推"),
        ("栗子在店里洗澡", "店里涨价，现在都是我自己洗"),
    ],
)
def test_another_place_or_thing_for_the_same_doing_is_a_change(known: str, said: str) -> None:
    assert done_elsewhere(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("栗子睡在客厅狗窝", "栗子昨晚睡沙发上了"),
        ("栗子睡在客厅狗窝", "栗子最近睡得特别多"),
        ("栗子睡在客厅狗窝", "栗子还是睡它的狗窝，床不上"),
        ("栗子在阳台尿垫上厕所", "栗子偶尔去草地尿"),
        ("栗子用塑料碗喝水", "栗子最近喝水多"),
    ],
)
def test_once_at_times_and_still_so_are_no_change(known: str, said: str) -> None:
    assert not done_elsewhere(known, said)


@pytest.mark.parametrize(
    "text",
    [
        "栗子血糖这么稳，吃口蛋糕庆祝庆祝也无妨哈",
        "栗子也该有根猫条当过年红包",
        "牛奶布丁来两勺补补呗，栗子都馋了",
        "栗子表现这么棒值得一顿大餐，红烧排骨安排",
        "栗子过生日，给它尝尝奶油总行吧",
    ],
)
def test_a_treat_that_is_only_wished_never_stands_beside_what_forbids_it(text: str) -> None:
    claims = [claim for claim in served(SWEETS, text) if not claim.attribute.startswith("symptom")]
    assert {(claim.attribute, claim.negated) for claim in claims} <= {(SWEETS.attribute, True)}


@pytest.mark.parametrize("text", ["栗子昨天偷吃了一块饼干", "栗子每天吃一勺南瓜", "栗子现在能自己吃饭了"])
def test_what_it_had_or_gets_every_day_is_news(text: str) -> None:
    claims = served(SWEETS, text)
    assert claims
    assert not any(claim.attribute == SWEETS.attribute for claim in claims)


SHOT = KnownFact("dog", "vaccine:猫三联", "栗子2026年5月2日打了猫三联第二针")
PILL = KnownFact("dog", "medication:phenobarbital", "栗子每天两次苯巴比妥30mg")
MEALS = KnownFact("dog", "diet.amount", "栗子一天两顿，每顿180克")
PHONE = KnownFact("owner", "contact.phone", "主人：手机尾号3302")
RECHECK = KnownFact("dog", "schedule:洗牙", "栗子洗牙改到24号上午")


@pytest.mark.parametrize("text", ["第三针搞定", "栗子第三针也搞定啦", "栗子第三针收工", "加强针拿下"])
def test_a_shot_is_done_in_many_words(text: str) -> None:
    assert any(claim.attribute.startswith("vaccine:") and not claim.negated for claim in told(SHOT, text))


@pytest.mark.parametrize(
    ("known", "text", "act"),
    [
        (MEALS, "最后还是决定喂一顿，320克", SpeechAct.DECISION),
        (MEALS, "最后还是喂三顿，各120克", SpeechAct.DECISION),
        (MEALS, "想来想去还是每顿喂200克", SpeechAct.DECISION),
        (PHONE, "3302停机了，打7745找我", SpeechAct.DECISION),
        (PHONE, "3302那张卡丢了，有事联系7745", SpeechAct.DECISION),
    ],
)
def test_figures_alone_tell_what_is_so_now(known: KnownFact, text: str, act: SpeechAct) -> None:
    claims = [claim for claim in told(known, text) if claim.attribute == known.attribute]
    assert [(claim.act, claim.negated) for claim in claims] == [(act, False)]


def test_the_day_of_an_appointment_stands_for_it() -> None:
    (claim,) = told(RECHECK, "24号我可能去不了，单位要开会")
    assert (claim.attribute, claim.negated) == (RECHECK.attribute, True)


@pytest.mark.parametrize("text", ["栗子是不是可以少吃一顿药了", "栗子可以少吃一顿药了吧哈哈", "能不能停一天药庆祝庆祝"])
def test_a_dose_that_one_would_like_to_leave_out_is_a_doubt(text: str) -> None:
    (claim,) = told(PILL, text)
    assert (claim.attribute, claim.negated) == (PILL.attribute, True)


def test_a_dose_that_was_left_out_is_a_happening() -> None:
    assert not any(claim.attribute == PILL.attribute for claim in told(PILL, "栗子昨晚少吃了一顿药"))


@pytest.mark.parametrize("text", ["磷正常", "钠钾比正常了", "白蛋白回来了", "电解质都正常"])
def test_a_value_of_the_blood_is_kept_without_a_name(text: str) -> None:
    assert told(KnownFact("dog", "condition:ckd", "栗子慢性肾病2期"), text)


@pytest.mark.parametrize("text", ["大夫交代改用慢食碗，今天起就用上了", "遵医嘱从今晚开始垫高饭碗"])
def test_what_the_vet_asked_for_and_is_done_is_kept_without_a_name(text: str) -> None:
    (claim,) = told(KnownFact("dog", "symptom:vomiting", "栗子呕吐"), text)
    assert claim.content == f"栗子{text}"


NEUTERED = KnownFact("dog", "neutered", "栗子已绝育")


@pytest.mark.parametrize("text", ["栗子肚子越来越圆，难道是揣崽了", "栗子不会是揣上了吧", "栗子该不会要当妈了"])
def test_young_of_a_neutered_one_are_a_doubt(text: str) -> None:
    claims = [claim for claim in told(NEUTERED, text) if claim.attribute == "neutered"]
    assert [(claim.negated, claim.act) for claim in claims] == [(True, SpeechAct.OBSERVATION)]


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("栗子用膨润土猫砂", "膨润土带得满屋都是，给栗子上了豆腐砂"),
        ("栗子用普通猫砂盆", "给栗子上了自动猫砂盆，旧盆扔了"),
        ("栗子用牛皮牵引绳", "牵引绳断了，栗子新的是尼龙的"),
        ("栗子出门戴项圈", "栗子现在出门都穿胸背带"),
        ("栗子梳毛用针梳", "针梳扎肉，给栗子换了排梳"),
        ("栗子睡棉垫", "棉垫收了，栗子睡凉席"),
    ],
)
def test_one_thing_takes_the_place_of_another_of_its_kind(known: str, said: str) -> None:
    assert done_elsewhere(known, said)


WALK = KnownFact("dog", "activity:walk", "栗子改晚饭后遛")


def test_a_limit_told_a_clause_earlier_goes_with_the_habit() -> None:
    (claim,) = [claim for claim in told(WALK, "周末不赖床，还是早上六点遛") if claim.attribute == WALK.attribute]
    assert claim.content.endswith("周末不赖床，还是早上六点遛")


STAPLE = KnownFact("dog", "diet.staple_food", "栗子换成了麦富迪")
LITTER = KnownFact("dog", "other:litter", "栗子用豆腐砂")
STYLE = KnownFact("owner", "preference.reply_style", "主人：回答要分点列出来")
FILM = KnownFact("dog", "other:remark", "栗子7月4日11:00拍髋关节片")


@pytest.mark.parametrize(
    "text",
    ["两顿太折腾，想着要不一天喂一顿，先观望", "一天两顿是不是多了，想着减成一顿，再看看", "可能要改三顿，先观望"],
)
def test_what_wavers_anywhere_is_in_doubt(text: str) -> None:
    claims = [claim for claim in told(MEALS, text) if claim.attribute == MEALS.attribute]
    assert all(claim.certainty is not Certainty.PLAIN for claim in claims)


def test_food_left_as_it_was_is_no_lost_appetite() -> None:
    assert not any(claim.attribute.startswith("symptom") for claim in told(STAPLE, "栗子粮食没动，吃麦富迪"))
    assert any(claim.attribute.startswith("symptom") for claim in told(STAPLE, "栗子今天粮没动"))


def test_what_is_said_of_the_old_litter_is_not_the_new_one() -> None:
    (claim,) = told(LITTER, "给栗子改用木薯砂啦，豆腐砂梅雨天老发霉")
    assert claim.value["name"] == "木薯"


@pytest.mark.parametrize(
    "text", ["往后都写成一整段话吧，一条条的看着累", "以后说话带点例子", "今后回答先说重点", "从今往后都用大白话说"]
)
def test_a_wish_for_good_changes_how_to_answer(text: str) -> None:
    claims = [claim for claim in told(STYLE, text) if claim.attribute == STYLE.attribute]
    assert [claim.act for claim in claims] == [SpeechAct.DECISION]


def test_the_new_day_of_what_was_put_off_stands_in_the_next_clause() -> None:
    (claim,) = told(FILM, "拍片改期，18号下午四点")
    assert (claim.attribute, str(claim.occurred_on)) == (FILM.attribute, "2026-07-18")


@pytest.mark.parametrize(
    ("text", "food"),
    [
        ("栗子出院一百天，炸鸡皮安排一小条，嘿嘿嘿", "鸡皮"),
        ("月饼走起，栗子今天也过节哈哈", "月饼"),
        ("栗子破戒一天，蛋糕伺候～", "蛋糕"),
    ],
)
def test_food_named_with_a_laugh_is_only_wished(text: str, food: str) -> None:
    claims = [claim for claim in served(SWEETS, text) if food in claim.content]
    assert {(claim.attribute, claim.negated) for claim in claims} <= {(SWEETS.attribute, True)}


def test_still_one_of_something_every_evening_is_no_choice() -> None:
    (claim,) = told(STAPLE, "栗子每晚还是一根猫条")
    assert claim.attribute.startswith("diet")


def test_the_food_that_was_given_away_is_not_the_new_one() -> None:
    known = KnownFact("dog", "diet.staple_food", "栗子主粮是素力高")
    claims = told(known, "栗子现在干粮吃的是滋益巅峰，素力高送人了")
    assert [claim.value["food"] for claim in claims if claim.attribute == known.attribute] == ["滋益巅峰"]


def test_what_is_wished_instead_goes_with_the_wish() -> None:
    claims = [claim for claim in told(STYLE, "以后不用分点，说大概就成") if claim.attribute == STYLE.attribute]
    assert [claim.evidence.quote for claim in claims] == ["以后不用分点，说大概就成"]
