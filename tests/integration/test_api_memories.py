"""The memory page."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from app.database import Database
from tests.conftest import SignIn, on_sqlite
from tests.factories import Json, Owner, problem

MORNING = "2026-03-01T08:00:00+08:00"


@pytest.fixture
async def pet(owner: Owner) -> Json:
    return await owner.pet()


async def write(owner: Owner, pet: Json, content: str, **fields: object) -> Json:
    made: Json = await owner.post("/memories", {"subject": pet["id"], "content": content, **fields})
    return made


async def test_what_an_owner_writes_is_a_protected_fact(owner: Owner, pet: Json) -> None:
    made = await write(owner, pet, " 豆豆洗澡怕吹风机 ", topic="lifestyle")
    assert made["content"] == "豆豆洗澡怕吹风机"
    assert (made["source"], made["protected"], made["kind"], made["tier"]) == ("owner", True, "fact", "long")
    assert made["confidence"] == 1.0
    assert made["expires_at"] is None
    assert await owner.get(f"/memories/{made['id']}") == {
        k: v for k, v in made.items() if k not in ("card_full", "suggested_records")
    }


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("我的电话是13812345678，别外传", "我的电话是138****5678，别外传"),
        ("紧急联系 +86 138-1234-5678", "紧急联系 +86 138****5678"),
        ("身份证110101199003078515", "身份证110***********8515"),
        ("豆豆的芯片是900123456789012", "豆豆的芯片是900123456789012"),
    ],
)
@on_sqlite
async def test_phone_and_identity_numbers_are_masked(owner: Owner, written: str, kept: str) -> None:
    assert (await owner.post("/memories", {"subject": "owner", "content": written}))["content"] == kept


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"subject": "owner", "content": "x", "topic": "diet"}, (422, "implausible_value")),
        ({"subject": "0197f0a2-6c1e-7b44-9c55-2f1d8a4e7b10", "content": "x"}, (404, "unknown_pet")),
        ({"subject": None, "content": ""}, (422, "invalid_input")),
        ({"subject": None, "content": " \n "}, (422, "invalid_input")),
        ({"subject": None, "content": "很" * 301}, (422, "invalid_input")),
        ({"subject": None, "content": "x", "tier": "short"}, (422, "invalid_input")),
        ({"subject": None, "content": "对鸡肉过敏", "attribute_class": "allergy"}, (422, "invalid_input")),
        ({"subject": None, "content": "x", "locked": True}, (422, "invalid_input")),
    ],
)
@on_sqlite
async def test_an_impossible_memory_is_refused(owner: Owner, body: Json, expected: tuple[int, str]) -> None:
    assert problem(await owner.ask("POST", "/memories", body)) == expected
    assert (await owner.get("/memories"))["items"] == []


@on_sqlite
async def test_nothing_is_kept_without_the_owners_leave(owner: Owner, pet: Json) -> None:
    await owner.agree(granted=False)
    refused = await owner.ask("POST", "/memories", {"subject": pet["id"], "content": "豆豆喜欢绳结"})
    assert problem(refused) == (409, "consent_needed")
    assert (await owner.get("/memories"))["items"] == []
    await owner.agree()
    assert (await write(owner, pet, "豆豆喜欢绳结"))["content"] == "豆豆喜欢绳结"


@pytest.mark.parametrize(
    ("content", "suggested"),
    [
        ("豆豆对海鲜过敏", ["allergies"]),
        ("豆豆喜欢绳结", []),
        ("豆豆可能对海鲜过敏吧，不确定", []),
        ("豆豆对海鲜不过敏", []),
        ("我对海鲜过敏", []),
    ],
)
@on_sqlite
async def test_a_line_that_tells_of_an_allergy_offers_its_record(
    owner: Owner, pet: Json, content: str, suggested: list[str]
) -> None:
    made = await write(owner, pet, content)
    offered = made["suggested_records"]
    assert [(one["kind"], one["pet_id"]) for one in offered] == [(kind, pet["id"]) for kind in suggested]
    for one in offered:
        record = await owner.record(pet, one["kind"], **one["fields"])
        assert record["substance"] == "海鲜"
    assert (await owner.get(f"/memories/{made['id']}"))["content"] == content


async def test_an_edit_is_a_new_version(owner: Owner, pet: Json) -> None:
    made = await write(owner, pet, "豆豆喜欢飞盘")
    after = await owner.put(f"/memories/{made['id']}", {"content": "豆豆喜欢绳结", "version": 1})
    assert (after["content"], after["version"], after["id"]) == ("豆豆喜欢绳结", 2, made["id"])
    assert (
        problem(await owner.ask("PUT", f"/memories/{made['id']}", {"content": "x", "version": 1}))[1] == "stale_version"
    )
    history = (await owner.get(f"/memories/{made['id']}/history"))["items"]
    assert [(row["version"], row["content"], row["by"], row["reason"]) for row in history] == [
        (1, "豆豆喜欢飞盘", "owner", "owner_wrote"),
        (2, "豆豆喜欢绳结", "owner", "owner_edited"),
    ]


async def test_an_edited_line_is_found_by_its_new_words_only(owner: Owner, pet: Json) -> None:
    made = await write(owner, pet, "豆豆喜欢飞盘")
    await owner.put(f"/memories/{made['id']}", {"content": "豆豆喜欢绳结"})
    assert [one["id"] for one in (await owner.get("/memories", q="绳结"))["items"]] == [made["id"]]
    assert (await owner.get("/memories", q="飞盘"))["items"] == []


async def test_a_mirror_is_edited_in_its_record(owner: Owner, pet: Json) -> None:
    record = await owner.record(pet, "allergies", substance="鸡肉")
    mirror = (await owner.get("/memories", subject=pet["id"]))["items"][0]
    answer = await owner.ask("PUT", f"/memories/{mirror['id']}", {"content": "豆豆不过敏了"})
    assert problem(answer) == (409, "mirrored")
    assert (answer.json()["record_kind"], answer.json()["record_id"]) == ("allergies", record["id"])
    assert (await owner.post(f"/memories/{mirror['id']}/lock"))["locked"] is True


async def test_deleting_a_mirror_deletes_its_record_and_a_restore_brings_both_back(owner: Owner, pet: Json) -> None:
    record = await owner.record(pet, "allergies", substance="鸡肉")
    mirror = (await owner.get("/memories", subject=pet["id"]))["items"][0]
    await owner.delete(f"/memories/{mirror['id']}")
    assert problem(await owner.ask("GET", f"/pets/{pet['id']}/allergies/{record['id']}"))[0] == 404
    assert (await owner.get(f"/pets/{pet['id']}/card"))["items"] == []
    await owner.post(f"/memories/{mirror['id']}/restore")
    assert (await owner.get(f"/pets/{pet['id']}/allergies/{record['id']}"))["substance"] == "鸡肉"
    assert len((await owner.get(f"/pets/{pet['id']}/card"))["items"]) == 1


async def test_a_deleted_memory_is_gone_and_can_be_restored(owner: Owner, pet: Json, database: Database) -> None:
    made = await write(owner, pet, "豆豆喜欢绳结")
    await owner.delete(f"/memories/{made['id']}")
    for path in ("", "/history"):
        assert problem(await owner.ask("GET", f"/memories/{made['id']}{path}")) == (404, "not_found")
    assert (await owner.get("/memories", q="绳结"))["items"] == []
    assert await tombstones(database) == 1
    back = await owner.post(f"/memories/{made['id']}/restore")
    assert (back["status"], back["content"]) == ("active", "豆豆喜欢绳结")
    assert [one["id"] for one in (await owner.get("/memories", q="绳结"))["items"]] == [made["id"]]
    assert await tombstones(database) == 0
    assert (await owner.post(f"/memories/{made['id']}/restore"))["version"] == back["version"]


async def test_after_ten_minutes_nothing_is_restored(owner: Owner, pet: Json, database: Database) -> None:
    made = await write(owner, pet, "豆豆喜欢绳结")
    await owner.delete(f"/memories/{made['id']}")
    owner.at((datetime.now(UTC) + timedelta(days=300)).isoformat())  # the ten minutes are real ones
    await owner.post(f"/memories/{made['id']}/restore")
    await owner.delete(f"/memories/{made['id']}")
    async with database.write() as session:
        aged = "UPDATE memory_items SET deleted_at = '2020-01-01T00:00:00.000000Z' WHERE deleted_at IS NOT NULL"
        await (await session.connection()).execute(text(aged))
    assert problem(await owner.ask("POST", f"/memories/{made['id']}/restore")) == (409, "restore_too_late")


async def test_opening_counts_once_a_local_day(owner: Owner, pet: Json) -> None:
    made = await write(owner, pet, "豆豆喜欢绳结")
    for moment, viewed in ((MORNING, 1), ("2026-03-01T23:59:00+08:00", 1), ("2026-03-02T00:01:00+08:00", 2)):
        seen = await owner.at(moment).post(f"/memories/{made['id']}/view")
        assert seen["signals"] == {"cited": 0, "viewed": viewed, "hit": 0}


async def test_a_search_of_the_owner_counts_what_it_returns_once_a_day(owner: Owner, pet: Json) -> None:
    made, other = await write(owner, pet, "豆豆喜欢绳结"), await write(owner, pet, "豆豆怕打雷")
    for _ in range(2):
        await owner.at(MORNING).get("/memories", q="绳结")
    assert (await owner.get(f"/memories/{made['id']}"))["signals"]["hit"] == 1
    assert (await owner.get(f"/memories/{other['id']}"))["signals"]["hit"] == 0
    await owner.get("/memories")
    assert (await owner.get(f"/memories/{made['id']}"))["signals"]["hit"] == 1


async def test_search_finds_two_and_one_character_words_best_first(owner: Owner, pet: Json) -> None:
    await write(owner, pet, "豆豆喜欢绳结，也喜欢网球和飞盘，还有别的很多玩具")
    exact = await write(owner, pet, "最爱网球")
    await write(owner, pet, "怕打雷")
    assert (await owner.get("/memories", q="网球"))["items"][0]["id"] == exact["id"]
    assert [one["content"] for one in (await owner.get("/memories", q="雷"))["items"]] == ["怕打雷"]
    assert (await owner.get("/memories", q="！！"))["items"] == []


async def test_a_search_is_paged(owner: Owner, pet: Json) -> None:
    made = {(await write(owner, pet, f"豆豆的第{number}个绳结"))["id"] for number in range(5)}
    first = await owner.get("/memories", q="绳结", limit=3)
    rest = await owner.get("/memories", q="绳结", limit=3, cursor=first["next_cursor"])
    assert rest["next_cursor"] is None
    assert {one["id"] for one in first["items"] + rest["items"]} == made


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, {"绳结", "姜饼", "素食", "鸡肉"}),
        ({"subject": "owner"}, {"素食"}),
        ({"subject": "unassigned"}, {"姜饼"}),
        ({"tier": "core"}, {"鸡肉"}),
        ({"topic": "medical"}, {"鸡肉"}),
        ({"source": "owner"}, {"绳结", "姜饼", "素食", "鸡肉"}),
        ({"source": "chat"}, set()),
        ({"status": "candidate"}, set()),
        ({"tier": "long", "subject": "owner"}, {"素食"}),
    ],
)
@on_sqlite
async def test_the_list_is_narrowed(owner: Owner, pet: Json, wanted: Json, found: set[str]) -> None:
    await write(owner, pet, "豆豆喜欢绳结")
    await owner.post("/memories", {"content": "不知道是谁啃了姜饼"})
    await owner.post("/memories", {"subject": "owner", "content": "我吃素食"})
    await owner.record(pet, "allergies", substance="鸡肉")
    items = (await owner.get("/memories", **wanted))["items"]
    assert {word for word in ("绳结", "姜饼", "素食", "鸡肉") for one in items if word in one["content"]} == found


@on_sqlite
async def test_an_unknown_filter_value_is_refused(owner: Owner) -> None:
    assert problem(await owner.ask("GET", "/memories?tier=huge")) == (422, "invalid_input")


async def test_a_snoozed_memory_leaves_the_card_until_its_day(owner: Owner, pet: Json) -> None:
    made = await write(owner.at(MORNING), pet, "豆豆最怕打雷", tier="core")
    path = f"/pets/{pet['id']}/card"
    assert len((await owner.get(path))["items"]) == 1
    await owner.post(f"/memories/{made['id']}/snooze", {"until": "2026-03-10T00:00:00+08:00"})
    assert (await owner.get(path))["items"] == []
    assert len((await owner.at("2026-03-10T00:00:01+08:00").get(path))["items"]) == 1
    await owner.post(f"/memories/{made['id']}/snooze", {"until": None})
    assert len((await owner.at(MORNING).get(path))["items"]) == 1


async def test_the_card_counts_what_it_shows(owner: Owner, pet: Json) -> None:
    await write(owner, pet, "豆豆最怕打雷🐶", tier="core")
    await write(owner, pet, "e\u0301" * 3, tier="core")  # three characters after NFC
    card = await owner.get(f"/pets/{pet['id']}/card")
    assert (card["used_items"], card["limit_items"]) == (2, 20)
    assert (card["used_chars"], card["limit_chars"]) == (7 + 3, 1500)
    mine = await owner.get("/me/card")
    assert (mine["used_chars"], mine["limit_chars"]) == (0, 600)


@on_sqlite
async def test_a_full_card_keeps_what_may_not_move_and_says_so(owner: Owner, pet: Json) -> None:
    for number in range(20):
        assert (await write(owner, pet, f"第{number}条", tier="core"))["card_full"] is False
    late = await write(owner, pet, "第二十一条", tier="core")
    assert (late["card_full"], late["tier"]) == (True, "long")
    assert (await owner.get(f"/pets/{pet['id']}/card"))["used_items"] == 20


async def test_the_three_groups_tell_their_counts(owner: Owner, pet: Json) -> None:
    await write(owner, pet, "豆豆喜欢绳结")
    groups = (await owner.get("/memories/groups"))["items"]
    assert [(one["label"], one["count"]) for one in groups] == [("自动记的", 0), ("你写的", 1), ("系统整理的", 0)]
    assert all(one["sentence"] for one in groups)


async def test_what_chat_taught_carries_its_evidence(owner: Owner, pet: Json) -> None:
    answer = await owner.ask("POST", "/chat/turns", {"text": "豆豆对牛肉过敏，吃了就起疹子", "client_msg_id": "m1"})
    assert answer.status_code == 200
    allergies = (await owner.get(f"/pets/{pet['id']}/allergies"))["items"]
    assert [one["evidence"][0]["quote"] in "豆豆对牛肉过敏，吃了就起疹子" for one in allergies] == [True]
    mirror = (await owner.get("/memories", topic="medical"))["items"][0]
    assert mirror["evidence"] == allergies[0]["evidence"]
    assert mirror["evidence"][0]["source"] == "chat"


async def test_what_was_deleted_is_not_learned_again_from_the_same_message(
    owner: Owner, pet: Json, database: Database
) -> None:
    await owner.ask("POST", "/chat/turns", {"text": "豆豆特别爱玩绳结", "client_msg_id": "m1"})
    before = (await owner.get("/memories", subject=pet["id"]))["items"]
    for one in before:
        await owner.delete(f"/memories/{one['id']}")
    assert await tombstones(database) == len(before)
    assert (await owner.get("/memories", subject=pet["id"]))["items"] == []


async def test_two_owners_never_see_each_other(sign_in: SignIn) -> None:
    lin, wang = await sign_in("lin"), await sign_in("wang")
    pet = await lin.pet()
    made = await write(lin, pet, "豆豆喜欢绳结")
    assert (await wang.get("/memories"))["items"] == []
    assert (await wang.get("/memories", q="绳结"))["items"] == []
    assert (await wang.get("/memories", subject=pet["id"]))["items"] == []
    answer = await wang.ask("POST", "/memories", {"subject": pet["id"], "content": "x"})
    assert problem(answer) == (404, "unknown_pet")
    assert problem(await wang.ask("PUT", f"/memories/{made['id']}", {"content": "x"})) == (404, "not_found")


async def tombstones(database: Database) -> int:
    async with database.read() as session:
        count = await (await session.connection()).scalar(text("SELECT count(*) FROM tombstones"))
    return int(count or 0)
