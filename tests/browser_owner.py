"""What an owner does on the page /try in a browser, and how big their screens are."""

from playwright.sync_api import ConsoleMessage, Locator, Page, ViewportSize, expect

PHONE = ViewportSize(width=390, height=844)
DESK = ViewportSize(width=1280, height=800)
PATIENCE_MS = 15_000  # a turn takes far less; a busy machine may not
expect.set_options(timeout=PATIENCE_MS)

WIDER_THAN_THE_WINDOW = """
() => [...document.querySelectorAll("body *:not(.skip)")]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.className || element.tagName)
"""


def note(message: ConsoleMessage, complaints: list[str]) -> None:
    if message.type in ("error", "warning"):
        complaints.append(message.text)


def sign_in(page: Page, name: str) -> None:
    page.wait_for_selector("body[data-owner]")
    page.get_by_label("主人", exact=True).fill(name)
    page.get_by_role("button", name="切换").click()
    expect(page.locator("body")).to_have_attribute("data-owner", name)


def agree(page: Page) -> None:
    page.get_by_role("button", name="同意并开启").click()
    expect(page.locator("#no-consent")).to_be_hidden()
    expect(page.get_by_role("switch", name="长期记忆")).to_be_checked()


def add_pet(page: Page, name: str, species: str) -> None:
    page.locator("#new-pet").get_by_label("名字").fill(name)
    page.locator("#new-pet").get_by_label("种类").select_option(species)
    page.locator("#new-pet").get_by_role("button", name="添加").click()
    expect(card(page, name)).to_be_visible()


def say(page: Page, text: str) -> None:
    """Say something and wait until it has been answered."""
    answered = page.locator(".answer .below .soft", has_text="AI 生成")
    before = answered.count()
    page.locator("#text").fill(text)
    page.locator("#text").press("Enter")
    expect(answered).to_have_count(before + 1)


def card(page: Page, name: str) -> Locator:
    return page.locator(".card").filter(has=page.get_by_role("heading", name=name, exact=True))
