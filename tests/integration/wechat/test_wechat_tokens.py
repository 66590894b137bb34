"""The access token: one for all processes, fetched as seldom as possible, and never in a loop."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from app.adapters.wechat_http import WeChatHttp
from app.adapters.wechat_wire import WeChatWire
from app.database import Database, open_database
from app.secret_keys import SecretKeys
from domain.wechat import PushOutcome, SubscribeMessage, WeChatMisconfigured, WeChatPhoneCodeRefused, WeChatUnavailable
from memory.transactions import Transactions
from tests.conftest import DATABASES
from tests.fakes.wechat.server import FakeWeChat
from tests.fakes.wechat.world import APPID, SECRET

STABLE, PHONE = "/cgi-bin/stable_token", "/wxa/business/getuserphonenumber"
KEYS = SecretKeys(b"a secret of these tests, long enough")


class BrokenTransactions:
    """A database that is down."""

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Any]:
        raise OperationalError("", {}, Exception("down"))
        yield

    @asynccontextmanager
    async def write(self, *, short: bool = False) -> AsyncIterator[Any]:
        raise OperationalError("", {}, Exception("down"))
        yield


Process = Callable[..., WeChatHttp]


@pytest.fixture
async def process(database_url: str, fake: FakeWeChat) -> AsyncIterator[Process]:
    """`process()` is one more process: its own connections to the database, its own memory."""
    async with AsyncExitStack() as stack:

        def start(transactions: Transactions | None = None) -> WeChatHttp:
            if transactions is None:
                opened = open_database(database_url)
                stack.push_async_callback(opened.close)
                transactions = opened
            wire = WeChatWire(fake.address, seconds=2)
            stack.push_async_callback(wire.close)
            now = lambda: datetime.fromtimestamp(fake.world.now, UTC)  # noqa: E731  # the fake's clock
            return WeChatHttp(APPID, SECRET, wire, transactions, KEYS, now)

        yield start


async def use(fake: FakeWeChat, wechat: WeChatHttp) -> str:
    """A call that needs a token."""
    return await wechat.phone_number(fake.world.code("phone", fake.world.person().openid))


async def test_many_calls_of_two_processes_share_one_token(fake: FakeWeChat, process: Process) -> None:
    both = [process(), process()]
    await asyncio.gather(*(use(fake, wechat) for wechat in both * 10))
    assert fake.world.calls(STABLE) == 1


async def test_a_token_that_ends_is_renewed_once_and_nobody_notices(fake: FakeWeChat, process: Process) -> None:
    both = [process(), process()]
    await asyncio.gather(*(use(fake, wechat) for wechat in both))
    for seconds in (6950, 300, 7200):  # inside the last five minutes, after the end, and again
        fake.world.now += seconds
        await asyncio.gather(*(use(fake, wechat) for wechat in both * 5))
    assert fake.world.calls(STABLE) == 3
    assert not [one for one in fake.world.requests if one.path != STABLE and one.query["access_token"] == ""]


async def test_a_token_that_dies_early_is_replaced_once_for_all(fake: FakeWeChat, process: Process) -> None:
    both = [process(), process()]
    await asyncio.gather(*(use(fake, wechat) for wechat in both))
    fake.world.kill_tokens()
    await asyncio.gather(*(use(fake, wechat) for wechat in both * 10))
    assert fake.world.calls(STABLE) == 2


async def test_a_slow_processs_rejection_does_not_expire_the_new_token(fake: FakeWeChat, process: Process) -> None:
    slow, quick = process(), process()
    await use(fake, slow)
    await use(fake, quick)
    fake.world.kill_tokens()
    await use(fake, quick)
    await use(fake, slow)  # it still holds the dead one
    assert fake.world.calls(STABLE) == 2


async def test_a_token_that_is_always_rejected_is_tried_twice_and_fetched_seldom(
    fake: FakeWeChat, process: Process
) -> None:
    wechat = process()
    fake.inject(PHONE, "token_invalid_always")
    for _ in range(8):
        with pytest.raises(WeChatUnavailable):
            await use(fake, wechat)
    assert fake.world.calls(PHONE) == 16
    assert fake.world.calls(STABLE) <= 3  # the first, the one after the rejection, and a forced one
    assert sum(b'"force_refresh":true' in one.body for one in fake.world.requests) == 1


async def test_one_rejection_in_passing_costs_no_error(fake: FakeWeChat, process: Process) -> None:
    wechat = process()
    for _ in range(5):
        fake.inject(PHONE, "token_invalid_once")
        assert await use(fake, wechat)
    assert fake.world.calls(STABLE) <= 3


async def test_replicas_of_wechat_that_lag_are_lived_with(fake: FakeWeChat, process: Process) -> None:
    wechat = process()
    await use(fake, wechat)
    fake.world.kill_tokens()
    fake.inject(PHONE, "stale_replica")
    for _ in range(10):
        await use(fake, wechat)
    assert fake.world.calls(STABLE) == 2


async def test_fetches_are_bounded_while_the_database_is_down(fake: FakeWeChat, process: Process) -> None:
    wechat = process(BrokenTransactions())
    await asyncio.gather(*(use(fake, wechat) for _ in range(20)))
    assert fake.world.calls(STABLE) == 1
    fake.inject(PHONE, "token_invalid_always")
    for _ in range(10):
        with pytest.raises(WeChatUnavailable):
            await use(fake, wechat)
    assert fake.world.calls(STABLE) == 1
    fake.app.injections.clear()
    fake.world.now += 31
    fake.world.kill_tokens()
    assert await use(fake, wechat)
    assert fake.world.calls(STABLE) == 2


@pytest.mark.parametrize("kind", ["errcode:40125", "errcode:40164", "http_502", "errcode:45009"])
async def test_a_fetch_that_fails_is_not_repeated_at_once(fake: FakeWeChat, process: Process, kind: str) -> None:
    wechat = process()
    fake.inject(STABLE, kind, times=10)
    answers = await asyncio.gather(*(use(fake, wechat) for _ in range(10)), return_exceptions=True)
    assert all(isinstance(answer, Exception) for answer in answers)
    assert fake.world.calls(STABLE) <= 2
    fake.app.injections.clear()
    fake.world.now += 11
    assert await use(fake, wechat)


async def test_an_address_that_is_not_let_in_is_the_operators_business(fake: FakeWeChat, process: Process) -> None:
    fake.world.apps[APPID].whitelist = {"10.0.0.1"}
    with pytest.raises(WeChatMisconfigured):
        await use(fake, process())


async def test_what_is_left_of_a_token_bridges_an_outage(fake: FakeWeChat, process: Process) -> None:
    wechat = process()
    await use(fake, wechat)
    fake.world.now += 7000
    fake.inject(STABLE, "http_502", times=10)
    assert await use(fake, wechat)


async def test_the_token_is_sealed_in_the_database(fake: FakeWeChat, process: Process, database: Database) -> None:
    await use(fake, process())
    async with database.read() as session:
        row = (await (await session.connection()).execute(text("SELECT * FROM wechat_tokens"))).one()
    assert not [token for token in fake.world.tokens if token in str(row)]


async def test_no_fault_repeats_an_address_or_a_secret(fake: FakeWeChat, process: Process) -> None:
    wechat = process()
    fake.inject("/sns/jscode2session", "http_502")
    with pytest.raises(WeChatUnavailable) as told:
        await wechat.code2session("a-code")
    with pytest.raises(WeChatPhoneCodeRefused) as refused:
        await wechat.phone_number("another-code")
    for error in (told.value, refused.value):
        assert SECRET not in repr(error)
        assert error.__cause__ is None


@pytest.mark.parametrize(
    ("kind", "outcome", "errcode"),
    [
        ("slow:0", PushOutcome.SENT, 0),
        ("missing_errcode", PushOutcome.SENT, 0),
        ("errcode_as_string", PushOutcome.SENT, 0),
        ("errcode:43101", PushOutcome.REFUSED, 43101),
        ("errcode:43107", PushOutcome.BANNED, 43107),
        ("errcode:43108", PushOutcome.RETRY_LATER, 43108),
        ("errcode:45168", PushOutcome.WORDING, 45168),
        ("errcode:47003", PushOutcome.INVALID, 47003),
        ("errcode:40037", PushOutcome.INVALID, 40037),
        ("errcode:41030", PushOutcome.INVALID, 41030),
        ("system_busy", PushOutcome.RETRY_LATER, -1),
        ("http_502", PushOutcome.UNKNOWN, None),
        ("reset_mid_body", PushOutcome.UNKNOWN, None),
        ("timeout_before", PushOutcome.UNKNOWN, None),
        ("timeout_after_commit", PushOutcome.UNKNOWN, None),
        ("malformed_json", PushOutcome.UNKNOWN, None),
    ],
)
async def test_each_answer_to_a_send_has_its_consequence(
    fake: FakeWeChat, process: Process, kind: str, outcome: PushOutcome, errcode: int | None
) -> None:
    person, template = fake.world.person(), fake.world.template("thing1", "time2")
    fake.world.quota[(person.openid, template.id)] = 1
    fake.inject("/cgi-bin/message/subscribe/send", kind)
    fields = {"thing1": "豆豆的疫苗", "time2": "2026年3月1日 09:00"}
    result = await process().send_subscribe_message(SubscribeMessage(person.openid, template.id, "", fields))
    assert (result.outcome, result.errcode) == (outcome, errcode)
    assert fake.world.calls("/cgi-bin/message/subscribe/send") == 1
    assert result.msgid == (str(fake.world.sent[0].msgid) if outcome is PushOutcome.SENT else None)


async def test_what_cannot_leave_the_machine_is_surely_not_sent(process: Process, fake: FakeWeChat) -> None:
    wechat = process()
    await use(fake, wechat)
    wechat._wire = WeChatWire("http://127.0.0.1:9", seconds=1)  # nobody listens on the discard port
    result = await wechat.send_subscribe_message(SubscribeMessage("o", "t", "", {"thing1": "x"}))
    await wechat.close()
    assert result.outcome is PushOutcome.RETRY_LATER


@pytest.mark.parametrize("database_url", DATABASES[-1:], indirect=True)  # PostgreSQL where there is one
async def test_two_real_processes_share_one_token(database_url: str, fake: FakeWeChat) -> None:
    person = fake.world.person()
    fake.world.visit(person.openid)
    command = (sys.executable, "-m", "tests.fakes.token_user", database_url, fake.address, person.openid, "15")
    pipes: dict[str, int] = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
    both = await asyncio.gather(*(asyncio.create_subprocess_exec(*command, **pipes) for _ in range(2)))
    for one in both:
        assert one.stdout is not None
        assert await one.stdout.readline() == b"ready\n"
    told = await asyncio.gather(*(one.communicate(b"go\n") for one in both))
    assert [out for out, _ in told] == [b"15\n", b"15\n"]
    assert fake.world.calls(STABLE) == 1
