"""Corrections in plain words, also of what was said a message before, find the row and go through the same policy."""

import pytest

from tests.factories import Json, Owner

NINE, TEN, LATER = "2026-05-20T09:00:00+08:00", "2026-05-20T09:01:00+08:00", "2026-05-20T09:02:00+08:00"


async def say(owner: Owner, at: str, text: str) -> Json:
    answer: Json = await owner.at(at).post("/chat/turns", {"text": text, "client_msg_id": text})
    return answer


async def allergies(owner: Owner, pet: Json) -> set[str]:
    rows = (await owner.get(f"/pets/{pet['id']}/allergies"))["items"]
    return {row["substance"] for row in rows if row["status"] == "active"}


async def test_an_allergy_told_of_the_wrong_pet_guards_both_until_the_owner_confirms(owner: Owner) -> None:
    dog, cat = await owner.pet("豆豆", "dog"), await owner.pet("可乐", "cat")
    await say(owner, NINE, "豆豆对鸡肉过敏")
    answer = await say(owner, TEN, "刚才说错了，是可乐不是豆豆")
    assert len(answer["confirmations"]) == 1
    assert await allergies(owner, dog) == await allergies(owner, cat) == {"鸡肉"}
    await say(owner, LATER, "对，改吧")
    assert await allergies(owner, dog) == set()
    assert await allergies(owner, cat) == {"鸡肉"}


async def test_one_allergen_for_another_is_asked_about_and_the_new_one_in_force(owner: Owner) -> None:
    dog = await owner.pet("豆豆", "dog")
    await say(owner, NINE, "豆豆对鸡肉过敏")
    answer = await say(owner, TEN, "不是鸡肉，是牛肉过敏")
    assert len(answer["confirmations"]) == 1
    assert await allergies(owner, dog) == {"鸡肉", "牛肉"}


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("15号打的，不是12号", "2026-05-15"),
        ("日期写错了，是5月1日", "2026-05-01"),
        ("说错了，应该是5月11号", "2026-05-11"),
    ],
)
async def test_another_day_for_what_was_just_told_is_proposed_and_taken_on_a_yes(
    owner: Owner, words: str, day: str
) -> None:
    dog = await owner.pet("豆豆", "dog")
    await say(owner, NINE, "豆豆5月12号打了狂犬疫苗")
    answer = await say(owner, TEN, words)
    (question,) = answer["confirmations"]
    year, month, number = day.split("-")
    assert f"{year}年{int(month)}月{int(number)}日" in question["question"]
    (kept,) = (await owner.get(f"/pets/{dog['id']}/vaccinations"))["items"]
    assert kept["given_on"] == "2026-05-12"
    await owner.post(f"/confirmations/{question['id']}/answer", {"answer": "accept"})
    rows = (await owner.get(f"/pets/{dog['id']}/vaccinations"))["items"]
    assert [row["given_on"] for row in rows if row["status"] == "active"] == [day]


async def test_the_receipt_comes_before_any_question_back(owner: Owner) -> None:
    await owner.pet("豆豆", "dog")
    await say(owner, NINE, "豆豆5月12号打了狂犬疫苗")
    answer = await say(owner, TEN, "15号打的，不是12号")
    assert answer["text"].startswith("先记在待观察里")
    assert "你说的是" not in answer["text"]


async def test_food_in_brackets_beside_an_allergy_question_is_no_diet(owner: Owner) -> None:
    dog = await owner.pet("豆豆", "dog")
    await say(owner, NINE, "豆豆对鸡肉过敏")
    await say(owner, TEN, "豆豆对鸡肉不过敏了，是我记错了")
    answer = await say(owner, LATER, "今天去公园玩得很开心（带了鸡肉干）")
    assert answer["memories"] == []
    assert await allergies(owner, dog) == {"鸡肉"}


@pytest.mark.parametrize(
    ("told", "words", "proposed"),
    [
        ("豆豆今天称了5.2公斤", "体重说错了，不是5.2，是4.2公斤", "4.2"),
        ("豆豆每天吃一次奥拉替尼5.4mg", "药量我写错了，是3.6mg不是5.4mg", "3.6mg"),
        ("豆豆5月12号打了狂犬疫苗", "前面疫苗日期说错了，应该是10号", "5月10日"),
    ],
)
async def test_what_was_told_several_messages_ago_is_put_right_as_well(
    owner: Owner, told: str, words: str, proposed: str
) -> None:
    await owner.pet("豆豆", "dog")
    await say(owner, NINE, told)
    for minute, text in enumerate(("豆豆今天洗了澡", "它毛很软", "晚上吃什么好呢")):
        await say(owner, f"2026-05-20T09:0{minute + 2}:00+08:00", text)
    answer = await say(owner, "2026-05-20T09:08:00+08:00", words)
    (question,) = answer["confirmations"]
    assert proposed in question["question"]
