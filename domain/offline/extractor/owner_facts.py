"""What a message tells of the owner: contact, home, work, allergies, how answers should look."""

import re
from collections.abc import Iterator
from dataclasses import replace

from domain.offline.extractor.owner_places import goes_to_a_clinic, tells_of_a_move
from domain.offline.extractor.owner_selves import tells_what_owner_is
from domain.offline.extractor.owner_times import (
    KIN,
    fetches_children,
    next_holiday,
    rhythm,
    sets_out_on,
    tells_of_my_time,
)
from domain.offline.extractor.owner_wishes import wishes_for_answers
from domain.offline.extractor.quantities import NUMBER
from domain.offline.extractor.reading import Draft, Reading, Scene
from memory.numerals import read_number
from memory.topics import Topic
from memory.vocabulary import AttributeClass

_ME = re.compile(r"我(?!家|们家|的猫|的狗|妈|爸)|我自己|我们(?!家)|本人|咱")
_ALLERGY = re.compile(
    r"(?:我|本人)(?:自己|本人|这人|其实)*(?:也|还|就|是)*(?:有点|轻微|严重)?对([^,。]{1,6}?)(?:轻微|严重|有点|也|是|很)*(不)?过敏(?!性)|(?:我|本人)(?:自己|这人|其实)*(?:有|是)?(?:点|轻度|轻微|严重|重度|一点)*的?([^,。对]{1,4})过敏(?!性)|(?:老公|老婆|孩子|儿子|女儿|宝宝|对象|男朋友|女朋友|我妈|我爸|室友)(?:也|有点)?对([^,。]{1,6}?)(?:有点)?(不)?过敏"
)
_CONTACT = re.compile(
    r"手机号?|新号|尾数|电话|微信号?|联系(?:方式|人|我)|尾号|邮箱|紧急联系|打(?:给)?我|号码|@|\*{2,}\d{2,}|急事|有事(?:就)?打|打1\d{2}"
)
_SOMEBODY_ELSE = re.compile(
    r"紧急联系|备用|(?:老公|老婆|我妈|我爸|对象|室友|爱人|先生|太太)(?:的)?(?:电话|手机|号|微信|吧|,|，|尾号)"
)
_OF_KIN = re.compile(
    r"(?:老公|老婆|我妈|我爸|媳妇|对象|男朋友|女朋友|室友|爱人|先生|太太|爸爸|妈妈|姐姐?|妹妹?|哥哥?|弟弟?|婆婆|公公|奶奶|爷爷|阿姨|朋友|邻居|女儿|儿子)"
    r"(?:的?名字)?(?:叫|姓|是)[^,，。\d]{1,6}[,，]"
)
"""我老婆叫小雨，电话…: whose number follows."""
_HIS_NUMBER = re.compile(r"(?:他|她|人家)的?(?:手机|电话|号码|微信|联系方式)")
_NAME_OF_KIN = re.compile(
    r"^(?:对了|还有|另外|哦)*我(?:家|们家)?(?:的)?"
    r"(?:老公|老婆|老伴儿?|老头子?|媳妇|对象|男朋友|女朋友|爱人|先生|太太|爸爸?|妈妈?|姐姐?|妹妹?|哥哥?|弟弟?|婆婆|公公|女儿|儿子|闺女|孩子|孙子|孙女|室友|阿姨|保姆)"
    r"(?:(?:的?名字)?(?:就|是)?(?:叫|姓|名叫)(?!我|你|它|他|她|什么|啥|醒|不|来|去|人|车|救|外卖|了|过|回)[^,，。\x00]{1,5}"
    r"|(?:一家|她们?|他们?|都|现在|已经|还|平时)*(?:(?:在|住|嫁到?|去了?)[^,，。\x00猫狗]{1,6}(?:上班|工作|上学|读书|念书|打工|住|生活|做生意|当兵)?|也?都?退休了?))$"
)
_REACHED_AT = re.compile(r"\d{3,}|\*{2,}\d{2,}|尾号|[a-z]{3,}\d*")
_CHANGED_CONTACT = re.compile(r"(?:手机号?|电话|微信号?|邮箱|号码?)(?:[^,。]{0,4})(?:换|改|停|变|不用)")
_NEW_ONE = re.compile(r"新的?|现在|换成|改成|以后|是")
_HOME = re.compile(
    r"^(?:我|我们|本人)?坐标[:是在]?[\u4e00-\u9fff]{2,6}$|(?:我们?|全家|家里)[^,。]{0,4}搬[^,。]{2,6}(?:来|去|住)了?$|把我(?:们)?(?:调|派|外派|安排)(?:到|去|来)?[^,。]{2,6}|我(?:们)?(?:被)?调(?:到|去|来)了?[^,。]{2,6}|(?:我|我们|全家|一家)?[^,。]{0,4}(?:回|在|到)[^,。]{1,6}(?:定居|落户|安家|落脚|常住|安顿)|(?:我们?|家)?(?:已经|刚|要)?(?:搬(?:到|去|来|回|家|过去|新)|(?<!切)换(?:到|去)[^,。第]{1,8}(?:这边|那边|小区)?(?:住|来了)|住在|(?:^|(?<=[我们家人都也还就直租搬时在前里]))住(?!院|[一二两三四五六七八九十几\d]+[晚天夜宿]|了[^,。]{0,3}(?:天|院|晚))|家在|(?:我|人)(?:人)?(?:现在|目前)?在(?:北京|上海|广州|深圳|杭州|成都|重庆|武汉|南京|西安|苏州|天津|长沙|郑州|青岛|厦门|福州|合肥|济南|大连|沈阳|哈尔滨|昆明|宁波|无锡|东莞|佛山)|换(?:了)?个?(?:住处|房子|小区|地方住)|地址[^,。]{0,3}(?:改|换)?(?:成|为|到|是(?!变|改|换)|在)(?=[^,。]{2})|(?:寄|送|发)到[^,。]{1,8}(?:区|路|街|[0-9]号|小区|栋|单元|苑|花园|公寓|大厦)|(?<!房)租(?:了|的|房|住|在|到|房子)|新家)[^,。]{0,12}"
)
_AT_SOMEBODYS = re.compile(
    r"住(?:在|到|去)?我?(?:老公|老婆|[弟妹姐哥妈爸]|婆婆|奶奶|爷爷|朋友|同事|闺蜜|[^,。]{1,3}(?:那边|那儿))家?"
)
_WORK = re.compile(
    r"^(?:我|其实|对了)*(?:老公|老婆|媳妇|爱人|对象|男朋友|女朋友|爸|妈|姐|妹|哥|弟|儿子|女儿|闺女)(?:就|也|以前)?是(?:个|一名|做|当|学|搞)?[^,。它他她猫狗这那]{0,6}(?:师|员|医|助理|护士|医生|老师|警察|的)$|我(?:就|才|只|是|也)*(?:小学|初中|高中|中专|大专|本科|技校|职高)(?:毕业|文化|学历|没念完|没读完)|我(?:是|本身是|就是|一个|一|这)?(?:个)?(?:做|干|搞|学|卖|跑|教|修|开)[^,。它他她猫狗这那了过给]{1,6}的(?:$|[^,。]{0,3}(?:看得懂|听不懂|看不懂|不懂|懂|不用|没学过|没念过|外行))|我(?:就|也|以前|之前|自己)?(?:是|当|干)[^,。它他她猫狗这那]{1,5}(?:师|员|工|生|教练|老板|助理|经理|主管|医助)(?:$|的$|[^,。]{0,3}(?:看得懂|听不懂|看不懂|不懂|懂))|我(?:是|自己|们)?(?:在)?开[^,。]{1,6}(?:店|馆|厂|公司|工作室|诊所|网约车|出租|滴滴|货车|大车|公交)(?:的|$)|我[^,。它]{0,4}(?:还在|在|刚)(?:读|念|上)(?:研|博|书|大[一二三四]|高[一二三]|初[一二三]|硕|本科|大学|高中|夜校)|^我(?:是)?在[^,。]{1,8}(?:做|当|搞|教|跑|干|上班|工作)[^,。]{0,6}的?$|第一次养(?:猫|狗|宠|兔|鼠)|头一回养|(?:没|没有|不会)(?:车|开车|驾照)|开车[^,。]{0,3}(?:不便|不方便|难|不了)|我(?:家)?(?:儿子|女儿|孩子|闺女|宝宝|娃|家娃|老大|双胞胎)[^,。]{0,5}(?:[一二两三四五六七八九十\d]+个?(?:岁|月)|上[幼小初高大]|刚出生|中考|高考)|我们?家?(?:住|在)?(?:[一二三四五六七八九十\d]+楼|没电梯|有院子|是?一楼)|(?:换|找)了?(?:个|份)?新?工作了?$|(?:我|现在|目前|单位|公司|^)[^,。]{0,4}(?:朝[九十八]晚[四五六七八九]|双休|单休|大小周|996|九九六|弹性上班)|(?:现在|目前|平时|一直|长期)[^,。]{0,2}(?:居家|在家|远程)办公|(?:本人|我(?:自己|们)?(?:是|做|当))(?:个|一名|一个|一)?([^,。]{0,6}?)(新手|小白|第一次养|养猫新手|养狗新手|上班族|打工人|空巢|老年人|上夜班的|医学生|护工|快递员|外卖员|理发师|健身教练|博士|硕士|残疾人|孕妈|宝爸|奶爸|个体户|自媒体|倒班|三班倒|夜班|自由职业|宝妈|单亲|孕妇|护士|医生|老师|程序员|设计师|司机|学生|销售|会计|律师|警察|厨师|保安|快递|外卖|工程师|研究生|大学生|退休|自由职业|空乘|空姐|公务员|兽医|教师|消防员|编辑|记者|主播|客服|司机|全职|码农|药师|运营)|家里(?:还)?有(?:个|一个|了)?[^,。]{0,6}(?:娃|孩子|宝宝|婴儿|老人|小孩|孕妇)|我(?!怀疑|觉得|感觉|看|猜|估计)(?:在|去)?[^,。]{0,8}(?:上夜班|倒班|三班倒|值夜班|出差|失业|怀孕|备孕|退休|辞职了|换工作|坐月子|生孩子|轮班|住校|加班到)|我(?:下周|明天|后天|这周|国庆|过年)?[^,。]{0,6}出差"
)
_OWN_HEALTH = re.compile(
    r"我(?:自己|这)?(?:[左右]?(?:膝盖|腰|腿|手|胳膊|眼睛|耳朵|心脏|颈椎|脚|脚踝))[^,。]{0,3}(?:不好|打着?石膏|扭|崴|拉伤|划破|烫|缝|韧带|不太好|做过|动过|骨折|残疾|不方便|不行了?$)|我(?:自己|本人)?(?:也|就|还|一直)?(?:是|有|患有?|得了|查出)[^,。它他她猫狗]{0,8}?(?:携带者|患者|体质|乙肝|糖尿病|高血压|哮喘|鼻炎|抑郁症|焦虑症|色盲|残疾|近视|癫痫|痛风|心脏病|红斑狼疮|湿疹|洁癖|腰不好|腰椎间盘|膝盖不好|眼睛不好|听力不好|糖尿|低血糖|贫血|甲状腺|哮喘病|花粉过敏)"
    r"|(?:闺女|女儿|儿子|孩子|老公|老婆|爱人|对象|老伴儿?|我妈|我爸|室友)(?:也|还)?(?:有|是)[^,。它他她\x00]{0,4}(?:哮喘|鼻炎|过敏体质|心脏病|糖尿病|癫痫|洁癖)|我(?:自己|这人)?(?:有|是|也)*过敏性(?:鼻炎|哮喘|皮炎|结膜炎|体质)|(?:老公|老婆|我[弟妹姐哥妈爸]|婆婆|公公|奶奶|爷爷|外婆|姥姥|爸妈)(?:的)?(?:腿脚|身体|眼神|眼睛|耳朵|腰|膝盖|记性)[^,。]{0,2}(?:不|差|坏)|怀孕(?:已经|都|快|有)?(?:[三四五六七八九]|\d)个?多?(?:月|个月)|孕(?:期|晚期|中期|早期|妇|吐|检)|预产期(?:在|是|还|就|$)|(?:到|快)预产期|我(?:已经|现在|刚|都)?怀(?:了|着)"
)  # animals carry two months at most
_UNITS_WANTED = re.compile(
    r"(?:习惯|都|统一|以后|还是)[^,。]{0,3}(?:用|按|说)(?:公斤|千克|斤|kg|克|农历|阳历|摄氏度)|(?:重量|体重|单位|数字|日期|时间|温度)[^,。]{0,6}(?:用|按|写|换成|换算成)(?:公斤|千克|斤|kg|克|农历|阳历|摄氏度)|(?:说|讲|写|回答|显示|表示|告诉我|跟我说)[^,。]{0,4}(?:用|按)(?:公斤|千克|斤|kg|克)"
)
_FAMILY = re.compile(
    rf"(?:{KIN}|邻居|朋友|闺蜜|同事)[^,。]{{0,4}}(?:来|过来|上门)(?:帮忙)?(?:喂|铲|照看)|(?:{KIN})(?:也|都|很|特别|一直|挺|比较|坚决)*(?:不喜欢|不让|不许|讨厌|怕|嫌)|(?:{KIN}|我爸)(?:[^,。]{{0,4}})(?:帮忙?)(?:喂|遛|铲|带|看)|(?<!给)(?:{KIN}|我爸)(?:遛|喂|铲屎|带)(?:狗|猫|它|他|她)?$|钥匙(?:在|给了?|放)[^,。]{{1,10}}|(?:遛|喂|铲|照顾|伺候)[^,。]{{0,4}}(?:都|全|基本|主要)*(?:是|靠|归|找|让)我?(?:{KIN})$|(?:洗澡|梳毛|铲屎|换砂|遛|喂|剪指甲|吹毛|喂药|打扫|带出门)[^,。\x00]{{0,8}}?(?:{KIN})(?:来|弄|做|干|洗|铲|去|搞|负责|管|帮|$)|(?:丢给|甩给|推给|扔给)我?(?:{KIN})|(?:让|靠|找|叫)我?(?:{KIN})(?:替|代劳|顶|接手)|(?:都是|全是|归|是)我?(?:{KIN})(?:铲|捡|收拾|清理)|我?(?:跟|和)我?(?:{KIN})[^,。]{{0,3}}(?:分工|轮流|轮着|换着|倒替)|(?:[她他]|\x00)遛[^,。]{{0,4}}我遛|我遛[^,。]{{0,4}}(?:[她他]|\x00)遛|轮流[^,。]{{0,4}}(?:遛|喂|铲|照顾)|(?:都|全|(?:全|主要|基本|都)靠|由|让|归|是)(?:是)?我?(?:{KIN}|我爸)(?:早上|晚上|中午|白天|平时|每天|下班|一个人|在)*(?:来|弄|铲|遛|喂|洗|管|带|做|代劳|搞|伺候|打扫|$)|(?:都是|全是|全靠|都归)我?(?:{KIN})[^,。]{{1,6}}(?:来|弄|铲|遛|喂|洗|管|带|做|搞|打扫)|(?:{KIN})[^,。]{{0,8}}(?:负责|帮忙照顾|照顾|照看|来铲屎|有(?:备用)?钥匙|管(?!不))|(?:都是|都归|归|一般|平时)[^,。]{{0,4}}(?:{KIN})[^,。]{{0,3}}(?:弄|洗|遛|喂|带|铲|管|负责|$)"
)
_CLEANS_UP = re.compile(r"[铲捡替]|代劳|收拾|清理|打扫")
_TAKEN_IN = re.compile(
    r"归[^,。]{1,4}养|^(?!我)[^,。我]{0,6}\x00[^,。我]{0,2}(?:由|交给)[^,。]{1,4}(?:遛|喂|带|照顾|照看|看)|上门|托|寄养|放在?|送到?"
)  # where a pet stays is told of the pet
_STYLE = re.compile(
    r"(?:以后|下次|今后)[^,。]{0,10}用[^,。]{1,8}(?:标|列|写|画|表示|显示)|(?:别|不要|少)(?:老|总)?用[^,。]{0,8}(?:感叹号|表情|emoji|英文|缩写|颜文字|语气词|省略号|叠词|网络用语|术语|词)|(?:直接|只)(?:给|说|报|告诉)[^,。]{0,3}(?:数值|数字|答案|结果|重点|结论)|说(?:得)?(?:简单|通俗|直白|慢|详细|细|具体|短|明白)|(?:不太?|不怎么|不大)懂[^,。]{0,6}(?:术语|医学|名词|英文|专业)|看不懂[^,。]{0,6}(?:英文|术语|单子|专业|化验)|(?:只|都|全|请)用(?:中文|普通话|大白话|表格|列表)|(?:重点|关键)[^,。]{0,4}(?:标|放前面|先说|加粗)|我(?:不想|不要|不用|不爱|懒得)(?:听|看|读)[^,。]{1,10}|别超过[^,。]{1,4}[行字句条]|字(?:体)?[^,。]{0,3}大[点些]|(?:\d+|[一二三四五六七八九十百两])(?:行|个?字|句话?)(?:以内|之内|就行|就够)|(?:别|不要)(?:再)?(?:给我|跟我)(?:推荐|提|讲|安利)[^,。]{1,10}|(?:以后|下次|今后|希望|麻烦|请)?(?:你)?(?:回答|回复|说话|讲|跟我说|给我|别|不要|先|直接|(?<!能)听|别整|别拽|能不能|用|叫我|喊我|称呼我)[^,。]{0,10}(?:结论|简短|简单|简洁|直接|啰嗦|废话|一大段|列(?:个)?(?:表|清单|点)|分点|表情|专业|术语|大白话|通俗|短一点|名词|人话|机制|原理|数据说话|少说|长篇|安慰|科普|吓|原因|依据|出处|链接|社区|经验|再问医生|问医生|语音|文言|方言|英文|中文|口语)"
)
# What is asked of the one who answers, in any verb of speaking: 别老劝我去医院, 有话直说, 字别太多.
_ASKED_OF_ASSISTANT = re.compile(
    r"^(?:那|所以|以后|拜托|求你|麻烦)?你(?:以后|下次|就)?(?:别|不要|不用|少|甭)(?:每[回次]|老是?|总是?|动不动|一上来|再|这么)(?:都)?(?:给我|跟我|对我)?(?:说|叫|喊|回|发|用|写|讲|让|来|扯|整)|(?:别|不要|不用|少|甭|无需|没必要|用不着)(?:老是?|总是?|每次|都|再|动不动|一上来|一开口)*(?:给我|跟我|对我|来)?(?:就)?(?:劝我|催我|叮嘱|叮咛|唠叨|重复|强调|安慰|道歉|客套|绕弯|绕圈|兜圈|铺垫|啰嗦|啰唆|卖萌|加表情|带表情|发语音|贴链接|说教|讲大?道理|吓唬|寒暄|打官腔|说套话|讲套话|说客气话)"
    r"|(?:别|不要|少|甭)(?:老是?|总是?|动不动|一上来|每次|一开口)(?:就|都)?(?:给我|跟我)?(?:说|叫|让|建议|推荐|提|讲|写|发|喊|问|回)[^,。]{0,8}"
    r"|[一二三两几\d]句话?(?:说完|讲完|说清|搞定)|直说|有话直说|实话实说|(?:喜欢|想|爱|要|愿意)听(?:实话|真话|直接)|(?:说|挑|讲|捡)(?:重点|要紧的)|长话短说|一句话(?:说|讲|总结|就)|(?:字|话)(?:别|不要|少)[^,。]{0,4}(?:多|长|点)"
    r"|(?:附|标|注明|给出|写明|带)(?:上|出)?[^,。]{0,3}(?:出处|来源|依据|参考|链接)|提醒[^,。]{0,3}(?:都|一律|统一|尽量|全)[^,。]{0,4}(?:放|排|挪|定|发|设)[^,。]{1,10}"
)
_TOO_DEAR = re.compile(r"(?:太?贵|便宜)[^,。]{0,6}(?:推|不考虑|不要|不行)")
_ALWAYS_FIRST = re.compile(
    r"(?:以后|凡是|每次|今后)[^,。]{0,14}(?:先|都要?|得)(?:提醒我|问我|告诉我|跟我说|通知我|查|问)"
)
_ANSWER_FIRST = re.compile(r"(?:回答|回复|说)[^,。]{0,6}先说")
_ORDER_OF_ADVICE = re.compile(
    r"(?:推荐|介绍|建议|安利)[^,。\x00]{0,6}(?:先|只|尽量|优先)(?:捡|挑|拣|紧着|推|说|按)[^,。\x00]{1,8}(?:说|推|讲|来|的)|(?:建议|回答|回复|方案|意见|东西)[^,。]{0,6}先(?:讲|说|给|报|列|告诉)[^,。]{1,12}|先(?:讲|说|报|列)[^,。]{1,10}(?:再|后)(?:讲|说|报|列|展开|解释)|(?:推荐|介绍|建议)[^,。]{0,8}先(?:说|讲|给|报)[^,。]{1,6}|先(?:告诉|跟)我(?:说)?[^,。]{0,8}(?:紧急|要紧|严重|结论|能不能|要不要|急不急)|先(?:查|问|看|讲|说|给|参考)[^,。]{0,8}(?:经验|社区|医生|论坛|网友|数据|指南|结论)"
)
_LONG_AGO = re.compile(r"以前|那会儿?|小时候|当年|上学|(?<!老年)大学(?!生|老师|教授)|从前")
_CALL_ME = re.compile(
    r"(?:叫|喊|称呼)我(?!一声|一下|起|的|你|怎么|去|来|看|给|开|喂|出|下|吃|陪|玩|回|醒|遛)([^,。了吗]{1,6})"
)
_MY_NAME = re.compile(
    r"^(?:你好|嗨|哈喽|自我介绍一下)*我(?:名字)?(?:的名字)?(?:叫|姓)(?:做)?(?![它他她你人车]|什么|啥|谁|外卖|医生|救护|一|不|过|了|住|停|醒|[猫狗])[\u4e00-\u9fffa-z]{1,6}$"
)
_SUM = (
    r"(?>\d[\d,.]*(?:块钱?|元|百|千|万|k)?|[一二两三四五六七八九十几]*[十百千万][一二两三四五六七八九十百千]*(?:块钱?|元)?)"
    r"(?![点个岁斤公克天周月号日度片次分顿口年])"
)
_ASK_ME = (
    r"(?:问|说|讲|商量|招呼|通知|告诉|吱|点头|同意|拍板|批准?|先别|等我|拦|喊停|"
    r"报备|汇报|知会|确认|过目|考虑|掂量|做主)"
)
# A sum that is the limit, or beyond which the owner is asked first: 一次超两千先跟我讲, 每月三百以内.
_BUDGET = re.compile(
    rf"(?:钱|花销|开销|开支|费用|花费|药费|伙食费?)[^,。]{{0,8}}(?:封顶|上限|顶天|最多|顶多|(?:不[能得]?|别)(?:超过?|过)|控制在)[^,。]{{0,3}}{_SUM}|(?:别|不要|不能)(?:高于|贵过|超过?)[^,。]{{0,4}}(?:块|元|十|百|千|万)(?!几?[斤公克k])|(?:块|元|百|千|万)[^,。]{{0,3}}(?:以内|以下|封顶|顶天|为上限|左右就行)|(?:太贵|贵)[^,。]{{0,4}}(?:别推|不考虑)|预算|[^,。]{{0,4}}以内(?:的)?(?:可以|行|能接受)"
    rf"|(?:超过?了?|过了?|大于|多于|高于|高过|贵[于过]|(?<![早晚])[上到破满]了?|花(?:到|上)){_SUM}(?:以上)?(?:的)?[^,。]{{0,8}}{_ASK_ME}|{_SUM}(?:以上|往上|朝上|开外)(?:的)?[^,。]{{0,8}}{_ASK_ME}"
    rf"|{_SUM}(?:就)?是[^,。]{{0,4}}(?:上限|封顶|顶|极限|底线)|(?:上限|封顶|顶天|底线)[^,。]{{0,4}}{_SUM}|不超过(?:[^,。]{{1,6}}(?:块|元)|[\d一二两三四五六七八九十]+[百千万])|(?:最多|顶多|撑死)(?:花|掏|出|给|能接受|接受)?{_SUM}(?:块|元|$)|贵的(?:先)?"
)
_OVER_A_SUM = re.compile(
    rf"(?:超过?了?|过了?|大于|多于|高于|高过|贵[于过]|(?<![早晚])[上到破满]了?){_SUM}(?:以上)?(?:的)?[^,。]{{0,4}}$|{_SUM}(?:以上|往上|朝上|开外)(?:的)?[^,。]{{0,6}}$"
)
_ASKED_FIRST = re.compile(rf"(?:先|都|得|要|必须|一定|务必|再)[^,。]{{0,6}}{_ASK_ME}")
_DOCTOR = re.compile(
    r"(?:现在|以后|一直|固定|目前|都|改)(?:都|是|固定|一直)?[挂找看](?:的)?(?:是)?[\u4e00-\u9fff]{1,3}(?:大夫|医生|主任|院长)|我们?(?:家)?(?:一直|都|固定|平时|现在)(?:都)?(?:在|找)[^,。]{2,8}(?:看病?|打针|体检)的?$|我们?(?:常|一直|平时|固定|一般)(?:都)?去(?:的是)?[^,。]{2,10}|主治(?:医生|大夫|医师)?(?:是|叫|换)[^,。]{1,8}|(?:医院|诊所|看病|医生|大夫)[^,。]{0,3}(?:我们?|就|只|还是)+(?:信|认|去|选|找)(?!了|过|得[起着]|不)(?:得过)?[^,。]{2,10}|医院[^,。]{0,4}(?:换到|换成|改到|改成|选的是|定的是)[^,。]{2,10}|(?:看病|打针|体检|复查|有事)[^,。]{0,4}(?:去|上(?!周|个|次|回|月)|找|在|到|走|跑|选|认准)[^,。]{2,14}|改(?:在|去|到|成)[^,。]{1,10}(?:看|那家|医院|诊所)[^,。]{0,6}|(?:附近|24小时|常去|固定)的?医院(?:就)?是[^,。]{2,10}|(?:只|都|一直|平时|现在|以后|常|固定)(?:都|就)?(?:改|换)?(?:成)?(?:去|看|找|在|认)[^,。]{1,14}(?:医院|中心|门诊|诊所|医生|大夫|家|那边|店)"
)
_A_PLACE = re.compile(
    r"芭比堂|瑞鹏|瑞派|宠颐生|美联众合|纳吉亚|宠福鑫|农大|申普|顽皮家族|爱诺|康德|它邦|动物|宠物|家|中心|门诊|医院|诊所|医生|大夫|主任|院长"
)
_ON_THE_WAY = re.compile(r"路上|现在(?:就|正|正在|在|要|马上)?(?:去|送|赶)|在去")
_WISH = re.compile(
    r"我们?(?:家)?(?:坚决|绝对|是|真的|都|也)*(?:(?:只|更|比较|不太|不)?(?:信|相信|偏向)(?:中医|西医|偏方|网上|医生|兽医|益生菌)|不接受|拒绝|不考虑|只接受|更倾向|倾向于|宁愿|信不过|不信|不想(?:给|让)[^,。]{0,6}(?:手术|麻醉|安乐|化疗|激素|抗生素|西药|中药|打针|住院))[^,。]{0,14}"
)
_DO_NOT_DISTURB = re.compile(
    r"(?:别(?!忘)|不要|不用|少)(?:老|再|总|在)?(?:给我)?(?:[^,。]{0,6})(?:推送|推消息|推(?!别的|其他|其它|荐)|发消息|发(?:提醒|通知|我|$)|一大早|半夜发|响|打电话|吵|提醒|弹|打扰|通知)(?!.{0,3}(?:猫|狗))"
)
_REACH_ME = re.compile(
    r"(?:有(?:急|啥|什么|要紧的?)?事|有情况|有问题|要紧事|联系我?|找我|通知我?|回我)[^,。]{0,6}(?:发|打|留)?(?:个|条)?(?:微信|短信|留言|语音|消息|qq|邮件|电话)"
    r"|(?:别|不要|少|不用|甭)(?:再|老|总)?(?:给我)?(?:打|拨)(?:我的?|给我)?(?:手机|电话)"
)  # how to be reached, without a number
_OUR_PLACE = re.compile(
    r"我们?(?:家|这儿?|这边|小区)?(?:离|到|去|附近|周围|楼下)[^,。]{0,6}(?:医院|诊所|宠物店|地铁|公园)[^,。]{0,8}(?:[\d一二两三四五六七八九十半]+个?(?:分钟|小时|公里|站)|远|近)"
    r"|(?:半夜|晚上|夜里|凌晨)[^,。]{0,4}(?:打|叫|拦)不[到着]车|(?:老公|老婆|对象|男朋友|女朋友|爱人|先生|太太|孩子|儿子|女儿|爸妈|父母)(?:一直|常年|都|也|长期)?(?:在|去了?)(?:外地|国外|老家|部队|外面|[^,。]{1,4}(?:上班|工作|上学|读书|打工))|(?:跟|和)我?(?:男朋友|女朋友|男友|女友|老公|老婆|对象)[^,。]{0,2}(?:异地|分居|两地)|^我(?:现在|目前|一直)?(?:单身|独居)$|(?:小区|物业)(?:不让|不许|不准)养|(?:白天|晚上|平时|以后|之后)[^,。]{0,4}家里?没人|我(?:是|信|吃)(?:个)?(?:素食|素$|清真|回民|回族|佛)|(?:平时|家里|现在)?(?:就|只有)我(?:一个人|自己)(?:在家|住|带|养|跟|和|$)|就我(?:和|跟|们?俩?)[^,。]{0,3}[俩住]|(?:家里|我们?家?)[^,。\x00它]{0,6}(?:生|添|要|怀|迎|有)了?[^,。]{0,3}(?:二胎|三胎|老二|宝宝|双胞胎|小宝|二宝)|家里[^,。\x00它]{0,6}(?:添|迎来?)(?:新|个|一个|了)*\x00"
)
_ONE_TOUCH = re.compile(
    r"我(?:自己|本人)?(?:也|就|还)?一(?:碰|闻|吸|摸|靠近|挨|抱)(?:到|着)?([^,。\x00]{1,5}?)就[^,。]{0,6}(?:荨麻疹|打喷嚏|喷嚏|起疹|疹子|痒|流鼻涕|咳|喘|过敏|红|肿)"
)  # 我一碰猫毛就起荨麻疹
_MY_NOSE = re.compile(
    r"(?:^|[,。])[^,。\x00它]{0,4}(?:我|本人)(?:自己|这人|也|还)*(?:有|是|得了)?(?:点|轻度|严重)*(?:过敏性)?(?:鼻炎|哮喘|荨麻疹)"
)  # 我鼻炎闻不得猫毛
_NO_ALLERGEN = re.compile(r"皮肤|鼻子|眼睛|脸|季节|换季|最近|又|身上|全身")  # where and when, not to what


MAX_MORE_OF_STYLE = 3  # characters of a second wish that only says the first again


def find_owner_facts(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """At most one claim about the owner a clause."""
    text, previous = reading.text, scene.previous_of(reading)
    if (
        _LONG_AGO.search(text)
        or _leads_to_the_sum(reading, scene)
        or (_TOO_DEAR.search(text) and previous and _BUDGET.search(previous.text))
    ):
        return
    if (match := _ALLERGY.search(text)) and not _NO_ALLERGEN.match(match[1] or match[3] or match[4] or ""):
        substance = match[1] or match[3] or match[4] or ""
        negated = bool(match[2] or match[5])
        reading.used.update(reading.hits)
        yield _owner(reading, "owner.allergy:" + substance, AttributeClass.ALLERGY, {"substance": substance}, negated)
    elif touched := _ONE_TOUCH.search(text):
        reading.used.update(reading.hits)
        value = {"substance": touched[1]}
        yield _owner(reading, "owner.allergy:" + touched[1], AttributeClass.ALLERGY, value, False)
    elif "我" in text and _MY_NOSE.search(text):
        yield _owner(reading, "owner.life", AttributeClass.OTHER, {"text": text})
    elif _gives_a_contact(reading, scene) and not (reading.text.startswith("\x00") and "芯片" in scene.folded):
        context = text
        while previous is not None and previous.sentence == reading.sentence:
            context, previous = f"{previous.text},{context}", scene.previous_of(previous)
        of_kin = _OF_KIN.search(context) or (_HIS_NUMBER.match(scene.folded, reading.start) and reading.place > 0)
        slot = "contact.emergency" if of_kin or _SOMEBODY_ELSE.search(context) else "contact.phone"
        told = _owner(reading, slot, AttributeClass.CONTACT, _digits(text))
        yield replace(told, start=_start_of_kin(reading, scene)) if of_kin else told
    elif _ORDER_OF_ADVICE.search(text) or _ANSWER_FIRST.search(text) or _ALWAYS_FIRST.search(text):
        yield _owner(reading, "preference.order_of_advice", AttributeClass.PREFERENCE, {"text": text})
    elif _is_style(reading, scene):
        if previous is not None and len(text) <= MAX_MORE_OF_STYLE and _is_any_style(previous, scene):
            return  # 先说要花多少钱，别绕: told with it
        style = _owner(reading, "preference.reply_style", AttributeClass.PREFERENCE, {"text": text})
        yield replace(style, end=_end_with_quotation(reading, scene))
    elif _WISH.search(text):
        yield _owner(reading, "preference.care", AttributeClass.PREFERENCE, {"text": text})
    elif limit := _limits_the_cost(reading, scene):
        told = _owner(reading, "preference.budget", AttributeClass.PREFERENCE, _money(limit))
        yield replace(told, start=min(limit.start, reading.start))
    elif not reading.about.explicit and _asks_for_quiet(reading, scene):
        yield _owner(reading, "preference.quiet", AttributeClass.PREFERENCE, {"text": text})
    elif fetches_children(reading, scene) or (
        not reading.about.explicit and not _done_by_kin(reading, scene) and tells_of_my_time(reading, scene)
    ):
        timetable = _owner(reading, "owner.timetable", AttributeClass.SCHEDULE, rhythm(reading))
        yield replace(timetable, on=sets_out_on(reading, scene) or next_holiday(reading, scene))
    else:
        yield from _of_the_owners_life(reading, scene)


def _of_the_owners_life(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """The family, the owner's name, trade and health, where they live and which clinic they go to; at most one."""
    text = reading.text
    if _gives_the_number_next(reading, scene):
        return  # 豆豆归我表哥管，他手机1234: told with the number
    elif _tells_of_family(reading):
        yield _owner(reading, "owner.household", AttributeClass.OTHER, {"text": text})
    elif _MY_NAME.search(text) and not reading.hits:
        yield _owner(reading, "owner.name", AttributeClass.OTHER, {"text": text})
    elif (
        _WORK.search(text)
        or tells_what_owner_is(reading, scene)
        or _OUR_PLACE.search(text)
        or (_OWN_HEALTH.search(text) and not reading.about.explicit)
    ):
        yield _owner(reading, "owner.life", AttributeClass.OTHER, {"text": text})
    elif (
        (_HOME.search(text) or tells_of_a_move(reading, scene))
        and not _tells_where_next(reading, scene)
        and not _AT_SOMEBODYS.search(text)
        and not reading.has("visit", "behavior", "sign")
        and "寄养" not in text
        and not reading.about.explicit
    ):
        yield _owner(reading, "owner.residence", AttributeClass.OTHER, {"text": text})
    elif goes_to_a_clinic(reading, scene) or (
        _DOCTOR.search(text)
        and (_A_PLACE.search(text) or "看" in text)
        and not _ON_THE_WAY.search(text)
        and not reading.times
    ):
        yield _owner(reading, "preference.clinic", AttributeClass.PREFERENCE, {"text": text})


def _tells_of_family(reading: Reading) -> bool:
    """Who else looks after the pets, and what they are called (我老公叫大伟)."""
    if _NAME_OF_KIN.match(reading.text):
        return not reading.about.explicit
    taken_in = reading.about.explicit and _TAKEN_IN.search(reading.text)
    seen = reading.has("sign") and not _CLEANS_UP.search(reading.text)
    return _FAMILY.search(reading.text) is not None and not seen and not taken_in


def _start_of_kin(reading: Reading, scene: Scene) -> int:
    """Where the clause stands that says whose number it is."""
    previous = scene.previous_of(reading)
    same = previous is not None and reading.start - previous.end <= 1
    told_here = _OF_KIN.search(reading.text) is not None
    return previous.start if previous is not None and same and not told_here else reading.start


def _limits_the_cost(reading: Reading, scene: Scene) -> Reading | None:
    """每次不超过三百: the clause that holds the sum, which may be the one before (要是过一千五，先问我一声)."""
    if re.search(r"[\d十百千万]", reading.text) and _BUDGET.search(reading.text):
        return reading
    previous = scene.previous_of(reading)
    if previous is None or previous.sentence != reading.sentence:
        return None
    if _DEAR.search(previous.text) and _A_SUM.search(reading.text):
        return previous  # 要花大钱先说，大钱就是五百以上
    return previous if _ASKED_FIRST.search(reading.text) and _OVER_A_SUM.search(previous.text) else None


_DEAR = re.compile(rf"(?:贵|大钱|花钱多|钱多)[^,。]{{0,6}}{_ASK_ME}|别[^,。]{{0,4}}(?:太贵|贵的)")
_A_SUM = re.compile(rf"{_SUM}(?:块|元)?(?:钱)?(?:以内|以上|以下|往上|左右|起|封顶)")


def _leads_to_the_sum(reading: Reading, scene: Scene) -> bool:
    """粮别推太贵的，一斤四十块以内: the clause that only leads to the sum is told with it."""
    following = scene.next_of(reading)
    same = following is not None and following.sentence == reading.sentence
    return same and following is not None and bool(_DEAR.search(reading.text) and _A_SUM.search(following.text))


def _done_by_kin(reading: Reading, scene: Scene) -> bool:
    """平时我没空，都是我婆婆遛: why somebody else does it."""
    following = scene.next_of(reading)
    return not reading.times and following is not None and _FAMILY.search(following.text) is not None


_THERE = re.compile(r"那儿|那边|那个(?:号|邮箱|微信)|旧的|老的")
_ONLY_MOVED = re.compile(r"^(?:我们?|全家)?(?:刚|已经|又|上个?月|今年)*搬(?:家|了)+(?:啦|了|咯)?$")


def _tells_where_next(reading: Reading, scene: Scene) -> bool:
    """搬家了，我们现在住余杭: the bare news is told with the place."""
    following = scene.readings[reading.place + 1 : reading.place + 3]
    same = [one for one in following if one.sentence == reading.sentence]
    return _ONLY_MOVED.match(reading.text) is not None and any(_HOME.search(one.text) for one in same)


def _asks_for_quiet(reading: Reading, scene: Scene) -> bool:
    """When and how the owner wants to be reached; a number or an address that follows is the contact itself."""
    before = scene.readings[max(0, reading.place - 2) : reading.place]
    if _THERE.search(reading.text) and any(_gives_a_contact(one, scene) for one in before):
        return False  # 邮箱换了，报告别往那儿发: told with the new one
    if _DO_NOT_DISTURB.search(reading.text) and not reading.text.endswith("了"):
        return True
    following = scene.next_of(reading)
    given = following is not None and _REACHED_AT.search(following.text) is not None
    return _REACH_ME.search(reading.text) is not None and not given


def _is_style(reading: Reading, scene: Scene) -> bool:
    """How answers should look; what a pet does (它每天喊我开饭) is none of it."""
    if reading.about.explicit and reading.has("sign", "condition", "body"):
        return False
    if (
        (wishes_for_answers(reading) and not tells_what_owner_is(reading, scene))
        or _STYLE.search(reading.text)
        or _UNITS_WANTED.search(reading.text)
    ):
        return True
    if _ASKED_OF_ASSISTANT.search(reading.text) and not reading.about.explicit:
        return True
    return _CALL_ME.search(reading.text) is not None and not reading.about.explicit


def _is_any_style(reading: Reading, scene: Scene) -> bool:
    return _ORDER_OF_ADVICE.search(reading.text) is not None or _is_style(reading, scene)


def _is_the_new_one(reading: Reading, scene: Scene) -> bool:
    """新的是meow_doro, after 微信换了."""
    previous = scene.previous_of(reading)
    same = previous is not None and previous.sentence == reading.sentence
    return bool(same and previous and _CHANGED_CONTACT.search(previous.text) and _NEW_ONE.search(reading.text))


_NUMBER_OR_ID = re.compile(r"\d{3,}|\*{2,}\d{2,}|尾号|尾数|(?:微信|邮箱|号)[^,。]{0,4}[a-z]{3,}")
_CHIP_OR_PAPER = re.compile(r"芯片|(?:狗|犬|免疫|检疫)证")
_OLD_NUMBER = re.compile(
    r"前(?:公司|单位|任)|旧号|老号|原来|以前|(?:之前|早先|先前|原先|从前|当初)[^,。]{0,4}(?:留|填|给|写|登记|报)|停机|注销|销号|不用了|作废|登不上|打不通|停用|空号|弃用"
    r"|\d{4}[^,。]{0,6}(?:过户|转|送|让|留|归|丢)?给(?:了|到)?我?[^,。我]{1,4}(?:用|使|了|$)|\d{4}[^,。]{0,6}过户|\d{4}[^,。]{0,4}(?:现在|已经)?(?:是|归)[^,。我]{0,2}我?[^,。我]{1,4}(?:在)?用"
)
"""A number that is not the owner's any more."""
_NUMBER_OF_A_THING = re.compile(r"芯片|狗证|犬证|养犬证|免疫证|保险|保单|快递|单号|型号|批号")
_WHOLE_NUMBER = re.compile(
    r"^(?:[他她]|人家|\x00)?的?(?:是|号码?|电话|手机)*\d[\d\- ]{6,}$"
)  # seven digits and more, and nothing else


_WHOLE_ID = re.compile(r"(?:新的?|我的?)?(?:号码?|微信号?|id|账号)(?:是|:|就是)\s?[a-z][\w-]{4,}$")
_OF_A_PAPER = re.compile(r"证号|证书|编号|批号|芯片|单号|保单|床号|笼号")  # 狂犬证号尾数0832


def _gives_a_contact(reading: Reading, scene: Scene) -> bool:
    """A number or an id beside a word for it; the word may stand in the clause before (紧急联系人是我弟，…)."""
    text, previous = reading.text, scene.previous_of(reading)
    if _CHIP_OR_PAPER.search(text) or (previous is not None and _NUMBER_OF_A_THING.search(previous.text)):
        return False
    if _OF_A_PAPER.search(text):
        return False
    if _OLD_NUMBER.search(text) and not _NEW_ONE.search(text.replace("是", "")):
        return False
    if "@" in text or (_NUMBER_OR_ID.search(text) and _CONTACT.search(text)):
        return True
    if _REACHED_AT.search(text) and _is_the_new_one(reading, scene):
        return True
    bare = _WHOLE_NUMBER.search(text) or _WHOLE_ID.match(text)
    before = scene.readings[max(0, reading.place - 2) : reading.place]
    spoken = any(_CONTACT.search(one.text) and one.sentence == reading.sentence for one in before)
    spoken = spoken or (previous is not None and _CONTACT.search(previous.text) is not None)
    return bare is not None and spoken


_IN_CARE_OF = re.compile(r"托|交|归|给|放|留|由|请|让|找|寄")
_ITS_NUMBER = re.compile(r"^(?:他|她|人家|对方|\x00)?(?:的)?(?:手机|电话|号|微信|联系|尾号|打)")


def _gives_the_number_next(reading: Reading, scene: Scene) -> bool:
    """Whether who looks after a pet is named here only to give a telephone number in the next clause."""
    following = scene.next_of(reading)
    if following is None or following.sentence != reading.sentence or not _ITS_NUMBER.match(following.text):
        return False
    return _IN_CARE_OF.search(reading.text) is not None and _gives_a_contact(following, scene)


def _owner(reading: Reading, slot: str, cls: AttributeClass, value: dict[str, object], negated: bool = False) -> Draft:
    reading.used.update(reading.hits)
    return Draft(slot, reading.start, reading.end, value, negated, cls=cls, topic=Topic.OWNER, owner=True)


_QUOTED_WORD = re.compile(r"\s?[“\"「『][^”\"」』]{1,16}[”\"」』]")


def _end_with_quotation(reading: Reading, scene: Scene) -> int:
    """Where 你别老叫我“亲” ends: what must not be said stands between quotation marks."""
    quoted = _QUOTED_WORD.match(scene.folded, reading.end)
    return quoted.end() if quoted else reading.end


def _digits(text: str) -> dict[str, object]:
    match = re.search(r"(?<![a-z])[a-z][\w.-]{4,}(?:@[\w.]+)?", text) or re.search(r"\d[\d\- ]{2,}", text)
    return {"text": match[0].strip() if match else text}


def _money(reading: Reading) -> dict[str, object]:
    """The sum of a limit: of 一次看病过五百 the largest figure that is said."""
    said = [read_number(match[0]) for match in re.finditer(NUMBER, reading.text)]
    number = max((one for one in said if one), default=None)
    return {"number": number, "unit": "元"} if number else {"text": reading.text}
