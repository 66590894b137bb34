"""An emergency in what an owner writes is found first; what only sounds like one is left alone."""

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from domain.knowledge.red_flags import load_red_flags
from domain.knowledge.strict_yaml import load_yaml
from domain.knowledge.toxins import load_toxins
from domain.pet_profiles import PetProfile
from domain.triage import Level, triage
from domain.triage.advice import advise_on_flag, advise_on_poison
from domain.triage.poison_matcher import Poisoning, find_poisonings
from domain.triage.red_flag_matcher import find_red_flags

KNOWLEDGE = Path(__file__).parent.parent / "knowledge"
DOG = PetProfile("d", "阿福", "dog", sex="male")
CAT = PetProfile("c", "米粒", "cat", sex="male")
RABBIT = PetProfile("r", "雪团", "other", species_name="兔子")
HOME = (DOG, CAT, RABBIT)
AT_LEAST = {"emergency": 3, "at_least_within_24h": 2}
RANK = {"observe": 1, "within_24h": 2, "emergency": 3}

FLAG_POSITIVES = [(flag.id, text) for flag in load_red_flags().flags for text in flag.must_fire]
FLAG_NEGATIVES = [(flag.id, text) for flag in load_red_flags().flags for text in flag.must_not_fire]


@pytest.mark.parametrize(("flag_id", "text"), FLAG_POSITIVES)
def test_every_example_of_a_red_flag_fires_it(flag_id: str, text: str) -> None:
    assert flag_id in {flag.id for flag in find_red_flags(text)}


@pytest.mark.parametrize(("flag_id", "text"), FLAG_NEGATIVES)
def test_no_counterexample_of_a_red_flag_fires_it(flag_id: str, text: str) -> None:
    assert flag_id not in {flag.id for flag in find_red_flags(text)}


def collected(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = load_yaml(name, (KNOWLEDGE / name).read_text(encoding="utf-8"))["regression"]
    return rows


def test_the_collected_sentences_get_the_urgency_that_a_vet_gave_them() -> None:
    rows = load_yaml("redflags_regression.yaml", (KNOWLEDGE / "redflags_regression.yaml").read_text(encoding="utf-8"))[
        "regression"
    ]
    wrong = []
    for row in rows:
        flags = [flag for flag in find_red_flags(row["text"]) if row["species"] in flag.species]
        highest = max((RANK[flag.urgency] for flag in flags), default=0)
        right = highest <= 1 if row["expect"] == "at_most_observe" else highest >= AT_LEAST[row["expect"]]
        wrong += [] if right else [row["text"]]
    assert wrong == []


def test_the_collected_poison_sentences_get_their_scene() -> None:
    rows = load_yaml("toxins_regression.yaml", (KNOWLEDGE / "toxins_regression.yaml").read_text(encoding="utf-8"))[
        "regression"
    ]
    wrong = []
    for row in rows:
        eaten = {
            found.toxin.id
            for found in find_poisonings(row["text"], species=row["species"])
            if found.scene == "exposure"
        }
        right = row["id"] in eaten if row["scene"] == "exposure" else not eaten
        wrong += [] if right else [row["text"]]
    assert wrong == []


EMERGENCIES = [
    "米粒一晚上跑了七八趟猫砂盆，挤都挤不出来",
    "米粒弓着身子在砂盆里用力，惨叫",
    "阿福突然侧躺着四条腿乱划，嘴边全是沫",
    "米粒张着嘴喘，肚子起伏好快",
    "阿福晚饭后肚子鼓成球，干呕吐不出东西",
    "阿福把我的布洛芬嚼了三颗",
    "米粒啃了花瓶里的百合叶子",
    "把狗用的驱虫滴剂滴到米粒身上了，它现在一直抖",
    "阿福被电动车轧了，站不起来",
    "米粒从十楼阳台摔下去了",
    "雪团从昨天晚上到现在一口草都没吃，也没拉",
    "阿福量了肛温41.3度",
    "阿福把一整包葡萄干吃光了",
    "米粒舔了地板上的防冻液",
    "刚才邻居家的狗咬住阿福脖子甩，好几个洞",
    "朋友家的狗抽搐了，怎么办",
]
CALM = [
    "阿福没有抽搐过",
    "米粒去年尿闭过，后来换了粮再没犯",
    "怎么预防猫尿闭",
    "公猫容易尿闭吗",
    "公猫是不是容易尿闭",
    "咪咪拍片左前腿骨折，打了石膏，六周后拆",
    "被狗咬伤了，缝了五针，没伤到骨头",
    "是公的还是母的比较容易尿闭",
    "为什么老猫更容易抽搐",
    "狗狗中暑有哪些表现",
    "同事家的猫从楼上摔下去了，好惨",
    "公园里看到一只狗抽搐",
    "狗能吃巧克力吗",
    "听说猫碰百合会死，是真的吗",
    "阿福差点吃了巧克力，被我抢走了",
    "我自己头疼，吃了布洛芬",
    "我中暑了，今天没力气遛狗",
    "阿福是巧克力色的拉布拉多",
    "阿福今天精神特别好，吃了一大碗",
    "看剧里那只狗死了，我哭惨了",
    "洗澡水41度会不会太烫",
    "要是阿福误食了药该怎么急救",
    "米粒不抽搐了，都三个月没发作",
    "早上给米粒打了胰岛素",
    "雪团今天吃草吃得香，粑粑又大又圆",
    "之前骨折恢复得怎么样了",
]


EATEN_OF_WHAT_IS_FORBIDDEN = [
    f"{named}，{eaten}"
    for named in ("巧克力对狗有毒", "葡萄不能给狗吃", "洋葱能吃吗", "都知道木糖醇对狗致命", "桌上放了一盒巧克力")
    for eaten in (
        "它刚吃了一块",
        "阿福偷吃了三颗",
        "被它啃了几口",
        "阿福吃了现在吐",
        "全进阿福肚子了",
        "回来发现少了半盒",
    )
]
NONE_OF_IT_EATEN = [
    "巧克力有毒吗，阿福今天吃了两顿",
    "洋葱不让它吃，它会吃了就吐吗",
    "别给它吃葡萄，万一吃了怎么办",
    "邻居说葡萄有毒，他家狗吃了三颗",
    "葡萄有毒我知道，阿福一颗都没吃",
    "巧克力有毒，我自己吃了一块",
    "百合有毒，我家有一盆，米粒没碰过",
    "巧克力有毒，我从来不给阿福吃",
]
NAMED_LIKE_A_POISON = ["可乐对牛肉过敏，吃了浑身痒", "我家金毛叫可乐，吃了就拉", "咖啡3岁了，今天吃了两顿"]


@pytest.mark.parametrize("text", EATEN_OF_WHAT_IS_FORBIDDEN)
def test_what_was_called_poison_and_then_eaten_is_an_emergency(text: str) -> None:
    assert triage(text, [DOG])[0].level == "emergency"


@pytest.mark.parametrize("text", NONE_OF_IT_EATEN)
def test_a_warning_of_a_poison_alone_is_none(text: str) -> None:
    assert triage(text, HOME) == ()


@pytest.mark.parametrize("text", NAMED_LIKE_A_POISON)
def test_an_animal_that_nobody_added_may_be_called_like_a_poison(text: str) -> None:
    assert triage(text) == ()


@pytest.mark.parametrize("text", EMERGENCIES)
def test_an_emergency_comes_first(text: str) -> None:
    assert triage(text, HOME)[0].level == "emergency"


@pytest.mark.parametrize("text", CALM)
def test_what_only_sounds_like_one_raises_no_alarm(text: str) -> None:
    assert [alert for alert in triage(text, HOME) if alert.level != "watch"] == []


def test_the_advice_names_pet_sign_urgency_and_what_to_do() -> None:
    alert = triage("米粒一直蹲砂盆尿不出来", HOME)[0]
    assert (alert.pet_id, alert.rule_id) == ("c", "flag:urethral_obstruction")
    for words in ("米粒", "尿闭", "急症", "24小时动物医院"):
        assert words in alert.advice


def test_a_named_poison_replaces_the_general_suspicion() -> None:
    rules = [alert.rule_id for alert in triage("阿福偷吃了一板巧克力", HOME)]
    assert rules == ["toxin:chocolate"]


AGES: list[tuple[str, date | None, Level]] = [
    ("拉稀了", date(2026, 9, 1), "urgent"),
    ("拉稀了", date(2020, 9, 1), "watch"),
    ("拉稀了", None, "watch"),
    ("一直吐，喝水也吐", date(2026, 9, 1), "emergency"),
    ("一直吐，喝水也吐", date(2020, 9, 1), "urgent"),
]


@pytest.mark.parametrize(("text", "born_on", "level"), AGES)
def test_the_young_are_a_step_more_urgent(text: str, born_on: date | None, level: Level) -> None:
    pet = PetProfile("p", "果冻", "dog", born_on=born_on)
    assert triage(f"果冻{text}", [pet], today=date(2026, 11, 29))[0].level == level


def test_a_caller_that_knows_who_is_young_says_so() -> None:
    pet = PetProfile("p", "果冻", "dog")
    assert triage("果冻拉稀了", [pet])[0].level == "watch"
    assert triage("果冻拉稀了", [pet], young=["p"])[0].level == "urgent"


def test_lethargy_makes_diarrhoea_urgent() -> None:
    levels = {alert.rule_id: alert.level for alert in triage("阿福拉肚子，没精神", HOME)}
    assert levels["flag:diarrhea"] == "urgent"


def test_a_sign_of_another_species_is_not_raised_for_this_one() -> None:
    assert not any(alert.rule_id.startswith("flag:rabbit") for alert in triage("阿福今天没拉粑粑", HOME))


def test_the_pet_of_the_talk_is_meant_when_none_is_named() -> None:
    assert triage("突然抽搐了", HOME, focus_pet_id="c")[0].pet_id == "c"
    assert triage("突然抽搐了", HOME)[0].pet_id is None


def test_a_pet_called_like_a_poison_is_not_poisoned_by_its_name() -> None:
    cola = PetProfile("k", "可乐", "dog")
    assert triage("可乐喝了好多水", [cola]) == ()
    assert triage("可乐偷喝了我的可乐", [cola])[0].rule_id == "toxin:caffeine_low"


def test_traditional_and_full_width_text_is_understood() -> None:
    assert triage("豆豆誤食了巧克力，嘔吐不停", [PetProfile("x", "豆豆", "dog")])[0].level == "emergency"


def test_spaces_instead_of_commas_are_understood() -> None:
    assert triage("阿福还能吃饭 刚才吃了老鼠药", HOME)[0].level == "emergency"


FEW_VOMITS = ["阿福今天吐了一次", "米粒昨晚吐了2回", "阿福一天吐两次，吃喝都正常", "米粒吐了一团毛，没别的"]
MANY_VOMITS = ["阿福今天吐了三次", "米粒昨天吐了四五回", "阿福又吐了，今天第三次", "米粒反复吐", "阿福吐了一整天"]


@pytest.mark.parametrize("text", FEW_VOMITS)
def test_one_or_two_vomits_are_watched_at_home(text: str) -> None:
    assert {alert.level for alert in triage(text, HOME)} <= {"watch"}


@pytest.mark.parametrize("text", MANY_VOMITS)
def test_three_vomits_or_one_after_the_other_are_urgent(text: str) -> None:
    assert [alert.level for alert in triage(text, HOME)] == ["urgent"]


def test_a_young_animal_that_vomits_once_is_seen_within_a_day() -> None:
    assert triage("果冻吐了一次", [PetProfile("p", "果冻", "dog")], young=["p"])[0].level == "urgent"


ONE_HAPPENING = [
    ("米粒张着嘴喘，舌头都紫了", "emergency"),
    ("阿福喘不上气，牙龈发紫，呼吸特别快", "emergency"),
    ("米粒吐了两次，后来又吐了三次", "urgent"),
    ("阿福吐了一次，吐出来有血丝", "emergency"),
    ("阿福昨晚吐了两次，没精神", "urgent"),
    ("米粒拉稀，刚才拉的有血", "emergency"),
    ("阿福尿血，现在尿不出来了", "emergency"),
]


@pytest.mark.parametrize(("text", "level"), ONE_HAPPENING)
def test_one_happening_gives_one_alert_the_gravest(text: str, level: Level) -> None:
    assert [alert.level for alert in triage(text, HOME)] == [level]


def test_two_complaints_give_two_alerts() -> None:
    assert {alert.rule_id for alert in triage("阿福吐了一次，还拉稀", HOME)} == {"flag:single_vomit", "flag:diarrhea"}


def test_the_same_complaint_of_two_pets_is_told_of_both() -> None:
    named = triage("阿福张嘴喘气舌头发紫", [DOG]) + triage("米粒张嘴喘气", [CAT])
    assert {alert.pet_id for alert in named} == {"d", "c"}


NOT_NOW = [
    # long ago, with a time word in the clause or behind it
    "阿福打完狂犬那次脸肿了，是前年春天的事",
    "米粒两年前打针脸肿过，后来换了牌子",
    "阿福小时候误食过老鼠药，救回来了",
    "阿福前年偷吃了一板巧克力吐了一地，送医院洗胃了",
    "米粒以前啃了百合，抢救过来了",
    "五年前阿福被车撞了，现在活蹦乱跳",
    "阿福抽搐那次，是因为低血糖",
    # denied
    "米粒打完三联脸没肿",
    "阿福打完疫苗没肿也没吐",
    "阿福没有误食葡萄，虚惊一场",
    "以为阿福吃了葡萄，其实没吃",
    "以为米粒抽搐了，结果只是在睡觉",
    # what books say
    "书上写猫舔了防冻液会死，是真的吗",
    "百科上说狗吃了葡萄会肾衰竭",
    "听说狗吃了木糖醇会中毒",
    "书上说葡萄对狗有毒，阿福吃了会怎样",
    "我在文章里看到猫张嘴喘气很危险",
]
STILL_NOW = [
    "阿福前年脸肿过，今天打完针脸又肿了",
    "以前误食过巧克力没事，刚才又吃了一大块",
    "书上说狗吃了葡萄会肾衰竭，阿福刚才吃了三颗",
    "听说百合对猫有毒，米粒刚刚啃了两片",
    "书上说狗不能吃葡萄，可是阿福吃了",
    "去年买的巧克力被阿福吃了",
    "阿福像那次一样脸肿了",
    "虚惊一场？不是，阿福现在抽搐了",
    "阿福脸肿了，没吐",
    "米粒三个月前开始喘，现在张嘴呼吸",
    "阿福当时就倒地抽搐了，现在叫不醒",
]


@pytest.mark.parametrize("text", NOT_NOW)
def test_the_past_the_denied_and_the_read_of_raise_no_alarm(text: str) -> None:
    assert [alert for alert in triage(text, HOME) if alert.level != "watch"] == []


@pytest.mark.parametrize("text", STILL_NOW)
def test_what_happens_now_is_heard_beside_the_past(text: str) -> None:
    assert triage(text, HOME)[0].level == "emergency"


OWNERS_READ_NO = re.compile(r"[<>=_/+()\[\];:\"]|=>|[a-z]{3,}|升级|24小时内24")


@pytest.mark.parametrize("level", ["emergency", "urgent", "watch"])
def test_the_advice_of_every_sign_is_plain_chinese(level: str) -> None:
    flags = [flag for flag in load_red_flags().flags if level != "watch" or flag.urgency == "observe"]
    told = [advise_on_flag(flag, "米粒", level) for flag in flags]
    assert [advice for advice in told if OWNERS_READ_NO.search(advice)] == []


def test_the_advice_on_every_poison_is_plain_chinese() -> None:
    told = [
        advise_on_poison(Poisoning(toxin, "exposure", "它", False), "米粒", "猫", "call_now")
        for toxin in load_toxins().toxins
    ]
    assert [advice for advice in told if OWNERS_READ_NO.search(advice)] == []


def test_what_to_look_for_at_home_is_a_sentence() -> None:
    advice = triage("阿福今天吐了一次", HOME)[0].advice
    assert "一天吐到三次" in advice
    assert "就当天去医院" in advice


def test_one_poison_in_two_words_of_the_sheet_is_told_once() -> None:
    alerts = triage("阿福误喝了84消毒液", HOME)
    assert [alert.rule_id for alert in alerts] == ["toxin:bleach"]
    assert alerts[0].advice.count("催吐") == 1


def test_two_poisons_are_both_told() -> None:
    rules = {alert.rule_id for alert in triage("阿福偷吃了巧克力和葡萄干", HOME)}
    assert rules == {"toxin:chocolate", "toxin:grape_raisin"}


@pytest.mark.parametrize(
    ("text", "scene"),
    [
        ("Doudou ate chocolate", "exposure"),
        ("豆豆 ate some grapes", "exposure"),
        ("my cat chewed a lily", "exposure"),
        ("can dogs eat raisins?", "question"),
        ("he almost ate an onion", "not_exposure"),
    ],
)
def test_common_poisons_are_known_in_english_too(text: str, scene: str) -> None:
    assert [poisoning.scene for poisoning in find_poisonings(text)] == [scene]
