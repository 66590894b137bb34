"""Greetings, thanks, good night: one short friendly sentence."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from domain.offline.responder.wording import plain
from domain.turn_context import TurnContext
from memory.text_folding import fold_text

LONGEST = 24  # characters; small talk is short, anything longer says something
MORNING, NOON, EVENING = 5, 12, 18  # hours at which the greeting changes

_FILLER = r"(?:[\s,，。.!！~～…啊呀哈哦噢嗯呢啦吧哟呐了的]|\W)*"
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"{_FILLER}(?:(?:{words}){_FILLER})+"))
    for kind, words in (
        ("night", r"晚安|睡了|去睡了?|先睡了?|睡觉去了?|好梦|做个好梦|我|要"),
        ("bye", r"拜拜|再见|回见|下次聊|先这样|我先忙|不聊|88|bye|走"),
        (
            "thanks",
            r"谢谢你?|多谢|感谢|谢啦|辛苦了?|麻烦你?|太好|你真好|真棒|好棒|厉害|爱你"
            r"|thanks|thank you|thx|3q|帮大忙|贴心|靠谱",
        ),
        (
            "hello",
            r"你好|您好|哈喽|哈啰|嗨|hi|hello|hey|在吗|在么|在不在|在不|早上好|早安|早|上午好|中午好|下午好|晚上好|好久不见|我来|又来",
        ),
        (
            "assent",
            r"好的?|好滴|好嘞|行|可以|ok|okk|okay|收到|知道|明白|了解|懂|嗯+|对|对的|是|是的|没错|没问题|就这样|原来如此|这样|那就好|不用|没事|算了|没",
        ),
        ("laugh", r"哈+|嘿+|呵+|嘻+|笑死|233+|可爱|萌|好玩|太逗|逗"),
    )
)
_WHO = re.compile(
    r"你是(?:谁|什么|啥|机器人|ai|人工智能|真人|人吗)|你叫(?:什么|啥)|你(?:能|会|可以)(?:做|干|帮)?[^,。]{0,4}(?:什么|啥|哪些)|(?:有|是)什么功能|怎么用你"
)


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
    if len(folded) > LONGEST:
        return None
    if _WHO.search(folded):
        return SmallTalk("我是你的养宠记录助手：帮你记下宠物的事，问起来照着档案回答。")
    kind = next((kind for kind, pattern in _KINDS if pattern.fullmatch(folded)), "")
    return SmallTalk(_ANSWERS[kind](context, plain(called)), kind in ("night", "bye")) if kind else None


def _hello(context: TurnContext, called: str) -> str:
    hour = context.now.hour
    greeting = "早上好" if MORNING <= hour < NOON else "晚上好" if hour >= EVENING or hour < MORNING else "下午好"
    return (
        f"{called}，{greeting}，{_pets(context)}今天怎么样？" if called else f"{greeting}，{_pets(context)}今天怎么样？"
    )


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
    "laugh": lambda context, called: "哈哈，看来心情不错。",
}
