"""Every sentence for students exists in English and Chinese, with the same placeholders."""

from __future__ import annotations

import ast
import importlib
import re
import string
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import yaml

import grader
from grader import catalogues
from grader.authoring import student_copy
from grader.texts import NOTHING, Text, both, in_one, paragraphs, plain

CHINESE = re.compile(r"[\u4e00-\u9fff]")
FOLDER = Path(grader.__file__).parent
MODULES = sorted(
    p.relative_to(FOLDER).with_suffix("").as_posix()
    for p in FOLDER.rglob("*.py")
    if p.stem not in ("__init__", "__main__") and p.parent.name != "kit"  # what is copied elsewhere to run there
)


def constants() -> Iterator[tuple[str, Text]]:
    for module in MODULES:
        for name, value in vars(importlib.import_module(f"grader.{module.replace('/', '.')}")).items():
            if isinstance(value, Text) and value != NOTHING:
                yield f"{module}.{name}", value
            elif isinstance(value, dict):
                yield from ((f"{module}.{name}[{k!r}]", v) for k, v in value.items() if isinstance(v, Text))


CONSTANTS = dict(constants())


def placeholders(sentence: str) -> list[str]:
    return sorted(f"{name}:{spec}" for _, name, spec, _ in string.Formatter().parse(sentence) if name is not None)


def test_there_are_sentences():
    assert len(CONSTANTS) > 50


def amiss(text: Text) -> Iterator[str]:
    """What is wrong with a sentence that stands in both languages."""
    if not (text.en.strip() and text.zh.strip()):
        yield "a language is missing"
    if CHINESE.search(text.en):
        yield "Chinese in the English sentence"
    if placeholders(text.en) != placeholders(text.zh):
        yield "other placeholders"
    if re.search(r"[a-z]{3,}", re.sub(r"\{[^}]*\}", "", text.en)) and not CHINESE.search(text.zh):
        yield "the Chinese sentence has no Chinese in it"


def test_both_languages():
    assert [(name, said) for name, text in CONSTANTS.items() for said in amiss(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        Text("Only English.", ""),
        Text("一行中文。", "一行中文。"),
        Text("It is {n}.", "是。"),
        Text("The same", "The same"),
    ],
)
def test_what_is_amiss_is_seen(text):
    assert list(amiss(text))


def translations() -> Iterator[str]:
    """The English sentence of every call of `translated`."""
    for module in MODULES:
        for node in ast.walk(ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "translated":
                yield ast.literal_eval(node.args[0])


def test_the_catalogue_holds_every_sentence_and_no_other():
    """Also those that stand in no constant of a module."""
    catalogue = yaml.safe_load((FOLDER / "languages" / "zh.yaml").read_text(encoding="utf-8"))
    said = {*translations(), *student_copy.readme_parts()}
    assert sorted(said - set(catalogue)) == []
    assert sorted(set(catalogue) - said) == []
    for english, chinese in catalogue.items():
        assert placeholders(english) == placeholders(chinese), english
        words = re.sub(r"\{[^}]*\}", "", english)
        assert CHINESE.search(chinese) or not re.search(r"[a-z]{3,}", words), english


def test_sentences_built_on_the_spot():
    """`Text(...)` with literals inside a function: both arguments are there and only the second has Chinese."""
    found = []
    for module in MODULES:
        for node in ast.walk(ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Text"):
                continue
            literals = [a for a in node.args if isinstance(a, ast.Constant | ast.JoinedStr)]
            if len(literals) == 2:
                english, chinese = (ast.unparse(a) for a in literals)
                words = re.search(r"[a-z]{3,}", re.sub(r"\{.*?\}", "", english)[2:])
                if CHINESE.search(english) or (words and not CHINESE.search(chinese)):
                    found.append(f"{module}.py:{node.lineno}")
    assert found == []


def test_format_takes_the_matching_language_of_a_value():
    inner = Text("the result", "结果")
    assert Text("{part} is {n:g}", "{part}是 {n:g}").format(part=inner, n=2.50) == Text(
        "the result is 2.5", "结果是 2.5"
    )


def test_a_docstring_is_split_into_languages():
    chinese = "一行中文\uff0c\n    接着写 x\n    与 y\uff0c\n    z\n    \uff09。\n    "
    text = both(f"An English line\n    that goes on.\n\n    {chinese}")
    assert text == Text("An English line that goes on.", "一行中文\uff0c接着写 x 与 y\uff0cz\uff09。")


@pytest.fixture
def with_german(monkeypatch):
    """The kit with a catalogue of two sentences."""
    said = {"the result": "das Ergebnis", "{part} is {n:g}": "{part} ist {n:g}"}
    monkeypatch.setattr(catalogues, "_known", {**catalogues._known, "de": said})


def test_a_paragraph_says_its_language(with_german):
    text = both(
        "English.\n\n一行中文。\n\n[de] Ein Satz\n    mit zwei Zeilen.\n\n[de] Noch einer.\n\n[n, d] is a shape."
    )
    assert text == Text("English. [n, d] is a shape.", "一行中文。", de="Ein Satz mit zwei Zeilen. Noch einer.")
    assert both("\n\n".join(paragraphs(text, ["en", "zh", "de"]))) == text
    assert paragraphs(text, ["de"]) == ["Ein Satz mit zwei Zeilen. Noch einer."]
    assert both("[fr] Une phrase.") == Text("[fr] Une phrase.")  # of which nothing is known


def test_what_nobody_translated_is_in_english(with_german):
    inner = Text("the result", "结果")
    said = Text("{part} is {n:g}", "{part}是 {n:g}").format(part=inner, n=2.5)
    assert said == Text("the result is 2.5", "结果是 2.5", de="das Ergebnis ist 2.5")
    assert Text("{part} there", "{part}在").format(part=inner).to("de") == "das Ergebnis there"
    assert Text("no more", "没有了").to("de") == "no more"
    assert [Text("no more", "没有了").missing([lang]) for lang in ("en", "zh")] == [[], []]
    assert Text("no more", "没有了").missing(["en", "de"])
    assert not plain("RoPE").missing(["en", "zh", "de"])
    assert in_one([inner, Text("no more", "没有了")]) == Text("the result no more", "结果没有了")
    assert inner.each(str.upper) == Text("THE RESULT", "结果", de="DAS ERGEBNIS")


def test_a_text_crosses_between_processes():
    for text in (Text("a", "b"), Text("a", de="c"), Text("a", "b").or_hint(plain("c"))):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode([text]), type=list[Text]) == [Text(*text)]
    for wrong in (["a", 1], ["a", "b", [["de", 1]]], ["a", "b", [["de"]]], "a"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(msgspec.json.encode(wrong), type=Text)


@pytest.mark.parametrize("path", sorted(catalogues.KIT.glob("*.yaml")), ids=lambda path: path.stem)
def test_each_catalogue_of_the_kit_is_one(path):
    """Chinese lacks nothing; what another one lacks is printed by `grader lint --catalogue`."""
    found, known = catalogues.read(path), catalogues.of("zh")
    assert sorted(set(found) - set(known)) == []
    assert {e: t for e, t in found.items() if not catalogues.values(t) <= catalogues.values(e)} == {}


@pytest.mark.parametrize("docstring", [None, "", "English only.", "只有中文。"])
def test_a_missing_language_comes_back_empty(docstring):
    text = both(docstring)
    assert not text.en or not text.zh


def test_plain_and_to():
    assert plain("x").to("en") == plain("x").to("zh") == "x"
    assert Text("a", "b").to("zh") == "b"
