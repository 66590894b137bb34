"""A food that is told of in one clause and forbidden in another: 牛肉是豆豆的雷区，医生说它对这个过敏."""

import re
from collections.abc import Iterator

from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.wordlist import Hit

_TO_THIS = re.compile(r"对(?:这个?|那个?|它|此|这(?:玩意儿?|东西|类))(?:也|很|特别|严重|有点)*过敏")
_IS_A_DANGER = re.compile(r"是\x00+(?:它|他|她)?的(?:雷区?|大?忌|禁忌|禁区|死穴|克星|毒药|过敏原)")
BARRED = re.compile(
    r"\x00+[^,。\x00]{0,3}(?:的|那)(?:那?[款个种罐袋瓶盒碗份盆盘碟块根包勺条桶锅])?(?P<what>[^,。\x00]{2,6})\x00+(?:可|就|也|绝对|千万)*(?:不能|别|不许|不可以?|不要|不让)(?:跟着|一起)?(?:吃|舔|喝|碰|蹭|用)"
    r"|\x00+[^,。\x00]{0,3}(?:的|那)(?:那?[款个种罐袋瓶盒碗份盆盘碟块根包勺条桶锅])?(?P<kept>[^,。\x00]{2,6}?)(?:可|就|也|绝对|千万)*(?:别|不能|不要|不许|不敢|不让)[^,。\x00]{0,4}\x00"
)  # 豆豆吃的那款泌尿膏咪咪不能舔
_FOODS = ("food", "allergen", "brand")


def find_avoided(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """An allergy to what the clause before names, or a food called a danger to the pet."""
    previous = scene.previous_of(reading)
    if _TO_THIS.search(reading.text) and previous is not None and previous.about.pets == reading.about.pets:
        if foods := _foods_of(previous):
            substance = foods[-1].word.allergen or foods[-1].id
            value = {"substance": substance, "substance_name": foods[-1].word.text}
            yield Draft(f"allergy:{substance}", previous.start, reading.end, value)
        return
    if len(reading.about.mentions) > 1 and (barred := BARRED.search(reading.text)):
        what = barred["what"] or barred["kept"]
        value = {"food": what}
        yield Draft(f"diet:{what}", reading.start, reading.end, value, negated=True)
        return
    following = scene.next_of(reading)
    told_better = following is not None and _TO_THIS.search(following.text) is not None
    foods = _foods_of(reading) if _IS_A_DANGER.search(reading.text) and not told_better else []
    for hit in foods[:1]:
        value = {"food": hit.word.text}
        yield Draft(f"diet:{hit.word.allergen or hit.word.text}", reading.start, reading.end, value, negated=True)


_KEPT_OFF = re.compile(
    r"(?:别|不能|不要|不许|不敢|不准|不让|甭)(?:再|老|总)?(?:让|给|叫)?\x00+(?:再|去|也|乱|又|跟着|过来|看见)*(?:偷|吃|舔|碰|够|叼|尝|沾|闻|蹭|翻|喝|拿|抢)"
)


def find_kept_off(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """豆豆那碗鸡肝别让咪咪舔, 不许咪咪碰豆豆的鸭肉干: the food of the one that the other must not have."""
    mentions = reading.about.mentions
    if len(mentions) < 2 or len(reading.about.pets) != 1 or not (kept := _KEPT_OFF.search(reading.text)):
        return
    whose = [m for m in mentions if m.pets and m.pets != reading.about.pets]
    foods = _foods_of(reading)
    before = reading.start + kept.start()
    of_other = any(m.start < before for m in whose) or any(m.start >= before + len(kept[0]) for m in whose)
    if not (whose and foods and of_other):
        return
    reading.used.update((*foods, *reading.of("sign")))
    food = foods[0].word
    value = {"food": food.text}
    yield Draft(f"diet:{food.allergen or food.text}", reading.start, reading.end, value, negated=True)


def _foods_of(reading: Reading) -> list[Hit]:
    return [hit for hit in reading.hits if hit.family in _FOODS]
