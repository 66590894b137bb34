"""A clause with everything the rules need to know of it, and what a rule answers: a draft of a claim."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from domain.dates import TimeReading
from domain.offline.extractor.quantities import Quantity, find_quantities
from domain.offline.extractor.tone import Tone
from domain.offline.extractor.wordlist import Hit
from domain.pet_mentions import About, State
from domain.pet_profiles import Utterance
from memory.topics import Topic
from memory.vocabulary import AttributeClass, Certainty, SpeechAct


@dataclass(slots=True)
class Reading:
    """One stretch of the message about one subject. `text` is folded, pets' names blanked; offsets are the message's.

    `hits` are its known words, `used` those that a rule has already turned into a claim.
    """

    about: About
    text: str
    tone: Tone
    hits: list[Hit]
    sentence: int
    times: tuple[TimeReading, ...] = ()
    used: set[Hit] = field(default_factory=set)
    place: int = 0  # in the scene
    reports: bool = True  # the clause may tell of a pet at all; set once the whole message is known

    @property
    def usable(self) -> bool:
        """Whether it reports something of a pet of this household, or of the owner."""
        return self.tone.usable and self.about.state in (State.OURS, State.UNCLEAR)

    @property
    def start(self) -> int:
        return self.about.start

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def of(self, *families: str) -> list[Hit]:
        """Unused hits of these families, in order."""
        return [hit for hit in self.hits if hit.family in families and hit not in self.used]

    def has(self, *families: str) -> bool:
        return any(hit.family in families for hit in self.hits)

    def before(self, hit: Hit, reach: int = 6) -> str:
        """Text before a hit, from the previous hit on, at most `reach` characters."""
        place = hit.start - self.start
        earlier = [other.end - self.start for other in self.hits if other.end <= hit.start]
        return self.text[max(0, place - reach, earlier[-1] if earlier else 0) : place]

    def after(self, hit: Hit, reach: int = 8) -> str:
        place = hit.end - self.start
        return self.text[place : place + reach]

    def quantities(self) -> list[Quantity]:
        """Offsets are the message's."""
        return list(_quantities(self.text, self.start))


@lru_cache(maxsize=128)  # a dozen rules ask for those of the same clause
def _quantities(text: str, start: int) -> tuple[Quantity, ...]:
    return tuple(Quantity(q.start + start, q.end + start, q.number, q.unit) for q in find_quantities(text))


@dataclass(slots=True)
class Scene:
    """The whole message: all readings in order, the utterance, and what earlier rules found."""

    utterance: Utterance
    folded: str
    readings: list[Reading]
    times: tuple[TimeReading, ...] = ()
    tells_something: bool = True  # a pet is named, or something happened, somewhere in the message

    @property
    def now(self) -> datetime:
        return self.utterance.now

    def next_of(self, reading: Reading) -> Reading | None:
        place = reading.place + 1
        return self.readings[place] if place < len(self.readings) else None

    def previous_of(self, reading: Reading) -> Reading | None:
        return self.readings[reading.place - 1] if reading.place else None


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim without its subject's name, date and wording; those are added in `assembly`.

    start, end: the evidence in the message. `cls` and `topic` override the slot's own; `owner` is about the owner;
    `about` is a word that the clause leaves out and the line must name.
    """

    attribute: str
    start: int
    end: int
    value: Mapping[str, Any] = field(default_factory=dict)
    negated: bool = False
    cls: AttributeClass | None = None
    topic: Topic | None = None
    act: SpeechAct | None = None
    certainty: Certainty | None = None
    owner: bool = False
    on: date | None = None
    about: str = ""


_DENIAL = re.compile(
    r"(?:没有?|不|未|无|(?<![特个分])别(?!是)|不会|不再|没再|再没|再也没|再也不|从没|从未|从来没有?|从来不|没怎么|不怎么|不太|没出现|没发现|未见|没见|没看到|不像|不算|不是|并没有?|排除了?|没得过?|没再发?|不用|不能|不许|不让|不肯)"
    r"(?:再|有|过|得|发现|出现|什么|啥|任何|犯|会|怎么|太|打|吃|喂|用|做|给|是|爱|喜欢|流|咳|抽|挠|掉|碰|去|长|红|肿|臭|秃|痒|冒|起|闹|见着?|看见|看到|哪[儿里个]?|它|他|她|\x00)*$"
)
_GONE = re.compile(
    r"^(?:都|也|再|一[点个颗])*没(?:长|冒|起|犯|见|再|有|拉|吐|咳|抽)|"
    r"^(?:了|的|毛病|习惯|问题|情况|都|也|已经|基本|全|就|完全|终于|差不多|早就?)*(?:没有了|没了|消失|消退|好[了啦咯]|不见了|止住|没再|没有?过|痊愈|正常了|恢复了|转阴|不再|缓解(?!期)|停了(?!药)|退了|褪了|好利索|治好)|^[^,。]{0,4}(?:都|也|全)没(?:看|找|查|瞧|瞅|见)(?:着|到|见|出)|^没(?:看|找|查|瞧|瞅)(?:着|到|见|出)|^(?:已经|都|也|还|全|结果|检测|试纸|抗原|抗体|测试|核酸|pcr|化验|测了?|检查|查了?)*(?:是|呈)?(?:阴性|正常|没有$|没问题|没事|没异常|无异常|没毛病)"
)


_YET = re.compile(r"(?:还是|又|但|后半截|后一截|后面|后头)[^,。]{0,3}(?:稀|软|不|带|红|肿|痒|咳|吐|拉)")
_CONDITIONAL = re.compile(r"够?了?就(?!没)")


_AWAITED = re.compile(r"等(?:它|他|她|\x00)*$")  # 等感冒好了再打: it is there now


def denied(reading: Reading, hit: Hit) -> bool:
    """Whether the clause denies what the hit names: 没吐, 再没便秘, 不过敏, 咳嗽好了."""
    return is_denied(reading.before(hit, 8), reading.after(hit, 10))


def is_denied(before: str, after: str) -> bool:
    """Whether what stands around a word denies it."""
    if _YET.search(after) or _CONDITIONAL.match(after[:4]) or _AWAITED.search(before):
        return False
    return _DENIAL.search(before) is not None or _GONE.search(after) is not None


_POSSESSED = re.compile(
    r"(?:[左右]?(?:耳朵?|眼睛?|伤口|脖子|背|腿|嘴|身|脸)[里上边]?)?(?:(?:刚|才|正)?[抹涂滴打擦上敷喷用][了完]?)?的[^,。的\x00]{0,3}"
)


def belongs_to(reading: Reading, mention_end: int, hit: Hit) -> bool:
    """狗的药膏, 狗耳朵里的药膏: whether the hit stands right after a pet as its own."""
    return _POSSESSED.fullmatch(reading.text, mention_end - reading.start, hit.start - reading.start) is not None


def is_anothers(reading: Reading, hit: Hit) -> bool:
    """Whether a thing is named only as another pet's: 橘猫把泰迪的药膏打翻了."""
    for mention in reading.about.mentions:
        place, between = mention.start - reading.start, hit.start - mention.end
        of_another = bool(mention.pets) and not set(mention.pets) & set(reading.about.pets)
        if of_another and between > 0 and belongs_to(reading, mention.end, hit):
            return True
        if of_another and 0 < between <= 6 and reading.text[:place].endswith("把"):
            return reading.text[mention.end - reading.start :].startswith(("的", "那个", "那"))
    return False


_UNSEEN = re.compile(
    r"没(?:有|再|怎么|见)?(?:红|肿|痒|吐|流|起|发|抖|抽|长|鼓|胀|尿[血频结]|[拉便]血)"
    r"|(?<![不没])(?<!不[太大很算是])(?:正常|干净|清亮|平稳|挺好|很好|不错|没问题|没事|好好的)"
)


def is_unseen(words: str) -> bool:
    """等到睡前眼睛都没红, 走路正常: the sign that was waited for did not come."""
    return (
        _UNSEEN.search(words) is not None
        and re.search(r"但|却|不过|还是|一直|[只就]是|后半|后一|后[面头]", words) is None
    )
