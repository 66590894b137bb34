"""The doctor names what an operator has to put right, and nothing that is right."""

import pytest

from app.cli import main
from app.settings import Settings
from app.wechat_doctor import examine, tell_mismatches
from app.wechat_templates import templates_of
from domain.mini_links import CONFIRMATION_PAGE
from domain.wechat import WeChatUnavailable
from tests.conftest import on_sqlite
from tests.fakes.wechat.server import FakeWeChat
from tests.fakes.wechat.world import APPID, SECRET, TEMPLATE_IDS

NOBODY = "https://127.0.0.1:9"  # nobody listens on the discard port


async def wrong(settings: Settings) -> dict[str, str]:
    return {one.what: one.words async for one in examine(settings, 1_780_000_000) if not one.good}


@on_sqlite
async def test_what_is_right_is_not_complained_of(settings: Settings, fake: FakeWeChat) -> None:
    fake.world.pages.add(CONFIRMATION_PAGE)
    told = await wrong(settings.model_copy(update={"public_url": NOBODY}))
    assert list(told) == ["message push"]


@on_sqlite
@pytest.mark.parametrize(
    ("kind", "word"),
    [("errcode:40013", "WECHAT_APPID"), ("errcode:40125", "WECHAT_SECRET"), ("http_502", "gives no answer")],
)
async def test_a_token_that_is_refused_is_explained(settings: Settings, fake: FakeWeChat, kind: str, word: str) -> None:
    fake.inject("/cgi-bin/stable_token", kind)
    assert word in (await wrong(settings))["access token"]


@on_sqlite
async def test_the_address_that_is_not_let_in_is_named(settings: Settings, fake: FakeWeChat) -> None:
    fake.world.apps[APPID].whitelist = set()
    assert "127.0.0.1" in (await wrong(settings))["access token"]


@on_sqlite
async def test_templates_pages_and_calls_are_looked_at(settings: Settings, fake: FakeWeChat) -> None:
    fake.world.templates[TEMPLATE_IDS["reminder"]].keys = ["thing1"]
    fake.inject("/wxa/msg_sec_check", "errcode:48001")
    told = await wrong(settings)
    assert "template reminder" in told["subscribe templates"]
    assert "category" in told["text check"]
    assert "not in the published version" in told[f"page {CONFIRMATION_PAGE}"]
    assert "page pages/vet/index" not in told
    assert SECRET not in str(told)


def test_without_any_settings_the_command_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.chdir(str(tmp_path))
    assert main(["wechat", "doctor"]) == 1
    assert "WRONG WECHAT_SECRET: must be set" in capsys.readouterr().out


async def test_a_start_survives_a_console_that_cannot_be_asked() -> None:
    async def away() -> dict[str, tuple[str, ...]]:
        raise WeChatUnavailable()

    templates = templates_of({"reminder": {"id": "t"}}, production=True)
    await tell_mismatches(templates, away)
