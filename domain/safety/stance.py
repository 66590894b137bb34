"""Does a clause recommend a thing or warn against it? Chinese cue words, read from left to right.

不能吃鸡肉 and 鸡肉会过敏 warn; 可以吃点鸡肉 and 鸡肉掰成小块 recommend; 不会过敏 and 没有风险 are good words in spite
of what they hold. A modal that forbids governs what follows it until another modal lifts it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from memory.text_folding import fold_text


class Stance(Enum):
    RECOMMENDS = "recommends"
    WARNS = "warns"


class Cue(Enum):
    """Modals govern what follows; words of judgement speak of what stands near; acts are what one does with it;
    what should be checked on a label is warned of. ASK only keeps 能不能 from being read as 不能."""

    FORBID = "forbid"
    ALLOW = "allow"
    BAD = "bad"
    GOOD = "good"
    ACT = "act"
    CHECK = "check"
    ASK = "ask"


# Alternatives are tried in this order at each position, so what turns a bad word into a good one comes first.
_CUE_WORDS: tuple[tuple[Cue, str], ...] = (
    (
        Cue.ASK,
        r"不新鲜的?[^,]{0,8}|能不能|可不可以|可否|行不行|要不要|用不用|该不该|(?:会不会|是不是|是否|有没有|有无)(?:过敏|呕吐|不适|不良|中毒|刺激|反应|异常|拉稀|软便|抓挠|风险|禁忌)?",
    ),
    (
        Cue.GOOD,
        r"不会(?:再)?(?:有(?:什么)?)?(?:过敏|中毒|刺激|伤|影响|导致|引起|加重|太|拉|吐|有事|出事|怎样|怎么样)"
        r"|(?:没(?:有)?|无)(?:什么|啥|太大|多大|任何)*(?:事|关系|问题|毒|害|大碍|影响|风险|危险|刺激|坏处|妨|所谓|负担|压力|副作用|差别|区别|毛病|隐患|两样)"
        r"|不(?:碍事|要紧|打紧|必担心|用担心|用太担心|必太担心|用怕|用慌|用急|用紧张|伤(?:身|胃|肾|肝)|刺激|至于|算(?:毒|什么))"
        r"|(?:不要|别|不能|不可|不宜|勿)(?:一次)?(?:超过|太多|过多|过量|多给|多吃|多喂|喂太|给太|吃太|贪|太久|整(?:个|颗)|空腹|太烫|"
        r"加盐|加糖|放盐|放糖|加调料|蘸|带皮|带骨|担心|怕|急|慌|紧张|焦虑|嫌|浪费|断)"
        r"|(?:不要?|别|无需|不用|勿|少)(?:再)?(?:加|放|蘸|带|去|用)(?:任何|太多|多余)?(?:的)?(?:盐|糖|油|调料|佐料|调味|酱|料|皮|骨|壳|籽|核|刺|辣|味精|香料|葱姜)"
        r"|(?:不能|别|不要|不可|不宜)(?:天天|每天|顿顿|长期|一直|老|总|只)?(?:当|做|替代|代替)(?:主食|饭|正餐|主粮)|(?:别|不要|不能|不宜)(?:天天|每天|顿顿|老是?|总|连着)(?:吃|喂|给)?"
        r"|(?:别|不要|不能)太[^,]|(?:吃|喂|给|喝)得?(?:太)?多了?(?:才|就|会|容易|可能|要)?[^,]{0,6}|别(?:听|管|理|被|忘)|不然|否则"
        r"|少(?:给|吃|喂|放|舔|尝)(?:一|两|几)?(?:点|些|口|块|颗|勺)?(?=[^,]{0,12}(?:没(?:事|关系|问题|什么)|可以|无妨|也行|就行|不碍事))"
        r"|不(?:太|怎么|那么)?(?:容易|易|大会|太会)(?:过敏|上火|胖|长胖|拉|吐|引起|刺激|拉肚子|软便)|低敏|低致敏|(?:过敏|致敏性?|刺激性?|副作用|风险|毒性)(?:很|更|比较|也|都)?(?:少|低|小|轻|弱)"
        r"|没(?:啥|什么)(?=$|的|啦|吧|大不了)|没(?:听说|见)过?谁?(?:出事|有事|中毒|吃坏)|也就是|顶多|大不了|无非是?|已经?(?:排除|不过敏|脱敏)|不过敏|放心|冲(?=$|吧|啊)|入手|下单|闭眼入|值得|划算|性价比|安全(?!距离)|不错|挺好|很好|更好|最好(?=用|的|不过|吃)|没毛病|适口|补钙|富含|有好处|有助|见效|省(?:钱|得|事)|正好|刚好|(?<!不)(?<!太)合适|没差|够不到|无妨|营养(?:高|好|丰富|更|均衡)",
    ),
    (
        Cue.ALLOW,
        r"(?<!不)可以(?!说|看到|看出|导致|引起|让它中毒)|(?<!不)可(?=喂|吃|给|用|选|试|适|少量)"
        r"|(?<![不可才只万功性])能(?=吃|喝|用|喂|给|当|放|养|补|帮|缓|起|治|消|止|打|滴|涂|抹|停|换|混|一起|杀|驱|同)"
        r"|推荐|建议(?=给|喂|用|吃|选|试|换|买|加|补|打)|试(?:试|一试|下)|适合|随便|尽管|照常|照样|照旧|完全行|就行|行(?=的|哦|啊|呀|$)|好(?=的呀|呀|嘞)|当然",
    ),
    (
        Cue.FORBID,
        r"(?<!要)不(?:太|是很|怎么|大|再)?(?:能|可以|可|要|建议|推荐|行|宜|适合|该|应|许|得|准|吃|喂|给|用(?=喂|吃|给|补|加|打|换|买|再)|碰|打|喝|沾|啃|舔|尝|试|拿|考虑|放|养|选|买|加|安全|合适|敢|兼容|需要|必)"
        r"|别(?!的|人|家|墅|致)|勿|切忌|禁(?:用|食|止|忌|服)?|忌|避(?:免|开)|远离|停(?:掉|喂|止|了)|拒绝|少(?:碰|给|吃|喂|用|放|摆|买|选)(?!量|许)|杜绝"
        r"|拿走|收好|收起|清走|移走|扔掉|挪开|搬走|千万|绝对不(?:能|可以|可|行|要|是)?|换掉|戒|算了|免了|不是(?=给|喂|猫|狗)|锁(?:好|起|进|在)|(?:吃|喂|给|喝|舔|碰|沾)?(?:一点点?|一口|一颗|一滴|一丁点|半点)(?:都|也)(?!没(?:事|关系|问题)|可以|行|能)|没(?:有)?必要|吃不了|受不了|喝不了|用不了|跳过|放弃|拒|先不(?:用|要|给|喂|吃|打)|放回|略过|划掉|绕开|绕过|躲开|拉黑",
    ),
    (
        Cue.BAD,
        r"毒|致命|致死|要命|危险|有害|害(?=肾|肝)|损害|损伤|伤(?=肾|肝|胃|心|肠|牙|红细胞|身|到|眼)|溶血|刺激|过敏(?!猫|狗|犬|体质|期|宠)|诱发|加重|引起|引发|导致|造成|风险"
        r"|出事|冒险|误(?=吃|食|服|舔|喝|用|吞)|不小心|偷吃|偏低|不足|不够(?!的)|跟不上|缺(?=乏|少|牛磺酸|钙|营养|维)|小心|当心|警惕|代谢不|分解不|不耐受|太高|超标|偏高|过高|(?:盐|糖|脂肪|磷|钙|油)分?(?:含量)?(?:很|太|偏|较)?高|负担|复发|冲突|相互作用|交叉|叠加(?!一下|用|吃|喂|打|着)|疑似"
        r"|容易(?!消化|吸收|接受|喂|适应|嚼|买|清|养|操作|入口|吞|上手)|会(?=让|使|伤|破坏|影响|降低|干扰|出血|溃疡|低血糖|拉|吐|胖|升|害|死|发作|反弹|稀释)"
        r"|破坏|不好|不利|坏处|隐患|卡喉|划伤|扎(?=伤|破|穿)|急症|急诊|衰竭|肾衰",
    ),
    (
        Cue.CHECK,
        r"(?:很多|多数|大多数?|不少|有些|有的)(?=[^,]{0,12}(?:是|含|加|用|混|有))|注意(?!力)|核对|留意|检查|翻(?:下|一下|翻|看)?配料|看(?:清|看|下|一下|好|准)?(?:配料|成分)|确认(?=没|不|里|有没有|配料)|(?:配料|成分)表?(?:里|中)?(?:有|含|写)|混了|混有|混入|掺了|掺有|藏着|隐藏",
    ),
    (
        Cue.ACT,
        r"给(?!医|兽|大夫|我)|喂|拌|掰|掺|加(?=点|入|到|一|些|半|餐|几|在|进|个|把|两)|撒|涂|抹|滴(?!剂|几)|喷(?!剂)|擦|敷|打(?=一|点|半|支|针|两)"
        r"|换(?=成|用|为|个|回|吃)|改(?=成|用|吃|喂)|选|买|(?<![人狗犬猫宠物])用(?!品|药期|完|量|途|于)|补(?=充|点|一|钙|营|水|两|上)|先吃|吃(?=点|一|两|半|几|些|三|这|上)|喝(?=点|一|些)"
        r"|稀释|浸泡|泡(?=个|两|一|几|澡|脚)|化水|放(?=在|窗|桌|阳台|客厅|卧室|上|高|客|远|一|点|两)|插|摆|点(?=在|上)|继续|一起|混(?=着|在|入)|搭|奖励|当(?=零食|奖励|加餐)|多吃|尝|蒸|煮(?=熟|一|点|个|烂)|炖|来(?=点|一|几|些|两)|挤|撕",
    ),
)
_CUES = re.compile("|".join(f"(?P<{cue.value}>{words})" for cue, words in _CUE_WORDS))
_CUE_OF: dict[str, Cue] = {cue.value: cue for cue in Cue}
_WARNING = frozenset({Cue.FORBID, Cue.BAD})
_INVITING = frozenset({Cue.ALLOW, Cue.GOOD})
_INSTEAD_OF = re.compile(r"(?:代替|替代|取代|而不是|比起|胜过|好过|不如|除了|以外|之外)$")
_WITHOUT = re.compile(
    r"(?:(?<!有)没有|没|未|不|别|少|勿|不含|不加|没加|不放|没放|没有?加|无|未添加|不带|去掉|零添加|0|无添加|没蘸|不沾|换掉|停掉|戒掉)$"
)
_SWAPPED = re.compile(r"(?:以外|之外|换成|换为|改成)")
_BUT = re.compile(r"但是|但|不过(?![敏量期])|然而|可是|而是|只是|其实|偶尔|实在")
_REACH = 10  # characters between a thing and the judgement that follows it


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece between commas. `start` is its place in the whole text; `text` is folded, as long as the original.

    cues: (start, end, cue) in the clause, left to right. verdict: what the clause says as a whole.
    """

    text: str
    start: int
    sentence: int
    cues: tuple[tuple[int, int, Cue], ...]
    verdict: Stance | None

    @property
    def ends_badly(self) -> bool:
        """Is its last judgement or modal a bad word on the thing (not only a word on how it is given)?"""
        firm = [cue for _, _, cue in self.cues if cue in _WARNING or cue in _INVITING]
        return bool(firm) and firm[-1] is Cue.BAD

    @property
    def is_firm(self) -> bool:
        """Does the verdict stand on a modal or a judgement, not only on an act that is named?"""
        return any(cue in _WARNING or cue in _INVITING for _, _, cue in self.cues)

    @property
    def end(self) -> int:
        return self.start + len(self.text)


_SENTENCE_END = re.compile(r"[。!?;\n~]+|…+")
_CLAUSE_END = re.compile(r"[,:\s()—]+|(?=但是|不过(?![敏量期])|可是|然而)|(?<=.)(?=但(?!凡))")


def split_clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a text in order, with the number of the sentence each stands in."""
    folded = fold_text(text)
    return tuple(
        _make_clause(folded[begin:end], begin, number)
        for number, (start, stop) in enumerate(split_spans(folded, _SENTENCE_END))
        for begin, end in _spans(folded, start, stop, _CLAUSE_END)
    )


def _make_clause(text: str, start: int, sentence: int) -> Clause:
    cues = tuple((found.start(), found.end(), _CUE_OF[found.lastgroup or ""]) for found in _CUES.finditer(text))
    return Clause(text, start, sentence, cues, _verdict(cue for _, _, cue in cues))


def split_spans(folded: str, breaks: re.Pattern[str] = _SENTENCE_END) -> list[tuple[int, int]]:
    """Spans of the sentences of a folded text, without their punctuation."""
    return _spans(folded, 0, len(folded), breaks)


def _spans(folded: str, start: int, stop: int, breaks: re.Pattern[str]) -> list[tuple[int, int]]:
    spans, begin = [], start
    for found in breaks.finditer(folded, start, stop):
        if found.start() > begin:
            spans.append((begin, found.start()))
        begin = found.end()
    if stop > begin:
        spans.append((begin, stop))
    return spans


def _verdict(cues: Iterable[Cue]) -> Stance | None:
    """The last modal or judgement counts; an act only where there is none."""
    verdict: Stance | None = None
    for cue in cues:
        if cue in _WARNING:
            verdict = Stance.WARNS
        elif cue in _INVITING or (verdict is None and cue is Cue.ACT):
            verdict = Stance.RECOMMENDS
    return verdict


def stance_on(clause: Clause, start: int, end: int, next_thing: int | None = None) -> Stance | None:
    """What a clause says of its piece [start:end]; None when it says nothing itself.

    next_thing: where the next named thing begins; a modal that stands before it belongs to it.
    """
    before = clause.text[:start]
    is_absent = _WITHOUT.search(before) and not clause.text.startswith("的话", end)
    if is_absent or _INSTEAD_OF.search(before) or _SWAPPED.match(clause.text, end):
        return Stance.WARNS
    governing, following = _cues_around(clause, start, end, next_thing)
    if governing in {Cue.FORBID, Cue.CHECK} or following in _WARNING:
        return Stance.WARNS
    if governing is Cue.ACT or governing in _INVITING or following is Cue.ACT or following in _INVITING:
        return Stance.RECOMMENDS
    return Stance.WARNS if governing is Cue.BAD else None


def _cues_around(clause: Clause, start: int, end: int, next_thing: int | None) -> tuple[Cue | None, Cue | None]:
    """The cue that governs a thing from before it, and the first judgement or modal that follows it and is its own."""
    governing: Cue | None = None
    for begin, stop, cue in clause.cues:
        if cue is Cue.ASK:
            continue
        if stop <= start:
            governing = cue if not (cue in {Cue.ACT, Cue.BAD} and governing in {Cue.FORBID, Cue.CHECK}) else governing
        elif begin >= end and cue is not Cue.CHECK:
            return governing, cue if _is_its_own(begin - end, begin, stop, cue, next_thing) else None
    return governing, None


def _is_its_own(distance: int, begin: int, stop: int, cue: Cue, next_thing: int | None) -> bool:
    if distance > _REACH or (next_thing is not None and begin >= next_thing):
        return False
    return not (next_thing is not None and cue in {Cue.ALLOW, Cue.FORBID, Cue.ACT} and stop >= next_thing - 2)


def inherited_stance(clauses: Sequence[Clause], position: int) -> Stance | None:
    """What the neighbours in the same sentence say: the clauses before it, nearest first, then those after it."""
    sentence = clauses[position].sentence
    before = (clause for clause in reversed(clauses[:position]) if clause.sentence == sentence)
    after = (clause for clause in clauses[position + 1 :] if clause.sentence == sentence)
    for clause in (*before, *after):
        if clause.verdict is not None:
            return clause.verdict
    return None


def opens_with_but(clause: Clause) -> bool:
    """ "但偶尔一口没事": such a clause takes back what stood before it."""
    return bool(_BUT.match(clause.text))
