"""Another dose of a drug on record, however an owner words it, is asked about and changes nothing before the answer."""

import pytest

from tests.conftest import on_sqlite
from tests.factories import Json, Owner

NINE, TEN, LATER = "2026-05-20T09:00:00+08:00", "2026-05-20T19:00:00+08:00", "2026-05-20T19:01:00+08:00"


async def say(owner: Owner, at: str, text: str) -> Json:
    answer: Json = await owner.at(at).post("/chat/turns", {"text": text, "client_msg_id": text})
    return answer


@on_sqlite
@pytest.mark.parametrize(
    "words",
    [
        "医生今天说旺财的药要加到早晚各一粒半",
        "匹莫苯丹加到早晚各一粒半",
        "旺财的匹莫苯丹改成一天两次，每次一粒半",
        "复查完医生让匹莫苯丹早晚各吃1.5粒",
        "旺财的药加量了，早晚各一粒半",
        "匹莫苯丹从明天起早晚各两粒",
        "匹莫苯丹现在一次吃两粒，还是早晚",
        "旺财的匹莫苯丹减到早晚各半粒",
        "匹莫苯丹改一天一次了",
    ],
)
async def test_another_dose_is_asked_about(owner: Owner, words: str) -> None:
    dog = await owner.pet("旺财", "dog")
    await owner.pet("咪咪", "cat")
    await say(owner, NINE, "旺财有心脏病，一直在吃匹莫苯丹，早晚各一粒")
    answer = await say(owner, TEN, words)
    assert len(answer["confirmations"]) == 1, (answer["text"], answer["memories"])
    (drug,) = (await owner.get(f"/pets/{dog['id']}/medications"))["items"]
    assert drug["dose_text"] == "各一粒"
    assert drug["ended_on"] is None
    await say(owner, LATER, "对，改")
    (drug,) = [row for row in (await owner.get(f"/pets/{dog['id']}/medications"))["items"] if row["status"] == "active"]
    assert (drug["dose_text"], drug["frequency_text"]) != ("各一粒", "早晚")
