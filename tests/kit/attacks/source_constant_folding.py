"""Lets the compiler compute 9**9**9 and build endless strings.

Stopped by: deadline; RLIMIT_AS; what no graded function needs is left out then.
"""
# deserves at most 4

BIG = 9**9**9
TEXT = "1" * 10**9


@HONEST@
