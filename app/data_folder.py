"""The data folder of the embedded set-up: one running service at a time, and clear words when it cannot be used."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600  # what owners told is read by the service's user alone
LOCK_NAME = "pawsignal.lock"


class DataFolderUnavailable(Exception):
    """The folder cannot be used; the message says what to do."""


class DataFolderInUse(DataFolderUnavailable):
    """Another process holds it."""


@contextmanager
def hold(folder: Path, what: str) -> Iterator[None]:
    """Keep the folder to this process while the block runs; the lock dies with the process.

    Raises DataFolderInUse when another process holds it (named by its pid), DataFolderUnavailable when it cannot be
    written.
    """
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        handle = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    except OSError as error:
        raise DataFolderUnavailable(
            f"The data folder {folder} cannot be written ({error.strerror}). "
            "Check its owner and free space, or set PAWSIGNAL_DATA_DIR to another folder."
        ) from error
    try:
        _lock(handle, folder, what)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path, what: str) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.pread(handle, 200, 0).decode("utf-8", "replace").strip() or "another process"
        raise DataFolderInUse(
            f"The data folder {folder} is in use by {holder}. Stop it, or set PAWSIGNAL_DATA_DIR to another folder."
        ) from error
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"pawsignal {what} (process {os.getpid()})".encode(), 0)
    except OSError as error:
        raise DataFolderUnavailable(
            f"The disk that holds {folder} cannot be written ({error.strerror}). Free some space and start again."
        ) from error
