"""What was changed, where a clause says what came of it (改成睡前加一顿以后就没吐过), and what helps (加湿器真管用)."""

import re
from collections.abc import Iterator

from domain.offline.extractor.formerly import was_before
from domain.offline.extractor.plans import is_future
from domain.offline.extractor.reading import Draft, Reading, Scene
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_CHANGED = re.compile(
    r"(?:换(?:成|回|了|上|用)?|改(?:成|喂|吃|用|了)?|加(?:了|上)?|用上?了?|停了?|戒了?|断了?)(?P<what>[^,。\x00了]{1,12}?)"
    r"(?:了)?(?:以后|之后|后(?!来)|就(?=没|不|再))"
)
_CEASED = re.compile(
    r"再也?没|没再|就没|都没|一[次回声下点口](?:[都也再])*没|不再|没[^,。]{0,4}过|(?:就|也|都)不[^,。]{1,5}了|好多了|好了|消停"
)
_OF_MEALS = re.compile(r"顿|餐|喂|吃|睡前|粮|罐|饭|水|食")
_ANY_FOOD = frozenset({"粮", "新粮", "猫粮", "狗粮", "饭", "水", "食", "吃", "喂"})  # 换了粮以后 names no food
_WALKED = re.compile(r"遛|散步|出门|运动")
_HELPS = re.compile(
    r"^(?P<what>[^,。\x00我它]{2,10}?)(?:开上|开着|用上|用着|换上|装上|垫上|戴上|一?开|一用)?(?:之后|以后)?(?:是?真|果然|还是|确实|挺|很|好像|还真|蛮)+(?:管用|有用|好使|好用|见效|起作用|灵|顶用|有效|好)(?:的|了|啊|呢)*$"
)
_GEAR = re.compile(r"[器机盆碗垫窝砂板柜灯圈笼包]|香薰|喷雾|毯")


def find_changed_to(reading: Reading, scene: Scene, told: list[Draft]) -> Iterator[Draft]:
    """The change beside the sign that it ended, when no rule has told of it; nothing of drugs."""
    text = reading.text
    if any(draft.owner or not (draft.attribute.startswith("symptom:") or draft.negated) for draft in told):
        return
    if reading.has("drug", "drug_name", "drug_word", "vaccine", "dewormer") or reading.tone.in_question:
        return
    changed = _CHANGED.search(text) if any(mark in text for mark in ("后", "就")) else None
    if changed and _ends(text, changed.end(), reading, scene):
        value = {"text": changed[0]}
        end = reading.start + changed.end()
        if "砂" in changed["what"]:
            yield Draft("other:litter", reading.start, end, {"name": changed["what"]}, topic=Topic.ELIMINATION)
        elif _WALKED.search(changed["what"]):
            yield Draft("activity:walk", reading.start, end, value, cls=AttributeClass.ACTIVITY, topic=Topic.LIFESTYLE)
        elif _OF_MEALS.search(changed["what"]) and changed["what"] not in _ANY_FOOD:
            yield Draft("diet.pickiness", reading.start, end, value, topic=Topic.DIET)
        elif _OF_STUFF.search(changed["what"]):
            yield _new_thing(reading.start, end, changed[0])


_OF_STUFF = re.compile(
    r"陶瓷|不锈钢|玻璃|硅胶|塑料|瓷|铁|木|藤|棉|布|麻|竹|皮|纸|草|绳|带|圈|胸背|笼|垫|窝|床|架|碗|盆|梳|刷|滤|抓板|空调|地板|地毯"
)  # what a thing is made of, or what things of a pet are called


def _new_thing(start: int, end: int, text: str) -> Draft:
    value = {"text": text.replace("\x00", "")}
    return Draft("other:living:gear", start, end, value, cls=AttributeClass.OTHER, topic=Topic.LIFESTYLE)


_DONE_NOW = re.compile(
    r"(?:改|换(?:成|了|上)?)(?:成|为|了)?(?P<does>啃|嚼|磨|叼|戴|睡|穿|住|用|铺|垫|玩)(?:上|成|了)?(?P<what>[^,。了\x00]{2,8})了?$"
)
_CHEWED = frozenset("啃嚼")


def find_done_now(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """头几年啃磨牙棒牙龈出血，如今改啃胡萝卜条，一次没再出过: what it does instead; its words are taken."""
    done = _DONE_NOW.search(reading.text) if any(mark in reading.text for mark in "改换") else None
    if done is None or reading.tone.in_question or len(reading.about.pets) != 1 or is_future(reading, scene):
        return
    if reading.has("drug", "drug_name", "drug_word", "vaccine", "dewormer", "sign", "condition"):
        return
    before = scene.readings[max(0, reading.place - 2) : reading.place]
    past = any(one.about.pets == reading.about.pets and was_before(one, scene) for one in before)
    if not past and not _ends(reading.text, len(reading.text), reading, scene):
        return
    reading.used.update(reading.hits)
    if done["does"] in _CHEWED:
        value = {"food": done["what"]}
        yield Draft(f"diet:{done['what']}", reading.start, reading.end, value, topic=Topic.DIET)
    else:
        yield _new_thing(reading.start, reading.end, done[0])


_NEW_RHYTHM = re.compile(
    r"改(?:成|到|为|了)?[^,。遛喂吃洗喝\x00]{0,8}(?:[一两俩三四五六几\d]|各一)(?:趟|次|回|顿|餐)|改(?:成|到|为)[^,。遛洗\x00]{0,6}喂"
)
_OF_OLD = re.compile(r"(?P<walk>[遛溜]|散步|出门)|(?P<meal>喂|吃|放粮|一顿|顿)")


def find_new_rhythm(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """以前一天遛一趟，今年改成早晚各一趟: how often what was told before is done now."""
    if "改" not in reading.text or _NEW_RHYTHM.search(reading.text) is None or reading.tone.in_question:
        return
    before = scene.readings[max(0, reading.place - 2) : reading.place]
    same = [one for one in before if one.sentence == reading.sentence and one.about.pets == reading.about.pets]
    old = next((match for one in reversed(same) if (match := _OF_OLD.search(one.text))), None)
    if old is None or len(reading.about.pets) != 1:
        return
    value, about = {"text": reading.text.strip("\x00")}, "" if old[0] in reading.text else old[0]
    if old["walk"]:
        cls, topic = AttributeClass.ACTIVITY, Topic.LIFESTYLE
        yield Draft("activity:walk", reading.start, reading.end, value, cls=cls, topic=topic, about=about)
    else:
        yield Draft("diet.pickiness", reading.start, reading.end, value, topic=Topic.DIET, about=about)


def find_what_helps(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """加湿器开上真管用: the thing that is thought to have helped."""
    helps = _HELPS.match(reading.text)
    if helps is None or _GEAR.search(helps["what"]) is None or reading.tone.in_question:
        return
    value = {"text": helps["what"]}
    yield Draft("other:living:gear", reading.start, reading.end, value, cls=AttributeClass.OTHER, topic=Topic.LIFESTYLE)


def _ends(text: str, place: int, reading: Reading, scene: Scene) -> bool:
    """Whether the rest of the clause, or the next one, says that something ceased."""
    if _CEASED.search(text, max(0, place - 1)):
        return True
    following = scene.next_of(reading)
    same = following is not None and following.sentence == reading.sentence
    return bool(same and following and _CEASED.search(following.text))
