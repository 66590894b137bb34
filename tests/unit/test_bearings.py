"""What a message says of facts that are known, though it names them only in passing."""

from datetime import datetime

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import KnownFact, PetProfile, Utterance
from memory.claims import Claim
from memory.vocabulary import Certainty, SpeechAct

NOW = datetime.fromisoformat("2026-06-01T20:00:00+08:00")
DOG, CAT = PetProfile("dog", "栗子", "dog"), PetProfile("cat", "汤圆", "cat")

SHRIMP = KnownFact("dog", "allergy:shrimp_shellfish", "栗子对虾过敏")
LAMB = KnownFact("dog", "allergy:lamb", "栗子对羊肉过敏，吃了会掉毛")
PILL = KnownFact("dog", "medication:pimobendan", "栗子每天早晚吃匹莫苯丹1.25mg")
KIDNEY = KnownFact("dog", "condition:ckd", "栗子慢性肾病2期")
VET_FOOD = KnownFact("dog", "diet.prescription", "栗子吃肾脏处方粮")
WEIGHT = KnownFact("dog", "weight", "栗子体重8.4kg")
NEUTERED = KnownFact("dog", "neutered", "栗子已绝育")
WALK = KnownFact("dog", "activity:walk", "栗子每天傍晚去河边散步")
STYLE = KnownFact("owner", "preference.reply_style", "主人：回答要详细")


def claims_about(known: KnownFact, text: str, *pets: PetProfile) -> list[Claim]:
    told = extract(Utterance(text=text, now=NOW, pets=pets or (DOG,), known=[known])).claims
    return [claim for claim in told if claim.attribute == known.attribute]


@pytest.mark.parametrize(
    ("known", "text", "act", "certainty"),
    [
        (LAMB, "栗子偷吃了块羊肉，到晚上都没掉毛也没事", SpeechAct.OBSERVATION, Certainty.PLAIN),
        (LAMB, "栗子现在可以吃羊肉了", SpeechAct.STATEMENT, Certainty.PLAIN),
        (LAMB, "查了过敏原，羊肉是阴性", SpeechAct.STATEMENT, Certainty.PLAIN),
        (LAMB, "羊肉过敏这条删了吧", SpeechAct.STATEMENT, Certainty.PLAIN),
        (LAMB, "听邻居说羊肉过敏过两年就好了", SpeechAct.STATEMENT, Certainty.HEARSAY),
        (LAMB, "羊肉过敏那个是我记错了", SpeechAct.CORRECTION, Certainty.PLAIN),
        (PILL, "匹莫苯丹今天起停了", SpeechAct.DECISION, Certainty.PLAIN),
        (PILL, "我不想给栗子吃药了", SpeechAct.DECISION, Certainty.PLAIN),
        (PILL, "同事说有种国产的也行，药要不换那个", None, Certainty.HEARSAY),
        (KIDNEY, "医生说栗子的肾病好了", None, Certainty.PLAIN),
        (KIDNEY, "栗子的肾可能好了", None, Certainty.HEDGED),
        (VET_FOOD, "处方粮吃腻了，给栗子换成普通狗粮了", SpeechAct.DECISION, Certainty.PLAIN),
        (VET_FOOD, "处方粮断货，栗子换了冻干", SpeechAct.DECISION, Certainty.PLAIN),
        (LAMB, "过敏原查出来了，栗子羊肉没问题", SpeechAct.STATEMENT, Certainty.PLAIN),
        (LAMB, "医生说栗子可以恢复吃羊肉了", SpeechAct.STATEMENT, Certainty.PLAIN),
        (LAMB, "栗子吃了羊肉丸，一点反应没有", SpeechAct.OBSERVATION, Certainty.PLAIN),
        (LAMB, "之前说错了，栗子是对鸭肉过敏", SpeechAct.CORRECTION, Certainty.PLAIN),
        (PILL, "栗子没在吃匹莫苯丹啊，早停了", None, Certainty.PLAIN),
        (LAMB, "谁说栗子羊肉过敏的，它天天吃", SpeechAct.STATEMENT, Certainty.PLAIN),
        (PILL, "匹莫苯丹上周就没再喂了", SpeechAct.DECISION, Certainty.PLAIN),
        (PILL, "栗子不再需要匹莫苯丹，医生说的", SpeechAct.DECISION, Certainty.PLAIN),
        (PILL, "想着要不把匹莫苯丹减一减", None, Certainty.HEDGED),
    ],
)
def test_a_known_danger_is_denied_in_passing(
    known: KnownFact, text: str, act: SpeechAct | None, certainty: Certainty
) -> None:
    (claim,) = claims_about(known, text)

    assert claim.negated
    assert claim.certainty is certainty
    assert act is None or claim.act is act


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (LAMB, "栗子闻到羊肉味就流口水"),
        (LAMB, "栗子吃了羊肉又掉毛了"),
        (PILL, "匹莫苯丹昨晚忘喂了一次"),
        (KIDNEY, "栗子的肾指标好多了"),
        (KIDNEY, "栗子的感冒好了"),
        (VET_FOOD, "处方粮快吃完了，又买了两袋"),
    ],
)
def test_a_known_danger_is_not_denied_by_what_only_sounds_like_it(known: KnownFact, text: str) -> None:
    assert not any(claim.negated for claim in claims_about(known, text))


def test_a_question_about_a_known_danger_is_only_a_question() -> None:
    (claim,) = claims_about(KIDNEY, "栗子的肾病是不是好了？")

    assert (claim.negated, claim.certainty) == (True, Certainty.QUESTION)


@pytest.mark.parametrize(
    ("known", "text", "certainty"),
    [
        (LAMB, "栗子对羊肉好像没那么敏感了", Certainty.HEDGED),
        (LAMB, "那羊肉过敏这个还作数吗", Certainty.QUESTION),
        (PILL, "匹莫苯丹可不可以改一天一次", Certainty.QUESTION),
        (KIDNEY, "肾指标都正常，还算肾病吗", Certainty.QUESTION),
    ],
)
def test_a_doubt_in_any_words_about_a_known_danger_is_only_watched(
    known: KnownFact, text: str, certainty: Certainty
) -> None:
    (claim,) = claims_about(known, text)

    assert (claim.negated, claim.certainty) == (True, certainty)


@pytest.mark.parametrize("text", ["羊肉多少钱一斤？", "有没有羊肉味的零食推荐", "匹莫苯丹放冰箱吗"])
def test_a_question_about_something_else_leaves_the_known_danger_alone(text: str) -> None:
    assert claims_about(LAMB, text) == claims_about(PILL, text) == []


def test_an_illness_is_recognised_by_the_words_of_its_own_line() -> None:
    known = KnownFact("dog", "condition:cushings", "栗子库欣综合征")
    (claim,) = claims_about(known, "医生说库欣排除了")

    assert claim.negated


def test_what_was_measured_of_the_only_pet_is_kept_without_its_name() -> None:
    told = extract(Utterance(text="磷降到正常了", now=NOW, pets=(DOG,), known=[KIDNEY])).claims

    assert [claim.content for claim in told] == ["栗子磷降到正常了"]


def test_the_loose_line_made_of_a_denial_is_not_kept_beside_it() -> None:
    told = extract(Utterance(text="栗子能吃羊肉的呀，你记错了", now=NOW, pets=(DOG,), known=[LAMB])).claims

    assert {claim.attribute for claim in told} == {"allergy:lamb"}


def test_a_changed_dose_keeps_the_unit_that_is_known() -> None:
    (claim,) = claims_about(PILL, "复诊后匹莫苯丹加到2.5了")

    assert (claim.value["number"], claim.value["unit"], claim.negated) == (2.5, "mg", False)


def test_a_worse_stage_is_told_of_the_one_staged_disease() -> None:
    for text in ("今天复查，进展到3期了", "栗子肾病加重了，3期"):
        (claim,) = claims_about(KIDNEY, text)

        assert claim.value["stage"] == "3期"


@pytest.mark.parametrize(
    ("text", "told"), [("匹莫苯丹现在每次吃2.5毫克", 2.5), ("匹莫苯丹每天都按时吃", None), ("匹莫苯丹多喂了一次", None)]
)
def test_a_dose_told_without_a_word_of_change_is_another_dose(text: str, told: float | None) -> None:
    doses = [claim.value.get("number") for claim in claims_about(PILL, text)]

    assert doses == ([] if "多喂" in text else [told])


@pytest.mark.parametrize(
    ("text", "certainty"),
    [("栗子是不是又发情了？", Certainty.QUESTION), ("栗子这两天像是又来例假了", Certainty.HEDGED)],
)
def test_heat_of_a_neutered_pet_is_only_watched(text: str, certainty: Certainty) -> None:
    (claim,) = claims_about(NEUTERED, text)

    assert (claim.negated, claim.certainty, claim.act) == (True, certainty, SpeechAct.OBSERVATION)


@pytest.mark.parametrize("text", ["8.4是算上笼子的，栗子净重7.6", "把栗子那次体重改成7.6kg"])
def test_a_figure_that_is_set_right_without_the_word_wrong_is_a_correction(text: str) -> None:
    (claim,) = claims_about(WEIGHT, text)

    assert (claim.value["number"], claim.value.get("corrects"), claim.act) == (7.6, 8.4, SpeechAct.CORRECTION)


def test_another_figure_for_the_recorded_weight_is_a_correction() -> None:
    (claim,) = claims_about(WEIGHT, "8.4记反了，应该是4.8")

    assert (claim.value["number"], claim.value["corrects"], claim.act) == (4.8, 8.4, SpeechAct.CORRECTION)
    assert claim.certainty is Certainty.PLAIN


def test_an_allergy_said_to_be_the_other_pets_is_taken_back_for_the_first() -> None:
    known = [SHRIMP]
    told = extract(Utterance("我说反了，虾过敏的是汤圆，栗子没事", NOW, (DOG, CAT), known=known)).claims
    polarity = {claim.subject: claim.negated for claim in told if claim.attribute.startswith("allergy:")}

    assert polarity == {"cat": False, "dog": True}


def test_another_pets_harmless_meal_says_nothing_of_the_allergic_one() -> None:
    assert claims_about(LAMB, "汤圆吃了羊肉，一点事没有", DOG, CAT) == []


@pytest.mark.parametrize("text", ["栗子吃了块羊肉，半小时后脸肿了", "栗子舔了羊肉汤，当晚就吐了"])
def test_harm_after_an_allergen_that_was_cleared_raises_the_danger(text: str) -> None:
    cleared = KnownFact("dog", "allergy:lamb", "栗子羊肉不过敏（检测阴性）")
    told = [claim for claim in claims_about(cleared, text) if not claim.negated]

    assert [claim.act for claim in told] == [SpeechAct.OBSERVATION]


def test_a_further_allergy_is_heard_beside_a_known_one() -> None:
    told = extract(Utterance(text="鸭肉也不行", now=NOW, pets=(DOG,), known=[LAMB])).claims

    assert [(claim.attribute, claim.negated) for claim in told] == [("allergy:duck", False)]


@pytest.mark.parametrize(
    ("text", "act", "negated"),
    [
        ("栗子散步改到早上了", SpeechAct.DECISION, False),
        ("栗子周末去河边公园撒欢", SpeechAct.STATEMENT, False),
        ("栗子去河边散步改成一周一次", SpeechAct.DECISION, False),
        ("栗子散步改周五去河边了", SpeechAct.DECISION, False),
        ("栗子还是每天去河边", SpeechAct.OBSERVATION, False),
    ],
)
def test_what_became_of_a_known_habit_is_told_of_its_line(text: str, act: SpeechAct, negated: bool) -> None:
    (claim,) = claims_about(WALK, text)

    assert (claim.act, claim.negated) == (act, negated)


def test_a_wish_for_this_once_does_not_change_the_standing_one() -> None:
    assert claims_about(STYLE, "这次回答简短点") == []
    (claim,) = claims_about(STYLE, "以后回答都简短点")
    assert claim.act is SpeechAct.DECISION


def test_with_nothing_known_nothing_is_added() -> None:
    assert extract(Utterance(text="肾病好了", now=NOW, pets=(DOG,))) == extract(
        Utterance(text="肾病好了", now=NOW, pets=(DOG,), known=())
    )


def test_a_weather_that_is_itself_disliked_is_no_time_of_a_known_dislike() -> None:
    cat = PetProfile("c", "咪咪", "cat")
    known = [KnownFact("c", "behavior:likes:穿衣服", "咪咪不喜欢穿衣服")]
    at = datetime.fromisoformat("2026-01-16T09:00:00+08:00")
    claims = extract(Utterance(text="咪咪不喜欢下雨天", now=at, pets=[cat], known=known)).claims
    assert [claim.attribute for claim in claims] == ["behavior:likes:下雨天"]


@pytest.mark.parametrize(
    ("known", "text", "value"),
    [
        (PILL, "复查完医生叫减到0.6", {"number": 0.6, "unit": "mg"}),
        (KIDNEY, "复查掉回1期了", {"stage": "1期"}),
        (WEIGHT, "没有8.4那么重吧，感觉才7.9", {"number": 7.9, "corrects": 8.4}),
    ],
)
def test_a_figure_without_its_unit_or_name_changes_the_one_fact_it_fits(
    known: KnownFact, text: str, value: dict[str, object]
) -> None:
    told = extract(Utterance(text=text, now=NOW, pets=(DOG,), known=[known])).claims

    assert [claim.attribute for claim in told if claim.value.items() >= value.items()] == [known.attribute]
    assert not [claim for claim in told if claim.attribute != known.attribute and text in claim.content]


@pytest.mark.parametrize("text", ["栗子左耳又开始甩", "今天下雨，没带栗子出去"])
def test_what_happened_to_a_named_pet_is_kept_beside_what_is_known(text: str) -> None:
    (claim,) = extract(Utterance(text=text, now=NOW, pets=(DOG,), known=[LAMB])).claims

    assert claim.attribute.startswith("other:")
    assert "\x00" not in claim.attribute


@pytest.mark.parametrize("text", ["我妈血压又高了，在吃降压药", "栗子粉今天卖完了，没吃上", "晚上吃栗子，牛肉也不错"])
def test_the_owners_own_day_is_no_remark_about_a_pet(text: str) -> None:
    assert not extract(Utterance(text=text, now=NOW, pets=(DOG,), known=[LAMB, PILL])).claims


@pytest.mark.parametrize("text", ["栗子最近体重怎么样", "栗子现在体重正常吗", "栗子散步多久合适"])
def test_a_question_about_what_is_known_leaves_no_remark(text: str) -> None:
    assert [*claims_about(WEIGHT, text), *claims_about(WALK, text)] == []


def test_what_was_feared_and_is_borne_out_is_told_again() -> None:
    (claim,) = claims_about(LAMB, "换了粮毛就不掉了，果然是羊肉的问题")

    assert not claim.negated


@pytest.mark.parametrize("text", ["昨天称错了，栗子是7.9kg", "上次体重打错了，应该7.9"])
def test_the_one_figure_named_beside_a_slip_is_the_right_one(text: str) -> None:
    (claim,) = claims_about(WEIGHT, text)

    assert claim.act is SpeechAct.CORRECTION
    assert claim.value["number"] == 7.9
