"""The plans of a night as tables: what is one thing, how guesses move, when a night may begin, what it may take."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.consolidation.classify import Heard, confidence_of, doubtful_pairs, plan_beliefs, plan_merges
from memory.consolidation.collect import HeardMessage
from memory.consolidation.extract import MOST_GROWTH, next_reading
from memory.consolidation.filter import sift
from memory.consolidation.lines import NightLine
from memory.consolidation.losses import Losses, TooMuchLost
from memory.consolidation.timing import USUAL_HOURS, ActiveHours, active_hours, may_sleep
from memory.hunches import Happening, what_follows, what_repeats
from memory.vocabulary import AttributeClass, Kind, MemoryStatus, Risk, Tier

NOW = datetime(2026, 6, 1, 2, tzinfo=UTC)
SHANGHAI = ZoneInfo("Asia/Shanghai")


def line(name: str, content: str, **more: object) -> NightLine:
    known: dict[str, object] = {
        "id": name,
        "subject": "dog",
        "attribute": "behavior:a",
        "attribute_class": AttributeClass.BEHAVIOR,
        "content": content,
        "kind": Kind.FACT,
        "risk": Risk.LOW,
        "tier": Tier.SHORT,
        "status": MemoryStatus.ACTIVE,
        "topic": "behavior",
        "negated": False,
        "confidence": 0.95,
        "weight_level": 2,
        "recall_count": 0,
        "learned_at": NOW,
        "used_at": NOW,
    }
    return NightLine(**{**known, **more})  # type: ignore[arg-type]  # a table of defaults


def merged(one: NightLine, other: NightLine) -> list[tuple[str, str]]:
    plan = plan_merges([one, other], {one.id, other.id}, ["豆豆", "豆包"])
    return [(merge.gone.id, merge.into.id) for merge in plan]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("豆豆喜欢又软又香的窝", "豆豆喜欢又香又软的窝"),
        ("豆豆怕吹风机。", "豆豆怕吹风机"),
        ("豆豆每天吃两次", "豆豆每天吃2次"),
        ("豆豆爱吃胡蘿蔔", "豆豆爱吃胡萝卜"),
    ],
)
def test_the_same_words_in_another_dress_are_one_thing(one: str, other: str) -> None:
    assert merged(line("a", one), line("b", other)) == [("b", "a")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("豆豆的体重目标是4.2kg", "豆豆的体重目标是4.5kg"),
        ("豆豆10月15日做过美容", "豆豆10月16日做过美容"),
        ("豆豆吃胡萝卜", "豆豆不吃胡萝卜"),
        ("豆豆怕豆豆的吹风机", "豆豆怕豆包的吹风机"),
        ("豆豆一次吃50克", "豆豆一次吃50毫升"),
        ("豆豆左耳爱发炎", "豆豆右耳爱发炎"),
        ("豆豆追芋圆", "芋圆追豆豆"),
    ],
)
def test_other_figures_days_denials_and_pets_are_never_one_thing(one: str, other: str) -> None:
    assert merged(line("a", one), line("b", other)) == []
    assert not doubtful_pairs([line("a", one), line("b", other)], {"a", "b"}, ["豆豆", "豆包", "芋圆"])


@pytest.mark.parametrize(
    "more",
    [
        {"subject": "cat"},
        {"kind": Kind.EVENT},
        {"attribute_class": AttributeClass.WEIGHT},
        {"negated": True},
        {"on": date(2026, 5, 1)},
        {"expires_at": NOW + timedelta(days=7)},
        {"status": MemoryStatus.PROVISIONAL},
    ],
)
def test_lines_of_another_pet_day_or_standing_are_never_one_thing(more: dict[str, object]) -> None:
    assert merged(line("a", "豆豆怕吹风机"), line("b", "豆豆怕吹风机", **more)) == []


@pytest.mark.parametrize(
    ("one", "other", "into"),
    [
        ({}, {"mirror": True}, "b"),
        ({}, {"protected": True}, "b"),
        ({}, {"tier": Tier.CORE}, "b"),
        ({"kind": Kind.BELIEF}, {}, "b"),
        ({"recall_count": 1}, {"recall_count": 4}, "b"),
        ({}, {}, "a"),
    ],
)
def test_the_line_that_stays_is_the_better_founded_one(
    one: dict[str, object], other: dict[str, object], into: str
) -> None:
    ((_, stays),) = merged(line("a", "豆豆怕吹风机", **one), line("b", "豆豆怕吹风机", **other))
    assert stays == into


def test_two_lines_of_the_owners_own_are_asked_about_and_two_mirrors_left_alone() -> None:
    own = [line("a", "豆豆怕吹风机", protected=True), line("b", "豆豆怕吹风机", locked=True)]
    (merge,) = plan_merges(own, {"a"}, [])
    assert merge.asks
    assert plan_merges(own, {"a"}, [], apart={frozenset("ab")}) == ()
    assert merged(line("a", "豆豆怕吹风机", mirror=True), line("b", "豆豆怕吹风机", mirror=True)) == []


def test_nothing_old_is_compared_with_nothing_old() -> None:
    assert plan_merges([line("a", "豆豆怕吹风机"), line("b", "豆豆怕吹风机")], set(), []) == ()


@pytest.mark.parametrize(
    ("heard", "confidence"),
    [
        (Heard(premise_days=3), 0.6667),
        (Heard(premise_days=11), 0.8571),
        (Heard(premise_days=3, contrary_days=3), 0.3333),
        (Heard(premise_days=0), 0.1),
    ],
)
def test_an_inferred_guess_follows_its_days(heard: Heard, confidence: float) -> None:
    assert confidence_of(heard) == confidence


@pytest.mark.parametrize(
    ("more", "heard", "ends"),
    [
        ({"confidence": 0.86}, Heard(), "fact"),
        ({"confidence": 0.85}, Heard(), None),
        ({"confidence": 0.86, "risk": Risk.HIGH}, Heard(), None),
        ({"confidence": 0.6}, Heard(contrary_days=3), "fades"),
        ({"confidence": 0.6, "locked": True}, Heard(contrary_days=3), "moves"),
        ({"confidence": 0.6}, Heard(contrary_days=1), "moves"),
        ({"confidence": 0.6}, Heard(), None),
    ],
)
def test_a_guess_becomes_a_fact_above_85_and_fades_below_20(
    more: dict[str, object], heard: Heard, ends: str | None
) -> None:
    plan = plan_beliefs([line("a", "豆豆怕打雷", kind=Kind.BELIEF, **more)], {"a": heard})
    found = None if not plan else "fact" if plan[0].becomes_fact else "fades" if plan[0].fades else "moves"
    assert found == ends


def test_weighing_again_moves_nothing() -> None:
    guess = line("a", "豆豆怕打雷", kind=Kind.BELIEF, confidence=0.6)
    (moved,) = plan_beliefs([guess], {"a": Heard(contrary_days=1)})
    again = line("a", "豆豆怕打雷", kind=Kind.BELIEF, confidence=moved.confidence)
    assert plan_beliefs([again], {"a": Heard(contrary_days=1)}) == ()


def test_hours_are_the_usual_ones_until_enough_is_known() -> None:
    assert active_hours([]) == USUAL_HOURS
    one_evening = [datetime(2026, 6, 1, 3, minute, tzinfo=SHANGHAI) for minute in range(40)]
    assert active_hours(one_evening) == USUAL_HOURS


def test_an_owner_who_talks_at_night_is_active_at_night() -> None:
    nights = [datetime(2026, 6, day, hour, tzinfo=SHANGHAI) for day in range(1, 15) for hour in (21, 23, 1, 3)]
    assert active_hours(nights) == ActiveHours(begin=time(21), end=time(4))


@pytest.mark.parametrize(
    ("clock", "quiet", "running", "new", "sleeps"),
    [
        ("23:30", 25, False, True, True),
        ("23:00", 20, False, True, True),
        ("07:59", 25, False, True, True),
        ("08:00", 25, False, True, False),
        ("22:59", 25, False, True, False),
        ("23:30", 19, False, True, False),
        ("23:30", 25, True, True, False),
        ("23:30", 25, False, False, False),
    ],
)
def test_a_night_needs_quiet_and_something_new(clock: str, quiet: int, running: bool, new: bool, sleeps: bool) -> None:
    local = datetime.combine(date(2026, 6, 1), time.fromisoformat(clock), SHANGHAI)
    talked = local - timedelta(minutes=quiet)
    assert may_sleep(local, talked, USUAL_HOURS, turn_running=running, anything_new=new) is sleeps


def test_a_quarter_of_a_layer_may_leave_and_no_more() -> None:
    losses = Losses({Tier.SHORT: 40})
    losses.take([Tier.SHORT] * 10)
    with pytest.raises(TooMuchLost):
        losses.take([Tier.SHORT])
    assert losses.room(Tier.SHORT) == 0
    assert Losses({Tier.CORE: 2}).allowed(Tier.CORE) == 4


def test_only_a_full_turn_is_read_again_and_growth_is_bounded() -> None:
    messages = [HeardMessage(f"m{made}", "c", "…", NOW, made) for made in (0, 4, 5, 7)]
    sifted = sift(messages)
    assert [one.dominated for one in sifted] == [True, True, False, False]
    first = next_reading(sifted, frozenset(), 0)
    assert first is not None
    assert (first.message.id, first.room) == ("m5", MOST_GROWTH)
    assert next_reading(sifted, frozenset({"m5", "m7"}), 0) is None
    assert next_reading(sifted, frozenset(), MOST_GROWTH) is None


def happening(name: str, key: str, label: str, day: int) -> Happening:
    return Happening(name, key, label, "elimination", key, date(2026, 1, 1) + timedelta(days=day))


def test_what_came_after_three_changes_of_food_is_a_pattern_with_its_sources() -> None:
    changes = [happening(f"c{day}", "food", "换粮", day) for day in (0, 40, 80, 81)]
    upsets = [happening(f"e{day}", "symptom:diarrhea", "软便", day) for day in (2, 41, 83)]
    (found,) = what_follows("豆豆", changes, upsets)
    assert (found.text, found.count) == ("豆豆换粮后三天内软便 ×3", 3)
    assert set(found.sources) == {"c0", "e2", "c40", "e41", "c80", "e83"}


@pytest.mark.parametrize(
    ("changes", "upsets"),
    [
        ((0, 40), (2, 41)),
        ((0, 40, 80), (5, 46, 87)),
        ((0, 40, 80), (-1, 39, 79)),
        ((0, 30, 60, 90, 120, 150), (1, 31, 61)),
        ((0, 40, 80), tuple(range(0, 84, 2))),
    ],
    ids=["too few", "too late", "before", "mostly without", "it comes all the time"],
)
def test_what_may_be_chance_is_no_pattern(changes: tuple[int, ...], upsets: tuple[int, ...]) -> None:
    causes = [happening(f"c{day}", "food", "换粮", day) for day in changes]
    effects = [happening(f"e{day}", "symptom:diarrhea", "软便", day) for day in upsets]
    assert list(what_follows("豆豆", causes, effects)) == []


def test_a_choice_told_on_three_days_repeats() -> None:
    told = [happening("a", "diet:beef", "吃牛肉冻干", day) for day in (1, 1, 5, 9)]
    (found,) = what_repeats("豆豆", told)
    assert (found.text, found.count, found.sources) == ("豆豆经常吃牛肉冻干", 3, ("a",))
    assert list(what_repeats("豆豆", told[:3])) == []
