"""Active recall of one turn: read the question, search, decide who is meant, choose the few lines to tell.

Who is meant and what is found depend on each other (only memory knows which of two cats steals food), so the search
runs over the whole household and the choice comes after. Everything between the two searches is pure.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from domain.active_recall import Question, Recalled
from domain.cards import PENDING_MARK, dated, owner_card, pet_card
from domain.knowledge.pet_cues import load_pet_cues
from domain.offline.responder.reading import is_about_talk
from domain.pet_profiles import KnownFact, PetProfile, SaidBefore
from domain.pet_resolution import Asked, Resolution, last_named_in, pets_named, resolve_pets, two_named_in
from domain.questions import QuestionReading, read_question
from domain.talk_recall import FoundTalk, TalkQuestion, find_talks, recent_talks, talks_with, told_talks
from domain.token_budget import embedding_tokens
from domain.token_use import DAILY_TOKENS, DailyTokens, Tokens, tokens_of_day
from domain.turn_context import RecalledLine, TalkLine
from domain.weight_words import weight_told
from memory.ranking import MAX_INJECTED, RecallItem, Scored, choose
from memory.recall import (
    DEADLINE_S,
    DENSE,
    ArmReport,
    Embedding,
    Found,
    RecallRequest,
    RecallStores,
    begin_embedding,
    explain,
    find,
)
from memory.scope import Scope
from memory.transactions import Transactions
from memory.vocabulary import OWNER_SUBJECT, AttributeClass, Kind

JUST_NOW = 6  # messages back in which the pet of the talk was named: three exchanges
NAMED_IN_OWNERS_LINE = 0.01  # a line of the owner's that names a pet speaks for that pet nearly as much
NO_ANSWER = -6.0  # log-odds of a memory that has nothing to do with the question
ONE_OF_RELEVANCE = 10.0  # log-odds: from no answer to a plain one
TOLD_IN_A_TALK = 0.5  # of the best chance to answer, from which a memory brings along the conversation it was told in
KEPT_NEWEST = frozenset({AttributeClass.WEIGHT.value})  # 胖的那只 is decided by the scales


@dataclass(frozen=True, slots=True)
class Situation:
    """A question in its household. now: aware, in the owner's zone. lines: what the cards know of the pets.

    by_meaning: whether the embedder may be asked. embedded: the text's vector, where it is being made already.
    told_by_cards: ids that the cards of these pets ("owner" among them) tell anyway.
    """

    household_id: str
    text: str
    now: datetime
    pets: Sequence[PetProfile]
    owner_name: str | None = None
    history: Sequence[SaidBefore] = ()
    focus_pet_id: str | None = None
    lines: Sequence[KnownFact] = ()
    told_by_cards: Callable[[frozenset[str]], Collection[str]] = lambda _subjects: ()
    by_meaning: bool = True
    embedded: Embedding | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """Who is meant and what is told, best first."""

    resolution: Resolution
    chosen: Sequence[Scored]
    found: Found


class TurnRecall:
    """`ActiveRecall` over the stores of this process.

    asks_consent: the embedder is somebody else's service, and only sees a text that may leave.
    """

    def __init__(
        self,
        stores: RecallStores,
        transactions: Transactions,
        deadline_s: float = DEADLINE_S,
        limit: int = MAX_INJECTED,
        asks_consent: bool = False,
        daily_tokens: DailyTokens = DAILY_TOKENS,
    ) -> None:
        self._stores = stores
        self._asks_consent = asks_consent
        self._transactions = transactions
        self._deadline_s = deadline_s
        self._limit = limit
        self._daily_tokens = daily_tokens

    def use(self, stores: RecallStores, *, asks_consent: bool) -> None:
        """Look there from the next question on; those on their way end where they began."""
        self._stores, self._asks_consent = stores, asks_consent

    async def begin(self, text: str) -> Embedding | None:
        """Begin to embed a question that is to come; not where consent must be looked at first."""
        return None if self._asks_consent else await begin_embedding(text, self._stores)

    async def __call__(self, question: Question) -> Recalled:
        """What to remember for the question."""
        until = asyncio.get_running_loop().time() + self._deadline_s
        stores, elsewhere = self._stores, self._asks_consent
        situation = _situation(question, by_meaning=not elsewhere or await self._may_leave(question))
        reading = _reading(situation)
        answered, (talks, arms) = await asyncio.gather(
            recall_for(situation, stores, self._deadline_s, self._limit, reading),
            self._talks(question, reading),
        )
        resolution = answered.resolution
        more, late = await self._talks_with(answered, question, talks, until)
        told = told_talks(
            [*talks, *more],
            question.scope,
            frozenset() if resolution.unclear else resolution.subjects,
            question.view.profiles,
            about_talk=is_about_talk(question.text),
        )
        return Recalled(
            pet_ids=frozenset() if resolution.unclear else resolution.pets,
            likely_pet_ids=resolution.pets,
            lines=tuple(_line(scored, question.scope) for scored in answered.chosen),
            talks=told,
            about_owner=resolution.about_owner,
            unclear=resolution.unclear,
            partial=answered.found.partial or any(arm.state == "late" for arm in (*arms, *late)),
            trace=_trace(answered, (*arms, *late), told),
            embedded=_embedded(answered, stores, question.text) if elsewhere else {},
        )

    async def _may_leave(self, question: Question) -> bool:
        """Whether somebody else's embedder may see the text: with leave, while the owner's day has tokens left."""
        if not question.may_leave:
            return False
        async with self._transactions.quick_read() as quick:
            used = await tokens_of_day(quick, question.scope, question.now)
        return used.total < self._daily_tokens.hard

    async def _talks_with(
        self, answered: Answered, question: Question, found: Sequence[FoundTalk], until: float
    ) -> tuple[list[FoundTalk], list[ArmReport]]:
        """Older conversations in which the answers were told, within what is left of the deadline."""
        if answered.resolution.unclear or not question.view.talks:
            return [], []
        asked = TalkQuestion(question.scope, question.text, question.now, question.view.talks, {})
        try:
            async with asyncio.timeout_at(until):
                more = await talks_with(_best_answers(answered), asked, found, self._transactions)
        except TimeoutError:
            return [], [ArmReport("talks of memories", "late")]
        return more, [ArmReport("talks of memories", "done", len(more))] if more else []

    async def _talks(self, question: Question, reading: QuestionReading) -> tuple[list[FoundTalk], list[ArmReport]]:
        """Earlier conversations; only the recent ones, which are at hand, when the older do not come in time."""
        if not question.view.talks and not is_about_talk(question.text):
            return [], []
        asked = TalkQuestion(
            question.scope, question.text, question.now, question.view.talks, reading.words, reading.wanted.period
        )
        try:
            async with asyncio.timeout(self._deadline_s):
                found = await find_talks(asked, self._transactions)
        except TimeoutError:
            return recent_talks(asked.talks, asked.now), [ArmReport("talks", "late")]
        return found, [ArmReport("talks", "done", len(found))]


def _embedded(answered: Answered, stores: RecallStores, text: str) -> dict[str, Tokens]:
    """What embedding the question cost, by model; an answer that came too late cost as much."""
    asked = any(arm.name == DENSE and arm.state in ("done", "late") for arm in answered.found.arms)
    if stores.embedder is None or not asked:
        return {}
    return {stores.embedder.name: Tokens(embedding_tokens([text]))}


async def recall_for(
    situation: Situation,
    stores: RecallStores,
    deadline_s: float = DEADLINE_S,
    limit: int = MAX_INJECTED,
    reading: QuestionReading | None = None,
) -> Answered:
    """Search, resolve, choose. reading: of the situation's text, where it has been read already."""
    reading = reading or _reading(situation)
    found = await find(
        RecallRequest(
            household_id=situation.household_id,
            text=situation.text,
            now=situation.now,
            words=reading.words,
            wanted=reading.wanted,
            keep_newest=KEPT_NEWEST,
            subjects=_said_by_name(situation),
            by_meaning=situation.by_meaning,
            embedded=situation.embedded,
        ),
        stores,
        deadline_s,
    )
    resolution = resolve_pets(_asked(situation, reading, found))
    chosen = choose(
        found.scored,
        resolution.subjects,
        found.wanted,
        found.floor,
        limit,
        told=() if resolution.unclear else situation.told_by_cards(resolution.pets),
        doubtful=resolution.unclear,
        aside=aside_of(found, resolution, situation.pets),
    )
    return Answered(resolution, chosen, found)


def _best_answers(answered: Answered) -> list[str]:
    """Ids of the memories of those meant that answer best, those that a card tells among them."""
    own = [one for one in answered.found.scored if one.item.subject in answered.resolution.subjects]
    best = max((one.relevance for one in own), default=0.0)
    return [one.item.id for one in own if one.relevance >= TOLD_IN_A_TALK * best][:MAX_INJECTED]


def aside_of(found: Found, resolution: Resolution, pets: Sequence[PetProfile]) -> frozenset[str]:
    """Lines of the owner's own affairs where a pet is meant; one that names the pet is about the pet, too."""
    if resolution.about_owner or not resolution.pets:
        return frozenset()
    names = [name for pet in pets if pet.id in resolution.pets for name in (pet.name, *pet.nicknames)]
    own = [one.item for one in found.scored if one.item.subject == OWNER_SUBJECT]
    return frozenset(item.id for item in own if not any(name in item.content for name in names))


def _reading(situation: Situation) -> QuestionReading:
    names = [name for pet in situation.pets for name in (pet.name, *pet.nicknames)]
    return read_question(situation.text, situation.now, names)


def _said_by_name(situation: Situation) -> frozenset[str | None] | None:
    """A pet called by name needs no other pet's memories beside its own, which matters in a household of thousands."""
    named = pets_named(situation.text, situation.pets)
    return frozenset({*named, OWNER_SUBJECT, None}) if named else None


def _asked(situation: Situation, reading: QuestionReading, found: Found) -> Asked:
    found_lines = [KnownFact(item.subject, item.attribute, item.content) for item in found.items]
    return Asked(
        text=situation.text,
        pets=situation.pets,
        owner_name=situation.owner_name,
        focus_pet_id=situation.focus_pet_id,
        last_named=last_named_in(situation.history, situation.pets),
        just_named=last_named_in(situation.history[-JUST_NOW:], situation.pets),
        two_named=two_named_in(situation.history, situation.pets),
        lines=[*found_lines, *situation.lines],
        relevance=relevance_by_subject(found.scored, situation.pets),
        relevance_of_all=_relevance_of_all(found.scored),
        weights_kg=latest_weights(found.items),
        looks_across=reading.looks_across,
        about_owner=(found.wanted.meant or {}).get(OWNER_SUBJECT),
        about_danger=AttributeClass.ALLERGY.value in reading.wanted.classes,
    )


def relevance_by_subject(scored: Sequence[Scored], pets: Sequence[PetProfile]) -> dict[str | None, float]:
    """How well the best memory of each subject answers, from 0 (it does not) to about 1; an owner's line that names a
    pet counts for the pet too."""
    best: dict[str | None, float] = {}
    for one in scored:
        item, relevance = one.item, _relevance(one)
        best[item.subject] = max(best.get(item.subject, 0.0), relevance)
        if item.subject in (OWNER_SUBJECT, None):
            for pet in pets:
                if pet.name in item.content:
                    best[pet.id] = max(best.get(pet.id, 0.0), relevance - NAMED_IN_OWNERS_LINE)
    return best


def _relevance(one: Scored) -> float:
    return max(0.0, one.odds - NO_ANSWER) / ONE_OF_RELEVANCE


def _relevance_of_all(scored: Sequence[Scored]) -> float:
    """The same of the best line that is kept under no pet and speaks of several: 两只猫的体检约在六月."""
    everyone = load_pet_cues().everyone
    lines = [one for one in scored if one.item.subject in (OWNER_SUBJECT, None) and everyone.search(one.item.content)]
    return max((_relevance(one) for one in lines), default=0.0)


def latest_weights(items: Sequence[RecallItem]) -> Mapping[str, float]:
    """Latest body weight in kg by pet id, read from the lines at hand."""
    weighings = [item for item in items if item.attribute_class == AttributeClass.WEIGHT.value and item.happened_on]
    latest: dict[str, float] = {}
    for item in sorted(weighings, key=lambda item: (item.happened_on, item.id)):
        if item.subject and (weight := weight_told(item.content)):
            latest[item.subject] = weight[1]
    return latest


def _situation(question: Question, *, by_meaning: bool) -> Situation:
    view, scope = question.view, question.scope

    def told(subjects: frozenset[str]) -> set[str]:
        cards = [pet_card(view, scope, pet, question.now).lines for pet in view.pets if pet.id in subjects]
        return {line.memory_id for lines in (*cards, owner_card(view, scope, question.now)) for line in lines}

    return Situation(
        household_id=scope.household_id,
        text=question.text,
        now=scope.local(question.now),
        pets=view.profiles,
        owner_name=view.owner.nickname,
        history=question.history,
        focus_pet_id=question.focus_pet_id,
        lines=[KnownFact(item.subject, item.attribute, item.content) for item in view.core],
        told_by_cards=told,
        by_meaning=by_meaning,
        embedded=question.embedded,
    )


def _line(scored: Scored, scope: Scope) -> RecalledLine:
    item = scored.item
    return RecalledLine(
        memory_id=item.id,
        subject=item.subject,
        text=dated(item.content, item.happened_at, item.precision, scope) + (PENDING_MARK if item.provisional else ""),
        topic=item.topic,
        attribute=item.attribute,
        kind=Kind(item.kind),
        confidence=item.confidence,
        happened_at=item.happened_at,
        learned_at=item.learned_at,
        pending=PENDING_MARK.strip("（）") if item.provisional else "",
        why=explain(scored),
    )


def _trace(answered: Answered, more: Sequence[ArmReport], talks: Sequence[TalkLine]) -> tuple[dict[str, object], ...]:
    resolution = answered.resolution
    who = {
        "step": "pets",
        "meant": sorted(resolution.subjects - {OWNER_SUBJECT, None}, key=str),
        "why": resolution.why,
        "confidence": round(resolution.confidence, 2),
        "unclear": resolution.unclear,
    }
    arms = [
        {"step": "recall", "arm": arm.name, "state": arm.state, "found": arm.found}
        for arm in (*answered.found.arms, *more)
    ]
    return (who, *arms)
