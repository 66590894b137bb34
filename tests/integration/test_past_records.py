"""The second clock: what was on record at an earlier time can be read and asked for, whatever became of it since."""

import pytest

from tests.factories import Owner, problem

MARCH, APRIL, MAY = "2026-03-05T10:00:00+08:00", "2026-04-20T10:00:00+08:00", "2026-05-20T10:00:00+08:00"
END_OF_MARCH = "2026-03-31T23:59:59+08:00"


async def told(owner: Owner, at: str, text: str) -> dict[str, object]:
    answer: dict[str, object] = await owner.at(at).post("/chat/turns", {"text": text, "client_msg_id": f"{at}{text}"})
    return answer


async def changed_habit(owner: Owner) -> None:
    await owner.pet("豆豆", "dog")
    await told(owner, MARCH, "豆豆每天吃两顿，每顿100克")
    await told(owner, APRIL, "豆豆改成一天三顿，每顿70克了")


async def test_the_assistant_tells_what_was_on_record_then(owner: Owner) -> None:
    await changed_habit(owner)
    answer = await told(owner, MAY, "三月份的时候我们记的是什么")
    assert "每顿100克" in str(answer["text"])
    assert "70克" not in str(answer["text"])


async def test_nothing_was_on_record_before_the_first_word(owner: Owner) -> None:
    await changed_habit(owner)
    answer = await told(owner, MAY, "去年12月我们记的是什么")
    assert answer["text"] == "那时候没有记录。"


async def test_the_memory_page_can_be_read_as_of_a_moment(owner: Owner) -> None:
    await changed_habit(owner)
    then = (await owner.at(MAY).get("/memories", as_of=END_OF_MARCH))["items"]
    now = (await owner.get("/memories"))["items"]
    assert [row["content"] for row in then] == ["豆豆每天吃两顿，每顿100克"]
    assert [row["content"] for row in now] == ["豆豆改成一天三顿，每顿70克了"]
    assert problem(await owner.ask("GET", "/memories", params={"as_of": "2026-03-31"}))[0] == 422


async def test_what_was_deleted_is_not_brought_back_by_looking_back(owner: Owner) -> None:
    await changed_habit(owner)
    (old,) = (await owner.at(MAY).get("/memories", as_of=END_OF_MARCH))["items"]
    await owner.delete(f"/memories/{old['id']}")
    assert (await owner.get("/memories", as_of=END_OF_MARCH))["items"] == []


async def test_the_history_tells_who_changed_a_line_when_and_why(owner: Owner) -> None:
    await changed_habit(owner)
    (old,) = (await owner.at(MAY).get("/memories", as_of=END_OF_MARCH))["items"]
    versions = (await owner.get(f"/memories/{old['id']}/history"))["items"]
    assert [version["status"] for version in versions] == ["active", "superseded"]
    assert [version["reason"] for version in versions] == ["new", "plain_change"]
    assert all(version["by"] == "owner" for version in versions)


@pytest.mark.parametrize("asked", ["三月份的时候豆豆一天吃几顿", "三月那会儿豆豆每顿吃几克", "今年3月豆豆一天吃几顿啊"])
async def test_how_it_was_is_answered_from_what_held_then(owner: Owner, asked: str) -> None:
    await changed_habit(owner)
    answer = await told(owner, MAY, asked)
    assert "每顿100克" in str(answer["text"])
    assert "70克" not in str(answer["text"])


@pytest.mark.parametrize("asked", ["豆豆一天吃几顿", "这个月豆豆一天吃几顿"])
async def test_how_it_is_is_answered_from_what_holds_now(owner: Owner, asked: str) -> None:
    await changed_habit(owner)
    answer = await told(owner, MAY, asked)
    assert "70克" in str(answer["text"])
