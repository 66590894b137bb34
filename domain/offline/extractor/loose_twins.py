"""Two claims with the same words of the same pet: the one that says less, a remark or a plan to feed, is dropped."""

from memory.claims import Claim
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_LOOSE = ("other:remark", "schedule:喂", "diet.pickiness")


def without_loose_twins(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """The same claims without a loose one whose very line another claim tells; order is kept."""
    lines = {(claim.subject, claim.content) for claim in claims}
    if len(lines) == len(claims):
        return claims
    kept: list[Claim] = []
    for place, claim in enumerate(claims):
        others = [other for at, other in enumerate(claims) if at != place and _is_twin(claim, other)]
        told = any(not other.attribute.startswith(_LOOSE) or other in kept for other in others)
        if not (claim.attribute.startswith(_LOOSE) and told and claim.topic is not Topic.OWNER):
            kept.append(claim)
    return tuple(kept)


def _is_twin(claim: Claim, other: Claim) -> bool:
    same = (claim.subject, claim.content) == (other.subject, other.content)
    return same and other.attribute_class is not AttributeClass.MEDICATION
