"""Whether a clause speaks of a fact that is known: by name, by a part of it, or as the only one of its kind."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from domain.offline.extractor.bearing_words import DISEASE_PARTS, GENERIC_DRUG
from domain.offline.extractor.wordlist import Hit, known_words
from domain.pet_profiles import KnownFact
from memory.text_folding import fold_text


class Worded(Protocol):
    """Folded words with the names of pets blanked, and the known words among them: a clause, or a claim's quote."""

    @property
    def text(self) -> str: ...

    @property
    def hits(self) -> Sequence[Hit]: ...


_PASSING = re.compile(
    r"今[天早晚]|昨[天晚]|前[天晚]|早上|上午|中午|下午|晚上|刚才|最近|现在|一直|目前|[去到在]?医院|医生|大夫|兽医|查出|检查|复查|诊断"
    r"|[看说查开给带]了?|[了在去来又还就也都被把让]"
)
"""When, where and by whom a line was told: words that two lines share without speaking of the same thing."""
_HOW_GIVEN = re.compile(
    r"眼药水|药水|药膏|滴剂|药|每[天日晚早周月]|[一二两三四半]?[天日]|早晚|早上|晚上|长期|在吃|在用|在滴|[吃用滴打喂服涂抹开][了过着]?"
    r"|各?[一二两三四半\d.]+\s?(?:mg|ml|毫克|毫升|个?单位|iu|次|回|遍|片|粒|颗|滴|支|包)|[()（）].*"
)
_WHERE_GIVEN = re.compile(r"耳朵|眼睛|皮肤|鼻子|鼻孔|嘴巴|牙龈|爪子|脚掌|肚子|肚皮|屁股|伤口|毛发|[左右双两]?[耳眼]里")
"""The part that is treated, which gets well by itself: 耳朵好了 is no word of the drops."""
_COMMON_TO_DISEASES = re.compile(
    r"^.{1,4}?(?=患|得|有|确诊|慢性|猫|犬|先天|轻|中度|重度)|[（(].*|[,，。;；].*|慢性|急性|先天性?|特发性?|继发性?|退行性?|综合征|综合症|阳性|携带|病毒|细菌|感染"
    r"|[一二三四五\d]?[期级度]|病史|患有|确诊|反复|发作|复发|轻度|中度|重度|严重|疾病|病变|病|症|炎|猫|犬|狗|的|有|得过|史"
)
"""What the names of many diseases share, and the pet's own name before them."""
_JOINTS = re.compile(r"髌骨|髋|关节|膝|韧带|骨折|脱位")
MOVED_BY_JOINTS = ("腿", "走路")


@lru_cache(maxsize=4096)
def _substance_words(content: str) -> tuple[str, ...]:
    """Two characters in a row of what a line calls the allergen."""
    words = _PASSING.sub(" ", re.sub(r"^.*?对|(?:有|严重|轻微|会)?(?:过敏|不耐受).*$", "", fold_text(content)))
    return tuple(one + other for one, other in pairwise(words) if one.isalpha() and other.isalpha())


@lru_cache(maxsize=4096)
def disease_words(content: str) -> tuple[str, ...]:
    """The organs and diseases that a line names, and for a joint what it moves."""
    folded = fold_text(content)
    named = tuple(part for part in DISEASE_PARTS if part in folded)
    own = _PASSING.sub(" ", _COMMON_TO_DISEASES.sub(" ", folded))
    named += tuple(one + other for one, other in pairwise(own) if one.isalpha() and other.isalpha())
    return (*named, *MOVED_BY_JOINTS) if _JOINTS.search(folded) else named


def mentions_substance(fact: KnownFact, reading: Worded, known: Sequence[KnownFact]) -> bool:
    """Whether a clause names the allergen, or only the allergy when there is one alone."""
    key = fact.attribute.partition(":")[2]
    if names_a_sibling(fact, reading):
        return False
    if any(key in (hit.word.allergen, hit.id) for hit in reading.hits) or key in reading.text:
        return True
    if any(pair in reading.text for pair in _substance_words(fact.content)):
        return True
    if not re.search(r"过敏|禁用|禁忌|不耐受|忌口", reading.text) or any(hit.word.allergen for hit in reading.hits):
        return False
    return sum(one.subject == fact.subject and one.attribute.startswith("allergy:") for one in known) == 1


_DRUGS = ("drug", "drug_name")


def names_a_sibling(fact: KnownFact, reading: Worded) -> bool:
    """卡洛芬, of one that is allergic to 美洛昔康: another drug of the same kind, which the line does not name."""
    key, content = fact.attribute.partition(":")[2], fold_text(fact.content)
    drugs = [hit for hit in reading.hits if hit.family in _DRUGS and key in (hit.word.allergen, hit.id)]
    named = any(hit.family in _DRUGS for hit in known_words().find(content))
    return named and bool(drugs) and not any(hit.word.text in content for hit in drugs)


def mentions_other_substance(fact: KnownFact, reading: Worded) -> bool:
    """Whether a clause names another allergen."""
    key = fact.attribute.partition(":")[2]
    return any(hit.word.allergen not in (None, key) for hit in reading.hits)


def mentions_disease(fact: KnownFact, reading: Worded) -> bool:
    """Whether a clause names the disease, or an organ that the line names."""
    if any(fact.attribute == f"condition:{hit.id}" for hit in reading.hits):
        return True
    return any(part in reading.text for part in disease_words(fact.content))


@lru_cache(maxsize=4096)
def _drug_words(content: str) -> tuple[str, ...]:
    """Two characters in a row of what a line calls the drug; how it is given is left out."""
    words = _PASSING.sub(" ", _WHERE_GIVEN.sub(" ", _HOW_GIVEN.sub(" ", fold_text(content))))
    return tuple(one + other for one, other in pairwise(words) if one.isalpha() and other.isalpha())


_ALL_DRUGS = re.compile(
    r"(?:[两俩二三四五几]|所有|全部)(?:个|种|样)?的?[^,。]{0,4}药(?!水|膏|浴|房|店|费|盒|瓶)|药(?!水|膏|浴|房|店|费|盒|瓶)[^,。]{0,3}(?:都|全|一概|统统)"
)
"""两个药都不吃了: all that are given."""


def mentions_drug(fact: KnownFact, reading: Worded, known: Sequence[KnownFact]) -> bool:
    """Whether the drug is named, or called 药 when it is the only one, or alike in two characters (眼药水 and 滴眼)."""
    drugs = [hit for hit in reading.hits if hit.family in ("drug", "drug_name", "drug_word", "dewormer")]
    if any(fact.attribute == f"medication:{hit.id}" for hit in drugs):
        return True
    if _ALL_DRUGS.search(reading.text):
        return True
    if any(hit.family in ("drug", "drug_name") and not GENERIC_DRUG.fullmatch(hit.word.text) for hit in drugs):
        return False
    if any(pair in reading.text for pair in _drug_words(fact.content)):
        return True
    given = [one for one in known if one.subject == fact.subject and one.attribute.startswith("medication:")]
    given = [one for one in given if one is fact or not GENERIC_DRUG.fullmatch(one.attribute.partition(":")[2])]
    injected = re.search(r"胰岛素|针|注射|皮下", fact.content) is not None and re.search(r"打针|针", reading.text)
    breathed = re.search(r"吸|喷|雾化", fact.content) is not None and re.search(r"喷雾|雾化|吸入|喷", reading.text)
    dropped = any(
        site in fact.content and re.search(rf"{site}[^,。]{{0,8}}[滴涂点抹]", reading.text) for site in "眼耳"
    )
    generic = injected or breathed or dropped or "药" in reading.text or any(hit.family == "drug_word" for hit in drugs)
    return bool(generic) and (len(given) == 1 or ("眼" in reading.text and "眼" in fact.content))
