"""Names and figures marked in a text, so that one pattern reads the texts of all households. Pure.

A pattern that holds a pet's name or a recorded figure itself is compiled anew for each of them, which costs more than
all other reading of a message.
"""

from collections.abc import Iterable

MARK = "\ue000"  # of the private use area: no owner types it, and folding leaves none behind
NAME = f"{MARK}{{1,40}}"
"""A name in a pattern over a masked text."""


def with_names_masked(folded: str, names: Iterable[str]) -> str:
    """The text, as long as before, with MARK for every letter of a name; a longer name takes its letters first."""
    for name in sorted({name for name in names if name}, key=len, reverse=True):
        folded = folded.replace(name, MARK * len(name))
    return folded
