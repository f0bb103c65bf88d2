"""A running `grader study`, and a browser that opens it."""

from __future__ import annotations

import pytest
from browser import launched, page_of
from studying import Study, course_copy

pytest.importorskip("nicegui", reason="nicegui is not installed")


@pytest.fixture
def start(tmp_path):
    """`start(course, *options)` starts one more; all are ended with the test."""
    started = []

    def run(course=None, *options):
        started.append(Study(course or course_copy(tmp_path), *(options or ("--port", "0"))))
        return started[-1]

    yield run
    for one in started:
        one.kill()


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """One for all tests of a module; each leaves the files as it likes."""
    running = Study(course_copy(tmp_path_factory.mktemp("study")), "--port", "0")
    yield running
    running.end()


@pytest.fixture(scope="module")
def chromium():
    yield from launched()


@pytest.fixture
def visit(chromium):
    """`visit(study, path)` opens a page of it; at the end nothing may have been complained about."""
    opened, complaints = [], []

    def go(study, path="/", dark=False, width=1280):
        context = chromium.new_context(
            color_scheme="dark" if dark else "light", viewport={"width": width, "height": 900}
        )
        opened.append(context)
        page = page_of(context, complaints, study.origin)
        page.goto(study.address)
        page.goto(study.origin + path)
        page.complaints = complaints
        return page

    yield go
    for context in opened:
        context.close()
    assert [said for said in complaints if "ERR_CONNECTION_REFUSED" not in said] == []
