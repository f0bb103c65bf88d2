"""The desk in Chromium: by keyboard, in both languages and colours, on a phone; without JavaScript too."""

from __future__ import annotations

import sys

import pytest
from browser import faults_of

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]
ADDS = "/mistake?exercise=scale&id=scale%2Fadds_instead"
PAGES = ("/", "/mistakes", "/checks", "/check?exercise=scale&id=test_values", ADDS, "/student?id=eve", "/essays")


@pytest.mark.parametrize(("dark", "width"), [(False, 1280), (True, 390)])
def test_every_page_can_be_read_by_everybody(desk, visit, dark, width):
    page = visit(desk, dark=dark, width=width)
    for path in PAGES:
        page.goto(desk.origin + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert faults_of(page) == [], path
    page.click('button[value="zh"]')
    assert page.get_by_role("heading", level=1).is_visible()


def test_an_afternoon_by_keyboard(desk, visit):
    page = visit(desk)
    page.keyboard.press("/")
    page.keyboard.type("dee")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="dee", exact=True).click()
    page.locator('#scale [name="points"]').fill("3")
    page.get_by_label("Reason or comment").first.fill("Only a sign.")
    page.get_by_role("button", name="Give these points").first.press("Enter")
    page.wait_for_url("**/student?id=dee#scale")
    assert desk.points("dee") == 3.0
    assert page.get_by_text("Your teacher gave 3 points").first.is_visible()
    page.get_by_role("button", name="Take back").press("Enter")
    page.wait_for_load_state()
    assert desk.points("dee") == 2.4
    page.goto(desk.origin + "/essays")
    for key in ("2", "1", "0"):
        with page.expect_navigation():
            page.keyboard.press(key)
    page.keyboard.press(".")
    with page.expect_navigation():
        page.keyboard.press("1")
    checks = [c for who in ("ann", "bob", "cem", "dee", "ivy") for e in desk.report(who).exercises for c in e.checks]
    given = {c.points for c in checks if c.id == "essay" and c.graded}
    assert given == {0.0, 1.0, 1.5, 2.0}
    page.goto(desk.origin + "/")
    assert page.get_by_text("all marked").is_visible()


def test_without_javascript(desk, chromium):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(desk.address)
    page.goto(desk.origin + ADDS)
    page.get_by_label("It should cost, in points").fill("1")
    page.get_by_label("Reason, which students read too").fill("A slip.")
    page.get_by_role("button", name="Show what would change").click()
    assert page.get_by_text("3 reports would change").is_visible()
    assert desk.points("cem") == 2.4
    page.get_by_role("button", name="Apply to all of them").click()
    page.wait_for_url("**/mistake?*")
    assert desk.points("cem") == 3.0
    context.close()
