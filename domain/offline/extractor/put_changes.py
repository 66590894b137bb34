"""A change that the assistant put in words of its own (确认把体重由8.2kg改为2.8kg吗), told as its owner would tell it.

A yes to such a question is an owner's word on exactly that change, also where nothing had been noted before. Only what
asks for a change is read; an offer of help or a question about how it goes is none.
"""

import re
from collections.abc import Sequence

from memory.text_folding import fold_text

_SENTENCE = re.compile(r"[^。！!？?\n]+[。！!？?\n]*")
_ASKS_FOR_A_CHANGE = re.compile(
    r"改|更新|更正|修正|调整|换成|换为|停用|停药|不再|标(?:为|记)|去掉|删|移除|取消|(?:已|未)绝育|不过敏|没有[^,，。]{1,8}[?？吗]|痊愈|治愈|阴性"
    r"|(?:而|，|,|[是为][^，,不是]{1,12})不是|应为|应该?是[^，,]*\d|实际[是为]?[^，,]*\d|→|->|[由从].{1,16}(?:到|至|为|成)|[增加减上下]调?(?:加|少|量)?(?:到|至|为)|撤销|变更|变为|没有做"
)
_PUT = re.compile(r"确认|核对|点头|要.{0,24}(?:吗|么)|吗[?？]?\s*$|[?？]\s*$|是否|对吗|对吧")
_OPENING = re.compile(
    r"^(?:好的|收到|明白|那|所以|请|再|跟您|和您|可否|能否|麻烦您?)?[，,]?\s*(?:确认|核对)?(?:一下)?[：:，,]?\s*(?:是否|是不是|要不要|需不需要|需要|要|想)?(?:我|帮您|帮你|为您|给您)*(?:现在)?(?:确认)?(?:把|将)?"
)
_CLOSING = re.compile(r"(?:，|,)?(?:对吗|对吧|是吗|可以吗|好吗|吗|么)?[?？。！!\s]*$")
_ASKS_AGAIN = re.compile(
    r"[，,](?:是否|请|您|你)?(?:确认|需要|要不要)?(?:一下)?(?:更正|修改|更新|更改|变更|改正|记录)?(?:确认)?(?:一下)?(?:无误)?(?:吗|么)?$"
    r"|[，,](?:请|麻烦|烦请)[^，,\d]{1,8}$"
)
"""，是否更正 and ，确认修改吗 at the end ask, and say nothing of the change."""
_WHETHER = re.compile(r"[，,](?:是否|是不是|要不要|需不需要|可否|能否)(?=更|改|修|换|调|记|标|变)")
_MEANT = re.compile(r"^(?:也就是说|您的意思是|你的意思是|是说|更新|更正|修改)[：:，,]?")
_ARROW = re.compile(
    r"(?P<what>.*?)[：:]?(?P<old>\d[\d.月]*\s?[a-z一-龥/]{0,4}?)\s*(?:→|->|—>|改(?=\s?\d)|应该?(?:为|是))\s*(?P<new>.+)$"
)
_ALLERGEN_FOR_ANOTHER = re.compile(
    r"(?P<what>[^：:，,]*?)(?:的?过敏原?)?[：:]?(?P<old>[^：:，,\d→]{1,8}?)(?:过敏)?\s*(?:→|->|—>|=>)\s*(?P<new>[^，,\d]{1,8}?)(?:过敏)?$"
)
_A_NOT_B = re.compile(
    r"(?P<what>.*?)(?:应该?(?:为|是)|实际(?:上)?(?:是|为)|实为|是|为)(?P<new>[^，,]+?)[，,]?(?:而|并)?(?:不是|非)(?P<old>[^，,]+)$"
)
_GIVEN_UP = re.compile(r"(?P<who>.*?)(?:已经?)?不再(?:需要)?(?:服用|使用|吃|用|喂|打)(?P<what>[^，,]+)")
_STRIKES = re.compile(
    r"^(?:删除|删掉|移除|取消|去掉|撤销)(?P<what>.+?)(?:这条|的?记录|的?要求)*$|^(?P<other>.+?)(?:这条|的?记录|的?要求)*(?:删除|删掉|移除|取消|去掉|撤销)(?:掉)?$"
)
_MARKS = re.compile(r"[「」“”\"'『』]|（[^）]*）|\([^)]*\)")
_FROM_TO = re.compile(
    r"(?P<what>.*?)(?:由|从)(?P<old>[^，,]+?)(?:，|,)?(?:[增加减升降上下提]调?[加少高低升降]?(?:到|至|为)|变为|变成|修改(?:成|为)|改成|改为|改到|更正为|更新为|修正为|调整为|调整到|换成|变更为|更改为)(?P<new>.+)$"
)
_TO = re.compile(
    r"(?P<what>.*?)(?:的?(?:状态|记录|档案|信息))?(?:要)?(?:[增加减升降上下提]调?[加少高低升降]?(?:到|至|为)|修改(?:成|为)|改记为|换成|换为|变更为|更改为|调整为|改成|改为|更正为|更新为|修正为|更新成|标为|标记为|标成|记为)(?:是)?(?P<new>.+)$"
)
_HELD = re.compile(r"(?:体重(?:是|为)?|过敏原(?:是|为)?)(?P<old>[^,，。]{1,8})$")
"""The value on record, where neither 由 nor 从 stands before it."""
_STRUCK = re.compile(r"^(?:要)?(?:删除|删掉|去掉|移除|取消)(?:这条|掉)?$")
_KNOWN = re.compile(r"记录(?:显示|里是|上写的是|是)|现在记的是[：:]?|目前记录[：:]?")
_DAY = re.compile(r"\d{1,2}[月日号]")
_WHOLE_DAY = re.compile(r"(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]")
_NO_DATE_WORD = re.compile(r"的?(?:接种|驱虫)?(?:日期|时间)$")


def change_put(question: str) -> str:
    """The change that `question` asks to be made, as a plain statement; "" when it asks for none."""
    sentences = [_MARKS.sub("", one).strip() for one in _SENTENCE.findall(fold_text(question))]
    asked = next((one for one in reversed(sentences) if _PUT.search(one)), "")
    if not asked or not _ASKS_FOR_A_CHANGE.search(asked):
        return ""
    change = _CLOSING.sub("", _OPENING.sub("", asked)).strip()
    change = _WHETHER.sub("", _MEANT.sub("", _ASKS_AGAIN.sub("", change))).strip("：: ")
    before = next((_KNOWN.sub("", one) for one in sentences if one is not asked and _KNOWN.search(one)), "")
    return _told(change, before.strip("。 "))


_MOVED_TO = r"(?:改|移|转|挪|换|记|归|更正|变更|调整|划)[^,，。]{{0,4}}?(?:到|成|为|给|在|是){name}|(?<!不)是{name}"
_OF_A_PET = r"(?:名下|身上|头上|那[里边]|的档案|的记录|档案里?|的)?"
_LEFT_OVER = re.compile(
    r"(?:改|移|转|挪|换|记|归|更正|变更|调整)+(?:到|成|为|给|在|是)?|[,，：:、]|这条|记录|确认|将|把|要|而|是|对(?=.{1,8}过敏)|患有?|^的|的$|[吗么?？]"
)
_A_DRUG = re.compile(r"片$|药|素$|苷$|平$|唑$|松$|龙$|坦$|丁$|利$|胶囊$|滴")


def pet_put(question: str, names: Sequence[str]) -> str:
    """The move of an entry from one pet to the other that `question` asks for, told plainly; "" when it asks for none.

    names: of the household's pets. 要把三文鱼过敏从花生改到芝麻名下吗 → 三文鱼过敏的是芝麻，不是花生.
    """
    sentences = [one.strip() for one in _SENTENCE.findall(re.sub(r"[「」“”\"'『』]", "", fold_text(question)))]
    asked = next((one for one in reversed(sentences) if _PUT.search(one)), "")
    moved = {
        name: found.end() for name in names for found in re.finditer(_MOVED_TO.format(name=re.escape(name)), asked)
    }
    new = max(moved, key=lambda name: moved[name], default="")
    old = [name for name in names if name != new and name in asked]
    others = [name for name in names if name != new]
    old = old or (others if re.search("名下|身上", asked) else [])
    if not new or len(old) != 1 or "不过敏" in asked:
        return ""
    rest = re.sub(rf"(?:由|从|在|不是|而非|并非)?{re.escape(old[0])}{_OF_A_PET}", "", asked)
    rest = re.sub(rf"(?:到|成|为|给|在|是)?{re.escape(new)}{_OF_A_PET}", "", rest)
    what = _LEFT_OVER.sub("", _CLOSING.sub("", _OPENING.sub("", rest))).strip("的 ")
    if not what:
        return ""
    eats = "吃" if _A_DRUG.search(what) and "过敏" not in what and not what.startswith("吃") else ""
    return f"{eats}{what}的是{new}，不是{old[0]}"


def _told(change: str, before: str) -> str:
    if told := _GIVEN_UP.search(change):
        return f"{told['who']}停用{told['what']}"
    if (told := _A_NOT_B.fullmatch(change)) or (told := _ARROW.search(change)):
        return _set_against(told["what"].strip("的：: "), told["old"].strip(), told["new"].strip())
    if "过敏" in change and (told := _ALLERGEN_FOR_ANOTHER.match(change)):
        return _set_against(f"{told['what']}过敏", told["old"].strip(), told["new"].strip())
    if told := _STRIKES.fullmatch(change):
        return _struck(told["what"] or told["other"], change, before)
    if told := _FROM_TO.search(change):
        return _set_against(told["what"], told["old"].strip(), told["new"].strip())
    if _STRUCK.search(change) and before:
        return f"{before}这条删掉"
    if told := _TO.search(change):
        what = told["what"].strip() or before
        if held := _HELD.search(what):
            return _set_against(what[: held.start("old")], held["old"], told["new"].strip())
        if _DAY.search(told["new"]):
            return _set_a_day(what, told["new"].strip())
        return _set_right(what, told["new"].strip())
    return change


def _struck(what: str, change: str, before: str) -> str:
    """取消豆豆的鸡肉过敏, 豆豆的绝育记录撤销, said as what holds then."""
    if before and _STRUCK.search(change):
        return f"{before}这条删掉"
    if "从" in what or not what:
        return change
    if "过敏" in what:
        return re.sub(r"的?过敏.*", "", what) + "不过敏了"
    if "绝育" in what:
        return re.sub(r"的?绝育.*", "", what) + "未绝育"
    return f"停用{what}" if re.search(r"粮|药|片|处方", what) else f"{what}没有了"


def _set_against(what: str, old: str, new: str) -> str:
    """Of two values: 2月6日打的，不是2月8日; 体重不是8.2kg，是2.8kg; a dose is changed to the new one."""
    if "过敏" in what:
        return f"{re.sub('的?过敏原?.*', '', what)}过敏的是{new}，不是{old}"
    if "体重" in what or re.search(r"\d\s?(?:kg|公斤|千克|斤)$", new):
        what = what if "体重" in what else f"{what}体重"
        return f"{what}不是{old}，是{new}"
    if _DAY.search(old) and _DAY.search(new):
        return f"{_NO_DATE_WORD.sub('', what)}不是{old}打的，是{new}打的"
    if {old, new} <= {"公", "母", "公猫", "母猫", "公狗", "母狗"}:
        return f"{re.sub('的?性别', '', what)}是{new[0]}的"
    return f"{re.sub('的?(?:剂量|用量)', '', what)}改成{new}"


def _set_a_day(what: str, new: str) -> str:
    """5月2日的海乐妙改成5月3日, 狂犬疫苗日期改成1月22日."""
    days = _WHOLE_DAY.findall(what)
    rest = re.sub(r"的?打的|^的", "", _NO_DATE_WORD.sub("", _WHOLE_DAY.sub("", what)))
    return f"{rest}不是{days[0]}打的，是{new}打的" if len(days) == 1 else f"{rest}记错了，是{new}打的"


def _set_right(what: str, new: str) -> str:
    """Of one value: 糯糯已绝育, 将军对花生不过敏, 口炎已痊愈."""
    if "过敏" in new:
        return re.sub(r"的?过敏(?:记录)?[^,，]*$|过敏", "", what) + (new if "对" in what else f"{new}了")
    if "绝育" in new:
        return re.sub(r"的?绝育(?:状态)?|已|未", "", what) + new
    if new in ("没有", "无"):
        return f"{what}没有了"
    return f"{what}{new}" if re.match(r"已|未|停|痊|治|阴|好|不", new) else f"{what}改成{new}"
