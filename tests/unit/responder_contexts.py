"""Contexts for the tests of the offline answers: one dog, one cat, and short ways to say what is known."""

from datetime import date, datetime
from typing import Any

from domain.pet_profiles import PetProfile
from domain.turn_context import AskedQuestion, CardLine, PetCard, RecalledLine, TurnContext, Written
from memory.vocabulary import OWNER_SUBJECT, Kind, Outcome

NOW = datetime.fromisoformat("2026-11-20T19:30:00+08:00")

WANGZAI = PetProfile("dog-1", "旺仔", "dog", breed="比格", sex="male", neutered=None, born_on=date(2022, 3, 14))
XUEQIU = PetProfile("cat-1", "雪球", "cat", breed="布偶", sex="female", neutered=True)
BAOZI = PetProfile("cat-2", "包子", "cat", nicknames=("胖包",), breed="橘猫", sex="male", neutered=False)

ALLERGY = ("旺仔对牛肉过敏（浑身起疹）", "allergy:beef", "medical", "2025-04-02")
DRUG = ("旺仔在用加巴喷丁，每晚一次", "medication:gabapentin", "medical", None)
DISEASE = ("旺仔有髋关节发育不良", "condition:hip_dysplasia", "medical", "2024-09-10")


def stamped(text: str, day: str | None) -> str:
    """The line as it is served: with its day behind it."""
    if day is None:
        return text
    year, month, number = (int(part) for part in day.split("-"))
    return f"{text}（{year}年{month}月{number}日）"


def on_card(
    memory_id: str, text: str, attribute: str, topic: str, day: str | None = None, safety: bool = True, **more: Any
) -> CardLine:
    mark = "（待确认）" if more.get("provisional") else ""
    return CardLine(memory_id, stamped(text, day) + mark, topic, attribute, safety, **more)


def recalled(
    memory_id: str,
    text: str,
    attribute: str,
    topic: str,
    day: str | None = None,
    subject: str | None = WANGZAI.id,
    kind: Kind = Kind.FACT,
    confidence: float = 0.95,
    pending: str = "",
) -> RecalledLine:
    happened = datetime.fromisoformat(f"{day}T12:00:00+08:00") if day else None
    return RecalledLine(
        memory_id, subject, stamped(text, day), topic, attribute, kind, confidence, happened, pending=pending
    )


def owners(memory_id: str, text: str, attribute: str = "preference") -> CardLine:
    return CardLine(memory_id, text, "owner", attribute)


def of_owner(memory_id: str, text: str, attribute: str = "contact") -> RecalledLine:
    return recalled(memory_id, text, attribute, "owner", subject=OWNER_SUBJECT)


def dog_card(*lines: CardLine, no_known_allergies: bool = False) -> PetCard:
    return PetCard(WANGZAI, lines, no_known_allergies)


SAFETY_CARD = dog_card(on_card("k-beef", *ALLERGY), on_card("k-gaba", *DRUG), on_card("k-hip", *DISEASE))


def about_dog(text: str, *lines: RecalledLine, card: PetCard | None = None, **more: Any) -> TurnContext:
    """A turn about 旺仔; `SAFETY_CARD` unless another card is given."""
    return TurnContext(NOW, text, cards=(card or SAFETY_CARD,), others=(XUEQIU,), recalled=lines, **more)


def about_owner(text: str, *lines: RecalledLine, **more: Any) -> TurnContext:
    return TurnContext(NOW, text, others=(WANGZAI, XUEQIU), recalled=lines, about_owner=True, **more)


def written(outcome: Outcome, content: str, attribute: str = "behavior:x", **more: Any) -> Written:
    return Written(outcome, more.pop("subject", WANGZAI.id), more.pop("topic", "behavior"), content, attribute, **more)


def question(words: str, confirmation_id: str = "q-1", subject: str = WANGZAI.id) -> AskedQuestion:
    return AskedQuestion(confirmation_id, subject, "allergy:beef", words)
