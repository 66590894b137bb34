"""What a pet was born with, and that the other was not: 小锤生下来右眼就瞎的，小钉眼睛好好的."""

import re
from collections.abc import Iterator

from domain.offline.extractor.reading import Draft, Reading, Scene
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_FROM_BIRTH = re.compile(
    r"先天|天生|生下来|一?(?:出|落)生就|打小就?|从小就?|自来|打娘胎|娘胎里|来的?时候就|一来就|抱回来就"
)
_BODY = re.compile(
    r"眼|耳|鼻|嘴|牙|舌|颚|腭|[腿爪蹄脚趾]|尾|肚脐|脐|疝|蛋蛋?|睾|心|肺|肝|肾|脊|背|骨|髋|膝|毛|皮|唇|颌|脖|屁股|肛|头|囟|脑"
)
_WRONG = re.compile(
    r"少|缺|没(?!事|问题|毛病)|瞎|聋|瘸|跛|歪|斜|弯|秃|短|畸形|粘连|裂|突|反|外翻|内翻|塌|闭锁|不全|不齐|变形|软|残|看不见|听不见|多(?:一|了|长)|(?:[长大高]短|大小)(?:不一|不同)|不一样"
)
_ADMIRED = re.compile(r"可爱|好看|漂亮|萌|帅|美|迷你|大长腿|双眼皮|喜欢|爱|怕|会|胆")
_WHOLE = re.compile(r"好好的|好着|正常|没(?:事|问题|毛病)|齐整|齐全|健全|健康|完好|都在")
MAX_INBORN = 24  # characters of a clause that tells of one


def find_inborn(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """A part of the body that was wrong from birth; nothing where it is admired."""
    if len(reading.about.pets) != 1 or not is_inborn(reading) or reading.tone.in_question or reading.tone.wishing:
        return
    yield Draft(
        "other:inborn",
        reading.start,
        reading.end,
        {"text": reading.text},
        cls=AttributeClass.OTHER,
        topic=Topic.MEDICAL,
    )


def is_inborn(reading: Reading) -> bool:
    """先天少只左眼, 左后腿天生短一截."""
    text = reading.text
    if _FROM_BIRTH.search(text) is None or len(text) > MAX_INBORN or _ADMIRED.search(text):
        return False
    return _BODY.search(text) is not None and _WRONG.search(text) is not None


def is_whole_beside(before: Reading, reading: Reading) -> bool:
    """Whether a clause only says that the other pet is sound, after what one was born with."""
    other = before.about.pets != reading.about.pets and before.sentence == reading.sentence
    born = _FROM_BIRTH.search(before.text) is not None
    return other and born and _WHOLE.search(reading.text) is not None and not reading.has("condition")
