"""What a model may contribute to a night, and the strict reading of its answers. No vendor, no prompt.

A judge says of pairs whether they are the same thing. It only proposes: an answer with an unknown pair, a missing one
or anything but yes and no is no answer at all, and then everything stays as it is until the next night. What a model
may write of an archive is `memory.archives.is_faithful`'s to say, and `domain.grounded_clauses`'.
"""

from collections.abc import Mapping, Sequence

from memory.consolidation.lines import NightLine

Pair = tuple[NightLine, NightLine]
Verdicts = Mapping[tuple[str, str], bool]
"""Of each pair whether both lines state the same. Keys are the pairs' ids in the order given."""


class UnusableAnswer(Exception):
    """A model's answer breaks the rules; the message names the rule, never the text."""


def same_pairs(pairs: Sequence[Pair], verdicts: Verdicts) -> frozenset[frozenset[str]]:
    """The pairs that a judge calls the same. Raises UnusableAnswer."""
    asked = {(one.id, other.id) for one, other in pairs}
    if set(verdicts) - asked:
        raise UnusableAnswer("unknown pair")
    if asked - set(verdicts):
        raise UnusableAnswer("pair left out")
    if any(not isinstance(verdict, bool) for verdict in verdicts.values()):
        raise UnusableAnswer("verdict is not yes or no")
    return frozenset(frozenset(pair) for pair, same in verdicts.items() if same)
