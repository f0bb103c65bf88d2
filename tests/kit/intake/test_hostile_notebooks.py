"""Notebooks made to hurt: each is read as far as it goes, or refused with a sentence."""

from __future__ import annotations

import json

import pytest
from handed_in import read, scale_of

from grader.intake import listed, notebook_files


def notebook(*cells: object, **others: object) -> bytes:
    return json.dumps({"cells": list(cells), "metadata": {}, **others}).encode()


def cell(source: object, id: object = "scale-solution", **others: object) -> dict[str, object]:
    return {"cell_type": "code", "source": source, "metadata": {"nbgrader": {"grade_id": id}}, **others}


NOTEBOOKS = {  # the file, and what is said about it or read from it
    "deep": (b"[" * (8 << 20), "it is not JSON (RecursionError)"),
    "deep in a cell": (b'{"cells": [' + b'{"a": ' * 100_000, "it is not JSON (RecursionError)"),
    "a number of millions of digits": (b"1" * (8 << 20), "it is not JSON (ValueError)"),
    "millions of cells": (b'{"cells": [' + b"{}," * (2 << 20) + b"{}]}", "has more than 2000 cells"),
    "too large": (b" " * (9 << 20), "larger than 8192 KB"),
    "large outputs": (notebook(cell("x = 1", outputs=[{"text": "y" * (5 << 20)}])), "x = 1"),
    "outputs above all": (notebook(cell("x = 8", outputs=[{"text": ['\\"]} [\\\\'] * 2_000_000}])), "x = 8"),
    "backslashes": (b'{"x": "' + b"\\" * (20 << 20), "larger than 8192 KB"),
    "quotes in a string": (b'{"x": "' + b'\\"' * (8 << 20), "larger than 8192 KB"),
    "brackets": (b'{"outputs": [' + b"[" * (20 << 20), "larger than 8192 KB"),
    "a cell that is too large": (notebook(cell("x" * (70 << 10))), "larger than 64 KB"),
    "a source in a million lines": (notebook(cell(["x\n"] * 1_000_000)), "larger than 64 KB"),
    "half a character": (notebook(cell("x = '\ud800'")), "characters that are not text"),
    "a null byte": (notebook(cell("x = 1\0")), "null bytes"),
    "cells twice": (b'{"cells": [], ' + notebook(cell("x = 2"))[1:], "x = 2"),
    "sources twice": (notebook(cell("x = 1")).replace(b'"source"', b'"source": "y", "source"'), "x = 1"),
    "odd cells": (notebook(None, 1, "x", [], [[]], {}, cell("x = 3")), "x = 3"),
    "odd sources": (notebook(cell(["x ", 1, None, ["y"], {"z": 1}, "= 4"])), "x \n= 4"),
    "a source that is none": (notebook(cell({"x": 1})), ""),
    "odd ids": (notebook(cell("y", []), cell("y", {"a": 1}), cell("y", None), cell("y", 7), cell("x = 5")), "x = 5"),
    "odd metadata": (notebook({"metadata": [1]}, {"metadata": {"nbgrader": "x"}}, cell("x = 6")), "x = 6"),
    "odd kinds": (notebook(cell("x = 7", cell_type=["code"], attachments=[1])), "x = 7"),
    "an odd language": (notebook(cell("x"), metadata={"kernelspec": {"language": "\x1b[31m{0}"}}), "[31m{0}"),
    "no cells": (b'{"cells": {"0": {}}}', "no list of cells"),
    "not text": (b"\xff\xfe{}", "it is not JSON (1:1)"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_hostile_notebook(tmp_path, name):
    data, due = NOTEBOOKS[name]
    (tmp_path / "unit.ipynb").write_bytes(data)
    source = scale_of(tmp_path)
    said = source.refused.to("en") if source.refused else source.text
    assert due in said if source.refused else due == said
    assert len(said) < 300


def test_of_many_cells_that_do_not_count_few_are_named(tmp_path):
    """Each is another version of one cell, under a name made to look like something else."""
    many = [cell(f"x = {i}") for i in range(notebook_files.MAX_CELLS)]
    (tmp_path / "unit\x1b[31m.ipynb").write_bytes(notebook(*many))
    found = read(tmp_path)
    assert found.sources["scale"].text == f"x = {notebook_files.MAX_CELLS - 1}"
    assert len(found.ignored) == notebook_files.MAX_CELLS - 1
    assert len(listed(found.ignored)) < 500
    assert all(name.isprintable() for name in found.ignored)
