"""What a pet may be called: something that can be read, and no word that every other sentence holds. Pure."""

import re

from memory.text_folding import fold_word

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff]"
)
"""Characters without a shape of their own, and those that turn the direction of the text; emoji need the joiner."""

_PERSONS = "我 你 您 他 她 它 咱 谁 我们 你们 他们 她们 它们 咱们 自己 大家 主人 这 那 这个 那个 这只 那只 哪只"
_GRAMMAR = (
    "不 没 没有 不是 对 是 的 了 在 有 和 跟 与 也 都 就 吗 呢 吧 啊 很 又 还 再 被 把 给 到 去 要 会 能 好 一 两 几 "
    "什么 怎么 为什么"
)
_EVERY_DAY = "吃 喝 吐 拉 打 今天 昨天 明天 前天 后天 现在 刚才 最近 早上 中午 晚上 今年 去年 每天"
_ANIMALS = "猫 狗 犬 鸟 兔 宠物 过敏 疫苗 驱虫 体重 生病 医院 医生"
_ENGLISH = "i me you he she it we they the a an no not yes is cat dog pet"
EVERYDAY_WORDS = frozenset(" ".join((_PERSONS, _GRAMMAR, _EVERY_DAY, _ANIMALS, _ENGLISH)).split())
"""A pet of such a name would be meant by nearly everything its owner says."""


def pet_name(given: str) -> str:
    """The name without invisible characters and outer spaces.

    Raises ValueError, with a sentence for owners, when nothing readable is left or it is an everyday word.
    """
    name = INVISIBLE.sub("", given).strip()
    if not name:
        raise ValueError("名字不能是空的")
    if not any(character.isalnum() for character in name):
        raise ValueError("名字里要有文字或数字")
    if fold_word(name) in EVERYDAY_WORDS:
        raise ValueError("这个词平时说话常常用到，当名字容易弄混，请换一个")
    return name
