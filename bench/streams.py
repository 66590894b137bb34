"""Streamed turns beside a trivial app that streams the same tokens, over real sockets (target T11).

    python -m bench.streams [--seconds 8] [--rounds 3] [--paced 200]

Two servers run in processes of their own under uvicorn, the load comes from raw sockets. The trivial one answers 60
tokens as `data:` lines; ours answers the same 60 tokens as six sentences of a stub assistant through the whole turn
(accepted, stored, recalled by a stub embedder, reviewed sentence by sentence, events stored, streamed). `fast` gives
tokens as fast as it goes at 50 streams and counts turns a second (at least 0.10 of the trivial app's); `paced` waits
20 ms a token at 200 streams and compares the median whole turn (at most 1.05 times the trivial app's). Rounds are
interleaved, medians count. Beside each stands what a turn cost its server in CPU time, which hardly feels other work,
and for `paced` the share of one core that this is at the rate that was asked for: a server is one thread, so near 1 a
turn waits for the others whatever it does.
"""

import argparse
import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from uvicorn.loops.auto import auto_loop_factory

TOKENS = 60
SENTENCES = (
    *("先看看今天的精神吧", "吃喝要是都还正常呢", "就在家里再观察一天"),
    *("水碗记得换成新鲜的", "零食这两天先停一停", "明天还这样再来说说"),
)
AT_A_TIME = 50
PATIENCE_S = 60
PACE_S = 0.02  # between tokens, as a model gives them
FAST, PACED = "豆豆最近怎么样", "豆豆最近过得怎么样"  # two questions: what would be remembered would cost a write more


class PacedAssistant:
    """Six sentences of ten tokens, as fast as they are taken or one each ten `PACE_S`; the owner's text says which."""

    mode = "model"

    async def answer(self, context: Any) -> AsyncIterator[Any]:
        from domain.assistant import AnswerSentence

        pause = PACE_S * TOKENS / len(SENTENCES) if context.text == PACED else 0.0
        for sentence in SENTENCES:
            await asyncio.sleep(pause)
            yield AnswerSentence(f"{sentence}。")


def trivial_app() -> FastAPI:
    """What any framework can do at best."""
    app = FastAPI()

    @app.post("/v1/chat/turns")
    async def chat(body: dict[str, Any]) -> StreamingResponse:
        pause = PACE_S if body["text"] == PACED else 0.0

        async def tokens() -> AsyncIterator[str]:
            for number in range(TOKENS):
                yield f'event: delta\ndata: {{"text": "token {number}"}}\n\n'
                await asyncio.sleep(pause)
            yield "event: done\ndata: {}\n\n"

        return StreamingResponse(tokens(), media_type="text/event-stream")

    return app


async def our_app(folder: str, port: int) -> None:
    """The real service with a stub assistant and a stub embedder."""
    from app.adapters.edge_vector_index import EdgeVectorIndex
    from app.container import open_container
    from app.garbage import leave_out_what_stays
    from app.logging import configure_logging
    from app.main import create_app
    from app.settings import Settings
    from tests.fakes.slow_assistant import answer_with
    from tests.fakes.stub_embedder import StubEmbedder

    configure_logging("ERROR")
    settings = Settings(data_dir=Path(folder), port=port, embedder="none", requests_a_minute=1_000_000)
    async with open_container(settings) as container:
        container.embedder = StubEmbedder()
        container.vector_index = EdgeVectorIndex(Path(folder) / "stub", "stub", StubEmbedder.dimension)
        await container.vector_index.ensure()
        leave_out_what_stays()  # as a serving process does
        app = create_app(settings, lambda _settings: nullcontext(container))
        app.state.container = container
        answer_with(app, PacedAssistant())  # type: ignore[arg-type]  # answers as an assistant does
        await uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", access_log=False)).serve()


@dataclass
class Server:
    """One of the two servers, in a process of its own, and its phones' tokens."""

    port: int
    process: int
    tokens: list[str] = field(default_factory=lambda: [""])

    def cpu_s(self) -> float:
        """Seconds of CPU that the process has used, all threads."""
        user, system = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def served(kind: str, folder: str) -> AsyncIterator[Server]:
    """One of the two servers, while the block runs."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "bench.streams", "--serve", kind, "--folder", folder, "--port", str(port)]
    process = subprocess.Popen(command, env=dict(os.environ))  # noqa: ASYNC220  # our own module
    try:
        await _listening(port)
        yield Server(port, process.pid)
    finally:
        process.terminate()
        process.wait(timeout=20)


async def _listening(port: int) -> None:
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        except OSError:
            await asyncio.sleep(0.1)
    raise TimeoutError("the server did not start")


async def sign_in(address: str, owners: int) -> list[str]:
    """Tokens of so many owners, each with a dog, who let us remember."""
    from domain.owners import POLICIES

    tokens = []
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        for number in range(owners):
            signed_in = (await client.post("/v1/auth/wechat", json={"code": f"dev:stream{number}"})).json()
            tokens.append(signed_in["access_token"])
            headers = {"Authorization": f"Bearer {tokens[-1]}"}
            consent = {"purpose": "long_term_memory", "version": POLICIES["long_term_memory"].version, "granted": True}
            await client.put("/v1/me/consents", json=consent, headers=headers)
            await client.post("/v1/pets", json={"name": "豆豆", "species": "dog"}, headers=headers)
    return tokens


@dataclass
class Phone:
    """One raw connection that is kept open; httpx would be the slowest part of the bench."""

    port: int
    token: str
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None

    async def stream(self, text: str, number: str) -> float:
        """Seconds of one whole streamed turn. Raises when it does not end with `done`."""
        started = time.perf_counter()
        if self.reader is None or self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = json.dumps({"text": text, "client_msg_id": number}).encode()
        head = (
            f"POST /v1/chat/turns HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\n"
            f"Accept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        heard = b""
        while not heard.endswith(b"\r\n0\r\n\r\n"):
            chunk = await asyncio.wait_for(self.reader.read(65_536), PATIENCE_S)
            if not chunk:
                raise ConnectionError(f"cut after {heard[-200:]!r}")
            heard = (heard + chunk)[-8_000:]
        if b"event: done" not in heard:
            raise RuntimeError(f"a stream ended as {heard[-200:]!r}")
        return time.perf_counter() - started

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


@dataclass(frozen=True)
class Reading:
    """What was asked for (turns a second, or seconds of a median turn), and milliseconds of CPU a turn cost."""

    value: float
    cpu_ms: float


async def fast(server: Server, seconds: float, mark: str) -> Reading:
    """Turns a second at 50 streams."""
    end, done = time.perf_counter() + seconds, 0

    async def lane(place: int) -> None:
        nonlocal done
        phone, turn = Phone(server.port, server.tokens[place % len(server.tokens)]), 0
        while time.perf_counter() < end:
            await phone.stream(FAST, f"{mark}-{place}-{turn}")
            done, turn = done + 1, turn + 1
        phone.close()

    started, worked = time.perf_counter(), server.cpu_s()
    await asyncio.gather(*(lane(place) for place in range(AT_A_TIME)))
    return Reading(done / (time.perf_counter() - started), (server.cpu_s() - worked) / done * 1000)


async def paced(server: Server, streams: int, mark: str) -> Reading:
    """Median seconds of a whole turn with `streams` of them at once, begun over one turn's length."""
    spread = TOKENS * PACE_S / streams

    async def lane(place: int) -> list[float]:
        await asyncio.sleep(place * spread)
        phone = Phone(server.port, server.tokens[place % len(server.tokens)])
        times = [await phone.stream(PACED, f"{mark}-{place}-{turn}") for turn in range(3)]
        phone.close()
        return times

    worked = server.cpu_s()
    times = [time for lane_times in await asyncio.gather(*map(lane, range(streams))) for time in lane_times]
    return Reading(statistics.median(times), (server.cpu_s() - worked) / len(times) * 1000)


async def measure(seconds: float, rounds: int, streams: int) -> None:
    """Both servers up, rounds in turn."""
    found: dict[str, list[float]] = {"fast": [], "paced": []}
    with tempfile.TemporaryDirectory() as folder:
        async with served("trivial", folder) as trivial, served("ours", folder) as ours:
            ours.tokens = await sign_in(f"http://127.0.0.1:{ours.port}", streams)
            servers = {"trivial": trivial, "ours": ours}
            for number in range(rounds):
                rates = {name: await fast(server, seconds, f"f{number}") for name, server in servers.items()}
                turns = {name: await paced(server, streams, f"p{number}") for name, server in servers.items()}
                found["fast"].append(rates["ours"].value / rates["trivial"].value)
                found["paced"].append(turns["ours"].value / turns["trivial"].value)
                print(json.dumps({"round": number, **_row(rates, turns, streams)}), flush=True)
    told = {name: round(statistics.median(values), 3) for name, values in found.items()}
    print(json.dumps({"bench": "streams", "median_ratio": told, "targets": {"fast": 0.10, "paced": 1.05}}), flush=True)


def _row(rates: dict[str, Reading], turns: dict[str, Reading], streams: int) -> dict[str, Any]:
    asked_a_ms = streams / (TOKENS * PACE_S * 1000)  # turns a millisecond that the paced phones ask for
    return {
        "turns_per_s": {name: round(one.value, 1) for name, one in rates.items()},
        "fast_cpu_ms": {name: round(one.cpu_ms, 2) for name, one in rates.items()},
        "paced_turn_s": {name: round(one.value, 3) for name, one in turns.items()},
        "paced_cpu_ms": {name: round(one.cpu_ms, 2) for name, one in turns.items()},
        "paced_core_share": {name: round(one.cpu_ms * asked_a_ms, 2) for name, one in turns.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--paced", type=int, default=200)
    parser.add_argument("--serve", choices=["trivial", "ours"])
    parser.add_argument("--folder")
    parser.add_argument("--port", type=int)
    given = parser.parse_args()
    if given.serve == "trivial":
        uvicorn.run(trivial_app(), port=given.port, log_level="error", access_log=False)
    elif given.serve == "ours":
        with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:  # as `pawsignal serve` and uvicorn.run do
            runner.run(our_app(given.folder, given.port))
    else:
        asyncio.run(measure(given.seconds, given.rounds, given.paced))


if __name__ == "__main__":
    main()
