"""The table of conflicts, cell by cell, and what must hold whatever is said."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.conflict_policy import Ask, Closing, Decision, Reason, decide
from memory.slot_relations import LiveFact, Relation, Said, Slot
from memory.slot_state import (
    Candidate,
    OpenQuestion,
    Rejection,
    Route,
    Sighting,
    SlotState,
    Statement,
    corroborates,
    independent,
)
from memory.vocabulary import (
    Cardinality,
    Certainty,
    ConfirmationKind,
    MemoryStatus,
    Outcome,
    Risk,
    Source,
    SpeechAct,
)

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
LEARNED = NOW - timedelta(days=300)

ALLERGY = Slot("allergy:shrimp", Risk.HIGH, Cardinality.ONE, guards=True)
DRUG = Slot("medication:furosemide", Risk.HIGH, Cardinality.ONE, guards=True)
NEUTERED = Slot("neutered", Risk.HIGH, Cardinality.ONE)
STAPLE = Slot("diet.staple_food", Risk.LOW, Cardinality.ONE)
WEIGHT = Slot("weight", Risk.LOW, Cardinality.SERIES, correction_risk=Risk.HIGH)

ALLERGIC, NOT_ALLERGIC = Said({"substance": "虾"}), Said({"substance": "虾"}, negated=True)
OLD_FOOD, NEW_FOOD = Said({"food": "冠能"}), Said({"food": "爱肯拿"})
SPAYED, INTACT = Said({"text": "绝育"}), Said({"text": "绝育"}, negated=True)


def seen(days_ago: int = 0, talk: str = "today", source: Source = Source.CHAT, verified: bool = False) -> Sighting:
    at = NOW - timedelta(days=days_ago)
    return Sighting(at, at.date(), talk, source, verified)


def known(said: Said, status: MemoryStatus = MemoryStatus.ACTIVE, protected: bool = False) -> LiveFact:
    return LiveFact("known", said, LEARNED, status, protected)


def holding(said: Said, status: MemoryStatus = MemoryStatus.ACTIVE) -> SlotState:
    return SlotState(facts=(known(said, status),))


def states(
    said: Said,
    certainty: Certainty = Certainty.PLAIN,
    act: SpeechAct = SpeechAct.STATEMENT,
    sighting: Sighting | None = None,
    first_hand: bool = True,
    route: Route = Route.TALK,
) -> Statement:
    return Statement(said, sighting or seen(), certainty, act, first_hand, route)


SOURCES = {
    "chat": seen(),
    "own words": seen(source=Source.OWNER),
    "verified vet": seen(talk="vet", source=Source.VET, verified=True),
    "unverified vet": seen(talk="vet", source=Source.VET),
    "import": seen(source=Source.IMPORT),
    "machine": seen(source=Source.SYSTEM),
}
CLAIMING = (SpeechAct.STATEMENT, SpeechAct.CORRECTION, SpeechAct.DECISION, SpeechAct.KEEP)
EVERY_WORDING = list(product(Certainty, SpeechAct, SOURCES))


# --- contradicts, high risk -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("certainty", "act", "source"), EVERY_WORDING)
@pytest.mark.parametrize(("slot", "old", "new"), [(ALLERGY, ALLERGIC, NOT_ALLERGIC), (NEUTERED, INTACT, SPAYED)])
def test_a_high_risk_fact_is_only_ever_contradicted_by_a_candidate(
    slot: Slot, old: Said, new: Said, certainty: Certainty, act: SpeechAct, source: str
) -> None:
    decision = decide(states(new, certainty, act, SOURCES[source]), slot, holding(old), NOW)

    claimed = certainty is Certainty.PLAIN and act in CLAIMING and source in ("chat", "own words", "verified vet")
    imported = certainty is Certainty.PLAIN and source == "import"
    assert (decision.outcome, decision.status) == (Outcome.CANDIDATE, MemoryStatus.CANDIDATE)
    assert decision.closes == ()
    assert not decision.served
    assert decision.ask is (Ask.OPEN if claimed or imported else Ask.NONE)
    assert decision.ask_kind is (ConfirmationKind.CHANGE if claimed else ConfirmationKind.IMPORT if imported else None)


def test_a_changed_dose_said_plainly_is_asked_about() -> None:
    state = holding(Said({"dose_text": "10mg"}))
    decision = decide(states(Said({"dose_text": "20mg"})), DRUG, state, NOW)
    assert (decision.relation, decision.ask, decision.closes) == (Relation.CONTRADICTS, Ask.OPEN, ())


def test_a_plain_word_that_somebody_else_said_is_hearsay() -> None:
    decision = decide(states(NOT_ALLERGIC, first_hand=False), ALLERGY, holding(ALLERGIC), NOW)
    assert (decision.outcome, decision.ask) == (Outcome.CANDIDATE, Ask.NONE)


def test_a_corrected_weight_is_asked_about_although_a_new_weight_is_not() -> None:
    june = Said({"number": 5.2, "unit": "kg"}, occurred_on=date(2026, 5, 19))
    typed_wrong = Said({"number": 2.5, "unit": "kg", "corrects": 5.2})
    heavier = Said({"number": 5.4, "unit": "kg"}, occurred_on=date(2026, 5, 20))
    correction = decide(states(typed_wrong, act=SpeechAct.CORRECTION), WEIGHT, holding(june), NOW)
    assert (correction.outcome, correction.ask) == (Outcome.CANDIDATE, Ask.OPEN)
    assert decide(states(heavier), WEIGHT, holding(june), NOW).outcome is Outcome.ADDED


# --- evidence adds up -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (seen(9, "a"), seen(0, "b"), True),
        (seen(0, "a"), seen(0, "b"), False),  # another talk on the same day
        (seen(9, "a"), seen(0, "a"), False),  # one talk over midnight
        (seen(0, "a"), seen(0, "v", Source.VET, verified=True), True),
        (seen(0, "a"), seen(0, "v", Source.VET), False),
        (seen(0, "v", Source.VET, True), seen(0, "w", Source.VET, True), False),
    ],
)
def test_independent_sources(one: Sighting, other: Sighting, expected: bool) -> None:
    assert independent(one, other) is independent(other, one) is expected
    assert corroborates((one, other)) is expected


def observed(earlier: Sighting, now: Sighting, **state: object) -> Decision:
    pool = Candidate("pool", NOT_ALLERGIC, (earlier,))
    told = replace(SlotState((known(ALLERGIC),), (pool,)), **state)  # type: ignore[arg-type]  # fields by name
    return decide(states(NOT_ALLERGIC, act=SpeechAct.OBSERVATION, sighting=now), ALLERGY, told, NOW)


def test_a_second_independent_observation_asks_the_owner() -> None:
    decision = observed(seen(20, "a"), seen(0, "b"))
    assert (decision.outcome, decision.status, decision.target) == (Outcome.CANDIDATE, None, "pool")
    assert (decision.corroborated, decision.ask, decision.ask_kind) == (True, Ask.OPEN, ConfirmationKind.CHANGE)


@pytest.mark.parametrize("earlier", [seen(0, "a"), seen(20, "b")])
def test_an_observation_of_the_same_day_or_talk_does_not_ask(earlier: Sighting) -> None:
    decision = observed(earlier, seen(0, "b"))
    assert (decision.corroborated, decision.ask, decision.target) == (False, Ask.NONE, "pool")


def test_chat_and_a_verified_vet_are_two_sources_on_one_day() -> None:
    assert observed(seen(0, "a"), seen(0, "v", Source.VET, True)).ask is Ask.OPEN


def test_an_unverified_note_never_helps_to_remove_a_danger() -> None:
    decision = observed(seen(20, "a"), seen(0, "v", Source.VET))
    assert (decision.ask, decision.counts, decision.reason) == (Ask.NONE, False, Reason.UNVERIFIED_VET)


def test_a_reaction_in_between_spends_the_observations_before_it() -> None:
    again = LiveFact("known", ALLERGIC, NOW - timedelta(days=5))
    assert observed(seen(20, "a"), seen(0, "b"), facts=(again,)).ask is Ask.NONE


def test_a_question_never_counts_as_an_observation() -> None:
    pool = Candidate("pool", NOT_ALLERGIC, (seen(20, "a"),))
    asked = states(NOT_ALLERGIC, Certainty.QUESTION)
    decision = decide(asked, ALLERGY, SlotState((known(ALLERGIC),), (pool,)), NOW)
    assert (decision.ask, decision.counts, decision.target) == (Ask.NONE, False, "pool")


def test_an_open_question_is_pushed_again_when_the_evidence_becomes_independent() -> None:
    question = OpenQuestion("q", ConfirmationKind.CHANGE, about="pool")
    decision = observed(seen(20, "a"), seen(0, "b"), question=question)
    assert (decision.ask, decision.question_id) == (Ask.PUSH_AGAIN, "q")


def test_more_of_the_same_evidence_is_attached_in_silence() -> None:
    pool = Candidate("pool", NOT_ALLERGIC, (seen(30, "a"), seen(20, "b")))
    state = SlotState((known(ALLERGIC),), (pool,), OpenQuestion("q", ConfirmationKind.CHANGE, "pool"))
    decision = decide(states(NOT_ALLERGIC), ALLERGY, state, NOW)
    assert (decision.ask, decision.question_id) == (Ask.ATTACH, "q")


def test_an_observation_beside_an_open_question_is_attached_to_it() -> None:
    question = OpenQuestion("q", ConfirmationKind.CHANGE, about="pool")
    assert observed(seen(0, "a"), seen(0, "b"), question=question).ask is Ask.ATTACH


def test_after_watching_two_fresh_observations_are_needed() -> None:
    watched = Candidate("pool", NOT_ALLERGIC, (seen(40, "a"), seen(30, "b")), NOW - timedelta(days=20))
    once = replace(watched, sightings=(*watched.sightings, seen(9, "c")))
    first = decide(
        states(NOT_ALLERGIC, act=SpeechAct.OBSERVATION), ALLERGY, SlotState((known(ALLERGIC),), (watched,)), NOW
    )
    second = decide(
        states(NOT_ALLERGIC, act=SpeechAct.OBSERVATION), ALLERGY, SlotState((known(ALLERGIC),), (once,)), NOW
    )
    assert (first.ask, second.ask) == (Ask.NONE, Ask.OPEN)


def test_a_newer_proposal_takes_the_place_of_the_open_question() -> None:
    state = SlotState(
        (known(Said({"dose_text": "10mg"})),),
        (Candidate("pool", Said({"dose_text": "20mg"}), (seen(2, "a"),)),),
        OpenQuestion("q", ConfirmationKind.CHANGE, "pool"),
    )
    decision = decide(states(Said({"dose_text": "15mg"})), DRUG, state, NOW)
    assert (decision.status, decision.ask, decision.voids) == (MemoryStatus.CANDIDATE, Ask.OPEN, ("q",))


# --- rejected lately ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("days", "ask"), [(1, Ask.NONE), (29, Ask.NONE), (30, Ask.OPEN), (90, Ask.OPEN)])
def test_a_rejected_claim_is_not_asked_again_within_thirty_days(days: int, ask: Ask) -> None:
    rejected = Rejection(NOT_ALLERGIC, NOW - timedelta(days=days))
    decision = decide(states(NOT_ALLERGIC), ALLERGY, SlotState((known(ALLERGIC),), rejections=(rejected,)), NOW)
    assert (decision.outcome, decision.ask) == (Outcome.CANDIDATE, ask)


def test_new_independent_evidence_asks_again_within_thirty_days() -> None:
    rejected = Rejection(NOT_ALLERGIC, NOW - timedelta(days=10))
    assert observed(seen(8, "a"), seen(0, "b"), rejections=(rejected,)).ask is Ask.OPEN


def test_the_rejection_of_another_value_does_not_count() -> None:
    rejected = Rejection(Said({"dose_text": "40mg"}), NOW - timedelta(days=1))
    state = SlotState((known(Said({"dose_text": "10mg"})),), rejections=(rejected,))
    assert decide(states(Said({"dose_text": "20mg"})), DRUG, state, NOW).ask is Ask.OPEN


# --- contradicts, low risk ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("certainty", "act", "source"), EVERY_WORDING)
def test_only_the_plain_word_of_one_who_knows_supersedes_a_low_risk_fact(
    certainty: Certainty, act: SpeechAct, source: str
) -> None:
    decision = decide(states(NEW_FOOD, certainty, act, SOURCES[source]), STAPLE, holding(OLD_FOOD), NOW)

    plain = certainty is Certainty.PLAIN and act in CLAIMING and source in ("chat", "own words", "verified vet")
    assert decision.ask is Ask.NONE
    if plain:
        assert (decision.outcome, decision.status) == (Outcome.SUPERSEDED, MemoryStatus.ACTIVE)
        assert decision.closes == (Closing("known", MemoryStatus.SUPERSEDED, NOW.date()),)
    else:
        assert (decision.outcome, decision.status, decision.closes) == (Outcome.CANDIDATE, MemoryStatus.CANDIDATE, ())


def test_the_old_fact_ends_on_the_day_the_new_one_became_true() -> None:
    since = replace(NEW_FOOD, occurred_on=date(2026, 5, 1))
    assert decide(states(since), STAPLE, holding(OLD_FOOD), NOW).closes[0].valid_to == date(2026, 5, 1)


def test_news_that_arrives_late_is_filed_as_history() -> None:
    late = states(NEW_FOOD, sighting=seen(400, "old"))
    decision = decide(late, STAPLE, holding(OLD_FOOD), NOW)
    assert (decision.outcome, decision.status, decision.closes) == (Outcome.ADDED, MemoryStatus.SUPERSEDED, ())
    assert decide(replace(late, said=NOT_ALLERGIC), ALLERGY, holding(ALLERGIC), NOW).ask is Ask.NONE


def doubted_food(protected: bool = False) -> SlotState:
    return SlotState((known(OLD_FOOD, protected=protected),), (Candidate("pool", NEW_FOOD, (seen(9, "a"),)),))


def test_corroborated_low_risk_supersedes() -> None:
    hedged = states(NEW_FOOD, Certainty.HEDGED, sighting=seen(0, "b"))
    decision = decide(hedged, STAPLE, doubted_food(), NOW)
    assert (decision.outcome, decision.promotes, decision.status) == (Outcome.SUPERSEDED, "pool", None)
    assert decision.corroborated


def test_observations_alone_never_change_what_the_owner_wrote() -> None:
    hedged = states(NEW_FOOD, Certainty.HEDGED, sighting=seen(0, "b"))
    decision = decide(hedged, STAPLE, doubted_food(protected=True), NOW)
    assert (decision.outcome, decision.ask, decision.closes) == (Outcome.CANDIDATE, Ask.OPEN, ())
    assert decide(states(NEW_FOOD), STAPLE, doubted_food(protected=True), NOW).outcome is Outcome.SUPERSEDED


# --- narrows --------------------------------------------------------------------------------------------------------

WALK = Slot("activity:walk", Risk.LOW, Cardinality.ONE)
MORNING = Said({"time": "06:00"})
WEEKEND = Said({"time": "20:00", "recurrence": {"every": 1, "unit": "week", "weekdays": [6, 7]}})


@pytest.mark.parametrize(
    ("certainty", "outcome"), [(Certainty.PLAIN, Outcome.ADDED), (Certainty.HEDGED, Outcome.CANDIDATE)]
)
def test_an_exception_stands_beside_the_rule(certainty: Certainty, outcome: Outcome) -> None:
    decision = decide(states(WEEKEND, certainty), WALK, holding(MORNING), NOW)
    assert (decision.relation, decision.outcome, decision.closes) == (Relation.NARROWS, outcome, ())


def test_a_limit_on_a_danger_is_asked_about() -> None:
    def only_raw(slot: Slot, known: Said, new: Said) -> Relation:
        return Relation.NARROWS

    decision = decide(states(ALLERGIC), ALLERGY, holding(ALLERGIC), NOW, only_raw)
    assert (decision.outcome, decision.ask) == (Outcome.CANDIDATE, Ask.OPEN)


# --- raises danger --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("certainty", "act", "source"), EVERY_WORDING)
@pytest.mark.parametrize("state", [SlotState(), holding(NOT_ALLERGIC)], ids=["nothing known", "said to be fine"])
def test_protection_is_one_sided(state: SlotState, certainty: Certainty, act: SpeechAct, source: str) -> None:
    decision = decide(states(ALLERGIC, certainty, act, SOURCES[source]), ALLERGY, state, NOW)
    assert decision.relation is Relation.RAISES_DANGER
    assert decision.closes == ()
    if certainty is Certainty.QUESTION or source == "machine":
        assert (decision.outcome, decision.ask) == (Outcome.CANDIDATE, Ask.NONE)
    elif certainty is Certainty.PLAIN:
        assert (decision.outcome, decision.status, decision.ask) == (Outcome.ADDED, MemoryStatus.ACTIVE, Ask.NONE)
    else:
        assert (decision.outcome, decision.status) == (Outcome.PROVISIONAL, MemoryStatus.PROVISIONAL)
        assert (decision.ask, decision.ask_kind) == (Ask.OPEN, ConfirmationKind.NEW_DANGER)


def test_a_reaction_is_evidence_for_the_allergy_even_while_a_contradiction_is_open() -> None:
    pool = Candidate("pool", NOT_ALLERGIC, (seen(3, "a"),))
    state = SlotState((known(ALLERGIC),), (pool,), OpenQuestion("q", ConfirmationKind.CHANGE, "pool"))
    swollen = replace(ALLERGIC, value={"substance": "虾", "reaction": "脸肿"})
    decision = decide(states(swollen, act=SpeechAct.OBSERVATION), ALLERGY, state, NOW)
    assert (decision.outcome, decision.target, decision.voids) == (Outcome.MERGED, "known", ())


def test_an_allergy_of_the_other_pet_leaves_both_careful() -> None:
    this_pet = decide(states(NOT_ALLERGIC, act=SpeechAct.CORRECTION), ALLERGY, holding(ALLERGIC), NOW)
    other_pet = decide(states(ALLERGIC, act=SpeechAct.CORRECTION), ALLERGY, SlotState(), NOW)
    assert (this_pet.ask, this_pet.closes) == (Ask.OPEN, ())
    assert other_pet.status is MemoryStatus.ACTIVE


# --- provisional cautions -------------------------------------------------------------------------------------------

CAUTION = SlotState(
    (known(ALLERGIC, MemoryStatus.PROVISIONAL),), question=OpenQuestion("q", ConfirmationKind.NEW_DANGER, "known")
)


def test_a_caution_said_again_plainly_comes_into_force() -> None:
    decision = decide(states(ALLERGIC), ALLERGY, CAUTION, NOW)
    assert (decision.outcome, decision.promotes, decision.voids) == (Outcome.MERGED, "known", ("q",))


def test_a_caution_said_again_with_doubt_stays_one() -> None:
    decision = decide(states(ALLERGIC, Certainty.HEDGED), ALLERGY, CAUTION, NOW)
    assert (decision.promotes, decision.ask, decision.question_id) == (None, Ask.ATTACH, "q")


def test_a_plain_denial_of_a_caution_brings_its_question_back() -> None:
    decision = decide(states(NOT_ALLERGIC), ALLERGY, CAUTION, NOW)
    assert (decision.outcome, decision.closes) == (Outcome.CANDIDATE, ())
    assert (decision.ask, decision.question_id, decision.ask_kind) == (Ask.PUSH_AGAIN, "q", ConfirmationKind.NEW_DANGER)


def test_a_denial_after_the_question_lapsed_asks_anew() -> None:
    lapsed = replace(CAUTION, question=None)
    assert decide(states(NOT_ALLERGIC), ALLERGY, lapsed, NOW).ask is Ask.OPEN


def test_a_verified_vet_may_end_a_caution_but_not_a_fact() -> None:
    vet = states(NOT_ALLERGIC, sighting=seen(0, "v", Source.VET, verified=True))
    ended = decide(vet, ALLERGY, CAUTION, NOW)
    assert ended.closes == (Closing("known", MemoryStatus.REJECTED),)
    assert (ended.reason, ended.voids) == (Reason.CAUTION_REJECTED, ("q",))
    assert decide(vet, ALLERGY, holding(ALLERGIC), NOW).closes == ()


# --- same, beside ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("certainty", "counts"), [(one, one is not Certainty.QUESTION) for one in Certainty])
def test_the_same_said_again_is_evidence_and_no_second_row(certainty: Certainty, counts: bool) -> None:
    decision = decide(states(OLD_FOOD, certainty), STAPLE, holding(OLD_FOOD), NOW)
    assert (decision.outcome, decision.status, decision.target) == (Outcome.MERGED, None, "known")
    assert (decision.counts, decision.ask) == (counts, Ask.NONE)


@pytest.mark.parametrize(
    ("certainty", "outcome", "tentative"),
    [
        (Certainty.PLAIN, Outcome.ADDED, False),
        (Certainty.HEDGED, Outcome.ADDED, True),
        (Certainty.HEARSAY, Outcome.ADDED, True),
        (Certainty.QUESTION, Outcome.REFUSED, False),
    ],
)
def test_what_nothing_speaks_against_is_kept_as_it_was_said(
    certainty: Certainty, outcome: Outcome, tentative: bool
) -> None:
    decision = decide(states(NEW_FOOD, certainty), STAPLE, SlotState(), NOW)
    assert (decision.outcome, decision.tentative) == (outcome, tentative)


def test_a_doubtful_all_clear_is_watched_not_served() -> None:
    assert decide(states(NOT_ALLERGIC), ALLERGY, SlotState(), NOW).status is MemoryStatus.ACTIVE
    assert decide(states(NOT_ALLERGIC, Certainty.HEDGED), ALLERGY, SlotState(), NOW).status is MemoryStatus.CANDIDATE
    note = states(NOT_ALLERGIC, sighting=SOURCES["unverified vet"])
    assert decide(note, ALLERGY, SlotState(), NOW).status is MemoryStatus.CANDIDATE


# --- the owner's own act --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", [Route.FORM, Route.ANSWER])
@pytest.mark.parametrize("certainty", list(Certainty))
def test_the_owners_act_is_applied_at_once(route: Route, certainty: Certainty) -> None:
    pool = Candidate("rival", Said({"dose_text": "30mg"}), (seen(2, "a"),))
    state = SlotState(
        (known(Said({"dose_text": "10mg"})),), (pool,), OpenQuestion("q", ConfirmationKind.CHANGE, "rival")
    )
    decision = decide(states(Said({"dose_text": "20mg"}), certainty, route=route), DRUG, state, NOW)
    assert (decision.outcome, decision.status, decision.ask) == (Outcome.SUPERSEDED, MemoryStatus.ACTIVE, Ask.NONE)
    assert set(decision.closes) == {
        Closing("known", MemoryStatus.SUPERSEDED, NOW.date()),
        Closing("rival", MemoryStatus.REJECTED),
    }
    assert decision.voids == ("q",)


def test_an_answer_promotes_the_candidate_it_is_about() -> None:
    pool = Candidate("pool", NOT_ALLERGIC, (seen(2, "a"),))
    state = SlotState((known(ALLERGIC),), (pool,), OpenQuestion("q", ConfirmationKind.CHANGE, "pool"))
    decision = decide(states(NOT_ALLERGIC, route=Route.ANSWER), ALLERGY, state, NOW)
    assert (decision.promotes, decision.status) == ("pool", None)


def test_a_form_that_says_what_is_known_changes_nothing() -> None:
    decision = decide(states(ALLERGIC, route=Route.FORM), ALLERGY, holding(ALLERGIC), NOW)
    assert (decision.outcome, decision.promotes, decision.closes) == (Outcome.MERGED, None, ())


def test_a_form_turns_a_caution_into_a_fact_or_ends_it() -> None:
    assert decide(states(ALLERGIC, route=Route.FORM), ALLERGY, CAUTION, NOW).promotes == "known"
    ended = decide(states(NOT_ALLERGIC, route=Route.FORM), ALLERGY, CAUTION, NOW)
    assert ended.closes == (Closing("known", MemoryStatus.REJECTED),)


# --- whatever is said -----------------------------------------------------------------------------------------------

sightings = st.builds(
    Sighting,
    said_at=st.integers(0, 400).map(lambda days: NOW - timedelta(days=days)),
    day=st.integers(0, 400).map(lambda days: (NOW - timedelta(days=days)).date()),
    conversation_id=st.sampled_from(["a", "b", "c", None]),
    source=st.sampled_from(list(Source)),
    verified=st.booleans(),
)
said = st.sampled_from(
    [ALLERGIC, NOT_ALLERGIC, Said(), Said(negated=True), Said({"dose_text": "1"}), Said({"dose_text": "2"})]
)
statements = st.builds(
    Statement,
    said=said,
    sighting=sightings,
    certainty=st.sampled_from(list(Certainty)),
    act=st.sampled_from(list(SpeechAct)),
    first_hand=st.booleans(),
)
facts = st.builds(
    LiveFact,
    id=st.sampled_from(["f1", "f2"]),
    said=said,
    affirmed_at=st.integers(0, 400).map(lambda days: NOW - timedelta(days=days)),
    status=st.sampled_from([MemoryStatus.ACTIVE, MemoryStatus.PROVISIONAL]),
    protected=st.booleans(),
)
candidates = st.builds(
    Candidate,
    id=st.sampled_from(["c1", "c2"]),
    said=said,
    sightings=st.lists(sightings, max_size=3).map(tuple),
    settled_at=st.none() | st.just(NOW - timedelta(days=50)),
)
slot_states = st.builds(
    SlotState,
    facts=st.lists(facts, max_size=2, unique_by=lambda one: one.id).map(tuple),
    candidates=st.lists(candidates, max_size=2, unique_by=lambda one: one.id).map(tuple),
    question=st.none()
    | st.builds(
        OpenQuestion,
        id=st.just("q"),
        kind=st.sampled_from(list(ConfirmationKind)),
        about=st.sampled_from(["c1", "c2", "f1", "f2"]),
    ),
    rejections=st.lists(st.builds(Rejection, said=said, at=st.just(NOW - timedelta(days=3))), max_size=1).map(tuple),
)
slots = st.builds(
    Slot,
    attribute=st.sampled_from(["allergy:x", "weight", "diet.staple_food"]),
    risk=st.sampled_from(list(Risk)),
    cardinality=st.sampled_from(list(Cardinality)),
    guards=st.booleans(),
)


@given(statements, slots, slot_states)
def test_talk_never_closes_a_high_risk_fact(new: Statement, slot: Slot, state: SlotState) -> None:
    decision = decide(new, replace(slot, risk=Risk.HIGH), state, NOW)
    active = {fact.id for fact in state.facts if fact.status is MemoryStatus.ACTIVE}
    assert not active & {closing.id for closing in decision.closes}


@given(statements, slot_states)
def test_a_danger_that_was_said_is_never_dropped(new: Statement, state: SlotState) -> None:
    spoken = replace(
        new,
        said=replace(new.said, negated=False),
        certainty=Certainty.HEDGED if new.certainty is Certainty.QUESTION else new.certainty,
        sighting=replace(new.sighting, source=Source.CHAT),
    )
    decision = decide(spoken, ALLERGY, state, NOW)
    careful = {fact.id for fact in state.facts if not fact.said.negated}
    asked_beside_a_danger = bool(careful) and decision.outcome is Outcome.CANDIDATE
    assert decision.served or decision.target in careful or asked_beside_a_danger
    assert not careful & {closing.id for closing in decision.closes}


@given(statements, slots, slot_states)
def test_an_unverified_note_never_ends_or_questions_a_danger(new: Statement, slot: Slot, state: SlotState) -> None:
    note = replace(new, sighting=replace(new.sighting, source=Source.VET, verified=False))
    denial = replace(note, said=replace(note.said, negated=True))
    dangers = tuple(fact for fact in state.facts if not fact.said.negated) or (known(ALLERGIC),)
    guard = replace(slot, guards=True, cardinality=Cardinality.ONE)
    decision = decide(denial, guard, replace(state, facts=dangers), NOW)
    assert (decision.closes, decision.ask, decision.counts) == ((), Ask.NONE, False)


@given(statements, slots, slot_states)
def test_decisions_are_deterministic_and_hold_together(new: Statement, slot: Slot, state: SlotState) -> None:
    decision = decide(new, slot, state, NOW)
    assert decision == decide(new, slot, state, NOW)
    assert (decision.status is None) or (decision.target is None)
    assert (decision.ask_kind is None) == (decision.ask is Ask.NONE)
    assert (decision.question_id is not None) == (decision.ask in (Ask.ATTACH, Ask.PUSH_AGAIN))
    if decision.outcome is Outcome.CANDIDATE:
        assert not decision.served
        assert decision.closes == ()
    if decision.outcome is Outcome.REFUSED:
        assert decision == Decision(Outcome.REFUSED, decision.reason, decision.relation, counts=False)


@given(statements, slots, slot_states)
def test_questions_and_machine_words_never_ask_close_or_count(new: Statement, slot: Slot, state: SlotState) -> None:
    for silent in (
        replace(new, certainty=Certainty.QUESTION),
        replace(new, sighting=replace(new.sighting, source=Source.SYSTEM)),
    ):
        decision = decide(silent, slot, state, NOW)
        assert (decision.closes, decision.ask) == ((), Ask.NONE)
