"""Pushes through a WeChat that fails in every way: what is doubled, lost, and how often a token is fetched.

    python -m bench.wechat_sends [--owners 10000] [--share 0.05]

Each owner has one due prompt and one grant; `share` of the calls fails in each of eighteen ways. A fake WeChat is
spoken to over real HTTP.
"""

import argparse
import asyncio
import logging
import tempfile
import time
from pathlib import Path

from app.database import open_database
from app.logging import configure_logging
from tests.fakes.wechat.server import fake_wechat
from tests.fakes.wechat.world import TEMPLATE_IDS, World
from tests.wechat_rush import KINDS, Outcome, Rush


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--owners", type=int, default=10_000)
    parser.add_argument("--share", type=float, default=0.05)
    arguments = parser.parse_args()
    configure_logging("ERROR")
    logging.disable(logging.CRITICAL)  # the faults are meant
    begun = time.perf_counter()
    outcome = asyncio.run(_run(arguments.owners, arguments.share))
    print(f"{arguments.owners} owners, {arguments.share:.0%} faults of each of {len(KINDS)} kinds")
    print(f"  {outcome.sends} calls, {outcome.token_fetches} token fetches, {time.perf_counter() - begun:.0f} s")
    print(f"  {outcome.arrived} people got a message, {outcome.doubled} of them more than one")
    print(f"  the inbox has {outcome.deliveries.total()} prompts: {dict(outcome.deliveries.most_common())}")


async def _run(owners: int, share: float) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(f"sqlite+aiosqlite:///{Path(folder) / 'bench.db'}")
        await database.migrate()
        world = World()
        for key, template_id in TEMPLATE_IDS.items():
            world.template("thing1", "thing2", "time3", title=key, template_id=template_id)
        async with fake_wechat(world) as fake:
            outcome = await Rush(database, fake).run(owners, share)
        await database.close()
        return outcome


if __name__ == "__main__":
    main()
