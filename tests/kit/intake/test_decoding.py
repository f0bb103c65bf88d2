"""Bytes of a Python file become text in the encodings that Chinese and Western editors save; others are refused."""

from __future__ import annotations

import codecs

import pytest
from handed_in import KB, folder, refusal, scale_of

TAKEN = {
    "UTF-8": "# 双语\n".encode(),
    "UTF-8 with a BOM": codecs.BOM_UTF8 + "# 双语\n".encode(),
    "UTF-16 of Windows": codecs.BOM_UTF16_LE + "# coding: gbk\r\n# 双语\r\n".encode("utf-16-le"),
    "UTF-16, the other way round": codecs.BOM_UTF16_BE + "# 双语\n".encode("utf-16-be"),
    "CRLF": "# 双语\r\nx = 1\r\n".encode(),
    "a coding line": "# -*- coding: utf-8 -*-\n# 双语\n".encode(),
    "vim's coding line": b"#!/usr/bin/python\n# vim: set fileencoding=UTF8 :\n",
    "GBK": "# coding: gbk\n# 双语\n".encode("gbk"),
    "GB2312 on line 2": "#\n# coding=GB2312\n# 双语\n".encode("gb2312"),
    "GB18030": "# coding: gb18030\n# 双语 🙂\n".encode("gb18030"),
    "Latin-1": "# coding: iso_8859-1\n# é\n".encode("latin-1"),
    "ASCII": b"# coding: us-ascii\n",
    "a coding line too late": b"#\n#\n# coding: utf-7\n",
    "tabs and form feeds": b"def f():\n\tpass\n\x0c\n",
    "empty": b"",
}


@pytest.mark.parametrize("case", TAKEN)
def test_encodings_that_are_taken(tmp_path, case):
    text = scale_of(folder(tmp_path, scale=TAKEN[case])).text
    assert text is not None
    assert not text.startswith("\ufeff")
    if "双语".encode() in TAKEN[case] or "GB" in case or "UTF-16" in case:
        assert "双语" in text


REFUSED = {
    "UTF-7": (b"# coding: utf-7\n+AGEAYgBj-\n", "scale.py declares the encoding utf-7; save it as UTF-8"),
    "UTF-7 on line 2": (b"#!x\n# coding=utf_7\n", "scale.py declares the encoding utf_7"),
    "an unknown codec": (b"# coding: rot13\n", "scale.py declares the encoding rot13"),
    "a long codec": (b"# coding: " + b"z" * 500 + b"\n", "scale.py declares the encoding " + "z" * 40 + ";"),
    "not UTF-8": ("# 双语\n".encode("gbk"), "scale.py is not valid utf-8; save it as UTF-8"),
    "not what it declares": ("# coding: ascii\n# 双语\n".encode(), "scale.py is not valid ascii"),
    "a lone surrogate": (b"# \xed\xa0\x80\n", "scale.py is not valid utf-8"),
    "UTF-16 without its mark": ("x = 1\n".encode("utf-16-le"), "scale.py contains null bytes"),
    "UTF-16 that is cut off": ("x = 1\n".encode("utf-16")[:-1], "scale.py is not valid utf-16; save it as UTF-8"),
    "null bytes in UTF-16": ("x = 1\0\n".encode("utf-16"), "scale.py contains null bytes"),
    "null bytes": (b"x = 1\0\n", "scale.py contains null bytes; is it a Python file?"),
    "a PDF": (
        b"%PDF-1.7\n%\xe2\xe3\n",
        "scale.py is a PDF, whatever it is called; hand in the work itself",
    ),
    "a docx": (b"PK\3\4\x14\0\0", "scale.py is a zip or a document of an office program, whatever"),
    "an old doc": (b"\xd0\xcf\x11\xe0\xa1\xb1", "scale.py is a document of an office program, whatever"),
    "TextEdit's format": (b"{\\rtf1\\ansi\n", "scale.py is formatted text (RTF), whatever"),
    "a saved page": (b"\xef\xbb\xbf\n<!DOCTYPE html>\n<html>", "scale.py is a web page, whatever"),
    "a notebook": (
        b'{"cells": [], "nbformat": 4}',
        "no cell of scale.py holds what belongs in scale.py; use the names",
    ),
    "too large": (b"#" * (KB * 1024 + 1), "scale.py is larger than 64 KB"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_encodings_and_sizes_that_are_refused(tmp_path, case):
    data, message = REFUSED[case]
    assert refusal(folder(tmp_path, scale=data)).startswith(message)
