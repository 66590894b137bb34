"""What a pet eats, likes, leaves, must not have, and how much of it."""

import re
from collections.abc import Iterator

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor.formerly import was_before
from domain.offline.extractor.illnesses import UNLESS
from domain.offline.extractor.quantities import Quantity
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.wordlist import Hit
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_STAPLES = frozenset(vocabulary("foods")["staples"])
_PRESCRIBED = frozenset(vocabulary("foods")["special"])
_EATING = re.compile(
    r"靠[^,。]{1,8}(?:养|撑|维持|调理|顶)|不(?:撒|离|松)[嘴口]|(?:不能|别|不许|不让|没|不敢|不可以)碰|[碰沾]不得|禁|吃|喂|喝|馋|两眼放光|兴趣|上头|疯狂|着迷|刨[土地]|埋|扭头|掉头|动嘴|张口|开口|下嘴|动口|造|不感冒|无感|不稀罕|稀罕|不待见|不买账|换|改|加|拌|啃|舔|掺|过渡|断|停|备|给|买|爱|喜欢|讨厌|厌恶|反感|膈应|不碰|挑|不沾|闻|当|泡|煮|点名|混|忌|偷|尝|戒|最|裹|藏|夹|嗑|啄|追着|抢着|讨着|就好(?:这)?一?口|只要(?![^,。]*就)|限量|管够|敞开|咽|抹|拒|认|炫|嫌|张嘴|送服|囤|咬|[撒盖浇淋兑铺][一半点上些]"
)
_AVOID = re.compile(
    r"(?:不|没|别|勿|禁|忌|停|戒|拒|从不|不再)(?:能|要|敢|让|许|可以|准|肯|太|怎么|大|再|给|会|用|爱|喜欢|想|得|可|宜|碰|吃|喂|喝|沾|加|动|兴趣)*(?:吃|喂|喝|碰|给|加|沾|爱|喜欢|感兴趣)?"
)
_NOT_EATEN = re.compile(
    r"(?<!还)不行$|不可以$|(?:碰|沾|吃|喝)不得|(?:不能|别|不许|不让|不敢|不可以)碰|(?:别|不能|不许|不要|不敢|不可以)(?:再|叫|让|给)+\x00*[^,。]{0,3}(?:舔|偷|沾|够|叼|尝|碰|闻|蹭|翻|看见|吃|喝)|(?:不许|不让|不准|别)\x00+(?:再|去)?(?:碰|舔|吃|沾|尝)|不(?:能|要|让|许|可以|准|肯|太|怎么|大|再|给|爱|喜欢|会|敢)*(?:吃|喂|喝|碰|给|沾|加)|不爱|不喜欢|不碰|没(?:啥|什么|多大|半点)?兴趣|不感兴趣|不感冒|无感|不稀罕|不待见|不买账|别(?:再|老)?(?:吃|喂|给|加|碰|分|倒|掺|拿|混|挤|拌|舀|蹭|塞|把)|(?:别|不要|不能|不许)[^,。一]{0,3}(?<!是)给|(?:不要|不能|不许)(?:混|挤|拌|掺|分|倒|塞|把)|(?:让|要|得|必须|说)戒(?!备)|忌(?:口)?|禁(?:食|止)|\x00+(?:医生让?)?(?:终身|一辈子|要|得)?禁|禁(?![止闭食])|(?<!消)停(?:了|掉|吃|喂)?(?!不)|断了|戒了|不吃|没(?:吃|喝|碰)过|讨厌|厌恶|反感|膈应|吃不了|咬不动|嚼不动|直躲|就躲|躲得远|躲开|刨[土地]|捂鼻子|埋(?:起来|掉|了)?$|扭头就?走|掉头就?走|翻白眼|绕(?:开|着)走|不闻|不理|(?<!不)拒|嫌弃|吃腻|再也不|不(?:再)?(?:买|囤)了|(?P<v>看|瞧|瞅|闻|碰|尝|舔|理|沾|动)(?:一下|一眼|一口|一舌头)?[都也]?(?:不|懒得)(?P=v)|正眼|深恶痛绝|避之不及|敬而远之|嗤之以鼻|不屑一顾|推开"
)
_LEFT_ALONE = re.compile(
    r"(?P<v>看|瞧|瞅|闻|碰|尝|舔|理|沾|动)(?:一下|一眼|一口)?[都也]?(?:不|懒得)(?P=v)|正眼|深恶痛绝|避之不及|敬而远之|嗤之以鼻|不屑一顾|整盆推开"
)
_CLEARLY_LIKES = re.compile(
    r"不(?:撒|离|松)[嘴口]|爱吃|喜欢吃|最爱|最喜欢|超爱|很爱|特别爱|只吃|顿顿|吃得欢|吃得香|光盘|可以吃|能吃|都吃|随便(?:吃|舔|喝|造|啃)"
)
_UNKNOWN_LIKED = re.compile(
    r"(不?)(?:(?:最|特别|超|很|就|只|也|还|都|可)?(?:爱|喜欢|肯|愿意)|只|光)(?:吃|喝)([^,。\x00了的吗]{1,6})"
)
_UNKNOWN_LEFT = re.compile(
    r"\x00(?:就|是|真|从来|坚决|死活|根本|压根)*不(?:爱|喜欢|肯)?[吃碰沾](?!药|东西|饭|粮|食|草|了|的|下|完|惯|亏|醋|这|那|屎|掉|到)([^,。\x00了的吗]{1,4})$"
)  # 不吃肝
_UNKNOWN_ADDED = re.compile(
    r"(?:得|必须|非|要|上面|上头|里头|里面)(?:再|给|都|\x00)*(?:加|拌|撒|浇|盖|兑|淋|混)"
    r"(?:上|点儿?|些|[半一两]?小?[勺包个把撮块条袋罐])+([一-鿿]{2,5}?)(?:才行|才吃|才肯吃)?$"
)  # 得拌半包鲜封包
_AMOUNT_UNITS = frozenset(
    {"g", "ml", "勺", "碗", "杯", "罐", "顿", "颗", "粒", "片", "根", "条", "包", "袋", "块", "两", "个"}
)
_MEAL_UNITS = frozenset({"g", "ml", "勺", "碗", "杯", "罐", "顿"})  # what needs no food named to be a meal
_MEAL = re.compile(
    r"[早午晚][饭餐]|夜宵|加餐|一顿|每[顿餐]|一餐|(?<![头第])一天|每天|一日|每日|早晚|每次|顿|早上|晚上|饭量|喂"
)
_BARE_GRAMS = re.compile(
    r"(?:是|改|加到|减到|到|吃|喂|顿)(\d{2,3})(?![\d.]|[号月年日点:岁个天次片粒颗单mk%度块元毫周顿罐斤公])"
)
_NOT_THE_PET = re.compile(
    r"(?:奖励|犒劳|给)自己|(?:跟|和|让|叫)[^,。\x00]{1,4}说|当(?:早|午|晚|夜)[餐饭宵]|我(?:想|要|去|刚|今天|中午|晚上|早上|也|自己|们|[早晚午]饭|到现在|还没)*(?:吃|喝|点|啃|尝)"
)
_EATEN = re.compile(r"吃|喝|舔|喂|啃|偷|尝|给(?:它|他|她|\x00)")
_HUMAN_TREATS = re.compile(r"奶茶|咖啡|火锅|烧烤|外卖|啤酒|白酒|红酒|串串香")
_NOTHING_WITHOUT = re.compile(
    r"(?:没有?|缺了?|少了?|离了|无)[^,。不]{1,6}(?:就|都|便|可)?(?:不(?:[肯吃上动张开下碰干喝行欢睡理挪走起来出进回]|乐意|让|配合)|罢|绝食|闹|拒|赖|耍|撒泼|嚎|叫|哼|趴|躺|蹲|急)|不(?:见|给|加|拌|放|配|有|喂|泡)[^,。不]{1,6}(?:就|都|便|也)?不(?!是)|非[^,。]{1,6}不"
)  # 不见奶酪不进笼
_TURNED_TO = re.compile(r"(?:换|改)(?:成|为|吃|喂|了)")
_PICKY = re.compile(
    r"挑食|挑嘴|嘴(?:巴)?(?:[很特别太超越来真])*(?:刁|挑)|吃饭[^,。]{0,3}(?:快|慢|香|积极)|饭前[^,。]{1,8}才|食量|低[盐脂磷]|低蛋白|高纤|喝(?:水)?[^,。]{0,3}(?:活水|流动水|凉白开|温水)|(?:喝水碗|水碗|水盆)|多吃了?|少吃|不挑(?:食|嘴)?|啥都吃|什么都吃|护食得?很|胃口(?:大|小)|饭量|[一二两三四]餐|少食多餐|自由采食|自助|定时(?:吃|喂)"
)
_NO_MEAL = re.compile(
    r"[骂打揍训批说吵哭凶教训]了?[^,。]{0,4}一顿|(?:连着|连续|一连|整整|好)[一两二三四五几\d]+顿|[一两二三四五几\d]+顿(?:没|不(?!是)|都没)"
)
_EATS_LESS = re.compile(r"(?:食量|饭量|胃口)[^,。]{0,2}(?:小了|变小|降|减半|差)")
_GLUTTON = re.compile(r"吃多了|吃撑|撑到|吃太多")
_NO_FOOD_MEANT = frozenset({"饭", "粮", "肉", "草", "油", "酒", "汤", "盐", "糖", "茶"})
_GOES_ON = re.compile(r"还是|照旧|照样|照常|依旧|老样子|继续|接着")
_PLAIN_LEFT = re.compile(
    r"(?:光|(?<![肉鱼饼草果冻])干|纯|单|白)(?:吃|喂)?[^,。]{0,4}(?:闻都不闻|不吃|不碰|不动|不肯)|不(?:加|拌|放|泡|混|给)[^,。]{0,4}(?:就)?(?:不|闻都不)"
)
_TO_THE_ASSISTANT = re.compile(r"(?:别|不要|不用|少)(?:再|老|总)*(?:给我|跟我)?(?:推|安利|提|介绍)")
_BROUGHT_UP = re.compile(r"[吐呕拉][了的出]")
_FED = re.compile(r"吃|喂|喝|换")
_TURNED_OVER = re.compile(r"(?:翻|叼|扒|拖|掏|藏|埋|打翻|撒|弄|推|拱|踩|掀|碰|踢)(?:了?出来|走|得|了一地|进|到|翻)")
_ACTS_ON_FOOD = re.compile(r"偷吃|误食|捡|抢|(?<!随便)舔|吞|啃")


_A_BONE_OF_ITS_OWN = re.compile(r"骨头[^,。]{0,3}(?:没事|没断|没裂|没问题|正常|断|裂|错位)|[拍伤断裂摔][^,。]{0,4}骨头")


def _beside_the_point(reading: Reading, scene: Scene) -> bool:
    """（带了鸡肉干）: food in brackets that nobody is said to eat tells nothing of a diet."""
    return "(" in scene.folded[max(0, reading.start - 2) : reading.start] and not _EATEN.search(reading.text)


def _tells_of_no_food(reading: Reading, scene: Scene) -> bool:
    """Whether a clause that may name food tells of something else: of people, a price, a plan, a deed, the past."""
    if _HUMAN_TREATS.search(reading.text) and not reading.about.explicit:
        return True
    if _beside_the_point(reading, scene) or _TO_THE_ASSISTANT.search(reading.text) or _TOO_DEAR.search(reading.text):
        return True
    if "骨头" in reading.text and _A_BONE_OF_ITS_OWN.search(reading.text):
        return True
    if _TURNED_OVER.search(reading.text) and not re.search(r"[吃喝舔喂啃尝碰闻]", reading.text):
        return True  # 猫条全给它翻出来: a deed
    if _PLAIN_LEFT.search(reading.text):
        return True  # 得拌勺酸奶，光粮闻都不闻 says why
    today = scene.now.date()
    if any(time.on and time.on > today for time in reading.times) and not reading.about.explicit:
        return True
    return (
        _NOT_THE_PET.search(reading.text) is not None
        or "砂" in reading.text
        or _NO_MEAL.search(reading.text) is not None
        or was_before(reading, scene)
    )


def find_diet(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """Food claims of a clause: foods with eating words, amounts, picky or not. Foods that a rule used are skipped."""
    if _tells_of_no_food(reading, scene):
        return
    eaten = [hit for hit in reading.of("food", "brand") if hit.word.text not in _NO_FOOD_MEANT]
    if any(_LOOKS_LIKE.match(reading.after(hit, 3)) for hit in reading.of("food", "brand", "allergen")):
        return  # 面条似的
    if only := _this_not_that(reading):
        yield only
        return
    if reading.has("drug", "drug_name", "drug_word") and (not eaten or _VEHICLE.search(reading.text)):
        return  # 随饭一粒 is when a medicine is given, 拌罐头 how
    if _WAS_NOT_EATEN.search(reading.text) and not _LASTS.search(reading.text):
        return  # 今天没吃鸡肉: nothing happened
    if UNLESS.match(reading.text) and not reading.about.explicit:
        return  # what it does without is a detail of what is mixed in
    foods = _named_foods(reading)
    if not foods and _AS_BEFORE.match(reading.text):
        return  # of the thing that was named together with this pet: `ellipsis`
    found = False
    ordered = _ORDERED_DIET.search(reading.text) is not None
    told = (
        ordered
        or _EATING.search(reading.text)
        or _LEFT_ALONE.search(reading.text)
        or _NOTHING_WITHOUT.search(reading.text)
        or reading.quantities()
        or _MEAL.search(reading.text)
        or _is_judged(reading, scene)
    )
    if foods and (told or _alone(reading, foods)):
        found = True
        yield from _foods(reading, foods, scene)
    elif not _ACTS_ON_FOOD.search(reading.text) and (amount := _bare_amount(reading, scene)):
        found = True
        yield amount
    if not found and not reading.used and (disliked := _dislikes_its_taste(reading, scene)):
        found = True
        yield disliked
    if not found and not reading.used and _EATS_LESS.search(reading.text):
        return  # a sign, told by its own rule
    if not found and not reading.used and (match := _PICKY.search(reading.text)):
        yield Draft("diet.pickiness", reading.start, reading.end, {"text": match[0]})
    elif not found and not reading.used and (added := _UNKNOWN_ADDED.search(reading.text)):
        yield Draft(f"diet:{added[1]}", reading.start, reading.end, {"food": added[1]})
    elif not found and not reading.used and reading.about.explicit and (left := _UNKNOWN_LEFT.search(reading.text)):
        yield Draft(f"diet:{left[1]}", reading.start, reading.end, {"food": left[1]}, negated=True)
    elif not found and not reading.used and (liked := _UNKNOWN_LIKED.search(reading.text)):
        yield Draft(f"diet:{liked[2]}", reading.start, reading.end, {"food": liked[2]}, bool(liked[1]))


_VEHICLE = re.compile(r"[拌混掺裹夹塞藏包][在进到]?[^,。]{1,5}(?:里|吃|喂)?$")
_LOOKS_LIKE = re.compile(r"[那这]?么?大(?:小|$|的$)|似的|一样|样的|状的|那样的")
_ONLY_THIS = re.compile(r"(?:只|光|就|专)(?:肯|爱|认|要)?[吃喝]")
_NOT_THAT = re.compile(r"不(?:肯|爱|怎么)?[吃喝碰]$")


def _this_not_that(reading: Reading) -> Draft | None:
    """只吃苜蓿不吃干草: one way of eating, told by what is eaten."""
    foods = reading.of("food", "allergen", "brand")
    if len(foods) != 2 or not _ONLY_THIS.search(reading.before(foods[0])):
        return None
    if not _NOT_THAT.search(reading.before(foods[1])):
        return None
    reading.used.update(foods)
    eaten = foods[0].word
    slot = f"diet:{eaten.allergen or eaten.text}"
    return Draft(slot, reading.start, reading.end, {"food": eaten.text})


_WAS_NOT_EATEN = re.compile(
    r"没(?:有|再|敢)?(?:给\x00*)?[吃喂碰喝舔](?!过|完|够|饱|上|到|几|两|多|一|干净|下|出|错|的)"
)
_LASTS = re.compile(r"一直|从来|从没|再也|再没|没再|好久|很久|[天周月年]没|以后|之后|自从|没敢")
_TOO_DEAR = re.compile(
    r"掂量|肉疼|省着|攒钱|涨价|[吃买养喂]不起|断货|停产|买不到|太贵"
)  # why it is no longer bought, not what is eaten
_ITS_TASTE = re.compile(
    r"嫌[^,。\x00]{0,3}(?:腥|味|硬|干|大|凉|苦|膻|烫|噎)[^,。]{0,3}不(?:肯|爱|想|愿意?)?(?:吃|碰|喝|闻)"
)


def _dislikes_its_taste(reading: Reading, scene: Scene) -> Draft | None:
    """这鱼油闻着冲，它嫌腥不肯吃: what it leaves stands before; after 过敏 `find_mere_dislike` tells it."""
    if any("过敏" in other.text for other in scene.readings[max(0, reading.place - 2) : reading.place]):
        return None
    previous = scene.previous_of(reading)
    taste = _ITS_TASTE.search(reading.text)
    if taste is None or previous is None or previous.about.pets != reading.about.pets:
        return None
    things = [hit.word.text for hit in previous.hits if hit.family in ("food", "brand", "allergen", "drug_name")]
    if not things:
        return None
    food = {"food": things[-1]}
    return Draft(f"diet:{things[-1]}", reading.start, reading.end, food, negated=True, about=things[-1])


_AS_BEFORE = re.compile(r"\x00+(?:还是|依旧|继续)?(?:照常|照旧|照样|继续|照吃)")
_LIKENED_TO = re.compile(
    r"(?<!好)(?:像|好比|跟个|[肿胖圆缩卷团蜷鼓]成|^成|成了?一?[个朵块支团坨根])$"
)  # 嘴唇肿得像香肠
_JUDGED = re.compile(r"(?:没问题|没事|(?<!还)不行|不可以|都行|可以|ok)$")
_OF_REACTIONS = re.compile(r"过敏|反应|红|痒|吐|疹|拉|耐受")


def _is_judged(reading: Reading, scene: Scene) -> bool:
    """牛肉没问题，就是鸡肉不行: what may be eaten, where the talk is of no reaction."""
    return _JUDGED.search(reading.text) is not None and _OF_REACTIONS.search(scene.folded) is None


_OF_WHAT_KIND = re.compile(r"^[^,。吃喂喝]{1,6}(?:馅儿?|味儿?|口味)的$")  # 豆沙馅的, of what was eaten before


def _named_foods(reading: Reading) -> list[Hit]:
    if _OF_WHAT_KIND.match(reading.text):
        return []
    foods = reading.of("food", "brand", "allergen")
    foods = [hit for hit in foods if not (_holds_something(reading, hit) or _is_taken_back(reading, hit))]
    foods = [hit for hit in foods if not _LIKENED_TO.search(reading.before(hit))]
    if _ONLY_TAKEN_BACK.search(reading.text):
        return []
    plain = [hit for hit in foods if hit.word.text not in _NO_FOOD_MEANT]
    if (not plain and reading.has("sign")) or (_BROUGHT_UP.search(reading.text) and not _FED.search(reading.text)):
        return []  # 吃完饭就吐 and 吐的都是猫粮 tell of the sign
    measured = bool(reading.quantities()) and _MEAL.search(reading.text) is not None  # 每顿一杯粮
    return plain or [hit for hit in foods if measured or _EATING.search(reading.text)]


_ONLY_TAKEN_BACK = re.compile(
    r"^\x00*(?:说错了?)?不是[^,。吃喂喝]{1,6}$"
)  # 不是牛肉, with what it is in the next clause
_ORDERED_DIET = re.compile(
    r"(?:医生|医嘱|大夫|兽医)[^,。]{0,6}(?:处方|水解|低敏|软食|流食|流质|半流|湿粮|软粮|泡软|低脂|低盐|低磷|清淡|白水煮)"
)
_PUT_INTO = re.compile(r"[混拌藏裹夹掺放埋泡]在?$")


def _holds_something(reading: Reading, hit: Hit) -> bool:
    """混在粮里: a place for something else."""
    return reading.after(hit, 1) == "里" and _PUT_INTO.search(reading.before(hit)) is not None


def _is_taken_back(reading: Reading, hit: Hit) -> bool:
    """不是三文鱼，是鳕鱼: the first is named only to be put right."""
    following = reading.text[hit.end - reading.start :]
    return reading.before(hit).endswith("不是") and re.match(r"[的,\s]{0,3}(?:而)?是", following) is not None


def _alone(reading: Reading, foods: list[Hit]) -> bool:
    return sum(len(hit.word.text) for hit in foods) * 2 >= len(reading.text.strip("\x00"))


_NEVER_ONCE = re.compile(
    r"一(?:次|回|口|根|只|片|点|下|嘴|块)[^,。]{0,4}[都也]没(?:有|再|乱|偷|捡|敢|想|碰|吃|啃|舔|喝|动)"
)


def _foods(reading: Reading, foods: list[Hit], scene: Scene) -> Iterator[Draft]:
    """A brand with its food is one claim; so are foods that share one verb, unless each has its own polarity."""
    reading.used.update(foods)
    reading.used.update(reading.of("sign") if _ACTS_ON_FOOD.search(reading.text) else [])
    amount = _amount(reading)
    negated = _not_eaten(reading, foods) or _NEVER_ONCE.search(reading.text) is not None
    head = max(foods, key=lambda hit: (hit.family == "brand", hit.word.text not in _STAPLES))
    together = "".join(dict.fromkeys(hit.word.text for hit in foods[:3]))
    value: dict[str, object] = {"food": together if together in reading.text else head.word.text}
    if amount:
        value |= amount.as_value()
    if _ACTS_ON_FOOD.search(reading.text) and not negated:
        yield Draft(
            f"symptom:ate:{head.word.text}",
            reading.start,
            reading.end,
            value,
            cls=AttributeClass.OTHER,
            topic=Topic.DIET,
        )
        return
    if negated and len(each := _each_refused(reading, foods)) > 1:
        for hit in each:
            slot = f"diet:{hit.word.allergen or hit.word.text}"
            yield Draft(slot, reading.start, reading.end, {"food": hit.word.text}, negated)
        return
    yield Draft(_slot(reading, foods, head, amount is not None), reading.start, reading.end, value, negated)


_REFUSED = re.compile(r"(?:不(?:爱|肯|太|怎么|喜欢|能)?(?:吃|喝|碰)|不(?:爱|喜欢|碰))$")


def _each_refused(reading: Reading, foods: list[Hit]) -> list[Hit]:
    """不吃玉米不吃土豆: foods that have a verb each are a claim each."""
    return [hit for hit in foods if _REFUSED.search(reading.before(hit))]


def _not_eaten(reading: Reading, foods: list[Hit]) -> bool:
    match = _NOT_EATEN.search(reading.text) or _WAS_NOT_EATEN.search(reading.text)
    if (
        match is None
        or _NOTHING_WITHOUT.search(reading.text)
        or re.search(r"不吃[^,。]{0,4}就|不加就|没[^,。]{0,6}不吃|停不下", reading.text)
    ):
        return False
    turned = _TURNED_TO.search(reading.text)
    if turned and match.end() <= turned.start() and all(h.start - reading.start >= turned.end() for h in foods):
        return False  # 化毛片停了换成猫草
    liked = _CLEARLY_LIKES.search(reading.text)
    return liked is None or liked.start() < match.end()


def _slot(reading: Reading, foods: list[Hit], head: Hit, amount: bool) -> str:
    words = {hit.word.text for hit in foods}
    if words & _PRESCRIBED:
        return "diet.prescription"
    if amount and _MEAL.search(reading.text) and (words & _STAPLES or not words):
        return "diet.amount"
    if any(hit.family == "brand" for hit in foods) or (words & _STAPLES and not _CLEARLY_LIKES.search(reading.text)):
        return "diet.staple_food"
    return f"diet:{head.word.allergen or head.word.text}"


def _bare_amount(reading: Reading, scene: Scene) -> Draft | None:
    """一顿280克, 一顿不是280是230: how much a meal is, without naming the food."""
    if reading.has("drug", "drug_name", "drug_word", "lab", "food", "vaccine", "dewormer") or not _MEAL.search(
        reading.text
    ):
        return None
    if re.search(r"喝[^,。]{0,12}水", reading.text):
        return None  # how much it drinks is a sign
    if reading.about.explicit and _GOES_ON.search(reading.text):
        return None  # 橙子还是一天一勺: of what was named with it
    bare = _BARE_GRAMS.findall(reading.text)
    if bare and re.search(r"一顿|每顿|一餐", reading.text):
        return Draft("diet.amount", reading.start, reading.end, {"number": int(bare[-1]), "unit": "g"})
    amount = _amount(reading, _MEAL_UNITS)
    return Draft("diet.amount", reading.start, reading.end, amount.as_value()) if amount else None


def _amount(reading: Reading, units: frozenset[str] = _AMOUNT_UNITS) -> Quantity | None:
    """How much: grams before spoons and bowls, and those before how many meals; of two weights the last one said."""
    amounts = [q for q in reading.quantities() if q.unit in units]
    weighed = [q for q in amounts if q.unit in ("g", "ml")]
    if len(weighed) > 1 and "不是" in reading.text[: weighed[0].start - reading.start]:
        weighed = weighed[1:]  # 不是一天85克，是60克
    counted = [q for q in amounts if q.unit != "顿"]
    return next(iter((*weighed, *counted, *amounts)), None)
