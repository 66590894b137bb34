"""kill -9 loses nothing that was acknowledged, leaves nothing half written, and keeps nobody waiting afterwards.

A real service is killed at random moments and in each phase of a turn. After each restart the database is read beside
it, so that nothing is taken from what the killed process believed.
"""

import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from domain.owners import POLICIES
from tests.factories import Json
from tests.fakes import service_nursery

RANDOM_KILLS = 30
KILLS_WHILE_STARTING = 3
KILLS_OF_ACTS = 3  # of an erasure, of an import
START_SECONDS = 30.0
THINGS = ["打雷", "吸尘器", "鞭炮", "电梯", "雨伞", "摩托车", "剪刀", "水管", "气球", "镜子"]
FOODS = ["牛肉", "鸭肉", "羊肉", "三文鱼", "虾", "鸡蛋", "牛奶", "玉米", "大豆", "小麦"]


@dataclass
class Nursery:
    """Where services are born; `folder` is the data folder they share, one after the other."""

    process: "subprocess.Popen[str]"
    folder: Path

    def start(self, blocked_in: str | None = None) -> "Service":
        """A new service process; it may not listen yet."""
        port = _free_port()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        wanted = {"folder": str(self.folder), "port": port, "blocked_in": blocked_in}
        self.process.stdin.write(json.dumps(wanted) + "\n")
        self.process.stdin.flush()
        return Service(int(self.process.stdout.readline()), port)


@dataclass
class Service:
    """One running `pawsignal serve`."""

    pid: int
    port: int

    def ready(self) -> "Service":
        """Wait until it answers."""
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            assert self.lives(), "the service ended while it started"
            try:
                if httpx.get(f"http://127.0.0.1:{self.port}/healthz").status_code == 200:
                    return self
            except httpx.TransportError:
                time.sleep(0.02)
        raise AssertionError("the service did not start in time")

    def lives(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def kill(self) -> None:
        """SIGKILL, and wait until the process is gone."""
        os.kill(self.pid, signal.SIGKILL)
        while self.lives():
            time.sleep(0.005)

    def client(self, headers: dict[str, str] | None = None) -> httpx.Client:
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}/v1", headers=headers, timeout=20)


@dataclass
class Phone:
    """One owner, and what the service has acknowledged to them."""

    headers: dict[str, str] = field(default_factory=dict)
    pet: str = ""
    said: int = 0
    answered: dict[str, tuple[str, Json]] = field(default_factory=dict)  # client_msg_id → text, answer
    unanswered: dict[str, str] = field(default_factory=dict)  # client_msg_id → text

    def sign_in(self, service: Service, name: str) -> None:
        self.agree(service, name)
        with service.client(self.headers) as client:
            self.pet = client.post("/pets", json={"name": "豆豆", "species": "dog"}).json()["id"]

    def agree(self, service: Service, name: str) -> None:
        """Sign in, and let the service remember."""
        with service.client() as client:
            token = client.post("/auth/wechat", json={"code": f"dev:{name}"}).json()["access_token"]
            self.headers = {"Authorization": f"Bearer {token}"}
            client.headers.update(self.headers)
            consent = {"purpose": "long_term_memory", "version": POLICIES["long_term_memory"].version, "granted": True}
            client.put("/me/consents", json=consent).raise_for_status()

    def say(self, client: httpx.Client, client_msg_id: str, text: str) -> Json:
        """Send one message; it counts as answered only when the whole answer has come."""
        self.unanswered[client_msg_id] = text
        answer = client.post("/chat/turns", json={"text": text, "client_msg_id": client_msg_id})
        answer.raise_for_status()
        told: Json = answer.json()
        self.answered[client_msg_id] = (self.unanswered.pop(client_msg_id), told)
        return told

    def chatter(self, service: Service) -> None:
        """Say one thing after the other until the service is gone."""
        with service.client(self.headers) as client:
            while True:
                number, self.said = self.said, self.said + 1
                things = FOODS if number % 2 else THINGS
                thing = things[number // 2 % len(things)]
                text = f"豆豆对{thing}过敏" if number % 2 else f"豆豆特别怕{thing}"
                try:
                    self.say(client, f"m-{number}", text)
                except httpx.TransportError:
                    return


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "PAWSIGNAL_ENV": "test",
        "PAWSIGNAL_DATA_DIR": str(folder),
        "PAWSIGNAL_EMBEDDER": "none",
        "PAWSIGNAL_REQUESTS_A_MINUTE": "1000000",
    }


@pytest.fixture(scope="module")
def loaded() -> Iterator["subprocess.Popen[str]"]:
    """The product, loaded once for all the services that are killed here."""
    with _program(Path("unused"), service_nursery.__file__) as process:
        yield process


@pytest.fixture
def nursery(loaded: "subprocess.Popen[str]", tmp_path: Path) -> Nursery:
    return Nursery(loaded, tmp_path / "data")


@contextmanager
def _program(folder: Path, *command: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, *command],
        env=_environment(folder),
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _rows(folder: Path, query: str, *values: str) -> list[sqlite3.Row]:
    """Read the database beside the service."""
    with closing(sqlite3.connect(folder / "pawsignal.db", timeout=10)) as connection:
        connection.row_factory = sqlite3.Row
        return connection.execute(query, values).fetchall()


def _check_what_was_acknowledged(folder: Path, service: Service, phone: Phone, newest: int = 10**9) -> None:
    """Every answer that came is stored as it came, with its memories and records."""
    with service.client(phone.headers) as client:
        for _, told in list(phone.answered.values())[-newest:]:
            assert client.get(f"/chat/turns/{told['turn_id']}").json() == told
            for record in told["records"]:
                assert client.get(f"/pets/{phone.pet}/{record['kind']}/{record['id']}").status_code == 200
    kept = {row["id"] for row in _rows(folder, "SELECT id FROM memory_items")}
    for text, told in phone.answered.values():
        assert told["status"] == "done"
        assert {memory["memory_id"] for memory in told["memories"] if memory["memory_id"]} <= kept, text


def _check_that_nothing_is_half_written(folder: Path) -> None:
    assert [row[0] for row in _rows(folder, "PRAGMA integrity_check")] == ["ok"]
    assert _rows(folder, "PRAGMA foreign_key_check") == []
    roles = Counter((row["turn_id"], row["role"]) for row in _rows(folder, "SELECT turn_id, role FROM messages"))
    assert set(roles.values()) <= {1}
    events: dict[str, list[tuple[int, str]]] = {}
    for row in _rows(folder, "SELECT turn_id, seq, event FROM turn_events ORDER BY turn_id, seq"):
        events.setdefault(row["turn_id"], []).append((row["seq"], row["event"]))
    for turn in _rows(folder, "SELECT id, status FROM turns"):
        told = events.get(turn["id"], [])
        assert [seq for seq, _ in told] == list(range(1, len(told) + 1))
        assert roles[turn["id"], "user"] == 1
        assert roles[turn["id"], "assistant"] == (turn["status"] == "done")
        assert [name for _, name in told].count("done") == (turn["status"] == "done")
        assert told[0][1] == "turn"
    orphans = "SELECT id FROM memory_items WHERE record_id IS NULL AND tier = 'core' AND attribute LIKE 'allergy:%'"
    assert _rows(folder, orphans) == []
    unfindable = "SELECT id FROM memory_items WHERE id NOT IN (SELECT doc_id FROM search_documents)"
    assert _rows(folder, unfindable) == []


def _check_that_nobody_waits(folder: Path, service: Service, phone: Phone) -> None:
    """The very next message is answered, and what was cut off is answered when it is sent again: once."""
    with service.client(phone.headers) as client:
        assert phone.say(client, f"next-{service.pid}-{service.port}", "你好")["status"] == "done"
        for client_msg_id, text in list(phone.unanswered.items()):
            told = phone.say(client, client_msg_id, text)
            assert told["status"] == "done"
            query = "SELECT text FROM messages WHERE turn_id = ? AND role = 'user'"
            assert [row["text"] for row in _rows(folder, query, told["turn_id"])] == [text]


@pytest.mark.timeout(300)
def test_nothing_acknowledged_is_lost_when_the_service_is_killed_at_any_moment(nursery: Nursery) -> None:
    chance, phone = random.Random(7), Phone()
    for _ in range(KILLS_WHILE_STARTING):
        service = nursery.start()
        time.sleep(chance.uniform(0.05, 0.5))
        service.kill()
    service = nursery.start().ready()
    phone.sign_in(service, "lin")
    for _ in range(RANDOM_KILLS):
        talking = threading.Thread(target=phone.chatter, args=(service,))
        talking.start()
        time.sleep(chance.uniform(0.01, 0.25))
        service.kill()
        talking.join()
        service = nursery.start().ready()
        _check_that_nothing_is_half_written(nursery.folder)
        _check_what_was_acknowledged(nursery.folder, service, phone, newest=12)
        _check_that_nobody_waits(nursery.folder, service, phone)
    _check_what_was_acknowledged(nursery.folder, service, phone)
    assert len(phone.answered) > 2 * RANDOM_KILLS
    service.kill()


@pytest.mark.parametrize("phase", service_nursery.BLOCKS)
def test_a_turn_killed_in_the_middle_is_taken_up_again(nursery: Nursery, phase: str) -> None:
    phone = Phone()
    service = nursery.start(blocked_in=phase).ready()
    phone.sign_in(service, "lin")
    phone.unanswered["m-1"] = "豆豆对鸡肉过敏"
    asking = threading.Thread(target=_ask_in_vain, args=(service, phone, "m-1"))
    asking.start()
    _wait_for_phase(nursery.folder, phase)
    service.kill()
    asking.join()

    _check_that_nothing_is_half_written(nursery.folder)
    learned = _rows(nursery.folder, "SELECT id FROM memory_items")
    assert len(learned) == (phase != "recall")
    service = nursery.start().ready()
    with service.client(phone.headers) as client:
        (turn,) = _rows(nursery.folder, "SELECT id FROM turns")
        interrupted = client.get(f"/chat/turns/{turn['id']}").json()
        assert (interrupted["status"], interrupted["code"]) == ("failed", "turn_interrupted")
        assert interrupted["retryable"] is True
    _check_that_nobody_waits(nursery.folder, service, phone)
    _, told = phone.answered["m-1"]
    assert (told["turn_id"], [memory["outcome"] for memory in told["memories"]]) == (turn["id"], ["added"])
    assert len(_rows(nursery.folder, "SELECT id FROM memory_items")) == 1
    assert len(_rows(nursery.folder, "SELECT id FROM allergies")) == 1
    _check_that_nothing_is_half_written(nursery.folder)
    service.kill()


def test_a_service_started_by_its_command_goes_on_after_a_kill(nursery: Nursery) -> None:
    phone = Phone()
    service = nursery.start().ready()
    phone.sign_in(service, "lin")
    with service.client(phone.headers) as client:
        phone.say(client, "m-1", "豆豆特别怕打雷")
    service.kill()

    port = _free_port()
    started = ("-c", "import sys; from app.cli import main; sys.exit(main())", "serve", "--port", str(port))
    with _program(nursery.folder, *started) as process:
        service = Service(process.pid, port).ready()
        _check_what_was_acknowledged(nursery.folder, service, phone)
        _check_that_nobody_waits(nursery.folder, service, phone)
        process.terminate()
        assert process.wait(30) in (0, -signal.SIGTERM)
    assert not list(nursery.folder.glob("*-wal"))


def _ask_in_vain(service: Service, phone: Phone, client_msg_id: str) -> None:
    with service.client(phone.headers) as client:
        try:
            phone.say(client, client_msg_id, phone.unanswered[client_msg_id])
        except httpx.TransportError:
            return
        raise AssertionError("a blocked turn was answered")


def _wait_for_phase(folder: Path, phase: str) -> None:
    """Wait until what comes before the phase has been stored."""
    before = {
        "recall": "SELECT id FROM turns",
        "the first sentence": "SELECT id FROM memory_items",
        "the second sentence": "SELECT seq FROM turn_events WHERE event = 'delta'",
    }[phase]
    until = time.monotonic() + START_SECONDS
    while not _rows(folder, before):
        assert time.monotonic() < until, f"the turn never came to {phase}"
        time.sleep(0.02)


def test_an_account_that_was_being_closed_stays_closed_after_a_kill(nursery: Nursery) -> None:
    chance = random.Random(11)
    for number in range(KILLS_OF_ACTS):
        phone = Phone()
        service = nursery.start().ready()
        phone.sign_in(service, f"leaving-{number}")
        with service.client(phone.headers) as client:
            for food in FOODS[:3]:
                phone.say(client, f"m-{food}", f"豆豆对{food}过敏")
            receipt = client.delete("/me").json()["receipt"]
        time.sleep(chance.uniform(0, 0.1))
        service.kill()

        service = nursery.start().ready()
        with service.client(phone.headers) as client:
            assert client.get("/me").status_code == 401
            assert client.get(f"/erasures/{receipt}").json()["status"] in {"running", "done"}
        service.kill()
        assert (
            _rows(
                nursery.folder, "SELECT id FROM memory_items UNION SELECT id FROM messages UNION SELECT id FROM owners"
            )
            == []
        )
        assert _rows(nursery.folder, "PRAGMA foreign_key_check") == []


def test_an_import_that_is_killed_is_whole_or_absent_and_can_be_sent_again(nursery: Nursery) -> None:
    chance, source = random.Random(13), Phone()
    service = nursery.start().ready()
    source.sign_in(service, "source")
    with service.client(source.headers) as client:
        for food in FOODS:
            source.say(client, f"m-{food}", f"豆豆对{food}过敏")
        packed = client.get("/me/export").content
    for number in range(KILLS_OF_ACTS):
        phone = Phone()
        phone.agree(service, f"taker-{number}")
        sending = threading.Thread(target=_import_in_vain, args=(service, phone, packed))
        sending.start()
        time.sleep(chance.uniform(0, 0.3))
        service.kill()
        sending.join()
        assert _rows(nursery.folder, "PRAGMA foreign_key_check") == []

        service = nursery.start().ready()
        with service.client(phone.headers) as client:
            assert len(client.get("/memories").json()["items"]) in {0, len(FOODS)}
            answer = _import(client, packed)
            assert answer.status_code == 200, answer.text
            assert len(client.get("/memories").json()["items"]) == len(FOODS)
    service.kill()


def _import(client: httpx.Client, packed: bytes) -> httpx.Response:
    return client.post("/me/import", files={"file": ("export.zip", packed, "application/zip")})


def _import_in_vain(service: Service, phone: Phone, packed: bytes) -> None:
    with service.client(phone.headers) as client, suppress(httpx.TransportError):
        _import(client, packed)
