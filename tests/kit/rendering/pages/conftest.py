"""The page of a class, written from reports that a test makes up; pages opened in Chromium."""

from __future__ import annotations

import pytest
from browser import launched, page_of
from class_reports import results_folder

from grader.rendering.pages import class_page as class_pages


@pytest.fixture
def results(tmp_path):
    """`results(report, ...)` is a RESULTS folder that holds them."""
    return lambda *reports: results_folder(tmp_path, *reports)


@pytest.fixture
def class_page(toy):
    """`class_page(folder)` writes the page of the class and returns its path."""
    return lambda folder, **more: class_pages.write(folder, toy, "en", **more)


@pytest.fixture(scope="module")
def chromium():
    yield from launched()


@pytest.fixture
def visit(chromium):
    """`visit(path)` opens a page; at the end nothing may have been complained about, loaded or popped up."""
    opened, complaints = [], []

    def go(path, dark=False, width=1280, fragment=""):
        scheme = "dark" if dark else "light"
        context = chromium.new_context(color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True)
        opened.append(context)
        page = page_of(context, complaints, "file:")
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(path.as_uri() + fragment)
        return page

    yield go
    for context in opened:
        context.close()
    assert complaints == []
