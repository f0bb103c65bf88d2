"""Mentions 20,000 names, to overflow what the inspection says.

Stopped by: source.inspect: a bounded list.
"""
# deserves 4

import torch

@MENTIONS:3000@


@HONEST@
