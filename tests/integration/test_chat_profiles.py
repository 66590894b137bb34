"""What the talk says of a pet's own page, and what the cards show after the message that changed them."""

import pytest

from tests.factories import Owner

Say = dict[str, object]


async def _say(owner: Owner, text: str, number: int) -> Say:
    said: Say = await owner.post("/chat/turns", {"text": text, "client_msg_id": f"profile-{number}"})
    return said


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("豆豆已经绝育了", "neutered", True),
        ("豆豆是公的", "sex", "male"),
        ("豆豆生日是2022年5月1号", "born_on", "2022-05-01"),
    ],
)
async def test_an_open_field_of_the_page_is_filled_by_the_talk(
    owner: Owner, text: str, field: str, value: object
) -> None:
    pet = await owner.pet("豆豆", "dog")
    said = await _say(owner, text, 1)
    assert said["status"] == "done", said
    page = await owner.get(f"/pets/{pet['id']}")
    assert page[field] == value


@pytest.mark.parametrize(
    ("text", "known", "born"),
    [
        ("豆豆的生日改成3月5号", "2019-03-02", "2019-03-05"),
        ("豆豆生日是12月20号", "2019-03-02", "2019-12-20"),
        ("豆豆生日是2020年3月5号", "2019-03-02", "2020-03-05"),
        ("豆豆生日是12月20号", None, None),
    ],
)
async def test_a_birthday_without_a_year_falls_into_the_year_that_is_known(
    owner: Owner, text: str, known: str | None, born: str | None
) -> None:
    pet = await owner.pet("豆豆", "dog", born_on=known) if known else await owner.pet("豆豆", "dog")
    await _say(owner, text, 1)
    assert (await owner.get(f"/pets/{pet['id']}"))["born_on"] == born


async def test_a_new_allergy_clears_no_known_allergies_and_stands_on_the_card(owner: Owner) -> None:
    pet = await owner.pet("豆豆", "dog", no_known_allergies=True)
    said = await _say(owner, "豆豆对鸡肉过敏，吃了会吐", 1)
    assert said["status"] == "done", said
    assert (await owner.get(f"/pets/{pet['id']}"))["no_known_allergies"] is False
    card = await owner.get(f"/pets/{pet['id']}/card")
    assert any("鸡肉" in item["content"] for item in card["items"])


async def test_an_open_question_is_answered_in_words_and_never_changed_by_the_review(owner: Owner) -> None:
    pet = await owner.pet("豆豆", "dog")
    await _say(owner, "豆豆对鸡肉过敏", 1)
    asked = await _say(owner, "豆豆不是鸡肉过敏，是我记错了", 2)
    assert "要改成「豆豆对鸡肉不过敏」吗" in str(asked["text"])
    await _say(owner, "是的，改吧", 3)
    records = (await owner.get(f"/pets/{pet['id']}/allergies"))["items"]
    assert [record["status"] for record in records] == ["refuted"]


async def test_a_pure_question_leaves_nothing_behind(owner: Owner) -> None:
    await owner.pet("豆豆", "dog")
    await _say(owner, "豆豆对鸡肉过敏", 1)
    asked = await _say(owner, "豆豆能吃鸡胸肉冻干吗", 2)
    assert asked["memories"] == []
    assert "别给" in str(asked["text"])


@pytest.mark.parametrize(
    "text", ["对乙酰氨基酚给咪咪每公斤几毫克", "咪咪感冒，给她吃了半片泰诺", "今天给咪咪喂点布洛芬止痛"]
)
async def test_a_plan_that_would_harm_is_never_only_noted(owner: Owner, text: str) -> None:
    await owner.pet("咪咪", "cat")
    said = await _say(owner, text, 1)
    warned = str(said["text"]) + str(said["alerts"])
    assert any(word in warned for word in ("先问医生", "急诊", "医院", "禁用")), said


@pytest.mark.parametrize(
    ("text", "on", "precision"),
    [
        ("豆豆做了体内驱虫", "2026-07-13", "month"),
        ("豆豆今天做了体内驱虫", "2026-07-13", "day"),
        ("豆豆以前打过狂犬疫苗", None, "unknown"),
    ],
)
async def test_what_was_just_done_without_a_day_is_dated_to_the_month(
    owner: Owner, text: str, on: str | None, precision: str
) -> None:
    pet = await owner.pet("豆豆", "dog")
    await _say(owner.at("2026-07-13T09:00:00+08:00"), text, 1)
    kind = "vaccinations" if "疫苗" in text else "dewormings"
    records = (await owner.get(f"/pets/{pet['id']}/{kind}"))["items"]
    assert [(record["given_on"], record["given_on_precision"]) for record in records] == [(on, precision)]


@pytest.mark.parametrize("text", ["布洛芬给豆豆每公斤几毫克", "豆豆12公斤，伊维菌素打几毫升", "豆豆吃多少片速诺"])
async def test_asking_for_a_dose_makes_no_medication(owner: Owner, text: str) -> None:
    pet = await owner.pet("豆豆", "dog")
    await _say(owner, text, 1)
    assert (await owner.get(f"/pets/{pet['id']}/medications"))["items"] == []


@pytest.mark.parametrize(
    ("text", "breed"),
    [("我家豆豆不是柯基，是柴犬", "柴犬"), ("它是柴犬不是柯基", "柴犬"), ("豆豆的品种是博美", "博美")],
)
async def test_the_breed_on_the_page_is_put_right_by_the_talk(owner: Owner, text: str, breed: str) -> None:
    pet = await owner.pet("豆豆", "dog", breed="柯基")
    said = await _say(owner, text, 1)
    assert f"豆豆是{breed}" in str(said["text"])
    assert (await owner.get(f"/pets/{pet['id']}"))["breed"] == breed
    assert f"豆豆是{breed}" in str((await _say(owner, "豆豆是什么品种", 2))["text"])
