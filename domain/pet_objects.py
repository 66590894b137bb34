"""When the second pet that a clause names is only what the first one acts on, or the moment at which it acts.

豆豆追着咪咪, 豆豆趴在咪咪身上, 豆豆冲咪咪哈气, 豆豆趁咪咪喝水的时候偷吃 are all about 豆豆.
"""

import re

from domain.pet_roll import Mention

_ACTED_ON = re.compile(
    r"(?:咬|追|打|欺负|抢|舔|骑|扑|盯|陪|找|想|喜欢|(?<!宠)爱|怕|守|看|吼|凶|哈|偷吃|跟|学|闻|亲|抱|吵|黏|粘|围|绕|挨|靠|枕|压|贴|堵|拦|撵"
    r"|赶|推|挤|拱|蹭|嗅|躲|防|逗|瞪|惹|吓唬?|霸凌|骚扰|监督|模仿|羡慕|嫉妒|惦记|护|哄|踩|扒|挠|抓|拍|薅|伺候|嫌弃?|讨厌|烦|理|搭理|偷袭|挑衅)"
    r"(?:了|着|过|到)?$|(?:拿成|当成|认成)$|(?<![睡醒病站坐躺活饿闲带领教拉])着$"
)
_TOWARDS = re.compile(r"(?:冲|对|朝|向|往|从|围着|绕着|在)$")
_AT_THE_MOMENT = re.compile(
    r"(?:趁|等|当|一?看到?|一?见到?|看见|听见|一?听到?|闻到|碰到|遇到|只要|每次|每回|每当|每逢|一到)$"
)
_MOMENT_ENDS = re.compile(r"的?时候|之?后|(?<!到)时|就|才|便|都|会|立刻|立马|马上")
_KEEPS_OFF = re.compile(
    r"(?:[^,。吐拉烧病药医疼]{1,5}[了惯])?(?:[^,。了]{0,12}(?:霸|堵|挡|拦|守|占|护|趴|蹲|横|杵|盯|凶|吼|咬)[着在住了]?[^,。]{0,8})?(?:现在|从来|最近|还|就|都|也|一直|老|总|死活|坚决|绝对|平时)*不(?:让|许|准|给)"
)


_DRIVEN_OFF = re.compile(r"(?!的)[^,。]{0,6}(?:拱|赶|挤|撵|推|追|吓|扑|踹|堵|顶|逼|轰)(?:走|开|到|出|倒|跑|下)")


def is_driven_off(after: str) -> bool:
    """豆豆把|咪咪|从饭盆边拱走: what is done is told of the one who does it."""
    return _DRIVEN_OFF.match(after) is not None


def is_object(between: str) -> bool:
    """Whether a pet whose name follows `between` is no new subject after the pet named before it."""
    return any(pattern.search(between) for pattern in (_ACTED_ON, _TOWARDS, _AT_THE_MOMENT))


_ITS_OWN = re.compile(
    r"(?:身上|后颈|脖子[后上]?|背上?|头上?|耳朵里?)?(?:刚|才|正)(?:滴|抹|涂|打|擦|喷|敷|换)|(?:的|那[个支盒份瓶管盆]|碗里|身上|窝里?)[^,。的]{0,6}?的?[^,。的]{0,4}?(?:药|膏|粮|罐头?|零食|碗|盆|窝|垫子?|床|玩具|滴剂|滴耳液|眼药水|洗液|喷剂|药水|饭|冻干|笼子?|包|罩|圈|绳|树屋|屋|架|沙发|位[置子]|地盘|抓板|厕所|屁股|尾巴|棉|纱布|喷雾|湿巾|洗剂)"
)
_TELLS_OF_THE_THING = re.compile(
    r"(?:也|都|还(?!没)|已经|就|换|改|停|没(?!人)|是|快|用|要|得|减|加|该|今|昨|明|下|每|一天|早|晚|又)"
)
_BEFORE_A_THING = re.compile(
    r"[了着过完]|到了?$|[一两三半几\d][身脸嘴脚口片颗粒下地]|[上到走翻破开掉光倒进在往住蹲睡占霸趴坐躺扒叼偷抢舔蹭啃]$"
)


_AT_ITS_BOWL = re.compile(
    r"的?(?:碗|盆|窝|笼子?|床|屋|盘子?|砂盆|厕所|房间?|饭盆|食盆|水碗)(?:里|上|边|那儿?|跟前|旁边?)*[^,。]{0,2}"
    r"(?:蹭|抢|偷|吃|喝|睡|拉|尿|舔|翻|捣|躺|趴|占|凑|扒|撒|闻|逛|晃|巡)"
)


def is_a_thing_of(between: str, after: str) -> bool:
    """猫蹭了一身|狗|的药膏: the second pet only owns what was got at; 狗打了针|猫|的药也停了 is of both."""
    if between.endswith(("去", "往", "到", "跑", "上")) and _AT_ITS_BOWL.match(after):
        return True  # 莲藕成天去|菱角|盆里蹭吃
    owned = _ITS_OWN.match(after)
    if owned is None or _BEFORE_A_THING.search(between) is None:
        return False
    return _TELLS_OF_THE_THING.match(after, owned.end()) is None


def is_kept_from(between: str) -> bool:
    """豆豆|不让|咪咪进屋: the first pet is the one who forbids."""
    return _KEEPS_OFF.fullmatch(between) is not None


_ON_IT = re.compile(r"\x00[^,。]{0,8}[舔咬抓挠扒闻碰蹭拱盯啃](?:着|了)?[它他她]的?[^,。]{0,1}$")


def is_of_the_other(text: str, place: int) -> bool:
    """Whether the word at `place` of a clause is of the one that its pet acts on: 咪咪老去舔它伤口."""
    return _ON_IT.search(text, 0, place) is not None and text.startswith("\x00")


def in_anothers_moment(text: str, mentions: tuple[Mention, ...], start: int, place: int, pets: tuple[str, ...]) -> bool:
    """Whether the word at `place` of a clause tells only what another pet does meanwhile: 趁咪咪吃药的时候.

    text: the clause; start: where it begins in the message, in whose offsets `mentions` and `place` are.
    """
    for mention in mentions:
        if mention.end > place or not mention.pets or set(mention.pets) & set(pets):
            continue
        meanwhile = _AT_THE_MOMENT.search(text[: mention.start - start]) is not None
        if meanwhile and not _MOMENT_ENDS.search(text[mention.end - start : place - start]):
            return True
    return False


_BY_WHOM = re.compile(r"(?:是|全靠|全凭|多亏|靠|亏得?)$")
_TAUGHT = re.compile(
    r"[^,。]{0,8}(?:教|带|领|训练?|调教|示范|传授)(?:出来|会|起来|熟)?(?:的|$|[,，。])|(?:给|先)?(?:撞|咬|挠|抓|踩|推|惹|吓|传染?|害|气|挤|踢|扑)(?:出来|伤|坏|破|到|上)?的"
)
_HAD_IT = re.compile(  # 土豆的药|地瓜吃了三粒: who had it, after the thing
    r"(?:给|也|又|都|全|偷偷|偷着?|抢着|捡着?|直接|一口|刚才?|趁机|不小心|误|居然|竟然|整个)*(?:吃|舔|叼|偷|吞|嚼|喝|啃|咬|翻|扒|扯|撕|炫|旋|造|捡|尿|占|拆|刨|霸占)[^,。]{0,4}(?:了|掉|走|光|进)"
)
_HAD_OR_MUST_NOT = re.compile(
    rf"(?:{_HAD_IT.pattern})|(?:可|就|也|绝对|坚决|是)*(?:不(?:能|可以?|许|让|敢)|别|[吃碰沾]不得|吃不了)"
)
_A_THING_OF_ITS = re.compile(
    r"(?:(?:拌|配|开|买|煮|剩|准备|吃剩|掉|吃|喝|用|涂|抹|舔)[^,。\s]{0,4})?(?:的|那[个份盆碗瓶盒罐板包袋支管盘桶根块颗粒片勺])(?!时候)[^,。了吃喂打没不是在会要能给就]{1,10}"
)
_NOT_FOR_IT = re.compile(  # 泡芙那个小鱼干可别分给它, of the one spoken of before
    r"(?:的|那)(?!时候)[^,。]{1,8}?(?:可|就|也|绝对|千万|坚决)*(?:别|不能|不要|不许|不可以?|不让|不敢)[^,。]{0,4}[它他她]"
)
_COMES_NEAR = re.compile(r"(?:只要|刚)?一(?:靠近|过来|过去|凑|走近|挨|来|碰|伸)[^,。]{0,6}(?:就|都|便|立马|马上)")
_GETS_AT = re.compile(  # 老抓到立秋身上, 追着立秋跑
    r"(?<!被)(?<!我)(?:[咬追打舔骑扑闻蹭拱嗅逗踩扒挠抓拍薅撞撵推挤抢]|欺负|偷袭|招惹|骚扰)(?:着|到|了)?$"
)
_HURT = re.compile(r"血|破|瘸|伤|肿|疼|哭|死|秃|吐|怕|不|的")


def is_done_by(between: str, rest: str) -> bool:
    """豆豆会握手|是|咪咪|教的, 豆豆瘸了|是|咪咪|撞的: the first pet is the one to whom it was done."""
    return _BY_WHOM.search(between) is not None and _TAUGHT.match(rest) is not None


_SUFFERS = (
    r"(?:给)?(?:一[口爪脚下头屁股巴掌]{1,3}就?)?(?:给)?"
    r"(?:咬|踩|抓|挠|扑|撞|压|踹|蹬|推|挤|揍|啃|骑|吓|坐|传染|欺负|薅|绊|砸|撵"
)
_DONE_TO = re.compile(
    rf"{_SUFFERS}|打(?!了?[一两三\d]*[针个]|疫|了?狂)|舔)(?:了|着|破|伤|得|到|出|坏|瘸|肿|翻|倒|哭|掉|秃|上|怕|断|一[口脚下])"
)
_GIVEN_TO = re.compile(rf"{_SUFFERS})(?:了|破|伤|得|到|出|坏|瘸|肿|翻|倒|掉|秃|断|一[口脚下])")


def is_done_to(word: str, between: str, rest: str) -> bool:
    """豆豆被|咪咪|…, 豆豆让|咪咪|踩了一脚: about the first pet, to whom it was done; of its things the word decides."""
    if word == "被":
        return True
    done = {"让": _DONE_TO, "叫": _DONE_TO, "给": _GIVEN_TO}.get(word)
    return done is not None and "的" not in between and done.match(rest) is not None


def had_it(rest: str) -> bool:
    """Whether what follows a pet says that it ate or took something."""
    return _HAD_IT.match(rest) is not None


def is_thing_of_first(between: str, rest: str) -> bool:
    """豆豆|的药|咪咪|吃了三粒, 豆豆|的牛肉粒|咪咪|不能吃: about the second, of a thing of the first."""
    return _A_THING_OF_ITS.fullmatch(between) is not None and _HAD_OR_MUST_NOT.match(rest) is not None


def goes_on_of_other(before: str, rest: str) -> bool:
    """Whether a clause that names a pet goes on about another: 老抓到咪咪身上, 咪咪一靠近就龇牙."""
    if _NOT_FOR_IT.match(rest):
        return True
    if not before:
        return _COMES_NEAR.match(rest) is not None
    return _GETS_AT.search(before) is not None and "我" not in before and _HURT.search(rest) is None
