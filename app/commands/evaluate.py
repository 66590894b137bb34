"""`eval SUITE FILE`: runs the code of a chat turn over an evaluation file and prints what came out."""

import argparse
import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.commands import CommandFailed
from app.evaluation.cases import write_records
from app.evaluation.scoring import Metric, ScoreReport
from app.evaluation.suites import RUNNERS, Evaluation, evaluate

SUITES = tuple(RUNNERS)


def run(arguments: argparse.Namespace) -> int:
    """Print a line a metric; with `--json` one object on the last line. Without gold only predictions are made."""
    source = Path(arguments.file)
    if not source.is_file():
        raise CommandFailed(f"{source} is no file")
    try:
        done = asyncio.run(evaluate(arguments.suite, source))
    except KeyError as error:
        raise CommandFailed(f"a case of {source.name} has no field {error}") from error
    except ValueError as error:
        raise CommandFailed(f"{source.name} cannot be read: {error}") from error
    if arguments.predictions:
        write_records(Path(arguments.predictions), done.predictions)
    if arguments.failures:
        write_records(Path(arguments.failures), list(done.report.failures) if done.report else [])
    for line in _lines(done):
        print(line)
    if arguments.json:
        print(json.dumps(_as_json(done), ensure_ascii=False))
    return 0


def _lines(done: Evaluation) -> Iterator[str]:
    yield f"{done.suite}: {len(done.predictions)} cases"
    if done.report is None:
        yield "the file holds no gold, so nothing is scored"
        return
    yield from done.report.lines()
    for name, report in (done.slices or {}).items():
        yield f"-- {name}"
        yield from (metric.line() for metric in report.metrics)


def _as_json(done: Evaluation) -> dict[str, Any]:
    slices = {name: _metrics(report) for name, report in (done.slices or {}).items()}
    return {
        "suite": done.suite,
        "cases": len(done.predictions),
        "metrics": _metrics(done.report) if done.report else None,
        "slices": slices,
    }


def _metrics(report: ScoreReport) -> dict[str, Any]:
    return {metric.name: _metric(metric) for metric in report.metrics}


def _metric(metric: Metric) -> dict[str, Any]:
    told: dict[str, Any] = {"value": metric.value, "numerator": metric.numerator, "denominator": metric.denominator}
    return told if metric.interval is None else {**told, "interval": list(metric.interval)}
