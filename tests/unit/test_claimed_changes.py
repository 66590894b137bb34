"""What a model says it has done."""

import pytest

from domain.claimed_changes import Deed, claimed_deeds


@pytest.mark.parametrize(
    ("sentence", "deeds"),
    [
        ("已经帮你把鸡肉过敏删掉了。", {Deed.DELETED}),
        ("好的，我已将过敏记录全部删除。", {Deed.DELETED}),
        ("我帮你记下了。", {Deed.RECORDED}),
        ("记下了，豆豆怕打雷。", {Deed.RECORDED}),
        ("已更新豆豆的体重。", {Deed.RECORDED}),
        ("好的，已经把过敏改成牛肉了。", {Deed.RECORDED}),
        ("我帮你设置了提醒。", {Deed.PLANNED}),
        ("已为你安排周三的疫苗。", {Deed.PLANNED}),
        ("我会准时提醒你。", {Deed.PLANNED}),
        ("我会记住的。", {Deed.RECORDED}),
        ("周三的预约已经取消了。", {Deed.CANCELLED}),
        ("提醒也取消了。", {Deed.CANCELLED}),
        ("过敏记录都删掉了。", {Deed.DELETED}),
    ],
)
def test_a_claimed_change_is_noticed(sentence: str, deeds: set[Deed]) -> None:
    assert claimed_deeds(sentence) >= deeds


@pytest.mark.parametrize(
    "sentence",
    [
        "档案里记录了它对鸡肉过敏。",
        "要我帮你记下来吗？",
        "我不能直接删除过敏记录。",
        "我没有删掉任何记录。",
        "建议你把体重记录下来。",
        "可以改成一天三顿。",
        "换粮要慢慢来，七天改完。",
        "豆豆已经打了狂犬疫苗。",
        "它上次体检是三月。",
        "没有记录。",
        "记得多给它喝水。",
        "如果取消了预约，要提前说。",
    ],
)
def test_advice_and_what_is_on_record_is_no_claim(sentence: str) -> None:
    assert claimed_deeds(sentence) == frozenset()
