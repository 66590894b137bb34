"""A change of a known danger is told by its own claim alone, and by no other line made of the same words.

加巴喷丁吃得走路打晃，医生叫减成50 is a sign and a new dose. While the dose is only asked about, the line of the sign
must not tell it: such a line would be served as if the change were settled. So the clauses that hold a figure which the
danger on record does not have are cut from every other claim, and a claim of which nothing is left is dropped. Pure.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from domain.attributes import spec_of
from domain.pet_profiles import KnownFact
from memory.claims import Claim, Evidence
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass

_CLS = AttributeClass
_COUNTED = frozenset((_CLS.MEDICATION, _CLS.WEIGHT))
"""Dangers whose change is a figure."""
_CLAUSE = re.compile(r"[^,，。;；!！?？\n]+")
_FIGURE = re.compile(r"(?<![\d.])\d+(?:\.\d+)?(?![\d.]|\s?(?:[次回遍顿天日号月年周点岁分度%]|个月|小时|星期))")
"""A figure that may be a dose or a weight, none of how often, how long or when."""


def told_apart(claims: Sequence[Claim], dangers: Sequence[KnownFact]) -> list[Claim]:
    """The claims, with the clauses that give a danger another figure left to the claim about that danger."""
    changes = [(claim, fact) for claim in claims for fact in dangers if _changes(claim, fact)]
    if not changes:
        return list(claims)
    slots = {(claim.subject, claim.attribute) for claim, _ in changes}
    told = [clause for claim, fact in changes for clause in _fresh_clauses(claim, fact)]
    kept = [claim if (claim.subject, claim.attribute) in slots else _without(claim, told) for claim in claims]
    return [claim for claim in kept if claim is not None]


def _changes(claim: Claim, fact: KnownFact) -> bool:
    same_slot = (claim.subject, claim.attribute) == (fact.subject, fact.attribute)
    counted = spec_of(fact.attribute).attribute_class in _COUNTED
    of_weight = spec_of(fact.attribute).attribute_class is _CLS.WEIGHT
    return same_slot and counted and not (of_weight and "corrects" not in claim.value)


def _fresh_clauses(claim: Claim, fact: KnownFact) -> list[str]:
    held = set(_FIGURE.findall(fold_text(fact.content)))
    clauses = (clause.strip() for clause in _CLAUSE.findall(claim.evidence.quote))
    return [clause for clause in clauses if set(_FIGURE.findall(fold_text(clause))) - held]


def _without(claim: Claim, told: Sequence[str]) -> Claim | None:
    """The claim on what is left of its words before or after the clauses told elsewhere; None when nothing is."""
    quote = claim.evidence.quote
    if spec_of(claim.attribute).guards or not any(clause in quote for clause in told):
        return claim
    left = [found for found in _CLAUSE.finditer(quote) if not any(clause in found[0] for clause in told)]
    if not left:
        return None
    start, end = left[0].start(), left[0].end()
    rest = Evidence(quote[start:end], claim.evidence.start + start, claim.evidence.start + end)
    content = claim.content.replace(quote, rest.quote)
    return replace(claim, evidence=rest, content=content) if content != claim.content else None
