"""Ways to point at a pet without its name: species, breed, colour, age, size, sex, role, how many, which other."""

import re
from collections.abc import Sequence
from datetime import date
from functools import cached_property

from domain.pet_aliases import told_aliases, told_roles
from domain.pet_groups import Groups
from domain.pet_profiles import KnownFact, PetProfile, SaidBefore, Utterance
from domain.pet_roll import ANIMALS, BREEDS, SPECIES, Mention, MentionKind, PetRoll, species_of
from domain.strange_animals import OURS
from memory.text_folding import fold_text

_NOT_THE_ANIMAL = re.compile(
    r"熊猫|狗啃[泥屎]|狗吃屎|狗刨|狗屎运|猫步|猫着|猫冬|躲猫猫|撸猫|热狗|单身狗|加班狗|累成狗|遛狗|养猫|养狗|吸猫|招猫逗狗|猫三联|猫鼻支|像猫|"
    r"猫一样|像狗|狗一样|怕狗|怕猫|大狗叫|别的狗|别的猫|其他狗|其他猫|见到狗|见了狗|看见狗|看到狗|"
    r"狗就|被(?:大|小|野|只|条|流浪)?[猫狗](?!狗|咪|子)(?=咬|抓|追|吓|挠|扑)|(?:见到|看到|看见|"
    r"遇到|碰到|怕)(?:大|小|别的)?[猫狗](?!狗|咪|子)|跟(?:大|别的|陌生)[猫狗]|(?:跟|和|比|如|似|像)(?:只|"
    r"条)?[猫狗](?=[^,。]{0,3}(?:似的|一样|一般|还))|猫妈妈|猫爸爸|狗妈妈|狗爸爸|猫友|狗友|"
    r"一[猫狗](?=一(?![猫狗])|半|两)|猫(?=[着]|[在到进][^,。]{0,6}[柜床沙窗角被箱底顶里上])|(?<=[人猫狗])一[猫狗](?=一)"
)

_COUNTED_BREEDS = {
    breed: re.compile(rf"[两俩三几2-4](?:只|条|个)?(?:{pattern.pattern})|(?:{pattern.pattern})们")
    for breed, pattern in BREEDS.items()
}
_COLOUR_OF_BREED: dict[str, str] = ANIMALS["colours_of_breeds"]
_COLOUR_OF_NAME: dict[str, str] = ANIMALS["colours_in_names"]
_HUE = "[黑白花橘黄灰蓝金银棕红]|咖啡|巧克力|奶[油白牛]|三花|玳瑁|狸花"
_HUE_OF = {
    "咖啡": "棕",
    "巧克力": "棕",
    "奶油": "白",
    "奶白": "白",
    "奶牛": "花",
    "三花": "花",
    "玳瑁": "花",
    "狸花": "花",
}
_COLOUR = re.compile(
    rf"[纯小大]?(?P<hue>{_HUE})(?:子?色|毛|猫|狗)?(?:的?[那这](?:[只条个位头]|一[只条个])|的|哥|妹|妞)(?!人|鼻[涕头]|便|血|水)"
    r"|(?<![一只条个的见])(?:[小大老](?P<short>[黑白花橘黄灰])(?=[又今昨把也还都没不正这最早晚刚打吃拉吐、和跟的老总]|$)"
    r"|(?P<kind>[黑白花橘黄灰])[猫狗](?![粮砂])|(?P<alone>三花|狸花|玳瑁|奶牛))"
)
"""白的那只, 咖啡色那只, 小黑又吐了, 黑猫: one of several whose colours are known."""
_HUES = re.compile(_HUE)
_COLOUR_TOLD = re.compile(rf"[^,。、]{{0,4}}?((?:{_HUE})(?:色?[和跟带加]?(?:{_HUE}))*)")  # 奥利奥黑白花的
_COLOUR_IS = re.compile(rf"({_HUE})(?:色|猫|狗)?的?(?:那[只条个])?(?:是|叫|就是)$")  # 黄的是阿金

_BIG_BREEDS: list[str] = ANIMALS["big_breeds"]
_SMALL_BREEDS: list[str] = ANIMALS["small_breeds"]

_WHOEVER = re.compile(
    r"家里(?=随便|都能|都可以|谁都)|大(?:伙|家)儿?(?=[都随能可也爱分]|一起)|(?:谁|哪只|"
    r"哪个)都?(?=能|可以|爱吃|喜欢|行|没事|[吃舔喝碰闻]都)|(?:谁|哪只|"
    r"哪个)(?=[吃喝碰用打][^,。]{0,5}都(?:没事|行|可以|能|没反应))"
)
_PRONOUN = re.compile(
    r"(?<!其)它(?!们|俩)|(?<!其)(?<!吉)他(?!们|俩|家)|她(?!们|俩|家)|这货|这家伙|那家伙|小家伙|这小子|"
    r"臭小子|这丫头|(?<!别的)(?<!其他)毛孩子|这孩子|狗东西|我家(?:那)?(?:宝贝|主子|祖宗|娃|崽|毛孩子|孩子)|主子|"
    r"我家这(?:只|位|个)|这祖宗|小祖宗|小东西|(?<!有)(?<!有个)(?<!岁)(?<!岁的)(?<!个月的)(?:宝宝|"
    r"宝贝|(?<![接送陪])娃(?![^,。]{0,5}(?:上[课学]|[上放开]学|放假|作业|功课|幼儿园|年级|班|学校|老师|考试|[中高]考|培训|钢琴|家长)))"
)
_ROLES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("first", re.compile(r"老大|大宝|大哥|大姐")),
    ("second", re.compile(r"老二|二宝|二哥|二姐")),
    ("third", re.compile(r"老三|三宝")),
    ("last", re.compile(r"老幺|老小|最小(?:的|那)")),
    ("older_male", re.compile(r"哥哥(?!们)")),
    ("younger_male", re.compile(r"弟弟(?!们)")),
    ("older_female", re.compile(r"姐姐(?!们|发|说|来|帮|家|那|给|上门|问)")),
    ("younger_female", re.compile(r"妹妹(?!们|说|家|那|问|给)")),
    ("male", re.compile(r"公的|公猫|公狗|男孩子?(?=那|这|又|今|昨)|小公|儿子(?!那(?![只个条])|家)|臭小子")),
    ("female", re.compile(r"母的|母猫|母狗|女孩子?(?=那|这|又|今|昨)|小母|(?:闺女|女儿)(?!那(?![只个条])|家)|小公主")),
    (
        "old",
        re.compile(
            r"老的(?:那|这)?(?:只|个|条|位|头|货)?|老家伙|老头[子儿]?|(?<![^,。;!?\s])老?大[爷妈](?=的(?!狗|猫|宠|孩)|现在|最近|今|昨|又|还|[吃喝拉尿吐])|老太太|老祖宗|老爷子|老人家|老寿星|老同志|老伙计|(?<!我家)(?<!我)老爷子|老祖宗|老伙计|老前辈|(?:年纪|岁数|年岁)(?:大|"
            r"比较大)的?(?:那|这)?(?:只|个|条|位)?|上(?:了)?(?:年纪|岁数)的(?:那|这)?(?:只|个|条|"
            r"位)?|大点的|(?:年长|高龄)的?(?:那|这)?(?:只|个|条|位)?|老狗|老猫"
        ),
    ),
    (
        "young",
        re.compile(
            r"(?:年纪|岁数)小的?(?:那|这)?(?:只|个|条|位)?|小的(?:那|这)(?:只|个|条|位|头|货)?|"
            r"小?奶娃(?:娃|子|儿)?|小?奶(?:团子|崽子?|宝宝)|小(?:娃娃|娃子|娃儿|毛娃|幼崽)|年轻的?(?:那|这)(?:只|个|条|位)|年轻的|年轻那(?:只|个|条|位)|年幼的?(?:那|这)?(?:只|个|条|位)?|小年轻|小丫头|小毛头|小屁孩|小朋友|小点的|小家伙|小崽子|小东西|小奶狗|小奶猫|"
            r"小的(?=[今昨又还就也不没吃一闻碰爱只从最喜讨怕特很挺会天每总老])"
        ),
    ),
    (
        "large",
        re.compile(
            r"(?<![豆粒米枣蛋么巴])大的(?:那|这)?(?:只|个|条|位|头)?(?!包|口|块|团|泡)|大只(?:的|"
            r"那)|大块头|大家伙|大狗|大猫|大个(?:子|儿|头)?(?:的|那|这)|大个[子儿头]"
        ),
    ),
    (
        "small",
        re.compile(
            r"小的(?:那|这)?(?:只|个|条|位|头)?|小个(?:儿|头)?(?:的|那|这)|小个[儿头]|小只(?:的|那)|小不点|小个子|小狗|小猫"
        ),
    ),
)


_TOLD_AS = {"old": "老的", "large": "大的", "young": "小的", "small": "小的"}
"""The word that tells of the eldest or the youngest (墨墨最大), for each role that it may be pointed at by."""


class Descriptions:
    """Finds descriptions of the pets of one household; knows colours and roles that were told before."""

    def __init__(self, roll: PetRoll, utterance: Utterance) -> None:
        self.roll = roll
        self._utterance = utterance
        self._groups = Groups(roll, utterance, lambda: self.roles, lambda: _role_holder("first", roll.alive, "老大"))

    @cached_property
    def colours(self) -> dict[str, str]:
        """Worked out when a message speaks of a colour; few do."""
        return _told_colours(self.roll, self._utterance.history, self._utterance.known)

    @cached_property
    def looks(self) -> dict[str, str]:
        """What the owner told in this talk of the coat or the ears of each pet: 电电短毛."""
        told: dict[str, str] = {}
        for said in self._utterance.history:
            text = fold_text(said.text) if said.role == "user" else ""
            for mention in self.roll.names_in(text):
                look = _LOOK_TOLD.match(text, mention.end)
                told |= dict.fromkeys(mention.pets, look[1]) if look else {}
        return told

    @cached_property
    def roles(self) -> dict[str, str]:
        """Worked out when a message speaks of 老大 or 妹妹."""
        return told_roles(self.roll, self._said)

    @property
    def _said(self) -> list[str]:
        return [*(said.text for said in self._utterance.history), self._utterance.text]

    @cached_property
    def aliases(self) -> dict[str, str]:
        """What the owner calls one of several besides its name: 爷爷, 老爷子."""
        owners = [said.text for said in self._utterance.history if said.role == "user"]
        return told_aliases(self.roll, [*owners, *(fact.content for fact in self._utterance.known)])

    def find(self, text: str, named: bool) -> list[Mention]:
        """Mentions without a name. A household of one pet needs only its species and pronouns."""
        several = len(self.roll.alive) > 1
        masked = _NOT_THE_ANIMAL.sub(lambda match: "\x00" * len(match[0]), text)
        found: list[Mention] = []
        if several:
            found += self._groups.find(masked) + self._breeds(masked) + self._coloured(masked) + self._roles(masked)
        if not named:
            if several:
                found += [Mention(m.start(), m.end(), MentionKind.GROUP) for m in _WHOEVER.finditer(masked)]
            found += self._species(masked)
            found += [Mention(m.start(), m.end(), MentionKind.PRONOUN) for m in _PRONOUN.finditer(masked)]
        return found

    def _breeds(self, text: str) -> list[Mention]:
        found = []
        for breed, pets in self.roll.breeds():
            if len(pets) > 1:
                counted = _COUNTED_BREEDS[breed].finditer(text)
                found += [Mention(m.start(), m.end(), MentionKind.GROUP, pets) for m in counted]
            found += [
                Mention(m.start(), m.end(), MentionKind.ROLE, pets, len(pets) > 1) for m in BREEDS[breed].finditer(text)
            ]
        return found

    def _coloured(self, text: str) -> list[Mention]:
        found = []
        for match in _COLOUR.finditer(text):
            hue = _hue(next(group for group in match.groups() if group))
            plain = tuple(pet.id for pet in self.roll.alive if self.colours.get(pet.id, "") == hue)
            pets = plain or tuple(pet.id for pet in self.roll.alive if hue in self.colours.get(pet.id, ""))
            if len(pets) == 1:
                found.append(Mention(match.start(), match.end(), MentionKind.ROLE, pets))
        for match in _LOOK.finditer(text):
            pets = tuple(pet for pet, look in self.looks.items() if look == match[1])
            if len(pets) == 1:
                found.append(Mention(match.start(), match.end(), MentionKind.ROLE, pets))
        return found

    def _roles(self, text: str) -> list[Mention]:
        found = []
        child = self._is_a_child()
        for role, pattern in _ROLES:
            for match in pattern.finditer(text):
                if child and match[0] in _CHILDREN:
                    continue
                pet_id = self.roles.get(match[0]) or _role_holder(role, self.roll.alive, match[0])
                if pet_id := pet_id or self.roles.get(_TOLD_AS.get(role, "")):
                    found.append(Mention(match.start(), match.end(), MentionKind.ROLE, (pet_id,)))
        for word, pet_id in self.aliases.items():
            start = text.find(word)
            if start >= 0:
                found.append(Mention(start, start + len(word), MentionKind.ROLE, (pet_id,)))
        return found

    def _is_a_child(self) -> bool:
        """我女儿最喜欢奶茶: a daughter who stands beside a pet, goes to school or has an age of her own is none."""
        text = fold_text(self._utterance.text)
        child = _CHILD.search(text)
        if child is None:
            return False
        if _HUMAN_CHILD.search(text, child.start()):
            return True
        named = [mention for mention in self.roll.names_in(text) if mention.start >= child.end()]
        if not named and _CALLED_SO.search(text):
            return True
        return any(
            _DOES_WITH.search(text[child.end() : mention.start]) for mention in named
        ) or self._is_of_another_age(text)

    def _is_of_another_age(self, text: str) -> bool:
        told = _CHILDS_AGE.search(text)
        if told is None:
            return False
        age = int(told[1]) if told[1].isdecimal() else "零一二三四五六七八九十".find(told[1][:1])
        born = [pet.born_on.year for pet in self.roll.alive if pet.born_on]
        return (
            bool(born)
            and len(born) == len(self.roll.alive)
            and all(abs(self._utterance.now.year - year - age) > 1 for year in born)
        )

    def _species(self, text: str) -> list[Mention]:
        found = []
        for species, pattern in SPECIES.items():
            for match in pattern.finditer(text):
                pets = self.roll.of_species(species)
                if pets:
                    found.append(Mention(match.start(), match.end(), MentionKind.SPECIES, pets, len(pets) > 1))
                elif species in ("cat", "dog") and not OURS.search(text):
                    found.append(Mention(match.start(), match.end(), MentionKind.STRANGER))
        return found


_CHILDREN = ("女儿", "儿子", "闺女")
_CHILD = re.compile(r"(?:我|我们|我家|咱)家?(?:大|小|二)?(?:女儿|儿子|闺女)")
_HUMAN_CHILD = re.compile(
    r"(?:女儿|儿子|闺女)[^,。]{0,8}(?:上学|放学|幼儿园|小学|初中|高中|大学|年级|中考|高考|作业|"
    r"同学|老师|结婚|出嫁|对象|女婿|打工|上班|放假|写字|弹琴|说话|(?:怕|喜欢|讨厌|想养|要养|抱|摸|"
    r"遛|喂)(?:小)?[猫狗])"
)
_CALLED_SO = re.compile(r"(?:女儿|儿子|闺女)(?:的?名字)?叫(?!我|个|了|着|得|起来)[^,。]{1,4}(?:$|[,，。])")
_DOES_WITH = re.compile(r"喜欢|最?爱|怕|抱|遛|喂|带|跟|和|陪|摸|养|照顾|给|逗|亲|管|想")
_CHILDS_AGE = re.compile(r"(?:女儿|儿子|闺女)(?:今年|现在|才|都|已经|快|刚)*(\d{1,2}|[一二两三四五六七八九十]{1,3})岁")
_LOOKS = "长毛|短毛|卷毛|直毛|无毛|立耳|折耳|垂耳|竖耳|断尾|长尾|短尾|瘸腿|独眼"
_LOOK = re.compile(rf"({_LOOKS})(?:的)?(?:那|这)?(?:只|个|条|位)?")
_LOOK_TOLD = re.compile(rf"(?:就|都)?是?(?:个|只|条)?({_LOOKS})")


def _told_colours(roll: PetRoll, history: Sequence[SaidBefore], known: Sequence[KnownFact]) -> dict[str, str]:
    """Colours of each pet: by breed, by name (小黑), and as the owner told them (雪球纯白)."""
    colours = {pet.id: _colour_of(pet) for pet in roll.pets}
    texts = [said.text for said in history if said.role == "user"] + [fact.content for fact in known]
    for text in map(fold_text, texts):
        for mention in roll.names_in(text):
            told = _COLOUR_TOLD.match(text, mention.end)
            before = _COLOUR_IS.search(text[max(0, mention.start - 8) : mention.start])
            word = before[1] if before else told[1] if told else ""
            colour = "".join(_hue(one) for one in _HUES.findall(word))
            for pet in mention.pets:
                colours[pet] += colour
    return colours


def _hue(word: str) -> str:
    """The one character that stands for a colour: 棕 for 咖啡, 花 for 三花."""
    return _HUE_OF.get(word, word)


def breed_colours(breed: str | None) -> str:
    """The colours a breed usually has, as characters."""
    return "".join(colours for known, colours in _COLOUR_OF_BREED.items() if breed and known in breed)


def _colour_of(pet: PetProfile) -> str:
    return breed_colours(pet.breed) + "".join(
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
    if role.startswith(("older", "younger")):
        return _by_age("old" if role.startswith("old") else "young", pets)
    if role in ("old", "young"):
        return _by_age(role, pets) or (_by_size("small", pets) if role == "young" else None)
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
    """By breed among pets of one species, of which two a breed tells of one is enough; beside another species only a
    breed of big dogs tells."""
    big, small = _of_breeds(pets, _BIG_BREEDS), _of_breeds(pets, _SMALL_BREEDS)
    if len({species_of(pet) for pet in pets}) > 1:
        big, small = [pet_id for pet_id in big if any(p.id == pet_id and p.species == "dog" for p in pets)], []
    fitting, against = (big, small) if role == "large" else (small, big)
    named = "大" if role == "large" else "小"
    fitting = fitting or [pet.id for pet in pets if pet.name.startswith(named)]  # 大米 and 小米
    if len(fitting) == 1:
        return fitting[0]
    rest = [pet.id for pet in pets if pet.id not in against]
    return rest[0] if len(pets) == 2 and len(against) == 1 and not fitting else None


def _of_breeds(pets: Sequence[PetProfile], breeds: Sequence[str]) -> list[str]:
    return [pet.id for pet in pets if pet.breed and any(breed in pet.breed for breed in breeds)]
