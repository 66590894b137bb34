"""Search in the log of the chat."""

import pytest

from tests.conftest import SignIn, on_sqlite
from tests.factories import Json, Owner, problem

DAYS = ["2026-03-01", "2026-03-05", "2026-04-02"]
SAID = ["豆豆今天打了疫苗，有点蔫", "豆豆S100益生菌吃完了", "貓砂盆旁邊有血，体重4.2公斤"]


@pytest.fixture
async def talk(owner: Owner) -> list[Json]:
    await owner.pet()
    told = []
    for number, (day, text) in enumerate(zip(DAYS, SAID, strict=True)):
        body = {"text": text, "client_msg_id": f"said-{number}"}
        told.append(await owner.at(f"{day}T20:00:00+08:00").post("/chat/turns", body))
    return told


async def found(owner: Owner, **query: object) -> list[Json]:
    return list((await owner.get("/chat/search", **{"role": "user", **query}))["items"])


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("疫苗", [0]),
        ("蔫", [0]),
        ("益生菌", [1]),
        ("s100益生菌", [1]),
        ("S100 益生菌", [1]),
        ("猫砂", [2]),
        ("貓砂盆", [2]),
        ("４．２公斤", [2]),
        ("豆豆", [1, 0]),
        ("豆豆疫苗", [0]),
        ("鹦鹉", []),
        ("？！", []),
    ],
)
async def test_words_of_every_length_and_script_are_found(
    owner: Owner, talk: list[Json], words: str, places: list[int]
) -> None:
    assert [item["text"] for item in await found(owner, q=words)] == [SAID[place] for place in places]


@pytest.mark.parametrize(
    ("period", "places"),
    [
        ({"from": "2026-03-05"}, [1]),
        ({"to": "2026-03-05"}, [1, 0]),
        ({"from": "2026-03-01", "to": "2026-03-01"}, [0]),
        ({"from": "2026-03-01T12:00:00+08:00", "to": "2026-03-01T19:00:00+08:00"}, []),
        ({"from": "2026-03-02", "to": "2026-03-04"}, []),
    ],
)
@on_sqlite
async def test_days_are_the_owners(owner: Owner, talk: list[Json], period: Json, places: list[int]) -> None:
    assert [item["text"] for item in await found(owner, q="豆豆", **period)] == [SAID[place] for place in places]


@on_sqlite
async def test_a_hit_shows_its_words_and_what_was_said_around(owner: Owner, talk: list[Json]) -> None:
    (hit,) = await found(owner, q="疫苗", context=2)
    assert {"text": "疫苗", "hit": True} in hit["snippet"]
    assert "".join(part["text"] for part in hit["snippet"]) == hit["text"]
    assert hit["before"] == []
    assert [(one["role"], one["turn_id"]) for one in hit["after"]] == [("assistant", hit["turn_id"])]


@on_sqlite
async def test_both_sides_of_the_talk_are_searched_unless_one_is_asked_for(owner: Owner, talk: list[Json]) -> None:
    roles = {item["role"] for item in (await owner.get("/chat/search", q="豆豆"))["items"]}
    assert roles == {"user", "assistant"}


@on_sqlite
async def test_pages_go_on_where_the_last_one_ended(owner: Owner, talk: list[Json]) -> None:
    first = await owner.get("/chat/search", q="豆豆", role="user", limit=1)
    rest = await owner.get("/chat/search", q="豆豆", role="user", cursor=first["next_cursor"])
    assert [item["text"] for page in (first, rest) for item in page["items"]] == [SAID[1], SAID[0]]
    assert rest["next_cursor"] is None


async def test_another_household_finds_nothing(owner: Owner, talk: list[Json], sign_in: SignIn) -> None:
    stranger = await sign_in("stranger")
    assert await found(stranger, q="疫苗") == []


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({}, "invalid_input"),
        ({"q": ""}, "invalid_input"),
        ({"q": "长" * 101}, "invalid_input"),
        ({"q": "疫苗", "from": "2026-05-01", "to": "2026-04-01"}, "implausible_value"),
        ({"q": "疫苗", "from": "昨天"}, "invalid_input"),
        ({"q": "疫苗", "context": 9}, "invalid_input"),
        ({"q": "疫苗", "cursor": "!!"}, "bad_cursor"),
    ],
)
@on_sqlite
async def test_a_query_that_cannot_be_meant_is_refused(owner: Owner, query: Json, code: str) -> None:
    assert problem(await owner.ask("GET", "/chat/search", params=query)) == (422, code)


@pytest.mark.parametrize("words", ['" OR "', "' | '", "NEAR(豆豆 疫苗)", "豆豆*", "豆豆:*", "-豆豆", "%", "\\"])
async def test_query_syntax_of_the_database_is_only_text(owner: Owner, talk: list[Json], words: str) -> None:
    answer = await owner.ask("GET", "/chat/search", params={"q": words})
    assert answer.status_code == 200


@on_sqlite
async def test_a_temporary_message_is_not_found(owner: Owner, talk: list[Json]) -> None:
    await owner.post("/chat/turns", {"text": "悄悄说一句鹦鹉", "client_msg_id": "t-1", "temporary": True})
    assert await found(owner, q="鹦鹉") == []


@pytest.mark.parametrize(
    ("asked", "on", "holds"),
    [
        ("我们是不是聊过疫苗的事", "2026-04-20T20:00:00+08:00", "2026年3月1日"),
        ("我们聊过益生菌吗", "2026-04-20T20:00:00+08:00", "“豆豆S100益生菌吃完了”"),
        ("上周我们聊过益生菌吗", "2026-03-09T20:00:00+08:00", "“豆豆S100益生菌吃完了”"),
        ("上周我们聊过遛狗吗", "2026-03-09T20:00:00+08:00", "没有找到"),
        ("我们聊过洗牙吗", "2026-04-20T20:00:00+08:00", "没有找到"),
    ],
)
@on_sqlite
async def test_the_assistant_finds_what_was_said_before(
    owner: Owner, talk: list[Json], asked: str, on: str, holds: str
) -> None:
    told = await owner.at(on).post("/chat/turns", {"text": asked, "client_msg_id": "asked"})
    assert holds in told["text"]


@on_sqlite
async def test_words_of_a_deleted_memory_are_not_quoted(owner: Owner) -> None:
    await owner.pet()
    await owner.at("2026-03-01T20:00:00+08:00").post("/chat/turns", {"text": "豆豆喜欢啃绳结", "client_msg_id": "1"})
    for memory in (await owner.get("/memories"))["items"]:
        await owner.delete(f"/memories/{memory['id']}")
    owner.at("2026-04-01T20:00:00+08:00")
    told = await owner.post("/chat/turns", {"text": "我们聊过绳结吗", "client_msg_id": "2"})
    assert "喜欢啃" not in told["text"]
