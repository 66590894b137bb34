"""A sign of the past that is over, in a clause that does not name it: 以前成天打喷嚏，换砂以后一个都没打过了."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from domain.offline.extractor.formerly import was_before
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.threads import Found
from memory.topics import Topic

CEASED = re.compile(
    r"(?:[一两三半几][^,。]{0,2}(?:年|月|周|礼拜|星期)多?(?:了)?[都也]?没(?:再)?|到现在[都也就]?没|再也?没|没再|再没有|[就都后]没(?:有)?|不再"
    r"|一(?:个|次|回|点|口|声|颗|块|下)(?:[都也再]|还)*没(?:再)?)[^,。]{0,2}?"
    r"(?:打|犯|闹|有|长|冒|见|发|出现?|复发|来|咳|吐|拉|尿|挠|瘸|抽|掉|喘|痒|疼|流|软|稀|臭|秃|肿|噎|卡|红|破|烂|起|裂)(?:过|了|$)"
)
REACH = 3  # clauses back to what has ceased
_OFTEN = re.compile(
    r"(?:三天两头|隔三差五|动不动就?|成天|天天|经常|时不时|(?<![早到])[老总](?:是|爱)?|一[^,。\x00]{1,3}就)(?P<what>[^,。\x00]{2,8})$"
)
_BESIDES = re.compile(r"一茬接一茬|一片一片|没完没了|没断过|不断|(?:长|冒|掉|流)个?不停")
LONGEST = 8  # characters of a sign that is named again


def find_ceased(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """The sign of the past is over, though nobody names it again; of signs that the word lists know."""
    if "没" not in reading.text and "不再" not in reading.text:
        return
    named = any(hit.family in ("sign", "condition") and hit.word.text != "没拉" for hit in reading.hits)
    if named or CEASED.search(reading.text) is None:
        return
    for earlier in reversed(scene.readings[max(0, reading.place - REACH) : reading.place]):
        signs = [hit for hit in earlier.hits if hit.family == "sign" and not hit.word.good]
        if signs and earlier.about.pets == reading.about.pets and was_before(earlier, scene):
            word = signs[0].word
            name, topic = {"name": word.text}, Topic(word.topic) if word.topic else None
            yield Draft(f"symptom:{word.id}", reading.start, reading.end, name, True, topic=topic, about=word.text)
            return


def with_ceased(found: list[Found], scene: Scene) -> list[Found]:
    """The same readings, where a sign told in words of no list is over in a later clause: 牙龈出血…一次没再出过."""
    _drop_what_is_denied_next(found, scene)
    if "没" not in scene.folded:
        return found
    for place, one in enumerate(found):
        if "没" not in one.reading.text or any(draft.attribute.startswith("symptom:") for draft in one.drafts):
            continue
        if not one.reading.usable or one.reading.of("sign", "condition") or CEASED.search(one.reading.text) is None:
            continue
        if (sign := _sign_before(found[max(0, place - REACH) : place], one.reading, scene)) is not None:
            told = _as_ceased(sign, one.reading)
            others = [draft for draft in one.drafts if not (draft.negated and draft.attribute == "behavior:habit")]
            one.drafts = [*others, told]
    return found


def _drop_what_is_denied_next(found: list[Found], scene: Scene) -> None:
    """刚来那阵听见门铃就躲，如今谁敲门都不躲: the habit of the past is told with its denial."""
    for before, one in pairwise(found):
        over = [draft.about for draft in one.drafts if draft.attribute == "behavior:habit" and draft.negated]
        if any(about and about in before.reading.text for about in over) and was_before(before.reading, scene):
            before.drafts = [draft for draft in before.drafts if draft.attribute != "behavior:habit"]


def _sign_before(before: list[Found], reading: Reading, scene: Scene) -> Draft | None:
    for earlier in reversed(before):
        signs = [draft for draft in earlier.drafts if draft.attribute.startswith("symptom:") and not draft.negated]
        if signs and earlier.reading.about.pets == reading.about.pets and was_before(earlier.reading, scene):
            return replace(signs[0], about=_name(signs[0], earlier.reading))
    return None


def _as_ceased(sign: Draft, reading: Reading) -> Draft:
    value = {"name": sign.about}
    return replace(sign, start=reading.start, end=reading.end, value=value, negated=True, act=None)


def _name(sign: Draft, reading: Reading) -> str:
    """The words of the sign without the time and the cause before them."""
    often = _OFTEN.search(reading.text)
    name = str(sign.value.get("name", ""))
    if often is None and 0 < len(name) <= LONGEST:
        return name
    told = often["what"] if often else _BESIDES.sub("", reading.text.rsplit("\x00", 1)[-1])
    return told[-LONGEST:]
