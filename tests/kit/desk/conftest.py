"""A class, graded once, and a running `grader desk` on a copy of it."""

from __future__ import annotations

import os
import shutil
from types import SimpleNamespace

import pytest
from browser import launched, page_of
from desks import Desk, made
from filelock import FileLock


@pytest.fixture(scope="session")
def graded(tmp_path_factory):
    """The class, made once."""
    base = tmp_path_factory.getbasetemp()
    root = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "desk"
    with FileLock(f"{root}.lock"):
        if not (root / "results" / "index.html").exists():
            made(root)
    return root


@pytest.fixture
def place(graded, tmp_path):
    """Results of one's own."""
    shutil.copytree(graded / "results", tmp_path / "results")
    return SimpleNamespace(course=graded / "toy", results=tmp_path / "results")


@pytest.fixture(scope="module")
def desk(graded, tmp_path_factory):
    """One for all tests of a module, each of which has students of its own."""
    folder = tmp_path_factory.mktemp("desk") / "results"
    shutil.copytree(graded / "results", folder)
    running = Desk(SimpleNamespace(course=graded / "toy", results=folder))
    yield running
    assert running.end() == 0


@pytest.fixture(scope="module")
def chromium():
    yield from launched()


@pytest.fixture
def visit(chromium):
    """`visit(desk, path)` opens a page of it; at the end nothing may have been complained about."""
    opened, complaints = [], []

    def go(desk, path="/", dark=False, width=1280):
        scheme = "dark" if dark else "light"
        context = chromium.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
        opened.append(context)
        page = page_of(context, complaints, desk.origin)
        page.goto(desk.address)
        page.goto(desk.origin + path)
        return page

    yield go
    for context in opened:
        context.close()
    assert complaints == []
