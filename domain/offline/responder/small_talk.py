"""Greetings, thanks, good night, the weather, worry about others' animals: one short friendly sentence."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from domain.offline.responder.talk_of_us import answer_about_us, read_about_us
from domain.offline.responder.wording import plain
from domain.strange_animals import is_strange
from domain.turn_context import TurnContext
from memory.text_folding import fold_text

LONGEST = 24  # characters; small talk is short, anything longer says something
MORNING, NOON, EVENING = 5, 12, 18  # hours at which the greeting changes

_FILLER = r"(?:[\s,，。.!！~～…啊呀哈哦噢嗯呢啦吧哟呐了的]|\W)*"
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"{_FILLER}(?:(?:{words}){_FILLER})+"))
    for kind, words in (
        ("night", r"晚安|睡了|去睡了?|先睡了?|睡觉去了?|好梦|做个好梦|我|要"),
        ("bye", r"拜拜|再见|回见|明天见|改天见|下次聊|先这样|我先忙|不聊|88|bye|走"),
        (
            "thanks",
            r"谢谢你?|多谢|感谢|谢啦|辛苦了?|麻烦你?|太好|你真好|真棒|好棒|厉害|爱你"
            r"|thanks|thank you|thx|3q|帮大忙|贴心|靠谱|记性(?:真|挺|很)?(?:不错|好)嘛?|不错嘛|"
            r"有你真好|小同志|小朋友|师傅|小助手|亲爱的",
        ),
        (
            "hello",
            r"你好|您好|哈喽|哈啰|嗨|hi|hello|hey|在吗|在么|在不在|在不|早上好|早安|早|上午好|"
            r"中午好|下午好|晚上好|好久不见|我来|又来|(?:我是)?第一次[用来]|新用户|新来的?|新手|"
            r"初次见面|请多关照|多多关照|试试|测试一?下?|试用",
        ),
        (
            "assent",
            r"好的?|好滴|好嘞|行|可以|ok|okk|okay|收到|知道|明白|了解|懂|嗯+|对|对的|是|是的|没错|"
            r"没问题|就这样|原来如此|这样|我?试试(?:看)?|我?去试试|那就好|不用|没事|算了|没",
        ),
        (
            "weather",
            r"今天|今儿|昨天|明天|外面|这几天|最近|天气|阳光|太阳|空气|风|真|挺|好|不错|很|太|好大"
            r"|大|舒服|热死|热|冷死|冷|凉快|凉|暖和|下(?:大)?雨|下雪|刮风|出太阳|降温|晴|阴",
        ),
        (
            "mood",
            r"今天|今晚|最近|这周|周末|我|又|终于|要|有点|好|真|太|很|快|死|上班|下班|加班|放假|累"
            r"|困|饿|忙|无聊|开心|高兴|快乐|心情|不错|烦|郁闷|难过|愉快|休息",
        ),
        ("laugh", r"哈+|嘿+|呵+|嘻+|笑死|233+|可爱|萌|好玩|太逗|逗"),
    )
)
_BETWEEN = re.compile(r"[,，。.!！~～\s]+")
_OPENING = re.compile(r"^((?:(?:嗯+|好[的滴嘞]|行|收到|谢谢你?|多谢)[啦啊呀哦]?)+)")
_WHO = re.compile(
    r"你是(?:谁|什么|啥|机器人|ai|人工智能|真人|人吗)|你叫(?:什么|啥)|你(?:能|会|可以)(?:做|干|"
    r"帮)?[^,。]{0,4}(?:什么|啥|哪些)|(?:有|是)什么功能|怎么用你"
)


_SAYS_SO = {
    "night": re.compile(r"晚安|睡|梦"),
    "weather": re.compile(r"天气|太阳|阳光|空气|风|热|冷|凉|暖|雨|雪|降温|晴|阴"),
    "mood": re.compile(r"班|放假|累|困|饿|忙|无聊|开心|高兴|快乐|心情|烦|郁闷|难过|愉快|周末"),
}
_FORECAST = re.compile(r"天气(?:怎么样|咋样|如何|好吗|好不好|预报)|(?:会|要)不会下雨|会下雨吗")
_GREETS = re.compile(
    r"^(?:你好|您好|哈喽|哈啰|嗨|hi|hello|hey|早上好|早安|上午好|中午好|下午好|晚上好)(?=[,，。!！~～\s呀啊]|$)"
)
_WORRIES = re.compile(
    r"担心|可怜|心疼|难过|伤心|走丢|丢了|没了|去世|走了|不行了|病了|生病|得了|住院|抢救|肾衰|癌|瘤"
    r"|流浪|被车|受伤|害怕|揪心|惨|唉|哎|哭"
)
_MOURNS = re.compile(r"去世|过世|(?<!丢)(?<!出)走了|没了|去了[汪喵星天彩]|[汪喵]星|彩虹桥|离开(?:我|了)|死了|送走")
LONGEST_WORRY = 60  # characters; a longer story holds more than worry


@dataclass(frozen=True, slots=True)
class SmallTalk:
    """The answer to small talk. `closing`: the talk ends here, so nothing more is asked."""

    text: str
    closing: bool = False


def small_talk(context: TurnContext, called: str = "") -> SmallTalk | None:
    """The answer to small talk, None when the message is none."""
    folded = fold_text(context.text).strip()
    if not any(character.isalnum() for character in folded):
        return SmallTalk("我在呢，有什么想说的？")
    if about_us := read_about_us(folded, _names(context)):
        return SmallTalk(answer_about_us(about_us))
    if len(folded) > LONGEST:
        return None
    if _WHO.search(folded):
        return SmallTalk("我是你的养宠记录助手：帮你记下宠物的事，问起来照着档案回答。")
    if _FORECAST.search(folded):
        return SmallTalk("天气我看不到，我只管宠物的记录。")
    kind = _kind_of(folded)
    return SmallTalk(_ANSWERS[kind](context, plain(called)), kind in ("night", "bye")) if kind else None


def is_small_talk(text: str) -> bool:
    """Whether a message is a greeting, thanks, weather or the like, or holds no word at all."""
    folded = fold_text(text).strip()
    if not any(character.isalnum() for character in folded):
        return True
    if read_about_us(folded):
        return True
    if len(folded) > LONGEST:
        return False
    if _WHO.search(folded) or _FORECAST.search(folded):
        return True
    return bool(_kind_of(folded))


def _kind_of(folded: str) -> str:
    """The kind of small talk, "" for none. Of several in one message (谢谢，晚安) the one that wants the answer."""
    whole = _one_kind_of(folded)
    parts = [part for part in _BETWEEN.split(_OPENING.sub(r"\1，", folded)) if part]
    kinds = [_one_kind_of(part) for part in parts]
    if whole or len(parts) < 2 or not all(kinds):
        return whole
    return next(kind for kind, _ in _KINDS if kind in kinds)


def _one_kind_of(folded: str) -> str:
    return next((kind for kind, pattern in _KINDS if _is_of_kind(kind, pattern, folded)), "")


def _is_of_kind(kind: str, pattern: re.Pattern[str], folded: str) -> bool:
    return bool(pattern.fullmatch(folded)) and (kind not in _SAYS_SO or bool(_SAYS_SO[kind].search(folded)))


def greeting(context: TurnContext) -> str:
    """The greeting that goes before the answer when a talk begins with one and goes on; "" otherwise."""
    if context.history or not _GREETS.match(fold_text(context.text).strip()):
        return ""
    return f"{_time_of_day(context)}。"


def kind_word(context: TurnContext) -> str:
    """One kind sentence for worry about an animal that is none of the household's; "" for anything else."""
    folded = fold_text(context.text)
    if len(folded) > LONGEST_WORRY or any(name in folded for name in _names(context)) or not _WORRIES.search(folded):
        return ""
    if not is_strange(folded, (), alone=False):
        return ""
    return "失去它一定很难过，谢谢你愿意告诉我。" if _MOURNS.search(folded) else "听着让人揪心，希望它平平安安的。"


def _names(context: TurnContext) -> list[str]:
    pets = (*context.subjects, *context.others)
    return [fold_text(name) for pet in pets for name in (pet.name, *pet.nicknames) if name]


def _time_of_day(context: TurnContext) -> str:
    hour = context.now.hour
    return "早上好" if MORNING <= hour < NOON else "晚上好" if hour >= EVENING or hour < MORNING else "下午好"


def _hello(context: TurnContext, called: str) -> str:
    address = f"{called}，" if called else ""
    return f"{address}{_time_of_day(context)}，{_pets(context)}今天怎么样？"


def _pets(context: TurnContext) -> str:
    names = [card.pet.name for card in context.cards] or [pet.name for pet in context.others if pet.status == "active"]
    return names[0] if len(names) == 1 else "小家伙们" if names else "家里的小家伙"


def _and_name(called: str) -> str:
    return f"，{called}" if called else ""


_ANSWERS: dict[str, Callable[[TurnContext, str], str]] = {
    "night": lambda context, called: f"晚安{_and_name(called)}。",
    "bye": lambda context, called: f"回头见{_and_name(called)}。",
    "thanks": lambda context, called: f"不客气{_and_name(called)}。",
    "hello": _hello,
    "assent": lambda context, called: "好的，有事随时叫我。",
    "weather": lambda context, called: f"是呀。{_pets(context)}今天怎么样？",
    "mood": lambda context, called: f"嗯，我听着呢。{_pets(context)}今天怎么样？",
    "laugh": lambda context, called: "哈哈，看来心情不错。",
}
