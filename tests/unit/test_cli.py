"""The command line: what it refuses is one sentence that says what to do, and exit code 2."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

import app.commands.serve
import app.database
from app.cli import main
from app.data_folder import hold

Arrange = Callable[[pytest.MonkeyPatch, Path], Any]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder and a port of its own, no embedder, and logging left alone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAWSIGNAL_ENV", "test")
    monkeypatch.setenv("PAWSIGNAL_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("PAWSIGNAL_EMBEDDER", "none")
    monkeypatch.setenv("PAWSIGNAL_PORT", "0")
    monkeypatch.setattr(app.commands.serve, "configure_logging", lambda _level: None)
    return tmp_path / "data"


def run(capsys: pytest.CaptureFixture[str], *command: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    code = main(command)
    told = capsys.readouterr()
    return code, told.out, told.err


def refusal(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """The sentence of a command that must be refused."""
    code, out, err = run(capsys, *command)
    assert (code, out) == (2, "")
    assert err.startswith("pawsignal: ")
    assert err.count("\n") == 1, err
    return err


def a_file_where_the_folder_should_be(_patch: pytest.MonkeyPatch, folder: Path) -> None:
    folder.write_text("no folder")


def something_else_in_place_of_the_database(_patch: pytest.MonkeyPatch, folder: Path) -> None:
    folder.mkdir()
    (folder / "pawsignal.db").write_text("this is a letter, not a database\n" * 200)


def a_full_disk(patch: pytest.MonkeyPatch, _folder: Path) -> None:
    patch.setattr(app.database, "SQLITE_PRAGMAS", ("PRAGMA max_page_count=9",))


def a_secret_that_cannot_be_kept(_patch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "secret.key").mkdir(parents=True)


def everybody_may_come(patch: pytest.MonkeyPatch, _folder: Path) -> None:
    patch.setenv("PAWSIGNAL_HOST", "0.0.0.0")  # noqa: S104  # refused


def production_without_a_secret(patch: pytest.MonkeyPatch, _folder: Path) -> None:
    patch.setenv("PAWSIGNAL_ENV", "production")


def production_without_wechat(patch: pytest.MonkeyPatch, _folder: Path) -> None:
    patch.setenv("PAWSIGNAL_ENV", "production")
    patch.setenv("PAWSIGNAL_SECRET_KEY", "Vq3fTz81-kdL0wPnX6sYbHuJr52CmEgA")


def production_that_forgets_its_vectors(patch: pytest.MonkeyPatch, folder: Path) -> None:
    production_without_wechat(patch, folder)
    patch.setenv("WECHAT_APPID", "wx0")
    patch.setenv("WECHAT_SECRET", "s")
    patch.setenv("PAWSIGNAL_QDRANT_URL", ":memory:")


def a_port_that_is_no_number(patch: pytest.MonkeyPatch, _folder: Path) -> None:
    patch.setenv("PAWSIGNAL_PORT", "http")


def a_port_that_is_too_high(patch: pytest.MonkeyPatch, _folder: Path) -> None:
    patch.setenv("PAWSIGNAL_PORT", "99999")


def a_database_server_that_is_away(patch: pytest.MonkeyPatch, _folder: Path) -> None:
    patch.setenv("PAWSIGNAL_DATABASE_URL", "postgresql://nobody:geheim@127.0.0.1:1/none")


REFUSED: list[tuple[Arrange, str]] = [
    (a_file_where_the_folder_should_be, "PAWSIGNAL_DATA_DIR"),
    (something_else_in_place_of_the_database, "pawsignal.db"),
    (a_full_disk, "Free some space"),
    (a_secret_that_cannot_be_kept, "secret.key"),
    (everybody_may_come, "PAWSIGNAL_HOST=127.0.0.1"),
    (production_without_a_secret, "PAWSIGNAL_SECRET_KEY"),
    (production_without_wechat, "WECHAT_APPID"),
    (production_that_forgets_its_vectors, "PAWSIGNAL_QDRANT_URL"),
    (a_port_that_is_no_number, "port"),
    (a_port_that_is_too_high, "port"),
    (a_database_server_that_is_away, "PAWSIGNAL_DATABASE_URL"),
]


@pytest.mark.parametrize(("arrange", "advice"), REFUSED, ids=[arrange.__name__ for arrange, _ in REFUSED])
def test_a_service_that_cannot_start_says_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path, arrange: Arrange, advice: str
) -> None:
    arrange(monkeypatch, folder)
    told = refusal(capsys, "serve")
    assert advice in told
    assert "geheim" not in told


def test_a_locked_database_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(app.database, "SQLITE_PRAGMAS", ("PRAGMA busy_timeout=50",))
    folder.mkdir()
    with closing(sqlite3.connect(folder / "pawsignal.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for command in (["serve"], ["migrate"], ["status"], ["seed-demo"]):
            assert "locked" in refusal(capsys, *command)


@contextmanager
def _listening() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_a_port_that_is_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with _listening() as port:
        told = refusal(capsys, "serve", "--port", str(port))
    assert str(port) in told
    assert "PAWSIGNAL_PORT" in told


@pytest.mark.parametrize("command", ["serve", "worker", "reindex", "seed-demo"])
def test_what_needs_the_folder_is_refused_while_a_service_holds_it(
    capsys: pytest.CaptureFixture[str], folder: Path, command: str
) -> None:
    with hold(folder, "serve"):
        told = refusal(capsys, command)
    assert f"pawsignal serve (process {os.getpid()})" in told


@pytest.mark.parametrize("command", ["migrate", "status"])
def test_what_only_needs_the_database_works_beside_a_service(
    capsys: pytest.CaptureFixture[str], folder: Path, command: str
) -> None:
    with hold(folder, "serve"):
        assert run(capsys, command)[0] == 0


def test_reindexing_without_an_embedder_leaves_an_empty_index(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "reindex")
    assert (code, out) == (0, "The vector index holds 0 memories.\n")


def test_migrating_twice_is_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "migrate")[:2] == run(capsys, "migrate")[:2] == (0, "The database is up to date.\n")


def test_the_sample_household_is_made_once(capsys: pytest.CaptureFixture[str]) -> None:
    now = ["--now", "2026-05-20T20:00:00+08:00"]
    code, out, _ = run(capsys, "seed-demo", "--if-empty", *now)
    assert code == 0
    assert "dev:demo" in out
    lived = json.loads(run(capsys, "status")[1])["rows"]
    assert lived["pets"] >= 2
    assert lived["turns"] * 2 == lived["messages"]

    assert run(capsys, "seed-demo", "--if-empty", *now)[:2] == (0, "")
    assert "exists already" in refusal(capsys, "seed-demo", *now)
    assert json.loads(run(capsys, "status")[1])["rows"] == lived


def test_production_has_no_sample_household(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    production_without_wechat(monkeypatch, folder)
    monkeypatch.setenv("WECHAT_APPID", "wx0")
    monkeypatch.setenv("WECHAT_SECRET", "s")
    assert "production" in refusal(capsys, "seed-demo")


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["bark"],
        ["seed-demo", "--now", "2026-05-20T20:00:00"],
        ["seed-demo", "--now", "yesterday"],
        ["serve", "--port", "x"],
    ],
)
def test_a_command_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(command)
    assert ended.value.code == 2


def test_the_knowledge_that_ships_has_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "knowledge", "check")
    assert (code, out.splitlines()[-1].startswith("0 errors")) == (0, True)


def test_a_night_of_nobody_is_refused_and_a_night_without_sleepers_is_fine(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    assert run(capsys, "migrate")[0] == 0
    assert run(capsys, "consolidate") == (0, "0 nights were slept.\n", "")
    assert "nothing was consolidated" in refusal(capsys, "consolidate", "--owner", "nobody")


@pytest.fixture
def demo_owner(capsys: pytest.CaptureFixture[str], folder: Path) -> str:
    """The id of the sample owner, who has the dog 豆豆 among others."""
    run(capsys, "seed-demo", "--now", "2026-03-01T08:00:00+08:00")
    with closing(sqlite3.connect(folder / "pawsignal.db")) as database:
        return str(database.execute("SELECT id FROM owners").fetchone()[0])


def test_a_captured_statement_goes_through_the_policy(capsys: pytest.CaptureFixture[str], demo_owner: str) -> None:
    about = ("--owner", demo_owner, "--pet", "豆豆", "--now", "2026-03-02T08:00:00+08:00")
    code, out, _ = run(capsys, "capture", *about, "豆豆对三文鱼过敏")
    assert (code, out) == (0, "added: 豆豆对三文鱼过敏 (new_danger)\n")
    code, out, _ = run(capsys, "snapshot", "--owner", demo_owner, "--now", "2026-03-02T09:00:00+08:00")
    assert code == 0
    assert "- 豆豆对三文鱼过敏" in out
    _, out, _ = run(capsys, "capture", *about, "豆豆对三文鱼不过敏了")
    assert out.startswith("candidate: ")


def test_the_owner_sees_that_an_operator_looked(
    capsys: pytest.CaptureFixture[str], folder: Path, demo_owner: str
) -> None:
    run(capsys, "snapshot", "--owner", demo_owner)
    run(capsys, "capture", "--owner", demo_owner, "我习惯早上六点遛狗")
    with closing(sqlite3.connect(folder / "pawsignal.db")) as database:
        rows = database.execute("SELECT who, what FROM access_log ORDER BY id").fetchall()
    assert rows == [("operator", "snapshot"), ("operator", "capture")]


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("capture", "--owner", "nobody", "x"), "there is no owner nobody"),
        (("snapshot", "--owner", "nobody"), "there is no owner nobody"),
    ],
)
def test_a_command_for_nobody_says_so(
    capsys: pytest.CaptureFixture[str], folder: Path, command: tuple[str, ...], says: str
) -> None:
    assert says in refusal(capsys, *command)


def test_the_module_itself_runs_commands() -> None:
    asked = subprocess.run([sys.executable, "-m", "app.cli", "--help"], capture_output=True, text=True, check=True)
    assert asked.stdout.startswith("usage: pawsignal")
