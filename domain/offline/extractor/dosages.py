"""Clauses that say nothing but how a medicine is given: how much, how often, when, where and how long.

左眼每天三次, 空腹一次半片, 先吃一个月看看 complete the medicine that was named before them, whatever their order."""

import re

MAX_DOSAGE = 30  # characters; a longer clause says something of its own
_COUNT = r"(?:\d+(?:[./]\d+)?|[一二两俩三四五六七八九十半几]+)"
_UNIT = "(?:mg|ml|μg|毫克|毫升|微克|克|g|个?单位|iu|片|粒|颗|滴管?|支|包|袋|针|泵|勺|格|喷|次|回|遍|顿)"
_SPAN = "(?:小时|钟头|天|日|月|疗程|(?:周|礼拜|星期)(?![一二三四五六日天](?![次回片粒颗针支滴])))"
_HALF = "(?:半(?![片粒颗支袋包勺滴]))?"
_FIGURE = re.compile(
    rf"(?:{_COUNT}分之{_COUNT}|{_COUNT}个?半?)\s?{_UNIT}{_HALF}"
    rf"|(?:[每隔]{_COUNT}?|[一前头再连]?{_COUNT})个?(?:多|来)?{_SPAN}{_HALF}|{_COUNT}%|每?(?:周|礼拜|星期)[一二三四五六日天]"
)
_MANNER = re.compile(
    r"空腹|饭[前后]|餐[前后]|随餐|睡前|早上?|中午?|晚上?|每[早晚]|早晚|夜里|临睡|吃饭时?|饭点"
    r"|[左右两双单俩一](?:只|个|边)?(?:眼睛?|耳朵?|鼻孔)|患处|薄薄|涂?一层|皮下|口服|外用|肌注|舌下"
    r"|体重\d+(?:公斤|斤|kg)|按(?:体重|公斤)|规格|浓度|剂量|含量|大小|那种|这种"
    r"|掰碎|碾碎|磨碎|化水|兑水|掰开|拌(?:在)?[饭粮罐]头?里?|混(?:在)?[饭粮罐]头?里?|塞[^,。]{0,3}肉里"
    r"|先|再|然后|之后|以后|后来|后面|接着|改成?|减[到成量]?|加[到成量]?|换成|停[一两三]?天?"
    r"|各|每次|一次|每回|每顿|一天|每天|每日|一日|隔天|隔日|每隔|每|分|共|总共|大概|差不多|左右|连|连续|满|够|到|就|都|要|得|让|医生|大夫|说|叫|嘱咐"
    r"|吃|喂|滴|打|涂|抹|点|用|敷|喷|给|服|灌|挤|注射|推|洗|擦|上(?!次|周|个|午)"
    r"|(?:医生|大夫|医院|诊所|[一-鿿]{1,3}科)(?:给)?开的|今[天儿]|第|头|这会儿"
    r"|看看|试试|看效果|再说|着|了|的|呢|吧|哈|啦|哦|是|那么|这样|一个|一|为|作|维持"
)
_TELLS_HOW = re.compile(
    rf"{_COUNT}\s?(?:mg|ml|毫|个?单位|片|粒|颗|滴|支|包|袋|泵|次|回|遍|顿|针|勺|喷|天|周|个?月|个?礼拜|%)|早晚|睡前|隔天|饭[前后]|空腹|随餐|每[天日晚早]|开的$"
)


def is_only_dosage(text: str) -> bool:
    """Whether nothing is left of a clause once amounts, rhythm, time, place and verbs of giving are taken out."""
    told = text.replace("\x00", "")
    if not 2 <= len(told) <= MAX_DOSAGE or _TELLS_HOW.search(told) is None:
        return False
    return _MANNER.sub("", _FIGURE.sub("", told)).strip(" 、/-~") == ""
