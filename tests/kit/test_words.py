"""Phrases that hide who does what, each with what to write instead: in pages, help, sentences and the suite API."""

from __future__ import annotations

import ast
import functools
import re

import pytest
from support import ROOT
from test_docs import PAGES, helps

from grader import catalogues

BANNED = {
    r"\bmend(s|ed|ing)?\b": "fix, repair",
    r"\banew\b": "again",
    r"\brightly\b": "correctly",
    r"\bdo(es)? no harm\b": "work too",
    r"\bwhat it gives is\b": "it gives",
    r"\b(that|which) is said\b": "the command says so",
    r"\bgo(es)? by it\b": "uses it",
    r"\bnobody's (?!business)": "belongs to no student",
    r"\bfor all else\b": "for everything else",
    r"\bwhat came of it\b": "the result, the outcome",
    r"\bsees? to it\b": "makes sure",
    r"(?<=\n)ValueError,? (for|if)\b": "... is refused with ValueError",
    r"\b(has|have) a say\b": "affects",
    r"\bas always\b": "unchanged, not affected",
    r"\bin vain\b": "without an effect",
    r"\bwho has none\b": "students without ...",
}
ENGINE = {path.relative_to(ROOT / "grader").as_posix(): path for path in sorted((ROOT / "grader").rglob("*.py"))}
FRAGMENT = re.compile(r"(Of|As|Whether|What|Where|How|Which|Who|Whose|For)\b")


@functools.cache
def texts() -> dict[str, str]:
    """What people read, by where it stands; the examples of CONTRIBUTING and the changes of the past are left out."""
    pages = {page: text for page, text in PAGES.items() if not page.startswith(("CHANGELOG", "docs/decisions/"))}
    pages["CONTRIBUTING.md"] = re.sub(r"(?ms)^## Sentences$.*?^## ", "", pages["CONTRIBUTING.md"])
    printed = {f"grader {command} --help": " ".join(text.split()) for command, text in helps().items()}
    keys = {
        f"{folder.name}/zh.po": "\n".join(catalogues.read(folder / "zh.po").sentences)
        for folder in (catalogues.KIT, ROOT / "languages")
    }
    return pages | printed | keys


@pytest.mark.parametrize("phrase", BANNED)
def test_no_text_hides_who_does_what(phrase):
    found = [
        f"{place}: {text[text.rfind(chr(10), 0, hit.start()) + 1 :].partition(chr(10))[0]}"
        for place, text in texts().items()
        for hit in re.finditer(phrase, text)
    ]
    assert found == [], f"write: {BANNED[phrase]}"


@pytest.mark.parametrize("module", ENGINE)
def test_docstrings_begin_with_a_verb_or_a_noun(module):
    tree = ast.parse(ENGINE[module].read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.ClassDef, ast.Module)
    documented = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    found = [getattr(node, "name", module) for node in documented if FRAGMENT.match(ast.get_docstring(node) or "")]
    assert found == []
