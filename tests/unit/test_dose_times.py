"""A dose that differs by the time of the day is kept whole."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.dose_times import changed_in_part
from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance

NOW = datetime(2026, 5, 20, 20, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("p", "桃酥", "dog"), PetProfile("m", "麻花", "cat"))


@pytest.mark.parametrize(
    ("text", "dose"),
    [
        ("麻花每天打两次胰岛素，早上2个单位晚上1.5个单位", "早上2个单位晚上1.5个单位"),
        ("麻花在打胰岛素，早上2个单位，晚上1.5个单位", "早上2个单位，晚上1.5个单位"),
        ("桃酥吃泼尼松早一片晚半片", "早一片晚半片"),
        ("桃酥吃泼尼松，每天早上一片", "一片"),
        ("桃酥今天吃了三片肝泰乐，平时一次一片", "一次一片"),
    ],
)
def test_every_dose_of_the_day_is_kept(text: str, dose: str) -> None:
    (claim,) = [one for one in extract(Utterance(text, NOW, PETS)).claims if one.attribute.startswith("medication")]
    assert claim.value["dose_text"] == dose


@pytest.mark.parametrize("text", ["医生要给桃酥打头孢，可以吗", "麻花的胰岛素现在打多少", "麻花今早忘打了一针"])
def test_what_is_asked_for_or_was_missed_is_no_medicine_and_no_vaccine(text: str) -> None:
    slots = {claim.attribute.partition(":")[0] for claim in extract(Utterance(text, NOW, PETS)).claims}
    assert not slots & {"medication", "vaccine"}


@pytest.mark.parametrize(
    ("recorded", "words", "amount", "dose"),
    [
        ("早上3个单位晚上1.5个单位", "胰岛素晚上改成2个单位", "2个单位", "早上3个单位晚上2个单位"),
        ("早一片，晚半片", "早上那片减成半片", "半片", "早半片，晚半片"),
        ("上午3个单位晚上1.5个单位", "胰岛素晚上改成2个单位", "2个单位", "上午3个单位晚上2个单位"),
        ("早上3个单位晚上1.5个单位", "早就说了，胰岛素晚上改成2个单位", "2个单位", "早上3个单位晚上2个单位"),
        ("早上3个单位晚上1.5个单位", "胰岛素改成2个单位", "2个单位", ""),
        ("早上3个单位晚上1.5个单位", "胰岛素早上2个单位晚上1个单位", "2个单位", ""),
        ("一次半片", "晚上改成一片", "一片", ""),
    ],
)
def test_change_at_one_time_of_the_day_leaves_the_others(recorded: str, words: str, amount: str, dose: str) -> None:
    assert changed_in_part(recorded, words, amount) == dose


@pytest.mark.parametrize("rhythm", ["每8小时一次", "每12个小时一次", "一天两次"])
def test_rhythm_that_stands_behind_a_comma_belongs_to_the_drug(rhythm: str) -> None:
    (claim,) = extract(Utterance(f"桃酥在吃加巴喷丁100mg，{rhythm}", NOW, PETS)).claims
    assert str(claim.value["frequency_text"]) in rhythm
