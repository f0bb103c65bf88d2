"""An answer sheet is read whatever editor saved it; a byte that fits no encoding is marked where it stands."""

from __future__ import annotations

import pytest

from grader.intake.decoding import decode_sheet

SHEET = (
    "# 答题卷。把答案写在冒号之后。\nvariant: common\n# 概念题\nfirst:\n  a_number: 0.25\n  an_essay: 因为路径很短\n"
)


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gbk", "gb18030"])
def test_what_editors_save(codec):
    assert decode_sheet(SHEET.encode(codec)).lstrip("\ufeff") == SHEET


def test_english_in_utf_16():
    assert decode_sheet("a: 1\n".encode("utf-16-le")) == "a: 1\n"
    assert decode_sheet(b"\xfe\xff" + "a: 1\n".encode("utf-16-be")) == "a: 1\n"


@pytest.mark.parametrize("byte", [0x80, 0xFF, 0xA0, 0xC3])
def test_one_byte_that_fits_nothing_is_marked_where_it_stands(byte):
    data = SHEET.encode().replace(b"0.25", b"0.25" + bytes([byte]))
    assert decode_sheet(data).replace("\ufffd", "") == SHEET


def test_null_bytes_do_not_make_a_sheet_unreadable():
    assert decode_sheet(SHEET.encode() + b"\0" * 20).rstrip("\0") == SHEET
    assert decode_sheet(b"a: 1\0\n") == "a: 1\0\n"


def test_nothing_raises():
    for data in (b"", b"\xff", b"\xff\xfe", b"\xff\xfe\x00", b"\0", b"\0\0\0", bytes(range(256)), b"\xd8\x00" * 20):
        assert isinstance(decode_sheet(data), str)
