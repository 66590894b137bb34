"""Medicines that no list holds, known by how the names of medicines end: 卡托普利, 缬沙坦, 阿普唑仑."""

import re
from collections.abc import Iterator

from domain.knowledge.vocabulary import vocabulary
from domain.offline.extractor.wordlist import Hit, Word

_STEMS = re.compile("|".join(sorted(vocabulary("treatments")["drug_stems"], key=len, reverse=True)))
_OF_A_NAME = re.compile(
    r"[^\x00-\x7f,。、;!?吃喂打用开了的是在就还给着加换成改停上服滴点抹涂和跟与每天日片早晚中各颗粒有没我它他她把让先又再也都只叫这那个种为过说配抗查量到要不能从来去顿次]{1,3}$"
)  # what stands before the ending, up to a verb or a measure


def find_stemmed(folded: str, known: list[Hit]) -> Iterator[Hit]:
    """Names that end like a medicine's and that no list knows, beside the known words of the text."""
    taken = [(hit.start, hit.end) for hit in known]
    for stem in _STEMS.finditer(folded):
        head = _OF_A_NAME.search(folded, max(0, stem.start() - 3), stem.start())
        if head is None or any(start < stem.end() and head.start() < end for start, end in taken):
            continue
        name = folded[head.start() : stem.end()]
        yield Hit(head.start(), stem.end(), Word(name, "drug_name", name))
