"""Sentences are keys of catalogues: every one of the kit's stands in Chinese, with the same places for values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import jinja2
import msgspec
import pytest
from jinja2.ext import extract_from_ast

import grader
from grader import catalogues
from grader.authoring import student_copy
from grader.errors import CourseError
from grader.report.feedback import hinted
from grader.texts import Text, either, listed, of_docstring, open_to_all, places, plain

CHINESE = re.compile(r"[\u4e00-\u9fff]")
FOLDER = Path(grader.__file__).parent
MODULES = sorted(
    p.relative_to(FOLDER).with_suffix("").as_posix()
    for p in FOLDER.rglob("*.py")
    if p.stem not in ("__init__", "__main__") and p.parent.name != "kit"  # what is copied elsewhere to run there
)


def said() -> Iterator[str]:
    """The sentences of every call of `translated`, with the shorter ones for hints, and of `_` in templates."""
    for module in MODULES:
        for node in ast.walk(ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "translated":
                named = {keyword.arg: keyword.value for keyword in node.keywords}
                yield ast.literal_eval(node.args[0])
                if isinstance(hint := named.get("hint"), ast.Constant):  # else it is another one's key
                    yield hint.value
    for template in sorted(FOLDER.rglob("assets/*.html")):
        parsed = jinja2.Environment().parse(template.read_text(encoding="utf-8"))
        for _, _, found in extract_from_ast(parsed, ("_",)):
            yield found if isinstance(found, str) else found[0]


def translations(path: Path) -> dict[str, str]:
    return {key: forms[0] for key, forms in catalogues.read(path).sentences.items()}


def amiss(english: str, chinese: str) -> Iterator[str]:
    """What is wrong with a sentence and its translation."""
    if CHINESE.search(english):
        yield "Chinese in the English sentence"
    if sorted(places(english)) != sorted(places(chinese)):
        yield "other places"
    if re.search(r"[a-z]{3,}", re.sub(r"\{[^}]*\}", "", english)) and not CHINESE.search(chinese):
        yield "the Chinese sentence has no Chinese in it"


def test_the_catalogue_holds_every_sentence_and_no_other():
    known, wanted = translations(catalogues.KIT / "zh.po"), {*said(), *student_copy.readme_parts()}
    assert len(wanted) > 500
    assert sorted(wanted - set(known)) == []
    assert sorted(set(known) - wanted) == []
    assert [(key, why) for key, chinese in known.items() for why in amiss(key, chinese)] == []


@pytest.mark.parametrize(
    ("english", "chinese"), [("一行中文。", "一行中文。"), ("It is {n}.", "是。"), ("The same", "The same")]
)
def test_what_is_amiss_is_seen(english, chinese):
    assert list(amiss(english, chinese))


def catalogue(folder: Path, lang: str, *entries: str, plurals: str = "nplurals=2; plural=(n != 1);") -> Path:
    """A course's catalogue of these entries."""
    head = f'msgid ""\nmsgstr ""\n"Language: {lang}\\n"\n"Plural-Forms: {plurals}\\n"\n'
    head += '"Content-Type: text/plain; charset=utf-8\\n"\n'
    path = folder / "languages" / f"{lang}.po"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([head, *entries]), encoding="utf-8")
    return path


def entry(key: str, *forms: str, plural: str = "") -> str:
    if not plural:
        return f'msgid "{key}"\nmsgstr "{forms[0]}"\n'
    return f'msgid "{key}"\nmsgid_plural "{plural}"\n' + "".join(
        f'msgstr[{n}] "{form}"\n' for n, form in enumerate(forms)
    )


@pytest.fixture
def german(tmp_path, monkeypatch):
    """A course with a German catalogue."""
    monkeypatch.setattr(catalogues, "_files", dict(catalogues._files))
    monkeypatch.setattr(catalogues, "_known", {})
    catalogue(
        tmp_path, "de", entry("the result", "das Ergebnis"), entry("{part} is {n:g}", "{part} ist {n:g}"),
        entry("{count} check fails", "{count} Test schlägt fehl", "{count} Tests schlagen fehl",
              plural="{count} checks fail"),
    )  # fmt: skip
    catalogues.take(tmp_path)


def test_a_language_is_chosen_where_a_text_is_read(german):
    text = Text("{part} is {n:g}").format(part=Text("the result"), n=2.50)
    assert text == Text("{part} is {n:g}", {"part": Text("the result"), "n": 2.5})
    assert text.to("en") == "the result is 2.5"
    assert text.to("de") == "das Ergebnis ist 2,5"
    assert text.to("fr") == "the result is 2.5"  # of which nothing is known


def test_what_nobody_translated_is_as_its_author_wrote_it(german):
    assert Text("{part} there").format(part=Text("the result")).to("de") == "das Ergebnis there"
    assert Text("no more").to("de") == "no more"
    assert catalogues.lacking("de", [("no more", ""), ("the result", "")]) == [("no more", "")]
    assert Text("the result").words
    assert not plain("`RoPE` {n}").words


def test_a_number_chooses_the_plural_of_its_language(german):
    text = Text("{count} check fails", plural="{count} checks fail")
    assert [text.format(count=n).to("en") for n in (1, 2)] == ["1 check fails", "2 checks fail"]
    assert [text.format(count=n).to("de") for n in (1, 0)] == ["1 Test schlägt fehl", "0 Tests schlagen fehl"]


def test_a_blank_catalogue_asks_for_plurals():
    asked = catalogues.of_the_kit()
    several = [one for one, more in asked if more]
    text = catalogues.blank("fr", asked)
    assert several
    assert text.count("msgid_plural") == text.count('msgstr[1] ""') == len(several)
    assert len(asked) == len(catalogues.read(catalogues.KIT / "zh.po").sentences)


@pytest.mark.parametrize(
    ("entries", "plurals", "why"),
    [
        ([entry("a {n}", "ein {m}")], "nplurals=2; plural=(n != 1);", "which the sentence has not"),
        ([entry("a", "ein", plural="as")], "nplurals=2; plural=(n != 1);", "needs 2 plural forms"),
        ([entry("a", "ein")], "nplurals=2; plural=n;", "give some number a form that there is not"),
        ([entry("a", "ein")], "nplurals=2; plural=1/n;", "give some number a form that there is not"),
        (['msgid "a'], "nplurals=2; plural=(n != 1);", "not a gettext catalogue: a line is"),
        ([entry("a", "ein").rstrip('"\n')], "nplurals=2; plural=(n != 1);", "not a gettext catalogue: a line is"),
    ],
)
def test_a_broken_catalogue_is_named(tmp_path, entries, plurals, why):
    path = catalogue(tmp_path, "de", *entries, plurals=plurals)
    with pytest.raises(CourseError, match=why) as found:
        catalogues.read(path)
    assert str(path) in str(found.value)


def test_values_are_data(german):
    text = Text("{a} {b} {c}").format(a=float("nan"), b=[1, 2], c=(3,))
    assert text.values == {"a": "nan", "b": [1, 2], "c": "(3,)"}
    assert text.to("en") == "nan [1, 2] (3,)"
    assert Text("{n:g}").format(n=float("inf")).to("en") == "inf"  # which JSON has no number for
    with pytest.raises(KeyError):
        Text("{a} {b}").format(a=1)
    assert Text("{not a place}").to("en") == "{not a place}"  # nothing was put in


def test_one_full_stop_is_enough():
    assert Text("{reason}. And more.").format(reason=Text("That is all.")).to("en") == "That is all. And more."
    assert Text("{reason}。").format(reason="完。").to("zh") == "完。"


def test_what_may_hold_values_has_something_to_say_instead():
    reason = Text("raises {type}: {message}", hint="raises {type}").format(type="ValueError", message="[1, 2]")
    assert hinted(reason) == Text("raises {type}", {"type": "ValueError"})
    inside = Text("{call} {problem}").format(call="f(x)", problem=reason)
    assert hinted(inside).to("en") == "f(x) raises ValueError"
    assert hinted(either("secret", Text("something"))).to("en") == "something"
    assert not hinted(Text("a known mistake", hint=""))
    assert hinted(plain("close the {")) == plain("close the {")  # as a person writes it
    assert hinted(open_to_all(inside)).to("en") == "f(x) raises ValueError: [1, 2]"


def test_a_docstring_is_one_sentence():
    assert of_docstring("An English line\n    that goes on.\n") == Text("An English line that goes on.")
    chinese = "一行中文\uff0c\n    接着写 x\n    与 y\uff0c\n    z\n    \uff09。\n    "
    assert of_docstring(chinese) == Text("一行中文\uff0c接着写 x 与 y\uff0cz\uff09。")
    assert of_docstring(None) == Text()


def test_names_in_a_row():
    assert [listed(names).to("en") for names in ((), ("a",), ("a", "b", "c"))] == ["", "a", "a, b, c"]
    assert listed(("a", "b")).to("zh") == "a、b"


def test_each_value_can_be_changed():
    text = Text("{a} {b}").format(a="x", b=Text("{c}").format(c="y"))
    assert text.each(str.upper).to("en") == "X Y"
    assert plain("x").each(str.upper) == plain("X")


def test_a_text_crosses_between_processes():
    for text in (plain("a"), Text("{n} {b}").format(n=1.5, b=Text("c")), either("a", plain("b"))):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode([text]), type=list[Text]) == [text]
        assert msgspec.json.decode(msgspec.json.encode(text), type=Text) == text
    for wrong in ("a", ["a"], {"key": 1}, {"key": "a", "values": {"b": {"c": 1}}}, {"key": "a", "more": 1}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(msgspec.json.encode(wrong), type=Text)
