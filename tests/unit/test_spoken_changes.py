"""What a change said in one breath changes."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance
from domain.spoken_changes import as_meant, lies_ahead
from memory.claims import Claim
from memory.vocabulary import Precision, SpeechAct
from tests.claims import claim_of

NOW = datetime(2026, 6, 20, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
MAY_2, MAY_12 = date(2026, 5, 2), date(2026, 5, 12)


def shot(words: str, on: date | None, **more: object) -> Claim:
    return claim_of("pet", "vaccine:rabies", words, occurred_on=on, occurred_on_precision=Precision.DAY, **more)


@pytest.mark.parametrize("read", [MAY_2, MAY_12, date(2027, 5, 12), None])
@pytest.mark.parametrize(
    "words",
    ["煤球狂犬不是5月2日打的，是5月12日打的", "煤球狂犬是5月12日打的，不是5月2日", "狂犬不是5月2日，应该是5月12日"],
)
def test_a_shot_was_given_on_the_day_told_and_never_on_the_day_denied(words: str, read: date | None) -> None:
    (meant,) = as_meant([shot(words, read)], words, NOW)

    assert (meant.occurred_on, meant.act, meant.negated) == (MAY_12, SpeechAct.CORRECTION, False)


def test_a_corrected_day_lies_in_the_past() -> None:
    words = "煤球狂犬不是5月2日打的，是12月5日打的"
    (meant,) = as_meant([shot(words, date(2026, 12, 5))], words, NOW)

    assert meant.occurred_on == date(2025, 12, 5)


def test_a_day_that_is_only_denied_is_no_day_of_a_shot() -> None:
    words = "煤球的狂犬不是5月2日打的"
    (meant,) = as_meant([shot(words, MAY_2)], words, NOW)

    assert (meant.negated, meant.occurred_on) == (True, MAY_2)


@pytest.mark.parametrize("words", ["煤球5月2日打了狂犬", "煤球狂犬是5月2日打的", "不是别的，是狂犬，5月2日打的"])
def test_a_shot_told_without_a_denied_day_stays_as_it_is(words: str) -> None:
    claim = shot(words, MAY_2)
    assert as_meant([claim], words, NOW) == [claim]


def test_a_denied_weight_and_the_one_told_are_one_correction() -> None:
    words = "煤球5月2日体重不是8公斤，是18公斤"
    denied = claim_of("pet", "weight", words, value={"number": 8, "unit": "kg"}, negated=True, occurred_on=MAY_2)
    told = claim_of("pet", "weight", words, value={"number": 18, "unit": "kg"}, occurred_on=MAY_2)
    (meant,) = as_meant([denied, told], words, NOW)

    assert (meant.value["number"], meant.value["corrects"], meant.act) == (18, 8, SpeechAct.CORRECTION)


def test_a_denied_weight_of_another_pet_stays_a_statement_of_its_own() -> None:
    denied = claim_of("pet", "weight", "煤球不是8公斤", value={"number": 8, "unit": "kg"}, negated=True)
    told = claim_of("other pet", "weight", "芋圆4公斤", value={"number": 4, "unit": "kg"})

    assert as_meant([denied, told], "煤球不是8公斤，芋圆4公斤", NOW) == [denied, told]


@pytest.mark.parametrize(
    ("words", "known", "dose"),
    [
        ("煤球的呋塞米2mg改成1mg", "2mg", "1mg"),
        ("煤球的呋塞米从2mg减到1mg", "2mg", "1mg"),
        ("煤球的呋塞米从2mg加到4", "2mg", "4mg"),
        ("煤球的呋塞米从一片减量到半片", "一片", "0.5片"),
        ("煤球的呋塞米2mg改成一天两次", "2mg", "2mg"),
        ("煤球在吃呋塞米2mg", "2mg", "2mg"),
    ],
)
def test_a_changed_dose_is_the_one_from_now_on(words: str, known: str, dose: str) -> None:
    claim = claim_of("pet", "medication:furosemide", words, value={"dose_text": known})
    (meant,) = as_meant([claim], words, NOW)

    assert meant.value["dose_text"] == dose


@pytest.mark.parametrize(
    ("attribute", "on", "ahead"),
    [
        ("vaccine:rabies", date(2027, 5, 2), True),
        ("weight", date(2026, 6, 21), True),
        ("vaccine:rabies", date(2026, 6, 20), False),
        ("vaccine:rabies", None, False),
        ("schedule:vaccine", date(2027, 5, 2), False),
    ],
)
def test_only_a_happening_cannot_lie_ahead(attribute: str, on: date | None, ahead: bool) -> None:
    assert lies_ahead(claim_of("pet", attribute, "一句话", occurred_on=on), NOW.date()) is ahead


def test_a_mistake_put_right_is_no_denial_and_lies_in_the_past() -> None:
    words = "煤球的狂犬日期记错了，是8月2日"
    claim = shot(words, date(2027, 8, 2), act=SpeechAct.CORRECTION, negated=True)
    unclear = shot(words, date(2027, 8, 2), act=SpeechAct.CORRECTION)
    of_nobody = claim_of(None, "vaccine:rabies", words, occurred_on=date(2027, 8, 2), act=SpeechAct.CORRECTION)
    meant = as_meant([of_nobody, claim], words, NOW)

    assert [(one.subject, one.occurred_on, one.negated) for one in meant] == [("pet", date(2025, 8, 2), False)]
    assert as_meant([unclear], words, NOW)[0].occurred_on == date(2025, 8, 2)


def test_a_day_with_its_year_told_is_left_as_it_is() -> None:
    words = "煤球狂犬记错了，是2027年3月1日打的"
    (meant,) = as_meant([shot(words, date(2027, 3, 1), act=SpeechAct.CORRECTION)], words, NOW)

    assert lies_ahead(meant, NOW.date())


def test_a_corrected_shot_says_which_day_it_takes_back() -> None:
    words = "煤球狂犬不是5月2日打的，是5月12日打的"
    (meant,) = as_meant([shot(words, MAY_12)], words, NOW)

    assert meant.value["corrects"] == MAY_2.isoformat()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("豆豆早上吃了半碗", ["symptom:appetite_loss"]),
        ("豆豆便便还是不成形", ["symptom:diarrhea"]),
        ("豆豆每天吃200克粮", ["diet.amount"]),
    ],
)
def test_a_sign_is_not_kept_a_second_time_as_a_remark_in_the_same_words(text: str, kept: list[str]) -> None:
    claims = extract(Utterance(text=text, now=NOW, pets=(PetProfile("dog", "豆豆", "dog"),))).claims
    assert [claim.attribute for claim in as_meant(claims, text, NOW)] == kept


@pytest.mark.parametrize(("told", "meant"), [(MAY_2, date(2026, 7, 2)), (date(2026, 5, 25), date(2026, 6, 25))])
def test_an_appointment_is_never_moved_to_a_day_gone_by(told: date, meant: date) -> None:
    words = f"胃镜时间变了，{told.day}号早上八点半"
    claim = claim_of("pet", "schedule:胃镜", words, occurred_on=told, act=SpeechAct.DECISION)
    (moved,) = as_meant([claim], words, NOW)
    assert moved.occurred_on == meant
