"""A part that keeps coming late is left alone for a while."""

from memory.late_breaker import LATE_IN_A_ROW, REST_S, LateBreaker


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def tired(clock: Clock) -> LateBreaker:
    breaker = LateBreaker(clock=clock)
    for _ in range(LATE_IN_A_ROW):
        breaker.note(in_time=False)
    return breaker


def test_one_late_answer_is_chance() -> None:
    breaker = LateBreaker(clock=Clock())
    breaker.note(in_time=False)
    assert breaker.allows()


def test_answers_in_time_forget_the_late_ones() -> None:
    breaker = LateBreaker(clock=Clock())
    for in_time in (False, False, True, False, False):
        breaker.note(in_time=in_time)
    assert breaker.allows()


def test_after_several_late_answers_nobody_waits_for_it() -> None:
    clock = Clock()
    breaker = tired(clock)
    assert not breaker.allows()
    clock.now += REST_S - 1
    assert not breaker.allows()


def test_after_the_rest_one_call_tries_again_and_others_do_not() -> None:
    clock = Clock()
    breaker = tired(clock)
    clock.now += REST_S
    assert breaker.allows()
    assert not breaker.allows()


def test_a_try_in_time_opens_it_for_all() -> None:
    clock = Clock()
    breaker = tired(clock)
    clock.now += REST_S
    assert breaker.allows()
    breaker.note(in_time=True)
    assert breaker.allows()
    assert breaker.allows()


def test_a_late_try_starts_the_next_rest() -> None:
    clock = Clock()
    breaker = tired(clock)
    clock.now += REST_S
    assert breaker.allows()
    breaker.note(in_time=False)
    clock.now += REST_S - 1
    assert not breaker.allows()
