"""`wechat doctor`: what is wrong with the configuration of WeChat."""

import argparse
import asyncio
import time

from app.settings import Settings
from app.wechat_doctor import Finding, examine

MARKS = {True: "ok   ", False: "WRONG", None: "?    "}


def doctor(_arguments: argparse.Namespace) -> int:
    """Print one line a finding; exit code 1 when something is wrong."""
    findings = asyncio.run(_findings(Settings()))
    for finding in findings:
        print(f"{MARKS[finding.good]} {finding.what}{'' if finding.good else f': {finding.words}'}")
    wrong = sum(finding.good is False for finding in findings)
    print("Everything that can be seen from here is right." if not wrong else f"{wrong} to put right.")
    return 1 if wrong else 0


async def _findings(settings: Settings) -> list[Finding]:
    return [finding async for finding in examine(settings, time.time())]
