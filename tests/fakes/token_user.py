"""A process that uses WeChat's access token: `python -m tests.fakes.token_user DATABASE FAKE OPENID CALLS`.

It waits for a line on stdin, makes its calls at once, and prints how many succeeded.
"""

import asyncio
import sys
from datetime import UTC, datetime

from app.adapters.wechat_http import WeChatHttp
from app.adapters.wechat_wire import WeChatWire
from app.database import open_database
from app.secret_keys import SecretKeys
from tests.fakes.wechat.world import APPID, SECRET

KEYS = SecretKeys(b"a secret of two processes, long enough")


async def main(database_url: str, fake: str, openid: str, calls: int) -> int:
    """How many texts were judged."""
    database, wire = open_database(database_url), WeChatWire(fake)
    wechat = WeChatHttp(APPID, SECRET, wire, database, KEYS, lambda: datetime.now(UTC))
    print("ready", flush=True)  # noqa: T201  # the parent waits for it
    await asyncio.to_thread(sys.stdin.readline)
    answers = await asyncio.gather(*(wechat.check_text(openid, "你好") for _ in range(calls)), return_exceptions=True)
    await wire.close()
    await database.close()
    return sum(not isinstance(answer, BaseException) for answer in answers)


if __name__ == "__main__":
    address, fake_address, person, count = sys.argv[1:]
    print(asyncio.run(main(address, fake_address, person, int(count))), flush=True)  # noqa: T201  # the answer
