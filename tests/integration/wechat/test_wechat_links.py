"""Codes and links into the mini-program: made once, never a picture of an error."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest
from fastapi import FastAPI

from app.container import Container
from domain.files import FileMissing
from domain.mini_links import BadScene, MiniLinks
from domain.wechat import WeChatFault, WeChatMisconfigured
from tests.factories import Owner, problem
from tests.fakes.phone import say
from tests.fakes.wechat import codes
from tests.fakes.wechat.server import FakeWeChat

CODE = "/wxa/getwxacodeunlimit"


@pytest.fixture
def links(app: FastAPI) -> MiniLinks:
    container: Container = app.state.container
    assert container.mini_links is not None
    return container.mini_links


async def test_a_share_has_a_code_that_carries_its_token(
    owner: Owner, client: httpx.AsyncClient, fake: FakeWeChat
) -> None:
    pet = await owner.pet("豆豆")
    share = await owner.post(f"/pets/{pet['id']}/shares", {"expires_in_hours": 1})
    answers = [await client.get(share["mini_code_url"], headers={"Authorization": ""}) for _ in range(2)]
    assert {answer.headers["content-type"] for answer in answers} == {"image/png"}
    assert answers[0].content == answers[1].content
    assert fake.world.calls(CODE) == 1
    (asked,) = [one.body.decode() for one in fake.world.requests if one.path == CODE]
    assert share["url"].rpartition("/")[2] in asked
    assert pet["id"] not in asked
    await owner.delete(f"/shares/{share['id']}")
    assert problem(await client.get(share["mini_code_url"]))[0] == 404


@pytest.mark.parametrize(
    "kind", ["errcode:40169", "errcode:41030", "errcode:45009", "http_200_html", "empty_body", "text_plain", "http_502"]
)
async def test_an_error_is_never_kept_as_a_picture(links: MiniLinks, fake: FakeWeChat, kind: str) -> None:
    if kind == "text_plain":
        fake.world.pages.clear()
    else:
        fake.inject(CODE, kind)
    with pytest.raises(WeChatFault):
        await links.code("household", "token", "pages/vet/index")
    with pytest.raises(FileMissing):
        await links._files.get("mini-codes/household")
    fake.world.pages.add("pages/vet/index")
    assert (await links.code("household", "token", "pages/vet/index")).startswith(b"\x89PNG")


@pytest.mark.parametrize("scene", ["", "a" * 33, "a&b", "豆豆", "a%20b", "a b"])
async def test_what_a_code_cannot_carry_is_not_asked_for(links: MiniLinks, fake: FakeWeChat, scene: str) -> None:
    with pytest.raises(BadScene):
        await links.code("household", scene, "")
    assert fake.world.calls(CODE) == 0


async def test_empty_optionals_are_left_out(links: MiniLinks, fake: FakeWeChat) -> None:
    await links.code("household", "token", "")
    (asked,) = [one.body for one in fake.world.requests if one.path == CODE]
    assert asked == b'{"scene":"token"}'


async def test_a_link_is_made_once_and_renewed_before_it_ends(links: MiniLinks, fake: FakeWeChat) -> None:
    fake.world.pages.add("pages/confirmation/index")
    links._now = lambda: datetime.fromtimestamp(fake.world.now, UTC)
    first = await links.confirmation_link("c-1")
    assert await links.confirmation_link("c-1") == first
    opened = codes.opened(fake.world, first)
    assert opened is not None
    assert (opened["path"], opened["query"]) == ("pages/confirmation/index", "id=c-1")
    fake.world.now += timedelta(days=29, minutes=1).total_seconds()
    assert await links.confirmation_link("c-1") != first
    assert len(fake.world.links) == 2


async def test_a_page_that_is_not_published_is_the_operators_business(links: MiniLinks) -> None:
    with pytest.raises(WeChatMisconfigured):
        await links.link("pages/nowhere/index", "")
    with pytest.raises(ValueError, match="1,024"):
        await links.link("pages/vet/index", "x" * 1025)


async def test_a_share_has_a_link_that_opens_the_mini_program_until_it_is_revoked(owner: Owner) -> None:
    pet = await owner.post("/pets", {"name": "豆豆", "species": "dog"})
    share = await owner.post(f"/pets/{pet['id']}/shares", {"expires_in_hours": 1})
    link = await owner.get(f"/shares/{share['id']}/url-link")
    assert link["url_link"].startswith("https://")
    assert await owner.get(f"/shares/{share['id']}/url-link") == link
    await owner.delete(f"/shares/{share['id']}")
    assert problem(await owner.ask("GET", f"/shares/{share['id']}/url-link")) == (404, "unknown_share")


async def test_an_open_question_has_a_link_until_it_is_settled(owner: Owner, fake: FakeWeChat) -> None:
    fake.world.pages.add("pages/confirmation/index")
    pet = await owner.pet("豆豆")
    await owner.record(pet, "allergies", substance="鸡肉")
    await say(owner, "豆豆对鸡肉不过敏，是我记错了")
    (question,) = (await owner.get("/confirmations", status="pending"))["items"]
    link = await owner.get(f"/confirmations/{question['id']}/url-link")
    opened = codes.opened(fake.world, link["url_link"])
    assert opened is not None
    assert (opened["path"], opened["query"]) == ("pages/confirmation/index", f"id={question['id']}")
    await owner.post(f"/confirmations/{question['id']}/answer", {"answer": "keep"})
    assert await owner.get(f"/confirmations/{question['id']}/url-link") == {"url_link": None}
