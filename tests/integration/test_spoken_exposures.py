"""What a pet reacts to and was given all the same is warned of, whatever else becomes of the words."""

import pytest

from tests.conftest import on_sqlite
from tests.factories import Json, Owner

NINE, TEN = "2026-05-20T09:00:00+08:00", "2026-05-20T09:01:00+08:00"


async def say(owner: Owner, at: str, text: str) -> Json:
    answer: Json = await owner.at(at).post("/chat/turns", {"text": text, "client_msg_id": text})
    return answer


@on_sqlite
@pytest.mark.parametrize(
    ("known", "said", "warned"),
    [
        ("奶茶对虾过敏", "奶茶昨晚偷吃了虾仁", "虾仁含甲壳类"),
        ("奶茶对鸡肉过敏", "奶茶今天吃了鸡胸肉", "鸡胸肉含鸡肉"),
        ("奶茶对青霉素过敏", "医生给奶茶打了阿莫西林", "阿莫西林含青霉素类"),
    ],
)
async def test_what_it_reacts_to_was_given(owner: Owner, known: str, said: str, warned: str) -> None:
    await owner.pet("奶茶", "cat")
    assert "要当心" not in (await say(owner, NINE, known))["text"]
    told = (await say(owner, TEN, said))["text"]
    assert warned in told
    assert "留意" in told


@on_sqlite
@pytest.mark.parametrize("said", ["奶茶没吃鸡肉", "奶茶不吃鸡肉了", "奶茶换了鸭肉粮", "奶茶今天吃了牛肉"])
async def test_what_was_kept_from_it_or_does_no_harm_is_not_warned_of(owner: Owner, said: str) -> None:
    await owner.pet("奶茶", "cat")
    await say(owner, NINE, "奶茶对鸡肉过敏")
    assert "要当心" not in (await say(owner, TEN, said))["text"]
