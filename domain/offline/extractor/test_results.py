"""Illnesses that a clause only says were tested for, and what the test found: 库欣查了，阴的."""

import re

from domain.offline.extractor.reading import Reading, Scene
from domain.offline.extractor.wordlist import Hit

_ONLY_TESTED = re.compile(r"(?:查|测|验|筛查|检测|化验)(?:了|过|的)(?:一下|个|下)?$")  # 抽血查了心丝虫
_A_TEST_FOR = re.compile(
    r"病?的?(?:检查|检测|筛查|测试|试纸|化验|(?:也|都|刚)?[查测验筛](?:了|过))"
)  # 做了猫艾滋检查, 库欣查了
_OUTCOME = re.compile(r"阳|阴|正常|没|出|有|确诊|感染|中招|\+")
_BARE_OUTCOME = re.compile(
    r"^(?:结果|全|都|也|是|显示|说|出来|没事|的)*"
    r"(?:阴(?:性|的)?|(?:弱|强)?阳(?:性|的)?|没(?:事|问题|有|查出)|正常|排除|中招)[了啦]?[^,。]{0,2}$"
)
_FOUND_THEN = re.compile(r"是[^,。]{2,8}[查验拍]的$")
_FOUND_NONE = re.compile(r"^(?:结果|全|都|也|是|显示|说|出来)*(?:阴|没(?:事|问题|有|查出)|正常|排除)")


def only_tested(reading: Reading, hit: Hit) -> bool:
    """Whether the clause says that it was tested for this, and nothing of what came out."""
    tested = _ONLY_TESTED.search(reading.before(hit)) or _A_TEST_FOR.match(reading.after(hit, 4))
    if _FOUND_THEN.search(reading.text[: hit.start - reading.start]):
        return False  # 是去年查的结石
    return tested is not None and _OUTCOME.search(reading.text) is None


def outcome_after(reading: Reading, scene: Scene) -> Reading | None:
    """The next clause, where it holds nothing but the outcome of a test."""
    following = scene.next_of(reading)
    if following is None or following.sentence != reading.sentence or following.about.explicit:
        return None
    return following if _BARE_OUTCOME.match(following.text) else None


def found_none(outcome: Reading) -> bool:
    return _FOUND_NONE.match(outcome.text) is not None
