"""Two facts told in one breath: the second is a fact of its own and no detail or end of the first."""

from datetime import date, datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
ONE = (PetProfile("d", "旺财", "dog"),)
TODAY, YESTERDAY = date(2026, 4, 15), date(2026, 4, 14)


def told(text: str, *before: SaidBefore) -> list[tuple[str, bool, date | None]]:
    claims = extract(Utterance(text, NOW, ONE, history=before)).claims
    return [(claim.attribute, claim.negated, claim.occurred_on) for claim in claims]


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("前天开始不吃东西，昨晚一量三十九度七", ("lab:体温", False, YESTERDAY)),
        ("旺财从周一起打蔫，今早量了一下39.8度", ("lab:体温", False, TODAY)),
        ("昨天抽了血，肝有点大，谷丙转氨酶210", ("visit:finding", False, YESTERDAY)),
        ("旺财昨天做的体检，左肾摸着偏小，肌酐180", ("visit:finding", False, YESTERDAY)),
        ("旺财前天开始跛，昨天右后腿一天没敢沾地", ("symptom:limping", False, YESTERDAY)),
        ("旺财周一后腿瘸了，昨天不敢使劲，今天敢落地了", ("symptom:better", False, TODAY)),
        ("前天右前腿跛了，今早能踩实了", ("symptom:better", False, TODAY)),
        ("周一开刀取了个线头，昨天刚接回家", ("visit:hospital_stay", False, YESTERDAY)),
        ("三天没拉了，肚皮绷得紧，昨晚开始不吃", ("symptom:appetite_loss", False, YESTERDAY)),
        ("旺财昨天缝的针，伤口红红的，老想舔", ("symptom:itching", False, YESTERDAY)),
        ("昨天送急诊洗了胃，今早抱回家了", ("visit:hospital_stay", False, TODAY)),
        ("大夫说那颗牙烂了得拔 约到后天上午十点", ("schedule:拔", False, date(2026, 4, 17))),
    ],
)
def test_what_is_told_in_the_same_breath_is_a_fact_of_its_own(text: str, second: tuple[str, bool, date | None]) -> None:
    assert second in told(text)
    assert len(told(text)) > 1


def test_what_comes_out_and_how_long_it_shakes_its_head_stand_beside_the_smell() -> None:
    asked = (SaidBefore("user", "旺财老甩头"), SaidBefore("assistant", "旺财耳朵里有味道吗？有分泌物吗？"))
    assert [one[0] for one in told("有异味 还流黄褐色的水", *asked)] == ["symptom:odour", "symptom:黄褐色的水"]
    assert ("symptom:itching", False, date(2026, 4, 12)) in told("有 棕色的 有股味 甩了有三天了", *asked)


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("旺财右眼晴红红的", "眼晴"),
        ("旺财后背图了一块", "图了一块"),
        ("旺财拉稀 老拿后腿饶耳朵", "饶"),
        ("旺财两天没拉 度子摸着发硬", "度子"),
    ],
)
def test_a_slip_by_sound_or_shape_is_read_and_kept_as_typed(text: str, typed: str) -> None:
    claims = extract(Utterance(text, NOW, ONE)).claims
    assert any(typed in claim.content for claim in claims)
    assert all(claim.attribute.startswith("symptom:") for claim in claims)


def test_a_temperature_of_a_person_and_an_adoption_are_left_alone() -> None:
    assert "lab:体温" not in [one[0] for one in told("旺财没精神，给孩子量了一下39.2度")]
    assert "visit:hospital_stay" not in [one[0] for one in told("旺财昨天刚接回家，今天打了疫苗")]
