"""A body temperature with its figure: 体温39.2度, 肛温103华氏度, 体温392, and 38.7度 of a pet that is named. Pure."""

import re
from collections.abc import Iterator

from domain.insight_signs import COLD, FEVER
from domain.observations import TEMPERATURE, in_celsius
from domain.offline.extractor.reading import Draft, Reading, Scene
from memory.numerals import read_number
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_MEASURED = re.compile(
    r"(?:体温|[肛耳腋]温)(?:[^,。;\d]{0,4}从\d[\d.]*度?[^,。;\d]{0,3}到了?)?(?P<between>[^,。;\d]{0,8}?)"
    r"(?P<figure>\d+(?:\.\d+)?|[二三四]十[一二三四五六七八九]?(?:点[一二三四五六七八九])?|[三四][零一二三四五六七八九]{1,2})(?![\d次天点只]|分钟|小时)\s?(?P<fahrenheit>℉|°?f(?![a-z])|华氏)?"
)
_NOT_REACHED = re.compile(r"没|不(?!是|停)|计|枪|超过?$|[高低]于$|要是|如果")  # 没到39度, 体温计3个
_FIGURED = re.compile(r"^[计枪]|\d|[二三四]十")
_TAKEN = re.compile(r"量(?!不|力|少|大)|测")
_OF_THE_BODY = (35.0, 43.0)  # ℃; a bare figure outside tells of something else
_NOT_OF_THE_BODY = re.compile(
    r"水温|室温|气温|温水|家里|屋里|外面|空调|地暖|天气|暖|加热|缸|箱|晒|高温|角度|太阳|水|热点|热得"
)
_TAKEN_AT = re.compile(r"量(?:了|的|出来|着|过|完)*(?:一下|一回)?(?:是|有|就)?((?:3[5-9]|4[0-2])\.\d)$")  # 量的39.9
_OF_A_PERSON = re.compile(r"孩子|[娃妈爸她他]|老公|老婆|宝宝|我自己|自己")
_WITHOUT_POINT = (350, 429)  # 体温392: the point is not typed


def find_temperature(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """At most one, in ℃ or ℉ as it was told, all in one slot. A fever, or too cold, is of the class of signs."""
    if "温" in reading.text:  # 体温计 is a thing to buy, and no other rule reads the figure
        reading.used.update(
            hit for hit in reading.of("lab") if hit.word.text == TEMPERATURE and _FIGURED.search(reading.after(hit, 14))
        )
    named = _named(reading)
    read = named or _bare(reading, scene)
    if read is None:
        return
    number, unit = read
    celsius = in_celsius(number, unit)
    ill = celsius >= min(FEVER.values()) or celsius <= COLD
    value = {"name": TEMPERATURE, "number": int(number) if number == int(number) else number, "unit": unit}
    cls = AttributeClass.SYMPTOM if ill else None
    about = "" if named else TEMPERATURE
    yield Draft(f"lab:{TEMPERATURE}", reading.start, reading.end, value, cls=cls, topic=Topic.HEALTH, about=about)


def _named(reading: Reading) -> tuple[float, str] | None:
    told = _MEASURED.search(reading.text) if "温" in reading.text else None
    if told is None or _NOT_REACHED.search(told["between"]):
        return None
    at = reading.start + told.start("figure")
    degrees = next((q.number for q in reading.quantities() if q.unit == "度" and q.start == at), None)
    number = degrees if degrees is not None else read_number(told["figure"])
    if number is None:
        return None
    if _WITHOUT_POINT[0] <= number <= _WITHOUT_POINT[1]:
        number /= 10
    return number, "℉" if told["fahrenheit"] else "℃"


def _bare(reading: Reading, scene: Scene) -> tuple[float, str] | None:
    """38.7度 of a pet that is named, or behind 给它量了一下: measured, though nobody says of what."""
    low, high = _OF_THE_BODY
    degrees = [q.number for q in reading.quantities() if q.unit == "度" and low <= q.number < high]
    if not degrees and "量" in reading.text and (taken_at := _TAKEN_AT.search(reading.text)):
        degrees = [float(taken_at[1])] if _is_taken_of_the_ill(reading, scene.previous_of(reading)) else []
    if not degrees or reading.has("sign", "lab") or _NOT_OF_THE_BODY.search(reading.text):
        return None
    before = scene.previous_of(reading)
    taken = before is not None and before.about.explicit and _TAKEN.search(before.text) is not None
    return (degrees[0], "℃") if reading.about.explicit or taken or _is_taken_of_the_ill(reading, before) else None


def _is_taken_of_the_ill(reading: Reading, before: Reading | None) -> bool:
    """开始打蔫，今早量了一下39.8度."""
    if before is None or not _TAKEN.search(reading.text) or _OF_A_PERSON.search(reading.text):
        return False
    same = before.about.pets == reading.about.pets and before.sentence == reading.sentence
    return same and before.usable and (before.about.explicit or before.has("sign"))
