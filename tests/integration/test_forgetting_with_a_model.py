"""With a model behind the service a wish to forget is carried out by rules all the same, before the model reads on."""

import pytest
from sqlmodel import col, select

from app.database import Database
from app.settings import Settings
from domain.late_extraction import EXTRACT_TOPIC
from memory.outbox import OutboxRow
from tests.conftest import on_sqlite, with_model
from tests.factories import Owner
from tests.fakes.model_server import FakeModel, Reply
from tests.fakes.phone import say

pytestmark = on_sqlite


@pytest.fixture
def settings(settings: Settings, model: FakeModel) -> Settings:
    return with_model(settings, model)


async def waiting(database: Database) -> list[str]:
    async with database.read() as session:
        rows = await session.exec(select(OutboxRow.key).where(col(OutboxRow.topic) == EXTRACT_TOPIC))
        return list(rows.all())


async def test_a_sentence_that_a_model_has_still_to_read_is_not_read_any_more(
    model: FakeModel, owner: Owner, database: Database
) -> None:
    await owner.agree("model_provider")
    await owner.pet("豆豆")
    model.will(Reply("听到了。"))
    told = await say(owner, "豆豆近来偏爱蹲守鞋柜。", "m-1")
    assert told["message_id"] in await waiting(database)
    await say(owner, "刚才那句不要记", "m-2")
    assert await waiting(database) == []
    assert (await owner.get("/memories", q="鞋柜"))["items"] == []


async def test_the_receipt_stands_before_the_models_words_and_the_memory_is_gone(
    model: FakeModel, owner: Owner, database: Database
) -> None:
    await owner.agree("model_provider")
    await owner.pet("豆豆")
    await say(owner, "豆豆特别怕打雷", "m-1")
    model.will(Reply("好的，还有什么要我做的吗。"))
    answer = await say(owner, "把这条忘了吧", "m-2")
    assert answer["text"].startswith("忘掉了：")
    assert (await owner.get("/memories", q="打雷"))["items"] == []
    assert answer["message_id"] not in await waiting(database)
