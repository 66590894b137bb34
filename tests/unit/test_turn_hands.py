"""What counts as done in a turn, by which a model's claim of a change is judged."""

from datetime import UTC, datetime

import pytest

from domain.claimed_changes import Deed, claimed_deeds
from domain.turn_context import TurnContext, Written
from domain.turn_hands import TurnHands
from memory.vocabulary import Outcome

NOW = datetime(2026, 3, 1, tzinfo=UTC)
CANCELLED = "已经帮你取消了。"
PLANNED = "我帮你安排好了。"
RECORDED = "我帮你记下了。"
DELETED = "已经帮你删掉了。"


def turn(told: str, *outcomes: str) -> TurnContext:
    return TurnContext(NOW, "", arranged=(told,), plans_changed=outcomes)


@pytest.mark.parametrize(
    ("context", "claim", "is_true"),
    [
        (turn("没有找到要改的那个安排。"), CANCELLED, False),
        (turn("没有找到要改的那个安排。"), PLANNED, False),
        (turn("没有找到要改的那个安排。"), RECORDED, False),
        (turn("几点提醒你？"), PLANNED, False),
        (turn("你要取消哪一个？"), CANCELLED, False),
        (turn("这件事已经在日程里了。"), PLANNED, False),
        (turn("好的，这件事我忘掉了。"), CANCELLED, False),
        (turn("好的，这件事我忘掉了。"), DELETED, False),
        (turn("已取消。", "cancelled"), CANCELLED, True),
        (turn("已取消。", "cancelled"), RECORDED, True),
        (turn("已取消。", "cancelled"), PLANNED, False),
        (turn("安排好了。", "created"), PLANNED, True),
        (turn("安排好了。", "created"), CANCELLED, False),
        (turn("改好了。", "moved"), PLANNED, True),
        (turn("改好了。", "moved"), CANCELLED, False),
        (turn("恢复了。", "restored"), PLANNED, True),
        (turn("改好了。", "created", "cancelled"), CANCELLED, True),
        (TurnContext(NOW, ""), RECORDED, False),
        (TurnContext(NOW, "", written=(Written(Outcome.ADDED, None, "other", "怕打雷"),)), RECORDED, True),
        (TurnContext(NOW, "", written=(Written(Outcome.ADDED, None, "other", "怕打雷"),)), CANCELLED, False),
    ],
)
def test_only_a_real_change_lets_a_model_say_that_it_was_made(context: TurnContext, claim: str, is_true: bool) -> None:
    claimed = claimed_deeds(claim)
    assert claimed
    assert (claimed <= TurnHands(until=0.0).deeds(context)) is is_true


def test_what_a_tool_did_counts_beside_what_the_rules_did() -> None:
    hands = TurnHands(until=0.0, done={Deed.CANCELLED})
    assert hands.deeds(turn("安排好了。", "created")) == {Deed.CANCELLED, Deed.PLANNED, Deed.RECORDED}
