"""Streamed turns beside a trivial app that streams the same tokens, over real sockets (target T11).

    python -m bench.streams [--seconds 8] [--rounds 3] [--paced 200]

Two servers run in processes of their own under uvicorn, the load comes from raw sockets. The trivial one answers 60
tokens as `data:` lines; ours answers the same 60 tokens as six sentences of a stub assistant through the whole turn
(accepted, stored, recalled by a stub embedder, reviewed sentence by sentence, events stored, streamed). `fast` gives
tokens as fast as it goes at 50 streams and counts turns a second (at least 0.10 of the trivial app's); `paced` waits
20 ms a token at 200 streams and compares the median whole turn (at most 1.05 times the trivial app's). Rounds are
interleaved, medians count.
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
from dataclasses import dataclass
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


class PacedAssistant:
    """Six sentences of ten tokens, as fast as they are taken or one each ten `PACE_S`; the owner's text says which."""

    mode = "model"

    async def answer(self, context: Any) -> AsyncIterator[Any]:
        from domain.assistant import AnswerSentence

        pause = PACE_S * TOKENS / len(SENTENCES) if "慢" in context.text else 0.0
        for sentence in SENTENCES:
            await asyncio.sleep(pause)
            yield AnswerSentence(f"{sentence}。")


def trivial_app() -> FastAPI:
    """What any framework can do at best."""
    app = FastAPI()

    @app.post("/v1/chat/turns")
    async def chat(body: dict[str, Any]) -> StreamingResponse:
        pause = PACE_S if "慢" in body["text"] else 0.0

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


@asynccontextmanager
async def served(kind: str, folder: str) -> AsyncIterator[int]:
    """The port of one of the two servers, in a process of its own."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "bench.streams", "--serve", kind, "--folder", folder, "--port", str(port)]
    process = subprocess.Popen(command, env=dict(os.environ))  # noqa: ASYNC220  # our own module
    try:
        await _listening(port)
        yield port
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


async def fast(port: int, tokens: list[str], seconds: float, mark: str) -> float:
    """Turns a second at 50 streams."""
    end, done = time.perf_counter() + seconds, 0

    async def lane(place: int) -> None:
        nonlocal done
        phone, turn = Phone(port, tokens[place % len(tokens)]), 0
        while time.perf_counter() < end:
            await phone.stream("豆豆最近怎么样", f"{mark}-{place}-{turn}")
            done, turn = done + 1, turn + 1
        phone.close()

    started = time.perf_counter()
    await asyncio.gather(*(lane(place) for place in range(AT_A_TIME)))
    return done / (time.perf_counter() - started)


async def paced(port: int, tokens: list[str], streams: int, mark: str) -> float:
    """Median seconds of a whole turn with `streams` of them at once, begun over one turn's length."""
    spread = TOKENS * PACE_S / streams

    async def lane(place: int) -> list[float]:
        await asyncio.sleep(place * spread)
        phone = Phone(port, tokens[place % len(tokens)])
        times = [await phone.stream("豆豆慢慢说", f"{mark}-{place}-{turn}") for turn in range(3)]
        phone.close()
        return times

    times = await asyncio.gather(*(lane(place) for place in range(streams)))
    return statistics.median(time for lane_times in times for time in lane_times)


async def measure(seconds: float, rounds: int, streams: int) -> None:
    """Both servers up, rounds in turn."""
    found: dict[str, list[float]] = {"fast": [], "paced": []}
    with tempfile.TemporaryDirectory() as folder:
        async with served("trivial", folder) as trivial, served("ours", folder) as ours:
            servers = {"trivial": (trivial, [""]), "ours": (ours, await sign_in(f"http://127.0.0.1:{ours}", streams))}
            for number in range(rounds):
                rates = {name: await fast(*server, seconds, f"f{number}") for name, server in servers.items()}
                turns = {name: await paced(*server, streams, f"p{number}") for name, server in servers.items()}
                found["fast"].append(rates["ours"] / rates["trivial"])
                found["paced"].append(turns["ours"] / turns["trivial"])
                row = {"turns_per_s": _rounded(rates, 1), "paced_turn_s": _rounded(turns, 3)}
                print(json.dumps({"round": number, **row}), flush=True)
    told = {name: round(statistics.median(values), 3) for name, values in found.items()}
    print(json.dumps({"bench": "streams", "median_ratio": told, "targets": {"fast": 0.10, "paced": 1.05}}), flush=True)


def _rounded(values: dict[str, float], digits: int) -> dict[str, float]:
    return {name: round(value, digits) for name, value in values.items()}


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
