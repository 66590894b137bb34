"""How long an import keeps everybody else waiting: the longest wait for the writer, and another owner's turns.

    python -m bench.imports [--lines 5000] [--years 3]

A folder of so many lines, half of them statements and half plain remarks, is imported over HTTP into a fresh household
on SQLite while another owner chats and a probe asks for the writer every 20 ms; then an export of so many years' talk
is brought back into another one. The longest wait of the probe is the longest hold of the writer.
"""

import argparse
import asyncio
import io
import json
import statistics
import tempfile
import time
import zipfile
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from fastapi import FastAPI

from app.logging import configure_logging
from app.main import create_app
from app.settings import Settings

EVERY = 0.02  # seconds between two looks of the probe
SAID = (
    "豆豆第{}次散步遇见了邻居家的柯基",
    "豆豆不爱吃第{}号口味的罐头",
    "豆豆喜欢第{}个绳结玩具",
    "第{}次洗澡之后要先擦耳朵",
)
MESSAGES_A_DAY = 3


def folder_of(lines: int) -> bytes:
    """A folder edited by hand, zipped."""
    said = "\n".join(f"- {SAID[number % len(SAID)].format(number)}" for number in range(lines))
    return zipped("MEMORY.md", f"# 记忆\n\n## 豆豆\n\n### 行为性格\n\n{said}\n")


def zipped(name: str, text: str) -> bytes:
    """One file in a zip."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return made.getvalue()


class Phone:
    """One signed-in owner."""

    def __init__(self, app: FastAPI, name: str) -> None:
        self.name = name
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app), base_url="http://bench/v1", timeout=600.0
        )

    async def sign_in(self) -> "Phone":
        """With consent, and a dog."""
        answer = await self.client.post("/auth/wechat", json={"code": f"dev:{self.name}"})
        self.client.headers["authorization"] = f"Bearer {answer.json()['access_token']}"
        policies = (await self.client.get("/policies")).json()["items"]
        version = next(one["version"] for one in policies if one["purpose"] == "long_term_memory")
        consent = {"purpose": "long_term_memory", "version": version, "granted": True}
        await self.client.put("/me/consents", json=consent)
        await self.client.post("/pets", json={"name": "豆豆", "species": "dog"})
        return self

    async def bring(self, packed: bytes) -> dict[str, Any]:
        """The report of an import."""
        file = {"file": ("folder.zip", packed, "application/zip")}
        answer = await self.client.post("/me/import", files=file)
        answer.raise_for_status()
        report: dict[str, Any] = answer.json()
        return report

    async def chat(self, waits: list[float], over: asyncio.Event) -> None:
        """A new statement after the other, each timed."""
        while not over.is_set():
            started = time.perf_counter()
            text = f"豆豆今天喝了{len(waits)}口水"
            await self.client.post("/chat/turns", json={"text": text, "client_msg_id": uuid4().hex})
            waits.append(time.perf_counter() - started)
            await asyncio.sleep(0.1)


async def probe(app: FastAPI, waits: list[float], over: asyncio.Event) -> None:
    """Ask for the writer again and again."""
    transactions = app.state.container.transactions
    while not over.is_set():
        started = time.perf_counter()
        async with transactions.quick_write():
            waits.append(time.perf_counter() - started)
        await asyncio.sleep(EVERY)


async def beside(app: FastAPI, other: Phone, work: Awaitable[dict[str, Any]], label: str) -> dict[str, Any]:
    """The work's answer; prints how long it kept others."""
    over, holds, turns = asyncio.Event(), [], []
    watching = [asyncio.create_task(probe(app, holds, over)), asyncio.create_task(other.chat(turns, over))]
    await asyncio.sleep(0.3)
    started = time.perf_counter()
    report = await work
    took = time.perf_counter() - started
    over.set()
    await asyncio.gather(*watching)
    print(
        f"{label}: {took:.1f} s in all, longest wait for the writer {max(holds) * 1000:.0f} ms, "
        f"another owner's turns: median {statistics.median(turns) * 1000:.0f} ms, longest {max(turns) * 1000:.0f} ms"
    )
    return report


def grown(export: dict[str, Any], years: int) -> dict[str, Any]:
    """The same export with so many years of talk before it."""
    begun = datetime(2020, 1, 1, tzinfo=UTC)
    talk, said = export["conversations"][0], export["messages"][0]
    for day in range(365 * years):
        at = (begun + timedelta(days=day)).isoformat().replace("+00:00", "Z")
        conversation = f"0197f0a3-11d1-7d90-a1c4-{day:012x}"
        export["conversations"].append({**talk, "id": conversation, "started_at": at, "last_at": at})
        for number in range(MESSAGES_A_DAY):
            own = {"id": f"0197f0a3-11d1-7d91-a1c4-{day * 8 + number:012x}", "conversation_id": conversation}
            text = f"豆豆第{day}天的第{number}件事：散步时遇见邻居家的柯基，回来喝了好多水"
            export["messages"].append({**said, **own, "turn_id": None, "said_at": at, "text": text})
    return export


async def main() -> None:
    """Both imports, one after the other."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--lines", type=int, default=5000)
    given.add_argument("--years", type=int, default=3)
    asked = given.parse_args()
    configure_logging("ERROR")
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            env="test", data_dir=Path(folder), embedder="none", requests_a_minute=1_000_000, _env_file=None
        )
        app = create_app(settings)
        async with app.router.lifespan_context(app):
            other, owner, third = [await Phone(app, name).sign_in() for name in ("other", "owner", "third")]
            report = await beside(app, other, owner.bring(folder_of(asked.lines)), f"a folder of {asked.lines} lines")
            print({name: report[name] for name in ("added", "merged", "candidate", "refused")})
            packed = (await owner.client.get("/me/export")).content
            with zipfile.ZipFile(io.BytesIO(packed)) as archive:
                export = json.loads(archive.read("export.json"))
            said = {"text": "豆豆喜欢晒太阳", "client_msg_id": "first"}
            await third.client.post("/chat/turns", json=said)
            with zipfile.ZipFile(io.BytesIO((await third.client.get("/me/export")).content)) as archive:
                seed = json.loads(archive.read("export.json"))
            export["conversations"], export["messages"] = seed["conversations"], seed["messages"]
            large = zipped("export.json", json.dumps(grown(export, asked.years)))
            fresh = await Phone(app, "fresh").sign_in()
            await fresh.client.put(
                f"/pets/{(await fresh.client.get('/pets')).json()['items'][0]['id']}", json={"name": "可乐"}
            )
            report = await beside(app, other, fresh.bring(large), f"an export of {asked.years} years")
            print({name: report[name] for name in ("added", "merged", "refused", "restored")})


if __name__ == "__main__":
    asyncio.run(main())
