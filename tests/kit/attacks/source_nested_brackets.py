"""Nests brackets until the parser gives up.

Stopped by: the parser runs in the confined worker.
"""
# deserves 0

x = @REPEAT:(:5000@1@REPEAT:):5000@
