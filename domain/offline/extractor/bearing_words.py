"""The wording of statements about known facts: no harm came, it may be eaten, the drug is stopped, it is cured."""

import re
from datetime import date

from memory.numerals import AND_A_HALF

_SIGNS = (
    "反应|事|异样|不适|挠|抓|痒|吐|拉|肿|红|疹|窜|不良|异常|问题|舔|流口水|软便|喷嚏|咳|喘|毛病|动静|症状"
    "|胀气?|打嗝|放屁|起包|疙瘩|痘|包|癣|红点|皮屑|窜|闹肚子|湿疹|腹泻|呕|掉毛|蹭|难受|不对劲"
)
_BODY = "皮肤|肚皮|肚子|肠胃|便便|大便|粑粑|屎|耳朵|身上|精神|眼睛|下巴|脸|爪子|毛|屁股|胃口|状态|呼吸|尿"
HARMLESS = re.compile(
    rf"没(?:啥|什么|有|任何|出现|起|长|冒|掉|[它他她\x00]|见着|再|怎么|见|看到|看见|发现|闹|见它|见她|见他|又|犯)*(?:{_SIGNS})"
    rf"|(?:啥|什么|任何)(?:事|反应|问题|毛病|动静)?(?:儿|也|都)*没|(?:{_BODY}).{{0,3}}?(?:挺|很|都|也|还|是|蛮|特别|依然|照样|一直)*(?:干净|正常|白净|白白净净|干干净净|好(?!像|几|多)|不错|光滑|成形|清爽|没事|没起|稳)"
    rf"|(?:{_SIGNS})(?:儿|都|也|一[点个颗])*没(?:长|冒|起|犯|见|有)"
    r"|(?:精神|胃口|食欲|状态|便便|吃喝)[^,。]{0,4}(?:还行|还可以|还不错|挺好|可以|ok|都好)|光溜溜|干干净净"
    r"|没(?:啥|什么)?变化|(?:便便|大便|屎|粑粑)[^,。]{0,3}硬"
    r"|没(?:怎么|再)?(?:飙|升|往上|反弹|掉秤)"
    r"|不(?:挠|抓|痒|吐|拉|肿|喘|咳|红)了?$|好好儿?的|好着呢|好得很|好好的|平安(?!无事)|没(?:什么|啥)?关系|都ok|(?:暂时|目前|到现在|至今|现在)(?:看|看着|看起来)?(?:都|也)?还?(?:行|好|可以|没|正常|OK|ok)|不打紧|不要紧|不碍事|问题不大|没啥大不了|安然无恙|相安无事|平安无事|屁事(?:儿|也|都)?没|活蹦乱跳|跟没事|无事发生|毫无反应|吃得(?:挺)?好"
    r"|(?:totally|all|perfectly|doing|is|was)?\s?fine|no (?:reaction|problem|issue|symptom)s?|(?:一点|完全)ok|ok的"
    r"|一[点个下次](?:儿)?[^,，。没]{0,3}(?:儿|也|都)没|一点(?:儿)?(?:事|反应|问题|毛病)没|一切正常|都(?:挺)?(?:正常|好好)|还正常|没[^,。]{0,4}那么(?:吓人|可怕|严重|邪乎|夸张)|(?<!有)没(?:再|有|怎么)?犯|一?切?如常|(?:尿|便|排)[^,。]{0,3}(?:顺|通畅|利索)|没(?:啥|什么)(?:嘛|的|呀|啊|大不了|$)|没(?:变|再)?(?:稀|软)|拉得[^,。]{0,3}(?:正常|好|成[形型])|没(?:有)?(?:再|新|又)?(?:长|起|冒|出)(?:过|啥|什么|任何)*(?:东西|脓|新的|别的|$)|没见哪[儿里]?[^,。]{0,3}(?:痒|肿|红|挠|疹)|(?:便便|大便|屎|粑粑|耳朵|皮肤).{0,4}(?:还行|成型|正常)"
)
PERMITTED = re.compile(
    r"不(?:用|再|必)?忌(?:口|讳)?|放开吃|解禁|(?<!不)(?<!没)(?<!别)(?:可以|能|敢)(?:正常|放心|随便|继续|恢复|开始|适量|少量|再)*(?:吃|喝|喂|用|打|碰)(?!不|坏|出)"
)
NOT_ALLERGIC = re.compile(
    r"(?:不|没|未)(?:会|有)?(?:引起|诱发|起|产生)[^,。]{0,3}反应|(?:不|没有?|并不|不再|从不|并非|不属于)(?:会|是|算|算是|对.{1,8})?过敏(?!原|源)|算不上过敏|不是.{0,8}过敏|过敏(?:已经|都|早就?|就|也|好像|似乎|应该|可能)*(?:好(?:了|啦|利索|全)|没了|是误|消失|过去了|不存在)|不存在的?$|脱敏成功|阴性|[(（][-－—][)）]|未检出|没(?:有)?检出"
    r"|(?:说|讲).{0,4}过敏的(?!是)|谁.{0,4}(?:说|讲).{0,6}过敏|过敏.{0,10}误(?:判|诊)|过敏.{0,8}(?:会好|能好|就好了|自己好|会消失)"
)
WHO_SAYS = re.compile(
    r"(?:怎么|咋)(?:就|会|给|还|又|把)*[^,。]{0,3}(?:记|写|标|算|归|弄)[^,。]{0,4}过敏|的(?:好吧|好不好|好吗|好嘛)$|"
    r"谁[^,。]{0,4}(?:说|讲|登记|记|写|录|填|标)[^,。]{0,12}过敏|哪(?:里|儿)?[^,。]{0,8}过敏(?:了|啊|呀)?$|怎么可能[^,。]{0,6}过敏"
)
SHIELDED = re.compile(
    r"抗过敏|抗敏|抗组胺|敏(?=[,，。]|宁|片|针|药|$)|氯苯那敏|苯海拉明|替利嗪|氯雷他定|地塞米松|地米|激素|泼尼松|强的松|脱敏针"
)
"""What is given so that no reaction comes; its not coming then says nothing."""
OTHER_CAUSE = re.compile(
    r"不是[^,。]{1,8}的(?:事|锅|错|原因|问题|缘故)|(?:未必|不一定|不见得|可能不|也许不)(?:就|真|会)?(?:是)?对.{1,8}过敏|(?:别的|其他|另外|当时).{0,12}(?:引起|导致|闹|弄|造成|刺激|的缘故|的问题)|(?:不一定|未必|不见得|也许不|可能不)是|过敏.{0,4}(?:可能|应该|也许|估计|大概|其实)?(?:是|是因为|因为|由于)(?:别的|其他|因为|由于)|[吃喝换].{0,10}闹的|说不定是|(?:搞不好|说不定|没准|也许|可能|会不会|别|怕)(?:就)?是[^,。]{1,8}(?:弄|闹|引起|害|惹|造成|整|导致)"
)
"""What was taken for an allergy may have had another cause."""
ALWAYS_HARMS = re.compile(
    r"^(?!.*(?:昨|今[天早晚]|刚|前天|上周|又)).*?(?:一|每次|只要|逢)?(?:吃|碰|沾|喝|喂|闻|用)[^,。]{0,8}(?:就|准|肯定|必|保准|都会|总会?|老是?|一定)[^,。了]{1,8}(?:的|了)?$"
)
"""What the thing does whenever it is taken (吃红薯肯定胀气): the known danger again, no happening of a day."""
AVOIDED = re.compile(
    r"(?:吃|喝|碰|沾|用)不[了得]|(?:别|不能|不可以|不许|不让|不要|不敢|不给|禁止?|忌|避开|远离|戒)(?:再|让|给|喂|乱|随便|它|他|她|\x00|碰|吃|喝|用|打|沾)+"
)
"""The owner keeps the thing away, which says the danger again."""
ALSO_BAD = re.compile(
    r"也(?:得|要|该)(?:避|忌|躲|戒|禁|停)|也(?:别|不)(?:给|喂|吃)|也(?:是|一样|会)?(?:拉稀?|吐|痒|挠|起疹|起红|肿)(?!过|的)|也(?:不(?:太|大|怎么|是很)?(?:行|成|中)|不能(?:吃|喝|碰|用)|中招|踩雷|过敏|不耐受|碰不得|吃不了|受不了|不可以)"
)
_STRUCK = "删|去掉|取消|撤|划掉|不用管|拿掉|抹掉|摘掉|解除|作废|不算数|清掉|不用记|别记"
_ENTRY = "过敏|不耐受|禁忌|禁用|忌口|这条|那条|这项|那项|标签"
DELETED = re.compile(rf"(?:{_STRUCK}).{{0,8}}(?:{_ENTRY})|(?:{_ENTRY}).{{0,8}}(?:{_STRUCK})")
TAKEN_BACK = re.compile(
    r"(?<!没)(?<!没有)(?<!不会)(?<!别)(?:听|记|搞|弄|说|看|写|填|打|选|点|认|张)(?:错|混|岔|反(?!应)|串|颠倒)|(?:写|记|说|报|填|登|打|听|录)成(?!习惯)|误会|记录有误|记得不对|张冠李戴|手抖|手滑|手误|口误"
)
ALLERGY_TEST = re.compile(
    r"过敏原|激发试验|排查|(?:查|测|检测|化验)[^,。]{0,4}(?:过敏|出来)|(?:检测|化验|测试)(?:结果|报告)"
)
TESTED = re.compile(r"医生|大夫|兽医|医院|复查|检查|化验|检测|报告|阴性|未检出|没检出|pcr|指标|结果")

CURED = re.compile(
    r"(?:能|会|就)好(?!吃|玩|好|用)|误诊|(?:查|检查|医院|医生|大夫)(?:说|出)?(?:没有|不是)|排除|(?<![商说约定想谈备排买弄收讲聊吃])(?<!商量)(?<!安排)(?<!准备)好(?:了|啦|全|透|利索)(?!也|都|还|再|就|之后|以后|的话|才)|清(?:掉|除|干净)|排干净|痊愈|治愈(?!一切|系|人心|我)|康复(?!训练|科|期|治疗|中心|理疗|师)|根治|断根|没(?:有)?[了啦]|消失|转阴|阴性|未检出|没(?:有)?检出|好(?!几|像|多|久|些|不).{0,3}(?:天|周|个?月|年)了|没病(?!吗)|没事了|没问题了|好得差不多|(?:就|早|已经?|都|就?该)?过去了(?=吧|$)|恢复(?:了|正常)|长好|自愈|摘帽|不用治|治好|断根|不再犯|没毛病|毛病没|(?:摘除|切除|切掉|置换)(?:了|完|成功)|哪像有|看不出有|哪里?有(?:什么|啥)?病|(?:临床|已经|完全|说|是)?缓解(?:了|期)"
)
RELAPSE_FREE = re.compile(
    r"没(?:有)?(?:再|怎么)?(?:犯|发作|复发|发过|加重)|(?<!没)(?<!没有)(?<!有所)(?<!症状)缓解(?!药|期要)|杠杠|倍儿?棒|棒棒的|好得很|好着呢|啥都能吃"
)
"""It did not come back so far, which is no cure."""
NOT_CURED = re.compile(r"好多|好些|好点|好一点|好转|快好|好不|治不好|没好|不好|好得|(?:吃|喝|打|用|换|办|做)好")
DISEASE_PARTS = (
    "肾",
    "心",
    "肝",
    "胰",
    "胆",
    "肺",
    "肠",
    "髋",
    "膝",
    "甲亢",
    "甲减",
    "糖尿",
    "尿",
    "鼻支",
    "耳",
    "牙",
    "皮炎",
    "癫痫",
    "关节",
    "艾滋",
    "白血病",
    "传腹",
    "哮喘",
    "气管",
    "口炎",
    "结石",
    "贫血",
    "肿瘤",
    "甲状腺",
    "椎",
    "白内障",
    "青光眼",
    "真菌",
    "猫癣",
    "湿疹",
)

MISSED_DOSE = re.compile(
    r"忘(?:了|记)?(?:做|喷|吸|喂|吃|打|滴|给|涂|买|带|拌|放|加|服)|漏(?:喂|吃|打|滴|了|服|掉)|没补|补(?:吃|上|喂|打)|吐(?:了|出来|掉)|没(?:吃|喂|打|滴)(?:上|成|着|到|进)|[吃喂打滴]晚|晚了"
    r"|断(?:了|过|顿)?(?:快|整整|大概|差不多)?[一二两三四五六七几\d]+(?:天|顿|次|回)|断货|没货|没买到|少(?:吃|喂|打|滴)了?[一二两三几\d]|来不及(?:喂|买|打)|多(?:吃|喂|打|滴|给)了?[一二两三半\d]|重复(?:喂|吃|打|滴)|(?:喂|吃|打|滴)(?:重|了两[遍次回])了?|没(?:喂|吃|打|滴|做)成|掉(?:地|到)|(?:就|便|于是|所以)先?没(?:敢|给)?(?:喂|吃|打|滴|用|给)\x00*药?$"
)
NOT_GIVEN = re.compile(
    r"(?:忘|漏)(?:了|记)?(?:做|喷|吸|喂|吃|打|滴|给|涂)|(?:今|昨|前天|早上|晚上|刚|这顿|这次|周[一二三四五六日末]).{0,8}没(?:给|有|来得及|能|顾上)?.{0,4}(?:打针?|喂药?|吃药?|滴|涂|打药)(?!过)|(?:针|药).{0,3}(?:忘|漏|没打|没喂|没吃)"
)
"""One dose that was left out, told with its day: 昨晚没打针."""
STOPPED = re.compile(
    r"停(?!车|下|在|电|留|顿|一下)|断(?:药|了)|不(?:想|愿意|打算|准备|会|用)?再?(?:给.{0,6}|让.{0,6}|用|继续)?(?:吃|喂|打|滴|用|涂|点)(?:药|了)|不再?需要(?!换|加|调)|没(?:有)?在(?:给.{0,4})?(?:吃|喂|打|滴|用|涂)|没(?:有)?再(?:给.{0,4})?(?:吃|喂|打|滴|用|涂)|没(?:吃|喂|用|打|滴)了$|(?:吃|打|用|喂|滴)完(?:了|就|咯|啦|喽|的|好久|收工|结束|停|拉倒|$)|疗程[^,。]{0,4}(?:结束|完|走完|够)|(?:不用|不必|不需要?|可以不|无需|用不着)(?:再|继续)(?:给.{0,4})?(?:吃|喂|打|用|滴)|撤(?:药|了|掉)|不续|没续|药[^,。]{0,3}(?:全|都|一概|统统)?不(?:再)?(?:给|喂|吃|打|用)(?:了|$)|不给药了|戒断|减停|(?:吃|打|用|喂|滴|喷)(?:满|够)(?:了|$|疗程)|(?:吃|打|用|喂)到头了|到此(?:为止|结束|打住)|(?:就)?到(?:今天|昨天|这[儿里]?)(?:为止|打住)|告一段落|(?:画|划)(?:上|个)?句号|拉倒(?:吧|了|$)"
)
ENDED_FOR_GOOD = re.compile(
    r"(?:所以|于是)?(?:我|咱|我们|以后|往后|再也|从此|就|也|都|坚决|彻底|一[片粒颗针口]|从[^,。]{1,5}(?:起|开始))*(?:都|也|就)?不(?:再|想)?(?:给|让)?(?:它|他|她|\x00)*(?:喂|打|用|滴|给)(?:它|他|她|\x00|药)*(?:了|啦)$"
    r"|(?:[^,。]{0,8}(?:从|自)[^,。]{1,6}(?:起|开始)|以后|往后|从此)?(?:我|咱|就|决定|药|它|他|她|\x00)*(?:一[片粒颗滴针]|半[片粒颗])(?:都|也)不(?:再|想|会)?(?:给|让)(?:它|他|她|\x00)*(?:吃|喂|打|用)?(?:了|啦)$"
)
"""The owner ends a drug for good: 我不喂了, 从今天起一片都不给他吃了."""
BEGUN_AGAIN = re.compile(
    r"重新(?:开|吃|用|打|喂|上)|又(?:给|让)?(?:重新)?(?:开|上)(?:了|始|上|回|起)|再次(?:开|用|上)|二进宫"
)
CHANGE_ASKED = re.compile(r"用不着|不必|没必要|不用|减|停|换|断|撤|戒|不(?:吃|用|打|喂|滴)")
NEVER_MISSED = re.compile(r"(?:没有?|从不|从没)(?:断|停|落|漏|忘)过?(?!药)")
STILL_GIVEN = re.compile(
    r"(?<!先)(?<!别)[吃用滴打喂涂点吸喷敷抹]着(?:呢|的|$)|坚持着|坚持(?:了|得)[^,。]{0,4}(?:呢|好)|(?:(?<!没)(?<!之外)(?<!以外)(?<!除了)还|照|照常|照旧|继续|一直|仍|接着|坚持|(?<!没)(?<!不)(?<!没有)(?<!用)(?<!必)(?<!要)再)(?:在|着)?(?:给)?(?:吃|用|打|滴|喂|涂|点|吸|喷|敷|抹)|重新(?:开|吃|用|打|喂)|又(?:给)?开了|又(?:开|吃|用|打)(?:始|上|回)|每[天晚早次]都?(?:有在?|在)?(?:吃|用|打|滴|喂|涂)(?:着|了|的)?$|(?:天天|每天|日日|顿顿|次次|早晚)[^,。]{0,3}(?:打卡|报到|不落|没落|不断|照做|到位)|雷打不动|(?<!没)(?<!不)(?:按时|准时|定时|按顿|乖乖|好好)(?:在|地)?(?:吃|用|打|滴|喂|涂|吸|喷)"
)
BORNE_OUT = re.compile(
    r"果然(?!没|不)|果真(?!没|不)|还真是|证实|确实(?:是|会)?(?:过敏|对)|(?:就|还)是.{1,8}(?:的问题|闹的|害的)"
)
"""What was feared is seen to be so: 换了不锈钢盆下巴好了，果然是塑料盆的问题."""
IN_HEAT = re.compile(
    r"发情|闹[猫春]|叫春|来?例假|来?(?:大)?姨妈|月经|怀孕|怀上|怀了|有喜|怀\x00+|有\x00+了|(?:有|怀|揣)(?:上|了|着)*(?:宝宝|崽|娃|小[猫狗])|揣上|(?:带|当)(?:崽|妈|爹)|有身孕|要生(?!气|日|病)|没(?:绝|做|切|摘|去|割)[^,。]{0,2}干净|绝育失败|配上了"
)
"""What a neutered animal should not show."""
RHETORICAL = re.compile(r"哪像|哪里?有|看不出有")
BY_EYE = re.compile(r"看着|看上去|看起来|瞧着|摸着|我看")
LESSENED = re.compile(r"省[了掉]|减(?:药|量|掉|少|一减|点|一?些|半)|少(?:吃|打|滴|喂)")
_TOLD_DOSE = re.compile(
    r"(?:每次|一次|一回|每顿|每天|一天|早晚各?|早上|晚上|现在|[吃喂打滴涂喷])(?:[吃喂打滴给喷]|就|都|各)*\s*(?P<number>\d+(?:\.\d+)?|[一二两三四半])\s?(?P<unit>mg|ml|毫克|毫升|个?单位|iu|片|粒|颗|滴|支|喷|包)(?P<half>"
    + f"{AND_A_HALF})?"
)
"""An amount told as what is given, without a word of change: 现在每次吃100毫克."""
DOSE_UNIT = {"毫克": "mg", "毫升": "ml", "iu": "单位", "个单位": "单位"}
PROPOSED = re.compile(
    r"要不|不如|考虑|想试|(?<!不)打算|是不是可以|(?<!不)(?<!别)想(?!起|到|不|必|吃|喝|玩|睡)|想着|感觉.{0,8}可以|可能可以|要么"
)
SWAPPED = re.compile(r"换")
ORDINARY_FOOD = re.compile(
    r"(?<!别)(?<!不)(?<!不能)(?<!没)(?:吃|喂|给|上|改|掺|混|拌)(?:着|了|回|成|点|上)?(?:[一两三几\d]+[天顿周])?.{0,4}(?:普通|平价|商业|超市|自制|便宜|以前的|原来的)(?:的(?:了|$)|(?:的)?.{0,3}(?:粮|饭|罐))|换(?:回|成|了|到|上)?.{0,4}(?:普通|一般|便宜|平价|原来的|以前的|商业|超市)(?:的)?.{0,2}(?:粮|猫粮|狗粮)|换(?:成|了|回)?普通的|(?:不吃|不喂|停了?|断了?)处方|不[^,。处]{0,8}(?:吃|喂)处方|处方粮?.{0,6}(?:停了|不吃|不喂|断了|不买|没再?买|没续)|跟着(?:吃|喝)[^,。]{1,8}粮"
)
SWITCHED_FOOD = re.compile(
    r"(?:换|改)(?:成|了|回|吃|喂|为|到|上)+(?![一二两三四五六七八九十几半\d]+个?(?:天|周|月|年|次|顿|星期|袋|包))(?![^,。]{0,6}(?:处方|水解|低敏|医生))"
)
"""Another food than the prescribed one, whatever it is; the clause has to name it."""
SETTLED_ON = re.compile(r"干脆|就(?:吃|用|喂)这|以后|不买|定了|改成|决定|一直(?:吃|喂)")
SLIPPED = re.compile(
    r"(?:打|写|记|说|看|称|输|填|量|听|搞|弄|录|登|报|抄|存)(?:错|反|串|岔|混|漏)|删|作废|不算|[眼看][花岔]|不准|不对|有误|没归零|没调零|没校准|偏[高低重轻]|[多少](?:写|打|算|输|按)了?"
    r"|(?:说|报|写|称|算|记|打)[多少]了|手一?抖|手滑|手误|口误|更正|纠正|改一下|改下|应该是|其实是?|实际|准确|真实|重新称|不是|忘(?:了)?减|没减|[写记说算打填报输看]成"
)
"""A slip of the pen or the scales is told; what it was about is for the figures to say."""
MISTAKEN = re.compile(
    r"(?:打|写|按|输|敲|录|看|记|填|报)成|手一[抖滑]|(?:数字|小数点|[个十]位)[^,。]{0,4}(?:反|倒|错|换)|(?:敲|按|打|写|记|说|看|称|输|填|量|算|录|登|报|抄|存)(?:错|反|串)|手[抖滑误]|口误|更正|纠正|没归零|没调零|没校准|(?:写|打|算|输|按|称)[多少]了|称[^,。]{0,3}不准"
)
"""A slip is told outright, so that the one figure named is the right one: 昨天称错了，是4.1kg."""
WITH_THE_BOX = re.compile(r"净重|(?:连|带着?|算上|包括|加上|抱着?)[^,。]{0,3}(?:笼|包|袋|箱|毯|窝|衣|秤|称)")
"""The first figure counted more than the animal."""
SET_FIGURE = re.compile(
    r"(?:体重|斤|kg|记录|那[次条])[^,。]{0,4}(?:改成|改为|更新[成为]|改到)\s*(?P<figure>\d+(?:\.\d+)?)\s?(?P<unit>kg|公斤|千克|斤|g|克)?"
)
WRONG_FIGURE = re.compile(
    r"(?:(?:打|写|记|说|看|称|输|报|填|录)(?:错|反|串)|(?:体重|斤|kg)[^,。]{0,6}(?:不对|有误|错了?)).{0,10}?(?:应该是|其实是|是|改成|为)\s*(?P<figure>\d+(?:\.\d+)?)\s?(?P<unit>kg|公斤|千克|斤|g|克)?"
)

ASKED = re.compile(r"真的假的|真的吗|是真是假|有没有可能|[?？]|是不是(?!.{0,2}知道)|能不能|可不可以|要不要|[吗么]$")
HEARD = re.compile(r"听.{1,8}(?:说|讲)|据说|有人(?:说|讲)|网上(?:说|讲)|都说")
REACHED_WEIGHT = re.compile(
    r"(?<!要)(?<!想)(?<!得)(?<!该)(?<!标)(?:减|瘦|掉|胖|涨|长|重)到了?\s*(?P<figure>\d+(?:\.\d+)?)\s?(?P<unit>kg|公斤|千克|斤)(?:了|啦|$)"
)
POLITE = re.compile(r"^(?!.*(?:应该|可能|好像|估计|感觉|大概|也许)).*(?:停|删|改|去|取消)(?:了|掉)?吧$")
"""吧 at the end of a request asks politely; it does not doubt."""
GUESSED = re.compile(
    r"应该(?!是)|吧|呗|好像|可能|估计|感觉|说不定|看来|看样子|莫非|难道|怕是|兴许|也许|或许|大概|搞不好|八成|没准|不会是|不至于|寻思|琢磨着|(?:我|依我|在我)看(?!到|见|了|过|病|着|医|兽|完)|貌似|疑似|怀疑"
    r"|哈哈|hh|嘻嘻|嘿嘿|狗头"
)
DOUBTS_THE_RECORD = re.compile(
    r"含糊|模糊|印象[里中]|凭(?:着)?(?:印象|感觉|记忆|记性)|(?:不敢|没法|不好|不能)(?:就|真)?(?:拍板|打包票|下(?:结|定)论|咬定|断定)|拍不了板|没个?准(?:数|话|儿)?|犯嘀咕|心里没底|拿不准|说不准|吃不准|没把握|越想越(?:不|觉得|可疑)|不(?:太)?对劲|存疑|有(?:点|些)?疑问|记不(?:太)?[清得准起]|是不是(?:当时)?(?:我)?(?:记|搞|弄|听)|(?:可能|好像|也许|会不会)(?:是)?(?:我|当时)?(?:记|搞|弄|听|写)[错混岔串反]|不(?:太|大)?(?:靠谱|可信|可靠)|(?:好像|可能|似乎|怕是|应该|也许)[^,。]{0,3}(?:有误|有问题|不对|不准)|不至于|也不是[^,。]{0,3}(?:不得|不能|不可)|没(?:那么|想的?)[^,。]{0,4}(?:吓人|可怕|邪乎|严重|夸张)|怪怪的|打(?:个)?问号|我(?:怎么)?(?:觉得|感觉|记得)[^,。]{0,4}(?:不是|是跳蚤|是换季)"
)
"""Of a known danger: whether it was ever so, worded as a feeling about the record."""
JOKED = re.compile(r"哈哈|hh|嘻嘻|嘿嘿|狗头|开玩笑|逗你|手动|233")
UNDECIDED = re.compile(
    r"还没(?:定|想好|决定)|没(?:想好|决定)|(?:没|还没|未|没能)(?:下|定|拿)(?:得了|定|下)?(?:决心|主意)|下不了(?:决心|手)|没(?:松口|答应|照做|照办|行动|采纳)|没(?:听|理)(?:他|她|\x00)?(?:们)?(?:的)?$|想试试|(?:正在|在)?考虑|(?<!不)(?<!没)打算|琢磨|寻思|盘算|犹豫|纠结|拿不定|没拿定|要不要"
)
DOSAGE = re.compile(
    r"(?:一天|每天|每日|一日|每次|一次|早晚|隔天|早上|晚上).{0,6}(?:[一二两三四半\d](?:\.\d+)?\s?(?:次|片|粒|颗|滴|ml|mg|毫升|毫克|个?单位))"
)
GENERIC_DRUG = re.compile(r".{0,2}(?:药丸|胶囊|药粉|药水|药膏|药片|药|针|滴剂)")

_DOSE = re.compile(
    r"(?:(?:加|减|改|调|增|升|降|换|涨|提|砍)(?:量|回|到|成|为)*(?:到|成|为|至|吃|喂|打|用|滴)\s*(?:早晚|每次|一次|每天|一天)?各?"
    r"|(?:往[上下]|[上下])调了?[,，]?(?:每次|一次|一回|每顿)[吃喂打给用]?|[加减增]了?药?量了?[,，](?:每次|一次|一回|每顿|到|成)?[吃喂打给用]?)"
    r"\s*(?P<number>\d+(?:\.\d+)?|[一二两三四半])\s?(?P<unit>mg|ml|毫克|毫升|个?单位|iu|片|粒|颗|滴|支)?(?P<half>半)?"
)
_DAY = re.compile(
    r"(?P<denied>不是|而不是|并非)?(?:在)?(?:(?P<month>\d{1,2})月(?P<of_month>\d{1,2})[号日]?|(?P<day>\d{1,2})[号日])"
)
STAGE_NAMES = r"[轻中重]度|(?:早|中|晚|末|初发|膨胀|未成熟|过?成熟|过熟|失?代偿)期"
_STAGE = re.compile(
    r"(?:还是|仍是|依然是|维持(?:在)?|稳定在|保持(?:在)?|升|进展|发展|恶化|变|到|降|退|转|成|掉|回|跌|好|进|往|算|属于|定为|判)(?:到|成|为|了|回|入)*\s?(?:iris\s?)?(?P<stage>[1-4一二三四][期级度型]|[abcd][12]?期?|"
    rf"{STAGE_NAMES})"
)
_NO_DOSE = re.compile(
    r"\s?个?(?:天|日|次|回|遍|顿|周|星期|月|小时|号|点|分|岁|年|公斤|千克|斤|kg|克|g(?![a-z])|%|度|元|块|勺|罐|袋|期|级)"
)
"""What a figure counts when it counts no dose: 减成一天一次 tells how often, 减到5公斤 how heavy."""
_NEW_RHYTHM = re.compile(
    r"(?:(?:改|减|加|换|调|降|变)(?:成|到|为|至|了)?|(?:今[天日晚]|明天|现在|以后|[周月]|[号日])(?:起|开始)[,，]?|医生?(?:说|让|话|叫)?(?:可以)?)\s*(?P<rhythm>(?:一天|每天|每日|一日|隔天|隔日|隔一天|每晚|每早|早晚|每?隔?[\d一二两三四六八]+个?(?:小时|天|周))[^,，。]{0,5}?(?:[一二两三四\d](?:次|回|遍)|$))"
)
_UNIT = re.compile(r"\d\s?(mg|ml|毫克|毫升|个?单位|iu|片|粒|颗|滴|支)")
_NUMBERS = {"一": 1.0, "二": 2.0, "两": 2.0, "三": 3.0, "四": 4.0, "半": 0.5}


def changed_dose(text: str, known: str) -> tuple[tuple[str, object], ...] | None:
    """The new amount that a clause gives a known drug, in the unit of the old one when none is said."""
    told = _DOSE.search(text)
    if told is None:
        return None
    if told["unit"] is None and _NO_DOSE.match(text, told.end("number")):
        return None
    unit = (told["unit"] or "").removeprefix("个") or (match[1] if (match := _UNIT.search(known.lower())) else None)
    return (("number", _amount(told["number"], told["half"])), ("unit", unit)) if unit else None


def _amount(figure: str, half: str | None) -> float:
    """一片半: the figure, and a half where one is said behind the unit."""
    return (_NUMBERS.get(figure) or float(figure)) + (0.5 if half else 0)


def told_dose(text: str, known: str, before: str = "") -> tuple[tuple[str, object], ...] | None:
    """The amount that a clause tells, where the recorded one has the same unit and another figure.

    before: the clause that stands before it; 加量了 may stand there.
    """
    told = _TOLD_DOSE.search(text)
    bare = _BARE_DOSE.search(text) if told is None and ADJUSTED.search(f"{before}，{text}") else None
    if bare and (unit_on_record := _UNIT.search(known.lower())):
        unit, number = DOSE_UNIT.get(unit_on_record[1], unit_on_record[1]), float(bare["number"] or bare["before"])
    elif told is None:
        return None
    else:
        unit = DOSE_UNIT.get(told["unit"], told["unit"])
        number = _amount(told["number"], told["half"])
    recorded = {
        _amount(figure, half)
        for figure, written, half in _RECORDED_DOSE.findall(known.lower())
        if DOSE_UNIT.get(written, written) == unit
    }
    return (("number", number), ("unit", unit)) if recorded and number not in recorded else None


ADJUSTED = re.compile(r"[加减增]了?药?量|[上下]调|剂量|[加减]了?药|调了|调整")
_BARE_DOSE = re.compile(
    r"(?:每[晚早天次顿日]|一[次天日]|早晚|睡前|现在)(?:一次)?各?[吃喂打给用]?\s*(?P<number>\d+(?:\.\d+)?)"
    r"(?=$|[,，。;；!！了])|(?<![\d.])(?P<before>\d+(?:\.\d+)?)(?=一[次回顿]|每[次顿])"
)
"""An amount without its unit, beside a word of adjusting: 加量了，加巴喷丁每晚50."""
_RECORDED_DOSE = re.compile(
    r"(?<![\d.月])(\d+(?:\.\d+)?|[一二两三四半])\s?(mg|ml|毫克|毫升|个?单位|iu|片|粒|颗|滴|支|喷|包)("
    + f"{AND_A_HALF})?"
)
_DOSE_FIGURE = re.compile(
    r"(?<![\d.月])(\d+(?:\.\d+)?)\s?(mg|ml|毫克|毫升|个?单位|iu|片|粒|颗|滴)?(?![\d.月日号点天次])"
)


def corrected_dose(text: str, known: str) -> tuple[tuple[str, object], ...] | None:
    """The amount that takes the place of the recorded one, where both are named: 是3.6mg不是5.4mg."""
    recorded = {figure for figure, unit in _DOSE_FIGURE.findall(known.lower()) if unit}
    told = _DOSE_FIGURE.findall(text)
    others = [(figure, unit) for figure, unit in told if figure not in recorded]
    if len(others) != 1 or len(told) < 2 or len(told) == len(others):
        return None
    unit = others[0][1] or (match[1] if (match := _UNIT.search(known.lower())) else "")
    return (("number", float(others[0][0])), ("unit", unit.removeprefix("个"))) if unit else None


def changed_rhythm(text: str) -> str | None:
    """How often a drug is given from now on: 减成一天一次 → 一天一次."""
    told = _NEW_RHYTHM.search(text)
    return told["rhythm"] if told else None


_QUESTIONED_FIGURE = (
    r"(?:没有?|不止|不到|哪有|哪来|不可能|怎么可能)(?:有)?\s*{figure}|{figure}[^,。]{{0,3}}(?:那么|这么|太)[重多轻胖沉]"
)


def questions_figure(text: str, figure: str) -> bool:
    """Whether a clause doubts the recorded figure itself: 没有22那么重, 不止5斤."""
    return re.search(_QUESTIONED_FIGURE.format(figure=re.escape(figure)), text) is not None


def changed_stage(text: str) -> str | None:
    """The stage that a disease is said to have moved to: 升到3期 → 3期."""
    told = _STAGE.search(text)
    return told["stage"] if told else None


def corrected_day(text: str, known: date) -> date | None:
    """The day that takes the place of a recorded one: 是2月5号不是15号 → the fifth of that February."""
    for told in _DAY.finditer(text):
        if told["denied"]:
            continue
        try:
            day = known.replace(month=int(told["month"] or known.month), day=int(told["of_month"] or told["day"]))
        except ValueError:
            continue
        if day != known:
            return day
    return None
