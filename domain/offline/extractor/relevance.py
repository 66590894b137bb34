"""Whether a message, and each of its clauses, may be about a pet at all: what happened, what only keepers speak of."""

import re

from domain.offline.extractor.alarms import is_alarm
from domain.offline.extractor.allergies import is_allergy_test
from domain.offline.extractor.mock_praise import praises_in_mockery
from domain.offline.extractor.put_right_within import puts_something_right
from domain.offline.extractor.reading import Reading, Scene
from domain.offline.extractor.tellings import ANIMAL_DEED
from domain.offline.extractor.tone import ABOUT_THE_PET
from domain.pet_mentions import MentionKind
from memory.text_folding import fold_text
from memory.vocabulary import SpeechAct

HAPPENED = re.compile(
    r"了|[啦咯喽](?:$|[,，。!！~])|过|着|现在|今|昨|前天|去年|前年|上个?月|上周|[月号日年](?:打|做|滴|驱|吃|去|拍|查|喂|用|抹|点|种|剪|洗|换|拆|缝|拔|称|补|接)的|刚|最近|一直|老是|总是|又|[一两三四五六七八九十几\d][天次回]|有点|突然|开始|过敏|确诊"
)
_GENERALITY = re.compile(
    r"一般|通常|普遍|往往|(?<!一)天生|(?<![到回在至入进内复了])正常(?:值|参考)|潜伏期|寿命|世上|世界上|天底下"
    r"|最近[^,。]{1,10}(?:特别|挺|很|好|比较|真|这么|超)多$|高发|(?<!再)流行|猖獗|肆虐|泛滥|多发季|传得?(?:很|挺)?(?:凶|厉害)"
)


_I = re.compile(r"(?<![了咬抓舔蹭挠给把被让叫跟着过对醒诉知帮])我(?!家|们家|这|的(?:猫|狗|崽|娃))")
I_OBSERVE = re.compile(
    r"我(?:就|也|又|刚|才|今天|昨天|昨晚|早上|刚才|还|都|自己|一|先|赶紧|马上)*(?:看|扒|掰|翻|凑|闻|发现|摸|给|带|觉得|感觉|怀疑|听|喂|抱|回来|回家|检查|闻|写|记|说|讲|前面|之前|上次|担心|怕|把|用|拿|猜|拍|量|打|买|换|不|没|知道|该|要|能|可以|定|设|写|查|翻|数)"
)


def _is_an_animals_deed(reading: Reading) -> bool:
    asked = reading.tone.in_question or not reading.tone.usable or reading.tone.owners_life
    return not asked and ANIMAL_DEED.search(reading.text) is not None


def tells_something(scene: Scene) -> bool:
    """Whether a message may be about a pet at all: it names one, answers a question, or tells of what happened without
    telling of the owner."""
    if scene.utterance.history or any(reading.about.mentions for reading in scene.readings):
        return True
    if any(fold_text(pet.name) in scene.folded for pet in scene.utterance.pets):
        return False  # the name stands for a dish here, or it would be a mention
    if praises_in_mockery(scene.folded, len(scene.utterance.pets)):
        return True  # 可太“懂事”了，在我床上尿了一大泡
    if any(reading.tone.owners_words for reading in scene.readings) and not ABOUT_THE_PET.search(scene.folded):
        return False
    wormed = any(reading.has("dewormer") for reading in scene.readings if not reading.tone.in_question)
    if wormed and any(reading.times and HAPPENED.search(reading.text) for reading in scene.readings):
        return True
    if len(scene.utterance.pets) == 1 and any(_is_an_animals_deed(reading) for reading in scene.readings):
        return True  # 今天叼了只死老鼠放我枕头上
    if puts_something_right(scene):
        return True  # 手误，零食是鸭肉干
    if is_allergy_test(scene.folded):
        return True  # 皮肤科做的点刺，屋尘螨++
    if any(_REACTED.search(reading.text) and reading.has("sign") for reading in scene.readings):
        return True  # 羊肉也不能给，吃完就挠
    if len(_I.findall(scene.folded)) > len(I_OBSERVE.findall(scene.folded)):
        return False
    if len({hit.id for one in scene.readings if one.usable for hit in one.hits if hit.family == "sign"}) > 1:
        return True  # 拉稀两回 没吐: two signs and nobody else spoken of
    return any(HAPPENED.search(one.text) or _is_pet_care(one) or is_alarm(one, scene) for one in scene.readings)


_REACTED = re.compile(r"^(?:一)?[吃喝舔碰沾](?:完|过|了)?(?:就|会|满|浑身|全身|一身|老是?|直)")
_ONLY_PETS = re.compile(
    r"[狗犬]证|疫苗本|免疫[本证]|尿团|尿块|尿球|遛|喂(?:一|两|三|食|粮)|就(?:追|扑|吼|炸毛|挠门|咬|龇牙|呲牙|趴|钻|蹿|窜|缩|夹着?尾巴|哈气|嚎|哼唧|叼|摇尾巴|刨|扒|往[^,。]{1,6}(?:钻|躲|跑|缩))|夹着?尾巴|摇尾巴|出生|挠门|拆家|护食|尿垫|每顿|一顿[^,。]{0,6}克|猫砂|(?:豆腐|木薯|水晶|混合|松木)砂|膨润土|铲屎|便便|粑粑|[尿屎]团|狗粮|猫粮|耳垢|黑泥|毛球|(?:不锈钢|陶瓷|塑料|慢食|斜口)[^,。]{0,2}碗|饭盆|食盆|水盆|狗碗|猫碗|狗窝|猫窝|胸背|牵引绳?|猫抓板|猫爬架|砂盆|尿布|狗绳|冻干|猫条|处方粮|主食罐|猫包|航空箱|逗猫棒|梳毛|剪指甲|掉毛|项圈"
)


_PREVENTION = ("vaccine", "dewormer")
_DONE = re.compile(r"搞定|完事|齐活|收工|拿下")
_APPOINTMENTS = frozenset({"neutering", "dental", "recheck", "surgery", "nails", "trim", "boarding"})
_VET_SAYS = re.compile(r"(?:医生|大夫|兽医)(?:让|说|叫|建议|要求|开)(?![^,。]{0,4}我)")
_DIAGNOSED = re.compile(
    r"医生|大夫|兽医|查出|诊断|确诊|(?:复查|检查|化验|拍片|b超)[^,。]{0,3}(?:说|是|结果|出来)|隐睾|子宫蓄脓"
)


def _is_pet_care(reading: Reading) -> bool:
    """Words that only a pet's keeper uses, a lab value with its figure, or a vaccine or deworming with its day."""
    if not reading.tone.usable:
        return False
    if reading.has("vaccine", "dewormer") and (
        (reading.times and HAPPENED.search(reading.text)) or _DONE.search(reading.text)
    ):
        return True
    if reading.tone.in_question:
        return False
    if reading.times and any(hit.id in _APPOINTMENTS or hit.family in _PREVENTION for hit in reading.hits):
        return True
    if _VET_SAYS.search(reading.text) and reading.has("visit", "drug", "drug_name", "drug_word", "food"):
        return True
    if reading.has("condition") and _DIAGNOSED.search(reading.text):
        return True
    if reading.has("lab") and re.search(r"\d|[一二三四五六七八九十几百][百千万]|偏[高低]|超标|正常", reading.text):
        return True
    return _ONLY_PETS.search(reading.text) is not None


def says_what_happened(reading: Reading, scene: Scene) -> bool:
    """A clause that names no pet, in a message that names none, must at least tell of something that happened."""
    if _GENERALITY.search(reading.text):
        return any(mention.kind is MentionKind.NAME for mention in reading.about.mentions)
    return scene.tells_something or reading.tone.act is SpeechAct.KEEP
