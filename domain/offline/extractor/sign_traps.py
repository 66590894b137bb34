"""Words of signs that are none in their clause: 周五再抽 is a blood test, 咬我手指咬破了 hurts the owner."""

import re

from domain.offline.extractor.reading import Reading, Scene, denied
from domain.offline.extractor.wordlist import Hit

_FLUID = re.compile(r"血肿|积液|腹水|胸水|囊肿|脓")
_DRAWN = re.compile(r"^[^,。]{0,4}(?:血|水|液|髓|尿|脂|空|屉|烟|奖|签|查|时间)")  # 抽了腹水 is no fit
_TO_BE_DRAWN = re.compile(r"(?:再|去|来|要|得|约|才|重新|复查)$")  # 周五再抽
_A_FIT = frozenset({"抽了", "抽过", "抽"})
_SOMEBODY_HURT = re.compile(
    r"(?:咬|挠|抓|踩|扑|撞|划|蹬|啄)(?:了|到|伤|破|着)?(?:我|人|自己家人|邻居|快递|小孩|孩子|客人|医生|护士|阿姨|保安)"
    r"|(?:把|给|害)(?:我|人家?|邻居|快递|小孩|孩子|客人|医生|护士)(?![^,。]{1,6}的)[^,。]{0,8}(?:咬|挠|抓|踩|扑|撞|划|弄|蹬|啄)"
)
_CUT_SHORT = re.compile(r"(?:给|把|就|药|粮|奶|起|直接|干脆|已经|都|[吃喂打滴]着)(?:它|他|她|\x00|全)*断了")
"""这个月起我给断了 ends what was given."""
_IN_GIVEN = ("vaccine", "dewormer", "drug", "drug_name", "drug_word", "food", "brand", "allergen")


_DISLIKES = re.compile(r"(?:不喜欢|不爱|讨厌|最烦|不乐意)(?:我|别人|人家?|被)*(?:摸|碰|揉|抱|捏)")
_OF_LATE = re.compile(r"今|昨|突然|最近|这两天|刚|开始|以前|之前|疼|痛|叫")


def is_a_temper(text: str) -> bool:
    """不喜欢别人摸肚子，一摸就咬: how it is, and no pain."""
    return _DISLIKES.search(text) is not None and _OF_LATE.search(text) is None


def hurts_somebody(text: str) -> bool:
    """It bites, and somebody else bleeds."""
    return _SOMEBODY_HURT.search(text) is not None


def is_no_sign_here(reading: Reading, hit: Hit, scene: Scene) -> bool:
    """Whether what a hit names is not seen on the pet at all."""
    if hit.word.text in _A_FIT:
        drawn = _DRAWN.match(reading.after(hit, 6)) or _TO_BE_DRAWN.search(reading.before(hit, 4))
        return drawn is not None or _FLUID.search(reading.text) is not None
    if _ONLY_WHEN_SEEN.match(reading.after(hit, 9)):
        return True  # 疼了才给
    if hit.word.text == "没尿" and reading.after(hit, 3).startswith(("过血", "过粉", "过红")):
        return True  # 再没尿过血: of the blood
    if hit.word.text == "没拉" and _HAD_NONE.match(reading.after(hit, 3)):
        return True  # 换回熟食就没拉过: of a sign told before
    if hit.word.text == "没尿" and reading.text[: hit.start - reading.start].endswith("没拉"):
        return True  # 没拉没尿 is one thing told
    if hit.id == "bloody_stool" and hit.word.text in ("带血", "血丝", "带血丝", "黏液", "粘液"):
        came_up = any(other.id in ("vomiting", "cough") and not denied(reading, other) for other in reading.hits)
        return came_up and not any(other.id in ("diarrhea", "stool") for other in reading.hits)  # 又吐一次带血丝
    if _OF_ME.search(reading.before(hit, 4)):
        return True
    if hit.id == "appetite_loss" and reading.has("food") and _BUT_WITH_IT.search(reading.text):
        return True
    if hit.id == "ear_problem" and hit.word.text in ("耳道", "耳朵") and _EARS_CLEANED.search(reading.text):
        return True
    if hit.id == "itching" and _AT_A_THING.search(reading.before(hit, 10)):
        return True
    if hit.id == "wound":
        return hurts_somebody(reading.text) or (hit.word.text == "断了" and _CUT_SHORT.search(reading.text) is not None)
    if hit.id == "sleep" and _SO_THAT.search(reading.text[: hit.start - reading.start]):
        return True
    near = scene.readings[max(0, reading.place - 2) : reading.place + 1]  # 半片甲硝唑，奶茶没啥反应: nothing came of it
    return hit.word.text in ("没啥反应", "没反应") and any(one.has(*_IN_GIVEN) for one in near)


_BUT_WITH_IT = re.compile(
    r"(?:没有?|缺了?|离了|不(?:给|加|拌|放))[^,。不]{1,6}(?:就|都|便)?(?:不[吃喝动碰张开下上进沾]|绝食)"
)  # 没有罐头不吃饭: a taste
_HAD_NONE = re.compile(r"过(?!稀|肚|软|水|血|黑|虫)")
_EARS_CLEANED = re.compile(r"(?:清|掏|洗|擦)(?:理|洁|洗)?(?:了|完|过)[^,。]{0,3}耳[^,。]{0,6}$")
_OF_ME = re.compile(r"(?<![咬抓舔蹭挠给把被让叫跟着对追扑压吓])我(?:就|都|也|实在|真|快|已经|又)*$")  # 我走不动
_AT_A_THING = re.compile(
    r"把[^,。]{0,6}(?:瓶子?|盒子?|袋子?|罐子?|药|包装|沙发|门|墙|窗帘|地毯|纱窗|桌|椅|床|柜|衣服|被子|抱枕|箱|皮|包|书|鞋|窝)[^,。]{0,3}$"
)  # 把沙发挠了个洞
_BOWELS = frozenset({"diarrhea", "bloody_stool", "parasites_seen"})


def denies_another(reading: Reading, hit: Hit) -> bool:
    """Whether 没拉 only denies the sign before it, or goes with another that is denied."""
    before = [other for other in reading.hits if other.family == "sign" and other.end <= hit.start]
    return any(other.id in _BOWELS or (other.id == "vomiting" and denied(reading, other)) for other in before)


_SO_THAT = re.compile(r"[咳痒喘疼痛挠难受叫]得[^,。]{0,4}$")  # 咳得整夜睡不着 tells how much it coughs
_ONLY_WHEN_SEEN = re.compile(r"^(?:得)?[^,。了]{0,4}了?(?:才|再)(?:给|喂|吃|用|打|上|加|开)")
_BITTEN = re.compile(
    r"(?:叫|让|给)(?:一|那|旁边|对门|隔壁|楼下)?[^,。\x00我你]{0,8}?(?:狗|猫|犬|[只条]|金毛|边牧|泰迪|柯基|柴犬|缅因|橘|哈士奇)"
    r"[^,。\x00我你]{0,5}(?:咬|抓|挠|啄|撕)(?:了|伤|破|到|一)"
    r"|(?:被|叫|让|给)[^,。\x00我你]{0,4}(?:车|门|椅子?|沙发|树枝|玻璃|铁丝|开水|石头|栏杆)[^,。\x00我你]{0,3}(?:蹭|撞|刮|轧|压|碾|夹|砸|烫|划|剐|碰)"
)
_NONE_PASSED = re.compile(
    r"(?:屎|便便?|粑粑|粪|臭臭)[^,。没]{0,4}(?:[都也还]|一[粒颗坨点泡根次])*没(?:拉|见|排|出|有(?=$|[,了过]))"
    r"|一[粒颗坨点根][^,。]{0,3}(?:屎|便便?|粑粑|粪)[都也]?没"
)


def bitten_by(text: str) -> str:
    """叫只边牧咬了后背: the words that say so, or "" when nothing has bitten it."""
    bitten = _BITTEN.search(text)
    return bitten[0] if bitten and not hurts_somebody(text) else ""


def none_passed(text: str) -> bool:
    """一粒屎没拉: that none came is a sign."""
    return _NONE_PASSED.search(text) is not None


_WRONG_STOOL = re.compile(r"稀|软|黑|绿|白|黏|粘|血|水|硬|干|虫|一串|串串|带毛|连着|羊粪|变小|变细|酸臭")
_RIGHT_STOOL = re.compile(r"正常|成[形型条]|[不没](?:稀|软|黑|硬|干|黏)|没(?:有)?(?:虫|血)|好了|不错|漂亮|香蕉")


def stool_is_wrong(text: str) -> bool:
    """Whether what is said of the stool is a sign; 便便成形了 is none."""
    return _WRONG_STOOL.search(text) is not None and _RIGHT_STOOL.search(text) is None
