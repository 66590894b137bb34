"""What a message wants taken back: the newest change, whatever it is, or the newest of one kind. Pure.

Only a message that says nothing else asks for it: 撤销, 刚才那个改回来吧, 刚说的不算, 恢复. 恢复了 tells of an animal.
That a plan is meant may be said (撤销刚才的提醒).
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from memory.text_folding import fold_text

MAX_READ = 40  # characters; whoever says more tells what it is to be instead

_JUST = r"(?:刚才|刚刚|刚|方才|上一步|上一?[个条次]|前面|最后|最近)"
_THAT = r"(?:这|那)(?:一?[个条次步下]|些|句话?|件事情?)?"
_LEAD = (
    r"(?:不对|不是|错了|(?:我)?(?:说|记|弄|搞|写|点|按|删|忘)错了|等等|等一下|等下|算了|算啦|哎呀?|唉|嗯+|好的?|行|那就?|哦|啊|呀|抱歉|不好意思|对了|快|请|麻烦你?|拜托"
    r"|帮我|帮忙|你|给我|还是|就|先|把|将|[,，、。!！…~～\s])*"
)
_THING = (
    rf"(?:{_JUST}|{_THAT}|的|我|你|说|讲|记|写|改|做|加|弄|设|定|录|存|删|忘|取消|掉|过|了|内容|操作|改动|修改|变更|更改|记录|记忆"
    r"|信息|档案|东西|它|事情?|话|全部?|都|一步|也|再)*"
)
_PLAN = r"(?:日程|提醒|安排|预约|闹钟|计划)"
_END = (
    r"(?:一下子?|吧|了|啦|呗|哈|嘛|给我|掉|刚才的?|刚刚的?|那[个条]|这[个条]|它|上一步|原来的?|操作|改动|可以吗|行吗|好吗|好不好"
    r"|行不行|谢谢你?|[,，。!！?？~～\s])*"
)
_TAKE_BACK = r"(?:撤销|撤回|撤消|撤了|回退|退回上一步|倒回去)"
_GIVE_BACK = (
    r"(?:恢复(?!了)|找回来?|记回来|加回来|要回来|还原|别忘掉?(?!了)|别删|不要删|不删|别忘了?刚才的?|不(?:用|要)忘)"
)
_CHANGE_BACK = (
    r"(?:(?:改|换|调|变|弄|设|恢复)回(?:来|去|原来的?(?:时间|样子?|那样)?|之前的?(?:时间|样子?|那样)?|原样|从前)"
    r"|(?:恢复|还|复)原(?:来的?样子?|样)?|别改了?|不要改|先别动|不改了|按原来的(?:来|算)?|照原来的?(?:来|算)?|还(?:是|按)原来的?(?:样子?|那样)?)"
)
_VOID = r"(?:都|全|统统)?(?:不算(?:数|的)?|作废|不作数|当没[说讲提](?:过)?|就当没[说讲提](?:过)?|收回|忽略(?:掉)?|无视)"
_IN_JEST = r"(?:都|全)?(?:不是真的|是(?:开玩笑|逗你|瞎说|乱说|胡说)的?)"
_WRONG = r"(?:都|全)?(?:是)?(?:说|打|写|记|发|弄|搞|讲)错的?|(?:都|全)?(?:有误|不对)"
_SAID = (
    rf"我?(?:{_JUST}|上面|前面)(?:我)?(?:说|讲|写|发|告诉你|跟你说|提)?(?:到|过)?的?(?:{_THAT})?"
    r"(?:话|内容|消息|都|全部?|也)*"
)


class Undo(StrEnum):
    """What is to be taken back."""

    ANY = "any"  # 撤销: the newest change of all
    BACK = "back"  # 恢复, 找回来: what is gone comes back
    CHANGED = "changed"  # 改回来: what is otherwise now is as it was
    SAID = "said"  # 刚说的不算: what the last message did
    PLAN = "plan"  # 撤销刚才的提醒: the newest change of the calendar


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """One wish. plainly: nothing else can be meant, so it is answered even where there is nothing to take back.

    asks: it is not said what is to become of it (刚才说错了), so the owner is asked first.
    """

    what: Undo
    plainly: bool = True
    asks: bool = False


_SHAPES: tuple[tuple[re.Pattern[str], UndoRequest], ...] = tuple(
    (re.compile(shape), request)
    for shape, request in (
        (rf"{_LEAD}{_THING}{_PLAN}的?{_THING}{_TAKE_BACK}{_END}", UndoRequest(Undo.PLAN)),
        (rf"{_LEAD}{_TAKE_BACK}{_THING}{_PLAN}{_END}", UndoRequest(Undo.PLAN)),
        (rf"{_LEAD}{_THING}{_PLAN}的?{_THING}(?:{_CHANGE_BACK}|{_GIVE_BACK}){_END}", UndoRequest(Undo.PLAN)),
        (rf"{_LEAD}{_GIVE_BACK}{_THING}{_PLAN}{_END}", UndoRequest(Undo.PLAN)),
        (rf"{_LEAD}{_THING}{_TAKE_BACK}{_THING}{_END}", UndoRequest(Undo.ANY)),
        (rf"{_LEAD}{_SAID}(?:{_VOID}|{_IN_JEST}){_END}", UndoRequest(Undo.SAID)),
        (rf"{_LEAD}{_SAID}(?:{_WRONG}){_END}", UndoRequest(Undo.SAID, asks=True)),
        (rf"{_LEAD}(?:{_THAT}(?:话)?)?(?:不算(?:数|的)|作废|不作数){_END}", UndoRequest(Undo.SAID, asks=True)),
        (rf"{_LEAD}(?:就)?当我?(?:刚才|刚刚)?没[说讲提](?:过)?{_END}", UndoRequest(Undo.SAID)),
        (rf"{_LEAD}{_THING}{_CHANGE_BACK}{_END}", UndoRequest(Undo.CHANGED, plainly=False)),
        (rf"(?=.*(?:删|忘|那[条个])){_LEAD}{_THING}{_GIVE_BACK}{_THING}{_END}", UndoRequest(Undo.BACK)),
        (rf"{_LEAD}{_THING}{_GIVE_BACK}{_THING}{_END}", UndoRequest(Undo.BACK, plainly=False)),
    )
)
_ASKS_HOW = re.compile(r"怎么|如何|为什么|能不能.*\?|可以.*多久")


def read_undo(text: str) -> UndoRequest | None:
    """The wish in a message that asks for nothing else; None for every other message."""
    folded = fold_text(text).strip()
    if len(folded) > MAX_READ or _ASKS_HOW.search(folded):
        return None
    return next((request for shape, request in _SHAPES if shape.fullmatch(folded)), None)
