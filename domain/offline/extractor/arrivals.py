"""The day a pet came to live with its owner: 两兄弟同一天来的家，22年11月3号; 前年6月1号从救助站领的."""

import re

from domain.offline.extractor.reading import Reading, Scene

CAME_HOME = re.compile(
    r"(?<![才刚一于算])到(?:的)?(?:我|咱)?们?家(?!附近|门口|楼下)|(?<!回)[来进](?:的)?(?:我|咱)?们?家(?:门|里)?|进的?(?:家|门)|入的?家门?"
    r"|(?:接|抱|领|捡|买|带|收)(?:回来?|来|到家?|养|进)(?:家|门)?的|(?:领养|收养|捡|抱养|救助)(?:了|的|来的|回来的?|回家的?|到)"
    r"|(?:从|在|去)[^,。]{1,8}?(?:领|抱|接|捡|买)(?:回来?|来)?(?:的|了)|(?:领|抱|捡)的(?:它|他|她|\x00)|(?:领|抱|捡|接|买)的$|(?<=[天日号起块月年])来的$"
)
_NOT_FOR_GOOD = re.compile(r"医院|诊所|住院|寄养|寄放|美容|洗澡|出院|店里|托管|手术|疫苗|驱虫|[吃喝打查测]的")
_BESIDES_THE_DAY = re.compile(r"大概|好像|应该|那[天年会]|都|是|在|的|就|吧|也|号|日|来着|左右|前后|\x00|[:：~的了]")


_BORN = re.compile(r"生日|出生|(?<![医先学])生的(?!病)|破壳")
_VISITS = re.compile(
    r"(?:[妈爸爹娘婆公爷奶姥姑姨舅叔伯姐哥弟妹嫂友]|朋友|同学|同事|亲戚|客人|孩子|侄[子女儿]|师傅|人|他们|她们)[^,。\x00]{0,3}[来到进](?!的)"
)  # 昨天我妈来家里: somebody who comes to see the owner
_THEN = re.compile(r"当时|那[时会天]|来的?时候|刚来|一来")


def is_of_its_beginning(earlier: Reading, reading: Reading) -> bool:
    """Whether a day before is that of birth or coming home, which says nothing of when the rest was found."""
    came = CAME_HOME.search(earlier.text) is not None and _VISITS.search(earlier.text) is None
    begun = came or _BORN.search(earlier.text) is not None
    return begun and _THEN.search(reading.text) is None


def is_only_a_day(reading: Reading) -> bool:
    """Whether a clause holds a day and nothing else: 大概是23年4月."""
    if not any(time.on for time in reading.times):
        return False
    rest = list(reading.text)
    for time in reading.times:
        rest[time.start - reading.start : time.end - reading.start] = [""] * (time.end - time.start)
    return not _BESIDES_THE_DAY.sub("", "".join(rest))


def arrival(reading: Reading, scene: Scene) -> re.Match[str] | None:
    """The words that tell of the coming home, where the clause names the day and no stay elsewhere was spoken of."""
    if not any(time.on for time in reading.times) or _NOT_FOR_GOOD.search(scene.folded):
        return None
    return CAME_HOME.search(reading.text)
