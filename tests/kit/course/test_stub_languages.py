"""Exercise files in another language: only docstrings change, laid out and quoted as they were, there and back."""

from __future__ import annotations

import ast

import pytest

from grader import catalogues
from grader.course import stub_languages

CATALOGUE = r"""
msgid ""
msgstr "Language: de\n"

msgid "One sentence."
msgstr "Ein Satz."

msgid "A \"word\""
msgstr "Ein \"Wort\""

msgid "It is \\alpha."
msgstr "Es ist \\alpha."

msgid "Head.\n\n    deeper\n\nTail."
msgstr "Kopf.\n\n    tiefer ü\n\nEnde."
"""
ONE = ('"""One sentence."""', "Ein Satz.")
WHOLE = {
    "a module and its function": f"{ONE[0]}\nimport os\n\n\ndef f():\n    {ONE[0]}\n    return 1\n",
    "in one line with its function": f"def f(x): {ONE[0]}; return x  # ü\n",
    "a comment behind it": f"def f():\n    {ONE[0]}  # mine\n    return 'ü'\n",
    "single quotes": "def f():\n    'One sentence.'\n",
    "apostrophes": "class A:\n    '''One sentence.'''\n\n    async def g(self):\n        '''One sentence.'''\n",
    "a raw one": 'def f():\n    r"""It is \\alpha."""\n',
    "quotes at its end": 'def f():\n    """A "word\\""""\n',
    "quotes, and a line behind": 'def f():\n    """A "word"\n    """\n',
    "lines": 'def f():\n    """Head.\n\n        deeper\n\n    Tail.\n    """\n    return 1\n',
    "lines that end at once": 'def f():\n    """Head.\n\n        deeper\n\n    Tail."""\n',
    "lines that begin below": 'def f():\n    """\n    Head.\n\n        deeper\n\n    Tail.\n\n    """\n',
    "tabs": 'def f():\n\t"""Head.\n\n\t    deeper\n\n\tTail.\n\t"""\n',
    "Windows": 'def f():\r\n    """Head.\r\n\r\n        deeper\r\n\r\n    Tail.\r\n    """\r\n    return 1',
    "a form feed and a line separator": f"x = 'a\u2028b'\n\x0c\ndef f():\n    {ONE[0]}\n",
}


@pytest.fixture
def german(tmp_path, monkeypatch):
    for name in ("_known", "_files"):
        monkeypatch.setattr(catalogues, name, {**getattr(catalogues, name)})
    (tmp_path / "languages").mkdir()
    (tmp_path / "languages" / "de.po").write_text(CATALOGUE, encoding="utf-8")
    catalogues.take(tmp_path)


def said(source: str) -> list[str]:
    return [text for node in ast.walk(ast.parse(source)) if (text := stub_languages.docstring(node))]


@pytest.mark.parametrize("case", WHOLE)
def test_there_and_back_is_the_same(german, case):
    there = stub_languages.in_language(WHOLE[case], "de")
    assert there != WHOLE[case]
    assert [stub_languages.docstring_in(text, "de") for text in said(WHOLE[case])] == said(there)
    assert stub_languages.in_language(there, "de") == there
    assert stub_languages.in_language(there, "en") == WHOLE[case]


def test_what_somebody_wrote_stays(german):
    source = 'def f():\n    """One sentence. And mine."""\n    return """One sentence."""\n'
    assert stub_languages.in_language(source, "de") == source
    begun = "def f():\n    '''One sentence.'''\n    return '''One sentence.'''\n"
    assert stub_languages.in_language(begun, "de") == "def f():\n    '''Ein Satz.'''\n    return '''One sentence.'''\n"


def test_a_stub_in_each_language(german):
    there = b'def f():\n    """Ein Satz."""\n'
    assert there in stub_languages.editions(there.replace(b"Ein Satz", b"One sentence"), ["en", "de"])
    assert stub_languages.editions(b"def (", ["en", "de"]) == {b"def ("}
