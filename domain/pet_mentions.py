"""Which pets a piece of an owner's message is about.

`Follower` walks over the clauses of a message and says for each whom it is about, carrying the subject on where a
clause names nobody, and leaving other people's and former pets out. Nothing is guessed: two pets that fit equally well
give an empty answer. Names are found in `pet_roll`, other ways to point in `pet_descriptions`, strangers in
`strange_animals`.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from domain.other_animals import OtherAnimals
from domain.pet_descriptions import Descriptions
from domain.pet_groups import OF_TWO_APART, stands_out
from domain.pet_objects import (
    goes_on_of_other,
    had_it,
    is_a_thing_of,
    is_done_by,
    is_done_to,
    is_driven_off,
    is_kept_from,
    is_object,
    is_thing_of_first,
)
from domain.pet_profiles import Utterance
from domain.pet_roll import BREEDS, Mention, MentionKind, PetRoll, roll_of, species_of
from domain.pets_by_record import pet_on_record
from domain.strange_animals import OURS, carried_by_others, is_strange
from memory.text_folding import fold_text

__all__ = ["About", "Follower", "Mention", "MentionKind", "PetRoll", "State", "roll_of", "species_of"]


class State(StrEnum):
    """Whether a stretch of text is about pets of this household."""

    OURS = "ours"
    UNCLEAR = "unclear"  # one of ours, but it is not said which
    STRANGER = "stranger"  # somebody else's animal, a former one, one in the news
    GENERAL = "general"  # animals as such


_GENERIC = re.compile(
    r"(?<![遛养撸])(?<!家里)(?<!我家)(?:猫|狗|犬|猫咪|狗狗)(?:一般|通常|都(?=会|是|怕|爱|喜欢|不|要)|普遍|天生|正常|平均|一天(?:掉|睡|喝|吃|拉)|能活|几岁|多大|多久|需要|为什么|的寿命|的正常)|(?:的|这个)品种|体质都|^(?:哦|那|所以|原来|其实|也就是说|看来|反正|毕竟|嗯|啊)*(?:猫咪|狗狗|猫|狗|犬|小狗|小猫)(?:其实|是|绝对|真的|千万)*(?:不能|不可以|可以|能|不该|最好别|别)(?:吃|喂|喝|碰|用|洗)"
)
_ALL_OF_THEM = re.compile(
    r"(?:(?:(?:我|咱|我们)?家里?|全家|大家|其[他它]|其余|剩下|别|另外)的?(?:[几两三四]只|俩|仨)?的?)?(?:全|也)?都(?!怪|说|怨)|(?:绝育|疫苗|狂犬|驱虫|免疫|芯片|体检)(?:全|也)?都(?=[做打驱植有没还过齐全是])"
)  # 都从这个月开始吃药: those spoken of
_OTHER_OF_A_KIND = re.compile(
    r"(?:那|而|但)?(?:[大小老胖瘦公母]的(?!便|时候|包|口|块|话)|老爷子|老太太|大家伙|小家伙|另(?:外)?(?:一)?[只个条位])"
)
_OF_BOTH = re.compile(
    r"同一?(?:天|窝|胎)|一[窝胎](?:的|生|兄|姐)|双胞胎|龙凤胎|一(?:起|块儿?|同|道)(?:去|打|做|洗|剃|吃|来|送|带|拉|抱|剪|修)|生日都|都(?:是(?![因你我])|在[\d一二三四五六七八九十今昨去前上]|打|做|洗|剃|驱|滴|接种|补|剪)"
)
_JOINED = re.compile(r"^(?:和|跟|与|、|,|，|还有|以及|同|加|\+|&|\s|及|也|俩)*$")
_RECIPIENT = re.compile(r"(?:给|教会?|把|让|叫|带|抱|送|喂|塞[给进到]?|帮|替|陪|被|是|换成|轮到|[说指]的是)$")
_COMPARED = re.compile(r"(?:比|像|跟|和|随|不如)$")
_SINGLES_OUT = re.compile(r"[里中当]*(?:面)?(?:就|只有?|唯独|唯有|就是|就剩|只剩)")
_BODY_OF = re.compile(r"^的?(?:左|右)?(?:耳|尾|脸|鼻|腿|眼|毛|爪|头|脖|背|屁股|肚|嘴)(?!药|膏|粮|罐|套|罩|[里上边]?的)")
_TAKES = re.compile(
    r"(?:吃|偷|抢|喝|用|玩|翻|睡|占|舔|啃|抓|蹭|沾|碰|抹|吞|嚼|叼|尿在|拉在|咬)(?:了|过)?(?:(?:一|两|几|好几|半)?(?:口|下|片|颗|粒|点|些|个|碗|盆))?$"
)
_ON_A_THING = re.compile(
    r"(?:在|往|朝|扒|扒拉|拱|叼|撕|啃|咬|踩|推|打翻|掏|翻|挠|刨|惦记|盯着|盯上|霸占|藏|拿|顺走|卷走|[抓咬啃撕扒弄掰挠](?:破|开|烂)|(?:翻|扒|叼|偷|拿|掏|够|咬)(?:出来?|走|到|开|下来?))了?$"
)
_LEFTOVER_OF = re.compile(r"(?:吃|喝|玩)?剩|没[吃喝玩]|吐(?:出来)?的|爱[吃玩]的|藏的|正[吃玩]")
_KIN_OF = re.compile(r"(?:亲)?(?:生|下)的|的(?:亲|大|小|二)*(?:儿子|闺女|女儿|妈|爸|哥|弟|姐|妹|崽|孩子|娃|孙|妞)")
_THING_OF = re.compile(
    r"^(?:的|那[个份盆碗瓶盒罐板包袋支管盘桶根块颗粒片勺]|碗里|(?:[左右]?(?:耳朵?|眼睛?|伤口|脖子|背|嘴|爪子?|头|腿)[里上边]?的)|[一两三四半几\d]+(?:片|粒|颗|口|滴|支|瓶|板|勺|袋|块))"
)


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


_RULED_OUT = re.compile(r"(?<!是)(?:不是|并非|不算)$|隔壁家?的?$")
_BUT_IS = re.compile(r"[,，、 ]?(?:而|其实|应该)?是")
_ACTS_ON = re.compile(  # 整天惦记枣泥的罐头, after a clause about another pet
    r"(?:整天|天天|老|总|还是?|又|也|都|就|一直|到处|经常|动不动|去|来|跑去|在|现在|每次)*(?:惦记|偷吃|偷|抢|扒拉?|够|翻|盯着|霸占|霸着|霸|占着|占|护着|守着|睡|追|咬|啃|舔|叼|藏|吃|喝|蹭|拱|闻|踩|刨|顺|拖|拿|玩|尿|翻)(?:着|走|光|掉|完|了)?$"
)
_CARES_FOR = re.compile(
    r"(?:挺|很|特别|也|还|老|总|最|就|一直|可|超|从来|都)*(?:不)?(?:护着?|让着|黏|粘着?|怕|欺负|追着?|陪着?|等|照顾|喜欢|嫌弃|爱舔|舔|骑|压着?|躲着?|想|宠|疼)"
)
_NO_MORE = re.compile(r"[的了呢啊呀得]{0,2}(?:不行|很|要命)?")
_SET_AGAINST = re.compile(r"(?:也|还|又|就|都|反正|明显|已经|足足|整整|现在)*(?:比|不如|没有?)$")
_ALONG_WITH = re.compile(r"(?:也|还|现在|一直|从来|总|老|得|要|不|就)*(?:跟|和|与|同)$")
_OF_BOTH_THERE = re.compile(r"[^,。]{0,3}(?:都|俩|两个|一样|一起(?:去|打|做|洗|查|体检)|[、和跟])")
_TAKEN_BY_IT = re.compile(r"的[^,。]{1,6}(?:都|全|又|也|老)*(?:让|被|给|叫)(?:它|他|她)")
_CAUGHT_FROM = re.compile(
    r"(?:挤|睡|玩|打架?|住|待|抢|滚|混|处|闹|共用|钻|凑|贴|抱|亲)[^,。都俩]{0,8}(?:结果|也|就|被)[^,。都俩]{0,3}[染传得]"
)
_UNLIKE = re.compile(r"不一样|不同|不像|相反|学(?:的|来的?|会)")


_PASSED_ON = re.compile(r"(?:传染?|过)(?:给|到|上)了?$|^(?:给)?传(?:染|上|给)")  # who passes an illness on has it too


_ALL_BUT = re.compile(r"除[了开去]?$|不算$")
_IS_LEFT_OUT = re.compile(r"[以之]外(?!面|头)|外(?=都|的都|,都|全)")
_BUT_FOR = re.compile(r"(?:就是?|只有|唯独|除了|只剩)$")
REACH_AFTER_A_PET = 24  # characters that say what it does
MAX_TO_REACTION = 8  # characters from 就咪咪 to what makes it the exception
MAX_OF_A_THING = 20  # characters after a pet in which the thing is named that is its own
MAX_TO_EXCEPTION = 16  # characters between 谁都能吃 and 就咪咪不行


class Follower:
    """Carries the subject from clause to clause of one message."""

    def __init__(self, folded: str, utterance: Utterance) -> None:
        self.folded = folded
        self.roll = roll_of(tuple(utterance.pets))
        self.descriptions = Descriptions(self.roll, utterance)
        self.names = self.roll.names_in(folded)
        self.name_starts = [mention.start for mention in self.names]
        self.current = _first_subject(self.roll, utterance, folded)
        self.state = State.OURS if self.current else State.UNCLEAR
        self.excepted: tuple[str, ...] = ()
        self.spoken_of: dict[str, None] = {}  # the pets of this message so far, in order
        self.others = OtherAnimals(folded, [BREEDS[breed] for breed, _ in self.roll.breeds()])

    def follow(self, spans: Iterable[tuple[int, int]]) -> list[About]:
        """Who each clause is about; a clause that names several pets one after the other gives several answers."""
        return [about for number, (start, end) in enumerate(spans) for about in self._clause(number, start, end)]

    def _clause(self, number: int, start: int, end: int) -> list[About]:
        mentions = self._mentions(start, end)
        cuts, subject_of = self._cut(start, end, _grouped(self.folded, mentions))
        return [
            self._about(number, left, right, subject_of.get(left, ()), mentions)
            for left, right in zip(cuts, [*cuts[1:], end], strict=True)
        ]

    def _mentions(self, start: int, end: int) -> list[Mention]:
        first = bisect_left(self.name_starts, start)
        named = [m for m in self.names[first : bisect_left(self.name_starts, end)] if m.end <= end]
        text = self.folded[start:end]
        spans = [(mention.start - start, mention.end - start) for mention in named]
        if is_strange(text, spans, alone=len(self.roll.alive) == 1):
            return [Mention(start, end, MentionKind.STRANGER)]
        if not named and self.others.go_on_in(text, start):
            return [Mention(start, end, MentionKind.STRANGER)]
        if not named and carried_by_others(text, self.folded[max(0, start - 30) : start]):
            return [Mention(start, end, MentionKind.STRANGER)]
        found = [*named, *(_moved(m, start) for m in self.descriptions.find(text, bool(named)))]
        return [kept for m in _without_overlap(found) if (kept := self._not_ruled_out(m, end)) is not None]

    def _not_ruled_out(self, mention: Mention, end: int) -> Mention | None:
        """不是豆豆 and 被隔壁豆豆咬了 rule 豆豆 out; in 过敏的不是豆豆，是咪咪 the next one takes its place."""
        if not _RULED_OUT.search(self.folded, max(0, mention.start - 4), mention.start):
            return mention
        instead = _BUT_IS.match(self.folded, end)
        place = instead.end() if instead else -1
        named = next((other for other in self.names if other.start == place), None)
        return None if named is None else Mention(mention.start, mention.end, MentionKind.NAME, named.pets)

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
            if between.endswith("不是") or (between == "是" and _KIN_OF.match(self.folded, mention.end)):
                continue  # 李子是木子生的
            if previous.kind is MentionKind.GROUP and _SINGLES_OUT.fullmatch(between):
                subject_of[cuts[-1]] = (mention,)  # 三只就花生没打
                continue
            if is_kept_from(between) or is_done_by(between, self._after(mention)):
                continue  # 豆豆不让咪咪进屋, 豆豆会握手是咪咪教的
            if is_thing_of_first(between, self._after(mention)):
                subject_of[cuts[-1]] = (mention,)
                continue
            if _PASSED_ON.search(between):
                subject_of[cuts[-1]] = (_both(previous, mention),)
                continue
            if match := _RECIPIENT.search(between):
                if self._receives(match[0], between, mention):
                    subject_of[cuts[-1]] = (mention,)
            elif between == "的" and self.folded[previous.start - 1 : previous.start] == "是":
                cuts.append(mention.start)  # 那罐酸奶是豆豆的|咪咪不许碰
                subject_of[mention.start] = (mention,)
            elif _ON_A_THING.search(between) and self.folded.startswith("的", mention.end):
                continue  # 猫在狗的药瓶上打滚, 阿肥扒小棉的零食罐
            elif (_TAKES.search(between) or between.endswith("在")) and _THING_OF.match(
                self.folded[mention.end : mention.end + 6]
            ):
                continue  # 豆豆又吃咪咪的粮 is about the one that eats
            elif is_a_thing_of(between, self.folded[mention.end : mention.end + MAX_OF_A_THING]):
                continue
            elif len(between) >= 2 and mention.kind is not MentionKind.STRANGER and not is_object(between):
                cuts.append(mention.start)
                subject_of[mention.start] = (mention,)
        return cuts, subject_of

    def _after(self, mention: Mention) -> str:
        return self.folded[mention.end : mention.end + REACH_AFTER_A_PET]

    def _receives(self, word: str, between: str, mention: Mention) -> bool:
        """给B, 教会B speak of B; 被B only when B took something of A's; 把B的药舔了 of A."""
        if word == "把" and is_driven_off(self.folded[mention.end : mention.end + 12]):
            return False
        if word == "把":
            rest = self.folded[mention.end : mention.end + 5]
            if _LEFTOVER_OF.match(rest):
                return False  # 把妞妞剩的饭一扫而光
            return _THING_OF.match(rest) is None or _BODY_OF.match(rest) is not None
        if _PASSED_ON.match(self.folded[mention.end : mention.end + 4]):
            return False  # 咪咪的癣被豆豆传上了 is about 咪咪
        taken = word in ("被", "让") and "的" in between and had_it(self._after(mention))
        return taken or not is_done_to(word, between, self._after(mention)) or _THING_OF.match(between) is not None

    def _about(self, number: int, start: int, end: int, deciding: tuple[Mention, ...], found: list[Mention]) -> About:
        text = self.folded[start:end]
        inside = [m for m in found if start <= m.start and m.end <= end and m.kind is not MentionKind.STRANGER]
        candidates: tuple[str, ...] = ()
        if deciding and self._taken_from(deciding[0], start, text):
            pass  # 小葵的羊奶都让它喝了 goes on about the one that drank
        elif deciding:
            candidates = self._turn_to(deciding[0], text)
        elif OURS.search(text) and self.state is State.STRANGER:
            self._turn_home()
        elif self.excepted and _ALL_OF_THEM.match(text):  # 除了豆豆，都驱了虫
            self._turn_to_many(Mention(start, start, MentionKind.GROUP))
        elif _ALL_OF_THEM.match(text) and len(self.spoken_of) > 1:
            self.state, self.current = State.OURS, tuple(self.spoken_of)
        elif self.state is State.OURS and (two := self._two_of_them()) and OF_TWO_APART.search(text):
            self.current = two  # 现在都是错开喂
        elif (
            self.state is State.UNCLEAR
            and len(self.roll.alive) == 2
            and (_OF_BOTH.search(text) or OF_TWO_APART.search(text))
        ):
            self._turn_to_many(Mention(start, start, MentionKind.GROUP))
        elif self._is_the_other_one(text):
            others = tuple(pet.id for pet in self.roll.alive if pet.id not in self.current)
            self.state, self.current = (State.OURS, others) if len(others) == 1 else (State.UNCLEAR, ())
        self.spoken_of.update(dict.fromkeys(self.current if self.state is State.OURS else ()))
        named = any(mention.kind is MentionKind.NAME for mention in inside)
        state = State.GENERAL if _GENERIC.search(text) and not named else self.state
        pets = self.current if state is State.OURS else ()
        return About(number, start, end, state, pets, bool(deciding), tuple(inside), candidates)

    def _two_of_them(self) -> tuple[str, ...]:
        """Both of a household of two, or the two that were spoken of."""
        alive, spoken = tuple(pet.id for pet in self.roll.alive), tuple(self.spoken_of)
        return alive if len(alive) == 2 else spoken if len(spoken) == 2 else ()

    def _is_the_other_one(self, text: str) -> bool:
        """大的打了狂犬，小的感冒没好: a word that sets one against another, of whom nothing is known."""
        return len(self.roll.alive) > 1 and _OTHER_OF_A_KIND.match(text) is not None

    def _taken_from(self, mention: Mention, start: int, text: str) -> bool:
        """Whether the clause tells what the pet spoken of took from the one it names, or sets it against that one."""
        other = len(self.current) == 1 and mention.pets and self.current != mention.pets
        rest = text[mention.end - start :]
        if not (other and self.state is State.OURS):
            return False
        before = text[: mention.start - start]
        if _SET_AGAINST.match(before):
            return True  # 年年6.3，比岁岁大两斤
        if _ALONG_WITH.match(before) and not _OF_BOTH_THERE.match(rest):
            return True  # 翠花在发情期，跟铁柱分房睡
        if goes_on_of_other(before, rest):
            return True
        acts = _ACTS_ON.match(before) is not None and rest.startswith("的")
        if _CARES_FOR.fullmatch(before) and _NO_MORE.fullmatch(rest):
            return True  # 挺护妹妹的, after what the brother does
        return acts or _TAKEN_BY_IT.match(rest) is not None

    def _turn_home(self) -> None:
        """我家…, after a stranger: the only pet, or one of them."""
        self.current = self.roll_default()
        self.state = State.OURS if self.current else State.UNCLEAR

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
        elif mention.unclear and mention.kind is MentionKind.GROUP:
            self.state, self.current = State.UNCLEAR, ()  # 它俩, and nobody knows which two of three
            return mention.pets
        elif mention.unclear:
            return self._choose(mention.pets, text)
        elif mention.kind is MentionKind.REST and self.state is State.STRANGER:
            pass  # 我舅家养的俩，一个把另一个挠了
        elif mention.kind in (MentionKind.REST, MentionKind.GROUP):
            self._turn_to_many(mention)
        else:
            self.state, self.current = State.OURS, mention.pets
            self._except(mention, text)
        return ()

    def _except(self, mention: Mention, text: str) -> None:
        """除了豆豆, 豆豆以外的, with 都 in the same clause or 其他的 in the next: everybody but this one."""
        name = self.folded[mention.start : mention.end]
        left_out = _ALL_BUT.search(self.folded, max(0, mention.start - 2), mention.start)
        self.excepted = mention.pets if left_out or _IS_LEFT_OUT.match(self.folded, mention.end) else ()
        if self.excepted and "都" in text.partition(name)[2]:
            self.current = tuple(pet.id for pet in self.roll.alive if pet.id not in self.excepted)
            self.excepted = ()

    def _keep_or_default(self, text: str) -> None:
        if self.state is State.STRANGER and OURS.search(text):
            self._turn_home()

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

    def _choose(self, pets: tuple[str, ...], text: str) -> tuple[str, ...]:
        """Of several that fit: all of them with 都, the one the talk is of, else it is unclear."""
        if "都" in text:
            self.state, self.current = State.OURS, pets
            return ()
        known = tuple(pet for pet in self.current if pet in pets)
        if self.state is State.OURS and len(known) == len(pets) > 1 and len(self.current) > len(pets):
            self.current = known  # 三个都驱了，猫用的大宠爱
            return ()
        if len(known) == 1 and self.state is State.OURS:
            self.current = known
            return ()
        self.state, self.current = State.UNCLEAR, ()
        return pets

    def _left_out_after(self, everyone: Mention) -> tuple[str, ...]:
        """谁都能吃，就咪咪不行 and 都能吃，除了咪咪: the one that is taken out right after."""
        if everyone.kind not in (MentionKind.GROUP, MentionKind.REST):
            return ()
        first = bisect_left(self.name_starts, everyone.end)
        for named in self.names[first : first + 1]:
            between = self.folded[everyone.end : named.start]
            rest = self.folded[named.end : named.end + 2]
            if len(between) <= MAX_TO_EXCEPTION and rest in ("除外", "例外"):
                return named.pets
            if len(between) <= MAX_TO_EXCEPTION and (marked := _BUT_FOR.search(between)):
                rest = self.folded[named.end : named.end + MAX_TO_REACTION]
                return named.pets if marked[0] == "除了" or stands_out(between, rest) else ()
        return ()

    def _turn_to_many(self, mention: Mention) -> None:
        left_out = (
            self.excepted or self._left_out_after(mention) or (self.current if mention.kind is MentionKind.REST else ())
        )
        everyone = mention.pets or tuple(pet.id for pet in self.roll.alive)
        chosen = tuple(pet for pet in everyone if pet not in left_out)
        self.state, self.current, self.excepted = (State.OURS, chosen, ()) if chosen else (State.UNCLEAR, (), ())


def _first_subject(roll: PetRoll, utterance: Utterance, folded: str) -> tuple[str, ...]:
    """The pet meant before the message names one: the focus, the only pet, by its records, that of the last talk."""
    if utterance.focus_pet_id in roll.by_id:
        return (utterance.focus_pet_id,) if utterance.focus_pet_id else ()
    if len(roll.alive) == 1:
        return (roll.alive[0].id,)
    if (on_record := pet_on_record(folded, utterance)) in roll.by_id and on_record is not None:
        return (on_record,)
    for said in reversed(utterance.history):
        pets = {pet for mention in roll.names_in(fold_text(said.text)) for pet in mention.pets}
        if len(pets) == 1:
            return tuple(pets)
        if pets:
            asked = roll.names_in(fold_text(said.text).partition("?")[0]) if said.role == "assistant" else []
            first = {pet for mention in asked for pet in mention.pets}
            return tuple(first) if len(first) == 1 else ()
    return ()


def _grouped(folded: str, mentions: list[Mention]) -> list[Mention]:
    """Mentions joined by 和, 跟, 、 become one group."""
    groups: list[Mention] = []
    for mention in mentions:
        last = groups[-1] if groups else None
        if last and last.end == mention.start and {last.kind, mention.kind} == {MentionKind.ROLE, MentionKind.NAME}:
            name = mention if mention.kind is MentionKind.NAME else last  # 老大花生
            groups[-1] = Mention(last.start, mention.end, MentionKind.NAME, name.pets)
            continue
        if last and _UNLIKE.match(folded, mention.end) and _JOINED.match(folded[last.end : mention.start]):
            continue  # 咪咪跟豆豆不一样 is about 咪咪
        if last and _CAUGHT_FROM.match(folded, mention.end) and folded.startswith(("跟", "和"), last.end):
            continue  # 猫跟狗挤一个窝也染上癣了 is about the cat
        if last and _joins(last, mention) and _JOINED.match(folded[last.end : mention.start]):
            pets = tuple(dict.fromkeys([*last.pets, *mention.pets]))
            kind = MentionKind.NAME if MentionKind.NAME in (last.kind, mention.kind) else mention.kind
            groups[-1] = Mention(last.start, mention.end, kind, pets)
        else:
            groups.append(mention)
    return groups


def _both(one: Mention, other: Mention) -> Mention:
    return Mention(one.start, other.end, MentionKind.NAME, tuple(dict.fromkeys([*one.pets, *other.pets])))


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
