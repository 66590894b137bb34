"""Medicines that no list holds, known by how their names end (卡托普利, 缬沙坦), or by what they are for and their form
(补血针, 护肠片, 肝药)."""

import re
from collections.abc import Iterator

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor.wordlist import Hit, Word

_STEMS = re.compile("|".join(sorted(vocabulary("treatments")["drug_stems"], key=len, reverse=True)))
_OF_A_NAME = re.compile(
    r"[^\x00-\x7f,。、;!?吃喂打用开了的是在就还给着加换成改停上服滴点抹涂和跟与每天日片早晚中各颗粒有没我它他她把让先又再也都只叫这那个种为过说配抗查量到要不能从来去顿次]{1,3}$"
)  # what stands before the ending, up to a verb or a measure
_BY_PURPOSE = re.compile(vocabulary("treatments")["drugs_by_purpose"])
_FORMS = "药针片剂丸粉浆膏那"  # without one of these no name by purpose ends
_MEDICINES = ("drug", "drug_name", "drug_word", "dewormer", "vaccine")
_BARE = frozenset({"药", "打针", "胶囊", "贴片", "糖浆"})  # says less than the purpose with it


def with_stemmed(folded: str, known: list[Hit]) -> list[Hit]:
    """The known words of a text, and beside them the names that end like a medicine's or tell what it is for."""
    whole = list(_by_purpose(folded, known)) if any(form in folded for form in _FORMS) else []
    spans = [(hit.start, hit.end) for hit in whole]
    kept = [hit for hit in known if not any(start <= hit.start and hit.end <= end for start, end in spans)]
    return [*kept, *whole, *_stemmed(folded, [*kept, *whole])]


def _by_purpose(folded: str, known: list[Hit]) -> Iterator[Hit]:
    for named in _BY_PURPOSE.finditer(folded):
        if not any(_is_no_part(hit, named.start(), named.end()) for hit in known):
            yield Hit(named.start(), named.end(), Word(named[0], "drug_word", named[0]))


def _is_no_part(hit: Hit, start: int, end: int) -> bool:
    """Whether a known word overlaps the name and is more than a part of it, or names a medicine by itself."""
    if hit.end <= start or end <= hit.start:
        return False
    whole = hit.family in _MEDICINES and hit.word.text not in _BARE
    return whole or not (start <= hit.start and hit.end <= end)


def _stemmed(folded: str, known: list[Hit]) -> Iterator[Hit]:
    taken = [(hit.start, hit.end) for hit in known]
    for stem in _STEMS.finditer(folded):
        head = _OF_A_NAME.search(folded, max(0, stem.start() - 3), stem.start())
        if head is None or any(start < stem.end() and head.start() < end for start, end in taken):
            continue
        name = folded[head.start() : stem.end()]
        yield Hit(head.start(), stem.end(), Word(name, "drug_name", name))
