"""What came out and what was in it are one happening: 今早又拉，里头带血; 又吐，混着没化的粮; 又打喷嚏，还带血丝."""

import re
from dataclasses import replace

from domain.offline.extractor.threads import Found

_HOLDS = re.compile(r"^(?:这[回次趟]|里头|里面|上面|中间|后半段|还|都|也|全)*(?:是|有|带|混|夹|裹|掺|净是|尽是)")
_CAME_OUT = frozenset(f"symptom:{key}" for key in ("diarrhea", "stool_color", "vomiting", "urination")) | {
    "other:stool",
    "symptom:stool",
}
_IN_IT = frozenset(f"symptom:{key}" for key in ("bloody_stool", "parasites_seen", "hair_loss", "hematuria"))
_BLOWN_OUT = frozenset(f"symptom:{key}" for key in ("sneezing", "nasal_discharge", "cough", "eye_discharge"))
_AGAIN = re.compile(r"又(?:拉|吐|尿)了?(?:一次|一回|一泡)?$")  # nothing is told of it but what the next clause tells


def join_what_it_holds(before: Found, one: Found) -> None:
    """今早又拉，里头带血: one happening, known by the worse sign."""
    same = before.reading.about.pets == one.reading.about.pets and before.reading.sentence == one.reading.sentence
    if not same or not _HOLDS.match(one.reading.text) or len(one.drafts) != 1 or not before.drafts:
        return
    last = before.drafts[-1]
    if last.attribute in _BLOWN_OUT and one.drafts[0].attribute in _IN_IT and not last.negated:
        before.drafts = [*before.drafts[:-1], replace(last, end=one.reading.end)]  # 又打喷嚏，还带血丝
        one.drafts = []
        return
    if last.attribute in _CAME_OUT and not last.negated and one.drafts[0].attribute.startswith("diet"):
        before.drafts = [*before.drafts[:-1], replace(last, end=one.reading.end)]  # 又吐，混着没化的粮
        one.drafts = []
        return
    if (
        _AGAIN.search(before.reading.text)
        and last.attribute in _CAME_OUT
        and one.drafts[0].attribute in _IN_IT
        and not last.negated
    ):
        slot = "symptom:hematuria" if last.attribute == "symptom:urination" else one.drafts[0].attribute
        one.drafts = [replace(one.drafts[0], attribute=slot, start=last.start)]
        before.drafts = before.drafts[:-1]


_OF_THE_BOWELS = re.compile(r"便|屎|粑|拉|粪|尿")
_ONLY_ABOUT_TO = re.compile(r"(?:像|好像|似乎|跟)(?:是)?[要想]吐|[要想]吐(?:又|但|却|可)?(?:没|吐不)")


def drop_what_only_shows(one: Found) -> None:
    """打喷嚏带出一点血丝 is no blood in the stool, 咳得像要吐 no vomiting, beside the sign that they tell of."""
    if len(one.drafts) < 2:
        return
    slots, text = {draft.attribute for draft in one.drafts}, one.reading.text
    gone: set[str] = set()
    if slots & _BLOWN_OUT and _OF_THE_BOWELS.search(text) is None:
        gone.add("symptom:bloody_stool")
    if slots - {"symptom:vomiting"} and _ONLY_ABOUT_TO.search(text):
        gone.add("symptom:vomiting")
    one.drafts = [draft for draft in one.drafts if draft.attribute not in gone]
