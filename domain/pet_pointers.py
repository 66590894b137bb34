"""What the words of a question say about which pet is meant, without its name. Pure.

Every cue answers with log-likelihoods: 0 for the pets it fits, below 0 for the others, nothing when it fits nobody or
everybody. `pet_resolution` adds them to what memory says.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from domain.knowledge.breeds import load_breeds
from domain.knowledge.pet_cues import Look, PetCues, load_pet_cues
from domain.knowledge.question_cues import load_question_cues
from domain.knowledge.synonyms import other_words, single_words
from domain.pet_descriptions import breed_colours
from domain.pet_mentions import species_of
from domain.pet_profiles import KnownFact, PetProfile
from memory.fulltext import bm25_scores, corpus_stats, doc_tokens, query_tokens, tokenize
from memory.text_folding import fold_text
from memory.vocabulary import OWNER_SUBJECT

RULED_OUT = -6.0  # said outright: another species, another breed, another sex
UNLIKELY = -3.0  # said in a way that is often loose: 他 of a female, 小 of a matter of taste
A_LITTLE = -1.5  # a guess: 大 may be age or size
DESCRIBED = -3.5  # a habit that memory knows of another pet only ("抢碗的那个")
PLAIN_DESCRIPTION = 2.0  # BM25 of one rare word in common: less of it tells less
USUAL_WEIGHT_KG = {"cat": 5.0, "dog": 20.0, "rabbit": 3.0}  # where the breed is not known; only to compare
TWICE_THE_SIZE = 2.0  # from here on 大 and 小 speak of size whatever the ages are

_CHILDREN = ("女儿", "儿子", "闺女")
CALLED = "called"  # the cue of a name that memory tells

_GETS = ("给", "喂", "让", "帮")  # 狗的驱虫药给猫用 is about the cat
_PARTS = re.compile(r"[,，。?？!！;；\s]+")
_WITHOUT_GROUPS = re.compile("[他她](们|俩)|其他")

Logs = dict[str, float]


class Pointers:
    """The cues of one question over the pets of one household.

    lines: what memory knows of the pets, as far as it is at hand. weights_kg: latest body weight by pet id.
    """

    def __init__(
        self,
        text: str,
        pets: Sequence[PetProfile],
        lines: Sequence[KnownFact] = (),
        weights_kg: Mapping[str, float] | None = None,
    ) -> None:
        self.cues: PetCues = load_pet_cues()
        self.text = self.cues.other_relative.sub(_blank, fold_text(text))
        self.pets = pets
        self.reasons: list[str] = []
        self._lines = lines
        self._weights = weights_kg or {}
        self._before_noun: set[str] = set()  # 小, 大, 老 straight before an animal's noun
        self.both_sexes = False  # 她 and 他 in one question: two of them are meant
        self.both_ages = self._speaks_of_both_ages()
        several = len(pets) > 1 and self.cues.among.search(self.text) is None
        self.asks_for_a_person = self.cues.person.search(_first_that_asks(self.text)) is not None
        self.at_one = self.cues.described.search(self.text) is not None  # whether or not memory knows that one
        self.everyone = several and self.cues.everyone.search(self.text) is not None

    def log_likelihoods(self) -> Logs:
        """One log-likelihood a pet, 0 = nothing against it. Fills `reasons`."""
        logs = {pet.id: 0.0 for pet in self.pets}
        for name, cue in (
            ("species", self._species),
            ("looks", self._looks),
            ("colour", self._colour),
            ("sex", self._sex),
            ("row", self._place_in_row),
            (CALLED, self._called),
            ("described", self._described),
        ):
            self._add(name, cue(), logs)
        left = [pet for pet in self.pets if logs[pet.id] > RULED_OUT / 2 + max(logs.values())]
        if not self.both_ages:
            self._add("age", self._age(left), logs)
            self._add("size", self._size(left), logs)
        return logs

    def _add(self, name: str, found: Logs, logs: Logs) -> None:
        if found:
            self.reasons.append(name)
        for pet_id, log in found.items():
            logs[pet_id] += log

    def _against_others(
        self, fits: Callable[[PetProfile], bool], log: float, among: Sequence[PetProfile] | None = None
    ) -> Logs:
        """`log` against every pet that does not fit; nothing when no pet fits."""
        asked = self.pets if among is None else among
        fitting = {pet.id for pet in asked if fits(pet)}
        return {pet.id: (0.0 if pet.id in fitting else log) for pet in asked} if fitting else {}

    def _species(self) -> Logs:
        text = self.cues.not_meant.sub(_blank, self.text)
        here = {
            name: words for name, words in self.cues.species.items() if any(self._is(pet, name) for pet in self.pets)
        }
        found = [(match.start(), name) for name, words in here.items() if (match := words.animal.search(text))]
        if found:
            for start, _ in found:
                self._note_size_before(start)
            receiving = [one for one in found if text[: one[0]].endswith(_GETS)]
            return self._against_others(lambda pet: self._is(pet, min(receiving or found)[1]), RULED_OUT)
        things = [name for name, words in here.items() if words.thing.search(text)]
        return self._against_others(lambda pet: any(self._is(pet, name) for name in things), UNLIKELY)

    def _is(self, pet: PetProfile, species: str) -> bool:
        """Whether the pet is of this species; other animals carry theirs as a word (鹦鹉, 刺猬)."""
        named = self.cues.species[species].animal.search(pet.species_name or "") is not None
        return species_of(pet) == species or (pet.species == "other" and named)

    def _looks(self) -> Logs:
        return self._against_others(self._is_called_by_looks, RULED_OUT)

    def _is_called_by_looks(self, pet: PetProfile) -> bool:
        breed = fold_text(pet.breed or pet.species_name or "")
        words, looks = _words_of_breed(breed)
        starts = [self.text.find(word) for word in words]
        starts += [match.start() for look in looks for match in [look.words.search(self.text)] if match]
        found = [start for start in starts if start >= 0]
        for start in found:
            self._note_size_before(start)
        return bool(found)

    def _note_size_before(self, start: int) -> None:
        if start and self.text[start - 1] in "小大老":
            self._before_noun.add(self.text[start - 1])

    def _colour(self) -> Logs:
        match = self.cues.colour_phrase.search(self.text)
        if match is None:
            return {}
        colour = next(group for group in match.groups() if group)
        return self._against_others(lambda pet: self._has_colour(pet, colour), UNLIKELY)

    def _has_colour(self, pet: PetProfile, colour: str) -> bool:
        known = fold_text(f"{pet.breed or ''} {pet.name}") + breed_colours(pet.breed)
        if self.cues.colours[colour].search(known):
            return True
        told = (f"全{colour}", f"纯{colour}", f"{colour}色", f"{colour}毛", f"一身{colour}")
        return any(word in line.content for line in self._lines if line.subject == pet.id for word in told)

    def _sex(self) -> Logs:
        for sex, noun in (("female", self.cues.female), ("male", self.cues.male)):
            if (found := noun.search(self.text)) and not self._is_a_child(found[0]):
                return self._against_others(lambda pet: pet.sex == sex, RULED_OUT)  # noqa: B023 - used at once
        female, male = (pronoun in _WITHOUT_GROUPS.sub("", self.text) for pronoun in "她他")
        if female and male:
            self.both_sexes = True
            return {}
        sex = "female" if female else "male"
        return self._against_others(lambda pet: pet.sex == sex, UNLIKELY) if female or male else {}

    def _is_a_child(self, word: str) -> bool:
        """我女儿几岁, of an owner who told of a daughter."""
        return word in _CHILDREN and any(line.subject == OWNER_SUBJECT and word in line.content for line in self._lines)

    def _place_in_row(self) -> Logs:
        for word, place in self.cues.birth_order.items():
            if word not in self.text:
                continue
            told = self._against_others(lambda pet: self._is_told_as(pet, word), RULED_OUT)  # noqa: B023 - at once
            row = sorted(self.pets, key=lambda pet: pet.born_on.toordinal() if pet.born_on else 0)
            if told or place >= len(row):
                return told
            return self._against_others(lambda pet: pet.id == row[place].id, UNLIKELY)  # noqa: B023 - at once
        return {}

    def _called(self) -> Logs:
        """What memory tells that a pet is called at home: 大屁股是花卷."""
        return self._against_others(self._is_called_at_home, RULED_OUT)

    def _is_called_at_home(self, pet: PetProfile) -> bool:
        name = fold_text(pet.name)
        told = [match for text in self._texts() if name in text for match in _called_at_home(name).finditer(text)]
        return any(_ends_in(match[1] or match[2], self.text) for match in told)

    def _speaks_of_both_ages(self) -> bool:
        """小的 in one clause and 大的 in another: each of the two is asked about."""
        clauses = [part for part in _PARTS.split(self.text) if part]
        young = {part for part in clauses if self.cues.younger.search(part)}
        old = {part for part in clauses if self.cues.older.search(part) or self.cues.bigger.search(part)}
        return len(self.pets) == 2 and bool(young - old and old - young)

    def _is_told_as(self, pet: PetProfile, word: str) -> bool:
        name = fold_text(pet.name)
        return any(
            f"{word}{name}" in text or f"{word}是{name}" in text or f"{name}是{word}" in text for text in self._texts()
        )

    def _texts(self) -> list[str]:
        return [fold_text(line.content) for line in self._lines]

    def _described(self) -> Logs:
        words: dict[str, float] = {}
        for match in self.cues.described.finditer(self.text):
            phrase = self.cues.read_elsewhere.sub("", next(group for group in match.groups() if group))
            words |= _telling(phrase)
            words |= {token: 0.5 for word in other_words(phrase) for token in _telling(word) if token not in words}
        if not words or not self._lines:
            return {}
        return self._fit_of(words)

    def _fit_of(self, words: Mapping[str, float]) -> Logs:
        docs = [doc_tokens(str(number), tokenize(line.content)) for number, line in enumerate(self._lines)]
        scores = bm25_scores(words, docs, corpus_stats(docs))
        best_of: Logs = {pet.id: 0.0 for pet in self.pets}
        for number, line in enumerate(self._lines):
            if line.subject in best_of:
                best_of[line.subject] = max(best_of[line.subject], scores.get(str(number), 0.0))
        best = max(best_of.values())
        sure = min(1.0, best / PLAIN_DESCRIPTION)
        return {pet_id: sure * DESCRIBED * (1 - fit / best) for pet_id, fit in best_of.items()} if best else {}

    def _age(self, among: Sequence[PetProfile]) -> Logs:
        born = {pet.id: pet.born_on.toordinal() for pet in among if pet.born_on}
        if len(born) < 2 or len(set(born.values())) < 2:
            return {}
        if self.cues.older.search(self.text) or "老" in self._before_noun:
            return self._against_others(lambda pet: born.get(pet.id) == min(born.values()), UNLIKELY, among)
        if self.cues.younger.search(self.text) or "小" in self._before_noun:
            return self._against_others(lambda pet: born.get(pet.id) == max(born.values()), UNLIKELY, among)
        if self.cues.bigger.search(self.text) or "大" in self._before_noun:
            return self._against_others(lambda pet: born.get(pet.id) == min(born.values()), A_LITTLE, among)
        return {}

    def _size(self, among: Sequence[PetProfile]) -> Logs:
        if self.cues.fat.search(self.text):
            return self._fat(among)
        weights = {pet.id: self._weights[pet.id] for pet in among if pet.id in self._weights}
        if len(weights) < 2:
            return {}
        plain = max(weights.values()) > TWICE_THE_SIZE * min(weights.values())
        log = UNLIKELY + A_LITTLE if plain else A_LITTLE
        if self.cues.bigger.search(self.text) or "大" in self._before_noun:
            return self._against_others(lambda pet: weights.get(pet.id) == max(weights.values()), log, among)
        if self.cues.smaller.search(self.text) or "小" in self._before_noun:
            kinds = {species_of(pet) for pet in among}  # beside a hamster every dog is big: 小的 may be the young one
            less = UNLIKELY if plain and len(kinds) > 1 else log
            return self._against_others(lambda pet: weights.get(pet.id) == min(weights.values()), less, among)
        return {}

    def _fat(self, among: Sequence[PetProfile]) -> Logs:
        dieting = {line.subject for line in self._lines if self.cues.fat_in_memory.search(line.content)}
        told = self._against_others(lambda pet: pet.id in dieting, A_LITTLE, among)
        fatness = {pet.id: self._weights.get(pet.id, 0.0) / _usual_weight(pet) for pet in among}
        heavy = self._against_others(lambda pet: fatness[pet.id] == max(fatness.values()) > 0, UNLIKELY, among)
        return {pet.id: told.get(pet.id, 0.0) + heavy.get(pet.id, 0.0) for pet in among} if told or heavy else {}


@lru_cache(maxsize=512)
def _called_at_home(name: str) -> re.Pattern[str]:
    name = re.escape(name)
    return re.compile(
        rf"([一-鿿]{{2,5}})(?:就是|指的?是|是|叫)(?={name})|(?<={name})(?:的?(?:外号|小名|绰号|昵称)|又叫|也叫|人称)是?叫?([一-鿿]{{2,4}})"
    )


def _ends_in(told: str, text: str) -> bool:
    """Whether the text holds what stands last of what was told: 两只柯基大屁股 tells of 大屁股."""
    return any(told[start:] in text for start in range(len(told) - 1) if len(told) - start > 1)


def _first_that_asks(text: str) -> str:
    """The part that asks first: 哪天做手术，谁送去 is about the pet, and only then about a person."""
    parts = [part for part in _PARTS.split(text) if part]
    return next((part for part in parts if load_question_cues().asks.search(part) or "谁" in part), text)


def _telling(phrase: str) -> dict[str, float]:
    """Tokens of a description that tell something: pairs of characters, and characters that are words."""
    return {
        token: weight for token, weight in query_tokens(phrase).items() if len(token) > 1 or token in single_words()
    }


def _usual_weight(pet: PetProfile) -> float:
    """Upper end of the usual adult weight in kg: of the breed where it is known, else of the species."""
    breed = load_breeds().find(pet.breed)
    return breed.adult_weight_kg[1] if breed is not None else USUAL_WEIGHT_KG.get(species_of(pet), 5.0)


def _blank(match: re.Match[str]) -> str:
    return "\x00" * len(match[0])


@lru_cache(maxsize=512)
def _words_of_breed(breed: str) -> tuple[tuple[str, ...], tuple[Look, ...]]:
    """Names of a breed longer than one character, and the looks it has."""
    if not breed:
        return (), ()
    known = load_breeds().find(breed)
    names = (breed, *((known.name_zh, *known.aliases) if known else ()))
    whole = f"{breed} {fold_text(known.name_zh) if known else ''}"  # 英斗 is a 斗牛犬
    looks = tuple(look for look in load_pet_cues().looks if look.breed.search(whole))
    return tuple(dict.fromkeys(fold_text(name) for name in names if len(name) > 1)), looks
