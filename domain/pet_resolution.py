"""Which pets a question means, decided together with what memory says. Pure.

Owners rarely write a name. What they write instead is weighed as evidence: species, breed and looks, sex, age, size,
place in the row (老二), pronouns, habits that memory knows ("抢碗的是谁"). Each pet collects log-likelihoods from the
wording and from how well its memories answer the question; the most likely one is meant. When two stay close the
answer is "unclear", and no pet's medical facts are put before the assistant as the ones in question.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from domain.pet_mentions import species_of
from domain.pet_pointers import CALLED, RULED_OUT, Logs, Pointers
from domain.pet_profiles import KnownFact, PetProfile, SaidBefore
from domain.pet_roll import NEAR, roll_of
from domain.strange_animals import asks_of_strangers
from domain.triage.how_bad import asks_how_bad
from memory.text_folding import fold_text
from memory.vocabulary import OWNER_SUBJECT

ON_ANOTHERS_PAGE = -1.2  # the owner writes from the page of another pet
NOT_LAST_NAMED = -1.8  # the talk was about another pet a while ago
NOT_JUST_NAMED = -3.0  # the words just before were about another pet, or not about the owner
NOT_MEANT_BY_IT = -8.0  # the same, and 它 points back: more than what the memories of another pet can weigh
PLAINLY_THAT_ONE = 0.95  # posterior from which 哪只 is answered by one pet, and the others' cards stay out
RETRIEVAL = 8.5  # log-likelihood per unit of relevance between the best memories of two subjects
OWNER_PRIOR = -1.3
EVERYBODY_PRIOR = -0.5  # a line that speaks of all answers, and the question points at nobody
OWNER_BY_NAME = 3.0
OWNER_BY_SELF = 1.4  # 我
OWNER_BY_ACTS = 1.4  # 我放哪, 我走几天
OWNER_BY_PERSON = 2.2  # 谁来喂, 找谁
OWNER_BY_FAMILY = 0.8
OWNER_BY_THINGS = 2.3  # 电话, 坐诊, 出差
OWNER_BY_PLACES = 2.0  # 往哪送: what ails the pet is the occasion, not the question
OWNER_BY_MEANING = 5.0  # log-likelihood from a question of a pet to one of the owner, by its meaning
HARDLY_ABOUT_OWNER = 0.5  # by its meaning alone: a question in the middle of the talk about a pet goes on with it
EVENLY_ABOUT_OWNER = 0.2  # the share at which its meaning does not tell
OWNER_AGAINST_POINTING = -1.5  # for each of up to three cues that point at a pet
_OWNER = frozenset({OWNER_SUBJECT})
_COMPARES = re.compile(r"更|比|最|[谁哪][只条个位]?[^,。]{0,3}(?:重|轻|胖|瘦|大|小|高|矮|快|慢|多|少|先|早|晚)")
_OF_EVERYBODY = re.compile(
    r"注意(?:些|点)?(?:什么|啥|哪)|有(?:什么|啥|哪些)(?:安排|要注意|该注意|事要做|日程|提醒|计划|预约)|有(?:什么|啥|哪些|没有)?[^,。]{0,6}(?:快|要|该)?到期|(?:它们|他们|家里|大家)[^,。]{0,4}怎么样"
)
_ASKS_WHICH = re.compile(r"你说的是[^。？?]+[？?]")
_POINTS_BACK = re.compile(
    "[它他她](?![们俩])|还(?:需|需要|要|得|该|用)(?:注意|做|准备|带|去|看)|在?路上"
    "|缓过来|醒过来|没事了|好(?:多|些|点)了|止住了|^(?:已经|刚|终于|总算)?(?:送|到|在)(?:到|了)?医院"
)  # what is left to say of the pet that the talk is of
_TWO = re.compile("俩|两[只条个位](?=猫|狗|兔|毛|娃|崽|都|是|的|$)")
SURE = 0.7  # posterior from which the most likely pet is meant without doubt; of 54 guesses below 0.9, 50 were right


@dataclass(frozen=True, slots=True)
class Resolution:
    """Who is meant. `pets` may hold several; `unclear`: a best guess that carries no medical facts with it.

    of_strangers: an animal that is none of the household's, of which nothing is known.

    looks_across: the question asks which of the pets it is. confidence: posterior in [0, 1]. why: for the trace.
    """

    pets: frozenset[str]
    about_owner: bool = False
    unclear: bool = False
    looks_across: bool = False
    of_strangers: bool = False
    confidence: float = 1.0
    why: str = ""

    @property
    def subjects(self) -> frozenset[str | None]:
        """Whose memories may be told: those meant, the owner's, and what is not assigned to anybody yet."""
        return frozenset() if self.of_strangers else frozenset({*self.pets, OWNER_SUBJECT, None})


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what tells the pets apart.

    lines: known lines about the pets, the found memories among them. relevance: best relevance among the memories of
    each subject ("owner" included). weights_kg: latest body weight by pet id.
    focus_pet_id: the pet of the page the owner writes from. last_named: see `last_named_in`.
    relevance_of_all: the same of lines that speak of several pets at once.
    just_named: the same of the last few exchanges alone. two_named: see `two_named_in`.
    about_owner: how likely the question is about the owner by its meaning, in [0, 1]; None where nothing reads it.
    about_danger: what may be eaten or given is asked, so every pet that fits has its say.
    """

    text: str
    pets: Sequence[PetProfile]
    owner_name: str | None = None
    focus_pet_id: str | None = None
    last_named: frozenset[str] = frozenset()
    just_named: frozenset[str] = frozenset()
    two_named: frozenset[str] = frozenset()
    lines: Sequence[KnownFact] = ()
    relevance: Mapping[str | None, float] = field(default_factory=lambda: MappingProxyType({}))
    relevance_of_all: float = 0.0
    weights_kg: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    looks_across: bool = False
    about_owner: float | None = None
    about_danger: bool = False


def resolve_pets(asked: Asked) -> Resolution:
    """The pets, or the owner, that the question is about."""
    named = pets_named(asked.text, asked.pets)
    if named and _called_alike(named, asked.pets):
        return Resolution(frozenset(named), unclear=True, why="name of several")
    if named:
        return Resolution(frozenset(named), why="name")
    pets = [pet for pet in asked.pets if pet.status == "active"] or list(asked.pets)
    if not pets:
        return Resolution(frozenset(), about_owner=True, why="no pet")
    if asks_of_strangers(asked.text):
        return Resolution(frozenset(), of_strangers=True, why="somebody else's animal")
    pointers = Pointers(asked.text, pets, asked.lines, asked.weights_kg)
    logs = pointers.log_likelihoods()
    if asked.looks_across:
        return _across(logs, asked, pointers)
    at_nobody = not pointers.reasons and not pointers.at_one
    goes_on = len(asked.just_named) == 1 and _POINTS_BACK.search(asked.text) is not None
    if at_nobody and not goes_on and asked.focus_pet_id is None and _OF_EVERYBODY.search(fold_text(asked.text)):
        return Resolution(frozenset(pet.id for pet in pets), looks_across=True, why="asks how things are at home")
    several = pointers.everyone or pointers.both_sexes or pointers.both_ages
    together = _pair_of_more(asked, pets, logs) or _not_ruled_out(logs, RULED_OUT / 2)
    return _most_likely(logs, asked, pointers, together if several else None)


def last_named_in(history: Sequence[SaidBefore], pets: Sequence[PetProfile]) -> frozenset[str]:
    """The pets of the last message of the talk that names any; when we ask which one is meant, nobody is named."""
    for message in reversed(history):
        named = pets_named(_ASKS_WHICH.sub("", message.text) if message.role == "assistant" else message.text, pets)
        if named:
            return frozenset(named)
    return frozenset()


def two_named_in(history: Sequence[SaidBefore], pets: Sequence[PetProfile]) -> frozenset[str]:
    """The last two pets that the owner spoke of, in one message or in two; nobody where it was one, or more at once."""
    found: set[str] = set()
    for message in reversed(history):
        found |= set(pets_named(message.text, pets)) if message.role == "user" else set()
        if len(found) > 1:
            break
    return frozenset(found) if len(found) == 2 else frozenset()


def pets_named(text: str, pets: Sequence[PetProfile]) -> list[str]:
    """Pets called by name or nickname; a longer name takes its letters (小豆豆 is not also 豆豆)."""
    folded = whole = fold_text(text)
    names = [(fold_text(name), pet.id) for pet in pets for name in (pet.name, *pet.nicknames) if name]
    found: list[str] = []
    for name in sorted({name for name, _ in names}, key=lambda name: -len(name)):
        if name in folded:
            bearers = tuple(pet_id for other, pet_id in names if other == name)
            if len(bearers) > 1:
                place = folded.find(name)
                around = whole[max(0, place - NEAR) : place + len(name) + NEAR]
                bearers = roll_of(tuple(pets)).told_apart(bearers, around)
            found += bearers
            folded = folded.replace(name, "\x00" * len(name))
    return found


def _called_alike(ids: Sequence[str], pets: Sequence[PetProfile]) -> bool:
    """Whether two of these pets share a name: what is told of one must not be told as the other's."""
    names = [name for pet in pets if pet.id in ids for name in {fold_text(one) for one in (pet.name, *pet.nicknames)}]
    return len(names) > len(set(names))


def _not_ruled_out(logs: Logs, distance: float) -> frozenset[str]:
    best = max(logs.values())
    return frozenset(pet_id for pet_id, log in logs.items() if log > best + distance)


def _pair_of_more(asked: Asked, pets: Sequence[PetProfile], logs: Logs) -> frozenset[str]:
    """Which two of three or more 它俩 says: those talked about last, or the only two of a kind; else nobody."""
    if len(pets) < 3 or not _TWO.search(fold_text(asked.text)):
        return frozenset()
    if two := asked.two_named or (asked.last_named if len(asked.last_named) == 2 else frozenset()):
        return two
    fitting = _not_ruled_out(logs, RULED_OUT / 2)
    kinds = [species_of(pet) for pet in pets if pet.id in fitting]
    twos = [kind for kind in set(kinds) if kinds.count(kind) == 2]
    return frozenset(pet.id for pet in pets if pet.id in fitting and [species_of(pet)] == twos)


def _across(logs: Logs, asked: Asked, pointers: Pointers) -> Resolution:
    """哪只 asks for a pet among all that fit; 谁 may ask for a person, and then the owner's affairs are meant."""
    among = _not_ruled_out(logs, RULED_OUT)
    if pointers.asks_for_a_person:
        return _most_likely(logs, asked, pointers, None)
    if "谁" in pointers.text and _most_likely(logs, asked, pointers, among).about_owner:
        return Resolution(frozenset(), about_owner=True, why="who of the people")
    if not (asked.about_danger or pointers.everyone or _COMPARES.search(pointers.text)):
        likely = _most_likely(logs, asked, pointers, None)
        if likely.pets and likely.confidence >= PLAINLY_THAT_ONE:
            return replace(likely, looks_across=True, why=f"which one, {likely.why}")
    return Resolution(among, looks_across=True, why="which one")


def _most_likely(logs: Logs, asked: Asked, pointers: Pointers, together: frozenset[str] | None) -> Resolution:
    """One pet, or `together` as one answer where several are said, or the owner."""
    logs = {pet_id: log + _out_of_focus(pet_id, asked) for pet_id, log in logs.items()}
    answers: dict[frozenset[str], float] = {frozenset({pet_id}): log for pet_id, log in logs.items()}
    everybody = frozenset(logs)
    if together:
        answers = {together: 0.0}
    elif asked.relevance_of_all and len(everybody) > 1 and not pointers.reasons and not pointers.at_one:
        answers[everybody] = EVERYBODY_PRIOR
    answers[_OWNER] = _owner_log(asked, pointers)
    best = max(asked.relevance.values(), default=0.0)
    shares = _softmax(
        {who: log + RETRIEVAL * (_relevance_of(who, asked, said=bool(together)) - best) for who, log in answers.items()}
    )
    meant = max(shares, key=lambda who: shares[who])
    return Resolution(
        pets=meant - _OWNER,
        about_owner=meant == _OWNER,
        unclear=shares[meant] < SURE,
        confidence=shares[meant],
        why=", ".join(pointers.reasons) or "what memory says",
    )


def _relevance_of(who: frozenset[str], asked: Asked, said: bool) -> float:
    """Of the best memory of those; where several are not said, only a line that speaks of several tells of them."""
    of_one = max((asked.relevance.get(one, 0.0) for one in who), default=0.0)
    if len(who) == 1:
        return of_one
    return max(of_one, asked.relevance_of_all) if said else asked.relevance_of_all


def _out_of_focus(pet_id: str, asked: Asked) -> float:
    log = 0.0
    if asked.focus_pet_id is not None and pet_id != asked.focus_pet_id:
        log += ON_ANOTHERS_PAGE
    if asked.last_named and pet_id not in asked.last_named:
        log += _away_from_the_talk(asked)
    return log


def _away_from_the_talk(asked: Asked) -> float:
    """Against a pet, or the owner, that the talk was not about."""
    if len(asked.last_named) == 1 and (_POINTS_BACK.search(asked.text) or asks_how_bad(asked.text)):
        return NOT_MEANT_BY_IT
    return NOT_JUST_NAMED if len(asked.just_named) == 1 else NOT_LAST_NAMED


def _owner_log(asked: Asked, pointers: Pointers) -> float:
    words, log = pointers.cues.owner, OWNER_PRIOR
    if asked.owner_name and fold_text(asked.owner_name) in pointers.text:
        log += OWNER_BY_NAME
    if pointers.asks_for_a_person:
        log += OWNER_BY_PERSON
    by_words = sum(
        weight
        for pattern, weight in (
            (words.self, OWNER_BY_SELF),
            (words.acts, OWNER_BY_ACTS),
            (words.about, OWNER_BY_FAMILY),
            (words.things, OWNER_BY_THINGS),
            (words.places, OWNER_BY_PLACES),
        )
        if pattern.search(pointers.text)
    )
    log += by_words
    if asked.about_owner is not None:
        log += OWNER_BY_MEANING * (asked.about_owner - EVENLY_ABOUT_OWNER)
    away = len(asked.just_named) == 1 or _away_from_the_talk(asked) == NOT_MEANT_BY_IT
    hardly = not by_words and (asked.about_owner or 0.0) < HARDLY_ABOUT_OWNER
    if away and (log <= OWNER_PRIOR or hardly):  # nothing speaks of the owner
        log += NOT_JUST_NAMED / 2
    if pointers.asks_for_a_person:  # 谁给猫打针: the pet is whom the person cares for
        return log
    if CALLED in pointers.reasons and log <= OWNER_PRIOR:  # the line that tells the name is the owner's
        return log + RULED_OUT
    return log + OWNER_AGAINST_POINTING * min(3, len(pointers.reasons))


def _softmax(logs: Mapping[frozenset[str], float]) -> dict[frozenset[str], float]:
    top = max(logs.values())
    weights = {who: math.exp(log - top) for who, log in logs.items()}
    total = sum(weights.values())
    return {who: weight / total for who, weight in weights.items()}
