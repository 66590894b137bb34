"""The vet's page in a real browser: all of the first screen at once, on paper too, for everybody, without a script.

Without Chromium these tests are not collected, which the header of the run says.
"""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser_owner import sign_in
from tests.chromium import chromium_path
from tests.vet_household import Household, Json, full_record

PHONE = ViewportSize(width=390, height=844)
DESK = ViewportSize(width=1280, height=800)
SHEET = ViewportSize(width=703, height=1000)  # A4 less the margins of the print style, at 96 dpi
SHEET_HEIGHT = 1017  # CSS pixels of 297 mm less 28 mm
SERIOUS = ("serious", "critical")

__test__ = chromium_path() is not None


@pytest.fixture(scope="module")
def home(service: str) -> Iterator[Household]:
    """An owner of this module's own."""
    made = Household(service, "vet-page")
    yield made
    made.client.close()


@pytest.fixture(scope="module")
def dog(home: Household) -> Json:
    """The dog whose every list is full."""
    return full_record(home)


@pytest.fixture(scope="module")
def share(home: Household, dog: Json) -> Json:
    return home.share(dog)


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A page whose complaints fail the test."""
    complaints: list[str] = []
    context = browser.new_context(viewport=request.param, locale="zh-CN")
    opened = context.new_page()
    opened.on("console", lambda message: complaints.append(message.text) if "404" not in message.text else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    yield opened
    context.close()
    assert complaints == []


def serious(page: Page) -> list[str]:
    """Serious accessibility findings of the page as it stands."""
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found if one["impact"] in SERIOUS]


@pytest.mark.parametrize("query", ["", "?lang=en", "?list=weights", "?show=medications"])
def test_nobody_is_shut_out_of_the_record(page: Page, share: Json, query: str) -> None:
    page.goto(share["url"] + query)
    for closed in page.locator("details:not([open]) > summary").all()[:3]:
        closed.click()
    assert serious(page) == []


def test_nobody_is_shut_out_of_the_pages_around_it(page: Page, home: Household, dog: Json) -> None:
    locked = home.share(dog, passcode="2580")
    page.goto(locked["url"])
    assert serious(page) == []
    page.goto(locked["url"].rpartition("/")[0] + "/nobody")
    assert serious(page) == []


def test_a_phone_need_not_be_scrolled_sideways(page: Page, share: Json) -> None:
    for query in ("", "?list=visits", "?lang=en"):
        page.goto(share["url"] + query)
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]  # it has one


@pytest.mark.parametrize("query", ["", "?lang=en"])
def test_the_first_screen_is_complete_without_scrolling(browser: Browser, share: Json, query: str) -> None:
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    page.goto(share["url"] + query)
    cards = page.locator(".summary .card")
    expect(cards).to_have_count(6)
    rows = [card.locator(".brief > li").count() for card in cards.all()]
    assert rows[:4] == [6, 6, 6, 6], "the lists are as full as they get"
    assert page.evaluate("document.querySelector('.summary').getBoundingClientRect().bottom") <= DESK["height"]
    context.close()


def test_the_summary_prints_on_one_page_in_black(browser: Browser, share: Json) -> None:
    context = browser.new_context(viewport=SHEET)
    page = context.new_page()
    page.goto(share["url"])
    page.emulate_media(media="print")
    assert page.evaluate("document.querySelector('.summary').getBoundingClientRect().bottom") <= SHEET_HEIGHT
    colours = page.evaluate("[...document.querySelectorAll('.mark, h2')].map((one) => getComputedStyle(one).color)")
    assert set(colours) == {"rgb(0, 0, 0)"}
    expect(page.locator("#note")).to_be_hidden()
    assert page.pdf(format="A4", prefer_css_page_size=True).startswith(b"%PDF")
    context.close()


def test_everything_works_without_javascript(browser: Browser, home: Household, dog: Json) -> None:
    locked = home.share(dog, passcode="2580")
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(locked["url"])
    page.get_by_label("口令").fill("2580")
    page.get_by_role("button", name="打开").click()
    expect(page.get_by_role("heading", name="过敏与警示")).to_be_visible()

    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("heading", name="Allergies and alerts")).to_be_visible()
    page.get_by_role("link", name="中文").click()
    page.get_by_role("navigation", name="只看").get_by_role("link", name="用药").click()
    expect(page.locator(".rows", has_text="匹莫苯丹")).to_be_visible()
    page.locator("a", has_text="体重 · 全部 40").click()
    expect(page.locator(".row")).to_have_count(40)
    page.get_by_role("link", name="返回摘要").click()

    page.get_by_label("您的姓名").fill("王医生")
    page.get_by_label("诊断", exact=True).fill("外耳炎")
    page.get_by_role("button", name="发送给主人").click()
    expect(page.get_by_role("status")).to_have_text("留言已送达主人。")
    expect(page.locator("#part-visits ~ .rows", has_text="外耳炎")).to_contain_text("身份未核实")
    context.close()


def test_an_owner_shares_a_record_and_sees_who_looked(
    browser: Browser, service: str, home: Household, dog: Json
) -> None:
    context = browser.new_context(viewport=DESK, locale="zh-CN")
    page = context.new_page()
    page.goto(f"{service}/try")
    sign_in(page, "vet-page")
    page.locator(".card", has_text="豆豆").get_by_role("button", name="给医生看").click()
    page.get_by_label("给谁").fill("宠爱动物医院")
    page.get_by_role("button", name="生成链接").click()
    made = page.locator(".shared", has_text="宠爱动物医院")
    expect(made.locator(".qr path")).to_have_attribute("d", re.compile("^M"))
    assert serious(page) == []

    context.new_page().goto(made.get_by_role("link", name="打开链接").get_attribute("href") or "")
    page.get_by_role("button", name="关闭").click()
    page.locator(".card", has_text="豆豆").get_by_role("button", name="给医生看").click()
    expect(made).to_contain_text("打开过 1 次")
    made.get_by_role("button", name="撤销").click()
    expect(made).to_contain_text("已撤销")
    context.close()


def test_the_keyboard_reaches_every_row(browser: Browser, share: Json) -> None:
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    page.goto(share["url"])
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="跳到内容")).to_be_focused()
    page.locator(".card.allergies summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".card.allergies details").first).to_have_attribute("open", "")
    context.close()
