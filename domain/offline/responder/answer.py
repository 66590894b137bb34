"""One turn's answer without a model: `respond` takes the context of the turn and gives the sentences."""

import re
from collections.abc import Sequence
from dataclasses import replace

from domain.assistant import AnswerSentence
from domain.offline.responder.answers import (
    answer_if_known,
    answer_question,
    asks_of_plans,
    tell_plans,
    tell_talks,
)
from domain.offline.responder.asking_back import ask_which_pet, doubt_about_pet, found_its_pet, is_off_topic
from domain.offline.responder.exposure_notes import allergen_told
from domain.offline.responder.for_now import holding_for_now
from domain.offline.responder.for_the_vet import for_the_vet
from domain.offline.responder.lines import Line, lines_of, owner_lines, recalled_lines
from domain.offline.responder.lost_pets import tell_lost
from domain.offline.responder.owner_facts import tell_owner_fact
from domain.offline.responder.permissions import is_warning
from domain.offline.responder.poison import asked_poisons
from domain.offline.responder.question import Question
from domain.offline.responder.raised_question import raised_question
from domain.offline.responder.reading import is_about_talk, is_question, read_question
from domain.offline.responder.receipts import ask_written, tell_written
from domain.offline.responder.small_talk import greeting, kind_word, small_talk
from domain.offline.responder.strange_names import unknown_pet
from domain.offline.responder.urgency import JUST_SAID, urged_before
from domain.offline.responder.voice import say
from domain.offline.responder.wishes import Wishes, wishes_of
from domain.offline.responder.wording import joined
from domain.strange_animals import asks_of_strangers
from domain.turn_context import TurnContext
from memory.vocabulary import OWNER_SUBJECT, Outcome

MOST_SENTENCES = 5  # of one answer; what a phone shows without scrolling
FEWEST_SENTENCES = 2  # for an owner who wants it short

_TEMPORARY = "这是临时聊天，这里说的都不会留下，我也不翻看档案。"
_CLOSED = "长期记忆没有打开"
_FORGETFUL = f"{_CLOSED}，你说的我不会留着。"
_NOTHING_KEPT = "这句我没有记下什么；想让我记住，就在前面加上“记住”再说一遍。"
_NOT_OURS = "这是别人家的毛孩子，我没有它的档案，没法照记录判断；拿不准的先别给，请它的主人问问兽医。"
_NOT_OURS_TOO = "别人家的毛孩子我没有档案，它自己的过敏和病史要问它的主人。"
_OFF_TOPIC = "这个没有相关的记录，我也帮不上：我只管毛孩子的事。"
_NO_PETS = "你还没有添加宠物。先到“宠物”页把它加上，我才能把这些算到它名下。"
_RELIEVED = "那就好，有反复随时告诉我。"
_BETTER = re.compile(r"好多了|好[点些]了|好转|没事了|缓过来|恢复(?:了|正常)|精神(?:好|回来|多)了")
_TELL_ME_MORE = "我在听，你接着说。"


def respond(context: TurnContext) -> tuple[AnswerSentence, ...]:
    """What a rule-based assistant says in this turn: at least one sentence, only what the context holds.

    Every citation is the id of a line that the sentence used. Text of the owner and of memories is data: nothing in
    it changes what is done.
    """
    if any(alert.level != "watch" for alert in context.alerts):
        return (*for_the_vet(context), *tell_written(context, lines_of(context)))
    wishes = _wishes(context)
    if lost := tell_lost(context):
        return (*lost, *tell_written(context, lines_of(context)))
    told_something = context.written or context.arranged or context.followed
    talk = None if told_something else small_talk(context, wishes.called)
    if talk:
        told = say(talk.text, _address(talk.text, wishes))
        return (told,) if talk.closing else _finished([told], [], context, wishes)
    if context.temporary:
        return (say(_TEMPORARY),)
    if context.arranged or (context.followed and not is_question(context.text)):
        return _finished(tell_written(context, lines_of(context)), ask_written(context), context, wishes)
    if of_owner := tell_owner_fact(context, wishes):
        return tuple(of_owner)
    if plainly := _said_plainly(context):
        return (say(plainly),)
    if beside := _outside_the_records(context):
        return tuple(beside)
    if context.past is not None and not context.written:
        return (say(_as_it_was(context.past)),)
    if not context.written and is_about_talk(context.text):
        return tuple(tell_talks(context))
    if asks_of_plans(context):
        return _finished(tell_plans(context), [], context, wishes)
    if context.unclear and not context.cards and not context.about_owner:
        if found_its_pet(context):
            return _finished(tell_written(context, lines_of(context)), ask_written(context), context, wishes)
        return (say(_OFF_TOPIC),) if is_off_topic(context) else tuple(ask_which_pet(context))
    asked_back = [*doubt_about_pet(context), *ask_written(context), *_no_pets_yet(context)]
    return _finished(_greeted(_told(context, wishes), context, wishes), asked_back, context, wishes)


def receipts(context: TurnContext) -> list[AnswerSentence]:
    """What became of the owner's statements, for an answer whose other sentences are somebody else's."""
    return [told for told in tell_written(context, lines_of(context)) if told.tells_back == "receipt"]


def closing_question(context: TurnContext) -> list[AnswerSentence]:
    """The one open question at the end of an answer, if there is one that fits."""
    return ask_written(context) or raised_question(context)


def _as_it_was(past: Sequence[str]) -> str:
    return f"那时候记的是：{joined(past, '；')}。" if past else "那时候没有记录。"


def _greeted(told: list[AnswerSentence], context: TurnContext, wishes: Wishes) -> list[AnswerSentence]:
    """The answer to a message that opens a talk with a greeting opens with one, too."""
    opening = "" if wishes.called else greeting(context)
    return [replace(told[0], text=f"{opening}{told[0].text}"), *told[1:]] if opening else told


def _said_plainly(context: TurnContext) -> str:
    """What is answered without a look at any record: a name that nobody bears, worry about somebody else's animal."""
    if context.written:
        return ""
    asks = is_question(context.text)
    return unknown_pet(context) or ("" if asks else kind_word(context))


def _outside_the_records(context: TurnContext) -> list[AnswerSentence]:
    """A poison asked about while no one pet is meant, and an animal of somebody else's: nothing on record decides."""
    if context.cards or context.about_owner or context.written:
        return []
    everybody = context.others
    warned = asked_poisons(context.text, everybody, [name for pet in everybody for name in (pet.name, *pet.nicknames)])
    if asks_of_strangers(context.text):
        return [*warned, say(_NOT_OURS if not warned else _NOT_OURS_TOO)]
    return warned


def _wishes(context: TurnContext) -> Wishes:
    of_owner = (line for line in recalled_lines(context) if line.subject == OWNER_SUBJECT)
    return wishes_of([*owner_lines(context), *of_owner])


def _no_pets_yet(context: TurnContext) -> list[AnswerSentence]:
    """What a newcomer has to do first: facts and questions about a pet that nobody has added have no place to go."""
    of_a_pet = any(item.subject is None and item.outcome is not Outcome.REFUSED for item in context.written)
    asked = not (context.written or context.about_owner or context.recalled) and is_question(context.text)
    if context.subjects or context.others or not (of_a_pet or asked):
        return []
    return [say(_NO_PETS)]


def _told(context: TurnContext, wishes: Wishes) -> list[AnswerSentence]:
    """Receipts first, then the answer to what was asked."""
    lines = lines_of(context)
    told = [*tell_written(context, lines), *allergen_told(context, lines)]
    pets = (*context.subjects, *context.others)
    question = Question(read_question(context.text, pets), context, lines, wishes)
    if is_question(context.text, told_something=bool(context.written)) or context.plans:
        answered = answer_question(question)
        told += [*holding_for_now(lines, answered), *answered]
    elif not told:
        told += answer_if_known(question) or [_nothing_kept(context)]
        if not context.remembers and not any(_CLOSED in sentence.text for sentence in told):
            told.append(say(_FORGETFUL))
    return told


def _nothing_kept(context: TurnContext) -> AnswerSentence:
    """What is said to words that told nothing to keep; in an emergency the way to the vet stands (20克，黑巧的)."""
    if urged := urged_before(context, JUST_SAID):
        return say(urged)
    return replace(say(_told_nothing(context)), tells_back="notice")


def _told_nothing(context: TurnContext) -> str:
    if not context.remembers:
        return _FORGETFUL
    if _BETTER.search(context.text):
        return _RELIEVED
    return _NOTHING_KEPT if context.cards or context.about_owner else _TELL_ME_MORE


def _finished(
    told: list[AnswerSentence], asked_back: list[AnswerSentence], context: TurnContext, wishes: Wishes
) -> tuple[AnswerSentence, ...]:
    """Shortened as the owner wishes, addressed at the start of a talk, with at most one open question at its end."""
    kept = _shortened(told, FEWEST_SENTENCES if wishes.short else MOST_SENTENCES, context)
    if wishes.called and not context.history and wishes.called not in kept[0].text:
        kept[0] = replace(kept[0], text=f"{wishes.called}，{kept[0].text}")
        kept[0] = replace(kept[0], citations=(*kept[0].citations, *_ids(wishes)))
    return (*kept, *(asked_back or raised_question(context)))


def _shortened(told: list[AnswerSentence], most: int, context: TurnContext) -> list[AnswerSentence]:
    """The first sentences; a warning, or one that tells a safety line, is never among those left out."""
    safety = {line.memory_id for card in context.cards for line in card.lines if line.safety}
    return [
        sentence
        for place, sentence in enumerate(told)
        if place < most or is_warning(sentence) or safety & set(sentence.citations)
    ]


def _address(talk: str, wishes: Wishes) -> list[Line]:
    return [wishes.called_by] if wishes.called_by and wishes.called in talk else []


def _ids(wishes: Wishes) -> tuple[str, ...]:
    return (wishes.called_by.memory_id,) if wishes.called_by else ()
