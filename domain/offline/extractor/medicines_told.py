"""A medicine told in several clauses is one memory: 今天起吃肝药了 腺苷蛋氨酸 空腹一天一片; 心脏病药三种，匹莫苯丹….

`scenes` joins the clauses that hold nothing but a dose; here the drafts that are already made meet."""

import re
from dataclasses import replace
from itertools import pairwise

from domain.offline.extractor.dosages import is_only_dosage
from domain.offline.extractor.reading import Draft
from domain.offline.extractor.threads import MAX_LINE, Found

_GENERAL = re.compile(r"药$|[药针片剂]$|的$|素$|胰岛素")
_DEEDS = frozenset({"打", "喂", "滴", "称", "吃药", "喂药", "打针", "换药", "再量"})


def medicines_as_one(found: list[Found]) -> list[Found]:
    """The drafts of a message after the clauses about one medicine have been put together; changes them in place."""
    if not any(_medicines(one) for one in found):
        return found
    for one in found:
        _drop_the_deed(one)
    for before, one in pairwise(found):
        if before.reading.about.pets != one.reading.about.pets or not _medicines(before):
            continue
        _name_what_was_told_generally(before, one)
        _take_in_the_dosage(before, one)
    return found


def _medicines(one: Found) -> list[Draft]:
    return [draft for draft in one.drafts if draft.attribute.startswith("medication:")]


def _drop_the_deed(one: Found) -> None:
    """早晚都打1.5个单位: how it is given is no appointment beside the medicine."""
    if len(one.drafts) > 1 and _medicines(one) and not any(time.on for time in one.reading.times):
        deeds = [f"schedule:{deed}" for deed in _DEEDS]
        one.drafts = [draft for draft in one.drafts if draft.attribute not in deeds]


def _name_what_was_told_generally(before: Found, one: Found) -> None:
    """肝药 and then 腺苷蛋氨酸, 心脏病药三种 and then their names: the general word is no medicine of its own."""
    general, named = _medicines(before)[-1], _medicines(one)
    near = one.reading.sentence == before.reading.sentence and not one.reading.about.explicit
    if not near or not named or len(_medicines(before)) != 1 or general.negated or any(d.negated for d in named):
        return
    product = str(general.value.get("product", ""))
    opens = all(one.reading.text.find(str(d.value.get("product", ""))) <= 2 for d in named[:1])
    if "dose_text" in general.value or not opens or ("ingredient" in general.value and product != "胰岛素"):
        return
    if not _GENERAL.search(product) or named[0].attribute == general.attribute:
        return
    before.drafts = [draft for draft in before.drafts if draft is not general]
    first = named[0] if len(named) == 1 and named[0].end - general.start <= MAX_LINE else None
    one.drafts = [replace(draft, start=general.start) if draft is first else draft for draft in one.drafts]


def _take_in_the_dosage(before: Found, one: Found) -> None:
    """左眼每天三次, after the drops: a clause of nothing but a dose that some rule took for something else."""
    nameless = all(draft.attribute == "medication:unnamed" for draft in _medicines(one))
    if not (one.drafts and nameless and one.reading.usable and is_only_dosage(one.reading.text)):
        return
    last = _medicines(before)[-1]
    if one.reading.sentence == before.reading.sentence and one.reading.end - last.start <= MAX_LINE:
        value = {**(one.drafts[0].value if _medicines(one) else {}), **last.value}
        before.drafts = [replace(d, end=one.reading.end, value=value) if d is last else d for d in before.drafts]
        one.drafts = []
