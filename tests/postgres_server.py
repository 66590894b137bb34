"""A real PostgreSQL for the tests: a private server in a temporary folder, or the one of PAWSIGNAL_TEST_POSTGRES_URL.

The server runs as a plain user (it refuses root), listens on a private port of 127.0.0.1 and on a socket in its own
folder, and never syncs: what it holds is thrown away. The user of a given address must be a superuser: tables are
emptied with their foreign keys off.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

URL_VARIABLE = "PAWSIGNAL_TEST_POSTGRES_URL"
PLAIN_USERS = ("postgres", "nobody")
START_SECONDS = 30.0
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=60", "shared_buffers=32MB")


def postgres_there() -> bool:
    """Whether tests can have a PostgreSQL on this machine."""
    return bool(os.environ.get(URL_VARIABLE)) or shutil.which("postgres") is not None


@contextmanager
def postgres_server() -> Iterator[str]:
    """The address of a database in which databases may be made, as `postgresql+asyncpg://…`."""
    given = os.environ.get(URL_VARIABLE)
    if given:
        yield given.replace("postgresql://", "postgresql+asyncpg://", 1)
        return
    folder = Path(tempfile.mkdtemp(prefix="pawsignal-pg-"))
    try:
        yield from _serve(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _serve(folder: Path) -> Iterator[str]:
    user = _plain_user(folder)
    data, port = folder / "data", _free_port()
    _run(["initdb", "-D", str(data), "-U", "pawsignal", "-E", "UTF8", "--no-locale", "-A", "trust", "-N"], user)
    settings = [part for setting in FAST for part in ("-c", setting)]
    server = subprocess.Popen(
        [_binary("postgres"), "-D", str(data), "-h", "127.0.0.1", "-p", str(port), "-k", str(folder), *settings],
        user=user,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
    )
    try:
        _wait_for(port, server)
        yield f"postgresql+asyncpg://pawsignal@127.0.0.1:{port}/postgres"
    finally:
        server.send_signal(signal.SIGQUIT)  # immediate shutdown
        server.wait(START_SECONDS)


def _plain_user(folder: Path) -> str | None:
    """Whom the server runs as; None means as ourselves, who are not root."""
    if os.geteuid() != 0:
        return None
    for name in PLAIN_USERS:
        try:
            account = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(folder, account.pw_uid, account.pw_gid)
        return name
    raise RuntimeError(f"PostgreSQL refuses to run as root, and there is none of the users {PLAIN_USERS}")


def _run(command: Sequence[str], user: str | None) -> None:
    made = subprocess.run(
        [_binary(command[0]), *command[1:]], user=user, capture_output=True, text=True, check=False, cwd="/"
    )
    if made.returncode:
        raise RuntimeError(f"{command[0]} failed: {made.stderr.strip()}")


def _binary(name: str) -> str:
    """The program beside the real `postgres`, which may only be linked into the path."""
    found = shutil.which("postgres")
    beside = Path(found).resolve().parent / name if found else Path(name)
    return str(beside) if beside.exists() else name


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, server: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if server.poll() is not None:
            raise RuntimeError(f"PostgreSQL ended with {server.returncode} while it started")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("PostgreSQL did not start in time")
