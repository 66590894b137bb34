"""What happens inside a running turn: recall, remember, answer, review, store. `chat_turn` starts and follows it."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import structlog

from domain import turn_store
from domain.active_recall import Question, Recalled
from domain.answering import Voices, answer_turn
from domain.asked_before import PLAN_IS_NEWS, announced, asked_how_it_is, may_answer, tells_of_a_plan
from domain.cards import dated, owner_card, pet_card
from domain.context import fit
from domain.errors import DomainFault, UnknownTurn
from domain.looked_up import LookedUp, look_up
from domain.no_allergies import note_none, says_none
from domain.offline.extractor import Extraction, extract
from domain.owners import MODEL_PROVIDER
from domain.pet_profiles import KnownFact, SaidBefore, Utterance
from domain.pet_resolution import pets_named
from domain.reviewing import Reviewer
from domain.running_turn import Run, TurnParts
from domain.schedules import occurrences_between
from domain.sentence_batches import batches
from domain.talk_settling import SettlingParts, settle_talks
from domain.temporary_lines import with_temporary
from domain.token_use import Counted, Tokens, note_tokens, tokens_of_day
from domain.tools import Toolbox
from domain.tools.arguments import specs
from domain.tools.tool_turn import ToolTurn
from domain.turn_context import AskedQuestion, RecalledLine, TurnContext
from domain.turn_extraction import TurnExtraction
from domain.turn_follow_ups import bears_on_follow_ups
from domain.turn_hands import TurnHands
from domain.turn_moderation import TurnCheck
from domain.turn_wishes import arrange_plans, take_away, without_plans
from domain.turn_writing import tell_written, write_claims
from domain.whole_writes import whole
from memory.items import MemoryItem
from memory.messages import CONVERSATION_GAP, add_message
from memory.prepared import Quick
from memory.search_documents import MESSAGE, add_documents, document_of
from memory.signals import count_cited
from memory.sqltypes import new_id

log = structlog.get_logger(__name__)

QUESTION_OPENING = 12  # characters by which a confirmation is recognised in what we said


async def run_turn(run: Run, parts: TurnParts) -> None:
    """Think and answer; whatever happens, the turn ends with `done` or `error` and is stored.

    A run that lost its turn (its lease ran out and the message was sent again) stores nothing more.
    """
    try:
        await _run_to_its_end(run, parts)
    except UnknownTurn:
        log.warning("turn_lost", turn_id=run.turn_id)
    finally:
        run.let_go()


async def _run_to_its_end(run: Run, parts: TurnParts) -> None:
    try:
        await _think_and_answer(run, parts)
    except asyncio.CancelledError:
        if not run.over:
            run.answer.cancelled = True
            await whole(_end(run, parts, "cancelled"))
    except UnknownTurn:
        raise
    except Exception as error:
        log.exception("turn_failed", turn_id=run.turn_id, error=type(error).__name__)
        await _fail(run, parts, error)


async def _think_and_answer(run: Run, parts: TurnParts) -> None:
    check = TurnCheck(run, parts.moderator)
    reading = TurnExtraction(run, parts)
    run.on_end.append(reading.leave)
    try:
        try:
            await _think(run, parts, check, reading)
        finally:
            check.close()
        await whole(_end(run, parts, "done"))
    finally:
        reading.go_on()


async def _think(run: Run, parts: TurnParts, check: TurnCheck, reading: TurnExtraction) -> None:
    await _settle_the_last_talk(run, parts)
    run.asked = await _asked_before(run, parts)
    recalled = await _recall(run, parts)
    if await check.must_decline():
        check.decline()
        return
    utterance = _utterance(run, recalled)
    said = extract(utterance) if run.remembers else Extraction()
    recalled = _of_whom_it_tells(run, recalled, said)
    if takes_away := await take_away(run, parts, said):
        recalled = await _recall(run, parts)  # without what went
        said = takes_away.beside
    else:
        await arrange_plans(run, parts, recalled.pet_ids, said)
    await _remember(run, parts, said, recalled, forgets=takes_away is not None)
    if takes_away is None:
        await _note_no_allergies(run, parts, recalled)
        await reading.begin(utterance, said.claims)
    if run.answer.written or takes_away:
        run.view = await parts.views.view(parts.transactions, run.scope)  # the cards as they are now
    run.context = _context(run, recalled, await look_up(run, parts, recalled))
    await _speak(run, parts, Reviewer(run.view, run.context, run.turn_id))
    await reading.join()
    await check.judge_answer()


async def _settle_the_last_talk(run: Run, parts: TurnParts) -> None:
    """The first message after a silence: the talk before it has ended, though the scheduler may not have come by."""
    if run.remembers and run.since_last is not None and run.since_last >= CONVERSATION_GAP:
        settling = SettlingParts(parts.transactions, parts.real_now)
        if await settle_talks(settling, run.request.now, run.scope.owner_id, limit=1):
            run.view = await parts.views.view(parts.transactions, run.scope)


async def _recall(run: Run, parts: TurnParts) -> Recalled:
    if not run.remembers:
        return Recalled(frozenset({run.request.pet_id} if run.request.pet_id else ()))
    may_leave = MODEL_PROVIDER in run.view.consents and not run.answer.alerts
    recalled = await parts.recall(
        Question(
            run.whole_text,
            run.scope,
            run.request.now,
            run.view,
            (*run.asked, *run.history),
            run.request.pet_id,
            may_leave,
            run.embedded,
        )
    )
    for model, tokens in recalled.embedded.items():
        run.embed_tokens[model] = run.embed_tokens.get(model, Tokens()) + tokens
    return recalled


async def _asked_before(run: Run, parts: TurnParts) -> tuple[SaidBefore, ...]:
    """The question or the plan that a message without a name answers, as what we said before it."""
    text, view, now = run.request.text, run.view, run.request.now
    if not run.remembers or run.request.pet_id is not None or not may_answer(text, view.profiles, run.history):
        return ()
    asked = asked_how_it_is(text, view.follow_ups, view.pets, run.scope.local(now).date())
    if asked is None and tells_of_a_plan(text):
        async with parts.transactions.read() as session:
            asked = announced(await occurrences_between(session, run.scope, now - PLAN_IS_NEWS, now), view.pets)
    return (asked,) if asked is not None else ()


async def _remember(run: Run, parts: TurnParts, said: Extraction, recalled: Recalled, *, forgets: bool) -> None:
    """Write what the owner's words say; a plan that went into the calendar stands there and nowhere else."""
    if not run.remembers:
        return
    claims = said.claims if not run.arranged else without_plans(run, said.claims)
    answers = run.view.questions or bears_on_follow_ups(run.view, run.request.text)
    if claims or (answers and not forgets) or said.put:
        await whole(_write_claims(run, parts, replace(said, claims=claims), recalled.pet_ids))


def _of_whom_it_tells(run: Run, recalled: Recalled, said: Extraction) -> Recalled:
    """现在没精神 without a name is of whom its claims are, and so are the alert and the cards beside it."""
    told = {claim.subject for claim in said.claims} & {pet.id for pet in run.view.pets}
    one_pet = len(told) == 1 and all(claim.subject in told for claim in said.claims)
    if not one_pet or told == recalled.pet_ids or pets_named(run.request.text, run.view.profiles):
        return recalled
    return replace(recalled, pet_ids=frozenset(pet for pet in told if pet), unclear=False, about_owner=False)


async def _note_no_allergies(run: Run, parts: TurnParts, recalled: Recalled) -> None:
    """没有已知过敏 of the one pet meant goes onto its page."""
    names = tuple(name for pet in run.view.profiles for name in (pet.name, *pet.nicknames))
    if not run.remembers or len(recalled.pet_ids) != 1 or not says_none(run.request.text, names):
        return
    async with parts.transactions.write(short=True) as session:
        written = await note_none(session, run.scope, next(iter(recalled.pet_ids)))
    tell_written(run, [written])


async def _write_claims(run: Run, parts: TurnParts, said: Extraction, meant: frozenset[str]) -> None:
    tell_written(run, await write_claims(run, parts, said.claims, meant, said.put))


def _utterance(run: Run, recalled: Recalled) -> Utterance:
    """The message with the card's lines and what it brought back to mind, by which its pets can be told apart."""
    known = [KnownFact(item.subject, item.attribute, _with_its_day(run, item)) for item in run.view.core]
    known += [KnownFact(line.subject, line.attribute, line.text) for line in recalled.lines]
    return Utterance(
        text=run.request.text,
        now=run.scope.local(run.request.now),
        pets=run.view.profiles,
        owner_name=run.view.owner.nickname,
        history=_talk(run),
        focus_pet_id=run.request.pet_id,
        known=known,
    )


def _with_its_day(run: Run, item: MemoryItem) -> str:
    return dated(item.content, item.valid_from, item.valid_from_precision, run.scope)


def _talk(run: Run) -> list[SaidBefore]:
    """The talk so far without the confirmations we put in it: an answer to one of those is no statement."""
    openings = [" ".join(row.question.split())[:QUESTION_OPENING] for row in run.view.questions]
    talk = [
        replace(said, text=_before_any(said.text, openings)) if openings and said.role == "assistant" else said
        for said in run.history
    ]
    return [*run.asked, *talk]


def _before_any(text: str, openings: Sequence[str]) -> str:
    places = [place for opening in openings if (place := text.find(opening)) >= 0]
    return text[: min(places)] if places else text


def _context(run: Run, recalled: Recalled, looked_up: LookedUp) -> TurnContext:
    view, now = run.view, run.request.now
    meant = [pet for pet in view.pets if pet.id in recalled.pet_ids]
    temporary = run.request.temporary
    return fit(
        TurnContext(
            now=run.scope.local(now),
            text=run.whole_text,
            owner_lines=() if temporary else owner_card(view, run.scope, now),
            cards=() if temporary else tuple(pet_card(view, run.scope, pet, now) for pet in meant),
            others=() if temporary else tuple(one for one in view.profiles if one.id not in recalled.pet_ids),
            summaries=tuple(talk.text for talk in recalled.talks),
            summary_reasons=tuple(talk.why for talk in recalled.talks),
            recalled=(*looked_up.of_owner, *_recalled_lines(run, recalled)),
            due=looked_up.due,
            plans=looked_up.plans,
            past=looked_up.past,
            insights=looked_up.insights,
            questions=() if temporary else _open_questions(run, recalled, looked_up.resting),
            history=run.history,
            since_last=run.since_last,
            unclear=recalled.unclear,
            about_owner=recalled.about_owner,
            alerts=run.answer.alerts,
            written=run.answer.written,
            arranged=run.arranged,
            plans_changed=tuple(event["outcome"] for event in run.answer.schedules),
            followed=run.followed,
            remembers=run.remembers,
            temporary=temporary,
            trace=recalled.trace,
        )
    )


def _recalled_lines(run: Run, recalled: Recalled) -> tuple[RecalledLine, ...]:
    """What was recalled, and what holds for a time only where advice is sought."""
    if not run.remembers:
        return recalled.lines
    return with_temporary(recalled.lines, run.view, run.scope, recalled.pet_ids, run.request.text, run.request.now)


def _open_questions(run: Run, recalled: Recalled, resting: Collection[str]) -> tuple[AskedQuestion, ...]:
    raised = {written.confirmation.confirmation_id for written in run.answer.written if written.confirmation}
    return tuple(
        AskedQuestion(row.id, row.subject, row.attribute, row.question, row.id in resting)
        for row in run.view.questions
        if row.subject in recalled.pet_ids and row.id not in raised and row.lapses_at > run.request.now
    )


async def _speak(run: Run, parts: TurnParts, reviewer: Reviewer) -> None:
    """Review each sentence, tell it, and store what is told whenever the assistant makes us wait."""
    assert run.context is not None  # noqa: S101  # set one line before the only call
    run.hands = await _hands(run, parts, reviewer)
    spoken = answer_turn(run.context, Voices(parts.assistant, parts.model), run.hands)
    async for sentences, last in batches(spoken):
        for sentence in (shown for said in sentences for shown in reviewer.check(said)):
            run.answer.sentences.append(sentence)
            if sentence.text:
                run.tell("delta", {"text": sentence.text})
        if not last and run.waiting:
            await parts.events.store(run)


async def _hands(run: Run, parts: TurnParts, reviewer: Reviewer) -> TurnHands | None:
    """What a model may do in this turn; None when it may not be asked: the owner has not agreed, or there is none.

    Without long-term memory, and in a temporary chat, it has no tools: there is nothing to look into or to write.
    """
    if parts.model is None or MODEL_PROVIDER not in run.view.consents:
        return None
    async with parts.transactions.quick_read() as quick:
        used = (await tokens_of_day(quick, run.scope, run.request.now)).total
    hands = TurnHands(
        until=asyncio.get_running_loop().time() + parts.model_seconds,
        cheap=used >= parts.daily_tokens.soft,
        spent_out=used >= parts.daily_tokens.hard,
    )
    if run.remembers:
        hands.tools, hands.toolbox = specs(), Toolbox(ToolTurn(run, parts, hands, reviewer))
    return hands


async def _end(run: Run, parts: TurnParts, status: str) -> None:
    """Store the answer, its events, the log and the cited signals in one transaction, then tell `done`."""
    if run.hands is not None:
        run.answer.mode = "model" if run.hands.spoke else "basic"
        run.answer.tokens = run.hands.total
    run.answer.producer = parts.ai_producer
    run.stored = run.answer.as_json(run.turn_id, run.message_id, run.context, status)
    run.tell("done", {})
    async with parts.transactions.quick_write() as quick:
        if not run.request.temporary:
            await _append_to_log(quick, run)
            await count_cited(quick, run.scope, run.answer.cited, run.turn_id, run.request.now)
        await _note_costs(quick, run)
        for write in run.on_end:
            await write(quick)
        await _store_events(quick, run)
        await turn_store.finish(
            quick,
            run.turn_id,
            run.lease_until,
            status,
            None if run.request.temporary else run.stored,
            run.request.now,
            trace=list(run.context.trace) if run.context and not run.request.temporary else None,
            conversation_id=run.conversation_id,
        )
    run.over = True
    run.publish()


async def _fail(run: Run, parts: TurnParts, error: Exception) -> None:
    problem = {**turn_store.INTERRUPTED, "code": "turn_failed"}
    if isinstance(error, DomainFault):  # it has a reason of its own, and sending the same again would meet it again
        problem = {"code": error.code, "detail": error.detail, "retryable": False}
    run.seq -= len(run.waiting)  # what was never told leaves no gap
    run.waiting.clear()
    async with parts.transactions.quick_write() as quick:
        await turn_store.finish(quick, run.turn_id, run.lease_until, "failed", problem, run.request.now)
        await _note_costs(quick, run)
    run.tell("error", problem)
    run.publish()


async def _note_costs(quick: Quick, run: Run) -> None:
    """What the turn's calls have cost, however it ended."""
    used: dict[Counted, dict[str, Tokens]] = {
        "reply": run.hands.tokens if run.hands else {},
        "extract": run.read_tokens,
        "embed": run.embed_tokens,
    }
    for purpose, by_model in used.items():
        await note_tokens(quick, run.scope, purpose, by_model, run.request.now, run.turn_id)


async def _store_events(quick: Quick, run: Run) -> None:
    if not run.request.temporary:
        await turn_store.add_events(quick, [(run.turn_id, event) for event in run.waiting])


async def _append_to_log(quick: Quick, run: Run) -> None:
    """The assistant's words, and both messages made findable."""
    reply = message_of(run, new_id(), "assistant", run.answer.text)
    await add_message(quick, reply)
    household = run.scope.household_id
    said = [(run.message_id, run.request.text), (reply["id"], run.answer.text)]
    await add_documents(quick, [document_of(MESSAGE, message_id, household, text) for message_id, text in said])


def message_of(run: Run, message_id: str, role: str, text: str) -> dict[str, Any]:
    """A row of the event log for this turn."""
    return {
        "id": message_id,
        "household_id": run.scope.household_id,
        "owner_id": run.scope.owner_id,
        "conversation_id": run.conversation_id or "",
        "turn_id": run.turn_id,
        "role": role,
        "text": text,
        "pet_id": run.request.pet_id,
        "ai_generated": role == "assistant",
        "said_at": run.request.now,
    }
