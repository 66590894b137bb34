"""Sentences made from lines: facts as they stand, doubtful ones as guesses, every line with its date and its id."""

from collections.abc import Iterable, Sequence

from domain.assistant import AnswerSentence
from domain.offline.responder.lines import Line
from domain.offline.responder.wording import joined, retold, without_day


def say(text: str, lines: Iterable[Line] = ()) -> AnswerSentence:
    """A sentence with the memories it used, each once."""
    return AnswerSentence(text, tuple(dict.fromkeys(line.memory_id for line in lines)))


def missing(text: str) -> AnswerSentence:
    """That something is not recorded: it names what was asked for and advises nothing."""
    return AnswerSentence(text, tells_back="notice")


def quoted(line: Line) -> str:
    """豆豆爱啃胡萝卜（2025年10月4日）, 豆豆对鸡肉过敏（待确认）"""
    marks = [] if line.on is None or line.on.text in line.text else [line.on.text]
    text = retold(line.text, dated=bool(marks) and _is_exact(line), guessed=line.guess)
    if marks and line.on is not None and _is_exact(line):
        text = without_day(text, line.on.day)
    marks += [line.pending] if line.pending else []
    return f"{text}（{'，'.join(marks)}）" if marks else text


def _is_exact(line: Line) -> bool:
    return line.on is not None and line.on.precision == "day"


def tell(lines: Sequence[Line], opening: str = "记录里写着：") -> list[AnswerSentence]:
    """The lines as one sentence of facts and one of guesses; [] for no lines."""
    sure = [line for line in lines if not line.guess]
    guesses = [line for line in lines if line.guess]
    told = []
    if sure:
        told.append(say(f"{opening}{joined(map(quoted, sure))}。", sure))
    if guesses:
        told.append(say(f"我记得好像{joined(map(quoted, guesses))}，不太确定。", guesses))
    return told
