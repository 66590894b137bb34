"""A clause that only names the kind of what was just told: 一起打了狂犬，用的都是瑞比克; 滴了外驱，大宠爱那款.

It is told with the statement before it, of every pet of that one, and is no second statement.
"""

import re
from dataclasses import replace
from itertools import pairwise

from domain.offline.extractor.reading import Draft, Reading
from domain.offline.extractor.threads import IS_GENERAL, MAX_LINE, Found

_GIVEN = ("vaccine", "deworming", "grooming", "diet", "medication", "visit:treatment")
_FAMILIES = {
    "vaccine": ("vaccine",),
    "deworming": ("dewormer", "drug", "drug_name"),
    "diet": ("brand", "food"),
    "medication": ("drug", "drug_name", "drug_word", "brand"),
    "grooming": ("grooming", "drug", "drug_name", "drug_word", "visit"),
    "visit": ("drug", "drug_name", "drug_word"),
}
_LED_IN = re.compile(
    r"^\x00*(?:俩|两[只个])?(?:[都全也]|一块儿?|一起)*(?:用|打|滴|吃|喂|洗|戴|抹|喷|换|驱|给)?(?:的|是|都|也|就|还|同)+"
    r"|^\x00*[一每][人猫狗只个位兔](?=一|半|两|\d)"
)
_LED_OUT = re.compile(r"(?:的|那[款种个支牌]|这[款种个]|款|装|苗|牌)$")
_LIGHT = re.compile(
    r"\x00|同一[个款种家]?|一[样个]|[一每][人猫狗只个位兔]一?|牌子|品牌|疫苗|国产|进口|体重|公斤|kg|大小?型?犬?|小型犬?|中型犬?"
    r"|[还露液粉膏用打滴吃喂洗戴抹喷换驱的都全也就是个款种牌那这俩两支盒粒片颗针苗药色蓝红绿黄紫粉白黑家版号大小中到~\-\d.一二三半各装]"
)
MAX_KIND = 20  # characters of a clause that only names a kind
_ANEW = re.compile(r"还[打滴吃喂用换]|又|另|再|改|[了过没不]|下[次回]|上[次回]|以前|之前|原来")


def with_kinds_joined(found: list[Found]) -> None:
    """Take the clauses that only name a kind into the drafts of the clause before them."""
    with_the_drug_of_each(found)
    with_the_kind_of_each(found)
    alone = _brands_alone(found)
    for before, one in pairwise(found):
        told = [draft for draft in before.drafts if draft.attribute.startswith(_GIVEN)]
        jabs = [draft for draft in before.drafts if draft.attribute.startswith(("vaccine", "deworming"))]
        if jabs and _only_says_when(one.reading) and _goes_on(before.reading, one.reading):
            before.drafts = [replace(d, end=one.reading.end) if d in jabs else d for d in before.drafts]
            one.drafts = []
        elif told and (_only_names(one.reading) or one.reading in alone) and _goes_on(before.reading, one.reading):
            suited = [draft for draft in told if _suits(draft, one)]
            if suited and one.reading.end - suited[-1].start <= MAX_LINE:
                before.drafts = [_with_its_name(d, one) if d in suited else d for d in before.drafts]
                one.drafts = []


def _with_its_name(draft: Draft, one: Found) -> Draft:
    """做了外驱，用的大宠爱: known by the product's name when only the general word stood before."""
    family = draft.attribute.partition(":")[0]
    named = [other for other in one.drafts if other.attribute.startswith(f"{family}:")]
    if not named or not IS_GENERAL.match(draft.attribute):
        return replace(draft, end=one.reading.end)
    return replace(draft, end=one.reading.end, attribute=named[0].attribute, value={**draft.value, **named[0].value})


_A_DOSE = re.compile(
    r"(?:[半一二两三四五六\d.]+|[半一]分之)(?:片|粒|颗|滴|支|ml|毫升|mg|毫克|个?单位|包|袋)|[一两二三\d][次针]"
)
REACH = 4  # clauses back from the shared drug to the doses of each


def with_the_drug_of_each(found: list[Found]) -> None:
    """小七早上两片，小八早晚各半片，都是甲硝唑: the drug named last is that of each dose before it."""
    for place, one in enumerate(found):
        drugs = [draft for draft in one.drafts if draft.attribute.startswith("medication:")]
        pets = set(one.reading.about.pets)
        if not drugs or len(pets) < 2 or "都" not in one.reading.text:
            continue
        dosed = [other for other in found[max(0, place - REACH) : place] if _is_a_dose_of(other, pets)]
        if {pet for other in dosed for pet in other.reading.about.pets} == pets:
            name = str(drugs[0].value.get("product", ""))
            for other in dosed:
                start, end = other.reading.start, other.reading.end
                other.drafts = [replace(drugs[0], start=start, end=end, value={"product": name}, about=name)]
            one.drafts = [draft for draft in one.drafts if draft not in drugs]


def _is_a_dose_of(one: Found, pets: set[str]) -> bool:
    own = one.reading.about.explicit and len(one.reading.about.pets) == 1 and set(one.reading.about.pets) <= pets
    return own and not one.drafts and one.reading.usable and _A_DOSE.search(one.reading.text) is not None


def with_the_kind_of_each(found: list[Found]) -> None:
    """三个都驱虫了，猫用的大宠爱狗用的尼可信: what each got is told by its kind, and not once more for all."""
    for place, one in enumerate(found):
        given = [draft for draft in one.drafts if draft.attribute.startswith(("vaccine", "deworming"))]
        pets = set(one.reading.about.pets)
        if len(given) != 1 or len(pets) < 2:
            continue
        family, _, kind = given[0].attribute.partition(":")
        own = [other for other in found[place + 1 : place + REACH] if _is_given_to_some(other, pets, family, kind)]
        if {pet for other in own for pet in other.reading.about.pets} == pets:
            word = str(given[0].value.get("product", ""))
            for other in own:
                told = word in other.reading.text
                other.drafts = [d if told or d.about else replace(d, about=word) for d in other.drafts]
            one.drafts = [draft for draft in one.drafts if draft not in given]


def _is_given_to_some(one: Found, pets: set[str], family: str, kind: str) -> bool:
    part = set(one.reading.about.pets)
    specific = [d for d in one.drafts if d.attribute.startswith(f"{family}:") and d.attribute != f"{family}:{kind}"]
    return bool(specific) and one.reading.about.explicit and part < pets and not one.drafts[0].negated


def _brands_alone(found: list[Found]) -> list[Reading]:
    """刚才补喂了体内的，米尔贝: a product's name and nothing else, at the end of its sentence."""
    following = [*(one.reading.sentence for one in found[1:]), None]
    last = [one.reading for one, after in zip(found, following, strict=True) if one.reading.sentence != after]
    return [
        reading
        for reading in last
        if len(reading.hits) == 1 and reading.has("dewormer") and reading.text == reading.hits[0].word.text
    ]


def _goes_on(before: Reading, one: Reading) -> bool:
    same = before.about.pets == one.about.pets and before.sentence == one.sentence
    return same and not one.about.explicit and one.usable


_COUNTS = re.compile(r"[各一两二三四第头首末针次回打的分别都是和跟、共]")


def _only_says_when(reading: Reading) -> bool:
    """（4.2、4.23各一针）: the days of what was just told, and how many times."""
    if len([time for time in reading.times if time.on]) < MANY_DAYS or reading.has("sign", "condition", "drug"):
        return False
    rest = list(reading.text)
    for time in reading.times:
        rest[time.start - reading.start : time.end - reading.start] = [""] * (time.end - time.start)
    return not _COUNTS.sub("", "".join(rest))


MANY_DAYS = 2  # one day alone is told by the rules of prevention


def _only_names(reading: Reading) -> bool:
    text = reading.text
    if len(text) > MAX_KIND or not reading.hits or reading.times or _ANEW.search(text):
        return False
    if not (_LED_IN.match(text) or _LED_OUT.search(text)):
        return False
    rest = list(text)
    for hit in reading.hits:
        rest[hit.start - reading.start : hit.end - reading.start] = [""] * (hit.end - hit.start)
    return not _LIGHT.sub("", "".join(rest))


def _suits(draft: Draft, one: Found) -> bool:
    families = _FAMILIES[draft.attribute.partition(":")[0].partition(".")[0]]
    return one.reading.has(*families)
