"""What a pet does or how it lives, told in plain verbs that no other rule knows: 把卫生纸扯得满地都是, 睡阳台的窝.

Read last and only where a pet of the household is the one who does it. The verbs are patterns in
`domain/knowledge/vocabulary/conduct.yaml` (`deeds`, `living`, `toilet`); `frames` are the ways in which a
habit is told, whatever its verb (看到X会叫, 吃饭要用…碗, 只…不…).
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor.plans import is_future
from domain.offline.extractor.reading import Draft, Reading, Scene
from memory.topics import Topic
from memory.vocabulary import AttributeClass, Certainty

_DEEDS = [(key, re.compile(pattern)) for key, pattern in vocabulary("conduct")["deeds"].items()]
_LIVING = [(key, re.compile(pattern)) for key, pattern in vocabulary("conduct")["living"].items()]
_FRAMES = [(key, re.compile(pattern)) for key, pattern in vocabulary("conduct")["frames"].items()]
_TOILET = re.compile(vocabulary("conduct")["toilet"])
_AVERSE = re.compile(
    r"讨厌|抗拒|抵触|不(?:肯|敢|愿|让|许|睡|用|进|戴|穿|坐|躺|碰|玩)|死活|最?怕|一[^,。]{1,6}就|(?:看|听|碰|遇)(?:见|到)[^,。]{1,12}就"
)  # what it is like before what it has
_AT_MEALS = re.compile(
    r"吃饭|吃粮|吃东西|喝水|开饭|干饭|饭碗|食盆|水碗|水盆|饭盆|[用换拿][^,。]{0,6}碗|零食|罐头|喂[它他她]?"
)
_OF_THE_MOMENT = re.compile(
    r"毫发[无未][伤损]|安然无恙|多[忙累]啊?|可爱|好看|漂亮|帅|萌|美|治愈|心疼|辛苦|幸福|开心|正在|(?<!现)在(?:睡|吃|玩|我身边)|陪我(?:看|追|聊|写|加班)|想我|爱我|好起来|没事的?$|天使|小公主|好玩|有意思|真(?:好|棒|乖)|好(?:乖|棒|懒)"
)  # said in passing, nothing to keep
_NEVER = re.compile(r"\x00*从来没(?:有)?过?")  # says no more than the no before it
_LIKENED = re.compile(
    r"像(?!是|[^,。]{0,8}(?:不|才|会|要|只))|好似|似的|仿佛|简直|跟[^,。]{1,8}一样|怕不是|hhh|成精|的样子$|宇宙|人生|哲学|大人|陛下|爱情"
)
_HUMAN = re.compile(r"微信|朋友圈|外语|英语|上了?一课|钢琴|房贷|工资|上班打卡|快递单|人生|哲学")
_LAUGHS = re.compile(r"哈哈|笑死")
_PERSON_DOES = re.compile(
    r"^(?:今天|昨天|昨晚|刚才|刚|早上|晚上|现在|每天|每次|平时|一般|所以|然后|都|就|也|还)*(?:我(?!家|们家|的|妈|爸|床|枕|一(?:回|穿|走|出|进|坐|拿|开|动|躺|叫|喊|加|睡|不))|咱)|我(?:给|买|就|都|也|只|还|得|要|想|用|管)|(?<![住归把给让叫被跟对向着了咬抓舔蹭黏粘追扑陪找压踩坐骑吼凶哈理看见听等趁知道喊跟随帮替为朝往冲在到带求催盯认挨贴靠枕比从推扔甩尿拉吐放丢掉洒叼砸踹喷滋占霸偷抢拆撕啃])我(?!家|们家|的|妈|爸|床|枕|一(?:回|走|出|进|坐|拿|开|动|躺|叫|喊|加|睡|不))"
)
_PERSON_ACTS_ON_IT = re.compile(
    r"^[^\x00]{0,10}(?:给|让|帮|替|带|喂|抱|送)\x00|把\x00+(?!\x00|的(?![左右]?(?:眼|耳|腿|尾|脸|鼻|毛|爪|头|脖|背|肚)))|养的"
)
_TOUCHED = re.compile(r"一?(?:碰|摸|按|捏|压)[^,。]{0,5}就")  # of a part of the body: a sign, not a habit
_PET_THINGS = re.compile(
    r"砂盆|猫厕所|爬架|抓板|抓柱|狗窝|猫窝|狗笼|猫笼|猫包|航空箱|喂食器|饮水机|封(?:好|了|上)?[^,。]{0,2}窗|尿垫|垫料|木屑|纸棉|龟缸|狗证|犬证|牵引绳|胸背|嘴套|狗碗|猫碗|食盆"
)  # nobody has them but for a pet
ANIMAL_DEED = re.compile(
    r"(?:冲|扑|跑|蹿|窜|飞奔)过来(?:扒|蹭|舔|扑|抱|咬|看|闻|要)|扒我?(?:腿|裤)|往[^,。]{0,6}(?:扑|蹿)|在我[^,。]{0,6}(?:来了|拉了|尿了|吐了)(?:一)?(?:泡|滩|坨|摊)|叼(?:了|着|来|绳|拖鞋|袜|走|回|个|只|起)|刨(?:了|坑|地|花|土|出)|踩(?:着)?我(?:脸|头|肚子|脖)|[上在]我(?:肚子|脸|头|胸口|枕头)[^,。]{0,4}(?:蹦|踩|趴|坐|拉|尿|跑|蹲)"
    r"|(?:墙皮|沙发|拖鞋|鞋|遥控器|数据线|充电线|纱窗|门框|桌腿|椅子腿|地毯)[^,。]{0,4}(?:啃|咬|挠|撕|抓)(?:出|坏|烂|破|断|成|了|花|穿)|(?:啃|咬|挠|撕|抓)(?:坏|烂|破|断|花|穿|成|了)[^,。]{0,6}(?:墙皮|沙发|鞋|遥控器|数据线|充电线|纱窗|门框|桌腿|地毯)"
    r"|把[^,。]{1,6}手咬|往[^,。]{1,8}(?:钻|窝|躲)|泥坑打滚|用爪子|(?:挠|扒)门|疯跑|跑酷|百米冲刺|蹦迪"
    r"|就(?:往[^,。]{1,6}(?:钻|躲|跑|缩)|趴|钻|蹿|窜|缩|夹着?尾巴|炸毛|哈气|嚎|哼唧|叼|摇尾巴|龇|刨|扒|蹭)|夹着?尾巴|摇尾巴"
)
_ACCIDENT = re.compile(
    r"(?:坨|泡|滩)热|(?:[一两三]|好?几)(?:泡|滩|坨|摊)(?:尿|屎|粑粑|稀)"
)  # no person's, with one pet at home
_LIES_AHEAD = re.compile(r"明天|后天|明年|下下?[周个次]|周末|月底|要|打算|准备|计划|约|提醒|再|将|到时|等")
_WENT_OUT = re.compile(r"(?:带|领|拉|抱|拎|捎|把|给)(?:上|着)?了?[这那]?\x00+")  # 清明带这俩回乡下
_OF_EACH = re.compile(r"(?:都|各|全)(?:给)?(?:换|改|买|装|配|添|封)(?:成|了|好|上)")  # 两只的碗都换成不锈钢的了
_NOBODY = re.compile(r"(?:也)?(?:没人|没有人|有人|谁)")
_TAKEN_ALONG = re.compile(r"每[^,。\x00]{0,6}带[这那]?\x00+")  # 我每周三带她上班
_STANDS = re.compile(r"准时|每|天天|总|老|从来|动不动|[到过]期")  # so on every day, or printed on a paper
_PAST_LIFE = re.compile(r"刚(?:来|捡|接|到家|领养)|以前|小时候|从前|曾经|那会|当年")


_GIVEN_TO_IT = re.compile(
    r"(?:给|替|为)\x00+[^,。]{0,3}(?:做|垫|买|装|搭|铺|换|配|缝|织|置办|添)(?:了|上了|好了)"
)  # 我给它垫了冰垫


_LEFT_AT_HOME = re.compile(
    r"没(?:有)?(?:带|领|抱)[这那]?\x00|(?:扒|翻|掰|摸|查)[^,。]{0,8}(?:从头[^,。]{0,4}到尾|一?个?遍|一圈)$"
)
# 过年没带豆豆回老家, and how somebody looked it over


def find_told(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """At most one claim: a toilet habit, a way of living, a deed or a habit; nothing when a person may be the doer."""
    text = reading.text
    ahead = is_future(reading, scene) and _LIES_AHEAD.search(text) is not None and not _STANDS.search(text)
    hurt = reading.has("body") and _TOUCHED.search(text) is not None
    given = _GIVEN_TO_IT.search(text) is not None and not (reading.tone.in_question or reading.tone.wishing)
    if ahead or hurt or not (given or _pet_is_the_doer(reading, scene)):
        return
    if _LEFT_AT_HOME.search(text):
        return
    living = next(((key, match) for key, pattern in _LIVING if (match := pattern.search(text))), None)
    if given and not _pet_is_the_doer(reading, scene) and (living is None or living[0] != "gear"):
        return
    if match := _TOILET.search(text):
        yield Draft("behavior:toilet", reading.start, reading.end, {"text": match[0]}, topic=Topic.ELIMINATION)
    elif living and not _AVERSE.search(text.replace(living[1][0], "") if living[0] == "home" else text):
        key, match = living
        cls = AttributeClass.ACTIVITY if key == "outing" else AttributeClass.OTHER
        yield Draft(f"other:living:{key}", reading.start, reading.end, {"text": match[0]}, cls=cls)
    elif _PERSON_ACTS_ON_IT.search(text) and not _one_acts_on_another(reading):
        return
    elif deed := _first(_DEEDS, text) if not _LAUGHS.search(scene.folded) else None:
        yield Draft(f"behavior:{deed[0]}", reading.start, reading.end, {"text": deed[1]})
    elif (habit := _first(_FRAMES, text)) and not _NEVER.fullmatch(text) and not _OF_THE_MOMENT.search(text):
        kind = Draft("behavior:habit", reading.start, reading.end, {"text": habit[1]})
        at_meals = _AT_MEALS.search(text) is not None
        yield replace(kind, cls=AttributeClass.DIET_PREFERENCE, topic=Topic.DIET) if at_meals else kind


def _one_acts_on_another(reading: Reading) -> bool:
    """胖丁把皮卡拱走: the pet that opens the clause does it to the other."""
    pets = [mention.pets for mention in reading.about.mentions]
    return reading.text.startswith("\x00") and len(pets) > 1 and pets[0] == reading.about.pets != pets[1]


def _first(table: list[tuple[str, re.Pattern[str]]], text: str) -> tuple[str, str] | None:
    """The first kind that fits, with the words that fit it."""
    found = ((key, match) for key, pattern in table if (match := pattern.search(text)))
    return next(((key, match[0].strip("\x00")) for key, match in found), None)


def _pet_is_the_doer(reading: Reading, scene: Scene) -> bool:
    """A pet is named in the clause or the sentence, and nothing speaks of a person, a likeness or a time long gone."""
    several = len(reading.about.pets) > 1 and not (_WENT_OUT.search(reading.text) or _OF_EACH.search(reading.text))
    if _NOBODY.match(reading.text):
        return False
    if not reading.about.pets or several or reading.tone.wishing:
        return False
    if reading.tone.in_question and not reading.about.explicit:
        return False
    if (
        _LIKENED.search(scene.folded)
        or "是不是" in reading.text
        or (_PERSON_DOES.search(reading.text) and not _TAKEN_ALONG.search(reading.text))
        or _PAST_LIFE.search(reading.text)
    ):
        return False
    if _HUMAN.search(reading.text):
        return False
    previous = scene.previous_of(reading)
    if reading.tone.certainty is Certainty.HEARSAY and not reading.about.explicit:
        return False
    alone = len(scene.utterance.pets) == 1
    if alone and _ACCIDENT.search(reading.text):
        return True
    if reading.about.explicit or (_PET_THINGS.search(reading.text) and alone):
        return True
    if alone and ANIMAL_DEED.search(reading.text):
        return True
    if previous is None:
        return _AT_MEALS.search(reading.text) is not None and _first(_FRAMES[:1], reading.text) is not None
    return _was_just_named(reading, scene, alone)


def _was_just_named(reading: Reading, scene: Scene, alone: bool) -> bool:
    """Whether the talk is of the pet that the sentence named, or, where there is only one, the question before it."""
    for earlier in reversed(scene.readings[max(0, reading.place - 2) : reading.place]):
        same = earlier.sentence == reading.sentence or (alone and not earlier.usable)
        if earlier.used or earlier.about.pets != reading.about.pets or not (same and (earlier.usable or alone)):
            return False
        if earlier.about.explicit:
            return True
    return _was_asked_about(reading, scene)


MAX_ANSWERED = 2  # clauses before the one that goes on: 对，就它，一到饭点就转圈


def _was_asked_about(reading: Reading, scene: Scene) -> bool:
    """Whether the assistant's last words ask of the pet that the first clauses of an answer go on about."""
    last = scene.utterance.history[-1] if scene.utterance.history else None
    if last is None or last.role != "assistant" or reading.place > MAX_ANSWERED or len(reading.about.pets) != 1:
        return False
    asked = re.search(r"[?？吗呢]", last.text) is not None
    return asked and any(pet.name in last.text for pet in scene.utterance.pets if pet.id in reading.about.pets)
