"""Tests of the program, letters in an animal's name and near misses tell nothing; a thing told once is one line."""

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


@pytest.mark.parametrize(
    "text",
    [
        "喂喂试音 小黑 公 三岁 七公斤 打过疫苗",
        "测测你记性：阿花，母，五斤，对虾过敏",
        "语音输入测试：桃酥昨天吐了三次",
        "看看能不能识别 二黑今年四岁 对鸡肉过敏",
        "小美 母 两岁 三公斤 已驱虫",
    ],
)
def test_a_test_of_the_program_tells_nothing(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "桃酥来信：亲爱的妈妈，我在幼儿园很好，就是想吃肉",
        "桃酥发来短信：汪汪（译：本大爷明天要去巴黎，机票报一下）",
        "尊敬的家长您好，您的孩子桃酥今天在校把同学的作业吃了",
        "替我回一下客户：您的狗今天吐了一次，已喂药",
        "帮我拟一则领养启事：黄狗，两岁，有心脏病要吃药",
        "再拆一次沙发我就把它挂咸鱼九块九包邮",
        "给桃酥报了个补习班，主攻随地大小便",
        "真想跟桃酥换一天，它上班我睡觉",
        "对对对，考试挂科也赖桃酥，房价涨了也是它干的",
        "纠结给不给桃酥买个保险，一年好几百呢",
        "你别一口一个家长地叫我（得得得爱叫啥叫啥）",
        "桃酥上周评上高级工程师了，研究方向是刨坑",
        "业主群说三期闹狗瘟 没了一窝流浪的",
        "桃酥下达罢工声明：零花钱拖欠三天，停止营业",
    ],
)
def test_what_is_only_played_at_tells_nothing(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("桃酥又拆沙发，真想把它挂闲鱼，对了它昨天拉稀两次", "symptom:diarrhea"),
        ("测试条测了，桃酥尿糖两个加号", "lab:尿糖"),
        ("桃酥差点从窗台摔下去，后腿蹭破了皮", "symptom:wound"),
        ("纠结要不要绝育，桃酥已经发情两回了", "symptom:heat"),
    ],
)
def test_a_fact_beside_a_jest_or_a_near_miss_stays(text: str, attribute: str) -> None:
    assert attribute in {claim.attribute for claim in claims(text)}


def test_an_ailment_before_a_jest_is_told_all_the_same() -> None:
    assert [claim.attribute for claim in claims("桃酥又吐床上了，明天就把它挂闲鱼")] == ["symptom:vomiting"]


@pytest.mark.parametrize(
    "text",
    [
        "刚准备给桃酥喂药，一看是过期的，没喂",
        "药片都递到桃酥嘴边了才发现是麻花的，好险没咽",
        "给桃酥打针看走眼了，针都快扎进去了才想起来是麻花",
    ],
)
def test_a_dose_that_stopped_short_was_not_given(text: str) -> None:
    assert claims(text, COUPLE) == []


@pytest.mark.parametrize(
    "text",
    [
        "卖豆腐的家里有只狗跟我家一个名，眼睛瞎了",
        "有条狗跟桃酥长一模一样，瘸了一条腿",
        "桃酥头回打狂犬是哪年哪月",
        "你那儿存没存桃酥打疫苗的日子",
        "断了条腿的狗还能跑不能",
        "美容店那边趴着只比熊，老板娘讲它心脏肥大天天吃药",
        "发小家的母狗下礼拜去做绝育，叫我陪着",
        "我二姨家那条也叫桃酥，它有哮喘，我家这个啥毛病没有",
        "你咋知道桃酥有关节炎的",
    ],
)
def test_others_animals_and_questions_about_what_is_known_tell_nothing(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("桃酥麻花上午一块儿打的狂犬，用的都是瑞比克", 2),
        ("桃酥晚饭拌一勺南瓜泥，没南瓜它理都不理", 1),
        ("桃酥眼皮肿得睁不开", 1),
        ("桃酥做过一回绦虫驱虫，药名忘了", 1),
        ("桃酥的补血针先没打，大夫说等血色素掉到七再打", 1),
        ("桃酥一闲下来就挠，后背的毛都挠秃了", 1),
        ("大夫说桃酥是牙结石，建议洗牙，约了下周三", 2),
        ("桃酥左眼老眯着，明早再看看", 1),
        ("桃酥咬了邻居的孩子，破了点皮", 1),
        ("桃酥晕车，一上车就流口水，开出去十分钟准吐", 1),
        ("桃酥今天打的六联，第二针", 1),
        ("桃酥昨天遛弯踩到碎玻璃", 1),
        ("桃酥把药瓶咬破了舔了好几口", 1),
        ("桃酥发情嚎到第四天了", 1),
        ("早上跟你讲桃酥吃冠能，讲岔了，是伯纳天纯", 1),
        ("桃酥怕吸尘器，声音一响就炸毛", 1),
        ("每周三给桃酥梳毛，这日子提醒我一声", 1),
        ("大夫说桃酥鼻泪管堵了，得冲洗，排到下周二下午", 2),
        ("桃酥隔几分钟甩一回头，半夜都能把我甩醒", 1),
        ("桃酥年轻时耳道动过刀，那会儿也就三岁", 1),
        ("羊奶就桃酥碰不得，它喝完浑身起小包", 1),
        ("前些天说桃酥吃的是皇家，其实是渴望", 1),
        ("遛狗的大姐说桃酥胯骨可能有问题，还没顾上去拍片", 1),
        ("桃酥对奶制品不过敏，从来都没有过", 1),
        ("我丈母娘说桃酥好像干呕了，说不准是在啃草", 1),
    ],
)
def test_what_completes_a_claim_is_no_second_line(text: str, lines: int) -> None:
    told = claims(text, COUPLE if "麻花" in text else PETS)
    assert len(told) == lines, [claim.content for claim in told]


def test_the_owners_rash_is_not_the_pets() -> None:
    assert {claim.subject for claim in claims("我对海鲜过敏，一吃就起疹子")} == {"owner"}


def test_a_pill_from_the_floor_was_eaten() -> None:
    assert [(claim.subject, claim.attribute) for claim in claims("药片掉地上被桃酥吃了")] == [
        ("p", "symptom:ate_wrong")
    ]


def test_a_likeness_is_no_allergy() -> None:
    attributes = {claim.attribute for claim in claims("桃酥吃了俩虾仁，脸肿得跟猪头似的，打了一针才消")}
    assert "allergy:pork" not in attributes
    assert not any(attribute.startswith("vaccine") for attribute in attributes)


def test_of_two_illnesses_that_were_not_found_none_is_there() -> None:
    told = claims("桃酥做了皮屑镜检，真菌螨虫都没看着")
    assert told
    assert all(claim.negated for claim in told)


def test_two_different_jabs_stay_two() -> None:
    assert len(claims("桃酥打了狂犬，还打了六联")) == 2
