"""A household whose dog has something of everything a vet wants to see, beside a cat nothing may be seen of."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from domain.owners import POLICIES

Json = dict[str, Any]
PLANTED = {
    "other_pet": "PLANTED咪咪",
    "other_allergy": "PLANTED三文鱼",
    "chat": "PLANTED今天心情很差",
    "quote": "PLANTED豆豆一吃牛肉就抓耳朵",
    "both": "PLANTED咪咪吐了三次",
    "phone": "13812345678",
    "nickname": "PLANTED林小姐",
}
"""Words that may reach a vet only where the test says so."""


def day(ago: int) -> str:
    """The date so many days back."""
    return (datetime.now(UTC) - timedelta(days=ago)).date().isoformat()


def moment(ago: int) -> str:
    """Noon, UTC, so many days back."""
    return f"{day(ago)}T04:00:00+00:00" if ago else (datetime.now(UTC) - timedelta(minutes=5)).isoformat()


class Household:
    """One owner on the service at `base`, signed in as `dev:<name>`."""

    def __init__(self, base: str, name: str, client: httpx.Client | None = None) -> None:
        self.client = client or httpx.Client(base_url=base)
        tokens = self.call("POST", "/auth/wechat", {"code": f"dev:{name}"})
        self.client.headers["Authorization"] = f"Bearer {tokens['access_token']}"
        consent = {"purpose": "long_term_memory", "version": POLICIES["long_term_memory"].version, "granted": True}
        self.call("PUT", "/me/consents", consent)

    def call(self, method: str, path: str, body: Json | None = None) -> Json:
        """One call that must succeed."""
        answer = self.client.request(method, f"/v1{path}", json=body)
        assert answer.is_success, f"{method} {path} → {answer.status_code} {answer.text}"
        made: Json = answer.json() if answer.content else {}
        return made

    def pet(self, name: str, species: str, **fields: Any) -> Json:
        """A new pet."""
        return self.call("POST", "/pets", {"name": name, "species": species, **fields})

    def record(self, pet: Json, kind: str, **fields: Any) -> Json:
        """A new record."""
        return self.call("POST", f"/pets/{pet['id']}/{kind}", fields)

    def say(self, text: str, number: int) -> Json:
        """One chat turn."""
        return self.call("POST", "/chat/turns", {"text": text, "client_msg_id": f"m{number}"})

    def share(self, pet: Json, **fields: Any) -> Json:
        """A share of a day."""
        return self.call("POST", f"/pets/{pet['id']}/shares", {"expires_in_hours": 24, **fields})


def _add_history(home: Household, dog: Json) -> None:
    """Visits, shots, dewormings and food, below the first screen."""
    for ago in (40, 160, 300):
        home.record(
            dog,
            "visits",
            clinic="阳光动物医院",
            reason="复查心脏",
            diagnosis="二尖瓣退行性病变",
            treatment="心超，续药",
            visited_on=day(ago),
            next_on=day(ago - 60),
        )
    home.record(
        dog, "vaccinations", product="狂犬疫苗", given_on=day(300), lot_number="20251103", clinic="阳光动物医院"
    )
    home.record(dog, "vaccinations", product="八联疫苗", given_on=day(350))
    home.record(dog, "dewormings", product="大宠爱", target="external", given_on=day(20))
    home.record(dog, "diets", food="低敏粮", brand="皇家", amount="60克", frequency="一天两顿", started_on=day(90))


def full_record(home: Household) -> Json:
    """A dog with six rows in every list of the first screen, a year of weights, and history below."""
    dog = home.pet(
        "豆豆",
        "dog",
        breed="柯基",
        sex="male",
        neutered=True,
        born_on="2019-04-01",
        born_on_precision="month",
        microchip="156000000000001",
    )
    for substance, reaction, risk in (
        ("鸡肉", "抓耳朵、起红疹", "high"),
        ("头孢", "面部肿胀", "high"),
        ("牛奶", "腹泻", "low"),
        ("尘螨", "舔爪", "low"),
        ("跳蚤唾液", "尾根脱毛", "unknown"),
        ("三文鱼", None, "unknown"),
        ("小麦", "软便", "low"),
    ):
        home.record(dog, "allergies", substance=substance, reaction=reaction, criticality=risk, onset_on=day(400))
    for product, dose, often in (
        ("匹莫苯丹", "一次1片", "一天两次"),
        ("呋塞米", "一次半片", "一天一次"),
        ("奥拉替尼", "一次1片", "一天一次"),
        ("关节补充剂", "一次2粒", "一天一次"),
        ("益生菌", "一次1包", "一天一次"),
        ("滴眼液", "一次1滴", "一天三次"),
    ):
        home.record(dog, "medications", product=product, dose_text=dose, frequency_text=often, started_on=day(60))
    for name, stage in (
        ("二尖瓣退行性病变", "B2期"),
        ("特应性皮炎", None),
        ("髋关节发育不良", "轻度"),
        ("慢性肾病", "IRIS 1期"),
        ("干眼症", None),
        ("肥胖", None),
    ):
        home.record(dog, "conditions", name=name, stage=stage, onset_on=day(500), onset_on_precision="month")
    for ago, sign in enumerate(("呼吸困难", "抽搐", "尿不出来", "便血", "站不起来", "牙龈发白"), start=1):
        home.record(dog, "observations", code="symptom", name=sign, occurred_at=moment(ago))
    for ago in range(20, 200, 15):
        home.record(dog, "observations", code="symptom", name="咳嗽", value=2, unit="次", occurred_at=moment(ago))
    for week in range(40):
        kg = round(13.6 - week * 0.03 + (week % 5) * 0.08, 2)
        home.record(dog, "weights", value=kg, unit="kg", measured_at=moment(week * 9))
    _add_history(home, dog)
    home.say("豆豆对鸡肉不过敏了，是我记错了", 1)
    home.say("豆豆以后不用吃呋塞米了，停了", 2)
    return dog
