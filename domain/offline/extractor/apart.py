"""Pets of one home that eat, sleep or live apart: 它俩的粮我都分房间喂了, 一个关厨房一个关阳台, 给老咪另放了个砂盆."""

import re

from domain.offline.extractor.reading import Draft, Reading, Scene
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_ROOM = (
    r"(?:卧室|书房|客厅|厨房|厕所|卫生间|阳台|次卧|主卧|北屋|南屋|里屋|外屋|房间?|屋|笼子?|围栏|栅栏|外[面头]|院子|车库"
    r"|柜子)"
)
_LIVES = r"(?:喂|吃|放|关|住|睡|养|遛|玩|待|呆|洗|喝|开饭|放饭)"
_THING = r"(?:盆|碗|窝|垫|笼|床|砂|水|机|屋|间|房|盘|食盆|饭)"
KEPT_APART = re.compile(
    r"(?:分|隔)(?:开|房间|房|笼|着)[^,。]{0,6}(?:喂|吃|放|关|住|睡|养)|(?:一[人只]|各|每[人只])一?(?:间|个)?(?:屋|房间?|窝|笼子?)[^,。]{0,2}(?:睡|住|待|呆|$)|隔着[^,。]{1,6}(?:喂|吃)|给\x00+[^,。]{0,3}(?:分开|隔)"
    r"|把\x00+[^,。]{0,4}(?:关|隔|锁|拎|抱|赶|放)(?:到|在|进|去|出)?[^,。]{0,5}(?:外|里|开|房|阳台|笼|屋)|(?:单独|分开|轮流|错开)[^,。]{0,3}(?:喂|吃|关|住|放饭)|(?:现在|目前|只能|一个)[^,。]{0,4}在[^,。]{1,4}(?:吃|喂)饭?$|^\x00+在[^,。]{1,4}(?:房|厅|厨房|阳台|屋|卧)(?:里)?(?:吃|喂)饭?$"
    rf"|(?:分|隔|错|岔)(?:着|开|成)[^,。]{{0,8}}{_LIVES}|(?:分|隔)(?:开了?$|成[两2])|隔(?:着|了)?[^,。]{{0,4}}(?:门|栅栏|围栏|栏|笼)"
    rf"|一[个只条](?:关|在|放|睡|去|锁|蹲|住|待)?[^,。\x00]{{1,5}}[、,]?(?:另)?一[个只条](?:关|在|放|睡|去|锁|蹲|住|待)?[^,。\x00]{{0,3}}{_ROOM}"
    rf"|各(?:{_LIVES}各的|自{_LIVES}|{_LIVES}[^,。]{{0,3}}自己的)|各回各(?:屋|窝|笼)"
    rf"|(?:关|锁|圈|拴)(?:进|到|在|去|回)?[^,。\x00]{{0,4}}{_ROOM}(?:里|内)?(?:去了?|了|$|{_LIVES}|分)"
    rf"|给\x00+[^,。]{{0,6}}?(?:另外?|单独|单|多|又|再)[^,。\x00]{{0,6}}?(?:放|摆|买|备|加|弄|搭|准备|开|置|安)[^,。\x00]{{0,6}}?{_THING}"
    rf"|给\x00+[^,。]{{0,3}}(?:端|搬|挪|拿)(?:(?:到|去|进)[^,。\x00]{{1,8}}(?:{_LIVES}|$)|[^,。\x00]{{0,4}}{_ROOM})"
    rf"|(?:另外?|多|又|再)[^,。\x00]{{0,3}}(?:加|放|摆|备|买|添|弄)了?[一两]?[个张只]?[^,。\x00]{{0,6}}?{_THING}[^,。]{{0,6}}给\x00+"
    rf"|分(?:盆|碗|锅|食|批|头|笼|屋)[^,。]{{0,2}}(?:喂|吃|放|睡|$)|(?:把|给)\x00+[^,。]{{0,3}}(?:抱|放|端|拎|叫)(?:到|在)?[^,。\x00]{{1,6}}(?:喂|吃)$"
    rf"|(?:让|叫)\x00+[^,。]{{0,2}}在[^,。\x00]{{1,8}}(?:吃|睡|喝)"
    rf"|(?:弄|买|搭|摆|放|备|做|添|置)了?[一两]?[个张只][^,。\x00]{{0,4}}?{_THING}[^,。]{{0,3}}给\x00+"
    rf"|(?:放|摆|买|备|准备|弄|置办|用)了?[两2]个[^,。\x00]{{0,3}}{_THING}|中间(?:挡|隔|放|拉)[^,。]{{0,4}}"
    rf"|(?:隔离|单独|安置)(?:在|到|去|放|关|于)[^,。\x00]{{0,4}}{_ROOM}"
)
"""Also 关 with a room, and a bowl or a bed of its own beside the other's."""


def kept_apart(reading: Reading, scene: Scene) -> Draft | None:
    """How a pet is kept from the other one; nothing in a household of one."""
    apart = KEPT_APART.search(reading.text) if len(scene.utterance.pets) > 1 and not reading.used else None
    if apart is None:
        return None
    reading.used.update(reading.hits)
    name = {"text": apart[0]}
    return Draft(
        "other:living:apart", reading.start, reading.end, name, cls=AttributeClass.OTHER, topic=Topic.LIFESTYLE
    )
