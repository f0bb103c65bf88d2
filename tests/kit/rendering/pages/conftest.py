"""The page of a class, written from reports that a test makes up."""

from __future__ import annotations

import pytest
from class_reports import results_folder

from grader.course import suite_texts
from grader.rendering.pages import class_page as class_pages


@pytest.fixture
def results(tmp_path):
    """`results(report, ...)` is a RESULTS folder that holds them."""
    return lambda *reports: results_folder(tmp_path, *reports)


@pytest.fixture
def class_page(toy):
    """`class_page(folder)` writes the page of the class and returns its path."""
    return lambda folder, **more: class_pages.write(folder, toy, suite_texts.read(toy), "en", **more)
