"""Clauses that go on of the owner although no word says so: nothing of them is about a pet."""

import re

from domain.offline.extractor.owner_places import leaves_a_clinic
from domain.offline.extractor.owner_times import fetches_children
from domain.offline.extractor.reading import Reading, Scene

_OF_A_LINE = re.compile(
    r"^(?![^,。]*(?:芯片|[狗犬猫]证|免疫证|脚环))[^,。]*(?:座机|手机号|号码|尾号|邮箱|微信号|旧号|老号|那个号)"
)
_OWN_ALLERGY = re.compile(r"(?:我|本人)[^,。它他她家]{0,12}过敏")
_THEN_I = re.compile(
    r"^(?:一(?:碰|舔|摸|闻|抱)|所以|只好|就|每次|(?:洗澡|梳毛|剪指甲|铲屎|抱它?)[^,。\x00]{0,4}(?:戴|穿))"
)
_IN_HOSPITAL = re.compile(
    r"^[^,。\x00它给带送]{0,6}(?:我|本人)(?!家|的|给|带)[^,。\x00它给带]{0,4}(?:住院|做[^,。]{0,3}手术|生孩子|坐月子|化疗|透析)"
)
_GOES_IN = re.compile(r"^[^,。\x00它]{0,8}(?:进去|入院|住进|得住|要住|出院)")


def is_of_owner_alone(reading: Reading, scene: Scene) -> bool:
    """原先那个座机拆了, 一舔就起疹子 after the owner's own allergy, 我要住院做手术: told of the owner or of nothing."""
    if reading.about.explicit:
        return False
    text, before = reading.text, scene.previous_of(reading)
    mine = "我" in text or "本人" in text
    if mine and _IN_HOSPITAL.match(text):
        return True
    if ("医" in text or "诊" in text or "大夫" in text or "店" in text) and leaves_a_clinic(reading):
        return True
    if ("号" in text or "机" in text or "箱" in text) and _OF_A_LINE.search(text):
        return True
    if before is None or before.sentence != reading.sentence:
        return False
    if fetches_children(before, scene):
        return True
    if "我" in before.text and _IN_HOSPITAL.match(before.text) and _GOES_IN.match(text):
        return True
    allergic = "过敏" in scene.folded and _OWN_ALLERGY.search(scene.folded, before.start, before.end) is not None
    return allergic and _THEN_I.match(text) is not None
