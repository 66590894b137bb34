"""Answers to the assistant's question, which mean nothing without it: 有的 绿色的, 半片, 从周日开始的."""

import re
from collections.abc import Iterator
from dataclasses import replace

from domain.offline.extractor.medicines import FREQUENCY
from domain.offline.extractor.quantities import NUMBER
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.wordlist import Hit, known_words
from domain.pet_profiles import PetProfile
from memory.numerals import read_number
from memory.text_folding import fold_text
from memory.topics import Topic
from memory.vocabulary import AttributeClass

MAX_ANSWER = 30  # characters; whoever writes more says what it is about
_DID_IT = re.compile(r"(?:做|打|查|验|吃|驱|去|用|喂|测)(?:过|了)(?:的|了)?")
_ASKS_OF_A_TEST = re.compile(r"检测|化验|筛查|抗体|快检|试纸|[查测验做]过")
MAX_WITH_YES = 60  # characters of a message that opens with a bare yes and then tells more
_YES = re.compile(
    r"^(?:嗯+|会(?:的|啊|呀|哦|呢)?$|对的?|是的?|有的?|有(?:一点|点|些)|没错|确实|可不|正是|就是(?:这样|它|的|啊|呀)?$|吃了|打了|做了|驱了|去了|(?:做|打|查|验|吃|驱|有|去|用|喂|测)过(?:的|了)?$)"
)
_NO = re.compile(r"^(?:没(?!错)有?|不是|不(?!用|要|需|想)|无|都没|并没|还没)")
_DOES_NOT_KNOW = re.compile(
    r"^(?:我|也|都|还|真)*(?:不(?:太|大)?(?:清楚|知道|记得|晓得|确定)|没(?:注意|留意|看清|观察|数|量|称|想|考虑|问)|忘了)"
)
_TELLS = re.compile(
    r"[一二两三四五六七八九十半几\d]|色|软|硬|稀|多|少|大|小|开始|今|昨|前天|周|早|晚|次|有点|好|左|右|吃|喝|红|肿|干|湿|臭|快|慢"
)
_ASKS_OF_STOPPING = re.compile(r"停|断|漏|忘")
_THAT_THING = re.compile(r"(?:这个|这种|这|类似)(?:情况|现象|症状|样)")
_OFFERS = re.compile(r"需要我|要我|要不要我|我(?:帮|给)你|推荐")  # a question about help, not about the pet
_MERE_SLIP = re.compile(r"^[^,。\d]{0,6}(?:[说打写记输报]错|[打写按输]多了|手[滑抖误快])[^,。\d]{0,4}$")  # 哎手快打错了
_LOOKS = re.compile(r"有点|色|软|硬|稀|红|肿|臭|干|湿")
_ASKS = re.compile(r"[?？]|吗|呢|多少|什么|几|哪")
_ASKS_OF_IT = re.compile(r"吗|有没有|是不是|会不会|多少|几|哪")
_MEANT = (
    "drug",
    "drug_word",
    "sign",
    "vaccine",
    "dewormer",
    "food",
    "brand",
    "condition",
    "visit",
    "grooming",
    "behavior",
    "lab",
)


def find_answers(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """The claim that a short answer makes together with the question before it; at most the first clause answers."""
    history = scene.utterance.history
    reply = reading.text.strip("\x00")
    bare = reading.place == 0 and _DID_IT.fullmatch(reply) is not None and len(scene.folded) <= MAX_WITH_YES
    if not history or history[-1].role != "assistant" or not (bare or len(scene.folded) <= MAX_ANSWER):
        return
    asked = fold_text(history[-1].text)
    question = asked[: asked.rfind("?") + 1] or asked  # 绝育了吗？发情期会这样叫。
    replies = [one for one in scene.readings if not _MERE_SLIP.search(one.text)][:2]
    if not _ASKS.search(question) or _OFFERS.search(question) or reading not in replies:
        return
    agrees, denies = _YES.search(reply) is not None, _NO.search(reply) is not None
    if _DOES_NOT_KNOW.search(reading.text) or (reply == "不是" and "\x00" in reading.text):
        return  # 不是草莓，是蓝莓打喷嚏
    if not (agrees or denies or _TELLS.search(reading.text)):
        return
    first = replies[0]
    if (
        reading is not first
        and not _answers_for_itself(reading, first)
        and (agrees or not _NO.search(first.text) or not _LOOKS.search(reading.text))
    ):
        return
    about_question = (agrees or denies) and not _THAT_THING.search(question)
    if weight := _weighed(question, reading):
        yield weight
        return
    hit = _meant(question, scene) if about_question else _meant(_owners_words(scene), scene)
    if hit is None:
        hit = _meant(_owners_words(scene) if about_question else question, scene)
    if hit is not None and agrees and _names_the_other(hit, question, reading, scene):
        return
    if hit is not None and hit.family == "condition" and _ASKS_OF_A_TEST.search(question):
        name = {"name": hit.word.text}  # that it was tested, not that it is ill
        yield Draft("visit:test", reading.start, reading.end, name, denies, about=f"{hit.word.text}检测")
    elif hit is not None and agrees and (more := _goes_on(hit, reading, scene)):
        more.used.update(more.hits)
        yield replace(_draft(hit, reading, denies=False), end=more.end)
    elif hit is not None:
        yield _draft(
            hit, reading, denies and not _ASKS_OF_STOPPING.search(question) and not _counts_after(reading, scene)
        )
    elif reading is first and not (agrees or denies) and (daily := _of_daily_life(question, reading, scene)):
        yield daily


_ASKS_OF_MEALS = re.compile(r"[吃喝喂]|[餐顿粮]|口味|零食|罐头")
_ASKS_OF_LIVING = re.compile(r"睡|玩|习惯|性格|脾气|遛|散步|出门|厕所|猫砂|砂盆|训练|住|活动|在家|相处|害怕|最怕|喜欢")
_ASKS_WHEN = re.compile(r"几点|时候|多久|时间")
_CALLED_UPON = re.compile(r"^(?:那|那么|它|他|她|请问|\x00|是)+|[呀呢啊哦吗么嘛]+$")


def _of_daily_life(question: str, reading: Reading, scene: Scene) -> Draft | None:
    """三次, to 一天喂几次: the figure, the place or the time that a question about meals or habits asked for."""
    asked = question.strip()
    for name in sorted((n for pet in scene.utterance.pets for n in _called(pet)), key=len, reverse=True):
        asked = asked.replace(name, "\x00")
    parts = [_CALLED_UPON.sub("", part) for part in re.split(r"[,，。!！?？;；:：]", asked)]
    parts = [part for part in parts if part]
    timed = [part for part in parts if _ASKS_WHEN.search(part)] if reading.times else []
    about = (timed or parts or [""])[-1]
    if not about or "\x00" in about or not _TELLS.search(reading.text):
        return None
    meals = _ASKS_OF_MEALS.search(about) is not None
    if not meals and not _ASKS_OF_LIVING.search(about):
        return None
    slot = ("diet.amount" if reading.quantities() and not timed else "diet.pickiness") if meals else "behavior:habit"
    amounts = reading.quantities()
    value: dict[str, object] = {"text": reading.text} | (amounts[0].as_value() if amounts and meals else {})
    return Draft(slot, reading.start, reading.end, value, about=about)


def _called(pet: PetProfile) -> tuple[str, ...]:
    return tuple(fold_text(name) for name in (pet.name, *pet.nicknames) if name)


def _names_the_other(hit: Hit, question: str, reading: Reading, scene: Scene) -> bool:
    """对 张嘴喘的, to "咳嗽或者喘": the next clause says which of the two it is."""
    following = scene.next_of(reading)
    if following is None or len(reading.text) > MAX_BARE_YES:
        return False
    asked = {other.id for other in known_words().find(question) if other.family == "sign"}
    said = {other.id for other in following.hits if other.family == "sign"}
    return bool(said & asked) and hit.id not in said


def _answers_for_itself(reading: Reading, first: Reading) -> bool:
    """咪咪做了，豆豆还没: each pet has an answer of its own."""
    named = reading.about.explicit and first.about.explicit and reading.about.pets != first.about.pets
    return named and len(reading.text.strip("\x00")) <= MAX_BARE_YES


_BOWELS = frozenset({"diarrhea", "stool", "stool_color", "bloody_stool", "constipation"})
MAX_BARE_YES = 3  # characters of 有的, 嗯嗯有


def _goes_on(hit: Hit, reading: Reading, scene: Scene) -> Reading | None:
    """有，拉了三次: the next clause says more of the same thing."""
    following = scene.next_of(reading)
    if following is None or len(reading.text) > MAX_BARE_YES or following.about.explicit or not following.usable:
        return None
    ids = {other.id for other in following.hits}
    return following if ids and (ids == {hit.id} or ids | {hit.id} <= _BOWELS) else None


_ASKS_WEIGHT = re.compile(r"体重|多重|多少(?:公斤|斤|kg|千克)|几(?:公斤|斤)|称")
_BARE_NUMBER = re.compile(rf"^(?:大概|差不多|好像|现在|快|是|有|才|就)*({NUMBER})(?:多|左右|吧|了|呢|的样子|整)*$")
_NEXT_TO = {"公斤": "kg", "千克": "kg", "kg": "kg", "斤": "斤"}


def _weighed(question: str, reading: Reading) -> Draft | None:
    """4.2, after "多少公斤": a weight in the unit of the question, kilograms when it names none."""
    match = _BARE_NUMBER.search(reading.text)
    number = read_number(match[1]) if match and _ASKS_WEIGHT.search(question) else None
    if number is None:
        return None
    unit = next((unit for word, unit in _NEXT_TO.items() if word in question), "kg")
    value = {"number": int(number) if number == int(number) else number, "unit": unit}
    return Draft("weight", reading.start, reading.end, value, about=f"体重，{unit}")


def _counts_after(reading: Reading, scene: Scene) -> bool:
    """没 就早上一次: the no is to how often, not to whether."""
    following = scene.next_of(reading)
    return (
        len(reading.text) <= 2 and following is not None and re.search(r"[一两三四五\d]次", following.text) is not None
    )


def _owners_words(scene: Scene) -> str:
    said = [fold_text(one.text) for one in scene.utterance.history if one.role == "user"]
    return said[-1] if said else ""


def _meant(text: str, scene: Scene) -> Hit | None:
    """The thing that a text is about: the last question's first known word, names of pets apart."""
    names = [name for pet in scene.utterance.pets for name in _called(pet)]
    for name in names:
        text = text.replace(name, "\x00" * len(name))
    asked = [part for part in re.split(r"[,，。?？!！;；]", text) if _ASKS_OF_IT.search(part)]
    hits = [hit for part in (*asked, text) for hit in known_words().find(part)]
    return next((hit for hit in hits if hit.family in _MEANT), None)


def _draft(hit: Hit, reading: Reading, denies: bool) -> Draft:
    value: dict[str, object] = {"name": hit.word.text}
    amounts = reading.quantities()
    if amounts:
        value |= amounts[0].as_value()
    topic, cls = None, None
    if hit.id == "neutering":
        slot, value, topic = "neutered", {"neutered": not denies}, Topic.MEDICAL
        cls = AttributeClass.OTHER if denies else AttributeClass.VISIT
    elif hit.family in ("drug", "drug_name", "drug_word"):
        slot = f"medication:{hit.id}"
        value = {"product": hit.word.text} | {key: value[key] for key in ("number", "unit") if key in value}
        value |= {"dose_text": reading.text} if amounts else {}
        value |= {"frequency_text": reading.text} if FREQUENCY.search(reading.text) else {}
    elif hit.family == "sign":
        cls = AttributeClass(hit.word.attribute_class) if hit.word.attribute_class else None
        topic = Topic(hit.word.topic) if hit.word.topic else None
        slot = f"symptom:{hit.id}"
    else:
        slot = f"{_SLOTS.get(hit.family, hit.family)}:{hit.id}"
    return Draft(slot, reading.start, reading.end, value, denies, cls=cls, topic=topic, about=hit.word.text)


_SLOTS = {"dewormer": "deworming", "food": "diet", "brand": "diet"}
