"""Which messages want the last change taken back, and of what kind."""

import pytest

from domain.undo_requests import Undo, read_undo


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("撤销", Undo.ANY),
        ("撤回一下", Undo.ANY),
        ("帮我撤销刚才的操作", Undo.ANY),
        ("等等，撤销上一步", Undo.ANY),
        ("不对，刚才那条撤销吧", Undo.ANY),
        ("算了撤销", Undo.ANY),
        ("把刚才的改动撤销掉", Undo.ANY),
        ("撤销刚才的提醒", Undo.PLAN),
        ("刚才那个日程撤销", Undo.PLAN),
        ("把提醒恢复一下", Undo.PLAN),
        ("还是改回来吧", Undo.CHANGED),
        ("刚才那个改回来吧", Undo.CHANGED),
        ("还是改回去", Undo.CHANGED),
        ("算了，还是改回原来的吧", Undo.CHANGED),
        ("把刚才改的换回去", Undo.CHANGED),
        ("我记错了，改回去吧", Undo.CHANGED),
        ("还是按原来的", Undo.CHANGED),
        ("刚说的不算", Undo.SAID),
        ("刚才说的都不算数", Undo.SAID),
        ("当我没说", Undo.SAID),
        ("就当我刚才没说过", Undo.SAID),
        ("我刚才说的那句作废", Undo.SAID),
        ("刚刚那句话是瞎说的", Undo.SAID),
        ("恢复", Undo.BACK),
        ("把刚才删的恢复一下", Undo.BACK),
        ("找回来吧", Undo.BACK),
        ("别删", Undo.BACK),
    ],
)
def test_a_message_that_takes_something_back_is_known(text: str, what: Undo) -> None:
    request = read_undo(text)
    assert request is not None
    assert request.what is what


@pytest.mark.parametrize("text", ["刚才说错了", "刚才那句不对", "刚刚打错了", "不算数", "作废"])
def test_a_slip_without_more_is_asked_about(text: str) -> None:
    request = read_undo(text)
    assert request is not None
    assert (request.what, request.asks) == (Undo.SAID, True)


@pytest.mark.parametrize(
    "text",
    [
        "恢复了",
        "豆豆恢复了",
        "豆豆恢复得不错",
        "怎么撤销",
        "改回皇家的粮了",
        "还是改回一天两顿吧",
        "把疫苗改回周三",
        "豆豆换回原来的粮了",
        "刚才说的药名不对，是匹莫苯丹",
        "刚才说错了，是年糕舔爪子，不是可乐",
        "撤销豆豆的鸡肉过敏",
        "撤销刚才那条体重记录的时候它一直叫",
        "医生说先别动它",
        "这次不算严重",
        "那个医生说的不算",
        "不算胖吧",
        "算了",
        "不是真的吧",
        "不对",
        "说错了",
        "它刚才不对劲",
        "好的",
        "它不吃了",
        "",
    ],
)
def test_what_tells_something_is_no_wish_to_take_back(text: str) -> None:
    assert read_undo(text) is None
