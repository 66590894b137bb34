"""Character, habits, training, walks and grooming: 怕打雷, 学会握手, 拆了沙发, 每天遛两次, 洗了澡."""

import re
from collections.abc import Iterator

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor.apart import KEPT_APART, kept_apart
from domain.offline.extractor.formerly import was_before
from domain.offline.extractor.medicines import GOT_AT_IT
from domain.offline.extractor.plans import is_future
from domain.offline.extractor.reading import Draft, Reading, Scene, denied
from domain.offline.extractor.wordlist import Hit
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_FEAR = re.compile(
    r"(不|没|除了)?(?:特别|最|很|超|非常|有点|也|都|还|挺|好|就)?(怕|害怕|恐惧|怵|犯怵|发怵|憷)(?:的(?:就|其实|反而)?是)?(?!是|不|你|我|它(?!的))([^,。\x00得了]{1,6})?"
)
_NO_FEAR = re.compile(r"(?:不|没)(?:再|那么|怎么|太|会|咋)*怕|不害怕")
_CRIES = re.compile(
    r"叫(?:得|声)[^,。]{0,4}(?:厉害|凶|大|惨|响|像)|(?:总|老|一直|半夜|天天|整晚|夜里|凌晨|不停)[^,。]{0,6}叫(?!我|他|她|它|外卖|车|什么|人|号)"
)
_REACTS = re.compile(
    r"(?<!看)(?<!听)(?:见到?|看到|看见|碰到|碰见|听到|听见|遇到|遇见|闻到)[^,。\x00]{1,8}就(?:追|叫|扑|躲|跑|疯|冲|跳|嗨|怂|走不动|抖|缩|咬|凶|吼|冲|咬|夹|兴奋|激动|炸|哈|钻|躺|摇)"
    r"|(?:非要|不肯|死活|必须|一定要|硬要)[^,。]{0,6}(?:上床|睡|抱|进屋|出门|下楼|陪|跟)"
    r"|(?:死活|坚决|打死)[也都]?不(?:进|上|让|肯|出|下|走|坐)[^,。]{0,6}"
    r"|谁(?:来|去|叫|喊|摸|抱|逗|给|靠近|碰|一来|见|看)[^,。]{0,3}都[^,。什么]{1,5}$"
)
_EATS_FILTH = re.compile(r"(?<!拉)(?<!边)吃(?!完|了就|过)[^,。]{0,8}(?:屎|便便|粑粑|粪)(?!色)")
_WRECKS = re.compile(
    r"把[^,。]{1,8}(?:掀翻|拱翻|踢翻|扒翻|碰翻|掀|掏|咬|啃|抓|挠|撕|拆|刨|嚼|推倒|推下|推到|推地|推翻|推桌|碰倒|扒拉到|打翻|打碎|弄坏)(?:了|烂|坏|破|碎|个|得|下|来|去|$)(?![^,。]{0,4}(?:药|吞))"
)
_STEALS = re.compile(
    r"(?:老|总|爱|喜欢|天天|经常|动不动|一直)[^,。]{0,3}(?:偷|抢)[^,。]{0,6}|(?:就|去|来|又|还|也|老|都)[^,。]{0,2}(?:抢|偷)\x00+的"
    r"|(?:偷(?!吃了)|抢|扒|惦记|盯着|盯上|翻|霸占|霸着|蹭|顺走|舔|拱|啃|钻|喝|吃|扫)[^,。\x00]{0,4}\x00+(?:的|那[份个碗盆])[^,。]{1,6}"
    r"|\x00+的[^,。\x00]{1,6}(?:都|全|又|也|老)*(?:让|被)\x00+[^,。偷]{0,3}(?:喝|吃|抢|舔|占|啃|造|祸)"
)
_LIKING = re.compile(
    r"(不)?(?:最|特别|很|超|超级|非常|好|真|可|就|也|只)?(?:喜欢|爱|热爱|痴迷|迷上|钟爱)(?!吃|喝|死|你|了$|宠)(?:玩|上)?([^,。\x00的]{1,8})"
)
_LEARNT = re.compile(
    r"(?:学会|(?<![等待一])会|教会(?:了)?(?:它|他|她)?|懂|练会|听得懂)(?:了)?(握手|坐下|坐|趴下?|装死|转圈|击掌|等待?|随行|定点|用猫砂|用盆|上厕所|用马桶|开门|开抽屉|按铃|后退|打滚|接飞盘|叫妈妈|自己[^,。]{1,6}|换手|拜拜|跳圈|捡球|回笼|用[^,。]{1,4})"
)
_MASTERED = re.compile(
    r"(握手|坐下|趴下|装死|转圈|击掌|等待|随行|定点(?:上厕所)?|上厕所|用猫砂|回笼|唤回|召回|拒食|松口|跳圈|钻圈|捡球|飞盘|按铃)(?:训练)?[^,。]{0,4}"
    r"(?:练出来|练成|练会|学成|教会|成功|过关|出师|会了|稳了|达标|没问题了|学会|(?:还|总|就是|一直)是?(?:没|不(?:行|太行|稳|会)))"
)
_NOT_LEARNT = re.compile(
    r"(?:没|不|还没)(?:太|大|怎么)?(?:学)?会|(?:还|总|老|就是|一直)(?:是)?(?:没|不(?:行|太行|稳|肯|听|做|会))|没(?:教会|练成|练出来|过关|学成)|不行$"
)
_WALK = re.compile(
    r"(?:每天|一天|早晚|天天|今天|晚上|早上|刚|现在|改)[^,。]{0,8}(?:遛|散步|出门|跑|走)|遛(?:了|一|两|半|三|\d|弯)"
)
_MOOD = re.compile(r"脾气|性格|胆子|胆小|黏人|精力|聪明|记仇|话痨|叫得|安静|乖")


_A_PERSON = re.compile(
    r"(?:今天|昨天|昨晚|刚才|后来|结果|但是)*我?(?:爸妈?|妈|公公|婆婆|老公|老婆|对象|室友|爷爷|奶奶|同事|朋友|邻居)(?!家的?[猫狗]|[^,。]{0,6}(?:说|讲|告诉|发现))"
)


_NEW_GEAR = re.compile(
    r"换(?:成|了|上)?[^,。\x00]{0,6}(?:碗|水盆|食盆|砂盆|砂|垫子|窝|喂食器|饮水机|牵引绳?|胸背)(?:之后|以后|后)(?![一二两三四五六七八九十\d])"
)


def find_new_gear(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """换成玻璃碗之后没再长过黑下巴: the new thing, beside what became of the sign."""
    if (gear := _NEW_GEAR.search(reading.text)) and not is_future(reading, scene):
        name = {"text": gear[0]}
        yield Draft(
            "other:living:gear", reading.start, reading.end, name, cls=AttributeClass.OTHER, topic=Topic.LIFESTYLE
        )


def find_habits(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """Behaviour first, then grooming and activity; at most one claim each."""
    a_person = _A_PERSON.match(reading.text) and not reading.about.explicit
    if a_person and not KEPT_APART.search(reading.text):
        return  # 我爸来看家
    if was_before(reading, scene):
        return  # 以前怕洗澡，现在…: the present is told next
    if _ONLY_WHEN.search(reading.text):
        return
    if apart := kept_apart(reading, scene):
        yield apart
        return
    previous = scene.previous_of(reading)
    feared = list(_fears(reading, previous.text if previous is not None else ""))
    yield from feared
    if not feared:
        yield from _behaviors(reading, scene)
    if not is_future(reading, scene):
        yield from _care(reading)


_ONLY_WHEN = re.compile(r"完[^,。]{0,4}(?:那会儿?|的时候|之?后|以后)$")  # 早上遛完回来那会儿
_FEARS = sorted(vocabulary("conduct")["fears"], key=len, reverse=True)


_A_FEAR = re.compile("|".join(fear for fear in _FEARS if len(fear) > 1))
_FEARS_ONLY = re.compile(
    r"除了([^,。\x00都没不]{1,6}?)(?:\x00|它|他|她|压根|根本|好像|基本|几乎|从来|真|就|还|简直)*(?:(?:啥|什么|谁|哪个?|别的|旁的|任何)[^,。]{0,3}(?:都|也)(?:不|没)(?:怕|怵|憷|怂)过?|(?:不|没)(?:怎么|咋|再)?(?:怕|怵|憷|怂)过?(?:啥|什么|谁|别的|旁的|其[他它]|任何))"
)
_BUT_FOR = re.compile(r"\x00*除了(?:躲|怕|怵)([^,。\x00]{1,6})$")  # 除了躲吹风机，别的都不理
_NO_FEARS = re.compile(r"天不怕地不怕|不怕(?:你们?|您|大家)?(?:笑|丢人)")


def _feared(words: str) -> str:
    """What is feared: a known fear that the words begin with, else the words up to the next turn."""
    known = next((fear for fear in _FEARS if words.startswith(fear)), None)
    return known or re.split(r"不敢|不肯|不|别的|其他|的|和|也|都|就|,", words)[0] or words


_FEARS_A_MATE = re.compile(r"(?<![不别可恐])怕\x00+$")
_STARTLED = re.compile(
    r"(?:一(?!声|下|次|会|个|阵)|每次|只要)(?:到|听到|听见|见到|看到|碰到|遇到|打|放|有)?(?![碰摸按捏抱叫见来进出撒靠关开走穿戴洗拿提喊吃喝解松拍凶骂说着落蹲尿拉躺坐站跳咽嚼咬动天])([^,。\x00]{1,5})就(?:往|钻|躲|抖|跑|叫|藏|炸毛|发抖|尿|哆嗦|缩|吓)"
)
_AT_A_NOISE = re.compile(
    r"(打雷|放炮|鞭炮|烟花|下雨|吸尘器|吹风机|敲门|门铃)[^,。]{0,4}就(?:往|钻|躲|抖|跑|叫|藏|尿|哆嗦)"
)
_COMPOSED = re.compile(
    r"(?:车|高铁|飞机|地铁|船|推车|包)[上里][^,。]{0,3}(?:稳|乖|老实|安静|淡定)|全程没吭声|(?:照样|依然|照旧|还是|照)?(?:眼(?:睛|皮)?都(?:不|懒得|没)[眨抬]|头都(?:不|懒得|没)[抬回扭]|(?:懒得|不屑|不带)(?:抬|眨|回|扭|搭|躲|怕|怵|抖|慌|闪|动|理)|不当(?:回|一)事|眉头都不皱|大摇大摆|面不改色|稳如泰山|纹丝不动|一点不(?:慌|怵)|照睡|该吃吃该睡睡|(?:着|响|吵|来)[^,。]{0,3}(?:都|也)不(?:躲|闪|怵|抖|带躲)(?!开)|(?:都|也)?不(?:急眼|生气|恼|介意|计较|发火)|老老实实|服服帖帖|乖乖(?:让|配合|趴|站|坐)|随便你?弄|(?:倒|却|反而|倒是)[^,。]{0,3}(?:淡定|享受|老实|乖|安静|配合)|躺平|随便[^,。]{0,2}(?:摆弄|揉|搓|摸)|跟没事(?:人|猫|狗)?似的)"
)
_UNMOVED = re.compile(
    r"(?:楼[上下]|隔壁|外[面头])?([^,。\x00]{1,6}?)(?:响|吵|炸)[^,。]{0,4}照(?:样|旧|常)?(?:睡|吃|玩)|(打雷|雷|放炮|鞭炮|烟花|吸尘器|吹风机|洗澡|剪指甲)[^,。]{0,6}(?:照睡|[^,。]{0,2}当(?:催眠曲|耳旁风|没听见|没事)|没反应|淡定|不在乎|不理|无所谓|不管)"
)


def is_startled(text: str) -> re.Match[str] | None:
    """一听推子响就吓得拉了: what it does out of fright."""
    return _STARTLED.search(text)


def _fear(reading: Reading, thing: str, negated: bool = False, about: str = "") -> Draft:
    slot, name = f"behavior:fear:{thing}", {"name": f"怕{thing}"}
    return Draft(slot, reading.start, reading.end, name, negated, AttributeClass.BEHAVIOR, about=about)


_I_AM_AFRAID = re.compile(r"(?:^|\x00)我(?:就|也|还|都|真|最)?怕")  # 我怕混了
_FEAR_OF = re.compile(r"怕([^,。\x00得了死不]{1,6})")


def _fears(reading: Reading, before: str) -> Iterator[Draft]:
    """before: the clause before this one, which may name what is feared (朋友家狗怕打雷，可乐倒不怕)."""
    startled = is_startled(reading.text) or _AT_A_NOISE.search(reading.text)
    unmoved = _UNMOVED.search(reading.text)
    if startled or unmoved:
        thing = next(group for group in (startled or unmoved).groups() if group)  # type: ignore[union-attr]
        reading.used.update(reading.hits)
        calm = unmoved is not None
        yield _fear(reading, thing, calm, about=f"不怕{thing}" if calm and not startled else "")
        return
    if mate := _FEARS_A_MATE.search(reading.text):
        name = {"name": mate[0]}
        yield Draft("behavior:fear:housemate", reading.start, reading.end, name, False, AttributeClass.BEHAVIOR)
        return
    if only := _FEARS_ONLY.search(reading.text) or _BUT_FOR.match(reading.text):
        thing = only[1]
        reading.used.update(reading.hits)
        yield Draft(
            f"behavior:fear:{thing}", reading.start, reading.end, {"name": f"怕{thing}"}, False, AttributeClass.BEHAVIOR
        )
        return
    if _COMPOSED.search(reading.text) and (feared := _A_FEAR.search(reading.text)):
        reading.used.update(reading.hits)
        yield _fear(reading, feared[0], negated=True, about=f"不怕{feared[0]}")
        return
    if _COMPOSED.search(reading.text) and not reading.has("drug", "drug_name", "vaccine"):
        reading.used.update(reading.hits)
        name = {"name": reading.text.strip("\x00")}
        yield Draft("behavior:composed", reading.start, reading.end, name, False, AttributeClass.BEHAVIOR)
        return
    match = None if _I_AM_AFRAID.search(reading.text) else _FEAR.search(_NO_FEARS.sub("", reading.text))
    if (
        match
        and match[3]
        and not re.search(
            r"^(?:过|你|您|我|他|她|人家|笑|丢人|的|死|传(?!单)|啥|什么|麻醉|麻药|花钱|贵|副作用|被骗|耽误|来不及|出事|万一|有风险|风险|后遗症|传染|影响|有问题)",
            match[3],
        )
    ):
        negated = _NO_FEAR.search(reading.text) is not None and match[1] != "除了"
        thing = _feared(match[3])
        reading.used.update(reading.hits)
        yield Draft(
            f"behavior:fear:{thing}",
            reading.start,
            reading.end,
            {"name": f"怕{thing}"},
            negated,
            AttributeClass.BEHAVIOR,
        )
    elif _NO_FEAR.search(_NO_FEARS.sub("", reading.text)) and not reading.used:
        about = f"怕{told[1]}" if (told := _FEAR_OF.search(before)) else ""
        reading.used.update(reading.of("activity"))  # 狗公园里谁都不怕
        yield Draft(
            "behavior:fear", reading.start, reading.end, {"name": "怕"}, True, AttributeClass.BEHAVIOR, about=about
        )


_DONE_TO_A_PERSON = re.compile(
    r"把(?:我|人|他|她)[^,。\x00]{0,3}$|(?<!叫)得(?:更|很|特别|好|太|越来越)?$"
)  # 把我妈吓得, 咳得更凶
_FRIGHTENS = re.compile(r"^(?:我|人|他|她)")  # 吓得我


def _is_no_trait(reading: Reading, hit: Hit) -> bool:
    before = reading.text[max(0, hit.start - reading.start - 8) : hit.start - reading.start]
    return bool(_DONE_TO_A_PERSON.search(before) or _FRIGHTENS.match(reading.after(hit, 1)))


def _in_pain(reading: Reading, scene: Scene) -> bool:
    """尿不出来，叫得好惨: a detail of the sign before."""
    previous = scene.previous_of(reading)
    same = previous is not None and previous.about.pets == reading.about.pets and not reading.about.explicit
    return same and previous is not None and any(hit.family == "sign" for hit in previous.used)


def _behaviors(reading: Reading, scene: Scene) -> Iterator[Draft]:
    if GOT_AT_IT.search(reading.text):
        return  # an accident, told as one
    learnt = _LEARNT.search(reading.text) or _MASTERED.search(reading.text)
    if learnt:
        reading.used.update(reading.of("behavior", "sign"))
        negated = _NOT_LEARNT.search(reading.text) is not None
        yield Draft(f"behavior:training:{learnt[1]}", reading.start, reading.end, {"name": learnt[1]}, negated)
        return
    if _EATS_FILTH.search(reading.text) and not reading.used and not reading.has("behavior"):
        reading.used.update(reading.of("sign", "food"))
        yield Draft("behavior:habit", reading.start, reading.end, {"name": "吃屎"}, False, AttributeClass.BEHAVIOR)
        return
    reacts = _REACTS.search(reading.text)
    if reacts and not reading.used and not reading.has("food", "drug", "brand"):
        reading.used.update(reading.of("behavior", "sign"))
        yield Draft("behavior:habit", reading.start, reading.end, {"text": reacts[0]}, False, AttributeClass.BEHAVIOR)
        return
    cries = _CRIES.search(reading.text)
    if cries and not reading.used and not _in_pain(reading, scene):
        yield Draft("behavior:barking", reading.start, reading.end, {"name": cries[0]}, False, AttributeClass.BEHAVIOR)
        return
    wrecks = _WRECKS.search(reading.text)
    if (
        wrecks
        and "药" not in wrecks[0]
        and not reading.has("body", "food", "drug", "drug_name", "drug_word", "allergen")
    ):
        reading.used.update(reading.of("behavior", "sign", "food"))
        yield Draft(
            "behavior:destroying", reading.start, reading.end, {"name": wrecks[0]}, False, AttributeClass.BEHAVIOR
        )
        return
    steals = _STEALS.search(reading.text)
    if steals and not reading.has("drug", "drug_name", "drug_word"):
        reading.used.update(reading.of("behavior", "sign", "food"))
        yield Draft(
            "behavior:stealing", reading.start, reading.end, {"name": steals[0]}, False, AttributeClass.BEHAVIOR
        )
        return
    hits = [
        hit
        for hit in reading.of("behavior")
        if not ((hit.id in ("habit", "training") and reading.used) or _is_no_trait(reading, hit))
    ]
    if hits:
        reading.used.update(hits)
        hit = hits[0]
        negated = denied(reading, hit) and _FORBIDDEN_IN_VAIN.search(reading.text) is None
        yield Draft(f"behavior:{hit.id}", reading.start, reading.end, {"name": hit.word.text}, negated)
        return
    liking = _LIKING.search(reading.text)
    if liking and not reading.used and not reading.of("food", "brand"):
        start, end = reading.start + liking.start(), reading.start + liking.end()
        reading.used.update(hit for hit in reading.of("grooming", "activity") if start <= hit.start < end)
        yield Draft(f"behavior:likes:{liking[2]}", reading.start, reading.end, {"name": liking[2]}, bool(liking[1]))


_FORBIDDEN_IN_VAIN = re.compile(
    r"(?:说|讲|骂|吼|教|喊)[^,。]{0,6}(?:别|不许|不准|不要)|(?:不让|不许|不准)[^,。]{1,8}(?:非|偏|还|照)"
)  # 说一百遍别翻垃圾桶: it does
_MEANWHILE = re.compile(
    r"(?:洗|剪|剃|吹)完[澡毛]?(?:就?更|又|老|还|称|量|发现)|(?:遛|洗|散步|玩|梳|剪|跑)[^,。]{0,4}(?:的时候|时(?!间|长)|途中|路上|发现|碰|遇)|(?:散步|出门|遛弯|遛狗|出去玩?)(?:不再|再也不|老(?!了)|总|就|都|还|乱|光|见)"
)
_HABITUAL = re.compile(
    r"^(?:\x00|它|他|她|这货|这家伙|小家伙)*(?:也|还|就|都|家里|我家|现在|最近|这几天|这阵子)*(?:每天|天天|每次|每晚|每到|总是|总爱|总(?![算共之体得])|老是|老爱|老(?=[拿去要想用追盯往找跟在把趴])|从来(?!没有?过?$)|从不|最讨厌|讨厌|不让|非要|一(?:来|见|看|听|到|闻|有|出门|回家|关)[^,。]{1,8}就|只要[^,。]{1,8}就|动不动就|特别(?:会|能|讨厌|喜欢|爱)|习惯)"
)


_LITTER = re.compile(
    r"(?:豆腐|木薯|膨润土|水晶|混合|松木|矿石?|原矿|纸|植物|玉米|核桃|绿茶|奶酪|咖啡渣|沸石|低尘|无尘)(?:猫)?砂|膨润土"
    r"|(?:^|其实|应该|原来)是[^,。]{1,5}砂|砂(?:盆)?[^,。]{0,6}(?:换成|换了|改成|改用|用的|换到|埋)|(?<!该)(?:换了?|换成|改用|用的?)[^,。]{0,6}(?:豆腐|膨润土|混合|松木|矿石|新)?砂"
)


_FRIENDS = re.compile(r"(?:最?好|老)的?(?:朋友|哥们|伙伴|玩伴|闺蜜|死党|搭子)|(?:是|成了)(?:朋友|哥们|死党|玩伴|闺蜜)")
_LITTER_KIND = re.compile(r"豆腐|木薯|膨润土|水晶|混合|松木|原矿|矿石?|纸|植物|玉米|核桃|绿茶|奶酪|咖啡渣|沸石")
_NEW_LITTER = re.compile(r"换|改")


_LITTER_TAKEN_BACK = re.compile(r"砂[^,。]{0,3}(?:不对|错|不是|说岔|记岔)|(?:不是|早不是)[^,。]{1,5}砂(?:了|哈|的)?$")
_USED_TO_BE = re.compile(r"(?:原先|原来|以前|之前|从前|一开始)[^,。]{0,3}(?:用|是|铺)")


def find_habitual(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """A habit that no list knows, told as one: 每天早上五点踩我脸."""
    if (
        _LITTER.search(reading.text)
        and not _LITTER_TAKEN_BACK.search(reading.text)
        and not _USED_TO_BE.search(reading.text)
        and not _is_the_old_litter(reading, scene)
    ):
        kinds = _LITTER_KIND.findall(reading.text)
        told = bool(kinds) and (len(set(kinds)) == 1 or _NEW_LITTER.search(reading.text) is not None)
        slot, name = ("other:litter", kinds[-1]) if told else ("other:litter:any", "猫砂")
        yield Draft(slot, reading.start, reading.end, {"name": name}, topic=Topic.ELIMINATION)
    elif reading.about.explicit and _FRIENDS.search(reading.text):
        yield Draft("behavior:friends", reading.start, reading.end, {"text": reading.text.strip("\x00")})
    elif _HABITUAL.search(reading.text) and len(reading.text.strip("\x00")) >= 5 and not is_future(reading, scene):
        yield Draft("behavior:habit", reading.start, reading.end, {"text": reading.text.strip("\x00")})


def _is_the_old_litter(reading: Reading, scene: Scene) -> bool:
    """给它改用木薯砂啦，豆腐砂老发霉: what is said of the old one after the change."""
    before = scene.previous_of(reading)
    changed = before is not None and _LITTER.search(before.text) and _NEW_LITTER.search(before.text)
    return bool(changed) and _NEW_LITTER.search(reading.text) is None


_UNINTERESTED = re.compile(r"对[^,。]{1,8}?(?:没|一点|不感|提不起|无感|爱答不理|爱搭不理)")
_RESISTS = re.compile(r"不(?:让|肯|给|愿意?)|讨厌|抗拒|抵触")
_RESTRICTED = re.compile(
    r"(?:不能|不许|不让|禁止|避免|不要|别)(?:再)?(?:[^,。]{0,2})(?:跳|爬|跑|飞|剧烈|运动|上下楼|洗澡|外出|出门|奔跑|游泳)"
    r"|(?:单独|分开|隔离)[^,。]{0,3}(?:住|养|关|一?笼)|分笼"
)
_TAKEN_AWAY = re.compile(r"(?P<thing>跑轮|跑球|沙浴|浴沙|转盘)[^,。]{0,4}(?:停|撤|拿|收|别)")  # 跑轮先撤掉


# Verbs that take words between their two halves: 刷两次牙, 洗了个热水澡. (cls, id, pattern)
_SEPARATED = (
    (
        AttributeClass.GROOMING,
        "teeth",
        re.compile(r"刷(?:[一两三四\d]|了|过|完|个|回|次|遍|上|[^,。牙]{0,1})[^,。牙]{0,3}牙"),
    ),
    (AttributeClass.GROOMING, "bath", re.compile(r"洗(?:[一两三四\d]|了|过|完|个)[^,。澡]{0,4}澡")),
    (
        AttributeClass.GROOMING,
        "nails",
        re.compile(r"(?:剪|修|磨|铰)(?:[一两三四\d]|了|过|完|好)[^,。]{0,4}(?:指甲|爪子|趾甲)"),
    ),
    (
        AttributeClass.GROOMING,
        "bath",
        re.compile(
            r"把\x00+(?:都|也|给|打包|一起|全)*洗(?:了|完|干净)|\x00+(?:也|都|全|一起|刚)+洗(?:了|完了?|过了)$|(?:[一两三俩半几\d]+个?(?:天|周|月|礼拜|星期)|每[^,。]{1,3})[^,。]{0,2}洗(?:一?[次回遍]|[一两三\d][次回])"
        ),
    ),
    (
        AttributeClass.GROOMING,
        "nails",
        re.compile(
            r"(?:指甲|趾甲|爪子?)[^,。\x00]{0,10}(?:剪|修|磨|铰)(?:了|过|完|好|一)|剪(?:个|了|完)?nails?|nails?[^,。]{0,3}(?:剪|修|trim|cut)"
        ),
    ),
    (
        AttributeClass.GROOMING,
        "ears",
        re.compile(
            r"(?:清|掏|洗|擦)(?:理|洁|洗)?(?:了|完|过)[^,。]{0,3}(?:耳道|耳朵)|(?:耳朵?|耳道|ears?)(?:[^,。]{0,12}(?:帮|给|顺手|顺便)[^,。]{0,3}(?:清|掏|擦|洗)|(?:也|都|给|又)?(?:清理|清洁|清洗|掏)(?:了|过|完|好|一|$))"
        ),
    ),
    (
        AttributeClass.GROOMING,
        "trim",
        re.compile(r"(?:剃|修|推|剪)(?:了|过|个|得|的|完)[^,。]{0,4}(?:毛|光头|平头|头(?!晕|疼)|发型|造型)"),
    ),
    (
        AttributeClass.GROOMING,
        "massage",
        re.compile(
            r"(?:给|帮|做|每天|天天|按)[^,。]{0,6}按摩|按摩(?:了|过|完)|(?:毛巾|热水|温水|冰袋?|热|冷|温)[^,。]{0,2}敷"
        ),
    ),
    (
        AttributeClass.GROOMING,
        "brush",
        re.compile(
            r"梳(?:[一两三四\d]|了|过|完|好)[^,。毛]{0,3}毛|(?:天|周|每|早|晚)[^,。]{0,4}梳(?:[一两三\d]|一?遍|一?次)"
        ),
    ),
    (
        AttributeClass.ACTIVITY,
        "walk",
        re.compile(
            r"(?:走|遛|跑)(?:了|个|上)?(?:[\d一二两三四五六七八九十半]+个?(?:来|多)?(?:分钟|小时|钟头|公里|里地|圈))|(?:散|跑)(?:[一两三四\d]|了|过|完|会儿|个)[^,。步]{0,4}步|遛(?:[一两三四\d]|了|完|个)[^,。]{0,5}(?:弯|圈|狗|分钟|小时|趟|次)"
        ),
    ),
)


def _separated(reading: Reading) -> Draft | None:
    for cls, key, pattern in _SEPARATED:
        if (match := pattern.search(reading.text)) and not reading.used:
            reading.used.update(reading.of("body"))
            slot = f"{'grooming' if cls is AttributeClass.GROOMING else 'activity'}:{key}"
            return Draft(slot, reading.start, reading.end, {"name": match[0]}, False, cls, Topic.LIFESTYLE)
    return None


_I_TRAVEL = re.compile(r"\x00*我(?!家|们家|的|给|带|把|抱)")  # 我在高铁上


def _care(reading: Reading) -> Iterator[Draft]:
    if restricted := _RESTRICTED.search(reading.text):
        reading.used.update(reading.hits)
        yield Draft(
            "activity:restriction", reading.start, reading.end, {"name": restricted[0]}, cls=AttributeClass.ACTIVITY
        )
        return
    if away := _TAKEN_AWAY.search(reading.text):
        reading.used.update(reading.hits)
        name = {"name": away[0]}
        yield Draft(f"activity:{away['thing']}", reading.start, reading.end, name, cls=AttributeClass.ACTIVITY)
        return
    if not reading.has("grooming", "activity") and (separated := _separated(reading)):
        yield separated
        return
    for family in ("grooming", "activity"):
        hits = reading.of(family)
        if family == "activity" and _I_TRAVEL.match(reading.text):
            continue
        if hits and _UNINTERESTED.search(reading.text):
            reading.used.update(hits)
            yield Draft("behavior:habit", reading.start, reading.end, {"text": reading.text.strip("\x00")})
            continue
        if hits and reading.before(hits[0]).endswith("我"):
            continue  # 趁我洗澡
        if not hits or _MEANWHILE.search(reading.text) or (family == "activity" and reading.used):
            continue
        reading.used.update(hits)
        if family == "grooming" and _RESISTS.search(reading.before(hits[0])):
            name = {"name": hits[0].word.text}
            yield Draft(f"behavior:resists:{hits[0].id}", reading.start, reading.end, name)
            continue
        told = list({hit.id: hit for hit in hits}.values()) if family == "grooming" else hits[:1]
        for hit in told:
            slot, name = f"{family}:{hit.id}", {"name": hit.word.text}
            no = denied(reading, hit)
            yield Draft(slot, reading.start, reading.end, name, no, AttributeClass(family), Topic.LIFESTYLE)
