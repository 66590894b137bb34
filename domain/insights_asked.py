"""Whether a message asks how a pet is, or why it is not itself; and the lines the assistant is given then. Pure."""

import re
from collections.abc import Mapping, Sequence

from domain.insights import RANK, Insight
from domain.knowledge.lexicon import find_entities
from domain.offline.responder.reading import Form, is_question, read_question
from domain.pet_profiles import PetProfile
from domain.turn_context import InsightLine
from memory.text_folding import fold_text

MOST_LINES = 4  # findings in one answer, the most pressing first

_WHY = re.compile(r"怎么回事|咋回事|怎么了|咋了|为什么|为啥|怎么办|咋办|什么原因|怎么老|怎么总|怎么一直")
_NOT_ITSELF = re.compile(
    r"不(?:爱|怎么|太|肯|想|好好)?(?:吃|喝|动|玩)|胃口|食欲|精神|拉(?:稀|肚|软|屎)|便便|尿|瘦了?|掉秤|体重|吐|没劲|蔫"
)


def insights_asked(text: str, pets: Sequence[PetProfile]) -> bool:
    """最近该注意什么, 豆豆最近不爱吃粮是怎么回事: what is answered from all records together."""
    if not is_question(text):
        return False
    folded = fold_text(text)
    if _WHY.search(folded) and (_NOT_ITSELF.search(folded) or _names_a_sign(text)):
        return True
    return read_question(text, pets).form is Form.OVERVIEW


def insight_lines(found: Mapping[str, Sequence[Insight]], mirrors: Mapping[str, str]) -> tuple[InsightLine, ...]:
    """The findings as the assistant may tell them. found: by pet id. mirrors: memory ids by record id."""
    all_of_them = sorted(
        ((pet_id, one) for pet_id, some in found.items() for one in some), key=lambda p: RANK[p[1].level]
    )
    return tuple(
        InsightLine(
            subject=pet_id,
            text=f"{one.text}。{one.advice}" if one.advice else one.text,
            level=one.level,
            memory_ids=tuple(mirrors[row.id] for row in one.rows if row.id in mirrors),
        )
        for pet_id, one in all_of_them[:MOST_LINES]
    )


def _names_a_sign(text: str) -> bool:
    return any(one.kind == "symptom" for one in find_entities(text))
