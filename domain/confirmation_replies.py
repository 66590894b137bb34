"""Understanding the owner's answer to a confirmation, in words: 对，现在能吃了 / 先别改 / 再看看.

Rules of caution: doubt is never a yes; a question is no answer; another value than the one asked about is no answer
but a statement of its own; so is a message that names another pet or another object (更新一下猫砂); words that restate
the danger beat a polite 对; any other yes and no in one breath cancel out, unless one of them is taken back
(先别改……算了改吧).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from domain.reply_assents import (
    calls_off,
    closes_the_matter,
    hesitates,
    leaves_a_yes_standing,
    may_strike,
    opens_with_yes,
    proposed_in,
    proposes_another_danger,
    states_of_kind,
    without_closing_words,
)
from domain.reply_values import (
    A_RHYTHM,
    differ_in_rhythm,
    mentions_figure,
    names_another_value,
    restates_change,
    without_kept_rhythm,
)
from domain.reply_wording import (
    ACCEPT,
    ANOTHER_VALUE,
    ASIDE,
    BACKING,
    BARE_YES,
    BY_THE_WAY,
    CHANGES,
    CLAUSE_END,
    CLEAR_YES,
    COMMAND_ON_DANGER,
    CURED,
    DANGEROUS,
    DISOWNS,
    DOUBT,
    DRUG,
    ENDINGS,
    HARMLESS,
    INDIFFERENT,
    KEEP,
    KEPT_ON,
    LESS_THAN_STOPPED,
    MY_SLIP,
    NAMES_THE_RECORD,
    NEW_RHYTHM,
    NOT_FED,
    OPENERS,
    OTHER_BUSINESS,
    PARTIAL,
    PAST,
    PLAIN_NO,
    POINTS_AT_THE_RECORD,
    PUT_OFF,
    QUESTION,
    REASON,
    RHETORICAL,
    SENTENCE,
    STOPPED,
    TAKES_BACK_OR_DOUBTS,
    TURN,
    UNSAFE,
    WATCH,
)
from domain.reply_words import OF_ALLERGY, OF_DRUG, OF_FIGURE, OF_ILLNESS, OF_REACTION, made_of_own_words
from domain.statement_comparison import times_a_day
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
    folded = closes_the_matter(_of_this_matter(fold_text(text).strip(), asked))
    folded = without_kept_rhythm(folded, asked.new, asked.old or "") if asked else folded
    if not folded or QUESTION.search(folded) or INDIFFERENT.search(folded):
        return None
    if asked is not None and _names_another_pet(folded, asked):
        return None
    clauses = [clause for clause in CLAUSE_END.split(folded) if clause and not RHETORICAL.search(clause)]
    if not just_asked:
        return _command(folded, clauses, asked)
    clauses = _before_an_aside(clauses)
    if asked is not None and clauses and calls_off(clauses[0]):
        unclear = _takes_away(Answer.KEEP, asked) or may_strike(clauses[0], fold_text(asked.new + asked.quotes))
        return None if unclear else Answer.KEEP
    if asked is not None and names_another_value(
        clauses, asked.new, asked.old or "", asked.quotes, proposed_in((asked.quotes,))
    ):
        return None
    if clauses and all(BARE_YES.fullmatch(clause) for clause in clauses):
        return Answer.ACCEPT
    answer = _weigh(clauses, asked)
    if answer is None and _is_yes_throughout(clauses, asked):
        return Answer.ACCEPT
    return None if answer is Answer.ACCEPT and _is_undone(clauses, asked) else answer


def _before_an_aside(clauses: list[str]) -> list[str]:
    """对，另外牛肉还是不行: what is told by the way is another matter."""
    aside = next((place for place, one in enumerate(clauses) if place and BY_THE_WAY.match(one)), len(clauses))
    return clauses[:aside]


def _of_this_matter(folded: str, asked: AskedChange | None) -> str:
    """The message without later sentences about another pet (对。芋圆昨天吐了) or another question (顺便问下…)."""
    sentences = [sentence for sentence in SENTENCE.findall(folded) if sentence.strip()]
    kept = [one for one in sentences[1:] if not (ASIDE.match(one) or (asked and _names_another_pet(one, asked)))]
    return "".join([*sentences[:1], *kept])


def _names_another_pet(folded: str, asked: AskedChange) -> bool:
    """Another pet than the one asked about, which the question itself does not speak of."""
    quotes = fold_text(asked.quotes)
    return any(name in folded and name not in quotes for name in map(fold_text, asked.others) if name)


def _command(folded: str, clauses: Sequence[str], asked: AskedChange | None) -> Answer | None:
    """A short word about the record itself, said at any moment. A change must name the record, or what was asked."""
    if len(folded) > LONGEST_COMMAND or not all(_is_own(clause, asked) for clause in clauses):
        return None
    if not NAMES_THE_RECORD.search(folded):
        return None
    votes = {_plain_vote(clause) for clause in clauses} - {None}
    answer = votes.pop() if len(votes) == 1 else None
    return None if _takes_away(answer, asked) and not POINTS_AT_THE_RECORD.search(folded) else answer


def _takes_away(answer: Answer | None, asked: AskedChange | None) -> bool:
    """Whether this answer ends something that is served: a yes, or a no to a caution."""
    return answer is Answer.ACCEPT or (answer is Answer.KEEP and asked is not None and asked.denies is False)


def _is_own(clause: str, asked: AskedChange | None) -> bool:
    """Whether the clause holds nothing but an answer's words and the thing asked."""
    rhythm = NEW_RHYTHM.search(clause)
    if rhythm and not any(rhythm[1] in fold_text(line) for line in (asked.lines if asked else ())):
        return False
    if asked is None:
        return made_of_own_words(clause, (), "", OF_ALLERGY)
    lines = (*asked.lines, *proposed_in((asked.quotes,)))
    return made_of_own_words(clause, lines, asked.quotes, _kind_words(asked))


def _kind_words(asked: AskedChange) -> str:
    if asked.denies is None:
        lines = "".join(asked.lines)
        return f"{OF_FIGURE} {OF_DRUG}" if DRUG.search(lines) or A_RHYTHM.search(lines) else OF_FIGURE
    safe = _safe_words(asked)
    words = OF_ALLERGY if safe is HARMLESS else OF_DRUG if safe is STOPPED else OF_ILLNESS
    return words if asked.denies else f"{words} {OF_REACTION}"


def _weigh(clauses: Sequence[str], asked: AskedChange | None) -> Answer | None:
    """One answer from the clauses that are nothing but an answer.

    A yes or a no needs every clause to be so; only 别改 said of the record holds whatever else is told beside it.
    """
    own = [clause for clause in clauses if _is_own(clause, asked)]
    clear = bool(clauses) and CLEAR_YES.fullmatch(clauses[0]) is not None
    assents = clear or (bool(clauses) and BARE_YES.fullmatch(clauses[0]) is not None)
    if own[:1] == clauses[:1] and own and (assents or _vote(own[0], asked) is Answer.ACCEPT):
        own = [clause for clause in clauses if clause in own or _backs_up(clause, clear)]
    answer = _weigh_own(own, asked)
    if answer is None and assents and len(own) == len(clauses) and all(BACKING.search(one) for one in own[1:]):
        return Answer.ACCEPT
    if answer is not Answer.ACCEPT and any(PUT_OFF.search(clause) for clause in clauses):
        return Answer.WATCH
    if answer is not Answer.WATCH and len(own) < len(clauses):
        return answer if _holds_whatever_is_told(answer, own, clauses, asked) else None
    other_business = answer is Answer.ACCEPT and any(OTHER_BUSINESS.search(clause) for clause in clauses)
    return None if other_business else answer


def _is_yes_throughout(clauses: Sequence[str], asked: AskedChange | None) -> bool:
    """A yes that opens or closes the answer, or the new value said again, and nothing beside it against it."""
    rest = opens_with_yes(clauses[0]) if clauses else None
    if rest is not None:
        return all(_stands_beside_a_yes(clause, asked) for clause in (rest, *clauses[1:]))
    own = bool(clauses) and _is_own(clauses[0], asked) and not OTHER_BUSINESS.search(clauses[0])
    restated = own and _vote(clauses[0], asked) is Answer.ACCEPT and not BARE_YES.fullmatch(clauses[0])
    agreed = asked is not None and len(clauses) > 1 and _agrees(clauses, asked)
    return (bool(restated or _names_the_new(clauses, asked)) and not _is_undone(clauses, asked)) or agreed


def _agrees(clauses: Sequence[str], asked: AskedChange) -> bool:
    """嗯，睡前吃 and 称了两遍，改吧: a soft yes first or a clear one last, and all the rest leaves it standing."""
    swaps = re.search(r"换|粮", "".join((*asked.lines, asked.quotes))) is not None
    if any(MY_SLIP.search(one) or (OTHER_BUSINESS.search(one) and not swaps) for one in clauses):
        return False
    first, last = BARE_YES.fullmatch(clauses[0]), opens_with_yes(clauses[-1]) == "" or BARE_YES.fullmatch(clauses[-1])
    if any(hesitates(one) and not _restates(one, asked) for one in clauses):
        return False
    if first:
        return all(BARE_YES.fullmatch(one) or _stands_beside_a_yes(one, asked) for one in clauses[1:])
    return bool(last) and all(_stands_beside_a_yes(one, asked) for one in clauses[:-1])


def _names_the_new(clauses: Sequence[str], asked: AskedChange | None) -> bool:
    """可以，就1.7，两个月的小奶狗: the new value in a clause of its own, and all the rest leaves it standing."""
    if asked is None or not all(BARE_YES.fullmatch(one) or _stands_beside_a_yes(one, asked) for one in clauses):
        return False
    own = [one for one in clauses if _is_own(one, asked) and not OTHER_BUSINESS.search(one)]
    return any((_restates(one, asked) or _restates_proposal(one, asked)) is Answer.ACCEPT for one in own)


def _is_undone(clauses: Sequence[str], asked: AskedChange | None) -> bool:
    """Whether what follows the last yes speaks against it."""
    yes = [place for place, clause in enumerate(clauses) if _vote(clause, asked) is Answer.ACCEPT]
    return any(not _stands_beside_a_yes(clause, asked) for clause in clauses[yes[-1] if yes else 0 :])


def _stands_beside_a_yes(clause: str, asked: AskedChange | None) -> bool:
    told = without_closing_words(clause)
    if not told or DISOWNS.search(told):
        return True
    if asked and (again := restates_change(told, asked.new, asked.old or "")) is not None:
        return again
    vote = _vote(told, asked)
    if asked is not None and (told in proposed_in((asked.quotes,)) or _says_the_new_side(told, vote, asked)):
        return True
    if vote in (Answer.KEEP, Answer.WATCH) or (ANOTHER_VALUE.fullmatch(told) and not _is_own(told, asked)):
        return False
    if asked is not None and asked.denies and _safe_words(asked) is STOPPED and LESS_THAN_STOPPED.search(told):
        return False
    of_harm = asked is not None and bool(asked.denies) and _safe_words(asked) is not STOPPED
    known = fold_text("，".join((*asked.lines, asked.quotes))) if asked else ""
    return leaves_a_yes_standing(told, known, of_harm=of_harm)


def _says_the_new_side(clause: str, vote: Answer | None, asked: AskedChange) -> bool:
    """就是没绝, after a yes; 就是 turns nothing here."""
    return clause.startswith("就是") and vote is Answer.ACCEPT and _restates(clause, asked) is Answer.ACCEPT


def _holds_whatever_is_told(
    answer: Answer | None, own: Sequence[str], clauses: Sequence[str], asked: AskedChange | None
) -> bool:
    """A no that names the record, opens the message or stands by the danger; never one that ends a caution."""
    if _takes_away(answer, asked):
        return False
    rest = [clause for clause in clauses if clause not in own]
    opens = own[:1] == clauses[:1] and answer is Answer.KEEP and not any(CHANGES.search(clause) for clause in rest)
    taken_back = PLAIN_NO.fullmatch(clauses[0]) and any(MY_SLIP.search(clause) for clause in clauses)
    forbids = any(NAMES_THE_RECORD.search(clause) and _plain_vote(clause) is Answer.KEEP for clause in own)
    return opens or forbids or bool(taken_back) or _stands_by_a_danger(own, asked)


def _backs_up(clause: str, clear: bool) -> bool:
    """After a yes, where the owner has it from or since when it holds (针本上写的, 今晚开始): no news of its own.

    clear: the yes is a word of its own (对, 没错), after which a short reason may be told too (手术很顺利).
    """
    if TAKES_BACK_OR_DOUBTS.search(clause) or _plain_vote(clause) not in (None, Answer.ACCEPT):
        return False
    told = _is_reason(clause) if clear else BACKING.search(clause) is not None
    return told and not OTHER_BUSINESS.search(clause)


def _is_reason(clause: str) -> bool:
    short = len(clause) <= LONGEST_COMMAND
    return BACKING.search(clause) is not None or (short and REASON.search(clause) is not None)


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
    taken_back = any(TURN.match(clause) for clause in clauses)
    if kinds == {Answer.ACCEPT, Answer.KEEP}:
        if taken_back:
            return votes[-1]
        return Answer.KEEP if restated and set(restated) == {Answer.KEEP} else None
    return Answer.ACCEPT if taken_back and votes[-1] is Answer.ACCEPT else Answer.WATCH


def _unless_partial(answer: Answer, clauses: Sequence[str]) -> Answer | None:
    """A yes with a limit (只停了早上那次, 熟的能吃) is a statement of its own, not this yes."""
    limited = any(PARTIAL.search(clause) for clause in clauses)
    return None if answer is Answer.ACCEPT and limited else answer


def _vote(clause: str, asked: AskedChange | None) -> Answer | None:
    """What one clause says: doubt, a plain no, what it restates, a plain yes."""
    plain = _plain_vote(clause)
    if plain in (Answer.WATCH, Answer.KEEP):
        return plain
    restated = (_restates(clause, asked) or _restates_proposal(clause, asked)) if asked else None
    return restated or plain


def _plain_vote(clause: str) -> Answer | None:
    if WATCH.search(clause):
        return Answer.WATCH
    forms = _forms(clause)
    if any(KEEP.search(form) for form in forms):
        return Answer.KEEP
    if DOUBT.search(clause):
        return Answer.WATCH
    accepted = clause != "对了" and any(ACCEPT.search(form) for form in forms)
    return Answer.ACCEPT if accepted else None


def _forms(clause: str) -> set[str]:
    """The clause as written and without the small words before and after it."""
    opened = OPENERS.sub("", clause)
    return {clause, opened, ENDINGS.sub("", clause), ENDINGS.sub("", opened)}


def _restates(clause: str, asked: AskedChange) -> Answer | None:
    """A clause that says again what is known, or what was asked about; what was true once does not count."""
    if PAST.search(clause) or WATCH.search(clause) or DOUBT.search(clause) or COMMAND_ON_DANGER.search(clause):
        return None
    if clause == "没问题":  # of the change or of the thing: it restates neither
        return None
    if (kind := states_of_kind(clause, asked.new, asked.old)) is not None:
        return Answer.ACCEPT if kind else Answer.KEEP
    if asked.denies is not None:
        return _restates_state(clause, asked)
    return _restates_figure(clause, asked)


def _restates_proposal(clause: str, asked: AskedChange) -> Answer | None:
    """The new value as the question words it: 兔肉 after 从「鸭肉」更正为「兔肉」吗."""
    if PAST.search(clause) or DOUBT.search(clause) or re.search(r"不|没(?!错)|也|都|和|跟|还", clause):
        return None
    return Answer.ACCEPT if any(value in clause for value in proposed_in((asked.quotes,))) else None


def _restates_state(clause: str, asked: AskedChange) -> Answer | None:
    safe_words = _safe_words(asked)
    told = NOT_FED.sub("停", clause) if safe_words is STOPPED else clause  # 不喂了 ends a drug, and keeps off a food
    rest, unsafe = UNSAFE.subn("", told)
    rest, safe = safe_words.subn("", rest)
    if proposes_another_danger(clause, asked.quotes, asked.old or ""):
        return Answer.ACCEPT
    kept_on = safe_words is not HARMLESS and KEPT_ON.search(rest)
    dangerous = bool(unsafe) or bool(DANGEROUS.search(rest)) or bool(kept_on)
    if bool(safe) == dangerous:
        return None
    return Answer.KEEP if dangerous is asked.denies else Answer.ACCEPT


def _safe_words(asked: AskedChange) -> re.Pattern[str]:
    """Which words mean "no danger any more" depends on what the danger is: 不吃了 ends a drug, not an allergy."""
    lines = asked.new + (asked.old or "")
    if re.search(r"过敏|不耐", lines):
        return HARMLESS
    return STOPPED if DRUG.search(lines) else CURED


def _restates_figure(clause: str, asked: AskedChange) -> Answer | None:
    if asked.old is None or re.search(r"不|没(?!错)", clause):
        return None
    if (again := restates_change(clause, asked.new, asked.old)) is not None:
        return Answer.ACCEPT if again else Answer.KEEP
    proposed = {one for value in proposed_in((asked.quotes,)) for one in quantities(value)}
    new, old, said = set(quantities(asked.new)), set(quantities(asked.old)), set(quantities(_NO_FIGURE.sub("", clause)))
    by_rhythm = differ_in_rhythm(asked.new, asked.old)
    new |= set() if by_rhythm else proposed
    only_new, only_old = (
        {(figure, unit) for figure, unit in one - other if by_rhythm or unit not in _HOW_OFTEN}
        for one, other in ((new, old), (old, new))
    )
    units = {unit for _, unit in old} - {""}
    says_new, says_old = mentions_figure(said, only_new, units), mentions_figure(said, only_old, units)
    if says_new == says_old:
        return _restates_rhythm(clause, asked.new, asked.old)
    return Answer.ACCEPT if says_new else Answer.KEEP


def _restates_rhythm(clause: str, new: str, old: str) -> Answer | None:
    """早晚各一次 is the 每天两次 that was asked about."""
    if not A_RHYTHM.search(new):
        return None  # 20mg一次 says how much, not how often
    rhythm, fresh, held = (times_a_day(told) for told in (clause, new, old))
    if rhythm is None or fresh is None or held is None or fresh == held or rhythm not in (fresh, held):
        return None
    return Answer.ACCEPT if rhythm == fresh else Answer.KEEP


_HOW_OFTEN = ("次", "回", "遍", "顿")
"""Units that tell the lines apart only where both say how often: 每晚一次25mg and 每晚50 differ in the amount."""
_NO_FIGURE = re.compile(r"一下|一直|一样|一点|万一|一定|第一")
