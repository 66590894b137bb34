"""Which known slot a loosely worded claim is about: 第一针 of the only vaccine on record, 不怕了 of the known fear.

An extractor names a slot by the words of one message. Before anything is compared, a claim whose words fit one known
row of its family takes that row's slot; where two fit, it keeps its own.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

from domain.attributes import spec_of
from domain.knowledge.conditions import load_conditions
from domain.knowledge.vaccines import load_vaccines
from domain.offline.extractor.wordlist import known_words
from memory.claims import Claim
from memory.items import MemoryItem
from memory.scope import Scope
from memory.slot_reads import Near
from memory.text_folding import fold_text
from memory.topics import Topic
from memory.visibility import SERVED
from memory.vocabulary import AttributeClass, Certainty, Kind, Precision, SpeechAct

FAMILIES = frozenset({AttributeClass.VACCINE, AttributeClass.DEWORMING})
"""Classes whose slots are named after a product that owners often leave out."""

_LOOSE_NAMES = re.compile(
    r"疫苗|vaccine|dewormer|驱虫药?|(?:体内|体外|内外)?驱虫?|第?[一二三四五\d首头末]一?针|加强针?|针|unnamed"
)
_ORDINAL = re.compile(r"第?([一二三四五\d])针")

_AILMENTS = frozenset({"condition", "sign"})
_ORGAN = re.compile(r"[肾肝心肺胰胃肠眼耳]")
_NO_ORGAN = re.compile(r"心[情里思态意]|[放开小耐点甘爱]心|胃口|眼[神前光看]|耳[目边]")
_SAYS_NO_ILLNESS = re.compile(r"[慢急]性|性|疾病|综合|合征|不全|过敏|症$|^[病炎症]|(?<![皮肾肝胃肠耳眼口鼻肺腺])炎$")


def near(claims: Sequence[Claim]) -> Near:
    """What must be read beside the claims' own slots to resolve them."""
    drugs = {AttributeClass.MEDICATION.value, AttributeClass.DEWORMING.value}
    given = any(claim.attribute_class is AttributeClass.MEDICATION for claim in claims)
    families = {claim.attribute_class.value for claim in claims if claim.attribute_class in FAMILIES}
    return Near(
        families=frozenset(families | (drugs if given else set())),
        below=frozenset(claim.attribute for claim in claims if claim.negated and not _is_guard(claim)),
    )


def resolved(claim: Claim, rows: Collection[MemoryItem], scope: Scope) -> Claim:
    """The claim in the slot of the known row it speaks of; unchanged when none or several fit."""
    own = [row for row in rows if row.subject == claim.subject and row.status in SERVED]
    if claim.subject is None or any(row.attribute == claim.attribute for row in own):
        return claim
    if claim.attribute_class in FAMILIES:
        return _in_family(claim, [row for row in own if row.attribute_class == claim.attribute_class.value], scope)
    if claim.attribute_class is AttributeClass.MEDICATION and (wormer := _as_deworming(claim, own)) is not None:
        return wormer
    if claim.attribute_class is AttributeClass.MEDICATION:
        return _by_its_short_name(claim, [row for row in own if row.attribute_class == claim.attribute_class.value])
    return _narrower(claim, own)


def bound_to_the_illness(claim: Claim, rows: Collection[MemoryItem], text: str, asked: str = "") -> Claim | None:
    """The claim as far as `text` names the illness that it ends; None when the words name something else.

    An extractor may give 好了 to the one illness on record. Words that name no illness at all are a hint at most, to be
    watched, unless `asked`, the question before it, names it. Claims that are no such ending, or name the illness
    themselves, stay as they are.
    """
    if claim.attribute_class is not AttributeClass.CHRONIC_CONDITION or not claim.negated or claim.value.get("name"):
        return claim
    known = [row for row in rows if (row.subject, row.attribute) == (claim.subject, claim.attribute)]
    words = {fold_text(str(row.value.get("name") or "")) for row in known} | _illness_words(claim.attribute)
    organs = {organ for row in known for organ in _ORGAN.findall(_NO_ORGAN.sub("", fold_text(row.content)))}
    pieces = {piece for word in words for piece in _telling_pieces(word)} | organs
    folded, question = (_NO_ORGAN.sub("", fold_text(heard)) for heard in (text, asked))
    if any(piece in folded for piece in pieces):
        return claim
    hits = list(known_words().find(folded))
    if any(f"condition:{hit.id}" == claim.attribute for hit in hits):
        return claim
    if any(hit.family in _AILMENTS or hit.word.allergen for hit in hits) or "过敏" in folded:
        return None
    if any(piece in question for piece in pieces):
        return claim
    return replace(claim, certainty=Certainty.HEDGED) if claim.certainty is Certainty.PLAIN else claim


def _illness_words(attribute: str) -> set[str]:
    """All names of the illness a slot is about."""
    sheet = load_conditions().conditions
    key = attribute.partition(":")[2]
    known = sheet.get(key)
    return {fold_text(key)} | ({fold_text(word) for word in (known.name_zh, *known.aliases)} if known else set())


def _telling_pieces(word: str) -> set[str]:
    """The word, its organ, and each two characters of it that say which illness it is."""
    organs = set(_ORGAN.findall(word))
    pairs = {word[start : start + 2] for start in range(len(word) - 1)} if not word.isascii() else set()
    return ({word} if word else set()) | organs | {pair for pair in pairs if not _SAYS_NO_ILLNESS.search(pair)}


def _is_guard(claim: Claim) -> bool:
    return spec_of(claim.attribute).guards


def _in_family(claim: Claim, rows: Sequence[MemoryItem], scope: Scope) -> Claim:
    """The same day, the same product, or the only series there is."""
    key = claim.attribute.partition(":")[2]
    loose = _LOOSE_NAMES.fullmatch(fold_text(key)) is not None
    same_day = [row for row in rows if _is_same_day(claim, row, scope)]
    if loose and claim.act is SpeechAct.CORRECTION:
        corrected = [row for row in rows if _same_ordinal(claim, row)] or list(rows)
        return _adopt(claim, corrected)
    if loose:
        return _adopt(claim, same_day or list(rows))
    named = [row for row in rows if key and key in fold_text(row.content)]
    if not named and (claim.negated or claim.act is SpeechAct.CORRECTION):
        against = _antigens(key)
        named = [row for row in rows if against & _antigens(row.content)] or _corrected(claim, rows)
    return _adopt(claim, named)


def _corrected(claim: Claim, rows: Sequence[MemoryItem]) -> list[MemoryItem]:
    """A correction whose product nobody knows is about what is on record; as news it would stand beside it."""
    return list(rows) if claim.act is SpeechAct.CORRECTION else []


def _as_deworming(claim: Claim, rows: Sequence[MemoryItem]) -> Claim | None:
    """米尔贝肟 of one that is dewormed with it: the drug on record as a deworming is one here as well."""
    name = fold_text(str(claim.value.get("product") or ""))
    dewormed = [row for row in rows if row.attribute_class == AttributeClass.DEWORMING.value]
    slots = {row.attribute for row in dewormed if len(name) > 1 and name in fold_text(row.content)}
    if len(slots) != 1:
        return None
    return replace(
        claim, attribute=slots.pop(), attribute_class=AttributeClass.DEWORMING, topic=Topic.PREVENTION, kind=Kind.EVENT
    )


def _by_its_short_name(claim: Claim, rows: Sequence[MemoryItem]) -> Claim:
    """头孢 of the one 头孢氨苄 that is given: a part of the name that the known line has in full."""
    name = fold_text(str(claim.value.get("product") or ""))
    longer = [row for row in rows if len(name) > 1 and name in fold_text(row.content)]
    return _adopt(claim, longer)


def _antigens(words: str) -> frozenset[str]:
    """What the vaccines named in `words` are against: 瑞比克 and 狂犬疫苗 are one to an owner who takes it back."""
    folded = fold_text(words)
    return frozenset(antigen for name, antigens in _vaccine_names() if name in folded for antigen in antigens)


@cache
def _vaccine_names() -> tuple[tuple[str, tuple[str, ...]], ...]:
    sheet = load_vaccines()
    products = [(name, product.antigens) for product in sheet.products for name in (product.name, *product.aliases)]
    generic = [(term.term, term.antigens) for term in sheet.generic_terms]
    return tuple((fold_text(name), antigens) for name, antigens in (*products, *generic))


def _narrower(claim: Claim, rows: Sequence[MemoryItem]) -> Claim:
    """A bare 怕 in the slot of the one fear that the words name as well."""
    narrower = [
        row
        for row in rows
        if row.attribute.startswith(f"{claim.attribute}:") and row.attribute.rpartition(":")[2] in claim.content
    ]
    found = _adopt(claim, narrower)
    if found is claim:
        return claim
    names: dict[str, object] = {key: narrower[0].value[key] for key in ("name", "text") if key in narrower[0].value}
    return replace(found, value={**claim.value, **names})


def _adopt(claim: Claim, rows: Sequence[MemoryItem]) -> Claim:
    slots = {row.attribute for row in rows}
    return replace(claim, attribute=slots.pop()) if len(slots) == 1 else claim


def _is_same_day(claim: Claim, row: MemoryItem, scope: Scope) -> bool:
    if claim.occurred_on is None or row.valid_from is None or row.valid_from_precision != Precision.DAY.value:
        return False
    return scope.local(row.valid_from).date() == claim.occurred_on


def _same_ordinal(claim: Claim, row: MemoryItem) -> bool:
    ours, theirs = _ORDINAL.search(fold_text(claim.content)), _ORDINAL.search(fold_text(row.content))
    return ours is not None and theirs is not None and ours[1] == theirs[1]
