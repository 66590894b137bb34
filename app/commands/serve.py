"""`serve` and `worker`: the service with its background work, or the background work alone."""

import argparse
import asyncio
import signal

import uvicorn

from app.container import Container, open_container
from app.data_folder import hold
from app.logging import configure_logging
from app.main import create_app
from app.scheduler import stop as stop_jobs
from app.settings import Settings


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
    given = {name: getattr(arguments, name) for name in ("host", "port") if getattr(arguments, name, None)}
    return Settings(**given)


def _run_server(settings: Settings) -> int:
    configure_logging(settings.log_level)
    print(f"PawSignal listens on http://{settings.host}:{settings.port}")
    if settings.env != "production":
        print(f"  try it:   http://{settings.host}:{settings.port}/try")
        print(f"  the API:  http://{settings.host}:{settings.port}/docs")
    uvicorn.run(
        create_app(settings), host=settings.host, port=settings.port, log_config=None, timeout_graceful_shutdown=20
    )
    return 0


async def _work(settings: Settings) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with open_container(settings) as container:
        await _until(stop, container)


async def _until(stop: asyncio.Event, container: Container) -> None:
    scheduler = container.scheduler()
    scheduler.start()
    try:
        await stop.wait()
    finally:
        await stop_jobs(scheduler)
