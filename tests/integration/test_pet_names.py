"""No two pets of a household are called alike, however they come in: nothing said of one is kept of the other."""

import asyncio
import json

import pytest
from fastapi import FastAPI

from domain.pets import Pet
from tests.conftest import SignIn, on_sqlite
from tests.factories import Json, Owner, problem
from tests.fakes.phone import say
from tests.integration.test_import import bring, export_of, zipped

TAKEN = (409, "pet_name_taken")


@pytest.mark.parametrize(
    "second",
    [
        {"name": "豆豆", "species": "dog"},
        {"name": "豆豆", "species": "cat"},
        {"name": " 豆豆 ", "species": "cat"},
        {"name": "豆子", "species": "cat"},
        {"name": "可乐", "species": "cat", "nicknames": ["豆豆"]},
        {"name": "可乐", "species": "cat", "nicknames": ["ＤＯＵ"]},
    ],
)
@on_sqlite
async def test_a_second_pet_of_a_name_is_refused_and_told_why(owner: Owner, second: Json) -> None:
    first = await owner.pet("豆豆", nicknames=["豆子", "dou"])
    refused = await owner.ask("POST", "/pets", second)
    assert problem(refused) == TAKEN
    assert refused.json()["pet_id"] == first["id"]
    assert "豆" in refused.json()["detail"] or "DOU" in refused.json()["detail"].upper()
    assert len((await owner.get("/pets"))["items"]) == 1


@pytest.mark.parametrize("status", ["memorial", "lost", "rehomed"])
@on_sqlite
async def test_the_name_of_a_pet_that_is_gone_is_its_own_until_it_is_renamed(owner: Owner, status: str) -> None:
    gone = await owner.pet("豆豆")
    await owner.put(f"/pets/{gone['id']}", {"status": status})
    new = {"name": "豆豆", "species": "dog"}
    assert problem(await owner.ask("POST", "/pets", new)) == TAKEN
    await owner.put(f"/pets/{gone['id']}", {"name": "老豆豆"})
    assert (await owner.post("/pets", new))["name"] == "豆豆"


@on_sqlite
async def test_a_pet_is_not_renamed_to_the_name_of_another(owner: Owner) -> None:
    await owner.pet("豆豆")
    other = await owner.pet("咪咪", "cat")
    for change in ({"name": "豆豆"}, {"nicknames": ["豆豆"]}):
        assert problem(await owner.ask("PUT", f"/pets/{other['id']}", change)) == TAKEN
    kept = await owner.put(f"/pets/{other['id']}", {"name": "咪咪", "nicknames": ["咪宝"], "breed": "狸花"})
    assert (kept["name"], kept["nicknames"]) == ("咪咪", ["咪宝"])


async def test_of_two_phones_at_once_only_one_gives_the_name(owner: Owner) -> None:
    asked = (owner.ask("POST", "/pets", {"name": "豆豆", "species": "dog"}) for _ in range(4))
    assert sorted(answer.status_code for answer in await asyncio.gather(*asked)) == [201, 409, 409, 409]


@on_sqlite
async def test_another_household_may_use_the_name(owner: Owner, sign_in: SignIn) -> None:
    await owner.pet("豆豆")
    assert (await (await sign_in("wang")).pet("豆豆"))["name"] == "豆豆"


@on_sqlite
async def test_a_pet_from_a_file_gets_a_name_of_its_own(owner: Owner, sign_in: SignIn) -> None:
    await owner.record(await owner.pet("豆豆"), "allergies", substance="鸡肉")
    _, export = await export_of(owner)
    export["pets"].append({**export["pets"][0], "id": "0197f0a3-11d1-7d90-a1c4-0e7f3b6a5c01"})
    other = await sign_in("other")
    mine = await other.pet("豆豆", "cat")
    packed = zipped(**{"export.json": json.dumps(export)})
    report = (await bring(other, packed)).json()
    pets = {pet["name"]: pet for pet in (await other.get("/pets"))["items"]}
    assert (set(pets), pets["豆豆"]["id"]) == ({"豆豆", "豆豆2", "豆豆3"}, mine["id"])
    assert sum("豆豆2" in note for note in report["notes"]) == 1
    assert (await other.get(f"/pets/{mine['id']}/allergies"))["items"] == []
    assert len((await other.get(f"/pets/{pets['豆豆2']['id']}/allergies"))["items"]) == 1
    assert (await bring(other, packed)).json()["restored"] == {}


@pytest.fixture
async def twins(app: FastAPI, owner: Owner) -> dict[str, str]:
    """Two pets of one name from before it was refused: a dog and a cat. Their ids by species."""
    dog = await owner.pet("豆豆")
    async with app.state.container.transactions.write() as session:
        row = await session.get(Pet, dog["id"])
        assert row is not None
        session.add(Pet(**{**row.model_dump(exclude={"id"}), "species": "cat"}))
    await owner.put(f"/pets/{dog['id']}", {"breed": "柯基"})
    return {pet["species"]: pet["id"] for pet in (await owner.get("/pets"))["items"]}


@on_sqlite
async def test_what_is_said_of_one_of_two_of_a_name_is_kept_of_neither_before_it_is_clear(
    owner: Owner, twins: dict[str, str]
) -> None:
    told = await say(owner, "豆豆对鸡肉过敏")
    assert [one["subject"] for one in told["memories"]] in ([], [None])
    assert "豆豆（柯基）" in told["text"]
    assert "豆豆（猫）" in told["text"]
    for pet_id in twins.values():
        assert (await owner.get(f"/pets/{pet_id}/allergies"))["items"] == []


@pytest.mark.parametrize(
    ("text", "species"),
    [("猫咪豆豆对鸡肉过敏", "cat"), ("豆豆（狗）对鸡肉过敏", "dog"), ("豆豆那只猫对鸡肉过敏", "cat")],
)
@on_sqlite
async def test_of_two_of_a_name_the_kind_tells_which(
    owner: Owner, twins: dict[str, str], text: str, species: str
) -> None:
    await say(owner, text)
    for kind, pet_id in twins.items():
        assert len((await owner.get(f"/pets/{pet_id}/allergies"))["items"]) == (1 if kind == species else 0)


@pytest.mark.parametrize(
    "text", ["我又养了一只猫，也叫豆豆", "新来的小猫也叫豆豆，它对鸡肉过敏", "家里新来了一只狗，名字叫豆豆"]
)
@on_sqlite
async def test_a_newcomer_of_the_same_name_is_to_be_called_otherwise(owner: Owner, text: str) -> None:
    pet = await owner.pet("豆豆")
    told = await say(owner, text)
    assert "同名" in told["text"]
    assert told["memories"] == []
    assert (await owner.get(f"/pets/{pet['id']}/allergies"))["items"] == []


@pytest.mark.parametrize("text", ["今天新来了一只小狗叫可乐", "我又领养了一只猫，叫咪咪", "家里添了新成员，小猫咪咪"])
@on_sqlite
async def test_a_newcomer_is_to_be_added_first_and_nothing_is_kept_of_another(owner: Owner, text: str) -> None:
    await owner.pet("豆豆")
    told = await say(owner, text)
    assert "添加" in told["text"]
    assert "有毒" not in told["text"]
    assert told["memories"] == []


@pytest.mark.parametrize(
    "text", ["豆豆新来了一个玩具叫小黄鸭", "我又给豆豆买了一只鸡腿", "豆豆今天又养成了新习惯", "楼下新来了一只猫叫咪咪"]
)
@on_sqlite
async def test_what_is_no_newcomer_of_ours_is_read_as_ever(owner: Owner, text: str) -> None:
    await owner.pet("豆豆")
    told = await say(owner, text)
    assert "我的宠物" not in told["text"]
