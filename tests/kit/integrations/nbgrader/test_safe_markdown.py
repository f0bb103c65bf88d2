"""What nbgrader's pages show of a student's text: what was meant, and nothing that runs."""

from __future__ import annotations

import time

import pytest

from grader.intake import Cell
from grader.integrations.nbgrader.safe_markdown import harmless

SHOWN = {
    "an honest answer": ("a < b, **bold** $x_1<y$ [see](https://a.org)", "a < b, **bold** $x_1< y$ [see](https://a.org)"),
    "a tag": ("<script>x</script>", "< script>x< /script>"),
    "a link that runs": ("[x](javascript:alert(1))", "    [x](javascript:alert(1))"),
    "in disguise": ("[x](JaVa&#115;cript:alert(1))", "    [x](JaVa&#115;cript:alert(1))"),
    "by reference": ("[x]\n\n[x]: vbscript:y", "    [x]\n    \n    [x]: vbscript:y"),
    "in more disguise": ("[x](j\ta&NewLine;va&amp;#115;cript:a)", "    [x](j\ta&NewLine;va&amp;#115;cript:a)"),
    "a page in a link": ("[x](data:text/html,hi)", "    [x](data:text/html,hi)"),
    "a picture that calls home": ("![x](https://evil.org/a.png) ![x][1]", "[x](https://evil.org/a.png) [x][1]"),
    "a formula": ("$$\\frac{a_1}{b^2} - [c](d)$$", "$$\\frac{a_1}{b^2} - [c](d)$$"),
    "too deep": (">" * 50 + " x", "    " + ">" * 50 + " x"),
    "a picture that is not there": ("![](attachment:b.png)", "    ![](attachment:b.png)"),
}  # fmt: skip


@pytest.mark.parametrize("case", SHOWN)
def test_what_nbgraders_pages_show_of_a_students_text(case):
    text, expected = SHOWN[case]
    assert harmless(Cell("markdown", text, None)) == (expected, {})


def test_pictures_are_kept_if_they_are_pictures():
    kinds = {"image/png": "iVBO", "text/html": "PHA+"}
    cell_ = Cell("markdown", "![](attachment:a)", None, {"a": kinds, "b": {"image/png": '"onerror="x'}})
    assert harmless(cell_) == ("![](attachment:a)", {"a": {"image/png": "iVBO"}})
    assert harmless(Cell("raw", "<b>", None)) == ("    <b>", {})


BOMBS = {
    "brackets": "[" * 80_000 + "](" * 40_000,
    "stars": "*a **b " * 20_000,
    "quotes": "> " * 80_000,
    "backticks": "".join("`" * n + " " for n in range(500)),
    "links": "[a](<" * 30_000,
    "references": "[a]: " * 30_000,
    "lines of brackets": ("[" * 39 + "\n") * 4_000,
    "tables": "|" * 100_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_no_text_keeps_nbgraders_pages_busy(name):
    """What we leave to its parser is parsed in a moment, whatever a student wrote."""
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    started = time.process_time()
    source, _ = harmless(Cell("markdown", BOMBS[name], None))
    MarkdownWithMath(renderer=IPythonRenderer(escape=False, attachments={})).render(source)
    assert time.process_time() - started < 10
