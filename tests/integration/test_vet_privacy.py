"""What a vet never sees: another pet, the owner's number or name, chat beyond allowed evidence, memory's prose."""

import json

import httpx
import pytest
from fastapi import FastAPI

from tests.factories import Json, Owner
from tests.vet_household import PLANTED, moment

KINDS = ("allergies", "conditions", "medications", "vaccinations", "dewormings", "weights", "visits", "observations")


@pytest.fixture
async def dog(owner: Owner) -> Json:
    """A dog beside a cat, both with records, chat about both, and an owner with a name and a number."""
    made = await owner.pet("豆豆", nicknames=["豆子"])
    cat = await owner.pet(PLANTED["other_pet"], "cat", nicknames=["PLANTED咪"])
    await owner.put("/me", {"nickname": PLANTED["nickname"]})
    await owner.record(cat, "allergies", substance=PLANTED["other_allergy"])
    await owner.record(
        made,
        "visits",
        clinic="阳光动物医院",
        reason="皮肤瘙痒",
        note=f"{PLANTED['both']}，拉稀。豆豆是跟着{PLANTED['other_pet']}一起去的，电话{PLANTED['phone']}",
    )
    await owner.record(made, "observations", code="symptom", name="抓耳朵", occurred_at=moment(1))
    for number, text in enumerate(
        (
            f"{PLANTED['chat']}，我电话{PLANTED['phone']}",
            "豆豆对牛肉过敏，吃了就抓耳朵",
            f"豆豆和{PLANTED['other_pet']}都对虾过敏",
            "豆豆特别喜欢PLANTED绳结玩具",
            f"{PLANTED['other_pet']}今天吐了三次",
        )
    ):
        await owner.post("/chat/turns", {"text": text, "client_msg_id": f"m{number}"})
    await owner.post("/memories", {"subject": made["id"], "content": "豆豆PLANTED最怕打雷"})
    return made


async def views(owner: Owner, pet: Json, client: httpx.AsyncClient, **fields: object) -> dict[str, str]:
    """Everything a share shows, by address."""
    share = await owner.post(f"/pets/{pet['id']}/shares", {"expires_in_hours": 1, **fields})
    paths = ["", "?lang=en", "/record.json", "/fhir", *(f"?list={kind}" for kind in (*KINDS, "diets"))]
    shown = {path: await client.get(share["url"] + path) for path in paths}
    assert all(answer.status_code == 200 for answer in shown.values())
    return {path: json.dumps(answer.json(), ensure_ascii=False) if path.startswith("/") else answer.text
            for path, answer in shown.items()}  # fmt: skip


async def test_no_planted_word_reaches_a_vet(owner: Owner, dog: Json, client: httpx.AsyncClient) -> None:
    for path, text in (await views(owner, dog, client)).items():
        assert "PLANTED" not in text, path
        assert PLANTED["phone"] not in text, path
        assert owner.id not in text, path


async def test_the_pets_own_facts_are_all_there(owner: Owner, dog: Json, client: httpx.AsyncClient) -> None:
    shown = await views(owner, dog, client)
    for word in ("牛肉", "虾", "皮肤瘙痒", "抓耳朵"):
        assert word in shown[""], word
        assert word in shown["/record.json"], word


async def test_owners_words_go_along_only_when_allowed(owner: Owner, dog: Json, client: httpx.AsyncClient) -> None:
    words = "吃了就抓耳朵"
    allowed = await views(owner, dog, client)
    quotes = [quote for row in json.loads(allowed["/record.json"])["current"]["allergies"] for quote in row["evidence"]]
    assert any(quote["text"] and "牛肉" in quote["text"] for quote in quotes)
    assert any(quote["text"] is None for quote in quotes), "words about both pets are withheld"
    refused = await views(owner, dog, client, quotes=False)
    assert all(not row["evidence"] for row in json.loads(refused["/record.json"])["current"]["allergies"])
    assert f"「豆豆对牛肉过敏，{words}" not in refused[""]
    assert "<q>" not in refused[""]


@pytest.mark.parametrize(
    ("sections", "hidden"),
    [
        (["alerts"], ["柯基", "速诺", "慢性肾病", "狂犬疫苗", "12.3", "肠胃炎", "低敏粮"]),
        (["identity", "medications"], ["鸡肉", "慢性肾病", "狂犬疫苗", "12.3", "肠胃炎", "吐黄水", "低敏粮"]),
        (["diet"], ["柯基", "鸡肉", "速诺", "慢性肾病", "狂犬疫苗", "12.3", "肠胃炎", "吐黄水"]),
    ],
)
async def test_a_part_that_is_not_shared_is_nowhere(
    owner: Owner, client: httpx.AsyncClient, sections: list[str], hidden: list[str]
) -> None:
    from miniprogram_api.examples import RECORD_INPUTS

    pet = await owner.at("2026-03-02T08:00:00+08:00").pet("豆豆", breed="柯基")
    for kind, fields in RECORD_INPUTS.items():
        await owner.record(pet, kind, **fields)
    for path, text in (await views(owner.at(None), pet, client, sections=sections)).items():
        for word in hidden:
            assert word not in text, f"{path}: {word}"


async def test_a_guess_or_a_rejected_line_is_no_record(owner: Owner, client: httpx.AsyncClient, app: FastAPI) -> None:
    pet = await owner.pet("豆豆")
    for number, text in enumerate(("豆豆好像对花生过敏", "豆豆可能有点挑食，听说是换季")):
        await owner.post("/chat/turns", {"text": text, "client_msg_id": f"g{number}"})
    shown = json.loads((await views(owner, pet, client))["/record.json"])
    doubtful = [row for row in shown["current"]["allergies"] if row["title"] == "花生"]
    assert [(row["status"], row["confidence"]) for row in doubtful] == [("provisional", "doubtful")]
    assert "挑食" not in json.dumps(shown, ensure_ascii=False)


async def test_what_owners_write_is_never_markup(owner: Owner, client: httpx.AsyncClient) -> None:
    pet = await owner.pet("豆豆", breed="<b>柯基</b>")
    await owner.record(pet, "allergies", substance="<img src=x onerror=alert(1)>", note="\"'><script>alert(1)</script>")
    shown = await views(owner, pet, client)
    for path, text in shown.items():
        if not path.startswith("/"):
            assert "<script" not in text, path
            assert "<img" not in text, path
            assert "<b>" not in text, path
