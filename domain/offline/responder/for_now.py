"""What holds for a time only bends every advice while it lasts: it is said before the answer."""

from collections.abc import Sequence

from domain.assistant import AnswerSentence
from domain.offline.responder.lines import Line
from domain.offline.responder.voice import quoted, say
from domain.offline.responder.wording import joined


def holding_for_now(lines: Sequence[Line], answered: Sequence[AnswerSentence]) -> list[AnswerSentence]:
    """One sentence of the limits that hold now and that the answer does not tell anyway."""
    told = {memory_id for sentence in answered for memory_id in sentence.citations}
    ending = [line for line in lines if line.until is not None and line.memory_id not in told]
    return [say(f"眼下先照着：{joined(map(quoted, ending))}。", ending)] if ending else []
