"""Several pets of one household pointed at in one word: 它俩, 两个妹妹, 这对活宝, 一猫一狗, 三只, 别的.

In a household of two everybody is meant. In one of more the two are found by their sex, by what the owner told of
them (芝芝桃桃是一对丫头), by kind or by who is spoken of; where that leaves it open the mention is unclear.
"""

import re
from collections.abc import Callable, Mapping
from itertools import pairwise

from domain.pet_profiles import Utterance
from domain.pet_roll import Mention, MentionKind, PetRoll, species_of
from memory.text_folding import fold_text

_MALES = "小子|男孩子?|小伙子?|儿子|兄弟|哥们儿?|弟弟|小弟|公的|男的"
_FEMALES = "丫头|姑娘|女孩子?|闺女|女儿|姐妹|姐们儿?|妹妹|小妹|母的|女的|小公主"
_DEAR = (
    "毛孩子|毛娃|活宝|活祖宗|小?祖宗|宝贝|小?家伙|小?崽子?|狗子|小东西|奶娃|娃|主子|货|兄妹|姐弟|冤家|吃货"
    "|捣蛋鬼|混世魔王"
)
_TOGETHER = f"{_MALES}|{_FEMALES}|{_DEAR}"
_GROUP = re.compile(
    rf"(?:[两俩2]|[三3仨]|[四4])(?:只|个|条|位)?(?:亲|小|毛|大|臭|傻|狗|猫)?(?:{_TOGETHER}|都)?|"
    r"[两俩三仨](?:猫|狗)|它们俩?|他们俩|它俩|(?<!其)他俩|她俩|哥儿?俩|姐儿?俩|姐妹俩|兄弟俩|兄妹俩|姐弟俩|(?<!们)[父母][子女]俩|"
    r"一猫一狗|一狗一猫|猫[狗犬](?=都|俩|各|两|一起|一块|同时|今|昨|双全都)|"
    rf"(?:这|那|我家这|家里这)(?:一)?对(?:小|亲|毛)?(?:{_TOGETHER}|小?两口)|"
    r"全家(?:毛孩子)?(?=都|全|一起|一块|洗|驱|打)|全部都|^全都(?![是掉没])|(?:我|咱|我们)家里?的?(?:全|也)?都|大家都|几只都|一人一|每只|猫狗(?:双全)?都|家里都|都一起|各(?=打|滴|吃"
    r"|剪|洗|驱)"
)
_PAIR = re.compile(
    r"(?:[它他她]们?|这|那|哥儿?|姐儿?|兄弟|姐妹|兄妹|姐弟)俩(?![天周月年小大老公母])|"
    r"(?:[它他她]们|这|那)[两2](?:只|个(?!月|星期|礼拜)|货|家伙|小家伙)"
    r"|(?<![了第一每\d])俩(?:都|货|家伙|小家伙|崽|娃|祖宗)|^(?:现在|今天|昨天|最近|我家|家里)*[两2][只个]都"
)
"""Two of the household's, without their names; in a household of two everybody is meant."""
_THEY = re.compile(r"[它他她]们(?!俩|家|两)")
_SEXED_PAIR = re.compile(
    rf"(?P<male>(?:哥儿?|兄弟)俩|[俩两](?:个|只|条|位)?(?:亲|小|臭|傻|毛)?(?:{_MALES})|(?:{_MALES})俩)"
    rf"|(?P<female>(?:姐儿?|姐妹)俩|[俩两](?:个|只|条|位)?(?:亲|小|臭|傻|毛)?(?:{_FEMALES})|(?:{_FEMALES})俩)"
)
_PLURAL_ROLE = re.compile(r"(?:(?P<male>哥哥|弟弟|小子|男孩)|(?P<female>姐姐|妹妹|丫头|姑娘|女孩))子?们")
"""妹妹们: all of that sex but the one who is told to be the eldest of them."""
_YOUNGER_ONES = re.compile(
    r"(?:底下|下面|剩下|后面|后来|小的)的?那?[两俩二2](?:个|只|条|小只)?|[两俩二2](?:个|"
    r"只)?(?:妹妹|弟弟|小妹|小弟|小的|小只)|[两俩]小只"
)
_COUNTED_SPECIES = re.compile(r"(?:[两俩三仨2-4]|两只|三只|俩只|几只|这两只|这几只|所有)(?:个|只|条)?(猫|狗|兔|喵)")
_REST = re.compile(
    r"另外?一(?:只|个|条|位)|(?!(?:别的|其他的?|剩下的|其余)(?:指标|项目?)?(?:全|都)*(?:正常|没(?:问题|事|异常|毛病|超)|绿|好|达标|合格|在))(?:别的(?:都|几只|两只|猫|狗|毛孩子|小家伙|那?几个|仨|俩)|其他(?:都|几只|两只|俩|两个|的|猫|狗|毛孩子)|剩下(?:的|"
    r"那只|两只)|其余|另外(?:[两三几那]|那[两三几])[只个条位头]|另外?(?:俩|仨)|另(?:两|那两|几)[只个条位])"
)
_COUNTS_SOMETHING = re.compile(
    r"[月天次周年克斤岁钟半多眼耳腿爪前后手脚边侧蛋肾膝髋鼻牙口洞印泡坑疙牙洞坑疤印泡针次回字人盒瓶支箱张本指趾]|口子|疙瘩|块(?!头)|下(?!午)|小(?:时|块|勺|碗|瓶|包|把|袋|段|口|坨|半)|单位|疗程|星期|礼拜|粒|片|罐|碗|勺|包"
)  # 2个单位 is no two pets
_OTHER_TWO = re.compile(r"[俩两](?:个)?(?:小子|丫头|小伙子?|姑娘|公的|母的|男孩|女孩|男的|女的)")  # of three
_LATELY = 6  # messages of the talk, both sides', in which those were named whom 它俩 means
_NUMBERS = {"两": 2, "俩": 2, "2": 2, "三": 3, "3": 3, "仨": 3, "四": 4, "4": 4}
_CLASSIFIERS = ("个", "条", "位", "只")
_DONE_TOGETHER = re.compile(r"[也全]?都|一起|一块|一道|全|各|同|打包|轮流|一人|挨个")
_BOTH_MEANT = re.compile(r"(?:把|给|带|领|家|这|那|[它他她]们|送|抱|帮|喂|让)$")
_JOINED = re.compile(r"(?:和|跟|与|、|,|还有)?")
_TOLD_TO_BE = re.compile(rf"[^,。]{{0,6}}?(?P<male>{_MALES})|[^,。]{{0,6}}?(?P<female>{_FEMALES})")

OF_TWO_APART = re.compile(
    r"(?:分|隔|错|岔)(?:着|开)|分(?:房|笼|屋|盆|碗|两[个间处])|各[吃睡住玩用](?:各的|自己)|轮流|中间[挡隔放拉]|[两2]个[^,。]{0,2}(?:水?盆|碗|窝|砂盆|笼)|一人一(?:间|屋|个|份)"
    r"|一[个只条](?:关|在|放|睡|去|锁|住|待)[^,。]{1,6}一[个只条](?:关|在|放|睡|去|锁|住|待)"
    r"|一[个只](?:[里外东西南北]屋|楼[上下]|客厅|阳台|厨房|卧室|书房)[^,。]{0,2}一[个只][^,。]{0,4}(?:[里外东西南北]屋|楼[上下]|客厅|阳台|厨房|卧室|书房)|[一两]边一[个只]"
)  # told of two pets, whoever was named last


class Groups:
    """Finds the words for several pets of one household.

    role: the pet that a role word (老大, 姐姐) fits, None where it is not known.
    """

    def __init__(
        self,
        roll: PetRoll,
        utterance: Utterance,
        roles: Callable[[], Mapping[str, str]],
        first: Callable[[], str | None],
    ) -> None:
        self.roll = roll
        self._utterance = utterance
        self._roles = roles
        self._first = first

    def find(self, text: str) -> list[Mention]:
        """Mentions of more than one pet in a piece of folded text."""
        found: list[Mention] = []
        for match in _COUNTED_SPECIES.finditer(text):
            pets = self.roll.of_species({"猫": "cat", "喵": "cat", "狗": "dog", "兔": "rabbit"}[match[1]])
            if len(pets) > 1:
                found.append(Mention(match.start(), match.end(), MentionKind.GROUP, pets))
        everyone = tuple(pet.id for pet in self.roll.alive)
        if len(everyone) > 2:
            found += [mention for match in _SEXED_PAIR.finditer(text) if (mention := self._two_of_a_sex(match))]
            found += self._pairs(text, everyone)
        found += [
            Mention(m.start(), m.end(), MentionKind.GROUP, everyone)
            for m in _GROUP.finditer(text)
            if _counts_all(m, text, len(everyone))
        ]
        found += [mention for match in _PLURAL_ROLE.finditer(text) if (mention := self._all_of_a_sex(match))]
        if younger := list(_YOUNGER_ONES.finditer(text)):
            first = self._roles().get("老大") or self._first()
            others = tuple(pet for pet in everyone if pet != first)
            found += [Mention(m.start(), m.end(), MentionKind.GROUP, others) for m in younger if len(others) > 1]
        rest = [_REST, _OTHER_TWO] if len(everyone) == 3 else [_REST]
        found += [Mention(m.start(), m.end(), MentionKind.REST) for pattern in rest for m in pattern.finditer(text)]
        return found

    def _two_of_a_sex(self, match: re.Match[str]) -> Mention | None:
        """两个丫头 in a household of more: the only two of that sex, or the two that the owner called so."""
        sex = "male" if match["male"] else "female"
        pair = tuple(pet.id for pet in self.roll.alive if pet.sex == sex)
        pair = pair if len(pair) == 2 else self._two_told_to_be(sex)
        return Mention(match.start(), match.end(), MentionKind.GROUP, pair) if len(pair) == 2 else None

    def _two_told_to_be(self, sex: str) -> tuple[str, ...]:
        """芝芝桃桃是一对丫头: two names side by side and what they are called."""
        said = [one.text for one in self._utterance.history if one.role == "user"]
        for text in map(fold_text, [*said, *(fact.content for fact in self._utterance.known)]):
            names = self.roll.names_in(text)
            ends = [*(name.start for name in names[2:]), len(text)]  # 老大是阿福，小六球球是弟弟 is not told of 阿福
            for (one, other), end in zip(pairwise(names), ends, strict=False):
                beside = _JOINED.fullmatch(text, one.end, other.start) is not None
                told = _TOLD_TO_BE.match(text, other.end, end) if beside else None
                if told and told[sex] and len(one.pets) == len(other.pets) == 1:
                    return (*one.pets, *other.pets)
        return ()

    def _all_of_a_sex(self, match: re.Match[str]) -> Mention | None:
        """None where fewer than two can be meant: 妹妹们 of one sister are somebody else's."""
        sex, one_more = match.lastgroup, {"弟": "哥哥", "妹": "姐姐", "哥": "弟弟", "姐": "妹妹"}.get(match[0][0], "")
        pets = tuple(pet.id for pet in self.roll.alive if pet.sex == sex and pet.id != self._roles().get(one_more))
        return Mention(match.start(), match.end(), MentionKind.GROUP, pets) if len(pets) > 1 else None

    def _pairs(self, text: str, everyone: tuple[str, ...]) -> list[Mention]:
        """它俩 in a household of more: the two that are spoken of, else it is unclear which; 它们 beside two names."""
        found = []
        for match in _PAIR.finditer(text):
            pair = self._two_spoken_of(everyone)
            found.append(Mention(match.start(), match.end(), MentionKind.GROUP, pair or everyone, not pair))
        named = all_named(self.roll, self._utterance.text)
        if len(named) > 1:
            found += [Mention(m.start(), m.end(), MentionKind.GROUP, named) for m in _THEY.finditer(text)]
        return found

    def _two_spoken_of(self, everyone: tuple[str, ...]) -> tuple[str, ...]:
        """Named in this message, or all but the one named, of three; named last in the talk; or both of a kind that it
        was about."""
        named = all_named(self.roll, self._utterance.text)
        if named:
            rest = tuple(pet for pet in everyone if pet not in named)
            pair = named if len(named) == 2 else rest if len(named) == 1 else ()
            return pair if len(pair) == 2 else ()
        lately: tuple[str, ...] = ()
        for said in reversed(self._utterance.history[-_LATELY:]):
            told = all_named(self.roll, said.text)
            lately = tuple(dict.fromkeys((*told, *lately)))
            if len(lately) > 1:
                return lately if len(lately) == 2 else ()
        kinds = {species_of(pet) for pet in self.roll.alive if pet.id in lately}
        pair = self.roll.of_species(kinds.pop()) if len(kinds) == 1 else ()
        return pair if len(pair) == 2 else ()


_DENIED_OF_IT = re.compile(r"不|没(?!精神|胃口|食欲|劲|力气)|别|除外|过敏")
_REACTS = re.compile(r"肿|痒|吐|拉|疹|起包")
_OF_FOOD = re.compile(r"[能吃喝喂舔碰沾闻尝]|可以|随便")


def stands_out(between: str, rest: str) -> bool:
    """都能吃，就|咪咪|吃了吐 leaves one out of what is told of all; 都驱过虫了，就|咪咪|吐了一回 does not.

    between: from the word for all to the one; rest: what follows it.
    """
    return _DENIED_OF_IT.search(rest) is not None or (
        _REACTS.search(rest) is not None and _OF_FOOD.search(between) is not None
    )


def all_named(roll: PetRoll, text: str) -> tuple[str, ...]:
    """The living pets that a text names, in its order."""
    alive = {pet.id for pet in roll.alive}
    named = dict.fromkeys(pet for mention in roll.names_in(fold_text(text)) for pet in mention.pets)
    return tuple(pet for pet in named if pet in alive)


def _counts_all(match: re.Match[str], text: str, count: int) -> bool:
    """两只 means everybody only in a household of two, and never an amount ("喂了两个")."""
    word = match[0]
    if word in ("一猫一狗", "一狗一猫", "猫狗", "猫犬") or "对" in word[:4]:
        return count == 2
    number = _NUMBERS.get(word[0])
    if number is None:
        return True
    if number != count or (len(word) < 2 and word not in ("俩", "仨")):
        return False
    if word[1:] in _CLASSIFIERS and match.start() > 2:
        apart = _DONE_TOGETHER.match(text, match.end()) or _BOTH_MEANT.search(text, 0, match.start())
        return apart is not None and not _COUNTS_SOMETHING.match(text, match.end())
    before = text[max(0, match.start() - 1) : match.start()]
    if len(word) > 2 and not word.endswith("都"):
        return before not in tuple("第每0123456789")
    return before not in tuple("了吃喂一第每0123456789") and not _COUNTS_SOMETHING.match(text, match.end())
