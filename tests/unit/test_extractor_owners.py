"""What owners tell of themselves in passing: trade, wishes for answers, rounds, money, trips, home, clinic."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))  # a Wednesday
ALONE = (PetProfile("p", "桃酥", "dog"),)


def told(text: str) -> list[tuple[str | None, str]]:
    """Who and which slot."""
    return [(claim.subject, claim.attribute) for claim in extract(Utterance(text, NOW, ALONE)).claims]


@pytest.mark.parametrize(
    "text",
    [
        "我跑长途货运的没工夫看",
        "我幼师",
        "我学药理的研究生",
        "我七十二了",
        "我自己在诊所当前台",
        "我是聋人",
        "我做项目经理做出职业病了",
    ],
)
def test_owners_say_what_they_are(text: str) -> None:
    assert told(text) == [("owner", "owner.life")]


@pytest.mark.parametrize(
    "text",
    [
        "回复能不能短一点",
        "以后少用那些叹号跟波浪号",
        "麻烦以后列一二三点",
        "跟我说话别绕",
        "专业词随便用",
        "回答别超三行哈",
    ],
)
def test_owners_say_how_to_answer(text: str) -> None:
    assert told(text) == [("owner", "preference.reply_style")]


@pytest.mark.parametrize(
    "text",
    [
        "我礼拜三礼拜五要值夜班",
        "逢单号我上晚班",
        "周五我固定去庙里做义工",
        "二四六接送孩子上补习班",
        "我逢周一周四上老年大学",
    ],
)
def test_owners_tell_of_the_days_that_come_round(text: str) -> None:
    assert told(text) == [("owner", "owner.timetable")]


@pytest.mark.parametrize(
    "text",
    [
        "我每天抱上抱下",
        "我又扒开毛看的",
        "调到几档才不会烫着",
        "请用三句话总结我们刚才的对话",
        "麻烦每天叫我",
        "原先那个座机拆了",
    ],
)
def test_what_is_done_asked_or_gone_tells_nothing_of_the_owner(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "一次花费上千的话得我老公点头",
        "八百块是我的上限",
        "粮别推太贵的，一斤四十块以内的就行",
        "治病一次过五百你拦着我点",
    ],
)
def test_a_limit_of_cost_is_one_wish(text: str) -> None:
    assert told(text) == [("owner", "preference.budget")]


@pytest.mark.parametrize(
    "text", ["公司派我去越南仨月，5月20号走", "过年我们回四川待十二天", "12月8号到15号我在外地跑展会"]
)
def test_a_journey_is_told_whatever_its_verb(text: str) -> None:
    assert told(text) == [("owner", "owner.timetable")]


@pytest.mark.parametrize(
    "text",
    [
        "刚调到青岛工作，还没找固定医院，暂时去台东那家",
        "不在浦西住了，过江到三林了，打针就近在三林那个连锁店",
        "退休回乡下住了，城里医院够不着，有毛病就找镇上兽医站老周",
    ],
)
def test_a_move_changes_the_clinic_too(text: str) -> None:
    assert told(text) == [("owner", "owner.residence"), ("owner", "preference.clinic")]


def test_what_follows_the_owners_own_allergy_is_the_owners() -> None:
    slots = told("我对狗口水过敏，一舔就起疹子，洗澡我儿子来")
    assert {subject for subject, _ in slots} == {"owner"}
    assert ("owner", "owner.household") in slots


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("跟我说话少用专业词儿 我开出租的 英文缩写一个看不懂", "owner.life"),
        ("周三周五我得接娃放学，别在那两天傍晚喊我", "owner.timetable"),
        ("我5月3号进剧组待两礼拜", "owner.timetable"),
        ("以后推荐东西先捡便宜的说", "preference.order_of_advice"),
        ("搬家了，我们现在住余杭", "owner.residence"),
    ],
)
def test_more_that_owners_tell_of_themselves(text: str, slot: str) -> None:
    assert slot in {attribute for subject, attribute in told(text) if subject == "owner"}


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("我鼻炎闻不得猫毛，一闻就犯，梳毛是我妹在负责", ["owner.life", "owner.household"]),
        ("每周六上午我陪娃上课，周日下午也占着，约时间绕开这两段", ["owner.timetable"]),
        ("我教小学语文", ["owner.life"]),
        ("往后有啥说啥别拐弯", ["preference.reply_style"]),
        ("我闺女有哮喘", ["owner.life"]),
    ],
)
def test_nothing_of_the_owner_is_told_of_the_pet(text: str, slots: list[str]) -> None:
    assert told(text) == [("owner", slot) for slot in slots]
