"""Lets the compiler compute 9**9**9 and build endless strings.

Stopped by: deadline; RLIMIT_AS.
"""
# deserves 0

BIG = 9**9**9
TEXT = "1" * 10**9


@HONEST@
