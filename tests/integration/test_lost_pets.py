"""A pet that is lost: the owner is told calmly what to do first, the event is kept, and a return is welcomed."""

import pytest

from tests.conftest import on_sqlite
from tests.factories import Owner
from tests.fakes.phone import say

pytestmark = on_sqlite


@pytest.mark.parametrize(
    "text",
    [
        "旺财走丢了",
        "旺财今天早上走丢了，怎么办",
        "旺财不见了，门没关好",
        "我把旺财弄丢了",
        "刚才遛弯的时候旺财跑丢了",
        "旺财找不到了！！急死我了",
        "找不到旺财了",
        "狗狗走失两天了",
        "旺财昨晚跑出去到现在没回来",
        "它不见了怎么找",
        "旺财跳窗跑了找不到",
        "旺财从院子跑出去了，一直没回来",
    ],
)
async def test_who_has_lost_a_pet_is_told_what_to_do_first(owner: Owner, text: str) -> None:
    await owner.pet("旺财", "dog")
    told = (await say(owner, text))["text"]
    for words in ("先别慌", "最后看到", "监控", "派出所"):
        assert words in told
    assert "有毒" not in told


async def test_a_cat_is_looked_for_near_by_and_the_event_is_kept(owner: Owner) -> None:
    await owner.pet("旺财", "dog")
    await owner.pet("咪咪", "cat")
    told = await say(owner, "咪咪走丢了")
    assert "附近" in told["text"]
    assert "旺财" not in told["text"]
    assert [one["outcome"] for one in told["memories"]] == ["added"]
    assert "记下了" in told["text"]


@pytest.mark.parametrize("text", ["旺财找到了！", "旺财自己回来了", "它回家了"])
async def test_a_return_is_welcomed_with_what_to_look_for(owner: Owner, text: str) -> None:
    await owner.pet("旺财", "dog")
    await say(owner, "旺财走丢了", "1")
    told = (await say(owner, text, "2"))["text"]
    assert "太好了" in told
    assert "外伤" in told


@pytest.mark.parametrize(
    "text",
    [
        "旺财去年走丢过一次",
        "旺财的玩具不见了",
        "旺财把飞盘弄丢了",
        "怕旺财走丢，想买个定位器",
        "楼下邻居的狗走丢了",
        "要是旺财走丢了怎么办",
        "旺财差点走丢",
        "旺财不会走丢的",
        "旺财的皮疹不见了",
        "找不到旺财的疫苗本了",
        "旺财不吐了，血丝也不见了",
        "旺财回家了",
        "旺财跑来跑去找不到玩具",
        "旺财跑步回来没见它喝水",
        "旺财找到了新玩具",
    ],
)
async def test_what_is_no_lost_pet_is_answered_as_ever(owner: Owner, text: str) -> None:
    await owner.pet("旺财", "dog")
    told = (await say(owner, text))["text"]
    assert "先别慌" not in told
    assert "太好了" not in told


async def test_an_emergency_comes_before_it(owner: Owner) -> None:
    await owner.pet("旺财", "dog")
    told = await say(owner, "旺财走丢了刚找到，在抽搐")
    assert told["alerts"]
    assert "先别慌，" not in told["text"]
