"""What every browser test needs: the real service on a free port, and a headless Chromium."""

import re
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from app.main import create_app
from app.settings import Settings
from tests.browser_owner import DESK, PATIENCE_MS, note, sign_in
from tests.chromium import FLAGS, chromium_path


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the real service, which runs in a thread until the tests are over."""
    settings = Settings(
        env="test", data_dir=tmp_path_factory.mktemp("data"), database_url="", embedder="none", _env_file=None
    )
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
        server = uvicorn.Server(uvicorn.Config(create_app(settings), log_config=None))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [free]})
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.02)
        assert server.started
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, driven over its own protocol."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser, service: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page on a desk, signed in as an owner of this test's own; whatever it complains about fails the test."""
    complaints: list[str] = []
    context = browser.new_context(viewport=DESK, locale="zh-CN", timezone_id="Asia/Shanghai")
    context.set_default_timeout(PATIENCE_MS)
    opened = context.new_page()
    opened.on("console", lambda message: note(message, complaints))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.goto(f"{service}/try")
    sign_in(opened, re.sub(r"\W", "-", request.node.name)[-40:])
    yield opened
    context.close()
    assert complaints == []
