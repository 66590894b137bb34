"""The words of an alert: which sign, how urgent, what to do now. Chinese, calm, no diagnosis and no dose."""

import re

from domain.knowledge.red_flags import RedFlag
from domain.knowledge.toxins import Action
from domain.triage.poison_matcher import Poisoning

GO_NOW = "请现在就去最近的24小时动物医院，路上先打电话说明情况"
CALL_NOW = "请马上打电话给动物医院，报体重、吃了什么、大概多少、几点吃的，并带上包装；联系不上或已经有症状就直接去急诊"
WITHIN_A_DAY = "请在24小时内带去看医生，情况变重就立即去急诊"
WATCH = "可以先在家观察"

_WHAT_TO_DO: dict[Action, str] = {
    "vet_now": GO_NOW,
    "call_now": CALL_NOW,
    "vet_24h": WITHIN_A_DAY,
    "monitor": f"{WATCH}，出现呕吐、没精神等症状就联系医生",
}
_NO_VOMITING = "不要自行催吐，也不要灌牛奶、油或盐水。"
_SAID_ALREADY = re.compile(r"^不要催吐[；，]")


def advise_on_flag(flag: RedFlag, name: str | None, level: str) -> str:
    """For example 「煤球的情况像「尿闭」，属于急症：请现在就去…。不要……」."""
    opening = f"{name or '它'}的情况像「{sign_of(flag)}」"
    match level:
        case "emergency":
            urgency = f"，属于急症：{GO_NOW}。"
        case "urgent":
            urgency = f"，不能拖：{WITHIN_A_DAY}。"
        case _:
            urgency = f"，{WATCH}。"
    steps = [step for step in flag.owner_do if not step.startswith(("立即去", "24小时内就医"))]
    watch_for = [_chinese(sign) for sign in flag.escalate_if[:1]] if level == "watch" else []
    return opening + urgency + "".join(f"{_chinese(step)}。" for step in (*steps[:2], *flag.owner_dont[:2], *watch_for))


def sign_of(flag: RedFlag) -> str:
    """The sign in short: the title without its explanation in brackets."""
    return _chinese(flag.title.split("(")[0])


def advise_on_poison(poisoning: Poisoning, name: str | None, species_zh: str, action: Action) -> str:
    """For example 「巧克力对狗有毒：请马上打电话…。不要自行催吐…」."""
    called, poison = name or "它", _chinese(poisoning.toxin.name_zh)
    if poisoning.may_contain:
        risk = f"{called}吃的「{poisoning.surface}」里常含{poison}，先看配料表"
    else:
        named = "" if poison == poisoning.surface else f"（{poison}）"
        risk = f"{called}可能接触了「{poisoning.surface}」{named}，对{species_zh}有害"
    warning = "" if action == "monitor" else _NO_VOMITING
    advice = _chinese(poisoning.toxin.owner_advice)
    if warning:
        advice = _SAID_ALREADY.sub("", advice)
    return f"{risk}：{_WHAT_TO_DO[action]}。{warning}{advice}。"


_NOTATION: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), told)
    for pattern, told in (
        (r"\([A-Za-z ]+\)", ""),
        (r"\(([^()]*)\)", r"（\1）"),
        (r",\s*", "，"),
        (r";\s*", "；"),
        (r"(?<!\d):\s*", "："),
        (r"(?<=\d)-(?=\d)", "到"),
        (r"(?<=[\w）])[/+](?=\w)", "、"),
        (r"(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fffA-Z])|(?<=[A-Z0-9])\s+(?=[\u4e00-\u9fff])", ""),
        (r'"([^"]*)"', r"“\1”"),
    )
)
"""How the sheets write for short, and how an owner reads it."""


def _chinese(text: str) -> str:
    """A text of the sheets with Chinese punctuation and without signs that only its authors read."""
    for written, told in _NOTATION:
        text = written.sub(told, text)
    return text.rstrip("。")
