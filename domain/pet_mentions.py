"""Which pets a piece of an owner's message is about: names, species, roles, colours, breeds, sizes, pronouns.

`PetRoll` knows one household's pets and finds what names them in a text; `follow` walks over the clauses of a
message and says for each whom it is about, carrying the subject on where a clause names nobody, and leaving other
people's and former pets out. Nothing is guessed: two pets that fit equally well give an empty answer.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from domain.knowledge.vocabulary import vocabulary
from domain.pet_profiles import KnownFact, PetProfile, SaidBefore, Utterance
from memory.text_folding import fold_text


class State(StrEnum):
    """Whether a stretch of text is about pets of this household."""

    OURS = "ours"
    UNCLEAR = "unclear"  # one of ours, but it is not said which
    STRANGER = "stranger"  # somebody else's animal, a former one, one in the news
    GENERAL = "general"  # animals as such


class MentionKind(StrEnum):
    NAME = "name"
    SPECIES = "species"
    ROLE = "role"
    GROUP = "group"
    REST = "rest"  # 另一只, 别的, 其他的
    PRONOUN = "pronoun"
    STRANGER = "stranger"  # an animal of somebody else, of the past, of the news


@dataclass(frozen=True, slots=True)
class Mention:
    """Words at [start:end] that point at pets; `pets` is empty when they fit nobody or several equally well."""

    start: int
    end: int
    kind: MentionKind
    pets: tuple[str, ...] = ()
    unclear: bool = False


_ANIMALS = vocabulary("animals")
_SPECIES: dict[str, re.Pattern[str]] = {name: re.compile(words) for name, words in _ANIMALS["species"].items()}
_NOT_THE_ANIMAL = re.compile(
    r"熊猫|躲猫猫|撸猫|热狗|单身狗|加班狗|累成狗|遛狗|养猫|养狗|吸猫|招猫逗狗|猫三联|猫鼻支|像猫|猫一样|像狗|狗一样|怕狗|怕猫|大狗叫|别的狗|别的猫|其他狗|其他猫|见到狗|见了狗|看见狗|看到狗|狗就|猫妈妈|猫爸爸|狗妈妈|狗爸爸|猫友|狗友"
)

_BREEDS = {breed: re.compile("|".join(words)) for breed, words in _ANIMALS["breeds"].items()}
_COUNTED_BREEDS = {
    breed: re.compile(rf"[两俩三几2-4](?:只|条|个)?(?:{pattern.pattern})") for breed, pattern in _BREEDS.items()
}
_COLOUR_OF_BREED: dict[str, str] = _ANIMALS["colours_of_breeds"]
_COLOUR_OF_NAME: dict[str, str] = _ANIMALS["colours_in_names"]
_COLOUR = re.compile(
    r"([纯小大]?)([黑白花橘黄灰蓝金银棕])(?:色|猫|狗)?(?:的|的?那只|的?这只|那个|哥|妹|妞)(?!人|鼻|便|血|水)"
)
_COLOUR_TOLD = re.compile(r"[纯全]?([黑白花橘黄灰蓝金银棕])|三花")

_BIG_BREEDS: list[str] = _ANIMALS["big_breeds"]
_SMALL_BREEDS: list[str] = _ANIMALS["small_breeds"]

_GROUP = re.compile(
    r"(?:[两俩2]|[三3仨]|[四4])(?:只|个|条|位)?(?:毛孩子|宝贝|小家伙|崽|娃|主子|货|家伙|都)?|[两俩三仨](?:猫|狗)|它们俩?|他们俩|它俩|他俩|她俩|哥俩|姐俩|姐妹俩|兄弟俩|兄妹俩|全家(?:毛孩子)?|全部都|大家都|几只都|一人一|每只|猫狗(?:双全)?都|家里都|都一起|各(?=打|滴|吃|剪|洗|驱)"
)
_YOUNGER_ONES = re.compile(r"[两俩二2](?:个|只)?(?:妹妹|弟弟|小的|小只)|[两俩]小只")
_COUNTED_SPECIES = re.compile(r"(?:[两俩三仨2-4]|两只|三只|俩只|几只|这两只|这几只|所有)(?:个|只|条)?(猫|狗|兔|喵)")
_REST = re.compile(
    r"另外?一(?:只|个|条|位)|别的(?:都|几只|两只|猫|狗)|其他(?:都|几只|两只|的|猫|狗)|剩下(?:的|那只|两只)|其余|另外(?:两|几|那)只"
)
_PRONOUN = re.compile(
    r"它(?!们|俩)|他(?!们|俩|家)|她(?!们|俩|家)|这货|这家伙|那家伙|小家伙|这小子|臭小子|这丫头|毛孩子|这孩子|狗东西|我家(?:那)?(?:宝贝|主子|祖宗|娃|崽|毛孩子|孩子)|主子|我家这(?:只|位|个)|这祖宗|小祖宗|小东西|宝宝|宝贝|娃"
)
_ROLES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("first", re.compile(r"老大|大宝|大哥|大姐")),
    ("second", re.compile(r"老二|二宝|二哥|二姐")),
    ("third", re.compile(r"老三|三宝")),
    ("last", re.compile(r"老幺|老小|最小(?:的|那)")),
    ("older_male", re.compile(r"哥哥")),
    ("younger_male", re.compile(r"弟弟")),
    ("older_female", re.compile(r"姐姐(?!发|说|来|帮|家|那|给|上门|问)")),
    ("younger_female", re.compile(r"妹妹(?!说|家|那|问|给)")),
    ("male", re.compile(r"公的|公猫|公狗|男孩子?(?=那|这|又|今|昨)|小公|儿子|臭小子")),
    ("female", re.compile(r"母的|母猫|母狗|女孩子?(?=那|这|又|今|昨)|小母|闺女|女儿|小公主")),
    ("old", re.compile(r"老的(?:那|这)?(?:只|个|条)?|老家伙|老头子?|老太太|年纪大的|大点的|年长的|老狗|老猫")),
    (
        "young",
        re.compile(r"小的(?:那|这)(?:只|个|条)?|年轻的|小点的|小家伙|小奶狗|小奶猫|小的(?=[今昨又还就也不没吃一])"),
    ),
    (
        "large",
        re.compile(
            r"(?<![豆粒米枣蛋么巴])大的(?:那|这)?(?:只|个|条)?(?!包|口|块|团|泡)|大只(?:的|那)|大块头|大家伙|大狗|大猫|大个子"
        ),
    ),
    ("small", re.compile(r"小的(?:那|这)?(?:只|个|条)?|小只(?:的|那)|小不点|小个子|小狗|小猫")),
)

_STRANGER_OWNER = (
    r"我[妹弟姐哥妈爸姨姑叔舅婆][的家]?|同事|朋友|邻居|闺蜜|室友|舍友|亲戚|表姐|表妹|表哥|表弟|堂姐|堂妹|堂哥|姑姑|姑妈|姨妈|小姨|大姨|舅舅|舅妈|叔叔|婶婶|阿姨|大爷|大妈|大叔|[王李张刘陈赵杨周吴孙林何高]姐|[王李张刘陈赵杨周吴孙林何高](?:阿姨|哥|叔|老师|大爷)"
    r"|网友|群友|狗友|猫友|前任|前男友|前女友|老板|客户|同学|老师|楼下|楼上|隔壁|对门|对面|邻座|小区(?:里)?|路边|路上|公园(?:里)?|候诊|病房|别人|人家|别家|他们家|她家|他家|她那只|他那只|婆婆家|公婆家|妈妈家|我妈那边|我妈家|我爸家|我妈养|我姐养|我姐家|我哥家|我妹家|我弟家|爸妈家|奶奶家|外婆家|姥姥家|老家|村里|乡下|学校|公司|单位|店里|猫咖|宠物店|寄养店|收容所|流浪|野|救助站|基地|猫舍|犬舍|领养群|展会"
)
_ANIMAL_WORDS = "猫|狗|犬|兔|鼠|龟|鸟|" + "|".join(word for words in _ANIMALS["breeds"].values() for word in words)
_STRANGER = re.compile(
    rf"(?:{_STRANGER_OWNER})[^,。]{{0,7}}?(?:养的|的那只|那只|家的|的)?[^,。]{{0,3}}?"
    rf"(?:那[两三几]?只|那俩|[两三几]只|那条|这只|毛孩子|主子|{_ANIMAL_WORDS})"
    r"|别的(?:猫|狗)|其他(?:人的|的)?(?:猫|狗)|一窝都|同窝|那窝|有(?:只|条|个)(?:[^,。]{0,4})(?:猫|狗|犬)|流浪(?:猫|狗)|野猫|野狗"
)
_SOMEBODYS = re.compile(
    rf"我(?!家|们|的|自己|这|那|养|给|带|把|跟|和|看|抱|摸|觉得)[^,。]{{1,4}}(?:的|家的?)(?:小|大)?(?:仓鼠|金丝熊|鹦鹉|乌龟|兔子|{_ANIMAL_WORDS})"
)
_THAT_ANIMAL = re.compile(rf"那(?:只|条)[^,。]{{0,3}}(?:{_ANIMAL_WORDS})")
_KIN = re.compile(r"^(?:的)?(?:爸妈|父母|亲妈|亲爸|同窝|一窝|兄弟姐妹|它妈妈?|它爸爸?)")
_NEIGHBOURS = re.compile(
    r"(?:隔壁|楼下|楼上|对门|邻居)那(?:个|家|位|户|谁)|(?:奶奶|爷爷|外婆|姥姥|外公|老家|乡下|村里|舅舅|姑姑|叔叔|姨妈?)(?:家)?的(?!话|药|时)[^,。]{1,4}"
)
_FORMER = re.compile(
    r"(?:以前|之前|从前|小时候|小学|大学|上一|前一|头一|上个|曾经|早年|过去|第一)[^,。]{0,6}(?:养过|养的|养了|那只|那条|只猫|只狗|条狗|的狗|的猫)|(?:我们?家?)?(?:以前|之前|小时候|曾经)(?:还)?养(?:过|了|的)"
)
_OURS = re.compile(r"我家(?!人)|我们家|咱家|咱们家|自家|家里(?!人|没人)|我这只|我的(?:猫|狗)|我(?:自己)?养的")
_ACTED_ON_BY = re.compile(
    r"被[^,。]{0,12}(?:咬|抓|挠|追|欺负|扑|撞|舔|踩|传染)|跟[^,。]{0,10}(?:打架|打了|玩|干架)|和[^,。]{0,10}(?:打架|打了|玩|干架)|见(?:到|了)|看(?:到|见)|遇(?:到|见)|怕|吓|朝|对着|冲"
)
_GENERIC = re.compile(
    r"(?:猫|狗|犬|猫咪|狗狗)(?:一般|通常|都(?=会|是|怕|爱|喜欢|不|要)|普遍|天生|正常|平均|一天(?:掉|睡|喝|吃|拉)|能活|几岁|多大|多久|需要|为什么|的寿命|的正常)|(?:的|这个)品种|体质都"
)
_JOINED = re.compile(r"^(?:和|跟|与|、|,|，|还有|以及|同|加|\+|&|\s|及|也|俩)*$")
_RECIPIENT = re.compile(r"(?:给|教会|教|把|让|带|抱|送|喂|帮|替|别给|陪|被|是|换成|轮到|说的是|指的是)$")
_COMPARED = re.compile(r"(?:比|像|跟|和|随|不如)$")
_THING_OF = re.compile(r"^(?:的|那个|那份|那盆|碗里|那碗)")


class PetRoll:
    """The pets of one household, ready for look-ups in folded text."""

    def __init__(self, pets: Sequence[PetProfile]) -> None:
        self.pets = tuple(pets)
        self.by_id = {pet.id: pet for pet in self.pets}
        self.alive = tuple(pet for pet in self.pets if pet.status == "active") or self.pets
        names = [(fold_text(name), pet.id) for pet in self.pets for name in (pet.name, *pet.nicknames) if name]
        self._names = sorted(names, key=lambda pair: -len(pair[0]))

    def names_in(self, text: str) -> list[Mention]:
        """Names and nicknames, longest first, so that 小豆豆 is not also 豆豆. Linear in text × names."""
        taken = bytearray(len(text))
        found: list[Mention] = []
        for name, _ in self._names:
            start = text.find(name)
            while start >= 0:
                end = start + len(name)
                if not any(taken[start:end]) and _stands_alone(text, start, end):
                    taken[start:end] = b"\x01" * len(name)
                    found.append(Mention(start, end, MentionKind.NAME, self._bearers(name)))
                start = text.find(name, end)
        return sorted(found, key=lambda mention: mention.start)

    def _bearers(self, name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(pet_id for other, pet_id in self._names if other == name))

    def of_species(self, species: str) -> tuple[str, ...]:
        return tuple(pet.id for pet in self.alive if species_of(pet) == species)

    def of_breed(self, breed: str) -> tuple[str, ...]:
        pattern = _BREEDS[breed]
        return tuple(pet.id for pet in self.alive if pet.breed and pattern.search(pet.breed))


def species_of(pet: PetProfile) -> str:
    """dog, cat, or the key of the vocabulary's species that a species name of another animal fits."""
    if pet.species != "other":
        return pet.species
    name = pet.species_name or ""
    return next((key for key, words in _SPECIES.items() if key == name or words.search(name)), name)


def _stands_alone(text: str, start: int, end: int) -> bool:
    if not (text[start].isascii() and text[end - 1].isascii()):
        return True
    around = text[start - 1 : start] + text[end : end + 1]
    return not any(character.isascii() and character.isalnum() for character in around)


@lru_cache(maxsize=64)
def roll_of(pets: tuple[PetProfile, ...]) -> PetRoll:
    return PetRoll(pets)


@dataclass(frozen=True, slots=True)
class About:
    """Whom the text at [start:end] is about. `explicit`: the text itself says so; otherwise it was carried on.

    `mentions` are the words that point at pets inside the span; `candidates` fit an unclear mention.
    """

    clause: int
    start: int
    end: int
    state: State
    pets: tuple[str, ...] = ()
    explicit: bool = False
    mentions: tuple[Mention, ...] = ()
    candidates: tuple[str, ...] = ()


class Follower:
    """Carries the subject from clause to clause of one message."""

    def __init__(self, folded: str, utterance: Utterance) -> None:
        self.folded = folded
        self.roll = roll_of(tuple(utterance.pets))
        self.colours = _told_colours(self.roll, utterance.history, utterance.known)
        self.names = self.roll.names_in(folded)
        self.current = _first_subject(self.roll, utterance)
        self.state = State.OURS if self.current else State.UNCLEAR
        self.excepted: tuple[str, ...] = ()
        self.roles = _told_roles(self.roll, [said.text for said in utterance.history] + [utterance.text])

    def follow(self, spans: Iterable[tuple[int, int]]) -> list[About]:
        """Who each clause is about; a clause that names several pets one after the other gives several answers."""
        return [about for number, (start, end) in enumerate(spans) for about in self._clause(number, start, end)]

    def _clause(self, number: int, start: int, end: int) -> list[About]:
        groups = _grouped(self.folded, self._mentions(start, end))
        cuts, subject_of = self._cut(start, end, groups)
        return [
            self._about(number, left, right, subject_of.get(left, ()))
            for left, right in zip(cuts, [*cuts[1:], end], strict=True)
        ]

    def _mentions(self, start: int, end: int) -> list[Mention]:
        named = [mention for mention in self.names if start <= mention.start and mention.end <= end]
        text = self.folded[start:end]
        if self._strange(text, start, named):
            return [Mention(start, end, MentionKind.STRANGER)]
        found = [*named, *(_moved(m, start) for m in self._described(text, bool(named)))]
        return _without_overlap(found)

    def _strange(self, text: str, start: int, named: list[Mention]) -> bool:
        if _FORMER.search(text) and not named:
            return True
        if _SOMEBODYS.search(text) and not named:
            return True
        if _NEIGHBOURS.search(text) and not named and not _OURS.search(text):
            return True
        if any(_KIN.match(text[m.end - start :]) for m in named):
            return True
        if len(self.roll.alive) == 1 and not named and _THAT_ANIMAL.search(text):
            return True
        match = _STRANGER.search(text)
        if match is None:
            return False
        if named:
            return "也叫" in text or "同名" in text or "叫这个名" in text
        if _OURS.search(text) or _ACTED_ON_BY.search(text[: match.start() + 1]):
            return False
        return _ACTED_ON_BY.search(text[: match.end()]) is None or "看到" in text or "看见" in text or "遇到" in text

    def _described(self, text: str, named: bool) -> list[Mention]:
        """Mentions without a name. A household of one pet needs only its species, pronouns and 我家."""
        several = len(self.roll.alive) > 1
        masked = _NOT_THE_ANIMAL.sub(lambda match: "\x00" * len(match[0]), text)
        found: list[Mention] = []
        if several:
            found += self._groups(masked) + self._breeds(masked) + self._coloured(masked) + self._roles(masked)
        if not named:
            found += self._species(masked)
            found += [Mention(m.start(), m.end(), MentionKind.PRONOUN) for m in _PRONOUN.finditer(masked)]
        return found

    def _groups(self, text: str) -> list[Mention]:
        found: list[Mention] = []
        for match in _COUNTED_SPECIES.finditer(text):
            pets = self.roll.of_species({"猫": "cat", "喵": "cat", "狗": "dog", "兔": "rabbit"}[match[1]])
            if len(pets) > 1:
                found.append(Mention(match.start(), match.end(), MentionKind.GROUP, pets))
        everyone = tuple(pet.id for pet in self.roll.alive)
        found += [
            Mention(m.start(), m.end(), MentionKind.GROUP, everyone)
            for m in _GROUP.finditer(text)
            if _counts_all(m, text, len(everyone))
        ]
        first = self.roles.get("老大") or _role_holder("first", self.roll.alive, "老大")
        others = tuple(pet for pet in everyone if pet != first)
        if len(others) > 1:
            found += [Mention(m.start(), m.end(), MentionKind.GROUP, others) for m in _YOUNGER_ONES.finditer(text)]
        found += [Mention(m.start(), m.end(), MentionKind.REST) for m in _REST.finditer(text)]
        return found

    def _breeds(self, text: str) -> list[Mention]:
        found = []
        for breed, pattern in _BREEDS.items():
            pets = self.roll.of_breed(breed)
            if len(pets) > 1:
                counted = _COUNTED_BREEDS[breed].finditer(text)
                found += [Mention(m.start(), m.end(), MentionKind.GROUP, pets) for m in counted]
            if pets:
                found += [
                    Mention(m.start(), m.end(), MentionKind.ROLE, pets if len(pets) == 1 else (), len(pets) > 1)
                    for m in pattern.finditer(text)
                ]
        return found

    def _coloured(self, text: str) -> list[Mention]:
        found = []
        for match in _COLOUR.finditer(text):
            pets = tuple(pet.id for pet in self.roll.alive if match[2] in self.colours.get(pet.id, ""))
            if len(pets) == 1:
                found.append(Mention(match.start(), match.end(), MentionKind.ROLE, pets))
        return found

    def _roles(self, text: str) -> list[Mention]:
        found = []
        for role, pattern in _ROLES:
            for match in pattern.finditer(text):
                pet_id = self.roles.get(match[0]) or _role_holder(role, self.roll.alive, match[0])
                if pet_id:
                    found.append(Mention(match.start(), match.end(), MentionKind.ROLE, (pet_id,)))
        return found

    def _species(self, text: str) -> list[Mention]:
        found = []
        for species, pattern in _SPECIES.items():
            for match in pattern.finditer(text):
                pets = self.roll.of_species(species)
                if pets:
                    found.append(Mention(match.start(), match.end(), MentionKind.SPECIES, pets, len(pets) > 1))
                elif species in ("cat", "dog") and not _OURS.search(text):
                    found.append(Mention(match.start(), match.end(), MentionKind.STRANGER))
        return found

    def _cut(self, start: int, end: int, groups: list[Mention]) -> tuple[list[int], dict[int, tuple[Mention, ...]]]:
        """Where the clause turns to another pet, and the deciding mention of each part."""
        cuts = [start]
        subject_of: dict[int, tuple[Mention, ...]] = {start: tuple(groups[:1])}
        for previous, mention in pairwise(groups):
            between = self.folded[previous.end : mention.start]
            if mention.kind is MentionKind.PRONOUN or mention.pets == previous.pets:
                continue
            if _COMPARED.search(between):
                continue
            if between.endswith("不是"):
                continue
            if match := _RECIPIENT.search(between):
                if self._receives(match[0], between, mention):
                    subject_of[cuts[-1]] = (mention,)
            elif len(between) >= 2 and mention.kind is not MentionKind.STRANGER and not _is_object(between):
                cuts.append(mention.start)
                subject_of[mention.start] = (mention,)
        return cuts, subject_of

    def _receives(self, word: str, between: str, mention: Mention) -> bool:
        """给B, 教会B speak of B; 被B only when B took something of A's; 把B的药舔了 of A."""
        if word == "把":
            return _THING_OF.match(self.folded[mention.end : mention.end + 3]) is None
        return word != "被" or _THING_OF.match(between) is not None

    def _about(self, number: int, start: int, end: int, deciding: tuple[Mention, ...]) -> About:
        text = self.folded[start:end]
        mentions = tuple(m for m in self._mentions(start, end) if m.kind is not MentionKind.STRANGER)
        candidates: tuple[str, ...] = ()
        explicit = bool(deciding)
        if deciding:
            candidates = self._turn_to(deciding[0], text)
        elif _OURS.search(text) and self.state is State.STRANGER:
            self.state, self.current = (State.OURS, self.roll_default()) if self.roll_default() else (State.UNCLEAR, ())
        state = (
            State.GENERAL
            if _GENERIC.search(text) and not any(m.kind is MentionKind.NAME for m in mentions)
            else self.state
        )
        return About(
            number, start, end, state, self.current if state is State.OURS else (), explicit, mentions, candidates
        )

    def roll_default(self) -> tuple[str, ...]:
        """The only pet of the household, if there is just one."""
        return (self.roll.alive[0].id,) if len(self.roll.alive) == 1 else ()

    def _turn_to(self, mention: Mention, text: str) -> tuple[str, ...]:
        """Make the mention the current subject; answers the candidates of an unclear one."""
        if mention.kind is MentionKind.STRANGER:
            self.state = State.STRANGER
        elif mention.kind is MentionKind.PRONOUN:
            self._keep_or_default(text)
            self._by_sex(self.folded[mention.start : mention.end])
        elif mention.unclear:
            return self._choose(mention.pets)
        elif mention.kind in (MentionKind.REST, MentionKind.GROUP):
            self._turn_to_many(mention)
        else:
            self.state, self.current = State.OURS, mention.pets
            self._except(mention, text)
        return ()

    def _except(self, mention: Mention, text: str) -> None:
        """除了豆豆, with 都 in the same clause or 其他的 in the next: everybody but this one."""
        name = self.folded[mention.start : mention.end]
        self.excepted = mention.pets if f"除了{name}" in text else ()
        if self.excepted and "都" in text.partition(name)[2]:
            self.current = tuple(pet.id for pet in self.roll.alive if pet.id not in self.excepted)
            self.excepted = ()

    def _keep_or_default(self, text: str) -> None:
        if self.state is State.STRANGER and _OURS.search(text):
            self.state, self.current = (State.OURS, self.roll_default()) if self.roll_default() else (State.UNCLEAR, ())

    def _by_sex(self, pronoun: str) -> None:
        """她 and 他 in a household of several: the only pet of that sex, unless the talk is of such a one already."""
        sex = {"她": "female", "他": "male"}.get(pronoun)
        if sex is None or len(self.roll.alive) < 2 or self.state is State.STRANGER:
            return
        fitting = tuple(pet.id for pet in self.roll.alive if pet.sex == sex)
        if (len(fitting) == 1 and not set(self.current) & set(fitting) and self.current) or (
            len(fitting) == 1 and not self.current
        ):
            self.state, self.current = State.OURS, fitting

    def _choose(self, pets: tuple[str, ...]) -> tuple[str, ...]:
        known = tuple(pet for pet in self.current if pet in pets)
        if len(known) == 1 and self.state is State.OURS:
            self.current = known
            return ()
        self.state, self.current = State.UNCLEAR, ()
        return pets

    def _turn_to_many(self, mention: Mention) -> None:
        left_out = self.excepted or (self.current if mention.kind is MentionKind.REST else ())
        everyone = mention.pets or tuple(pet.id for pet in self.roll.alive)
        chosen = tuple(pet for pet in everyone if pet not in left_out)
        self.state, self.current, self.excepted = (State.OURS, chosen, ()) if chosen else (State.UNCLEAR, (), ())


def _first_subject(roll: PetRoll, utterance: Utterance) -> tuple[str, ...]:
    """The pet meant before the message names one: the focus, the only pet, the one the talk was about last."""
    if utterance.focus_pet_id in roll.by_id:
        return (utterance.focus_pet_id,) if utterance.focus_pet_id else ()
    if len(roll.alive) == 1:
        return (roll.alive[0].id,)
    for said in reversed(utterance.history):
        pets = {pet for mention in roll.names_in(fold_text(said.text)) for pet in mention.pets}
        if len(pets) == 1:
            return tuple(pets)
        if pets:
            return ()
    return ()


def _told_roles(roll: PetRoll, texts: Iterable[str]) -> dict[str, str]:
    """Which pet the owner calls 老大, 妹妹, … where it was said ("我家老大是咪亚")."""
    told: dict[str, str] = {}
    for text in map(fold_text, texts):
        for mention in roll.names_in(text):
            before = _ROLE_WORD.search(text[max(0, mention.start - 5) : mention.start])
            if before and len(mention.pets) == 1:
                told[before[1]] = mention.pets[0]
    return told


_ROLE_WORD = re.compile(r"(老[大二三幺]|哥哥|姐姐|弟弟|妹妹|大的|小的)(?:是|叫|就是)$")


def _told_colours(roll: PetRoll, history: Sequence[SaidBefore], known: Sequence[KnownFact]) -> dict[str, str]:
    """Colours of each pet: by breed, by name (小黑), and as the owner told them (雪球纯白)."""
    colours = {pet.id: _colour_of(pet) for pet in roll.pets}
    texts = [said.text for said in history if said.role == "user"] + [fact.content for fact in known]
    for text in map(fold_text, texts):
        for mention in roll.names_in(text):
            told = _COLOUR_TOLD.search(text[mention.end : mention.end + 5])
            for pet in mention.pets if told else ():
                colours[pet] += (told[1] or "花") if told else ""
    return colours


def _colour_of(pet: PetProfile) -> str:
    by_breed = "".join(colours for breed, colours in _COLOUR_OF_BREED.items() if pet.breed and breed in pet.breed)
    return by_breed + "".join(
        colour for key, colour in _COLOUR_OF_NAME.items() if key in pet.name or key in (pet.breed or "")
    )


def _role_holder(role: str, pets: Sequence[PetProfile], word: str) -> str | None:
    """The one pet a role word fits, or None when it fits nobody or several."""
    species = next((key for key in ("cat", "dog") if {"cat": "猫", "dog": "狗"}[key] in word), None)
    pets = [pet for pet in pets if species is None or species_of(pet) == species]
    if role.endswith("female"):
        pets = [pet for pet in pets if pet.sex == "female"]
    elif role.endswith("male"):
        pets = [pet for pet in pets if pet.sex == "male"]
    if len(pets) < 2:
        return pets[0].id if pets else None
    if role in ("first", "second", "third", "last"):
        return _by_order(role, pets)
    if role in ("large", "small"):
        return _by_size(role, pets) or _by_age("old" if role == "large" else "young", pets)
    if role.startswith(("older", "younger")) or role in ("old", "young"):
        return _by_age("old" if role.startswith("old") else "young", pets)
    return None


def _by_order(role: str, pets: Sequence[PetProfile]) -> str | None:
    place = {"first": 0, "second": 1, "third": 2, "last": len(pets) - 1}[role]
    born = [pet.born_on for pet in pets]
    ordered = sorted(pets, key=lambda pet: pet.born_on or date.max) if all(born) else list(pets)
    return ordered[place].id if place < len(ordered) else None


def _by_age(which: str, pets: Sequence[PetProfile]) -> str | None:
    born = [pet for pet in pets if pet.born_on]
    if len(born) == len(pets):
        ordered = sorted(pets, key=lambda pet: pet.born_on or date.max)
        return ordered[0 if which == "old" else -1].id
    if len(born) == 1 and len(pets) == 2:
        return _by_one_birth(which, born[0], pets)
    return None


_KNOWN_TO_BE_OLD = 2019  # born before: the pet whose birth is known is taken for the old one


def _by_one_birth(which: str, known: PetProfile, pets: Sequence[PetProfile]) -> str:
    other = next(pet for pet in pets if pet.id != known.id)
    is_old = known.born_on is not None and known.born_on.year < _KNOWN_TO_BE_OLD
    return known.id if is_old == (which == "old") else other.id


def _by_size(role: str, pets: Sequence[PetProfile]) -> str | None:
    wanted = _BIG_BREEDS if role == "large" else _SMALL_BREEDS
    fitting = [pet.id for pet in pets if pet.breed and any(breed in pet.breed for breed in wanted)]
    if len(fitting) == 1:
        return fitting[0]
    return None


def _counts_all(match: re.Match[str], text: str, count: int) -> bool:
    """两只 means everybody only in a household of two, and never an amount ("喂了两个")."""
    word = match[0]
    number = {"两": 2, "俩": 2, "2": 2, "三": 3, "3": 3, "仨": 3, "四": 4, "4": 4}.get(word[0])
    if number is None:
        return True
    if number != count or (len(word) < 2 and word not in ("俩", "仨")):
        return False
    before = text[max(0, match.start() - 1) : match.start()]
    if word[1:] in ("个", "条", "位", "只") and match.start() > 2:
        return False
    return before not in tuple("了吃喂一第每0123456789") and text[match.end() : match.end() + 1] not in tuple(
        "月天次周年克斤岁小"
    )


def _grouped(folded: str, mentions: list[Mention]) -> list[Mention]:
    """Mentions joined by 和, 跟, 、 become one group."""
    groups: list[Mention] = []
    for mention in mentions:
        last = groups[-1] if groups else None
        if last and _joins(last, mention) and _JOINED.match(folded[last.end : mention.start]):
            pets = tuple(dict.fromkeys([*last.pets, *mention.pets]))
            kind = MentionKind.NAME if MentionKind.NAME in (last.kind, mention.kind) else mention.kind
            groups[-1] = Mention(last.start, mention.end, kind, pets)
        else:
            groups.append(mention)
    return groups


def _joins(one: Mention, other: Mention) -> bool:
    plain = (MentionKind.NAME, MentionKind.ROLE, MentionKind.SPECIES)
    if other.kind is MentionKind.GROUP and one.kind in plain:
        return True
    return one.kind in plain and other.kind in plain and not (one.unclear or other.unclear)


def _without_overlap(mentions: list[Mention]) -> list[Mention]:
    """Left to right, the longer of two that overlap; names come first."""
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start, m.kind is not MentionKind.NAME, -(m.end - m.start))):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
        elif kept[-1].kind is not MentionKind.NAME and mention.kind is MentionKind.NAME:
            kept[-1] = mention
    return kept


def _moved(mention: Mention, by: int) -> Mention:
    return Mention(mention.start + by, mention.end + by, mention.kind, mention.pets, mention.unclear)


_VERB_THEN_OBJECT = re.compile(
    r"(?:咬了?|追着?|打了?|欺负|抢了?|舔了?|骑|扑|盯着|陪着?|找|想|喜欢|爱|怕|守着|看着|吼|凶|哈|偷吃了?|抢|跟着|学|闻|亲|抱着|拿成|当成|认成|吵)$"
)


def _is_object(between: str) -> bool:
    """The second pet is only what the first one acts on ("豆豆追着咪咪")."""
    return _VERB_THEN_OBJECT.search(between) is not None
