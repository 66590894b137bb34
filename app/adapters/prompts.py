"""The prompt of a reply: what a model is told, in a fixed order, from a turn's context. Pure.

First what never changes in a conversation (the rules, the pets at home), then the talk so far, which only grows, and at
the end one message with the clock, the cards, what was recalled and the owner's new words. A provider that caches
prefixes therefore reads the beginning from its cache in every turn of a conversation. Everything that somebody wrote is
quoted as data; each line has a short id (m1, m2…) that stands for a memory's id and never reaches the owner.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from app.adapters.model_requests import Message
from app.adapters.prompt_words import ASKED_BY_US, FORGETFUL, RULES, TEMPORARY, UNCLEAR
from app.adapters.quoting import plain, quoted
from domain.pet_profiles import PetProfile, SaidBefore
from domain.turn_context import CardLine, InsightLine, PetCard, RecalledLine, TurnContext, Written
from memory.messages import RECENT_MESSAGES
from memory.vocabulary import Kind, Outcome

LEAP = RECENT_MESSAGES // 2  # messages by which the beginning of the told talk moves on
HISTORY_CHARS = {"user": 500, "assistant": 300}  # of one earlier message; the whole talk so costs at most 8,000 tokens
SURE = 0.85  # product.md §3: a belief above it has become a fact
MESSAGE_CHARS = 4000  # what a message may hold

_WEEKDAYS = "一二三四五六日"
_SEX = {"male": "公", "female": "母"}
_SPECIES = {"dog": "狗", "cat": "猫"}
_STATUS = {"memorial": "已离世，不要主动提起", "lost": "走失", "rehomed": "已送养"}
_DONE = {
    Outcome.ADDED: "已记下",
    Outcome.MERGED: "以前就有",
    Outcome.SUPERSEDED: "已更新",
    Outcome.PROVISIONAL: "先防着，待主人确认",
    Outcome.CANDIDATE: "没有改档案，只放进待观察",
    Outcome.REFUSED: "没有记",
}


@dataclass(slots=True)
class Citations:
    """Short ids and the memories they stand for; one a turn."""

    ids: dict[str, str] = field(default_factory=dict)  # m1 → memory id

    def mark(self, memory_id: str) -> str:
        """The short id of a memory, the same one each time: [m1]."""
        known = next((short for short, one in self.ids.items() if one == memory_id), None)
        short = known or f"m{len(self.ids) + 1}"
        self.ids[short] = memory_id
        return f"[{short}]"


def reply_messages(context: TurnContext, citations: Citations) -> list[Message]:
    """The messages of one reply. `citations` is filled with the ids that were given out."""
    said = f"【主人这次说的话】\n{quoted(context.text, MESSAGE_CHARS)}"
    last = {"role": "user", "content": f"{facts(context, citations)}\n\n{said}"}
    return _alternating([standing(context), *_talk(context.history), last])


def standing(context: TurnContext) -> Message:
    """The rules and the pets at home: the same bytes in every turn until a pet's page changes."""
    pets = sorted((*context.subjects, *context.others), key=lambda pet: pet.id)
    at_home = "\n".join(f"- {_pet(pet)}" for pet in pets) or "- 还没有登记宠物"
    return {"role": "system", "content": f"{RULES}\n\n【家里的宠物】\n{at_home}"}


def facts(context: TurnContext, citations: Citations) -> str:
    """What is known in this turn, under 【资料】; parts without a line are left out."""
    parts = [
        _part("此刻", [clock(context)]),
        _part("主人的名片", [_card_line(line, citations) for line in context.owner_lines]),
        *(_part(f"{plain(card.pet.name)}的名片", _card(card, citations)) for card in context.cards),
        _part("最近聊过的", [quoted(summary) for summary in context.summaries]),
        _part("想起的记忆", [_recalled(line, citations) for line in context.recalled]),
        _part("档案里的发现", [_insight(line, citations) for line in context.insights]),
        _part("到期的事", [quoted(line) for line in context.due]),
        _part("日程", [quoted(line) for line in context.plans]),
        _part("从档案看到的（不是诊断）", [quoted(line.text) for line in context.insights]),
        _part("还没回答的确认", [quoted(one.question) for one in context.questions]),
        _part("系统已经提示过主人", [quoted(alert.advice) for alert in context.alerts]),
        _part(
            "本轮已记下",
            [*(_written(one) for one in context.written), *map(quoted, (*context.arranged, *context.followed))],
        ),
        _part("注意", _notes(context)),
    ]
    return "\n".join(["【资料】", *(part for part in parts if part)])


def clock(context: TurnContext) -> str:
    """2026年5月20日 星期三 19:05，距上次聊天 3 天"""
    now = context.now
    told = f"{now.year}年{now.month}月{now.day}日 星期{_WEEKDAYS[now.weekday()]} {now:%H:%M}"
    return f"{told}，距上次聊天 {_ago(context.since_last)}" if context.since_last is not None else told


def window(history: Sequence[SaidBefore]) -> Sequence[SaidBefore]:
    """The part of the talk that is told: from a message whose place is a multiple of LEAP, so that the beginning, and
    with it the prefix, stays while the talk grows by LEAP messages.
    """
    return next((history[start:] for start, said in enumerate(history[:LEAP]) if not (said.place or 0) % LEAP), history)


def _talk(history: Sequence[SaidBefore]) -> Iterable[Message]:
    return ({"role": said.role, "content": plain(said.text, HISTORY_CHARS[said.role])} for said in window(history))


def _alternating(messages: Sequence[Message]) -> list[Message]:
    """The system message, then user and assistant in turn, a user first: some chat templates take nothing else."""
    told: list[Message] = [messages[0]]
    for message in messages[1:]:
        if message["role"] == told[-1]["role"]:
            told[-1] = {**message, "content": f"{told[-1]['content']}\n{message['content']}"}
        elif message["role"] == "user" or len(told) > 1:
            told.append(message)
    return told


def _part(title: str, lines: Sequence[str]) -> str:
    return "\n".join([f"〔{title}〕", *(f"- {line}" for line in lines)]) if lines else ""


def _pet(pet: PetProfile) -> str:
    kind = plain(pet.species_name or "", 20) or _SPECIES.get(pet.species, "宠物")
    told = [kind, plain(pet.breed or "", 20), _SEX.get(pet.sex, "")]
    told += ["" if pet.neutered is None else ("已绝育" if pet.neutered else "未绝育")]
    told += [f"{pet.born_on:%Y年%m月}生" if pet.born_on else "", _STATUS.get(pet.status, "")]
    called = f"（小名{'、'.join(plain(name, 20) for name in pet.nicknames)}）" if pet.nicknames else ""
    return f"{plain(pet.name, 20)}{called}：{'，'.join(word for word in told if word)}"


def _card(card: PetCard, citations: Citations) -> list[str]:
    lines = [_card_line(line, citations) for line in card.lines]
    return [*lines, "主人说过：没有已知的过敏"] if card.no_known_allergies else lines


def _card_line(line: CardLine, citations: Citations) -> str:
    return f"{citations.mark(line.memory_id)} {quoted(line.text)}"


def _recalled(line: RecalledLine, citations: Citations) -> str:
    guess = "猜测：" if line.kind is Kind.BELIEF and line.confidence <= SURE else ""
    return f"{citations.mark(line.memory_id)} {guess}{quoted(line.text)}"


def _insight(line: InsightLine, citations: Citations) -> str:
    """A finding over several rows, cited by the first of them."""
    mark = f"{citations.mark(line.memory_ids[0])} " if line.memory_ids else ""
    return f"{mark}{quoted(line.text)}"


def _written(one: Written) -> str:
    return f"{_DONE[one.outcome]}：{quoted(one.content)}"


def _notes(context: TurnContext) -> list[str]:
    notes = [ASKED_BY_US] if context.questions or any(one.confirmation for one in context.written) else []
    notes += [UNCLEAR] if context.unclear and not context.cards and not context.about_owner else []
    if context.temporary:
        return [*notes, TEMPORARY]
    return notes if context.remembers else [*notes, FORGETFUL]


def _ago(silence: timedelta) -> str:
    if silence < timedelta(hours=1):
        return f"{int(silence.total_seconds() // 60)} 分钟"
    return f"{int(silence.total_seconds() // 3600)} 小时" if silence < timedelta(days=1) else f"{silence.days} 天"
