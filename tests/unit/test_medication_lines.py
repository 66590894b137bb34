"""A drug's line reads as a vet would say it."""

import pytest

from domain.medications import MedicationFields, line


@pytest.mark.parametrize(
    ("frequency", "dose", "told"),
    [
        (None, None, "豆豆在用速诺"),
        ("每天", None, "豆豆在用速诺，每天"),
        (None, "半片", "豆豆在用速诺，半片"),
        ("每天", "半片", "豆豆在用速诺，每天半片"),
        ("每12小时", "62.5mg", "豆豆在用速诺，每12小时62.5mg"),
        ("一天两次", "半片", "豆豆在用速诺，一天两次，半片"),
    ],
)
def test_dose_runs_on_after_a_bare_span_of_time(frequency: str | None, dose: str | None, told: str) -> None:
    assert line("豆豆", MedicationFields(product="速诺", frequency_text=frequency, dose_text=dose)) == told
