"""Extraction: what was stored, for whom, against what should have been."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.evaluation.scoring.report import Record, Tally
from app.evaluation.scoring.text import NEGATED_PHRASE, contains, hits, plain
from app.evaluation.scoring.values import date_ok, day, number_ok, recurrence_ok

DANGEROUS_KINDS = frozenset({"allergy", "chronic_condition", "medication"})
UNASSIGNED = frozenset({"", "none", "null", "unknown", "unassigned"})
FACT_WEIGHT, OPTIONAL_WEIGHT = 1000, 10  # a fact before an optional detail, whatever the attributes say
_NEGATIVE = re.compile("不|没|无|未|非|停|阴|别|禁|忌|勿|免|跳过|暂|缓|取消|消失|消退|好了|痊愈|正常")
_DATE_SHAPED = re.compile(r"月|号|-|^\d{4}$")
_CLAUSE_END = re.compile(r"[，。；、,;\s]+")
_RATIOS = (
    *("precision", "recall", "F1", "subject accuracy", "topic accuracy", "kind accuracy", "date accuracy"),
    *("value accuracy", "value accuracy (time, recurrence)", "uncertainty accuracy"),
    *("uncertainty accuracy, flagged facts", "nothing-cases right"),
    *("multi: precision", "multi: recall", "multi: F1", "multi: subject accuracy"),
)
_HEADLINES = ("precision", "recall", "F1", "subject accuracy", "nothing-cases right", "multi: F1")


def score_extraction(gold: Sequence[Record], predictions: dict[str, Record], tally: Tally) -> None:
    """Adds the metrics of the extraction suite to `tally`."""
    tally.declare(*_RATIOS, headlines=_HEADLINES)
    for case in gold:
        answer = predictions.get(case["id"], {})
        comparison = compare(case, answer)
        _add_ratios(case, comparison, tally)
        _add_counts(case, answer, comparison, tally)
        _add_failure(case, comparison, tally)


# ---- one case


@dataclass(frozen=True, slots=True)
class Comparison:
    """One case, compared: facts are meant by their index in `expect.facts`, memories by theirs in `memories`."""

    facts: list[Record]
    memories: list[Record]
    matched: dict[int, int]  # fact -> memory
    counted: list[int]  # memories not matched to an optional detail
    extra: list[int]  # memories matched to nothing
    strays: dict[int, set[int]]  # memory -> facts whose content it holds under another subject
    broken: list[int]  # memories that break a must_not
    paired: frozenset[int]  # memories matched to a fact or an optional detail


def compare(case: Record, answer: Record) -> Comparison:
    """Matches memories and facts one to one, best assignment; subject, content and polarity must agree."""
    expect = case["expect"]
    facts: list[Record] = expect["facts"]
    entries = [*facts, *expect.get("optional", [])]
    memories = [m for m in records(answer.get("memories")) if not (expect.get("clarify") and subject(m) in UNASSIGNED)]
    meets = [[content_ok(entry, memory) for entry in entries] for memory in memories]
    own = [[subject(entry) == subject(memory) for entry in entries] for memory in memories]
    pairs = best_assignment(_weights(entries, len(facts), memories, meets, own))
    counted = [j for j in range(len(memories)) if pairs.get(j, -1) < len(facts)]
    extra = [j for j in counted if j not in pairs]
    strays = {
        j: held
        for j in extra
        if not any(meets[j][i] and own[j][i] for i in range(len(entries)))
        and (held := {i for i in range(len(facts)) if meets[j][i]})
    }
    broken = [j for j, memory in enumerate(memories) if _breaks_a_rule(memory, expect.get("must_not", []))]
    matched = {i: j for j, i in pairs.items() if i < len(facts)}
    return Comparison(facts, memories, matched, counted, extra, strays, broken, frozenset(pairs))


def records(value: object) -> list[Record]:
    """The objects of a list; what is no object cannot be scored and is left out."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def subject(record: Record) -> str:
    """The subject of a fact or memory, in one spelling."""
    return plain(record.get("subject")).strip()


def _weights(
    entries: list[Record], facts: int, memories: list[Record], meets: list[list[bool]], own: list[list[bool]]
) -> list[list[int]]:
    """Memories by entries; 0 where they may not be matched, more the more attributes agree."""
    return [
        [
            (FACT_WEIGHT if i < facts else OPTIONAL_WEIGHT) + sum(attributes(entry, memory).values())
            if meets[j][i] and own[j][i]
            else 0
            for i, entry in enumerate(entries)
        ]
        for j, memory in enumerate(memories)
    ]


def best_assignment(weights: Sequence[Sequence[int]]) -> dict[int, int]:
    """Rows to columns, one to one, with the largest sum (0 = not allowed). Exact; meant for a dozen columns."""
    best: dict[int, tuple[int, tuple[tuple[int, int], ...]]] = {0: (0, ())}  # columns used, as bits -> sum, pairs
    for row, line in enumerate(weights):
        step = dict(best)
        for used, (total, pairs) in best.items():
            for column, weight in enumerate(line):
                key = used | 1 << column
                if weight and key != used and (key not in step or step[key][0] < total + weight):
                    step[key] = (total + weight, (*pairs, (row, column)))
        best = step
    return dict(max(best.values(), key=lambda found: found[0])[1])


def _breaks_a_rule(memory: Record, rules: list[Record]) -> bool:
    """Whether a must_not pattern is found in the memory; a rule that names a subject counts only under it."""
    text = f"{memory.get('subject') or ''} {memory.get('text') or ''}"
    return any(hits(rule["pattern"], text) and subject({**memory, **rule}) == subject(memory) for rule in rules)


# ---- one memory against one fact


def content_ok(entry: Record, memory: Record) -> bool:
    """All must_include items are met, and the polarity agrees."""
    text, date = _written_out(memory)
    carries_negation = False
    for item in entry["must_include"]:
        found = [
            word
            for word in item.split("|")
            if contains(word, text) or (_DATE_SHAPED.search(word) and contains(word, date))
        ]
        if not found:
            return False
        carries_negation |= any(_NEGATIVE.search(word) is not None for word in found)
    return carries_negation or _polarity_ok(entry, memory)


def _written_out(memory: Record) -> tuple[str, str]:
    """Text with value, and the date in the ways it may be asked for; the date serves only date-shaped items."""
    value = _value(memory)
    parts = [str(memory.get("text") or "")]
    parts += [
        json.dumps(value[name], ensure_ascii=False) for name in ("time", "times", "recurrence") if value.get(name)
    ]
    if value.get("number") is not None:
        parts.append(f"{value['number']}{value.get('unit') or ''}")
    date = day(memory.get("date"))
    said = f"{date} {date.month}月{date.day}日 {date.month}月{date.day}号" if date else ""
    return "；".join(parts), said


def _value(memory: Record) -> dict[str, Any]:
    value = memory.get("value")
    return value if isinstance(value, dict) else {}


def _polarity_ok(entry: Record, memory: Record) -> bool:
    flag, said = memory.get("negated"), plain(memory.get("text"))
    if not entry.get("negated"):
        is_allergy = "allergy" in [entry["kind"], *entry.get("kind_alt", [])]
        denied = is_allergy and any(match[0].endswith("过敏") for match in NEGATED_PHRASE.finditer(said))
        return not flag and not denied
    if flag is not None:
        return bool(flag)
    words = [word for item in entry["must_include"] for word in item.split("|")]
    clauses = _CLAUSE_END.split(said)  # no flag given: read it from the clause
    return any(_NEGATIVE.search(clause) and any(contains(word, clause) for word in words) for clause in clauses)


def attributes(entry: Record, memory: Record) -> dict[str, bool]:
    """Metric -> right or wrong, for the attributes that the fact fixes."""
    want, got = entry.get("value", {}), _value(memory)
    is_flagged = bool(entry.get("hearsay_or_uncertain"))
    marks = {
        "topic accuracy": memory.get("topic") in [entry["topic"], *entry.get("topic_alt", [])],
        "kind accuracy": memory.get("kind") in [entry["kind"], *entry.get("kind_alt", [])],
        "uncertainty accuracy": bool(memory.get("uncertain")) == is_flagged,
    }
    if is_flagged:
        marks["uncertainty accuracy, flagged facts"] = marks["uncertainty accuracy"]
    if entry.get("date"):
        marks["date accuracy"] = date_ok(memory.get("date"), entry["date"], entry.get("date_tolerance_days", 0))
    if "number" in want:
        marks["value accuracy"] = number_ok(got, want)
    elif want:
        marks["value accuracy (time, recurrence)"] = all(
            recurrence_ok(got.get(name), detail) if name == "recurrence" else got.get(name) == detail
            for name, detail in want.items()
        )
    return marks


# ---- what a case adds


def _add_ratios(case: Record, found: Comparison, tally: Tally) -> None:
    matched, facts = len(found.matched), len(found.facts)
    misplaced = set().union(*found.strays.values()) - set(found.matched)
    for slice_name in ("", "multi: ") if "multi" in case["tags"] else ("",):
        tally.add(slice_name + "precision", case, matched, len(found.counted))
        tally.add(slice_name + "recall", case, matched, facts)
        tally.add(slice_name + "F1", case, 2 * matched, len(found.counted) + facts)
        tally.add(slice_name + "subject accuracy", case, matched, matched + len(misplaced))
    for fact, memory in found.matched.items():
        for name, right in attributes(found.facts[fact], found.memories[memory]).items():
            tally.add(name, case, right)
    if not found.facts:
        tally.add("nothing-cases right", case, not found.counted)


def _add_counts(case: Record, answer: Record, found: Comparison, tally: Tally) -> None:
    clarify, asked_back = bool(case["expect"].get("clarify")), bool(answer.get("clarify"))
    dangerous = [any(found.facts[i]["kind"] in DANGEROUS_KINDS for i in held) for held in found.strays.values()]
    violations = [j for j in found.broken if j in found.extra]
    also_broken = [j for j in found.broken if j in found.paired and not found.memories[j].get("negated")]
    tally.count("wrong-pet memories", len(found.strays))
    tally.count("wrong-pet memories, multi cases", len(found.strays) if "multi" in case["tags"] else 0)
    tally.count("dangerous scope errors", sum(dangerous))
    tally.count("must_not violations (memories)", len(violations))
    tally.count("cases with a must_not violation", bool(violations), of=1)
    tally.count("matched memories that break a must_not too", len(also_broken))
    tally.count("asked back, clarify cases", asked_back and clarify, of=clarify)
    tally.count("asked back, other cases", asked_back and not clarify)


def _add_failure(case: Record, found: Comparison, tally: Tally) -> None:
    missed = [fact for i, fact in enumerate(found.facts) if i not in found.matched]
    if missed or found.extra:
        tally.fail(
            case,
            text=case["text"],
            missed=missed,
            false_stores=[found.memories[j] for j in found.extra],
            wrong_pet=[found.memories[j] for j in found.strays],
            violations=[found.memories[j] for j in found.broken if j in found.extra],
        )
