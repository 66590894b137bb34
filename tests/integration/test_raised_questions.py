"""An open question is raised once a day, in no talk about an emergency, and never by itself twice."""

from tests.factories import Json, Owner

ASKS = "顺便问一句"
MORNING, NOON, EVENING = "2026-03-06T09:00:00+08:00", "2026-03-06T12:00:00+08:00", "2026-03-06T19:00:00+08:00"
NEXT_DAY, NEXT_NOON = "2026-03-07T09:00:00+08:00", "2026-03-07T12:00:00+08:00"


async def say(owner: Owner, at: str, text: str) -> str:
    answer: Json = await owner.at(at).post("/chat/turns", {"text": text, "client_msg_id": f"{at}{text}"})
    return str(answer["text"])


async def open_a_question(owner: Owner) -> None:
    await owner.pet("豆豆", "dog")
    await say(owner, "2026-03-05T09:00:00+08:00", "豆豆对鸡肉过敏")
    await say(owner, MORNING, "豆豆对鸡肉不过敏了，医生查的")


async def test_a_question_is_put_once_a_day_however_many_talks_there_are(owner: Owner) -> None:
    await open_a_question(owner)
    assert ASKS not in await say(owner, NOON, "豆豆今天吃了两碗饭")
    assert ASKS not in await say(owner, EVENING, "豆豆今天洗了澡")
    assert ASKS in await say(owner, NEXT_DAY, "豆豆早上遛了一小时")
    assert ASKS not in await say(owner, NEXT_NOON, "豆豆中午吃了半碗饭")


async def test_no_question_is_raised_in_a_talk_about_an_emergency(owner: Owner) -> None:
    await open_a_question(owner)
    assert ASKS not in await say(owner, NEXT_DAY, "豆豆抽搐了，口吐白沫")
    assert ASKS not in await say(owner, "2026-03-07T09:05:00+08:00", "豆豆早上遛了一小时")
    assert ASKS in await say(owner, NEXT_NOON, "豆豆中午吃了半碗饭")
