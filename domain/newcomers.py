"""A new animal of the household, told of in the talk: it has to be added first, under a name that nobody bears. Pure.

Pets are added in a form: their species, and a name that tells them apart, decide what every later word is kept of.
"""

import re
from collections.abc import Sequence

from domain.pet_profiles import PetProfile
from memory.text_folding import fold_text

MAX_READ = 60  # characters; a longer story tells more than that somebody has come

_ANIMAL = (
    r"(?:小|大|幼|奶|新|流浪|弃养的?)*(?:猫咪|狗狗|猫猫|猫|狗|犬|兔子|兔|仓鼠|鹦鹉|鸟|龟|龙猫|豚鼠|泰迪|柯基|金毛|拉布拉多"
    r"|布偶|英短|美短|橘猫|狸花|柴犬|比熊|博美|边牧|二哈|哈士奇)"
)
_CAME = (
    r"(?:(?:又|新|再|刚|还|最近|今天|昨天|上周|这周|前天)+(?:养|领养|收养|接|抱|买|捡|添|来|到|收)(?:了|回来?了?|回家了?|进来了?)*"
    r"|(?:领养|收养|抱养|捡|接回|抱回|买回)(?:了|来了|家了)|添了?|来了?|迎来了?)"
)
_NEW_ONE = (
    r"(?:[一两二三]?(?:只|条|个|位|窝)|个)?(?:新成员|新宠物|新朋友|新的?)?[,，是]*"
    rf"(?:[一两二三]?(?:只|条|个)?{_ANIMAL})?"
)
_CALLED = r"(?:名字)?(?:也|就|还)?(?:是)?(?:叫(?:做|作)?|取名叫?|起名叫?|名叫|名字叫?)(?:也是|也叫)?"
_NAME = rf"{_CALLED}(?P<name>[\u4e00-\u9fffa-z0-9]{{1,8}}?)"
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        rf"^(?:我|我们|我家|咱家|我们家|家里|家|又|今天|昨天|刚刚|最近|上周|前天|,)*{_CAME}{_NEW_ONE}[,]?(?:它)?{_NAME}(?=$|[,。!了的])",
        rf"^(?:我|我们|我家|咱家|我们家|家里|家)*(?:新来|新养|新到|刚来|刚养|新领养|刚接回来)的?(?:那)?[只条个]?{_ANIMAL}{_NAME}(?=$|[,。!了的])",
        rf"^(?:我|我们|我家|咱家|我们家|家里|家)*{_CAME}(?:[一两二三]?(?:只|条|个|位))?(?:新成员|新宠物)[,]?{_ANIMAL}(?:叫)?(?P<name>[\u4e00-\u9fffa-z0-9]{{1,8}}?)(?=$|[,。!])",
    )
)
_ADD_IT = "欢迎新成员！先到“我的宠物”里添加它，它的情况我才好分开记，不会和别的宠物弄混。"
"""Without its name: it may be called 可乐, and a sentence that adds 可乐 is looked at twice."""

_ANIMAL_THERE = re.compile(rf"{_ANIMAL}|新成员|新宠物")
_NOT_OURS = re.compile(
    r"邻居|隔壁|楼[上下]|朋友|同事|同学|别人|人家|小区|公司|店里|医院|闺蜜|亲戚|我妈家|老家|他家|她家|如果|要是"
    r"|想|打算|准备|梦|以前|之前"
)


def newcomer_told(text: str, pets: Sequence[PetProfile]) -> str:
    """What is answered to the news of a new animal of ours, "" for every other message."""
    folded = fold_text(text).strip().replace("，", ",").rstrip("。.!！~～ ")
    if len(folded) > MAX_READ or _NOT_OURS.search(folded) or not _ANIMAL_THERE.search(folded):
        return ""
    found = next((match for shape in _SHAPES if (match := shape.search(folded))), None)
    if found is None:
        return ""
    name = found["name"]
    bearer = next((pet for pet in pets if name in {fold_text(one) for one in (pet.name, *pet.nicknames)}), None)
    if bearer is not None:
        return (
            f"家里已经有一只叫“{bearer.name}”的了，同名我会分不清谁对什么过敏、谁在吃药。"
            f"给新来的起个能区分的名字（比如“小{bearer.name}”），再到“我的宠物”里添加它，然后告诉我它的情况。"
        )
    return _ADD_IT
