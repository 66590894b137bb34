"""Animals that are none of the household's: other people's, former ones, strays, those in shops and stories."""

import re
from collections.abc import Sequence

from domain.pet_roll import ANIMALS
from memory.text_folding import fold_text

STRANGER_OWNER = (
    r"我?(?:嫂子|弟媳|[小大]姑子?|小叔子?|[小大]舅子?|小姨子?|丈母娘|岳[母父]|亲家|侄[子女]|外甥女?|发小|师傅|婶子?|[二三四][姨叔伯婶舅姑])(?:她|他)?家|我[妹弟姐哥妈爸姨姑叔舅婆][的家]?|同事|朋友|邻居|闺蜜|室友|舍友|亲戚|表姐|表妹|表哥|表弟|堂姐|堂妹|堂哥|姑姑|姑妈|姨妈|小姨|大姨|舅舅|舅妈|叔叔|婶婶|阿姨|大爷|大妈|大叔|[王李张刘陈赵杨周吴孙林何高]姐|[王李张刘陈赵杨周吴孙林何高](?:阿姨|哥|叔|老师|大爷|姨|婶|嫂|伯)"
    r"|老[王李张刘陈赵杨周吴孙林何高徐马朱胡郭罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔谭陆汪范]家"
    r"|网友|群友|狗友|猫友|前任|前男友|前女友|老板|客户|同学|老师|楼下|楼上|隔壁|对门|对面|邻座|小区(?:里)?|路边|路上|公园(?:里)?|候诊|病房|谁家|哪家|谁的|别人|人家|别家|[他她]的(?=(?:狗狗?|猫咪?|犬)(?![粮砂窝绳条碗罐包爬抓薄藓瘟证链牌毛]))|他们家|她家|他家|她那只|他那只|婆婆家|公婆家|妈妈家|我妈那边|我妈家|我爸家|我妈养|我姐养|我姐家|我哥家|我妹家|我弟家|爸妈家|奶奶家|外婆家|姥姥家|老家|村里|乡下|学校|公司|单位|店里|猫咖|宠物店|寄养店|收容所|收养所|领养所|动保|流浪|野|救助站|基地|猫舍|犬舍|领养群|展会"
)
BREED_WORDS = "|".join(word for words in ANIMALS["breeds"].values() for word in words)
_ANIMAL_WORDS = "猫|狗|犬|兔|鼠|龟|鸟|" + BREED_WORDS
STRANGER = re.compile(
    rf"(?:{STRANGER_OWNER})[^,。]{{0,7}}?(?:养的|的那只|那只|家的|的)?[^,。]{{0,3}}?"
    rf"(?:那[两三几]?只|那俩|[两三几]只|那条|这只|毛孩子|主子|{_ANIMAL_WORDS})"
    r"|(?:[二三四五六七八九十百]十?多|十几|几十|成群|一群|一堆|满院子|满街)的?[只条个]?(?:流浪|小|野|大)*(?:猫|狗)(?!粮|砂|毛|屎)|别的(?:猫|狗)|其他(?:人的|的)?(?:猫|狗)|一窝都|同窝|那窝|有(?:只|条|个)(?:[^,。]{0,8})(?:猫|狗|犬)|有人(?:牵|抱|带|遛|养)[^,。]{0,5}(?:猫|狗|犬|杜宾|金毛|柯基|泰迪|边牧|布偶|藏獒)|流浪(?:猫|狗)|野猫|野狗"
)
_SOMEBODYS = re.compile(
    rf"我(?!家|们|的|自己|这|那|养|给|带|把|跟|和|看|抱|摸|觉得)[^,。]{{1,4}}(?:的|家的?)(?:以前的|之前的)?(?:小|大|老)?[黑白黄花灰橘]?(?:仓鼠|金丝熊|鹦鹉|乌龟|兔子|{_ANIMAL_WORDS})(?![粮罐砂条窝药])"
)
_TOLD_APART = re.compile(r"[^,。家]{1,5}的那[只个条位](?:就)?叫$")
# 候诊区坐了个大哥，抱的蓝猫…: in the clause after a stranger.
_CARRIED = re.compile(rf"^(?:他|她|人家|手里|怀里)?(?:抱|牵|遛|带|领)(?:着|的)[^,。]{{0,4}}(?:{_ANIMAL_WORDS})")
_SOMEBODY_THERE = re.compile(
    r"(?:候诊|对面|旁边|隔壁|坐了|来了|进来|碰到|遇到|看见|看到)[^,。]{0,8}(?:大哥|大姐|阿姨|大爷|大妈|姑娘|小伙|男的|女的|小哥|姐姐|老头|老太太|大叔)[^,。]{0,4}[,，]?$"
)
_ITS_KEEPER_SAYS = re.compile(
    r"(?:那家|对方|人家那边)(?:的)?(?:人|主人)?(?:说|讲|告诉)|[黑白黄花灰大小那条只个]{0,3}(?:狗|猫)(?:的)?(?:主人|家长)(?:说|讲|告诉|也?没)|(?:人家|它|他|那)?(?:的)?主人(?:说|讲|告诉|跟我[说讲])"
)  # of the animal that was met
_KEPT_BY_KIN = re.compile(rf"(?:{STRANGER_OWNER})家?(?:里)?(?:养的|那)(?:俩|[两几三]|一|那)")  # 我舅家养的俩天天抢食
_ANOTHER = re.compile(rf"另(?:外)?(?:一)?(?:只|条|个)[^,。]{{0,5}}(?:{_ANIMAL_WORDS})")
_THAT_ANIMAL = re.compile(rf"那(?:只|条)[^,。]{{0,3}}(?:{_ANIMAL_WORDS})|^那(?:{BREED_WORDS})")
_BEARS_THE_NAME = re.compile(r"也叫|同名|重名|撞名|一个名|叫这个名|就叫|名叫|名字叫|取名|外号")
_CALLED = re.compile(r"(?:猫|狗|犬|兔|只|条|个|也|家的?)(?:也|就|居然|竟然|都)?(?:叫|喊|唤)(?:做|作)?[^,。叫]{1,6}$")
# 隔壁咪咪 and 邻居家的咪咪 only share the name; 楼下豆豆吐了 tells where.
_NEXT_DOOR = re.compile(
    r"(?:^|[,。])(?:人家)?(?:隔壁家?|(?:楼下|楼上|对门|邻居|同事|朋友|闺蜜|室友|舍友|同学|亲戚|别人)家)的?$"
)
_KEPT_ONCE = re.compile(
    r"(?:以前|之前|小时候|小学|初中|高中|大学|上学|那会儿?|当年|早年|老家|曾经)[^,。]{0,6}养(?:的|过的?|了)(?:只|条|个|那只)?[^,。的]{1,6}$"
)
_KIN = re.compile(
    r"^(?:的)?(?:(?:亲)?(?:兄弟|姐妹|兄妹)(?!俩|都|一起|打|玩)|的?亲[哥姐弟妹]|(?:的)?(?:相亲)?对象是|爸妈|父母|亲妈|亲爸|同窝|同胎|一窝|兄弟姐妹|它妈妈?|它爸爸?|对门|隔壁|楼上|楼下|邻居|好朋友|女朋友|男朋友|小伙伴|玩伴|同学)"
)
_NEIGHBOURS = re.compile(
    r"^(?:今天|昨天|昨晚|刚才)*(?:隔壁|楼上|楼下|对门|对面)(?:老|小)?[\u4e00-\u9fff]家(?:的)?[黑白黄花灰大小][\u4e00-\u9fff]|(?:别人家?|人家)的(?:化验单|报告|病历|单子|片子|检查)|(?:隔壁|楼下|楼上|对门|邻居)那(?:个|家|位|户|谁)|(?:对门|对面|楼下|楼上|隔壁|邻居家?|同小区|前楼|后楼)(?:的)?(?:大爷|大妈|大姐|大哥|阿姨|叔叔?|奶奶|爷爷|姐姐|小哥|老太太|老头|小姑娘|情侣|夫妻|邻居)?家?的(?!话|药|时|医院|店|小区|路|公园|超市|诊所)[^,。]{1,4}|(?:师傅|大爷|大妈|大叔|阿姨|保安|老板|店主|门卫|房东|邻居|同事|朋友)[^,。]{0,2}养的|(?:奶奶|爷爷|外婆|姥姥|外公|老家|乡下|村里|舅舅|姑姑|叔叔|姨妈?)(?:家)?的(?!话|药|时)[^,。]{1,4}"
)
_FORMER = re.compile(
    r"(?:以前|之前|从前|小时候|小学|大学|上一|前一|头一|上个|曾经|上学|那会儿?|早年|过去|第一)[^,。]{0,6}(?:养过|养的|养了|那只|那条|只猫|只狗|条狗|的狗(?![粮罐])|的猫(?![粮罐砂条]))|(?:我们?家?)?(?:以前|之前|小时候|曾经)(?:还)?养(?:过|了|的)|(?:以前|之前|从前|原来)(?:我)?家里?的?(?:那[只条])?[老大小]?(?:猫|狗|兔)"
)
_SEEN_THERE = re.compile(
    rf"(?:店|医院|诊所|笼子?|柜|输液室|走廊|前台|门口|楼道|电梯|公园|路边|旁边|对面|那边|这边|烘箱)[里上边头]{{0,2}}[^,。\x00]{{0,4}}(?:趴|坐|蹲|躺|关|拴|站|睡|卧|缩)着?(?:一)?[只条个][^,。\x00]{{0,4}}(?:{_ANIMAL_WORDS})"
)  # 美容店烘箱那边趴着只比熊
OURS = re.compile(
    r"(?<![在到来搁放住去进跑窜溜上串])我家(?!人|门口?|楼|小区|附近|旁边|隔壁|对面|院|车)|我们家|咱家|咱们家|自家|家里(?!人|没人)|我这只|我的(?:猫|狗)|我(?:自己)?养的"
)
# 带豆豆去医院碰到一只泰迪抽搐 goes on about the other animal; 豆豆看到一只泰迪就叫 does not.
_MET = re.compile(
    rf"(?:碰到|遇到|遇见|看到|看见|碰见|见到)(?:了)?(?:一|别人的|人家的|个)(?:只|条|个)?[^,。]{{0,5}}(?:{_ANIMAL_WORDS})"
    r"(?![^,。]{0,3}(?:就|都|会|也|便|直接|立|马上|吓|兴奋|扑|追|叫|咬))[^,。]{2,}"
)
# 碰见一只跟豆豆同款的比熊: the name only tells what the other one looks like.
_LOOKS_LIKE = re.compile(
    rf"^(?:长得|看着)?(?:一模一样|一样|同款|差不多|似的|相似|很像|撞脸|撞色|同品种|一个样)[^,。]{{0,5}}的?[^,。]{{0,4}}(?:{_ANIMAL_WORDS}|那[只条])"
)
_THE_OTHER_ONE = re.compile(
    r"(?:听[^,。]{0,4}说|据说|都传|都说|对方|人家)(?:说|的)?那(?:条|只|个)?[橘黑白黄花灰]?(?:狗|猫)?(?=没|有|打|得|是|也|好像|带|患|已|才|刚)"
)  # 跟一条阿拉斯加咬起来了，听人说那条没打过狂犬
_LEFT_WITH_ME = re.compile(
    rf"(?:帮|替|代)(?!我)[^,。]{{1,6}}(?:看|照顾|照看|养|带|遛|喂)[^,。]{{0,8}}(?:{_ANIMAL_WORDS})"
    rf"|(?:他|她|他们|她们|人家|别人)家?的?[^,。]{{0,4}}(?:{_ANIMAL_WORDS})[^,。]{{0,3}}(?:搁|放|寄|存|丢|托|送)[^,。]{{0,3}}我"
)
_TOGETHER_WITH = re.compile(
    rf"(?:跟|和|追着?|陪|被|冲着?|对着)[^,。]{{0,8}}(?:{_ANIMAL_WORDS})[^,。]{{0,2}}(?:们)?(?:一起|一块儿?)?(?:玩|追|混|闹|处|疯|跑|打(?:架|起来)|咬|吼|叫|对峙|干架|碰鼻子)"
)  # 跟一只柯基玩疯了, of a household with one pet
_SCREENED = re.compile(
    r"拍过?片|评[的了为过]|基因|筛查|遗传|携带|[查验测][过了]|检测|[阴阳](?:性|的)|pkd|hcm|fiv|felv"
    r"|没[有得][^,。]{0,10}(?:病|肾|心|癌|瘤|症|髋|癫痫|瘫)|活到|长寿"
)  # what the parents were tested for bears on the child
_ACTED_ON_BY = re.compile(
    r"被[^,。]{0,12}(?:咬|抓|挠|追|欺负|扑|撞|舔|踩|传染)|跟[^,。]{0,10}(?:打架|打了|玩|干架)|和[^,。]{0,10}(?:打架|打了|玩|干架)|见(?:到|了)|看(?:到|见)|遇(?:到|见)|怕|吓|朝|对着|冲"
)


# 电梯里遇到个姐姐抱着只缅因, 寄养在我这的雪纳瑞
_LED_BY_OTHERS = re.compile(
    rf"(?:[碰遇看][到见上了]|有|来了)(?:个|一个|一位|位)[^,。]{{1,8}}(?:抱|牵|带|遛|拎)[^,。]{{0,4}}(?:{_ANIMAL_WORDS})"
    rf"|(?:寄养|寄放|寄存|放|托付?|暂住|借住)在?我们?(?:家|这儿?|这里|这边)[^,。]{{0,4}}(?:{_ANIMAL_WORDS})"
)
_BEARS_ON_OURS = re.compile(
    r"传染|我家|我们家|咱家|自家|自己家|家里|欺负|打架|吵架|配种|相亲|一起(?:玩|养|住)"
    r"|[咬吓追]了?我|带回家|接回|捡|收养|领养|隔离"
)
_OTHERS = (
    r"朋友|同事|邻居|闺蜜|室友|舍友|亲戚|同学|老板|客户|[网群狗猫]友|[表堂][姐妹哥弟]|姑姑|姑妈|姨妈|舅舅|叔叔|阿姨"
    r"|楼下|楼上|隔壁|对门|别人|人家|我[妹弟姐哥]|婆婆"
)
_OF_SOMEBODY = re.compile(rf"(?:{_OTHERS})家?里?(?:的|养的|那|有)?一?(?:只|条|个)?[^,。]{{0,3}}?(?:{_ANIMAL_WORDS})")
_TOLD_BY_OTHERS = re.compile(
    rf"(?:{_OTHERS})(?:们)?(?:都|也|跟我|和我|一直)?(?:说|讲|推荐|告诉|建议|送|给|寄|觉得|问|要|想|带|借)"
)


_OF_THE_KIND = re.compile(r"(?:喜欢|讨厌|怕|嫌|接受|反对养|不让养|想养|同意养|见不得)(?:小)?(?:猫|狗|宠物)(?:$|毛)")


_A_PAIR_OF_OURS = re.compile(
    r"(?:我家)?(?:这|它|她|他)?(?:俩|们|两[只个条]|仨|三[只个条])(?:都)?(?:是)?(?:亲)?(?:同窝|一窝|同胎|一胎|双胞胎|兄弟|姐妹|兄妹|姐弟)"
)


_OUR_LITTER = re.compile(
    r"(?:都是|是)?(?:亲)?(?:同窝|一窝|同胎|一胎|双胞胎|龙凤胎)(?:生|出来)?的?(?:亲)?(?:兄弟|姐妹|兄妹|姐弟|俩)?的?"
)  # a clause of its own: 同窝兄弟，25年元旦进的家门


_FRIENDS = re.compile(
    r"最?好(?:的)?(?:朋友|哥们儿?|伙伴|玩伴|闺蜜|基友)(?:是|叫|就是)|(?:跟|和|与)[^,。]{1,10}(?:是|成了|做了)(?:最?好|老)?的?(?:朋友|哥们儿?|闺蜜|死党|玩伴|伙伴|搭子)"
)
"""旺财跟楼下那只泰迪是好朋友 is told of our own pet."""


_OF_THE_SAME_NAME = re.compile(
    r"(?:跟|和|与)(?:我们?家|咱家|咱)(?:的|这只|那只)?(?:它|这)?(?:一个名|同一?个?名|重名|撞名|名字?一样)"
)  # 卖鱼的家里有只猫跟我家一个名
_BESIDE_OURS = re.compile(
    rf"^(?:一块儿?|一起|常|总|老)[^,。它他她]{{1,4}}的(?:那|一)?[只条个]?(?:{_ANIMAL_WORDS})(?![粮窝罐])"
)
_LIKE_OURS = re.compile(r"有[只条个][^,。]{1,5}跟[^,。]{1,6}(?:一模一样|一个样|撞脸|同款|像)")


_CAME_FROM = re.compile(
    r"^(?:我家)?(?:这|它|他|她)?(?:俩|们|[两三仨2-4][只个条])[^,。]{0,8}(?:从|在)[^,。]{1,8}(?:领|抱|接|捡|买|收)"
)  # 俩是同一天从猫舍抱的


def is_strange(text: str, named: Sequence[tuple[int, int]], alone: bool) -> bool:
    """Whether a clause speaks of somebody else's, a former or a stray animal.

    named: where in the text each name of an own pet starts and ends; with a name the clause is ours unless it says
    that the stranger bears it ("楼下的布偶也叫年糕") or speaks of its kin. alone: the household has one pet only.
    """
    if (
        _A_PAIR_OF_OURS.match(text)
        or _CAME_FROM.match(text)
        or _OUR_LITTER.fullmatch(text)
        or (named and _FRIENDS.search(text))
    ):
        return False
    if (named and re.search(r"外号|绰号", text)) or _OF_THE_SAME_NAME.search(text):
        return True
    if any(_BESIDE_OURS.match(text[end:]) for _, end in named) or _LIKE_OURS.search(text):
        return True
    if any(_MET.search(text[end:]) for _, end in named):
        return True
    if any(_LOOKS_LIKE.match(text[end:]) for _, end in named):
        return True
    if not named and not OURS.search(text) and _SEEN_THERE.search(text):
        return True
    if not named and (_LEFT_WITH_ME.search(text) or _KEPT_BY_KIN.search(text)):
        return True
    if any(_KIN.match(text[end:]) for _, end in named) and not _SCREENED.search(text):
        return True
    if any(_is_namesake(text[:start], text[:end]) for start, end in named):
        return True
    if not named and _is_plainly_strange(text, alone):
        return True
    match = STRANGER.search(text)
    if match is None or _OF_THE_KIND.search(text) or _is_our_own(text, match):
        return False
    if named:
        return _BEARS_THE_NAME.search(text) is not None
    if OURS.search(text) or _ACTED_ON_BY.search(text[: match.start() + 1]):
        return False
    if alone and _TOGETHER_WITH.search(text):
        return False
    return _ACTED_ON_BY.search(text[: match.end()]) is None or "看到" in text or "看见" in text or "遇到" in text


_SEE_TO = re.compile(
    r"(?:喂|遛|照顾|照看|照料|看|铲|伺候|带|抱|陪|撸|管)(?:着|了|过|一下|一眼|我家的?|我们家的?|家里的?)?(?:小|两只|俩|三只)?(?:猫|狗)(?!的|粮|砂)"
)
_PUT_WITH = re.compile(r"(?:放|寄养|寄|送|搁|托|留|住|待|存)(?:到|在|去|给|回)?$")


def _is_our_own(text: str, match: re.Match[str]) -> bool:
    """我妈每周三来喂猫 and 猫放我妈家: who sees to ours, and where ours is put."""
    kin = re.match(r"我[妹弟姐哥妈爸]|[奶爷外姥婆公][奶爷婆公]|爸妈|阿姨|邻居|朋友", match[0])
    if kin is None:
        return False
    if _PUT_WITH.search(text[: match.start()]):
        return True
    return not re.search(r"[的家养]", match[0][: kin.end() + 2]) and _SEE_TO.search(match[0]) is not None


def carried_by_others(text: str, before: str) -> bool:
    """Whether a clause without a name speaks of the animal of a person met in the clause before."""
    return _CARRIED.match(text) is not None and _SOMEBODY_THERE.search(before) is not None


def asks_of_strangers(text: str) -> bool:
    """Whether a question without the name of an own pet is about an animal of others (朋友家的狗能吃虾吗).

    What an animal of others does to ours (传染, 打架) is about ours, and so is what others say of animals (朋友说…).
    """
    folded = fold_text(text)
    if _BEARS_ON_OURS.search(folded):
        return False
    clauses = [clause for clause in re.split(r"[,，。!?;；\s]+", folded) if clause]
    strange = [
        _OF_SOMEBODY.search(clause) is not None
        and not _TOLD_BY_OTHERS.search(clause)
        and is_strange(clause, (), alone=False)
        for clause in clauses
    ]
    return any(strange) and (strange[-1] or not re.search(_ANIMAL_WORDS, clauses[-1]))


def _is_namesake(before: str, through: str) -> bool:
    """Whether the text before and through a pet's name gives it to another animal: 隔壁的猫叫年糕, 高中那会养的年糕."""
    if _TOLD_APART.match(before):
        return False  # 低的那只叫核桃
    return bool(_NEXT_DOOR.search(before) or _CALLED.search(through) or _KEPT_ONCE.search(through))


def _is_somebodys(text: str) -> bool:
    """我妈家狗; not 猫放我妈家狗寄养, where it is a place."""
    match = _SOMEBODYS.search(text)
    return match is not None and not _PUT_WITH.search(text[: match.start()])


def _is_plainly_strange(text: str, alone: bool) -> bool:
    if _FORMER.search(text) or _is_somebodys(text) or _ITS_KEEPER_SAYS.match(text):
        return True
    if _LED_BY_OTHERS.search(text) and not OURS.search(text):
        return True
    if _THE_OTHER_ONE.search(text) and not OURS.search(text):
        return True
    if alone and (_THAT_ANIMAL.search(text) or _ANOTHER.search(text)):
        return True
    return _NEIGHBOURS.search(text) is not None and not OURS.search(text)
