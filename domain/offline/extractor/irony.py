"""Praise between quotation marks that means its opposite: 它可真“爱干净”."""

import re

from domain.offline.extractor.clauses import Clause

MAX_IRONIC = 5  # characters of a word of praise between quotation marks
_PRAISED = re.compile(r"(?:(?:可?真)是?个|真是|可真|真的?|好一个|太|这么|多么|还挺)$")


def is_ironic(before: Clause, clause: Clause) -> bool:
    """它可真“爱干净”: what stands between the marks is the opposite of what is meant."""
    praised = _PRAISED.search(before.text) is not None
    return praised and clause.start == before.end + 1 and len(clause.text) <= MAX_IRONIC
