"""`serve` and `worker`: the service with its background work, or the background work alone."""

import argparse
import asyncio
import signal
import socket
from collections.abc import Generator
from contextlib import contextmanager, nullcontext

import uvicorn
from uvicorn.loops.auto import auto_loop_factory

from app.commands import CommandFailed
from app.container import Container, open_container
from app.data_folder import hold
from app.garbage import leave_out_what_stays
from app.logging import configure_logging
from app.main import create_app
from app.scheduler import stop as stop_jobs
from app.settings import Settings

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
GRACE_SECONDS = 20  # for open requests when the service is told to stop


def serve(arguments: argparse.Namespace) -> int:
    """Run the HTTP service until it is told to stop."""
    settings = _settings(arguments)
    if settings.embedded:
        with hold(settings.data_dir, "serve"):
            return _run_server(settings)
    return _run_server(settings)


def worker(arguments: argparse.Namespace) -> int:
    """Run the background work alone, beside any number of services that share the database."""
    settings = _settings(arguments)
    if settings.embedded:
        with hold(settings.data_dir, "worker"):
            asyncio.run(_work(settings))
    else:
        asyncio.run(_work(settings))
    return 0


def _settings(arguments: argparse.Namespace) -> Settings:
    given = {name: value for name in ("host", "port") if (value := getattr(arguments, name, None)) is not None}
    return Settings(**given)


def _run_server(settings: Settings) -> int:
    """Whatever hinders the start is raised here, before anything is promised."""
    configure_logging(settings.log_level)
    with _listen(settings.host, settings.port) as listening, asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        runner.run(_serve(settings, listening))
    return 0


def _listen(host: str, port: int) -> socket.socket:
    """Raises CommandFailed when the address cannot be had."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise CommandFailed(
            f"{host} port {port} cannot be listened on ({str(error.strerror).partition(' (')[0]}). "
            "Choose another with --host and --port, or PAWSIGNAL_HOST and PAWSIGNAL_PORT."
        ) from error


async def _serve(settings: Settings, listening: socket.socket) -> None:
    async with open_container(settings) as container:
        leave_out_what_stays()
        app = create_app(settings, lambda _settings: nullcontext(container))
        server = _Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=GRACE_SECONDS))
        _greet(settings, listening.getsockname()[1])
        await server.serve([listening])
    if not server.started:
        raise CommandFailed("the service could not start; the log above says why")


def _greet(settings: Settings, port: int) -> None:
    print(f"PawSignal listens on http://{settings.host}:{port}")
    if settings.env != "production":
        print(f"  try it:   http://{settings.host}:{port}/try")
        print(f"  the API:  http://{settings.host}:{port}/docs", flush=True)


class _Server(uvicorn.Server):
    """Ends by returning. The stock one raises the signal again, which would end the process with its parts open."""

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Let SIGINT and SIGTERM stop the service gently."""
        loop = asyncio.get_running_loop()
        for number in STOP_SIGNALS:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in STOP_SIGNALS:
                loop.remove_signal_handler(number)


async def _work(settings: Settings) -> None:
    stop = asyncio.Event()
    for number in STOP_SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with open_container(settings) as container:
        leave_out_what_stays()
        await _until(stop, container)


async def _until(stop: asyncio.Event, container: Container) -> None:
    scheduler = container.scheduler()
    scheduler.start()
    try:
        await stop.wait()
    finally:
        await stop_jobs(scheduler)
