"""`seed-demo`: the sample household, with its consents visibly granted."""

import argparse
import asyncio
from datetime import UTC, datetime

from app.commands import CommandFailed
from app.container import open_container
from app.data_folder import hold
from app.demo.living import Lived, is_empty, live
from app.settings import Settings


def seed(arguments: argparse.Namespace) -> int:
    """Make the sample household; with `--if-empty` an existing one is left as it is."""
    settings = Settings()
    if settings.env == "production":
        raise CommandFailed("the sample household is for dev and test; PAWSIGNAL_ENV is production")
    now = arguments.now or datetime.now(UTC)
    if settings.embedded:
        with hold(settings.data_dir, "seed-demo"):
            lived = asyncio.run(_seed(settings, now))
    else:
        lived = asyncio.run(_seed(settings, now))
    if lived is None and not arguments.if_empty:
        raise CommandFailed("the sample household exists already; remove the data folder to make it again")
    if lived is not None:
        print(
            f"Sample household: {lived.pets} pets, {lived.records} records filled in, {lived.turns} messages lived. "
            "Consent to long-term memory is granted for it. Sign in with the code dev:demo."
        )
    return 0


async def _seed(settings: Settings, now: datetime) -> Lived | None:
    async with open_container(settings) as container:
        return await live(container, now) if await is_empty(container) else None
