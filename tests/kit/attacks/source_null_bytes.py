"""Holds null bytes, where parsers and editors disagree.

Stopped by: submission: refused by name.
"""
# deserves 0

x = "@NULL@"


@HONEST@
