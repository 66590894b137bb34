"""An owner in a browser: the real service on a free port, headless Chromium, the page /try.

Without Chromium these tests are not collected, which the header of the run says; with CI=true they fail instead.
"""

import re
from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from playwright.sync_api import Page, Route, ViewportSize, expect

from miniprogram_api.try_page.try_page import router
from tests.browser_owner import DESK, PHONE, WIDER_THAN_THE_WINDOW, add_pet, agree, card, say
from tests.chromium import chromium_path

__test__ = chromium_path() is not None


def test_owner_sees_what_was_remembered_of_which_pet(page: Page) -> None:
    agree(page)
    add_pet(page, "团子", "dog")
    add_pet(page, "芝麻", "cat")

    say(page, "团子对三文鱼过敏，吃了就起红疹")
    say(page, "芝麻今天称了4.6公斤")

    receipts = page.locator(".receipt")
    expect(receipts).to_have_count(2)
    expect(receipts.nth(0)).to_contain_text("已记住")
    expect(receipts.nth(0)).to_contain_text("团子")
    expect(receipts.nth(1)).to_contain_text("芝麻")
    expect(card(page, "团子")).to_contain_text("三文鱼")
    expect(card(page, "芝麻")).to_contain_text("4.6")
    expect(card(page, "芝麻")).not_to_contain_text("三文鱼")
    expect(card(page, "团子").locator(".figures").first).to_have_text("1 / 20 条")


def test_weights_are_drawn_as_a_line(page: Page) -> None:
    agree(page)
    add_pet(page, "芝麻", "cat")
    say(page, "芝麻今天称了4.6公斤")
    chart = card(page, "芝麻").get_by_role("img")
    expect(chart).to_have_count(0)
    say(page, "芝麻上周三是4.2公斤")
    expect(chart).to_have_accessible_name(re.compile("芝麻的体重：.*4.2kg，.*4.6kg"))
    expect(chart.locator("circle")).to_have_count(2)


def test_owner_undoes_a_memory_and_takes_it_back(page: Page) -> None:
    agree(page)
    add_pet(page, "团子", "dog")
    say(page, "团子对三文鱼过敏")

    page.locator(".receipt").get_by_text("撤销").click()
    expect(card(page, "团子")).not_to_contain_text("三文鱼")

    page.locator(".receipt").get_by_text("恢复").click()
    expect(card(page, "团子")).to_contain_text("三文鱼")


def test_owner_settles_a_question_with_one_press(page: Page) -> None:
    agree(page)
    add_pet(page, "团子", "dog")
    say(page, "团子对三文鱼过敏")
    say(page, "是我记错了，团子对三文鱼不过敏")

    question = page.locator("#ask-list .ask")
    expect(question).to_contain_text("三文鱼")
    expect(card(page, "团子")).to_contain_text("三文鱼")
    question.get_by_role("button", name="更新").click()

    expect(page.locator("#ask-list")).to_contain_text("没有等你确认的事")
    expect(card(page, "团子")).to_contain_text("团子对三文鱼不过敏")
    expect(card(page, "团子")).not_to_contain_text("团子对三文鱼过敏")


def test_the_history_of_a_line_says_who_changed_it_when_and_why(page: Page) -> None:
    agree(page)
    add_pet(page, "团子", "dog")
    say(page, "团子对三文鱼过敏")
    say(page, "团子对三文鱼不过敏了")

    question = page.locator("#ask-list .ask")
    question.get_by_text("现在这条的历史").click()
    question.get_by_text("新说法的历史").click()
    versions = question.get_by_label("每个版本")
    expect(versions.nth(0)).to_contain_text("你 · 生效 · 说得明确")
    expect(versions.nth(1)).to_contain_text("待观察 · 要改动重要信息，先问你")


def test_an_emergency_stands_in_red_above_the_answer(page: Page) -> None:
    add_pet(page, "芝麻", "cat")

    say(page, "芝麻突然张着嘴喘，舌头发紫")

    expect(page.locator(".alert.emergency").first).to_be_visible()
    expect(page.locator(".answer")).to_contain_text("AI 生成")


def test_nothing_is_remembered_without_consent_or_in_a_temporary_chat(page: Page) -> None:
    add_pet(page, "团子", "dog")
    expect(page.locator("#no-consent")).to_be_visible()
    say(page, "团子对三文鱼过敏")

    agree(page)
    page.get_by_role("switch", name="临时聊天").check()
    say(page, "团子对牛奶过敏")

    expect(page.locator(".receipt")).to_have_count(0)
    expect(card(page, "团子")).to_contain_text("0 / 20 条")


def test_months_are_lived_in_minutes(page: Page) -> None:
    agree(page)
    add_pet(page, "团子", "dog")
    page.locator("#domain-time").fill("2026-03-01T20:10")
    page.locator("#domain-time").blur()
    say(page, "团子今天称了12.1公斤")

    expect(page.locator(".turn .when")).to_contain_text("3月1日 20:10")


def test_the_trace_says_why_each_line_is_there(page: Page) -> None:
    agree(page)
    add_pet(page, "团子", "dog")
    say(page, "团子对三文鱼过敏")
    say(page, "团子最近要注意什么？")

    page.get_by_text("为什么这样答").last.click()

    expect(page.get_by_role("dialog")).to_contain_text("正在生效的记录")
    expect(page.get_by_role("dialog")).to_contain_text("三文鱼")


def test_markup_in_owners_words_is_shown_as_words(page: Page) -> None:
    agree(page)
    add_pet(page, "<b>团子</b>", "dog")

    say(page, "<img src=x onerror=alert(1)>团子今天很乖")

    expect(page.locator(".said")).to_have_text("<img src=x onerror=alert(1)>团子今天很乖")
    assert page.locator("main img, main b b").count() == 0


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_longest_message_wraps_and_nothing_scrolls_sideways(page: Page, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    say(page, "长" * 2_000 + "w" * 2_000)

    for view in ("chat", "cards", "memory", "asks", "tools"):
        if size is PHONE:
            page.locator(f"[data-shows={view}]").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert page.evaluate(WIDER_THAN_THE_WINDOW) == []


def test_a_turn_is_written_with_the_keyboard_alone(page: Page) -> None:
    page.locator("#text").focus()
    page.keyboard.type("你好")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("在吗")
    page.keyboard.press("Enter")

    expect(page.locator(".said")).to_have_text("你好\n在吗")
    expect(page.locator(".answer")).to_contain_text("AI 生成")
    expect(page.locator("#text")).to_be_focused()


def test_a_cut_connection_goes_on_behind_the_last_event(page: Page) -> None:
    cuts: list[str] = []

    def cut_once(route: Route) -> None:
        answer = route.fetch()
        cuts.append(answer.text())
        route.fulfill(response=answer, body=answer.text().split("\n\n")[0] + "\n\n")

    page.route("**/v1/chat/turns", cut_once, times=1)
    say(page, "你好")

    assert len(cuts) == 1
    expect(page.locator(".answer")).to_have_count(1)
    expect(page.locator(".answer")).to_contain_text("AI 生成")


def test_the_policy_of_the_page_allows_nothing_foreign(service: str) -> None:
    answer = httpx.get(f"{service}/try")

    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "://" not in answer.text
    assert httpx.get(f"{service}/try/try_page.py").status_code == 404
    assert httpx.get(f"{service}/try/..%2F..%2Fchat.py").status_code == 404


@pytest.mark.parametrize("path", ["/try", "/try/page.js", "/v1/chat/turns/any/trace"])
def test_production_has_no_such_page(path: str) -> None:
    production = FastAPI()
    production.include_router(router)
    production.state.container = SimpleNamespace(options=SimpleNamespace(dev_sign_in=False))

    assert TestClient(production).get(path).status_code == 404


def test_nobody_switches_owners_while_one_is_being_signed_in(page: Page) -> None:
    held: list[Route] = []
    page.route("**/v1/pets*", lambda route: held.append(route), times=1)
    with page.expect_request("**/v1/pets*"):
        page.reload(wait_until="commit")
    switch = page.get_by_role("button", name="切换")
    expect(switch).to_be_disabled()

    for route in held:
        route.continue_()
    expect(switch).to_be_enabled()
