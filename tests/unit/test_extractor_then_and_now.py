"""Past against present, what was changed, one fear set apart, and what somebody else saw; each in several wordings."""

from datetime import date, datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance
from memory.claims import Claim
from memory.vocabulary import Certainty

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
ONE = (PetProfile("p", "桃酥", "dog"),)


def told(text: str) -> list[Claim]:
    return list(extract(Utterance(text, NOW, ONE)).claims)


def _holds(text: str, words: str, negated: bool) -> list[Claim]:
    return [claim for claim in told(text) if words in claim.content and claim.negated is negated]


@pytest.mark.parametrize(
    ("text", "changed", "gone"),
    [
        ("桃酥使铁盆那阵子下巴痘痘没断过，换成搪瓷碗以后再没长过", "搪瓷碗", "痘痘"),
        ("去年用塑料碗那会儿桃酥下巴总长黑粉刺，换成不锈钢的以后再没冒过", "不锈钢", "粉刺"),
        ("早几年桃酥睡旧纸箱老打喷嚏，换了藤编窝就再没打过", "藤编窝", "打喷嚏"),
        ("桃酥小时候啃牛皮骨老噎着，现在改啃鹿角，一回没噎过", "鹿角", "噎"),
        ("桃酥以前啃骨头动不动牙龈出血，今年改嚼红薯干，一次没再出过", "红薯干", "牙龈出血"),
    ],
)
def test_what_was_changed_and_the_sign_that_it_ended_are_two_facts(text: str, changed: str, gone: str) -> None:
    assert _holds(text, changed, negated=False)
    assert _holds(text, gone, negated=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("桃酥刚带回来时看见别的狗就发抖，现在公园里谁凑过来都不怕", "不怕"),
        ("桃酥刚领回家那阵听见门铃就躲，如今快递员敲门都不躲了", "不躲"),
        ("国庆到现在桃酥一回尿都没漏过", "没漏过"),
        ("入冬到现在桃酥一声都没咳过", "没咳过"),
        ("桃酥去年还护食，今年把手伸碗里都没事", "都没事"),
        ("桃酥打小就怕坐车，现在上车自己跳上去趴好", "怕坐车"),
        ("桃酥自打做完手术就没瘸过", "没瘸过"),
        ("桃酥绝育后再没乱尿过", "没乱尿过"),
    ],
)
def test_what_is_over_is_stored_as_over(text: str, words: str) -> None:
    assert _holds(text, words, negated=True)


def test_a_fear_that_is_still_there_is_not_outgrown() -> None:
    assert not [claim for claim in told("桃酥打小就怕打雷，现在也怕") if claim.negated]


def test_an_intolerance_that_is_asked_of_is_not_denied() -> None:
    claims = [
        (claim.attribute, claim.negated, claim.certainty) for claim in told("桃酥对鸭蛋是不是不耐受呢，吃完吐了一回")
    ]
    assert ("allergy:egg", True, Certainty.HEDGED) not in claims
    assert any(attribute == "allergy:egg" and not negated for attribute, negated, _ in claims)


def test_a_medicine_since_which_something_is_no_longer_needed_is_given() -> None:
    claims = {(claim.attribute, claim.negated) for claim in told("桃酥用上丙醇胺之后床单终于不用天天洗了")}
    assert claims == {("medication:丙醇胺", False)}


@pytest.mark.parametrize(
    ("text", "feared"),
    [
        ("除了吹风机桃酥什么都没怕过", "吹风机"),
        ("桃酥除了洗澡压根没怕过啥", "洗澡"),
        ("桃酥没怵过什么，就怵扫地机", "扫地机"),
    ],
)
def test_the_one_thing_that_is_feared_is_the_only_fear(text: str, feared: str) -> None:
    claims = [(claim.attribute, claim.negated) for claim in told(text)]
    assert claims == [(f"behavior:fear:{feared}", False)]


@pytest.mark.parametrize(
    "text",
    [
        "桃酥大概受不了山羊奶？喝完一晚上肚子直叫",
        "桃酥怕是消化不了牛奶？喝完放了一晚上屁",
        "桃酥是不是扛不住三文鱼啊，吃完拉了两回",
    ],
)
def test_a_food_that_it_may_not_bear_is_kept_as_a_doubt(text: str) -> None:
    claims = [claim for claim in told(text) if claim.attribute == "symptom:intolerance"]
    assert [claim.certainty for claim in claims] == [Certainty.HEDGED]


def test_a_picture_with_a_suspicion_is_heard_of_and_a_mere_picture_is_not() -> None:
    heard = told("训犬师说桃酥跑起来后腿并着像袋鼠跳怀疑胯不大好")
    assert [(claim.attribute, claim.certainty) for claim in heard] == [("symptom:limping", Certainty.HEARSAY)]
    assert told("保洁阿姨说桃酥走路像个小老头") == []


@pytest.mark.parametrize(
    ("text", "first", "now"),
    [
        ("桃酥抱回来头一天才两斤三两，今早称都二十斤了", 2.3, 20),
        ("桃酥刚捡来那天就八两，今天上秤六斤二了", 0.8, 6.2),
        ("桃酥到家时才七百克，今天都四公斤一了", 700, 4.1),
    ],
)
def test_the_weight_of_the_first_day_is_none_of_today(text: str, first: float, now: float) -> None:
    weights = [(claim.value["number"], claim.occurred_on) for claim in told(text) if claim.attribute == "weight"]
    assert weights == [(first, None), (now, date(2026, 4, 15))]


@pytest.mark.parametrize("text", ["寄养店老板说桃酥昨晚吐了两回", "洗澡店的人讲桃酥昨晚吐了两回"])
def test_where_the_one_who_tells_it_works_is_no_part_of_it(text: str) -> None:
    assert [claim.attribute for claim in told(text)] == ["symptom:vomiting"]
