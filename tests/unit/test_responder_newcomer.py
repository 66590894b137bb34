"""What a newcomer meets in the first days: denials, emergencies told as text, strange names, summaries, small talk."""


import pytest
from responder_contexts import about_dog, dog_card, recalled

from domain.offline.responder import respond
from domain.turn_context import TurnContext


def said(context: TurnContext) -> str:
    return "".join(sentence.text for sentence in respond(context))


DENIALS = (
    "旺仔对鸭肉不过敏",
    "旺仔没有对鸭肉过敏",
    "旺仔对鸭肉过敏（已排除）",
    "旺仔鸭肉过敏检测阴性",
    "旺仔对鸭肉不再过敏了",
)


class TestDeniedAllergy:
    @pytest.mark.parametrize("line", DENIALS)
    @pytest.mark.parametrize("asked", ["旺仔能吃鸭肉干吗", "旺仔可以吃点鸭胸吗"])
    def test_is_told_but_never_as_a_warning(self, line: str, asked: str) -> None:
        denied = recalled("m-duck", line, "allergy:duck", "medical", "2026-10-01")
        text = said(about_dog(asked, denied, card=dog_card()))
        assert "别给" not in text
        assert "已知的过敏" not in text
        assert line.split("（")[0] in text

    def test_does_not_take_the_warning_of_another_allergy_away(self) -> None:
        denied = recalled("m-duck", "旺仔对鸭肉不过敏", "allergy:duck", "medical", "2026-10-01")
        assert "别给：旺仔对牛肉过敏" in said(about_dog("旺仔能吃牛肉吗", denied))

    def test_is_still_a_warning_where_the_record_in_force_says_so(self) -> None:
        watched = recalled("m-beef", "旺仔对牛肉不过敏", "allergy:beef", "medical", "2026-10-01", pending="观察中")
        text = said(about_dog("旺仔能吃牛肉吗", watched))
        assert text.startswith("别给：旺仔对牛肉过敏")
