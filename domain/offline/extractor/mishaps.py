"""What a pet got at that was not meant for it: whatever names it later is no medicine that the pet is given.

地瓜偷吃了土豆的药，呋塞米40的 and 把我的布洛芬吃了一颗 tell of one mishap each, and of no medication.
"""

import re
from dataclasses import replace

from domain.offline.extractor.reading import Draft
from domain.offline.extractor.threads import Found

_SWALLOWED = re.compile(
    r"(?:偷|误|叼|翻|扒|抢|顺)[^,。]{0,4}(?:吃|舔|嚼|吞|喝|走|了)|(?:吃|舔|嚼|吞|咽|啃|喝)(?:[进下]|到)?(?:了|掉|光|走|肚)|喂给\x00+了|喂错|给错|误喂"
)
_MY_MEDICINE = re.compile(
    r"把?我(?:妈|爸|老公|老婆|奶奶|爷爷|婆婆|家里?)?的?[^,。把]{1,10}(?:吃|舔|嚼|吞|咽|啃|喝|叼)(?:了|掉|光|走)"
    r"|(?:偷吃|吃|舔|嚼|吞|咽|啃|喝|叼走)了?(?:[一两三几半]?[片颗粒板瓶盒])?我(?:妈|爸|老公|老婆|奶奶|爷爷|婆婆)?的"
)
_ONLY_NAMES_IT = 16  # characters of a clause that says no more than what was swallowed
_GIVEN = re.compile(r"每|一天|一日|照|按|医生|开了|开的|给(?!叼)")


def told_as_mishaps(found: list[Found]) -> list[Found]:
    """The drafts of a message, with no medication made of what was swallowed by mishap."""
    for place, one in enumerate(found):
        if not any(draft.attribute.startswith("medication:") for draft in one.drafts):
            continue
        if _MY_MEDICINE.search(one.reading.text):
            one.drafts = _as_swallowed(one.drafts)
        elif not one.reading.about.explicit or not one.reading.text.startswith("\x00"):
            _tell_with_the_mishap(found[max(0, place - 1) : place], one)
    return found


def _as_swallowed(drafts: list[Draft]) -> list[Draft]:
    return [
        Draft("symptom:ate_wrong", draft.start, draft.end, {"name": str(draft.value.get("product", ""))})
        if draft.attribute.startswith("medication:")
        else draft
        for draft in drafts
    ]


def _tell_with_the_mishap(before: list[Found], one: Found) -> None:
    """地瓜给叼去吃了两粒，呋塞米40的: the second clause names what was swallowed."""
    last = before[0] if before else None
    if last is None or not last.reading.usable or last.reading.about.pets != one.reading.about.pets:
        return
    brief = len(one.reading.text) <= _ONLY_NAMES_IT and not _GIVEN.search(one.reading.text)
    if not (brief and last.reading.about.explicit and _SWALLOWED.search(last.reading.text)):
        return
    if last.drafts and not any(draft.attribute == "symptom:ate_wrong" for draft in last.drafts):
        return
    named = next(draft for draft in one.drafts if draft.attribute.startswith("medication:"))
    about = str(named.value.get("product", ""))
    name = {"name": about}
    if last.drafts:
        last.drafts = [replace(d, about=about) if d.attribute == "symptom:ate_wrong" else d for d in last.drafts]
    else:
        last.drafts = [Draft("symptom:ate_wrong", last.reading.start, last.reading.end, name, about=about)]
    one.drafts = [draft for draft in one.drafts if not draft.attribute.startswith("medication:")]
