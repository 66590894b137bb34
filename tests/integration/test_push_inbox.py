"""Prompts reach WeChat at most once, by day, when they are allowed, and several at once as one message."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import col, select

from app.database import Database
from app.wechat_templates import templates_of
from domain.inbox import InboxMessage, notify
from domain.owners import Owner, set_consent, sign_in_owner
from domain.pets import Pet
from domain.pushes import Push, note_sent_event
from domain.subscriptions import GrantAnswer, GrantSource, remaining, stopped_templates
from domain.tap_ledger import Tap, note_tap
from domain.wechat import PushOutcome, PushResult, SubscribeMessage
from jobs.push_inbox import PushParts, push_inbox
from memory.confirmations import Confirmation
from memory.prepared import quick_of
from memory.vocabulary import ConfirmationStatus

NOON = datetime(2026, 5, 20, 4, 0, tzinfo=UTC)  # 12:00 in Shanghai
NIGHT = NOON + timedelta(hours=11)
SENT = PushResult(PushOutcome.SENT, 0, "1316263177503703040")
CONFIRMATION, REMINDER = "dev-confirmation", "dev-reminder"


class ProcessDied(BaseException):
    """Nothing after it runs."""


@dataclass
class Post:
    """A post office that answers as it is told, and the home of one owner with a dog."""

    database: Database
    owner: Owner
    pet: Pet
    answers: list[PushResult] = field(default_factory=list)
    sent: list[SubscribeMessage] = field(default_factory=list)
    real_now: datetime = NOON

    async def send_subscribe_message(self, message: SubscribeMessage) -> PushResult:
        self.sent.append(message)
        return self.answers.pop(0) if self.answers else SENT

    async def run(self, at: datetime = NOON, *, later: timedelta = timedelta()) -> int:
        self.real_now += later
        parts = PushParts(
            self.database,
            self,
            templates_of({}, production=False),
            lambda sealed: f"plain-{sealed}",
            lambda: self.real_now,
        )
        return await push_inbox(parts, at)

    async def allow(self, template: str = CONFIRMATION, times: int = 1) -> None:
        async with self.database.write() as session:
            for _ in range(times):
                tap = Tap(self.owner.id, template, GrantAnswer.ACCEPT, GrantSource.PHONE, NOON)
                await note_tap(await quick_of(session), tap)

    async def put(
        self, key: str, kind: str = "confirmation", at: datetime = NOON, title: str = "有一条档案想请你确认"
    ) -> str:
        async with self.database.write() as session:
            link: dict[str, object] = {"pet_id": self.pet.id}
            if kind == "confirmation":
                link["confirmation_id"] = await self._question(session, key)
            row = await notify(session, self.owner, kind, key, title, "内容", at, link=link)
            assert row is not None
            return row.id

    async def _question(self, session, key: str) -> str:  # type: ignore[no-untyped-def]  # a session of the database
        question = Confirmation(
            household_id=self.owner.household_id,
            owner_id=self.owner.id,
            subject=self.pet.id,
            attribute=f"allergy:{key}",
            kind="change",
            new={},
            question="?",
            candidate_id="c",
            created_at=NOON,
            lapses_at=NOON + timedelta(days=14),
        )
        session.add(question)
        await session.flush()
        return question.id

    async def deliveries(self) -> dict[str, str]:
        async with self.database.read() as session:
            rows = (await session.exec(select(InboxMessage).order_by(col(InboxMessage.id)))).all()
            return {row.dedupe_key: row.delivery for row in rows}

    async def pushes(self) -> list[Push]:
        async with self.database.read() as session:
            return list((await session.exec(select(Push).order_by(col(Push.id)))).all())

    async def left(self, template: str = CONFIRMATION) -> int:
        async with self.database.read() as session:
            return await remaining(session, self.owner.id, template)


@pytest.fixture
async def post(database: Database) -> Post:
    async with database.write() as session:
        owner = await sign_in_owner(session, "app", "sealed", "小林", NOON)
        pet = Pet(household_id=owner.household_id, name="豆豆", species="dog", created_at=NOON)
        session.add(pet)
        set_consent(session, owner.id, "push", True, "2026-11", NOON)
    return Post(database, owner, pet)


async def test_a_prompt_that_is_allowed_is_pushed_once(post: Post) -> None:
    await post.allow()
    row = await post.put("a")
    assert await post.run() == 1
    assert await post.run(later=timedelta(days=1)) == 0
    assert post.sent == [
        SubscribeMessage(
            "plain-sealed",
            CONFIRMATION,
            f"pages/inbox/index?message={row}",
            {"thing1": "豆豆", "thing2": "有一条档案想请你确认", "time3": "2026年5月20日 12:00"},
        )
    ]
    assert await post.deliveries() == {"a": "pushed"}
    assert await post.left() == 0
    assert (await post.pushes())[0].msgid == SENT.msgid


async def test_nothing_is_pushed_without_a_grant_or_without_consent(post: Post) -> None:
    await post.put("no-grant")
    await post.run()
    await post.allow(times=2)
    async with post.database.write() as session:
        set_consent(session, post.owner.id, "push", False, "2026-11", NOON)
    await post.put("no-consent")
    await post.run()
    assert post.sent == []
    assert await post.deliveries() == {"no-grant": "refused", "no-consent": "refused"}


async def test_several_open_questions_are_one_digest_and_a_day_takes_two(post: Post) -> None:
    await post.allow(times=9)
    for number in range(4):
        await post.put(f"first-{number}")
    assert await post.run() == 1
    assert post.sent[0].fields["thing2"] == "4条：有一条档案想请你确认"
    await post.put("second")
    assert await post.run() == 1
    await post.put("third")
    assert await post.run(NOON + timedelta(hours=3)) == 0
    assert (await post.deliveries())["third"] == "capped"
    await post.put("fourth", at=NOON + timedelta(days=1))
    assert await post.run(NOON + timedelta(days=1)) == 1
    assert post.sent[-1].fields["thing2"].startswith("2条")
    assert set((await post.deliveries()).values()) == {"pushed"}
    assert await post.left() == 9 - 3


async def test_nobody_is_pushed_at_night(post: Post) -> None:
    await post.allow()
    await post.put("a", at=NIGHT)
    assert await post.run(NIGHT) == 0
    assert await post.deliveries() == {"a": "waiting"}
    assert await post.run(NIGHT + timedelta(hours=10)) == 1


async def test_what_was_late_is_not_pushed_at_night_either(post: Post) -> None:
    await post.allow()
    await post.put("a")
    assert await post.run(NIGHT) == 0
    assert await post.deliveries() == {"a": "waiting"}


async def test_what_is_read_or_settled_needs_no_push(post: Post) -> None:
    await post.allow(times=5)
    read, settled = await post.put("read"), await post.put("settled")
    async with post.database.write() as session:
        message = await session.get(InboxMessage, read)
        assert message is not None
        message.read_at = NOON
        other = await session.get(InboxMessage, settled)
        assert other is not None
        question = await session.get(Confirmation, other.link["confirmation_id"])
        assert question is not None
        question.status = ConfirmationStatus.KEPT.value
        session.add_all([message, question])
    assert await post.run() == 0
    assert await post.deliveries() == {"read": "none", "settled": "none"}


@pytest.mark.parametrize(
    ("answer", "delivery", "left"),
    [
        (PushResult(PushOutcome.REFUSED, 43101), "refused", 0),
        (PushResult(PushOutcome.BANNED, 43107), "failed", 3),
        (PushResult(PushOutcome.INVALID, 47003), "failed", 3),
        (PushResult(PushOutcome.UNKNOWN), "unknown", 2),
    ],
)
async def test_a_push_that_did_not_arrive_falls_back_to_the_inbox_and_is_not_repeated(
    post: Post, answer: PushResult, delivery: str, left: int
) -> None:
    await post.allow(times=3)
    post.answers = [answer]
    await post.put("a")
    assert await post.run() == 0
    assert await post.run(later=timedelta(hours=2)) == 0
    assert len(post.sent) == 1
    assert await post.deliveries() == {"a": delivery}
    assert await post.left() == left


async def test_a_banned_template_is_used_no_more(post: Post) -> None:
    await post.allow(times=3)
    post.answers = [PushResult(PushOutcome.BANNED, 43107)]
    await post.put("a")
    await post.run()
    await post.put("b")
    await post.run()
    assert len(post.sent) == 1
    async with post.database.read() as session:
        assert await stopped_templates(session) == {CONFIRMATION}


async def test_what_was_surely_not_sent_is_tried_twice_more(post: Post) -> None:
    await post.allow()
    post.answers = [PushResult(PushOutcome.RETRY_LATER, -1)] * 4
    await post.put("a")
    for _ in range(6):
        await post.run(later=timedelta(minutes=5))
    assert len(post.sent) == 3
    assert await post.deliveries() == {"a": "failed"}
    assert await post.left() == 1


async def test_a_retry_waits_and_then_arrives(post: Post) -> None:
    await post.allow()
    post.answers = [PushResult(PushOutcome.RETRY_LATER, 43108)]
    await post.put("a")
    await post.run()
    assert await post.run(later=timedelta(seconds=10)) == 0
    assert await post.deliveries() == {"a": "sending"}
    assert await post.run(later=timedelta(seconds=30)) == 1
    assert await post.deliveries() == {"a": "pushed"}


async def test_a_word_that_wechat_refuses_is_left_out(post: Post) -> None:
    await post.allow(REMINDER)
    post.answers = [PushResult(PushOutcome.WORDING, 45168)]
    await post.put("a", "reminder", title="带豆豆去某地")
    await post.run()
    assert await post.run(later=timedelta(minutes=5)) == 1
    assert post.sent[1].fields["thing1"] == "毛孩子"
    assert "豆豆" not in str(post.sent[1].fields)


async def test_a_sender_that_died_is_not_repeated(post: Post) -> None:
    await post.allow(times=2)
    await post.put("a")

    async def die(_message: SubscribeMessage) -> PushResult:
        raise ProcessDied

    alive: Callable[..., object] = post.send_subscribe_message
    post.send_subscribe_message = die  # type: ignore[method-assign]  # the process ends in the middle of the call
    with pytest.raises(ProcessDied):
        await post.run()
    post.send_subscribe_message = alive  # type: ignore[method-assign, assignment]  # the next process
    assert await post.run() == 0
    assert await post.run(later=timedelta(minutes=5)) == 0
    assert await post.deliveries() == {"a": "unknown"}
    assert (post.sent, await post.left()) == ([], 1)


async def test_wechats_own_word_ends_what_was_unknown(post: Post) -> None:
    await post.allow()
    post.answers = [PushResult(PushOutcome.UNKNOWN)]
    await post.put("a")
    await post.run()
    async with post.database.write() as session:
        assert await note_sent_event(session, post.owner.id, CONFIRMATION, "17", 0) is not None
        assert await note_sent_event(session, post.owner.id, REMINDER, "18", 0) is None
    assert await post.deliveries() == {"a": "pushed"}


async def test_kinds_without_a_template_stay_in_the_app(post: Post) -> None:
    await post.put("a", "system")
    await post.run()
    assert await post.deliveries() == {"a": "none"}


async def test_every_owner_gets_theirs(post: Post) -> None:
    await post.allow()
    homes = [post]
    for number in range(20):
        async with post.database.write() as session:
            owner = await sign_in_owner(session, "app", f"sealed-{number}", None, NOON)
            pet = Pet(household_id=owner.household_id, name="咪咪", species="cat", created_at=NOON)
            session.add(pet)
            set_consent(session, owner.id, "push", True, "2026-11", NOON)
        home = Post(post.database, owner, pet)
        await home.allow()
        homes.append(home)
    for home in homes:
        await home.put("a")
    assert await post.run() == len(homes)
    assert len({message.openid for message in post.sent}) == len(homes)
