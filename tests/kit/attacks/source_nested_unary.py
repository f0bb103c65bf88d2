"""Nests operators until the compiler's stack overflows.

Stopped by: the parser runs in the confined worker.
"""
# deserves 0

x = @REPEAT:-:60000@1
