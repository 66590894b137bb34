"""A visit told in several clauses is one memory: 上周二去照的心超，左房有点大; 建议全口拔 定了下下周三; 摔骨折了.

What was only looked at is told by what it showed, what was advised by the day that it was booked for."""

import re
from dataclasses import replace
from itertools import pairwise

from domain.offline.extractor.reading import Draft
from domain.offline.extractor.threads import MAX_LINE, Found

_LOOKS = frozenset(f"visit:{look}" for look in ("imaging", "test", "blood_test", "urine_test", "stool_test"))
_FINDINGS = ("condition:", "symptom:", "lab:", "visit:finding", "visit:imaging")
_ONLY_A_LOOK = re.compile(
    r"(?:片子?|超|ct|核磁|x光|镜|血|尿|便|体检|检查|化验|检测|造影|穿刺|筛查)(?:[做拍查验照抽检]|了|的|完|好|出来|过|去)*$"
)
MAX_LOOK = 22  # characters of a clause that only tells that something was looked at, and when
_ADVISED = re.compile(r"(?:建议|说要?|讲要?|让|需要|要|得|最好)[^,。]{0,6}[拔切做洗取摘割打拍住]")
_HURT = ("symptom:fracture", "symptom:wound", "symptom:limping")  # the first of these tells the rest


def visits_as_one(found: list[Found]) -> list[Found]:
    """The drafts of a message after the clauses about one visit have been put together; changes them in place."""
    for one in found:
        if len(one.drafts) > 1:
            one.drafts = _told_once(one.drafts)
    for before, one in pairwise(found):
        same = before.reading.about.pets == one.reading.about.pets and before.reading.sentence == one.reading.sentence
        if same and before.drafts and one.drafts and not _is_named_anew(before, one):
            _tell_by_what_it_showed(before, one)
            _tell_by_its_day(before, one)
    return found


def _is_named_anew(before: Found, one: Found) -> bool:
    return one.reading.about.explicit and len(before.reading.about.pets) != 1


def _told_once(drafts: list[Draft]) -> list[Draft]:
    """摔骨折了 is no wound beside the fracture, 胰腺炎住了院 no stay beside the illness."""
    slots = {draft.attribute for draft in drafts if not draft.negated}
    hurt = [slot for slot in _HURT if slot in slots]
    gone = set(hurt[1:])
    if any(slot.startswith("condition:") for slot in slots):
        gone |= {"visit:hospital_stay"} if len({(d.start, d.end) for d in drafts}) == 1 else set()
    if slots & {"condition:benign_growth", "condition:neoplasia"}:
        gone |= {"symptom:swelling"}
    names = [str(draft.value.get("name")) for draft in drafts if draft.attribute.startswith("condition:")]
    gone |= {d.attribute for d in drafts if d.attribute.startswith("symptom:") and _is_part(d, names)}
    if "schedule:空腹" in slots:
        gone |= {
            slot for slot in slots if slot.startswith(("medication:", "activity:restriction"))
        }  # 去之前眼药膏停一天
    return [draft for draft in drafts if draft.negated or draft.attribute not in gone]


def _is_part(draft: Draft, names: list[str]) -> bool:
    """耳膜有点发炎 is no ear problem beside it, 韧带断了 no wound."""
    name = str(draft.value.get("name") or "")
    return bool(name) and any(
        name in whole or (draft.attribute == "symptom:wound" and "韧带" in whole) for whole in names
    )


def _tell_by_what_it_showed(before: Found, one: Found) -> None:
    looked = all(draft.attribute in _LOOKS and not draft.negated for draft in before.drafts)
    lead, first = before.reading, one.drafts[0]
    bare = len(lead.text) <= MAX_LOOK and _ONLY_A_LOOK.search(lead.text) is not None
    if looked and bare and first.attribute.startswith(_FINDINGS) and first.end - lead.start <= MAX_LINE:
        one.drafts = [replace(first, start=before.drafts[0].start), *one.drafts[1:]]
        before.drafts = []


def _tell_by_its_day(before: Found, one: Found) -> None:
    """建议拔四颗，约的12月12号."""
    advised = [draft for draft in before.drafts if draft.attribute.startswith(("visit:", "symptom:ear"))]
    booked = [draft for draft in one.drafts if draft.attribute.startswith("schedule:")]
    if advised and booked and _ADVISED.search(before.reading.text) and booked[0].end - advised[0].start <= MAX_LINE:
        before.drafts = [draft for draft in before.drafts if draft not in advised]
        whole = replace(booked[0], start=advised[0].start)
        one.drafts = [whole if draft is booked[0] else draft for draft in one.drafts]
