"""Which earlier conversations a turn is told of: those of the last days always, older ones when they fit the question.

A conversation is told by its parts: what was said of a pet that is not meant stays out, unless the question is about
the conversations themselves. Recent ones stand in the household's view and cost nothing; older ones are looked for by
words and by the memories that answer the question, only where there are any.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from domain.dates import local_date_text
from domain.offline.responder.reading import is_about_talk
from domain.offline.responder.talks import talk_topic
from domain.pet_profiles import PetProfile
from domain.talk_summaries import whole
from domain.turn_context import TalkLine
from memory.fulltext import bm25_scores, corpus_stats
from memory.messages import messages_with_ids
from memory.prepared import quick_of
from memory.ranking import KEYWORD_EVIDENCE, KEYWORD_NEAR_BEST
from memory.scope import Scope
from memory.search_documents import find_candidates
from memory.session_search import SearchQuery, search_messages, snippet_of
from memory.summaries import (
    NEWEST_KEPT,
    TALK,
    TalkPart,
    TalkSummary,
    summaries_between,
    summaries_by_id,
    summaries_made_from,
    withheld_messages,
)
from memory.transactions import Transactions
from memory.vocabulary import OWNER_SUBJECT, Precision

RECENT = timedelta(days=3)  # "the last few days" of the product contract
MOST_RECENT = 5  # conversations of the last days
MOST_SAID = 2  # messages that are quoted
MOST_OLDER = 3  # conversations that fit the question
MOST_BY_MEANING = 2  # conversations beside them in which its answers were told
LOOK_AT = 40  # candidates by words, newest first
WORTH_LOOKING_UP = 0.4  # weight of a search word; single characters count less


@dataclass(frozen=True, slots=True)
class TalkQuestion:
    """What older conversations are looked for with. words: search tokens with weights. period: local days asked about.

    talks: the newest conversations, as the household's view holds them.
    """

    scope: Scope
    text: str
    now: datetime
    talks: Sequence[TalkSummary]
    words: Mapping[str, float]
    period: tuple[date, date] | None = None

    @property
    def about_talk(self) -> bool:
        return is_about_talk(self.text)


@dataclass(frozen=True, slots=True)
class FoundTalk:
    """A conversation and why it was found."""

    summary: TalkSummary
    why: str


async def find_talks(question: TalkQuestion, transactions: Transactions) -> list[FoundTalk]:
    """The recent ones, newest first, then older ones that fit, best first."""
    found = recent_talks(question.talks, question.now)
    if question.about_talk:
        found = [*await said_before(question, transactions), *found]
    known = {one.summary.conversation_id for one in found}
    if len(question.talks) > len(found):
        older = await _older(question, transactions)
        found += [one for one in older if one.summary.conversation_id not in known][:MOST_OLDER]
    return found


async def talks_with(
    memory_ids: Collection[str], question: TalkQuestion, found: Sequence[FoundTalk], transactions: Transactions
) -> list[FoundTalk]:
    """Older conversations in which the memories that answer the question were told, beside those found already.

    Memories are found by meaning, so this finds a conversation by the meaning of what was said in it, and needs no
    vectors of its own: what is erased there is erased here.
    """
    known = {one.summary.conversation_id for one in found}
    if not memory_ids or len(question.talks) <= len(recent_talks(question.talks, question.now)):
        return []
    async with transactions.quick_scan() as quick:
        talks = await summaries_made_from(quick, question.scope, memory_ids, MOST_BY_MEANING + len(known))
    fresh = [talk for talk in talks if talk.conversation_id not in known and _may_be_told(talk, question.now)]
    return [FoundTalk(talk, "what answers was told in it") for talk in fresh[:MOST_BY_MEANING]]


async def said_before(question: TalkQuestion, transactions: Transactions) -> list[FoundTalk]:
    """What the owner said of the matter that is asked for, word for word: of talks that left no summary, too.

    Words that taught a memory which was deleted are never quoted again.
    """
    topic = talk_topic(question.text)
    if not topic:
        return []
    start = _start_of(question.period[0], question) if question.period else None
    end = _start_of(_days(question.period)[1], question) if question.period else question.now
    query = SearchQuery(" ".join(topic), start, min(end, question.now), "user")
    async with transactions.quick_scan() as quick:
        hits = await search_messages(quick, question.scope, query)
    async with transactions.read() as session:
        said = await messages_with_ids(session, question.scope, [one.id for one in hits.messages[:LOOK_AT]])
        quick, talks = await quick_of(session), {one.conversation_id for one in said}
        withheld = frozenset[str]().union(*[await withheld_messages(quick, talk) for talk in talks])
    told = [one for one in said if one.id not in withheld and not is_about_talk(one.text)][:MOST_SAID]
    return [
        FoundTalk(
            TalkSummary(one.id, one.said_at, (TalkPart(frozenset(), _quoted(one.text, hits.words)),)), "said before"
        )
        for one in told
    ]


def _quoted(text: str, words: Sequence[str]) -> str:
    return f"“{''.join(part.text for part in snippet_of(text, words))}”"


def recent_talks(talks: Sequence[TalkSummary], now: datetime) -> list[FoundTalk]:
    """Conversations of the last days; without any, nothing: an older one has to fit the question."""
    lately = [talk for talk in talks if talk.ended_at > now - RECENT and _may_be_told(talk, now)]
    return [FoundTalk(talk, "recent conversation") for talk in lately[:MOST_RECENT]]


def told_talks(
    found: Sequence[FoundTalk],
    scope: Scope,
    subjects: Collection[str | None],
    pets: Sequence[PetProfile],
    *,
    about_talk: bool,
) -> tuple[TalkLine, ...]:
    """The lines for the subjects meant; parts about others are left out, and so is what is left without a part.

    about_talk: the question is about the talks, so all living pets' parts are told.
    """
    silent = {pet.id for pet in pets if pet.status != "active"} - set(subjects)
    everybody = {pet.id for pet in pets} - silent
    meant = {one for one in (everybody if about_talk else subjects) if one} | {OWNER_SUBJECT}
    lines = []
    for one in found:
        parts = [part for part in one.summary.parts if part.subjects <= meant]
        if parts:
            about = frozenset().union(*(part.subjects for part in parts))
            lines.append(TalkLine(_line(parts, scope.local(one.summary.ended_at).date()), one.why, about))
    return tuple(lines)


def _line(parts: Sequence[TalkPart], on: date) -> str:
    told = whole(parts)
    opening = "你" if told.startswith("问了") else "聊到"
    return f"{opening}{told}（{local_date_text(on, Precision.DAY)}）"


async def _older(question: TalkQuestion, transactions: Transactions) -> list[FoundTalk]:
    async with transactions.quick_scan() as quick:
        dated: Sequence[TalkSummary] = ()
        if question.period is not None:
            start, end = (_start_of(day, question) for day in _days(question.period))
            dated = await summaries_between(quick, question.scope, start, end, MOST_OLDER)
        asked = [word for word, weight in question.words.items() if weight >= WORTH_LOOKING_UP]
        scores: dict[str, float] = {}
        if asked:
            docs, count = await find_candidates(quick, TALK, question.scope.household_id, asked, LOOK_AT)
            scores = bm25_scores(question.words, docs, corpus_stats(docs, count))
        near = near_enough(scores)
        by_id = await summaries_by_id(quick, question.scope, list(near))
    found = [FoundTalk(talk, "conversation of that time") for talk in dated]
    found += [FoundTalk(by_id[one], f"fits the question, keyword {near[one]:.1f}") for one in near if one in by_id]
    if question.about_talk and question.period is None:
        found += [FoundTalk(talk, "last conversation") for talk in question.talks[:1]]
    return _each_once([one for one in found if _may_be_told(one.summary, question.now)])


def near_enough(scores: Mapping[str, float]) -> dict[str, float]:
    """Conversations that share enough rare words with the question, best first: the gate works on raw scores."""
    best = max(scores.values(), default=0.0)
    bar = max(KEYWORD_EVIDENCE, KEYWORD_NEAR_BEST * best)
    ordered = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))
    return dict([entry for entry in ordered if entry[1] >= bar][:NEWEST_KEPT])


def _days(period: tuple[date, date]) -> tuple[date, date]:
    return period[0], period[1] + timedelta(days=1)


def _start_of(day: date, question: TalkQuestion) -> datetime:
    local = question.scope.local(question.now)
    return datetime.combine(day, time.min, local.tzinfo).astimezone(UTC)


def _may_be_told(talk: TalkSummary, now: datetime) -> bool:
    return talk.ended_at <= now and (talk.silent_until is None or talk.silent_until <= now)


def _each_once(found: Sequence[FoundTalk]) -> list[FoundTalk]:
    first: dict[str, FoundTalk] = {}
    for one in found:
        first.setdefault(one.summary.conversation_id, one)
    return list(first.values())
