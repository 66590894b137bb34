"""Poison in a message: was it eaten, is it asked about, or kept away? The rules are at the head of `toxins.yaml`.

Judged clause by clause: the clause that names the poison decides, or a neighbour that says it was eaten and names
nothing else.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Literal

from domain.knowledge.allergens import load_allergens
from domain.knowledge.lexicon import EntityMatch, find_entities
from domain.knowledge.medications import load_medications
from domain.knowledge.toxins import ACTION_ORDER, Action, Toxin, load_toxins
from domain.triage.clauses import readings_of
from domain.triage.red_flag_matcher import READ, Message, is_told_of_others, tells_of_now
from memory.text_folding import fold_text

Scene = Literal["exposure", "question", "not_exposure"]

_SICK = re.compile(r"吐(?!槽|司|舌)|抖|抽(?!空|奖|烟)|站不稳|走不稳|没精神|流口水|翻白眼|拉稀|拉血|晕|喘|不吃")
_MISUSE = re.compile(
    r"误|偷|整瓶|整盒|整板|一瓶|一盒|一板|双倍|翻倍|多吃|吃多|喂多|多喂|打多|多打|重复|喂重|翻出|啃|咬|叼|"
    r"人的|人吃的|人用|我的|我爸|我妈|老人|爷爷|奶奶|老公|老婆|孩子|别的|另一只|掉地上|掉了|撒了"
)
_OTHER_PETS_DRUG = re.compile(
    r"(?:狗|犬)(?:狗)?(?:用|的|吃)[^,]{0,6}(?:药|滴)|(?:猫)(?:咪|猫)?(?:用|的|吃)[^,]{0,6}(?:药|滴)"
)
_AND_ALSO = re.compile(r"还有|以及|和|跟|外加|加上")
_GOES_ON = re.compile(r"(?:就|所以|已经|刚|然后|先|便|又)?(?:吃|喝)")
_OWNER_IS_ILL = re.compile(
    r"(?:今天|昨天|刚才)?我(?:自己|也)?(?:今天|有点|好像)?(?:胃|头|肚子|嗓子|牙|感冒|发烧|失眠|痛经|不舒服)"
)
_LONG_AGO = re.compile(
    r"(?:去年|前年|小时候|以前|曾经|那年|上个月|[一两二三四五六七八九十几半好多\d]{1,4}(?:个多?月|年多?)以?前)(?![^,]{0,10}(?:买|的|剩|留|囤|开封))"
)
_SUPPOSES = re.compile(r"会|能|如果|要是|万一|假如|怎样|怎么样|多少|吗|么$")
_RULE_OF_THE_HOUSE = re.compile(r"(?:不能|不可以?|别|不要|不让|不许|不该|不敢|禁止)[^,]{0,6}[吃喝碰喂舔啃给]|有毒|忌口")
_EATER_IS_NOT_OURS = re.compile(r"^(?:[他她]们?家|人家|别人|邻居|朋友|同事|我(?!们?家|爸|妈|[给喂让把]))")
_ATE_OF_IT = re.compile(
    r"[吃喝吞舔啃咬嚼叼炫尝整](?:了|完|掉|光|走|烂|碎|得|到|进去|下去?)+(?:好?[几一二两三四五六七八九十半大小整\d]{1,4}"
    r"(?:[多来])?[颗块口片个粒瓣板包袋瓶根串把盒]|一?点儿?|一?些|不少|好?[多几]|很多|稀[烂碎])?(?:[叶花]子?|下去|进去)?"
    r"(?:了|啦|呢|怎么办|(?:现在|已经|就)?(?:在|开始|一直)?[吐抖抽拉喘].*)?[。!?]*$|少了|[进到]了?.{0,6}肚"
)
_ASKS = re.compile(r"[吗么嘛呢]$|能不能|可不可以|行不行|是不是|会不会|有没有|有毒")


@dataclass(frozen=True, slots=True)
class Poisoning:
    """may_contain: only a mixed food was named that often holds the poison."""

    toxin: Toxin
    scene: Scene
    surface: str
    may_contain: bool

    def action_for(self, species: str) -> Action:
        """What to do; at most a call while it is unclear whether the mixed food holds it at all."""
        action = self.toxin.danger_for(species).action
        if self.may_contain and ACTION_ORDER.index(action) > ACTION_ORDER.index("call_now"):
            return "call_now"
        return action


def find_poisonings(text: str, pet_names: Sequence[str] = (), species: str = "dog") -> tuple[Poisoning, ...]:
    """Every poison the text names, with its scene; the gravest scene where clauses differ."""
    return _found(text, tuple(pet_names), species)


@lru_cache(maxsize=READ)
def _found(text: str, pet_names: tuple[str, ...], species: str) -> tuple[Poisoning, ...]:
    found: dict[str, Poisoning] = {}
    for clauses in readings_of(text):
        for poisoning in _read(clauses, pet_names, species):
            known = found.get(poisoning.toxin.id)
            if known is None or _grave(poisoning) > _grave(known):
                found[poisoning.toxin.id] = poisoning
    return tuple(found.values())


def _grave(poisoning: Poisoning) -> tuple[int, bool]:
    return ("not_exposure", "question", "exposure").index(poisoning.scene), not poisoning.may_contain


def _read(clauses: Sequence[str], pet_names: Sequence[str], species: str) -> Iterator[Poisoning]:
    named = [[match for match in find_entities(clause, pet_names) if match.kind == "toxin"] for clause in clauses]
    if not any(named):
        return
    talk = _Talk(clauses, named, pet_names, Message(clauses))
    for position, matches in enumerate(named):
        poisons = [match for match in _each_once(matches) if _may_harm(match, talk.message.text, species)]
        scene = _scene_told(talk, position) if poisons else None
        if scene is not None:
            for match in poisons:
                yield Poisoning(_words().toxins[match.entity_id], scene, match.surface, match.relation == "may_contain")


@dataclass(frozen=True)
class _Talk:
    """A message as it is read for poison. named: the poisons of each clause. What is asked again is worked out once."""

    clauses: Sequence[str]
    named: Sequence[Sequence[EntityMatch]]
    pet_names: Sequence[str]
    message: Message

    @cached_property
    def sick(self) -> bool:
        return bool(_SICK.search(self.message.text))

    @cached_property
    def happens_now(self) -> bool:
        """听说葡萄有毒，它刚才吃了三颗: another clause, that names nothing else, says it was eaten these days."""
        words = _words()
        return any(
            words.eaten.search(clause)
            and (tells_of_now(clause) or _is_of_ours(clause, self.pet_names))
            and not self.named[place]
            and not words.avoided.search(clause)
            and not _names_food(clause, self.pet_names)
            and not is_told_of_others(clause, self.message)
            for place, clause in enumerate(self.clauses)
        )

    @cached_property
    def eaten_of_it(self) -> bool:
        """葡萄不能给狗吃，旺仔偷吃了三颗: what was named before as forbidden is what another clause ate some of."""
        words = _words()
        return any(
            _ATE_OF_IT.search(clause)
            and words.eaten.search(clause)
            and not (
                self.named[place] or words.avoided.search(clause) or _SUPPOSES.search(clause.removesuffix("怎么办"))
            )
            and not _names_food(clause, self.pet_names)
            and not (_EATER_IS_NOT_OURS.search(clause) or is_told_of_others(clause, self.message))
            for place, clause in enumerate(self.clauses)
        )


def _each_once(matches: Sequence[EntityMatch]) -> list[EntityMatch]:
    """A clause that names the same thing a hundred times says it once."""
    return list({(match.entity_id, match.surface, match.relation): match for match in matches}.values())


def _may_harm(match: EntityMatch, message: str, species: str) -> bool:
    toxin = _words().toxins[match.entity_id]
    return not _is_exempt(toxin, match, species) and not _is_routine_medicine(match, message, species)


def _scene_told(talk: _Talk, position: int) -> Scene | None:
    """What a clause says of all the poisons that it names; what is told of elsewhere is a question at most.

    (听说葡萄有毒, unless another clause says that it was eaten now.)
    """
    scene = _scene(talk, position)
    if not _is_elsewhere(talk, position):
        return scene
    if talk.happens_now:
        return "exposure"
    return "not_exposure" if scene == "exposure" else scene


def _scene(talk: _Talk, position: int) -> Scene | None:
    clauses, named = talk.clauses, talk.named
    clause, words = clauses[position], _words()
    if (_RULE_OF_THE_HOUSE.search(clause) or _asks(clause)) and talk.eaten_of_it:
        return "exposure"
    if words.avoided.search(clause) and not (talk.sick and words.eaten.search(clause)):
        return "not_exposure"
    if words.eaten.search(clause) or (
        _AND_ALSO.match(clause) and position and words.eaten.search(clauses[position - 1])
    ):
        return "exposure"
    for neighbour in (position + 1, position - 1):
        if 0 <= neighbour < len(clauses) and not named[neighbour] and not _ASKS.search(clause):
            told = clauses[neighbour]
            if words.eaten.search(told) and not words.avoided.search(told) and not _names_food(told, talk.pet_names):
                return "exposure"
    if words.asked.search(clause) or _ASKS.search(clauses[-1]):
        return "question"
    return None


def _asks(clause: str) -> bool:
    return bool(_ASKS.search(clause) or _words().asked.search(clause))


def _is_elsewhere(talk: _Talk, position: int) -> bool:
    """Told of somebody else, of a book, or of long ago."""
    clause = talk.clauses[position]
    return (bool(_LONG_AGO.search(clause)) and not tells_of_now(clause)) or _is_of_others(talk, position)


def _is_of_ours(clause: str, pet_names: Sequence[str]) -> bool:
    """可是豆豆吃了 says it of an own animal; 豆豆吃了会怎样 only supposes it."""
    return not _SUPPOSES.search(clause) and any(fold_text(name) in clause for name in pet_names if name)


def _is_of_others(talk: _Talk, position: int) -> bool:
    clause = talk.clauses[position]
    told_before = talk.clauses[position - 1] if position and _GOES_ON.match(clause) else ""
    return is_told_of_others(clause, talk.message) or bool(_OWNER_IS_ILL.match(told_before))


def _names_food(clause: str, pet_names: Sequence[str]) -> bool:
    foods = _words().food_allergens
    return any(
        match.kind in {"food", "drug", "dewormer"} or (match.kind == "allergen" and match.entity_id in foods)
        for match in find_entities(clause, pet_names)
    )


def _is_exempt(toxin: Toxin, match: EntityMatch, species: str) -> bool:
    return any(item.term == match.surface and item.species == species for item in toxin.exempt)


def _is_routine_medicine(match: EntityMatch, message: str, species: str) -> bool:
    """A drug that vets give to this species, with no word of an accident, is treatment and no poisoning."""
    if match.entity_id not in _words().human_drugs:
        return False
    if _MISUSE.search(message) or _OTHER_PETS_DRUG.search(message):
        return False
    drugs = load_medications().drugs
    return any(
        species in drugs[other.entity_id].allowed_for
        for other in find_entities(match.surface)
        if other.kind == "drug" and other.entity_id in drugs
    )


@dataclass(frozen=True, slots=True)
class _Words:
    toxins: dict[str, Toxin]
    human_drugs: frozenset[str]
    food_allergens: frozenset[str]
    eaten: re.Pattern[str]
    avoided: re.Pattern[str]
    asked: re.Pattern[str]


@cache
def _words() -> _Words:
    sheet = load_toxins()
    words = sheet.exposure_words
    return _Words(
        toxins={toxin.id: toxin for toxin in sheet.toxins},
        human_drugs=frozenset(toxin.id for toxin in sheet.toxins if toxin.category == "human_drug"),
        food_allergens=frozenset(item.id for item in load_allergens().allergens if item.category == "food"),
        eaten=re.compile("|".join((*map(re.escape, words.exposure_phrases), *words.exposure))),
        avoided=re.compile("|".join(words.not_exposure)),
        asked=re.compile("|".join(map(re.escape, (*words.question, *words.prevention)))),
    )
