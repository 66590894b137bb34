"""A question about an animal that is called by a name nobody at home bears: said so, not answered about another pet."""

import re

from domain.offline.responder.lines import lines_of
from domain.offline.responder.wording import joined
from domain.pet_roll import BREEDS
from domain.turn_context import TurnContext
from memory.text_folding import fold_text

_OURS = r"(?:请问|帮我查下?|查一?下|看一?下|那|哎|嗨)?(?:我们家|我家里?|咱们?家|家里的?)?(?:的)?(?:那[只条个])?"
_NAME = r"(?P<name>[\u4e00-\u9fff]{2,3}?|[a-z]{2,12})"
_ASKED_OF_ANIMALS = re.compile(
    rf"^{_OURS}{_NAME}的?(?:现在|今年|最近|到底|以前|平时|都)?"
    r"(?:对(?:什么|啥|哪些)[^,。?]{0,4}过敏|有(?:没有|什么|啥|哪些)?(?:过敏|病史|老毛病)|多重|多沉|几斤|几公斤|多少[斤公]|体重(?:多少|是|现在|$)|几岁|多大(?:了|年纪|岁数|$|[?吗])|多少岁|年龄"
    r"|(?:是)?(?:什么|啥)品种|生日|(?:是)?公的?还是母|绝育(?:了|过|没|吗)|(?:是)?什么血型|血型"
    r"|吃(?:的)?(?:什么|啥|哪种)(?:粮|药|罐))"
)
_ASKED_OF_ANYTHING = re.compile(
    rf"^{_OURS}{_NAME}的?(?:现在|最近|这几天|这阵子)?(?:怎么样|咋样|还好[吗么]|情况如何|过得|身体"
    r"|(?:上次|上回|什么时候|啥时候|几时|哪天|几号)[^,。?]{0,4}(?:打|驱|做|洗|接|吐|拉)|(?:能不能|可以|能)(?:吃|喝|打|用)(?=[^,。?吗么不吧了]))"
)
_NO_NAME = re.compile(
    r"[它他她我你您咱这那哪谁的了吗呢么啥几多怎是在和跟与对给让把]|[猫狗犬兔鸟鼠龟宠鹦]|今天|明天|昨天|[昨前后去现最近年月周时]"
    r"|[哥姐弟妹爸妈爷奶叔姨]|老[大二三四幺]|闺女|儿子|宝贝|宝宝|崽崽|毛孩|主子|家伙|小的|大的|公的|母的|[两俩二2三仨3四4五5几][只个条]|大家|全家|[体狂驱疫针药粮罐饭水肉奶零食病症]"
    r"|上次|下次|平时|一般|正常|目前|以前|之前|刚才|一天|一顿|有没|如果|要是|请问|什么|医|查|记录|档案|体检|伤口|精神|状态|情况|天气|效果|[便尿腿眼耳牙毛皮指爪屎箱包袋车绳衣窝]|玩具|拉稀|绝育|驱虫|洗澡|血型|生日"
)
_LIKE_A_NAME = re.compile(r"(.)\1|[大小阿老][^枣豆麦米葱蒜料]|.[宝仔崽球妞妮咪汪喵子儿哥]|[a-z]{3,}")
_COLOURS = "橘黑白灰花黄三玳狸奶"


def unknown_pet(context: TurnContext) -> str:
    """The sentence for a question about a pet that is not known, "" when the message asks of none."""
    name = _called(fold_text(context.text).strip())
    pets = [*context.subjects, *context.others]
    if not name or not pets or context.written or _is_known(name, context):
        return ""
    told = _as_written(name, context.text)
    homes = joined((pet.name for pet in pets if pet.status == "active"), "、")
    return f"没有叫“{told}”的宠物的记录" + (f"，家里登记的是{homes}。" if homes else "。")


def _called(folded: str) -> str:
    """What an animal is called in a question that is asked of animals; "" when it may be any other word."""
    found = _ASKED_OF_ANIMALS.match(folded)
    if found and not _NO_NAME.search(found["name"]):
        return found["name"]
    found = _ASKED_OF_ANYTHING.match(folded)
    if found and not _NO_NAME.search(found["name"]) and _LIKE_A_NAME.fullmatch(found["name"]):
        return found["name"]
    return ""


def _is_known(name: str, context: TurnContext) -> bool:
    """Borne by a pet or its breed or colour, part of a name or holding one, or a word of what is known."""
    pets = [*context.subjects, *context.others]
    names = [fold_text(one) for pet in pets for one in (pet.name, *pet.nicknames) if one]
    if any(name in one or one in name for one in names) or any(words.search(name) for words in BREEDS.values()):
        return True
    breeds = "".join(fold_text(pet.breed or "") for pet in pets)
    if any(colour in name and colour in breeds for colour in _COLOURS):
        return True
    return any(name in fold_text(line.text) for line in lines_of(context))


def _as_written(name: str, text: str) -> str:
    start = fold_text(text).find(name)
    return text[start : start + len(name)]
