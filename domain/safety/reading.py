"""Read a reply: every named thing that it recommends, to whom, and whether it leaves the decision to the vet.

The question counts: "可以吃一点" after "能吃葡萄吗" recommends grapes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from domain.knowledge.lexicon import EntityMatch, find_entities, find_food_groups
from domain.safety.facts import PetFacts, SafetyFacts
from domain.safety.stance import (
    Clause,
    Stance,
    inherited_stance,
    opens_with_but,
    split_clauses,
    stance_on,
)
from memory.text_folding import fold_text, fold_word

THINGS = frozenset({"allergen", "toxin", "drug", "drug_class", "dewormer", "vaccine", "food", "diet", "food_group"})

_VET_DECIDES = re.compile(
    r"(?:问|咨询|联系|找|听|遵|由|让|请|等|跟|和|与|告诉|经|按|看)[^,。]{0,8}(?:医生|兽医|医嘱|大夫|医院)"
    r"|(?:医生|兽医|大夫)[^,。]{0,8}(?:定|开|判断|评估|指导|确认|同意|安排|调整|换|允许|建议|处方|约|监测|复查)|医嘱"
)
_ON_ONES_OWN = re.compile(
    r"(?<!别)(?<!要)(?<!能)(?<!可)(?<!以)(?<!勿)(?:自己|直接)(?:去)?(?:买|喂|用|加|打|给)|(?:不用|不必|没必要|懒得)(?:问|找|看|去|跑)"
)
_TOGETHER = re.compile(
    r"^(?:(?:里面?|中)?(?:也|还)?(?:可能)?(?:含|有|带)[^,]{0,6}|、|和|或|及|与|跟|或者|以及|还有|加|/|\+|也|的)?$"
)
_EATEN_BEFORE = re.compile(
    r"(?:偷|误|抢|刚|已经|昨|今早|今天|早上|晚上|上次|把)[^,]{0,8}(?:吃|喝|舔|啃|咬|吞|打|滴|炫|干)(?:了|完|掉|光|过|下|干净)"
    r"|(?:吃|喝|舔|啃|咬|吞)(?:了|完|掉|光|下|到|干净)(?!吗|没|行|能)|(?:打|吃|喂|滴)(?:多|重|错)了?"
)
_ABSENT = re.compile(r"不含|没有|无添加|过敏")
_LABEL = re.compile(r"配料|成分|配方|原料|含|里面有|里有|标着|写着|主料")


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing that the reply recommends. start, end: the piece of the reply to blame (the thing, or its clause).

    asked: it stands in the question only. vet_decides: the sentence leaves it to the vet.
    """

    match: EntityMatch
    start: int
    end: int
    clause: Clause
    recipients: tuple[PetFacts, ...]
    vet_decides: bool
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read once a turn: its folded text, all things it names, and those it asks for."""

    text: str
    things: tuple[EntityMatch, ...]
    wanted: tuple[EntityMatch, ...]


@dataclass(frozen=True, slots=True)
class SoFar:
    """What the sentences before have settled: the answer to the question, what they warned of, a way to the vet."""

    endorsed: Stance | None = None
    warned: frozenset[str] = frozenset()
    warns: bool = False
    sent_to_vet: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """endorsed: how the reply answers the question as a whole; verdict_clause: the clause that says so.

    takers, vet_decides: for each clause, who would get what it names, and whether its sentence leaves it to the vet.
    question: folded. warned: ids of the things it warns of.
    """

    reply: str
    question: str
    clauses: tuple[Clause, ...]
    takers: tuple[tuple[PetFacts, ...], ...]
    vet_decides: tuple[bool, ...]
    recommended: tuple[Mention, ...]
    warned: frozenset[str]
    endorsed: Stance | None
    verdict_clause: Clause | None


def read_question(question: str, facts: SafetyFacts) -> Asked:
    """What a question names and asks for."""
    things = _things(question, facts)
    return Asked(fold_text(question), tuple(things), tuple(asked_for(question, things)))


def read_reply(reply: str, asked: Asked, facts: SafetyFacts, before: SoFar = SoFar()) -> Reading:
    """All recommended things of a reply (or of its next sentence), those that the question asks for included."""
    clauses = split_clauses(reply)
    takers, deferred = _takers(clauses, facts), _deferred(clauses)
    named = _things(reply, facts)
    recommended, warned = _sort_by_stance(clauses, named, takers, deferred, before.warns)
    answer, endorsed = _answer_to_question(clauses, named, asked, before)
    if endorsed is Stance.RECOMMENDS and answer is not None and asked.wanted:
        settled = warned | before.warned | {mention.match.entity_id for mention in recommended}
        said, who = clauses[answer], _all_who_may(clauses, takers, answer)
        recommended += [
            Mention(match, said.start, said.end, said, who, deferred[answer], asked=True)
            for match in asked.wanted
            if match.entity_id not in settled
        ]
    verdict_clause = None if answer is None else clauses[answer]
    return Reading(
        reply, asked.text, clauses, takers, deferred, tuple(recommended), frozenset(warned), endorsed, verdict_clause
    )


def _all_who_may(
    clauses: Sequence[Clause], takers: Sequence[tuple[PetFacts, ...]], answer: int
) -> tuple[PetFacts, ...]:
    """Everybody whom the answer, or a friendly clause after it, allows what was asked for."""
    friendly = [answer, *(i for i in range(answer + 1, len(clauses)) if clauses[i].verdict is Stance.RECOMMENDS)]
    return tuple({pet.profile.id: pet for position in friendly for pet in takers[position]}.values())


def _things(text: str, facts: SafetyFacts) -> list[EntityMatch]:
    found = [match for match in find_entities(text, facts.names) if match.kind in THINGS]
    if any(pet.conditions or pet.diets for pet in facts.pets):
        found += find_food_groups(text, facts.names)
        found.sort(key=lambda match: (match.start, -match.end))
    return found


def _sort_by_stance(
    clauses: Sequence[Clause],
    named: Sequence[EntityMatch],
    takers: Sequence[tuple[PetFacts, ...]],
    deferred: Sequence[bool],
    warned_before: bool,
) -> tuple[list[Mention], set[str]]:
    recommended: list[Mention] = []
    warned: set[str] = set()
    unsaid = None if warned_before else _default_stance(clauses)
    for position, clause in enumerate(clauses):
        here = [match for match in named if clause.start <= match.start < clause.end]
        for group, next_start in _groups(clause, here):
            begin, end = group[0].start - clause.start, max(match.end for match in group) - clause.start
            stance = stance_on(clause, begin, end, next_start) or inherited_stance(clauses, position) or unsaid
            if stance is Stance.RECOMMENDS and _is_taken_back(clauses, position, named):
                stance = Stance.WARNS
            if stance is Stance.WARNS:
                warned.update(match.entity_id for match in group)
            elif stance is Stance.RECOMMENDS:
                recommended.extend(
                    Mention(match, match.start, match.end, clause, takers[position], deferred[position])
                    for match in group
                )
    return recommended, warned


def _is_taken_back(clauses: Sequence[Clause], position: int, named: Sequence[EntityMatch]) -> bool:
    """很多人会给，其实很危险: an act that is only told of, and a bad word on it in the next clause."""
    if position + 1 >= len(clauses) or clauses[position + 1].sentence != clauses[position].sentence:
        return False
    judged = clauses[position + 1]
    is_own = any(judged.start <= match.start < judged.end for match in named)
    if is_own or judged.verdict is not Stance.WARNS:
        return False
    return opens_with_but(judged) or (judged.ends_badly and not clauses[position].is_firm)


def _default_stance(clauses: Sequence[Clause]) -> Stance | None:
    """Naming a thing in answer to a question proposes it, unless the reply warns of anything at all."""
    warns = any(clause.verdict is Stance.WARNS for clause in clauses)
    return None if warns else Stance.RECOMMENDS


def _groups(clause: Clause, here: Sequence[EntityMatch]) -> Iterator[tuple[list[EntityMatch], int | None]]:
    """Things joined by 、 or 和 share one stance; with each group, where the next one begins in the clause."""
    groups: list[list[EntityMatch]] = []
    for match in here:
        if groups:
            last_end = max(other.end for other in groups[-1])
            between = clause.text[last_end - clause.start : match.start - clause.start]
            if match.start < last_end or _TOGETHER.match(between):
                groups[-1].append(match)
                continue
        groups.append([match])
    for position, group in enumerate(groups):
        following = groups[position + 1][0].start - clause.start if position + 1 < len(groups) else None
        yield group, following


def _deferred(clauses: Sequence[Clause]) -> tuple[bool, ...]:
    sentences = {clause.sentence for clause in clauses if _VET_DECIDES.search(clause.text)}
    sentences -= {clause.sentence for clause in clauses if _ON_ONES_OWN.search(clause.text)}
    return tuple(clause.sentence in sentences for clause in clauses)


def _takers(clauses: Sequence[Clause], facts: SafetyFacts) -> tuple[tuple[PetFacts, ...], ...]:
    """Who would get it: who is named in the clause or before it in the sentence (阿福的药 names an owner, no taker)."""
    if len(facts.pets) < 2:
        return (facts.pets,) * len(clauses)
    takers: list[tuple[PetFacts, ...]] = []
    for position, clause in enumerate(clauses):
        named = tuple(pet for pet in facts.pets if _is_taker(clause.text, pet))
        goes_on = position > 0 and clauses[position - 1].sentence == clause.sentence
        takers.append(named or (takers[-1] if goes_on else facts.concerned))
    return tuple(takers)


def _is_taker(clause: str, pet: PetFacts) -> bool:
    return any(is_meant(name, clause) for name in pet.names if name)


def is_meant(name: str, folded: str) -> bool:
    """Is a pet spoken to or of by its name? 阿福的药 and 阿福剩的粮 only say whose a thing is."""
    folded_name = fold_word(name)
    return folded_name in folded and bool(_taker_words(folded_name).search(folded))


@lru_cache(maxsize=256)
def _taker_words(folded_name: str) -> re.Pattern[str]:
    return re.compile(f"{re.escape(folded_name)}(?!的|那|这|剩|用的|吃的)")


def sentence_text(clauses: Sequence[Clause], position: int) -> str:
    """The folded sentence that a clause stands in."""
    return ",".join(clause.text for clause in clauses if clause.sentence == clauses[position].sentence)


def _answer_to_question(
    clauses: Sequence[Clause], named: Sequence[EntityMatch], asked: Asked, before: SoFar
) -> tuple[int | None, Stance | None]:
    """The clause that answers yes or no: the first with a verdict that is not about another thing.

    Once answered, only a "but" that says yes changes it. Where nothing is said and nothing warned of, silence is a yes.
    """
    asked_ids = {match.entity_id for match in asked.things}
    answer: int | None = None
    endorsed = before.endorsed
    for position, clause in enumerate(clauses):
        here = (match for match in named if clause.start <= match.start < clause.end)
        things = {match.entity_id for match in here if match.relation != "single_char"}
        if clause.verdict is None or (things and not things & asked_ids):
            continue
        is_firmer = answer is not None and not clauses[answer].is_firm and clause.is_firm
        if endorsed is None or is_firmer or (opens_with_but(clause) and clause.verdict is Stance.RECOMMENDS):
            answer, endorsed = position, clause.verdict
    warns = before.warns or any(clause.verdict is Stance.WARNS for clause in clauses)
    if endorsed is None and clauses and not warns:
        return 0, Stance.RECOMMENDS
    return answer, endorsed


def asked_for(question: str, named: Sequence[EntityMatch]) -> list[EntityMatch]:
    """What a question asks about: not what was eaten already, nor what it calls bad itself."""
    found = []
    for clause in split_clauses(question):
        if _EATEN_BEFORE.search(clause.text) and not _LABEL.search(clause.text):
            continue
        here = [match for match in named if clause.start <= match.start < clause.end]
        for group, following in _groups(clause, here):
            begin, end = group[0].start - clause.start, max(match.end for match in group) - clause.start
            is_label = _LABEL.search(clause.text) and not _ABSENT.search(clause.text)
            if is_label or stance_on(clause, begin, end, following) is not Stance.WARNS:
                found += group
    return found
