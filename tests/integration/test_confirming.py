"""What the owner's answer to a confirmation does, by a tap and in words."""

import asyncio
from datetime import date, timedelta

import pytest
from sqlmodel import col, select

from app.database import Database
from domain.confirming import lapse_due, open_confirmations
from domain.health_records import records_of
from domain.inbox import InboxMessage
from domain.pets import Pet
from domain.record_kinds import KINDS
from memory.claims import Claim
from memory.confirmations import Confirmation
from memory.errors import AlreadyAnswered, ConfirmationLapsed, NewerCandidate, NotFound
from memory.items import EvidenceRow, MemoryItem, MemoryVersion
from memory.settlement import Answer
from memory.vocabulary import Certainty, MemoryStatus, Outcome, Precision, SpeechAct, Tier
from tests.homes import MONDAY, Home, allergy, claim, open_home

LATER = MONDAY + timedelta(days=2)


@pytest.fixture
async def home(database: Database) -> Home:
    return await open_home(database)


def dose(home: Home, amount: str, **more: object) -> Claim:
    """The first telling (without more) gives the rhythm too, a change only the amount."""
    rhythm = {} if more else {"frequency_text": "一天两次"}
    content = f"煤球吃匹莫苯丹{amount}" + ("" if more else "，一天两次")
    value = {"product": "匹莫苯丹", "dose_text": amount, **rhythm}
    return claim(home.dog, "medication:pimobendan", content, value=value, **more)


async def asked_about_allergy(home: Home) -> str:
    """An allergy on record, and the question whether it is over. Returns the question's id."""
    await home.say(allergy(home.dog))
    told = await home.say(allergy(home.dog, negated=True, act=SpeechAct.DECISION), at=LATER)
    confirmation = told.written[0].confirmation
    assert confirmation is not None
    return confirmation.confirmation_id


async def test_accepting_ends_the_allergy_and_says_so(home: Home) -> None:
    answered = await home.answer(await asked_about_allergy(home), Answer.ACCEPT, LATER + timedelta(minutes=1))

    assert (answered.status, answered.answered_by) == ("accepted", home.scope.owner_id)
    assert await home.served() == ["煤球对虾不过敏"]
    async with home.database.read() as session:
        (record,) = await records_of(session, home.scope, home.dog.id, KINDS["allergies"])
    assert record.status == "refuted"


async def test_keeping_leaves_the_old_fact_and_is_not_asked_again_without_new_evidence(home: Home) -> None:
    await home.answer(await asked_about_allergy(home), Answer.KEEP, LATER + timedelta(minutes=1))
    again = await home.say(allergy(home.dog, negated=True, act=SpeechAct.DECISION), at=LATER + timedelta(days=5))

    assert await home.served() == ["煤球对虾过敏"]
    assert (again.written[0].outcome, again.written[0].confirmation) == (Outcome.CANDIDATE, None)


async def test_watching_changes_nothing_and_goes_on_collecting(home: Home) -> None:
    await home.answer(await asked_about_allergy(home), Answer.WATCH, LATER + timedelta(minutes=1))

    assert await home.served() == ["煤球对虾过敏"]
    assert len(await home.items(MemoryStatus.CANDIDATE)) == 1


async def test_the_same_answer_twice_is_one_and_another_one_is_refused(home: Home) -> None:
    question = await asked_about_allergy(home)
    first = await home.answer(question, Answer.KEEP, LATER)
    second = await home.answer(question, Answer.KEEP, LATER + timedelta(hours=1))

    assert (second.answered_at, second.version) == (first.answered_at, first.version)
    with pytest.raises(AlreadyAnswered):
        await home.answer(question, Answer.ACCEPT, LATER + timedelta(hours=2))
    assert await home.served() == ["煤球对虾过敏"]


async def test_an_unknown_or_foreign_question_is_not_found(home: Home) -> None:
    other = await open_home(home.database)
    question = await asked_about_allergy(home)

    with pytest.raises(NotFound):
        await other.answer(question, Answer.ACCEPT)


async def test_a_question_lapses_and_the_old_fact_stays(home: Home) -> None:
    question = await asked_about_allergy(home)
    late = LATER + timedelta(days=14)

    with pytest.raises(ConfirmationLapsed):
        await home.answer(question, Answer.ACCEPT, late)
    async with home.database.write() as session:
        assert [one.id for one in await lapse_due(session, late)] == [question]
        assert await lapse_due(session, late) == []
        assert await open_confirmations(session, home.scope, late) == []
    assert await home.served() == ["煤球对虾过敏"]
    with pytest.raises(ConfirmationLapsed):
        await home.answer(question, Answer.ACCEPT, late)


async def test_a_caution_outlives_its_question(home: Home) -> None:
    await home.say(allergy(home.cat, certainty=Certainty.HEARSAY, first_hand=False))
    async with home.database.write() as session:
        await lapse_due(session, MONDAY + timedelta(days=20))

    (item,) = await home.items()
    assert item.status == MemoryStatus.PROVISIONAL


async def test_accepting_a_caution_puts_it_in_force_and_keeping_rejects_it(home: Home) -> None:
    for pet, given, status in (
        (home.cat, Answer.ACCEPT, MemoryStatus.ACTIVE),
        (home.dog, Answer.KEEP, MemoryStatus.REJECTED),
    ):
        told = await home.say(allergy(pet, certainty=Certainty.HEDGED))
        question = told.written[0].confirmation
        assert question is not None
        await home.answer(question.confirmation_id, given, LATER)
        (item,) = [item for item in await home.items() if item.subject == pet.id]
        assert item.status == status


async def test_a_newer_statement_takes_the_place_of_the_question(home: Home) -> None:
    await home.say(dose(home, "1.25mg"))
    first = await home.say(dose(home, "2.5mg", act=SpeechAct.DECISION), at=LATER)
    newer = await home.say(dose(home, "5mg", act=SpeechAct.DECISION), at=LATER + timedelta(hours=1))
    assert first.written[0].confirmation is not None
    assert newer.written[0].confirmation is not None

    with pytest.raises(NewerCandidate) as refused:
        await home.answer(first.written[0].confirmation.confirmation_id, Answer.ACCEPT, LATER + timedelta(hours=2))
    assert refused.value.details["confirmation_id"] == newer.written[0].confirmation.confirmation_id
    assert await home.served() == ["煤球吃匹莫苯丹1.25mg，一天两次"]


async def test_an_accepted_dose_keeps_the_rhythm_and_the_signals_of_the_old_line(home: Home) -> None:
    await home.say(dose(home, "1.25mg"))
    async with home.database.write() as session:
        (item,) = (await session.exec(select(MemoryItem))).all()
        item.cited, item.locked = 7, True
        session.add(item)
    told = await home.say(dose(home, "2.5mg", act=SpeechAct.DECISION), at=LATER)
    assert told.written[0].confirmation is not None
    await home.answer(told.written[0].confirmation.confirmation_id, Answer.ACCEPT, LATER)

    (served,) = await home.items(MemoryStatus.ACTIVE)
    assert served.content == "煤球在用匹莫苯丹，一天两次，2.5mg"
    assert (served.cited, served.locked, served.tier, served.supersedes) == (7, True, Tier.CORE, item.id)
    (gone,) = [row for row in await home.items(MemoryStatus.SUPERSEDED) if row.id == item.id]
    assert gone.valid_to is not None


async def test_an_accepted_correction_of_a_weight_takes_the_old_ones_day(home: Home) -> None:
    day = {"occurred_on": date(2026, 5, 20), "occurred_on_precision": Precision.DAY}
    await home.say(claim(home.cat, "weight", "芋圆体重5.2kg", value={"number": 5.2, "unit": "kg"}, **day))
    told = await home.say(
        claim(
            home.cat,
            "weight",
            "5.2写反了，是2.5",
            value={"number": 2.5, "unit": "kg", "corrects": 5.2},
            act=SpeechAct.CORRECTION,
        ),
        at=LATER,
    )
    assert told.written[0].confirmation is not None
    await home.answer(told.written[0].confirmation.confirmation_id, Answer.ACCEPT, LATER)

    (served,) = await home.items(MemoryStatus.ACTIVE)
    assert served.content == "芋圆体重2.5kg"
    assert served.valid_from is not None
    assert home.scope.local(served.valid_from).date() == date(2026, 5, 20)


async def test_the_history_says_who_changed_what_when_and_why(home: Home) -> None:
    await home.answer(await asked_about_allergy(home), Answer.ACCEPT, LATER)
    async with home.database.read() as session:
        versions = (await session.exec(select(MemoryVersion).order_by(col(MemoryVersion.at)))).all()

    told = {(version.changed_by, version.reason) for version in versions}
    assert told == {(home.scope.owner_id, reason) for reason in ("new_danger", "needs_owner", "confirmation_accepted")}


async def test_the_evidence_of_an_accepted_statement_stands_behind_its_record(home: Home) -> None:
    await home.say(dose(home, "1.25mg"))
    told = await home.say(dose(home, "2.5mg", act=SpeechAct.DECISION), at=LATER)
    assert told.written[0].confirmation is not None
    await home.answer(told.written[0].confirmation.confirmation_id, Answer.ACCEPT, LATER)
    (served,) = await home.items(MemoryStatus.ACTIVE)
    async with home.database.read() as session:
        rows = (await session.exec(select(EvidenceRow).where(col(EvidenceRow.target_id) == served.record_id))).all()

    assert [row.quote for row in rows] == ["煤球吃匹莫苯丹2.5mg"]


async def test_new_evidence_pushes_the_question_again_with_all_of_it(home: Home) -> None:
    harmless = allergy(home.dog, negated=True, act=SpeechAct.OBSERVATION)
    await asked_about_allergy(home)
    await home.say(harmless, at=LATER + timedelta(days=3))
    async with home.database.read() as session:
        prompts = (await session.exec(select(InboxMessage).order_by(col(InboxMessage.id)))).all()

    assert len(prompts) == 2
    assert prompts[1].body.count("「煤球对虾不过敏」") >= 2


@pytest.mark.parametrize(
    ("words", "status", "served"),
    [
        ("对，确认，早就不过敏了", "accepted", "煤球对虾不过敏"),
        ("先别改", "kept", "煤球对虾过敏"),
        ("再观察一阵吧", "watching", "煤球对虾过敏"),
    ],
)
async def test_the_next_message_answers_in_words(home: Home, words: str, status: str, served: str) -> None:
    await asked_about_allergy(home)
    told = await home.say(text=words, at=LATER + timedelta(minutes=2))

    assert told.answered is not None
    assert told.answered.confirmation.status == status
    assert await home.served() == [served]


async def test_a_polite_word_long_after_the_question_is_no_answer(home: Home) -> None:
    await asked_about_allergy(home)
    told = await home.say(text="好的", at=LATER + timedelta(hours=5))

    assert told.answered is None
    assert await home.served() == ["煤球对虾过敏"]


async def test_an_answer_in_words_teaches_nothing_else_about_its_slot(home: Home) -> None:
    await asked_about_allergy(home)
    told = await home.say(allergy(home.dog, negated=True), text="对，煤球对虾不过敏", at=LATER + timedelta(minutes=1))

    assert [written.outcome for written in told.written] == [Outcome.SUPERSEDED]
    assert await home.served() == ["煤球对虾不过敏"]


@pytest.mark.parametrize("words", ["是的芋圆今天打喷嚏", "芋圆的窝换一下", "更新一下水碗", "改成每天梳两次毛"])
async def test_words_about_something_else_leave_the_danger_and_the_question_alone(home: Home, words: str) -> None:
    await asked_about_allergy(home)
    told = await home.say(text=words, at=LATER + timedelta(minutes=1))

    assert told.answered is None
    assert await home.served() == ["煤球对虾过敏"]
    assert [question.status for question in await home.confirmations()] == ["pending"]


async def test_an_answer_read_again_writes_nothing_new(home: Home) -> None:
    await asked_about_allergy(home)
    denial = allergy(home.dog, negated=True)
    text, at = "对，煤球对虾不过敏", LATER + timedelta(minutes=1)
    await home.say(denial, text=text, at=at, message_id="the answer")
    before = await home.items()
    again = await home.say(denial, text=text, at=at, message_id="the answer")

    assert [item.version for item in await home.items()] == [item.version for item in before]
    assert [written.outcome for written in again.written] == [Outcome.SUPERSEDED]


async def test_of_two_devices_that_answer_at_once_only_one_wins(home: Home) -> None:
    question = await asked_about_allergy(home)
    results = await asyncio.gather(
        home.answer(question, Answer.ACCEPT, LATER), home.answer(question, Answer.KEEP, LATER), return_exceptions=True
    )

    refused = [result for result in results if isinstance(result, AlreadyAnswered)]
    (won,) = [result for result in results if isinstance(result, Confirmation)]
    assert len(refused) == 1
    assert await home.served() == (["煤球对虾不过敏"] if won.status == "accepted" else ["煤球对虾过敏"])


async def test_the_same_message_in_two_workers_is_written_once(home: Home) -> None:
    said = [home.say(allergy(home.dog), message_id="one message") for _ in range(3)]
    told = await asyncio.gather(*said)

    assert len(await home.items()) == 1
    assert len({one.written[0].memory_id for one in told}) == 1


async def test_what_the_pets_page_says_changes_only_when_the_owner_confirms(home: Home) -> None:
    async with home.database.write() as session:
        home.dog.neutered = True
        session.add(home.dog)
    not_yet = claim(home.dog, "neutered", "煤球还没绝育", value={"neutered": False}, negated=True)
    told = await home.say(not_yet, at=LATER)
    question = told.written[0].confirmation
    assert question is not None
    assert (await page_of(home)).neutered is True

    await home.answer(question.confirmation_id, Answer.ACCEPT, LATER)
    assert (await page_of(home)).neutered is False
    assert await home.served() == ["煤球还没绝育"]


async def test_what_the_pets_page_leaves_open_is_filled_by_plain_words(home: Home) -> None:
    await home.say(claim(home.dog, "sex", "煤球是母的", value={"sex": "female"}))
    assert (await page_of(home)).sex == "female"


async def page_of(home: Home) -> Pet:
    async with home.database.read() as session:
        return (await session.exec(select(Pet).where(col(Pet.id) == home.dog.id))).one()
