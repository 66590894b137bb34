"""Talk that only plays: a test whether the program listens, letters in an animal's name, threats to sell it online,
and a medicine that was on its way to the wrong mouth and never got there."""

import re

_MACHINE = r"语音|识别|功能|输入|录入|录音|打字|麦克?风?|系统|软件|小程序|键盘|机器人?|模型|表格|格式"
_TAKES_DOWN = r"[存认听读收录]|保存|识别|记[得住错忆]|分[得清]|写得?进"
_TRIES = re.compile(
    r"^[\W\d喂嗨一二三四五六七]{0,8}试(?:音|麦|机)"
    rf"|^[^,。\x00]{{0,4}}(?:试(?:一试|一下|试看?|着)?|测(?:一测|一下|测看?|试)?|验(?:一下|证)|校验|检验|看看?)(?:一下|看|看看|下|个)?"
    rf"(?:{_MACHINE}|你(?:的)?(?:记性|记忆|耳朵|反应|水平|本事|智商)|(?:你)?(?:能不能|会不会|能否|可不可以|是不是能|灵不灵|准不准)[^,。\x00]{{0,4}}(?:{_TAKES_DOWN}))"
    rf"|(?:{_MACHINE})[^,。\x00]{{0,2}}测试|随便(?:填填|写写|打打|输输|敲敲)|(?:测|试)[测试]?你(?:的)?(?:记性|记忆)"
)  # 试一下能不能存 小明三岁
_UNKNOWN_FORM = re.compile(
    r"(?:^|[\s,，:：。])(?:[小大阿老二三](?![猫狗犬兔鼠鸟龟橘的])[\u4e00-\u9fff]|(?P<twin>[\u4e00-\u9fff])(?P=twin))[\s,，]+"
    r"(?:公|母|雌|雄|男|女)(?:的|孩)?[\s,，]"
)  # 小红 雌 五岁: a form filled in for nobody of the household
_WRITES = (
    r"(?:发|传|捎|托人?带)来[^,。:]{0,3}(?:语音|消息|短信|微信|电报|视频|口信|贺电)|来(?:信|电|函)|写(?:的)?信|口述|留言|宣言|感言|获奖|申请书?|语录|自述|独白|心声"
    r"|心里话|遗言|代笔|亲(?:笔|自打字)|声明|检讨书?|辞职信|求职信|投诉信?|内心戏|内心|os|(?:发|更)(?:了)?(?:条)?(?:朋友圈|微博|动态)"
)
_IN_ITS_NAME = re.compile(
    rf"\x00[^,。:]{{0,6}}(?:{_WRITES})[^,。:]{{0,6}}:|[(](?:翻译|译文?|大意|意思是|字幕|配音|画外音)[::]"
    r"|[::(~]\s*本(?:小姐|大爷|少爷|公子|姑娘|仙女|大王|霸王|王|尊|主子|祖宗|狗|猫|咪|兔|鼠|鸟|龟)(?![院店身地来])"
    r"|尊敬的(?:铲屎官|家长|人类|老板|领导|主人)|(?:铲屎的|铲屎官|人类|愚蠢的?人类)(?:们)?[,:!](?!我)"
)  # 豆豆发来语音：汪汪汪（译：本小姐要去巴黎
_DICTATED = re.compile(
    r"(?:帮|给|替|麻烦|请)我?(?:们)?(?:编|写|拟|做|出|起草|弄|整|来)[^,。\x00]{0,4}(?:启事|文案|简介|广告|公告|通知|邀请函|自我介绍|征婚|标题|开头|朋友圈|小作文|祝福|评语|检讨|口号|标语)|"
    r"^[^\x00]{0,6}(?:替|帮|代)我?(?:回|回复|答复|转告|发给)(?:一下|个|下)?[^,。\x00]{1,8}:(?=[^\x00]*$)|(?:作文|日记|试卷|课文|绘本|考题|卷子)[里上]?(?:写|说|讲|有)"
    r"|编(?:了)?(?:的|个|一个)[^,。]{0,3}故事|这道题|应用题|造句|填空题|选择题"
)


_WITHDRAWN = re.compile(
    r"爱(?P<act>[叫说喊写])(?:啥|什么|咋|怎么)(?P=act)?(?:啥|什么|咋|怎么)?[^,。]{0,2}$|爱咋咋[地的]?|当我放屁|(?:算|得)了[,，\s]?(?:随你|你随[意便]|你看着办|不说了|不管了)|得得得|随便吧|无所谓了$"
)  # 你别叫我主人（得得得爱叫啥叫啥吧）


def is_put_on(folded: str) -> bool:
    """Whether a whole message is a test, a letter in an animal's name or words dictated for others.

    folded: with the pets' names as `\\x00`.
    """
    return bool(
        _TRIES.search(folded)
        or _UNKNOWN_FORM.search(folded)
        or _DICTATED.search(folded)
        or _WITHDRAWN.search(folded)
        or is_mock_blame(folded)
        or (":" in folded and _IN_ITS_NAME.search(folded))
        or ("尊敬" in folded and _IN_ITS_NAME.search(folded))
    )


_UNDECIDED = re.compile(
    r"(?:纠结|犹豫|拿不定|拿不准|琢磨|掂量|盘算|考虑|还没想好|没想好|下不了决心|在想)[^,。]{0,4}(?:要不要|该不该|(?P<do>[给买做换养送上打去绝剃剪])不(?P=do))|(?P<does>[给买做换养送剃剪])不(?P=does)[^,。]{1,12}(?:纠结|犹豫|拿不定|没想好)"
    r"|(?:真|好|也|多|巴不得|恨不得)想(?:跟|和)[^,。]{1,6}(?:换一?[天下次]|互换|对调|换个)|(?:真|好|也|多)想(?:当|做|变成|成为)(?:一?只|一?条|个)?(?:猫|狗|\x00|它)"
)  # 纠结给不给豆豆上个保险, 真想跟它换一天


_OF_A_HABIT = re.compile(r"改|减|[一两二三四五六]顿|加[量餐点]")
_MOOD = re.compile(
    r"(?:只有|就|还是|唯有)(?:\x00|它|猫|狗)+(?:最)?(?:懂|爱|陪|理|心疼|在乎|想)我|听说[^,。]{0,4}有(?:种|一种)|改天[^,。]{1,8}买"
)


def is_only_weighed(text: str) -> bool:
    """Whether a clause only weighs something that nobody has decided, or tells a mood and nothing else.

    A change of how it lives now (要不要改三顿) is left to be a doubt about what is known.
    """
    weighed = _UNDECIDED.search(text) is not None and _OF_A_HABIT.search(text) is None
    return weighed or _MOOD.search(text) is not None


_BLAMED = re.compile(
    r"(?:赖|怪|怨)\x00|(?:都|也|全|又)?(?:是)?(?:\x00|它)(?:干|害|弄|搞|惹|偷|闹)的|是\x00+(?:充|付|交|还|供|租|挣|赚|出|买)的(?![^,。]{0,3}[粮药])|都是(?:\x00|它)(?:的|惹的|害的)?(?:错|锅|责任)"
)
_YES_YES = re.compile(r"^(?:是|对|行|好|嗯){2,}")


def is_mock_blame(text: str) -> bool:
    """是是是，网断了赖团团，股票跌了也是它干的: everything is the animal's fault."""
    return _YES_YES.match(text) is not None and _BLAMED.search(text) is not None


_AN_ANIMAL = r"(?:\x00|它|他|她|你|(?<!给)这(?:只|条|个|破|死|臭|傻)?(?:猫|狗|货|家伙|玩意))"
_SOLD = re.compile(
    rf"(?:把{_AN_ANIMAL}|再[^,。]{{1,8}}就|信不信|迟早|恨不得|谁爱要|谁要)[^,。]{{0,8}}(?:挂|卖|上架|送|扔|丢|炖|煲|炒|涮|烤|煮|宰|换)[^,。]{{0,10}}(?:闲鱼|咸鱼|转转|二手|网上|包邮|出家|马戏团|少林寺|动物园|楼下|汤|锅|盆|换糖|非洲|缅北|工地)"
    rf"|(?:挂|上架)[^,。\x00]{{0,3}}(?:闲鱼|咸鱼|转转|二手平台?)[^,。]{{0,6}}(?:包邮|打包|白送|倒贴|一口价|块)|谁要[猫狗]|倒贴[^,。]{{0,6}}包邮"
    rf"|(?:拿|抱|牵|拉)(?:{_AN_ANIMAL})?去?换(?:个|一个|俩)?(?:不锈钢|铁|搪瓷|塑料)?(?:盆|锅|糖|菜刀|脸盆)|(?:送|扔)(?:{_AN_ANIMAL})?去?(?:出家|当和尚|少林寺|马戏团|挖煤|流水线|进厂|挖掘机|少管所)"
)  # 明天就挂闲鱼九块九包邮
BY_THE_WAY = re.compile(r"^(?:哦|噢|啊)?(?:对了|话说回来|说正经的?|言归正传|说正事|不开玩笑)")
_PEOPLES_DOINGS = re.compile(
    r"补习班|奥运会|世界和平|违约金|修仙|降龙十八掌|武林|直播带货|给各位|祝大家|待业|失业|求职|竞聘|官宣|签了?(?:个)?协议|请求嘉奖|向组织|命里[缺有]|海底捞|主卧|智商(?:又)?(?:欠费|下线|捉急)|分手|相亲角"
    r"|报警(?:抓|告)|在校(?:表现|把|期间)|(?:学会|赶紧|快去|来)(?:洗碗|做饭|拖地|扫地|挣钱|赚钱|上班|交租)|编外(?:人员)?|生日愿望|(?:评|选|升|聘|提拔?|荣升|晋升|当选)(?:上|为|成|了|任)[^,。]{0,6}(?:工程师|经理|主任|主席|教授|院长|队长|班长|处长|总监|劳模|标兵|先进|冠军|院士|专家|代表|校长|影[帝后]|状元)|研究方向|科目[一二三四]|驾照|开车(?:载|带|送|接)|替我(?:打卡|上班|开会|加班)|罢工|拖欠|零花钱|(?:当|做)(?:村长|班长|主席|皇帝|网红)|开(?:了)?(?:个)?(?:董事会|例会|演唱会)|追剧"
)


def is_threat(text: str) -> bool:
    """Whether a clause threatens in fun to get rid of an animal: 明天就把它挂闲鱼."""
    return _SOLD.search(text) is not None


def does_as_people_do(text: str) -> bool:
    """Whether a clause has an animal do what people do."""
    doing = _PEOPLES_DOINGS.search(text)
    return doing is not None and re.search(r"\x00|[它猫狗]", text) is not None


_REACHED_FOR = re.compile(
    r"(?:递|怼|滚|送|凑|伸|放|塞|端|搁|对准|戳|架|举|拿|抬|搭)(?:到|过来|上|在|起来|进|好)?[^,。]{0,10}(?:嘴|耳|眼|鼻|边上?|跟前|面前|闻|脖子|皮|了才)"
    r"|(?:都|快|刚|已经)[^,。]{0,6}(?:抽|掰|拧|倒|拆|端|举|递|拿|架|碾|兑)(?:好|开|起来|出来|上|完)?了|(?:掉|滚|洒|撒)(?:到|在)?[^,。]{0,3}(?:地|跟前|面前|脚边)"
    r"|(?:看|瞧|瞅)(?:走眼|岔|花眼|混)|眼花|迷糊|犯糊涂|走神|拿的是|(?:抱|拿|认|看|取|抽)(?:错|反|岔|混)|认成|错把|拿成|[装放]进[^,。]{0,4}(?:药盒|盒子?|瓶子?)|多抽了|手(?:一)?(?:抖|滑)|过期"
)
_CALLED_OFF = re.compile(
    r"(?:刚|正)(?:要|准备|想|打算)(?:给)?[^,。]{0,4}(?:喂|打|滴|吃|点|抹|扎|灌|推)[^,。]{0,6}$|(?:快|都)[^,。岁年月天\d]{1,10}了?才(?:想起|发现|看[见清到]|认出|反应|意识|注意)|刚[^,。]{1,6}就(?:想起|发现|反应|意识)|(?:喂|打|推|滴|剪)之前[^,。]{0,4}(?:发现|看|数|想)"
    r"|(?:好险|好悬|真悬|万幸|亏得|得亏|幸而)[^,。]{0,8}没|一(?:滴|片|颗|粒|针|根|下|口)(?:都|也)?没(?:剪|拔|咽|下|用)|^(?:所以|就|我|也)*没(?:敢)?(?:喂|打|滴|剪|灌|点|抹|扎|推)(?:成)?$"
    r"|(?:立马|赶紧|马上|当场|一把|立刻)[^,。]{0,3}(?:抠|抢|夺|拦|捂|踩|收|推|缩)[^,。]{0,3}(?:出来|下来|回来|回去|住|走|开)|又推回去|没(?:给|往)\x00[^,。]{0,2}(?:用|打|喂|滴|点|上)(?:成)?$"
)


def is_called_off(text: str) -> bool:
    """Whether a clause tells that a dose, a needle or a pair of scissors stopped short: 刚要喂, 立马抠出来了没咽."""
    return _CALLED_OFF.search(text) is not None


_NOTICED = re.compile(
    r"药片?[^,。]{0,3}(?:碰到|到|塞到)[^,。]{0,2}(?:嘴|牙)|(?:盒子?|瓶子?|说明书?|标签|包装)[^,。]{0,2}(?:上)?(?:写|标)|才(?:看见|发现|想起|缩回|反应过来)|缩回来|收手|发现[^,。]{0,6}(?:是|成)|手里(?:搂|抱|拿|抓)的是|(?:给|喂)[^,。]{0,6}(?:喂|滴|吃|上|打|点|抹)[^,。]{0,4}药$"
)
_TAKEN_FOR = re.compile(r"(?:当|认|拿|看|抱|错)成|拿错|认错|弄混")  # 把豆豆当成咪咪了…一滴没滴


def is_of_a_near_miss(text: str) -> bool:
    """Whether a clause, beside one that says that nothing happened, tells how near it came: 药都递到嘴边了."""
    patterns = (_TAKEN_FOR, _NOTICED, _REACHED_FOR, _CALLED_OFF)
    return any(pattern.search(text) for pattern in patterns)
