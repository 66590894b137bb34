"""What is said beside a known fact: by others, for this once, for a season, or only thought of."""

from datetime import datetime

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import KnownFact, PetProfile, Utterance
from memory.claims import Claim
from memory.vocabulary import OWNER_SUBJECT, Certainty, SpeechAct

NOW = datetime.fromisoformat("2026-06-01T20:00:00+08:00")
DOG = PetProfile("dog", "栗子", "dog")

EGG = KnownFact("dog", "allergy:egg", "栗子对鸡蛋过敏")
SHOT = KnownFact("dog", "allergy:vaccine_reaction", "栗子打狂犬疫苗后脸肿过（疫苗过敏史）")
PILL = KnownFact("dog", "medication:pimobendan", "栗子每天早晚吃匹莫苯丹1.25mg")
EAR_DROPS = KnownFact("dog", "medication:ear_combo", "栗子双耳每天滴耳肤灵两次")
KIDNEY = KnownFact("dog", "condition:ckd", "栗子慢性肾病2期")
MEALS = KnownFact("dog", "diet.amount", "栗子一天两顿，每顿35克")
SWIM = KnownFact("dog", "behavior:likes:游泳", "栗子喜欢去河边游泳")
STYLE = KnownFact(OWNER_SUBJECT, "preference.reply_style", "主人：回答要简短")
PHONE = KnownFact(OWNER_SUBJECT, "contact.phone", "主人：手机尾号7712")


def told(known: KnownFact, text: str) -> list[Claim]:
    return list(extract(Utterance(text=text, now=NOW, pets=[DOG], known=[known])).claims)


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (EAR_DROPS, "群里有人说人用的滴耳液一样管用，要不换那个"),
        (PILL, "我舅讲他家狗吃辅酶就行，用不着天天吃药"),
        (PILL, "店员推荐一种保健粉代替心脏药，我换不换呢"),
        (KIDNEY, "老家人说喝玉米须水肾就好了"),
        (KIDNEY, "邻居阿姨说吃了她家的偏方药，栗子的肾病已经断根了"),
        (KIDNEY, "网友说慢性肾病有的自己就养回来了"),
        (EGG, "楼下大爷说狗哪有对鸡蛋过敏的，瞎讲究"),
        (EGG, "闺蜜说她家狗吃鸡蛋没事，栗子应该也行"),
    ],
)
def test_what_others_say_of_a_known_danger_is_only_watched(known: KnownFact, text: str) -> None:
    (claim,) = told(known, text)
    assert (claim.attribute, claim.negated, claim.certainty) == (known.attribute, True, Certainty.HEARSAY)


@pytest.mark.parametrize(
    ("known", "text"),
    [(KIDNEY, "朋友说她家猫吐了"), (PILL, "朋友家的狗换了狗粮"), (EGG, "我妈说今天鸡蛋涨价了")],
)
def test_what_others_say_of_other_things_leaves_the_danger_alone(known: KnownFact, text: str) -> None:
    assert [claim for claim in told(known, text) if claim.attribute == known.attribute] == []


@pytest.mark.parametrize(
    "text",
    [
        "在考虑要不要给栗子改三顿，少食多餐",
        "要不给栗子改成定点喂？还没想清楚",
        "我在想栗子是不是该一天喂三顿，再看看",
        "琢磨着给栗子减到30克",
        "想着要不要给栗子减点量，看它也不算太胖，再观望观望",
    ],
)
def test_a_change_that_is_only_thought_of_is_in_doubt(text: str) -> None:
    assert [(claim.attribute, claim.certainty) for claim in told(MEALS, text)] == [(MEALS.attribute, Certainty.HEDGED)]


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("一入冬栗子就不肯下河，年年如此", SpeechAct.STATEMENT),
        ("三伏天栗子反倒不下河，哪年夏天都这样", SpeechAct.STATEMENT),
        ("天暖和了，栗子又天天往河里蹦", SpeechAct.OBSERVATION),
        ("入夏了栗子又开始游泳了", SpeechAct.OBSERVATION),
    ],
)
def test_a_season_neither_ends_a_habit_nor_makes_another(text: str, act: SpeechAct) -> None:
    (claim,) = told(SWIM, text)
    assert (claim.attribute, claim.negated, claim.act) == (SWIM.attribute, False, act)


def test_a_sign_that_comes_with_the_seasons_stays_a_sign() -> None:
    assert [claim.attribute for claim in told(SWIM, "一到冬天栗子就咳嗽，年年如此")] == ["symptom:cough"]


@pytest.mark.parametrize("text", ["这次写长点没关系，我要打印", "这条不用那么短，展开讲讲", "今天着急，直接说怎么办"])
def test_a_wish_for_this_once_is_kept_for_the_day(text: str) -> None:
    (claim,) = told(STYLE, text)
    assert claim.subject == OWNER_SUBJECT
    assert claim.attribute != STYLE.attribute
    assert claim.value["end"] == "2026-06-01"


@pytest.mark.parametrize("text", ["今天好累，先不说了", "今天天气不错"])
def test_small_talk_of_the_day_is_no_wish(text: str) -> None:
    assert told(STYLE, text) == []


@pytest.mark.parametrize(
    ("text", "same_slot"),
    [
        ("7712半夜也打得通", False),
        ("尾号7712加我微信也行", False),
        ("我手机尾号还是7712", True),
        ("打7712就行，6620别打了", True),
    ],
)
def test_what_is_told_of_a_known_number_stands_beside_it(text: str, same_slot: bool) -> None:
    (claim,) = told(PHONE, text)
    assert (claim.attribute == PHONE.attribute) is same_slot


@pytest.mark.parametrize("text", ["今年狂犬先推了地塞米松再打的，没肿", "打狂犬之前喂了扑尔敏，回来没肿"])
def test_a_shot_under_antihistamines_is_no_evidence_against_the_allergy(text: str) -> None:
    assert not any(claim.attribute.startswith("allergy") for claim in told(SHOT, text))


FEAR = KnownFact("dog", "behavior:fear:吹风机", "栗子怕吹风机，一开就钻床底")
COLLAR = KnownFact("dog", "other:living:gear", "栗子出门戴项圈")
STICK = KnownFact("dog", "diet:磨牙棒", "栗子每天晚饭后吃一根磨牙棒")
RECHECK = KnownFact("dog", "schedule:复查", "栗子3月8日上午9点半复查")
NSAID = KnownFact("dog", "allergy:nsaids_allergy", "栗子对美洛昔康过敏")
WEIGHT = KnownFact("dog", "weight", "栗子体重13.5kg")


@pytest.mark.parametrize(
    ("known", "text", "act", "negated"),
    [
        (FEAR, "今天吹毛栗子居然趴着没动", SpeechAct.OBSERVATION, True),
        (FEAR, "稀奇了，开着吹风机栗子照睡", SpeechAct.OBSERVATION, True),
        (COLLAR, "项圈勒得栗子老咳，出门换成胸背了", SpeechAct.DECISION, False),
        (COLLAR, "栗子的项圈扔了，给它戴了个胸背", SpeechAct.DECISION, False),
        (STICK, "栗子的磨牙棒挪到下午四点给了", SpeechAct.DECISION, False),
        (RECHECK, "明天可能请不出假，复查悬了", SpeechAct.OBSERVATION, True),
        (RECHECK, "明早我要是起不来，复查就得往后拖", SpeechAct.OBSERVATION, True),
        (RECHECK, "栗子复查往后放一周", SpeechAct.DECISION, False),
    ],
)
def test_what_became_of_a_habit_is_told_in_many_ways(
    known: KnownFact, text: str, act: SpeechAct, negated: bool
) -> None:
    claims = [claim for claim in told(known, text) if claim.attribute == known.attribute]
    assert [(claim.act, claim.negated) for claim in claims] == [(act, negated)]


def test_a_day_left_out_is_a_happening_beside_the_habit() -> None:
    assert not any(claim.attribute == STICK.attribute for claim in told(STICK, "栗子今天没顾上给磨牙棒"))


def test_another_drug_of_one_kind_is_an_allergy_of_its_own() -> None:
    claims = told(NSAID, "栗子卡洛芬过敏，美洛昔康没过敏")
    assert {(claim.attribute, claim.negated) for claim in claims} == {
        ("allergy:卡洛芬", False),
        (NSAID.attribute, True),
    }


@pytest.mark.parametrize("text", ["栗子耳药坚持滴着呢，一天两回", "栗子的耳药水还在滴"])
def test_a_drug_by_another_name_is_that_drug_and_no_allergy(text: str) -> None:
    assert {claim.attribute for claim in told(EAR_DROPS, text)} == {EAR_DROPS.attribute}


@pytest.mark.parametrize("text", ["录体重时1和3敲反了，栗子是31.5", "数字按反了，是31.5", "上次体重不对，是31.5"])
def test_digits_that_changed_places_correct_the_weight(text: str) -> None:
    (claim,) = told(WEIGHT, text)
    assert (claim.attribute, claim.act, claim.value["number"]) == ("weight", SpeechAct.CORRECTION, 31.5)


@pytest.mark.parametrize("text", ["栗子吃了鸡蛋，一晚上没见哪儿痒", "栗子舔了鸡蛋，到现在没看到哪里肿"])
def test_a_sign_that_was_nowhere_to_be_seen_is_none(text: str) -> None:
    claims = told(EGG, text)
    assert [claim.negated for claim in claims if claim.attribute == EGG.attribute] == [True]
    signs = [claim for claim in claims if claim.attribute in ("symptom:itching", "symptom:swelling")]
    assert all(claim.negated for claim in signs)


CRAB = KnownFact("dog", "allergy:crustacean", "栗子对基围虾过敏")
EYE_DROPS = KnownFact("dog", "medication:他克莫司", "栗子双眼每天滴他克莫司两次")
THYROXINE = KnownFact("dog", "medication:levothyroxine", "栗子每天早晚各吃0.4mg左甲状腺素")


def test_what_is_set_against_the_known_thing_is_an_allergy_of_its_own() -> None:
    claims = told(CRAB, "栗子过敏的不是基围虾，是螃蟹，我记混了")
    assert {(claim.attribute, claim.negated) for claim in claims} == {("allergy:螃蟹", False), (CRAB.attribute, True)}


def test_a_drug_named_by_the_place_it_is_given_at_is_said_again() -> None:
    assert [(claim.attribute, claim.negated) for claim in told(EYE_DROPS, "栗子眼睛早晚各滴一次，没断")] == [
        (EYE_DROPS.attribute, False)
    ]


@pytest.mark.parametrize("text", ["大夫让左甲状腺素加量，0.6一次", "左甲状腺素加量了，每次0.6", "左甲状腺素加到0.6了"])
def test_an_adjusted_amount_is_heard_on_either_side_of_its_word(text: str) -> None:
    assert [claim.value.get("number") for claim in told(THYROXINE, text)] == [0.6]


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (KIDNEY, "舅妈在电话里说，栗子喝了符水肾病已经好了"),
        (EYE_DROPS, "刷视频说红霉素眼膏几块钱啥都能治，要不给栗子改那个？"),
    ],
)
def test_whoever_says_it_and_wherever_it_is_hearsay(known: KnownFact, text: str) -> None:
    assert {claim.certainty for claim in told(known, text)} == {Certainty.HEARSAY}


@pytest.mark.parametrize(
    "text",
    [
        "本人换号，新电话尾号6027，7712已经过户给我弟",
        "微信换号了，尾号6027，7712现在是我老公在用",
        "新电话尾号6027，7712停用了",
    ],
)
def test_a_number_that_was_given_away_is_not_the_owners(text: str) -> None:
    contacts = [claim.content for claim in told(PHONE, text) if claim.attribute == PHONE.attribute]
    assert len(contacts) == 1
    assert "6027" in contacts[0]
    assert "7712" not in contacts[0]


@pytest.mark.parametrize(
    "text",
    ["健身房朋友鼓动我给栗子分四餐喂，我听着有道理但没下决心", "邻居撺掇我给它一顿喂60克，没听他的"],
)
def test_advice_that_was_not_taken_is_in_doubt(text: str) -> None:
    assert {claim.certainty for claim in told(MEALS, text)} == {Certainty.HEDGED}


@pytest.mark.parametrize("text", ["来暖气咯，栗子立马搬回暖气片上睡", "供暖了栗子又睡回暖气片上了"])
def test_a_habit_that_comes_back_is_told_again(text: str) -> None:
    warm = KnownFact("dog", "behavior:habit", "栗子喜欢睡暖气片上")
    assert [(claim.attribute, claim.act) for claim in told(warm, text)] == [(warm.attribute, SpeechAct.OBSERVATION)]
