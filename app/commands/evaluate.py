"""`eval SUITE FILE`: runs the code of a chat turn over an evaluation file and prints what came out."""

import argparse
import asyncio
import json
from pathlib import Path

from app.commands import CommandFailed
from app.evaluation import SUITES, evaluate


def run(arguments: argparse.Namespace) -> int:
    """Print a line a metric; `--json` one object on the last line. Without gold only predictions are made."""
    source = Path(arguments.file)
    if not source.is_file():
        raise CommandFailed(f"{source} is no file")
    report = asyncio.run(evaluate(arguments.suite, source))
    if arguments.predictions:
        _write_lines(Path(arguments.predictions), report.predictions)
    if arguments.failures:
        _write_lines(Path(arguments.failures), report.failures)
    for line in report.lines():
        print(line)
    if arguments.json:
        print(json.dumps(report.as_json(), ensure_ascii=False))
    return 0


def _write_lines(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


__all__ = ["SUITES", "run"]
