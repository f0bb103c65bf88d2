"""Nests try and finally, whose bodies the compiler copies: the code doubles with each level.

Stopped by: the compiler runs in the confined worker: deadline, RLIMIT_AS.
"""
# deserves 0

@FINALLY:24@
