"""Cut a message into clauses, the units that make one statement each. Offsets always point into the message."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

MAX_CLAUSE = 120  # characters; nobody says more in one breath, and it bounds what a rule may have to read
_SENTENCE_ENDS = frozenset("。!?;\n\r")
_CLAUSE_ENDS = frozenset(',:()[]{}【】「」『』《》〈〉“”"~…—|·•')
_IN_NUMBERS = frozenset(".,:")  # 5.1, 1,200, 7:30
_CONNECTORS = re.compile(
    r"但是|但(?![凡愿])|不过(?!敏|是)|可是|然后|而且|结果(?![是出显正还怎如咋呢吗啥好]|什么)|(?<!以)(?<!之)(?<!然)(?<![\d一二两俩三四五六七八九十几个][天周月年])(?<!礼拜)(?<!星期)(?<!小时)后来|(?<![到至是从在我])现在|另外|并且|随后|所以|因为|(?<![是的])其实(?=是)|实际上"
)
_NOT_THE_OTHER = re.compile(
    r"(?<![只光就专单])(?P<does>爱吃|爱喝|喜欢吃?|爱|会|认|让|怕|吃|喝|肯)(?!不)(?![了过着的完])[^,。\d不没就]{1,6}?(?=不(?P=does)(?!就|了|的|[吗呢吧])[^,。])"
)  # 会坐|不会趴, 爱吃胡萝卜|不爱吃青椒
_NOT_YET_ABLE = re.compile(r"(?<=会)[^,。不没]{2,16}?(?=(?:(?:就是|但|可是|可|只是)还?|还)不会[^,。就了])")
"""会握手和装死|还不会随行: what it can do and what it cannot."""
_EATS_AGAIN = re.compile(
    r"(?<!只)(?:不(?:爱|肯|喜欢)?|爱|喜欢)(?P<eats>吃|喝)(?![了过着的完就])[^,。\d不没就吃喝了得]{1,6}?(?=(?:就|只|也|还|倒|却|光|但|可)*(?:不(?:爱|肯|喜欢)?|爱|喜欢)(?P=eats)(?!就|了|的|[吗呢吧])[^,。])"
)  # 不爱吃胡萝卜|不爱吃苹果|就爱吃肉
_AND_THE_OTHER = re.compile(
    r"(?<![\d第每])(?:有)?一(?P<which>[只条个位份])(?!月|星期|礼拜|周|小时|半|劲|人|晚|早)[^,。\s一吃喂用打]{0,5}(?:阴|阳|正常|干净|虫|没|评|级|携带|偏|轻|重|合格|达标|[abcd])[^,。\s一]{0,3}?(?=另?一(?P=which)(?!月|星期|礼拜|周|小时|半)[^,。\s]{1,8})"
)  # 一条阴性|一条阳性
_ONE_MORE = re.compile(
    r"(?<![不没可])(?P<verb>怕|爱|喜欢)(?![了过着的])[^,。、\d不没就了的吗呢]{1,5}?(?=(?:还|也|又|更|最)?(?P=verb)(?!的|了|不|到|得|[吗呢吧])[^,。吃喝])"
)  # 怕打雷|还怕吹风机
_NEXT_JAB = re.compile(r"针\d{1,2}[./]\d{1,2}(?=(?:第?[二三四]|末)针)")  # 头针4.22二针5.13
_EMOJI_FROM = 0x1F000  # pictographs, emoji and their modifiers start here


@dataclass(frozen=True, slots=True)
class Clause:
    """`text` is the folded slice [start:end] of the message; `sentence` counts sentences from 0.

    `asked` and `closed_by` tell how it ended; `bracketed` text stands in round brackets, `quoted`
    text between quotation marks and is long enough to be a saying.
    """

    text: str
    start: int
    end: int
    sentence: int
    closed_by: str = ""
    bracketed: bool = False
    quoted: bool = False

    @property
    def asked(self) -> bool:
        return self.closed_by == "?"


def split_clauses(folded: str) -> list[Clause]:
    """Clauses of a folded message, in order, without separators or outer blanks. Linear in its length."""
    clauses: list[Clause] = []
    start, sentence, depth = 0, 0, 0
    for place, character in enumerate(folded + "\n"):
        kind = _kind(folded, place, character)
        if not kind:
            continue
        clauses.extend(_pieces(folded, start, place, sentence, character, depth > 0))
        depth = max(0, depth + (character == "(") - (character == ")"))
        sentence += kind == "sentence"
        start = place + 1
    sayings = [
        match.span()
        for match in _SAYING.finditer(folded)
        if not _INTRODUCED.search(folded[max(0, match.start() - 4) : match.start()])
    ]
    return (
        [replace(clause, quoted=True) if _inside(clause, sayings) else clause for clause in clauses]
        if sayings
        else clauses
    )


_SAYING = re.compile(r"[“\"「『]([^”\"」』]{8,})[”\"」』]")
_INTRODUCED = re.compile(r"(?:说|讲|写[着了道]?|[标注批印]着?|着|是|:|叫|回复|结论|诊断|显示|提示|注明)$")


def _inside(clause: Clause, sayings: list[tuple[int, int]]) -> bool:
    """Within a long quotation that nobody is said to have said."""
    return any(start <= clause.start and clause.end <= end for start, end in sayings)


def _kind(folded: str, place: int, character: str) -> str:
    """`sentence`, `clause` or nothing for the separator at a place."""
    if character in _IN_NUMBERS and _between_digits(folded, place):
        return ""
    if character == ":" and _names_an_id(folded, place):
        return ""
    if character == "、" and _DOTTED_DATE.match(folded, place + 1):
        return "clause"  # 9.6首针、9.27第二针
    if character in _SENTENCE_ENDS:
        return "sentence"
    if character in _CLAUSE_ENDS or is_pictograph(character):
        return "clause"
    if character == ".":
        return "" if _touches_latin(folded, place) else "clause"
    return "clause" if character.isspace() and _between_chinese(folded, place) else ""


def is_pictograph(character: str) -> bool:
    """Emoji, their joiners and selectors."""
    code = ord(character)
    return code >= _EMOJI_FROM or 0x2600 <= code <= 0x27BF or code in (0x200D, 0xFE0F, 0x20E3)


def is_chinese(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


_CODE = re.compile(r"\d{4}")


def _between_digits(folded: str, place: int) -> bool:
    """Within a figure; 尾号6027,3154过户了 holds two codes, which no comma joins to one."""
    if not (0 < place < len(folded) - 1 and folded[place - 1].isdigit() and folded[place + 1].isdigit()):
        return False
    codes = _CODE.fullmatch(folded[max(0, place - 4) : place]) or _CODE.match(folded, place + 1)
    return folded[place] != "," or codes is None


def _names_an_id(folded: str, place: int) -> bool:
    """微信:abc123 is one thing said."""
    before, after = folded[max(0, place - 3) : place], folded[place + 1 : place + 2]
    return after.isascii() and after.isalnum() and before.endswith(("微信", "微信号", "电话", "手机", "邮箱", "手机号"))


def _touches_latin(folded: str, place: int) -> bool:
    before, after = folded[place - 1 : place], folded[place + 1 : place + 2]
    return (before.isascii() and before.isalnum()) and (after.isascii() and after.isalnum())


_UNIT_AHEAD = re.compile(
    r"公斤|千克|斤|片|粒|颗|个|天|次|月|号|克|毫|单位|岁|度|块|元|滴|支|针|周|年|小时|分|点|多|左右|以"
)


_DOTTED_DATE = re.compile(r"\d{1,2}[./]\d{1,2}(?:号|日)?(?:打|吃|喂|第|头|首|末|[一二三四]针)")


def _between_chinese(folded: str, place: int) -> bool:
    """A blank between Chinese words ends a clause; between a word and a number only when it is no label or unit."""
    before, after = folded[place - 1 : place], folded[place + 1 : place + 2]
    if before.isdigit():
        return is_chinese(after) and _UNIT_AHEAD.match(folded, place + 1) is None
    if not is_chinese(before):
        return False
    if _DOTTED_DATE.match(folded, place + 1):
        return True  # 4.11第一针 5.2第二针
    return is_chinese(after) or (after.isdigit() and all(is_chinese(ch) for ch in folded[max(0, place - 4) : place]))


def _pieces(folded: str, start: int, end: int, sentence: int, closed_by: str, bracketed: bool) -> list[Clause]:
    """The slice as one clause, or several when connectors (但是, 后来, 现在) stand inside it."""
    turns = [start + match.start() for match in _CONNECTORS.finditer(folded[start:end]) if match.start()]
    turns += [match.end() for match in _NOT_THE_OTHER.finditer(folded, start, end)]
    turns += [match.end() for match in _ONE_MORE.finditer(folded, start, end)]
    turns += [match.end() for match in _EATS_AGAIN.finditer(folded, start, end)]
    turns += [match.end() for match in _NOT_YET_ABLE.finditer(folded, start, end)]
    turns += [match.end() for match in _AND_THE_OTHER.finditer(folded, start, end)]
    turns += [start + match.end() for match in _NEXT_JAB.finditer(folded[start:end])]
    cuts = sorted({start, *turns, *range(start + MAX_CLAUSE, end, MAX_CLAUSE), end})
    made = [
        clause
        for left, right in pairwise(cuts)
        if (clause := _trimmed(folded, left, right, sentence, bracketed)) is not None
    ]
    if made:
        made[-1] = replace(made[-1], closed_by=closed_by)
    return made


_OF_ME_FIRST = re.compile(
    r"^(?:其实|反正|平时|因为|最近|现在)*我(?!家|们家|的|给|带|把|喂|抱|看|觉|发现|想|怕|让|跟|和|陪|叫|说|以为|怀疑|担心|拿|用|帮|昨|今|刚|早|晚|摸|问|记|提|听|查|打|算|估|猜|那|这|前|之|上次|上回|讲|写|填|报)[^,。\x00]{3,18}(?<![给把让带跟和对被为替陪喂抱看养遛接送找叫骂的是买有说到在教等当管拿帮洗过俾够提起讲写报填])(?<![喂给塞扔夹分带抱掰]了)$"
)


def cut_at_names(clauses: list[Clause], starts: Iterable[int]) -> list[Clause]:
    """我做设计的经常加班|豆豆自己在家: what owners say of themselves ends where a pet's name opens a statement.

    starts: where names of pets begin in the message.
    """
    places = sorted(starts)
    cut: list[Clause] = []
    for clause in clauses:
        inside = next((place for place in places if clause.start < place < clause.end), None)
        lead = clause.text[: inside - clause.start] if inside is not None else ""
        if inside is None or clause.quoted or not _OF_ME_FIRST.match(lead):
            cut.append(clause)
            continue
        rest = inside - clause.start
        cut.append(replace(clause, text=lead, end=inside, closed_by=""))
        cut.append(replace(clause, text=clause.text[rest:], start=inside))
    return cut


def _trimmed(folded: str, start: int, end: int, sentence: int, bracketed: bool) -> Clause | None:
    while start < end and folded[start].isspace():
        start += 1
    while end > start and folded[end - 1].isspace():
        end -= 1
    return Clause(folded[start:end], start, end, sentence, bracketed=bracketed) if start < end else None
