"""What becomes of an owner's statements, from claims to rows, over a real database."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlmodel import select

from app.database import Database
from domain.health_records import records_of
from domain.inbox import InboxMessage
from domain.record_kinds import KINDS
from domain.remembering import Limits
from domain.statement_comparison import said_of_item
from memory.claims import Claim, Evidence
from memory.core_budget import Limits as CardLimits
from memory.items import EvidenceRow, MemoryItem
from memory.tombstones import bury
from memory.vocabulary import Certainty, MemoryStatus, Outcome, Precision, SpeechAct, Tier
from tests.homes import MONDAY, SECRET, Home, allergy, claim, open_home


@pytest.fixture
async def home(database: Database) -> Home:
    return await open_home(database)


async def test_a_plain_allergy_is_a_record_on_the_card_at_once(home: Home) -> None:
    told = await home.say(allergy(home.dog))

    (written,) = told.written
    assert (written.outcome, written.record_kind, written.confirmation) == (Outcome.ADDED, "allergies", None)
    (item,) = await home.items()
    assert (item.tier, item.status, item.risk) == (Tier.CORE, MemoryStatus.ACTIVE, "high")
    async with home.database.read() as session:
        (record,) = await records_of(session, home.scope, home.dog.id, KINDS["allergies"])
    assert (record.id, record.attribute) == (written.record_id, "allergy:shrimp")


async def test_the_same_message_read_again_writes_nothing_and_answers_the_same(home: Home) -> None:
    claims = (
        allergy(home.dog),
        claim(home.dog, "behavior.fear", "煤球怕吸尘器"),
        claim(None, "symptom:cough", "咳嗽了两声"),
    )
    first = await home.say(*claims, message_id="m")
    again = await home.say(*claims, message_id="m")

    assert again == first
    assert len(await home.items()) == 3


async def test_owner_is_asked_before_an_allergy_changes(home: Home) -> None:
    await home.say(allergy(home.dog))
    told = await home.say(allergy(home.dog, negated=True, act=SpeechAct.DECISION), at=MONDAY + timedelta(days=9))

    (written,) = told.written
    assert written.outcome is Outcome.CANDIDATE
    assert written.confirmation is not None
    assert await home.served() == ["煤球对虾过敏"]
    (question,) = await home.confirmations()
    assert question.old is not None
    assert (question.old["content"], question.new["content"]) == ("煤球对虾过敏", "煤球对虾不过敏")
    async with home.database.read() as session:
        (prompt,) = (await session.exec(select(InboxMessage))).all()
    assert (prompt.kind, prompt.link["confirmation_id"]) == ("confirmation", question.id)


async def test_two_harmless_meals_on_different_days_make_a_question_and_one_does_not(home: Home) -> None:
    harmless = allergy(home.dog, negated=True, act=SpeechAct.OBSERVATION)
    await home.say(allergy(home.dog))
    first = await home.say(harmless, at=MONDAY + timedelta(days=3))
    same_talk = await home.say(harmless, at=MONDAY + timedelta(days=3, minutes=5))
    other_day = await home.say(harmless, at=MONDAY + timedelta(days=8))

    assert [told.written[0].outcome for told in (first, same_talk, other_day)] == [Outcome.CANDIDATE] * 3
    asked = [told.written[0].confirmation is not None for told in (first, same_talk, other_day)]
    assert asked == [False, False, True]
    assert await home.served() == ["煤球对虾过敏"]


async def test_a_doubtful_allergy_is_a_caution_with_a_question(home: Home) -> None:
    told = await home.say(allergy(home.cat, certainty=Certainty.HEDGED))

    (written,) = told.written
    assert (written.outcome, written.record_kind) == (Outcome.PROVISIONAL, "allergies")
    assert written.confirmation is not None
    (item,) = await home.items()
    assert (item.status, item.tier) == (MemoryStatus.PROVISIONAL, Tier.CORE)


async def test_said_plainly_a_caution_comes_into_force_and_its_question_is_void(home: Home) -> None:
    await home.say(allergy(home.cat, certainty=Certainty.HEDGED))
    told = await home.say(allergy(home.cat), at=MONDAY + timedelta(days=1))

    assert told.written[0].outcome is Outcome.MERGED
    (item,) = await home.items()
    assert item.status == MemoryStatus.ACTIVE
    assert [question.status for question in await home.confirmations()] == ["void"]


async def test_the_other_pet_is_never_touched(home: Home) -> None:
    await home.say(allergy(home.dog), allergy(home.cat))
    await home.say(allergy(home.cat, negated=True, act=SpeechAct.CORRECTION), at=MONDAY + timedelta(days=2))

    assert sorted(await home.served()) == ["煤球对虾过敏", "芋圆对虾过敏"]
    assert [question.subject for question in await home.confirmations()] == [home.cat.id]


async def test_a_plain_low_risk_change_supersedes_and_hands_on_what_the_old_line_had(home: Home) -> None:
    await home.say(claim(home.dog, "walk", "煤球晚上遛弯", value={"time": "20:00"}))
    async with home.database.write() as session:
        (old,) = (await session.exec(select(MemoryItem))).all()
        old.cited, old.tier = 4, Tier.CORE.value
        session.add(old)
    slot = "diet.staple_food"
    await home.say(claim(home.cat, slot, "芋圆吃鸡肉粮", value={"food": "鸡肉粮"}))
    told = await home.say(
        claim(home.cat, slot, "芋圆换成鱼肉粮了", value={"food": "鱼肉粮"}, act=SpeechAct.DECISION),
        at=MONDAY + timedelta(days=40),
    )

    assert told.written[0].outcome is Outcome.SUPERSEDED
    assert "芋圆吃鸡肉粮" not in await home.served()
    (gone,) = await home.items(MemoryStatus.SUPERSEDED)
    assert gone.valid_to is not None
    assert home.scope.local(gone.valid_to).date() == date(2026, 7, 11)
    (new,) = [item for item in await home.items() if item.content == "芋圆换成鱼肉粮了"]
    assert new.supersedes == gone.id


async def test_weights_are_rows_in_time_and_the_same_one_told_twice_is_one(home: Home) -> None:
    def weighed(number: float, unit: str, on: date | None) -> Claim:
        content = f"煤球体重{number:g}{unit}"
        value = {"number": number, "unit": unit}
        return claim(
            home.dog,
            "weight",
            content,
            value=value,
            occurred_on=on,
            occurred_on_precision=Precision.DAY if on else Precision.UNKNOWN,
        )

    first = await home.say(weighed(12.5, "kg", date(2026, 6, 1)))
    twice = await home.say(weighed(25, "斤", None), at=MONDAY + timedelta(hours=3))
    later = await home.say(weighed(13, "kg", None), at=MONDAY + timedelta(days=30))

    assert [told.written[0].outcome for told in (first, twice, later)] == [Outcome.ADDED, Outcome.MERGED, Outcome.ADDED]
    items = await home.items()
    assert [(item.content, item.tier) for item in items] == [("煤球体重12.5kg", Tier.LONG), ("煤球体重13kg", Tier.CORE)]


async def test_another_figure_for_a_recorded_weight_needs_the_owner(home: Home) -> None:
    weighed = claim(home.cat, "weight", "芋圆体重5.2kg", value={"number": 5.2, "unit": "kg"})
    wrong = claim(
        home.cat,
        "weight",
        "芋圆体重2.5kg",
        value={"number": 2.5, "unit": "kg", "corrects": 5.2},
        act=SpeechAct.CORRECTION,
        evidence=Evidence("那个5.2写反了，是2.5kg", 0, 15),
    )
    await home.say(weighed)
    told = await home.say(wrong, at=MONDAY + timedelta(days=1), text="那个5.2写反了，是2.5kg")

    assert told.written[0].confirmation is not None
    assert await home.served() == ["芋圆体重5.2kg"]


async def test_an_impossible_weight_is_refused_with_the_reason(home: Home) -> None:
    heavy = claim(home.cat, "weight", "芋圆体重52kg", value={"number": 52, "unit": "kg"})
    (written,) = (await home.say(heavy)).written

    assert written.outcome is Outcome.REFUSED
    assert (written.reason or "").startswith("implausible_value")
    assert await home.items() == []


async def test_at_most_five_memories_a_message_and_records_do_not_count(home: Home) -> None:
    habits = [
        claim(home.dog, f"behavior:{name}", f"煤球喜欢{name}", confidence=0.9 + number / 100)
        for number, name in enumerate(["飞盘", "球", "绳子", "骨头", "纸箱", "袜子", "水管"])
    ]
    told = await home.say(*habits, allergy(home.dog))

    refused = [written.content for written in told.written if written.outcome is Outcome.REFUSED]
    assert refused == ["煤球喜欢飞盘", "煤球喜欢球"]
    assert [written.content for written in told.written][-1] == "煤球对虾过敏"
    assert len(await home.items()) == 6


async def test_a_limit_of_memories_is_a_setting(home: Home) -> None:
    told = await home.say(
        claim(home.dog, "behavior:a", "煤球爱叫"),
        claim(home.dog, "behavior:b", "煤球爱跑"),
        limits=Limits(new_memories=1),
    )
    assert [written.outcome for written in told.written] == [Outcome.ADDED, Outcome.REFUSED]


async def test_what_was_deleted_is_learned_again_only_from_what_is_said_after(home: Home) -> None:
    said = claim(home.dog, "behavior:barking", "煤球爱叫", value={"name": "叫"})
    await home.say(said, message_id="before")
    deleted_at = MONDAY + timedelta(days=1)
    async with home.database.write() as session:
        (item,) = (await session.exec(select(MemoryItem))).all()
        bury(session, home.scope, item.subject, item.attribute, said_of_item(item, home.scope), SECRET, deleted_at)
        item.status = MemoryStatus.DELETED.value
        session.add(item)
        for row in (await session.exec(select(EvidenceRow))).all():
            await session.delete(row)

    again = await home.say(said, message_id="before")
    anew = await home.say(said, at=deleted_at + timedelta(hours=1))

    assert (again.written[0].outcome, again.written[0].reason) == (Outcome.REFUSED, "deleted_by_owner")
    assert anew.written[0].outcome is Outcome.ADDED


async def test_a_claim_about_no_known_pet_waits_unassigned_without_a_record(home: Home) -> None:
    told = await home.say(claim(None, "allergy:shrimp", "对虾过敏"))

    (written,) = told.written
    assert (written.outcome, written.subject, written.record_id) == (Outcome.ADDED, None, None)
    assert (await home.say(replace(allergy(home.dog), subject="no-such-pet"))).written[0].reason == "unknown_subject"


async def test_what_the_owner_asks_to_keep_is_protected(home: Home) -> None:
    await home.say(claim(home.dog, "behavior:door", "煤球会开门", act=SpeechAct.KEEP))

    (item,) = await home.items()
    assert (item.protected, item.source, item.tier) == (True, "owner", Tier.CORE)


async def test_what_the_owner_asks_to_keep_goes_to_the_archive_when_the_card_is_full(home: Home) -> None:
    limits = Limits(pet_card=CardLimits(items=1))
    await home.say(allergy(home.dog), limits=limits)
    await home.say(claim(home.dog, "behavior:door", "煤球会开门", act=SpeechAct.KEEP), limits=limits)

    tiers = {item.content: item.tier for item in await home.items()}
    assert tiers == {"煤球对虾过敏": Tier.CORE, "煤球会开门": Tier.LONG}


async def test_words_that_do_not_stand_in_the_message_are_refused(home: Home) -> None:
    told = await home.say(allergy(home.dog), text="今天天气不错")

    assert told.written == ()
    assert len(told.refusals) == 1


async def test_an_observation_of_doubt_is_kept_as_a_guess_and_becomes_a_fact_when_said_plainly(home: Home) -> None:
    maybe = claim(home.cat, "behavior:shy", "芋圆好像怕生", certainty=Certainty.HEDGED, confidence=0.6)
    await home.say(maybe)
    (guess,) = await home.items()
    assert (guess.kind, guess.confidence) == ("belief", 0.6)

    told = await home.say(claim(home.cat, "behavior:shy", "芋圆怕生"), at=MONDAY + timedelta(days=2))
    assert told.written[0].outcome in (Outcome.ADDED, Outcome.MERGED)


async def test_a_guess_is_no_record_until_it_is_said_plainly(home: Home) -> None:
    value = {"number": 4.5, "unit": "kg"}
    await home.say(claim(home.cat, "weight", "芋圆大概4.5kg吧", value=value, certainty=Certainty.HEDGED))
    (guess,) = await home.items()
    assert (guess.kind, guess.record_id) == ("belief", None)

    await home.say(claim(home.cat, "weight", "芋圆称了是4.5kg", value=value), at=MONDAY + timedelta(hours=2))
    (served,) = await home.items(MemoryStatus.ACTIVE)
    assert (served.record_kind, served.kind) == ("weights", "fact")


async def test_numbers_that_lead_to_a_person_stand_in_no_row(home: Home) -> None:
    told = claim(
        home.dog,
        "visit",
        "煤球去阳光医院13812345678看诊",
        value={"clinic": "阳光医院13812345678", "text": "阳光医院13812345678"},
    )
    await home.say(told, message_id="m")
    again = await home.say(told, message_id="m")

    assert len(again.written) == 1
    async with home.database.read() as session:
        for table in (MemoryItem, EvidenceRow, KINDS["visits"].table):
            (row,) = (await session.exec(select(table))).all()
            assert "13812345678" not in row.model_dump_json()
            assert "138****5678" in row.model_dump_json()


async def test_a_shot_never_given_is_asked_about_beside_the_one_on_record(home: Home) -> None:
    await home.say(claim(home.dog, "vaccine:rabies", "煤球打了狂犬疫苗", value={"product": "狂犬疫苗"}))
    denied = claim(home.dog, "vaccine:rabies", "煤球没打过狂犬疫苗", value={"product": "狂犬疫苗"}, negated=True)
    told = await home.say(denied, at=MONDAY + timedelta(days=1))

    assert told.written[0].outcome is Outcome.CANDIDATE
    assert told.written[0].confirmation is not None
    assert await home.served() == ["煤球打了狂犬疫苗"]


async def test_a_shot_told_of_a_day_to_come_is_not_stored(home: Home) -> None:
    ahead = claim(
        home.dog, "vaccine:rabies", "煤球2027年3月1日打了狂犬疫苗", occurred_on=date(2027, 3, 1),
        occurred_on_precision=Precision.DAY,
    )  # fmt: skip
    told = await home.say(ahead)

    assert [(written.outcome, written.reason) for written in told.written] == [
        (Outcome.REFUSED, "implausible_value: 说的那天还没到")
    ]
    assert await home.items() == []


async def test_another_figure_for_a_recorded_weight_is_asked_about(home: Home) -> None:
    at = date(2026, 5, 20)
    known = {"occurred_on": at, "occurred_on_precision": Precision.DAY}
    await home.say(claim(home.dog, "weight", "煤球5月20日体重8公斤", value={"number": 8, "unit": "kg"}, **known))
    words = "煤球5月20日体重不是8公斤，是18公斤"
    told = await home.say(
        claim(home.dog, "weight", words, value={"number": 8, "unit": "kg"}, negated=True, **known),
        claim(home.dog, "weight", words, value={"number": 18, "unit": "kg"}, **known),
        text=words,
        at=MONDAY + timedelta(days=1),
    )

    assert [written.outcome for written in told.written] == [Outcome.CANDIDATE]
    assert told.written[0].confirmation is not None
    assert await home.served() == ["煤球5月20日体重8公斤"]


async def test_a_dose_read_from_before_its_change_is_still_a_change(home: Home) -> None:
    await home.say(claim(home.dog, "medication:furosemide", "煤球在吃呋塞米2mg", value={"dose_text": "2mg"}))
    words = "煤球呋塞米2mg改成1mg"
    told = await home.say(
        claim(home.dog, "medication:furosemide", words, value={"dose_text": "2mg"}, act=SpeechAct.DECISION),
        at=MONDAY + timedelta(days=1),
    )

    assert told.written[0].outcome is Outcome.CANDIDATE
    assert told.written[0].confirmation is not None


async def test_three_poisons_of_one_day_are_three_records(home: Home) -> None:
    for poison in ("洁厕灵", "水仙花粉", "布洛芬"):
        await home.say(claim(home.cat, "symptom:ate_wrong", f"芋圆舔了{poison}", value={"name": "舔了"}))

    assert len(await home.items(MemoryStatus.ACTIVE)) == 3


async def test_a_cured_allergy_never_ends_the_illness_on_record(home: Home) -> None:
    await home.say(claim(home.dog, "condition:ckd", "煤球有慢性肾病", value={"name": "慢性肾病"}))
    words = "煤球对牛肉过敏已经好了"
    told = await home.say(claim(home.dog, "condition:ckd", words, negated=True), at=MONDAY + timedelta(days=1))

    assert (told.written, len(told.refusals)) == ((), 1)
    assert await home.confirmations() == []
    assert await home.served() == ["煤球有慢性肾病"]


async def test_a_routine_without_a_day_is_a_fact_and_a_happening_an_event(database: Database) -> None:
    home = await open_home(database)
    await home.say(
        claim(home.dog, "grooming:teeth", "煤球每天睡前刷牙"), claim(home.cat, "grooming:bath", "芋圆洗澡了")
    )
    assert {item.content: item.kind for item in await home.items()} == {
        "煤球每天睡前刷牙": "fact",
        "芋圆洗澡了": "event",
    }


async def test_a_routine_is_not_said_again_by_a_happening_nor_the_other_way_round(database: Database) -> None:
    home = await open_home(database)
    today = {"occurred_on": MONDAY.date(), "occurred_on_precision": Precision.DAY}
    await home.say(claim(home.dog, "grooming:teeth", "煤球今天刷牙了", **today))
    await home.say(claim(home.dog, "grooming:teeth", "煤球每天睡前刷牙"), at=MONDAY + timedelta(days=1))
    tomorrow = {"occurred_on": (MONDAY + timedelta(days=2)).date(), "occurred_on_precision": Precision.DAY}
    await home.say(claim(home.dog, "grooming:teeth", "煤球今天刷牙了", **tomorrow), at=MONDAY + timedelta(days=2))
    await home.say(claim(home.dog, "grooming:teeth", "煤球每天睡前刷牙"), at=MONDAY + timedelta(days=3))
    assert [(item.content, item.kind) for item in await home.items()] == [
        ("煤球今天刷牙了", "event"),
        ("煤球每天睡前刷牙", "fact"),
        ("煤球今天刷牙了", "event"),
    ]


@pytest.mark.parametrize(
    ("first", "again", "rows"),
    [
        ("煤球晚上睡在阳台的窝里", "煤球晚上睡在阳台的窝里", 1),  # the evening of both days was read into it
        ("煤球今天在窝里睡的", "煤球今天在窝里睡的", 2),  # two days
        ("煤球每天晚上八点吃饭", "煤球每天吃两顿", 2),  # an hour and a number of times: both hold
        ("煤球每天吃三顿", "煤球每天吃两顿", 1),  # the number of times has changed
    ],
)
async def test_a_habit_told_again_is_one_line_and_another_habit_another(
    database: Database, first: str, again: str, rows: int
) -> None:
    home = await open_home(database)
    for day, words in enumerate((first, again)):
        at = MONDAY + timedelta(days=30 * day)
        dated = {"occurred_on": at.date(), "occurred_on_precision": Precision.DAY} if "每天" not in words else {}
        await home.say(claim(home.dog, "behavior:habit", words, value={"text": words}, **dated), at=at)
    assert len(await home.items(MemoryStatus.ACTIVE)) == rows
