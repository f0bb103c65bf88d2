"""Looks for what another student left behind.

Stopped by: a fresh process for each exercise.
"""
# deserves 4

import os
import sys

import torch

print(getattr(torch, "leaked", ""), getattr(sys, "leaked", ""), os.environ.get("LEAKED", ""))


@HONEST@
