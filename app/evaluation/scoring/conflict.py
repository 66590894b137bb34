"""Conflict: which outcome a later statement had, and what is served as fact after it."""

import re
from collections import Counter
from collections.abc import Sequence

from app.evaluation.scoring.extraction import records
from app.evaluation.scoring.report import Record, Tally
from app.evaluation.scoring.text import hits

OUTCOMES = ("duplicate", "coexist", "candidate", "ask_owner", "supersede")
_RATIOS = ("outcome accuracy, strict", "outcome accuracy, lenient", "serving accuracy")
_PENDING = re.compile("待确认|观察中|候选")


def score_conflict(gold: Sequence[Record], predictions: dict[str, Record], tally: Tally) -> None:
    """Adds the metrics of the conflict suite to `tally`."""
    tally.declare(*_RATIOS, headlines=_RATIOS)
    confusion: dict[str, Counter[str]] = {outcome: Counter() for outcome in OUTCOMES}
    tally.details |= {"confusion (gold -> predicted)": confusion, "dangerous statements": []}
    for case in gold:
        answers = records(predictions.get(case["id"], {}).get("statements"))
        for place, statement in enumerate(case["statements"]):
            answer = answers[place] if place < len(answers) else {}
            _score_statement(case, place, statement, answer, tally)
            said = answer.get("outcome")
            confusion[statement["expect"]["outcome"]][said if said in OUTCOMES else "ignore or other"] += 1


def _score_statement(case: Record, place: int, statement: Record, answer: Record, tally: Tally) -> None:
    expect, outcome = statement["expect"], answer.get("outcome")
    allowed = {expect["outcome"], *expect.get("accept", [])}
    missing, served_wrongly = _serving_errors(expect, answer)
    is_high = expect["risk"] == "high"
    dangers = {
        "a superseded": is_high and outcome == "supersede" and outcome not in allowed,
        "b old fact not served": is_high and _drops_an_old_fact(case, expect, missing),
        "c forbidden served as fact": is_high and bool(served_wrongly),
    }
    tally.add("outcome accuracy, strict", case, outcome == expect["outcome"])
    tally.add("outcome accuracy, lenient", case, outcome in allowed)
    tally.add("serving accuracy", case, not missing and not served_wrongly)
    tally.count("dangerous errors (statements)", any(dangers.values()), of=is_high)
    for name, happened in dangers.items():
        tally.count("dangerous: " + name, happened)
    tally.count("nagging", not is_high and outcome == "ask_owner" and outcome not in allowed, of=not is_high)
    if any(dangers.values()):
        tally.details["dangerous statements"].append(f"{case['id']}#{place + 1}")
    if outcome not in allowed or missing or served_wrongly:
        tally.fail(
            case,
            statement=place + 1,
            text=statement["text"],
            expected=sorted(allowed),
            outcome=outcome,
            not_served=missing,
            served_wrongly=served_wrongly,
            dangerous=[name for name, happened in dangers.items() if happened],
        )


def _serving_errors(expect: Record, answer: Record) -> tuple[list[str], list[str]]:
    """Patterns that should be served and are not, and patterns that are served as fact and should not be."""
    lines = [str(line) for line in answer.get("served") or []]
    facts = [line for line in lines if not _PENDING.search(line)]
    missing = [pattern for pattern in expect["must_serve"] if not any(hits(pattern, line) for line in lines)]
    wrong = [pattern for pattern in expect["must_not_serve"] if any(hits(pattern, line) for line in facts)]
    return missing, wrong


def _drops_an_old_fact(case: Record, expect: Record, missing: list[str]) -> bool:
    """A pattern that the old memory served is served no more: the fact was overwritten or dropped silently."""
    old = [
        f"{memory['subject']} {memory['text']}"
        for memory in case["memory"]
        if memory["id"] in expect["about"] or not expect["about"]
    ]
    return any(hits(pattern, line) for pattern in missing for line in old)
