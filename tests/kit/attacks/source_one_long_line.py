"""Holds one line of 60,000 characters.

Stopped by: a size limit; the parser runs in the confined worker.
"""
# deserves at most 4

x = "@REPEAT:a:60000@"


@HONEST@
