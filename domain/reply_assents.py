"""A clear yes that opens an answer, and whether all that follows leaves it standing: 对对2.8，才四个月大的小猫.

The yes alone decides; what is told beside it may be anything that does not speak against the change: a reason, where
the owner has it from, some other news. What doubts, limits or turns it, names another allergen, or tells of harm, does.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from domain.offline.extractor.wordlist import known_words
from memory.text_folding import fold_text

_SOFT = r"(?:嗯+|恩+|哦+|噢|啊+|哎呀?|诶|欸|唉|哈+|那|好+的?|行|可以|呃|额|嗐)*"
_TAIL = r"(?:的|啊|呀|呢|嘛|哈|滴|哒|喽|咯|哟|嘞|吧|是|头|没错|就是|确认|确定|确实)*"
_OPENING = re.compile(
    rf"^{_SOFT}(?:对+{_TAIL}|(?:就?是(?:的|啊|呀|呢|滴|哒|嘞|嘛|这样|这么回事))+{_TAIL}|是+(?=$)|没错|冇错|系(?:啊|嘅|呀)?(?=$)|确认(?:无误)?|确定|肯定是?"
    rf"|确实(?:是)?|属实|正确|准确|当然|必须|没毛病|没问题|同意|得嘞|好嘞|按我(?:刚才|刚)?说的|(?:就|那就|请|麻烦|帮我|给我)*(?:改|换|更新|删|更正|停)(?:掉|过来|一下)?(?:吧|了吧|就行)){_TAIL}"
)
_NO_YES = re.compile(r"^对(?:了$|不|了(?!一)|面|方|比|付|于|着|待|它|他|她|那个|这个|别的|其他)")
_PREPOSITION = re.compile(
    r"^(?:就|已|早|现|医|大夫|兽医|我|咱|改|换|停|删|没|不(?!起|上|住|准)|是|刚|今|昨|前天|上周|当|之前|原来|按|要|帮|麻烦|确|都|做|绝|打|才|只|也|才|老|还|辛苦|谢)"
)
"""Bare 对 with no mark after it is a yes before one of these, or a figure; else it may be a preposition (对鱼过敏)."""

_TURNS = re.compile(
    r"但(?!愿)|不过(?!敏)|可是|然而|只不过|除非|除了|就是(?:还|有点|怕|不|没)|反正|万一|要是|如果|假如|等我"
)
_LIMITS = re.compile(
    r"(?<![一二两三几这那每哪\d])只(?!要你|管|好|(?:有|是)[^,。]{1,5}(?:过敏)?$)|仅|少量|一点点|偶尔|有时|一半(?!了)|别的|其他|另外(?:那|一)|熟的|才行|暂时|^先|先[停减加试换]|试试|而已|罢了|[看视]情况"
    r"|停(?:上|个)?[一二两三四五六七八九十几半\d]+个?(?:天|周|星期|月|次|顿)(?!了|多|左右)|(?:下个?(?:周|月|星期)|明天|过几天|月底|以后)[^,。]{0,3}(?:再|停|改|换|开始)"
    r"|又(?:开始|恢复|接着)?(?:吃|喂|打|用)(?:了|上|着)"
)
_GUESSES = re.compile(
    r"好像|应该|可能|也许|大概|估计|或许|似乎|貌似|没准|说不定|听说|差不多|不确定|不清楚|拿不准|不好说|不一定"
)
_UNWILLING = re.compile(
    r"(?:医生|大夫|兽医|医院|老公|老婆|[爸妈]|家里人?)[^,。]{0,5}(?:不(?!用|再|需|过敏)|没(?!事|问题|错|看|查)|反对|别|先)|说(?:不是|没有|别|不能|不行|不可以)|不(?:敢|舍得|同意|建议|放心)"
)
_STILL = re.compile(
    r"(?:还|仍|依然|照样|又)(?:是)?(?:会|在|有|得|要|起|没|吐|痒|挠|拉|肿|红|咳|喘|吃药|高|低|偏|差|不(?!错|用))"
)
_HESITATES = re.compile(
    r"看看|想想|想一|等(?!级|于)|记不|再|不用|不要|原来|以前|老样|慢慢|下个?[周月次]|明天|过几|试|又|还(?!是?(?:早晚|每|一))|先(?!这)|约|打算|准备|考虑|商量"
)
"""Beside a soft yes (嗯, 好的), which may only mean that somebody listens."""
_LONG_AGO = re.compile(r"之前|上次|上回|原来|原先|以前|那次|那回|当时|那时|当初|那会")
_SLIP = re.compile(
    r"(?:我|之前|当时|当初|原来|以前|那时候?|那会儿?|上次|上回|那次|老公|[爸妈]|的|^)*(?:是)?(?:我|你|他|她)?(?:自己)?(?:给|都)?(?:听|记|搞|弄|说|看|写|填|打|输|录|认|分|称|选|点)(?:错|混|岔|反|串)(?:了|的)?|误会(?:了|它)?|手[滑误抖](?:了)?|[8-9]?口误"
)
_JUST_NOW = re.compile(r"刚才|刚刚|刚刚?那|这次")
_DONE_ASKING = re.compile(
    r"(?:不用|别|不要|甭|不必)(?:再|老)?(?:问|提醒|确认|说|核对)[^,。]{0,4}|(?:上次|之前|早就?|都)?不是(?:都|早)?(?:说|讲|告诉)[^,。]{0,4}(?:了|过)?(?:吗|嘛)?|不会(?:有)?错|错不了"
    r"|我?再(?:说|讲|强调|重复|确认)一[遍次]|(?:抱歉|不好意思|对不起|怪我)?(?:之前|刚才|当时|上次|一开始)?没(?:说|讲|写|交代)(?:清楚|明白|全)|(?:抱歉|不好意思|怪我)"
    r"|(?:别的|其他的?|其余的?|剩下的?)(?:都|也|全)?(?:[没不](?:变|动|改)|照旧|一样|正常|没问题)了?"
)
_NO_HARM = re.compile(
    r"(?:不|没|没有)(?:再|怎么|见|啥|什么)*[^,。]{0,4}|(?:(?:复查|指标|报告|检查|化验)[^,。]{0,6})?(?:正常|阴性)|好(?:了|多|转)"
)


def opens_with_yes(clause: str) -> str | None:
    """What follows the clear yes in the clause that opens an answer; None when it opens with none."""
    if _NO_YES.match(clause):
        return None
    opening = _OPENING.match(clause)
    if opening is None:
        return None
    rest = clause[opening.end() :]
    bare = opening[0].endswith("对")
    return None if rest and bare and not (rest[0].isdigit() or _PREPOSITION.match(rest) or _is_amount(rest)) else rest


def _is_amount(words: str) -> bool:
    return re.match(r"[一二两三四五六七八九十半][片粒颗次天斤公号毫个滴支包单]", words) is not None


def closes_the_matter(folded: str) -> str:
    """The message without what only closes the matter (别再问我了, 不会错的, 上次不是说了吗), 没有错 as 没错."""
    return _AT_LENGTH.sub("没", _DONE_ASKING.sub("", folded))


_AT_LENGTH = re.compile(r"(?<![有还])没有(?=错|毛病)|^没有(?=问题(?:[的了啊呀,，。\s]|$))")


_CALLED_OFF = re.compile(r"(?:那|就|先|还是|嗯|算了)*(?:取消(?:吧|了|掉|的|啊)*|不用(?:的|啊|吧)*)")
_NOT_MEANT = re.compile(
    r"我?(?:就|只|真)?(?:是)?(?:随口|瞎|乱|胡|顺嘴)说(?:的|着玩|说)?(?:而已)?|不是(?:这个|那个|我的)意思|别当真|(?:我)?(?:开(?:个)?玩笑|逗你)(?:的|呢|玩)*"
)
_STRIKES = re.compile(r"删|去掉|取消|移除|清掉")


def calls_off(clause: str) -> bool:
    """Whether the clause that opens an answer calls the change off: 取消吧, 不用, 我随口说的."""
    return (_NOT_MEANT.fullmatch(clause) or _CALLED_OFF.fullmatch(clause)) is not None


def may_strike(clause: str, asked: str) -> bool:
    """取消吧 after a question whether to strike something out may mean just that. asked: the question, the new line."""
    return "取消" in clause and _STRIKES.search(asked) is not None


def without_closing_words(clause: str) -> str:
    """The clause without owning up to the old mistake (当时写错了)."""
    return clause if _JUST_NOW.search(clause) else _SLIP.sub("", clause)


def hesitates(clause: str) -> bool:
    """Whether a clause beside a soft yes takes it for something else than consent."""
    return _HESITATES.search(clause) is not None


def leaves_a_yes_standing(clause: str, asked: str, *, of_harm: bool) -> bool:
    """Whether what is told beside a yes does not speak against it.

    asked: everything the question and its evidence said, folded; of_harm: the change takes a caution away, so that a
    sign of harm beside the yes undoes it.
    """
    if _TURNS.search(clause) or _LIMITS.search(clause) or _GUESSES.search(clause) or _UNWILLING.search(clause):
        return False
    if _LONG_AGO.search(clause):
        return True
    if not of_harm:
        return True
    return not (_STILL.search(clause) or _tells_of_harm(clause) or _names_another_allergen(clause, asked))


def _tells_of_harm(clause: str) -> bool:
    """A sign that is not told to have stayed away."""
    return any(hit.family == "sign" for hit in known_words().find(_NO_HARM.sub("", clause)))


_OF_THE_DANGER = re.compile(r"过敏|不耐|不能|不行|不可以|忌|才是?|^(?:就|应该)?是|^[^,。]{1,4}$|改|换|成")


def _names_another_allergen(clause: str, asked: str) -> bool:
    known = {hit.word.allergen for hit in known_words().find(asked)}
    if not _OF_THE_DANGER.search(clause):
        return False
    return any(hit.word.allergen and hit.word.allergen not in known for hit in known_words().find(clause))


_PROPOSED = re.compile(
    r"(?:(?:改|更正|换|更新|变|标|记)(?:成|为|到)(?:是)?|→ ?)"
    r"[「“\"]?([^「」“”\"？?吗，,。]{1,16}?)[」”\"]?(?:过敏)?(?:吗|么|$|[？?，,。])"
)


def proposed_in(quotes: Sequence[str]) -> tuple[str, ...]:
    """The new value as the question words it: 兔肉 of 从「鸭肉」更正为「兔肉」吗."""
    return tuple(found[1] for quote in quotes for found in _PROPOSED.finditer(fold_text(quote)))


def proposes_another_danger(clause: str, quotes: str, old: str) -> bool:
    """兔肉才过敏, where the question sets rabbit against the duck on record: no word for the old danger."""
    proposed = [value for value in proposed_in((quotes,)) if value in clause and "过敏" not in value]
    folded = fold_text(old).replace("过敏", "")
    held = {one + other for one, other in pairwise(folded)} - {
        one + other for v in proposed for one, other in pairwise(v)
    }
    return bool(proposed) and "过敏" in clause and not any(pair in clause for pair in held)


_FEMALE, _MALE = (
    re.compile(r"母|妹妹|女|姑娘|闺女|小姐姐|雌"),
    re.compile(r"(?<!老)公(?!斤|司|园|里|主)|弟弟|男|小伙|儿子|雄"),
)
_INTACT = re.compile(r"(?:没|未|还没|不是)[^,。]{0,3}(?:绝|做|切|摘|割|去势|结扎)|蛋蛋[^,。]{0,3}(?:还)?在")
_NEUTERED = re.compile(
    r"绝(?:了|过|完|育了|育过)|做(?:过了?|完了)|已经?(?:绝|做)|(?:切|摘|割|骟|阉)(?:了|过|掉)|耳标|缺耳"
)


def states_of_kind(clause: str, new: str, old: str | None) -> bool | None:
    """Whether a clause names the new sex or state of neutering (True) or the old one (False)."""
    told = fold_text(new)
    if "绝育" in told:
        intact, neutered = _INTACT.search(clause), _NEUTERED.search(_INTACT.sub("", clause))
        says_new, says_old = (intact, neutered) if _INTACT.search(told) else (neutered, intact)
    elif old and (_FEMALE.search(told) is None) != (_FEMALE.search(fold_text(old)) is None) and "不是" not in clause:
        female, male = _FEMALE.search(clause), _MALE.search(clause)
        says_new, says_old = (female, male) if _FEMALE.search(told) else (male, female)
    else:
        return None
    return None if bool(says_new) == bool(says_old) else bool(says_new)


_NEWS = re.compile(r"另外(?![那一])|顺便|对了|还有(?:个|件)?|[。!！?？\n]")


def is_of_the_answer(quote: str, message: str) -> bool:
    """Whether words of an answer belong to it (处方上盖了章的), so that they are no news beside it.

    What is told by the way (对了它今天掉毛) or in a sentence of its own is news.
    """
    before, found, _ = fold_text(message).partition(fold_text(quote))
    return bool(found) and _NEWS.search(f"{before}{fold_text(quote)[:2]}") is None
