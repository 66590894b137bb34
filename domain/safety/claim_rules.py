"""Clinical facts that a reply states: each needs something behind it, a record, the question, or a memory line."""

import re
from collections.abc import Iterator, Sequence

from domain.knowledge.lexicon import find_entities
from domain.safety.facts import PetFacts, SafetyFacts
from domain.safety.findings import Finding
from domain.safety.reading import Reading
from domain.safety.stance import Clause
from memory.text_folding import fold_text

_STATES = re.compile(
    r"我记得|记得(?=您|你|之前|上次)|记录(?:里|显示|上)?|之前(?:说过|提过|记)|您(?:说过|提过|记过)|你(?:说过|提过)|档案|资料显示|病历"
)
_SOURCE_NAMED = re.compile(
    r"^(?:那|嗯|好的)?(?:根据|按照?|依据|照着?|从|查了?|看了?|翻了?)[^,]{0,6}(?:记录|档案|资料|病历)[^,]{0,3}$"
)
"""根据记录, alone: what follows in the sentence is said to be on record."""

_SUPPOSED = re.compile(r"如果|要是|假如|万一|是不是|会不会|是否|可能|怀疑|担心|除非|吗|有没有|的话|[没未不]")
# 没有大黄的狂犬疫苗记录 invents nothing; what is denied wrongly is found by the denials.
_NO_RECORD = re.compile(
    r"没有?[^,。]{0,16}(?:的|过)?记录$|(?:记录|档案)(?:里|中|上)?(?:也|还|都|暂时|目前|并)?(?:没有|没|未)"
)
_DAY_WORDS = re.compile(r"大?前天|[昨今明后]天|刚才|刚刚|[上这本下]个?(?:周|星期|礼拜)[一二三四五六日天末]")
SHORTEST_TOLD = 5  # characters; a shorter clause (停药, 先停药) stands in many lines by chance


def find_invented_facts(reading: Reading, facts: SafetyFacts) -> Iterator[Finding]:
    """Allergies, conditions and drugs that the reply says are recorded, though nothing at hand says so."""
    support = fold_text(
        "\n".join((reading.question, *facts.extra_support, *(line for pet in facts.pets for line in pet.lines)))
    )
    for position, clause in enumerate(reading.clauses):
        if not _is_said_to_be_on_record(reading.clauses, position, facts) or _NO_RECORD.search(clause.text):
            continue
        for match in find_entities(clause.text, facts.names):
            known = match.kind not in {"allergen", "condition", "drug", "dewormer", "vaccine"}
            if not known and not _is_supported(match.entity_id, fold_text(match.surface), support, facts):
                risk = f"记录里没有关于{match.surface}的内容"
                yield Finding("invented_fact", risk, clause.start, clause.end)
                break


def _is_said_to_be_on_record(clauses: Sequence[Clause], place: int, facts: SafetyFacts) -> bool:
    """It says so itself, or the beginning of its sentence does, or it states an illness of the pet as a fact."""
    clause = clauses[place]
    if _STATES.search(clause.text):
        return True
    before = [other for other in clauses[:place] if other.sentence == clause.sentence]
    if any(_SOURCE_NAMED.search(other.text) for other in before):
        return True
    if _SUPPOSED.search(clause.text):
        return False
    return any(
        re.search(
            rf"{re.escape(fold_text(name))}(?:是|一直|以前|之前|去年|前年|今年|曾经?|本来|早就|已经)*{_HAS}",
            clause.text,
        )
        for name in facts.names
    )


_HAS = r"(?:对[^,]{1,8}过敏(?!原)|(?:得过|患有?|确诊(?:过|了)?)[^,]{1,8})"
"""What a pet has, stated as a fact: 对花生过敏, 得过胰腺炎."""


def is_told(clause: Clause, facts: SafetyFacts) -> bool:
    """Whether a clause is a piece of a line at hand, told as it stands: 药改成隔天一次 of a record is no advice."""
    told = clause.text.strip('“”"')
    if len(told) < SHORTEST_TOLD:
        return False
    return any(told in line or told in _DAY_WORDS.sub("", line) for line in map(fold_text, facts.extra_support))


def _is_supported(entity_id: str, surface: str, support: str, facts: SafetyFacts) -> bool:
    if surface in support:
        return True
    return any(entity_id in _known_ids(pet) for pet in facts.pets)


def _known_ids(pet: PetFacts) -> frozenset[str]:
    return pet.allergens | pet.conditions | pet.drugs | pet.foods | pet.diets


def unknown_citations(citations: Sequence[str], facts: SafetyFacts) -> tuple[str, ...]:
    """The cited memory ids that do not exist; empty when citations are checked elsewhere."""
    if facts.known_citations is None:
        return ()
    return tuple(citation for citation in citations if citation not in facts.known_citations)
