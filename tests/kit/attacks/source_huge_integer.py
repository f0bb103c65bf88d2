"""Holds an integer literal of 50,000 digits.

Stopped by: Python refuses it: a SyntaxError with its place.
"""
# deserves 0

x = @REPEAT:7:50000@


@HONEST@
