"""Is a syntax error whose line holds markup and escapes.

Stopped by: texts.clean; the report quotes no source.
"""
# deserves 0

def scale(x, factor=2.0) <script>alert("CANARIA")</script>
