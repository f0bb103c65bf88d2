"""Prints HTML, ANSI escapes, formulas, bidi overrides, null bytes and invalid UTF-8.

Stopped by: texts.clean; renderers escape; 4 KB are kept.
"""
# deserves 4

import os

print("<script>alert(1)</script><img src=x onerror=alert(1)>&amp;")
print("\x1b[2J\x1b]0;owned\x07\x1b[31m\x9b31m\b\b\r=cmd|' /C calc'!A0")
print("\u202e\u2066\u200f\ufeff\u2028\u2029\x00\x7f\x85")
os.write(1, b"\xff\xfe\xc0\x80\xed\xa0\x80")
print('","reports":[{"score":1000}],"x":"')


@HONEST@
