"""Ended conversations are summarised once, told later with their date, and go with what they were made from."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import FastAPI
from sqlmodel import col, select, update

from app.database import Database
from domain.chat_turn import ChatTurns
from domain.owners import Owner as OwnerRow
from domain.owners import scope_of
from domain.talk_recall import TalkQuestion, recent_talks, talks_with
from domain.talk_settling import SettlingParts, settle_talks
from domain.talk_summaries import Talk
from domain.turn_recall import TurnRecall
from jobs.purge import PurgeParts, purge
from jobs.summarize_talks import summarize_talks
from memory.messages import SUMMARY_LEASE, Conversation, claim_ended, settle_ended
from memory.scope import Scope
from memory.search_documents import SearchDocument
from memory.summaries import TALK, ConversationSummary, SummarySource, TalkSummary, newest_summaries, withdraw
from tests.factories import Json, Owner
from tests.fakes.phone import say
from tests.fakes.tables import tables_with

TALKED = datetime(2026, 5, 20, 4, 0, tzinfo=UTC)
LATER = TALKED + timedelta(minutes=31)


async def summarized(database: Database, now: datetime = LATER, **more: Any) -> int:
    return await summarize_talks(SettlingParts(database, lambda: datetime.now(UTC), **more), now)


async def texts(database: Database) -> list[str]:
    async with database.read() as session:
        rows = (await session.exec(select(ConversationSummary).order_by(col(ConversationSummary.ended_at)))).all()
        return ["；".join(part["text"] for part in row.parts) for row in rows]


async def trace_of(owner: Owner, answer: Json) -> list[Json]:
    items: list[Json] = (await owner.get(f"/chat/turns/{answer['turn_id']}/trace"))["items"]
    return items


async def told_in(owner: Owner, answer: Json) -> list[str]:
    return [line["text"] for line in await trace_of(owner, answer) if line.get("part") == "summary"]


async def test_a_talk_is_summarised_half_an_hour_after_its_last_word(owner: Owner, database: Database) -> None:
    await owner.pet("豆豆")
    await say(owner.at(TALKED), "豆豆爱啃胡萝卜，能多喂吗")
    assert await summarized(database, TALKED + timedelta(minutes=29)) == 0
    assert await summarized(database) == 1
    (text,) = await texts(database)
    assert "豆豆爱啃胡萝卜" in text
    assert await summarized(database) == 0  # nothing changes a second time
    assert await texts(database) == [text]


async def test_trivial_and_temporary_talk_leaves_nothing(owner: Owner, database: Database) -> None:
    await owner.pet("豆豆")
    await say(owner.at(TALKED), "豆豆能吃三文鱼吗", temporary=True)
    assert await summarized(database) == 0
    await say(owner, "你好呀", "m-2")
    assert await summarized(database) == 1
    assert await texts(database) == []
    assert await summarized(database) == 0


async def test_without_consent_nothing_is_summarised_now_or_after_it_is_given(owner: Owner, database: Database) -> None:
    await owner.pet("豆豆")
    await owner.agree(granted=False)
    await say(owner.at(TALKED), "豆豆能吃三文鱼吗")
    await summarized(database)
    await owner.agree()
    await summarized(database)
    assert await texts(database) == []


async def test_the_last_days_come_along_and_an_older_talk_when_it_fits(owner: Owner, database: Database) -> None:
    await owner.pet("豆豆")
    await say(owner.at(TALKED - timedelta(days=180)), "豆豆能不能坐高铁托运", "m-0")
    await say(owner.at(TALKED), "豆豆爱啃胡萝卜", "m-1")
    unrelated = await say(owner.at(TALKED + timedelta(days=1)), "豆豆最近怎么样", "m-2")
    assert [("胡萝卜" in one, "高铁" in one) for one in await told_in(owner, unrelated)] == [(True, False)]
    related = await say(owner.at(TALKED + timedelta(days=1, hours=2)), "豆豆坐高铁要准备什么", "m-3")
    why = {line["text"]: line["why"] for line in await trace_of(owner, related) if line.get("part") == "summary"}
    (old,) = [text for text in why if "高铁托运" in text]
    assert "2025年11月21日" in old
    assert "fits the question" in why[old]
    assert [why[text] for text in why if "胡萝卜" in text] == ["recent conversation"]


async def test_what_was_talked_about_is_answered_with_its_date(owner: Owner) -> None:
    await owner.pet("豆豆")
    await owner.pet("咪咪", "cat")
    await say(owner.at(TALKED), "豆豆爱啃胡萝卜", "m-1")
    await say(owner, "咪咪怕吸尘器", "m-2")
    answer = await say(owner.at(TALKED + timedelta(days=9)), "上次我们聊到哪了", "m-3")
    assert "2026年5月20日" in answer["text"]
    assert "胡萝卜" in answer["text"]
    assert "吸尘器" in answer["text"]
    when = await say(owner.at(TALKED + timedelta(days=9, minutes=1)), "什么时候聊过胡萝卜的事", "m-4")
    assert "2026年5月20日" in when["text"]
    none = await say(owner.at(TALKED + timedelta(days=9, minutes=2)), "昨天我们聊了什么", "m-5")
    assert "没有留下" in none["text"]


async def test_a_talk_about_another_pet_is_not_told(owner: Owner) -> None:
    await owner.pet("豆豆")
    await owner.pet("咪咪", "cat")
    await say(owner.at(TALKED), "咪咪怕吸尘器", "m-1")
    answer = await say(owner.at(TALKED + timedelta(hours=3)), "豆豆最近怎么样", "m-2")
    assert await told_in(owner, answer) == []


async def test_a_deleted_memory_takes_its_summary_along_and_is_not_quoted_again(
    owner: Owner, database: Database
) -> None:
    await owner.pet("豆豆")
    said = await say(owner.at(TALKED), "豆豆爱啃胡萝卜，能多喂吗", "m-1")
    await say(owner, "怎么给狗剪指甲", "m-2")
    await summarized(database)
    await owner.delete(f"/memories/{said['memories'][0]['memory_id']}")
    assert await texts(database) == []
    await summarized(database)
    assert await texts(database) == ["问了豆豆的事：“怎么给狗剪指甲”"]
    later = datetime.now(UTC) + timedelta(minutes=11)
    await purge(PurgeParts(database, lambda: later))
    await summarized(database)
    assert "conversation_summaries" not in await tables_with(database, "萝卜")
    assert await texts(database) == ["问了豆豆的事：“怎么给狗剪指甲”"]


async def test_an_erased_pet_takes_the_talk_about_it_along(owner: Owner, database: Database) -> None:
    pet = await owner.pet("豆豆")
    await owner.pet("咪咪", "cat")
    await say(owner.at(TALKED), "豆豆爱啃胡萝卜", "m-1")
    await say(owner, "咪咪怕吸尘器", "m-2")
    await summarized(database)
    await say(owner.at(TALKED + timedelta(hours=5)), "上次我们聊到哪了", "m-3")
    await owner.delete(f"/pets/{pet['id']}")
    assert await tables_with(database, "胡萝卜") == []
    await summarized(database)
    assert await texts(database) == ["咪咪怕吸尘器"]


async def test_a_talk_that_goes_on_while_it_is_summarised_is_left_alone(owner: Owner, database: Database) -> None:
    await owner.pet("豆豆")
    await say(owner.at(TALKED), "豆豆能吃三文鱼吗", "m-1")

    async def interrupted(_talk: Talk) -> str | None:
        await say(owner.at(TALKED + timedelta(minutes=5)), "豆豆爱啃胡萝卜", "m-2")
        return None

    await summarized(database, writer=interrupted)
    assert await texts(database) == []
    real = datetime.now(UTC) + SUMMARY_LEASE * 2
    await settle_talks(SettlingParts(database, lambda: real), LATER + timedelta(minutes=5))
    (text,) = await texts(database)
    assert "三文鱼" in text
    assert "胡萝卜" in text


async def test_a_model_writes_the_sentence_when_it_is_grounded(owner: Owner, database: Database) -> None:
    await owner.pet("豆豆")
    await say(owner.at(TALKED), "豆豆能吃三文鱼吗", "m-1")

    async def writes(_talk: Talk) -> str:
        return "想知道豆豆能不能吃三文鱼"

    await summarized(database, writer=writes)
    assert await texts(database) == ["想知道豆豆能不能吃三文鱼"]


async def test_a_model_that_fails_or_invents_leaves_the_owners_words(owner: Owner, database: Database) -> None:
    await owner.pet("豆豆")
    await say(owner.at(TALKED), "豆豆能吃三文鱼吗", "m-1")
    await say(owner.at(TALKED + timedelta(hours=2)), "豆豆能吃蓝莓吗", "m-2")

    async def invents(talk: Talk) -> str:
        if "三文鱼" in talk.said[0].text:
            raise TimeoutError
        return "豆豆吃了5颗蓝莓后住院"

    await summarized(database, LATER + timedelta(hours=3), writer=invents)
    assert await texts(database) == ["问了“豆豆能吃三文鱼吗”", "问了“豆豆能吃蓝莓吗”"]


async def test_two_workers_never_take_the_same_talk_and_a_dead_one_is_replaced(
    owner: Owner, database: Database
) -> None:
    await owner.pet("豆豆")
    await say(owner.at(TALKED), "豆豆能吃三文鱼吗", "m-1")
    real = datetime.now(UTC)
    async with database.quick_write() as quick:
        (taken,) = await claim_ended(quick, LATER, real, 10)
    async with database.quick_write() as quick:
        assert await claim_ended(quick, LATER, real, 10) == []
    async with database.quick_write() as quick:
        assert len(await claim_ended(quick, LATER, real + SUMMARY_LEASE * 2, 10)) == 1
    async with database.quick_write() as quick:
        assert not await settle_ended(quick, taken, LATER)  # the first worker comes too late


async def test_a_source_deleted_behind_its_back_hides_a_summary_at_once(
    owner: Owner, database: Database, app: FastAPI
) -> None:
    await owner.pet("豆豆")
    await say(owner.at(TALKED), "豆豆爱啃胡萝卜", "m-1")
    await summarized(database)
    async with database.write() as session:
        household = (await session.exec(select(Conversation.household_id))).one()
        await session.exec(update(SummarySource).where(col(SummarySource.kind) == "memory").values(source_id="gone"))
    app.state.container.views.forget(owner.id)
    answer = await say(owner.at(TALKED + timedelta(hours=3)), "上次我们聊到哪了", "m-2")
    assert await told_in(owner, answer) == []
    async with database.write() as session:
        assert await withdraw(session, household, {"gone"}) == 1
    async with database.read() as session:
        assert (await session.exec(select(SearchDocument).where(col(SearchDocument.kind) == TALK))).all() == []


async def test_an_older_talk_is_found_by_the_memory_that_answers_whatever_words_ask(
    owner: Owner, database: Database
) -> None:
    await owner.pet("豆豆")
    said = await say(owner.at(TALKED - timedelta(days=90)), "豆豆爱啃胡萝卜", "m-0")
    await say(owner.at(TALKED), "豆豆怕打雷", "m-1")
    await summarized(database)
    memory = said["memories"][0]["memory_id"]
    scope, talks = await talks_of(owner, database)
    question = TalkQuestion(scope, "磨牙喜欢什么", TALKED + timedelta(hours=3), talks, {})
    (found,) = await talks_with([memory], question, recent_talks(talks, question.now), database)
    assert "胡萝卜" in found.summary.parts[0].text
    assert await talks_with([memory], question, [found], database) == []
    assert await talks_with([], question, (), database) == []
    await owner.delete(f"/memories/{memory}")
    assert await talks_with([memory], question, (), database) == []


async def talks_of(owner: Owner, database: Database) -> tuple[Scope, tuple[TalkSummary, ...]]:
    async with database.write() as session:
        scope = scope_of((await session.exec(select(OwnerRow))).one())
    async with database.quick_scan() as quick:
        return scope, await newest_summaries(quick, scope)


class SlowScans:
    """Transactions whose searches never come back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    @asynccontextmanager
    async def quick_scan(self) -> AsyncIterator[Any]:
        await asyncio.Event().wait()
        yield None


async def test_older_talks_that_come_too_late_are_left_out_and_the_recent_ones_stay(
    owner: Owner, database: Database, app: FastAPI
) -> None:
    await owner.pet("豆豆")
    await say(owner.at(TALKED - timedelta(days=90)), "豆豆能坐高铁托运吗", "m-0")
    await say(owner.at(TALKED), "豆豆爱啃胡萝卜", "m-1")
    container = app.state.container
    parts = container._turn_parts()
    late = TurnRecall(parts.recall._stores, SlowScans(database), 0.1)  # type: ignore[arg-type]  # stands in for the database
    container._turns = ChatTurns(replace(parts, recall=late))
    answer = await say(owner.at(TALKED + timedelta(hours=5)), "豆豆坐高铁要准备什么", "m-2")
    told = await told_in(owner, answer)
    assert [("胡萝卜" in one, "高铁" in one) for one in told] == [(True, False)]
    arms = {line["arm"]: line["state"] for line in await trace_of(owner, answer) if line.get("step") == "recall"}
    assert arms["talks"] == "late"
