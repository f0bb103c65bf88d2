"""Nests format specifiers and f-strings.

Stopped by: the parser runs in the confined worker.
"""
# deserves 0

x = f'@REPEAT:{:400@1@REPEAT:}:400@'
