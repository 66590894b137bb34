"""What a new statement may do to what is known: conservative first. Values in, one decision out; no clock, no rows.

The table this module is:

- says the same → evidence is added to the fact; both can be true → it stands beside.
- contradicts, low risk → hedged, hearsay or observed: candidate; the owner's plain word supersedes.
- contradicts, high risk → a candidate always. Observed, hedged or heard, the owner is asked only after a second
  independent observation; a plain claim, correction or decision asks at once. The old fact is served meanwhile.
- raises danger → said plainly, in force at once; hedged or heard, a provisional caution and a question.
- a form or an answer to a confirmation → applied at once.

How a statement relates to the slot is `slot_relations`, what is known of it `slot_state`; what an answer or a lapse
does is `settlement`.
"""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum

from memory.slot_relations import (
    Comparer,
    LiveFact,
    Relation,
    Said,
    Slot,
    Standing,
    no_opinion,
    relate,
    relate_to_slot,
    says_the_same,
)
from memory.slot_state import Candidate, OpenQuestion, Route, Sighting, SlotState, Statement, corroborates
from memory.vocabulary import (
    Certainty,
    ConfirmationKind,
    MemoryStatus,
    Outcome,
    Risk,
    Source,
    SpeechAct,
)

REJECTION_HOLDS = timedelta(days=30)  # a rejected claim is not asked again sooner, unless there is new evidence


class Reason(StrEnum):
    """Why a write ended as it did; stored with the row and shown to the owner in words."""

    NEW = "new"
    NEW_TENTATIVE = "new_tentative"  # nothing known, said with doubt: kept as a guess
    DETAIL = "narrows_known"
    SAID_AGAIN = "said_again"
    OLDER_NEWS = "older_news"  # said before what is known was last affirmed
    OWNER_ACT = "owner_act"
    PLAIN_CHANGE = "plain_change"
    CORROBORATED = "corroborated"
    DOUBTFUL = "doubtful_change"
    NEEDS_OWNER = "needs_owner"
    REJECTED_LATELY = "rejected_lately"
    UNVERIFIED_VET = "unverified_vet"  # a note through a share link never helps to remove a danger
    NEW_DANGER = "new_danger"
    DANGER_IN_DOUBT = "danger_in_doubt"
    CAUTION_CONFIRMED = "caution_confirmed"
    CAUTION_REJECTED = "caution_rejected"  # by a verified vet
    ONLY_ASKED = "only_asked"  # a question, joke or supposition
    MACHINE_WORDS = "machine_words"  # inferred by the machine: no evidence against what was said


class Ask(StrEnum):
    """What happens to the confirmation of the slot."""

    NONE = "none"
    OPEN = "open"
    ATTACH = "attach"  # the open one gets the evidence, in silence
    PUSH_AGAIN = "push_again"  # the open one gets the evidence and is pushed once more


@dataclass(frozen=True, slots=True)
class Closing:
    """A row that leaves service. `valid_to` is the day the new fact became true, whatever the order of arrival."""

    id: str
    status: MemoryStatus
    valid_to: date | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be written, in one transaction.

    status: of the new row that the statement gets; None when it gets none of its own.
    tentative: the new row is a guess (a belief), never to be voiced as certain.
    target: the existing row that the evidence goes to; `counts`: as evidence, not only as a trace.
    promotes: an existing candidate or provisional row that becomes active.
    closes: rows that leave service; the new or promoted row inherits signals, tier and lock of superseded ones.
    question_id: the confirmation concerned by ATTACH and PUSH_AGAIN; `voids`: confirmations that lost their object.
    """

    outcome: Outcome
    reason: Reason
    relation: Relation
    status: MemoryStatus | None = None
    tentative: bool = False
    target: str | None = None
    counts: bool = True
    promotes: str | None = None
    closes: tuple[Closing, ...] = ()
    ask: Ask = Ask.NONE
    ask_kind: ConfirmationKind | None = None
    question_id: str | None = None
    voids: tuple[str, ...] = ()
    corroborated: bool = False

    @property
    def served(self) -> bool:
        """Whether the statement itself may be served from now on, as a fact or as a caution."""
        return self.promotes is not None or self.status in (MemoryStatus.ACTIVE, MemoryStatus.PROVISIONAL)


def decide(new: Statement, slot: Slot, state: SlotState, now: datetime, compare: Comparer = no_opinion) -> Decision:
    """Decide what becomes of `new`. Deterministic; `now` only measures how long a rejection has held."""
    case = _Case(new, slot, state, now, compare, relate_to_slot(new.said, new.act, slot, state.facts, compare))
    if new.route is not Route.TALK:
        return _apply_owner_act(case)
    if case.relation is Relation.SAME:
        return _say_again(case)
    if case.relation is Relation.RAISES_DANGER:
        return _raise_danger(case)
    if case.relation is Relation.CONTRADICTS:
        return _contradict(case)
    if case.relation is Relation.NARROWS:
        return _narrow(case)
    return _stand_beside(case)


@dataclass(frozen=True, slots=True)
class _Case:
    """Everything one decision looks at, with the few questions that several rules ask of it."""

    new: Statement
    slot: Slot
    state: SlotState
    now: datetime
    compare: Comparer
    standing: Standing

    @property
    def relation(self) -> Relation:
        return self.standing.relation

    @property
    def only_asked(self) -> bool:
        return self.new.certainty is Certainty.QUESTION

    @property
    def by_machine(self) -> bool:
        return self.new.sighting.source is Source.SYSTEM

    @property
    def unverified_vet(self) -> bool:
        return self.new.sighting.source is Source.VET and not self.new.sighting.verified

    @property
    def plain(self) -> bool:
        """Said without doubt by somebody who knows: the owner's own eyes or decision, or a vet."""
        knows = self.new.first_hand or self.new.sighting.source is Source.VET
        return self.new.certainty is Certainty.PLAIN and knows and not self.by_machine

    @property
    def claims_a_change(self) -> bool:
        """A plain claim, correction or decision of the owner or a verified vet; not one happening, not an import."""
        trusted = self.new.sighting.source in (Source.CHAT, Source.OWNER) or self.new.sighting.is_verified_vet
        return self.plain and trusted and self.new.act is not SpeechAct.OBSERVATION

    @property
    def is_evidence(self) -> bool:
        """Whether it may ever count as one of two independent sources for a change."""
        spoken = self.new.sighting.source in (Source.CHAT, Source.OWNER, Source.VET)
        return spoken and not self.only_asked and not (self.unverified_vet and self.standing.lowers)

    @property
    def twin(self) -> Candidate | None:
        """The candidate that already proposes the same."""
        same = (one for one in self.state.candidates if self._proposes_the_same(one.said))
        return next(same, None)

    @property
    def rivals(self) -> tuple[Candidate, ...]:
        """Candidates that cannot be true beside the new statement."""
        slot, compare = self.slot, self.compare
        harmless = (Relation.SAME, Relation.COMPATIBLE)
        return tuple(
            one
            for one in self.state.candidates
            if relate(self.new.said, one.said, slot, compare=compare) not in harmless
        )

    @property
    def evidence(self) -> tuple[Sighting, ...]:
        """What counts for the change now, the new sighting last: nothing from before the last word against it."""
        spent = [fact.affirmed_at for fact in self.standing.facts]
        if self.twin and self.twin.settled_at:
            spent.append(self.twin.settled_at)
        earlier = self.twin.sightings if self.twin else ()
        counted = [one for one in earlier if all(one.said_at > moment for moment in spent)]
        return (*counted, self.new.sighting) if self.is_evidence else tuple(counted)

    @property
    def newly_corroborated(self) -> bool:
        """This very statement is what makes the evidence independent."""
        return self.is_evidence and corroborates(self.evidence) and not corroborates(self.evidence[:-1])

    @property
    def rejected_lately(self) -> bool:
        return any(
            self.now - one.at < REJECTION_HOLDS and self._proposes_the_same(one.said) for one in self.state.rejections
        )

    @property
    def is_older_news(self) -> bool:
        return any(self.new.sighting.said_at < fact.affirmed_at for fact in self.standing.facts)

    def _proposes_the_same(self, said: Said) -> bool:
        return says_the_same(self.new.said, said, self.slot, self.compare)


def _apply_owner_act(case: _Case) -> Decision:
    """A form or an answer is the confirmation itself: applied at once, rivals leave, their question is void."""
    fact = case.standing.facts[0] if case.relation is Relation.SAME else None
    closes = tuple(_closing(one, case.new) for one in _contested(case))
    rivals = tuple(Closing(one.id, MemoryStatus.REJECTED) for one in case.rivals)
    row = fact.id if fact else case.twin.id if case.twin else None
    settled = {closing.id for closing in closes + rivals} | {row}
    question = case.state.question
    return Decision(
        Outcome.MERGED if fact else Outcome.SUPERSEDED if closes else Outcome.ADDED,
        Reason.OWNER_ACT,
        case.relation,
        status=None if row else MemoryStatus.ACTIVE,
        target=row,
        promotes=row if fact is None or fact.status is MemoryStatus.PROVISIONAL else None,
        closes=closes + rivals,
        voids=(question.id,) if question and question.about in settled else (),
    )


def _say_again(case: _Case) -> Decision:
    """Evidence and confidence; a provisional caution that is now said plainly comes into force."""
    fact = case.standing.facts[0]
    told = Decision(
        Outcome.MERGED,
        Reason.SAID_AGAIN,
        case.relation,
        target=fact.id,
        counts=not case.only_asked and not case.by_machine,
    )
    if fact.status is not MemoryStatus.PROVISIONAL or not told.counts:
        return told
    question = case.state.question
    about_it = question is not None and question.about == fact.id
    if case.plain:
        voids = (question.id,) if question and about_it else ()
        return replace(told, reason=Reason.CAUTION_CONFIRMED, promotes=fact.id, voids=voids)
    if question and about_it:
        return replace(told, ask=Ask.ATTACH, ask_kind=question.kind, question_id=question.id)
    return told


def _stand_beside(case: _Case) -> Decision:
    """Both can be true. What nobody said stays out; a doubtful denial of a danger is watched, not served."""
    if case.only_asked:
        return Decision(Outcome.REFUSED, Reason.ONLY_ASKED, case.relation, counts=False)
    denies_danger = case.slot.guards and case.new.said.negated
    if denies_danger and (case.by_machine or case.unverified_vet or not case.plain):
        reason = Reason.UNVERIFIED_VET if case.unverified_vet else Reason.DOUBTFUL
        return _keep_as_candidate(case, reason)
    twin = case.twin
    return Decision(
        Outcome.ADDED,
        Reason.NEW if case.plain else Reason.NEW_TENTATIVE,
        case.relation,
        status=None if twin else MemoryStatus.ACTIVE,
        tentative=not case.plain,
        target=twin.id if twin else None,
        promotes=twin.id if twin else None,
    )


def _narrow(case: _Case) -> Decision:
    """A plain limit stands beside what it limits; a doubtful one is watched. High risk: a limit is a contradiction."""
    if case.slot.risk_of_change is Risk.HIGH:
        return _contradict(case)
    if not case.plain:
        return _keep_as_candidate(case, Reason.ONLY_ASKED if case.only_asked else Reason.DOUBTFUL)
    return Decision(Outcome.ADDED, Reason.DETAIL, case.relation, status=MemoryStatus.ACTIVE)


def _raise_danger(case: _Case) -> Decision:
    """Protection is one-sided: said plainly it is in force; in doubt it is a caution until somebody rejects it."""
    if case.only_asked or case.by_machine:
        return _keep_as_candidate(case, Reason.ONLY_ASKED if case.only_asked else Reason.MACHINE_WORDS)
    twin = case.twin
    if case.plain:
        return Decision(
            Outcome.ADDED,
            Reason.NEW_DANGER,
            case.relation,
            status=None if twin else MemoryStatus.ACTIVE,
            target=twin.id if twin else None,
            promotes=twin.id if twin else None,
        )
    caution = Decision(Outcome.PROVISIONAL, Reason.DANGER_IN_DOUBT, case.relation, status=MemoryStatus.PROVISIONAL)
    if case.rejected_lately:
        return replace(caution, reason=Reason.REJECTED_LATELY)
    return _open(caution, ConfirmationKind.NEW_DANGER, case)


def _contradict(case: _Case) -> Decision:
    if case.only_asked:
        return _keep_as_candidate(case, Reason.ONLY_ASKED)
    if case.by_machine:
        return _keep_as_candidate(case, Reason.MACHINE_WORDS)
    if case.unverified_vet and case.standing.lowers:
        return _keep_as_candidate(case, Reason.UNVERIFIED_VET)
    if _vet_rejects_caution(case):
        return _supersede(case, Reason.CAUTION_REJECTED)
    if case.slot.risk_of_change is Risk.HIGH:
        return _contradict_high_risk(case)
    return _contradict_low_risk(case)


def _contradict_high_risk(case: _Case) -> Decision:
    """Only the owner changes such a fact: candidate, and a question when the words or the evidence carry one."""
    if case.is_older_news:
        return _keep_as_candidate(case, Reason.OLDER_NEWS)
    if case.new.sighting.source is Source.IMPORT and case.plain:
        return _ask_owner(case, ConfirmationKind.IMPORT)
    if case.claims_a_change or corroborates(case.evidence):
        return _ask_owner(case, ConfirmationKind.CHANGE)
    return _keep_as_candidate(case, Reason.DOUBTFUL)


def _contradict_low_risk(case: _Case) -> Decision:
    """The owner's plain word supersedes; observations add up first, and never change what the owner wrote."""
    if case.is_older_news:
        return _file_as_history(case)
    if case.claims_a_change:
        return _supersede(case, Reason.PLAIN_CHANGE)
    if not corroborates(case.evidence):
        return _keep_as_candidate(case, Reason.DOUBTFUL)
    if any(fact.protected for fact in case.standing.facts):
        return _ask_owner(case, ConfirmationKind.CHANGE)
    return _supersede(case, Reason.CORROBORATED)


def _supersede(case: _Case, reason: Reason) -> Decision:
    twin, question = case.twin, case.state.question
    return Decision(
        Outcome.SUPERSEDED,
        reason,
        case.relation,
        status=None if twin else MemoryStatus.ACTIVE,
        target=twin.id if twin else None,
        promotes=twin.id if twin else None,
        closes=tuple(_closing(fact, case.new) for fact in case.standing.facts),
        voids=(question.id,) if question else (),
        corroborated=corroborates(case.evidence),
    )


def _file_as_history(case: _Case) -> Decision:
    """News that arrived late: kept, already closed by the fact that was said after it."""
    return Decision(Outcome.ADDED, Reason.OLDER_NEWS, case.relation, status=MemoryStatus.SUPERSEDED)


def _keep_as_candidate(case: _Case, reason: Reason) -> Decision:
    """Into the observation pool, or onto the candidate that already proposes the same; an open question hears of it."""
    twin, question = case.twin, case.state.question
    kept = Decision(
        Outcome.CANDIDATE,
        reason,
        case.relation,
        status=None if twin else MemoryStatus.CANDIDATE,
        target=twin.id if twin else None,
        counts=case.is_evidence,
    )
    if question and twin and question.about == twin.id and kept.counts:
        return replace(kept, ask=Ask.ATTACH, ask_kind=question.kind, question_id=question.id)
    return kept


def _ask_owner(case: _Case, kind: ConfirmationKind) -> Decision:
    """A candidate with a question: opened, or pushed again when the claim or its independence is new."""
    firm = corroborates(case.evidence)
    kept = replace(_keep_as_candidate(case, Reason.NEEDS_OWNER), corroborated=firm)
    question = _question_on_the_same(case)
    if question:
        is_news = case.newly_corroborated or case.twin is None
        ask = Ask.PUSH_AGAIN if is_news else Ask.ATTACH
        return replace(kept, ask=ask, ask_kind=question.kind, question_id=question.id)
    if case.rejected_lately and not firm:
        return replace(kept, reason=Reason.REJECTED_LATELY)
    return _open(kept, kind, case)


def _question_on_the_same(case: _Case) -> OpenQuestion | None:
    """The open question that this statement bears on: about its twin, or about the caution it speaks against."""
    question = case.state.question
    if question is None:
        return None
    concerned = {fact.id for fact in case.standing.facts} | ({case.twin.id} if case.twin else set())
    return question if question.about in concerned else None


def _open(decision: Decision, kind: ConfirmationKind, case: _Case) -> Decision:
    """A slot has one open question at a time: the newer one takes the place of the older."""
    voids = (case.state.question.id,) if case.state.question else ()
    return replace(decision, ask=Ask.OPEN, ask_kind=kind, voids=voids)


def _vet_rejects_caution(case: _Case) -> bool:
    """A verified vet may end what was only ever a caution in doubt; never a fact."""
    doubtful = all(fact.status is MemoryStatus.PROVISIONAL for fact in case.standing.facts)
    return doubtful and case.standing.lowers and case.plain and case.new.sighting.is_verified_vet


def _contested(case: _Case) -> tuple[LiveFact, ...]:
    """What an owner's act replaces: all that it cannot be true beside."""
    beside = (Relation.SAME, Relation.COMPATIBLE, Relation.NARROWS)
    return () if case.relation in beside else case.standing.facts


def _closing(fact: LiveFact, new: Statement) -> Closing:
    if fact.status is MemoryStatus.PROVISIONAL:
        return Closing(fact.id, MemoryStatus.REJECTED)
    return Closing(fact.id, MemoryStatus.SUPERSEDED, new.said.occurred_on or new.sighting.day)
