"""Words that mean the same to an owner, to widen a keyword search (`data/synonyms.yaml`)."""

from collections.abc import Mapping
from functools import cache

from domain.knowledge.sheets import Row, open_sheet
from memory.text_folding import fold_text

Groups = tuple[tuple[str, ...], ...]


@cache
def load_synonyms() -> Groups:
    """All groups, folded, read once. Raises KnowledgeError with file and line."""
    return open_sheet("synonyms.yaml").read(read_synonym_sheet)


def read_synonym_sheet(top: Row) -> Groups:
    """The groups of a sheet; a group needs two words at least."""
    top.only("meta", "groups")
    groups = top.raw("groups")
    if not isinstance(groups, list):
        raise top.error("expected a list of groups", "groups")
    for position, words in enumerate(groups):
        if not isinstance(words, list) or len(words) < 2 or not all(isinstance(word, str) and word for word in words):
            raise top.error("expected two words or more", "groups", position)
    return tuple(tuple(fold_text(word) for word in words) for words in groups)


def other_words(text: str) -> tuple[str, ...]:
    """Words that mean the same as a word in `text` and do not stand in it, in the sheet's order, no repeats."""
    folded = fold_text(text)
    groups = load_synonyms()
    begins = _groups_by_first_letter()
    asked = {
        number
        for place, letter in enumerate(folded)
        for word, numbers in begins.get(letter, ())
        if folded.startswith(word, place)
        for number in numbers
    }
    found = (word for number in sorted(asked) for word in groups[number] if word not in folded)
    return tuple(dict.fromkeys(found))


@cache
def single_words() -> frozenset[str]:
    """The words of one character."""
    return frozenset(word for group in load_synonyms() for word in group if len(word) == 1)


@cache
def _groups_by_first_letter() -> Mapping[str, tuple[tuple[str, tuple[int, ...]], ...]]:
    """Words with the numbers of their groups, under the letter that they begin with."""
    table: dict[str, dict[str, list[int]]] = {}
    for number, words in enumerate(load_synonyms()):
        for word in words:
            table.setdefault(word[0], {}).setdefault(word, []).append(number)
    return {letter: tuple((word, tuple(numbers)) for word, numbers in of.items()) for letter, of in table.items()}
