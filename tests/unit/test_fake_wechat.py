"""The fake of WeChat is held to WeChat's manual."""

import json

import httpx
import pytest

from tests import golden_pushes as golden
from tests.fakes.wechat import crypto, subscribe
from tests.fakes.wechat.events import Form, written
from tests.fakes.wechat.field_rules import acceptable
from tests.fakes.wechat.server import fake_wechat
from tests.fakes.wechat.world import APPID, SECRET, World


@pytest.mark.parametrize(("stamps", "expected"), golden.SIGNATURES)
def test_signatures_are_those_of_the_manual(stamps: tuple[str, str], expected: str) -> None:
    assert crypto.digest(golden.TOKEN, *stamps) == expected


def test_encryption_is_that_of_the_manual() -> None:
    assert crypto.unlock(golden.KEY, golden.INCOMING) == (
        golden.INCOMING_PREFIX,
        golden.INCOMING_MESSAGE,
        golden.APPID,
    )
    assert crypto.digest(golden.TOKEN, *golden.INCOMING_AT, golden.INCOMING) == golden.INCOMING_SIGNATURE
    assert crypto.lock(golden.KEY, golden.APPID, golden.INCOMING_MESSAGE, golden.INCOMING_PREFIX) == golden.INCOMING
    assert crypto.lock(golden.KEY, golden.APPID, golden.OUTGOING_MESSAGE, golden.OUTGOING_PREFIX) == golden.OUTGOING
    assert crypto.digest(golden.TOKEN, *golden.OUTGOING_AT, golden.OUTGOING) == golden.OUTGOING_SIGNATURE


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("thing1", "豆豆的疫苗到期了"),
        ("thing1", "字" * 20),
        ("number2", "-12.5"),
        ("letter1", "Abc"),
        ("symbol1", "！？"),
        ("character_string1", "A-12/b"),
        ("time3", "09:00"),
        ("time3", "2026年3月1日 09:00~10:30"),
        ("date4", "2026年3月"),
        ("date4", "2026-03-01 09:00"),
        ("amount5", "¥12.50元"),
        ("phone_number6", "+86-13800138000"),
        ("car_number1", "京A12345"),
        ("name7", "小林"),
        ("name7", "Xiao Lin"),
        ("phrase8", "已完成"),
    ],
)
def test_good_values_are_taken(key: str, value: str) -> None:
    assert acceptable(key, value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("thing1", "字" * 21),
        ("thing1", "🐶" * 11),
        ("thing1", ""),
        ("thing1", "一\n二"),
        ("number2", "１２"),
        ("symbol1", "汉字"),
        ("character_string1", "豆豆"),
        ("time3", "2026-03-01T09:00:00+08:00"),
        ("date4", "明天"),
        ("name7", "一二三四五六七八九十一"),
        ("phrase8", "已经完成了吗"),
        ("enum1", "别的"),
    ],
)
def test_bad_values_are_not(key: str, value: str) -> None:
    assert not acceptable(key, value)


@pytest.mark.parametrize(("items", "kind"), [(1, dict), (2, list)])
def test_a_list_of_one_is_an_object_in_json(items: int, kind: type) -> None:
    rows = [{"TemplateId": str(number), "PopupScene": 0} for number in range(items)]
    event = {"Event": "subscribe_msg_popup_event", "List": rows}
    assert isinstance(json.loads(written(dict(event), 0, Form()))["List"], kind)
    assert isinstance(json.loads(written(dict(event), 0, Form(always_array=True)))["List"], list)
    assert written(dict(event), 0, Form(xml=True)).count(b"<List>") == items


async def test_errors_are_http_200_and_tokens_come_in_two_families() -> None:
    async with fake_wechat() as fake, httpx.AsyncClient(base_url=fake.address) as client:
        grant = {"grant_type": "client_credential", "appid": APPID, "secret": SECRET}
        plain = [(await client.get("/cgi-bin/token", params=grant)).json()["access_token"] for _ in range(2)]
        stable = [(await client.post("/cgi-bin/stable_token", json=grant)).json()["access_token"] for _ in range(2)]
        refused = await client.get("/cgi-bin/stable_token", params=grant)
        missing = await client.post("/wxa/msg_sec_check", json={})
        form = await client.post("/cgi-bin/stable_token", data=grant)
    assert plain[0] != plain[1]
    assert stable[0] == stable[1]
    assert [answer.status_code for answer in (refused, missing, form)] == [200, 200, 200]
    assert [answer.json()["errcode"] for answer in (refused, missing, form)] == [43002, 41001, 47001]


async def test_the_levers_work_over_http() -> None:
    async with fake_wechat() as fake, httpx.AsyncClient(base_url=fake.address) as client:
        openid = (await client.post("/_fake/user", json={})).json()["openid"]
        code = (await client.post("/_fake/login_code", json={"openid": openid})).json()["code"]
        query = {"appid": APPID, "secret": SECRET, "js_code": code}
        first = await client.get("/sns/jscode2session", params=query)
        again = await client.get("/sns/jscode2session", params=query)
        await client.post("/_fake/advance", json={"seconds": 60})
        seen = (await client.get("/_fake/requests")).json()
    assert (first.json()["openid"], first.headers["content-type"]) == (openid, "text/plain")
    assert again.json()["errcode"] == 40163
    assert [one["path"] for one in seen] == ["/sns/jscode2session"] * 2


def test_an_accept_is_one_more_send() -> None:
    world = World()
    person, template = world.person(), world.template("thing1")
    subscribe.answer_popup(world, person.openid, {template.id: "accept"})
    assert world.quota[(person.openid, template.id)] == 1
    (event,) = world.due()
    assert event["Event"] == "subscribe_msg_popup_event"
