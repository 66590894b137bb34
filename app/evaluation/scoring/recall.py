"""Recall: which stored memories a question injects, and which it leaks."""

import re
from collections.abc import Sequence

from app.evaluation.scoring.extraction import records
from app.evaluation.scoring.report import Record, Tally

TOP_K = 5  # memories the product injects at most
MEDICAL_KINDS = frozenset({"allergy", "medication"})
_WHICH_ONE = re.compile("谁|哪只|哪个|哪一只|哪位|哪条")  # looking across pets is the task
_RECALL, _RECALL_NAMELESS = f"recall@{TOP_K}", f"recall@{TOP_K}, no pet name in the question"
_MEDICAL_LEAK = "questions with an allergy or medication leak"
_FIRST_GOLD = "MRR of the first gold id"
_HEADLINES = (_RECALL, "all-gold rate", "injection precision", "questions with a leak", _MEDICAL_LEAK)
_RATIOS = (
    *(_RECALL, _RECALL_NAMELESS, "all-gold rate", "injection precision", "questions with a leak", _MEDICAL_LEAK),
    *("injected per question", _FIRST_GOLD),
)
_RESOLUTION = ("pet resolution", "pet resolution, no pet name in the question")


def score_recall(gold: Sequence[Record], predictions: dict[str, Record], tally: Tally) -> None:
    """Adds the metrics of the recall suite to `tally`. Pet resolution only if the predictions name pets at all."""
    tally.declare(*_RATIOS, headlines=_HEADLINES)
    answers = {name: records(prediction.get("questions")) for name, prediction in predictions.items()}
    resolves = any("pets" in answer for questions in answers.values() for answer in questions)
    if resolves:
        tally.declare(*_RESOLUTION, headlines=_RESOLUTION)
    for case in gold:
        of_case = answers.get(case["id"], [])
        for place, question in enumerate(case["questions"]):
            answer = of_case[place] if place < len(of_case) else {}
            _score_question(case, place, question, answer, resolves, tally)


def _score_question(case: Record, place: int, question: Record, answer: Record, resolves: bool, tally: Tally) -> None:
    always = set(answer.get("always") or [])  # the pet's safety card: unranked, injected whatever is asked
    injected = [item for item in dict.fromkeys(answer.get("injected") or []) if item not in always]
    wanted = set(question["gold"])
    missed = wanted - set(injected[:TOP_K]) - always
    leaks = (set(injected) | always) & set(question["must_not"])
    nameless = not any(pet["name"] in question["q"] for pet in case["pets"])
    found = 1 - len(missed) / len(wanted)
    useful = {*wanted, *question.get("acceptable", [])} & set(injected)
    medical = leaks & {memory["id"] for memory in case["memories"] if memory["kind"] in MEDICAL_KINDS}
    first = next((1 / rank for rank, item in enumerate(injected, 1) if item in wanted), float(bool(wanted & always)))
    tally.add(_RECALL, case, found)
    tally.add(_RECALL_NAMELESS, case, found * nameless, nameless)
    tally.add("all-gold rate", case, not missed)
    tally.add("injection precision", case, len(useful), len(injected))
    tally.add("questions with a leak", case, bool(leaks))
    tally.add(_MEDICAL_LEAK, case, bool(medical))
    tally.add("injected per question", case, len(injected))
    tally.add(_FIRST_GOLD, case, first)
    tally.count("leaked ids", len(leaks))
    tally.count("leaked ids, allergy or medication", len(medical))
    resolved = _is_resolved(question, answer)
    if resolves:
        tally.add("pet resolution", case, resolved)
        tally.add("pet resolution, no pet name in the question", case, resolved and nameless, nameless)
    if missed or leaks or (resolves and not resolved):
        tally.fail(
            case,
            question=place + 1,
            q=question["q"],
            missed=sorted(missed),
            leaks=sorted(leaks),
            pets=answer.get("pets"),
            pets_expected=question["pet"],
        )


def _is_resolved(question: Record, answer: Record) -> bool:
    meant, told = set(question["pet"]), set(answer.get("pets") or [])
    return told == meant or (_WHICH_ONE.search(question["q"]) is not None and meant <= told)
