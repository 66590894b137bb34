"""Sentences in which a model says that it recorded, changed, deleted or arranged something. Pure.

Nobody may hear of a change that did not happen, so such a sentence is told only when something of the kind was done in
this turn. Receipts are our own; a model never needs to give one.
"""

import re
from collections.abc import Iterable
from enum import StrEnum


class Deed(StrEnum):
    """What was really done in a turn."""

    RECORDED = "recorded"
    PLANNED = "planned"
    CANCELLED = "cancelled"
    PROPOSED = "proposed"
    DELETED = "deleted"  # no tool deletes, so nobody may say so


_OF_PLANS = {
    "created": Deed.PLANNED,
    "moved": Deed.PLANNED,
    "restored": Deed.PLANNED,
    "cancelled": Deed.CANCELLED,
}  # by the outcome of an act on the calendar


_VERBS: dict[Deed, str] = {
    Deed.DELETED: r"删除|删掉|删|清空|清除|移除|抹掉|撤销|去掉",
    Deed.CANCELLED: r"取消|退掉",
    Deed.PLANNED: r"安排|设置|设定|设好|设|创建|新建|建好|定好|约好|预约|加进日程|排好|开启|打开提醒",
    Deed.PROPOSED: r"提交|发起|提出",
    Deed.RECORDED: (
        r"记下来?|记住|记录|记到|记上|记好|存好|存下|保存|登记|录入|写进|写入|写到|更新|添加|加到|加上|加入"
        r"|改成|改为|改好|改|修改|纠正|更正|标注|标记|备注|归档|调整"
    ),
}
_WHO = r"(?:我(?:这边|这就|马上)?|帮[你您它]们?|给[你您]|替[你您]|为[你您]|系统)"
_OPENING = r"(?:好的?|嗯+|没问题|行|收到|明白了?|可以|OK|ok)?[，,！!。]?\s*"
_NOT_DONE = re.compile(
    r"(?:没有?|还没|不能|无法|没法|不会|不可以|可以|要不要|需要|如果|等|请|让|建议|记得|想)[^，。！？]{0,10}$"
)
_PROMISE = re.compile(
    r"我(?:会|一定会|以后会|将)(?:帮你|替你|给你|为你|到时候?|准时|每天|按时|一直)*(?:记住|记着|记下|提醒|叫你|通知)"
)


def deeds_on_plans(outcomes: Iterable[str]) -> frozenset[Deed]:
    """What real acts on the calendar amount to: created, moved, cancelled, restored. No act, no deed."""
    done = {_OF_PLANS[outcome] for outcome in outcomes if outcome in _OF_PLANS}
    return frozenset(done | {Deed.RECORDED} if done else done)


def claimed_deeds(sentence: str) -> frozenset[Deed]:
    """What the sentence says was done: 已经帮你删掉了过敏记录 → DELETED. A question or an offer says nothing."""
    if re.search(r"[吗么？?]", sentence):
        return frozenset()
    found = {
        deed for deed, pattern in _PATTERNS.items() for hit in pattern.finditer(sentence) if _is_done(sentence, hit)
    }
    if _PROMISE.search(sentence):
        found.add(Deed.PLANNED if "提醒" in sentence or "叫你" in sentence or "通知" in sentence else Deed.RECORDED)
    return frozenset(found)


def _is_done(sentence: str, hit: re.Match[str]) -> bool:
    return _NOT_DONE.search(sentence[: hit.start()]) is None


_ALSO = dict.fromkeys(
    (Deed.DELETED, Deed.CANCELLED),
    r"|(?:也|都|全部?|统统|一并|一起)(?:帮[你您]|给[你您]|替[你您])?(?:{verbs})掉?(?:了|啦)",
)  # 提醒也取消了: nobody is named, and what was done is
_PATTERNS = {
    deed: re.compile(
        rf"(?:{_WHO}|^{_OPENING})(?:已经?|都|刚刚?|现在|帮[你您]|给[你您]|替[你您]|为[你您]|成功)*"
        rf"(?:把[^，。！？]{{1,20}}?|将[^，。！？]{{1,20}}?)?(?:从[^，。！？]{{1,10}}?|在[^，。！？]{{1,10}}?)?(?:全部?|都|成功|重新)?"
        rf"(?:{verbs})[^，。！？了]{{0,12}}(?:了|完成|成功|好啦|啦)"
        rf"{_ALSO[deed].format(verbs=verbs) if deed in _ALSO else ''}"
        rf"|(?:已经?|成功)(?:成功|为[你您]|帮[你您]|给[你您]|全部?|将[^，。！？]{{1,20}}?|把[^，。！？]{{1,20}}?)?(?:{verbs})(?![过着])"
    )
    for deed, verbs in _VERBS.items()
}
