"""The docs as a site: it builds without a warning, has every page, and explains the names that suites use."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from support import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.version_info < (3, 11), reason="mkdocstrings for Python 3.10 does not fit its pymdown-extensions"
    ),
]

pytest.importorskip("mkdocs", reason="the docs extra is not installed")
LOADED = re.compile(r"""<(?:script|link|img|iframe)[^>]*\b(?:src|href)=["']?(https?:[^"' >]+)""")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


def listed(nav: list | str) -> list[str]:
    """The pages of a part of the navigation."""
    if isinstance(nav, str):
        return [nav]
    return [
        page
        for entry in nav
        for part in (entry.values() if isinstance(entry, dict) else [entry])
        for page in listed(part)
    ]


def test_every_page_is_in_the_navigation_and_was_built(site):
    pages = listed(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    own = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert own | {"index.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"} == {*pages}
    assert [p for p in pages if not (site / Path(p).with_suffix(".html")).is_file()] == []


def test_a_page_loads_nothing_from_elsewhere(site):
    found = {url for page in site.rglob("*.html") for url in LOADED.findall(page.read_text(encoding="utf-8"))}
    assert found == set()


def test_links_lead_to_pages(site):
    for page in site.rglob("*.html"):
        article = page.read_text(encoding="utf-8").partition("<article")[2].partition("</article")[0]
        for link in re.findall(r'href="(?!https?:|#|mailto:)([^"#]+)', article):
            assert (page.parent / link).is_file(), f"{page.name}: {link}"


def test_the_names_that_suites_use_are_explained(site):
    suites = [ast.parse(path.read_text(encoding="utf-8")) for path in ROOT.glob("**/tests/hidden/*.py")]
    imports = [n for tree in suites for n in tree.body if isinstance(n, ast.ImportFrom)]
    used = {a.name for n in imports if n.module in ("grader.suites", "grader.questions") for a in n.names}
    used -= {"laws", "breaking"}  # whose functions are explained
    assert len(used) > 15
    explained = set(re.findall(r'id="grader\.[\w.]*?(\w+)"', (site / "suite-kit.html").read_text(encoding="utf-8")))
    assert used - explained == set()
