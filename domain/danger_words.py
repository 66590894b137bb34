"""How owners word what touches a known danger: that it ends, what is allowed, that a drug is given otherwise."""

import re

ENDS_OR_ALLOWS = re.compile(
    r"可以|(?<![不只智功])能(?![不力量])|敢|允许|批准|(?<![准备])准了|不用|不必|不需|无需|不再|没必要|用不[着上]|恢复|重新|放开|放行|解[禁除]|取消"
    r"|停|断|撤|戒|毕业|告别|到此|结束|收起|扔|没(?:再|在)?(?:吃|喂|打|用|滴)(?:了|$)|不(?:吃|喂|打|用|滴|买|续)(?:了|$)|随便|照吃|照常|自由|没事|没问题|没反应|正常|好了|不过敏|不算"
)
"""An ending, a permission or a word of no harm."""
GIVES_DIFFERENTLY = re.compile(
    r"[加减改换调翻增降升]|倍|半|只(?:吃|喂|打|用|滴)|就(?:够|行|好)|隔|每|一[天日周]|早晚|\d\s?(?:mg|ml|毫克|毫升|个?单位|iu|u|片|粒|颗|滴|次)|[一二两三四五六几]个?(?:单位|片|粒|颗|滴)"
)
"""Another amount, rhythm or drug."""
KEPT_AWAY = re.compile(
    r"不含|没有|无(?!妨|碍|所谓|事)|不(?:做|买|给|喂|吃|碰|让|敢|是|要|许)|别|禁|忌|怕|防|避|送人|扔|丢|退(?!了)"
)
"""What the pet must not have is kept from it."""
ONLY_WATCHED = re.compile(r"馋|盯|看[见到着]|闻|扑|流口水|眼巴巴|想吃")
"""It is only looked at."""
SUPPLIES = re.compile(
    r"买|囤|续[了费订]|下单|到货|快递|快(?:没|用完|吃完)|剩|涨价|[价便]|贵|针头|针管|喂药器|药盒|瓶|冰箱|带上|带着"
)
"""Having the drug in the house says nothing of how it is given."""
GIVEN = re.compile(
    r"(?:今|昨|前天|刚|早上|中午|晚上|这次|这回|这个?月|本月|上午|下午).{0,8}[吃喂打滴用涂喷](?:了|过|完|得|的)|[吃喂打滴用](?:过|得)|[吃喂打滴]完?.{0,2}(?:药|针).{0,4}(?:才|先|再|要|得|时|后|就)"
    r"|[裹拌藏掺哄骗按塞碾磨兑冲泡]"
)
"""One dose was given, or how it is got into the animal."""
MEASURED = re.compile(r"指标|数值|肌酐|尿素|血糖|血压|稳定|控制得|复查|定期|约")
RAISED = re.compile(r"[3-4三四]期|[3-4三四]级|升|加重|恶化|更|严重|又|复发|犯")
OF_BREEDING = re.compile(
    r"(?:没|未|不)[^,。]{0,4}(?:绝育|节育|绝|骟|阉)|绝育[^,。]{0,4}(?:没|失败|不|取消|推迟|改)|配种|怀孕|怀上|蛋蛋|当(?:爸|妈)|生(?:宝宝|崽|小)|下崽"
)
CORRECTS = re.compile(
    r"错|不对|不准|不算|作废|没(?:打|做|滴|用|吃)|差了|挪|推(?!了)|改|不用|失效|过期|白(?:打|滴|做|吃)|早了|晚了|不可能|不是|哪有|删|取消"
)
"""What is said of an entry that is not as it was written down."""
OF_A_PLAN = re.compile(r"[一二两三四五六半\d]+个?[年月周天]|[每隔]|间隔|有效")
"""How long it holds or how often it is due."""
ONE_MORE = re.compile(r"又|再|补|重新?[打做滴]|加强|刚|今天|昨天")
LEFT_OUT = re.compile(r"忘|漏|吐|喷(?:了|出)|没敢|[洒撒]了|呛|[晚迟][喂打吃滴]|[喂打吃滴]晚")
NO_MORE_CARE = re.compile(
    r"可以|(?<![不只功])能(?![量力])|不用|不必|不需|无需|不再|没必要|不算|毕业|取消|恢复|和正常|跟正常|没病|好了|痊愈|没事|放心"
)
"""Of an illness that is only measured: that nothing need be done about it any more."""
LIMITS_FOOD = re.compile(
    r"禁|忌|戒|限[盐磷脂糖油食量]|不能[吃喝碰]|不可[吃喝碰]|别[吃喝碰]|少[吃喝]|低[脂盐磷糖蛋嘌钠]|无[糖盐油谷]|控[制糖食]|处方"
)
"""A line that keeps some food from a pet."""
_TREATED = re.compile(
    r"(?<!小)[吃啃喝尝舔嚼](?!饭|药|力|惊|东西|粮|醋|处方|[完过得着不])|[来整分赏喂给有掰切撕][^,。]{0,8}[口块根点勺节角颗片条坨杯碗串只个盒包嘴](?!药|钟|头)|解馋|开[个回]?荤|破戒|安排|走[起一]|伺候|端上|上桌|招待|请它|[嘬嗦抿](?=[一两了个])|加餐|打牙祭|犒劳|奖励|大餐|沾[点个]?光"
)
_HAD_IT = re.compile(
    r"[吃啃喝尝舔嚼吞](?:了|过|掉|光|着)|偷|抢|叼|没[^,。]{0,4}[吃啃喝给喂碰舔]|不(?:能|敢|许|让|准|给|喂|吃|喝|碰|再)|别|禁|忌|戒"
)
_EVERY_DAY = re.compile(
    r"每[天日晚早周月顿餐]|一天|天天|[早中晚]上?(?:各|那顿)|[一二两三四\d](?:顿(?!大)|餐)|现在|一直|医生|医嘱|大夫|处方"
)


IN_FUN = re.compile(r"哈哈|嘿嘿|嘻嘻|嘿$|嘻$|开玩笑|说笑|逗你|说说而已|[～~]$|呗")
"""Said with a laugh."""


def wishes_a_treat(line: str, words: str, names_food: bool = False) -> bool:
    """Whether `words` speak of a treat, not as one that it had or gets every day, beside a line that limits its food.

    过年能啃个炸鸡腿解解馋吧: said in fun or as a leave, whatever the treat is called. names_food: said with a laugh,
    some food by its name.
    """
    limited = LIMITS_FOOD.search(line) is not None
    told = _HAD_IT.search(words) or _EVERY_DAY.search(words)
    return limited and (_TREATED.search(words) is not None or names_food) and told is None
