"""What is left out because it was just said of another pet: 豆豆打了狂犬，咪咪还没打; 年年一吃就拉."""

import re
from collections.abc import Iterator

from domain.offline.extractor.avoided import BARRED
from domain.offline.extractor.formerly import was_before
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.wordlist import Hit
from domain.pet_halves import tells_of_a_half
from memory.topics import Topic
from memory.vocabulary import AttributeClass

FEAR_OF = re.compile(r"(?:怕|害怕)(?!是|不|你|我|它(?!的))([^,。\x00得了]{1,6})")
_DONE = re.compile(r"(?:打|驱|滴|吃|做|洗|剪|种|补|抹|喂|拆)(?:过|完|了|好|齐|全|满|的(?=$|,|第|是|也))")
_ON_THAT_DAY = re.compile(r"^\x00+(?:也|就|才|却)?(?:是|在)?[^,。\x00]{1,8}$")  # 小枣是三号
MAX_THAT_DAY = 12  # characters of a clause that is only a pet and its day
_NOT_DONE = re.compile(r"(?:没|还没|没有|不|未)(?:打|驱|滴|吃|做|洗|剪|种|补|有|敢)")
_LATER = re.compile(
    r"不建议|不[让给许](?=打|做|洗|上|滴|喂|去|驱|$)|先[别不](?=打|做|洗|上|滴|喂|吃|去|驱)|改天|晚点|^\x00+(?:再)?过[^,。]{1,3}(?:周|月|天|礼拜)|(?:得|要|还得)(?:再)?(?:过|等|养)[^,。]{1,4}(?:天|周|月|礼拜|星期)|再(?:说|[打等喂滴吃抹喷驱补种做安来轮议]|过|养|长|缓)|下次|下周|下个?月|下礼拜|缓|等等|过(?:几天|两天|阵)|推迟|暂时不|先不|等[^,。]{1,6}(?:月|周|号|年|天|岁)|的[^,。]{0,6}再"
)
_NO_ALLERGY = re.compile(r"不(?:会)?过敏|没(?:有)?过敏|没事|没问题|没反应")
_REACTS = re.compile(r"一(?:吃|碰|喝)就|吃了就|吃了会|也过敏|也是")
_LEAVES_IT = re.compile(
    r"(?:碰|闻|看|舔|吃|尝|理)都(?:不(?!怕)|没(?!事|问题|关系|反应|毛病)|懒得)[^,。]{1,3}$|^(?:就|只有?|唯独|但)?\x00+(?:就|却|倒|反而|从来|根本|完全|死活|压根)*(?:不爱?|不喜欢|不肯|不愿意?|一口不|一口都不|不太|不怎么)(?:吃|碰|闻|喝|喜欢|感兴趣|爱|稀罕|买账)?$|嫌弃$|没兴趣$"
)
_ASKED_OF = re.compile(
    r"(?:别|不要|不用|少)(?:再|老|总)*(?:给我|跟我)?(?:推|安利|提|介绍|买)"
)  # 别再推荐冻干了，它一口都不吃
_TAKES_IT = re.compile(
    r"^\x00+(?:就|却|倒|反而|倒是|也|都|特别|超|最|很)*(?:爱吃|喜欢|爱|能吃|可以吃|随便吃|顿顿吃|抢着吃|爱喝|能喝|没问题|来者不拒)$|怎么吃都没|吃得(?:香|欢|干净|可香)|(?:天天|顿顿|每天)[^,。]{0,6}(?:没|好好)|(?:屁|啥|什么|一点)事(?:儿)?(?:都|也)?没"
)
_NOT_SO = re.compile(r"^\x00+(?:还|就|倒|却)*没(?:有|做|呢|绝)*$")  # 咖啡绝育了，奶茶没有
_DONE_TOO = re.compile(
    r"\x00+(?:已经|早就?|也|倒是?|都|[^,。]{1,4}就?)?(?:绝|做)(?:了|过|完)了?$"
)  # 兔子绝育约了，狗已经绝了
_FREE_OF_IT = re.compile(
    r"阴性?$|阴性|没毛病|没问题|没有$|没(?:被)?(?:传染|感染|传上|染上|得|中招|事)|正常|没查出|幸免|干净$|没虫"
)
_IS_SO = re.compile(
    r"(?:是|为)?携带|[弱强]阳|阳性|阳的|阳了|中招|才是|才有|才得|也是$|也有$|也得了|又(?:犯|得|复发|起|长|有)|也一样|也确诊|传上|(?:传|感)染[上了]|没(?:跑|逃)|[只个条位]有$"
)
_ALL_WELL = re.compile(
    r"(?:啥|什么|一点|一个)(?:毛病|问题|箭头)(?:都|也)?没|没(?:啥|什么|有|查出[来啥什么]*)?(?:毛病|问题|箭头)|箭头(?:都|也)没|(?:化验|报告|单子|血|结果)[^,。]{0,3}干干净净|(?:都|各项|全)没(?:有)?异常|(?:全部|全都|全套|整套|都|一切|各项|样样|项项|哪儿?都|哪哪都|哪里都|啥都|指标|全|其他)[^,。]{0,3}(?:正常|没问题|没异常|没毛病|绿|健康|过关|达标|合格|漂亮|好看|ok|(?<!好)好的)|(?:各项|样样|项项|其他|指标)[^,。]{0,2}都好|(?<![哪什啥])(?:都|全)(?:挺|很)?好(?=$|,|就|只|除)|[都全]在(?:正常|参考|标准)?(?:范围|线[内里]|区间)|没(?:有)?异常(?=就|只|但|$|,)|(?:啥|哪儿?|哪哪|各方面)都好(?=$|,|就|只|除)|(?:指标|项)[^,。]{0,2}都没(?:有)?超|体检[^,。]{0,4}(?:没(?:啥|什么)?(?:问题|毛病)|正常|健康|全过|过关|满分)"
)
_PLANNED = frozenset({"neutering", "dental", "surgery", "recheck", "checkup"})
_DAILY = re.compile(r"拉|尿|吃|喝|睡|便")  # 拉了两次都正常 is no check-up
_PREVENTION = ("vaccine", "dewormer")


_ONLY_AN_OUTCOME = re.compile(
    r"\x00+(?:的|是|也|就|都|倒|呈|结果|查出来)*(?:没(?:啥|什么|有)?(?:事|问题|毛病|异常)|正常|[弱强]?[阴阳]性?|(?:稍微?|略|有点)?偏?[高低大小](?:了|一?点)?|超标|不?够|合格|达标|过关|[a-e一二三四1-4]级)(?:了|的|儿)*"
)  # 两个都查了甲状腺 花生没问题 馒头偏低
_BY_NOW = re.compile(
    r"^\x00*(?:现在|这会儿?|眼下|今年|后来|如今|最近|慢慢|这两年|长大|大了|之后|[^,。]{1,8}(?:之?后|以后))"
)
_IS_OVER = re.compile(
    r"一觉到|上去蹭|讨摸|都懒得|眼皮都|一边[^,。]{1,6}一边|没事|没问题|无所谓|(?:不|不再|再也不)[^,。]{0,6}(?:了|怕)|好[了多]|干净了|再没|改[了好掉]|习惯了?|享受|敢|迎|头一个|抢着|凑|淡定|稳|照睡|没反应|随便|不在乎|能自己|自己(?:跳|钻|爬|跑|蹦|凑|走|进)|腻|戒|嫌弃|碰都不|闻都不|完全不|一点不|都不|乖|听话|老实|强多了|少多了|进步|自己会|会自己|主动"
)
_LIKES_AGAIN = re.compile(r"爱吃|喜欢|抢着|离不开|天天|顿顿|真香")
_NOT_EATEN_THEN = re.compile(r"不(?:爱|肯|喜欢|太|怎么)?[吃喝碰]|挑食")


def find_overcome(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """小时候晕车，现在坐四个小时都没事: what was so once is denied of today; 以前爱吃鸭肉，现在吃腻了 likewise."""
    if not _BY_NOW.search(reading.text) or reading.of("sign", "condition", "drug", "drug_name"):
        return
    for earlier in reversed(scene.readings[max(0, reading.place - 2) : reading.place]):
        if earlier.about.pets == reading.about.pets and was_before(earlier, scene):
            yield from _denied_by_now(earlier, reading)
            return


_TAUGHT = re.compile(
    r"^[^,。\x00]{0,5}(?:磨|练)了(?:快|小|大)?[^,。]{0,4}(?:天|周|月|礼拜|星期)|^(?:我|我们|一共|整整|足足)*(?:教|训|练|学|磨|引|哄)了?(?:\x00|它|他|她)*(?:快|小|大|差不多)?[^,。]{0,4}(?:天|周|月|礼拜|星期|久|回|遍)"
)
_TAUGHT_BY_IT = re.compile(
    r"(?:是|靠|多亏)\x00+[^,。]{0,8}(?:教|带|领|训|示范)[^,。]{0,4}(?:的|会|$)|\x00+[^,。]{0,4}教\x00+|看着?\x00+[^,。]{1,6}看会|[跟和]着?\x00+学|学着?\x00+(?!的|样)"
)  # 上楼梯是可乐一步步教出来的
_DOES_IT = re.compile(r"自己|主动|终于|总算|头一[回次]|第一次|学着|知道")


def find_taught(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """今天自己按铃要出门！教了十来天: what it does by itself is what it was taught."""
    later = scene.readings[reading.place + 1 : reading.place + 3]
    taught = any(_TAUGHT.match(one.text) and one.about.pets == reading.about.pets for one in later)
    if taught and _DOES_IT.search(reading.text) and len(reading.about.pets) == 1:
        name = {"name": reading.text.strip("\x00")}
        yield Draft("behavior:training", reading.start, reading.end, name, cls=AttributeClass.BEHAVIOR)
    elif len(reading.about.mentions) > 1 and len(reading.about.pets) == 1 and _TAUGHT_BY_IT.search(reading.text):
        name = {"name": reading.text.replace("\x00", "")}
        yield Draft("behavior:training", reading.start, reading.end, name, cls=AttributeClass.BEHAVIOR)


_ONCE = re.compile(r"以前|小时候|从前|原来|刚[^,。]{1,4}(?:的时候|那会儿?|时)|曾经")


_AT_THE_SIGHT = re.compile(
    r"(?:一?[见听碰遇看闻](?:[见到着])*)[^,。\x00]{1,10}?就(?:哆嗦|发抖|抖|打颤|躲|跑|钻|缩|尿|吼|叫|扑|咬|哈|炸毛|僵)[^,。\x00]{0,4}"
)  # 见着别的狗就哆嗦


def _denied_by_now(earlier: Reading, reading: Reading) -> Iterator[Draft]:
    hit = next((hit for hit in earlier.hits if hit.family in ("behavior", "sign", "food", "brand")), None)
    feared = FEAR_OF.search(earlier.text)
    over = _IS_OVER.search(reading.text) is not None
    if feared and over:
        yield Draft(
            f"behavior:fear:{feared[1]}",
            reading.start,
            reading.end,
            {"name": f"怕{feared[1]}"},
            True,
            AttributeClass.BEHAVIOR,
            about=f"怕{feared[1]}",
        )
    elif reading.has("food", "brand"):
        return  # what is eaten now is told by its own rule
    elif hit is not None and hit.family in ("food", "brand"):
        liked = _NOT_EATEN_THEN.search(earlier.text) is not None and _LIKES_AGAIN.search(reading.text) is not None
        if liked or (over and not _NOT_EATEN_THEN.search(earlier.text)):
            yield _taste(reading, hit, not liked)
    elif seen := _AT_THE_SIGHT.search(earlier.text) if over and (hit is None or hit.family == "sign") else None:
        yield Draft("behavior:habit", reading.start, reading.end, {"text": seen[0]}, True, about=seen[0])
    elif hit is None and over:
        told = _ONCE.sub("", earlier.text).replace("\x00", "")
        yield Draft("behavior:habit", reading.start, reading.end, {"text": told}, True, about=told)
    elif hit is not None and over:
        cls = AttributeClass(hit.word.attribute_class) if hit.word.attribute_class else None
        slot = f"{'symptom' if hit.family == 'sign' and cls in (None, AttributeClass.SYMPTOM) else 'behavior'}:{hit.id}"
        topic = Topic(hit.word.topic) if hit.word.topic else None
        yield Draft(slot, reading.start, reading.end, {"name": hit.word.text}, True, cls, topic, about=hit.word.text)


_SUBSIDED = re.compile(
    r"^\x00*(?:今[天儿早晚]|昨[天儿晚]|现在|这会儿?|早上|上午|中午|下午|晚上|夜里|到|刚才)*(?:睡一觉|歇一会|缓一缓|歇了会)?(?:起来|醒来)?(?:倒是?|总算|终于|已经|才|又|就|慢慢|好像|基本|差不多|算是)*"
    r"(?:消停|缓过来|缓解|停了?|不闹|没事|恢复|正常|退|见好|止住|好转|好[多些]|压下去|稳住|缓下来|轻[多些]?|(?:睡一觉)?(?:起来)?能(?:踩|走|站|跑|跳|尿|拉)[^,。]{0,3}|踩实|着地|落地)(?:了|些|多|点|下来|不少)*$"
)


_RIGHT_NOW = re.compile(r"\x00*(?:这会儿?|现在|刚才)")


def find_subsided(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """西西前天起一直咳，今天上午倒消停了: the sign that was told before, over on a later day."""
    if reading.hits or not (reading.times or _RIGHT_NOW.match(reading.text)) or not _SUBSIDED.search(reading.text):
        return
    for earlier in reversed(scene.readings[max(0, reading.place - REACH) : reading.place]):
        signs = [hit for hit in earlier.used if hit.family == "sign"]
        if signs and earlier.about.pets == reading.about.pets and not was_before(earlier, scene):
            word = min(signs, key=lambda hit: hit.start).word
            topic = Topic(word.topic) if word.topic else None
            name = {"name": word.text}
            slot = f"symptom:{word.id}"
            yield Draft(slot, reading.start, reading.end, name, True, topic=topic, about=word.text)
            return
        if earlier.about.pets == reading.about.pets and earlier.sentence == reading.sentence and earlier.has("body"):
            yield Draft("symptom:better", reading.start, reading.end, {"text": reading.text})  # of what no list holds
            return


def find_elided(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """A claim whose object stands in a clause before, when this clause turns to another pet."""
    yield from _as_before(reading, scene)
    previous = _previous_with_words(reading, scene)
    if previous is None or not _is_pointed_at(reading, scene):
        return
    asked = [hit for hit in previous.hits if hit.family in ("food", "brand")] if _ASKED_OF.search(previous.text) else []
    if asked and _LEAVES_IT.search(reading.text):
        yield _taste(reading, asked[0], negated=True)
    if reading.about.pets == previous.about.pets:
        return
    conditions = [hit for hit in previous.hits if hit.family == "condition"]
    if conditions and _FREE_OF_IT.search(reading.text):
        hit = conditions[0]
        yield Draft(
            f"condition:{hit.id}",
            reading.start,
            reading.end,
            {"name": hit.word.text},
            negated=True,
            about=hit.word.text,
        )
        return
    if conditions and _IS_SO.search(reading.text):
        hit = conditions[0]
        yield Draft(f"condition:{hit.id}", reading.start, reading.end, {"name": hit.word.text}, about=hit.word.text)
        return
    tested = [hit for hit in previous.hits if hit.family in ("visit", "lab")]
    known = [hit for hit in reading.hits if hit.family != "trap"]
    looked_at = _TESTED.search(previous.text)
    of_both = len(previous.about.pets) != 1 and _ONLY_AN_OUTCOME.fullmatch(reading.text) is not None
    if (of_both or tells_of_a_half(scene.folded, reading.start)) and not known and (tested or looked_at):
        measured = [hit for hit in tested if hit.family == "lab"]
        word = (measured or tested)[-1].word.text if tested else (looked_at["what"] or "") if looked_at else ""
        yield Draft("visit:result", reading.start, reading.end, {"text": reading.text}, about=word)
        return
    given = [hit for hit in previous.hits if hit.family in _PREVENTION]
    planned = [hit for hit in previous.hits if hit.family == "visit" and hit.id in _PLANNED]
    if given and _is_a_time(reading) and not _lies_behind(reading, scene):
        word = given[0].word.text
        yield Draft(f"schedule:{word}", reading.start, reading.end, {"name": word}, topic=Topic.PREVENTION, about=word)
    elif given:
        yield from _prevention(
            reading, "vaccine" if given[0].family == "vaccine" else "deworming", given[0].id, given[0].word.text
        )
    elif planned and planned[0].id == "neutering" and _NOT_SO.search(reading.text):
        value: dict[str, object] = {"neutered": False}
        cls = AttributeClass.OTHER
        yield Draft("neutered", reading.start, reading.end, value, True, cls, Topic.MEDICAL, about=planned[0].word.text)
    elif planned and planned[0].id == "neutering" and _DONE_TOO.match(reading.text):
        value = {"neutered": True}
        cls, about = AttributeClass.OTHER, planned[0].word.text
        yield Draft("neutered", reading.start, reading.end, value, cls=cls, topic=Topic.MEDICAL, about=about)
    elif planned and (_LATER.search(reading.text) or _is_a_time(reading)):
        word = planned[0].word.text
        yield Draft(f"schedule:{word}", reading.start, reading.end, {"name": word}, topic=Topic.MEDICAL, about=word)
    else:
        yield from _of_a_food_before(reading, previous, scene)


def _of_a_food_before(reading: Reading, previous: Reading, scene: Scene) -> Iterator[Draft]:
    """What another pet makes of the food that a clause before names: it leaves it, reacts to it, or does not."""
    eaten = _eaten_near(reading, scene)
    if eaten and not reading.hits and (_LEAVES_IT.search(reading.text) or _TAKES_IT.search(reading.text)):
        yield _taste(reading, eaten[0], _LEAVES_IT.search(reading.text) is not None)
    elif eaten and _REACTS.search(reading.text) and "过敏" not in previous.text:
        substance = eaten[0].word.allergen or eaten[0].id
        value = {"substance": substance, "substance_name": eaten[0].word.text}
        yield Draft(f"allergy:{substance}", reading.start, reading.end, value, about=eaten[0].word.text)
    elif eaten and "过敏" in previous.text and _NO_ALLERGY.search(reading.text):
        substance = eaten[0].word.allergen or eaten[0].id
        value = {"substance": substance, "substance_name": eaten[0].word.text}
        yield Draft(f"allergy:{substance}", reading.start, reading.end, value, negated=True, about=eaten[0].word.text)


def _is_pointed_at(reading: Reading, scene: Scene) -> bool:
    """Named here; or in a silent clause just before, of one whose turn is put off: 咪咪正在喂崽，医生说断奶以后再说."""
    if reading.about.explicit:
        return True
    before = scene.previous_of(reading)
    silent = before is not None and before.about.explicit
    same = before is not None and before.about.pets == reading.about.pets and before.sentence == reading.sentence
    return silent and same and _LATER.search(reading.text) is not None


_ONLY_WHEN = re.compile(r"[是在排约定改到等得的要做打去就呢\x00早上下中晚午点半一二两三四五六七八九十\d]*")


def _is_a_time(reading: Reading) -> bool:
    """豆儿17号，芽儿18号: after the name nothing but when."""
    if not reading.times or reading.hits:
        return False
    rest = list(reading.text)
    for time in reading.times:
        rest[time.start - reading.start : time.end - reading.start] = "\x00" * (time.end - time.start)
    return _ONLY_WHEN.fullmatch("".join(rest)) is not None


def _lies_behind(reading: Reading, scene: Scene) -> bool:
    return any(time.on is not None and time.on < scene.now.date() for time in reading.times)


_TESTED = re.compile(r"[验测查做抽拍照筛]了(?P<what>(?![一个下])[^,。了\x00]{2,6})?")


def _taste(reading: Reading, hit: Hit, negated: bool) -> Draft:
    """麻花碰都不碰, after 桃酥爱吃梨: whether this pet takes the same food."""
    food = hit.word.text
    return Draft(f"diet:{hit.word.allergen or food}", reading.start, reading.end, {"food": food}, negated, about=food)


_AS_BEFORE = re.compile(r"照旧|照常|照样|还是|继续|一天|每[天晚早顿日]|隔[天日]|一颗|一粒|一片|各")


_A_MEAL = re.compile(r"[早午晚]?[饭餐]后?")  # 照常早饭后一片


def _as_before(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """泡芙照旧一天一颗, after 泡芙那个鱼油: the thing that was named together with this pet."""
    said = [hit for hit in reading.hits if not _A_MEAL.fullmatch(hit.word.text)]
    if said or not (reading.about.explicit and _AS_BEFORE.search(reading.text)):
        return
    place = reading.place
    for earlier in reversed(scene.readings[max(0, place - 3) : place]):
        named = {pet for mention in earlier.about.mentions for pet in mention.pets}
        given = [
            hit for hit in earlier.hits if hit.family in ("food", "brand", "allergen", "drug", "drug_name", "drug_word")
        ]
        if given and named & set(reading.about.pets):
            hit = _that_of(reading.about.pets, earlier, given)
            eaten = hit.family in ("food", "brand", "allergen")
            slot = f"diet:{hit.id}" if eaten else f"medication:{hit.id}"
            value = {"food" if eaten else "product": hit.word.text}
            yield Draft(slot, reading.start, reading.end, value, about=hit.word.text)
            return
        if named & set(reading.about.pets) and (barred := BARRED.search(earlier.text)):
            what = barred["what"] or barred["kept"]
            yield Draft(f"diet:{what}", reading.start, reading.end, {"food": what}, about=what)
            return


def _that_of(pets: tuple[str, ...], earlier: Reading, given: list[Hit]) -> Hit:
    """Of several things in one clause the one named right after these pets (阿布的癫痫药别跟阿力的关节药放一起)."""
    own = [mention.end for mention in earlier.about.mentions if set(mention.pets) & set(pets)]
    later = [hit for hit in given if own and hit.start >= own[-1]]
    return later[0] if later else given[0]


def find_all_well(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """果冻全部正常: what a check-up found, told by contrast with another pet."""
    well = _ALL_WELL.search(reading.text)
    if well is None or not reading.about.explicit or tells_of_a_half(scene.folded, reading.start):
        return
    but = _BUT_THIS.search(reading.text, well.end())
    reach = reading.start + (but.start() if but else len(reading.text))
    looked_at = any(hit.family in ("visit", "lab") and hit.start < reach for hit in reading.used)
    tested = well[0] not in _MERELY_WELL or any(one.has("lab", "visit") for one in scene.readings)
    if tested and not looked_at and not _DAILY.search(reading.text, 0, reach - reading.start):
        yield Draft("visit:result", reading.start, reading.end, {"name": "体检"})
        if but and not any(hit.start >= reach for hit in reading.hits if hit.family != "trap"):
            name = {"name": but["what"]}
            yield Draft("symptom:unwell", reading.start, reading.end, name)


_MERELY_WELL = (
    "没毛病",
    "没问题",
    "都好",
    "全好",
    "都挺好",
    "都很好",
    "全挺好",
    "全很好",
    "啥都好",
    "哪都好",
    "哪哪都好",
)  # 牙口都好 tells of no test
_BUT_THIS = re.compile(r"(?:就|只|除了|不过|唯独)(?:是|有)*(?:那个?|有|一)*(?P<what>[^,。]{3,14})$")  # 全绿就乳牙没掉


def _eaten_near(reading: Reading, scene: Scene) -> list[Hit]:
    """The foods of the nearest clause that names any; 乳糖不耐 names what it does, not what is eaten."""
    for earlier in reversed(scene.readings[max(0, reading.place - REACH) : reading.place]):
        eaten = [hit for hit in earlier.hits if hit.family in ("food", "allergen", "brand")]
        if named := [hit for hit in eaten if not hit.word.text.endswith(("不耐", "不耐受", "过敏"))]:
            return named
    return []


REACH = 2  # clauses before this one
REACH_OF_DELAY = 4  # 打好三联了（5.11、6.1两针），雪饼在喂崽，断奶以后再说


def _previous_with_words(reading: Reading, scene: Scene) -> Reading | None:
    place = reading.place
    far = _LATER.search(reading.text) or tells_of_a_half(scene.folded, reading.start) or _is_a_time(reading)
    back = REACH_OF_DELAY if far else REACH
    near = scene.readings[max(0, place - back) : place]
    earlier = [other for other in near if other.hits or _TESTED.search(other.text)]
    return earlier[-1] if earlier else None


def _prevention(reading: Reading, slot: str, key: str, word: str) -> Iterator[Draft]:
    if _LATER.search(reading.text):
        yield Draft(f"schedule:{word}", reading.start, reading.end, {"name": word}, topic=Topic.PREVENTION, about=word)
    elif _NOT_DONE.search(reading.text):
        yield Draft(f"{slot}:{key}", reading.start, reading.end, {"product": word}, negated=True, about=word)
    elif _DONE.search(reading.text) or _is_only_a_day(reading):
        yield Draft(f"{slot}:{key}", reading.start, reading.end, {"product": word}, about=word)


def _is_only_a_day(reading: Reading) -> bool:
    """小枣是三号, after 大枣打的狂犬是四月二号."""
    dated = any(time.on is not None for time in reading.times) and not reading.hits
    return dated and len(reading.text) <= MAX_THAT_DAY and _ON_THAT_DAY.match(reading.text) is not None


_MERE_DISLIKE = re.compile(
    r"嫌[^,。]{1,6}|(?:就是|单纯|纯粹|只是|纯属)[^,。]{0,8}(?:不爱|不喜欢|不肯|嫌|挑|讨厌|不吃|不碰|不稀罕|不感兴趣|没兴趣)"
)


def find_mere_dislike(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """不是对鱼油过敏，就是嫌腥不肯吃: what it is no allergy to is what it does not like."""
    before = scene.readings[max(0, reading.place - REACH) : reading.place]
    previous = next((other for other in reversed(before) if "过敏" in other.text), None)
    if previous is None or not _MERE_DISLIKE.search(reading.text):
        return
    eaten = [hit for hit in (*reading.hits, *previous.hits) if hit.family in ("food", "allergen", "brand", "drug_word")]
    if eaten and reading.about.pets == previous.about.pets:
        reading.used.update(reading.hits)
        food = eaten[-1].word if eaten[0] in previous.hits else eaten[0].word
        value = {"food": food.text}
        about = "" if food.text in reading.text else food.text
        slot = f"diet:{food.allergen or food.text}"
        yield Draft(slot, reading.start, reading.end, value, negated=True, about=about)
