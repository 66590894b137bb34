"""Understanding the owner's answer to a confirmation, in words: 对，现在能吃了 / 先别改 / 再看看.

Rules of caution: doubt is never a yes; a question is no answer; another value than the one asked about is no answer
but a statement of its own; so is a message that names another pet or another object (更新一下猫砂); words that restate
the danger beat a polite 对; any other yes and no in one breath cancel out, unless one of them is taken back
(先别改……算了改吧).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from domain.reply_words import OF_ALLERGY, OF_DRUG, OF_FIGURE, OF_ILLNESS, OF_REACTION, made_of_own_words
from memory.settlement import Answer
from memory.similarity import quantities
from memory.text_folding import fold_text

LONGEST_COMMAND = 12  # characters; unasked, only a short command about the record is taken for an answer


@dataclass(frozen=True, slots=True)
class AskedChange:
    """What was asked, as the owner saw it.

    new, old: the lines that would be and that are served; old is None for a new danger.
    denies: the new line denies what the old one asserts (不过敏了, 停药); False: it asserts a danger; None: neither.
    quotes: the question and the words it rests on, which an answer may repeat.
    others: names of the household's other pets; a message that holds one of them is about that pet.
    """

    new: str
    old: str | None = None
    denies: bool | None = None
    quotes: str = ""
    others: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        return (self.new, self.old or "")


def understand_reply(text: str, asked: AskedChange | None = None, *, just_asked: bool = True) -> Answer | None:
    """Return the answer that `text` gives, or None when it gives none.

    asked: lets an answer that only restates one side (还过敏着呢, 就是3.6) be understood.
    just_asked: the question was the last thing said. Otherwise only a short command (那条改了吧, 先别改) is an answer.
    """
    folded = fold_text(text).strip()
    if not folded or _QUESTION.search(folded):
        return None
    if asked is not None and any(fold_text(name) in folded for name in asked.others if name):
        return None
    clauses = [clause for clause in _CLAUSE_END.split(folded) if clause and not _RHETORICAL.search(clause)]
    if not just_asked:
        return _command(folded, clauses, asked)
    if asked is not None and _names_another_value(clauses, asked):
        return None
    if clauses and all(_BARE_YES.fullmatch(clause) for clause in clauses):
        return Answer.ACCEPT
    return _weigh(clauses, asked)


def _any_of(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{alternative})" for alternative in alternatives))


_CLAUSE_END = re.compile(r"[，,。．！!；;、~～…\n]+|\s+")
_OPENERS = re.compile(r"^(?:哦|噢|啊|嗯+|恩+|那|好|行|额|呃|诶|哎呀?|唉|算了|还是|其实|不过|但是?)+(?=.)")
_ENDINGS = re.compile(r"(?<=.)(?:啊|呀|吧|呢|嘛|哈|哦|噢|喔|诶|哎|啦|了|哒|滴|的)+$")
_RHETORICAL = re.compile(r"怎么(?:可能|会)|不可能|哪能|哪会|谁.{0,3}说")
_TURN = re.compile(r"^(?:算了|还是|不过|但是?|可是|等等|等一?下)")
_PAST = re.compile(r"之前|上次|原来|原先|以前|那次|当时|那时|当初")

_QUESTION = _any_of(
    r"[?？]",
    r"(?:吗|么)$",
    r"是不是|能不能|可不可以|要不要|该不该|会不会|行不行|好不好",
    r"怎么办|什么意思|为什么|为啥",
    r"^(?!.*(?:还|没|在|不|着|可|才|[是对嗯]的?呢)).{1,8}呢$",
)

_CHANGE = r"改|换|动(?!手)|更新|删|变|更改|修改|调整|更正|取消"

_CHANGES = re.compile(_CHANGE)
_NAMES_THE_RECORD = re.compile(rf"(?:{_CHANGE})(?!成|为|到)|保持|保留|原样")
_POINTS_AT_THE_RECORD = re.compile(r"[那这]一?条|档案|记录|资料|过敏|不耐")
# 那条过敏删掉吧 names the record by its danger; it does not say the danger again.
_COMMAND_ON_DANGER = re.compile(rf"(?:过敏|不耐受)(?:的)?(?:[那这]?条|记录|档案)?(?:给我|帮我|就)?(?:{_CHANGE})")

# Words that an answer may hold, about something else: another doctor, a reminder, the food that is changed.
_OTHER_BUSINESS = _any_of(
    rf"(?:提醒|复查|复诊|检查|体检|化验|医院|医生|大夫)(?:{_CHANGE}|记)(?!的)",
    rf"(?:{_CHANGE}|记)(?:一下|一个|个|掉|上)?(?:提醒|复查|复诊|检查|体检|化验|医院|医生|大夫)",
    r"(?:[今明后]天|下个?(?:周|月|星期)|过.{1,3}天).{0,4}(?:复查|复诊|检查|体检|去|看|打)",
    r"[^\W条录案料那就以快请帮接我嗯好行对是的可要吧]换(?!成|为|到)",
)

_WATCH = _any_of(
    r"再(?:看|观察|等|想|考虑|试|留意|瞧|议|缓|说吧|说$|确认|核实|核对|问|查)",
    r"(?:我|去|先|得|要)(?:去|先)?(?:确认|核实|核对|查|问)(?:一下|下|看|问)|复查(?:完|后|了)?.{0,4}(?:再|告诉|说)",
    r"观察|先(?:看|等|放|缓|留着看)|不急|不着急|还在(?:看|想|考虑|商量|犹豫)",
    r"看看(?:情况|再|后|结果)",
    r"(?:过|等).{0,10}(?:再|后)(?:说|定|看|改|问|决定|更新)",
    r"等.{0,8}(?:复查|复诊|结果|化验|报告|医生|检查)",
    r"^(?!.*(?:过|了)).{0,4}(?:问|咨询)(?:问|一下|下)?(?:医生|大夫|兽医|医院)",
    r"(?:没|不)(?:太|大|能|敢|是很)?(?:确定|肯定|清楚|好说|想好|决定)|没.{0,3}定$",
    r"拿不准|说不准|说不好|不知道|不晓得|吃不准|没把握|不一定|过(?:几|两|一|些|阵|段)",
)
_DOUBT = re.compile(r"好像|应该|可能|也许|大概|估计|或许|似乎|貌似|感觉|没准|说不定|听说|差不多")

_KEEP = _any_of(
    rf"(?:别|不|甭|勿|没|没有|不要|不用|不能|不必|先不)(?:先|给我|再|要|急着|着急|去|能|用|许|想|需要|可以|同意)?(?:{_CHANGE}|记(?!错|得))",
    r"保持|维持|照旧|原样|恢复",
    r"(?:照|按|依|用|保留|回到)(?:着|回)?(?:原来|以前|之前|老|旧|现状|原)",
    r"(?:还|仍|继续|依旧)(?:是|得|要|按|照|当|算)?.{0,10}(?:算|来|对待|处理)$",
    r"(?:保留|留着|留下)",
    r"^(?:不+|别|不要|(?:不是)+|不对|不行|不可以|错|没有|没有的事|不同意|拒绝|否|no|nope)$",
    r"^(?:不是|没有)(?:这样|这么|这回事|那回事)",
    r"误会|^不是.{0,6}(?:问题|缘故|原因|事)|开玩笑|说着玩|逗你|瞎说|乱说|随口|当我没说|没这回事|不算数|撤回|没(?:这么|这样)?说",
    r"我(?:是)?(?:说错|搞错|弄错|看错|打错)",
)

_YES = r"对+|没错|是|确认|确定|确实|肯定|当然|同意|属实|正确|没问题|准确|ok|okay|yes|yep|accept"
_ACCEPT = _any_of(
    rf"^(?:{_YES})(?:是|的|就是|这样|如此|无误|{_CHANGE}|确认|没错|没问题|对)*$",
    r"^(?:是的|对的|没错|对对+|是啊|对啊|确认|千真万确)",
    r"^是.{1,6}没错$",
    r"^(?:都|已经|早就?)*(?:(?:做|换|改)(?:好|完|过|掉)|换|改|绝)了$",
    r"^对(?:就|已经|现在|医生|我)",
    rf"(?:{_CHANGE}|记)(?:一下|下|掉|过来|成新|成这个|为新|上|下来|为|成).{{0,8}}$",
    rf"(?:^|就|那|可以|帮我|请|麻烦|给我|直接|赶紧|快|条|个|过敏|记录|档案)(?:{_CHANGE})$",
    rf"(?:{_CHANGE})(?:一下)?(?:[那这]一?条)?(?:的|过敏)*(?:档案|记录|过敏)$",
    r"(?:按|照|用|以)(?:新|现在|这个|最新|改后)",
    r"我(?:很)?(?:确定|肯定|确认|保证)",
)
_BACKING = re.compile(
    r"(?:[单盒瓶签袋]上|说明书|[验测查告诊断]单|单子|病历|报告|本子?|本上|处方|记录|证上?|发票|照片|医嘱|结果)[^,。]{0,6}(?:写|是|在|看|记|有|上|出)|(?:医生|大夫|医院|兽医)[^,。]{0,6}(?:说|讲|写|开|让|定|确认|看|查|测|叫|交代|同意|跟我)的?"
    r"|[以照按][^,。]{1,8}(?:为准|来$|写$)|(?:从|就)?(?:今[天晚早]|明[天早]|昨[天晚]|上?周.?|现在|刚)(?:起|就)?开始"
    r"|^(?:我|刚|又|才|特意|专门|已经|都)[^,。]{0,8}(?:问|查|看|核对|确认|核实|对|测|量|称|翻)(?:过|了|清楚)(?:一[遍次下])?(?:医生|大夫|医院|兽医|病历|本子|报告|单子)?$"
)
_TAKES_BACK_OR_DOUBTS = re.compile(
    r"[不没别](?!错)|但|可是|不过|还(?:在|是|有)|又(?!去?[问查翻看测称核确])|只|除|吐|拉|痒|肿|挠|疹|喘|抽"
)
_CLEAR_YES = re.compile(
    r"(?:嗯+|恩+|哦|啊)*(?:对+|是的?|没错|确认|确定|肯定|属实|正确|改吧?|停吧?)(?:的|停|是|啊|呀|呢|哈|滴|没错)*"
)
_REASON = re.compile(
    r"副作用|手术|顺利|当面|亲[口眼自]|同意|翻[了过出开]|对[了过]|[打写记看说听弄搞][错反混岔串]|手[滑误抖]|太[贵遭受难辛]|做完|阴性|阳性|误诊|确诊"
)
"""After a yes, why it is so; a closed list, for any other clause may be news of its own."""
_PUT_OFF = _any_of(
    r"^(?:我|先|那|还是|就|嗯|不急)*(?:等|过)(?:到|我)?.{1,14}(?:再|后|完|出来|结果|说|告诉)",
    r"再[^,。]{0,6}(?:看看|看|瞧瞧|观察|说|商量)(?:吧|看|下|一下|再说)?$",
    r"^(?:我)?(?:自己|也|还|真)*(?:不太|不大|不是很|不|没)(?:确定|清楚|肯定|想好)(?:呢|吧|啊)?$",
    r"^先(?:不定|放一?放|挂着|搁着|缓一?缓|减着|试着)",
)
"""The answer is put off until something is known, whatever that is."""
_PLAIN_NO = re.compile(r"不对|不是的?|错了|不不+|没有的事|别改|先别(?:改|动)")
_MY_SLIP = re.compile(r"(?:说|看|记|搞|弄|打|拿)(?:错|混|反|岔)")
_BARE_YES = re.compile(
    r"(?:嗯+[呢呐]?|恩+|好+|好[的呀啊吧嘞]|行+|行[吧的]|可以|可以的|可|中|成|得|要|要的|没毛病|就?这么(?:改|办|定)(?:吧|了)?|(?:[改删换]掉?[吧了]?)+)+"
)

# What an answer may restate, by the kind of fact. Denials of safety are looked for first: 不能吃 holds 能吃.
_UNSAFE = _any_of(
    r"(?:不能|不可以|不敢|不准|没法|不该|别|不要|不)再?(?:让|给|喂).{0,3}(?:吃|喝|用|碰)?",
    r"(?:不能|不可以|不敢|不准|没法|不该|别|不要)(?:再|乱)?(?:吃|喝|用|碰)",
    r"(?:不|没|没有|别|先别|不能|不要|不敢|不可以|不让|没让|没叫)(?:再|随便|乱|擅自)?(?:停|断)|没(?:有)?(?:好|痊愈|治)",
    r"(?:不是|并非|不等于|不代表|不算|未必|不见得)(?:说)?(?:就|真)?(?:不过敏|能吃|可以吃|好|停|没事)",
    r"(?:不能|不行)$",
)
_HARMLESS = _any_of(
    r"不(?:再|会|是)?(?:对.{1,8})?过敏|没(?:有)?过敏|(?:能|可以|随便|正常|放心)(?:正常|随便|放心)?(?:吃|喝|用|碰)",
    r"没(?:有)?(?:任何)?(?:事|反应|问题)",
)
_NEW_RHYTHM = re.compile(r"[成为到]((?:一天|每天|每日|隔天).*)")
_DRUG = re.compile(r"停|药|在用|在吃|片|mg|毫克")
_STOPPED = re.compile(r"停|不(?:再|用|需要)?(?:吃|用|打|喂|滴)|(?:吃|用|打)完")
_NOT_FED = re.compile(r"不再?(?:喂|给)(?:了|它吃了|吃了|药了)$")
_CURED = re.compile(r"(?<=[经都全底早在它他她真是])好(?:了|全|透)|痊愈|治好|康复|治愈")
_PARTIAL = re.compile(r"只|仅|除了|除非|少量|一点点|偶尔|有时|一半|别的|其他|另外|熟的|才行")
_DANGEROUS = _any_of(
    r"过敏|不耐受",
    r"(?:还在|一直在|继续|接着|照常|仍在)(?:吃|用|打|喂|治|滴)",
    r"(?:还|又|仍)(?:没|有|起|会|在|得)",
)


def _command(folded: str, clauses: Sequence[str], asked: AskedChange | None) -> Answer | None:
    """A short word about the record itself, said at any moment. A change must name the record, or what was asked."""
    if len(folded) > LONGEST_COMMAND or not all(_is_own(clause, asked) for clause in clauses):
        return None
    if not _NAMES_THE_RECORD.search(folded):
        return None
    votes = {_plain_vote(clause) for clause in clauses} - {None}
    answer = votes.pop() if len(votes) == 1 else None
    return None if _takes_away(answer, asked) and not _POINTS_AT_THE_RECORD.search(folded) else answer


def _takes_away(answer: Answer | None, asked: AskedChange | None) -> bool:
    """Whether this answer ends something that is served: a yes, or a no to a caution."""
    return answer is Answer.ACCEPT or (answer is Answer.KEEP and asked is not None and asked.denies is False)


def _is_own(clause: str, asked: AskedChange | None) -> bool:
    """Whether the clause holds nothing but an answer's words and the thing asked."""
    rhythm = _NEW_RHYTHM.search(clause)
    if rhythm and not any(rhythm[1] in fold_text(line) for line in (asked.lines if asked else ())):
        return False
    if asked is None:
        return made_of_own_words(clause, (), "", OF_ALLERGY)
    return made_of_own_words(clause, asked.lines, asked.quotes, _kind_words(asked))


def _kind_words(asked: AskedChange) -> str:
    if asked.denies is None:
        return f"{OF_FIGURE} {OF_DRUG}" if _DRUG.search("".join(asked.lines)) else OF_FIGURE
    safe = _safe_words(asked)
    words = OF_ALLERGY if safe is _HARMLESS else OF_DRUG if safe is _STOPPED else OF_ILLNESS
    return words if asked.denies else f"{words} {OF_REACTION}"


def _weigh(clauses: Sequence[str], asked: AskedChange | None) -> Answer | None:
    """One answer from the clauses that are nothing but an answer.

    A yes or a no needs every clause to be so; only 别改 said of the record holds whatever else is told beside it.
    """
    own = [clause for clause in clauses if _is_own(clause, asked)]
    clear = bool(clauses) and _CLEAR_YES.fullmatch(clauses[0]) is not None
    assents = clear or (bool(clauses) and _BARE_YES.fullmatch(clauses[0]) is not None)
    if own[:1] == clauses[:1] and own and (assents or _vote(own[0], asked) is Answer.ACCEPT):
        own = [clause for clause in clauses if clause in own or _backs_up(clause, clear)]
    answer = _weigh_own(own, asked)
    if answer is None and assents and len(own) == len(clauses) and all(_BACKING.search(one) for one in own[1:]):
        return Answer.ACCEPT
    if answer is not Answer.ACCEPT and any(_PUT_OFF.search(clause) for clause in clauses):
        return Answer.WATCH
    if answer is not Answer.WATCH and len(own) < len(clauses):
        return answer if _holds_whatever_is_told(answer, own, clauses, asked) else None
    other_business = answer is Answer.ACCEPT and any(_OTHER_BUSINESS.search(clause) for clause in clauses)
    return None if other_business else answer


def _holds_whatever_is_told(
    answer: Answer | None, own: Sequence[str], clauses: Sequence[str], asked: AskedChange | None
) -> bool:
    """A no that names the record, opens the message or stands by the danger; never one that ends a caution."""
    if _takes_away(answer, asked):
        return False
    rest = [clause for clause in clauses if clause not in own]
    opens = own[:1] == clauses[:1] and answer is Answer.KEEP and not any(_CHANGES.search(clause) for clause in rest)
    taken_back = _PLAIN_NO.fullmatch(clauses[0]) and any(_MY_SLIP.search(clause) for clause in clauses)
    forbids = any(_NAMES_THE_RECORD.search(clause) and _plain_vote(clause) is Answer.KEEP for clause in own)
    return opens or forbids or bool(taken_back) or _stands_by_a_danger(own, asked)


def _backs_up(clause: str, clear: bool) -> bool:
    """After a yes, where the owner has it from or since when it holds (针本上写的, 今晚开始): no news of its own.

    clear: the yes is a word of its own (对, 没错), after which a short reason may be told too (手术很顺利).
    """
    if _TAKES_BACK_OR_DOUBTS.search(clause) or _plain_vote(clause) not in (None, Answer.ACCEPT):
        return False
    told = _is_reason(clause) if clear else _BACKING.search(clause) is not None
    return told and not _OTHER_BUSINESS.search(clause)


def _is_reason(clause: str) -> bool:
    short = len(clause) <= LONGEST_COMMAND
    return _BACKING.search(clause) is not None or (short and _REASON.search(clause) is not None)


def _stands_by_a_danger(own: Sequence[str], asked: AskedChange | None) -> bool:
    """还是过敏的，上次吃了鸡肉全身起疹子: the danger that is served, said again, whatever reason is told beside it."""
    if asked is None or not asked.denies:
        return False
    return {vote for clause in own if (vote := _restates(clause, asked)) is not None} == {Answer.KEEP}


def _weigh_own(clauses: Sequence[str], asked: AskedChange | None) -> Answer | None:
    """A danger restated wins, then doubt, then a yes or a no that stands alone."""
    restated = [vote for clause in clauses if asked and (vote := _restates(clause, asked)) is not None]
    votes = [vote for clause in clauses if (vote := _vote(clause, asked)) is not None]
    kinds = set(votes)
    if len(kinds) <= 1:
        return _unless_partial(votes[0], clauses) if votes else None
    taken_back = any(_TURN.match(clause) for clause in clauses)
    if kinds == {Answer.ACCEPT, Answer.KEEP}:
        if taken_back:
            return votes[-1]
        return Answer.KEEP if restated and set(restated) == {Answer.KEEP} else None
    return Answer.ACCEPT if taken_back and votes[-1] is Answer.ACCEPT else Answer.WATCH


def _unless_partial(answer: Answer, clauses: Sequence[str]) -> Answer | None:
    """A yes with a limit (只停了早上那次, 熟的能吃) is a statement of its own, not this yes."""
    limited = any(_PARTIAL.search(clause) for clause in clauses)
    return None if answer is Answer.ACCEPT and limited else answer


def _vote(clause: str, asked: AskedChange | None) -> Answer | None:
    """What one clause says: doubt, a plain no, what it restates, a plain yes."""
    plain = _plain_vote(clause)
    if plain in (Answer.WATCH, Answer.KEEP):
        return plain
    restated = _restates(clause, asked) if asked else None
    return restated or plain


def _plain_vote(clause: str) -> Answer | None:
    if _WATCH.search(clause):
        return Answer.WATCH
    forms = _forms(clause)
    if any(_KEEP.search(form) for form in forms):
        return Answer.KEEP
    if _DOUBT.search(clause):
        return Answer.WATCH
    accepted = clause != "对了" and any(_ACCEPT.search(form) for form in forms)
    return Answer.ACCEPT if accepted else None


def _forms(clause: str) -> set[str]:
    """The clause as written and without the small words before and after it."""
    opened = _OPENERS.sub("", clause)
    return {clause, opened, _ENDINGS.sub("", clause), _ENDINGS.sub("", opened)}


def _restates(clause: str, asked: AskedChange) -> Answer | None:
    """A clause that says again what is known, or what was asked about; what was true once does not count."""
    if _PAST.search(clause) or _WATCH.search(clause) or _DOUBT.search(clause) or _COMMAND_ON_DANGER.search(clause):
        return None
    if asked.denies is not None:
        return _restates_state(clause, asked)
    return _restates_figure(clause, asked)


def _restates_state(clause: str, asked: AskedChange) -> Answer | None:
    safe_words = _safe_words(asked)
    told = _NOT_FED.sub("停", clause) if safe_words is _STOPPED else clause  # 不喂了 ends a drug, and keeps off a food
    rest, unsafe = _UNSAFE.subn("", told)
    rest, safe = safe_words.subn("", rest)
    dangerous = bool(unsafe) or bool(_DANGEROUS.search(rest))
    if bool(safe) == dangerous:
        return None
    return Answer.KEEP if dangerous is asked.denies else Answer.ACCEPT


def _safe_words(asked: AskedChange) -> re.Pattern[str]:
    """Which words mean "no danger any more" depends on what the danger is: 不吃了 ends a drug, not an allergy."""
    lines = asked.new + (asked.old or "")
    if re.search(r"过敏|不耐", lines):
        return _HARMLESS
    return _STOPPED if _DRUG.search(lines) else _CURED


def _restates_figure(clause: str, asked: AskedChange) -> Answer | None:
    if asked.old is None or re.search(r"不|没(?!错)", clause):
        return None
    new, old, said = set(quantities(asked.new)), set(quantities(asked.old)), set(quantities(clause))
    says_new, says_old = _mentions(said, new - old), _mentions(said, old - new)
    if says_new == says_old:
        return None
    return Answer.ACCEPT if says_new else Answer.KEEP


def _mentions(said: set[tuple[str, str]], wanted: set[tuple[str, str]]) -> bool:
    """A figure with its unit, or the bare figure when no unit was said."""
    figures = {figure for figure, _ in wanted}
    return any((figure, unit) in wanted or (not unit and figure in figures) for figure, unit in said)


def _names_another_value(clauses: Sequence[str], asked: AskedChange) -> bool:
    """A figure stated as the value (改成2.8, 是2.8kg) that neither line holds."""
    known = set(quantities(f"{asked.new}，{asked.old or ''}"))
    figures, units = {figure for figure, _ in known}, {unit for _, unit in known if unit}
    said = {
        figure
        for clause in clauses
        if not _PAST.search(clause)
        for figure, unit in quantities(clause)
        if unit in units and re.search(r"\d", clause)
    }
    said |= {figure for clause in clauses for figure in re.findall(r"(?:是|成|为|到)\s*(\d+(?:\.\d+)?)", clause)}
    return bool(said - figures)
