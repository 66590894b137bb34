"""Remembering one message: its claims are grounded, weighed against what is known, and written, in one transaction.

Nothing here reads the text again; what a message means is the extractor's business, what may change the conflict
policy's, how a row looks `statement_rows`'. Every claim gets an answer. Reading the same message twice writes nothing
new and answers the same.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from domain.answers_in_words import Answered, answer_in_words, answer_to_put, says_more, settle_put
from domain.asking import ask_as_decided, asked
from domain.claim_records import Told, record_kind_of, told_by_claim, told_by_item
from domain.decisions import Work, write_rows
from domain.errors import Implausible
from domain.near_dangers import GUARDED_FAMILIES, held_back, may_touch_a_danger
from domain.pets import Pet
from domain.profile_facts import PROFILE_SLOTS, birthdays_in_their_year, bring_profile_in_line, line_from_profile
from domain.reply_assents import is_of_the_answer, opens_with_yes
from domain.slot_resolution import bound_to_the_illness, near, resolved
from domain.spoken_changes import as_meant, lies_ahead
from domain.statement_comparison import compare, said_of_claim, said_of_item, slot_of
from domain.statement_rows import Desk, require_holdable
from domain.temporary_facts import with_ends
from domain.turn_context import Written
from memory.claims import Claim, Refusal
from memory.confirmations import Confirmation
from memory.conflict_policy import Decision, Reason, decide
from memory.core_budget import OWNER_CARD, PET_CARD
from memory.core_budget import Limits as CardLimits
from memory.grounding import ground
from memory.intake import MAX_NEW_MEMORIES, SaidMessage, by_priority, masked, statement_of
from memory.items import MemoryItem
from memory.revision import touch
from memory.settlement import Answer
from memory.slot_book import SlotBook, SlotName
from memory.slot_locks import wait_for_turn
from memory.slot_reads import Near, open_book
from memory.slot_state import SlotState
from memory.text_folding import fold_text
from memory.tombstones import is_buried
from memory.visibility import SERVED
from memory.vocabulary import OWNER_SUBJECT, AttributeClass, Certainty, MemoryStatus, Outcome, Source, SpeechAct

__all__ = ["Limits", "Remembered", "SaidMessage", "remember"]

_ASKS_LEAVE = re.compile(r"(?:能不能|可不可以|要不要|该不该|能|可以|可|敢)[^,，。]{0,8}(?:吃|喝|喂|用|打|给|舔|啃|尝)")
_SUPPOSES_A_CHANGE = re.compile(
    r"现在|已经|是不是|都[^,，。]{1,8}了|(?<!吃)(?<!喝)(?<!喂)了(?:吗|么|吧|没|[?？]|$)|不(?:用|再|必|需要)|停|断药|减|用不着|没必要|去掉|删|撤"
)
"""现在能吃鸡肉了吗 doubts the known danger; 能吃鸡肉吗 does not."""
_ASKS_DOSE = re.compile(
    r"(?:几|多少)个?(?:毫克|mg|毫升|ml|片|粒|滴|单位|颗|支|微克|ug|量)|(?:剂量|用量|吃法)(?:是|要|该|怎么)?(?:多少|几|怎么)"
    r"|mg/kg|每(?:公斤|斤|千克|kg)(?:吃|喂|用|打)?(?:几|多少)",
    re.IGNORECASE,
)

DELETED = "deleted_by_owner"
OVER_LIMIT = "over_turn_limit"
UNKNOWN_SUBJECT = "unknown_subject"
IMPLAUSIBLE = "implausible_value"
STILL_AHEAD = f"{IMPLAUSIBLE}: 说的那天还没到"
CURES_ANOTHER = "another illness is cured"


@dataclass(frozen=True, slots=True)
class Limits:
    """new_memories: how many a message may add; records are never counted. The rest: what the cards hold."""

    new_memories: int = MAX_NEW_MEMORIES
    pet_card: CardLimits = PET_CARD
    owner_card: CardLimits = OWNER_CARD


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a message: one answer a claim in the order of the claims, and what was no claim at all.

    answered: the open question that this message answered in words, None when it answered none.
    """

    written: tuple[Written, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    answered: Answered | None = None


async def remember(
    session: AsyncSession,
    pets: Sequence[Pet],
    message: SaidMessage,
    claims: Sequence[Claim],
    now: datetime,
    real_now: datetime,
    source: Source = Source.CHAT,
    secret_key: bytes = b"",
    limits: Limits = LIMITS,
    just_asked: str | None = None,
    put: Sequence[Claim] = (),
) -> Remembered:
    """Write what `claims` of `message` teach, inside the session's transaction. The caller commits.

    secret_key: for the hashes of what was deleted. just_asked: the confirmation that the reply before this message
    asked about; without it only words that clearly speak of the record answer an open question. put: the change that
    the reply before this message asked for in words of its own; a yes makes it the owner's.
    """
    await wait_for_turn(session, message.scope.household_id)
    names = {pet.id: (pet.name, *pet.nicknames) for pet in pets}
    slots = {(claim.subject, claim.attribute) for claim in (*claims, *put)}
    book = await open_book(
        session,
        message.scope,
        slots,
        now,
        lambda item: said_of_item(item, message.scope),
        message.id,
        _nearby((*claims, *put), source),
    )
    grounded, refusals = _grounded(claims, message, names, book)
    said_at = message.scope.local(message.said_at)
    meant = with_ends(as_meant(grounded, message.text, said_at), said_at)
    meant = birthdays_in_their_year(meant, {pet.id: pet for pet in pets}, message.day)
    found, unbound = _in_their_slots(meant, book, message)
    refusals += unbound
    if source is Source.CHAT:
        found = held_back(found, book.items.values(), names, message.text)
    desk = Desk(
        session=session,
        scope=message.scope,
        pets={pet.id: pet for pet in pets},
        now=now,
        real_now=real_now,
        by=message.speaker,
        source=source,
        verified=message.verified,
        pet_card=limits.pet_card,
        owner_card=limits.owner_card,
    )
    work = Work(desk, message, source, secret_key, book, limits.new_memories - _added_before(book))
    answered = await _answer_put(work, put) or await answer_in_words(
        desk, book, message, just_asked or _asked_anew(put, book), put
    )
    await _take_back_the_other_side(work, put, answered)
    written = await _write_all(work, found, _dangers_put(put, found, answered), answered)
    if answered or book.confirmations or any(one.confirmation for one in written):
        touch(session, message.scope.household_id)
    return Remembered(written, refusals, answered)


def _dangers_put(put: Sequence[Claim], found: Sequence[Claim], answered: Answered | None) -> list[Claim]:
    """The new danger of a swap that was accepted: 由「虾」改成「螃蟹」 strikes one and tells the other."""
    if answered is None or answered.answer is not Answer.ACCEPT or answered.written.outcome is Outcome.REFUSED:
        return []
    told = {answered.slot, *((claim.subject, claim.attribute) for claim in found)}
    dangers = [claim for claim in put if slot_of(claim.attribute).guards and not claim.negated]
    return [claim for claim in dangers if (claim.subject, claim.attribute) not in told]


def _asked_anew(put: Sequence[Claim], book: SlotBook) -> str | None:
    """The open question that the reply before this message put once more, in words of its own."""
    slots = {(claim.subject, claim.attribute) for claim in put}
    return next((one.id for one in book.pending if (one.subject, one.attribute) in slots), None)


async def _take_back_the_other_side(work: Work, put: Sequence[Claim], answered: Answered | None) -> None:
    """The danger that a swap takes back, where the yes has settled the one that was told in its place."""
    if answered is None or answered.answer is not Answer.ACCEPT:
        return
    claims, _ = _in_their_slots(put, work.book, work.message)
    told = [claim for claim in claims if not claim.negated and (claim.subject, claim.attribute) == answered.slot]
    for claim in [claim for claim in claims if claim.negated and slot_of(claim.attribute).guards] if told else ():
        written = await _write(work, claim)
        if (question := written.confirmation) is not None:
            await settle_put(work.desk, work.book, work.message, question.confirmation_id, Answer.ACCEPT)


async def _answer_put(work: Work, put: Sequence[Claim]) -> Answered | None:
    """The answer to a change that no open question holds: noted as the owner's, and settled with the same words."""
    claims, _ = _in_their_slots(put, work.book, work.message)
    asked_already: dict[SlotName, Confirmation] = {(one.subject, one.attribute): one for one in work.book.pending}
    open_ones = [(claim, asked_already.get((claim.subject, claim.attribute))) for claim in claims]
    held = [question for claim, question in open_ones if question is not None and not says_more(claim, question)]
    moves = len({claim.subject for claim in claims}) > 1 and len(held) < len(claims)
    if not claims or (held and not moves):
        return None
    given = answer_to_put(work.desk, work.book, work.message, claims)
    if given is None or (given is not Answer.ACCEPT and any(question for _, question in open_ones)):
        return None
    answered = None
    for claim, question in open_ones:
        written = None if question in held else (await _write(work, claim)).confirmation
        asked_now = question.id if question is not None and question in held else written and written.confirmation_id
        if asked_now:
            done = await settle_put(work.desk, work.book, work.message, asked_now, given)
            answered = done or answered
    return answered


def _nearby(claims: Sequence[Claim], source: Source) -> Near:
    """What is read beside the claims' own slots: what they may be called by, and the dangers they may speak of."""
    beside = near(claims)
    if source is not Source.CHAT or not may_touch_a_danger(claims):
        return beside
    return Near(families=beside.families | GUARDED_FAMILIES, below=beside.below)


def _in_their_slots(
    claims: Sequence[Claim], book: SlotBook, message: SaidMessage
) -> tuple[list[Claim], tuple[Refusal, ...]]:
    """Claims in the slots of the rows they speak of; a cure of something that the words do not name is refused."""
    found, refused = [], []
    rows = book.items.values()
    for claim in claims:
        bound = bound_to_the_illness(resolved(claim, rows, message.scope), rows, message.text, message.asked)
        if bound is None:
            refused.append(Refusal(CURES_ANOTHER, claim.evidence.quote))
        else:
            found.append(bound)
    return found, tuple(refused)


def _grounded(
    claims: Sequence[Claim], message: SaidMessage, names: Mapping[str, tuple[str, ...]], book: SlotBook
) -> tuple[list[Claim], tuple[Refusal, ...]]:
    """Claims whose words, numbers and dates stand in the message; the rest is refused and counted.

    Asking for leave (能吃鸡肉吗) says nothing of the world, so it is no claim even against a known slot; a change that
    is only supposed or joked about is left to the policy, which never lets it be more than a candidate. A line may
    name what is on record in its own slot (好像不是12号打的，狂犬疫苗).
    """
    kept, refused = [], []
    for claim in claims:
        if _only_asks(claim, message.text):
            refused.append(Refusal(Reason.ONLY_ASKED, claim.evidence.quote))
            continue
        refusal = ground(
            claim,
            message.text,
            asked="\n".join((message.asked, *_known_words(claim, book))),
            before=message.before if claim.act is SpeechAct.CORRECTION else "",
            subject_names=names.get(claim.subject or "", ()),
        )
        if refusal is None:
            kept.append(masked(claim))
        else:
            refused.append(refusal)
    return kept, tuple(refused)


def _known_words(claim: Claim, book: SlotBook) -> list[str]:
    """The served lines of the claim's own slot."""
    slot = (claim.subject, claim.attribute)
    served = [row for row in book.items.values() if (row.subject, row.attribute) == slot and row.status in SERVED]
    return [row.content for row in served]


def _only_asks(claim: Claim, text: str) -> bool:
    """Leave is asked for (能吃鸡肉吗), or how much of a drug to give: neither says what is."""
    if claim.attribute_class is AttributeClass.MEDICATION and _ASKS_DOSE.search(text):
        return True
    quote = claim.evidence.quote
    leave = claim.certainty is Certainty.QUESTION and _ASKS_LEAVE.search(quote) is not None
    return leave and _SUPPOSES_A_CHANGE.search(quote) is None


def _added_before(book: SlotBook) -> int:
    """Memories that an earlier reading of this message added; a later extraction shares its limit."""
    return len({row.target_id for row, _ in book.told if row.target_kind == "memory" and row.outcome != Outcome.MERGED})


async def _write_all(
    work: Work, found: Sequence[Claim], put: Sequence[Claim], answered: Answered | None
) -> tuple[Written, ...]:
    """The most important claims first, so that they get the room; answers in the order of the claims.

    put: new dangers of the change that was accepted; they stand on the yes itself, so nothing of it settles them.
    """
    written: dict[int, Written] = {}
    claims = [*found, *put]
    for place in by_priority(claims, [slot_of(claim.attribute).risk for claim in claims]):
        claim = claims[place]
        if place >= len(found) or not _is_settled(claim, answered, work):
            written[place] = await _write(work, claim)
    first = (answered.written,) if answered else ()
    return (*first, *(written[place] for place in sorted(written)))


def _is_settled(claim: Claim, answered: Answered | None, work: Work) -> bool:
    """Whether a claim is nothing but the answer that the message has given."""
    return answered is not None and (
        (claim.subject, claim.attribute) == answered.slot
        or _denies_in_passing(claim)
        or _is_the_yes(claim, [pet.name for pet in work.desk.pets.values()])
        or _is_beside_the_yes(claim, answered, work.message.text)
    )


def _is_the_yes(claim: Claim, names: Sequence[str]) -> bool:
    """是的改成兔肉 and 就是芋圆 are the answer itself and no habit of eating rabbit. names: of the pets."""
    first = re.split(r"[,，。.!！;；\s]", fold_text(claim.evidence.quote).strip())[0]
    only_named = any(re.fullmatch(rf"(?:就|还)?是?{re.escape(fold_text(name))}的?", first) for name in names)
    return only_named or opens_with_yes(first) is not None


def _is_beside_the_yes(claim: Claim, answered: Answered, text: str) -> bool:
    """就是2.5，早一顿晚一顿，处方上盖了章的: in the breath of an answer they are part of it and no news."""
    of_the_drug = claim.attribute == "diet.amount" and answered.slot[1].startswith("medication:")
    no_kind = claim.attribute_class is AttributeClass.OTHER
    return (no_kind or of_the_drug) and is_of_the_answer(claim.evidence.quote, text)


def _denies_in_passing(claim: Claim) -> bool:
    """没问题，就是虾 answers a question; it does not say that shrimp did no harm."""
    return slot_of(claim.attribute).guards and claim.negated and claim.act is SpeechAct.OBSERVATION


async def _write(work: Work, claim: Claim) -> Written:
    known_subject = claim.subject in (None, OWNER_SUBJECT) or claim.subject in work.desk.pets
    if not known_subject:
        return _refused(claim, UNKNOWN_SUBJECT)
    if lies_ahead(claim, work.message.day):
        return _refused(claim, STILL_AHEAD)
    if (again := _answer_again(work, claim)) is not None:
        return again
    said = said_of_claim(claim, work.message.day, work.message.scope.local(work.message.said_at))
    stones, said_at = work.book.tombstones, work.message.said_at
    if is_buried(stones, claim.subject, claim.attribute, said, work.secret, said_at):
        return _refused(claim, DELETED)
    statement = statement_of(claim, said, work.message, work.source)
    decision = decide(statement, slot_of(claim.attribute), _state(work, claim), work.desk.now, compare)
    return await _apply(work, claim, decision)


def _state(work: Work, claim: Claim) -> SlotState:
    """What is known of the claim's slot, the pet's own page included; nothing of a pet that is not named."""
    if claim.subject is None:
        return SlotState()
    state = _without_ended_courses(work, claim, work.book.state_of((claim.subject, claim.attribute)))
    pet = work.desk.pets.get(claim.subject)
    if pet is None or state.facts or claim.attribute not in PROFILE_SLOTS:
        return state
    line = line_from_profile(work.desk, pet, claim.attribute)
    if line is None:
        return state
    work.book.items[line.id] = line
    return work.book.state_of((claim.subject, claim.attribute))


def _without_ended_courses(work: Work, claim: Claim, state: SlotState) -> SlotState:
    """A drug that is given again after its course had ended is a new course, not the old one told again."""
    if claim.attribute_class is not AttributeClass.MEDICATION or claim.negated:
        return state
    running = tuple(fact for fact in state.facts if not _ended_before(work.book.items[fact.id], work.message.day))
    return replace(state, facts=running)


def _ended_before(item: MemoryItem, day: date) -> bool:
    ended = item.value.get("ended_on")
    return ended is not None and date.fromisoformat(str(ended)[:10]) < day


def _answer_again(work: Work, claim: Claim) -> Written | None:
    """What this message already taught about the slot is answered again, not written again."""
    told = [
        (row, item)
        for row, item in work.book.told
        if (item.subject, item.attribute) == (claim.subject, claim.attribute)
    ]
    fresh = [(row, item) for row, item in told if row.id not in work.replayed]
    same_words = [(row, item) for row, item in fresh if row.quote == claim.evidence.quote]
    if not told:
        return None
    row, item = (same_words or fresh or told)[0]
    work.replayed.add(row.id)
    question = next((one for one in work.book.pending if one.candidate_id == item.id), None)
    return _written(Outcome(row.outcome or Outcome.MERGED), claim, item, row.reason, question)


async def _apply(work: Work, claim: Claim, decision: Decision) -> Written:
    """Carry out a decision: rows leave, come or change; the words are attached; the owner is asked."""
    told = told_by_claim(claim, work.message.said_at, work.message.scope)
    if decision.outcome is Outcome.REFUSED:
        return _refused(claim, decision.reason)
    if _is_over_limit(work, decision, told, claim.subject):
        return _refused(claim, OVER_LIMIT)
    try:
        _require_holdable(work, claim, told, decision)
    except Implausible as error:
        return _refused(claim, f"{IMPLAUSIBLE}: {error.detail}")
    item = await write_rows(work, claim, told, decision)
    if decision.served and not decision.tentative:
        await bring_profile_in_line(work.desk, item)
    question = await ask_as_decided(work.desk, work.book, claim, decision, item)
    return _written(decision.outcome, claim, item, decision.reason, question)


def _require_holdable(work: Work, claim: Claim, told: Told, decision: Decision) -> None:
    """A weight that no cat has is no candidate either: a yes to the question about it could not be carried out."""
    require_holdable(work.desk, claim.subject, told)
    row = work.book.items.get(decision.target or "")
    if row is not None and row.record_id is None:
        require_holdable(work.desk, row.subject, told_by_item(row, work.desk.scope))


def _is_over_limit(work: Work, decision: Decision, told: Told, subject: str | None) -> bool:
    """Whether this would be a new memory with no room left; records and evidence always fit."""
    if decision.target is not None or work.room > 0:
        return False
    in_force = decision.status in (MemoryStatus.ACTIVE, MemoryStatus.PROVISIONAL)
    return not (in_force and subject in work.desk.pets and record_kind_of(told) is not None)


def _refused(claim: Claim, reason: str) -> Written:
    return Written(Outcome.REFUSED, claim.subject, claim.topic.value, claim.content, claim.attribute, reason=reason)


def _written(
    outcome: Outcome, claim: Claim, item: MemoryItem, reason: str | None, question: Confirmation | None
) -> Written:
    return Written(
        outcome=outcome,
        subject=claim.subject,
        topic=item.topic,
        content=item.content,
        attribute=claim.attribute,
        memory_id=item.id,
        record_kind=item.record_kind,
        record_id=item.record_id,
        reason=reason,
        confirmation=asked(question) if question is not None else None,
    )
