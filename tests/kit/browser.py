"""Pages in Chromium: where it is, how it is started, what axe-core finds in a page."""

from __future__ import annotations

import os
import shutil

import pytest

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]


def faults_of(page) -> list[str]:
    """What axe-core finds that is serious or worse."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{v['id']}: {n['html'][:200]}" for v in found if v["impact"] in ("serious", "critical") for n in v["nodes"]
    ]


def page_of(context, complaints: list[str], ours: str):
    """A new page; complained about is what it says, what fails in it, and what it loads that does not begin as ours."""
    page = context.new_page()
    page.set_default_timeout(60_000)  # milliseconds; the machine may be busy
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: complaints.extend([] if request.url.startswith(ours) else [request.url]))
    return page


def launched():
    """A headless Chromium, closed in the end; skips the test where there is none."""
    sync = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if not CHROMIUM:
        pytest.skip("no Chromium here: install one, or name it in CHROMIUM")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
