"""A storm of message pushes on one process: how fast each is answered, and that each event is worked off once.

    python -m bench.wechat_callback [--rate 200] [--seconds 10]

A real service in a process of its own (SQLite, safe mode) gets popup events of many people over real HTTP, one in ten
of them twice. Each must be answered `success`; afterwards every grant counts once. The CPU time of the service stands
beside the latency: on a machine that others use too, latency alone does not tell a slow service from a busy machine.
"""

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import text

from app.database import open_database
from app.secret_keys import SecretKeys
from domain.owners import sign_in_owner
from tests.fakes.wechat.events import Form, written
from tests.fakes.wechat.push import KEY, TOKEN, Emitter
from tests.fakes.wechat.world import APPID, SECRET, TEMPLATE_IDS, World

PEOPLE = 200
AT_ONCE = 64  # open pushes; the time of one is counted from its sending
REPEATED = 10  # every tenth event comes twice
OUR_SECRET = "a secret of this bench, long enough"  # noqa: S105  # of nothing
START = "import sys; from app.cli import main; sys.exit(main())"
REMINDER = TEMPLATE_IDS["reminder"]


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=10)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_people(Path(folder)))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        service = subprocess.Popen([sys.executable, "-c", START, "serve", "--port", str(port)], env=_env(folder))
        try:
            asyncio.run(_storm(service.pid, port, Path(folder), arguments.rate, arguments.seconds))
        finally:
            service.terminate()
            service.wait(30)


def _env(folder: str) -> dict[str, str]:
    return {
        **os.environ,
        "PAWSIGNAL_DATA_DIR": folder,
        "PAWSIGNAL_SECRET_KEY": OUR_SECRET,
        "PAWSIGNAL_EMBEDDER": "none",
        "PAWSIGNAL_LOG_LEVEL": "ERROR",
        "WECHAT_APPID": APPID,
        "WECHAT_SECRET": SECRET,
        "WECHAT_API_BASE": "http://127.0.0.1:9",
        "WECHAT_TOKEN": TOKEN,
        "WECHAT_ENCODING_AES_KEY": KEY,
    }


def _openid(number: int) -> str:
    return f"o{number:027d}"


async def _people(folder: Path) -> None:
    database, keys = open_database(f"sqlite+aiosqlite:///{folder / 'pawsignal.db'}"), SecretKeys(OUR_SECRET.encode())
    await database.migrate()
    async with database.write() as session:
        for number in range(PEOPLE):
            at = datetime.now(UTC) - timedelta(days=1)
            await sign_in_owner(session, APPID, keys.seal_identity(_openid(number)), None, at)
    await database.close()


async def _storm(process: int, port: int, folder: Path, rate: int, seconds: int) -> None:
    limits = httpx.Limits(max_connections=100)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", limits=limits) as client:
        await _up(client)
        emitter = Emitter(World(now=time.time()), client)
        gate = asyncio.Semaphore(AT_ONCE)
        before, ours = _cpu_ms(process), time.process_time()
        sent = [asyncio.create_task(_later(number / rate, emitter, number, gate)) for number in range(rate * seconds)]
        answers = [one for group in await asyncio.gather(*sent) for one in group]
        spent, ours = _cpu_ms(process) - before, (time.process_time() - ours) * 1000
    slow = sorted(took for took, _ in answers)
    wrong = sum(not taken for _, taken in answers)
    print(f"{len(answers)} pushes at {rate}/s, {rate * seconds} different events: {wrong} not answered `success`")
    print(f"  p50 {slow[len(slow) // 2]:.0f} ms, p99 {slow[int(len(slow) * 0.99)]:.0f} ms, slowest {slow[-1]:.0f} ms")
    print(f"  CPU a push: service {spent / len(answers):.2f} ms with its jobs, bench {ours / len(answers):.2f} ms")
    await _worked_off(folder, rate * seconds)
    print(f"  CPU an event, all told: {(_cpu_ms(process) - before) / (rate * seconds):.2f} ms")


def _cpu_ms(process: int) -> float:
    """CPU time that a process has used so far, of all its threads; Linux tells it in ticks."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


async def _up(client: httpx.AsyncClient) -> None:
    for _ in range(900):  # three minutes, on a busy machine
        try:
            if (await client.get("/healthz")).is_success:
                return
        except httpx.HTTPError:
            pass
        await asyncio.sleep(0.2)
    raise SystemExit("the service did not start")


async def _later(seconds: float, emitter: Emitter, number: int, gate: asyncio.Semaphore) -> list[tuple[float, bool]]:
    await asyncio.sleep(seconds)
    item = {"TemplateId": REMINDER, "SubscribeStatusString": "accept", "PopupScene": 0}
    event = {"Event": "subscribe_msg_popup_event", "FromUserName": _openid(number % PEOPLE), "List": [item]}
    body = written(event, emitter.world.now + number, Form())
    async with gate:  # the pool of the client takes its time over a long queue
        return [await _one(emitter, body) for _ in range(2 if number % REPEATED == 0 else 1)]


async def _one(emitter: Emitter, body: bytes) -> tuple[float, bool]:
    begun = time.perf_counter()
    answer = await emitter.raw(body)
    return (time.perf_counter() - begun) * 1000, answer.text == "success"


async def _worked_off(folder: Path, events: int) -> None:
    database = open_database(f"sqlite+aiosqlite:///{folder / 'pawsignal.db'}")
    query = "SELECT (SELECT count(*) FROM wechat_events WHERE done_at IS NULL), (SELECT count(*) FROM wechat_events), "
    query += "(SELECT count(*) FROM subscription_answers), (SELECT sum(remaining) FROM subscription_grants)"
    row: Any = (events, 0, 0, 0)
    begun = time.perf_counter()
    while row[0] and time.perf_counter() - begun < 120:
        await asyncio.sleep(0.5)
        async with database.read() as session:
            row = (await (await session.connection()).execute(text(query))).one()
    await database.close()
    print(f"  {row[1]} events stored, {row[0]} left {time.perf_counter() - begun:.0f} s after the storm")
    print(f"  {row[2]} taps noted, {row[3]} grants counted")


if __name__ == "__main__":
    main()
