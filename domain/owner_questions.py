"""Questions of owners about themselves that one line of theirs answers: 我叫什么, 怎么称呼我, 我住哪儿. Pure."""

import re
from enum import StrEnum

from memory.text_folding import fold_text

MAX_READ = 24  # characters; a longer message asks for more


class OwnerFact(StrEnum):
    """What is asked for. The value is the slot that holds it, where one does."""

    NAME = "owner.name"
    ADDRESS = "preference.reply_style"  # how the owner wants to be called
    RESIDENCE = "owner.residence"


_OPENING = r"(?:请问|那|所以|诶|哎|嗯|话说|对了|,)*"
_KNOWS = (
    r"(?:你|还|还能|能|可|都|应该|会|到底|有没有|是不是)*"
    r"(?:记得|知道|记不记得|知不知道|认识|认得|记住|忘了)?(?:了|吗|没)?,?"
)
_END = r"(?:来着|了|吗|么|嘛|呀|啊|呢|吧|没有?|不|[?!。])*"
_WHAT = r"(?:什么|啥|哪个)"
_SHAPES = {
    OwnerFact.NAME: rf"我(?:叫{_WHAT}(?:名字?)?|姓{_WHAT}|(?:的)?(?:名字|姓名|大名)(?:叫|是)?{_WHAT}?|是谁)",
    OwnerFact.ADDRESS: (
        r"(?:你)?(?:该|应该|要|得|平时|以后|一般|会|想)*(?:怎么|咋|如何)(?:称呼|叫|喊)我"
        rf"|(?:你)?(?:该|应该|要|得|平时|以后|一般|会)*(?:叫|喊|称呼)我(?:做|为)?{_WHAT}"
    ),
    OwnerFact.RESIDENCE: (
        r"我(?:家|们家|们)?(?:是)?(?:住|在|住在|家在)(?:哪里|哪儿|哪个(?:城市|地方|小区|区)|什么(?:地方|城市|小区)|哪)(?:住)?"
    ),
}
_ASKED = {fact: re.compile(rf"{_OPENING}{_KNOWS}(?:{shape}){_END}") for fact, shape in _SHAPES.items()}


def asked_of_owner(text: str) -> OwnerFact | None:
    """What the message asks of its owner; None for every other message."""
    folded = fold_text(text).strip().replace("，", ",")
    if len(folded) > MAX_READ:
        return None
    return next((fact for fact, asked in _ASKED.items() if asked.fullmatch(folded)), None)
