# coding: utf-7
"""Declares UTF-7, in which a comment hides code.

Stopped by: submission: other encodings are refused by name.
"""
# deserves 0

x = 1


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
# +AAo-open('@MARKS@/utf7', 'w')
