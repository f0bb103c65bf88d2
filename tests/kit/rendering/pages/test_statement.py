"""What an exercise asks, as prose made of the docstrings of its stub."""

from __future__ import annotations

import ast
import html
import re

import pytest
from support import ROOT

from grader.course import stub_languages
from grader.rendering.pages.statement import statement

STUB = '''"""A title.

Text that goes on
here:

    a  =  b

- one
  and more
- two <b>
"""

class Box:
    """A box."""

    def put(
        self, x: int, deep: bool = False
    ) -> int:
        """Put `x` in, a row [B, T].

        Args:
            x: what
                it is.
            deep: how.

        Returns:
            A number.
            Another one.

        Example:
            put(1)
              -> 2
        """
        raise NotImplementedError
'''


def test_each_form_of_a_docstring_is_shown_as_what_it_is():
    shown = statement(STUB, "en")
    for part in [
        "<p>A title.</p><p>Text that goes on here:</p><pre>a  =  b</pre>",
        "<ul><li>one and more</li><li>two &lt;b&gt;</li></ul>",
        "</i> Box</pre><p>A box.</p>",
        "(\n    self, x: ", ") -&gt; int</pre><p>Put <code>x</code> in, a row <code>[B, T]</code>.</p>",
        "<dl><dt><code>x</code></dt><dd>what it is.</dd><dt><code>deep</code></dt><dd>how.</dd></dl>",
        "<h3>Returns:</h3><p>A number.<br>Another one.</p>",
        "<h3>Example:</h3><pre>put(1)\n  -&gt; 2</pre>",
    ]:  # fmt: skip
        assert part in shown, shown


@pytest.mark.parametrize("source", ["def f(:\n", "x = 1\n", "def f():\n    pass\n", "\x00"])
def test_nothing_is_said_where_nothing_is_asked(source):
    assert "<p>" not in statement(source, "en")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("stub", sorted((ROOT / "exercises").glob("*.py")), ids=lambda stub: stub.stem)
def test_no_word_is_lost(stub, lang):
    source = stub.read_text(encoding="utf-8")
    shown = statement(source, lang)
    text = _words(html.unescape(re.sub(r"<pre class=.*?</pre>|<[^>]*>", "", shown, flags=re.DOTALL)))
    told = [stub_languages.docstring(node) for node in ast.walk(ast.parse(source))]
    assert sum(map(len, map(_words, (stub_languages.docstring_in(said, lang) for said in told)))) == len(text)
    for said in filter(None, told):
        assert _words(stub_languages.docstring_in(said, lang)) in text


def _words(text):
    return re.sub(r"[\s`:：]|^- ", "", text, flags=re.MULTILINE)
