"""Runs of letters as features: what the trained heads look at, in training and at run time alike."""

from collections.abc import Iterable

NAME = "宠"  # stands for any pet's name: the heads learn of no pet in particular
LONGEST_IN_CLAUSE = 4
LONGEST_IN_MESSAGE = 3
LONGEST_FOR_TOPIC = 2
MOST_LETTERS = 400  # of a message; what comes later hardly changes what kind of message it is


def without_names(folded: str, names: Iterable[str]) -> str:
    """The text with pets' names taken out. names: folded, longest first."""
    for name in names:
        folded = folded.replace(name, NAME)
    return folded.replace("\x00", NAME)


def ngrams(text: str, longest: int) -> set[str]:
    """All runs of 1 to `longest` letters, with marks for where the text begins and ends."""
    marked = f"^{text[:MOST_LETTERS]}$"
    return {
        marked[start : start + length] for length in range(1, longest + 1) for start in range(len(marked) - length + 1)
    }
