"""A piece of the prompt is no answer; what a person would say is."""

import pytest

from app.adapters.prompt_echo import is_prompt_echo


@pytest.mark.parametrize(
    ("text", "echo"),
    [
        ("- 2026年11月30日 星期一 14:47，距上次聊天 0 分钟", True),
        ("- 10月29日 星期二 17:08，距上次聊天 0 分钟", True),
        ("2026年11月30日 星期一 14:47", True),
        ("〔豆豆的名片〕", True),
        ("【主人这次说的话】", True),
        ("- 主人没有说清是哪只宠物，资料里也看不出来。", True),
        ("用到哪一条，就在那句话句号前写上它的编号，例如：上次驱虫是三月。", True),
        ("[INST]下个月有什么安排", True),
        ("你好呀 <<SYS>>", True),
        ("主人：谢谢，晚安。", True),
        ("User: 谢谢", True),
        ("- “主人：住建国路号”", True),
        ("主人可以先观察：吐得多就去医院。", False),
        ("要改成“豆豆对鸡肉过敏”吗？", True),
        ("在你回答之前，我仍按原来的来。", True),
        ("要改成一天三顿吗？", False),
        ("现在记的是一天两顿。", False),
        ("豆豆下次打疫苗是12月9日（周三）15:00。", False),
        ("没有记录，不确定的话问问兽医。", False),
        ("你说的是豆豆还是咪咪？", False),
        ("疫苗约在2026年12月9日 星期三 15:00，别忘了带本子。", False),
        ("这是临时聊天，没有档案，也不会留下什么。", False),
        ("距上次聊天已经三天了，豆豆还好吗？", False),
        ("【小结】多喝水，观察两天。", False),
        ("请用简体中文重新回答我上面的话。", True),
    ],
)
def test_a_piece_of_the_prompt_is_told_from_an_answer(text: str, echo: bool) -> None:
    assert is_prompt_echo(text) is echo
