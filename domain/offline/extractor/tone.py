"""How a clause is meant: stated, asked, supposed, told by others, doubted, corrected, decided.

Each phenomenon is one pattern. Whole messages that are no report at all (a story, a joke taken back, a chore for the
assistant) are told apart first, then sentences (news, suppositions), then clauses (questions, doubt).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from domain.offline.extractor.clauses import Clause
from domain.offline.extractor.idle_talk import (
    BY_THE_WAY,
    LOST_THING,
    does_as_people_do,
    is_called_off,
    is_of_a_near_miss,
    is_only_weighed,
    is_put_on,
    is_threat,
)
from domain.offline.extractor.irony import is_ironic
from domain.offline.extractor.jokes import PEOPLE, joked_about
from memory.vocabulary import Certainty, SpeechAct

_NO_REPORT = re.compile(
    r"小说|剧本(?!杀)|脚本|剧情|[编写拟](?:一)?(?:份|封|条)|编(?:个|一个|段)|(?<![多少漏缩])写(?:个|一个|一段|一首|篇|一篇|段)|段子|(?<!别)(?<!不要)写[^,。]{0,4}作文|命题作文|作文题|文案|润色|翻译|翻成|译成|(?:这句话?|这段话?|下面这?句?|以下)[^,。]{0,8}(?:改|翻|译|润|通顺|缩写|扩写|错别字)|改写|扮演|角色|假装|梦见|梦到|梦里|托梦|我[^,。]{0,6}做(?:了)?个?(?:噩|怪)?梦|昨晚做梦"
    r"|下辈子|成精|愚人节|开(?:个|了个)?玩笑|逗你|(?<!不)(?<!没)骗你|讲个笑话|(?:睡前|童话|鬼|寓言|爱情)故事|(?:讲|说|编|写|来|念|听)(?:一|两)?(?:个|段|首|篇|则|点)[^,。]{0,6}(?:故事|笑话|诗|童话|打油诗|情书|歌词|谜语)|脑筋急转弯|测试一下|试(?:一下|试|一试|试看)(?:语音|识别|功能|输入|[^,。]{0,6}(?:记不记|能不能记|会不会记|记得?住|灵不灵|好不好使))|看看?你?(?:记不记得?住|能不能记住)|语音识别|(?:随便|乱|瞎|胡乱)(?:敲|打|输|写|填)[^,。]{0,8}(?:试|玩|测)|(?:敲|打|输)(?:一|几|个)?(?:行|句|条|几个字)[^,。]{0,3}试|^测试(?![条纸盒剂结])|(?:^|\s)测试(?:\s|$)|^(?:asdf|qwer|hello|aaa|123)|测试测试|^test|当我没[说讲提问]|当没[说讲]|算我没[说讲]|收回刚|气话|玩笑话|气头上|别当真|剧透|歌词|台词|漫画|动画片|游戏里|本宫|朕(?!的猫)|爱卿|喵星语|已记住|已为您|系统提示|【系统|\[系统|^系统[::]|^assistant|^ai[::]|^助手[::]|皇上|驾到|陛下|奴才|太后|老佛爷|呵呵|宣太医|冷笑话|主角|算了你随意|算了随你|算了算了|算了没事|随便问问|就是问问|只是问问|随口(?:问|假设|一说|举|编|瞎)|举个例|瞎编|随便编|说着玩|闹着玩|本喵|本汪|殿下|微服私访|御膳|皇粮|贡品|上早?朝|侍寝|选妃|后宫|龙椅|宠幸|平身|退朝|传膳|用膳|跪安|圣旨|娘娘|公主驾到"
)
_ELSEWHERE = re.compile(
    r"召回|官方(?:说|通报|发)|看到[^,。]{1,20}的(?:短?视频|帖子?|图片?|照片)|刷到|评论区?里|弹幕|网上(?:那套|传|流传|流行)|(?<!天)(?<!晚)(?<!上)(?<!妈)(?<!爸)(?<!友)(?<!店)(?<!院)(?<!她)(?<!他)视频里|(?<![打发])视频说|看到(?:个|一个|有人|一条|篇|一篇)|新闻|热搜|头条|(?<![看开])电视(?![机柜线屏]|遥控|的?时候?|前|旁)|电影|网上(?:说|看)|书上|小红书|抖音|微博|百度|帖子|文章|群里|公众号|科普(?:文|视频|号|博主)|直播间|广告|纪录片|综艺|半价|开业|酬宾|(?<![趁赶]着)(?<![趁赶])打折|优惠|促销|团购|论坛|贴(?:了|出)?通知|通知说|公告|新规|规定(?:说|要)|罚款|博主|知乎|b站|(?:业主|小区|家长|邻居|楼栋?|宠物|遛狗|养猫)群(?:里|都)?(?:说|讲|发|传|在|有)|海报|宣传[单册栏语]|标语|横幅"
)
_FED_CHEAPLY = re.compile(r"(?:改|换)(?:吃|喂|成|用)[^,。]{0,4}(?:打折|促销|团购|优惠|半价)")
_OWN_ACT = re.compile(
    r"^(?:我|就|所以|于是|然后|今天|昨天)*(?:给|把)[^,。]{1,6}(?:停|换|改|加|减|断|戒)[^,。]{0,6}[了掉]"
)
_SUPPOSED = re.compile(
    r"(?:^|[,。])(?:要我|我要)能|(?<![又一不没])再(?![次也过三见加来说度等怎])[^,。了过]{1,8}就(?:得|要|该|去|送|带|给|换|停|打|上|只能|别|揍|剃|扔)|(?:要能|多想|真想|早知|恨不得)[^,。]{0,20}就好了|将来(?!起)|如果|假如|假设|就当(?!是?真)|权当|姑且当|假定|设想|(?<!主)(?<!只)(?<!需)(?<!还)要是|万一|倘若|倘使|假使|比方说|打个比方|的话(?!题|\d|今|昨|前天|上[周个]|刚|已经)|哪天要|真[^,。]{1,8}还(?:得了|不得)|想象一下|换作|换成是|真要(?!被|气|疯|崩|炸|晕|吓|笑|哭|命|谢|抑郁|累)|要真[能是会有]|比如|若是|除非|打比方|姑且|好比|前提是|等[^,。]{1,8}(?:老了|长大|有钱了?|退休了?|发财了?)[^,。]{0,2}我?(?:就|再)|等(?:我|咱|以后|哪天|将来)*(?:们)?(?:有钱|发财|暴富|退休|中奖|财务自由|老了)(?!的)"
)
_OR_ELSE = re.compile(r"免得|省得|以免|以防")  # what is to be kept off
# 万一有事就打我妈电话, 要是超过一千先问我: on a condition, but what is asked for holds from now on.
_STANDING_ORDER = re.compile(
    r"(?:先|得|要|必须|都|一定|务必|就|再)(?:来)?(?:[跟和给]我(?:说|讲|商量|打|招呼|发|汇报|通气)|问(?:问|一?声|一下|过)?我|告诉我|通知我|找我|联系我|(?:征求|经过?|等)我(?:的)?(?:同意|意见|点头))|(?:打|拨|联系|找|call)(?:给)?[^,。]{1,8}(?:\d{3,}|电话|手机|尾号|号码)|问过我|拦[着住]?我|我[^,。]{0,3}(?:点头|同意|拍板|签字)"
)
_TURNED_INTO = re.compile(
    r"(?<![肿鼓胀胖大吐])(?:活像|宛如|犹如|像极了|活脱脱(?:就)?是?)[^,。]{2,16}$|(?:吹|睡|晒|瘫|化|躺|炸|淋)成了?(?:一|个)(?!团|圈|缕)"
)  # 被吹成了一朵蒲公英
_PROVERB = re.compile(
    r"(?<![瘦肿拉吐结胖])成了?一(?:朵|支|幅|尊|床|座)|跑断(?:了?腿|了?我)|磨破嘴皮|(?:腿|腰|手|脖子|胳膊|嘴皮子)[^,。]{0,2}都?(?:快|要|得)[^,。]{0,2}断|吐不出象牙|改不了吃屎|猫哭耗子|狗急跳墙|鸡飞狗跳|狼心狗肺|狗仗人势|狗拿耗子|猫有九条命|挂羊头|三脚猫|照猫画虎|人模狗样|狗眼看人|偷鸡摸狗|打狗看主人|狗不嫌家贫"
    r"|(?:心脏病|心脏|魂|眼珠子?|胆|尿|鼻血|眼泪|血)[^,。]{0,3}(?:要|快|都)[^,。]{0,3}(?:吓|气|笑|急|激动|馋|累)(?:出来|飞|掉|死|没)"
)
_ACKNOWLEDGED = re.compile(r"^我?(?:都|也|早就)?(?:知道|晓得|明白|懂|清楚)(?!了?它|怎么|我|你)")
_CHORE = re.compile(
    r"把你?上一?[条段]|再发一[遍次]|加粗|(?<!别)(?<!别再)(?<!不要)(?<!不用)(?:帮我|给我|麻烦|请你?|你)(?:再)?(?:来(?:一|个|份|点|段)|调出|翻出|导出|推荐|解释|讲个|说个|来个|讲讲|讲一下|科普|总结|对比|比较|分析|统计|列|算|查|搜|介绍|说说|写|画|起个?名|取个?名|找|缩|压缩|精简|概括|提炼|归纳|改短)|把[^,。]{1,14}(?:列|导|发我|整理|汇总|打印|截图|(?:记录|资料|情况|档案|病历|照片|数据|清单)[^,。]{0,3}(?:给|发|拿))|(?:打印|导出|生成|列出)(?:一下|一份|一张|个)|把上面|上面[这那]?[段条个句]|缩成(?!了?一?[团球坨])|精简成|压缩到|改写|润色|换个说法|重新说|再说一遍"
)
_FROM_NOW_ON = re.compile(r"以后|今后|往后|下次(?:起|开始)|每次|都(?:给|帮)我")  # how it is to be done, no chore
_ASSISTANT_SAID = re.compile(
    r"你刚(?:才|刚)?(?:说|讲|写|提)|你(?:刚才|刚刚|上次|之前|昨天|前面)?(?:这)?(?:说|讲|建议|推荐|提到|写)(?:的|过|了|,|我|它|让|要|是|$)|按你说|照你说|你是不是|你记混|你记错|你搞错|你(?:怎么|咋|哪[儿里]?)(?:就)?知道|谁(?:告诉|跟|和)你|我(?:可|(?:啥|什么)时候)没?(?:跟你)?(?:说|讲|提)过|(?:照|按|听)你(?:这么|那么|这样)(?:一)?(?:说|讲)|你(?:瞎|乱|胡)(?:记|编|说|写)"
)
_TOLD_YOU = re.compile(
    r"(?:跟|和|给|对)你(?:说|提|讲|聊|发)过|告诉过你|说过的?那|我(?:以前|之前|上回|上次|那天|原先)?(?:说|讲|提|报)过"
)
_OPEN_QUESTION = re.compile(
    r"怎么办|咋办|是(?:个)?(?:什么|啥)(?:毛病|问题|意思|心理|习惯|操作|道理)|有(?:啥|什么|没有)(?:好)?(?:办法|招|法子|方法)|(?:怎么|咋|如何)(?:训|教|改|纠正|破|整|戒)|怎么回事|咋回事|怎么弄|怎么处理|怎么治|正常吗|正不正常|要紧吗|要不要紧|严重吗|严不严重|为什么|为啥|什么原因|啥原因|什么情况|啥情况|要不要|用不用|需不需要|需要|有事吗|没事吧|有问题吗|有没有问题"
    r"|会不会是|会不会(?=[^,。]{0,5}(?:胀气|炎|病|症|虫|结石|中毒|感染|骨折|怀孕|发情))|咋整|咋弄|咋治|正常不|是怎么|怎么了|咋了|该不该|能不能|可以吗|可不可以|(?:要|用|需要|得|该)(?:去|带|看|打|做|吃|停|换|送|上)[^,。]{0,8}(?:吗|么|不|嘛)$|要紧不|正常不|算[高低多少大]|能[喝打洗做出碰用涂跑坐剪]|是不是(?!有点|有些|该|要|得|它|他|她|\x00)|行吗|行不行|危险吗|还能|能吃|能喂|吃什么|是(?:要|该|快|在|到)?(?:冬眠|不?舒服|病|换羽|换毛|脱皮|蜕皮|发情|怀孕|生病|感冒|应激|中暑|受凉|缺[^,。]{1,3}|[^,。]{1,6}(?:炎|病|症))了?[吗么嘛]|是不是(?=缺|病|病了|生病|得了?[^,。]{1,4}[炎病症]|[^,。]{0,5}(?:炎|病|症|结石|虫|摔|伤|凉|太冷|太热|太干|缺)|冷了?|热了?|吓|冬眠|应激|受凉|上火|感冒)|是不是(?=该|要|得)|(?<!没)(?<!没过)(?<!没有)(?<!不)多久|什么时候|啥时候|对吗|算不算|算正常|(?<![不没])怎么"
)
_QUESTION = re.compile(
    r"几成|(?:^|[^的])干[嘛吗](?!呀)(?:呢|啊|了|去)?$|(?<!噻)吗(?!丁|啡|洛|氯|替|磷)|么$(?<!什么)(?<!这么)(?<!那么)|(?<!不)(?<!没)怎么(?!都|也|样都|不|着|[^,。]{1,4}(?:都|也)[不没照要还有])|(?<!没)咋(?=办|回|样|整|弄|治|会|区?分|量|喂|判断|选|挑|算|解决|处理|训|教|补|搞)|为什么|为啥|(?<!没)(?<!没有)(?<!啥)什么(?!都|也|的$|东西都|[^,。]{1,4}[都也][没不])|(?<!没)(?<!没有)啥(?!都|也|的$|[事反毛问][^,。]{0,3}没|[^,。]{1,4}[都也][没不])"
    r"|多少(?!有)|(?<!没)(?<!没过)(?<!没有)(?<!不)多久|(?<![岁月年天斤两])多大|(?<![岁月年天斤两])多重|(?<![岁月年天斤两])多长|何时|几(?:时|级|点|号|岁|月|个单位|种)|(?<=[打吃喂滴])几(?:针|片|粒|次|顿|颗)|(?<=[掉瘦胖重长])了?几[斤公]|几率|概率|成活率|第几|穿几|几码|[那上][次回][^,。]{0,10}(?<!好)几(?!乎)|(?:一共|总共|累计|到底)[^,。]{0,6}几|(?:一天|一周|每天|每次|一次)[^,。就只才好没]{0,3}几|(?<![好十有过这那前])几(?:度|公斤|小时|分钟|岁|天)(?:以[上下内]|就|才|之?后|开始)|(?<!好)几个月(?!了|前|后|没|大了|的)|(?<![待养带玩躲避])(?<![家那里边儿库]住)几[天次斤个岁片粒顿][啊呀呢哦呐]?$|几[天次](?:正常|合适|算|才|最好|比较)|了几天$|(?<![了过好十这前那有待养带玩躲避])(?<![家那里边儿库]住)几[天次个斤岁]$|(?<!天)(?<!没见)(?<!没看到)(?<!没发现)哪(?!怕|知|想到|成想|[儿里]?[都也]|来)|还是[^,。]{1,8}呢$|(?<!喝)谁(?!知|料|想到|能想|成想|曾想|承想|[都也]|[^,。]{1,4}[都也])"
    r"|是不是|会不会|能不能|可不可以|可以不(?![吃喝用打喂滴再去做停管])|要不要|有没有|用不用|该不该|需不需要|行不行|(?<!不)对不对|(?<!好)几(?:克|毫升|包|勺|罐|袋)[啊呀呢哦]?$|(?<![着尿])[滴点抹涂]几(?:滴|次|下|回)[啊呀呢哦]?$|几[期级](?:了|啊|呀|呢|来着)*$|过[^,。没都也全啥]{0,8}没有[啊呀呢]?$|公的?母的?|算不算|好不好|怕不怕|爱不爱|吃不吃|打不打|严不严重|(?P<did>[到做打存记写留录查登吃报驱喂用滴看带])没(?P=did)|能[^,。]{1,8}不能$"
    r"|(?P<asked>[高大多贵疼难严快久准远安全吵累乖好重轻麻烦])不(?P=asked)|如何|请问|是否|想问|问一下|问下|求问|有谁|能活|还记得|记不记得|怎(?:么)?样$|咋样$|会怎|(?<![\d.%下上])算正常"
    r"|(?:能|可以|会|要|行|用|该|是|有|爱|吃|喝|都|对|够)[^,。]{0,12}不$|(?<![也都还])(?<!点事)(?<!啥事)(?<!毛病)(?<!反应)没$|(?<=[了过])没有$|(?:到期|打齐|满|打完|够)没有?$"
    r"|(?:能|可以|行|记得|对|是|会|该|就(?!定|设|按|照|每)|干脆|要不|先|都[^,。]{0,4}过|一起|应该没|没事)[^,。]{0,6}吧$"
)
_ALTERNATIVES = re.compile(
    r"(?:(?<!目)前|(?<!最)后|早上?|晚上?|左|右|(?<![主口猫狗])粮|罐|肉|药|针|猫|狗|公|母|要|打|吃)还是(?![^,。]{1,8}(?:没换|没变|没改|不变)|早|晚|中午|半|一粒|一片|[一半][根条块勺个包罐顿颗碗](?![^,。]{0,4}[吗呢?？])|两粒|别|不要|少|算了|隔|每|一天|两天|原来|之前|以前|老样子|按|差不多|接着|继续|照|得|没|不|很|有点|老|一直|那样|这样|瘸|吐|拉)"
    r"|(?P<end>[^,。])还是(?![不没一老很])[^,。]{0,6}(?P=end)$"  # 胖了还是瘦了, 公的还是母的
    r"|(?:公|母|[雌雄]|男|女|[大小]|幼|成年?|猫|狗|犬|[黑白橘花])的?(?:猫|狗|犬|孩|生)?还是(?:公|母|[雌雄]|男|女|[大小]|幼|成|猫|狗|犬|[黑白橘花])"
    r"|(?P<verb>[^,。了过])了?还是[没不](?P=verb)"  # 打了还是没打
)
_WISHING = re.compile(
    r"(?:我|正)?想(?:着|要)?(?:给|带|让|换|试|用|把|买|养|问)|干脆|考虑(?:给|换|让|要)|打算(?:给|换)|(?<!不)(?:能|可以)(?:给它|让它)|建议(?:给|换|喂|吃)"
)
_WHAT_OF = re.compile(
    r"^(?:那|那么)[^,。]{1,8}呢$|^[^,。了过着没不在还吐拉吃咳喝睡有是才都正怕爱喜讨嫌会乖香好滴涂抹敷贴]{1,6}呢$"
)
_ASKS_LEAVE = re.compile(
    r"还?能(?!不能)|可以|可不可以|吃什么|行不行|行吗|成不"
)  # what may be given is asked about, not told
_SURELY_HAPPENED = re.compile(r"了|过(?!敏)|今|昨|刚|[一两三四五六七八九十几\d][天次]|一直|老是|总是|又")
_PRESUMED = re.compile(
    r"(?:第[一二三四]|最后一|头一|最近一)(?:次|回|针)[^,。]{0,10}(?:是|在)$|那(?:个|只|回|次|条|件|会儿?)|上回|上一次|距今|的事"
)  # 漏尿那个药一天几次 only points at what is known
_NOT_ASKED = re.compile(
    r"(?:直接|就|只)(?:说|讲|给|告诉)[^,。]{0,6}(?:怎么|咋|要不要|能不能)[^,。]{0,4}(?:就|行|好|$)|(?:能不能|可不可以|能否|可以)[^,。它\x00吃喂打]{0,6}(?:短|简|慢|大|少|直|快|细|明白|通俗)[^,。它\x00吃喂打]{0,3}(?:点|些)|谁(?:又)?把[^,。]{1,8}(?:写|记|说|登记|填|弄|当)成|叫(?:啥|什么)[^,。]{0,6}(?:来着|的)|(?:啥|什么)(?:事|毛病|问题|反应|异常)(?:儿)?(?:都|也)?没|(?:再|先|后面?)(?:看看?|观察|等等)(?:情况)?[^,。]{0,4}(?:要不要|用不用|需不需要|能不能)[^,。]{0,6}$|(?:能不能|可不可以|能否|可以)(?:请|麻烦|以后|下次|你)*(?:别|不要|少|不)(?:再|老|总|每次|这么|那么)*(?:带|用|说|发|加|给我|跟我|写|讲|推|提|放|整)|(?:怎么|为啥|为什么|咋)[^,。]{0,8}(?:只要|一[^,。]{1,6}就|一直|老(?!师|人|了|年|大)|总(?!共)|又|突然|天天|每次|每天|非要|非得|死活|不肯|不让|不爱|这么爱|那么爱|这么怕|那么怕)|了(?:是吧|哈)$|不知道[^,。]{0,6}(?:什么|啥|怎么|哪|谁|能不能|会不会|去不去|有没有)|(?:回答|回复)的?时|先说|先讲|先报|先列|先告诉|再说为什么|不知道(?:是)?(?:怎么|为什么|为啥|咋|什么|啥|哪)|不管|无论|谁知|哪知|(?:也)?不知怎么|说不清(?:为什么|什么)|好几|要么"
)
_WHATEVER = re.compile(
    r"(?P<any>啥|什么|谁|哪儿?里?(?![年月天日号一])|多少|怎么)[^,。?呀呢吗啊]{0,4}(?P=any)|多少[^,。]{0,4}[都也](?!是)|哪[^,。]{1,4}[都也](?:不|没)|没[^,。没]{1,3}过(?:啥|什么|谁)(?!病|原因|问题|时候)"
)  # 见啥吃啥, 哪个牌子都不吃
_EVENT = re.compile(
    r"老(?=[往追盯拿去跟在把趴扒舔抓咬蹲翻偷抢叼躲跑爬跳找用冲爱想要朝对围黏欺刨挠啃闻吃喝拉尿吐])|一定要|非要|非得|必须|只(?=[在肯认让要爱往跟])|每次|每天|经常|动不动|从来|半夜|特别(?:爱|怕|喜欢)|不(?:爱|肯|让)|一[^,。]{1,6}就|了|过|着|又|在(?=吃|打|用|喂)|正在|老是|总是|总|一直|最近|天天|今天|昨|刚|前天|这两天|这几天|今早|早上|晚上|上周|有点|突然|开始|\d+[天次]|[一两三四五六七八九十几][天次]|一(?:上午|下午|晚上?|宿|整天|早上)|过敏"
)
_AILING = re.compile(
    r"[拔啄咬啃舔]自己|缩成|软|蔫|[不没][动吃拉尿喝碰]|[鼓白黄黑绿浑][鼓蒙乎糊]|老(?:是)?[甩挠蹭抖咳眨]|长[了出白黑绿]|磨得|这(?:礼拜|星期|周|阵)|张着?嘴|冒|白点|白斑|掉皮|脱皮|没力|没劲|没精神|睁不开|站不|肿|瘸|吐|拉稀|咳|痒|流(?:泪|脓|血|鼻|口水)|秃|喘|抖|歪|血|疙瘩|胀|发烧|脓|屑|不肯|[\u4e00-\u9fff]\d[\d.]*(?:斤|公斤|kg|度)?$"
)
_HEARSAY = re.compile(
    r"(?:听说|据说|听(?:[^,。\x00]{1,8})?(?:说|讲|提起)|有人(?:说|讲)"
    r"|(?:我妈|我爸|妈妈|爸爸|爸妈|婆婆|公公|奶奶|爷爷|外婆|姥姥|岳母|丈母娘|我?老公|我?老婆|媳妇|对象|男朋友|女朋友|男友|女友|室友|舍友|闺蜜|朋友|邻居|同事|同学|保姆|阿姨|亲戚|儿子|女儿|我?弟弟?|我?妹妹?|我?姐姐?|我?哥哥?"
    r"|店员|店家|店长|店主|老板娘?|卖家|商家|客服|美容师|小哥|小姐姐|groomer|繁育人|舍主|猫舍|犬舍|寄养(?:家庭|的人|那边|店)?|喂养师|代喂的?(?:姐姐|阿姨|人|小姐姐)?|上门喂(?:养)?的(?:人|姐姐|阿姨)?|遛狗师|训犬师|驯犬师|训狗师|训练师|前主人|原主人|前任主人|中介|[狗猫]贩子?|上一?任主人|上家|领养人|救助人|志愿者|网友|群友|狗友|猫友|物业|保安|小?姑娘|小伙子?|大姐|小妹|师傅|楼下(?:大爷|大妈|阿姨)?)"
    r"(?:刚才|刚刚|刚|今天|昨天|那边|跟我|和我|都|总|老|也|非|一口咬定|又|还|偷偷|逢人就|见人就|到处|成天|天天|硬|坚持|拍着?胸脯|打包票|拍着?胸口|保证|再三|一再|信誓旦旦)*(?:发消息|发微信|打电话|电话里|打视频|发视频|视频|留言|发语音)?里?(?:说|讲|觉得|告诉|反映|提到|猜|怀疑|认为|非说|看见|看到|发现|来消息))"
)
_SOMEBODY_SAYS = re.compile(
    r"^(?!.*(?:医生|大夫|兽医|医院|院长|护士|医嘱))我?[^\x00我你,。]{0,8}(?:大爷|大妈|大叔|大娘|大姐|大哥|老头|老太太?|老人家?|[老婆娘]?家人|长辈|的人|家长|狗主人|猫主人|宠友|群主|铲屎官|亲戚|亲家"
    r"|姨|舅|姑|嫂|叔|伯|婶子?|侄[子女儿]?|姥|爷|奶|婆|友|哥|姐|师傅|(?:遛狗|开店|卖[^,。]{1,4}|养[^,。]{1,4}|隔壁|楼上|楼下|对门)的)(?:妈|爸|父|母|娘|丈|公)?(?:在?(?:电话|微信|视频|群)里|(?:打|发)(?:来|了|个|了个)?(?:电话|视频|语音|消息|微信)|也|就|都|总|老|又|还|非|硬|偏|跟我|和我)*(?:说|讲|告诉我|劝我|觉得)(?!好|定|过|错)"
)
"""Whoever it is, neither the owner nor somebody who examined the animal: 遛狗的大爷讲, 楼下开店的说."""
_OF_THE_TELLER = re.compile(
    r"^(?:再问|不过|但)?(?:她|他|人家)[^,。]{0,8}(?:没看|没瞧|没听|看不|看得|离得|隔得|说不|讲不|讲得|说得|眼神|老花|花镜|记不|听得|拿不|(?:才|也就)[^,。]{1,4}岁)|再问(?:她|他)"
)  # 她离得远没看真切
_WAS_NOT_THERE = re.compile(
    r"^(?!.*(?:下周|明天|后天|\d+[天号]|[一二两三四五六七八九十]天))(?:但|不过|反正|因为)?(?:当时|那会儿?|这[两几]天)?我(?:人|自己|还|又|正|这|今天|昨天|当时|们|都|也)*"
    r"(?:不在(?!乎)|在外地|出差|在(?:公司|单位|上班|外面|老家|路上)|没(?:在|看|见|瞧)|看不[到见])"
)  # 我出差不在, of what somebody else saw
_OF_WHEN = re.compile(r"大概|差不多|[年月周天节号]|前后|左右")
_OF_MY_MEANS = re.compile(r"^(?:我|本人)(?:刚|现在|最近|还|也|没|这|是|又)[^它他她\x00]*$")  # 我刚毕业没存款
_MERE_GUESS = re.compile(
    r"^(?:不过|但)?(?:也|又|或者|要么)?(?:还?说)?(?:也|又|有)?(?:没准|可能|说不定|兴许|大概|也许|估计|不一定|八成|多半|说不准|指不定|保不齐|备不住|搞不好)(?:就|只|也)?(?:是|看成|听成|在)"
    r"(?![^,。]*(?:炎|病|症|瘤|癌|石|感染|过敏|虫|螨|癣|中毒|骨折|脱位|感冒|发情|怀孕|应激|[年月号周]|不好|有?问题|毛病|的吧?$))[^,。]{1,10}$"
)
_FIRST_HAND_AGAIN = re.compile(
    r"^(?:我(?:自己)?(?:看|觉得|发现|摸|检查|也)|医生|大夫|兽医|检查(?:出|结果)|去医院|结果)"
)
_DOUBT = re.compile(
    r"印象(?:里|中)|好像|可能|也许|估计|怀疑|疑似|似乎|该不会|不会是|莫非|难道|怕不是|(?<![最就只都不可])怕是(?![打雷黑水人冷热生吵])|别是(?=公|母|怀|得)|应该是|感觉(?!不错|良好)|不确定|不太确定|说不定|不知道是不是|八成|没准|兴许|备不住|保不齐|保不准|看着像|像是|貌似|恐怕|不一定|记不清|记不太清|记不大清|记不真切|记不牢|记不准|记不得|我猜|或许|搞不清|拿不准|说不好|大概是|大概(?=[^,。]{0,3}(?:受不|扛不|消化不|吃不|克化|招架|享受不|不耐|降不))|大概率|应该(?=没|不|是)|不太肯定|不敢肯定|(?<!提醒)(?<!一下)吧$|是不是"
)
_ASKED_AS_A_DOUBT = re.compile(
    r"(?:是不是|会不会是?|好像|大概|怕是|估计|不会是|别是|恐怕|可能)[^,。]{0,3}(?:受不了|受不住|扛不住|消化不了|克化不[了动]|招架不住|享受不[了来]|降不住|吃不消|吃不了|吃不得|(?:能吃|吃得了|吃得|受得了)(?!什么|啥)|吃不惯|用不惯|不适应|不耐受|不习惯)|(?:是不是|会不会)比(?:以前|从前|之前|平时|昨天)[^,。]{1,6}了?$|(?:是不是|会不会是?)(?:有点|有些|吃|对|因为)[^,。]{0,10}(?:不惯|敏感|不服|受不了|不适应|不耐受|过敏|不舒服|发炎|感冒|便秘|上火|肿|瘸|瘦)(?![^,。]*(?:怎么|吗))"
)  # 是不是有点受不了这个砂
_RECALLED = re.compile(r"(?:应该|好像|大概|可能|估计)(?:就)?是[^,。会能]{2,12}(?:的|了|过)吧$")  # 应该是去年打的吧
_DOUBT_OF_BEFORE = re.compile(
    r"^(?:我)?印象(?:里|中)|^没准(?:就|只)?是|^(?:我)?(?:也)?(?:不太|不|拿不|记不|搞不|说不)(?:确定|准(?!备|时|许)|清|真切|牢|全|肯定|好|敢肯定)|^(?:也)?(?:可能|不一定|没准|说不定)(?:是|看错|记错)|^(?:我)?没(?:亲眼)?(?:看|见)(?:到|着)"
)
_CORRECTING = re.compile(
    r"^(?:帮我|给我)?(?:改|更新)(?:一下|下|个)|[报登填输]错|[打写按输]多了?一?个?零|[多少漏][打按写输]了|[说讲记写打搞弄][岔串]|说错|记错|搞错|弄错|打错|写错|看错|口误|手滑|手误|更正|纠正|澄清|搞混|记混|弄混|不对(?!劲|付|味|眼|[^,。]{1,8}(?:感兴趣|有兴趣|感冒了|上心|来电|挑食|叫|凶|发火|龇牙))|啊不|哦不|不不|改口|订正|应该是.{1,12}不是|其实是|不是.{1,14}(?:是|而是)|(?:之前|上次|刚才|前面|刚刚)(?:我)?(?:说|讲|写|记)"
)
_DECIDING = re.compile(
    r"以后(?:都|就|不|别|改|只|由)|从(?:今天|明天|今晚|这周|下周|这个月|下个月|现在)(?:起|开始)|停药|药停|停了|停掉|不用(?:再)?(?:吃|打|喂|管|忌|点|涂)|可以(?:停|不吃)|改成|换成|改为|减到|减成|加到|加成|减量|加量|决定|不再(?:吃|喂|打|用)|改吃|改喂|换到|暂停|先停"
)
_KEEPING = re.compile(
    r"记住|记一下|记下|记着|帮我记|你要记得|记好|请记|给我记|记到|备注一下|存一下|别忘了?(?:，|,|:|它|他|她|我)|千万别忘"
)
_ON_CONDITION = re.compile(
    r"(?:说|让|叫|嘱咐|建议)[^,。]{0,6}(?:到|得)[^,。]{1,5}再(?:用|上|吃|打|开|加|来)|等[^,。]{1,8}(?:了|得[^,。]{1,3})(?:再|才)(?!次)"
    r"|等[^,。]{0,6}(?:排除|确诊|结果|稳定|指标|查清)[^,。]{0,6}(?:再|才)(?:考虑|决定|用|上|吃|打|加|开|说)"
)
_HAS_TO_WAIT = re.compile(r"(?:得|要|需要|须|只能|先)等")  # put off, and told as decided
_NEAR_MISS = re.compile(
    r"一口(?:都|也)?没(?:吃|舔|喝|咬|碰|咽)(?:着|到|成|进)|一(?:滴|片|颗|粒|针)(?:都|也)?没(?:滴|喂|打|进|碰)(?!出|到底|完)|没(?:打|喂|滴|吃|灌)(?:进去|成|下去)|差点|差一点|险些|幸好没|还好没|幸亏没|差不点|(?:幸好|幸亏|还好|好在|得亏|亏得|万幸)[^,。]{0,10}没(?:被|咽|吞|吃|喝|打|喂|塞|灌|滴|有?[^,。]{0,3}(?:到|着|成|上|出事))"
)
_ASSENT = re.compile(
    r"(?:好的?|嗯|哦|噢|行|可以|收到|知道了|明白了?|谢谢(?:你|啦)?|ok|okk|okay|好嘞|好滴|对|对的|是的|是啊|没错|好呀|好吧|了解|懂了|辛苦了?|多谢|感谢|哈|呵|嘿|啊|呀|呢|啦|没问题|就这样|那就好|这样啊|原来如此|你好|在吗|早|早安|晚安|拜拜|再见|你真好|是吗|真的吗|真的假的)+"
)


_OWNERS_LIFE = re.compile(
    r"(?:跑|走|站|等|爬|逛|排)[^,。\x00]{0,8}(?:脚|腿|腰)[^,。\x00]{0,2}(?:都|快|要)(?:肿|细|软|麻|酸|起泡|抽筋)|给我?自己[^,。]{0,2}(?:刷|洗|做|煮|买|剪|点|泡|量|称)|^[^,。它他她]{0,5}(?:洗澡|睡觉|吃饭|刷牙|做饭|上班|干活|遛弯|忙|[吃喝][\u4e00-\u9fff]{1,4})去(?:了|啦|咯|喽)(?:拜拜|回头聊|再聊|晚安)?$|^(?:今天|今儿|周末|难得|终于)*(?:我)?(?:休息|休假|放假|轮休|调休)(?:在家)?$|约了?(?:朋友|同事|闺蜜|同学|哥们|兄弟|姐妹|发小)|剧本杀|密室逃脱|ktv|睡到(?:自然醒|中午|[一二两三四五六七八九十\d]+点)|(?:跑|走|骑|游)(?:了|完)[^,。]{1,4}(?:公里|千米|米|圈操场)|(?:腿|腰|脚|胳膊|嗓子)[^,。\x00]{0,2}(?:快|要|都)(?:断|废|冒烟|散架)|喝(?:多|高|醉|大|断片)了|宿醉|酒局|聚餐|应酬|脑仁|太阳穴|^(?:大半夜|半夜|凌晨|昨晚|今晚|又|我|就|都|翻来覆去)*睡不着$|数羊|^我(?:到家|到现在|回来|回家|自己|晚饭|中午饭?|这会儿?)(?![^,。]*(?:它|他|她|给|喂|带|抱|发现|看|摸|量|把))|我(?:要|得|想|今天|明天|每周|自己)*去(?:医院)?[^,。]{0,3}(?:透析|复查|体检|看病|输液|化疗|产检|拔牙|看牙|理疗|针灸|打针)(?![^,。]*(?:它|猫|狗|带))|牙医|肉疼|脑壳疼|脑袋疼|头大了?$|甲方|改需求|电脑|ppt|周报|kpi|方案|会议|打车|房东|合租|毕业|网课|简历|offer|社保|医保|年终总结|加班|老板|上班|地铁|堵车|账单|工资|客户|辞职|开会|考试|房租|出差|失眠|心情(?:不太?好|很差|差|低落|烦|糟)|情绪(?:不太?好|低落|差|崩)|跟(?:老板|领导|同事|客户|老公|老婆|男朋友|女朋友|对象|爸妈|我妈|婆婆)[^,。]{0,3}吵|弯腰|腰疼|腰酸|腿酸|(?:导航|电脑|手机|网络|服务器|软件|app|信号|空调|洗衣机)[^,。]{0,3}(?:抽风|卡|崩|死机|罢工|坏)|熬夜|黑眼圈|胳膊|过劳肥|麻腮风|百白破|水痘疫苗|宫颈癌|孕吐|手腕|手指头?(?:疼|破|酸)|颈椎|腰椎|智齿|流感疫苗|hpv|九价|新冠|核酸|过敏季|花粉季|没法(?:睡|上班|工作)|嗓子(?:疼|哑|痛)|洗头|我(?:小时候|小学|上学|读书)|站着说话|面试|论文|期末|快递(?!员|小哥)|外卖|相亲|追剧|股票|房贷|(?:我|人)(?:有点|有些|都|也|真的|整个人|快|要|自己|今天|昨天|昨晚|最近|这两天|已经|又|一直|可能|好像)*(?:快|要)?(?:懒洋洋|没精打采|犯困|发懒|感冒|头疼|发烧|吐了|吐血|想吐|失眠|蔫|咳嗽|过敏(?!原)|心梗|心脏病|血压|高血压|崩溃|疯|裂开|累|困|饿|胖|瘦|中暑|抑郁|焦虑|emo|掉头发|肚子疼|拉肚子|腰疼|痛经|姨妈|没力气|心脏)|想吐(?![又却但也可]|吐不|,?吐不)|我(?:这)?(?:心脏|血压|头发|腰|胃)"
)
# 趁我开会啃了线, 我一加班它就尿床: only when it happened.
_WHILE_I = re.compile(
    r"^(?:就|大概|可能|准是|怕是)?(?:知道|晓得|看|见|怕|嫌|心疼|体谅)我[^,。]{1,14}$|(?:趁|等|当|每次|只要|一到)(?:着)?(?:我|我们|家里没人)[^,。]{0,6}(?:加班|开会|上班|出差|考试|外卖|客户|上课|值班)"
)
_SOMEBODY = re.compile(
    rf"^(?:今天|昨天|昨晚|刚才|刚刚|最近|早上|晚上|以前|那个)*我?(?:{PEOPLE})(?![^,。]{{0,8}}(?:说|讲|觉得|发现|喂|给|带|遛|抱|洗|看|告诉|拍|发消息|怀疑|抽|摸|剪|涂|滴|偷偷|照顾|负责|送|买|把它|猜|反映))"
)
_OF_MYSELF = re.compile(
    r"我(?:是不是|要不要|能不能|应不应该|该不该)(?![^,。]{0,8}(?:它|他|她|给|带|喂|猫|狗|送))"
    r"|(?:医生|大夫)[^,。]{0,3}(?:叫|让|要|劝|嘱咐)我(?:自己)?(?:别|少|多|戒|忌|不要)(?:再)?(?:吃|喝|抽|熬|累|生|弯|操|劳|酒|烟|运动|走)(?![^,。]*(?:它|\x00|喂|给))"
)  # 我是不是该洗牙了
ABOUT_THE_PET = re.compile(r"我(?:家|们家|的(?:猫|狗))|(?:回来|回家|发现|看到|监控)")


# What people do and animals never: a pet of which it is told is being joked about.
_BELIEVED = re.compile(
    r"(?<!别)(?<!不要)(?:一直|还|本来|原本|原|我|都)以为|(?:还|只)当(?:是)?(?=\x00|它|[吐拉尿便])|(?<!\x00)硬说|^(?:我)?(?:看|听|认)成(?!了?年)"
)
_GUESSES_AT_CAUSES = re.compile(r"(?:不知道|搞不清|不清楚|不晓得)[^,。]{0,6}是[^,。]{1,10}还是")
_MY_FEELING = re.compile(
    r"一(?:看|听|想|见)[^,。]{0,12}就(?:害怕|紧张|心慌|想哭|担心|心疼|头疼|来气|生气|发愁|心软|后怕|难过)"
)
_HUMAN_DEED = re.compile(
    r"[给跟]我(?:转|打|发|汇)(?:了|来)?[^,。]{0,4}(?:块|元|百|千|万|红包|工资)|(?:自己|偷偷|居然|竟然|都|会|能|要|在|说|想|去)[^,。我]{0,4}(?:点(?:了)?外卖|涨工资|(?:发了?|拿)[^,。]{0,4}(?:年终奖|奖金|绩效)|转(?:了|账)?[^,。]{0,6}(?:块钱?|[百千万]|红包|账)|发(?:了)?(?:朋友圈|微信|红包|短信)|写(?:作业|论文|代码|日记)|交房租|刷信用卡|商量|谈判|讲条件|签(?:合同|协议)|涨?(?:零花钱|工资|薪)|入职|上岗|转正|当(?:总统|老板|领导|明星|皇帝)|考(?:驾照|研|公|编|证|试)|开(?:汽)?车(?:去|来|带)|打麻将|斗地主|炒股|网购|下单|上网课|报(?:了)?(?:个)?(?:名|班)|竞选|移民|结婚证|贷款|买房|创业|开公司|交税|请(?:了)?假|辞职|跳槽|投简历|染发|化妆)|(?:通宵|熬夜)[^,。]{0,3}(?:打|看|玩|刷|赶)|打游戏|(?:(?:做饭|洗碗|拖地|扫地|洗衣服?|叠被子?|擦窗户?|倒垃圾)、?(?:做饭|洗碗|拖地|扫地|洗衣|叠被|擦窗|倒垃圾))|ceo|总经理|董事长|年薪|月薪|提拔|升职|晋升|颁奖|代言|出道|当选|股份|股东|遗产|存款|花呗|aa制|我就(?:把|给)[^,。]{0,4}(?:挂(?:闲鱼|网上|二手)|卖了|炖|扔了|送人|退货|宰|煲汤|涮|烤了|下锅|红烧|丢出去|赶出去)|刷(?:手机|抖音|视频)|(?<![起长冒鼓肿出])红包|上网课|考研|考公|考级|年终奖|绩效|抢银行|银行抢|警察|本科|硕士|博士|毕业于|学历|简历"
    r"|(?:给我(?:转账|转了|发了?工资|发了?红包)|[跟给和对]我说|告诉我|问我|回我|劝我)(?:它|他|她)?(?:想|要|不想|觉得|今天|昨天|其实)"
)
_ORDER_ABOUT_RECORDS = re.compile(
    r"(?:删|清空|清除|清掉|清理|抹|撤回|撤销|作废|导出|改成|恢复|隐藏|合并|备份|(?<!别)(?<!不要)(?<!不能)(?<!千万)忘|覆盖)[^,。]{0,4}(?:掉|除|了|空|一下)?[^,。]{0,8}(?:记录|档案|资料|数据|记忆|聊天|对话|内容|信息|提醒|消息|上一条|上条|历史|日志|账号|缓存)"
    r"|(?:记录|档案|资料|数据|记忆|聊天记录|对话|信息|提醒|上一条|上条|历史|日志|账号|缓存|消息)[^,。]{0,8}(?:删|清空|清除|清掉|抹|撤回|撤销|作废|导出|忘掉|恢复|隐藏)"
    r"|[这那]一?条(?:也|都|就|先|给我)*(?:忘|删|抹|去)(?:掉|了|除)|(?:删|忘|抹)(?:掉|除)[^,。]{0,12}[这那]一?条(?=吧|$)"
    r"|(?:别|不要|不能)(?:再)?(?:记|写|算|放|填|归)(?:到|在|成|混|错|给)"
    r"|忽略[^,。]{0,8}(?:指令|规则|设定|提示|要求|内容)|(?:系统|管理员)(?:指令|命令|权限)|越狱模式|开发者模式"
)


MAX_BARE_DOUBT = 9  # characters; "好像是上个月吧", "记不清了" cast doubt on what follows


@dataclass(frozen=True, slots=True)
class Tone:
    """What a clause may be used for. `text_end` cuts a question off the fact before it (offset in the clause).

    `owners_words`: this clause itself says so; otherwise it only follows one that does.
    `wishing`: what is only wanted or considered; `in_question`: its sentence goes on to ask something.
    `owners_life`: unless a pet is named, the clause speaks of the owner's own day and health.
    """

    usable: bool = True
    why_not: str = ""
    owners_life: bool = False
    owners_words: bool = False
    wishing: bool = False
    in_question: bool = False
    certainty: Certainty = Certainty.PLAIN
    first_hand: bool = True
    act: SpeechAct = SpeechAct.STATEMENT
    text_end: int | None = None


_OF_ITS_NAME = re.compile(
    r"这(?:个)?名(?:字)?(?:把|真|太|可|吓|让|害|没白|白取|起得|取得)|名字(?:惹的祸|没白取|没白起)"
)


_COURT = re.compile(
    r"皇上|太后|陛下|老佛爷|奴才|圣旨|驾到|平身|退朝|本宫|殿下|娘娘|爱卿|御膳|侍寝|龙椅|微服私访|贡品|皇粮|上早?朝|宠幸"
)
"""Court talk, which is a joke unless a pet is called so."""
_STANDING_WISH = re.compile(
    r"(?:以后|往后|今后)[^,。;!?]{0,8}(?:翻译|译文|文案)|(?:翻译|译文)[^,。;!?]{0,4}(?:取消|去掉|不用|不要|别|停|免|省)|(?:取消|去掉|不用|不要|别|停|免|省)[^,。;!?]{0,4}(?:翻译|译文)"
)
"""以后英文翻译取消: how answers should look, no text to be translated."""


def is_no_report(folded: str, names: Iterable[str] = ()) -> str:
    """Why a whole message says nothing about a pet (a chore, a story, bare assent), or "" when it may.

    names: of the pets, folded; one that is called 皇上 is nobody of a story.
    """
    bare = "".join(ch for ch in folded if ch.isalnum())
    if not bare or bare.isdigit():
        return "empty"
    if _ASSENT.fullmatch(bare[:60]):
        return "assent"
    for name in names:
        folded = _COURT.sub("", folded) if _COURT.search(name) else folded
        folded = folded.replace(name, "\x00") if name else folded
    folded = _STANDING_WISH.sub("", folded)
    return "story" if _NO_REPORT.search(folded) or is_put_on(folded) else ""


def told_by_others(text: str) -> bool:
    """Whether a clause is what somebody says who is neither the owner nor has examined the animal."""
    return bool(_HEARSAY.search(text) or _SOMEBODY_SAYS.search(text))


def tones_of(clauses: list[Clause]) -> list[Tone]:
    """One tone a clause; hearsay, suppositions and news reach to the end of their sentence."""
    tones: list[Tone] = []
    sentence, supposed, elsewhere, hearsay = -1, False, False, False
    correcting = owners = doubting = False
    own = {clause.sentence for clause in clauses if _OF_MYSELF.search(clause.text)}
    undone = {one.sentence for one in clauses if _NEAR_MISS.search(one.text) or is_called_off(one.text)}
    asked = {clause.sentence for clause in clauses if _asks(clause)}
    joked = joked_about(clauses)
    joking = False
    for number, clause in enumerate(clauses):
        if clause.sentence != sentence:
            sentence, supposed, elsewhere, hearsay = clause.sentence, False, False, False
            joking = sentence in joked
            owners = sentence in own
        supposed = (supposed or bool(_SUPPOSED.search(clause.text))) and not _STANDING_ORDER.search(clause.text)
        elsewhere = (elsewhere and not _OWN_ACT.search(clause.text)) or (
            _ELSEWHERE.search(clause.text) is not None and not _FED_CHEAPLY.search(clause.text)
        )
        hearsay = told_by_others(clause.text) or (hearsay and not _FIRST_HAND_AGAIN.search(clause.text))
        correcting = correcting or bool(_CORRECTING.search(clause.text))
        told = _WHILE_I.sub("", clause.text)
        words = bool(_OWNERS_LIFE.search(told) or _SOMEBODY.search(told))
        owners = words or (owners and not ABOUT_THE_PET.search(clause.text))
        after = clauses[number + 1].text if number + 1 < len(clauses) else ""
        joking = (joking and not BY_THE_WAY.match(clause.text)) or does_as_people_do(clause.text)
        joking = joking or bool(_HUMAN_DEED.search(clause.text) and not _OF_MY_MEANS.match(clause.text))
        before = clauses[number - 1] if number else None
        tone = Tone(usable=False, why_not="joke")
        if clause.sentence in undone and is_of_a_near_miss(clause.text):
            tone = Tone(usable=False, why_not="near miss")
        elif before is not None and is_ironic(before, clause):
            tone = Tone(usable=False, why_not="sarcasm")
        elif _is_a_mere_guess(before, clause):
            tone = Tone(usable=False, why_not="guess")
        elif hearsay and (_OF_THE_TELLER.search(clause.text) or _WAS_NOT_THERE.search(clause.text)):
            tone = Tone(usable=False, why_not="of the teller")
        elif _TOLD_YOU.search(clause.text) and clause.sentence in asked:
            tone = Tone(usable=False, why_not="question")
        elif not joking:
            tone = _tone(clause, after, supposed, elsewhere, hearsay, correcting)
        if tone.why_not == "question" and clause.asked and before and _is_recalled(before, clause):
            tone = Tone(certainty=Certainty.HEDGED)
        if doubting and tone.usable and tone.certainty is Certainty.PLAIN:
            tone = replace(tone, certainty=Certainty.HEDGED)
        doubting = len(clause.text) <= MAX_BARE_DOUBT and _casts_doubt(clause.text)
        wishing = _WISHING.search(clause.text) is not None
        tones.append(
            replace(tone, owners_life=owners, owners_words=words, wishing=wishing, in_question=clause.sentence in asked)
        )
    return tones


def _tone(clause: Clause, after: str, supposed: bool, elsewhere: bool, hearsay: bool, correcting: bool) -> Tone:
    text = clause.text
    if supposed:
        return Tone(usable=False, why_not="hypothetical")
    if elsewhere:
        return Tone(usable=False, why_not="elsewhere")
    if _ON_CONDITION.search(text) and not _HAS_TO_WAIT.search(text):
        return Tone(usable=False, why_not="hypothetical")
    if is_only_weighed(text) or is_threat(text):
        return Tone(usable=False, why_not="hypothetical")
    if _NEAR_MISS.search(text):
        return Tone(usable=False, why_not="near miss")
    if _ASSISTANT_SAID.search(text):
        return Tone(usable=False, why_not="assistant's words")
    if (_CHORE.search(text) and not _FROM_NOW_ON.search(text)) or _ORDER_ABOUT_RECORDS.search(text):
        return Tone(usable=False, why_not="chore")
    if _BELIEVED.search(text):
        return Tone(usable=False, why_not="taken back")
    if _GUESSES_AT_CAUSES.search(text):
        return Tone(usable=False, why_not="guess")
    if LOST_THING.search(text):
        return Tone(usable=False, why_not="chore")
    if _OF_ITS_NAME.search(text):
        return Tone(usable=False, why_not="its name")
    if _TURNED_INTO.search(text):
        return Tone(usable=False, why_not="likeness")
    if _MY_FEELING.search(text):
        return Tone(usable=False, why_not="owner's feeling")
    if _PROVERB.search(text):
        return Tone(usable=False, why_not="saying")
    if _ACKNOWLEDGED.search(text):
        return Tone(usable=False, why_not="assent")
    if _OR_ELSE.match(text):
        return Tone(usable=False, why_not="hypothetical")
    if clause.quoted:
        return Tone(usable=False, why_not="quoted")
    if text.endswith("是") and _QUESTION.search(after):
        return Tone(usable=False, why_not="question")  # 上次去医院是|因为什么来着
    end, asked = _question_part(clause)
    if asked and not clause.asked and _RECALLED.search(text) and not _QUESTION.search(text.removesuffix("吧")):
        end, asked = None, False  # 应该是去年打的吧
    if asked and _DOUBT.search(text) and not _QUESTION.search(text):
        end, asked = None, False  # "可能不耐受奶酪？" is a doubt, not a question
    if asked and _ASKED_AS_A_DOUBT.search(text):
        end, asked = None, False
    if asked and end is None:
        return Tone(usable=False, why_not="question")
    certainty = Certainty.PLAIN
    if hearsay:
        certainty = Certainty.HEARSAY
    elif _is_doubted(text[:end], correcting) or _DOUBT_OF_BEFORE.search(after):
        certainty = Certainty.HEDGED
    return Tone(certainty=certainty, first_hand=not hearsay, act=_act(text, correcting), text_end=end)


def _is_recalled(before: Clause, clause: Clause) -> bool:
    told = re.search(r"[过了]", clause.text) and not _QUESTION.search(clause.text)
    return len(before.text) <= 14 and bool(told and _DOUBT.search(before.text))


def _casts_doubt(text: str) -> bool:
    """好像是上个月吧 does; 找我打手机吧 only asks for something."""
    doubt = _DOUBT.search(text)
    if doubt is not None and doubt[0] in ("怀疑", "疑似"):
        return False  # 大夫怀疑青光眼 doubts the illness, not what was prescribed for it
    return doubt is not None and (doubt[0] != "吧" or _OF_WHEN.search(text) is not None)


def _is_a_mere_guess(before: Clause | None, clause: Clause) -> bool:
    """拉稀两天了，也可能是赶上换粮: what may have caused it, in a clause of its own."""
    same = before is not None and before.sentence == clause.sentence and not clause.asked
    return same and _MERE_GUESS.match(clause.text) is not None


_ASKED_FOR = re.compile(r"提醒|帮我|给我|设|定个|定一|安排|记(?:一下|着|得|到)")


def _is_doubted(text: str, correcting: bool) -> bool:
    """每周二提醒我给它刷牙吧 asks for something and doubts nothing; 改一下，应该是27号 puts right."""
    doubt = _DOUBT.search(text)
    if doubt is not None and correcting and doubt[0] in ("应该是", "应该"):
        return False
    return doubt is not None and not (doubt[0] == "吧" and _ASKED_FOR.search(text))


def _act(text: str, correcting: bool) -> SpeechAct:
    if _KEEPING.search(text):
        return SpeechAct.KEEP
    if correcting:
        return SpeechAct.CORRECTION
    return SpeechAct.DECISION if _DECIDING.search(text) else SpeechAct.STATEMENT


_SELF_DOUBT = re.compile(r"是不是我?(?:自己)?(?:多心|想多|多虑|太敏感|大惊小怪|太紧张|眼花|看错|错觉)")


def _asks(clause: Clause) -> bool:
    if clause.asked or _QUESTION.search(clause.text) is None:
        return clause.asked
    return not (_WHATEVER.search(clause.text) or _SELF_DOUBT.search(clause.text))


_OF_THE_QUESTION = re.compile(r"(?:(?<=[天周月日号])(?:猫咪?|狗[狗子]?))?(?:是|都|又|该)?$")
"""What stands before the words that ask and belongs to them: 我出差三天|猫怎么安排."""


def _question_part(clause: Clause) -> tuple[int | None, bool]:
    """(where the fact before the question ends, asked?). A fact is what happened, before an open question."""
    text = clause.text
    if (_NOT_ASKED.search(text) or _WHATEVER.search(text) or _SELF_DOUBT.search(text)) and not clause.asked:
        return None, False
    question = _QUESTION.search(text) or _ALTERNATIVES.search(text)
    if question is None and not clause.asked and (clause.closed_by == "," or not _WHAT_OF.search(text)):
        return None, False
    opening = _OPEN_QUESTION.search(text)
    start = min((match.start() for match in (question, opening) if match), default=len(text))
    prefix = text[:start]
    happened = _SURELY_HAPPENED if opening and _ASKS_LEAVE.match(opening[0]) else _EVENT
    told = happened.search(prefix) or _AILING.search(prefix)
    if opening and len(prefix) >= 4 and told and not _PRESUMED.search(prefix):
        return len(_OF_THE_QUESTION.sub("", prefix)), True
    guess = _GUESSES_AT_IT.search(text)
    ailing = text[: guess.start()] if guess else ""
    if len(ailing) >= 4 and "\x00" in ailing and _AILING.search(ailing) and not _PRESUMED.search(ailing):
        return len(ailing), True  # 豆豆肚子鼓鼓的|是不是怀了
    return None, True


_GUESSES_AT_IT = re.compile(r"是不是|会不会|是[^,。]{1,5}[吗么]$")
