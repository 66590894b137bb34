"""Questions about the household as a whole, from the profiles: how many there are, who is the oldest."""

import re
from collections.abc import Sequence

from domain.assistant import AnswerSentence
from domain.offline.responder.voice import say
from domain.offline.responder.wording import Dated, joined
from domain.pet_profiles import SPECIES_LABELS, PetProfile
from domain.turn_context import TurnContext
from memory.text_folding import fold_text

_HOW_MANY = re.compile(
    r"(?:家里?|我们?|一共|总共)?(?:有|养(?:了|着)?|家|共)几(?:只|个|条)(?:宠物|毛孩子|小家伙|动物|猫|狗|娃|崽)?(?:$|[?？呢])"
    r"|家里几(?:只|个|条)(?:宠物|毛孩子|猫|狗|娃|崽)?(?:$|[?？呢])"
)
_OF_A_KIND = {"cat": re.compile("几(?:只|个|条)猫"), "dog": re.compile("几(?:只|个|条)狗")}
_BY_AGE = re.compile(
    r"(?:谁|哪一?[只个条位])[^,。?]{0,4}?(?:年纪|岁数|年龄)?(?:最|更|比较)?(?P<old>老|年长|大(?!便|口))?(?P<young>年轻|小(?!便|口))?(?:$|[?？])"
)


def about_household(context: TurnContext) -> list[AnswerSentence]:
    """The answer from the profiles of all living pets; [] when something else is asked."""
    pets = [pet for pet in (*context.subjects, *context.others) if pet.status == "active"]
    folded = fold_text(context.text).strip()
    if _HOW_MANY.search(folded):
        return [say(_counted(folded, pets))]
    asked = _BY_AGE.search(folded)
    if asked and (asked["old"] or asked["young"]):
        return _by_age(list(context.subjects) or pets, oldest=bool(asked["old"]))
    return []


def _counted(folded: str, pets: Sequence[PetProfile]) -> str:
    kind = next((species for species, words in _OF_A_KIND.items() if words.search(folded)), None)
    some = [pet for pet in pets if kind is None or pet.species == kind]
    what = SPECIES_LABELS[kind] if kind else "毛孩子"
    if not some:
        return f"档案里没有{what}。"
    return f"档案里有{len(some)}只{what}：{joined((_introduced(pet) for pet in some), '、')}。"


def _introduced(pet: PetProfile) -> str:
    return f"{pet.name}（{pet.breed or pet.species_name or SPECIES_LABELS.get(pet.species, '')}）"


def _by_age(pets: Sequence[PetProfile], *, oldest: bool) -> list[AnswerSentence]:
    """Only where all birthdays are known: one that is missing may be the answer."""
    born = sorted((pet.born_on, pet.name) for pet in pets if pet.born_on)
    if len(born) < len(pets) or len(born) < 2:
        unknown = [pet.name for pet in pets if not pet.born_on]
        return [say(f"{joined(unknown, '、')}没有出生日期的记录，比不出来。")] if unknown else []
    day, name = born[0] if oldest else born[-1]
    return [say(f"是{name}，{Dated(day, 'month').text}出生的。")]
