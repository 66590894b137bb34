"""What was so once and is set against the present: 以前动不动尿血，换了水就再没犯过."""

import re

from domain.offline.extractor.reading import Reading, Scene

_FORMERLY = re.compile(
    r"早先[^,。]{0,8}|小那会儿?|(?:去年|前年|上半年|年初|上个月|前阵子?)还|早(?:些|几|两)年|刚(?:捡|抱|领|接|买|带)[来回](?:家)?(?=[^,。]{0,3}(?:见|听|看|碰|谁|啥))|[一二两三半几\d]岁半?(?:以|之)?前|过去(?!了)|刚来那[^,。]{0,2}|(?:用|吃|喂|喝|住|铺)[^,。]{1,8}(?:那阵子?|那会儿?)|头[一两几][年回次个][月]?|幼年期?|(?:前年|去年)[^,。]{0,8}那(?:会儿?|阵子?)|(?:用|喂|住|养)[^,。]{1,6}(?:那会儿?|那阵子?|的时候)|奶[猫狗]时期?|原先|本来|起初|一开始|刚开始|早先|早些年|那阵子|以前|小时候|从前|原来|刚(?:来|捡|接|到家|领|抱|买|带回|进门|进家)[^,。]{0,4}(?:的时候|那会|那阵|那年|那几|那段|头[几两一]|时)|曾经"
)
_NOW_AND_THEN = re.compile(
    r"动不动|隔三差五|三天两头|成天|老是|总是|时不时|一个月[^,。]{0,6}[两三几]|去年|前年|上半年|前两年|前几年|那阵子?|早先"
)
_NEVER_AGAIN = re.compile(r"(?:再也?没|没再|再没有|[就都后]没[^,。]{0,4}过|就不[^,。]{1,4}了|一(?:个|次|回)[都也]没)")
_NOWADAYS = re.compile(
    r"现在|后来|换[^,。]{1,6}(?:以后|之后|后)|之后|自从|自打|打从|打那|如今|眼下|这会儿?|再也?没|今年|最近|改|换[回成了]|[就都后]没[^,。]{0,4}过|一[次回]没|就不[^,。]{1,4}了"
)


_SINCE_EARLY = re.compile(r"打小|从小")
_STILL = re.compile(r"^(?:也|还|仍|依旧|依然|照样|照旧|更|一样)")


def _is_outgrown(reading: Reading, scene: Scene) -> bool:
    """打小就怕坐车，现在上车自己跳: not 现在也怕."""
    if "小" not in reading.text or not _SINCE_EARLY.search(reading.text):
        return False
    now = _AS_OF_NOW.search(scene.folded, reading.end)
    return now is not None and _STILL.match(scene.folded[now.end() : now.end() + 4]) is None


_AS_OF_NOW = re.compile(r"现在|如今|眼下|这会儿?|今年|后来")


def was_before(reading: Reading, scene: Scene) -> bool:
    """A sign of the past that the message sets against the present."""
    formerly = _FORMERLY.search(reading.text)
    if formerly is None and _NOW_AND_THEN.search(reading.text):
        return _NEVER_AGAIN.search(scene.folded[reading.end :]) is not None
    if formerly is None and _is_outgrown(reading, scene):
        return True
    return formerly is not None and _NOWADAYS.search(scene.folded[reading.start + formerly.end() :]) is not None
