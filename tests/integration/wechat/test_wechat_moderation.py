"""What is said is judged: the owner's words before anything follows from them, our answer before it is final."""

import pytest
from fastapi import FastAPI
from sqlmodel import select

from app.container import Container
from domain.owners import Owner as OwnerRow
from domain.turn_moderation import DECLINED, TAKEN_BACK
from tests.conftest import SignIn
from tests.factories import Owner, problem
from tests.fakes.phone import hear, hear_again, say
from tests.fakes.slow_assistant import SteppedAssistant, answer_with
from tests.fakes.wechat.server import FakeWeChat
from tests.fakes.wechat.world import OPENID

CHECK = "/wxa/msg_sec_check"


async def test_harmless_talk_passes_and_both_sides_are_judged(owner: Owner, fake: FakeWeChat) -> None:
    await owner.pet("豆豆")
    answer = await say(owner, "豆豆今天体重12公斤")
    assert answer["moderation"] == "passed"
    bodies = [one.body.decode() for one in fake.world.requests if one.path == CHECK]
    assert len(bodies) == 2
    assert "豆豆今天体重12公斤" in bodies[0]
    assert '"version":2' in bodies[0]


async def test_nothing_follows_from_harmful_words(owner: Owner) -> None:
    await owner.pet("豆豆")
    answer = await say(owner, "豆豆体重12公斤，我这里出售假药")
    assert (answer["text"], answer["moderation"], answer["memories"]) == (DECLINED, "replaced", [])
    assert (await owner.get("/memories"))["items"] == []


async def test_a_doubt_is_no_refusal(owner: Owner) -> None:
    answer = await say(owner, "安乐死要怎么决定")
    assert answer["moderation"] == "review"
    assert answer["text"] not in (DECLINED, TAKEN_BACK)


async def test_a_harmful_answer_is_taken_back_for_everybody_who_listens(app: FastAPI, owner: Owner) -> None:
    answer_with(app, SteppedAssistant("先说一句。", "去那里出售假药。").let_all_go())
    heard = await hear(owner, "你好呀")
    names = [event.name for event in heard]
    assert names[-2:] == ["replace", "done"]
    assert heard[-2].data == {"text": TAKEN_BACK}
    assert (heard[-1].data["text"], heard[-1].data["moderation"]) == (TAKEN_BACK, "replaced")
    again = await hear_again(owner, heard[-1].data["turn_id"])
    assert [event.name for event in again] == names
    assert "假药" not in str(await owner.get("/chat/messages"))


@pytest.mark.parametrize("kind", ["http_502", "system_busy", "errcode:45009", "errcode:44991"])
async def test_an_emergency_is_answered_when_nobody_can_judge(owner: Owner, fake: FakeWeChat, kind: str) -> None:
    await owner.pet("咪咪", "cat")
    fake.inject(CHECK, kind, times=100)
    answer = await say(owner, "咪咪误食了百合，怎么办")
    assert [alert["level"] for alert in answer["alerts"]] == ["emergency"]
    assert answer["moderation"] == "unchecked"
    assert answer["text"]


async def test_an_emergency_is_never_taken_back(owner: Owner) -> None:
    await owner.pet("咪咪", "cat")
    answer = await say(owner, "咪咪误食了百合，别人向我出售假药")
    assert answer["moderation"] != "replaced"
    assert answer["alerts"]


async def test_whoever_was_not_seen_lately_is_answered_unchecked(owner: Owner, fake: FakeWeChat) -> None:
    fake.world.now += 7201
    assert (await say(owner, "你好呀"))["moderation"] == "unchecked"
    fake.world.visit(OPENID)
    assert (await say(owner, "你好呀", "m-2"))["moderation"] == "passed"


async def test_a_phrase_across_the_seam_is_seen(owner: Owner) -> None:
    words = "好" * 2498 + "出售假药"
    assert (await say(owner, words))["moderation"] == "replaced"


async def test_after_some_failures_nobody_waits_for_a_while(owner: Owner, fake: FakeWeChat) -> None:
    fake.inject(CHECK, "http_502", times=100)
    for number in range(6):
        await say(owner, "你好呀", f"m-{number}")
    assert fake.world.calls(CHECK) <= 4


async def test_whoever_signed_in_without_wechat_is_not_judged(sign_in: SignIn, fake: FakeWeChat) -> None:
    lin = await sign_in("lin")
    assert (await say(lin, "你好呀"))["moderation"] == "off"
    assert fake.world.calls(CHECK) == 0


@pytest.mark.parametrize(("text", "may"), [("豆豆的档案", True), ("安乐死", False), ("裸聊", False)])
async def test_what_others_will_see_waits_for_a_verdict_without_doubt(
    app: FastAPI, owner: Owner, fake: FakeWeChat, text: str, may: bool
) -> None:
    container = container_of(app)
    assert container.moderator is not None
    async with container.database.read() as session:
        row = (await session.exec(select(OwnerRow))).one()
    assert await container.moderator.may_be_shared(row, text) is may
    fake.inject(CHECK, "http_502", times=100)
    assert not await container.moderator.may_be_shared(row, text)


def container_of(app: FastAPI) -> Container:
    container: Container = app.state.container
    return container


async def test_a_share_whose_recipient_nobody_has_cleared_is_not_made(owner: Owner, fake: FakeWeChat) -> None:
    pet = await owner.post("/pets", {"name": "豆豆", "species": "dog"})
    shares = f"/pets/{pet['id']}/shares"
    assert (await owner.post(shares, {"expires_in_hours": 1, "recipient": "阳光动物医院"}))["recipient"]
    doubtful = await owner.ask("POST", shares, {"expires_in_hours": 1, "recipient": "裸聊"})
    assert problem(doubtful) == (422, "words_not_cleared")
    fake.inject(CHECK, "http_502", times=100)
    unjudged = await owner.ask("POST", shares, {"expires_in_hours": 1, "recipient": "阳光动物医院"})
    assert problem(unjudged) == (422, "words_not_cleared")
    assert len((await owner.get(shares))["items"]) == 1
