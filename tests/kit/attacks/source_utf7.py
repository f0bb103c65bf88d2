# coding: utf-7
"""Declares UTF-7, in which a comment hides code.

Stopped by: submission: other encodings are refused by name.
"""
# deserves 0

x = 1


@HONEST@
# +AAo-open('@MARKS@/utf7', 'w')
