"""The memory page in a browser, on a phone: seeing, finding, changing, taking along and erasing what is remembered."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser_owner import PHONE, WIDER_THAN_THE_WINDOW, add_pet, agree, say
from tests.chromium import chromium_path

__test__ = chromium_path() is not None

SLOW_GROUPS = """() => {
  const quick = window.fetch;
  window.fetch = async (url, ...rest) => {
    if (String(url).includes("/memories/groups")) await new Promise((done) => setTimeout(done, 400));
    return quick(url, ...rest);
  };
}"""
"""Lets the lists of the page come late."""


@pytest.fixture
def memory(page: Page) -> Page:
    """A phone that shows the memory page of an owner whose dog was talked about."""
    agree(page)
    add_pet(page, "团子", "dog")
    say(page, "团子对三文鱼过敏")
    say(page, "团子喜欢玩绳结")
    page.set_viewport_size(PHONE)
    page.locator("[data-shows=memory]").click()
    expect(_group(page, "auto").locator(".sentence")).to_contain_text("共 2 条")
    return page


def test_owner_sees_the_groups_and_how_full_the_cards_are(memory: Page) -> None:
    expect(_group(memory, "auto").locator(".sentence")).to_contain_text("共 2 条")
    expect(_group(memory, "own").locator(".sentence")).to_contain_text("共 0 条")
    expect(memory.locator("#budgets").get_by_role("progressbar")).to_have_count(4)
    expect(memory.locator("#budgets")).to_contain_text("1 / 20 条")


def test_owner_edits_a_memory_and_takes_the_change_back(memory: Page) -> None:
    line = _open(memory, "绳结")
    expect(line.locator("q")).to_have_text("团子喜欢玩绳结")
    line.get_by_label("改成").fill("团子只玩红绳结")
    line.get_by_role("button", name="保存").click()
    line = _open_line(memory, "团子只玩红绳结")
    expect(line.locator("ol li")).to_have_count(2)
    line.get_by_role("button", name="撤销改动").click()
    expect(_group(memory, "auto")).not_to_contain_text("红绳结")
    expect(_group(memory, "auto")).to_contain_text("团子喜欢玩绳结")


def test_owner_deletes_a_memory_and_brings_it_back(memory: Page) -> None:
    line = _open(memory, "绳结")
    line.get_by_role("button", name="删除").click()
    expect(_group(memory, "auto").locator(".sentence")).to_contain_text("共 1 条")
    _group(memory, "auto").get_by_role("button", name="恢复").click()
    expect(_group(memory, "auto").locator(".sentence")).to_contain_text("共 2 条")


@pytest.mark.parametrize("where", ["记忆", "聊天"], ids=["memory", "chat"])
def test_owner_finds_a_memory_and_a_message(memory: Page, where: str) -> None:
    memory.get_by_label("搜什么").fill("绳结")
    memory.get_by_label("在哪里搜").select_option(where)
    memory.get_by_role("button", name="搜索").click()
    expect(memory.locator("#found")).to_contain_text("团子喜欢玩绳结")


def test_the_archives_open_topic_by_topic(memory: Page) -> None:
    memory.locator("#archives").get_by_text("团子", exact=True).click()
    expect(memory.locator("#archives")).to_contain_text("日常护理")
    expect(memory.locator("#diary")).to_contain_text("还没有整理过")


def test_what_is_opened_while_the_page_is_drawn_again_stays_open(memory: Page) -> None:
    memory.evaluate(SLOW_GROUPS)
    memory.evaluate("document.dispatchEvent(new Event('memory-changed'))")
    memory.get_by_label("搜什么").fill("绳结")
    memory.get_by_role("button", name="搜索").click()
    with memory.expect_response("**/v1/memories/groups"):
        memory.locator("#archives").get_by_text("团子", exact=True).click()
    expect(memory.locator("#diary")).to_contain_text("还没有整理过")
    expect(memory.locator("#archives")).to_contain_text("日常护理")
    expect(memory.locator("#found")).to_contain_text("团子喜欢玩绳结")


def test_what_was_exported_is_brought_back(memory: Page, tmp_path: Path) -> None:
    with memory.expect_download() as started:
        memory.get_by_role("button", name="导出全部数据").click()
    packed = tmp_path / started.value.suggested_filename
    started.value.save_as(packed)
    memory.locator("#file").set_input_files(packed)
    expect(memory.locator("#picked")).to_have_text(packed.name)
    memory.get_by_role("button", name="导入这个文件").click()
    expect(memory.locator("#import-report")).to_contain_text("恢复")


def test_owner_sees_who_read_the_data(memory: Page) -> None:
    expect(memory.locator("#accesses")).to_contain_text("还没有谁看过")
    with memory.expect_download():
        memory.get_by_role("button", name="导出全部数据").click()
    expect(memory.locator("#accesses li")).to_have_count(1)
    expect(memory.locator("#accesses")).to_contain_text("你导出了全部数据")


def test_closing_the_account_asks_first_and_leaves_nothing(memory: Page) -> None:
    memory.get_by_text("注销账号").click()
    memory.get_by_role("button", name="删除全部数据").click()
    expect(memory.locator("#toast")).to_contain_text("请输入")
    memory.get_by_label("确认请输入").fill("注销")
    memory.get_by_role("button", name="删除全部数据").click()
    expect(memory.locator("#erased")).to_contain_text("已删除")
    expect(_group(memory, "auto").locator(".sentence")).to_contain_text("共 0 条")
    expect(memory.locator("#archives")).to_contain_text("还没有宠物")


def test_a_whole_page_of_open_lists_does_not_scroll_sideways(memory: Page) -> None:
    _open(memory, "绳结")
    memory.locator("#archives").get_by_text("团子", exact=True).click()
    assert memory.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert memory.evaluate(WIDER_THAN_THE_WINDOW) == []


def _group(page: Page, name: str) -> Locator:
    return page.locator(f"[data-group={name}]")


def _open(page: Page, words: str) -> Locator:
    """The line with these words in 自动记的, opened."""
    _group(page, "auto").get_by_text("逐条看").click()
    return _open_line(page, words)


def _open_line(page: Page, words: str) -> Locator:
    line = _group(page, "auto").locator(".memory-line", has_text=words)
    line.get_by_text("更多").click()
    expect(line.locator("ol li").first).to_be_visible()
    return line
