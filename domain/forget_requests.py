"""What a message wants forgotten: the line just told or shown, what was just said, the message itself, or words. Pure.

Only the owner's own plain wish counts: 把这条忘了吧, 忘掉豆豆不吃鸡肉这件事, 别记这个, 刚才那句不要记. What others
said, what is quoted, what people forgot (忘了喂药) and what must not be forgotten (别忘了) ask for nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from domain.pet_profiles import SaidBefore
from domain.undo_requests import read_undo
from memory.text_folding import fold_text

MAX_READ = 200  # characters; a longer story asks for nothing in passing
ASK_MARK, SURE_MARK = "忘掉哪一条", "真的要从健康档案里删掉"
"""Words of our questions, by which the next message is known to be an answer."""

_FEWEST_WORDS = 2  # characters that can find a memory


class Forget(StrEnum):
    """What is to be forgotten."""

    SHOWN = "shown"  # 这条: what was just taught, or what the last answer told
    SAID = "said"  # 刚才那句: what the last message taught
    THIS = "this"  # 别记这个, after what is told in the same message
    WORDS = "words"  # a memory that says these words
    EVERYTHING = "everything"


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """One wish. words: by which a memory is found. span: where it stands in the message. pick: of a list, from 1.

    all_of_them: every line of the list that was shown. sure: the owner was asked about a record and said yes.
    """

    what: Forget
    words: str = ""
    span: tuple[int, int] = (0, 0)
    pick: int | None = None
    all_of_them: bool = False
    sure: bool = False


_LEAD = (
    r"(?:(?P<asks>请你?|麻烦你?|拜托你?|帮我|帮忙|能不能|可不可以|可以|能)"
    r"|你|嗯+|好的?|行|那就?|算了|哦|对了|不对|等等|等一下|抱歉|不好意思|说错了|记错了|我(?:说|记)错了|还是|就|先|[,、\s])*"
)
_THIS = (
    r"(?P<this>(?:刚才|刚刚|方才|上面|前面)(?:我)?(?:说|讲|写|记|提)?(?:到|过)?的?(?:那|这)?(?:一?[个条句件段]|些)?(?:话|消息|记忆|内容|事情?|记录)?"
    r"|(?:这|那|上|上面那|最后)一?(?:[个条句件段]|些)(?:话|消息|记忆|内容|事情?|记录)?)"
)
_THING = (
    r"(?:的?(?:这|那)(?:件事情?|事儿?|条(?:记忆|记录)?|个(?:记忆|记录)?|一条|回事)"
    r"|的事情?|的?(?:那|这)?条?(?:记忆|记录)|的(?:那|这)(?:一?句|些)?话?)"
)
_LINE = r"的?(?:这|那)(?:条(?:记忆|记录)?|个(?:记忆|记录)|一条)|的?(?:记忆|记录)"
_DROP = r"(?P<drop>忘(?:了|掉|记|干净)|删(?:了|掉|除|一下)?|抹(?:掉|去)|清除掉?|去掉)"
_NOT_KEEP = r"(?P<keep>(?:不要|别|不用|不必|甭)(?:再|给我|帮我)?(?:记(?:住|下来?|录|着)?|存(?:下来?|着)?|保存|保留))"
_END = r"(?P<end>(?:吧|了|啦|哈|呗|好吗|好不好|可以吗|行吗|行不行|一下|,?谢谢你?|吗)*)"
_FROM = r"(?:从(?:你的?)?(?:记忆|脑子|记录)里?(?:面)?)?"
_WORDS = r"(?P<words>[^,]{2,40}?)"
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        rf"{_LEAD}(?:把|将){_THIS}(?:给我|也|都|全)?{_FROM}{_DROP}{_END}",
        rf"{_LEAD}{_THIS}(?:你|就|也|都|请|帮我|先)*(?:{_DROP}|{_NOT_KEEP}){_END}",
        rf"{_LEAD}{_DROP}{_THIS}{_END}",
        rf"{_LEAD}{_NOT_KEEP}{_THIS}?{_END}",
        rf"{_LEAD}{_FROM}(?:把|将){_WORDS}(?P<thing>{_THING})?{_FROM}(?:给我|也|都|全)?{_DROP}{_END}",
        rf"{_LEAD}{_FROM}{_DROP}(?:关于)?{_WORDS}(?P<thing>{_THING})?{_END}",
        rf"{_LEAD}{_NOT_KEEP}{_WORDS}(?P<thing>{_THING}){_END}",
        rf"{_LEAD}{_WORDS}(?P<thing>{_THING})(?:你|就|也|都|请|帮我|给我|先|可以)*(?:{_DROP}|{_NOT_KEEP}){_END}",
        rf"{_LEAD}{_WORDS}(?P<thing>{_LINE})(?:就|也|都|先|我)*(?P<away>不(?:要|需要|留|用留)了){_END}",
    )
)
_OFTEN_CONFESSED = re.compile(r"忘(?:了|记)")  # 把喂药忘了 tells what a person forgot
_WISHES = re.compile(r"[吧哈呗谢]|好吗|好不好|行|可以")
_OTHER_THINGS = re.compile(
    r"怎么|如果|要是|为什么|把$|提醒|日程|闹钟|预约|安排|账号|照片|分享|聊天|[\"'“”‘’「」『』《》:]"
)
_NAMES_A_LINE = re.compile(r"条|记忆|记录")
_ALL_OF_ONE = tuple(
    re.compile(shape)
    for shape in (
        rf"{_LEAD}(?:把|将)?关于[^,]{{1,8}}?的?(?:事情?|记忆|记录|内容|东西|资料|信息)*(?:都|全|全部|统统|所有)+{_DROP}{_END}",
        rf"{_LEAD}(?:把|将)?(?:你的?)?(?:所有|全部|一切|整个)*的?(?:记忆|记录|数据)*(?:都|全部?|统统)*"
        rf"(?:清空|清零|格式化)(?:所有|全部)?的?(?:记忆|记录|数据)*{_END}",
        rf"{_LEAD}(?:全部|统统|全都)(?:给我)?{_DROP}{_END}",
    )
)
_BARE = re.compile(rf"{_LEAD}(?:把它|它|这个)?(?:删|忘)(?:了|掉)(?:它)?(?:吧|它)*{_END}")
"""删了吧, after what was told or shown."""
_NO_MEMORY = re.compile(
    r"提醒|日程|闹钟|预约|安排|账号|照片|分享|聊天|说|让|叫|问|听|如果|要是|怎么|为什么|我(?:又|都|会|总)?忘|^我[把将]|[\"'“”‘’「」『』《》:]"
)
_DELETES = re.compile(r"删|抹|清除?|去掉")
_SAID_BY = re.compile(r"(?:说|讲|提(?!醒))(?:过|到)?(?:的|$)")
_I_SAID = re.compile(r"^我?(?:之前|刚才|上次|前面)?我?(?:说|讲|提)(?:过|到)?的")  # no line of memory begins so
_PART_OF_THE_VERB = re.compile(r"[了掉除]")
_ALL = re.compile(
    r"(?:所有|全部|一切|每一?条)(?:的|记忆|记录|东西|事情?|内容|信息|都)*|.{0,8}的?(?:所有|全部|一切).{0,6}"
)
_TOLD_BY_OTHERS = re.compile(
    r"(?:[说讲道问回喊写]|原话|告诉我|留言|转发|台词|意思)(?:是|了|过|着|道)?[,，:：\s]*$|[:：]\s*$"
)
_OPEN_QUOTES, _CLOSED_QUOTES = "“「『《‘", "”」』》’"
_CLAUSE = re.compile(r"[^。！!？?；;\n,，]+")
_JUST_SAID = re.compile(r"刚|方才|上|前面|最后|句|话")
_PICK = re.compile(r"(?:就|忘掉?|删掉?)*第?([一二三四五1-5])(?:个|条)?(?:吧|那条|那个)?")
_BOTH = re.compile(r"(?:两条|两个|都|全部?|统统|所有的?)(?:都|全)?(?:忘掉?|删掉?|要|不要|是)*(?:了|吧)*")
_YES = re.compile(
    r"(?:嗯+|对|是的?|好的?|确定|确认|真的|没错|可以|要|[,，])*(?:删(?:了|掉|除)?|忘(?:了|掉)|确定|确认|是的?|对|要|嗯+|好的?)(?:吧|了|的)*"
)
_NUMERALS = {word: number for number, word in enumerate("一二三四五", 1)}


def read_forget(text: str, history: Sequence[SaidBefore] = ()) -> ForgetRequest | None:
    """The wish in a message, together with the talk it answers; None for every other message."""
    folded = fold_text(text)
    whole = folded.strip().rstrip("。.!！~～ ")
    if len(text) > MAX_READ:
        return None
    if (own := _own_wish(folded)) is not None:
        return own
    answer = _answer(whole, history)
    bare = answer is None and bool(history) and _BARE.fullmatch(whole) is not None
    return ForgetRequest(Forget.SHOWN, span=(0, len(folded))) if bare else answer


def is_about_forgetting(text: str) -> bool:
    """Whether a message is a wish of this kind, or the answer to a question of ours about one."""
    folded = fold_text(text)
    whole = folded.strip().rstrip("。.!！~～ ")
    answers = (_PICK, _BOTH, _YES)
    return read_undo(text) is not None or any(one.fullmatch(whole) for one in answers) or _own_wish(folded) is not None


def _own_wish(folded: str) -> ForgetRequest | None:
    for clause in _whole_and_parts(folded):
        start, end = clause
        if _is_told_by_others(folded[:start]):
            continue
        found = _wish(folded[start:end].strip())
        if found is not None:
            told_here = found.what is Forget.SAID and _tells(folded[:start]) and found.words == ""
            return replace(found, what=Forget.THIS if told_here else found.what, words=found.words.strip(), span=clause)
    return None


def _whole_and_parts(folded: str) -> list[tuple[int, int]]:
    """The sentences, then their clauses: 算了，把这条忘了吧 is one wish, 它吐了，别记这个 a story and a wish."""
    sentences = [match.span() for match in re.finditer(r"[^。！!？?；;\n]+", folded)]
    return [*sentences, *(match.span() for match in _CLAUSE.finditer(folded))]


def _wish(clause: str) -> ForgetRequest | None:
    plain = clause.replace("，", ",").strip(" ,")
    if any(shape.fullmatch(plain) for shape in _ALL_OF_ONE):
        return ForgetRequest(Forget.EVERYTHING)
    for shape in _SHAPES:
        match = shape.fullmatch(plain)
        if match is None:
            continue
        found = match.groupdict()
        if not _is_wished(found):
            continue
        if found.get("words"):
            line = _NAMES_A_LINE.search(found.get("thing") or "") is not None
            return _by_words(found["words"], plainly=_is_plain(found), line=line)
        this = found.get("this") or ""
        said = found.get("keep") is not None or _JUST_SAID.search(this) is not None
        return ForgetRequest(Forget.SAID if said else Forget.SHOWN)
    return None


def _is_wished(found: dict[str, str | None]) -> bool:
    """Whether it asks: 忘了 alone is what people do, and a bare 吗 asks whether it is so."""
    asks, end = found.get("asks"), found.get("end") or ""
    if end.endswith("吗") and not asks and not _WISHES.search(end):
        return False
    confessed = _OFTEN_CONFESSED.fullmatch(found.get("drop") or "") is not None
    known = found.get("this") or found.get("thing")
    return not confessed or bool(asks) or _WISHES.search(end) is not None or (known is not None and not end)


def _is_plain(found: dict[str, str | None]) -> bool:
    """删掉, or 把…忘了吧: nobody tells so what people forgot."""
    deletes = _DELETES.search(found.get("drop") or "") is not None or bool(found.get("away"))
    return deletes or _WISHES.search(found.get("end") or "") is not None


def _by_words(words: str, *, plainly: bool, line: bool) -> ForgetRequest | None:
    """plainly: the wish is one whatever the words tell of somebody's saying. line: they call it a line of memory."""
    no_memory = _OTHER_THINGS if plainly and line else _NO_MEMORY
    if no_memory.search(_SAID_BY.sub("", words) if plainly else words):
        return None
    words = _I_SAID.sub("", words)
    if _PART_OF_THE_VERB.match(words):
        return None
    if _ALL.fullmatch(words):
        return ForgetRequest(Forget.EVERYTHING)
    return ForgetRequest(Forget.WORDS, words) if len(words.strip()) >= _FEWEST_WORDS else None


def _is_told_by_others(before: str) -> bool:
    opened = sum(before.count(mark) for mark in _OPEN_QUOTES) > sum(before.count(mark) for mark in _CLOSED_QUOTES)
    return opened or before.count('"') % 2 == 1 or _TOLD_BY_OTHERS.search(before) is not None


def _tells(before: str) -> bool:
    """Whether something else is told before the wish; 算了 and the like tell nothing."""
    return re.fullmatch(_LEAD, before.replace("，", ",").strip(" ,。!！")) is None


def _answer(whole: str, history: Sequence[SaidBefore]) -> ForgetRequest | None:
    """第二条 after our question which one, or 确定 after the one about a record: the wish before it, completed."""
    asked = _asked_before(history)
    if asked is None:
        return None
    span = (0, len(whole))
    if SURE_MARK in history[-1].text:
        return replace(asked, sure=True, span=span) if _YES.fullmatch(whole) else None
    if _BOTH.fullmatch(whole):
        return replace(asked, all_of_them=True, span=span)
    picked = _PICK.fullmatch(whole)
    if picked is None:
        return None
    number = int(picked[1]) if picked[1].isdecimal() else _NUMERALS[picked[1]]
    return replace(asked, pick=number, span=span)


def _asked_before(history: Sequence[SaidBefore]) -> ForgetRequest | None:
    """The wish that our last message asked about."""
    if not history[1:]:
        return None
    wish, reply = history[-2], history[-1]
    if reply.role != "assistant":
        return None
    if ASK_MARK not in reply.text and SURE_MARK not in reply.text:
        return None
    folded = fold_text(wish.text)
    return _own_wish(folded) or _answer(folded.strip(), history[:-2])
