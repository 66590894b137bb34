"""A rush of pushes through a WeChat that fails in every way it knows, and what must be true afterwards."""

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from sqlmodel import select

from app.adapters.wechat_http import WeChatHttp
from app.adapters.wechat_wire import WeChatWire
from app.database import Database
from app.secret_keys import SecretKeys
from app.wechat_templates import templates_of
from domain.inbox import InboxMessage, notify
from domain.owners import POLICIES, set_consent, sign_in_owner
from domain.subscriptions import GrantAnswer, GrantSource
from domain.tap_ledger import Tap, note_tap
from domain.wechat_events import claim_events, event_row, store_events
from domain.wechat_messages import PushedMessage
from jobs.push_inbox import PushParts, push_inbox
from jobs.tap_events import EventParts
from jobs.wechat_events import work_off_events
from memory.prepared import quick_of
from tests.fakes.wechat.server import FakeWeChat
from tests.fakes.wechat.world import APPID, SECRET, TEMPLATE_IDS

SEND = "/cgi-bin/message/subscribe/send"
REMINDER = TEMPLATE_IDS["reminder"]
KINDS = (
    "system_busy",
    "errcode:43108",
    "errcode:43101",
    "errcode:45168",
    "errcode:47003",
    "errcode:45009",
    "token_invalid_once",
    "http_502",
    "http_200_html",
    "timeout_before",
    "timeout_after_commit",
    "reset_mid_body",
    "malformed_json",
    "empty_body",
    "missing_errcode",
    "errcode_as_string",
    "text_plain",
    "bom",
)
ANSWER_SECONDS = 0.25  # how long the client waits here
ROUNDS = 6  # of the job, with the pauses of second tries between them
DAY = timedelta(days=1)


@dataclass
class Rush:
    """The parts of one run. The clock is the fake's."""

    database: Database
    fake: FakeWeChat
    keys: SecretKeys = field(default_factory=lambda: SecretKeys(b"a secret of this rush, long enough"))

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.fake.world.now, UTC)

    async def run(self, owners: int, share: float) -> "Outcome":
        """Push one prompt to each of so many owners; `share` of the calls fails in each of `KINDS`."""
        self.fake.world.now = self.now().replace(hour=2, minute=0).timestamp()  # 10:00 in Shanghai
        for start in range(0, owners, 500):
            await self._people(range(start, min(owners, start + 500)))
        for kind in KINDS:
            self.fake.inject(SEND, kind, times=float("inf"), share=share)
        wire = WeChatWire(self.fake.address, seconds=ANSWER_SECONDS)
        wechat = WeChatHttp(APPID, SECRET, wire, self.database, self.keys, self.now)
        given = {key: {"id": template_id} for key, template_id in TEMPLATE_IDS.items()}
        templates = templates_of(given, production=True)
        parts = PushParts(self.database, wechat, templates, self.keys.open_identity, self.now)
        for _ in range(ROUNDS):
            while await push_inbox(parts, self.now()):
                pass
            self.fake.world.now += 200
        await wechat.close()
        await self._events()
        return await self._outcome()

    async def _people(self, numbers: range) -> None:
        async with self.database.write() as session:
            for number in numbers:
                openid = self.fake.world.person(f"o{number:027d}").openid
                owner = await sign_in_owner(session, APPID, self.keys.seal_identity(openid), None, self.now() - DAY)
                set_consent(session, owner.id, "push", True, POLICIES["push"].version, self.now())
                await session.flush()
                tap = Tap(owner.id, REMINDER, GrantAnswer.ACCEPT, GrantSource.PHONE, self.now())
                await note_tap(await quick_of(session), tap)
                await notify(session, owner, "reminder", f"rush {number}", "狂犬疫苗该打了", "到期了", self.now())
                self.fake.world.quota[(openid, REMINDER)] = 3  # WeChat would let more through: we must not

    async def _events(self) -> None:
        """What WeChat tells afterwards, straight into the store of events."""
        self.fake.world.now += 2
        for event in self.fake.world.due():
            message = PushedMessage({"CreateTime": int(self.fake.world.now), "MsgType": "event", **event})
            async with self.database.quick_write() as quick:
                sealed = self.keys.seal(json.dumps(dict(message.fields)))
                row = event_row(message.dedupe_key, message.kind, sealed, self.now())
                await store_events(quick, [row])
        parts = EventParts(self.database, APPID, self.keys.seal_identity, self.keys.open, self.now)
        await work_off_events(parts)

    async def _outcome(self) -> "Outcome":
        async with self.database.read() as session:
            rows = (await session.exec(select(InboxMessage.delivery))).all()
        async with self.database.quick_write() as quick:
            left = await claim_events(quick, self.now() + DAY)
        arrived = Counter(one.openid for one in self.fake.world.sent)
        return Outcome(
            arrived=len(arrived),
            doubled=sum(count > 1 for count in arrived.values()),
            deliveries=Counter(rows),
            token_fetches=self.fake.world.calls("/cgi-bin/stable_token"),
            sends=self.fake.world.calls(SEND),
            events_left=len(left),
        )


@dataclass(frozen=True)
class Outcome:
    """arrived: people with a message. doubled: with more than one. deliveries: what the inbox says of each prompt."""

    arrived: int
    doubled: int
    deliveries: Counter[str]
    token_fetches: int
    sends: int
    events_left: int
