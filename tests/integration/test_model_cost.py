"""What a model costs: counted by turn, purpose and owner, shown to the owner, and bounded by the day."""

import httpx
import pytest
from sqlmodel import select

from app.database import Database
from app.settings import Settings
from domain.answering import SPENT
from domain.token_use import TokenUse
from tests.conftest import SignIn, with_model
from tests.factories import Owner
from tests.fakes.model_server import FakeModel, Reply, ToolCall
from tests.fakes.phone import say

SAID = "我看过资料了。"


@pytest.fixture
def settings(settings: Settings, model: FakeModel) -> Settings:
    return with_model(settings, model, daily_tokens_soft=3_000, daily_tokens_hard=5_000)


@pytest.fixture
async def owner(sign_in: SignIn) -> Owner:
    owner = await sign_in("lin")
    await owner.agree("model_provider")
    await owner.pet("豆豆")
    return owner.at("2026-05-20T20:00:00+08:00")


async def uses(database: Database) -> list[TokenUse]:
    async with database.read() as session:
        return list((await session.exec(select(TokenUse).order_by(TokenUse.id))).all())


async def test_tokens_of_all_rounds_stand_in_the_answer_and_on_the_owners_page(
    model: FakeModel, owner: Owner, database: Database
) -> None:
    model.will(Reply.calls(ToolCall.of("list_schedules")), Reply(SAID))
    answer = await say(owner, "豆豆怎么样")
    (use,) = await uses(database)
    assert answer["usage"] == {"prompt_tokens": use.prompt_tokens, "completion_tokens": use.completion_tokens}
    assert (use.purpose, use.model, use.turn_id) == ("reply", "big", answer["turn_id"])
    assert use.used_on.isoformat() == "2026-05-20"
    me = await owner.get("/me")
    assert me["usage_today"] == {"turns": 1, **answer["usage"]}


async def test_a_new_day_begins_at_the_owners_midnight(model: FakeModel, owner: Owner) -> None:
    await say(owner, "豆豆怎么样")
    owner.at("2026-05-21T00:30:00+08:00")
    assert (await owner.get("/me"))["usage_today"] == {"turns": 0, "prompt_tokens": 0, "completion_tokens": 0}


async def test_the_small_model_answers_from_the_soft_step_on_and_none_from_the_hard_one(
    model: FakeModel, owner: Owner
) -> None:
    model.always(Reply(SAID))
    modes = []
    for number in range(40):
        answer = await say(owner, "豆豆怎么样", f"m-{number}")
        modes.append((answer["mode"], SPENT in answer["text"]))
        if answer["mode"] == "basic":
            break
    models = [one.model for one in model.asked]
    assert models == sorted(models)  # big ones first, then small ones
    assert set(models) == {"big", "small"}
    assert modes[-1] == ("basic", True)
    assert set(modes[:-1]) == {("model", False)}
    owner.at("2026-05-21T09:00:00+08:00")
    assert (await say(owner, "豆豆怎么样", "next day"))["mode"] == "model"


async def test_another_owners_use_does_not_count(sign_in: SignIn, model: FakeModel, owner: Owner) -> None:
    await say(owner, "豆豆怎么样")
    other = (await sign_in("wang")).at("2026-05-20T20:00:00+08:00")
    assert (await other.get("/me"))["usage_today"]["prompt_tokens"] == 0


async def test_what_broke_off_is_counted_too(model: FakeModel, owner: Owner, database: Database) -> None:
    model.will(Reply.cut(SAID + SAID, 6))
    answer = await say(owner, "豆豆怎么样")
    assert answer["usage"]["prompt_tokens"] > 0
    assert len(await uses(database)) == 1


async def test_calls_and_tokens_are_counted_for_the_operator(
    model: FakeModel, owner: Owner, client: httpx.AsyncClient
) -> None:
    model.will(Reply.error(500), Reply(SAID))
    await say(owner, "豆豆怎么样")
    told = (await client.get("/metrics")).text
    assert 'pawsignal_model_calls_total{endpoint="main",outcome="server_error",purpose="reply"} 1.0' in told
    assert 'pawsignal_model_calls_total{endpoint="main",outcome="ok",purpose="reply"} 1.0' in told
    assert 'pawsignal_model_tokens_total{kind="prompt",purpose="reply"}' in told


async def test_an_erased_account_leaves_no_count(model: FakeModel, owner: Owner, database: Database) -> None:
    await say(owner, "豆豆怎么样")
    assert await uses(database)
    await owner.delete("/me")
    assert await uses(database) == []
