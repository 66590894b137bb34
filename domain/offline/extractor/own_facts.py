"""What a clause tells by itself right after another claim, in words that no list holds: an organ found too big
(脾摸着偏大), a leg not set down (昨天一天没敢着地) or set down again, what comes out (还掉黑褐色的渣), how long a deed
has gone on (甩了有四天了), the way home.

Without it such a clause would be read as a detail of the claim before, or as the end of its sign.
"""

import re
from collections.abc import Iterator

from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.wordlist import known_words
from memory.topics import Topic

REACH = 3  # clauses back to what the clause follows
_ORGAN = re.compile(
    r"(?P<organ>[左右双两]?(?:侧|边|个)?(?:脾脏?|肝脏?|肾脏?|心脏|心影|心房|左心房?|右心房?|淋巴结?|前列腺|甲状腺|肾上腺|胆囊|胆管|子宫|膀胱|胰腺|肠壁|肠管|胃壁|睾丸|乳腺|气管|肺))"
    r"(?P<how>(?:摸(?:着|上去|起来)?|看(?:着|上去)?|照着?|显示|那块|那边|壁|也|还|是|都|有点儿?|有些|略微?|稍微?|轻度|中度|明显|比较|偏|好像|似乎|变|胀|发)*)"
    r"(?P<odd>(?:[增肿胀]?大|[偏变缩]?小|[增偏变]?厚|肿|硬|粗糙|毛糙|扩张|积水|塌陷|结节|阴影|钙化|变形|移位|回声)(?:了|的|一?[些点圈倍]|增强|不均|减低|两倍)*)"
)
_NO_FINDING = re.compile(r"没|不|吗|会不会|正常|怕|担心|别|人|我[妈爸]|喂|吃|鸡|鸭|猪|牛|羊")
_NOT_SET_DOWN = re.compile(
    r"(?:不|没|未)(?:太|怎么|大)?(?:敢|肯|能|让|愿意?)(?:往|用|拿|朝)?[^,。]{0,2}(?:着地|沾地|点地|落地|踩(?!奶|影)|承重|吃劲|吃力|使劲|用力|放下|下地)"
    r"|(?:三条腿|三只脚|[悬拎提缩蜷]着?(?:一?[条只]?)?(?:前|后|左|右)?(?:腿|脚|爪))[^,。]{0,4}"
)
_ON_ITS_FEET = re.compile(
    r"(?:能|敢|肯|会)(?:自己|稍微|慢慢|正常|轻轻|往)*(?:踩|着地|沾地|点地|落地|下地|走|站|跑|跳|使劲|用力|上楼|下楼)[^,。]{0,3}了?$|踩实了"
)
_LEG = re.compile(r"[腿爪脚膝髋肘瘸跛拐]")
_COMES_OUT = re.compile(
    r"(?:掉|流|淌|出|冒|渗|挤|掏|挖|抠|带|有|擦)(?:出来?|了|着|下来?)*(?:些|一?点儿?|好多|不少|一坨)?的?(?:都是|全是|是)?"
    r"(?P<what>[^,。\x00]{0,3}?[黑褐黄绿红棕灰白咖]{1,2}[啡褐]?色?[^,。\x00]{0,2}?(?:的)?(?:渣子?|渣渣|东西|分泌物|水儿?|脓|屑|油|泥|液体?|粉末?|痂|黏液|粘液|耳垢|耳屎|块儿?))"
)
_LASTS = re.compile(
    r"^\x00*(?:已经|都|就|这|一直|又)*(?P<deed>甩|挠|抓|舔|蹭|咳|喘|抖|瘸|拐|流|淌|拉|吐|打喷嚏|干呕)了?(?:也|都|得|已经|差不多)*(?:有|快|得有|都快|足有|将近|大概|差不多)+(?:有|小)?[一二两三四五六七八九十几半\d]+(?:来|多)?个?(?:天|日|周|礼拜|星期|月|年)(?:多|半)?(?:了|吧)*$"
)
_DEEDS = {"甩": "甩头", "抓": "挠", "舔": "舔爪", "蹭": "蹭地", "拐": "瘸", "流": "流口水", "淌": "流口水", "喘": "喘"}
_HOME = re.compile(
    r"(?:刚|才|已经|终于|总算|就|把|给)*(?:\x00|它|他|她)*(?:刚|才|已经|终于|总算|能)*(?:接|领|抱|带)(?:\x00|它)?(?:回|到)(?:了|来|家|到家)+(?:来|了)?$|(?:到家|回家|回来)(?:养着?|休养|静养)?了$"
)
_WAS_IN = re.compile(
    r"手术|开刀|住院|输液|挂水|抢救|取出|绝育|剖|缝|麻醉|icu|留院|留观|洗了?胃|拔了?[^,。]{0,2}牙|切除|急诊"
)


_SINCE_THEN = re.compile(
    r"(?:开始|突然|忽然|就|又)(?:也|都)?不(?:怎么|咋|太|大|肯|爱)?(?P<what>吃|喝|动)(?:了|饭|东西|粮|水)?$"
)
_NO_LONGER = {"吃": "appetite_loss", "动": "lethargy"}
_TILTS = re.compile(r"(?:老|总|一直|还|又|走路|直)(?:是|爱)?(?:歪|偏|斜)着?(?:个)?(?:头|脑袋|脖子)")
_WANTS_TO = re.compile(
    r"(?:老|总|一直|还|直)(?:是)?(?:想|要|忍不住|扭头|回头)(?:去)?(?P<deed>舔|挠|啃|蹭|咬)(?!我|人|手|你)[^,。]{0,3}$"
)


def find_own_fact(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """At most one, of a clause that follows what was told of the same pet, or that names it."""
    if len(reading.about.pets) != 1 or reading.tone.in_question or reading.tone.wishing:
        return
    for told in (_organ, _on_its_feet, _leg, _discharge, _lasting, _onset, _way_home):
        if draft := told(reading, scene):
            yield draft
            return


def _earlier(reading: Reading, scene: Scene) -> list[Reading]:
    near = scene.readings[max(0, reading.place - REACH) : reading.place]
    return [one for one in near if one.sentence == reading.sentence and one.about.pets == reading.about.pets]


def _organ(reading: Reading, scene: Scene) -> Draft | None:
    """脾摸着偏大, 左肾有点小, 淋巴结肿了."""
    told = _ORGAN.search(reading.text) if any(mark in reading.text for mark in "脾肝肾心淋腺胆宫胱肠胃丸管肺") else None
    if told is None or _NO_FINDING.search(reading.text):
        return None
    before = _earlier(reading, scene)[-1:]
    if before and any(hit.id == "imaging" for hit in before[0].hits):
        return None  # 做的B超，左肾有点小: what the picture showed is told with it
    name = {"name": told[0]}
    return Draft("visit:finding", reading.start, reading.end, name, topic=Topic.MEDICAL)


def _on_its_feet(reading: Reading, scene: Scene) -> Draft | None:
    """今早能踩实了, 今天敢落地了: on the way to be well, a fact of its own and no denial."""
    told = _ON_ITS_FEET.search(reading.text) if any(mark in reading.text for mark in "能敢肯会踩") else None
    if told is None or reading.has("sign") or not reading.text.endswith("了") or "不" in reading.text:
        return None
    if not any(_LEG.search(one.text) for one in _earlier(reading, scene)):
        return None
    return Draft("symptom:better", reading.start, reading.end, {"text": reading.text.strip("\x00")})


def _leg(reading: Reading, scene: Scene) -> Draft | None:
    """昨天一天没敢着地: it is lame still, though the word denies."""
    told = _NOT_SET_DOWN.search(reading.text) if any(mark in reading.text for mark in "敢肯能让愿腿") else None
    if told is None or not any(_LEG.search(one.text) for one in (reading, *_earlier(reading, scene))):
        return None
    name = {"name": told[0].strip("\x00")}
    return Draft("symptom:limping", reading.start, reading.end, name, topic=Topic.HEALTH)


def _discharge(reading: Reading, scene: Scene) -> Draft | None:
    """还掉黑褐色的渣, beside another sign or in answer to our question."""
    told = (
        _COMES_OUT.search(reading.text)
        if any(mark in reading.text for mark in "渣西物水脓屑油泥液粉痂垢屎块")
        else None
    )
    before = _earlier(reading, scene)
    if told is None or not before or reading.has("food", "brand", "drug", "drug_name"):
        return None
    name = {"name": told["what"]}
    return Draft(f"symptom:{told['what']}", reading.start, reading.end, name, topic=Topic.HEALTH)


def _lasting(reading: Reading, scene: Scene) -> Draft | None:
    """甩了有四天了: for how long, of a deed that this clause names itself."""
    told = _LASTS.match(reading.text) if "了" in reading.text else None
    if told is None:
        return None
    word = _DEEDS.get(told["deed"], told["deed"])
    sign = next((hit for hit in known_words().find(word) if hit.family == "sign"), None)
    if sign is None:
        return None
    topic = Topic(sign.word.topic) if sign.word.topic else Topic.HEALTH
    return Draft(f"symptom:{sign.id}", reading.start, reading.end, {"name": told["deed"]}, topic=topic)


def _onset(reading: Reading, scene: Scene) -> Draft | None:
    """昨晚开始不吃, 老歪着脑袋, 老想舔: one more sign, beside the one just told."""
    if not any(one.has("sign", "condition", "visit") for one in _earlier(reading, scene)):
        return None
    slot, name = "", ""
    if "不" in reading.text and (ceased := _SINCE_THEN.search(reading.text)):
        slot, name = _NO_LONGER.get(ceased["what"], ""), ceased[0]
    elif any(mark in reading.text for mark in "头袋脖") and (tilts := _TILTS.search(reading.text)):
        slot, name = "ear_problem", tilts[0]
    elif any(mark in reading.text for mark in "想要忍") and (wants := _WANTS_TO.search(reading.text)):
        slot, name = "itching", wants[0]
    if not slot or reading.has("food", "brand"):
        return None
    return Draft(f"symptom:{slot}", reading.start, reading.end, {"name": name}, topic=Topic.HEALTH)


def _way_home(reading: Reading, scene: Scene) -> Draft | None:
    """开刀取出来一个桃核，今天刚接回家: out of the clinic, and not come to live here."""
    told = _HOME.search(reading.text) if "回" in reading.text or "家" in reading.text else None
    if told is None or not any(_WAS_IN.search(one.text) for one in _earlier(reading, scene)):
        return None
    return Draft("visit:hospital_stay", reading.start, reading.end, {"name": told[0].strip("\x00")})
