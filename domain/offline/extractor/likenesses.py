"""What a body does, told by a picture and with a suspicion: 训犬师说它跑起来后腿并着像兔子跳，怀疑髋不大好."""

import re
from collections.abc import Iterator

from domain.offline.extractor.reading import Draft, Reading, Scene
from memory.topics import Topic
from memory.vocabulary import Certainty

_PICTURE = re.compile(r"(?<!好)(?<!不)像(?!话|样|素|极了|个人)|(?:跟|和)[^,。\x00]{1,8}(?:似的|一样)|似的")
_SUSPECTED = re.compile(
    r"怀疑|怕(?:不)?是|担心|该不会|会不会|是不是|别是|疑似|不对劲|不(?:大|太|怎么)?(?:好|对|正常)|有(?:点)?(?:毛病|问题)"
)
_FUNCTIONS = (
    ("limping", re.compile(r"走|跑|站|坐下|起身|迈|腿|屁股一|髋|膝|关节|跳")),
    ("dyspnea", re.compile(r"喘|呼吸|出气")),
    ("cough", re.compile(r"咳|嗓子")),
    ("eye_discharge", re.compile(r"眼")),
    ("ear_problem", re.compile(r"耳|甩头")),
    ("skin_lesion", re.compile(r"皮|毛|背上|肚皮")),
)
_OF_A_BODY = re.compile(r"[走跑站]|起身|喘|呼吸|叫声")


def find_likened(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """At most one sign, only where it was heard from somebody or something is suspected behind it."""
    if "像" not in reading.text and "似的" not in reading.text and "一样" not in reading.text:
        return
    if len(reading.about.pets) != 1 or not reading.about.explicit or reading.tone.wishing:
        return
    picture = _PICTURE.search(reading.text)
    if picture is None or not (reading.of("body") or _OF_A_BODY.search(reading.text, 0, picture.start())):
        return
    following = scene.next_of(reading)
    said = reading.text + (following.text if following and following.sentence == reading.sentence else "")
    if reading.tone.certainty is Certainty.PLAIN or _SUSPECTED.search(said) is None:
        return
    told = reading.text[: picture.start()]
    function = next((key for key, pattern in _FUNCTIONS if pattern.search(told)), "likeness")
    name = {"name": reading.text.replace("\x00", "")}
    yield Draft(f"symptom:{function}", reading.start, reading.end, name, topic=Topic.HEALTH)
