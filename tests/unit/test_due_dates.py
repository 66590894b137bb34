"""What is due for a pet, how it is said, and which messages ask for it."""

from datetime import UTC, date, datetime

import pytest

from domain.dewormings import Deworming
from domain.due_dates import DueDate, work_out
from domain.due_lines import DueAsked, due_asked, due_line, due_lines
from domain.pet_profiles import PetProfile
from domain.pets import Pet
from domain.vaccinations import Vaccination

TODAY = date(2026, 11, 20)
NOON = datetime(2026, 11, 20, 4, 0, tzinfo=UTC)
KNOWN = {"household_id": "h", "pet_id": "p", "attribute": "a", "recorded_at": NOON, "recorded_by": "o"}


def pet(species: str = "dog", born_on: str | None = "2022-03-01", precision: str = "day") -> Pet:
    day = date.fromisoformat(born_on) if born_on else None
    return Pet(
        id="p",
        household_id="h",
        name="豆豆",
        species=species,
        born_on=day,
        born_on_precision=precision,
        created_at=NOON,
    )


def shot(product: str, day: str | None, precision: str = "day", antigens: tuple[str, ...] = ()) -> Vaccination:
    given = date.fromisoformat(day) if day else None
    return Vaccination(**KNOWN, product=product, given_on=given, given_on_precision=precision, antigens=list(antigens))


def wormed(product: str, day: str | None, target: str | None = None, precision: str = "day") -> Deworming:
    given = date.fromisoformat(day) if day else None
    return Deworming(**KNOWN, product=product, given_on=given, given_on_precision=precision, target=target)


def told(of: Pet, shots: list[Vaccination], wormings: list[Deworming]) -> list[DueDate]:
    return [one for one in work_out(of, shots, wormings, TODAY) if one.rests_on != "nothing"]


CORE, CAT_CORE = "犬核心疫苗（四联、八联等）", "猫核心疫苗（猫三联）"

SAID = [
    (
        pet(),
        [shot("狂犬疫苗", "2025-12-20")],
        [],
        ["豆豆的狂犬疫苗2026年12月20日到期（还有30天，按“每年一次”算）"],
    ),
    (
        pet(),
        [shot("狂犬疫苗", "2025-11-20")],
        [],
        ["豆豆的狂犬疫苗2026年11月20日到期（就是今天，按“每年一次”算）"],
    ),
    (
        pet(),
        [shot("狂犬疫苗", "2025-11-01", "month")],
        [],
        ["豆豆的狂犬疫苗2026年11月到期（按“每年一次”算）"],
    ),
    (
        pet(),
        [shot("进口的那种", "2025-11-10", antigens=("rabies",))],
        [],
        ["豆豆的狂犬疫苗2026年11月10日到期（已经过了10天，按“每年一次”算）"],
    ),
    (
        pet(),
        [],
        [wormed("大宠爱", "2026-11-01", "external")],
        ["豆豆的体外驱虫2026年12月1日到期（还有11天，按“大宠爱每月一次”算）"],
    ),
    (
        pet(),
        [],
        [wormed("体内驱虫", "2026-10-20")],
        ["豆豆的体内驱虫2027年1月20日到期（还有61天，按“每3个月一次或做粪检”算）"],
    ),
    (
        pet("cat", None, "unknown"),
        [shot("妙三多", "2026-11-10")],
        [],
        [f"豆豆的{CAT_CORE}第二针2026年12月8日该打（还有18天，按“上一针后2至4周”算）"],
    ),
    (
        pet(born_on="2026-08-20"),
        [shot("犬四联", "2026-11-01")],
        [wormed("体内驱虫", "2026-11-15")],
        [
            "豆豆的首次体外驱虫2026年11月20日该做（就是今天，按“产品标签周期全年持续（多为每月）”算）",
            "豆豆的狂犬疫苗首针2026年11月20日该打（就是今天，按“满3月龄打首针”算）",
            f"豆豆的{CORE}下一针2026年11月29日该打（还有9天，按“上一针后2至4周，末针不早于16周龄”算）",
            "豆豆的体内驱虫2026年12月15日到期（还有25天，按“2周龄起每2周一次，到断奶后2周；之后每月一次到6月龄”算）",
        ],
    ),
]


@pytest.mark.parametrize(("of", "shots", "wormings", "lines"), SAID)
def test_what_is_due_is_said_with_its_day_and_its_rule(
    of: Pet, shots: list[Vaccination], wormings: list[Deworming], lines: list[str]
) -> None:
    assert sorted(due_line(one, "豆豆", TODAY) for one in told(of, shots, wormings)) == sorted(lines)


@pytest.mark.parametrize(
    "given", [shot("疫苗", "2026-11-01"), shot("狂犬疫苗", None), shot("狂犬", "2026-01-01", "year")]
)
def test_a_shot_that_tells_too_little_gives_no_date_and_is_not_taken_for_none(given: Vaccination) -> None:
    assert [one for one in work_out(pet(), [given], [], TODAY) if one.kind == "vaccine"] == []


@pytest.mark.parametrize("given", [wormed("驱虫", "2026-11-01"), wormed("体内驱虫", None)])
def test_so_with_deworming(given: Deworming) -> None:
    assert [one for one in work_out(pet(), [], [given], TODAY) if one.kind == "deworming"] == []


def test_a_grown_pet_without_records_is_due_by_default_but_never_reminded() -> None:
    due = work_out(pet(), [], [], TODAY)
    assert {one.rests_on for one in due} == {"nothing"}
    assert not any(one.has_a_day for one in due)
    assert due_lines(DueAsked(frozenset({"vaccine", "deworming"})), {"p": "豆豆"}, {"p": due}, TODAY) == []


def test_a_lapsed_series_is_left_to_the_vet() -> None:
    doses = [shot("卫佳捌", "2024-01-01"), shot("卫佳捌", "2024-01-22")]
    (lepto,) = [one for one in told(pet(), doses, []) if one.stage == "restart_ask_vet"]
    assert due_line(lepto, "豆豆", TODAY) == "豆豆的钩端疫苗间隔太久，怎么补由兽医决定"
    assert not lepto.has_a_day


@pytest.mark.parametrize(("given", "lapsed"), [("2026-09-11", False), ("2026-09-10", True), ("2025-06-01", True)])
def test_a_second_shot_that_never_came_is_asked_about_and_not_counted_in_days(given: str, lapsed: bool) -> None:
    (core,) = told(pet("cat", None, "unknown"), [shot("妙三多", given)], [])
    line = due_line(core, "豆豆", TODAY)
    assert (core.lapsed, core.has_a_day) == (lapsed, not lapsed)
    assert ("没有记录" in line and "兽医" in line and "已经过了" not in line) == lapsed


NAMES = [PetProfile(id="p", name="豆豆", species="dog")]
BOTH = frozenset({"vaccine", "deworming"})


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("豆豆的猫瘟疫苗哪天补", DueAsked(frozenset({"vaccine"}))),
        ("狂犬该打了吧？", DueAsked(frozenset({"vaccine"}))),
        ("下回体外驱虫是几号", DueAsked(frozenset({"deworming"}))),
        ("疫苗和驱虫都什么时候到期？", DueAsked(BOTH)),
        ("豆豆有哪些快到期的？", DueAsked(BOTH)),
        ("豆豆这个月有什么安排", DueAsked(BOTH)),
        ("豆豆这阵子怎么样", DueAsked(BOTH, pressing_only=True)),
        ("豆豆下次什么时候去游泳？", None),
        ("豆豆今天打了狂犬疫苗", None),
        ("豆豆能吃葡萄吗", None),
        ("这罐头过期了还能吃吗", None),
    ],
)
def test_only_a_question_about_prevention_or_how_things_are_asks_what_is_due(text: str, asked: DueAsked | None) -> None:
    assert due_asked(text, NAMES) == asked


def test_in_passing_only_what_presses_is_told() -> None:
    due = {"p": told(pet(), [shot("狂犬疫苗", "2025-12-01"), shot("卫佳捌", "2026-10-30")], [])}
    passing = due_lines(DueAsked(BOTH, pressing_only=True), {"p": "豆豆"}, due, TODAY)
    asked = due_lines(DueAsked(BOTH), {"p": "豆豆"}, due, TODAY)
    assert set(passing) <= set(asked)
    assert any("狂犬疫苗" in line for line in passing)
