"""A pet that is lost, or is back: calm words, and what helps most in the first hours, by the kind of animal.

No emergency for a vet, but as urgent: it is said before the receipt, and also in a temporary chat, for it needs no
record.
"""

import re
from collections.abc import Iterable

from domain.assistant import AnswerSentence
from domain.offline.responder.lines import lines_of
from domain.offline.responder.voice import say
from domain.offline.responder.wording import plain
from domain.pet_profiles import PetProfile
from domain.turn_context import TurnContext
from memory.text_folding import fold_text

LOOKED_BACK = 12  # messages of the talk in which a pet was told lost

_ANY = r"它|他|她|猫咪|狗狗|猫猫|猫|狗|毛孩子|宝贝|崽崽|兔子|鹦鹉"
_WHEN = (
    r"(?:(?:今天|昨天|前天|刚才|刚刚|刚|早上|上午|中午|下午|晚上|昨晚|凌晨|半夜|突然|忽然|又|好像|可能|也|已经|就|给|自己|一早|下楼"
    r"|出门|遛弯|散步|跳窗|翻窗|钻窗|开门|从[^,。!?]{1,6}?|趁[^,。!?]{1,6}|在(?!家)[^,。!?]{1,8}|的时候|时)*)"
)
_GONE = (
    r"(?:走丢|走失|跑丢|丢|失踪|不见)了?(?!过|的|东西|吗$)"
    r"|(?:跑|溜|窜|蹿|钻|飞)(?:出去|出门|出家门|走|掉|丢)?了?[^。!?]{0,10}"
    r"(?:没(?:有)?回(?:来|家)|(?:没找|找不)[到着](?:了|它)?(?=$|[,。!?])|不见了|不知道(?:去|跑)?哪)"
    r"|(?:找不[到着](?:了|它)?(?=$|[,。!?])|不知道(?:去|跑)(?:了)?哪)"
    r"|(?:一|两|三|几|\d)(?:天|晚上|整天|夜)(?:没|不)(?:回家|回来|见)"
)
_NOT_NOW = re.compile(
    r"过(?!去)[一两三几\d]|走丢过|丢过|去年|前年|以前|之前|曾经|当年|小时候|上次|上回|那次|那年|差点|险些|怕|担心|以免|防|万一|如果|要是|假如|会不会"
    r"|不会|没(?:有)?(?:走|跑)?丢|别(?:再)?(?:走|跑|弄)丢|梦|电影|电视|新闻|视频|故事|小说|邻居|朋友|同事|同学|别人|人家|网友|群里|小区里有|楼[上下]"
)
_BACK = re.compile(
    r"找到(?:了|啦|它)(?=$|[,。!?~])|找回来?(?:了|啦)|(?:自己)?(?:跑|走|溜)?回(?:来|家)(?:了|啦)"
    r"|被[^,。]{1,10}送回"
)

_KINDS = {"dog": "狗", "cat": "猫"}

_CALM = "先别慌，头几个小时最要紧，先做这几件事。"
_WHERE: dict[str, str] = {
    "dog": (
        "现在就回到最后看到{name}的地方，沿平时遛弯的路线边走边叫名字，带上它爱吃的和牵引绳；"
        "看到了别追，蹲下来等它过来。"
    ),
    "cat": (
        "{name}多半还躲在附近：从最后看到的地方起，把楼道、车底、草丛、管道井一处处照着找，轻声叫名字；"
        "夜里安静时带上罐头和手电再找一遍。"
    ),
}
_WHERE_ELSE = "现在就回到最后看到{name}的地方，在附近慢慢找，带上它爱吃的东西轻声叫它；看到了别追，等它靠近。"
_ASK_AROUND = (
    "请物业和保安调监控，看它往哪边去了；把照片、特征、走丢的时间地点和电话发到小区群、朋友圈和本地寻宠群，"
    "附近的路口和宠物店也贴上。"
)
_CALL = "打电话问附近的动物医院、救助站和派出所有没有人送来；有芯片的话报上芯片号。"
_AT_HOME = "家里留个人，门口放上它的窝垫和食物；对方要先转账才肯还的多半是骗子，见到它本人再说。"
_STATUS = "找到了告诉我一声；想先停掉它的提醒，可以在“我的宠物”里标成“走失”，档案都会留着。"
_WELCOME = "太好了，{name}回来了！"
_LOOK_OVER = (
    "先让它安静喝点水、少量吃饭，再从头到脚摸一遍：有没有外伤、脚垫磨破、扎刺、跳蚤和蜱虫；这两天留意精神、食欲和大小便，"
    "受了伤、一直没精神或者被别的动物咬过，就带去医院看看，顺便问问要不要补驱虫和疫苗。"
)


def tell_lost(context: TurnContext) -> list[AnswerSentence]:
    """What to do about a pet that is lost, or has come back in this talk; none for every other message."""
    pets = (*context.subjects, *context.others)
    text = fold_text(context.text).replace("，", ",")
    if _BACK.search(text):
        told = [said.text for said in context.history[-LOOKED_BACK:] if said.role == "user"]
        told += [line.text for line in lines_of(context)]
        missed = any(_is_lost(fold_text(one), pets) for one in told)
        return [say(_WELCOME.format(name=_name(context))), say(_LOOK_OVER)] if missed else []
    if not _is_lost(text, pets):
        return []
    kinds: set[str] = {pet.species for pet in _meant(context)} or {
        kind for kind, word in _KINDS.items() if word in text
    }
    where = _WHERE.get(kinds.pop(), _WHERE_ELSE) if len(kinds) == 1 else _WHERE_ELSE
    return [say(one) for one in (_CALM, where.format(name=_name(context)), _ASK_AROUND, _CALL, _AT_HOME, _STATUS)]


def _is_lost(text: str, pets: Iterable[PetProfile]) -> bool:
    """Whether a message tells that a pet is missing now; its things and its signs go missing as well."""
    if _NOT_NOW.search(text):
        return False
    names = "|".join(re.escape(fold_text(name)) for pet in pets for name in (pet.name, *pet.nicknames) if name)
    who = f"(?:{names}|{_ANY})" if names else f"(?:{_ANY})"
    told = rf"{who}{_WHEN}(?:{_GONE})"
    done = rf"(?:把|将){who}(?:给)?(?:弄|搞|遛|看|带|养)?丢了|(?:找不[到着]|弄丢|搞丢|遛丢)了?(?:我家)?{who}(?!的)"
    return re.search(f"{told}|{done}", text) is not None


def _meant(context: TurnContext) -> tuple[PetProfile, ...]:
    folded = fold_text(context.text)
    pets = (*context.subjects, *context.others)
    named = tuple(pet for pet in pets if any(fold_text(name) in folded for name in (pet.name, *pet.nicknames) if name))
    return named or context.subjects


def _name(context: TurnContext) -> str:
    meant = _meant(context)
    return plain(meant[0].name) if len(meant) == 1 else "它"
