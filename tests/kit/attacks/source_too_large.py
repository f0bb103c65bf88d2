"""Is larger than a file may be.

Stopped by: submission: the size is checked before anything else.
"""
# deserves 0

# @REPEAT:x:70000@


@HONEST@
