"""How owners want to be answered, whatever the words: something of an answer, and a word that asks for it."""

import re

from domain.offline.extractor.reading import Reading

# What an answer is made of, or the act of giving one.
_OF_AN_ANSWER = re.compile(
    r"感叹号|叹号|波浪号|问号|标点|表情|emoji|颜文字|语气词|叠词|缩写|英文|外语|术语|专业词|专业名词|名词|行话|黑话|网络用语|官话|套话|废话|客套|场面话|鸡汤|大道理|白话|大白话|人话|土话|方言"
    r"|列表|表格|条目|序号|一二三|一条一条|分条|分点|条理|要点|重点|结论|答案|长篇|大论|小作文|大段|一堆字|字数|字号|字体|每句话?|每条"
    r"|回答|回复|回我|回话|回消息|答我|答复|说话|讲话|跟我(?:说|讲|聊)|和我(?:说|讲|聊)|对我(?:说|讲)|给我(?:写|发|讲|说|翻译|解释)|语气|口气|称呼|(?:别|不要|少|甭)[^,。]{0,3}(?:叫|喊)我|管我叫"
    r"|(?:说|讲|写|发|打)(?:话|字|得)?(?:慢|快|短|简|细|全|清楚|明白|直接|直白|通俗|具体|大)|(?:字|话)(?:写|打|发|弄|调|放)?(?:大|短|少)|语音|链接|出处|来源|依据|安慰|哄我|劝我|拐弯|有啥说啥|有什么说什么|错别字|绕弯|绕圈|兜圈|铺垫|(?:别|不要|甭)(?:再)?绕|啰嗦|啰唆|唠叨|墨迹|磨叽"
    r"|[一二两三四五六七八九十百\d]+(?:行|句|个?字|条|段)"
)
_ASKED_FOR = re.compile(
    r"(?<!特)(?<!分)别(?!的|人|家|处|墅)|不要|不用|不必|用不着|少(?:用|来|发|说|整|点|写|给)|甭|省省|麻烦|拜托|请|以后|今后|往后|下次|尽量|能不能|能否|可不可以|最好|直接|只要|就行|就好|就成|就够|行不|好不|可以不|随便用|一?点(?:儿|行|好|吗|呗|吧|哈|啊)?$|些$|先(?:说|讲|给)|都?(?:发|用|改成?|换成?)(?:文字|中文|列表|表格|短句|大字)|喜欢看|爱看|(?:别|不)(?:能)?超"
)
_OF_A_PET = re.compile(
    r"它|这[段句篇种条几三两些]|总结|刚才|上面|对话|重新|翻译成[^白大人]|喂|吃|吐|拉|疫苗|驱虫|药|粮|罐头|遛|洗澡|绝育|体检|复查|猫(?!猫狗狗的?词)|狗|兔"
)
_ASKS_ABOUT = re.compile(r"吗[?？]?$|为什么|什么意思|怎么回事|是不是")
MAX_WISH = 26  # characters of a clause that only says how to answer


def wishes_for_answers(reading: Reading) -> bool:
    """回复能不能短一点, 少用那些叹号: no pet, no sign, and nothing but how the answer should look."""
    text = reading.text
    if "\x00" in text or reading.about.explicit or len(text) > MAX_WISH:
        return False
    if _OF_AN_ANSWER.search(text) is None or _ASKED_FOR.search(text) is None:
        return False
    return not (_OF_A_PET.search(text) or _ASKS_ABOUT.search(text)) and not reading.has(
        "sign", "drug", "food", "condition"
    )
