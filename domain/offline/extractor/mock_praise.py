"""Mock praise of a pet that nobody names, and the misdeed that it stands for: 可太“懂事”了，在我床上尿了一大泡.

The praise alone is a joke and says nothing. Beside a deed that only an animal does, in a household with one pet, the
deed is a report like any other.
"""

import re
from collections.abc import Iterator

from domain.offline.extractor.reading import Draft, Reading, Scene
from memory.topics import Topic

_HINT = re.compile(r"[尿拉吐屎翻扒掏叼啃咬挠抓撕刨拆掀嚎踹拱推偷打来撞蹭]")
_PRAISE = re.compile(
    r"^(?:呵+|哎?呦喂?|哟喂?|嚯|好家伙|啧+|哇塞?)?[,，!！\s]*[\"'“”‘’「」]?"
    r"(?:可太?|真是?|太|又|也太|我家?|这|那|我的|这位爷|小祖宗|祖宗|谁家|谁能比它|的|[\"'“”‘’「」])*"
    r"(?:懂事|孝顺|贴心|给?我?长脸|给?面子|有?本事|能耐|出息|省心|立功|厉害|能干|乖(?!孙)|好(?:大)?儿|会(?:挑|选|来事|体贴|疼人|过日子)|好样的|可以|能行|行|绝了|多才多艺|温柔|爱干净|讲卫生|勤快|体贴|机灵|聪明|棒|牛|贤惠|给力|惊喜|有(?:心|才|礼貌|出息)|懂礼貌|有礼貌|谢谢(?:你|它|\x00)|感谢(?:你|它|\x00)|谢(?:它|你)|服(?:了|气))"
)
_DEED = re.compile(
    r"(?:床|枕头|沙发|被子?|被窝|大衣|衣服|鞋|拖鞋|地毯|键盘|包|正中间|客厅|玄关|门口|茶几|头上|身上)[^,。]{0,4}(?:尿|拉|吐|撒)(?:了|出)?(?:一|两|好|满|半|个|大|小)|(?:尿|拉|吐|撒)了?(?:我)?(?:一|两|满|好几)(?:大|小)?(?:泡|滩|坨|摊|堆|床|沙发|被窝|屋|地|团)"
    r"|(?:垃圾桶|垃圾袋|抽屉|柜子?|零食箱|米袋|粮桶|冰箱门?)[^,。]{0,4}(?:翻|扒|掏|掀|拱|撬)|(?:翻|扒|掏|掀|拱|撬)(?:了|开|翻)?[^,。]{0,4}(?:垃圾|抽屉|柜|零食|冰箱)"
    r"|把[^,。]{1,12}(?:扒拉|推|拱|扫|碰|蹬|撞|叼|啃|咬|挠|抓|撕|刨|掀|拆|舔|嚼)(?:了|到|下|在|得|成|断|烂|坏|翻|破|没|开|出|走|光|地)"
    r"|叼(?:了|走|着|来|回)|(?:啃|咬|挠|抓|撕|刨)(?:了|成|断|烂|坏|破|得|花|穿|出|掉|秃)|挠[^,。]{0,6}(?:洞|道|印|痕)|[给在朝]我?[^,。]{0,6}(?:来了?(?:一|两)?(?:口|爪|泡|下子)|嚎|蹦迪|跑酷)"
)
_OF_PEOPLE = re.compile(
    r"儿子|女儿|闺女|孩子|娃|老公|老婆|媳妇|对象|同事|室友|邻居|楼上|老板|领导|单位|他妈|我妈把|我爸把|机器人|外卖|快递员|学校|幼儿园"
)
_PET_CHILD = re.compile(r"(?:[乖好大毛狗傻逆孝][\"'“”‘’「」]?|大)+(?:儿子?|闺女|女儿)(?!园)")
_ASKED = re.compile(r"[?？]|怎么办|咋办|要是|如果|假如|梦|故事|段子|朋友圈|帮我")
_TOILET = re.compile(r"尿|拉(?=了|一|在)|屎|便便")
_VOMITED = re.compile(r"吐(?=了|一|出)")
_BROKE = re.compile(r"啃|咬|挠|抓|撕|刨|拆|翻|扒|掏|掀|推|拱|打")
PRAISED_WITHIN = 24  # characters of a message; praise opens it


def praises_in_mockery(folded: str, pets: int) -> bool:
    """Whether a message opens with praise and goes on to a deed of the household's one animal, told in earnest."""
    if pets != 1 or not _HINT.search(folded):
        return False
    praised = _PRAISE.match(folded[:PRAISED_WITHIN])
    if praised is None or _ASKED.search(folded) or _OF_PEOPLE.search(_PET_CHILD.sub("", folded)):
        return False
    return _DEED.search(folded, praised.end()) is not None


def is_mocked_deed(reading: Reading, scene: Scene) -> bool:
    """Whether a clause tells the misdeed for which a pet is praised in mockery."""
    told = praises_in_mockery(scene.folded, len(scene.utterance.pets)) and reading.tone.usable
    return told and _DEED.search(reading.text) is not None


def find_mocked(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """The deed as told, where no other rule knew it."""
    if not is_mocked_deed(reading, scene):
        return
    name = {"text": reading.text.strip("\x00")}
    if _TOILET.search(reading.text):
        yield Draft("behavior:toilet", reading.start, reading.end, name, topic=Topic.ELIMINATION)
    elif _VOMITED.search(reading.text):
        yield Draft("symptom:vomiting", reading.start, reading.end, {"name": name["text"]})
    else:
        kind = "destroying" if _BROKE.search(reading.text) else "habit"
        yield Draft(f"behavior:{kind}", reading.start, reading.end, name)
