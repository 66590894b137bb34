"""A question answered from the lines that are known, by its form; what no line answers is 没有记录."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from domain.assistant import AnswerSentence
from domain.offline.responder.comparison import compare_weights, compares_weights
from domain.offline.responder.household import about_household
from domain.offline.responder.lines import Line
from domain.offline.responder.not_recorded import MOST_LINES, MOST_LISTED, near_lines, not_recorded
from domain.offline.responder.overview import due_sentence, insight_sentences, overview
from domain.offline.responder.permissions import is_warning, may_have
from domain.offline.responder.poison import asked_poisons
from domain.offline.responder.precautions import precautions
from domain.offline.responder.profile import neutering_known, profile_answer
from domain.offline.responder.question import Question, best_lines, label_of, related_lines, whose
from domain.offline.responder.reading import Form
from domain.offline.responder.receivers import receiving_cards
from domain.offline.responder.relevance import about, answering, near_the_best, unknown_names
from domain.offline.responder.summary import summary
from domain.offline.responder.talks import talk_told, talk_topic, talks_asked_for
from domain.offline.responder.things import things_asked
from domain.offline.responder.urgency import JUST_SAID, how_bad, urged_before
from domain.offline.responder.voice import missing, quoted, say, tell
from domain.offline.responder.weight_trend import tell_weight
from domain.offline.responder.wording import Dated, joined, plain, retold, with_distance, without_day
from domain.pet_profiles import PetProfile
from domain.plans_asked import asks_what_is_to_do, plans_asked
from domain.schedule_replies import LIST_OPENING
from domain.schedule_words import kinds_of
from domain.turn_context import TurnContext
from memory.text_folding import fold_text

_PLANNED = re.compile(r"后(?!天)|约|计划|打算|准备|安排|定在|改到|下次|复查|预计|暂缓|推迟|取消|没|未|不(?!适)|停")
_OWN_DATE = re.compile(r"\d+月|\d+[日号]|周[一二三四五六日天]|\d{4}")
_LISTS = re.compile(r"哪些|都有|有(?:什么|啥|过)|所有|全部|毛病")
_WHAT_IS_KEPT = re.compile(r"(?:你|系统|档案里?).{0,4}(?:记得|记了|记着|记住|知道|了解).{0,8}(?:什么|哪些|多少|啥)")
_REST_OF_MEMORY = "记着的别的事都在记忆页里，想知道哪一样也可以直接问我。"
_FED = re.compile(r"粮|罐|吃|喝|喂|饮食")
_DOSE = re.compile(
    r"[吃喂打滴用抹涂给次天日][^,，。?？]{0,4}(?:多少|几(?:片|粒|颗|滴|毫升|ml|克|支|包|袋|单位|勺))|剂量|用量"
)
_NO_DOSE = "用不用、用多少要由兽医按体重定，别自己定量。"
_BASIC_MODE = "我现在是基本模式，只能照档案回答，这个判断不了"


def answer_question(question: Question) -> list[AnswerSentence]:
    """The answer, never empty."""
    if question.context.plans:
        return _from_the_calendar(question)
    if asks_what_is_to_do(question.asked.text, question.context.now):
        return not_recorded(question)
    if question.asked.form is not Form.MAY_HAVE and (judged := how_bad(question.context, question.lines)):
        return judged
    if of_all := about_household(question.context):
        return of_all
    if compares_weights(question.context) and (compared := compare_weights(question.context, question.lines)):
        return compared
    if question.asked.form is not Form.MAY_HAVE and (
        warned := asked_poisons(question.asked.text, question.pets, question.asked.names)
    ):
        return warned
    if minded := precautions(question):
        return minded
    unknown = unknown_names(question.asked, question.lines)
    if unknown and question.asked.form not in _NAMES_MAY_BE_NEW and not _due_about(question):
        none = missing(f"没有找到{whose(question)}和“{'、'.join(unknown)}”有关的记录。")
        return [none, *([say(_NO_DOSE)] if _DOSE.search(question.asked.text) else _beside_unknown(question))]
    told = _ANSWERS[question.asked.form](question)
    if not told and (urged := urged_before(question.context, JUST_SAID)):
        return [say(urged)]  # 是不是热的, asked of an emergency
    return told or not_recorded(question)


def _from_the_calendar(question: Question) -> list[AnswerSentence]:
    """The plans asked for, then what is due by the rules, then what is remembered of other plans."""
    plans = question.context.plans
    told = kinds_of("".join(plans))
    remembered = [line for line in best_lines(question, MOST_LISTED) if _is_plan(line, question)]
    others = [line for line in remembered if line.slot == "schedule" and not kinds_of(line.text) & told]
    return [
        _listed(plans),
        *due_sentence(_due_about(question)),
        *tell(others[:MOST_LINES]),
    ]


def _listed(plans: Sequence[str]) -> AnswerSentence:
    """What the owner planned, in their own words: a list to look at and no advice."""
    return replace(say(f"{LIST_OPENING}{joined(plans)}。"), tells_back="recap")


def asks_of_plans(context: TurnContext) -> bool:
    """Whether plans of no one pet are asked for while nobody is meant: 明天有安排吗."""
    if context.cards or context.about_owner or context.written or not context.remembers:
        return False
    asked = plans_asked(context.text, context.now)
    return asked is not None and (bool(context.plans) or not (asked.kinds or asked.words))


def tell_plans(context: TurnContext) -> list[AnswerSentence]:
    """The plans of the time asked about, or that there are none."""
    if context.plans:
        return [_listed(context.plans)]
    asked = plans_asked(context.text, context.now)
    when = asked.said if asked is not None else ""
    return [say(f"{when}没有记下安排。要我提醒的话，把哪天、几点、什么事告诉我。")]


def _beside_unknown(question: Question) -> list[AnswerSentence]:
    return _advice(question) if question.asked.form is Form.ADVICE else near_lines(question)


def answer_if_known(question: Question) -> list[AnswerSentence]:
    """What the records say of words that are no clear question; [] when nothing does."""
    return _plain(question)


def _overview(question: Question) -> list[AnswerSentence]:
    if not question.context.cards:
        return _plain(question)
    told = overview(question.context, question.lines)
    return [*told, say(_REST_OF_MEMORY)] if _WHAT_IS_KEPT.search(question.context.text) else told


def _summary(question: Question) -> list[AnswerSentence]:
    today = question.context.now.date()
    return [sentence for card in question.context.cards for sentence in summary(card, question.lines, today)] or _plain(
        question
    )


def tell_talks(context: TurnContext) -> list[AnswerSentence]:
    """What was talked about, with the days: the talks that fit what is asked for first."""
    talks = talks_asked_for(context)
    if not talks:
        none = "没有找到聊过这件事的记录。" if talk_topic(context.text) else "之前的聊天没有留下摘要记录。"
        return [say(none)]
    today = context.now.date()
    return [replace(say(f"{talk_told(talk, today)}。"), tells_back="recap") for talk in talks[:MOST_LINES]]


def _may_have(question: Question) -> list[AnswerSentence]:
    """What is known for each pet that would get it, the warnings of all of them first."""
    cards, absent = receiving_cards(question.context)
    if absent:
        return [
            say(f"能不能给{absent}要看{absent}自己的过敏和病史，单独问我一句{absent}能不能吃，我照档案回答；先别给。")
        ]
    told = [sentence for card in cards for sentence in may_have(question.asked, card, question.lines)]
    return sorted(told, key=lambda sentence: not is_warning(sentence)) or _plain(question)


def _which_pet(question: Question) -> list[AnswerSentence]:
    """The pet is named before the line that tells it is the one."""
    found = [] if question.context.about_owner else answering(question.asked, question.lines)
    if not found:
        return _plain(question)
    names = {pet.id: pet.name for pet in (*question.pets, *question.context.others)}
    best = near_the_best(found, MOST_LISTED)
    told = [names[line.subject] for line in best if line.subject in names]
    if not told or not found[0].shares:
        return tell(best[:MOST_LINES], "最相关的记录：")
    hedge = "好像" if all(line.doubtful for line in best) else ""
    return [say(f"{hedge}是{joined(told, '、')}：{joined(map(quoted, best))}。", best)]


def _next(question: Question) -> list[AnswerSentence]:
    """What is due or planned; otherwise the last time, and that nothing is planned."""
    due = _due_about(question)
    planned = [line for line in best_lines(question, MOST_LISTED) if _is_plan(line, question)]
    last = [sentence for pet in question.pets for sentence in _last_time(question, pet)]
    if due or planned:
        return [*due_sentence(due), *tell(planned[:MOST_LINES]), *([] if planned else last)]
    if not last:
        return _plain(question)
    return [*last, say(f"下一次{label_of(question.asked)}的日子没有记录。")]


def _due_about(question: Question) -> list[str]:
    things, due = question.asked.things, [plain(item) for item in question.context.due]
    narrow = [thing for thing in things if thing.label != "安排"]
    if not narrow:
        return due
    return [item for item in due if any(thing.asks.search(fold_text(item)) for thing in narrow)]


def _is_plan(line: Line, question: Question) -> bool:
    future = line.on is not None and line.on.day > question.context.now.date()
    return (
        future
        or line.slot == "schedule"
        or bool(re.search(r"约|计划|打算|准备|定在|改到|下次|复查|暂缓|推迟|每", line.text))
    )


def _when(question: Question) -> list[AnswerSentence]:
    today, text = question.context.now.date(), fold_text(question.context.text)
    page = {pet.id: profile_answer(text, pet, today) for pet in question.pets}
    told = {
        pet.id: [say(page[pet.id])] if page[pet.id] else _last_time(question, pet) or _when_told(question, pet)
        for pet in question.pets
    }
    if not any(told.values()):
        return _plain(question)
    return [sentence for pet in question.pets for sentence in told[pet.id] or _missing(question, pet)]


def _when_told(question: Question, pet: PetProfile) -> list[AnswerSentence]:
    """The best line with how long ago it was: the day it happened, else the day the owner spoke of it."""
    found = answering(question.asked, question.lines_about(pet.id))
    if not found or profile_answer(fold_text(question.context.text), pet, question.context.now.date()):
        return []
    line, today = found[0].line, question.context.now.date()
    if line.on is not None:
        return [say(f"{_hedge(line)}{_retold(line)}，是{with_distance(line.on, today)}的事。", [line])]
    if line.told_on is None or not question.asked.presumes:
        return []
    told = with_distance(Dated(line.told_on), today)
    return [say(f"{_hedge(line)}{_retold(line)}，是{told}记下的，没有写发生在哪天。", [line])]


def _retold(line: Line) -> str:
    mark = f"（{line.pending}）" if line.pending else ""
    exact = line.on is not None and line.on.precision == "day"
    return retold(line.text, dated=exact, guessed=line.guess) + mark


def _last_time(question: Question, pet: PetProfile) -> list[AnswerSentence]:
    """豆豆上次驱虫是2025年12月8日（大约11个月前）, when the best line is a dated happening of the thing asked."""
    lines = question.lines_about(pet.id)
    if any(thing.label == "体重" for thing in question.asked.things):
        return tell_weight(pet.name, lines, question.context.now.date())[:1]
    found = answering(question.asked, lines)
    happened = [item.line for item in found if _is_happening(item.line, question)]
    if not happened:
        return []
    last = max(_so_called(question, happened), key=lambda line: line.on.day if line.on else question.context.now.date())
    return [_told_with_day(last, pet, question)]


def _so_called(question: Question, happened: Sequence[Line]) -> Sequence[Line]:
    """看指甲断裂 is not every care of claws: what the asked thing is called beyond its kind, where a line says so."""
    more = question.asked.words
    for thing in question.asked.things:
        more = thing.asks.sub(" ", more)
    telling = [word for word in more.split() if len(word) > 1 and not things_asked(word)]
    return [line for line in happened if any(word in fold_text(line.text) for word in telling)] or happened


def _is_happening(line: Line, question: Question) -> bool:
    past = line.on is not None and line.on.day <= question.context.now.date()
    return (
        past
        and not _PLANNED.search(line.text)
        and any(thing.named and about(thing, line) for thing in question.asked.things)
    )


def _told_with_day(line: Line, pet: PetProfile, question: Question) -> AnswerSentence:
    if line.on is None or _says_another_day(line):
        return say(f"{_hedge(line)}记录里写着：{quoted(line)}。", [line])
    when = with_distance(line.on, question.context.now.date())
    told = retold(line.text, dated=line.on.precision == "day", guessed=line.guess)
    detail = without_day(told.removeprefix(pet.name).replace(line.on.text, ""), line.on.day)
    more = "" if len(detail) <= len(label_of(question.asked)) + 1 else f"，记的是“{detail}”"
    mark = f"（{line.pending}）" if line.pending else ""
    return say(f"{_hedge(line)}{pet.name}上次{label_of(question.asked)}是{when}{more}{mark}。", [line])


def _says_another_day(line: Line) -> bool:
    """Whether the words name a day, and not that of the line."""
    if line.on is None:
        return False
    return bool(_OWN_DATE.search(without_day(line.text, line.on.day))) and line.on.text not in line.text


def _hedge(line: Line) -> str:
    return "我记得好像" if line.guess else ""


def _how_often(question: Question) -> list[AnswerSentence]:
    return tell(best_lines(question, MOST_LISTED)) or _plain(question)


def _advice(question: Question) -> list[AnswerSentence]:
    """What the records say of it, then that basic mode cannot judge, with a pointer to a vet for medical matters."""
    if question.context.insights:
        return [*insight_sentences(question.context), _cannot_judge(question)]
    told = tell(best_lines(question, MOST_LINES), "相关的记录：")
    if not told and question.asked.presumes and question.pets:
        return []  # what is taken for granted is not on record, and no advice can rest on it
    if not told and (question.asked.medical or _FED.search(question.asked.text)):
        told = tell([line for line in question.lines if line.safety][:MOST_LISTED], "要让医生知道的：")
    return [*told, _cannot_judge(question)]


def _reason(question: Question) -> list[AnswerSentence]:
    """Why and how: the records when they tell it, else as any question for advice."""
    if question.context.insights:
        return _advice(question)
    told = tell(best_lines(question, MOST_LINES))
    nearest = [] if question.asked.things else tell(related_lines(question), "最相关的记录：")
    return told or nearest or _advice(question)


def _cannot_judge(question: Question) -> AnswerSentence:
    wish = question.wishes.community_first
    if question.asked.medical:
        first = "可以先看看养宠社区的经验，" if wish else ""
        return say(f"{_BASIC_MODE}；{first}看病用药的事请问兽医。", [wish] if wish else [])
    if wish:
        return say(f"{_BASIC_MODE}，可以先看看养宠社区的经验。", [wish])
    return say(f"{_BASIC_MODE}。")


def _plain(question: Question) -> list[AnswerSentence]:
    """Profile facts, weights, and the lines that answer, for each pet; else the owner's lines."""
    told = [sentence for pet in question.pets for sentence in _about_pet(question, pet)]
    if told:
        return told
    return tell(near_the_best(found, MOST_LINES)) if (found := answering(question.asked, question.lines)) else []


def _about_pet(question: Question, pet: PetProfile) -> list[AnswerSentence]:
    today = question.context.now.date()
    known = profile_answer(fold_text(question.context.text), pet, today)
    if known:
        return [say(known)]
    lines = question.lines_about(pet.id)
    labels = {thing.label for thing in question.asked.things}
    if "体重" in labels and (told := tell_weight(pet.name, lines, today)):
        return told
    if "病史" in labels and _LISTS.search(fold_text(question.context.text)):
        return tell([line for line in lines if line.safety]) or _missing(question, pet)
    told = tell(near_the_best(found, MOST_LINES)) if (found := answering(question.asked, lines)) else []
    if not told and "过敏" in labels and question.asked.form is Form.PLAIN:
        return [say(_no_allergies(question, pet))]
    neutering = neutering_known(pet, today) if "绝育" in labels and question.asked.form is not Form.ADVICE else ""
    if neutering and not told:
        undated = "，没有记录是哪天做的" if pet.neutered and question.asked.form is Form.WHEN else ""
        return [say(neutering.removesuffix("。") + f"{undated}。")]
    return told or _missing(question, pet)


def _no_allergies(question: Question, pet: PetProfile) -> str:
    card = next(card for card in question.context.cards if card.pet.id == pet.id)
    if card.no_known_allergies:
        return f"{pet.name}记录为没有已知过敏。"
    return f"没有{pet.name}的过敏记录，这不等于不过敏。"


def _missing(question: Question, pet: PetProfile) -> list[AnswerSentence]:
    """With several pets, each that lacks a named thing is told of; one pet's lack is the whole answer's."""
    named = [thing for thing in question.asked.things if thing.named]
    if len(question.pets) > 1 and named and answering(question.asked, question.lines):
        return [say(f"{pet.name}没有{label_of(question.asked)}的记录。")]
    return []


_NAMES_MAY_BE_NEW = (Form.SUMMARY, Form.MAY_HAVE, Form.WHICH_PET, Form.RECAP)
_ANSWERS: dict[Form, Callable[[Question], list[AnswerSentence]]] = {
    Form.SUMMARY: _summary,
    Form.OVERVIEW: _overview,
    Form.RECAP: lambda question: tell_talks(question.context),
    Form.MAY_HAVE: _may_have,
    Form.WHICH_PET: _which_pet,
    Form.NEXT: _next,
    Form.WHEN: _when,
    Form.HOW_OFTEN: _how_often,
    Form.ADVICE: _advice,
    Form.REASON: _reason,
    Form.PLAIN: _plain,
}
