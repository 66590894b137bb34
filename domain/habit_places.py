"""The same thing done at another place or with another thing: 现在都上我床睡, of one that sleeps in its basket. Pure.

No word for a change is needed: what two lines are both about, and that the new one names a place or a thing that the
old one does not, tell it. Once, at times and still so are no change.
"""

import re
from dataclasses import dataclass

from domain.change_words import AT_TIMES, PONDERED, SURPRISING
from memory.text_folding import fold_text


@dataclass(frozen=True, slots=True)
class _Matter:
    """doing: what is done; things: where or with what, each another way of doing it."""

    doing: re.Pattern[str]
    things: re.Pattern[str]


_ROOMS = r"阳台|客厅|卧室|书房|厨房|卫生间|浴室|门口|玄关|院子?里?|天台|露台|楼上|楼下|外面|屋里|室内|室外|户外"
_MATTERS = (
    _Matter(
        re.compile(
            r"上(?:大号|小号|厕所)|大小便|尿(?![垫布频血闭检路团酸素袋不片])|拉(?:屎|粑粑|便便|臭|撒)|便便|排泄|嘘嘘|解手|方便(?=了|的|$)|解决(?=了|的|$)"
        ),
        re.compile(
            rf"地漏|墙角|尿垫|尿片|草[地坪皮丛]|马桶|砂盆|狗厕所|尿盆|报纸|树[下根底]|小区|花坛|出门|下楼|外头|{_ROOMS}|(?<!上)厕所(?!门)"
        ),
    ),
    _Matter(
        re.compile(r"睡(?!眠|着|得|不)|过夜|打盹"),
        re.compile(
            rf"床[上尾边头]?|[猫狗]?窝|沙发|围栏|笼子?|垫子?|地[板毯砖]|瓷砖|飘窗|纸箱|毯子?|爬架|被窝|怀里|脚边|枕头|柜|帐篷|航空箱|{_ROOMS}"
        ),
    ),
    _Matter(
        re.compile(r"喝水|饮水|水碗|水盆"),
        re.compile(r"饮水机|水壶|水杯|水龙头|流动水|滚珠|瓶|陶瓷|不锈钢|塑料|玻璃|碗|盆"),
    ),
    _Matter(
        re.compile(r"吃饭|饭[碗盆]|食[碗盆]|饭碗|碗(?!柜)"),
        re.compile(r"慢食|不锈钢|陶瓷|塑料|玻璃|高脚|双碗|漏食|嗅闻垫|喂食器"),
    ),
    _Matter(
        re.compile(r"砂(?!盆)"),
        re.compile(r"膨润土|豆腐|木薯|混合|松木|水晶|矿砂|玉米|纸砂|硅胶|绿茶|奶香|活性炭|植物"),
    ),
    _Matter(re.compile(r"砂盆"), re.compile(r"敞口|敞开|开放|封闭|半封|自动|顶入|普通|双层|加高|大号|盆中盆")),
    _Matter(
        re.compile(r"出门|遛|牵|戴|绳|外出"),
        re.compile(r"项圈|胸背|背带|p链|p绳|p字链|伸缩|尼龙|牛皮|真皮|铁链|帆布|嘴套|防冲"),
    ),
    _Matter(re.compile(r"梳"), re.compile(r"针梳|排梳|钢梳|橡胶|手套|鬃毛|开结|篦子|蒸汽|气囊")),
    _Matter(
        re.compile(r"睡|垫|铺|窝"), re.compile(r"棉垫|凉席|凉垫|冰垫|电热毯|羊羔绒|毛毯|尿垫|记忆棉|棉窝|藤窝|行军床")
    ),
    _Matter(re.compile(r"洗澡|沐浴|香波"), re.compile(r"雪貂|婴儿|氨基酸|无香|药浴|燕麦|硫磺|波奇|干洗|免洗|泡沫")),
    _Matter(re.compile(r"出门|坐车|外出|看病"), re.compile(r"航空箱|猫包|推车|背包|太空舱|安全座椅|安全带|提篮|网兜")),
    _Matter(re.compile(r"洗澡?|修毛|剪毛|美容"), re.compile(r"店[里家]?|宠物店|家里|自己|上门")),
)
_NOW = re.compile(
    r"现在|如今|这阵子|这段|最近|近来|开始|改|换|挪|搬|都(?=[去上在用睡到往拿])|全|固定|学会|彻底|再也|不再|不去了|不用了|不睡了|以后|往后|撤|收(?:走|起|了)|扔|拆|升级|转|给[^,，。]{0,4}上了|新(?:的|买的?)是|新买|断了|坏了|破了|旧"
)
_ONCE = re.compile(r"今[天早晚日]|昨[天晚日]|刚|这次|这回|一次|一回|偶尔|先(?=[用睡在去])|两天")
_STILL = re.compile(r"还(?:是|在|会)|依旧|照旧|仍")


def done_elsewhere(known: str, said: str) -> bool:
    """Whether both tell of the same doing, and the message names as how it is now a thing that the line does not."""
    words = fold_text(said)
    once = _ONCE.search(words) and "现在" not in words
    unsure = any(pattern.search(words) for pattern in (AT_TIMES, PONDERED, SURPRISING, _STILL))
    return _NOW.search(words) is not None and not (once or unsure) and _names_another(fold_text(known), words)


def _names_another(known: str, said: str) -> bool:
    """The doing is in both, or the message names the old thing; and it names a new one."""
    for matter in _MATTERS:
        old, new = set(matter.things.findall(known)), set(matter.things.findall(said))
        same = matter.doing.search(said) or old & new
        if matter.doing.search(known) and old and same and new - old:
            return True
    return False
