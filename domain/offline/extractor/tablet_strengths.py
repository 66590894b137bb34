"""How much a tablet holds beside how many are given: 5mg半片, 50mg的四分之一片, 半片5mg的. Pure.

The strength alone is no dose: half a tablet of 5 mg is 2.5 mg, and a record that says 5 mg says the double.
"""

import re

from domain.offline.extractor.quantities import find_quantities

_STRENGTH = r"\d+(?:\.\d+)?\s?(?:mg|毫克|g|克|μg|微克|万?单位|iu)"
_COUNT = r"(?:[二三四]分之一|\d/\d|半|\d+(?:\.\d+)?|[一二两三四五六])(?:片|粒|颗|包|支|袋|管|枚)半?"
_BOTH = re.compile(
    rf"{_STRENGTH}(?:一?[片粒颗]?装?的|规格的?)?(?:每次|一次|吃|喂|各)?(?P<count>{_COUNT})"
    rf"|(?P<first>{_COUNT}){_STRENGTH}(?:的|规格|装)"
)


def strength_and_count(text: str) -> dict[str, object]:
    """dose_text with both, and the number and unit of what is given; {} where only one of them is told. Folded text."""
    both = _BOTH.search(text)
    if both is None:
        return {}
    count = both["count"] or both["first"]
    told = next(find_quantities(count), None)
    if told is None:
        return {}
    if told.number == 1 and both["count"]:
        return {"dose_text": both[0]}  # one tablet of 1.25mg is 1.25mg
    return {"dose_text": both[0], **told.as_value()}
