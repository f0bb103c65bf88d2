"""What nbgrader's pages show of a student's text: what was meant, and nothing that runs."""

from __future__ import annotations

import pytest

from grader.intake import Cell
from grader.integrations.nbgrader.markdown import harmless

SHOWN = {
    "an honest answer": ("a < b, **bold** $x_1<y$ [see](https://a.org)", "a < b, **bold** $x_1< y$ [see](https://a.org)"),
    "a tag": ("<script>x</script>", "< script>x< /script>"),
    "a link that runs": ("[x](javascript:alert(1))", "    [x](javascript:alert(1))"),
    "in disguise": ("[x](JaVa&#115;cript:alert(1))", "    [x](JaVa&#115;cript:alert(1))"),
    "by reference": ("[x]\n\n[x]: vbscript:y", "    [x]\n    \n    [x]: vbscript:y"),
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
