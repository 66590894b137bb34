"""One process at a time holds a data folder, and who cannot have it is told in a sentence what to do."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.data_folder import LOCK_NAME, DataFolderUnavailable, hold
from app.database import open_database


def test_a_folder_is_made_when_it_is_held(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    with hold(folder, "serve"):
        assert (folder / LOCK_NAME).read_text() == f"pawsignal serve (process {os.getpid()})"


def test_what_is_made_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    with hold(tmp_path / "data", "serve"):
        pass
    open_database(f"sqlite+aiosqlite:///{tmp_path / 'other' / 'pawsignal.db'}")
    modes = {path: stat.S_IMODE((tmp_path / path).stat().st_mode) for path in ("data", "other", "other/pawsignal.db")}
    assert modes == {"data": 0o700, "other": 0o700, "other/pawsignal.db": 0o600}


def test_a_held_folder_names_its_holder(tmp_path: Path) -> None:
    with (
        hold(tmp_path, "serve"),
        pytest.raises(DataFolderUnavailable, match=rf"pawsignal serve \(process {os.getpid()}\)"),
        hold(tmp_path, "reindex"),
    ):
        raise AssertionError("two hold one folder")


def test_a_folder_is_free_again_after_its_holder(tmp_path: Path) -> None:
    for what in ("serve", "reindex", "serve"):
        with hold(tmp_path, what):
            pass


def test_a_folder_is_free_again_after_its_holder_failed(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), hold(tmp_path, "serve"):
        raise RuntimeError
    with hold(tmp_path, "serve"):
        pass


def test_the_lock_dies_with_its_process(tmp_path: Path) -> None:
    program = "import sys, time; from pathlib import Path; from app.data_folder import hold\n"
    program += "with hold(Path(sys.argv[1]), 'serve'): print('held', flush=True); time.sleep(60)"
    root = str(Path(__file__).parents[2])
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": root}
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(DataFolderUnavailable, match=str(holder.pid)), hold(tmp_path, "serve"):
            pass
        holder.kill()
    with hold(tmp_path, "serve"):
        pass


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(DataFolderUnavailable, match="PAWSIGNAL_DATA_DIR"), hold(tmp_path / "file" / "data", "serve"):
        pass


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(DataFolderUnavailable, match="Free some space"), hold(tmp_path, "serve"):
        pass
