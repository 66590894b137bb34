"""A kind of food that is refused altogether, whatever its name: 柑橘类豆豆统统不吃, 罐头一律不吃，哪个牌子都不吃."""

import re
from collections.abc import Iterator

from domain.offline.extractor.reading import Draft, Reading, Scene

_REFUSED = re.compile(
    r"^(?P<food>[^,。\x00我你不没都也还就]{1,6}?)(?:类|这类|之类)?的?\x00*(?:是)?(?:统统|通通|一概|一律|全都?|一口都?|碰都|坚决|死活|从来都?|打死都?)(?:不(?:吃|碰|沾|喝|闻)|一口不)[了的啊]*$"
)
_NO_FOOD = re.compile(r"药|针|狗|猫|人|今|昨|天|早|晚|饭|最近|现在|它|他|她|别|外|其他")


def find_refused_kind(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """At most one claim, when no rule knows the food."""
    if "不" not in reading.text or reading.tone.in_question or len(reading.about.pets) != 1:
        return
    refused = _REFUSED.match(reading.text)
    if refused is None or _NO_FOOD.search(refused["food"]):
        return
    value = {"food": refused["food"]}
    yield Draft(f"diet:{refused['food']}", reading.start, reading.end, value, negated=True)
