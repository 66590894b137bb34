"""A sign told of the wrong pet and put right within the message: 糯米瘸了 不对 是团子瘸了."""

import re

from domain.offline.extractor.threads import Found

_SLIP = re.compile(
    r"不对(?!劲|付|味|眼|称)|(?:说|讲|写|打|搞|弄|记|看|认)(?:错|反|混|岔|串)|口误|手[滑误]|反了反了|更正|纠正"
)
_SAID_JUST_NOW = re.compile(r"^我?(?:刚才?|刚刚|上面|前面|之前)(?:说|讲|写|发)")
_IS_THIS_ONE = re.compile(r"(?:其实|应该|原来)[^,。]{0,8}|的(?:其实|应该|才)?是\x00|^(?:啊|哦)?是\x00")
_NOT_THAT_ONE = re.compile(r"不是\x00")
_TAKEN_BACK = ("symptom:", "behavior:", "other:stool")
REACH = 4  # clauses on in which it is put right


def without_slips(found: list[Found]) -> list[Found]:
    """The readings, without what was said of one pet only to be said of another."""
    for place, one in enumerate(found):
        if not one.drafts or len(one.reading.about.pets) != 1:
            continue
        for further, later in enumerate(found[place + 1 : place + 1 + REACH], place + 1):
            if later.reading.about.pets == one.reading.about.pets and _NOT_THAT_ONE.search(one.reading.text):
                told = {draft.attribute for draft in later.drafts if not draft.negated}
                one.drafts = [draft for draft in one.drafts if not (draft.negated and draft.attribute in told)]
            elif _puts_right(one, later, found[place + 1 : further]):
                told = {draft.attribute for draft in later.drafts if draft.attribute.startswith(_TAKEN_BACK)}
                one.drafts = [draft for draft in one.drafts if draft.attribute not in told]
    return found


def _puts_right(one: Found, later: Found, between: list[Found]) -> bool:
    """Whether `later` names another pet for what `one` told, and a word says that it was a slip."""
    other = later.reading.about.pets
    if not (later.reading.about.explicit and len(other) == 1 and other != one.reading.about.pets):
        return False
    if _IS_THIS_ONE.search(later.reading.text) is None:
        return False
    slipped = any(_SLIP.search(each.reading.text) for each in (one, *between, later))
    return slipped or _SAID_JUST_NOW.match(one.reading.text) is not None
