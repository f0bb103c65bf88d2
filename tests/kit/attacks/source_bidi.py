"""Hides what the code says behind bidi overrides in a comment.

Stopped by: the code is run, not read; the report shows no source.
"""
# deserves 4

# @BIDI@ } factor = 0 { @BIDI@


@HONEST@
