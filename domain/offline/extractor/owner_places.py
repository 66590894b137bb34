"""Where owners live and which clinic they go to, told as a change: 从前那家不去了，这会儿都上世纪公园旁边那家看."""

import re

from domain.offline.extractor.reading import Reading, Scene

_OF_CLINICS = re.compile(r"医院|诊所|门诊|兽医|大夫|医生|看病|打针|那家|看诊|宠物店|连锁")
_GOES_TO = r"(?:去|上(?!周|个|次|回|月|班|课|网)|找|跑|看|在|到|换到?|认|选|挂|信)"
_FROM_NOW = (
    r"(?:现在|这会儿?|如今|眼下|目前|以后|往后|今后|后来|暂时|改|换|就近|我们?|所以|"
    r"看病|打针|复查|体检|有毛病|有事|有病|生病|头疼脑热|不舒服|都|就|先|只|一般|固定|要|得)"
)
_FOR_IT = r"(?:给\x00看病|看|看病|给\x00看)?"
_SEES_IT = re.compile(r"给\x00看病?$|我[妈爸姐弟]家?(?:楼下|附近|旁边|门口)")
_GO_NOW = re.compile(rf"^{_FROM_NOW}+{_GOES_TO}[^,。\x00它]{{2,18}}(?<!了){_FOR_IT}$")
_WHERE = re.compile(
    r"[路街道巷村镇区县市桥湖园门湾港江山城]|那家|那个|那边|旁边|附近|对面|楼下|门口|医院|诊所|门诊|中心|连锁|兽医|大夫|医生|主任|店|站"
)
_FOR_CARE = re.compile(
    rf"^(?:[^,。\x00]{{0,6}}(?:看病|打针|打疫苗|驱虫|洗牙|有(?:个|什么|啥)*(?:毛病|头疼脑热|病)|生病|不舒服|复查|体检|拿药))(?:都|就|还是|一般|固定|就近|现在|改|也)*{_GOES_TO}[^,。\x00它]{{2,18}}(?<!了){_FOR_IT}$"
)
_LEFT_CLINIC = re.compile(
    r"(?:以前|原来|从前|原先|之前|老|城里|那家|那个)[^,。\x00]{0,8}(?:医院|诊所|门诊|兽医站?|医生|大夫|宠物店)[^,。\x00]{0,6}(?:不去|不找|跟不上|远|关门|关了|够不着|不顺路|歇业|搬走|搬了|倒闭|不方便|黄了|停业|太贵)"
)
_NO_CLINIC_YET = re.compile(r"(?:还)?没(?:找|定|有)[^,。]{0,6}(?:医院|诊所|医生)")
_MOVED = re.compile(
    r"^(?:我们?|全家|一家)?(?:刚|已经|被|现在|上个?月|去年|今年|年初|月初|这个月|前阵子|退休|离婚|结婚|辞职|毕业|为了孩子上学)*(?:了|后)?"
    r"(?:(?:工作)?(?:调|派|外派|借调)(?:到|去|来)了?[^,。\x00几档度点]{2,8}(?:工作|上班|任职|来了)$|(?:搬?[回到去]|跟[^,。\x00]{1,5})(?:乡下|老家|农村|县城|镇上|村里|娘家|婆家)(?:住|生活|养老|了|定居)|跟[^,。\x00猫狗]{1,5}住到?[^,。\x00]{0,8}|(?:现在|如今|目前)?住(?:到|进)[^,。\x00]{2,8})"
)
_LEFT_HOME = re.compile(r"不(?:在|住)[^,。\x00]{1,6}(?:住|待|干)?了$")
_TO_PLACE = re.compile(r"^[^,。\x00它]{0,4}(?:到|在|住|去|来)[^,。\x00]{2,8}$")
REACH = 2  # clauses back to the clinic that is spoken of


def leaves_a_clinic(reading: Reading) -> bool:
    """原来那家太远: the clinic that is not gone to any more is worth no line of its own."""
    text = reading.text
    return not reading.about.explicit and bool(_LEFT_CLINIC.search(text) or _NO_CLINIC_YET.search(text))


def goes_to_a_clinic(reading: Reading, scene: Scene) -> bool:
    """Which clinic it is from now on, in a sentence that speaks of clinics."""
    text = reading.text
    if _WHERE.search(text) is None or (reading.about.explicit and not _SEES_IT.search(text)):
        return False
    if _FOR_CARE.match(text):
        return not any(time.on is not None for time in reading.times)
    before = scene.readings[max(0, reading.place - REACH) : reading.place]
    spoken = any(_OF_CLINICS.search(one.text) and one.sentence == reading.sentence for one in before)
    return spoken and _GO_NOW.match(text) is not None


def tells_of_a_move(reading: Reading, scene: Scene) -> bool:
    """刚调到青岛工作, 跟女儿住到浦东来了; 过江到三林了 after 不在浦西住了."""
    if reading.about.explicit or reading.has("sign", "visit", "condition"):
        return False
    if _MOVED.match(reading.text):
        return True
    before = scene.previous_of(reading)
    left = before is not None and before.sentence == reading.sentence and _LEFT_HOME.search(before.text)
    return bool(left) and _TO_PLACE.match(reading.text) is not None
