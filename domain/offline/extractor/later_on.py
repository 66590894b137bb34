"""What became of a sign that was told before, in a clause that does not name it: 早上又流, 今早没流了, 刚才成形了."""

import re
from collections.abc import Iterator

from domain.offline.extractor.formerly import was_before
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.wordlist import Hit
from memory.topics import Topic

REACH = 3  # clauses back to the sign
_WHEN = (
    r"^\x00*(?:到|从)?(?:今[早天晚儿]|今日|早上|早晨|一早|上午|中午|下午|傍晚|晚上|夜里|半夜|凌晨|天亮|刚才|刚刚"
    r"|现在|眼下|这会儿?|昨[天晚夜儿])"
)
_AGAIN = re.compile(rf"{_WHEN}[^,。]{{0,6}}?又(?P<does>[^,。了过\x00]{{1,3}})")
_ONCE_MORE = re.compile(r"来|犯|这样|一样|开始|一[回次阵]")
_NOW = re.compile(
    r"^\x00*(?:(?:到|从)?(?:今[早天晚儿]|今日|刚才|刚刚|现在|眼下|这会儿?|昨[天晚夜儿])"
    r"|(?:早上|早晨|中午|下午|晚上|天亮)(?=[^,。]{0,6}(?:倒|总算|终于|才)))(?P<how>[^。]*)$"
)
_WELL = re.compile(
    r"正常|[成有][形型条]|清亮|干净|干爽|是?黄的|香蕉|恢复|好(?:了|些|多|点|转|受)|消停|安静|精神|有劲|缓|舒服|利索"
    r"|能(?:吃|喝|玩|睡|走|跑|站)|(?:肯|开始|会|愿意)(?:吃|喝|动|走|玩)|[吃喝][了得](?:半|一|两|些|点|香|不少)"
)
_GONE = re.compile(
    r"(?:一?[点次回声天]|再)[也都就]?没|没(?:有)?(?:再|怎么)?(?:吐|拉|流|咳|抽|喘|挠|尿|打|瘸|犯|见)"
    r"|不(?:再)?(?:吐|拉|流|咳|抽|喘|挠|瘸)了|[消停退]了"
)
_PARTLY = re.compile(r"大半|一半|[些点多]了?$|差不多|基本|没怎么")
_STILL = re.compile(
    r"还(?:是|在|没|不)|但|就是|不(?:正常|太|怎么|肯|想|爱)"
    r"|没(?:精神|正常|恢复|成形|好|起来|动|敢|吃|喝|睡|劲)|[吗么?]"
)


_LET_GO = re.compile(r"[尿漏拉]")


def find_later_on(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """The sign that was told before, once more at another time, or over by now; the clause itself names none."""
    if reading.place == 0 or reading.has("condition", "food", "drug", "drug_name", "drug_word"):
        return
    if any(hit.family == "sign" and not hit.word.good for hit in reading.hits):
        return
    again, now = _AGAIN.match(reading.text), _NOW.match(reading.text)
    earlier = _told_before(reading, scene) if again or now else None
    if earlier is None:
        return
    sign = _sign_of(earlier)
    if again and sign is not None and _is_named_next(sign, reading, scene):
        return
    if again and (again["does"][0] in earlier.text or _ONCE_MORE.match(again["does"]) or _LET_GO.match(again["does"])):
        yield from _again(reading, sign)
    elif sign is not None and now is not None and not _STILL.search(now["how"]):
        yield from _over(reading, sign, now["how"])


def _is_named_next(sign: Hit, reading: Reading, scene: Scene) -> bool:
    """今早又流，鼻涕都变黄了: the next clause tells it by its name."""
    after = scene.next_of(reading)
    return after is not None and after.sentence == reading.sentence and any(hit.id == sign.id for hit in after.hits)


def _again(reading: Reading, sign: Hit | None) -> Iterator[Draft]:
    if sign is None:
        yield Draft("behavior:toilet", reading.start, reading.end, {"text": reading.text}, topic=Topic.ELIMINATION)
        return
    topic = Topic(sign.word.topic) if sign.word.topic else None
    name = {"name": sign.word.text}
    yield Draft(f"symptom:{sign.id}", reading.start, reading.end, name, topic=topic, about=sign.word.text)


def _over(reading: Reading, sign: Hit, how: str) -> Iterator[Draft]:
    topic = Topic(sign.word.topic) if sign.word.topic else None
    if _GONE.search(how) and not _PARTLY.search(how):
        name = {"name": sign.word.text}
        yield Draft(f"symptom:{sign.id}", reading.start, reading.end, name, True, topic=topic, about=sign.word.text)
    elif _WELL.search(how) or _GONE.search(how):
        yield Draft("symptom:better", reading.start, reading.end, {"text": reading.text}, topic=topic)


def _told_before(reading: Reading, scene: Scene) -> Reading | None:
    """The last clause of the sentence that told what the same pet showed or let go, and not of the past."""
    for earlier in reversed(scene.readings[max(0, reading.place - REACH) : reading.place]):
        same = earlier.about.pets == reading.about.pets and earlier.sentence == reading.sentence
        if same and (_sign_of(earlier) is not None or (earlier.times and _LET_GO.search(earlier.text))):
            return None if was_before(earlier, scene) else earlier
    return None


def _sign_of(reading: Reading) -> Hit | None:
    signs = [hit for hit in reading.used if hit.family == "sign" and not hit.word.good]
    return min(signs, key=lambda hit: hit.start) if signs else None
